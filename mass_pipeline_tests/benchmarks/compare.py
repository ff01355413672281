"""The cheap figures beside what the last landing recorded: crawl, reading, import of the definitions, a page of the public site.

    python -m mass_pipeline_tests.benchmarks.compare [--accept]

Each is CPU beside that of a bare counterpart in the same run, so that machines and their load cancel out: the crawl of made sites
beside a loop of aiohttp that fetches the same pages; reading the golden pages beside a parse by lexbor; the import of the
definitions beside that of Dagster; a page of results beside the same bytes from an empty Starlette app. Recorded values are in
`docs/figures.json`; --accept writes those of this run there, with the commit and what BeautifulSoup takes on this machine.
Nothing fails here: a change beyond a tenth is marked, and worth a second run. Takes some 40 seconds.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, Final

import aiohttp
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse
from starlette.testclient import TestClient

from mass_pipeline.crawling import Seed, crawl_sites
from mass_pipeline_tests.benchmarks.extract_speed import Page as PageFile
from mass_pipeline_tests.benchmarks.extract_speed import measure, parse, soup, whole_way
from mass_pipeline_tests.crawling.loopback import Loopback, Page
from mass_pipeline_tests.crawling.made import QUICK
from mass_pipeline_tests.evaluation.sets import GOLDEN
from mass_pipeline_tests.public_web.support import Visitor, published, site_over
from mass_pipeline_tests.shared import ROOT

FIGURES: Final = ROOT / "docs" / "figures.json"
COMMAND: Final = "make bench NAME=compare"
_SITES: Final = 10
_PAGES: Final = 60
_REQUESTS: Final = 60
_ROUNDS: Final = 3
_QUESTION: Final = "/msze?lat={:.3f}&lon=18.5&dzien=2026-11-22&od=07:00&do=13:00"  # no answer is asked for twice
_NOTABLE: Final = 0.1
_HEAD: Final = """<!DOCTYPE html><html lang="pl"><head><meta charset="utf-8"><title>Parafia {site}: strona {number}</title>
<link rel="alternate" type="application/rss+xml" title="Wpisy" href="/feed"><link rel="stylesheet" href="/style.css">
<script src="/wp-includes/js/jquery.js"></script><script>window.dataLayer = window.dataLayer || [];</script></head><body>"""
_SYLLABLES: Final = ("pa", "ra", "fia", "dzień", "ko", "ściół", "msza", "wie", "czór", "no", "we", "li", "sta", "go", "dzi", "na")


@cache
def made_sites() -> dict[str, dict[str, Page]]:
    """Sites as a common system makes them: a feed in the head, scripts, a start page that leads to all, others with few links."""
    rng = random.Random(1)

    def word(_: int) -> str:
        return "".join(rng.choices(_SYLLABLES, k=3))

    sites: dict[str, dict[str, Page]] = {}
    for site in range(_SITES):
        pages = {}
        for number in range(_PAGES):
            leads_to = range(1, _PAGES) if number == 0 else range(1, 4)
            menu = "".join(f'<li><a href="/strona-{one}">Strona {one}</a></li>' for one in leads_to)
            text = "".join(f"<p>{' '.join(map(word, range(15)))}</p>" for _ in range(40))
            path = f"/strona-{number}" if number else "/"
            pages[path] = Page(f"{_HEAD.format(site=site, number=number)}<ul>{menu}</ul><main>{text}</main></body></html>")
        sites[f"parafia{site}.example"] = pages
    return sites


def crawl(port: int, folder: Path) -> int:
    """Crawl the made sites; how many pages came."""
    seeds = [Seed(host, f"http://{host}/") for host in made_sites()]
    config = replace(QUICK, few_links=5)
    report = crawl_sites(seeds, state=folder / "state", config=config, connect_to=lambda host, _: ("127.0.0.1", port))
    return report.outcomes["ok"]


def bare_loop(port: int, folder: Path) -> int:
    """Fetch the pages of the made sites, whose addresses are known, with aiohttp alone."""

    async def fetch_all() -> int:
        waiting = [(host, path) for host, pages in made_sites().items() for path in pages]
        total = len(waiting)
        async with aiohttp.ClientSession() as session:

            async def work() -> None:
                while waiting:
                    host, path = waiting.pop()
                    async with session.get(f"http://127.0.0.1:{port}{path}", headers={"Host": host}) as answer:
                        await answer.read()

            await asyncio.gather(*(work() for _ in range(_SITES)))
        return total

    return asyncio.run(fetch_all())


def crawl_to_loop() -> float:
    """CPU of the crawl beside that of the loop, each in a process of its own, imports not counted."""
    ratios = []
    with Loopback(made_sites()) as server:
        for _ in range(_ROUNDS):
            ours, theirs = (_in_process(name, server.port) for name in ("crawl", "bare_loop"))
            ratios.append(ours / theirs)
    return min(ratios)  # what others take of the machine only adds


def _in_process(name: str, port: int) -> float:
    done = subprocess.run(
        [sys.executable, "-m", __spec__.name if __spec__ else __name__, "--only", name, str(port)],
        capture_output=True,
        text=True,
        check=True,
    )
    pages, seconds = json.loads(done.stdout)
    assert pages == _SITES * _PAGES, f"{name} got {pages} of {_SITES * _PAGES} pages"
    return float(seconds)


def reading_to_lexbor() -> float:
    """CPU from bytes to schedule beside that of a bare parse, golden pages."""
    pages = golden_pages()
    for page in pages:  # whatever is loaded when first used
        whole_way(page)
    return min(measure(whole_way, pages, 1) / measure(parse, pages, 30) for _ in range(_ROUNDS))


def golden_pages() -> list[PageFile]:
    """The pages of the golden set."""
    return [(str(path), path.read_bytes()) for path in sorted(GOLDEN.glob("*/page*"))]


def definitions_to_dagster() -> float:
    """CPU of importing the definitions beside that of importing Dagster."""
    return min(_import_of("mass_pipeline.definitions") / _import_of("dagster") for _ in range(2))


def _import_of(module: str) -> float:
    code = f"import time, {module}; print(time.process_time())"
    return float(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout)


def page_to_starlette() -> float:
    """CPU of a page of results beside that of the same bytes from an app that does nothing else."""
    with tempfile.TemporaryDirectory() as folder:
        published(Path(folder))
        visitor = Visitor(site_over(Path(folder)))
        rounds = [[_QUESTION.format(53 + n / 1000 + first / 10) for n in range(_REQUESTS)] for first in range(_ROUNDS)]
        body = visitor.page(_QUESTION.format(52))

        async def same(request: Request) -> HTMLResponse:
            return HTMLResponse(body)

        app = Starlette()
        app.add_route("/msze", same)
        bare = TestClient(app)
        ratios = []
        for paths in rounds:
            ours = _cpu(visitor.page, paths)
            theirs = _cpu(bare.get, paths)
            ratios.append(ours / theirs)
    return min(ratios)


def _cpu(ask: Callable[[str], object], paths: list[str]) -> float:
    began = time.process_time()
    for path in paths:
        ask(path)
    return time.process_time() - began


MEASURED: Final[dict[str, Callable[[], float]]] = {
    "crawl, beside a bare loop of aiohttp": crawl_to_loop,
    "reading, beside a bare parse by lexbor": reading_to_lexbor,
    "import of the definitions, beside that of Dagster": definitions_to_dagster,
    "page of results, beside an empty app of Starlette": page_to_starlette,
}


def recorded() -> list[dict[str, Any]]:
    """Every recorded figure: figure, value, command, doc, commit, yardstick_ms."""
    figures: list[dict[str, Any]] = json.loads(FIGURES.read_text("utf-8"))
    return figures


def main() -> int:
    """Entry point."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--accept", action="store_true", help="record the values of this run")
    parser.add_argument("--only", nargs=2, metavar=("WHAT", "PORT"), help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.only:
        name, port = arguments.only
        for _ in range(2):  # the first round makes the sites and imports what is imported late
            with tempfile.TemporaryDirectory() as folder:
                began = time.process_time()
                pages = {"crawl": crawl, "bare_loop": bare_loop}[name](int(port), Path(folder))
                seconds = time.process_time() - began
        print(json.dumps([pages, seconds]))
        return 0
    former = {one["figure"]: one for one in recorded() if one["command"] == COMMAND}
    found = {}
    for figure, run in MEASURED.items():
        found[figure] = round(run(), 2)
        before = former[figure]["value"] if figure in former else None
        change = "" if before is None else f"{found[figure] / before - 1:+7.0%}"
        mark = "  <-- look again" if before is not None and abs(found[figure] / before - 1) > _NOTABLE else ""
        print(f"{figure:52} {before if before is not None else '-':>8} -> {found[figure]:8} {change}{mark}", flush=True)
    yardstick = round(measure(soup, golden_pages(), 3), 2)
    print(
        f"machine: BeautifulSoup takes {yardstick} ms a golden page",
        *{f"(then {one['yardstick_ms']})" for one in former.values()},
    )
    if arguments.accept:
        commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=True)
        kept = [one for one in recorded() if one["command"] != COMMAND]
        ours = [
            {
                "figure": figure,
                "value": value,
                "command": COMMAND,
                "doc": "",
                "commit": commit.stdout.strip(),
                "yardstick_ms": yardstick,
            }
            for figure, value in found.items()
        ]
        FIGURES.write_text(json.dumps([*ours, *kept], indent=1, ensure_ascii=False) + "\n", "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
