"""What the directory calls the parishes of a diocese: names that distinguish their pages from those of others."""

from __future__ import annotations

from urllib.parse import urlsplit

from mass_pipeline.resources.lake import TableReader


def names_of(parishes: TableReader, key: str) -> dict[str, tuple[str, ...]]:
    """Name and town by parish_id, of a diocese."""
    rows = parishes.rows(["parish_id", "name", "town", "diocese_key"])
    return {str(row["parish_id"]): (str(row["name"]), str(row["town"])) for row in rows if row["diocese_key"] == key}


def directory_hosts_of(parishes: TableReader, key: str) -> dict[str, str]:
    """Host of the directory's page by parish_id, where it names one."""
    rows = parishes.rows(["parish_id", "directory_url", "diocese_key"])
    pages = {str(row["parish_id"]): str(row["directory_url"] or "") for row in rows if row["diocese_key"] == key}
    return {parish: host for parish, url in pages.items() if (host := host_of(url))}


def host_of(url: str) -> str:
    """Host without `www.`; "" of what is no address."""
    return (urlsplit(url).hostname or "").removeprefix("www.")
