"""B5: a collection that is killed goes on without a link lost or doubled, on the pages and in the order of one that is not."""

from __future__ import annotations

import pytest

from mass_pipeline_tests.benchmarks import links_kill


def _is_unharmed(figures: dict[str, float]) -> bool:
    return not any(figures[name] for name in ("lost", "twice", "wrong", "early"))


@pytest.mark.slow
def test_killed_at_random_instants_it_ends_the_same() -> None:
    figures = links_kill.run(kills=3, count=4, seed=3)

    assert figures["kills"] == 3
    assert _is_unharmed(figures), figures


@pytest.mark.soak
def test_killed_at_200_random_instants_it_ends_the_same_under_every_policy() -> None:
    figures = links_kill.run(kills=200, count=6, seed=1)

    assert figures["collections"] >= 5
    assert _is_unharmed(figures), figures
