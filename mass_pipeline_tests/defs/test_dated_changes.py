"""Announcements and decisions of people in the published schedules: real tables, real assets, the commands people type."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from datetime import UTC, date, datetime
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner

from mass_pipeline.cli.schedules import schedules
from mass_pipeline.model.columns import ANNOUNCEMENTS, CRAWLED_PAGES, MASS_SCHEDULES, PARISHES
from mass_pipeline.publishing.orders import announced_changes
from mass_pipeline.reading.changes import ChangeDetails, read_changes
from mass_pipeline.resources.lake import Lake, table_of
from mass_pipeline_tests.defs.running import Ended, digests, run_assets
from mass_pipeline_tests.defs.tables import page

pytestmark = pytest.mark.slow

FETCHED = datetime(2026, 11, 15, 3, tzinfo=UTC)
USUAL = "<h2>Msze święte</h2><p>Niedziele: 8.00, 10.00, 18.00</p><p>Dni powszednie: 7.00, 18.00</p>"
LATER = "<h2>Msze święte</h2><p>Niedziele: 8.00, 11.30, 18.00</p><p>Dni powszednie: 7.00, 18.00</p>"
NEWS = (
    "W środę nie będzie Mszy św. o godz. 7.00.",
    "W piątek Msza św. o 17.00 zamiast o 18.00.",
    "Od poniedziałku 23 listopada Msza św. wieczorna w dni powszednie o godz. 17.00.",
)


def publish_pages(folder: Path, body: str, listed: str = "") -> None:
    """A directory of one parish and the one page of its site, with what the directory's own page says where it says something."""
    lake = Lake(folder / "lake")
    parish = {"parish_id": "p1", "name": "św. Anny", "town": "Brzezie", "address": "Brzezie 1", "diocese": "łódzka"}
    parish["directory_url"] = "http://dir.example/p1"
    lake.publish(PARISHES, {None: [table_of(PARISHES, [{**parish, "diocese_key": "lodzka", "source": "test"}])]})
    pages = [crawled("http://a.example/msze", body)]
    pages += [crawled("http://dir.example/p1", listed)] if listed else []
    lake.publish(CRAWLED_PAGES, {"lodzka": [table_of(CRAWLED_PAGES, pages)]})


def crawled(url: str, body: str) -> dict[str, object]:
    content = f"<html><head><title>Parafia</title></head><body>{body}</body></html>".encode()
    return page("p1", url, content, start_url="http://a.example/", domain="a.example", depth=1, fetched_at=FETCHED)


def publish_announcements(folder: Path, texts: Sequence[str]) -> None:
    issued = date(2026, 11, 15)
    rows = [
        {
            "announcement_id": f"a{number}",
            "parish_id": "p1",
            "url": "http://a.example/ogloszenia",
            "site": "a.example",
            "source": "list",
            "anchor": "Ogłoszenia",
            "title": "Ogłoszenia",
            "issued": issued,
            "position": number,
            "text": text,
            "topic": "services",
            "model": "vector",
            "score": 1.0,
            "changes": [asdict(change) for change in read_changes(text, issued)],
            "article_sha256": "b" * 64,
            "first_seen_at": FETCHED,
            "fetched_at": FETCHED,
        }
        for number, text in enumerate(texts)
    ]
    Lake(folder / "lake").publish(ANNOUNCEMENTS, {"lodzka": [table_of(ANNOUNCEMENTS, rows)]})


def run(folder: Path) -> Ended:
    ended = run_assets(folder, ["candidate_hours", "mass_schedules"], partitions=("lodzka", "lodzka"))
    assert ended.success, ended.errors
    return ended


def published(ended: Ended) -> list[dict[str, object]]:
    return list(ended.lake.reader(MASS_SCHEDULES, ["lodzka"]).rows())


def command(folder: Path, *arguments: str) -> str:
    done = CliRunner().invoke(schedules, list(arguments), env={"MASS_PIPELINE_DATA_FOLDER": str(folder)}, catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.output


def shown(folder: Path, day: str) -> list[str]:
    return [one["time"] for one in json.loads(command(folder, "show", "brzezie", "--date", day, "--json"))["masses"]]


class TestWithoutAnnouncements:
    def test_absence_is_no_failure(self, tmp_path: Path) -> None:
        publish_pages(tmp_path, USUAL)

        ended = run(tmp_path)

        assert {row["exception"] for row in published(ended)} == {None}
        assert {row["valid_from"] for row in published(ended)} == {None}
        assert shown(tmp_path, "2026-11-18") == ["07:00", "18:00"]


class TestDatedChanges:
    @pytest.fixture
    def folder(self, tmp_path: Path) -> Path:
        publish_pages(tmp_path, USUAL)
        publish_announcements(tmp_path, NEWS)
        return tmp_path

    def test_they_become_rows_with_days_kind_words_and_page(self, folder: Path) -> None:
        rows = [row for row in published(run(folder)) if row["exception"]]

        assert {(row["exception"], row["time"], str(row["valid_from"]), str(row["valid_to"])) for row in rows} == {
            ("cancelled", "07:00", "2026-11-18", "2026-11-18"),
            ("cancelled", "18:00", "2026-11-20", "2026-11-20"),
            ("added", "17:00", "2026-11-20", "2026-11-20"),
        }
        assert {row["quote"] for row in rows} == set(NEWS[:2])
        assert {row["source_url"] for row in rows} == {"http://a.example/ogloszenia"}

    def test_a_table_of_an_earlier_version_without_the_details_is_read(self, folder: Path) -> None:
        file = Lake(folder / "lake").path(ANNOUNCEMENTS, "lodzka")
        table = pq.read_table(file, partitioning=None)
        rows = [[{k: v for k, v in change.items() if k != "details"} for change in row] for row in table["changes"].to_pylist()]
        index = table.column_names.index("changes")
        pq.write_table(table.set_column(index, "changes", pa.array(rows)), file)

        (changes,) = announced_changes(Lake(folder / "lake").reader(ANNOUNCEMENTS, ["lodzka"])).values()

        assert [one.change.details for one in changes] == [ChangeDetails()] * len(changes)
        assert run(folder).success

    def test_the_day_is_shown_with_dates_and_sources(self, folder: Path) -> None:
        run(folder)
        text = command(folder, "show", "p1", "--date", "2026-11-20")

        assert shown(folder, "2026-11-18") == ["18:00"]
        assert shown(folder, "2026-11-20") == ["07:00", "17:00"]
        for words in ("przeniesiona z 18:00", "http://a.example/ogloszenia (2026-11-15)", "http://a.example/msze (2026-11-15)"):
            assert words in text

    def test_running_again_gives_the_same_bytes_and_no_second_proposal(self, folder: Path) -> None:
        run(folder)
        first = digests(folder / "lake" / "mass_schedules"), digests(folder / "state")

        ended = run(folder)

        assert first == (digests(folder / "lake" / "mass_schedules"), digests(folder / "state"))
        assert ended.metadata["mass_schedules", "lodzka"]["proposals_waiting"] == 1
        assert all(ended.checks[name] for name in ("evidence", "dated_exceptions", "approved_orders"))

    def test_a_lasting_change_waits_for_a_person_and_then_holds_from_its_day_on(self, folder: Path) -> None:
        run(folder)
        assert shown(folder, "2026-11-25") == ["07:00", "18:00"]
        identifier = command(folder, "proposals").split()[0]

        command(folder, "approve", identifier, "--by", "Jan Nowak")
        ended = run(folder)

        assert shown(folder, "2026-11-25") == ["07:00", "17:00"]
        assert shown(folder, "2026-11-19") == ["07:00", "18:00"]
        assert ended.checks["evidence"]
        assert "No proposal waits" in command(folder, "proposals")


class TestApprovedOrder:
    def test_a_later_crawl_proposes_and_never_overwrites(self, tmp_path: Path) -> None:
        publish_pages(tmp_path, USUAL)
        run(tmp_path)
        command(tmp_path, "approve", "--published", "brzezie", "--by", "Jan Nowak")

        publish_pages(tmp_path, LATER)
        ended = run(tmp_path)

        assert shown(tmp_path, "2026-11-22") == ["08:00", "10:00", "18:00"]
        assert not ended.checks["approved_orders"]
        assert ended.checks["evidence"]
        assert ended.metadata["mass_schedules", "lodzka"]["orders_differing_from_approved"] == 1
        identifier = command(tmp_path, "proposals").split()[0]
        command(tmp_path, "approve", identifier, "--by", "Jan Nowak")
        ended = run(tmp_path)
        assert shown(tmp_path, "2026-11-22") == ["08:00", "11:30", "18:00"]
        assert ended.checks["approved_orders"]

    def test_a_site_that_went_away_keeps_its_approved_order(self, tmp_path: Path) -> None:
        publish_pages(tmp_path, USUAL)
        run(tmp_path)
        command(tmp_path, "approve", "--published", "brzezie", "--by", "Jan Nowak")
        lake = Lake(tmp_path / "lake")
        lake.publish(CRAWLED_PAGES, {"lodzka": [table_of(CRAWLED_PAGES, [])]})

        run(tmp_path)

        assert shown(tmp_path, "2026-11-22") == ["08:00", "10:00", "18:00"]

    def test_a_rejected_difference_is_settled(self, tmp_path: Path) -> None:
        publish_pages(tmp_path, USUAL)
        run(tmp_path)
        command(tmp_path, "approve", "--published", "brzezie", "--by", "Jan Nowak")
        publish_pages(tmp_path, LATER)
        run(tmp_path)

        command(tmp_path, "reject", command(tmp_path, "proposals").split()[0], "--by", "Jan Nowak")

        assert run(tmp_path).checks["approved_orders"]
        assert shown(tmp_path, "2026-11-22") == ["08:00", "10:00", "18:00"]


class TestTwoSources:
    def test_the_last_reading_and_the_directory_are_told_beside_the_rows_and_change_nothing_when_run_again(
        self, tmp_path: Path
    ) -> None:
        publish_pages(tmp_path, USUAL)
        run(tmp_path)
        publish_pages(tmp_path, LATER, listed=USUAL)

        first = published(run(tmp_path))
        second = published(run(tmp_path))

        said = {(row["time"], one["source"]): one["says"] for row in first for one in row["heard"] if "Su" in row["days"]}  # type: ignore[attr-defined]
        assert said == {
            (hour, source): "contradicts" if hour == "11:30" else "agrees"
            for hour in ("08:00", "11:30", "18:00")
            for source in ("directory", "last_reading")
        }
        assert first == second
        text = command(tmp_path, "show", "p1", "--date", "2026-11-22", "--why")
        assert "http://dir.example/p1" in text
        assert "the newer reading is followed" in text
