"""The version of the code that makes a table: a digest of the packages that decide its rows, and of the data they load.

The UI then shows which tables, and which dioceses of them, were made by other code than the present. Each asset names what
decides it (`DECIDED_BY`); here is what several name. What only delivers (resources, wiring) or reports is in no list.
"""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Final

_ROOT: Final = Path(__file__).resolve().parents[1]
_DATA: Final = frozenset({".toml", ".csv", ".skops", ".json", ".txt"})
_LENGTH: Final = 12

URLS: Final = ("crawling.fetching.addresses", "crawling.fetching.scope", "crawling.fetching.urls")
LINKS: Final = ("crawling.pages.links", "crawling.web_graph", "reading.text.tree_cost", *URLS)
_READERS: Final = tuple(
    f"reading.{room}" for room in ("doubts", "formats", "grammar", "phrases", "regular", "text", "validity", "words")
)
READING: Final = ("guard", "model.document", "model.records", "model.sniffing", *_READERS, "site_reading")
LOOKUPS: Final = "publishing.directory_lookups"
PUBLISHING: Final = (*READING, "reading.changes", "learning", "publishing.orders", LOOKUPS, "schedules")
POSITIONS: Final = (
    *(f"gathering.{module}" for module in ("address", "dedication", "osm", "words")),
    "finding.data",
    "finding.positions",
    "publishing.positions",
)


def code_version(module: str, decided_by: Sequence[str], root: Path = _ROOT) -> str:
    """Twelve hexadecimal digits that change when the rows of a table may.

    Args:
        module: `__name__` of its asset's module.
        decided_by: packages and modules below `mass_pipeline`, with the data they load.
        root: folder of the package.
    """
    digest = hashlib.sha256()
    names = (module.removeprefix("mass_pipeline."), *decided_by)
    for path in sorted({file for name in names for file in _files_of(root.joinpath(*name.split(".")))}):
        digest.update(f"{path.relative_to(root).as_posix()} {_digest(path)}\n".encode())
    return digest.hexdigest()[:_LENGTH]


@functools.cache
def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


@functools.cache
def _files_of(path: Path) -> tuple[Path, ...]:
    if not path.is_dir():
        return (path.with_suffix(".py"),)
    return tuple(file for file in path.rglob("*") if file.suffix == ".py" or file.suffix in _DATA)
