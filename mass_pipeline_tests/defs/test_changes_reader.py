"""What an announcement changes is read once for a version of the code, where its reading can be ended."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, date, datetime

import pytest

from mass_pipeline.crawling.watching.records import PublishedAnnouncement
from mass_pipeline.guard import TooCostly
from mass_pipeline.publishing.announcements import ChangesReader
from mass_pipeline.reading.changes import ScheduleChange, read_changes

ISSUED = date(2026, 11, 15)
MOMENT = datetime(2026, 11, 15, 3, tzinfo=UTC)
TEXT = (
    "W środę nie będzie Mszy św. o 7.00.\nOd 1 grudnia Msza św. w dni powszednie o 17.00 zamiast o 18.00.\n"
    "Roraty codziennie o 6.30."
)
ONE = PublishedAnnouncement(
    announcement_id="a1", site_id="p1", url="http://a.example/1", site="a.example", list_url=None, source="list", anchor="",
    title="", author="", meta_keywords="", meta_description="", issued=ISSUED, position=0, text=TEXT, topic="services",
    model="vector", score=1.0, article_sha256="b" * 64, first_seen_at=MOMENT, fetched_at=MOMENT,
)  # fmt: skip


@pytest.fixture
def readings(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The texts that are read."""
    read: list[str] = []

    def counted(text: str, issued: date) -> list[ScheduleChange]:
        read.append(text)
        return read_changes(text, issued)

    monkeypatch.setattr(sys.modules[ChangesReader.__module__], "read_changes", counted)
    return read


class TestReading:
    def test_gives_what_the_grammar_reads(self) -> None:
        changes = read_changes(TEXT, ISSUED)

        assert changes
        assert ChangesReader("1").changes_of(ONE, ISSUED) == changes

    def test_what_was_kept_is_the_same_and_nobody_pays_for_it_again(self, readings: list[str]) -> None:
        first = ChangesReader("1")
        changes = first.changes_of(ONE, ISSUED)
        second = ChangesReader("1")
        again = second.changes_of(replace(ONE, reading=first.fresh["a1"]), ISSUED)

        assert [(one, one.details) for one in again] == [(one, one.details) for one in changes]
        assert readings == [TEXT]
        assert second.fresh == {}

    @pytest.mark.parametrize(("version", "issued"), [("2", ISSUED), ("1", date(2026, 11, 22))])
    def test_another_version_or_day_reads_anew(self, readings: list[str], version: str, issued: date) -> None:
        first = ChangesReader("1")
        first.changes_of(ONE, ISSUED)
        second = ChangesReader(version)
        second.changes_of(replace(ONE, reading=first.fresh["a1"]), issued)

        assert readings == [TEXT, TEXT]
        assert list(second.fresh) == ["a1"]


class TestBorder:
    @pytest.mark.parametrize(
        ("error", "reason"),
        [
            (lambda: OverflowError("date value out of range"), "OverflowError"),
            (lambda: TooCostly("cpu", 20, 100), "TooCostly: over 20 s of CPU for 100 bytes"),
        ],
    )
    def test_an_announcement_that_cannot_be_read_costs_only_itself_and_only_once(
        self, monkeypatch: pytest.MonkeyPatch, error: Callable[[], Exception], reason: str
    ) -> None:
        def fail(text: str, issued: date) -> list[ScheduleChange]:
            tried.append(text)
            raise error()

        tried: list[str] = []
        monkeypatch.setattr(sys.modules[ChangesReader.__module__], "read_changes", fail)
        first, second = ChangesReader("1"), ChangesReader("1")

        assert first.changes_of(ONE, ISSUED) == second.changes_of(replace(ONE, reading=first.fresh["a1"]), ISSUED) == []
        assert first.failed == second.failed == {"http://a.example/1": reason}
        assert tried == [TEXT]
