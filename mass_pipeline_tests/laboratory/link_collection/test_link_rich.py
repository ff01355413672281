"""Whole collections over HTTP from webs with the published counts, a twentieth of their size (B1 to B11)."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from mass_pipeline.crawling.web_graph import companion_sites, subsets, target_domains
from mass_pipeline.laboratory.bandits.config import LinkBanditConfig
from mass_pipeline.laboratory.bandits.game import play
from mass_pipeline.laboratory.bandits.policies import make_policy
from mass_pipeline.laboratory.bandits.site_sets import OWN_COUNTS, SetName
from mass_pipeline.laboratory.link_collection import link_rich
from mass_pipeline.laboratory.link_collection.link_rich import SCALE, LinkRichWeb, collected, external_links_of
from mass_pipeline_tests.crawling.made import QUICK
from mass_pipeline_tests.measured import measured_table

THEMES: tuple[SetName, ...] = ("institutes", "universities")
_BANDITS = LinkBanditConfig(budget_pages=100, step_pages=2, first_pages=1)


class TestCounts:
    @pytest.mark.parametrize("theme", THEMES)
    def test_ten_sites_have_the_published_counts_over_twenty(self, theme: SetName) -> None:
        counts = [(len(site.rewards), int(site.rewards.sum())) for site in LinkRichWeb(theme).sites]

        assert len(counts) == 10
        assert counts == [(round(pages / SCALE), round(links / SCALE)) for pages, links in OWN_COUNTS[theme]]


class TestPolicies:
    @pytest.mark.row("B6", "B7", "B8", "B9", "B10")
    @pytest.mark.parametrize("theme", THEMES)
    @pytest.mark.parametrize("policy", ["quantum", "r1", "r2", "r3"])
    def test_a_collection_over_http_finds_what_the_rule_finds_on_paper(self, tmp_path: Path, theme: SetName, policy: str) -> None:
        """Page after page the same sites, whatever charset they are written in."""
        with LinkRichWeb(theme) as web:
            report = collected(web, tmp_path, policy, QUICK, _BANDITS)
        on_paper = play(make_policy(policy, _BANDITS, seed=1), [site.rewards for site in web.sites], 100)

        assert (report.pages, report.new_links) == (100, on_paper.total)


class TestTableOfThePage:
    def test_it_is_what_the_command_prints(self) -> None:
        """On paper, which collections over HTTP are equal to (`TestPolicies`)."""
        rows = []
        for theme in link_rich.THEMES:
            webs = [[site.rewards for site in LinkRichWeb(theme, seed).sites] for seed in (1, 2, 3)]
            rules = [make_policy(name, link_rich.BANDITS, seed=1) for name in link_rich.POLICIES for _ in webs]
            totals = [play(rule, rewards, 100).total for rule, rewards in zip(rules, webs * 3, strict=True)]
            rows.append(f"| {theme} | {' | '.join(f'{sum(totals[at : at + 3]) / 3:.0f}' for at in (0, 3, 6))} |")

        assert measured_table("link-bandits.md", "lab bandits --served --seeds 3")[2:] == rows


class TestWhatIsKept:
    @pytest.mark.row("B1", "B2", "B3", "B11")
    def test_every_link_of_the_pages_within_a_level_is_kept_and_companions_fall_into_subsets(self, tmp_path: Path) -> None:
        """Half of the sites are in windows-1251 that no page names; a link to a host of the own domain is no external one."""
        bandits, pages = replace(_BANDITS, budget_pages=10_000, max_level=2), 43
        with LinkRichWeb("universities") as web:
            report = collected(web, tmp_path, "sequential", QUICK, bandits)
        links = external_links_of(tmp_path)
        companions = companion_sites(links, target_domains(site.start_url for site in web.sites))

        assert (report.ended, report.new_links) == ("finished", sum(int(site.rewards[:pages].sum()) for site in web.sites))
        assert {one.site: one.connectivity for one in companions} == web.companions(pages)
        assert set(subsets(companions)) == {1, 2, 3}
        assert {link.context for link in links} == {"Смотрите [...]"}
