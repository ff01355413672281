"""A watch that is killed again and again while a tenth of the hosts fails: nothing repeated, nothing lost, every error logged.

    python -m mass_pipeline_tests.benchmarks.watch_endurance [--minutes 30] [--kill-every 60] [--sites 40] [--day-seconds 6]

A real loopback server publishes by a simulated clock (one day in `--day-seconds`); the last fifth of the time nothing is
killed, to see whether memory grows. Prints one line of JSON; exit code 1 when a promise is broken.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from datetime import timedelta
from pathlib import Path

from mass_pipeline.crawler import CrawlConfig
from mass_pipeline.crawler.pages.relevance import load_topic, topic_path
from mass_pipeline.crawler.watching.config import WatchConfig
from mass_pipeline.crawler.watching.engine import watch_sites
from mass_pipeline.crawler.watching.polling.config import PollingConfig
from mass_pipeline.crawler.watching.reading import read_announcements_of
from mass_pipeline.crawler.watching.sites import WatchedList, WatchedSite
from mass_pipeline_tests.benchmarks.changing_web import KINDS, START, ChangingWeb, SimulatedClock, Site

_MARK = re.compile(r"znak \d{8}")
_CALM_SHARE = 0.2
_IN_FLIGHT_SECONDS = 3.0  # an error that a kill overtakes cannot be logged
_HANG_SECONDS = 1.0
# Where they fail, the last good copy holds, or the page that was to be asked stands in the log.
_HOST_FILES = ("/robots.txt", "/.well-known/tdmrep.json")
_SAMPLE_SECONDS = 0.5
_LEAST_CALM_SECONDS = 60  # a shorter time tells nothing about memory


def watched(count: int) -> list[WatchedSite]:
    """The sites; every second one with its list configured, the others searched."""
    sites = []
    for number in range(count):
        url = f"http://site{number:03}.example/"
        configured = number % 2 == 1 and KINDS[number % len(KINDS)] in ("pager", "query", "undivided")
        lists = (WatchedList(url + "aktualnosci/", weight=2.0 if number % 4 == 1 else 1.0),) if configured else ()
        sites.append(WatchedSite(f"site{number:03}", url, lists=lists))
    return sites


def run_watch(state: Path, port: int, clock: SimulatedClock, count: int, *, once: bool = False) -> None:
    """The process that gets killed."""
    config = CrawlConfig(
        allow_private_hosts=True, no_delay=True, connect_seconds=2, idle_seconds=_HANG_SECONDS * 0.6, total_seconds=4,
        max_attempts=2,
    )  # fmt: skip
    watch_sites(
        watched(count), state=state, topic=load_topic(topic_path("services")), crawl=config, watch=WatchConfig(sites_at_once=20),
        polling=PollingConfig(), connect_to=lambda host, _: ("127.0.0.1", port), clock=clock, once=once,
    )  # fmt: skip


class Endurance:
    """One proof: server, watch, kills, and the reckoning."""

    def __init__(self, seconds: float, kill_every: float, count: int, day_seconds: float, seed: int) -> None:
        self._seconds = seconds
        self._kill_every = kill_every
        self._count = count
        self._clock = SimulatedClock(time.time(), 86_400 / day_seconds)
        self._sites = [Site(number, round(seconds / day_seconds) + 1, seed) for number in range(count)]
        self._chance = random.Random(seed)
        self._state = Path(tempfile.mkdtemp(prefix="watch-endurance-"))
        self._kills: list[float] = []
        self._memory: list[float] = []
        self._since = START

    def run(self) -> dict[str, float]:
        """The figures: `kills`, `published`, `lost`, `repeated`, `fetched_again`, `wrong`, `errors`, `unlogged`, memory."""
        try:
            with ChangingWeb(self._sites, self._clock, _HANG_SECONDS) as web:
                # A first round in peace: what is published from here on counts, the archive before it does not.
                web.well, self._since = True, self._clock.now()
                run_watch(self._state, web.port, self._clock, self._count, once=True)
                web.well = False
                ends = time.time() + self._seconds
                while time.time() < ends:
                    calm = ends - time.time() <= self._seconds * _CALM_SHARE
                    self._one_life(web, ends if calm else min(ends, time.time() + self._life()), watch_memory=calm)
                web.until = self._clock.now()
                web.well = True
                # Every list is due three weeks later: one quiet round must find whatever is left.
                ahead = SimulatedClock(self._clock.epoch, self._clock.speed, timedelta(days=40))
                run_watch(self._state, web.port, ahead, self._count, once=True)
                run_watch(
                    self._state, web.port, SimulatedClock(ahead.epoch, ahead.speed, timedelta(days=80)), self._count, once=True
                )
                return self._reckoning(web)
        finally:
            shutil.rmtree(self._state)

    def _life(self) -> float:
        return self._kill_every * self._chance.uniform(0.5, 1.5)

    def _one_life(self, web: ChangingWeb, until: float, *, watch_memory: bool) -> None:
        name = __spec__.name if __spec__ else __name__
        child = [str(self._state), str(web.port), str(self._clock.epoch), str(self._clock.speed), str(self._count)]
        errors = (self._state / "child.stderr").open("w")
        process = subprocess.Popen([sys.executable, "-m", name, "--child", *child], stdout=subprocess.DEVNULL, stderr=errors)
        try:
            while time.time() < until:
                time.sleep(min(_SAMPLE_SECONDS, max(0.0, until - time.time())))
                assert process.poll() is None, (self._state / "child.stderr").read_text()[-2000:]
                if watch_memory:
                    self._memory.append(_resident_mib(process.pid))
        finally:
            os.kill(process.pid, signal.SIGKILL)
            self._kills.append(time.time())
            process.wait()
            errors.close()

    def _reckoning(self, web: ChangingWeb) -> dict[str, float]:
        rows = list(read_announcements_of(self._state))
        found = Counter(_MARK.findall(" ".join(row.text for row in rows)))
        due = {site.mark(post): post for site in self._sites for post in site.published(web.until) if post.at > self._since}
        relevant = {mark for mark, post in due.items() if post.relevant}
        known = {site.mark(post): post.relevant for site in self._sites for post in site.posts}
        third = len(self._memory) // 3  # the first third of the calm time loads libraries and fills caches
        return {
            "kills": len(self._kills),
            "simulated_days": (web.until - self._since).days,
            "requests": web.asked,
            "published": len(due),
            "found": len(found),
            "lost": len(relevant - found.keys()),
            "repeated": sum(count - 1 for count in found.values()),
            "wrong": sum(not known.get(mark, False) for mark in found),
            "fetched_again": sum(count - 1 for count in web.bodies.values() if count > 1),
            "errors": len(web.failed),
            "unlogged": self._unlogged(web),
            "calm_seconds": round(len(self._memory) * _SAMPLE_SECONDS),
            "memory_middle_mib": round(max(self._memory[third : 2 * third], default=0), 1),
            "memory_last_mib": round(max(self._memory[2 * third :], default=0), 1),
        }

    def _unlogged(self, web: ChangingWeb) -> int:
        """Pages that failed, but not in the last moments of a life, and stand in no line of the error log."""
        lines = "".join(path.read_text() for path in self._state.glob("errors*.log"))
        logged = set(re.findall(r"http://[^ \n]+", lines))
        missing = set()
        for at, host, path, _ in web.failed:
            if any(0 <= kill - at < _IN_FLIGHT_SECONDS for kill in self._kills) or path in _HOST_FILES:
                continue
            if f"http://{host}{path}" not in logged:
                missing.add((host, path))
        return len(missing)


def _resident_mib(pid: int) -> float:
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


def broken(figures: dict[str, float]) -> list[str]:
    """Names of the promises that do not hold."""
    promises = {
        "nothing lost": figures["lost"] == 0,
        "nothing repeated": figures["repeated"] == 0,
        "nothing irrelevant": figures["wrong"] == 0,
        "every error logged": figures["unlogged"] == 0,
        "articles fetched again only where a kill took the answer": figures["fetched_again"] <= 20 * figures["kills"],
        "memory flat": figures["calm_seconds"] < _LEAST_CALM_SECONDS
        or figures["memory_last_mib"] <= figures["memory_middle_mib"] * 1.05 + 2,
    }
    return [name for name, holds in promises.items() if not holds]


def main() -> int:
    """Entry point."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--kill-every", type=float, default=60, help="seconds")
    parser.add_argument("--sites", type=int, default=40)
    parser.add_argument("--day-seconds", type=float, default=6)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--child", nargs=5, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.child:
        state, port, epoch, speed, count = arguments.child
        run_watch(Path(state), int(port), SimulatedClock(float(epoch), float(speed)), int(count))
        return 0
    figures = Endurance(
        arguments.minutes * 60, arguments.kill_every, arguments.sites, arguments.day_seconds, arguments.seed
    ).run()
    print(json.dumps(figures | {"broken": broken(figures)}))
    return int(bool(broken(figures)))


if __name__ == "__main__":
    sys.exit(main())
