"""Healthy sites crawled beside hostile ones: how much longer they take, memory, and the longest hold of the event loop.

    python -m mass_pipeline_tests.benchmarks.crawl_bombs [--pages 20] [--bytes 4500000]

Loopback, real HTTP. Three healthy sites are crawled alone and then beside eight hostile ones (formatting left open, anchors in
objects, a flood of interim answers, damaged gzip, a sitemap of nests, a PDF of forms, a line of megabytes, five thousand links on
pages of megabytes). The crawl runs in a process of its own; every callback of its event loop is timed.
"""

from __future__ import annotations

import argparse
import asyncio
import gzip
import multiprocessing
import resource
import tempfile
import time
from asyncio import events
from collections.abc import Mapping
from multiprocessing.connection import Connection
from pathlib import Path

from mass_pipeline.crawling import CrawlConfig, Seed, crawl_sites
from mass_pipeline.crawling.pages.spider import shared_guard
from mass_pipeline_tests.crawling.loopback import Answer, Loopback, Page
from mass_pipeline_tests.hostile import shape

HEALTHY = ("jeden.example", "dwa.example", "trzy.example")
TARGET_RATIO, TARGET_MIB, TARGET_MS = 1.5, 400, 200
_FORK = multiprocessing.get_context("fork")
_LATENCY = 0.3  # seconds a healthy server takes; the gap that manners leave between two requests is longer still
Sites = Mapping[str, Mapping[str, Answer | list[Answer]]]


def healthy(pages: int) -> Sites:
    """Sites whose start page links to all others."""
    menu = "".join(f"<a href=/strona-{number}>strona {number}</a> " for number in range(pages))
    body = f"<h1>Parafia</h1>{menu}<p>Niedziele: 8.00, 10.00</p>" + "<p>Historia parafii i kościoła.</p>" * 300
    return {
        host: {"/": Page(body)} | {f"/strona-{number}": Page(f"{body}<p>{number}", delay=_LATENCY) for number in range(pages)}
        for host in HEALTHY
    }


def hostile(size: int) -> Sites:
    """One site of each kind; every page but the start page is of about so many bytes."""
    small = min(size, 39_000)  # below the length from which tags are counted
    bodies: dict[str, list[bytes]] = {
        "otwarte": [shape("formatting never closed").make(small), shape("formatting, few and often").make(size)],
        "kotwice": [shape("anchors in objects").make(small), shape("anchors in objects").make(size)],
        "linia": [shape("hours without spaces").make(size), shape("one word").make(size), shape("less-than signs").make(size)],
        "linki": [
            shape("anchors").make(size),
            shape("declared again and again").make(size),
            shape("anchors in cells").make(size),
        ],
        "gniazda": [shape("deep divisions").make(size), shape("adopted anchors").make(small), shape("hours, lines").make(size)],
    }
    found: dict[str, dict[str, Answer | list[Answer]]] = {f"{name}.example": _site(pages) for name, pages in bodies.items()}
    packed = bytearray(gzip.compress(shape("different orders").make(size // 4) * 24, 1))
    packed[-len(packed) // 8] ^= 0xFF
    found["gzip.example"] = _site([]) | {"/x0": Page(bytes(packed), headers={"Content-Encoding": "gzip"})}
    found["gzip.example"]["/"] = Page("<a href=/x0>x</a>")
    found["103.example"] = {"/": shape("HTTP: interim answers with headers").make(size)}
    found["mapa.example"] = {
        "/": Page("<p>Parafia"),
        "/sitemap.xml": Page(shape("sitemap: nests of a hundred").make(size), content_type="application/xml"),
    }
    found["pdf.example"] = _site([]) | {
        "/": Page("<a href=/x.pdf>porządek</a>"),
        "/x.pdf": Page(shape("PDF: forms that draw forms").make(20_000), content_type="application/pdf"),
    }
    return found


def _site(pages: list[bytes]) -> dict[str, Answer | list[Answer]]:
    menu = "".join(f"<a href=/x{number}>x</a>" for number in range(len(pages)))
    return {"/": Page(menu)} | {f"/x{number}": Page(body) for number, body in enumerate(pages)}


def measure(sites: Sites) -> tuple[dict[str, float], float, float, dict[str, int]]:
    """Seconds until the last answer to each host; MiB of the crawl and of what it began; longest callback in ms; outcomes."""
    with tempfile.TemporaryDirectory() as folder, Loopback(sites, address="0.0.0.0") as server:
        ours, theirs = _FORK.Pipe(duplex=False)
        began = time.monotonic()
        child = _FORK.Process(target=_crawl, args=(Path(folder), sorted(sites), server.port, theirs))
        child.start()
        theirs.close()
        memory, longest, outcomes = ours.recv()
        child.join()
        last = {host: max(one.at for one in server.requests if one.host == host) - began for host in HEALTHY}
    return last, memory, longest, outcomes


def _crawl(folder: Path, hosts: list[str], port: int, answer: Connection) -> None:
    longest = [0.0]
    run = events.Handle._run

    def timed(handle: events.Handle) -> None:
        started = time.thread_time()
        run(handle)
        longest[0] = max(longest[0], time.thread_time() - started)

    events.Handle._run = timed  # type: ignore[method-assign]
    config = CrawlConfig(allow_private_hosts=True, no_delay=True, sites_at_once=20, few_links=100, max_site_seconds=30)
    seeds = [Seed(host, f"http://{host}/") for host in hosts]
    addresses = {host: f"127.0.0.{number}" for number, host in enumerate(hosts, 2)}  # one each: few requests at once go to one
    report = crawl_sites(seeds, state=folder, config=config, connect_to=lambda host, _: (addresses.get(host, "127.0.0.1"), port))
    shared_guard().close()  # only processes that have ended are counted
    peaks = [resource.getrusage(who).ru_maxrss / 1024 for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    answer.send((sum(peaks), longest[0] * 1000, dict(report.outcomes)))


def main() -> None:
    parser = argparse.ArgumentParser(prog="crawl_bombs", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--pages", type=int, default=20, help="pages of a healthy site (default: %(default)s)")
    parser.add_argument("--bytes", type=int, default=4_500_000, help="of a hostile page (default: %(default)s)")
    options = parser.parse_args()
    asyncio.set_event_loop_policy(None)
    alone, memory, longest, _ = measure(healthy(options.pages))
    print(f"alone:  {max(alone.values()):6.2f} s, {memory:5.0f} MiB, longest callback {longest:5.0f} ms of CPU")
    beside, memory, longest, outcomes = measure({**healthy(options.pages), **hostile(options.bytes)})
    ratio = max(beside.values()) / max(alone.values())
    print(f"beside: {max(beside.values()):6.2f} s, {memory:5.0f} MiB, longest callback {longest:5.0f} ms of CPU; {outcomes}")
    print(
        f"healthy sites take {ratio:.2f} times as long (target {TARGET_RATIO}), {TARGET_MIB} MiB and {TARGET_MS} ms are the aims"
    )


if __name__ == "__main__":
    main()
