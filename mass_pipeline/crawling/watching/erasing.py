"""Erase articles, announcements and lists of a watch's state at the wish of their owner."""

from __future__ import annotations

import sqlite3

from mass_pipeline.crawling.fetching.opt_outs import OptOuts
from mass_pipeline.crawling.state.erasing import erase_hosts


def erase_articles(connection: sqlite3.Connection, removals: OptOuts) -> int:
    """Forget every article that is covered or was found on a page that is, within the transaction of the caller.

    Returns:
        How many articles and lists were forgotten.
    """
    lists = [row for row in connection.execute("SELECT list_id,url FROM lists").fetchall() if removals.covers(row[1])]
    of_lists = {row[0] for row in lists}
    rows = connection.execute("SELECT article_id,url,list_id FROM articles").fetchall()
    articles = [(row[0],) for row in rows if removals.covers(row[1])]
    led_to = [(row[0],) for row in rows if row[2] in of_lists and not removals.covers(row[1])]
    connection.executemany("DELETE FROM announcements WHERE article_id=?", articles)
    connection.executemany("DELETE FROM articles WHERE article_id=?", articles)
    connection.executemany("UPDATE articles SET anchor='',list_id=NULL WHERE article_id=?", led_to)
    connection.executemany("DELETE FROM lists WHERE list_id=?", [(row[0],) for row in lists])
    sites = connection.execute("SELECT site_id,url FROM sites").fetchall()
    connection.executemany("DELETE FROM sites WHERE site_id=?", [(name,) for name, url in sites if removals.covers(url)])
    erase_hosts(connection, removals)
    return len(articles) + len(lists)
