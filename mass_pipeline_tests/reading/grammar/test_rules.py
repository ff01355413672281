"""In which lines each rule acts (`rules.txt`), and in which that look like them it does not."""

from __future__ import annotations

from pathlib import Path
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
_ROWS = [line.split(" || ") for line in Path(__file__).with_name("rules.txt").read_text("utf-8").splitlines()[2:]]
LINES = [(name, line.removeprefix("! ").replace("⏎", "\n"), line[0] != "!") for name, *lines in _ROWS for line in lines]


class TestRules:
    def test_each_has_a_name_of_its_own_and_lines_of_both_kinds(self) -> None:
        assert {(rule.name, acts) for rule in RULES for acts in (False, True)} == {(name, acts) for name, _, acts in LINES}
        assert len(_ROWS) == len(RULES)

    @pytest.mark.parametrize(("name", "line", "acts"), LINES)
    def test_acts_in_its_lines_and_in_no_others(self, name: str, line: str, acts: bool) -> None:
        fired = {fired for notice in read_text(line).notices for _, _, fired in notice.reading.fired}

        assert (name in fired) is acts
