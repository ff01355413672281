"""Collect external links from any target set of sites, politely and resumably, under a budget of pages (B1-B9).

Belongs here: the state file, the collector, what people see of it. Not here: policies (`bandits`), what is an external
link and the companion set (`web_graph`), requests (`downloader`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mass_pipeline.model.lazy import lazy_names

if TYPE_CHECKING:
    from mass_pipeline.crawler.link_collection.collector import collect_links, policy_name
    from mass_pipeline.crawler.link_collection.reading import LinkFilter, delete_links, read_links, read_status
    from mass_pipeline.crawler.link_collection.records import CollectionSettings, CollectReport, TargetSite
    from mass_pipeline.crawler.link_collection.store import LinkStore
    from mass_pipeline.crawler.link_collection.target_set import add_site, find_site, remove_site, target_sites

__all__ = [
    "CollectReport",
    "CollectionSettings",
    "LinkFilter",
    "LinkStore",
    "TargetSite",
    "add_site",
    "collect_links",
    "delete_links",
    "find_site",
    "policy_name",
    "read_links",
    "read_status",
    "remove_site",
    "target_sites",
]

__getattr__ = lazy_names(
    __name__,
    {
        "CollectReport": "records",
        "CollectionSettings": "records",
        "TargetSite": "records",
        "LinkFilter": "reading",
        "delete_links": "reading",
        "read_links": "reading",
        "read_status": "reading",
        "LinkStore": "store",
        "add_site": "target_set",
        "find_site": "target_set",
        "remove_site": "target_set",
        "target_sites": "target_set",
        "collect_links": "collector",
        "policy_name": "collector",
    },
)
