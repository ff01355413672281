"""Policies choose as their rules say; worked by hand from B6-B9."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mass_pipeline.laboratory.bandits.classic import R1, R2, R3, Quantum, QuantumOfTime, Sequential
from mass_pipeline.laboratory.bandits.config import LinkBanditConfig
from mass_pipeline.laboratory.bandits.game import play
from mass_pipeline.laboratory.bandits.policies import POLICIES, make_policy, policy_for_theme
from mass_pipeline.laboratory.bandits.statistics import Policy, SiteStatistics
from mass_pipeline.model.errors import UsageError


def _sites(*rewards: Sequence[float], closed: Sequence[int] = ()) -> list[SiteStatistics]:
    sites = [SiteStatistics(i, is_open=i not in closed) for i in range(len(rewards))]
    for site, found in zip(sites, rewards, strict=True):
        for reward in found:
            site.record(reward)
    return sites


def _order(policy: Policy, sizes: Sequence[int], budget: int) -> list[int]:
    """Sites in the order chosen, when no page holds any link."""
    sites = _sites(*([()] * len(sizes)))
    chosen = []
    for _ in range(budget):
        site = sites[policy.choose(sites)]
        site.record(0)
        site.is_open = site.pages < sizes[site.site]
        chosen.append(site.site)
    return chosen


@pytest.mark.row("B6")
class TestSequential:
    def test_finishes_a_site_before_the_next(self) -> None:
        assert _order(Sequential(), [2, 3, 9], 7) == [0, 0, 1, 1, 1, 2, 2]


@pytest.mark.row("B6")
class TestQuantum:
    def test_takes_turns_of_a_quantum(self) -> None:
        assert _order(Quantum(2), [9, 9], 8) == [0, 0, 1, 1, 0, 0, 1, 1]

    def test_passes_over_an_exhausted_site(self) -> None:
        assert _order(Quantum(2), [1, 9], 5) == [0, 1, 1, 1, 1]


@pytest.mark.row("B6")
class TestQuantumOfTime:
    def test_a_site_has_its_turn_until_its_pages_took_so_long(self) -> None:
        """Slow pages, of two seconds, bring the next site sooner than those of half a second."""
        sites, order = _sites([], []), []
        for _ in range(10):
            chosen = QuantumOfTime(2.0).choose(sites)
            sites[chosen].record(1, (2.0, 0.5)[chosen])
            order.append(chosen)

        assert order == [0, 1, 1, 1, 1, 0, 1, 1, 1, 1]

    def test_passes_over_an_exhausted_site(self) -> None:
        assert QuantumOfTime(2.0).choose(_sites([], [], closed=[0])) == 1


@pytest.mark.row("B7")
class TestR1:
    def test_shares_the_budget_equally_then_spends_the_rest_on_the_largest_sum(self) -> None:
        """Budget 7 over two sites: three pages each; the seventh goes to the site with more links."""
        assert R1(7).choose(_sites([0, 0], [])) == 0
        assert R1(7).choose(_sites([0, 0, 0], [0, 5])) == 1  # a half is none
        assert R1(6).choose(_sites([0, 0], [0, 5])) == 0
        assert R1(7).choose(_sites([1, 0, 0], [0, 5, 0])) == 1

    def test_the_share_of_a_site_is_rounded_to_the_nearest_page(self) -> None:
        """B7: 8 pages over 3 sites are 3 each (2.67), 7 over 3 are 2 (2.33)."""
        assert R1(8).choose(_sites([5, 0], [0, 0], [0, 0])) == 0
        assert R1(7).choose(_sites([5, 0], [0, 0], [0, 0])) == 0
        assert R1(8).choose(_sites([5, 0, 0], [0, 0], [0, 0])) == 1
        assert R1(7).choose(_sites([5, 0], [0, 0], [0, 0], closed=[0])) == 1

    def test_gives_the_share_of_an_exhausted_site_to_the_best_open_one(self) -> None:
        assert R1(9).choose(_sites([9], [1, 0, 0], [0, 2, 0], closed=[0])) == 2


@pytest.mark.row("B8")
class TestR2:
    def test_begins_with_a_step_on_every_site(self) -> None:
        assert _order(R2(2), [9, 9, 9], 6) == [0, 0, 1, 1, 2, 2]

    def test_spends_a_whole_step_on_the_best_mean_before_it_looks_again(self) -> None:
        policy = R2(2)
        sites = _sites([1, 0], [3, 0])
        assert policy.choose(sites) == 1
        for _ in range(9):
            sites[0].record(9)

        assert [policy.choose(sites), policy.choose(sites)] == [1, 0]

    def test_leaves_a_site_that_ends_within_a_step(self) -> None:
        policy = R2(2)
        sites = _sites([1, 0], [3, 0])
        policy.choose(sites)
        sites[1].is_open = False

        assert policy.choose(sites) == 0
        sites[1].is_open = True
        assert [policy.choose(sites), policy.choose(sites)] == [0, 1]  # the step on the other one is a whole one

    def test_begins_with_the_best_mean_wherever_it_stands(self) -> None:
        assert R2(2).choose(_sites([3, 0], [1, 0], [1, 1])) == 0

    def test_never_returns_to_a_site_whose_first_step_was_empty(self) -> None:
        """Why it does badly on university-like sites: an index of 0 is below every positive one for ever."""
        sites = [np.array([0, 0] + [9] * 100), np.array([1] + [0] * 200)]

        assert play(R2(2), sites, 100).pages == (2, 98)


@pytest.mark.row("B9")
class TestR3:
    def test_its_index_is_the_mean_over_the_largest_reward_plus_the_ucb1_width(self) -> None:
        """Site 0: 0.5 + sqrt(2 ln 6 / 4) = 1.447; site 1: 0.25 + sqrt(2 ln 6 / 2) = 1.589."""
        sites = _sites([4, 2, 2, 0], [1, 1])
        index = [2 / 4 + math.sqrt(2 * math.log(6) / 4), 1 / 4 + math.sqrt(2 * math.log(6) / 2)]

        assert R3(2).choose(sites) == int(np.argmax(index)) == 1

    def test_a_much_better_mean_beats_the_width(self) -> None:
        assert R3(1).choose(_sites([4] * 30, [0] * 20)) == 0

    @pytest.mark.parametrize(("better", "chosen"), [([4, 4, 4, 3], 0), ([4, 4, 2, 2], 1)])
    def test_how_much_better_a_mean_must_be_than_the_one_page_of_another_site(self, better: list[float], chosen: int) -> None:
        """The widths differ by sqrt(2 ln 5) / 2 = 0.897: a mean of 0.9375 of the largest reward is enough, one of 0.75 is not."""
        assert R3(1).choose(_sites(better, [0])) == chosen

    def test_begins_with_m_pages_on_every_site(self) -> None:
        assert _order(R3(2), [9, 9], 4) == [0, 0, 1, 1]

    def test_survives_sites_without_any_link(self) -> None:
        assert len(set(_order(R3(1), [99, 99], 20))) == 2


class TestSiteStatistics:
    def test_what_is_known_of_pages_with_three_links_and_with_one(self) -> None:
        (new, site) = _sites([], [3, 1])

        assert (new.pages, new.total, new.mean, new.largest) == (0, 0, 0, 0)
        assert (site.pages, site.total, site.mean, site.largest) == (2, 4, 2, 3)


class TestEveryPolicy:
    @pytest.mark.parametrize("policy", [R1(3), R2(2), R3(1)], ids=lambda policy: type(policy).__name__)
    def test_of_equal_sites_the_first_open_one_is_asked(self, policy: Policy) -> None:
        assert policy.choose(_sites((2, 1), (2, 1), (2, 1), (2, 1), closed=[0])) == 1

    @pytest.mark.parametrize("name", POLICIES)
    @given(data=st.data())
    def test_spends_the_budget_and_never_asks_a_closed_site(self, name: str, data: st.DataObject) -> None:
        sizes = data.draw(st.lists(st.integers(0, 12), min_size=1, max_size=5).filter(any))
        rewards = [np.array(data.draw(st.lists(st.integers(0, 30), min_size=n, max_size=n)), dtype=np.int64) for n in sizes]
        config = LinkBanditConfig(budget_pages=20, quantum_pages=2, step_pages=2, first_pages=1)
        game = play(make_policy(name, config, seed=1), rewards, 20)

        assert sum(game.pages) == min(20, sum(sizes))
        assert all(pages <= size for pages, size in zip(game.pages, sizes, strict=True))

    def test_an_unknown_name_is_refused_with_the_known_ones(self) -> None:
        with pytest.raises(UsageError, match="sequential, quantum, time, r1"):
            make_policy("best", LinkBanditConfig(), seed=1)


class TestThemes:
    @pytest.mark.parametrize(("theme", "policy"), [("institutes", "r2"), ("universities", "r3"), ("parishes", "quantum")])
    def test_a_known_theme_has_its_policy_an_unknown_one_the_configured(self, theme: str, policy: str) -> None:
        assert policy_for_theme(theme, LinkBanditConfig()) == policy
