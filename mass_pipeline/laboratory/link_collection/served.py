"""Collections over HTTP from the web rich in links (`mass-pipeline lab bandits --served`)."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from mass_pipeline.crawling.fetching.config import CrawlConfig
from mass_pipeline.crawling.web_graph import ExternalLink
from mass_pipeline.laboratory.bandits.config import LinkBanditConfig
from mass_pipeline.laboratory.bandits.site_sets import PUBLISHED_BUDGET, SetName
from mass_pipeline.laboratory.link_collection.collector import collect_links
from mass_pipeline.laboratory.link_collection.link_rich import SCALE, LinkRichWeb
from mass_pipeline.laboratory.link_collection.reading import read_external_links
from mass_pipeline.laboratory.link_collection.records import CollectionSettings, CollectReport
from mass_pipeline.laboratory.link_collection.store import LinkStore
from mass_pipeline.laboratory.link_collection.target_set import add_site

THEMES: Final[tuple[SetName, ...]] = ("institutes", "universities", "mixed")
POLICIES: Final = ("r1", "r2", "r3")
BANDITS: Final = LinkBanditConfig(budget_pages=PUBLISHED_BUDGET // SCALE, step_pages=2, first_pages=1)


def collected(
    web: LinkRichWeb, state: Path, policy: str, config: CrawlConfig, bandits: LinkBanditConfig = BANDITS
) -> CollectReport:
    """A collection from all sites of the web in a new state folder."""
    with LinkStore(state, create=True) as store:
        for site in web.sites:
            add_site(store, site.start_url)
    settings = CollectionSettings(policy=policy, budget_pages=bandits.budget_pages, max_level=bandits.max_level)
    return collect_links(state, settings, config=config, bandits=bandits, connect_to=web.connect_to)


def external_links_of(state: Path) -> list[ExternalLink]:
    """What a collection holds."""
    with LinkStore(state) as store:
        return read_external_links(store)


def served_table(seeds: int) -> Iterator[str]:
    """Links that R1, R2 and R3 find with 100 pages over HTTP, the mean over seeds."""
    config = CrawlConfig(allow_private_hosts=True, no_delay=True)
    yield from (f"| set | {' | '.join(name.upper() for name in POLICIES)} |", "|---|---|---|---|")
    for theme in THEMES:
        means = []
        for policy in POLICIES:
            found = 0
            for seed in range(1, seeds + 1):
                with LinkRichWeb(theme, seed) as web, tempfile.TemporaryDirectory() as folder:
                    found += collected(web, Path(folder), policy, config).new_links
            means.append(f"{found / seeds:.0f}")
        yield f"| {theme} | {' | '.join(means)} |"
