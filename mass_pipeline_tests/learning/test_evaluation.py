"""Figures of an evaluation, checked against counts made by hand."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from mass_pipeline.laboratory.classifier_rivals import cross_validated, table_of, unmarked_text
from mass_pipeline.learning import plots
from mass_pipeline.learning.config import LearningConfig
from mass_pipeline.learning.evaluation import Answers, evaluate, measured_rows, reliability, scores
from mass_pipeline.learning.learning_curve import LearningPoint
from mass_pipeline.learning.model import Trained

TRUTH = np.array([True, True, True, False, False, False, False, True])
PROBABILITY = np.array([0.9, 0.8, 0.3, 0.7, 0.2, 0.1, 0.05, 0.95])


class TestScores:
    @pytest.mark.row("P17")
    def test_ratios_of_a_hand_made_case(self) -> None:
        """3 true positives, 1 false positive, 1 false negative, 3 true negatives."""
        figures = scores(Answers(TRUTH, PROBABILITY, 0.5))

        assert figures["precision"] == figures["recall"] == figures["f1"] == figures["accuracy"] == 0.75
        assert figures["mcc"] == pytest.approx(0.5)
        assert figures["brier"] == pytest.approx(float(((PROBABILITY - TRUTH) ** 2).mean()))

    def test_a_ratio_without_cases_is_nan(self) -> None:
        figures = scores(Answers(np.zeros(3, dtype=bool), np.zeros(3), 0.5))

        assert math.isnan(figures["precision"])
        assert math.isnan(figures["recall"])
        assert math.isnan(figures["mcc"])
        assert figures["accuracy"] == 1

    def test_bins_of_the_reliability_table(self) -> None:
        table = reliability(Answers(TRUTH, PROBABILITY, 0.5))

        assert list(table["bin"]) == [0, 1, 2, 3, 7, 8, 9]
        assert list(table["n"]) == [1, 1, 1, 1, 1, 1, 2]
        assert table["share"].iloc[-1] == 1


class TestBasis:
    def test_hours_that_the_rules_labelled_measure_nothing(self, rows: pd.DataFrame) -> None:
        """They would flatter the rules, and whoever imitates them."""
        measured, basis = measured_rows(rows)

        assert basis == "crowd"
        assert {"crowd"} == set(measured["source"])

    def test_without_any_crowd_everything_is_used_and_said_so(self, rows: pd.DataFrame) -> None:
        _, basis = measured_rows(rows[rows["source"] == "rules"])

        assert basis == "all"


class TestErrors:
    def test_every_wrong_answer_is_listed_worst_first(self, model: Trained, rows: pd.DataFrame) -> None:
        turned = rows[rows["split"] == "test"].copy()
        turned["label"] = np.where(turned["label"] == "mass", "not_mass", "mass")

        evaluation = evaluate(model, turned)

        distance = (evaluation.errors["probability"] - evaluation.errors["truth"]).abs()
        counted = evaluation.metrics[["false_positive", "false_negative"]].sum().sum()
        assert len(evaluation.errors) == counted > 50
        assert distance.is_monotonic_decreasing


@pytest.mark.row("P17")
class TestRivals:
    def test_the_line_of_2018_does_not_show_which_hour_is_meant(self) -> None:
        rows = pd.DataFrame({"left": ["Msza\no", "Msza\no 8:00 i"], "raw": ["8:00", "9:00"], "right": ["i 9:00", ""]})

        first, second = unmarked_text(rows)

        assert first == second == "Msza \\n o 8:00 i 9:00"

    def test_all_answer_about_the_same_hours_of_parishes_that_they_never_saw(
        self, rows: pd.DataFrame, config: LearningConfig
    ) -> None:
        few = rows[rows["parish_id"].str[-1] < "2"]
        crowd = few[few["source"] == "crowd"]

        answers = cross_validated(few, seed=1, config=replace(config, epochs=4), folds=3)
        table = list(table_of(answers))

        assert list(answers) == ["network", "2018 set-up", "rules alone", "rules and network"]
        assert {len(one.truth) for one in answers.values()} == {len(crowd)}
        assert len(table) == 2 + len(answers)
        assert scores(answers["network"])["average_precision"] > scores(answers["2018 set-up"])["average_precision"]


class TestPictures:
    def test_each_is_a_png_of_the_same_bytes_every_time(self, model: Trained, rows: pd.DataFrame) -> None:
        evaluation = evaluate(model, rows[rows["split"] == "test"])

        def draw() -> list[bytes]:
            return [
                plots.confusion_matrix_png(evaluation.answers["mass"]),
                plots.precision_recall_png(evaluation),
                plots.calibration_png(evaluation),
                plots.learning_curve_png(
                    {"asked by the queue": [LearningPoint(0, 9, 0, 2, 0, 5, 5), LearningPoint(50, 9, 7, 2, 0, 12, 12)]}
                ),
            ]

        first = draw()
        assert all(picture.startswith(b"\x89PNG") and len(picture) > 3000 for picture in first)
        assert first == draw()
        assert len(set(first)) == len(first)

    def test_an_empty_evaluation_can_be_drawn(self, model: Trained, rows: pd.DataFrame) -> None:
        evaluation = evaluate(model, rows.iloc[:0])

        assert plots.precision_recall_png(evaluation).startswith(b"\x89PNG")
        assert plots.calibration_png(evaluation).startswith(b"\x89PNG")
