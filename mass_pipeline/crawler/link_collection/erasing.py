"""Erase pages of a link collection at the wish of their owner, with the words of the links that stood on them."""

from __future__ import annotations

import sqlite3

from mass_pipeline.crawler.fetching.removals import Removals


def erase_links(connection: sqlite3.Connection, removals: Removals) -> int:
    """Forget every page that is covered, within the transaction of the caller; how many pages that were."""
    rows = connection.execute("SELECT link_id,url,final_url FROM internal_links").fetchall()
    pages = [(row[0],) for row in rows if removals.covers(row[1]) or removals.covers(row[2])]
    connection.executemany("DELETE FROM external_links WHERE found_on=?", pages)
    connection.executemany("DELETE FROM bad_links WHERE found_on=?", pages)
    connection.executemany("DELETE FROM turns WHERE link_id=?", pages)
    connection.executemany("DELETE FROM internal_links WHERE link_id=?", pages)
    seeds = connection.execute("SELECT number,start_url FROM seeds").fetchall()
    connection.executemany("UPDATE seeds SET removed=1 WHERE number=?", [(n,) for n, url in seeds if removals.covers(url)])
    return len(pages)
