"""Take the words of a page, or of all pages of a host, out of everything this installation keeps.

Each part is atomic: a table's partition, a state file, the database of questions, the log of reviews. The refusal is recorded
first, so that whatever is interrupted is finished by asking again, and no crawl in between brings anything back. Belongs: the
tables, the log, and the order of it all. Not here: rows of state files (crawling.state.erasing), questions (annotation.store).
"""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import orjson
import pyarrow as pa
import pyarrow.parquet as pq

from mass_pipeline.crawling.fetching.host_table import erase_hosts
from mass_pipeline.crawling.fetching.scope import OptOuts
from mass_pipeline.crawling.state import erasing
from mass_pipeline.finding.index.generations import Generation
from mass_pipeline.gathering.raw_pages import erase_raw_pages
from mass_pipeline.gathering.state import DiscoveryState
from mass_pipeline.learning.registry import FOLDER
from mass_pipeline.model.columns import MASS_SCHEDULES, PARISH_STATES, TABLES
from mass_pipeline.model.errors import MassPipelineError
from mass_pipeline.model.table import Table
from mass_pipeline.publishing.generations import generations_of
from mass_pipeline.publishing.index import PublishedTables, publish_index
from mass_pipeline.publishing.reviews import REVIEWS
from mass_pipeline.publishing.verdicts import VerdictLog
from mass_pipeline.resources.annotations import AppAnnotations
from mass_pipeline.resources.crawl_snapshots import CrawlSnapshots
from mass_pipeline.resources.lake import Lake, open_lake
from mass_pipeline.resources.settings import Settings
from mass_pipeline.storage.opening import open_objects
from mass_pipeline.storage.ports import ObjectStore, change

# Columns that say where the words of a row come from.
_SOURCES: Final = ("url", "final_url", "source_url", "list_url", "example_url")
_KEPT: Final = frozenset({"parish_urls", "parish_states"})  # one row per parish: addresses, and reasons without words of pages
_OF_THE_WHOLE: Final = ("service_times", "service_times_points", "service_times_note")
_REMOVED: Final = "removed at the wish of its owner"
_CHUNK: Final = 2_000  # rows
_STATES: Final = ("crawl/*/crawl.sqlite", "watch/*/watch.sqlite", "links/links.sqlite")


@dataclass(frozen=True, slots=True)
class Erased:
    """What was taken out of one part.

    Attributes:
        part: file or table, relative to the data folder.
        what: of what.
        count: how many; 0 where nothing was.
    """

    part: str
    what: str
    count: int


def erase(settings: Settings, removals: OptOuts) -> Iterator[Erased]:
    """Take everything that is covered out of one part after the other.

    Args:
        settings: whose data folder and database of questions.
        removals: what is to go.

    Yields:
        One entry per part that exists, in the order of the lineage, once it is done.

    Raises:
        StorageError: a part is in use or cannot be written; those reported before are done, the rest is not.
        MassPipelineError: the gate of the public index refuses one without the words.
    """
    folder = settings.data_folder
    snapshots = CrawlSnapshots.of(settings)
    copied = snapshots.dioceses()
    for diocese in copied:  # the copies are erased as what they are copies of
        snapshots.fetch(diocese)
    for pattern in _STATES:
        for path in sorted((folder / "state").glob(pattern)):
            with erasing.erasing(path) as connection:
                count = erasing.erase(connection, removals)
            yield Erased(str(path.relative_to(folder)), "pages", count)
            logged = erasing.erase_log_entries(path.parent, removals.covers)
            yield Erased(str(path.parent.relative_to(folder)), "entries of logs", logged)
    for diocese in copied:
        snapshots.keep(diocese)
    yield from _erase_discovery(settings, removals)
    if "://" not in settings.leases:  # in a database of several machines they are forgotten after two days
        for path, count in erase_hosts(Path(settings.leases), removals.covers):
            yield Erased(f"leases/{path.name}", "hosts", count)
    yield from _erase_in_lake(open_lake(settings), removals)
    yield from _erase_reviews(open_objects(settings.shared), removals)
    yield from _erase_test_parts(open_objects(settings.shared), removals)
    questions = AppAnnotations.of(settings).erase(removals.covers)
    if questions is not None:
        yield Erased("annotation database", "questions", questions)
    yield Erased("state/verdicts", "findings of checks", VerdictLog(settings.shared).forget_findings())
    yield from _erase_generations(settings, removals)


def _erase_discovery(settings: Settings, removals: OptOuts) -> Iterator[Erased]:
    """Pages of directory walks, where discovery has a state."""
    file = settings.data_folder / "state" / "discovery.sqlite"
    place = settings.general.state_database or file
    if not settings.general.state_database and not file.exists():
        return
    with DiscoveryState(place) as state:
        gone = erase_raw_pages(state, removals.covers)
    yield Erased(str(file.relative_to(settings.data_folder)), "pages of directory walks", gone)


def _erase_in_lake(lake: Lake, removals: OptOuts) -> Iterator[Erased]:
    for table in TABLES.values():
        sources = [name for name in _SOURCES if name in table.names and table.name not in _KEPT]
        if not sources and table.name != PARISH_STATES.name:
            continue
        keys: list[str | None] = list(lake.partitions(table))
        for key in keys or ([None] if lake.has(table) else []):
            count = _erase_in_part(lake, table, key, sources, removals)
            yield Erased(lake.part_name(table, key), "rows", count)


def _erase_in_part(lake: Lake, table: Table, key: str | None, sources: Sequence[str], removals: OptOuts) -> int:
    """Publish a part without the rows that are covered; how many those were. Nothing is written where none was."""
    reader = lake.reader(table, None if key is None else [key])
    touched: set[object] = set()
    gone = changed = 0
    for row in reader.rows(sorted({*sources, *_also(table)})):
        if _is_gone(row, sources, removals):
            gone += 1
            touched.add(row.get("parish_id"))
        changed += any(removals.covers(one["source_url"]) for one in _heard(row))
        changed += removals.covers(row.get("referrer")) or (table.name == PARISH_STATES.name and removals.covers(row["url"]))
    if not gone and not changed:
        return 0

    def kept() -> Iterator[pa.Table]:
        for chunk in reader.chunks(rows_per_chunk=_CHUNK):
            rows = [row for row in chunk.to_pylist() if not _is_gone(row, sources, removals)]
            for row in rows:
                _strip(row, table, touched, removals)
            yield pa.Table.from_pylist(rows, schema=table.schema)

    lake.publish(table, {key: kept()})
    return gone


def _also(table: Table) -> Iterator[str]:
    return (name for name in ("parish_id", "referrer", "url", "heard") if name in table.names)


def _heard(row: dict[str, object]) -> list[dict[str, object]]:
    """What other pages say of a row of mass_schedules."""
    heard = row.get("heard")
    return heard if isinstance(heard, list) else []


def _is_gone(row: dict[str, object], sources: Sequence[str], removals: OptOuts) -> bool:
    return any(removals.covers(row[name]) for name in sources)


def _strip(row: dict[str, object], table: Table, touched: set[object], removals: OptOuts) -> None:
    """Take words of a page that is gone out of a row that stays: those of a link on it, and its parish's order as a whole."""
    if "referrer" in row and removals.covers(row["referrer"]):
        row["referrer"], row["link_text"] = None, ""
    if table.name == PARISH_STATES.name and removals.covers(row["url"]):
        row["url"], row["reason"] = None, _REMOVED
        if removals.hosts:
            row["state"] = "opt_out"
    if table.name == MASS_SCHEDULES.name:
        row["heard"] = [one for one in _heard(row) if not removals.covers(one["source_url"])]
    if table.name == MASS_SCHEDULES.name and row["parish_id"] in touched:
        row.update({name: "" if name == "service_times" else None for name in _OF_THE_WHOLE if name in row})


def _erase_reviews(objects: ObjectStore, removals: OptOuts) -> Iterator[Erased]:
    """Proposals and decisions that rest on what is gone."""
    name = str(REVIEWS)
    if objects.read(name) is None:
        return
    gone = 0

    def kept(known: bytes | None) -> bytes:
        nonlocal gone
        lines = (known or b"").splitlines(keepends=True)
        left = [line for line in lines if not _rests_on(line, removals)]
        gone = len(lines) - len(left)
        return b"".join(left)

    change(objects, name, kept)
    yield Erased(name, "proposals and decisions", gone)


def _erase_test_parts(objects: ObjectStore, removals: OptOuts) -> Iterator[Erased]:
    """Hours of the frozen test parts that classifiers are compared on."""
    for name in objects.names(FOLDER):
        known = objects.read(name) if name.endswith(".parquet") else None
        if known is None:
            continue
        rows = pq.read_table(pa.BufferReader(known.data))
        kept = pa.array([not removals.covers(url) for url in rows.column("url").to_pylist()], pa.bool_())
        left = rows.filter(kept)
        if left.num_rows < rows.num_rows:
            sink = pa.BufferOutputStream()
            pq.write_table(left, sink, compression="zstd")
            objects.replace(name, sink.getvalue().to_pybytes(), known.stamp)
        yield Erased(name, "hours of a test part", rows.num_rows - left.num_rows)


def _rests_on(line: bytes, removals: OptOuts) -> bool:
    try:
        entry = orjson.loads(line)
        proposal = entry["proposal"]
        rows = [*proposal.get("rows", ()), *entry.get("rows", ()), *entry.get("replaces", ())]
    except (ValueError, KeyError, TypeError):
        return False  # a line cut off by a crash; who reads the log deals with it
    return any(removals.covers(one.get("source_url")) for one in (proposal, *rows))


def _erase_generations(settings: Settings, removals: OptOuts) -> Iterator[Erased]:
    """Build the public index anew where it holds the words, and remove its generations that do."""
    generations = generations_of(settings)
    holding = [one for one in generations.all() if _holds(one, removals)]
    current = generations.current()
    if current is not None and current in holding:
        generations.lift()  # the wish of an owner counts for more
        publish_index(PublishedTables.of(open_lake(settings), settings), settings)
        now_in_force = generations.current()
        if now_in_force is None or now_in_force == current or _holds(now_in_force, removals):
            raise MassPipelineError(
                f"{current.name} still holds the words: the new index was not put in force. Read its objections with "
                "`mass-pipeline public build`, then run this command again."
            )
    for one in generations.all():  # the new one may have driven out the oldest
        if one in holding:
            shutil.rmtree(one.folder)
    yield Erased("public", "generations of the public index", len(holding))


def _holds(generation: Generation, removals: OptOuts) -> bool:
    with closing(sqlite3.connect(f"{generation.index.absolute().as_uri()}?mode=ro", uri=True)) as index:
        sources = index.execute("SELECT source_url FROM mass UNION SELECT source_url FROM change").fetchall()
        if index.execute("SELECT 1 FROM sqlite_master WHERE name = 'news'").fetchone():  # generations before it have none
            sources += index.execute("SELECT url FROM news").fetchall()
        return any(removals.covers(url) for (url,) in sources)
