"""News that were kept: their pages and feeds, by day, site and parish, each item with its source (V12)."""

from __future__ import annotations

from datetime import UTC, date, datetime
from pathlib import Path

import pytest
from lxml import etree

from mass_pipeline.crawling.watching.sites import WatchedList, WatchedSite
from mass_pipeline.model.columns import ANNOUNCEMENTS, PARISH_STATES
from mass_pipeline.publishing.index import PublishedTables, publish_index
from mass_pipeline.resources.lake import open_lake, table_of
from mass_pipeline.resources.settings import load_settings
from mass_pipeline_tests.crawling.loopback import Loopback
from mass_pipeline_tests.crawling.made import QUICK
from mass_pipeline_tests.crawling.users import NEWS as NEWS_SITES
from mass_pipeline_tests.crawling.users import watch_once
from mass_pipeline_tests.finding.made import NOW, parish
from mass_pipeline_tests.public_web.support import NEWS, Visitor, published, site_over
from mass_pipeline_tests.public_web.test_any_directory import lake_of

_ATOM = "{http://www.w3.org/2005/Atom}"
_PARISH = "/wiadomosci/parafia/mlyny-swietego-jana-1-p000001"


@pytest.mark.row("V12")
class TestPages:
    def test_the_youngest_stands_first(self, visitor: Visitor) -> None:
        assert visitor.page("/wiadomosci").index("Ogłoszenia") < visitor.page("/wiadomosci").index("Adwent w diecezji")

    def test_of_a_text_only_the_beginning_is_shown(self, visitor: Visitor) -> None:
        assert 5 <= visitor.page("/wiadomosci").count("Roraty codziennie") <= 8

    @pytest.mark.parametrize("path", ["dzien/2026-13-01", "dzien/2026-11-19", "serwis/nobody.example", "parafia/x-nobody"])
    def test_what_there_is_no_news_of_is_not_found(self, visitor: Visitor, path: str) -> None:
        assert visitor.get(f"/wiadomosci/{path}").status_code == 404

    def test_an_installation_without_news_says_so(self, tmp_path: Path) -> None:
        published(tmp_path, news=())

        assert "Nie ma wiadomości." in Visitor(site_over(tmp_path)).page("/wiadomosci")


@pytest.mark.row("V12")
class TestFeeds:
    @pytest.mark.parametrize(
        ("path", "count"),
        [("/wiadomosci.atom", 3), ("/wiadomosci/serwis/portal.example.atom", 1), (f"{_PARISH}.atom", 2)],
    )
    def test_each_entry_has_its_source_and_an_identifier_of_its_own(self, visitor: Visitor, path: str, count: int) -> None:
        feed = etree.fromstring(visitor.get(path).content)
        entries = feed.findall(f"{_ATOM}entry")

        assert len(entries) == count == len({entry.findtext(f"{_ATOM}id") for entry in entries})
        assert {entry.find(f"{_ATOM}link").get("href") for entry in entries} <= {one.url for one in NEWS}  # type: ignore[union-attr]
        assert {entry.findtext(f"{_ATOM}source/{_ATOM}title") for entry in entries} <= {one.site for one in NEWS}


@pytest.mark.row("V12")
class TestPublishing:
    def test_what_was_kept_lately_is_shown_and_nothing_of_who_opted_out(self, tmp_path: Path) -> None:
        """An announcement without a day counts as of the day on which it was first seen."""
        settings = lake_of(tmp_path, [parish(1), parish(2)])
        seen = datetime(2026, 11, 21, 23, 30, tzinfo=UTC)  # already the 22nd in Poland
        said = {
            "announcement_id": "a", "list_url": None, "source": "list", "anchor": "", "author": None, "meta_keywords": None,
            "meta_description": None, "position": 0, "topic": "services", "model": "tags", "score": 1.0, "changes": [],
            "article_sha256": "0" * 64, "first_seen_at": seen, "fetched_at": seen, "site": "a.example",
        }  # fmt: skip
        days = {"p000001": (None, date(2026, 8, 1)), "p000002": (date(2026, 11, 20),)}
        rows = [
            {
                **said,
                "parish_id": key,
                "url": f"http://a.example/{key}/{n}",
                "title": f"{key} {day}",
                "text": "Msza",
                "issued": day,
            }
            for key, issued in days.items()
            for n, day in enumerate(issued)
        ]
        lake = open_lake(settings)
        states = [
            {**row, "state": "opt_out" if row["parish_id"] == "p000002" else row["state"]}
            for row in lake.reader(PARISH_STATES, ["tarnowska"]).rows()
        ]
        lake.publish(PARISH_STATES, {"tarnowska": [table_of(PARISH_STATES, states)]})
        lake.publish(ANNOUNCEMENTS, {"tarnowska": [table_of(ANNOUNCEMENTS, rows)]})
        with Loopback({"portal.example": NEWS_SITES["n0.example"]}) as server:
            portal = WatchedSite("portal", "http://portal.example/", lists=(WatchedList("http://portal.example/aktualnosci/"),))
            watch_once([portal], tmp_path / "watch", server.connect_to, QUICK)
        settings = load_settings(
            {"MASS_PIPELINE_DATA_FOLDER": str(tmp_path), "MASS_PIPELINE_PUBLIC_PORTALS_STATE": str(tmp_path / "watch")}
        )
        publish_index(PublishedTables.of(lake, settings), settings)
        page = Visitor(site_over(tmp_path, at=NOW)).page("/wiadomosci")

        assert "p000001 None" in page
        assert 'href="/wiadomosci/dzien/2026-11-22"' in page
        assert "p000001 2026-08-01" not in page
        assert 'href="http://portal.example/wpis-0/"' in page
        assert "/wiadomosci/serwis/portal.example" in page
        assert "p000002" not in page
