"""The generated site sets and the reproduction of the published comparison (B10)."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from mass_pipeline.laboratory.bandits.config import LinkBanditConfig
from mass_pipeline.laboratory.bandits.game import Rewards, oracle, play
from mass_pipeline.laboratory.bandits.policies import make_policy
from mass_pipeline.laboratory.bandits.reproduction import FIRST_SEED, Sets, links_found, nearest_sets, published_table
from mass_pipeline.laboratory.bandits.site_sets import (
    NEAREST_SHAPES,
    PUBLISHED_COUNTS,
    PUBLISHED_TOTALS,
    SetName,
    Shape,
    calibrated,
    expected_r1,
    site_set,
)
from mass_pipeline_tests.measured import measured_table

_SEEDS = range(200, 208)  # neither those of the fit nor those of the benchmark
_RULES = ("r1", "r2", "r3")


@pytest.fixture(scope="module")
def sets() -> Sets:
    """What `mass-pipeline lab bandits` measures."""
    return nearest_sets(range(FIRST_SEED, FIRST_SEED + 10))


@pytest.fixture
def totals(sets: Sets) -> dict[SetName, dict[str, float]]:
    return {name: {policy: float(links.mean()) for policy, links in found.items()} for name, found in sets.items()}


class TestSiteSets:
    @pytest.mark.parametrize("name", NEAREST_SHAPES)
    @pytest.mark.row("B10")
    def test_have_the_published_page_and_link_counts(self, name: SetName) -> None:
        counts = [(rewards.size, int(rewards.sum())) for rewards in site_set(NEAREST_SHAPES[name], 1)]

        assert counts == list(PUBLISHED_COUNTS)

    def test_links_stand_together_and_begin_as_the_shape_says(self) -> None:
        alone, together = (np.concatenate(site_set(Shape(links, 0, 1000), 1)) for links in (1, 20))
        late = [int(np.flatnonzero(rewards)[0]) for seed in range(20) for rewards in site_set(Shape(1, 40, 50), seed)]

        assert (alone > 0).sum() > 4 * (together > 0).sum()
        assert np.mean(late) > 30

    def test_depend_on_the_seed_alone(self) -> None:
        first, again, other = (np.concatenate(site_set(Shape(2, 5, 100), seed)) for seed in (1, 1, 2))

        assert np.array_equal(first, again)
        assert not np.array_equal(first, other)


class TestCalibration:
    @pytest.mark.parametrize(("name", "empty", "decline"), [("institutes", 0, "hyperbolic"), ("universities", 20, "exponential")])
    def test_gives_r1_its_published_total(self, name: SetName, empty: float, decline: str) -> None:
        shape = calibrated(name, 1, empty, decline)  # type: ignore[arg-type]

        assert expected_r1(shape) == pytest.approx(PUBLISHED_TOTALS[name][0], rel=0.02)

    def test_what_r1_finds_does_not_depend_on_how_links_stand_together(self) -> None:
        """So its published total says where the links are, and nothing about the rules that are compared."""
        singles, groups = (links_found(calibrated("mixed", links, 10), ["r1"], range(30))["r1"].mean() for links in (1, 10))

        assert singles == pytest.approx(groups, rel=0.1)

    @pytest.mark.parametrize("name", NEAREST_SHAPES)
    def test_the_nearest_shapes_are_calibrated_too(self, name: SetName) -> None:
        assert expected_r1(NEAREST_SHAPES[name]) == pytest.approx(PUBLISHED_TOTALS[name][0], rel=0.05)


@pytest.mark.row("B10")
class TestReproduction:
    @pytest.mark.parametrize(("name", "order"), [("institutes", "r2 r3 r1"), ("universities", "r3 r1 r2"), ("mixed", "r3")])
    def test_the_published_order_of_the_rules_holds(
        self, totals: dict[SetName, dict[str, float]], name: SetName, order: str
    ) -> None:
        """In the mixed set R1 and R2 lie within each other's noise, in the published run too."""
        best_first = sorted(_RULES, key=lambda rule: -totals[name][rule])

        assert best_first[: len(order.split())] == order.split()

    @pytest.mark.parametrize("name", NEAREST_SHAPES)
    def test_every_total_lies_near_the_published_one(self, totals: dict[SetName, dict[str, float]], name: SetName) -> None:
        for rule, published in zip(_RULES, PUBLISHED_TOTALS[name], strict=True):
            assert totals[name][rule] == pytest.approx(published, rel=0.35)

    @pytest.mark.parametrize(
        ("name", "empty", "best"), [("institutes", 0, "r2"), ("universities", 0, "r2"), ("universities", 30, "r3")]
    )
    def test_empty_first_pages_decide_between_r2_and_r3(self, name: SetName, empty: float, best: str) -> None:
        """R2 never returns to a site whose first step was empty; without such beginnings greed pays, for universities too."""
        totals = links_found(calibrated(name, 2, empty), _RULES, _SEEDS)

        assert max(totals, key=lambda rule: totals[rule].mean()) == best

    def test_the_page_shows_the_table_of_the_command(self, sets: Sets) -> None:
        """`mass-pipeline lab bandits`."""
        assert measured_table("link-bandits.md", "lab bandits") == list(published_table(sets))


class TestOracle:
    def test_is_the_best_split_found_by_trying_all(self) -> None:
        rng = np.random.default_rng(3)
        sites: list[Rewards] = [rng.integers(0, 9, size) for size in (3, 4, 2)]
        splits = [s for s in itertools.product(range(4), range(5), range(3)) if sum(s) <= 5]
        best = max(sum(int(r[:n].sum()) for r, n in zip(sites, split, strict=True)) for split in splits)

        assert int(oracle(sites, 5)[-1]) == best

    def test_no_policy_beats_it_at_any_moment(self) -> None:
        sites = site_set(NEAREST_SHAPES["mixed"], 5)
        best = oracle(sites, 300)[1:]

        assert all((play(make_policy(n, LinkBanditConfig(), seed=1), sites, 300).links <= best).all() for n in ("r2",))
