"""The web around a target set of sites: external links (B1) and the companion set they lead to (B11). Pure; fetches nothing."""

from mass_pipeline.crawling.web_graph.companions import Companion, companion_sites, subsets, write_graphml
from mass_pipeline.crawling.web_graph.external_links import BadLink, ExternalLink, PageInSet, external_links, target_domains

__all__ = [
    "BadLink",
    "Companion",
    "ExternalLink",
    "PageInSet",
    "companion_sites",
    "external_links",
    "subsets",
    "target_domains",
    "write_graphml",
]
