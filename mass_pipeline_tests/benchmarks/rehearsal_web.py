"""The web of the rehearsed country, served by a process of its own: written sites, shared hosts, hostile ones, who was asked.

Seven sites of a hundred live under prefixes of shared hosts with the sites of several dioceses, as in 2018; every so many-th
host is hostile in one of six ways, from its second page on (else it would not be taken for a parish's site).
"""

from __future__ import annotations

import csv
import itertools
import multiprocessing
import resource
import statistics
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from multiprocessing.connection import Connection

from mass_pipeline.crawling.fetching.addresses import parse_address
from mass_pipeline.demo_web.generator import generate_sites
from mass_pipeline.demo_web.http import Request, Response
from mass_pipeline.demo_web.source import SiteSource
from mass_pipeline.demo_web.web import DEFAULT_SEED, DemoWeb
from mass_pipeline.model.records import Mass
from mass_pipeline_tests.shared import ROOT

SHARED_SHARE = 0.07  # of 5,651 sites of 2018, 390 lay on hosts with sites of several dioceses
SITES_PER_SHARED_HOST = 4
HOSTILE = ("robots_503", "slow", "bomb", "trap", "circle", "errors")
TOLERANCE_SECONDS = 0.005  # of two clocks
_FORK = multiprocessing.get_context("fork")


@dataclass(frozen=True)
class Served:
    """What the parent and its runs know of the web.

    Attributes:
        truth: page of a parish in the directory -> its schedule.
        hostile: pages in the directory of the parishes whose host is hostile.
    """

    port: int
    places_base_url: str
    hosts: frozenset[str]
    truth: Mapping[str, tuple[Mass, ...]]
    hostile: frozenset[str]

    def connect_to(self, host: str, _: int) -> tuple[str, int] | None:
        """Every host of the country lives here."""
        return ("127.0.0.1", self.port) if host.lower().rstrip(".") in self.hosts else None


@dataclass(frozen=True)
class Asked:
    """What the hosts saw of a crawl.

    Attributes:
        gaps: number; least: seconds from an answer of a host to the next request to it; early: how many were too short.
        twice: requests for something that its host had been asked for before, robots.txt and failed answers left out.
        kinds: lines, one for each kind of host.
        cpu: seconds of CPU of the server.
        first: when the first page was asked for, by the steady clock of this machine; 0.0: none was.
    """

    gaps: int
    least: float
    early: int
    twice: int
    kinds: tuple[str, ...]
    cpu: float
    first: float


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
        self.answered: Counter[tuple[str, str]] = Counter()  # (host, target) answered well

    def _respond(self, request: Request) -> Response:
        began = time.monotonic()
        if parse_address(request.host):  # Places is asked by the address of this machine, which differs from machine to machine
            request = replace(request, host="127.0.0.1")
        response = _hostile(self.hostile.get(request.host, ""), request) or super()._respond(request)
        response = replace(response, delay_seconds=response.delay_seconds + self._latency)
        if request.target != "/robots.txt" and request.host.endswith(".example"):
            self.asked[request.host].append((began, began + response.delay_seconds))
            self.answered[request.host, request.target] += response.status == 200
        return response

    def served(self) -> Served:
        """What others know of it."""
        hostile = {one.directory_url for one in self.parishes if one.site.host in self.hostile}
        return Served(
            self.port, self.places_base_url, frozenset(self.hosts), dict(self.truth_by_directory_url), frozenset(hostile)
        )

    def report(self, gap: float) -> Asked:
        """Of all requests since the last `asked.clear()`."""
        spans = sorted(_gaps(self.asked.values()))
        used = resource.getrusage(resource.RUSAGE_SELF)
        return Asked(
            len(spans), spans[0] if spans else 0.0, sum(span < gap - TOLERANCE_SECONDS for span in spans),
            sum(count - 1 for count in self.answered.values() if count > 1), tuple(self._kinds()), used.ru_utime + used.ru_stime,
            min((began for requests in self.asked.values() for began, _ in requests), default=0.0),
        )  # fmt: skip

    def _kinds(self) -> Iterator[str]:
        for kind in ("", *HOSTILE):
            found = [requests for host, requests in self.asked.items() if self.hostile.get(host, "") == kind]
            if found:
                seconds = [max(end for _, end in requests) - min(start for start, _ in requests) for requests in found]
                yield (f"{kind or 'well-behaved':13}{len(found):5} hosts, {sum(map(len, found)) / len(found):5.1f} requests; "
                       f"first to last {statistics.median(seconds):6.1f} s median, {max(seconds):6.1f} at most")  # fmt: skip


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


def _gaps(hosts: Iterable[list[tuple[float, float]]]) -> Iterator[float]:
    for requests in hosts:
        requests.sort()
        yield from (later[0] - earlier[1] for earlier, later in itertools.pairwise(requests))


class Server:
    """The web's process, asked over a pipe."""

    def __init__(self, pipe: Connection, served: Served) -> None:
        self._pipe = pipe
        self.served = served

    def forget(self) -> None:
        """What was asked until now does not count: clients of the directory stage have a pace of their own."""
        self._pipe.send(None)
        self._pipe.recv()

    def report(self, gap: float) -> Asked:
        """See `Country.report`."""
        self._pipe.send(gap)
        found: Asked = self._pipe.recv()
        return found


@contextmanager
def serving(parishes: int, latency: float, hostile_every: int) -> Iterator[Server]:
    """The country on loopback until the context ends."""
    ours, theirs = _FORK.Pipe()
    process = _FORK.Process(target=_serve, args=(theirs, parishes, latency, hostile_every), daemon=True)
    process.start()
    try:
        yield Server(ours, ours.recv())
    finally:
        process.terminate()
        process.join()


def _serve(pipe: Connection, parishes: int, latency: float, hostile_every: int) -> None:
    with Country(country(parishes), latency, hostile_every) as web:
        pipe.send(web.served())
        while True:
            gap = pipe.recv()
            if gap is None:
                web.asked.clear()
                web.answered.clear()
            pipe.send(None if gap is None else web.report(gap))
