"""Krippendorff's alpha."""

from __future__ import annotations

import random
from itertools import permutations

import pandas as pd
import pytest

from mass_pipeline.annotation.agreement import krippendorff_alpha

# Krippendorff 2011, example C: four observers, twelve units, nominal; published alpha 0.743.
_EXAMPLE = {
    "A": [1, 2, 3, 3, 2, 1, 4, 1, 2, None, None, None],
    "B": [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, None, 3],
    "C": [None, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, None],
    "D": [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, None],
}


def frame(rows: list[tuple[str, str]]) -> pd.DataFrame:
    return pd.DataFrame(rows, columns=["candidate_id", "answer"])


class TestKrippendorffAlpha:
    def test_the_published_example(self) -> None:
        rows = [(str(unit), str(code)) for codes in _EXAMPLE.values() for unit, code in enumerate(codes) if code is not None]

        assert krippendorff_alpha(frame(rows)) == pytest.approx(0.743, abs=5e-4)

    def test_it_is_one_less_the_observed_over_the_expected_share_of_unequal_pairs(self) -> None:
        """By the definition, pair by pair (Krippendorff 2011): within units, weighed by one less their answers, and among all."""
        rng = random.Random(4)
        rows = [(f"i{i}", rng.choice("ynnc")) for i in range(60) for v in range(8) if rng.random() < 0.6]
        units = [[answer for item, answer in rows if item == f"i{i}"] for i in range(60)]
        paired = [unit for unit in units if len(unit) > 1]
        everything = [answer for unit in paired for answer in unit]
        within = sum(sum(a != b for a, b in permutations(unit, 2)) / (len(unit) - 1) for unit in paired) / len(everything)
        among = sum(a != b for a, b in permutations(everything, 2)) / (len(everything) * (len(everything) - 1))

        assert krippendorff_alpha(frame(rows)) == pytest.approx(1 - within / among)

    def test_without_anything_to_compare_there_is_none(self) -> None:
        assert krippendorff_alpha(frame([])) is None
        assert krippendorff_alpha(frame([("a", "yes"), ("b", "no")])) is None
        assert krippendorff_alpha(frame([("a", "yes"), ("a", "yes")])) is None
