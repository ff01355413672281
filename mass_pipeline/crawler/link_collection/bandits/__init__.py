"""Which site of a target set to fetch the next page from, so that a page budget finds the most external links (B6-B10).

Belongs here: policies and their statistics. Not here: fetching pages, storing links; the game and generated sets (experiments).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mass_pipeline.model.lazy import lazy_names

if TYPE_CHECKING:
    from mass_pipeline.crawler.link_collection.bandits.config import LinkBanditConfig
    from mass_pipeline.crawler.link_collection.bandits.policies import POLICIES, make_policy, policy_for_theme
    from mass_pipeline.crawler.link_collection.bandits.statistics import Policy, SiteStatistics

__all__ = ["POLICIES", "LinkBanditConfig", "Policy", "SiteStatistics", "make_policy", "policy_for_theme"]

__getattr__ = lazy_names(
    __name__,
    {
        "LinkBanditConfig": "config",
        "POLICIES": "policies",
        "make_policy": "policies",
        "policy_for_theme": "policies",
        "Policy": "statistics",
        "SiteStatistics": "statistics",
    },
)
