"""Sites out of sources: pages in their layout, as bytes on a virtual host, with the labelled hours they hold.

The frame, menu and URLs of each kind of site are data (data/demo/templates: *.html with `$placeholders`, and templates.toml).
Not here: reading sources (source), the texts of common pages (common, weekly), behaviour of hosts (hosts).
"""

from __future__ import annotations

import html
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from string import Template
from typing import Final

from mass_pipeline.demo_web.common import CommonPages, common_page, load_common
from mass_pipeline.demo_web.http import Host, Response
from mass_pipeline.demo_web.marks import MarkedHour, mark, marked_hours, strip
from mass_pipeline.demo_web.source import DEMO_FOLDER, HOME, PageSource, SiteSource
from mass_pipeline.demo_web.weekly import Sentence, WeeklyTexts, announcement_pages, intention_page, load_weekly
from mass_pipeline.model.errors import BadInput

_LINK: Final = re.compile(r"\[\[([^|\]]+)\|([^\]]+)\]\]")
_FILE_TYPES: Final = {".pdf": "application/pdf", ".png": "image/png", ".jpg": "image/jpeg", ".ics": "text/calendar"}


@dataclass(frozen=True)
class ComposedPage:
    """A page as it is served: its URL, its bytes and what its hours are.

    Attributes:
        marked: the document with its marks still in it.
        sentences: the announcements of the page.
    """

    url: str
    source: PageSource
    response: Response
    marked: str = field(repr=False)
    sentences: tuple[Sentence, ...] = ()

    @cached_property
    def hours(self) -> tuple[MarkedHour, ...]:
        """Labelled hours in reading order; found when first asked for, since serving needs none."""
        return tuple(marked_hours(self.marked))


@dataclass(frozen=True, slots=True)
class Workshop:
    """Everything a site is composed from."""

    folder: Path
    layouts: dict[str, Layout]
    common: CommonPages
    weekly: WeeklyTexts

    @classmethod
    def open(cls, folder: Path = DEMO_FOLDER) -> Workshop:
        """Load layouts and texts of a demo folder."""
        return cls(folder, dict(load_layouts(folder)), load_common(folder), load_weekly(folder))


def page_sources(site: SiteSource, workshop: Workshop) -> list[tuple[PageSource, tuple[Sentence, ...]]]:
    """The site's own pages, then its common ones; announcement pages with their sentences."""
    pages: list[tuple[PageSource, tuple[Sentence, ...]]] = [(page, ()) for page in site.pages]
    for name in site.filler:
        if name == "ogloszenia":
            pages += announcement_pages(site, workshop.weekly)
        elif name == "intencje":
            pages.append((intention_page(site, workshop.weekly), ()))
        else:
            pages.append((common_page(site, name, workshop.common), ()))
    return pages


def compose_site(site: SiteSource, workshop: Workshop, host: Host) -> tuple[ComposedPage, ...]:
    """Put a site on its host.

    Args:
        host: shared by sites that live under prefixes of one host.

    Returns:
        Its pages, own ones first.
    """
    layout = workshop.layouts.get(site.template)
    if layout is None:
        raise BadInput(f"site {site.key}: no layout {site.template!r}; there are {', '.join(sorted(workshop.layouts))}")
    pages = page_sources(site, workshop)
    sources = [page for page, _ in pages]
    composed = tuple(_compose_page(site, layout, page, sources, sentences) for page, sentences in pages)
    for page in composed:
        _publish(host, page)
    for target, response in _frame_documents(site, layout, sources):
        host.add(target, response)
    for target, name in site.files.items():
        body = (workshop.folder / "files" / name).read_bytes()
        host.add(target, Response(200, body, _FILE_TYPES[Path(name).suffix]))
    return composed


def _publish(host: Host, page: ComposedPage) -> None:
    source = page.source
    target = page.url.removeprefix(f"http://{host.name}")
    host.add(target, page.response, failures=source.failures, validators=not source.slow_seconds)
    for old in source.redirect_from:
        host.add(old, Response.redirect(page.url), validators=False)


def target_of(site: SiteSource, layout: Layout, page: PageSource) -> str:
    """Path and query under which a page is served."""
    return page.path or layout.target(site.prefix, page.slug)


def _compose_page(
    site: SiteSource, layout: Layout, page: PageSource, pages: Sequence[PageSource], sentences: tuple[Sentence, ...]
) -> ComposedPage:
    targets = {other.slug: target_of(site, layout, other) for other in pages}
    body = mark(_with_links(site, page, pages, targets), page.hours)
    markup = body if page.raw else _framed(site, layout, page, pages, targets, body)
    charset = page.charset or site.charset
    content_type = "text/html" + (f"; charset={site.header_charset}" if site.header_charset else "")
    headers = dict(page.headers)
    if "Content-Type" in headers:
        content_type = headers.pop("Content-Type")
    response = Response(200, strip(markup).encode(charset, "xmlcharrefreplace"), content_type, headers, page.slow_seconds)
    printed = tuple(replace(sentence, text=strip(mark(sentence.text, "n"))) for sentence in sentences)
    return ComposedPage(f"http://{site.host}{targets[page.slug]}", page, response, markup, printed)


def _with_links(site: SiteSource, page: PageSource, pages: Sequence[PageSource], targets: dict[str, str]) -> str:
    def link(match: re.Match[str]) -> str:
        slug, words = match[1], match[2]
        href = targets.get(slug, slug)  # anything else is an address of its own
        return f'<a href="{html.escape(href)}">{words}</a>'

    children = [other for other in pages if other.under == page.slug]
    listed = "".join(f"<li>[[{child.slug}|{child.title}]]</li>\n" for child in children)
    return _LINK.sub(link, page.body + (f"\n<ul>\n{listed}</ul>" if listed else ""))


def _framed(
    site: SiteSource, layout: Layout, page: PageSource, pages: Sequence[PageSource], targets: dict[str, str], body: str
) -> str:
    entries = [(html.escape(targets[p.slug]), p.title) for p in pages if p.menu and not p.under]
    declared = site.declared if page.declared is None else page.declared
    parts = {name: _LINK.sub(lambda m: f'<a href="{targets.get(m[1], m[1])}">{m[2]}</a>', getattr(site, name)) for name in CHROME}
    return layout.frame.safe_substitute(
        title=page.title if page.slug != HOME else f"Parafia {site.name}",
        site=f"Parafia pw. {site.name} w {site.locative}",
        menu=layout.menu(entries),
        body=body,
        meta=meta_elements(declared, noindex=page.noindex),
        home=site.prefix,
        address=f"{site.street}, {site.postcode} {site.town}",
        **{name: mark(text, "m") for name, text in parts.items()},
    )


CHROME: Final = ("header", "sidebar", "footer")


def _frame_documents(site: SiteSource, layout: Layout, pages: Sequence[PageSource]) -> Iterator[tuple[str, Response]]:
    if layout.frameset is None or layout.menu_frame is None:
        return
    entries = [(html.escape(target_of(site, layout, p)), p.title) for p in pages if p.menu and not p.under]
    words = {
        "site": f"Parafia pw. {site.name} w {site.locative}",
        "menu": layout.menu(entries),
        "menu_url": layout.target(site.prefix, "menu"),
        "start_url": layout.target(site.prefix, HOME),
        "meta": meta_elements(site.declared, noindex=False),
    }
    for target, frame in ((site.prefix, layout.frameset), (layout.target(site.prefix, "menu"), layout.menu_frame)):
        body = frame.safe_substitute(words).encode(site.charset, "xmlcharrefreplace")
        yield target, Response(200, body, "text/html")


_NOINDEX: Final = '<meta name="robots" content="noindex">'


@dataclass(frozen=True, slots=True)
class Layout:
    """One kind of site.

    Attributes:
        name: as site sources name it.
        frame: document with `$title`, `$site`, `$menu`, `$sidebar`, `$header`, `$footer`, `$body`, `$meta`.
        url: pattern of a page's target with `{slug}`.
        item: pattern of a menu entry with `{href}` and `{title}`.
        menu_frame: document of the menu for sites made of frames, else "".
        frameset: document that holds the frames, else "".
    """

    name: str
    frame: Template
    url: str
    item: str
    menu_frame: Template | None = None
    frameset: Template | None = None

    def target(self, prefix: str, slug: str) -> str:
        """Path (and query) of a page below the site's prefix."""
        if slug == HOME and self.frameset is None:
            return prefix
        return prefix.rstrip("/") + self.url.format(slug=slug)

    def menu(self, entries: Sequence[tuple[str, str]]) -> str:
        """Menu of (href, title) pairs."""
        return "\n".join(self.item.format(href=href, title=title) for href, title in entries)


def load_layouts(folder: Path = DEMO_FOLDER) -> Mapping[str, Layout]:
    """Every layout by name."""
    base = folder / "templates"
    table = tomllib.loads((base / "templates.toml").read_text(encoding="utf-8"))
    return {name: _layout(base, name, values) for name, values in table.items()}


def _layout(base: Path, name: str, values: Mapping[str, str]) -> Layout:
    def read(suffix: str) -> Template | None:
        path = base / f"{name}{suffix}.html"
        return Template(path.read_text(encoding="utf-8")) if path.exists() else None

    frame = read("")
    assert frame is not None, f"{name}: no frame in {base}"
    return Layout(name, frame, values["url"], values["item"], read("-menu"), read("-frameset"))


def meta_elements(charset: str, *, noindex: bool, xhtml: bool = True) -> str:
    """Meta elements of a page: the declared charset ("" for none) and the wish not to be indexed."""
    declared = f'<meta http-equiv="Content-Type" content="text/html; charset={charset}">' if charset else ""
    if charset.lower() == "utf-8" and xhtml:
        declared = '<meta charset="utf-8">'
    return declared + (_NOINDEX if noindex else "")
