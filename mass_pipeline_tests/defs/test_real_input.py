"""The same assets on real input beside the checkout: the table of 10,130 parishes, and real parish sites on loopback."""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from mass_pipeline.cli.demo_report import masses_by_parish, week_score
from mass_pipeline.demo_web.places import Place, book_from_mapping
from mass_pipeline.demo_web.web import DemoWeb
from mass_pipeline.gathering.dioceses import Dioceses
from mass_pipeline.gathering.lookups import queries
from mass_pipeline.gathering.tabular import read_table
from mass_pipeline.model.columns import CRAWLED_PAGES, MASS_SCHEDULES, PARISH_URLS, PARISHES
from mass_pipeline.model.records import Mass
from mass_pipeline.resources.lake import Lake
from mass_pipeline.resources.settings import Settings
from mass_pipeline.resources.web import Web
from mass_pipeline_tests.defs.loopback import Answer, web_of
from mass_pipeline_tests.defs.running import run_assets
from mass_pipeline_tests.defs.tables import publish_directory
from mass_pipeline_tests.shared import ROOT, shared_folder

pytestmark = pytest.mark.shared

GIBIBYTE = 1024**3


def book_of_2018(table: Path, outcomes: Path) -> dict[str, list[Place]]:
    """Query -> what Places answered in 2018: one object, several (the first counts), or none."""
    ended = [line.split("\t") for line in outcomes.read_text(encoding="utf-8").splitlines()[1:]]
    book: dict[str, list[Place]] = {}
    parishes = list(read_table(table, Dioceses.from_csv(ROOT / "data" / "dioceses.csv")))
    for parish, (_, status, url) in zip(parishes, ended, strict=True):
        found = [Place(f"Parafia {parish.name}", f"{parish.street or ''} {parish.town}", url)]
        if status == "AMBIGUOUS":
            found.append(Place(f"Kaplica {parish.name}", parish.town))
        if status != "NOT_FOUND":
            book.setdefault(queries(parish)[0], found)
    return book


def look_up_all(folder: str, table: str, outcomes: str) -> None:
    """Run `parishes` and `parish_urls` on the real table; print figures as JSON. Runs in a process of its own."""

    @contextmanager
    def places_of_2018(_: Settings) -> Iterator[Web]:
        with DemoWeb(0, places=book_from_mapping(book_of_2018(Path(table), Path(outcomes)))) as demo:
            yield Web(demo.connect_to, demo.places_base_url)

    started = time.monotonic()
    ended = run_assets(
        Path(folder),
        ["parishes", "parish_urls"],
        environ={
            "DIRECTORY_SOURCES": "table",
            "DIRECTORY_TABLE_FILE": table,
            "OPERATION_EXPECTED_PARISHES": "10130",
            "PLACES_UNITS_PER_DAY": "1000000",
            "PLACES_CONTENT_DAYS": "30",
            "WEBSITES_POLICY": "first_result",
            "WEBSITES_VERIFY": "false",
        },
        web=places_of_2018,
    )
    figures = {
        "success": ended.success,
        "errors": ended.errors,
        "checks": dict(ended.checks),
        "seconds": time.monotonic() - started,
        "peak_bytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024,
    }
    print(json.dumps(figures))


@pytest.mark.soak
class TestTableOf2018:
    def test_all_parishes_are_looked_up_in_five_minutes_and_a_gibibyte(self, tmp_path: Path) -> None:
        """Every look-up is a real HTTP request to the Places emulator, with a unit reserved on the disk before it."""
        files = [str(shared_folder("directory", name)) for name in ("parishes-2018.tsv", "places-outcomes-2018.tsv")]
        call = "from mass_pipeline_tests.defs.test_real_input import look_up_all; import sys; look_up_all(*sys.argv[1:])"

        done = subprocess.run(
            [sys.executable, "-W", "ignore", "-c", call, str(tmp_path), *files], capture_output=True, text=True, check=False
        )
        figures = json.loads(done.stdout.splitlines()[-1]) if done.stdout else pytest.fail(done.stderr[-2000:])
        print(f"{figures['seconds']:.0f} s, {figures['peak_bytes'] / 2**20:.0f} MiB")

        assert figures["success"], figures["errors"]
        assert all(figures["checks"].values()), figures["checks"]
        assert figures["seconds"] < 300
        assert figures["peak_bytes"] < GIBIBYTE
        lake = Lake(tmp_path / "lake")
        assert len({row["diocese_key"] for row in lake.reader(PARISHES).rows(["diocese_key"])}) == 46
        rows = list(lake.reader(PARISH_URLS).rows(["status", "url"]))
        assert len(rows) == 10_130
        assert sum(row["url"] is not None for row in rows) >= 5_500
        assert set(Counter(row["status"] for row in rows)) <= {"ok", "ambiguous", "not_found"}


def gold_sites(sites: Path) -> dict[str, list[Path]]:
    """Site -> its files, the start page first."""
    return {folder.name: sorted(folder.iterdir()) for folder in sorted(sites.iterdir()) if folder.is_dir()}


def pages_of(sites: dict[str, list[Path]]) -> dict[tuple[str, str], Answer]:
    """Each site under its own host name: a start page that links every file by its name, and the files as they are."""
    pages = {}
    for name, files in sites.items():
        host = f"{name}.example"
        links = "".join(f'<li><a href="/{file.name}">{file.stem.partition("-")[2]}</a></li>' for file in files)
        pages[host, "/"] = Answer(f"<html><head><title>{name}</title></head><body><ul>{links}</ul></body></html>".encode())
        for file in files:
            kind = "text/markdown; charset=utf-8" if file.suffix == ".md" else "text/html"
            pages[host, f"/{file.name}"] = Answer(file.read_bytes(), kind)
    return pages


@pytest.mark.soak
class TestRealSites:
    def test_they_are_crawled_and_read_by_the_same_assets(self, tmp_path: Path) -> None:
        """Precision and recall floors of the issue; the quality gate proper is the evaluation's."""
        sites = gold_sites(shared_folder("gold", "sites"))
        lines = shared_folder("gold", "sites.jsonl").read_text(encoding="utf-8").splitlines()
        gold = {record["id"]: record["masses"] for record in map(json.loads, lines)}
        publish_directory(Lake(tmp_path / "lake"), {name: f"http://{name}.example/" for name in sites})

        ended = run_assets(
            tmp_path,
            ["crawled_pages", "candidate_hours", "mass_schedules"],
            partitions=("lodzka", "lodzka"),
            web=web_of(pages_of(sites)),
            environ={"CRAWL_MAX_PAGES_PER_SITE": "200"},
        )

        assert ended.success, ended.errors
        asked = {str(row["url"]) for row in ended.lake.reader(CRAWLED_PAGES, ["lodzka"]).rows(["url"])}
        assert {f"http://{name}.example/{file.name}" for name, files in sites.items() for file in files} <= asked
        found = masses_by_parish(ended.lake.reader(MASS_SCHEDULES, ["lodzka"]).rows())
        labelled = {name: masses for name, masses in gold.items() if masses is not None}
        score = week_score(([Mass.from_dict(mass) for mass in masses], found.get(name, [])) for name, masses in labelled.items())
        print(f"precision {score.precision:.3f}, recall {score.recall:.3f}")
        assert score.precision >= 0.90
        assert score.recall >= 0.60
