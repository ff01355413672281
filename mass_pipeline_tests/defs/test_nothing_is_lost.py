"""A parish whose site fails keeps its order with its dates, a check names what vanished, and the next good crawl heals.

Real assets over a real server on loopback; the live profile, so that moments are those of the clock.
"""

from __future__ import annotations

import multiprocessing
import random
import shutil
import time
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from multiprocessing.connection import Connection
from pathlib import Path

import pytest

from mass_pipeline.model.columns import CANDIDATE_HOURS, CRAWLED_PAGES, MASS_SCHEDULES, PARISH_STATES
from mass_pipeline.resources.lake import Lake
from mass_pipeline_tests.defs.loopback import Answer, web_of
from mass_pipeline_tests.defs.running import Ended, run_assets
from mass_pipeline_tests.defs.tables import publish_directory

pytestmark = pytest.mark.slow

RANGE = ("lodzka", "lodzka")
CHAIN = ("crawled_pages", "candidate_hours", "mass_schedules", "parish_states")
LIVE = {
    "PROFILE": "live",
    "CONTACT": "info@parish-times.example",
    "CRAWL_REVISIT": "all",
    "CRAWL_START_DELAY_SECONDS": "0",
    "CRAWL_HOST_GAP_SECONDS": "0",
    "CRAWL_MIN_FREE_BYTES": "0",
    "CRAWL_FEW_LINKS": "0",
}
START = Answer("<h1>Parafia św. Anny</h1><p>Witamy</p><a href='/msze'>Msze święte</a>".encode())
ORDER = Answer("<h2>Msze święte</h2><p>Niedziele: 8.00, 10.00, 18.00</p><p>Dni powszednie: 7.00, 18.00</p>".encode())
PICTURE = Answer("<h1>Parafia</h1><h2>Porządek Mszy świętych</h2><img src='/msze.jpg' alt='Msze święte'>".encode())
HEALTHY = {"/": START, "/msze": ORDER}
SITES = {"a": HEALTHY, "b": HEALTHY, "picture": {"/": PICTURE}, "plain": {"/": Answer(b"<p>Witamy na stronie</p>")}}

Site = Mapping[str, Answer]


def run(folder: Path, changed: Mapping[str, Site] | None = None, *, assets: tuple[str, ...] = CHAIN, **environ: str) -> Ended:
    """Crawl and publish the diocese; `changed`: sites that are otherwise than usual."""
    sites = {**SITES, **(changed or {})}
    pages = {(f"{name}.example", path): answer for name, site in sites.items() for path, answer in site.items()}
    ended = run_assets(folder, assets, partitions=RANGE, web=web_of(pages), environ={**LIVE, **environ})
    assert ended.success, ended.errors
    return ended


def order(folder: Path, parish: str) -> list[tuple[object, ...]]:
    rows = Lake(folder / "lake").reader(MASS_SCHEDULES, ["lodzka"]).rows()
    return [(row["days"], row["time"], row["source_url"], row["quote"]) for row in rows if row["parish_id"] == parish]


def moments(folder: Path, parish: str) -> tuple[datetime, datetime]:
    """When the order's page was fetched and when it was confirmed."""
    rows = Lake(folder / "lake").reader(MASS_SCHEDULES, ["lodzka"]).rows(["parish_id", "fetched_at", "checked_at"])
    ((fetched, checked),) = {(row["fetched_at"], row["checked_at"]) for row in rows if row["parish_id"] == parish}
    assert isinstance(fetched, datetime)
    assert isinstance(checked, datetime)
    return fetched, checked


def states(folder: Path) -> dict[str, dict[str, object]]:
    return {str(row["parish_id"]): row for row in Lake(folder / "lake").reader(PARISH_STATES, ["lodzka"]).rows()}


def outcome(folder: Path, url: str) -> object:
    rows = Lake(folder / "lake").reader(CRAWLED_PAGES, ["lodzka"]).rows(["url", "outcome"])
    return next(row["outcome"] for row in rows if row["url"] == url)


def everywhere(answer: Answer) -> Site:
    return dict.fromkeys(("/", "/msze", "/robots.txt"), answer)


@pytest.fixture(scope="module")
def published_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A diocese that was crawled and published once, with all sites healthy."""
    made = tmp_path_factory.mktemp("published")
    sites = {name: f"http://{name}.example/" for name in SITES}
    publish_directory(Lake(made / "lake"), {**sites, "nowhere": None, "waiting": None}, nowhere="not_found", waiting="pending")
    ended = run(made)
    assert ended.checks["nothing_lost"]
    return made


@pytest.fixture
def folder(published_once: Path, tmp_path: Path) -> Path:
    """A copy of it for one test."""
    return shutil.copytree(published_once, tmp_path / "data")


class TestStates:
    def test_each_parish_has_one_with_its_reason_and_what_shows_it(self, folder: Path) -> None:
        found = states(folder)

        assert {name: state["state"] for name, state in found.items()} == {
            "a": "fresh",
            "b": "fresh",
            "nowhere": "no_site",
            "picture": "image_only",
            "plain": "no_schedule",
            "waiting": "pending",
        }
        assert found["picture"]["url"] == "http://picture.example/msze.jpg"
        assert found["a"]["url"] == "http://a.example/msze"
        assert all(state["reason"] for state in found.values())
        assert [found[name]["masses"] for name in ("a", "plain")] == [len(order(folder, "a")), 0]

    def test_an_order_that_was_not_confirmed_for_long_is_stale_and_stays(self, folder: Path) -> None:
        later = {days: (datetime.now(UTC) + timedelta(days)).isoformat() for days in (20, 70)}
        before = order(folder, "a")

        run(folder, assets=("parish_states",), OPERATION_FROZEN_NOW=later[20])
        assert states(folder)["a"]["state"] == "aging"
        run(folder, assets=("parish_states",), OPERATION_FROZEN_NOW=later[70])
        assert states(folder)["a"]["state"] == "stale"
        assert order(folder, "a") == before

    def test_an_owner_who_wants_no_part_in_it_is_no_loss(self, folder: Path) -> None:
        ended = run(folder, CRAWL_REMOVED_HOSTS="b.example")

        assert states(folder)["b"]["state"] == "opt_out"
        assert order(folder, "b") == []
        assert ended.checks["nothing_lost"], ended.summaries


class TestSitesThatFail:
    """operators.md: one answer of 500, or a host that asks for rest, took the parish out of the tables in silence."""

    @pytest.mark.parametrize(
        ("answer", "ended_as"),
        [
            (Answer(b"down", status=500), "http_5xx"),
            (Answer(b"busy", status=503, headers={"Retry-After": "600"}), "deferred"),
            (Answer(b"no", status=403), "refused"),
            (Answer(b"what", status=400), "http_4xx"),
            (Answer(b"not here", "text/plain", 404), "gone"),
        ],
        ids=["500", "rest", "403", "400", "404 everywhere"],
    )
    def test_the_order_stays_with_the_date_it_was_confirmed(self, folder: Path, answer: Answer, ended_as: str) -> None:
        before, dates = order(folder, "a"), moments(folder, "a")

        ended = run(folder, {"a": everywhere(answer)})

        assert outcome(folder, "http://a.example/msze") == ended_as
        assert order(folder, "a") == before
        assert moments(folder, "a") == dates
        asked = states(folder)["a"]["asked_at"]
        assert isinstance(asked, datetime)
        assert asked > dates[1]
        assert ended.checks["nothing_lost"], ended.summaries

    def test_one_page_that_fails_beside_healthy_ones_keeps_its_hours(self, folder: Path) -> None:
        before, hours = order(folder, "a"), len(Lake(folder / "lake").reader(CANDIDATE_HOURS, ["lodzka"]))

        run(folder, {"a": {"/": START, "/msze": Answer(b"down", status=500)}})

        assert outcome(folder, "http://a.example/msze") == "http_5xx"
        assert order(folder, "a") == before
        assert len(Lake(folder / "lake").reader(CANDIDATE_HOURS, ["lodzka"])) == hours

    def test_the_next_good_crawl_confirms_it(self, folder: Path) -> None:
        before, (_, confirmed) = order(folder, "a"), moments(folder, "a")
        run(folder, {"a": everywhere(Answer(b"down", status=500))})

        run(folder)

        assert order(folder, "a") == before
        assert moments(folder, "a")[1] > confirmed
        assert states(folder)["a"]["state"] == "fresh"


def run_until_killed(folder: str, asset: str, ready: Connection) -> None:
    """Materialize one asset again and again, with other answers each time, until somebody ends the process."""
    ready.send("ready")
    while True:
        for changed in ({}, {"a": everywhere(Answer(b"down", status=500))}):
            run(Path(folder), changed, assets=(asset,))


@pytest.mark.soak
class TestKilledRuns:
    def test_kill_9_in_each_stage_leaves_the_order_and_the_next_run_goes_on(self, folder: Path) -> None:
        before, chance = order(folder, "a"), random.Random(14)
        processes = multiprocessing.get_context("forkserver")
        processes.set_forkserver_preload([__name__])  # imports once what each stage needs
        for asset in CHAIN:
            receiving, sending = processes.Pipe(duplex=False)
            process = processes.Process(target=run_until_killed, args=(str(folder), asset, sending))
            process.start()
            assert receiving.recv() == "ready"
            time.sleep(chance.uniform(0.1, 1.0))
            assert process.is_alive()
            process.kill()
            process.join()

            assert order(folder, "a") == before
            assert states(folder)["a"]["state"] == "fresh"

        ended = run(folder)

        assert order(folder, "a") == before
        assert ended.checks["nothing_lost"], ended.summaries


class TestWhatVanishes:
    def test_a_check_names_the_parish_and_the_reason_until_it_is_back(self, folder: Path) -> None:
        """The site answers and no longer has the page: nothing is published, and that is not silent."""
        rebuilt = {"a": {"/": Answer("<h1>Parafia św. Anny</h1><p>Nowa strona</p>".encode())}}
        before = order(folder, "a")

        first, again = run(folder, rebuilt), run(folder, rebuilt)

        assert order(folder, "a") == []
        for ended in (first, again):
            assert not ended.checks["nothing_lost"]
            assert ended.summaries["nothing_lost"].startswith("1 published parishes have no order any more")
        assert states(folder)["a"]["state"] == "no_schedule"

        back = run(folder)

        assert back.checks["nothing_lost"], back.summaries
        assert order(folder, "a") == before
