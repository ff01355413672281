"""Shared by the tests of watching: sites on a loopback server, a clock that tests set, a watch that does what is due."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from mass_pipeline.crawl_readers.articles import read_article
from mass_pipeline.crawling.fetching.clock import Clock
from mass_pipeline.crawling.pages.relevance import load_topic, topic_path
from mass_pipeline.crawling.watching.articles import ArticleReader
from mass_pipeline.crawling.watching.config import PollingConfig, WatchConfig
from mass_pipeline.crawling.watching.engine import watch_sites
from mass_pipeline.crawling.watching.records import GraveError, PublishedAnnouncement, WatchReport
from mass_pipeline.crawling.watching.sites import WatchedList, WatchedSite
from mass_pipeline.crawling.watching.store import read_announcements_of
from mass_pipeline_tests.crawling.loopback import Answer, Loopback, Page, tagged
from mass_pipeline_tests.crawling.made import QUICK

HOST = "parafia.example"
URL = f"http://{HOST}/"
NEWS = f"{URL}aktualnosci/"


@dataclass
class SetClock(Clock):
    """A wall clock that a test sets; waiting is real."""

    moment: datetime = datetime(2026, 11, 16, 2, tzinfo=UTC)

    def now(self) -> datetime:
        """See `Clock.now`."""
        return self.moment


@dataclass
class Watching:
    """A server and a watch of it that can be repeated.

    Attributes:
        told: grave errors.
    """

    server: Loopback
    state: Path
    read_article: ArticleReader = read_article
    clock: SetClock = field(default_factory=SetClock)
    told: list[GraveError] = field(default_factory=list)

    def round(self, *sites: WatchedSite, days: float = 0, topic: str = "services", **settings: object) -> WatchReport:
        """Let days pass, then do what is due."""
        self.clock.moment += timedelta(days=days)
        self.server.requests.clear()
        return watch_sites(
            sites or [configured()],
            state=self.state,
            topic=load_topic(topic_path(topic)),
            read_article=self.read_article,
            crawl=replace(QUICK, max_attempts=1),
            watch=replace(WatchConfig(), **settings),  # type: ignore[arg-type]
            polling=PollingConfig(),
            connect_to=self.server.connect_to,
            clock=self.clock,
            once=True,
            notify=self.told.append,
        )

    @property
    def rows(self) -> list[PublishedAnnouncement]:
        """What is kept."""
        return list(read_announcements_of(self.state))

    @property
    def texts(self) -> list[str]:
        """The words of what is kept, sorted."""
        return sorted(row.text for row in self.rows)

    @property
    def errors(self) -> str:
        """The error log."""
        path = self.state / "errors.log"
        return path.read_text() if path.exists() else ""

    def asked(self) -> list[str]:
        """Paths of the last round, without robots.txt and its like."""
        return [path for path in self.server.paths() if path not in ("/robots.txt", "/.well-known/tdmrep.json")]


Watch = Callable[[Mapping[str, Answer | list[Answer]]], Watching]


def configured(**keys: object) -> WatchedSite:
    """The site with its list of news configured."""
    return WatchedSite("p", URL, lists=(WatchedList(NEWS, **keys),))  # type: ignore[arg-type]


def article(sentence: str, day: str = "15.11.2026", title: str = "Nowina") -> Page:
    """A news page with validators."""
    text = f"<div class='tresc'><p>{sentence}</p><p>Szczęść Boże wszystkim parafianom.</p></div>"
    head = f"<h1>{title}</h1><p class='date'>{day}</p>"
    return tagged(f"<html><head><title>{title}</title></head><body>{head}{text}</body></html>")


def news_list(*entries: tuple[str, str, str], after: str = "") -> Page:
    """A list page of (href, words, day)."""
    items = "".join(f'<div><h2><a href="{href}">{words}</a></h2><p>{day}</p></div>' for href, words, day in entries)
    return tagged(f"<html><body><h1>Aktualności</h1>{items}{after}</body></html>")


def listed(day: str = "", **articles: Answer | list[Answer]) -> dict[str, Answer | list[Answer]]:
    """A list of articles by their names, each with its day, and the articles."""
    entries = [(f"/{name}", name.upper(), day) for name in articles]
    return {"/aktualnosci/": news_list(*entries), **{f"/{name}": page for name, page in articles.items()}}


def mass(number: int) -> str:
    """A relevant sentence that no other number gives."""
    return f"Msza święta w intencji numer {number} zostanie odprawiona o godz. 17.{number % 60:02}, po niej nowenna i adoracja."


@pytest.fixture
def watch(tmp_path: Path) -> Iterator[Watch]:
    """`watch(pages)`: serve the pages of one host."""
    with ExitStack() as servers:
        yield lambda pages: Watching(servers.enter_context(Loopback({HOST: dict(pages)})), tmp_path / "state")
