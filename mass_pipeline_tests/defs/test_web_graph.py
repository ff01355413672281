"""`external_links` and `companion_sites`: real runs over published pages, checks and all."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from xml.etree import ElementTree

import dagster as dg
import pytest

from mass_pipeline.definitions import build_defs
from mass_pipeline.model.columns import COMPANION_SITES, CRAWLED_PAGES, EXTERNAL_LINKS, PARISH_URLS
from mass_pipeline.resources.lake import Lake, table_of
from mass_pipeline.resources.settings import load_settings
from mass_pipeline_tests.defs import tables
from mass_pipeline_tests.defs.running import FEW_DIOCESES, QUIET, Ended, ended_of, tree

FETCHED = datetime(2026, 11, 20, 9, tzinfo=UTC)
WHOLE = {"dagster/asset_partition_range_start": "elblaska", "dagster/asset_partition_range_end": "lodzka"}


def page(parish: str, host: str, path: str, depth: int, body: str | None) -> dict[str, object]:
    data = None if body is None else body.encode()
    return tables.page(parish, f"http://{host}{path}", data, depth=depth, fetched_at=FETCHED if data else None)


def link(url: str, words: str = "") -> str:
    return f'<p>Polecamy <a href="{url}">{words}</a> co dzień</p>'


PAGES = {
    "elblaska": [
        page("p1", "anna.example", "/", 0, link("http://radio.example/na-zywo", "Radio") + link("javascript:x()")),
        page("p1", "anna.example", "/linki", 1, link("http://radio.example/na-zywo") + link("http://jan.example/", "sąsiedzi")),
        page("p1", "anna.example", "/nic", 1, None),
    ],
    "lodzka": [
        page("p2", "jan.example", "/", 0, link("http://radio.example/", "Radio") + link("http://kuria.example/", "Kuria")),
    ],
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return prepared(tmp_path)


def prepared(folder: Path) -> Path:
    """Sites known and pages crawled in two dioceses."""
    (folder / "dioceses.csv").write_text(FEW_DIOCESES, encoding="utf-8")
    lake = Lake(folder / "data" / "lake")
    sites = {"p1": ("elblaska", "http://anna.example/"), "p2": ("lodzka", "http://jan.example/"), "p3": ("lodzka", None)}
    rows = [
        {
            "parish_id": parish, "diocese_key": key, "status": "ok", "url": url, "shared_host": False, "candidates": [],
            "verified": True,
        }
        for parish, (key, url) in sites.items()
    ]  # fmt: skip
    lake.publish(PARISH_URLS, {None: [table_of(PARISH_URLS, rows)]})
    publish(lake, PAGES)
    return folder


def publish(lake: Lake, pages: Mapping[str, list[dict[str, object]]]) -> None:
    lake.publish(CRAWLED_PAGES, {key: [table_of(CRAWLED_PAGES, rows)] for key, rows in pages.items()})


def run(folder: Path, job: str = "web_graph_job", **tags: str) -> Ended:
    environ = {"DATA_FOLDER": str(folder / "data"), "DIOCESES_FILE": str(folder / "dioceses.csv")}
    settings = load_settings({f"MASS_PIPELINE_{name}": value for name, value in environ.items()})
    with dg.DagsterInstance.ephemeral() as instance:
        resolved = build_defs(settings).resolve_job_def(job)
        result = resolved.execute_in_process(instance=instance, raise_on_error=False, run_config=QUIET, tags=tags or WHOLE)
    return ended_of(result, Lake(folder / "data" / "lake"))


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Ended]:
    """A data folder with links and companions, and how the run that made them ended."""
    folder = prepared(tmp_path_factory.mktemp("made"))
    ended = run(folder)
    assert ended.success, ended.errors
    return folder, ended


@pytest.mark.row("B1")
class TestExternalLinks:
    def test_each_link_stands_once_per_parish_with_its_page_of_least_level_and_the_words_there(
        self, made: tuple[Path, Ended]
    ) -> None:
        rows = list(made[1].lake.reader(EXTERNAL_LINKS, ["elblaska", "lodzka"]).rows())
        metadata = made[1].metadata["external_links", "elblaska"]

        assert [(row["parish_id"], row["url"], row["level"]) for row in rows] == [
            ("p1", "http://jan.example/", 1),
            ("p1", "http://radio.example/na-zywo", 0),
            ("p2", "http://kuria.example/", 0),
            ("p2", "http://radio.example/", 0),
        ]
        assert {
            "anchor": "Radio",
            "context": "Polecamy [...] co dzień",
            "source_url": "http://anna.example/",
            "page_sha256": PAGES["elblaska"][0]["body_sha256"],
            "fetched_at": FETCHED,
        }.items() <= rows[1].items()
        assert (metadata["bad_links"], metadata["bad_links_scheme"], metadata["linked_sites"]) == (1, 1, 2)


@pytest.mark.row("B11")
class TestCompanionSites:
    def test_are_the_sites_outside_the_set_in_disjoint_subsets(self, made: tuple[Path, Ended]) -> None:
        rows = list(made[1].lake.reader(COMPANION_SITES).rows())

        assert [(row["site"], row["connectivity"], row["links"], row["linked_from"]) for row in rows] == [
            ("kuria.example", 1, 1, ["p2"]),
            ("radio.example", 2, 2, ["p1", "p2"]),
        ]
        assert rows[1]["dioceses"] == ["elblaska", "lodzka"]
        assert all(made[1].checks.values()), made[1].summaries

    def test_the_graph_is_exported_and_drawn(self, made: tuple[Path, Ended]) -> None:
        metadata = made[1].metadata["companion_sites", None]
        root = ElementTree.parse(made[0] / "data" / "exports" / "companion_sites.graphml").getroot()

        assert len([element for element in root.iter() if element.tag.endswith("}edge")]) == 3 + 1  # among targets
        assert metadata["links_among_targets"] == 1
        assert "(data:image/png;base64," in str(metadata["graph"])

    def test_dioceses_without_links_yet_are_no_obstacle(self, folder: Path) -> None:
        run(folder, "external_links_job", **{"dagster/partition": "lodzka"})
        ended = run(folder, "companion_sites_job", trigger="test")

        assert ended.success, ended.errors
        assert [row["site"] for row in ended.lake.reader(COMPANION_SITES).rows()] == ["kuria.example", "radio.example"]


class TestRunAgain:
    def test_the_same_pages_give_the_same_bytes(self, made: tuple[Path, Ended]) -> None:
        first = tree(made[0] / "data")
        run(made[0])

        assert tree(made[0] / "data") == first
        # parish_urls, two partitions each of pages and links, companions, the graph; verdicts on links and companions
        assert len(first) == 9

    def test_a_run_that_fails_replaces_nothing(self, made: tuple[Path, Ended], tmp_path: Path) -> None:
        """Pages of one diocese are damaged on the disk: the links of neither are replaced, and the graph stays."""
        folder = shutil.copytree(made[0], tmp_path / "copy")
        before = tree(folder / "data")
        damaged = Lake(folder / "data" / "lake").path(CRAWLED_PAGES, "lodzka")
        damaged.write_bytes(damaged.read_bytes()[:-200])
        ended = run(folder)
        kept = {name: content for name, content in tree(folder / "data").items() if "crawled_pages" not in name}

        assert not ended.success
        assert "crawled_pages" in ended.errors[0]
        assert kept == {name: content for name, content in before.items() if "crawled_pages" not in name}

    def test_a_diocese_not_crawled_yet_is_named(self, folder: Path) -> None:
        Lake(folder / "data" / "lake").path(CRAWLED_PAGES, "lodzka").unlink()
        ended = run(folder, "external_links_job", **{"dagster/partition": "lodzka"})

        assert "Materialize crawled_pages first" in ended.errors[0]

    def test_an_empty_diocese_gives_an_empty_partition(self, folder: Path) -> None:
        publish(Lake(folder / "data" / "lake"), {"lodzka": []})
        ended = run(folder)

        assert ended.success, ended.errors
        assert len(ended.lake.reader(EXTERNAL_LINKS, ["lodzka"])) == 0


class TestChain:
    def test_the_schedules_job_does_not_carry_the_web_graph(self) -> None:
        job = build_defs().resolve_job_def("mass_schedules_job")

        assert not {"external_links", "companion_sites"} & {node.name for node in job.nodes}
