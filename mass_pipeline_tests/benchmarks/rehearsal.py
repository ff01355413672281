"""The country rehearsed: written parishes through the whole chain, with truth, shared hosts and hostile ones.

    make rehearsal                     200 parishes
    make rehearsal PARISHES=10130      the country; hours
    python -m mass_pipeline_tests.benchmarks.rehearsal [--parishes 200] [--gap 0.2] [--latency 0.02] [--hostile 10]

One machine, the assets of the job `mass_schedules_job` in this process, stage after stage; the sites are served by a thread of it
over real HTTP. Seven sites of a hundred live under prefixes of shared hosts with the sites of several dioceses, as in 2018; every
so many-th host is hostile in one of six ways. Prints the funnel, time and CPU per stage, memory, storage,
agreement with the truth, and the least gap between an answer of a host and the next request to it while it is crawled.
"""

from __future__ import annotations

import argparse
import csv
import itertools
import resource
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from mass_pipeline.cli.demo_report import masses_by_parish, week_score
from mass_pipeline.demo_web.generator import generate_sites
from mass_pipeline.demo_web.http import Request, Response
from mass_pipeline.demo_web.source import SiteSource
from mass_pipeline.demo_web.web import DEFAULT_SEED, DemoWeb
from mass_pipeline.model.columns import CANDIDATE_HOURS, CRAWLED_PAGES, MASS_SCHEDULES, PARISH_URLS, PARISHES
from mass_pipeline.resources.lake import Lake
from mass_pipeline.resources.settings import Settings
from mass_pipeline.resources.web import Web
from mass_pipeline_tests.assets.running import run_assets
from mass_pipeline_tests.shared import ROOT

SHARED_SHARE = 0.07  # of 5,651 sites of 2018, 390 lay on hosts with sites of several dioceses
SITES_PER_SHARED_HOST = 4
STAGES = (
    ("directory", ("parishes", "parish_urls")),
    ("crawl", ("crawled_pages",)),
    ("hours", ("candidate_hours",)),
    ("learning", ("annotated_set", "hours_classifier")),
    ("schedules", ("mass_schedules", "parish_states")),
)
HOSTILE = ("robots_503", "slow", "bomb", "trap", "circle", "errors")


def dioceses() -> list[dict[str, str]]:
    """Every diocese with its key and how the directory writes it, in the order of the partitions."""
    with (ROOT / "data" / "dioceses.csv").open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def country(parishes: int) -> list[SiteSource]:
    """Generated sites spread over all dioceses, some of them on shared hosts."""
    names = [row["spellings"].split(";")[0].split("|")[0].strip() for row in dioceses()]
    sites = []
    for number, site in enumerate(generate_sites(parishes, DEFAULT_SEED)):
        site = replace(site, diocese=names[number % len(names)])
        if number % 100 < 100 * SHARED_SHARE and site.website is None:
            shared = number // 100 * 100 * SHARED_SHARE + number % 100
            host = f"parafie-{int(shared // SITES_PER_SHARED_HOST)}.example"
            site = replace(site, host=host, prefix=f"/{site.key}/")
        sites.append(site)
    return sites


class Country(DemoWeb):
    """The sites with the latency of a network, hostile hosts, and a note of every request."""

    def __init__(self, sites: Sequence[SiteSource], latency: float, hostile_every: int) -> None:
        super().__init__(sites)
        self._latency = latency
        own = sorted({site.host for site in sites if site.prefix == "/"})
        chosen = own[::hostile_every] if hostile_every else []
        self.hostile = dict(zip(chosen, itertools.cycle(HOSTILE), strict=False))
        self.asked: dict[str, list[tuple[float, float]]] = defaultdict(list)  # host -> (request came, answer went)

    def _respond(self, request: Request) -> Response:
        began = time.monotonic()
        response = _hostile(self.hostile.get(request.host, ""), request) or super()._respond(request)
        response = replace(response, delay_seconds=response.delay_seconds + self._latency)
        if request.target != "/robots.txt" and request.host.endswith(".example"):
            self.asked[request.host].append((began, began + response.delay_seconds))
        return response


def _hostile(kind: str, request: Request) -> Response | None:
    """What a hostile host answers; None where it answers like any other."""
    if kind == "robots_503" and request.path == "/robots.txt":
        return Response.error(503)
    if not kind or kind == "robots_503" or request.path in ("/", "/robots.txt"):  # found as a parish's site, then hostile
        return None
    made = {
        "slow": lambda: Response(200, b"<p>Niedziele: 8.00</p>", delay_seconds=1.0),
        "bomb": lambda: Response(200, b"<b><i>" * 40_000 + b"<p>Niedziele: 8.00</p>"),
        "trap": lambda: Response(200, "".join(f"<a href='{request.path}{n}/'>dalej</a>" for n in range(4)).encode()),
        "circle": lambda: Response.redirect(request.target + "x" if len(request.target) < 40 else "/", 302),
        "errors": lambda: Response.error(500),
    }
    return made[kind]()


def gaps(country: Country) -> list[float]:
    """Seconds from an answer of a host to the next request to it, all hosts, sorted."""
    found = []
    for requests in country.asked.values():
        requests.sort()
        found += [later[0] - earlier[1] for earlier, later in itertools.pairwise(requests)]
    return sorted(found)


def megabytes(folder: Path) -> float:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) / 1e6


def cpu() -> float:
    return sum(
        u.ru_utime + u.ru_stime for u in (resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN))
    )


def rehearse(parishes: int, gap: float, latency: float, hostile_every: int, folder: Path) -> int:
    """Run the chain; 0 when every stage ended well."""
    country_web = Country(country(parishes), latency, hostile_every)
    environ = {
        "CRAWL_HOST_GAP_SECONDS": str(gap),
        "OPERATION_EXPECTED_PARISHES": str(parishes),
        "LEASES": str(folder / "leases"),
    }
    ends = [row["key"] for row in dioceses()]

    @contextmanager
    def opened(_: Settings) -> Iterator[Web]:
        yield Web(country_web.connect_to, country_web.places_base_url)

    with country_web:
        for name, assets in STAGES:
            wall, used = time.monotonic(), cpu()
            ended = run_assets(folder, assets, partitions=(ends[0], ends[-1]), environ=environ, web=opened)
            checks = [check for check, passed in ended.checks.items() if not passed]
            peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
            told = f"{time.monotonic() - wall:8.1f} s  {cpu() - used:7.1f} CPU-s  peak {peak:5.0f} MiB"
            print(f"{name:10}{told}  {'ok' if ended.success else ended.errors}  checks not passed: {checks}", flush=True)
            if not ended.success:
                return 1
            if name == "directory":  # its clients have a pace of their own, which the demo's settings leave out
                country_web.asked.clear()
    _report(Lake(folder / "lake"), country_web, folder, gap)
    return 0


def _report(lake: Lake, web: Country, folder: Path, gap: float) -> None:
    truth = web.truth_by_directory_url
    hostile = {one.directory_url for one in web.parishes if one.site.host in web.hostile}
    parishes = {str(row["parish_id"]): str(row["directory_url"]) for row in lake.reader(PARISHES).rows()}
    statuses = Counter(str(row["status"]) for row in lake.reader(PARISH_URLS).rows(["status"]))
    pages = Counter(str(row["outcome"]) for row in _rows(lake, CRAWLED_PAGES, "outcome"))
    hours = sum(1 for _ in _rows(lake, CANDIDATE_HOURS, "parish_id"))
    found = masses_by_parish(lake.reader(MASS_SCHEDULES, lake.partitions(MASS_SCHEDULES)).rows())
    print(f"\nfunnel    {len(parishes)} parishes; sites {dict(statuses)}; pages {dict(pages.most_common())}; {hours} hours; "
          f"{len(found)} parishes with an order")  # fmt: skip
    for name, chosen in (("well-behaved", set(truth) - hostile), ("hostile", hostile)):
        pairs = [(truth.get(url, ()), found.get(one, [])) for one, url in parishes.items() if url in chosen]
        score = week_score(pairs)
        print(f"accuracy  {name}: {len(pairs)} parishes, precision {score.precision:.3f}, recall {score.recall:.3f}")
    spans = gaps(web)
    early = sum(span < gap - 0.005 for span in spans)
    print(f"manners   {len(spans)} gaps, least {spans[0]:.3f} s of {gap} s, early {early}" if spans else "manners   no gaps")
    print(f"storage   tables {megabytes(folder / 'lake'):.1f} MB, state {megabytes(folder / 'state'):.1f} MB, "
          f"models {megabytes(folder / 'models'):.1f} MB")  # fmt: skip


def _rows(lake: Lake, table: object, column: str) -> Iterator[Mapping[str, object]]:
    return lake.reader(table, lake.partitions(table)).rows([column])  # type: ignore[arg-type]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--parishes", type=int, default=200)
    parser.add_argument("--gap", type=float, default=0.2, help="seconds a host is left alone (default: %(default)s)")
    parser.add_argument("--latency", type=float, default=0.02, help="seconds each answer takes (default: %(default)s)")
    parser.add_argument("--hostile", type=int, default=10, help="every so many-th host is hostile; 0: none")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="mass-rehearsal-") as folder:
        return rehearse(chosen.parishes, chosen.gap, chosen.latency, chosen.hostile, Path(folder))


if __name__ == "__main__":
    sys.exit(main())
