"""News portals of the demo web: made-up local news, for another topic than the parishes' (C9).

Three kinds: a modern site with feed and pager, an old one of tables in windows-1250, one with search pages and a sitemap.
The articles stand in data/demo/portals; which sites to watch and how, in data/demo/portals.toml.
"""

from __future__ import annotations

import tomllib
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from html import escape
from pathlib import Path
from typing import Final
from urllib.parse import parse_qs

from mass_pipeline.demo_web.http import Host, Request, Response, conditional
from mass_pipeline.demo_web.source import DEMO_FOLDER
from mass_pipeline.demo_web.weekly import written_date
from mass_pipeline.model.errors import BadInput
from mass_pipeline.model.identifiers import fold

HOSTS: Final = {"wiesci": "wiesci-zielne.example", "kurier": "kurier-borkowski.example", "glos": "glos-powiatu.example"}
SITES_FILE: Final = DEMO_FOLDER / "portals.toml"
_PER_PAGE: Final = 5
_FEED_ENTRIES: Final = 10
_HTML: Final = "text/html; charset=utf-8"


@dataclass(frozen=True, slots=True)
class PortalArticle:
    """One article: where it stands, what it says, and whether it is about schools and studies."""

    portal: str
    number: int
    day: date
    title: str
    text: str
    relevant: bool

    @property
    def target(self) -> str:
        """Path and query on its host."""
        if self.portal == "kurier":
            return f"/index.php?dzial=wiadomosc&id={self.number}"
        return f"/{self.day:%Y/%m/%d}/wpis-{self.number}/" if self.portal == "wiesci" else f"/artykul/{self.number}"

    @property
    def url(self) -> str:
        """Its address."""
        return f"http://{HOSTS[self.portal]}{self.target}"


def load_articles(folder: Path = DEMO_FOLDER) -> tuple[PortalArticle, ...]:
    """Articles of all portals, newest first per portal; none in a folder without portals.

    Raises:
        BadInput: naming the file and what is wrong.
    """
    path = folder / "portals" / "articles.toml"
    if not path.exists():
        return ()
    try:
        rows = tomllib.loads(path.read_text(encoding="utf-8"))["article"]
        made = [
            PortalArticle(row["portal"], 100 + number, row["date"], row["title"], row["text"].strip(), row["relevant"])
            for number, row in enumerate(reversed(rows))
        ]
    except (OSError, tomllib.TOMLDecodeError, KeyError) as error:
        raise BadInput(f"{path}: {error!r}") from error
    return tuple(sorted(made, key=lambda article: (article.portal, article.day, article.number), reverse=True))


def portal_hosts(articles: Iterable[PortalArticle]) -> dict[str, Host]:
    """Host name -> host, for every portal that has articles."""
    by_portal: dict[str, list[PortalArticle]] = {}
    for article in articles:
        by_portal.setdefault(article.portal, []).append(article)
    makers: dict[str, Callable[[Sequence[PortalArticle]], _Portal]] = {"wiesci": _Modern, "kurier": _Tables, "glos": _Searchable}
    return {HOSTS[name]: Host(HOSTS[name], makers=[makers[name](found).respond]) for name, found in by_portal.items()}


class _Portal(ABC):
    """A portal: its pages by target."""

    charset = "utf-8"

    def __init__(self, articles: Sequence[PortalArticle]) -> None:
        self._articles = articles

    def respond(self, request: Request) -> Response | None:
        """A page with validators, None for what is not there."""
        page = self.page(request.target)
        if page is None:
            return None
        body, content_type = page
        return conditional(request, Response(200, body.encode(self.charset), content_type))

    @abstractmethod
    def page(self, target: str) -> tuple[str, str] | None:
        """Text and content type of a target."""

    def _article(self, target: str) -> PortalArticle | None:
        return next((article for article in self._articles if article.target == target), None)


class _Modern(_Portal):
    """Feed, pager, semantic markup."""

    def page(self, target: str) -> tuple[str, str] | None:
        """See `_Portal.page`."""
        if target == "/feed/":
            return self._feed(), "application/rss+xml"
        article = self._article(target)
        if article is not None:
            paragraphs = "".join(f"<p>{escape(line)}</p>" for line in article.text.splitlines())
            return self._frame(
                article.title,
                f'<article><h1 class="entry-title">{escape(article.title)}</h1><time datetime="{article.day}">'
                f'{written_date(article.day)}</time><div class="entry-content">{paragraphs}</div></article>',
            ), _HTML
        if target == "/o-nas/":
            return self._frame("O nas", "<h1>O nas</h1><p>Redakcja czeka na wiadomości od czytelników.</p>"), _HTML
        number = 1 if target == "/" else int(part) if (part := target[6:-1]).isdigit() and target.startswith("/page/") else 0
        shown = self._articles[(number - 1) * _PER_PAGE : number * _PER_PAGE] if number else []
        if not shown:
            return None
        entries = "".join(
            f'<article><h2><a href="{a.target}">{escape(a.title)}</a></h2><time datetime="{a.day}">{written_date(a.day)}</time>'
            f'<p>{escape(a.text.splitlines()[0])}</p><a href="{a.target}">Czytaj dalej</a></article>'
            for a in shown
        )
        older = f'<nav class="pagination"><a rel="next" href="/page/{number + 1}/">Starsze wpisy</a></nav>'
        return self._frame("Wieści Zielne", entries + older * (number * _PER_PAGE < len(self._articles))), _HTML

    @staticmethod
    def _frame(title: str, body: str) -> str:
        feed = '<link rel="alternate" type="application/rss+xml" href="/feed/">'
        menu = '<nav><a href="/">Aktualności</a> <a href="/o-nas/">O nas</a></nav>'
        return f"<html><head><title>{escape(title)}</title>{feed}</head><body>{menu}<main>{body}</main></body></html>"

    def _feed(self) -> str:
        items = "".join(
            f"<item><title>{escape(a.title)}</title><link>{a.url}</link>"
            f"<pubDate>{a.day:%a, %d %b %Y} 08:00:00 +0100</pubDate></item>"
            for a in self._articles[:_FEED_ENTRIES]
        )
        return f'<?xml version="1.0" encoding="utf-8"?><rss version="2.0"><channel><title>Wieści</title>{items}</channel></rss>'


class _Tables(_Portal):
    """Layout tables in windows-1250, pages distinguished by their query."""

    charset = "cp1250"

    def page(self, target: str) -> tuple[str, str] | None:
        """See `_Portal.page`."""
        article = self._article(target)
        if article is not None:
            paragraphs = "".join(f"<p>{escape(line)}</p>" for line in article.text.splitlines())
            body = f"<td class=srodek><b>{escape(article.title)}</b><br><i>{article.day:%d.%m.%Y}</i>{paragraphs}</td>"
            return self._frame(body), "text/html; charset=windows-1250"
        path, _, query = target.partition("?")
        asked = parse_qs(query)
        if path not in ("/", "/index.php") or asked.get("dzial", ["wiadomosci"]) != ["wiadomosci"]:
            return None
        number = int(asked.get("strona", ["1"])[0])
        shown = self._articles[(number - 1) * _PER_PAGE : number * _PER_PAGE]
        rows = "".join(f'{a.day:%d.%m.%Y} <a class=tytul href="{escape(a.target)}">{escape(a.title)}</a><br>' for a in shown)
        older = f'<a href="/index.php?dzial=wiadomosci&amp;strona={number + 1}">starsze</a>'
        rows += older * (number * _PER_PAGE < len(self._articles))
        return self._frame(f"<td class=spis>{rows}</td>"), "text/html; charset=windows-1250"

    @staticmethod
    def _frame(cell: str) -> str:
        menu = '<td><a href="/">Start</a><br><a href="/index.php?dzial=wiadomosci">Wiadomości</a><br>Pogoda: 4 stopnie</td>'
        return f"<html><head><title>Kurier Borkowski</title></head><body><table><tr>{menu}{cell}</tr></table></body></html>"


class _Searchable(_Portal):
    """Search pages and a sitemap; the start page links to no article."""

    def page(self, target: str) -> tuple[str, str] | None:
        """See `_Portal.page`."""
        if target == "/sitemap.xml":
            urls = "".join(f"<url><loc>{a.url}</loc><lastmod>{a.day}</lastmod></url>" for a in self._articles)
            return f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{urls}</urlset>', "application/xml"
        article = self._article(target)
        if article is not None:
            lines = "<br>".join(escape(line) for line in article.text.splitlines())
            body = f"<h1>{escape(article.title)}</h1><p class='data'>Dodano: {written_date(article.day)}</p><div>{lines}</div>"
            return f"<html><body>{body}</body></html>", _HTML
        path, _, query = target.partition("?")
        if path == "/":
            return "<html><body><form action='/szukaj'><input name=q></form></body></html>", _HTML
        if path != "/szukaj":
            return None
        wanted = fold(parse_qs(query).get("q", [""])[0])[:5]  # as search machines do, word endings aside
        hits = [a for a in self._articles if wanted and wanted in fold(f"{a.title} {a.text}")]
        items = "".join(f'<li><a href="{a.target}">{escape(a.title)}</a> ({written_date(a.day)})</li>' for a in hits)
        return f"<html><body><h1>Wyniki</h1><ol class='wyniki'>{items}</ol></body></html>", _HTML
