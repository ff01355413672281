"""Which site of a target set to fetch the next page from, so that a page budget finds the most external links (B6-B10).

Belongs here: policies, the game they play, generated site sets. Not here: fetching pages, storing links.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mass_pipeline.model.lazy import lazy_names

if TYPE_CHECKING:
    from mass_pipeline.crawler.link_bandits.config import LinkBanditConfig
    from mass_pipeline.crawler.link_bandits.game import Game, play
    from mass_pipeline.crawler.link_bandits.policies import POLICIES, make_policy, policy_for_theme
    from mass_pipeline.crawler.link_bandits.statistics import Policy, SiteStatistics

__all__ = ["POLICIES", "Game", "LinkBanditConfig", "Policy", "SiteStatistics", "make_policy", "play", "policy_for_theme"]

__getattr__ = lazy_names(
    __name__,
    {
        "LinkBanditConfig": "config",
        "Game": "game",
        "play": "game",
        "POLICIES": "policies",
        "make_policy": "policies",
        "policy_for_theme": "policies",
        "Policy": "statistics",
        "SiteStatistics": "statistics",
    },
)
