"""Sites that several parishes share: scope prefixes on shared hosts, and URLs that more than one parish has.

Facts: in 2018, 20 % of the web sites lay on 187 shared hosts, and 321 parishes had a URL that another parish had too.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Final
from urllib.parse import urlsplit

from mass_pipeline.discovery.hosts import host_of
from mass_pipeline.discovery.parish_url import ParishUrl, RatedUrl

DUPLICATE: Final = "url_of_several_parishes"


def mark_shared(rows: Iterable[ParishUrl]) -> list[ParishUrl]:
    """Set `shared_host` and `scope_prefix` of every row with a URL, and settle URLs that several parishes have.

    Of the parishes with one URL only the one with the clearly best evidence keeps it; the others, or all of them when none is
    best, become ambiguous without a URL, with the evidence `url_of_several_parishes`. Nothing is crawled twice.

    Returns:
        The rows in the order given.
    """
    settled = _settle_duplicates(list(rows))
    by_host = _group(settled, lambda row: host_of(row.url or ""))
    shared = {row.parish_id for group in by_host for row in group} if by_host else set()
    return [_with_scope(row, row.parish_id in shared) for row in settled]


def shared_hosts(rows: Iterable[ParishUrl]) -> dict[str, int]:
    """Host (without www) -> number of parishes, for hosts of more than one parish."""
    return {host_of(group[0].url or ""): len(group) for group in _group(list(rows), lambda row: host_of(row.url or ""))}


def duplicate_urls(rows: Iterable[ParishUrl]) -> dict[str, list[ParishUrl]]:
    """URL -> its parishes, for URLs of more than one parish; scheme, `www.` and a closing slash make no difference."""
    return {site_identity(group[0].url or ""): group for group in _group(list(rows), lambda row: site_identity(row.url or ""))}


def site_identity(url: str) -> str:
    """What makes two start URLs one site.

    >>> site_identity("http://www.parafia.example/") == site_identity("https://parafia.example")
    True
    """
    return url.split("://", 1)[-1].removeprefix("www.").rstrip("/")


def scope_prefix(url: str) -> str:
    """Path (and query) under which the pages of one parish lie on a shared host.

    >>> scope_prefix("http://dekanat.example/parafie/swanna/index.php")
    '/parafie/swanna/'
    >>> scope_prefix("http://dekanat.example/parafia.php?id=7")
    '/parafia.php?id=7'
    """
    parts = urlsplit(url)
    if parts.query:
        return f"{parts.path or '/'}?{parts.query}"
    path = parts.path or "/"
    last = path.rsplit("/", 1)[1]
    return path[: len(path) - len(last)] if "." in last or not last else path + "/"


def _group(rows: Sequence[ParishUrl], key: Callable[[ParishUrl], str]) -> list[list[ParishUrl]]:
    groups: dict[str, list[ParishUrl]] = defaultdict(list)
    for row in rows:
        if row.url:
            groups[key(row)].append(row)
    return [group for group in groups.values() if len(group) > 1]


def _settle_duplicates(rows: list[ParishUrl]) -> list[ParishUrl]:
    losers: set[str] = set()
    for group in duplicate_urls(rows).values():
        ranked = sorted(group, key=_strength, reverse=True)
        has_winner = _strength(ranked[0]) > _strength(ranked[1])
        losers.update(row.parish_id for row in ranked[1 if has_winner else 0 :])
    return [_without_url(row) if row.parish_id in losers else row for row in rows]


def _strength(row: ParishUrl) -> tuple[bool, float, int]:
    best = next((c for c in row.candidates if c.url and site_identity(c.url) == site_identity(row.url or "")), None)
    return (row.verified, best.score if best else 0.0, len(best.evidence) if best else 0)


def _without_url(row: ParishUrl) -> ParishUrl:
    target = site_identity(row.url or "")
    candidates = tuple(
        RatedUrl(c.url, c.source, (*c.evidence, DUPLICATE), c.score) if site_identity(c.url) == target else c
        for c in row.candidates
    )
    return replace(row, status="ambiguous", url=None, candidates=candidates, verified=False, source=None)


def _with_scope(row: ParishUrl, is_shared: bool) -> ParishUrl:
    if row.url is None:
        return replace(row, shared_host=False, scope_prefix=None)
    return replace(row, shared_host=is_shared, scope_prefix=scope_prefix(row.url) if is_shared else "/")
