"""How probably a dated change is right: between 0 and 1, lower with doubts, and in the rows that are published."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from mass_pipeline.cli.announced import standing_order
from mass_pipeline.reading.changes import ChangeDetails, Doubt, ScheduleChange, read_changes
from mass_pipeline.schedules.announced import Announced, exceptions_of
from mass_pipeline.schedules.trust import WEIGHTS, terms_of, trust_in

_ISSUED = date(2026, 11, 22)
_STANDING = tuple(standing_order("Su 08:00,10:00; Mo-Sa 18:00"))


def _change(text: str) -> ScheduleChange:
    [change] = read_changes(text, _ISSUED)
    return change


class TestTrust:
    def test_every_term_has_its_weight(self) -> None:
        assert set(WEIGHTS) == set(terms_of(_change("W środę Msza św. o 10.00."), _STANDING))

    def test_a_change_without_doubts_is_probably_right(self) -> None:
        assert trust_in(_change("W środę Msza św. o 10.00."), _STANDING) > 0.9

    @pytest.mark.parametrize(("doubt", "by"), [("service", 0.1), ("day", 0.2), ("elsewhere", 0.7)])
    def test_a_doubt_lowers_it(self, doubt: Doubt, by: float) -> None:
        change = _change("W środę Msza św. o 10.00.")

        assert trust_in(replace(change, doubts=(doubt,)), _STANDING) < trust_in(change, _STANDING) - by

    def test_no_day_is_doubted_where_a_change_has_no_end(self) -> None:
        change = _change("W środę Msza św. o 10.00.")

        assert trust_in(replace(change, doubts=("day", "no_end")), _STANDING) == trust_in(
            replace(change, doubts=("no_end",)), _STANDING
        )

    @pytest.mark.parametrize(
        ("changed", "percent"),
        [
            ({}, 96.6), ({"kind": "cancelled"}, 97.5), ({"kind": "moved"}, 93.2), ({"kind": "as_sunday"}, 97.4),
            ({"kind": "as_weekday"}, 97.4), ({"kind": "order"}, 94.9), ({"kind": "order", "times": ("12:00",)}, 95.8),
            ({"details": ChangeDetails(days_told="before")}, 97.4), ({"details": ChangeDetails(days_told="date")}, 97.3),
            ({"valid_to": date(2026, 11, 28)}, 96.8),
            ({"doubts": ("service",)}, 83.1), ({"doubts": ("day",)}, 75.9), ({"doubts": ("service", "kind")}, 63.7),
            ({"doubts": ("day", "words")}, 10.4), ({"doubts": ("elsewhere",)}, 23.0), ({"doubts": ("day", "no_end")}, 51.5),
        ],
    )  # fmt: skip
    def test_how_sure_changes_are_as_the_written_announcements_showed(self, changed: dict[str, object], percent: float) -> None:
        """Beside a usual order, in per cent: a new fit moves these figures and the tables of docs/confidence.md."""
        change = replace(_change("W środę Msza św. o 10.00."), **changed)  # type: ignore[arg-type]

        assert round(100 * trust_in(change, _STANDING), 1) == percent

    def test_where_the_usual_order_is_unknown_a_change_is_less_sure(self) -> None:
        assert round(100 * trust_in(_change("W środę Msza św. o 10.00."), ()), 1) == 88.5

    def test_nothing_is_certain_and_nothing_impossible(self) -> None:
        change = _change("W środę Msza św. o 10.00.")

        assert [trust_in(change, _STANDING, {"constant": odds}) for odds in (1000.0, 0.0, -1000.0)] == [0.99, 0.5, 0.01]

    def test_it_stands_in_the_rows(self) -> None:
        one = Announced(_change("W środę 25 listopada nie będzie Mszy św. o 18.00."), _ISSUED, "http://a.example/", "d", None)
        [row] = exceptions_of([one], _STANDING).rows

        assert row.confidence == round(trust_in(one.change, _STANDING), 3)

    @pytest.mark.parametrize(
        ("text", "told"),
        [
            ("W środę Msza św. o 10.00.", "weekday"),
            ("25 listopada Msza św. o 10.00.", "date"),
            ("W środę 25.11 Msza św. o 10.00.", "date"),
        ],
    )
    def test_how_the_day_is_told(self, text: str, told: str) -> None:
        assert (told == "weekday") == bool(terms_of(_change(text), _STANDING)["day_not_dated"])
