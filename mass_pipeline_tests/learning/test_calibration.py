"""Probabilities one can believe, and thresholds."""

from __future__ import annotations

import numpy as np
import pytest

from mass_pipeline.learning.calibration import IDENTITY, choose_threshold, fit_calibration, logit, sigmoid
from mass_pipeline.learning.evaluation import Answers, calibration_error


def overconfident(rows: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Scores whose log-odds are twice too large, and the truth after them."""
    random = np.random.default_rng(seed)
    odds = random.normal(0, 3, rows)
    return sigmoid(2 * odds), random.random(rows) < sigmoid(odds)


class TestCalibration:
    @pytest.mark.parametrize(("rows", "method"), [(600, "sigmoid"), (6000, "isotonic")])
    def test_overconfidence_is_taken_back(self, rows: int, method: str) -> None:
        """A sigmoid for few rows, steps for many."""
        calibration = fit_calibration(*overconfident(rows, seed=1))
        scores, truth = overconfident(20_000, seed=2)

        before = calibration_error(Answers(truth, scores, 0.5))
        after = calibration_error(Answers(truth, calibration.apply(scores), 0.5))
        assert calibration.method == method
        assert before > 0.05
        assert after < 0.025

    @pytest.mark.parametrize("rows", [600, 6000])
    def test_order_is_kept(self, rows: int) -> None:
        calibration = fit_calibration(*overconfident(rows, seed=1))

        assert (np.diff(calibration.apply(np.linspace(0, 1, 500))) >= 0).all()

    def test_one_class_alone_teaches_nothing(self) -> None:
        assert fit_calibration(np.array([0.2, 0.9]), np.array([True, True])) is IDENTITY

    def test_no_step_is_certain(self) -> None:
        """Two thousand hours cannot prove that the next one is never wrong."""
        truth = np.repeat([False, True], 2000)

        calibrated = fit_calibration(np.repeat([0.01, 0.99], 2000), truth).apply(np.array([0.01, 0.99]))

        assert 0 < calibrated[0] < 0.001
        assert 0.999 < calibrated[1] < 1

    def test_log_odds_and_back(self) -> None:
        chances = np.linspace(0.001, 0.999, 50)

        assert np.allclose(sigmoid(logit(chances)), chances)


class TestThreshold:
    def test_precision_holds_from_the_threshold_on(self) -> None:
        scores, truth = overconfident(5000, seed=3)

        chosen = choose_threshold(scores, truth, 0.9)

        said = scores >= chosen.value
        assert chosen.reached
        assert truth[said].mean() >= 0.9
        assert truth[scores >= chosen.value - 0.02].mean() < 0.901

    def test_an_unreachable_target_falls_back_to_the_best_f1_and_says_so(self) -> None:
        """Ten wrong labels in a hundred make 98 % impossible; the model must still answer."""
        random = np.random.default_rng(4)
        good = random.random(2000) < 0.5
        scores = np.clip(np.where(good, 0.9, 0.1) + random.normal(0, 0.03, 2000), 0, 1)

        chosen = choose_threshold(scores, good ^ (random.random(2000) < 0.1), 0.98)

        assert not chosen.reached
        assert (scores[good] >= chosen.value).mean() > 0.99

    def test_nothing_to_choose_from(self) -> None:
        assert choose_threshold(np.zeros(0), np.zeros(0, dtype=bool), 0.98).value == 0.5

    def test_hours_that_cost_more_than_they_bring_are_left_out(self) -> None:
        """Ten wrong ones below all right ones: the target allows them, and nothing is gained by them."""
        scores = np.concatenate([np.full(560, 0.95), np.full(10, 0.7), np.full(400, 0.1)])
        truth = np.concatenate([np.ones(560, dtype=bool), np.zeros(410, dtype=bool)])

        assert choose_threshold(scores, truth, 0.98).value == pytest.approx(0.825)

    def test_labels_that_are_believed_less_count_less(self) -> None:
        """A sampled negative that the model calls a Mass costs half of what an answer of people costs."""
        scores = np.concatenate([np.full(50, 0.9), np.full(2, 0.8), np.full(10, 0.7)])
        truth = np.concatenate([np.ones(50, dtype=bool), np.zeros(2, dtype=bool), np.ones(10, dtype=bool)])
        believed = np.where(truth, 1.0, 0.5)

        assert choose_threshold(scores, truth, 0.98).value == pytest.approx(0.85)
        assert choose_threshold(scores, truth, 0.98, believed).value == 0.5
