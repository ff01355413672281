"""Erase what a state folder keeps of pages, at the wish of their owners: rows, words of links, hosts, entries of its logs.

One `erase` for all users of the schema; its bytes are overwritten, and not left in the log that SQLite writes ahead.
"""

from __future__ import annotations

import os
import re
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final

import zstandard

from mass_pipeline.crawling.fetching.scope import OptOuts
from mass_pipeline.crawling.state import schema
from mass_pipeline.crawling.state.logs import ERROR_LOG, PROGRESS_LOG
from mass_pipeline.crawling.state.packing import DamagedBody, PageUnpacker
from mass_pipeline.model.errors import StorageError
from mass_pipeline.model.state_file import lock_folder, overwritten
from mass_pipeline.model.whole_files import replacing, sync

# Every kind of page: which are meant (`covered`: by page or host, `of_host`: by host alone), and what goes with one of them.
_PAGES: Final = (
    (
        "SELECT url_id FROM urls LEFT JOIN sites USING(site_id) WHERE covered(url) OR covered(final_url) OR of_host(start_url)",
        "UPDATE sites SET status='new' WHERE site_id=(SELECT site_id FROM urls WHERE url_id=?)",
        "DELETE FROM history WHERE url_id=?",
        "DELETE FROM refused_links WHERE referrer_id=?",
        "DELETE FROM pages WHERE url_id=?",
        "UPDATE urls SET link_text='',referrer_id=NULL WHERE referrer_id=?",
        "DELETE FROM urls WHERE url_id=?",
    ),
    (
        "SELECT list_id FROM lists WHERE covered(url)",
        "UPDATE articles SET anchor='',list_id=NULL WHERE list_id=?",
        "DELETE FROM lists WHERE list_id=?",
    ),
    (
        "SELECT article_id FROM articles WHERE covered(url)",
        "DELETE FROM announcements WHERE article_id=?",
        "DELETE FROM articles WHERE article_id=?",
    ),
    (
        "SELECT link_id FROM internal_links WHERE covered(url) OR covered(final_url)",
        "DELETE FROM external_links WHERE found_on=?",
        "DELETE FROM bad_links WHERE found_on=?",
        "DELETE FROM turns WHERE link_id=?",
        "DELETE FROM internal_links WHERE link_id=?",
    ),
)
_SITES_AND_HOSTS: Final = (
    "DELETE FROM sites WHERE of_host(start_url)",  # without one page of it the others are still wanted
    "DELETE FROM watched_sites WHERE covered(url)",
    "UPDATE seeds SET removed=1 WHERE covered(start_url)",
    "DELETE FROM hosts WHERE of_host(origin||'/')",
)
_BEGINNING: Final = re.compile(r"^(?=\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ )", re.MULTILINE)  # of an entry of a log
_URL: Final = re.compile(r"https?://[^\s'\"<>]+")
_LOGS: Final = tuple(name for log in (PROGRESS_LOG, ERROR_LOG) for name in (log, str(Path(log).with_suffix(".old.log"))))


@contextmanager
def erasing(path: Path) -> Iterator[sqlite3.Connection]:
    """One transaction on a state file that nobody else uses; what it deletes is overwritten.

    Raises:
        StorageError: another process uses the folder, or the file cannot be used; nothing is erased then.
    """
    lock = lock_folder(path.parent, schema.FORMATS[path.name].lock)
    try:
        opened = schema.open_for_writing(path.parent, path.name, is_checked=False)
        with closing(opened) as connection, overwritten(connection):
            yield connection
    except sqlite3.Error as error:
        raise StorageError(f"{path}: nothing was erased ({error}). Run the command again.") from error
    finally:
        os.close(lock)


def erase(connection: sqlite3.Connection, removals: OptOuts, level: int = 3) -> int:
    """Forget every page that is covered, and what was learnt from it, within the transaction of the caller.

    A crawled site on a removed host goes with all its pages, wherever they lie.

    Args:
        level: zstd level of pages that are packed anew, because the dictionary they shared was made of pages that are gone.

    Returns:
        How many pages were forgotten: crawled, listing news, articles, collected from.
    """
    connection.create_function("covered", 1, removals.covers)
    connection.create_function("of_host", 1, OptOuts(removals.hosts).covers)
    count = 0
    for query, *statements in _PAGES:
        gone = [tuple(row) for row in connection.execute(query)]
        for statement in statements:
            connection.executemany(statement, gone)
        count += len(gone)
    for statement in _SITES_AND_HOSTS:
        connection.execute(statement)
    if count:
        _drop_dictionaries(connection, level)
    return count


def _drop_dictionaries(connection: sqlite3.Connection, level: int) -> None:
    """Pack what is left by itself: a dictionary is made of whole pages, perhaps of those that are gone."""
    stored = {row[0]: row[1] for row in connection.execute("SELECT dictionary_id, content FROM dictionaries")}
    if not stored:
        return
    unpacker, packer = PageUnpacker(stored), zstandard.ZstdCompressor(level=level)
    shared = connection.execute("SELECT url_id FROM pages WHERE dictionary_id IS NOT NULL AND body IS NOT NULL").fetchall()
    for (url_id,) in shared:
        query = "SELECT body,dictionary_id,body_sha256 FROM pages WHERE url_id=?"
        packed, dictionary_id, sha256 = connection.execute(query, (url_id,)).fetchone()
        try:
            body = packer.compress(unpacker.unpack(packed, dictionary_id, sha256))
        except DamagedBody:
            body = None  # it is asked for again
        connection.execute("UPDATE pages SET body=?,dictionary_id=NULL WHERE url_id=?", (body, url_id))
    connection.execute("DELETE FROM dictionaries")


def erase_log_entries(folder: Path, is_covered: Callable[[object], bool]) -> int:
    """Write the logs of a folder anew without the entries that name a covered address; how many those were.

    An entry begins with its moment; a traceback below it goes with it. A log is replaced as a whole, or not at all.

    Raises:
        StorageError: another process uses the folder, or a log cannot be written.
    """
    paths = [folder / name for name in _LOGS if (folder / name).exists()]
    if not paths:
        return 0
    lock = lock_folder(folder)
    try:
        return sum(_rewritten(path, is_covered) for path in paths)
    except OSError as error:
        raise StorageError(f"{folder}: a log cannot be written ({error}). Run the command again.") from error
    finally:
        os.close(lock)


def _rewritten(path: Path, is_covered: Callable[[object], bool]) -> int:
    entries = _BEGINNING.split(path.read_text("ascii", "backslashreplace"))
    left = [entry for entry in entries if not any(map(is_covered, _URL.findall(entry)))]
    if len(left) < len(entries):
        with replacing(path) as aside:
            aside.write_text("".join(left), "ascii")
            sync(aside)
    return len(entries) - len(left)
