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

    def test_errors_that_come_by_the_parish_raise_it(self) -> None:
        """One parish of forty has ten wrong hours: the part as it is allows them, a draw with this parish twice does not."""
        scores = np.concatenate([np.full(560, 0.95), np.full(10, 0.7), np.full(400, 0.1)])
        truth = np.concatenate([np.ones(560, dtype=bool), np.zeros(410, dtype=bool)])
        together = np.concatenate([np.arange(560) % 40, np.full(10, 7), np.arange(400) % 40]).astype(str)

        assert choose_threshold(scores, truth, 0.98).value < 0.7
        assert choose_threshold(scores, truth, 0.98, parishes=together).value > 0.7

    def test_parishes_in_any_order_give_the_same_threshold(self) -> None:
        scores, truth = overconfident(600, seed=5)
        parishes = (np.arange(600) % 20).astype(str)
        order = np.random.default_rng(6).permutation(600)

        assert choose_threshold(scores, truth, 0.8, None, parishes) == choose_threshold(
            scores[order], truth[order], 0.8, None, parishes[order]
        )
