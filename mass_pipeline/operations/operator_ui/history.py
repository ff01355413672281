"""Take the addresses of a removal request out of Dagster's history: events, runs, ticks, and what runs printed.

Words of pages never get there (`resources.storage.WORDS`); addresses do. Not here: tables and states (`publishing.removal`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import sqlalchemy as sa

from mass_pipeline.crawling.fetching.scope import OptOuts
from mass_pipeline.model.errors import StorageError
from mass_pipeline.model.whole_files import replacing
from mass_pipeline.publishing.removal import Erased

if TYPE_CHECKING:
    from dagster import DagsterInstance

_GONE: Final = "removed"
_ADDRESS: Final = re.compile(r"https?://[^\s\"'<>\\|`)\]]+", re.IGNORECASE)
_HOST: Final = re.compile(r"(?<![\w.@/-])(?:[\w-]+\.)+[a-z]{2,}(?![\w-])", re.IGNORECASE)
_PRINTED: Final = ("*.log", "*.out", "*.err", "*.txt")


def report_erased(instance: DagsterInstance, done: Erased) -> None:
    """Show in the UI what was taken out of a table or of the public index; what follows them is asked for by nothing of it."""
    from dagster import AssetObservation

    folder, _, name = done.part.partition("/")
    table, _, diocese = name.partition("/diocese=")
    asset = {"lake": table, "public": "public_index"}.get(folder)
    if asset and done.count:
        instance.report_runless_asset_event(AssetObservation(asset, partition=diocese or None, metadata={"erased": done.count}))


def erase_in_history(instance: DagsterInstance, home: Path, logs: Path, removals: OptOuts) -> Iterator[tuple[str, int]]:
    """Take every covered address out of the databases of an instance and out of what its runs printed.

    Args:
        instance: of Dagster.
        home: its folder.
        logs: folder of the logs of commands.
        removals: what is to go.

    Yields:
        Part and how many rows or lines named one.

    Raises:
        StorageError: a database or file cannot be changed; those reported before are done. Asking again goes on.
    """
    needles = [*removals.hosts, *removals.pages]
    url = getattr(instance.event_log_storage, "postgres_url", None)
    addresses = [url] if url else [f"sqlite:///{path}" for path in sorted(home.rglob("*.db"))]
    for address in addresses:
        name = "database of Dagster" if url else str(Path(address.removeprefix("sqlite:///")).relative_to(home.parent))
        try:
            yield name, _erase_in_database(sa.create_engine(address), needles, removals)
        except sa.exc.SQLAlchemyError as error:
            raise StorageError(f"{name}: cannot be changed ({error.__cause__ or error}). Run the command again.") from error
    printed = [path for folder in (home, logs) for pattern in _PRINTED for path in sorted(folder.rglob(pattern))]
    for path in printed:
        if gone := _erase_in_text(path, removals):
            yield path.name, gone


def _erase_in_database(engine: sa.Engine, needles: Sequence[str], removals: OptOuts) -> int:
    """How many rows named a covered address."""
    changed = 0
    known = sa.MetaData()
    known.reflect(engine)
    is_file = engine.dialect.name == "sqlite"
    with engine.connect() as connection:
        if is_file:
            connection.exec_driver_sql("PRAGMA secure_delete=ON")
        for table in known.tables.values():
            keys = list(table.primary_key)
            texts = [column for column in table.columns if isinstance(column.type, sa.String) and column not in keys]
            if not keys or not texts:
                continue
            named = sa.or_(*(column.contains(needle, autoescape=True) for column in texts for needle in needles))
            for row in connection.execute(sa.select(*keys, *texts).where(named)).mappings().all():
                new = {column.name: without_addresses(row[column.name], removals) for column in texts}
                if any(new[name] != row[name] for name in new):
                    same: Any = sa.and_(*(key == row[key.name] for key in keys))
                    connection.execute(table.update().where(same).values(new))
                    changed += 1
        connection.commit()
        if is_file:
            connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
    engine.dispose()
    return changed


def without_addresses(text: str | None, removals: OptOuts) -> str | None:
    """A text with a word in the place of each covered address and host; JSON stays JSON.

    >>> without_addresses('{"url": "http://www.parafia.example/msze"}', OptOuts.of(["parafia.example"], []))
    '{"url": "removed"}'
    """
    if not text:
        return text
    text = _ADDRESS.sub(lambda found: _GONE if removals.covers(found[0]) else found[0], text)
    hosts = OptOuts(removals.hosts)
    return _HOST.sub(lambda found: _GONE if hosts.covers(f"http://{found[0]}/") else found[0], text)


def _erase_in_text(path: Path, removals: OptOuts) -> int:
    """How many lines of a file named a covered address."""
    try:
        text = path.read_text(encoding="utf-8", errors="surrogateescape")
        lines = text.splitlines(keepends=True)
        new = [without_addresses(line, removals) or "" for line in lines]
        gone = sum(one != other for one, other in zip(lines, new, strict=True))
        if gone:
            with replacing(path) as aside:
                aside.write_text("".join(new), encoding="utf-8", errors="surrogateescape")
    except OSError as error:
        raise StorageError(f"{path}: cannot be changed ({error.strerror}). Run the command again.") from error
    return gone
