"""A diocese with one site of each hostile shape beside healthy ones, published by its assets: rows, and what each site costs.

    python -m mass_pipeline_tests.benchmarks.hostile_diocese [--sites 200] [--pages 10] [--bytes 150000] [--only PART ...]

The assets `candidate_hours`, `mass_schedules` and `parish_states` run twice, each time in a process of its own: over the healthy
sites alone, and with a hostile site for each shape of page of `mass_pipeline_tests.hostile` (a start page, and the shape of so
many bytes). Compared: the healthy rows of both tables. Printed: CPU seconds of both runs with the processes they began, those of
the dearest hostile sites, and which were ended and for what reason.
"""

from __future__ import annotations

import argparse
import multiprocessing
import resource
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from hashlib import md5, sha256
from multiprocessing.connection import Connection
from pathlib import Path

from mass_pipeline.model.columns import CANDIDATE_HOURS, CRAWLED_PAGES, MASS_SCHEDULES, PARISH_STATES, PARISH_URLS, PARISHES
from mass_pipeline.resources.lake import Lake, table_of
from mass_pipeline.site_reading.pages import CrawledRows, SiteReader, SiteReading
from mass_pipeline_tests.benchmarks.hostile_pages import cpu_of
from mass_pipeline_tests.defs.running import run_assets
from mass_pipeline_tests.hostile import SHAPES

DIOCESE = "lodzka"
ASSETS = ("candidate_hours", "mass_schedules", "parish_states")
TARGET_SHARE = 0.2  # of the CPU of the healthy sites, for each hostile one
_FETCHED = datetime(2026, 11, 20, tzinfo=UTC)
_FORK = multiprocessing.get_context("fork")
_SHOWN = 12

Pages = Mapping[tuple[str, str], bytes]  # parish and path -> body


@dataclass
class Run:
    """What one run gave.

    Attributes:
        seconds: of CPU, with those of the processes it began.
        costs: parish -> seconds of CPU in which its pages were read and its rows made, by all assets.
        rows: table -> rows of the healthy parishes.
        states: parish -> state and reason.
    """

    seconds: float = 0.0
    costs: dict[str, float] = field(default_factory=dict)
    rows: dict[str, list[Mapping[str, object]]] = field(default_factory=dict)
    states: dict[str, tuple[str, str]] = field(default_factory=dict)


def healthy(sites: int, pages: int) -> dict[tuple[str, str], bytes]:
    """Sites of some 20 kB a page: a menu, a page with the order, news and history."""
    found = {}
    for site in range(sites):
        menu = "".join(f"<li><a href=/{n}>Strona {n}</a></li>" for n in range(pages))
        frame = f"<html><body><ul>{menu}</ul><h1>Parafia św. Jana w Borku {site}</h1>"
        meeting = "spotkanie rady parafialnej, po Mszy św. zbiórka na remont"
        news = "".join(
            f"<h3>Niedziela {1 + n % 28}.10.2026</h3><p>W czwartek o {16 + n % 4}.00 {meeting}. {n * site}</p>" for n in range(60)
        )
        history = "<p>Kościół zbudowano dawno temu nad rzeką, a poświęcono go jesienią roku następnego.</p>" * 100
        sundays = f"<p>Niedziele: {7 + site % 3}.00, 10.{site % 4}0, 18.00</p>"
        order = f"<h2>Msze święte</h2>{sundays}<p>Dni powszednie: 7.00, 18.00</p>"
        for page in range(pages):
            words = order if page == 1 else news if page % 2 else f"{history}{page}"
            found[f"p{site:04}", f"/{page or ''}"] = f"{frame}{words}</body></html>".encode()
    return found


def hostile(size: int, only: Sequence[str] = ("",)) -> tuple[dict[tuple[str, str], bytes], dict[str, str]]:
    """A site for each shape of page, and the name of its shape by parish."""
    shapes = [shape for shape in SHAPES if shape.reader == "page" and any(part in shape.name for part in only)]
    pages: dict[tuple[str, str], bytes] = {}
    for number, shape in enumerate(shapes):
        pages[f"x{number:04}", "/"] = b"<h1>Parafia</h1><a href=/x>Msze</a>"
        pages[f"x{number:04}", "/x"] = shape.make(min(size, shape.largest))
    return pages, {f"x{number:04}": shape.name for number, shape in enumerate(shapes)}


def publish(folder: Path, pages: Pages) -> None:
    """A directory and a crawl of these pages."""
    lake = Lake(folder / "lake")
    parishes, urls = [], []
    for parish in sorted({parish for parish, _ in pages}):
        names = {"parish_id": parish, "diocese_key": DIOCESE, "source": "test"}
        address = {"name": "Parafia św. Jana", "town": "Borek", "address": "Borek 1", "diocese": "łódzka"}
        found = {"scope_prefix": "/", "shared_host": False, "candidates": [], "verified": True, "status": "ok"}
        parishes.append(names | address)
        urls.append(names | found | {"url": f"http://{parish}.example/"})
    lake.publish(PARISHES, {None: [table_of(PARISHES, parishes)]})
    lake.publish(PARISH_URLS, {None: [table_of(PARISH_URLS, urls)]})
    rows = [_row(parish, path, body) for (parish, path), body in pages.items()]
    lake.publish(CRAWLED_PAGES, {DIOCESE: [table_of(CRAWLED_PAGES, rows)]})


def _row(parish: str, path: str, body: bytes) -> dict[str, object]:
    start = f"http://{parish}.example/"
    url = start + path[1:]
    moments = {"fetched_at": _FETCHED, "checked_at": _FETCHED, "asked_at": _FETCHED}
    digests = {"url_md5": md5(url.encode()).hexdigest(), "body_sha256": sha256(body).hexdigest()}
    place = {"parish_id": parish, "url": url, "final_url": url, "start_url": start, "domain": f"{parish}.example"}
    answer = {"outcome": "ok", "status": 200, "truncated": False, "body": body, "depth": int(path != "/")}
    return place | moments | digests | answer | {"referrer": start if path != "/" else None, "link_text": "", "elapsed_ms": 1}


def run(pages: Pages) -> Run:
    """Publish the diocese and run its assets, in a process of its own."""
    with tempfile.TemporaryDirectory() as folder:
        publish(Path(folder), pages)
        ours, theirs = _FORK.Pipe(duplex=False)
        child = _FORK.Process(target=_run, args=(Path(folder), theirs))
        child.start()
        theirs.close()
        found: Run = ours.recv()
        child.join()
    return found


def _run(folder: Path, answer: Connection) -> None:
    found = Run()
    sites = SiteReader.sites

    def timed(
        reader: SiteReader, crawled: CrawledRows, names: Mapping[str, Sequence[str]] | None = None
    ) -> Iterator[SiteReading]:
        began = cpu_seconds()
        for site in sites(reader, crawled, names):
            yield site
            now = cpu_seconds()
            found.costs[site.parish_id] = found.costs.get(site.parish_id, 0.0) + now - began
            began = now

    SiteReader.sites = timed  # type: ignore[method-assign, assignment]
    began = cpu_seconds()
    ended = run_assets(folder, ASSETS, partitions=(DIOCESE, DIOCESE))
    found.seconds = cpu_seconds() - began
    assert ended.success, ended.errors
    for table in (CANDIDATE_HOURS, MASS_SCHEDULES):
        rows = ended.lake.reader(table, [DIOCESE]).rows()
        found.rows[table.name] = [row for row in rows if str(row["parish_id"]).startswith("p")]
    for row in ended.lake.reader(PARISH_STATES, [DIOCESE]).rows():
        found.states[str(row["parish_id"])] = str(row["state"]), str(row["reason"])
    answer.send(found)


def cpu_seconds() -> float:
    """CPU of this process and of those it began, ended or not."""
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    total = time.process_time() + ended.ru_utime + ended.ru_stime
    return total + sum(cpu_of(child.pid or 0) for child in multiprocessing.active_children())


def main() -> None:
    parser = argparse.ArgumentParser(prog="hostile_diocese", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--sites", type=int, default=200, help="healthy sites (default: %(default)s)")
    parser.add_argument("--pages", type=int, default=10, help="of each of them (default: %(default)s)")
    parser.add_argument("--bytes", type=int, default=150_000, help="of a hostile page (default: %(default)s)")
    parser.add_argument("--only", nargs="+", default=[""], help="shapes whose name holds one of these")
    options = parser.parse_args()
    good = healthy(options.sites, options.pages)
    bad, names = hostile(options.bytes, options.only)
    alone = run(good)
    print(f"alone:  {options.sites} healthy sites, {len(good)} pages: {alone.seconds:.1f} s of CPU", flush=True)
    beside = run(good | bad)
    more = (beside.seconds - alone.seconds) / len(names)
    print(
        f"beside: {len(names)} hostile sites: {beside.seconds:.1f} s of CPU; each {more:.2f} s or {more / alone.seconds:.1%} more"
        f" (target {TARGET_SHARE:.0%})"
    )
    for table, rows in alone.rows.items():
        print(f"{table}: {len(rows)} healthy rows, {'the same' if rows == beside.rows[table] else 'NOT the same'}")
    costs = sorted(((beside.costs.get(parish, 0.0), name) for parish, name in names.items()), reverse=True)
    over = sum(cost > TARGET_SHARE * alone.seconds for cost, _ in costs)
    print(f"{over} hostile sites cost over {TARGET_SHARE:.0%}; the dearest:")
    for cost, name in costs[:_SHOWN]:
        print(f"  {cost:6.2f} s {cost / alone.seconds:6.1%}  {name}")
    ended = {parish: beside.states[parish] for parish in names if beside.states[parish][0] == "too_costly"}
    print(f"{len(ended)} were ended, each with its reason:")
    for parish, (_, reason) in ended.items():
        print(f"  {names[parish]}: {reason}")


if __name__ == "__main__":
    main()
