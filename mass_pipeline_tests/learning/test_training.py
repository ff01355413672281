"""Training: reproducible to the byte, blind to the test part, refusing what cannot work."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pandas as pd
import pytest

from mass_pipeline.learning.annotated_set import build_annotated_set
from mass_pipeline.learning.config import LearningConfig
from mass_pipeline.learning.evaluation import evaluate, scores
from mass_pipeline.learning.features import feature_matrix
from mass_pipeline.learning.model import Trained
from mass_pipeline.learning.schema import CLASSES, is_mass_probability
from mass_pipeline.learning.storage import model_bytes, seal
from mass_pipeline.learning.training import TrainingRefused, classes_of, train, training_rows, widespread_columns
from mass_pipeline.model.errors import BadInput
from mass_pipeline_tests.learning.corpus import Corpus
from mass_pipeline_tests.learning.corpus import corpus as invent


def small_model_id() -> str:
    """Of a model that no fixture made."""
    small = invent(40, seed=5)
    rows = training_rows(small.candidates, build_annotated_set(small.candidates, small.crowd, LearningConfig()).rows)
    return str(seal(train(rows, seed=3, config=LearningConfig(phrase_pages=10)))[0].model_id)


class TestReproducibility:
    def test_the_same_rows_in_another_order_give_the_same_bytes(
        self, rows: pd.DataFrame, model: Trained, config: LearningConfig
    ) -> None:
        again = train(rows.sample(frac=1, random_state=4), seed=7, config=config)

        assert model_bytes(model) == model_bytes(again)

    def test_another_seed_gives_another_model(self, rows: pd.DataFrame, model: Trained, config: LearningConfig) -> None:
        assert model_bytes(train(rows, seed=8, config=config)) != model_bytes(model)

    @pytest.mark.soak
    def test_another_process_gives_the_same_bytes(self) -> None:
        """Hash seeds, memory addresses and the number of threads must not show."""
        call = "from mass_pipeline_tests.learning.test_training import small_model_id; print(small_model_id())"
        environ = {"PYTHONHASHSEED": "1", "PYTHONPATH": ".", "OMP_NUM_THREADS": "1", "PATH": ""}
        elsewhere = subprocess.run([sys.executable, "-c", call], env=environ, capture_output=True, text=True, check=True)

        assert len(elsewhere.stdout.strip()) == 16
        assert elsewhere.stdout.strip() == small_model_id()


class TestHonesty:
    def test_the_test_part_is_not_looked_at(self, rows: pd.DataFrame, model: Trained, config: LearningConfig) -> None:
        falsified = rows.copy()
        falsified.loc[falsified["split"] == "test", "label"] = "cancelled"

        assert model_bytes(train(falsified, seed=7, config=config)) == model_bytes(model)

    def test_words_of_a_single_parish_are_not_learned(self, rows: pd.DataFrame, config: LearningConfig) -> None:
        """They are names of priests and streets: useless elsewhere, and personal."""
        one = rows[rows["parish_id"] == rows["parish_id"].iloc[0]].copy()
        one["left"] = one["left"] + " Przemyślimirowicz "
        marked = pd.concat([one, rows[rows["parish_id"] != rows["parish_id"].iloc[0]]])

        columns = widespread_columns(feature_matrix(marked), marked["parish_id"].to_numpy(dtype=str), config)

        features = feature_matrix(one)
        name_only = np.setdiff1d(features.indices, feature_matrix(rows).indices)
        assert len(name_only) > 0
        assert not np.isin(name_only, columns).any()


@pytest.mark.row("P17")
class TestUnseenParishes:
    def test_both_questions_are_answered(self, model: Trained, rows: pd.DataFrame) -> None:
        evaluation = evaluate(model, rows[rows["split"] == "test"])

        assert scores(evaluation.answers["mass"])["f1"] > 0.97
        assert scores(evaluation.answers["standing"])["f1"] > 0.97

    def test_probabilities_are_of_every_class_and_sum_to_one(self, model: Trained, corpus: Corpus) -> None:
        chances = model.predict_proba(corpus.candidates)

        assert chances.shape == (len(corpus.candidates), len(CLASSES))
        assert np.allclose(chances.sum(axis=1), 1.0)
        assert (chances >= 0).all()

    def test_predict_tells_the_same_in_words(self, model: Trained, corpus: Corpus) -> None:
        some = corpus.candidates.iloc[:20]

        frame = model.predict(some)

        assert np.allclose(frame["p_mass"], is_mass_probability(model.predict_proba(some)))
        assert (frame["p_standing"] <= frame["p_mass"] + 1e-12).all()
        assert (some.index == frame.index).all()

    def test_no_candidates_give_no_rows(self, model: Trained, corpus: Corpus) -> None:
        assert model.predict_proba(corpus.candidates.iloc[:0]).shape == (0, len(CLASSES))


class TestPoisonedLabels:
    @pytest.mark.parametrize(("share", "allowed"), [(0.01, 0.005), (0.05, 0.01), (0.10, 0.02)])
    def test_turned_labels_cost_little(
        self, rows: pd.DataFrame, model: Trained, config: LearningConfig, share: float, allowed: float
    ) -> None:
        """Hazard M3: the test part keeps its true labels."""
        poisoned = rows.copy()
        turned = (poisoned["split"] != "test") & (np.random.default_rng(1).random(len(rows)) < share)
        poisoned.loc[turned, "label"] = np.where(poisoned.loc[turned, "label"] == "mass", "not_mass", "mass")
        test = rows[rows["split"] == "test"]

        bad = train(poisoned, seed=7, config=config)

        assert _macro_f1(model, test) - _macro_f1(bad, test) <= allowed


class TestRefusals:
    def test_too_few_labels(self, rows: pd.DataFrame, config: LearningConfig) -> None:
        with pytest.raises(TrainingRefused, match="mass-pipeline annotate"):
            train(rows.iloc[:10], seed=1, config=config)

    def test_no_labels(self, rows: pd.DataFrame, config: LearningConfig) -> None:
        with pytest.raises(TrainingRefused, match="No labelled hours"):
            train(rows.iloc[:0], seed=1, config=config)

    def test_one_class(self, rows: pd.DataFrame, config: LearningConfig) -> None:
        with pytest.raises(TrainingRefused, match="1 class"):
            train(rows[rows["label"] == "not_mass"], seed=1, config=config)

    def test_a_missing_column_is_named(self, rows: pd.DataFrame, config: LearningConfig) -> None:
        with pytest.raises(BadInput, match="heading"):
            train(rows.drop(columns="heading"), seed=1, config=config)


class TestUnknownDates:
    def test_a_mass_with_a_date_beside_it_counts_as_dated_when_nobody_was_asked(self) -> None:
        frame = pd.DataFrame(
            {
                "label": ["mass", "mass", "mass", "not_mass"],
                "dated": pd.array([None, None, False, None], dtype="boolean"),
                "left": ["W środę, 13 maja, o ", "Niedziele: ", "13 maja o ", "13 maja o "],
                "right": [" Msza św.", "", "", ""],
                "heading": [None] * 4,
            }
        )

        assert [CLASSES[i] for i in classes_of(frame)] == ["dated", "standing", "standing", "other"]


def _macro_f1(model: Trained, test: pd.DataFrame) -> float:
    answers = evaluate(model, test).answers["mass"]
    no = type(answers)(~answers.truth, 1 - answers.probability, 1 - answers.threshold)
    return (scores(answers)["f1"] + scores(no)["f1"]) / 2
