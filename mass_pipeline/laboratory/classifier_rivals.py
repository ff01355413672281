"""Rivals of the network, trained on the same parishes and measured on the same unseen ones.

The 2018 set-up (unmarked text, linear bag of words), logistic regression and gradient boosting over our features, and the
rules alone. Belongs: the rivals and the table. Not here: the network itself (network, training).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np
import pandas as pd
from threadpoolctl import threadpool_limits

from mass_pipeline.learning.calibration import choose_threshold, fit_calibration
from mass_pipeline.learning.config import LearningConfig
from mass_pipeline.learning.evaluation import METRICS, QUESTIONS, Answers, measured_rows, scores, truths_of
from mass_pipeline.learning.features import feature_matrix
from mass_pipeline.learning.model import Trained
from mass_pipeline.learning.schema import Bools, Floats, is_mass_probability, standing_probability, texts_of
from mass_pipeline.learning.training import widespread_columns, with_phrases

_COMPONENTS: Final = 64
_ITERATIONS: Final = 1000

Fitted = Callable[[pd.DataFrame], Floats]
Rival = Callable[[pd.DataFrame, Bools, Floats, LearningConfig, int], Fitted]


def unmarked_text(rows: pd.DataFrame) -> list[str]:
    """The line fastText was given in 2018: left, hour and right glued, newline as a token, the hour not marked."""
    columns = (texts_of(rows[name]) for name in ("left", "raw", "right"))
    return [" ".join(f"{left} {raw} {right}".replace("\n", " \\n ").split()) for left, raw, right in zip(*columns, strict=True)]


def set_up_of_2018(rows: pd.DataFrame, truth: Bools, weights: Floats, config: LearningConfig, seed: int) -> Fitted:
    """fastText at its defaults is a linear model over the average of word vectors: a normalised bag of words."""
    from sklearn.feature_extraction.text import CountVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import Normalizer

    words = CountVectorizer(token_pattern=None, tokenizer=str.split, lowercase=False)
    model = make_pipeline(words, Normalizer("l1"), LogisticRegression(C=1000.0, max_iter=_ITERATIONS, random_state=seed))
    model.fit(unmarked_text(rows), truth)  # 2018 knew no weights
    return lambda new: _positive(model.predict_proba(unmarked_text(new)))


def logistic_regression(rows: pd.DataFrame, truth: Bools, weights: Floats, config: LearningConfig, seed: int) -> Fitted:
    """Linear, over the network's own features."""
    from sklearn.linear_model import LogisticRegression

    columns = widespread_columns(feature_matrix(rows), rows["parish_id"].to_numpy(dtype=str), config)
    model = LogisticRegression(C=1.0, max_iter=_ITERATIONS, random_state=seed)
    model.fit(feature_matrix(rows, columns), truth, sample_weight=weights)
    return lambda new: _positive(model.predict_proba(feature_matrix(new, columns)))


def gradient_boosting(rows: pd.DataFrame, truth: Bools, weights: Floats, config: LearningConfig, seed: int) -> Fitted:
    """Trees over the network's features, reduced to 64 dimensions."""
    from sklearn.decomposition import TruncatedSVD
    from sklearn.ensemble import HistGradientBoostingClassifier

    columns = widespread_columns(feature_matrix(rows), rows["parish_id"].to_numpy(dtype=str), config)
    reducer = TruncatedSVD(_COMPONENTS, random_state=seed)
    dense = reducer.fit_transform(feature_matrix(rows, columns))
    model = HistGradientBoostingClassifier(random_state=seed, early_stopping=False)
    model.fit(dense, truth, sample_weight=weights)
    return lambda new: _positive(model.predict_proba(reducer.transform(feature_matrix(new, columns))))


RIVALS: Final[dict[str, Rival]] = {
    "2018 set-up": set_up_of_2018,
    "logistic regression": logistic_regression,
    "gradient boosting": gradient_boosting,
}


def compare(network: Trained, rows: pd.DataFrame, *, seed: int, config: LearningConfig) -> pd.DataFrame:
    """One table of the network and its rivals on the test parishes.

    Args:
        network: trained on the same rows.
        rows: labelled hours as `training_rows` gives them; rivals learn from `train`, get threshold and calibration on
            `dev` like the network, and are measured on `test`.

    Returns:
        One row per (question, model): threshold, `METRICS`, counts; the network first, rules alone last.
    """
    parts = {name: rows[rows["split"] == name] for name in ("train", "dev", "test")}
    parts["train"] = with_phrases(parts["train"], config)  # the network had them too
    test, _ = measured_rows(parts["test"])
    chances = network.predict_proba(test)
    truths = {name: truths_of(part) for name, part in {**parts, "test": test}.items()}
    weights = {name: part["weight"].to_numpy(dtype=np.float64) for name, part in parts.items()}
    dev_parishes = parts["dev"]["parish_id"].to_numpy(dtype=str)
    rules: Floats = np.asarray(test["rule_reading"].notna(), dtype=np.float64)
    table = []
    for question in QUESTIONS:
        own = is_mass_probability(chances) if question == "mass" else standing_probability(chances)
        threshold = network.mass_threshold if question == "mass" else network.threshold
        answers = {"network": Answers(truths["test"][question], own, threshold)}
        for name, rival in RIVALS.items():
            with threadpool_limits(limits=1):
                fitted = rival(parts["train"], truths["train"][question], weights["train"], config, seed)
                dev, new = fitted(parts["dev"]), fitted(test)
            calibration = fit_calibration(dev, truths["dev"][question], weights["dev"])
            least = choose_threshold(
                calibration.apply(dev), truths["dev"][question], config.precision_target, weights["dev"], dev_parishes
            )
            answers[name] = Answers(truths["test"][question], calibration.apply(new), least.value)
        answers["rules alone"] = Answers(truths["test"][question], rules, 0.5)
        table += [{"question": question, "model": name, **scores(answer)} for name, answer in answers.items()]
    return pd.DataFrame(table, columns=["question", "model", "threshold", *METRICS, "n"])


def _positive(probabilities: Floats) -> Floats:
    column: Floats = np.asarray(probabilities[:, 1], dtype=np.float64)
    return column
