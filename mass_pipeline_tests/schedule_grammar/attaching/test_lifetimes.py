"""How long a condition governs the hours to come, by what it is and how it was said."""

from __future__ import annotations

import pytest

from mass_pipeline.schedule_grammar.attaching.lifetimes import LIFETIMES
from mass_pipeline.schedule_grammar.attaching.scopes import INLINE, Pending, ScopeStack
from mass_pipeline.schedule_grammar.parsing.nodes import (
    AtPlace,
    Cond,
    Dated,
    Days,
    InList,
    InSeason,
    Nth,
    OfKind,
    OnDays,
    OnNth,
    Season,
    WhichDays,
)

_SUMMER = InSeason(Season(frozenset(range(4, 11)), "summer"), 0, 5)
_ADVENT = InSeason(Season(None, "advent"), 0, 5)
_CHAPEL = AtPlace("kaplica", 0, 5)
_DATE = Dated("6 sierpnia", 0, 5)
_FRIDAY = OnDays(Days(frozenset({"Fr"})), 0, 5)
_FIRST_FRIDAY = OnNth(Nth((1,), frozenset({"Fr"})), 0, 5)
_SUNDAYS = InList(Days(frozenset({"Su"}), label=True), 0, 5)


def _said(cond: Cond, manner: str) -> ScopeStack:
    stack = ScopeStack()
    level = 2 if manner == "above" else INLINE
    stack.apply([Pending(cond, 0, level, manner == "colon")], 0, mid_clause=manner == "mid-clause")
    return stack


def _ends(stack: ScopeStack, boundary: str) -> None:
    if boundary == "label":
        stack.apply([Pending(_SUNDAYS, 1)], 1)
    elif boundary == "heading":
        stack.begin_heading(2, adjacent=False)
    else:
        stack.leave_clause(sentence=boundary == "sentence")


class TestLifetimes:
    @pytest.mark.parametrize(
        ("cond", "manner", "boundaries"),
        [
            (_SUMMER, "mid-clause", ""),
            (_SUMMER, "passing", "clause"),
            (_SUMMER, "colon", "clause sentence"),
            (_SUMMER, "above", "clause sentence label"),
            (_ADVENT, "passing", ""),
            (_ADVENT, "colon", "clause sentence"),
            (_CHAPEL, "mid-clause", ""),
            (_CHAPEL, "passing", "clause sentence"),
            (_CHAPEL, "above", "clause sentence label"),
            (_DATE, "passing", "clause"),
            (_DATE, "colon", "clause"),
            (_FRIDAY, "mid-clause", ""),
            (_FRIDAY, "passing", "clause sentence"),
            (_FIRST_FRIDAY, "mid-clause", ""),
            (_SUNDAYS, "passing", "clause sentence"),
            (_SUNDAYS, "mid-clause", "clause sentence"),
        ],
    )
    def test_a_condition_outlives_some_boundaries_and_no_others(self, cond: Cond, manner: str, boundaries: str) -> None:
        """Days are left out of the third boundary: there they give way to the new ones."""
        named = isinstance(cond, WhichDays)
        outlived = []
        for boundary in ("clause", "sentence", "heading") if named else ("clause", "sentence", "label", "heading"):
            stack = _said(cond, manner)
            _ends(stack, boundary)
            outlived += [boundary] if stack.as_scope().get(type(cond)) == cond else []

        assert outlived == boundaries.split()

    def test_the_table_knows_every_dimension(self) -> None:
        """Remarks go with their hour and are never put on the stack."""
        assert {InList, OnDays, OnNth, InSeason, AtPlace, OfKind, Dated} <= set(LIFETIMES)

    def test_what_stands_above_outlives_what_is_said_in_passing(self) -> None:
        assert all(row[3] >= row[2] >= row[1] >= row[0] for row in LIFETIMES.values())
