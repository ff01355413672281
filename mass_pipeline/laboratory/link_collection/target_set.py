"""The target set of a collection: list, add, remove, find its sites (B1, B5). Works while the collector does."""

from __future__ import annotations

import difflib
import json
import sqlite3
from typing import Any, Final

from mass_pipeline.crawling.fetching.urls import BadUrl, canonicalize
from mass_pipeline.laboratory.link_collection.records import TargetSite
from mass_pipeline.laboratory.link_collection.store import LinkStore
from mass_pipeline.model.errors import UsageError

_SEED: Final = "number,full_name,short_name,start_url,scope_prefix,max_level,status,reason,hosts"


def target_sites(store: LinkStore, *, removed: bool = False) -> list[TargetSite]:
    """The target set in the order of adding; with `removed`, those taken out of it instead."""
    found = store.rows(f"SELECT {_SEED} FROM seeds WHERE removed=? ORDER BY number", [int(removed)])  # noqa: S608  # own columns
    return [_site(row) for row in found]


def add_site(
    store: LinkStore,
    start_url: str,
    *,
    short_name: str = "",
    full_name: str = "",
    max_level: int | None = None,
    scope_prefix: str = "/",
) -> TargetSite:
    """Add a site to the target set; one that was removed comes back with everything known of it.

    Args:
        start_url: as a person may have written it.
        short_name: unique; the host by default.

    Raises:
        UsageError: no web address, or address or name stand in the set already.
    """
    try:
        url = canonicalize(start_url if "://" in start_url else "http://" + start_url)
    except BadUrl as error:
        raise UsageError(f"{start_url!r} is no web address ({error}).") from error
    name = short_name or url.split("/")[2].removeprefix("www.")
    if not (name.isprintable() and full_name.isprintable()):
        raise UsageError(f"{name!r}: the names of a site hold letters a terminal can show, no tabs or control characters.")
    with store.transaction() as db:
        namesake = db.execute("SELECT start_url FROM seeds WHERE short_name=? AND start_url<>?", (name, url)).fetchone()
        if namesake is not None:
            raise UsageError(
                f"The short name {name!r} belongs to {namesake['start_url']}: the name is taken. Choose another --short."
            )
        known = db.execute("SELECT short_name,removed FROM seeds WHERE start_url=?", (url,)).fetchone()
        if known is not None and not known["removed"]:
            raise UsageError(f"{url} stands in the set already, as {known['short_name']}: the address is taken.")
        values = (full_name or name, name, scope_prefix, max_level, url)
        if known is not None:
            db.execute("UPDATE seeds SET full_name=?,short_name=?,scope_prefix=?,max_level=?,removed=0 WHERE start_url=?", values)
        else:
            db.execute("INSERT INTO seeds(full_name,short_name,scope_prefix,max_level,start_url) VALUES(?,?,?,?,?)", values)
        return _site_at(store, url)


def _site_at(store: LinkStore, url: str) -> TargetSite:
    return _site(store.rows(f"SELECT {_SEED} FROM seeds WHERE start_url=?", [url])[0])  # noqa: S608  # own columns


def remove_site(store: LinkStore, handle: str, *, with_links: bool = False) -> TargetSite:
    """Take a site out of the target set: no page of it is asked for any more.

    Args:
        handle: short name, number or start address.
        with_links: forget its links and pages too.

    Raises:
        UsageError: no such site.
    """
    site = find_site(store, handle)
    with store.transaction() as db:
        db.execute("UPDATE seeds SET removed=1 WHERE number=?", (site.number,))
        if with_links:
            for table in ("external_links", "internal_links", "bad_links"):
                db.execute(f"DELETE FROM {table} WHERE number=?", (site.number,))  # noqa: S608  # closed list
            db.execute("UPDATE seeds SET status='waiting',reason='',hosts='[]' WHERE number=?", (site.number,))
    return site


def find_site(store: LinkStore, handle: str) -> TargetSite:
    """A site of the target set by short name, number or start address.

    Raises:
        UsageError: no such site; the message names the nearest.
    """
    sites = target_sites(store)
    for site in sites:
        if handle in (site.short_name, str(site.number), site.start_url):
            return site
    close = difflib.get_close_matches(handle, [site.short_name for site in sites], n=1)
    hint = f" Did you mean {close[0]}?" if close else " `mass-pipeline lab links sites list` shows them."
    raise UsageError(f"There is no site {handle!r} in the target set.{hint}")


def _site(row: sqlite3.Row) -> TargetSite:
    values: dict[str, Any] = dict(row)
    return TargetSite(**values | {"hosts": tuple(json.loads(values["hosts"]))})
