"""The version of the code that makes a table: a digest of the packages that decide its rows, and of the data they load.

The UI then tells which tables, and which dioceses of them, were made by other code than the present. A package counts by its
syntax: comments, docstrings and layout change no row. What only delivers (resources, partitions, Dagster's wiring) or reports
(errors, charts) is in no list.
"""

from __future__ import annotations

import ast
import contextlib
import functools
import gc
import hashlib
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from mass_pipeline.model.whole_files import replacing

_ROOT: Final = Path(__file__).resolve().parents[1]
_DATA: Final = frozenset({".toml", ".csv", ".skops", ".json", ".txt"})
_LENGTH: Final = 12
_DOCUMENTED: Final = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
_FORM: Final = b"1 "  # of `syntax_digest`: another number forgets what is remembered
_REMEMBERED: Final = Path("__pycache__") / "syntax_digests.json"

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
    digests = _digests(root)
    for path in sorted(set(_files(table, root))):
        digest.update(f"{path.relative_to(root).as_posix()} {digests[path]}\n".encode())
    return digest.hexdigest()[:_LENGTH]


def _files(table: str, root: Path) -> Iterator[Path]:
    """Sources and data of the packages that decide a table."""
    yield from root.glob(f"defs/*/{table}.py")
    for name in DECIDING[table]:
        path = root.joinpath(*name.split("."))
        if path.is_dir():
            yield from (file for file in path.rglob("*") if file.suffix == ".py" or file.suffix in _DATA)
        else:
            yield path.with_suffix(".py")


@functools.cache
def _digests(root: Path) -> dict[Path, str]:
    """Digest of every file that counts for some table; those of sources are remembered by their bytes, as parsing is dear."""
    remembered = _remembered(root)
    found, fresh = {}, {}
    collects = gc.isenabled()
    gc.disable()  # trees by the thousand: each search among them finds nothing
    try:
        for path in sorted({file for table in DECIDING for file in _files(table, root)}):
            content = path.read_bytes()
            key = hashlib.sha256(_FORM + content).hexdigest()
            if path.suffix == ".py":
                fresh[key] = remembered.get(key) or syntax_digest(content)
            found[path] = fresh.get(key, key)
    finally:
        if collects:
            gc.enable()
    if fresh != remembered:
        with contextlib.suppress(OSError):  # an installation that cannot be written parses every time
            (root / _REMEMBERED).parent.mkdir(exist_ok=True)
            with replacing(root / _REMEMBERED) as file:
                file.write_text(json.dumps(fresh), "utf-8")
    return found


def _remembered(root: Path) -> dict[str, str]:
    try:
        read: dict[str, str] = json.loads((root / _REMEMBERED).read_bytes())
    except (OSError, ValueError):
        return {}
    return read


def syntax_digest(source: bytes) -> str:
    """Digest of what a source does: its syntax tree without comments, docstrings and layout.

    >>> syntax_digest(b"def f(a):\\n    'Promise.'\\n    return a  # why") == syntax_digest(b"def f(a): return (a)")
    True
    >>> syntax_digest(b"a = 1") == syntax_digest(b"a = True")
    False
    """
    told: list[str] = []
    waiting: list[object] = [ast.parse(source)]
    while waiting:
        part = waiting.pop()
        if isinstance(part, ast.AST):
            if isinstance(part, _DOCUMENTED) and ast.get_docstring(part, clean=False) is not None:
                del part.body[0]
            told.append(type(part).__name__)
            for name, value in ast.iter_fields(part):
                if value is not None and value != []:  # newer versions of Python have more fields
                    waiting += (value, name)
        elif isinstance(part, list):
            told.append(str(len(part)))
            waiting += part
        else:
            told.append(repr(part))
    return hashlib.sha256("\0".join(told).encode()).hexdigest()
