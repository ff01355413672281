"""What explanations tell of a page beside its Masses."""

from __future__ import annotations

import pytest

from mass_pipeline.language.lexicon import load_lexicon
from mass_pipeline.schedule_grammar.attaching.conditions import RULES as RULES_OF_CONDITIONS
from mass_pipeline.schedule_grammar.attaching.rewording import RULES, name_of, reworded, rules_fired
from mass_pipeline.schedule_grammar.judging.reading import read_text
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


_EXAMPLES = {
    "said by the negation before it": "Dni powszednie: 7.00, 8.30 - nie ma w wakacje",
    "a person or an address begins something else": "Niedziela: 9.00, proboszcz Jan, 11.00",
    "leads to other hours that do not take place": (
        "Niedziele: 8.00, 12.30. Dni powszednie: 6.00. W wakacje nie ma w niedziele Mszy o 12.30, a w dni powszednie o 6.00"
    ),
    "limits the hours that do not take place": "Niedziele: 8.00, 18.00. W wakacje bez Mszy o 8.00 w niedziele",
    "left out, another hour follows": "Dni powszednie: 18.30 z wyjątkiem piątku - 16.30",
    "left out, another hour is said of that time": "Dni powszednie: 18.00, z wyjątkiem środy, kiedy Msza jest o 17.00",
    "closes a line of hours": "9.00, 11.00 niedziela",
    "tells not what happens at the hour before": "Dni powszednie: 18.00. I piątek: spowiedź od 16.30, Msza św. jak zwykle",
    "belongs to the hour before": "Dni powszednie: 18.00 - latem",
    "waits for the hours to come": "Środa: 8.00",
}


class TestRulesByWhichConditionsGovern:
    def test_each_has_an_example(self) -> None:
        assert list(_EXAMPLES) == [rule.name for rule in RULES_OF_CONDITIONS]

    @pytest.mark.parametrize("name", _EXAMPLES)
    def test_is_named_beside_the_condition(self, name: str) -> None:
        lines = list(explain_page(read_text(_EXAMPLES[name])))

        assert any(line.startswith("       governing: ") and f"> {name}" in line for line in lines)

    def test_a_line_of_hours_alone_names_none(self) -> None:
        """Its days stand in the line above, and are explained there."""
        lines = list(explain_page(read_text("Niedziele i święta:\n8.00, 10.00")))

        assert not any("governing" in line for line in lines[lines.index("    1: 8.00, 10.00") :])
