"""What people see of a collection: status, filtered links; and deletion (B5). Works while the collector does."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final, Literal

from mass_pipeline.crawling.web_graph import ExternalLink
from mass_pipeline.laboratory.bandits.config import LinkBanditConfig
from mass_pipeline.laboratory.link_collection.collector import policy_name
from mass_pipeline.laboratory.link_collection.records import CollectionSettings, CollectionStatus, SiteFigures
from mass_pipeline.laboratory.link_collection.store import LinkStore, collecting_process, target_sites

Kind = Literal["external", "internal", "bad"]
_EXTERNAL: Final = (
    "SELECT e.external_id AS id,s.short_name AS site,e.url,e.site AS host,e.level,e.anchor,e.context,p.url AS found_on,"
    "e.found_at FROM external_links e JOIN seeds s USING(number) LEFT JOIN internal_links p ON p.link_id=e.found_on "
    "WHERE e.deleted=0"
)
_INTERNAL: Final = (
    "SELECT i.link_id AS id,s.short_name AS site,i.url,i.level,i.state,i.outcome,i.reason,i.status,i.encoding,p.url AS found_on "
    "FROM internal_links i JOIN seeds s USING(number) LEFT JOIN internal_links p ON p.link_id=i.found_on WHERE 1"
)
_BAD: Final = (
    "SELECT s.short_name AS site,b.href AS url,b.reason,p.url AS found_on "
    "FROM bad_links b JOIN seeds s USING(number) LEFT JOIN internal_links p ON p.link_id=b.found_on WHERE 1"
)
_STATEMENTS: Final = {
    "external": (_EXTERNAL, " ORDER BY s.number,e.level,p.url,e.url"),
    "internal": (_INTERNAL, " ORDER BY s.number,i.level,i.link_id"),
    "bad": (_BAD, " ORDER BY s.number,b.href"),
}
_COLUMNS: Final = {
    "external": ("e.level", "e.url", "e.anchor"),
    "internal": ("i.level", "i.url", "i.reason"),
    "bad": ("0", "b.href", "b.reason"),
}


@dataclass(frozen=True, slots=True)
class LinkFilter:
    """Which links are meant.

    Attributes:
        site: short name of a site of the set.
        host: registrable domain that external links lead to.
        level: greatest level of the page they stand on.
        text: stands in the address, or in the words of the link, letter case aside.
        ids: these rows alone.
    """

    site: str = ""
    host: str = ""
    level: int | None = None
    text: str = ""
    ids: tuple[int, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Whether it means every link."""
        return self == LinkFilter()


def read_links(
    store: LinkStore, kind: Kind, chosen: LinkFilter | None = None, *, limit: int | None = None
) -> list[dict[str, object]]:
    """Links of a kind, in a fixed order: by site, level, page, address.

    Args:
        kind: external links without the deleted ones, internal links with their state, or bad links with their reason.
        limit: at most so many.
    """
    statement, order = _STATEMENTS[kind]
    condition, values = _condition(kind, chosen or LinkFilter())
    end = "" if limit is None else f" LIMIT {int(limit)}"
    return [dict(row) for row in store.rows(statement + condition + order + end, values)]


def read_external_links(store: LinkStore, chosen: LinkFilter | None = None) -> list[ExternalLink]:
    """The external links of the filter as the asset `external_links` has them, the site by its short name."""
    columns = ("site", "found_on", "level", "url", "host", "anchor", "context")
    found = read_links(store, "external", chosen)
    return [ExternalLink(*(row[name] for name in columns)) for row in found]  # type: ignore[arg-type]  # as the table has them


def delete_links(store: LinkStore, chosen: LinkFilter) -> int:
    """Delete the external links that a filter means; a link that is found again stays deleted.

    Returns:
        How many.
    """
    ids = [(row["id"],) for row in read_links(store, "external", chosen)]
    with store.transaction() as db:
        db.executemany("UPDATE external_links SET deleted=1 WHERE external_id=?", ids)
    return len(ids)


def read_status(store: LinkStore, bandits: LinkBanditConfig) -> CollectionStatus:
    """How the collection stands."""
    settings = store.settings() or CollectionSettings(budget_pages=bandits.budget_pages)
    pages = _counts(store, "SELECT number,count(*) FROM turns WHERE asked=1 GROUP BY number")
    waiting = _counts(store, "SELECT number,count(*) FROM internal_links WHERE state='waiting' GROUP BY number")
    external = _counts(store, "SELECT number,count(*) FROM external_links WHERE deleted=0 GROUP BY number")
    bad = _counts(store, "SELECT number,count(*) FROM bad_links GROUP BY number")
    level = _counts(store, "SELECT number,max(level) FROM internal_links WHERE state='processed' GROUP BY number")
    sites = tuple(
        SiteFigures(site, pages[n], waiting[n], external[n], bad[n], level.get(n))
        for site in target_sites(store)
        for n in (site.number,)
    )
    last = store.rows("SELECT i.url,t.at FROM turns t JOIN internal_links i USING(link_id) ORDER BY t.turn_id DESC LIMIT 1")
    return CollectionStatus(
        settings,
        policy_name(settings, bandits),
        collecting_process(store.folder),
        store.stop_requested,
        sum(pages.values()),
        sum(external.values()),
        sum(bad.values()),
        str(last[0]["url"]) if last else "",
        datetime.fromtimestamp(last[0]["at"], UTC) if last else None,
        sites,
    )


def _counts(store: LinkStore, statement: str) -> Counter[int]:
    return Counter({row[0]: row[1] for row in store.rows(statement)})


def _condition(kind: Kind, chosen: LinkFilter) -> tuple[str, list[object]]:
    level, *texts = _COLUMNS[kind]
    parts = list(_parts(kind, chosen, level, texts))
    return "".join(f" AND {part}" for part, _ in parts), [value for _, values in parts for value in values]


def _parts(kind: Kind, chosen: LinkFilter, level: str, texts: list[str]) -> Iterator[tuple[str, tuple[object, ...]]]:
    if chosen.site:
        yield "s.short_name=?", (chosen.site,)
    if chosen.host and kind == "external":
        yield "e.site=?", (chosen.host,)
    if chosen.level is not None:
        yield f"{level}<=?", (chosen.level,)
    if chosen.text:
        yield "(" + " OR ".join(f"instr(casefold({column}),?)" for column in texts) + ")", (chosen.text.casefold(),) * len(texts)
    if chosen.ids:
        yield f"e.external_id IN ({','.join('?' * len(chosen.ids))})", chosen.ids
