"""What tables and logs keep of persons: words of announcements are masked, forgotten addresses leave no entry."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from mass_pipeline.crawling.fetching.scope import OptOuts
from mass_pipeline.crawling.state.erasing import erase_log_entries
from mass_pipeline.crawling.state.logs import ERROR_LOG, PROGRESS_LOG
from mass_pipeline.crawling.watching.records import PublishedAnnouncement
from mass_pipeline.gathering.ports import Page
from mass_pipeline.gathering.raw_pages import Edition, erase_raw_pages
from mass_pipeline.gathering.state import DiscoveryState
from mass_pipeline.publishing.announcements import ChangesReader, announcement_row
from mass_pipeline.reading.changes import read_changes
from mass_pipeline_tests.shared import ROOT

MOMENT = datetime(2026, 11, 15, 3, tzinfo=UTC)
FACTS = ("Kowalsk", "kowalsk", "Genowef", "genowef", "605", "zbigniew@", "Pindor")
TEXT = (
    "W środę nie będzie Mszy św. o 7.00 z powodu pogrzebu śp. Jana Kowalskiego.\n"
    "W piątek Msza św. o 17.00 zamiast o 18.00 w intencji Genowefy Pindor, tel. 605111222, zbigniew@poczta.example."
)


def row() -> dict[str, object]:
    told = {"anchor": "Pogrzeb Jana Kowalskiego", "title": "Śp. Genowefa Pindor", "author": "Jan Kowalski"}
    one = PublishedAnnouncement(
        announcement_id="a1", site_id="p1", url="http://a.example/1", site="a.example", list_url="", source="list", **told,
        meta_keywords="Kowalski", meta_description="tel. 605111222", issued=date(2026, 11, 15), position=0, text=TEXT,
        topic="services", model="vector", score=1.0, article_sha256="b" * 64, first_seen_at=MOMENT, fetched_at=MOMENT,
    )  # fmt: skip
    return announcement_row(one, ChangesReader())


class TestTheTableOfAnnouncements:
    def test_holds_no_person(self) -> None:
        assert [fact for fact in FACTS if fact in repr(row())] == []

    def test_keeps_what_proves_the_change(self) -> None:
        changes = row()["changes"]

        assert isinstance(changes, list)
        assert [(one["kind"], one["times"], one["new_times"]) for one in changes] == [
            ("cancelled", ["07:00"], []),
            ("moved", ["18:00"], ["17:00"]),
        ]
        assert "nie będzie Mszy św. o 7.00" in str(row()["text"])

    def test_villages_of_the_words_stay(self) -> None:
        """By them a change finds the church of the parish that it is about."""
        (change,) = read_changes("W niedzielę w Lipiu nie będzie Mszy św. o 9.00.", date(2026, 11, 16))

        assert change.details.places == ("w lipiu",)


class TestForgettingInLogs:
    def test_entries_of_a_host_go_with_their_tracebacks_and_the_rest_stays(self, tmp_path: Path) -> None:
        (tmp_path / PROGRESS_LOG).write_text(
            "2026-11-15T03:00:00Z ok http://a.example/msze\n2026-11-15T03:00:01Z ok http://b.example/\n", encoding="ascii"
        )
        (tmp_path / ERROR_LOG).write_text(
            "2026-11-15T03:00:00Z 'http://a.example/x'\nTraceback:\n  boom\n\n2026-11-15T03:00:02Z 'http://b.example/'\nTraceback\n",
            encoding="ascii",
        )

        gone = erase_log_entries(tmp_path, OptOuts.of(["a.example"], []).covers)

        assert gone == 2
        assert (tmp_path / PROGRESS_LOG).read_text(encoding="ascii") == "2026-11-15T03:00:01Z ok http://b.example/\n"
        assert (tmp_path / ERROR_LOG).read_text(encoding="ascii") == "2026-11-15T03:00:02Z 'http://b.example/'\nTraceback\n"

    @pytest.mark.parametrize("covered", ["c.example"])
    def test_nothing_is_written_where_nothing_is_covered(self, tmp_path: Path, covered: str) -> None:
        (tmp_path / PROGRESS_LOG).write_text("2026-11-15T03:00:00Z ok http://a.example/msze\n", encoding="ascii")
        before = (tmp_path / PROGRESS_LOG).stat().st_ino

        assert erase_log_entries(tmp_path, OptOuts.of([covered], []).covers) == 0
        assert (tmp_path / PROGRESS_LOG).stat().st_ino == before


class TestForgettingInDiscovery:
    def test_kept_pages_of_a_walk_go(self, tmp_path: Path) -> None:
        with DiscoveryState(tmp_path / "discovery.sqlite") as state:
            edition = Edition(state, "one")
            for host in ("a.example", "b.example"):
                edition.keep(lambda url: Page(url, 200, b"Jan Kowalski", "text/html", MOMENT))(f"http://{host}/1")

            assert erase_raw_pages(state, OptOuts.of(["a.example"], []).covers) == 1
            assert edition.find("http://a.example/1") is None
            assert edition.find("http://b.example/1") is not None


class TestWordsOfPages:
    def test_no_server_and_no_public_file_has_a_hand_on_the_tables_that_hold_them(self) -> None:
        """Raw words stand in crawled_pages and external_links; what answers the public or annotators reads neither."""
        rooms = ("public_web", "finding", "annotation", "web_common", "schedules", "classification")
        files = [file for room in rooms for file in sorted((ROOT / "mass_pipeline" / room).rglob("*.py"))]
        tables = re.compile(r"crawled_pages|CRAWLED_PAGES|EXTERNAL_LINKS")
        named = [file.name for file in files if tables.search(file.read_text(encoding="utf-8"))]

        assert len(files) > 50
        assert named == []
