"""What explanations tell of a page beside its Masses."""

from __future__ import annotations

import re

import pytest

from mass_pipeline.reading.formats.explain import KIND_OF_RULE, RULES_BY_KIND, USUAL, explain_page
from mass_pipeline.reading.regular.reading import read_text
from mass_pipeline_tests.reading.grammar.test_rules import LINES

_LINES = {name: line for name, line, acts in reversed(LINES) if acts and name not in USUAL}


class TestRulesByWhichNodesAreAttached:
    def test_a_name_stands_once(self) -> None:
        assert len(KIND_OF_RULE) == sum(map(len, RULES_BY_KIND.values()))

    @pytest.mark.parametrize("name", [name for name in KIND_OF_RULE if name in _LINES])
    def test_is_named_beside_the_node_it_dealt_with(self, name: str) -> None:
        lines = explain_page(read_text(_LINES[name]))
        told = [line for line in lines if line.startswith(f"       {KIND_OF_RULE[name]}: ")]

        assert re.search(rf" {re.escape(name)}(?:, |; |$)", "\n".join(told), re.M)

    def test_a_line_of_hours_alone_names_none(self) -> None:
        """Its days stand in the line above, and are explained there."""
        lines = list(explain_page(read_text("Niedziele i święta:\n8.00, 10.00")))

        assert not any(f"       {kind}" in line for kind in RULES_BY_KIND for line in lines[lines.index("    1: 8.00, 10.00") :])


class TestSides:
    def test_the_choice_is_told_with_its_rival_and_the_features(self) -> None:
        told = "\n".join(explain_page(read_text("Dni powszednie: 17.00 zimą, 18.00 latem")))

        assert re.search(r"side: between 17:00 and 18:00 1 of 1 to the hour before 1\.00, else 0 0\.00 \(a comma after it", told)
