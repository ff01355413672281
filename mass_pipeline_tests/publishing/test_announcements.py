"""Checks of `announcements`: what each promise refuses."""

from __future__ import annotations

from datetime import date

import pytest

from mass_pipeline.publishing.promises.validators import validate_changes, validate_dated, validate_sites

_SUNDAY = date(2026, 11, 15)


def _row(first: date, last: date | None, issued: date | None = _SUNDAY) -> dict[str, object]:
    return {"url": "http://a.example/", "issued": issued, "changes": [{"valid_from": first, "valid_to": last, "quote": "q"}]}


class TestDated:
    @pytest.mark.parametrize(("issued", "passed"), [([], True), ([_SUNDAY, None], True), ([_SUNDAY, None, None], False)])
    def test_half_must_tell_their_day(self, issued: list[date | None], passed: bool) -> None:
        assert validate_dated(issued).passed is passed


class TestSites:
    def test_a_row_of_an_unknown_parish_or_without_words_is_named(self) -> None:
        rows = [
            {"parish_id": "p", "url": "u1", "text": "x"},
            {"parish_id": "q", "url": "u2", "text": "x"},
            {"parish_id": "p", "url": "u3", "text": " "},
        ]
        verdict = validate_sites(rows, ["p"])

        assert not verdict.passed
        assert [finding["url"] for finding in verdict.findings] == ["u2", "u3"]


class TestChanges:
    @pytest.mark.parametrize(
        ("row", "passed"),
        [
            (_row(date(2026, 11, 16), date(2026, 11, 16)), True),
            (_row(date(2026, 11, 22), None), True),
            (_row(date(2025, 11, 16), date(2025, 11, 16)), False),
            (_row(date(2028, 1, 1), None), False),
            (_row(date(2026, 11, 20), date(2026, 11, 16)), False),
            (_row(date(2026, 11, 20), None, None), False),
        ],
    )
    def test_changes_lie_near_their_announcement_and_end_behind_their_beginning(
        self, row: dict[str, object], passed: bool
    ) -> None:
        assert validate_changes([row]).passed is passed
