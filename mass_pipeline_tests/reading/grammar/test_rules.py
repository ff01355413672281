"""The examples of each rule are its tests: in which lines it acts, and in which that look like them it does not."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from mass_pipeline.reading.grammar import brackets, statements
from mass_pipeline.reading.grammar.rules import Rule
from mass_pipeline.reading.regular.reading import read_text

RULES: list[Rule[Any]] = [
    *statements.CONDITIONS,
    *dict.fromkeys(rule for table in statements.WORDS.values() for rule in table),
    *statements.BRACKETS,
    *brackets.CLAUSES,
    *brackets.COMMENTS,
]


def _lines(near: bool) -> Iterator[tuple[str, str]]:
    for rule in RULES:
        yield from ((rule.name, line) for line in (rule.near if near else rule.examples))


def _acted(line: str) -> set[str]:
    return {name for notice in read_text(line).notices for _, _, name in notice.reading.fired}


class TestRules:
    def test_each_has_a_name_of_its_own_and_examples_of_both_kinds(self) -> None:
        assert len({rule.name for rule in RULES}) == len(RULES)
        assert [rule.name for rule in RULES if not (rule.examples and rule.near)] == []

    @pytest.mark.parametrize(("name", "line"), _lines(near=False))
    def test_acts_in_its_examples(self, name: str, line: str) -> None:
        assert name in _acted(line)

    @pytest.mark.parametrize(("name", "line"), _lines(near=True))
    def test_does_not_act_in_lines_that_look_like_them(self, name: str, line: str) -> None:
        assert name not in _acted(line)
