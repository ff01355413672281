"""Which columns a published column is made from, table by table. Columns from outside the project have no entry."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from mass_pipeline.model.columns import TABLES

_SAME: Final[Mapping[str, tuple[str, ...]]] = {  # taken over under the same name from these tables
    "parish_urls": ("parishes",),
    "candidate_hours": ("crawled_pages",),
    "annotated_set": ("candidate_hours",),
    "external_links": ("crawled_pages",),
    "confession_hours": ("crawled_pages",),
    "parish_positions": ("parishes",),
    "parish_states": ("parishes",),
}
_READ: Final = ("time", "raw", "left", "right", "heading", "day_scope", "block", "list_index", "page_score", "rule_reading")
_MASS: Final = ("days", "time", "season", "nth", "place", "note", "quote", "method", "confidence", "season_days")
_PLACE: Final = ("latitude", "longitude", "precision_m", "method", "source", "source_id")
_MADE: Final[Mapping[str, Mapping[str, tuple[str, ...]]]] = {
    "parish_urls": {
        "url": ("parishes.name", "parishes.town", "parishes.website_hint"),
        "query": ("parishes.name", "parishes.town", "parishes.address"),
        "verified": ("parishes.name", "parishes.town"),
    },
    "crawled_pages": {
        "parish_id": ("parish_urls.parish_id",),
        "start_url": ("parish_urls.url",),
        "url": ("parish_urls.url", "parish_urls.scope_prefix"),
        "domain": ("parish_urls.url",),
    },
    "candidate_hours": dict.fromkeys(_READ, ("crawled_pages.body",)),
    "annotated_set": {
        "label": ("candidate_hours.rule_reading",),
        "dated": ("candidate_hours.rule_reading",),
        "split": ("candidate_hours.parish_id",),
    },
    "mass_schedules": {
        "parish_id": ("crawled_pages.parish_id", "announcements.parish_id"),
        **dict.fromkeys(_MASS, ("crawled_pages.body", "announcements.changes")),
        **dict.fromkeys(("valid_from", "valid_to", "exception"), ("announcements.changes",)),
        "source_url": ("crawled_pages.url", "announcements.url"),
        "page_sha256": ("crawled_pages.body_sha256", "announcements.article_sha256"),
        "fetched_at": ("crawled_pages.fetched_at", "announcements.fetched_at"),
        "checked_at": ("crawled_pages.checked_at",),
        **dict.fromkeys(("service_times", "service_times_points", "service_times_note"), ("crawled_pages.body",)),
    },
    "confession_hours": {
        **dict.fromkeys(("days", "nth", "tied", "start", "until", "minutes", "masses", "quote"), ("crawled_pages.body",)),
        "source_url": ("crawled_pages.url",),
        "page_sha256": ("crawled_pages.body_sha256",),
    },
    "parish_states": {
        "state": ("mass_schedules.checked_at", "parish_urls.status", "crawled_pages.outcome"),
        "reason": ("parish_urls.status", "crawled_pages.outcome", "crawled_pages.rendering", "crawled_pages.body"),
        "url": ("parish_urls.url", "mass_schedules.source_url"),
        "masses": ("mass_schedules.time",),
        "fetched_at": ("mass_schedules.fetched_at",),
        "checked_at": ("mass_schedules.checked_at",),
        "asked_at": ("crawled_pages.asked_at",),
    },
    "announcements": {
        "parish_id": ("parish_urls.parish_id",),
        "list_url": ("crawled_pages.url", "crawled_pages.body"),
        "site": ("parish_urls.url",),
    },
    "external_links": {
        "url": ("crawled_pages.body",),
        "site": ("crawled_pages.body",),
        "relation": ("crawled_pages.body", "crawled_pages.start_url"),
        "source_url": ("crawled_pages.url",),
        "level": ("crawled_pages.depth",),
        "anchor": ("crawled_pages.body",),
        "context": ("crawled_pages.body",),
        "page_sha256": ("crawled_pages.body_sha256",),
    },
    "companion_sites": {
        "site": ("external_links.site", "parish_urls.url"),
        "connectivity": ("external_links.parish_id",),
        "links": ("external_links.url",),
        "dioceses": ("parish_urls.diocese_key",),
        "linked_from": ("external_links.parish_id",),
        "example_url": ("external_links.url",),
        "example_anchor": ("external_links.anchor",),
    },
    "parish_positions": dict.fromkeys(_PLACE, ("parishes.street", "parishes.town", "parishes.postcode", "crawled_pages.body")),
}


def column_lineage(table: str) -> dict[str, tuple[str, ...]]:
    """Column -> the columns it is made from, as `table.column`; empty for a table that begins outside.

    >>> column_lineage("companion_sites")["connectivity"]
    ('external_links.parish_id',)
    """
    made = dict(_MADE.get(table, {}))
    for above in _SAME.get(table, ()):
        for name in TABLES[table].names:
            if name in TABLES[above].names:
                made.setdefault(name, (f"{above}.{name}",))
    return {name: made[name] for name in TABLES[table].names if name in made} if table in TABLES else {}
