"""Erase pages of a crawl's state at the wish of their owner: bodies, links, words of links, dates, the shared dictionary."""

from __future__ import annotations

import sqlite3
from typing import Final

import zstandard

from mass_pipeline.crawling.fetching.opt_outs import OptOuts
from mass_pipeline.crawling.state.erasing import erase_hosts
from mass_pipeline.crawling.state.packing import DamagedBody, PageUnpacker

_ERASE: Final = (
    "UPDATE sites SET status='new' WHERE site_id=(SELECT site_id FROM urls WHERE url_id=?)",
    "DELETE FROM history WHERE url_id=?",
    "DELETE FROM refused_links WHERE referrer_id=?",
    "DELETE FROM pages WHERE url_id=?",
    "UPDATE urls SET link_text='',referrer_id=NULL WHERE referrer_id=?",
    "DELETE FROM urls WHERE url_id=?",
)


def erase_pages(connection: sqlite3.Connection, removals: OptOuts, level: int = 3) -> int:
    """Forget every page that is covered, within the transaction of the caller.

    Args:
        level: zstd level of pages that are packed anew, because the dictionary they shared was made of pages that are gone.

    Returns:
        How many addresses were forgotten.
    """
    of_hosts = OptOuts(removals.hosts)
    starts = connection.execute("SELECT site_id,start_url FROM sites").fetchall()
    sites = {site_id for site_id, start_url in starts if of_hosts.covers(start_url)}
    rows = connection.execute("SELECT url_id,site_id,url,final_url FROM urls")
    gone = [(url_id,) for url_id, site_id, *urls in rows if site_id in sites or any(map(removals.covers, urls))]
    for statement in _ERASE:
        connection.executemany(statement, gone)
    connection.executemany("DELETE FROM sites WHERE site_id=?", [(site_id,) for site_id in sites])
    erase_hosts(connection, removals)
    if gone:
        _drop_dictionaries(connection, level)
    return len(gone)


def _drop_dictionaries(connection: sqlite3.Connection, level: int) -> None:
    """Pack what is left by itself: a dictionary is made of whole pages, perhaps of those that are gone."""
    stored = dict(connection.execute("SELECT dictionary_id, content FROM dictionaries").fetchall())
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
