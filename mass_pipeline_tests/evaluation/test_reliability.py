"""How far probabilities are from what came true: the errors that docs/confidence.md tells."""

from __future__ import annotations

import numpy as np
import pytest

from mass_pipeline_tests.evaluation.reliability import binned_error, by_chance, even_error


class TestErrors:
    def test_a_bin_counts_by_its_rows(self) -> None:
        p, right = np.array([0.9] * 3 + [0.1]), np.array([1.0, 1.0, 0.0, 0.0])

        assert binned_error(p, right, (0.0, 0.5, 1.001)) == pytest.approx(0.75 * (0.9 - 2 / 3) + 0.25 * 0.1)

    def test_too_high_and_too_low_cancel_out_within_a_bin_alone(self) -> None:
        p, right = np.array([0.6, 0.6, 0.9, 0.9]), np.array([1.0, 1.0, 0.5, 0.5])

        assert binned_error(p, right, (0.0, 1.001)) == pytest.approx(0)
        assert binned_error(p, right, (0.0, 0.8, 1.001)) == pytest.approx(0.4)

    def test_bins_of_as_many_rows_each_go_by_the_probability(self) -> None:
        p, right = np.array([0.9, 0.2, 0.9, 0.2]), np.array([1.0, 0.0, 1.0, 0.0])

        assert even_error(p, right, bins=2) == pytest.approx(0.15)
        assert even_error(p[:1], right[:1], bins=15) == pytest.approx(0.1)

    def test_true_probabilities_show_an_error_with_few_rows_and_hardly_one_with_many(self) -> None:
        assert by_chance(np.full(10, 0.5)) > 0.1
        assert by_chance(np.full(10_000, 0.5)) < 0.01
        assert by_chance(np.array([])) == 0
