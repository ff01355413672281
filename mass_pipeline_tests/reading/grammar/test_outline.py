"""How long a condition governs the hours to come, by what it is and how it was said."""

from __future__ import annotations

import pytest

from mass_pipeline.reading.grammar.outline import ENDS, LINE, End, Outline, Said
from mass_pipeline.reading.phrases.nodes import (
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


def _said(cond: Cond, manner: str) -> Outline:
    outline = Outline()
    outline.enter([Said(cond, 0, 2 if manner == "above" else LINE, manner == "colon")], 0, after_hours=manner == "after hours")
    return outline


def _end(outline: Outline, boundary: str) -> None:
    if boundary == "days":
        outline.enter([Said(_SUNDAYS, 1)], 1)
    elif boundary == "heading":
        outline.begin_heading(2)
    else:
        outline.end(End.SENTENCE if boundary == "sentence" else End.CLAUSE)


class TestEnds:
    @pytest.mark.parametrize(
        ("cond", "manner", "boundaries"),
        [
            (_SUMMER, "after hours", ""),
            (_SUMMER, "passing", "clause"),
            (_SUMMER, "colon", "clause sentence"),
            (_SUMMER, "above", "clause sentence days"),
            (_ADVENT, "passing", ""),
            (_ADVENT, "colon", "clause sentence"),
            (_CHAPEL, "after hours", ""),
            (_CHAPEL, "passing", "clause sentence"),
            (_CHAPEL, "above", "clause sentence days"),
            (_DATE, "passing", "clause"),
            (_DATE, "colon", "clause"),
            (_FRIDAY, "after hours", ""),
            (_FRIDAY, "passing", "clause sentence"),
            (_FIRST_FRIDAY, "after hours", ""),
            (_SUNDAYS, "passing", "clause sentence"),
            (_SUNDAYS, "after hours", "clause sentence"),
        ],
    )
    def test_a_condition_outlives_some_boundaries_and_no_others(self, cond: Cond, manner: str, boundaries: str) -> None:
        """Days are left out of the third boundary: there they give way to the new ones."""
        named = isinstance(cond, WhichDays)
        outlived = []
        for boundary in ("clause", "sentence", "heading") if named else ("clause", "sentence", "days", "heading"):
            outline = _said(cond, manner)
            _end(outline, boundary)
            outlived += [boundary] if outline.scope().get(type(cond)) == cond else []

        assert outlived == boundaries.split()

    def test_the_table_knows_every_dimension(self) -> None:
        """Remarks go with their hour and never govern others."""
        assert {InList, OnDays, OnNth, InSeason, AtPlace, OfKind, Dated} <= set(ENDS)

    def test_what_stands_above_outlives_what_is_said_in_passing(self) -> None:
        assert all(row[3] >= row[2] >= row[1] >= row[0] for row in ENDS.values())
