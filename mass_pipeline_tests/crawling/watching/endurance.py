"""A watch that is killed again and again while a tenth of the hosts fails: nothing repeated, nothing lost, every error logged.

A real loopback server publishes by a clock that the watch itself moves: when nothing is due any more, the next day begins. A kill
comes after so many requests, whatever they took; in the last fifth of the days nothing is killed, to see whether memory grows.
"""

from __future__ import annotations

import itertools
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import threading
from collections import Counter
from datetime import timedelta
from pathlib import Path

from mass_pipeline.crawl_readers.articles import read_article
from mass_pipeline.crawling import CrawlConfig
from mass_pipeline.crawling.pages.relevance import load_topic, topic_path
from mass_pipeline.crawling.watching.config import PollingConfig, WatchConfig
from mass_pipeline.crawling.watching.engine import watch_sites
from mass_pipeline.crawling.watching.records import WatchProgress
from mass_pipeline.crawling.watching.sites import WatchedList, WatchedSite
from mass_pipeline.crawling.watching.store import read_announcements_of
from mass_pipeline_tests.crawling.watching.changing_web import KINDS, START, ChangingWeb, SharedClock, Site

_MARK = re.compile(r"znak \d{8}")
_CALM_SHARE = 0.2
_IDLE_SECONDS = 3.0  # no answer is that late but those that never come
# Where they fail, the last good copy holds, or the page that was to be asked stands in the log.
_HOST_FILES = ("/robots.txt", "/.well-known/tdmrep.json")
_LOOK_SECONDS = 0.1
_LEAST_CALM_DAYS = 60  # fewer tell nothing about memory


def watched(count: int) -> list[WatchedSite]:
    """The sites; every second one with its list configured, the others searched."""
    sites = []
    for number in range(count):
        url = f"http://site{number:03}.example/"
        configured = number % 2 == 1 and KINDS[number % len(KINDS)] in ("pager", "query", "undivided")
        lists = (WatchedList(url + "aktualnosci/", weight=2.0 if number % 4 == 1 else 1.0),) if configured else ()
        sites.append(WatchedSite(f"site{number:03}", url, lists=lists))
    return sites


def run_watch(state: Path, port: int, clock: SharedClock, count: int, *, once: bool = False) -> None:
    """The process that gets killed."""
    config = CrawlConfig(
        allow_private_hosts=True, no_delay=True, connect_seconds=20, idle_seconds=_IDLE_SECONDS, total_seconds=60,
        max_attempts=2,
    )  # fmt: skip

    def go_on(progress: WatchProgress) -> None:
        if not progress.open and progress.next_due is not None:
            clock.move()

    watch_sites(
        watched(count), state=state, topic=load_topic(topic_path("services")), read_article=read_article, crawl=config,
        watch=WatchConfig(sites_at_once=20),
        polling=PollingConfig(), connect_to=lambda host, _: ("127.0.0.1", port), clock=clock, once=once,
        on_progress=None if once else go_on,
    )  # fmt: skip


class Endurance:
    """One proof: server, watch, kills, and the reckoning.

    Args:
        days: of the simulated clock.
        kill_every: requests between two kills, on the average.
        count: of the sites.
        seed: of posts, failures and kills.
    """

    def __init__(self, days: int, kill_every: int, count: int, seed: int) -> None:
        self._days = days
        self._kill_every = kill_every
        self._count = count
        self._sites = [Site(number, days + 1, seed) for number in range(count)]
        self._chance = random.Random(seed)
        self._state = Path(tempfile.mkdtemp(prefix="watch-endurance-"))
        self._clock = SharedClock(self._state / "days")
        self._kills = 0
        self._memory: list[float] = []  # of each calm day

    def run(self) -> dict[str, float]:
        """The figures: `kills`, `published`, `lost`, `repeated`, `fetched_again`, `wrong`, `errors`, `unlogged`, memory."""
        try:
            with ChangingWeb(self._sites, self._clock) as web:
                # A first round in peace: what is published from here on counts, the archive before it does not.
                web.well = True
                run_watch(self._state, web.port, self._clock, self._count, once=True)
                web.well = False
                while self._clock.days < self._days:
                    self._one_life(web)
                web.until = self._clock.now()
                web.well = True
                # Every list is due three weeks later: one quiet round must find whatever is left.
                for days in (40, 80):
                    ahead = SharedClock(self._clock.path, timedelta(days=days))
                    run_watch(self._state, web.port, ahead, self._count, once=True)
                return self._reckoning(web)
        finally:
            shutil.rmtree(self._state)

    def _one_life(self, web: ChangingWeb) -> None:
        name = __spec__.name if __spec__ else __name__
        enough = threading.Event()
        left = itertools.count(-round(self._kill_every * self._chance.uniform(0.5, 1.5)))
        calm = round(self._days * (1 - _CALM_SHARE))
        web.life += 1
        web.on_request = lambda: enough.set() if next(left) >= 0 and self._clock.days < calm else None
        command = [sys.executable, "-m", name, str(self._state), str(web.port), str(self._count)]
        with (self._state / "child.stderr").open("w") as errors:
            process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=errors)
        try:
            seen = 0
            while not enough.wait(_LOOK_SECONDS) and (day := self._clock.days) < self._days:
                assert process.poll() is None, (self._state / "child.stderr").read_text()[-2000:]
                if day >= calm and day > seen:
                    self._memory.append(_resident_mib(process.pid))
                seen = day
        finally:
            process.kill()
            process.wait()
            self._kills += 1

    def _reckoning(self, web: ChangingWeb) -> dict[str, float]:
        rows = list(read_announcements_of(self._state))
        found = Counter(_MARK.findall(" ".join(row.text for row in rows)))
        due = {site.mark(post): post for site in self._sites for post in site.published(web.until) if post.at > START}
        relevant = {mark for mark, post in due.items() if post.relevant}
        known = {site.mark(post): post.relevant for site in self._sites for post in site.posts}
        third = len(self._memory) // 3  # the first third of the calm time loads libraries and fills caches
        return {
            "kills": self._kills,
            "simulated_days": (web.until - START).days,
            "requests": len(web.seen),
            "published": len(due),
            "found": len(found),
            "lost": len(relevant - found.keys()),
            "repeated": sum(count - 1 for count in found.values()),
            "wrong": sum(not known.get(mark, False) for mark in found),
            "fetched_again": sum(count - 1 for count in web.bodies.values() if count > 1),
            "errors": sum(how != "" for *_, how in web.seen),
            "unlogged": self._unlogged(web),
            "calm_days": len(self._memory),
            "memory_middle_mib": round(max(self._memory[third : 2 * third], default=0), 1),
            "memory_last_mib": round(max(self._memory[2 * third :], default=0), 1),
        }

    def _unlogged(self, web: ChangingWeb) -> int:
        """Pages that failed and are in no line of the error log, but for the last of a host in a life, which a kill overtook."""
        lines = "".join(path.read_text() for path in self._state.glob("errors*.log"))
        logged = set(re.findall(r"http://[^ \n]+", lines))
        last = {(life, host): path for life, host, path, _ in web.seen if path not in _HOST_FILES}
        missing = {
            (host, path)
            for life, host, path, how in web.seen
            if how and path not in _HOST_FILES and path != last[life, host] and f"http://{host}{path}" not in logged
        }
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
        "memory flat": figures["calm_days"] < _LEAST_CALM_DAYS
        or figures["memory_last_mib"] <= figures["memory_middle_mib"] * 1.05 + 2,
    }
    return [name for name, holds in promises.items() if not holds]


if __name__ == "__main__":
    run_watch(Path(sys.argv[1]), int(sys.argv[2]), SharedClock(Path(sys.argv[1]) / "days"), int(sys.argv[3]))
