"""Atom feeds (RFC 4287): of changes, with what was, what is, the words and their source; of news, with their source."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from xml.sax.saxutils import escape, quoteattr

from mass_pipeline.finding.index.changes import Change
from mass_pipeline.finding.index.news import NewsItem
from mass_pipeline.model.identifiers import content_id


def feed(
    title: str, address: str, page: str, own: str, changes: Sequence[tuple[Change, str, str]], built_at: datetime,
    row_in_words: Callable[[str], str] = str,
) -> str:  # fmt: skip
    """A feed.

    Args:
        title: of the feed.
        address: of the site; its host goes into the tag: URIs, which stay the same.
        page: path of the page that shows the same. own: path of the feed.
        changes: with the name of the parish and the path of its page ("" when it is gone).
        built_at: moment of the data.
        row_in_words: how a row of a change (`short_form`) is told.
    """
    host = _host(address)
    entries = "".join(_entry(host, address, row_in_words, *one) for one in changes)
    return _document(title, address, page, own, entries, built_at)


def news_feed(title: str, address: str, page: str, own: str, news: Sequence[NewsItem], built_at: datetime) -> str:
    """A feed of news, each with the link to its source; arguments as `feed` has them."""
    host = _host(address)
    entries = "".join(
        f"<entry><id>tag:{host},2026:news:{content_id(one.url, str(one.position), one.parish_id, one.day.isoformat())}</id>"
        f"<title>{_plain(one.title or one.site)}</title><updated>{one.seen_at}</updated><link href={quoteattr(one.url)}/>"
        f"<source><id>{_plain(f'tag:{one.site},2026:site')}</id><title>{_plain(one.site)}</title><updated>{one.seen_at}</updated></source>"
        f"<content>{_plain(one.words)}</content></entry>\n"
        for one in news
    )
    return _document(title, address, page, own, entries, built_at)


def _host(address: str) -> str:
    return address.split("//", 1)[-1].split("/")[0].split(":")[0] or "localhost"


def _document(title: str, address: str, page: str, own: str, entries: str, built_at: datetime) -> str:
    host = _host(address)
    return (
        '<?xml version="1.0" encoding="utf-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="pl">\n'
        f"<id>tag:{host},2026:{_plain(own.removesuffix('.atom'))}</id><title>{_plain(title)}</title><updated>{built_at.isoformat()}</updated>\n"
        f'<link rel="self" href={quoteattr(address + own)}/><link href={quoteattr(address + page)}/>\n'
        f"<author><name>mass_pipeline</name></author>\n{entries}</feed>\n"
    )


def _entry(host: str, address: str, row_in_words: Callable[[str], str], change: Change, name: str, path: str) -> str:
    key = content_id(change.seen_at, change.parish_id, change.kind, change.before, change.after)
    words = {"added": "nowa Msza", "removed": "nie ma już Mszy", "moved": "zmiana godziny", "withdrawn": "parafia usunięta"}
    what = " → ".join(row_in_words(part) for part in (change.before, change.after) if part)
    said = f" „{change.quote}” ({change.source_url})" if change.quote else ""
    link = f"<link href={quoteattr(address + path)}/>" if path else ""
    return (
        f"<entry><id>tag:{host},2026:change:{key}</id><title>{_plain(f'{name}: {words[change.kind]} {what}'.strip())}</title>"
        f"<updated>{change.seen_at}</updated>{link}<content>{_plain(f'{what}.{said}')}</content></entry>\n"
    )


def _plain(text: str) -> str:
    """Text that XML 1.0 admits."""
    return escape("".join(c for c in text if c.isprintable()))
