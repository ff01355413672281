"""All sources together, and a walk that is stopped and goes on."""

from __future__ import annotations

import dataclasses
from datetime import timedelta
from pathlib import Path

import pytest

from mass_pipeline.gathering.config import DirectoryConfig
from mass_pipeline.gathering.gather import Walk, gather_parishes
from mass_pipeline.gathering.ports import Page
from mass_pipeline.gathering.raw_pages import open_edition
from mass_pipeline.gathering.state import DiscoveryState
from mass_pipeline.model.errors import BadInput, ConfigurationError, LayoutChanged, RetryLater
from mass_pipeline_tests.gathering.support import DIOCESES, NOW, START, Clock, directory, fetch_from, list_page

CONFIG = DirectoryConfig(allow_live=True, start_url=START)


@pytest.fixture
def state(tmp_path: Path) -> DiscoveryState:
    return DiscoveryState(tmp_path / "discovery.sqlite")


class Failing:
    """A fetcher that breaks off after some pages, and counts what it was asked for."""

    def __init__(self, site: dict[str, str], after: int) -> None:
        self._fetch, self._after, self.asked = fetch_from(site), after, list[str]()

    def __call__(self, url: str) -> Page:
        if len(self.asked) >= self._after:
            raise RetryLater(url, "HTTP 503")
        self.asked.append(url)
        return self._fetch(url)


class TestResume:
    def test_a_stopped_walk_goes_on_at_the_page_where_it_stopped(self, state: DiscoveryState, tmp_path: Path) -> None:
        site = directory(25)
        first, second = Failing(site, 12), Failing(site, 999)
        with pytest.raises(RetryLater):
            gather_parishes(Walk(CONFIG, first, DIOCESES, state, Clock()))
        walk = Walk(CONFIG, second, DIOCESES, DiscoveryState(tmp_path / "discovery.sqlite"), Clock())

        assert (len(gather_parishes(walk).parishes), walk.reused_pages) == (25, 12)
        assert set(first.asked).isdisjoint(second.asked)

    def test_a_finished_walk_is_not_taken_for_the_next_one(self, state: DiscoveryState) -> None:
        """Once its parishes are published."""
        published = gather_parishes(Walk(CONFIG, Failing(directory(10), 999), DIOCESES, state, Clock())).parishes[-1].fetched_at
        again = Failing(directory(10), 999)
        gather_parishes(Walk(CONFIG, again, DIOCESES, state, Clock(), 10, published))

        assert len(again.asked) == 11

    def test_a_walk_that_had_ended_but_was_not_published_is_not_asked_for_again(
        self, state: DiscoveryState, tmp_path: Path
    ) -> None:
        """Another source fails after it, or the process dies: ten thousand pages were asked for twice."""
        config = dataclasses.replace(CONFIG, sources=("deon", "table"), table_file=str(tmp_path / "own.csv"))
        with pytest.raises(BadInput):
            gather_parishes(Walk(config, Failing(directory(10), 999), DIOCESES, state, Clock(), 10, NOW - timedelta(days=30)))
        again = Failing(directory(10), 999)
        walk = Walk(CONFIG, again, DIOCESES, state, Clock(), 10, NOW - timedelta(days=30))
        gather_parishes(walk)

        assert (again.asked, walk.reused_pages) == ([], 11)

    def test_an_unfinished_walk_of_last_week_is_begun_anew(self, state: DiscoveryState) -> None:
        with pytest.raises(RetryLater):
            gather_parishes(Walk(CONFIG, Failing(directory(10), 5), DIOCESES, state, Clock()))
        again = Failing(directory(10), 999)
        gather_parishes(Walk(CONFIG, again, DIOCESES, state, Clock(NOW + timedelta(days=7))))

        assert len(again.asked) == 11

    def test_pages_of_a_changed_layout_are_not_kept(self, state: DiscoveryState) -> None:
        """When the maintainer has mended the selectors or the captcha is gone, the pages must be fetched anew."""
        broken = directory(25) | {START: list_page(range(0), 3)}
        with pytest.raises(LayoutChanged):
            gather_parishes(Walk(CONFIG, fetch_from(broken), DIOCESES, state, Clock()))

        assert len(gather_parishes(Walk(CONFIG, fetch_from(directory(25)), DIOCESES, state, Clock())).parishes) == 25

    def test_walk_after_walk_by_a_clock_that_stands_still(self, state: DiscoveryState) -> None:
        """Demo and staging have one; each walk is an edition of its own."""
        for _ in range(4):
            gather_parishes(Walk(CONFIG, fetch_from(directory(25)), DIOCESES, state, lambda: NOW, published_at=NOW))

        assert len(state.rows("SELECT name FROM editions")) == 1

    def test_raw_pages_are_kept_as_received(self, state: DiscoveryState) -> None:
        edition = open_edition(state, START, NOW)
        body = bytes(range(256)) * 3
        edition.keep(lambda url: Page(url + "#", 200, body, None, NOW))("http://x.example/")

        assert edition.find("http://x.example/") == Page("http://x.example/#", 200, body, None, NOW)


class TestSources:
    def test_a_table_fills_the_directory_in_their_order(self, state: DiscoveryState, tmp_path: Path) -> None:
        table = tmp_path / "own.csv"
        table.write_text(
            "name,town,diocese,website\nśw. Anny 3,Miejscowość 3,opolska,http://trzy.example/\nśw. Rocha,Nysa,opolska,\n",
            encoding="utf-8",
        )
        config = dataclasses.replace(CONFIG, sources=("deon", "table"), table_file=str(table))
        gathered = gather_parishes(Walk(config, fetch_from(directory(10)), DIOCESES, state, Clock()))

        assert (gathered.per_source, len(gathered.parishes)) == ({"deon": 10, "table": 2}, 11)
        assert [
            (p.source, p.website_hint) for p in gathered.parishes if p.website_hint
        ] == [("deon+table", "http://trzy.example/")]  # fmt: skip

    @pytest.mark.parametrize(
        ("options", "message"),
        [
            ({"sources": ("gus",)}, "gus is no source"),
            ({"sources": ("table",)}, "TABLE_FILE"),
        ],
    )
    def test_wrong_settings_are_named(self, state: DiscoveryState, options: dict[str, tuple[str, ...]], message: str) -> None:
        config = dataclasses.replace(CONFIG, **options)  # type: ignore[arg-type]

        with pytest.raises(ConfigurationError, match=message):
            gather_parishes(Walk(config, fetch_from({}), DIOCESES, state, Clock()))
