"""Ninety written news pages: fifteen articles in six layouts, with what a reader takes from them."""

from __future__ import annotations

import html
import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from string import Template

LAYOUTS = ("wordpress", "joomla", "tables", "portal", "blog", "soup")
_FOLDER = Path(__file__).parent / "news_pages"
_MONTHS = (
    *("stycznia", "lutego", "marca", "kwietnia", "maja", "czerwca"),
    *("lipca", "sierpnia", "września", "października", "listopada", "grudnia"),
)
_WEEKDAYS = ["poniedziałek", "wtorek", "środa", "czwartek", "piątek", "sobota", "niedziela"]


@dataclass(frozen=True)
class NewsPage:
    """One page and its truth."""

    layout: str
    markup: str
    title: str
    date: date
    author: str
    text: str


def news_pages() -> Iterator[NewsPage]:
    """Every article in every layout."""
    articles = tomllib.loads((_FOLDER / "articles.toml").read_text(encoding="utf-8"))["article"]
    for layout in LAYOUTS:
        frame = Template((_FOLDER / f"{layout}.html").read_text(encoding="utf-8"))
        for article in articles:
            yield _page(layout, frame, article)


def _page(layout: str, frame: Template, article: dict[str, object]) -> NewsPage:
    day, lines = article["date"], str(article["text"]).strip().split("\n")
    assert isinstance(day, date)
    markup = frame.substitute(
        title=article["title"],
        author=article["author"],
        iso=day.isoformat(),
        long=f"{day.day} {_MONTHS[day.month - 1]} {day.year}",
        dotted=f"{day:%d.%m.%Y}",
        weekday=_WEEKDAYS[day.weekday()],
        paragraphs=_paragraphs(lines),
        paragraphs_br="<br><br>\n".join(_inline(line) for line in lines),
        paragraphs_div="\n".join(f"<div>{_inline(line)}</div><div><br></div>" for line in lines),
    )
    plain = "\n".join(re.sub(r"^- |\[([^\]]*)\]\([^)]*\)", r"\1", line) for line in lines)
    return NewsPage(layout, markup, str(article["title"]), day, str(article["author"]), plain)


def _paragraphs(lines: list[str]) -> str:
    out = [f"<li>{_inline(line[2:])}</li>" if line.startswith("- ") else f"<p>{_inline(line)}</p>" for line in lines]
    return re.sub(r"((?:<li>.*?</li>\n?)+)", r"<ul>\1</ul>", "\n".join(out))


def _inline(line: str) -> str:
    return re.sub(r"\[([^\]]*)\]\(([^)]*)\)", r'<a href="\2">\1</a>', html.escape(line, quote=False))
