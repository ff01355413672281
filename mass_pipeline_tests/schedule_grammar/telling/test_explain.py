"""What explanations tell of a page beside its Masses."""

from __future__ import annotations

import pytest

from mass_pipeline.language.lexicon import load_lexicon
from mass_pipeline.schedule_grammar import read_text
from mass_pipeline.schedule_grammar.attaching.rewording import RULES, name_of, reworded, rules_fired
from mass_pipeline.schedule_grammar.parsing.chunker import chunk
from mass_pipeline.schedule_grammar.telling.explain import explain_page


class TestRulesThatFired:
    def test_are_named_below_the_line_they_put_in_order(self) -> None:
        lines = list(explain_page(read_text("Dni powszednie 17.00 zimą godz. 17.30 latem")))

        assert "       read by: seasons behind a pair" in lines

    def test_a_line_in_the_usual_order_names_none(self) -> None:
        assert not any("read by" in line for line in explain_page(read_text("Niedziele: 8.00, 10.00")))

    @pytest.mark.parametrize("text", ["Niedziele: 8.00, 10.00", "w tygodniu 17.00 zimą godz. 17.30 latem"])
    def test_are_named_exactly_where_the_reader_puts_something_in_order(self, text: str) -> None:
        nodes = chunk(text, load_lexicon("pl"))

        assert bool(rules_fired(nodes)) == (list(reworded(nodes)) != list(nodes))

    def test_every_rule_has_a_name(self) -> None:
        names = [name_of(rule) for _, rule in RULES]

        assert all(" " in name for name in names)
