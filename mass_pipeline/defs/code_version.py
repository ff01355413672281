"""The version of the code that makes a table: a digest of the packages that decide its rows, and of the data they load.

The UI then tells which tables, and which dioceses of them, were made by other code than the present. What only delivers
(resources, partitions, Dagster's wiring) or reports (errors, charts) is in no list.
"""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

_ROOT: Final = Path(__file__).resolve().parents[1]
_DATA: Final = frozenset({".toml", ".csv", ".skops", ".json", ".txt"})
_LENGTH: Final = 12

_URLS: Final = ("crawling.fetching.addresses", "crawling.fetching.scope", "crawling.fetching.urls")
_LINKS: Final = ("crawling.pages.links", "crawling.web_graph", "reading.text.tree_cost", *_URLS)
_READERS: Final = tuple(
    f"reading.{room}" for room in ("config", "doubts", "formats", "grammar", "phrases", "regular", "text", "validity", "words")
)
_READING: Final = (
    "guard", "model.document", "model.records", "model.sniffing", *_READERS, "site_reading",
)  # fmt: skip
_SEEDS: Final = "publishing.seeds"
_LOOKUPS: Final = "publishing.directory_lookups"
_PUBLISHING: Final = (*_READING, "reading.changes", "learning", "publishing.orders", _LOOKUPS, "schedules")
_POSITIONS: Final = (
    "gathering.address",
    "gathering.dedication",
    "gathering.osm",
    "gathering.words",
    "finding.data",
    "finding.positions",
    "publishing.positions",
)

DECIDING: Final[Mapping[str, tuple[str, ...]]] = {
    "parishes": ("gathering", "reading.text.charset", *_URLS),
    "parish_urls": ("gathering", "reading.text.charset", *_URLS),
    "crawled_pages": (
        "crawl_readers.stop_rule",
        "crawling",
        "reading.text.charset",
        "reading.text.feed_entries",
        "guard",
        "model.sniffing",
        _SEEDS,
    ),
    "external_links": (*_LINKS, "reading.text.charset"),
    "companion_sites": _LINKS,
    "candidate_hours": (*_READING, _LOOKUPS, "learning.schema"),
    "annotated_set": ("learning",),
    "hours_classifier": (*_READING, "learning", "publishing.taught", "schedules.checked"),
    "mass_schedules": _PUBLISHING,
    "confession_hours": (*_READING, "reading.confession", "publishing.confession", _LOOKUPS),
    "announcements": (*_READING, "reading.changes", "publishing.announcements", _SEEDS, "crawl_readers", "crawling"),
    "parish_states": (*_PUBLISHING, "publishing.states", *_URLS),
    "parish_positions": (*_POSITIONS, "finding.config", "finding.gazetteer"),
    "public_index": (
        *_POSITIONS,
        "crawling.fetching.scope",
        "crawling.watching.store",
        "crawling.watching.records",
        "finding",
        "publishing.index",
        "reading.formats",
        "reading.words.masking",
        "schedules",
    ),
}
"""Packages and modules below `mass_pipeline` that decide the rows of each table; the module of its asset always does."""


@functools.cache
def code_version(table: str, root: Path = _ROOT) -> str:
    """Twelve hexadecimal digits that change when the rows of a table may.

    Args:
        table: key of an asset.
        root: folder of the package.

    Raises:
        KeyError: nobody has said which packages decide it.
    """
    digest = hashlib.sha256()
    for path in sorted(set(_files(table, root))):
        digest.update(f"{path.relative_to(root).as_posix()} {_digest(path)}\n".encode())
    return digest.hexdigest()[:_LENGTH]


@functools.cache
def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _files(table: str, root: Path) -> Iterator[Path]:
    """Sources and data of the packages that decide a table."""
    yield from root.glob(f"defs/*/{table}.py")
    for name in DECIDING[table]:
        yield from _files_of(root.joinpath(*name.split(".")))


@functools.cache
def _files_of(path: Path) -> tuple[Path, ...]:
    if not path.is_dir():
        return (path.with_suffix(".py"),)
    return tuple(file for file in path.rglob("*") if file.suffix == ".py" or file.suffix in _DATA)
