"""The column dictionary: the one source of names, types, units and meanings of every published table.

Schemas, documentation, UI column lists and checks derive from it; a column that several tables share is defined once.
"""

from __future__ import annotations

from typing import Final

import pyarrow as pa

from mass_pipeline.model.states import KNOWN_STATES, TIED, UNKNOWN_STATES
from mass_pipeline.model.table import Column, Table

_TIMESTAMP: Final = pa.timestamp("ms", tz="UTC")
_STRINGS: Final = pa.list_(pa.string())


# Columns that have one origin
_READ: Final = ("time", "raw", "left", "right", "heading", "day_scope", "block", "list_index", "page_score", "rule_reading")
_MASS: Final = ("days", "time", "season", "nth", "place", "note", "quote", "method", "confidence", "season_days")
_PLACE: Final = ("latitude", "longitude", "precision_m", "method", "source", "source_id")

# Shared columns
PARISH_ID = Column("parish_id", pa.string(), "Stable identifier of the parish, derived from its directory entry")
DIOCESE_KEY = Column("diocese_key", pa.string(), "Key of the diocese: a partition of data/dioceses.csv")
URL = Column("url", pa.string(), "Canonical URL (WHATWG)")
SOURCE = Column("source", pa.string(), "Where the row comes from")
FETCHED_AT = Column("fetched_at", _TIMESTAMP, "When the source was fetched", nullable=True)
CHECKED_AT = Column(
    "checked_at", _TIMESTAMP, "When its server last confirmed the source: fetched, or found unchanged", nullable=True
)
ASKED_AT = Column("asked_at", _TIMESTAMP, "When the source was last asked for, whatever came of it", nullable=True)
TIME = Column("time", pa.string(), "Local clock time", unit="HH:MM")

URL_STATUSES: Final = ("ok", "ambiguous", "not_found", "error", "pending")
OUTCOMES: Final = (
    "ok",
    "not_modified",
    "redirect",
    "forbidden_by_robots",
    "blocked_address",
    "too_large",
    "truncated",
    "not_text",
    "timeout",
    "tls_error",
    "protocol_error",
    "http_4xx",
    "http_5xx",
    "dns_error",
    "refused",
    "deferred",
    "noindex",
    "trap",
    "duplicate",
    "out_of_scope",
    "bad_url",
    "gone",
    "not_needed",
    "error",
    "paused_disk",
)
ANSWERED_OUTCOMES: Final = ("ok", "truncated", "not_modified")  # the last look confirmed the body of the row
FAILED_OUTCOMES: Final = (  # the last look revealed nothing about the page: a body from before is still what is known of it
    "timeout",
    "tls_error",
    "protocol_error",
    "http_4xx",
    "http_5xx",
    "dns_error",
    "refused",
    "blocked_address",
    "deferred",
    "error",
)
READABLE_OUTCOMES: Final = ANSWERED_OUTCOMES + FAILED_OUTCOMES  # a row with a body and one of these is worth reading
GONE: Final = "gone"  # its server says that it is no more; read only where nothing of the site answers (site_reading.pages)
LABELS: Final = ("mass", "not_mass", "cancelled")
SPLITS: Final = ("train", "dev", "test")
METHODS: Final = ("rules", "classifier", "both", "person", "people")
EXCEPTIONS: Final = ("added", "cancelled", "only")
POSITION_METHODS: Final = ("table", "osm", "site", "locality", "post_town", "postcode")  # the ladder, best first
WHEELCHAIR: Final = ("yes", "limited", "no")
ARTICLE_SOURCES: Final = ("list", "feed", "sitemap", "page")  # what led to an article; page: it was itself a list page

PARISHES: Final = Table(
    "parishes",
    (
        PARISH_ID,
        Column("name", pa.string(), "Dedication as the directory writes it"),
        Column("town", pa.string(), "Town or village"),
        Column("voivodeship", pa.string(), "Voivodeship; filled from the postcode where the directory has none", nullable=True),
        Column("address", pa.string(), "Address as written, parts joined by |"),
        Column("street", pa.string(), "Street and number, or the village and number", nullable=True),
        Column("postcode", pa.string(), "Postcode", unit="NN-NNN", nullable=True),
        Column("deanery", pa.string(), "Deanery", nullable=True),
        Column("diocese", pa.string(), "Diocese as the directory writes it"),
        DIOCESE_KEY,
        Column("directory_url", pa.string(), "Page of the parish in the directory", nullable=True),
        Column("website_hint", pa.string(), "Web site that the directory names", nullable=True),
        SOURCE,
        FETCHED_AT,
    ),
    ("parish_id",),
)

_CANDIDATE_SITE: Final = pa.struct(
    [("url", pa.string()), ("source", pa.string()), ("evidence", _STRINGS), ("score", pa.float64())]
)

PARISH_URLS: Final = Table(
    "parish_urls",
    (
        PARISH_ID,
        DIOCESE_KEY,
        Column("status", pa.string(), "How the look-up ended", values=URL_STATUSES),
        Column("url", pa.string(), "Start URL of the parish's own web site", nullable=True),
        Column("scope_prefix", pa.string(), "Path that belongs to the parish on a shared host, else /", nullable=True),
        Column("shared_host", pa.bool_(), "Whether other parishes live on the same host"),
        Column("place_id", pa.string(), "Google place id (may be kept without limit)", nullable=True),
        Column("source", pa.string(), "Source of the chosen URL", nullable=True),
        Column("query", pa.string(), "Text Search query that found it", nullable=True),
        Column("candidates", pa.list_(_CANDIDATE_SITE), "Every candidate with source, evidence and score, best first"),
        Column("verified", pa.bool_(), "Whether the site itself names the parish"),
        Column("checked_at", _TIMESTAMP, "When the look-up ended", nullable=True),
    ),
    ("parish_id",),
    same_as="parishes",
    made_of={
        "url": ("parishes.name", "parishes.town", "parishes.website_hint"),
        "query": ("parishes.name", "parishes.town", "parishes.address"),
        "verified": ("parishes.name", "parishes.town"),
    },
)

CRAWLED_PAGES: Final = Table(
    "crawled_pages",
    (
        PARISH_ID,
        URL,
        Column("final_url", pa.string(), "URL that answered, after redirects", nullable=True),
        Column("url_md5", pa.string(), "MD5 of the canonical URL: name of the page in the repository"),
        Column("start_url", pa.string(), "Start URL of the crawl of this parish"),
        Column("domain", pa.string(), "Registrable domain of the start URL"),
        Column("depth", pa.int16(), "Least number of links from the start page", unit="links"),
        Column("referrer", pa.string(), "Page on which the link was found", nullable=True),
        Column("link_text", pa.string(), "Anchor text of that link", nullable=True),
        Column("outcome", pa.string(), "How the fetch ended", values=OUTCOMES),
        Column("status", pa.int16(), "HTTP status", nullable=True),
        Column("content_type", pa.string(), "Content-Type header", nullable=True),
        Column("encoding", pa.string(), "Character encoding used to read the body, and why", nullable=True),
        Column("etag", pa.string(), "ETag header", nullable=True),
        Column("last_modified", pa.string(), "Last-Modified header", nullable=True),
        FETCHED_AT,
        CHECKED_AT,
        ASKED_AT,
        Column("elapsed_ms", pa.int32(), "From connection to the end of the body", unit="ms", nullable=True),
        Column("truncated", pa.bool_(), "Whether the body is not whole: cut at the size limit, or broken off"),
        Column(
            "rendering",
            pa.string(),
            "What came of showing the page to a browser: `rendered: ...` when the body is what it showed, else why not",
            nullable=True,
        ),
        Column("body", pa.binary(), "Body as received, content encoding removed; or as a browser showed it", nullable=True),
        Column("body_sha256", pa.string(), "SHA-256 of the body", nullable=True),
    ),
    ("parish_id", "url"),
    is_partitioned=True,
    made_of={
        "parish_id": ("parish_urls.parish_id",),
        "start_url": ("parish_urls.url",),
        "url": ("parish_urls.url", "parish_urls.scope_prefix"),
        "domain": ("parish_urls.url",),
    },
)

CANDIDATE_HOURS: Final = Table(
    "candidate_hours",
    (
        Column("candidate_id", pa.string(), "Identifier derived from parish, URL, context and position among equals"),
        PARISH_ID,
        URL,
        TIME,
        Column("raw", pa.string(), "The hour as written"),
        Column("left", pa.string(), "Visible text before the hour, lines separated by newlines, about 40 words"),
        Column("right", pa.string(), "Visible text after the hour, about 25 words"),
        Column("heading", pa.string(), "Nearest heading above", nullable=True),
        Column("day_scope", pa.string(), "Day words that govern the hour", nullable=True),
        Column("block", pa.string(), "Kind of block and region, for example list_item/aside"),
        Column("list_index", pa.int16(), "Position of the hour among the hours of its line, from 0"),
        Column("page_score", pa.float32(), "How likely the page states the standing schedule", unit="0..1"),
        Column("rule_reading", pa.string(), "JSON of the Mass record the rules gave this hour", nullable=True),
    ),
    ("candidate_id",),
    is_partitioned=True,
    same_as="crawled_pages",
    made_of=dict.fromkeys(_READ, ("crawled_pages.body",)),
)

ANNOTATED_SET: Final = Table(
    "annotated_set",
    (
        Column("candidate_id", pa.string(), "The candidate hour"),
        PARISH_ID,
        Column("label", pa.string(), "What the hour is", values=LABELS),
        Column("dated", pa.bool_(), "Whether it holds for single dates only", nullable=True),
        Column(
            "source",
            pa.string(),
            "Who labelled it: people asked about the hour or about a row that rests on it, rules, or sampling",
            values=("crowd", "rows", "rules", "sampled_negative"),
        ),
        Column("weight", pa.float32(), "Weight in training", unit="0..1"),
        Column("n_votes", pa.int32(), "Number of counted votes", unit="votes"),
        Column("split", pa.string(), "Part of the data, by parish and stable over time", values=SPLITS),
    ),
    ("candidate_id",),
    same_as="candidate_hours",
    made_of={
        "label": ("candidate_hours.rule_reading",),
        "dated": ("candidate_hours.rule_reading",),
        "split": ("candidate_hours.parish_id",),
    },
)

_HEARD: Final = pa.struct(
    [
        ("source", pa.string()),  # directory, last_reading
        ("says", pa.string()),  # agrees, contradicts
        ("hours", pa.string()),  # all its Masses on the days of the row
        ("source_url", pa.string()),  # its page
        ("quote", pa.string()),  # the words on that page
        ("said_at", _TIMESTAMP),  # when that page was last confirmed
        ("rule", pa.string()),  # what decided
    ]
)

_CHECKED: Final = pa.struct(
    [
        ("people", pa.int16()),  # certainly distinct ones
        ("on", pa.date32()),  # day in Poland
        ("by", pa.string()),  # people, operator
    ]
)

MASS_SCHEDULES: Final = Table(
    "mass_schedules",
    (
        PARISH_ID,
        Column("days", _STRINGS, "Days: Mo..Su, PH (holy day of obligation), AF (abolished feast)"),
        TIME,
        Column("season", pa.string(), "Season token or months MM-MM"),
        Column("nth", pa.list_(pa.int8()), "Ordinals of the weekday in its month, -1 last; null means every week", nullable=True),
        Column("place", pa.string(), "Place of the Mass, empty for the parish church"),
        Column("note", pa.string(), "What the source says beside the hour"),
        Column(
            "method",
            pa.string(),
            "Who accepted the row: rules, classifier or both as it was read; people: read and settled by people (see checked); "
            "person: not read, given by the parish or a visitor, and approved",
            values=METHODS,
        ),
        Column("confidence", pa.float32(), "Probability that the row is right", unit="0..1"),
        Column("source_url", pa.string(), "Page on which it was read"),
        Column("quote", pa.string(), "The words on that page"),
        Column("page_sha256", pa.string(), "SHA-256 of that page's body"),
        FETCHED_AT,
        CHECKED_AT,
        Column("valid_from", pa.date32(), "First day of a dated exception or of an approved order yet to come", nullable=True),
        Column("valid_to", pa.date32(), "Last day of a dated exception or of an order that ends", nullable=True),
        Column(
            "exception",
            pa.string(),
            "Dated exception: added beside the standing order, cancelled, or only (the day has just these); null: standing order",
            nullable=True,
            values=EXCEPTIONS,
        ),
        Column(
            "service_times",
            pa.string(),
            "The parish's standing order in OSM opening_hours syntax, hours open-ended (08:00+); holy days as dates",
        ),
        Column("service_times_points", pa.string(), "The same with hours as points of time (08:00)", nullable=True),
        Column("service_times_note", pa.string(), "What that syntax cannot say of the order, in words", nullable=True),
        Column(
            "heard",
            pa.list_(_HEARD),
            "What the directory and the last reading say of the row, and the rule that decides",
            nullable=True,
        ),
        Column("checked", _CHECKED, "Of a row that people settled: how many, on which day, who", nullable=True),
        Column(
            "season_days",
            pa.string(),
            "First and last day of a season inside months, MM-DD/MM-DD, inclusive, may wrap the year; empty: season says it",
            nullable=True,
        ),
    ),
    (
        "parish_id",
        "days",
        "time",
        "season",
        "nth",
        "place",
        "note",
        "valid_from",
        "source_url",
        "valid_to",
        "exception",
        "season_days",
    ),
    is_partitioned=True,
    made_of={
        "parish_id": ("crawled_pages.parish_id", "announcements.parish_id"),
        **dict.fromkeys(_MASS, ("crawled_pages.body", "announcements.changes")),
        **dict.fromkeys(("valid_from", "valid_to", "exception"), ("announcements.changes",)),
        "source_url": ("crawled_pages.url", "announcements.url"),
        "page_sha256": ("crawled_pages.body_sha256", "announcements.article_sha256"),
        "fetched_at": ("crawled_pages.fetched_at", "announcements.fetched_at"),
        "checked_at": ("crawled_pages.checked_at",),
        **dict.fromkeys(("service_times", "service_times_points", "service_times_note"), ("crawled_pages.body",)),
    },
)

CONFESSION_HOURS: Final = Table(
    "confession_hours",
    (
        PARISH_ID,
        Column("days", _STRINGS, "Days: Mo..Su, PH (holy day of obligation)"),
        Column("nth", pa.list_(pa.int8()), "Ordinals of the weekday in its month, -1 last; null means every week", nullable=True),
        Column("tied", pa.string(), "To clock hours, or to the Masses of the days", values=TIED),
        Column("start", pa.string(), "Local clock time at which it begins; empty: not said", unit="HH:MM"),
        Column("until", pa.string(), "Local clock time at which it ends; empty: not said", unit="HH:MM"),
        Column("minutes", pa.int16(), "How long before the Mass; null: not said", unit="minutes", nullable=True),
        Column("masses", pa.string(), "The only Masses meant: morning, evening, or their hours; empty: all of the days"),
        Column("source_url", pa.string(), "Page on which it was read"),
        Column("quote", pa.string(), "The words on that page"),
        Column("page_sha256", pa.string(), "SHA-256 of that page's body"),
        FETCHED_AT,
        CHECKED_AT,
    ),
    ("parish_id", "days", "nth", "tied", "start", "until", "minutes", "masses"),
    is_partitioned=True,
    same_as="crawled_pages",
    made_of={
        **dict.fromkeys(("days", "nth", "tied", "start", "until", "minutes", "masses", "quote"), ("crawled_pages.body",)),
        "source_url": ("crawled_pages.url",),
        "page_sha256": ("crawled_pages.body_sha256",),
    },
)

PARISH_STATES: Final = Table(
    "parish_states",
    (
        PARISH_ID,
        Column(
            "state",
            pa.string(),
            "Freshness of the published standing order, or why none is known",
            values=KNOWN_STATES + UNKNOWN_STATES,
        ),
        Column("reason", pa.string(), "That state in words, with what was found"),
        Column("url", pa.string(), "Page or file that shows it; null when there is none", nullable=True),
        Column("masses", pa.int32(), "Rows of the published standing order", unit="rows"),
        FETCHED_AT,
        CHECKED_AT,
        ASKED_AT,
        Column("approved_at", _TIMESTAMP, "When a person approved the order in force", nullable=True),
        Column("differs", pa.bool_(), "Whether the site says something else than the approved order"),
        Column("proposals", pa.int32(), "Changes that wait for a person", unit="proposals"),
    ),
    ("parish_id",),
    is_partitioned=True,
    same_as="parishes",
    made_of={
        "state": ("mass_schedules.checked_at", "parish_urls.status", "crawled_pages.outcome"),
        "reason": ("parish_urls.status", "crawled_pages.outcome", "crawled_pages.rendering", "crawled_pages.body"),
        "url": ("parish_urls.url", "mass_schedules.source_url"),
        "masses": ("mass_schedules.time",),
        "fetched_at": ("mass_schedules.fetched_at",),
        "checked_at": ("mass_schedules.checked_at",),
        "asked_at": ("crawled_pages.asked_at",),
    },
)

# What the words of a change say besides (reading.changes.change.ChangeDetails, which tells what each value means).
_DETAILS: Final = pa.struct(
    [
        *((name, _STRINGS) for name in ("weekdays", "places", "places_first", "hours", "hindered", "lists")),
        *((name, pa.string()) for name in ("mass_of", "days_told", "list_part")),
        *(
            (name, pa.bool_())
            for name in (
                "is_weekly", "is_general", "is_here", "is_of_several", "is_exceptional", "is_beside", "lists_hours",
                "is_of_roraty", "is_midnight_mass", "is_seasonal",
            )
        ),
    ]
)  # fmt: skip

# One dated change an announcement makes (reading.changes.change.ScheduleChange).
_CHANGE: Final = pa.struct(
    [
        ("kind", pa.string()),  # reading.changes.Change
        ("valid_from", pa.date32()),  # first day
        ("valid_to", pa.date32()),  # last day, inclusive; null for a lasting change
        ("times", _STRINGS),  # hours concerned, HH:MM; empty when none are named
        ("new_times", _STRINGS),  # hours after a move
        ("part", pa.string()),  # morning, evening, or empty
        ("details", _DETAILS),
        ("quote", pa.string()),  # the words
        ("doubts", _STRINGS),  # reading.changes.Doubt; with any of them the change waits for a person
    ]
)

ANNOUNCEMENTS: Final = Table(
    "announcements",
    (
        Column("announcement_id", pa.string(), "Identifier derived from parish, URL and words; the same words keep it"),
        PARISH_ID,
        URL,
        Column("site", pa.string(), "Host of the source site"),
        Column("list_url", pa.string(), "List page, feed or sitemap that led to the article", nullable=True),
        Column("source", pa.string(), "What led to the article", values=ARTICLE_SOURCES),
        Column("anchor", pa.string(), "Text of the link on the list page, or title in the feed"),
        Column("title", pa.string(), "Title of the article, masked likewise"),
        Column("author", pa.string(), "Author as the page names him", nullable=True),
        Column("meta_keywords", pa.string(), "Keywords of the page's head", nullable=True),
        Column("meta_description", pa.string(), "Description of the page's head", nullable=True),
        Column("issued", pa.date32(), "Day of publication; null when page, feed and list do not tell it", nullable=True),
        Column("position", pa.int16(), "Place among the announcements of the article, from 0"),
        Column("text", pa.string(), "Words of the announcement, masked; the whole main text when it is not divided"),
        Column("topic", pa.string(), "Topic for which it was kept"),
        Column("model", pa.string(), "Model of relevance that kept it", values=("boolean", "tags", "vector")),
        Column("score", pa.float32(), "Score of that model; kept when at or over the topic's threshold"),
        Column("changes", pa.list_(_CHANGE), "Dated changes of the order of Masses that it makes, in order of the words"),
        Column("article_sha256", pa.string(), "SHA-256 of the article's body"),
        Column("first_seen_at", _TIMESTAMP, "When these words were first found there"),
        Column("fetched_at", _TIMESTAMP, "When the article was fetched in the state that holds them last"),
    ),
    ("parish_id", "url", "announcement_id"),
    is_partitioned=True,
    made_of={
        "parish_id": ("parish_urls.parish_id",),
        "list_url": ("crawled_pages.url", "crawled_pages.body"),
        "site": ("parish_urls.url",),
    },
)

LINK_RELATIONS: Final = ("external", "subdomain")

EXTERNAL_LINKS: Final = Table(
    "external_links",
    (
        PARISH_ID,
        Column("url", pa.string(), "Where the link leads: canonical URL outside the parish's own site"),
        Column("site", pa.string(), "Registrable domain of that URL"),
        Column("relation", pa.string(), "external, or subdomain: another host of the site's own domain", values=LINK_RELATIONS),
        Column("source_url", pa.string(), "Page of least level on which the link stands"),
        Column("level", pa.int16(), "Least number of internal links from the start page to that page", unit="links"),
        Column("anchor", pa.string(), "Words of the link, empty when it has none"),
        Column("context", pa.string(), "Words before and after the link, [...] in its place; empty when it stands alone"),
        Column("page_sha256", pa.string(), "SHA-256 of that page's body"),
        FETCHED_AT,
    ),
    ("parish_id", "url"),
    is_partitioned=True,
    same_as="crawled_pages",
    made_of={
        "url": ("crawled_pages.body",),
        "site": ("crawled_pages.body",),
        "relation": ("crawled_pages.body", "crawled_pages.start_url"),
        "source_url": ("crawled_pages.url",),
        "level": ("crawled_pages.depth",),
        "anchor": ("crawled_pages.body",),
        "context": ("crawled_pages.body",),
        "page_sha256": ("crawled_pages.body_sha256",),
    },
)

PARISH_POSITIONS: Final = Table(
    "parish_positions",
    (
        PARISH_ID,
        Column("latitude", pa.float64(), "Latitude (WGS 84)", unit="degrees", nullable=True),
        Column("longitude", pa.float64(), "Longitude (WGS 84)", unit="degrees", nullable=True),
        Column("precision_m", pa.int32(), "How far the church may be from that point", unit="m", nullable=True),
        Column("method", pa.string(), "Step of the ladder that gave the point", nullable=True, values=POSITION_METHODS),
        Column("source", pa.string(), "Where the point comes from", nullable=True),
        Column("source_id", pa.string(), "Object or page of the source, for example way/123", nullable=True),
        Column("wheelchair", pa.string(), "OpenStreetMap's wheelchair tag; null: not stated", nullable=True, values=WHEELCHAIR),
        Column("wheelchair_at", pa.date32(), "Day of the extract that says so", nullable=True),
        Column("licence", pa.string(), "Licence of the point (SPDX)", nullable=True),
        Column("attribution", pa.string(), "Words that must stand beside it", nullable=True),
        Column("checked_at", _TIMESTAMP, "When the ladder was climbed"),
    ),
    ("parish_id",),
    same_as="parishes",
    made_of=dict.fromkeys(_PLACE, ("parishes.street", "parishes.town", "parishes.postcode", "crawled_pages.body")),
)

COMPANION_SITES: Final = Table(
    "companion_sites",
    (
        Column("site", pa.string(), "Registrable domain of a site outside the target set that the set links to"),
        Column("connectivity", pa.int32(), "Number of parishes that link to it: the subset it belongs to", unit="parishes"),
        Column("links", pa.int32(), "Number of different links to it", unit="links"),
        Column("dioceses", _STRINGS, "Keys of the dioceses of those parishes, sorted"),
        Column("linked_from", _STRINGS, "Those parishes, sorted"),
        Column("example_url", pa.string(), "The address on it that most of them link to"),
        Column("example_anchor", pa.string(), "Words of one such link, empty when none has any"),
    ),
    ("site",),
    made_of={
        "site": ("external_links.site", "parish_urls.url"),
        "connectivity": ("external_links.parish_id",),
        "links": ("external_links.url",),
        "dioceses": ("parish_urls.diocese_key",),
        "linked_from": ("external_links.parish_id",),
        "example_url": ("external_links.url",),
        "example_anchor": ("external_links.anchor",),
    },
)

TABLES: Final = {
    table.name: table
    for table in (
        PARISHES,
        PARISH_URLS,
        CRAWLED_PAGES,
        CANDIDATE_HOURS,
        ANNOTATED_SET,
        MASS_SCHEDULES,
        CONFESSION_HOURS,
        PARISH_STATES,
        ANNOUNCEMENTS,
        EXTERNAL_LINKS,
        COMPANION_SITES,
        PARISH_POSITIONS,
    )
}


def column_lineage(table: str) -> dict[str, tuple[str, ...]]:
    """Column -> the columns it is made of, as `table.column`; empty for a table that begins outside.

    >>> column_lineage("companion_sites")["connectivity"]
    ('external_links.parish_id',)
    """
    below = TABLES[table]
    made = dict(below.made_of)
    if below.same_as is not None:
        above = TABLES[below.same_as].names
        made = {name: (f"{below.same_as}.{name}",) for name in below.names if name in above} | made
    return {name: made[name] for name in below.names if name in made}
