"""Rows of a state file that are not what was stored once: a flipped bit in a body or an address. Forgotten, so that a crawl
asks for them anew; damage that SQLite itself notices is an error of the whole file (see state.schema).
"""

from __future__ import annotations

import sqlite3
from typing import Final

from mass_pipeline.crawling.fetching.outcomes import Outcome
from mass_pipeline.crawling.state.packing import DamagedBody, PageUnpacker
from mass_pipeline.model.identifiers import url_md5

_DROP_BODY: Final = (
    "UPDATE pages SET body=NULL,body_sha256=NULL,dictionary_id=NULL,etag=NULL,last_modified=NULL,next_visit_at=0 WHERE url_id=?"
)
_DROP_URL: Final = (
    "UPDATE sites SET status='new' WHERE site_id=(SELECT site_id FROM urls WHERE url_id=? AND referrer_id IS NULL)",
    # the page that led there is read anew, and leads there again
    "UPDATE pages SET etag=NULL,last_modified=NULL,next_visit_at=0 WHERE url_id=(SELECT referrer_id FROM urls WHERE url_id=?)",
    "DELETE FROM pages WHERE url_id=?",
    "DELETE FROM urls WHERE url_id=?",
)
_ADDRESSES: Final = "SELECT url_id,url,url_md5,outcome,pages.url_id IS NOT NULL FROM urls LEFT JOIN pages USING(url_id)"
_STRAY_PAGES: Final = "SELECT url_id FROM pages WHERE url_id NOT IN (SELECT url_id FROM urls)"
_OUTCOMES: Final = frozenset({None, *(outcome.value for outcome in Outcome)})
_WITH_PAGE: Final = frozenset({Outcome.OK.value, Outcome.TRUNCATED.value, Outcome.NOT_MODIFIED.value})


def forget_damaged(connection: sqlite3.Connection, unpacker: PageUnpacker) -> int:
    """Forget bodies whose SHA-256 and addresses whose MD5 is another one than stored beside them; how many that were.

    So are addresses whose outcome is none, answered ones whose page is gone, and pages that belong to no address: a bit of a
    row's number makes both.
    """
    bodies = connection.execute("SELECT url_id,body,dictionary_id,body_sha256 FROM pages WHERE body IS NOT NULL")
    damaged = [(row[0],) for row in bodies if not _is_whole(unpacker, *row[1:])]
    strange = [(row[0],) for row in connection.execute(_ADDRESSES) if not _makes_sense(*row[1:])]
    stray = connection.execute(_STRAY_PAGES).fetchall()
    if damaged or strange or stray:
        connection.execute("BEGIN IMMEDIATE")
        connection.executemany(_DROP_BODY, damaged)
        for statement in _DROP_URL:
            connection.executemany(statement, strange)
        connection.executemany("DELETE FROM pages WHERE url_id=?", stray)
        connection.execute("COMMIT")
    return len(damaged) + len(strange) + len(stray)


def _makes_sense(url: object, md5: object, outcome: object, has_page: object) -> bool:
    if not isinstance(url, str) or bytes.fromhex(url_md5(url)) != md5 or outcome not in _OUTCOMES:
        return False
    return bool(has_page) or outcome not in _WITH_PAGE


def _is_whole(unpacker: PageUnpacker, packed: object, dictionary_id: int | None, sha256: object) -> bool:
    try:
        unpacker.unpack(packed, dictionary_id, sha256)  # type: ignore[arg-type]  # a damaged row may hold any type
    except DamagedBody:
        return False
    return True
