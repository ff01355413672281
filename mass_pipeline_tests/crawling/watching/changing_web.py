"""Sites that publish by a simulated clock, on a real loopback server; a tenth of the hosts fails now and then.

What is published when, and which host fails how, depends on the seed and the clock alone.
"""

from __future__ import annotations

import asyncio
import hashlib
import random
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from mass_pipeline.crawling.fetching.clock import Clock
from mass_pipeline.demo_web.weekly import written_date
from mass_pipeline_tests.crawling.loopback import Loopback, Page, Request

START = datetime(2026, 1, 5, 3, tzinfo=UTC)
PER_PAGE = 10
KINDS = ("pager", "query", "feed", "undivided", "sitemap")  # undivided: the announcements stand on the list page itself
_IRRELEVANT = 0.2


@dataclass(frozen=True)
class SharedClock(Clock):
    """Wall time of several processes, in a file: whole days since START, moved by whoever has nothing left to do."""

    path: Path
    ahead: timedelta = timedelta(0)

    @property
    def days(self) -> int:
        """Since START."""
        return self.path.stat().st_size if self.path.exists() else 0

    def move(self) -> None:
        """The next day begins."""
        with self.path.open("ab") as file:
            file.write(b".")

    def now(self) -> datetime:
        """See `Clock.now`."""
        return START + timedelta(days=self.days) + self.ahead


@dataclass(frozen=True)
class Post:
    """One article: number on its site, moment of publication, whether it tells something about services."""

    number: int
    at: datetime
    relevant: bool


class Site:
    """One publishing site."""

    def __init__(self, number: int, days: int, seed: int) -> None:
        chance = random.Random(f"{seed} {number}")
        self.host = f"site{number:03}.example"
        self.kind = KINDS[number % len(KINDS)]
        self.fails = number % 10 == 3
        self._number = number
        per_day = chance.choice((0.15, 0.15, 0.3, 0.6))
        moments = sorted(START + timedelta(days=chance.uniform(-20, days)) for _ in range(round(per_day * (days + 20))))
        self.posts = [Post(i, at, chance.random() >= _IRRELEVANT) for i, at in enumerate(moments)]
        self._moments = moments

    def published(self, now: datetime) -> list[Post]:
        """Posts out by now, newest first."""
        return self.posts[: bisect_right(self._moments, now)][::-1]

    def mark(self, post: Post) -> str:
        """Words by which a post is known again: they stand in it and nowhere else."""
        return f"znak {self._number * 100_000 + post.number:08}"

    def sentence(self, post: Post) -> str:
        """What the post announces."""
        if post.relevant:
            hour = 7 + post.number % 12
            return f"Msza święta w intencji parafian ({self.mark(post)}) o godz. {hour}.30, po niej nowenna i adoracja."
        return f"Zbiórka makulatury przy plebanii ({self.mark(post)}) potrwa do wieczora, dziękujemy za pomoc."

    def failure(self, now: datetime) -> str:
        """How the host fails on this day: "" for not at all."""
        if not self.fails:
            return ""
        day = (now - START).days
        dice = hashlib.sha256(f"{self.host} {day // 2}".encode()).digest()[0] / 256
        return "" if dice < 0.6 else "500" if dice < 0.78 else "reset" if dice < 0.86 else "hang" if dice < 0.92 else "robots"

    def respond(self, path: str, now: datetime) -> Page:
        """The answer to a request when the host is well."""
        posts = self.published(now)
        if path == "/robots.txt":
            sitemap = f"Sitemap: http://{self.host}/sitemap.xml\n" if self.kind == "sitemap" else ""
            return Page("User-agent: *\nAllow: /\n" + sitemap, content_type="text/plain")
        if path == "/":
            return self._tagged(
                _frame(self.host, f"<h1>Parafia {self._number}</h1><p>Witamy na stronie parafii.</p>", self._head())
            )
        if path == "/kontakt/":
            return self._tagged(_frame(self.host, "<h1>Kontakt</h1><p>Kancelaria czynna we wtorki.</p>"))
        if path == "/feed/" and self.kind == "feed":
            return self._tagged(self._feed(posts[:PER_PAGE]), "application/rss+xml")
        if path == "/sitemap.xml" and self.kind == "sitemap":
            return self._tagged(self._sitemap(posts), "application/xml")
        listed = self._list(path, posts)
        if listed is not None:
            return self._tagged(listed)
        post = next((post for post in posts if self._path(post) == path), None)
        return self._tagged(self._article(post)) if post else Page("<h1>404</h1>", status=404)

    @staticmethod
    def _tagged(body: str, content_type: str = "text/html; charset=utf-8") -> Page:
        etag = f'"{hashlib.sha256(body.encode()).hexdigest()[:12]}"'
        return Page(body, content_type=content_type, headers={"ETag": etag})

    def _head(self) -> str:
        return '<link rel="alternate" type="application/rss+xml" href="/feed/">' if self.kind == "feed" else ""

    def _path(self, post: Post) -> str:
        return f"/wpis-{post.number}/"

    def _list(self, path: str, posts: list[Post]) -> str | None:
        if self.kind == "undivided":
            items = "".join(f"<li>{self.sentence(post)}</li>" for post in posts[:40])
            return _frame(self.host, f"<h1>Ogłoszenia</h1><ol>{items}</ol>") if path == "/aktualnosci/" else None
        number = _page_of(path, self.kind)
        if number is None or (number - 1) * PER_PAGE > len(posts):
            return None
        shown = posts[(number - 1) * PER_PAGE : number * PER_PAGE]
        entries = "".join(
            f'<div class="post"><h2><a href="{self._path(post)}">Ogłoszenie {post.number}</a></h2>'
            f"<p>{written_date(post.at.date())}</p>"
            f"<p>Kliknij, aby przeczytać.</p></div>"
            for post in shown
        )
        following = f"?strona={number + 1}" if self.kind == "query" else f"/aktualnosci/page/{number + 1}/"
        pager = f'<p><a href="{following}">starsze</a></p>' if number * PER_PAGE < len(posts) else ""
        return _frame(self.host, f"<h1>Aktualności</h1>{entries}{pager}", self._head())

    def _article(self, post: Post) -> str:
        text = (
            f"<p>{self.sentence(post)}</p><p>Wpis numer {post.number} na stronie parafii, zapraszamy serdecznie wszystkich.</p>"
        )
        return _frame(self.host, f'<h1>Ogłoszenie {post.number}</h1><p class="date">{written_date(post.at.date())}</p>{text}')

    def _feed(self, posts: list[Post]) -> str:
        items = "".join(
            f"<item><title>Ogłoszenie {post.number}</title><link>http://{self.host}{self._path(post)}</link>"
            f"<pubDate>{post.at:%a, %d %b %Y %H:%M:%S} +0000</pubDate></item>"
            for post in posts
        )
        return f'<?xml version="1.0"?><rss version="2.0"><channel><title>x</title>{items}</channel></rss>'

    def _sitemap(self, posts: list[Post]) -> str:
        urls = "".join(
            f"<url><loc>http://{self.host}{self._path(p)}</loc><lastmod>{p.at:%Y-%m-%d}</lastmod></url>" for p in posts
        )
        return f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{urls}</urlset>'


def _page_of(path: str, kind: str) -> int | None:
    if path == "/aktualnosci/":
        return 1
    start = "/aktualnosci/?strona=" if kind == "query" else "/aktualnosci/page/"
    rest = path.removeprefix(start).rstrip("/")
    return int(rest) if path.startswith(start) and rest.isdigit() else None


def _frame(host: str, body: str, head: str = "") -> str:
    places = (("/", "Start"), ("/aktualnosci/", "Aktualności"), ("/kontakt/", "Kontakt"))
    menu = '<ul class="menu">' + "".join(f'<li><a href="{path}">{name}</a></li>' for path, name in places) + "</ul>"
    return f"<html><head><title>{host}</title>{head}</head><body>{menu}<div id='tresc'>{body}</div></body></html>"


class ChangingWeb(Loopback):
    """Serves the sites as they stand at the clock's time.

    Attributes:
        bodies: (host, path) -> 200 answers of articles.
        seen: life, host, path and failure ("" for none) of every request, in their order.
        life: number of the process that asks; whoever starts it sets it.
        well: set to True, no host fails any more.
        on_request: called after each request was noted.
    """

    def __init__(self, sites: list[Site], clock: SharedClock) -> None:
        super().__init__({site.host: {} for site in sites})
        self._by_host = {site.host: site for site in sites}
        self._clock = clock
        self.until = START + timedelta(days=100_000)
        self.bodies: Counter[tuple[str, str]] = Counter()
        self.seen: list[tuple[int, str, str, str]] = []
        self.life = 0
        self.well = False
        self.on_request: Callable[[], None] = lambda: None
        self._never = asyncio.Event()  # holds who waits for it: a loop holds its tasks weakly

    def _first_failure(self, site: Site) -> str:
        """The first answer of a failing host fails whatever the day: a short run meets a failure too."""
        return "500" if site.fails and all(host != site.host for _, host, _, how in self.seen if how) else ""

    async def _answer(self, request: Request, writer: asyncio.StreamWriter) -> bool:
        self.requests.clear()
        site = self._by_host[request.host]
        now = min(self._clock.now(), self.until)
        how = "" if self.well else site.failure(now) or self._first_failure(site)
        if how == "robots":
            how = "503" if request.path == "/robots.txt" else ""
        self.seen.append((self.life, request.host, request.path, how))
        self.on_request()
        if how == "reset":
            return False
        if how == "hang":
            await self._never.wait()  # until the client gives up
        page = Page("<h1>Błąd</h1>", status=int(how)) if how else site.respond(request.path, now)
        if page.headers.get("ETag") and request.headers.get("if-none-match") == page.headers["ETag"]:
            writer.write(f"HTTP/1.1 304 Not Modified\r\nETag: {page.headers['ETag']}\r\n\r\n".encode())
        else:
            self.bodies[request.host, request.path] += page.status == 200 and request.path.startswith("/wpis-")
            writer.write(page.wire())
        await writer.drain()
        return True
