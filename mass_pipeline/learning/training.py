"""Train a classifier from labelled hours: choose features, fit the network, calibrate it, choose its thresholds.

The same rows, seed and settings give the same model to the byte (one thread while fitting). Belongs: the order of steps.
Not here: labels and parts (annotated_set), scores (evaluation), files (storage).
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, replace
from typing import Final

import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy import sparse
from threadpoolctl import threadpool_limits

from mass_pipeline.learning import schema
from mass_pipeline.learning.calibration import choose_threshold, fit_calibration
from mass_pipeline.learning.config import LearningConfig
from mass_pipeline.learning.dated_cues import has_dated_cue
from mass_pipeline.learning.features import WIDTH, feature_matrix
from mass_pipeline.learning.model import JsonValue, Trained, calibrate, check_columns
from mass_pipeline.learning.network import Network, TrainingData, fit_network, softmax
from mass_pipeline.model.errors import MassPipelineError

_LEAST_ROWS: Final = 20
_LEARNT: Final = [*schema.INPUT_COLUMNS, "label", "dated", "source", "weight", "split"]
_PHRASE_SEED: Final = 1  # the same pages in every training: a second source of chance would help nobody


class TrainingRefused(MassPipelineError):
    """The labelled hours cannot make a trustworthy model; the present one stays in use."""


def training_rows(candidates: pd.DataFrame, annotated: pd.DataFrame) -> pd.DataFrame:
    """Candidate hours with their labels: columns of both tables, sorted by candidate_id.

    Args:
        candidates: table candidate_hours.
        annotated: table annotated_set; rows without a candidate are left out.
    """
    labels = annotated[["candidate_id", "label", "dated", "source", "weight", "split"]]
    joined = candidates.merge(labels, on="candidate_id", how="inner", validate="one_to_one")
    return joined.sort_values("candidate_id", kind="stable", ignore_index=True)


def classes_of(rows: pd.DataFrame) -> schema.Ints:
    """Class number of each labelled hour: `(n,)` in the order of `CLASSES`.

    A Mass of which nobody said whether it is dated counts as dated when its words name a date (dated_cues).
    """
    texts = [schema.texts_of(rows[name]) for name in ("left", "right", "heading")]
    dated = [
        has_dated_cue(left, right, heading) if flag is None or pd.isna(flag) else bool(flag)
        for flag, left, right, heading in zip(rows["dated"], *texts, strict=True)
    ]
    label = rows["label"].to_numpy()
    masses = np.where(np.array(dated, dtype=bool), schema.DATED, schema.STANDING)
    return np.where(label == "mass", masses, np.where(label == "cancelled", schema.CANCELLED, schema.OTHER)).astype(np.int64)


def train(rows: pd.DataFrame, *, seed: int, config: LearningConfig) -> Trained:
    """Train, calibrate and choose thresholds.

    Args:
        rows: as `training_rows` gives them; the parts `train` and `dev` are used, `test` is not looked at.
        seed: of everything random.
        config: see the settings table.

    Returns:
        The model; its card holds counts, settings and the loss on dev after each pass.

    Raises:
        BadInput: a column is missing.
        TrainingRefused: too few labelled hours, or only one class.
    """
    check_columns(rows)
    if not len(rows):
        raise TrainingRefused("No labelled hours: label some with `mass-pipeline annotate`, or let the rules find positives.")
    rows = rows.sort_values("candidate_id", kind="stable", ignore_index=True)
    parts = {name: rows[rows["split"] == name] for name in ("train", "dev")}
    _refuse_thin_data(classes_of(parts["train"]))
    parts["train"] = with_phrases(parts["train"], config)
    classes = {name: classes_of(part) for name, part in parts.items()}
    with threadpool_limits(limits=1):  # sums in another order would change the last bits of the weights
        features = feature_matrix(parts["train"])
        columns = widespread_columns(features, parts["train"]["parish_id"].to_numpy(dtype=str), config)
        data = {
            "train": _data(features[:, columns], classes["train"], parts["train"]),
            "dev": _data(feature_matrix(parts["dev"], columns), classes["dev"], parts["dev"]),
        }
        network, losses = fit_network(data["train"], data["dev"], config, seed)
        model = _calibrated(columns, network, data["dev"], config)
    counts = {name: {c: int((numbers == i).sum()) for i, c in enumerate(schema.CLASSES)} for name, numbers in classes.items()}
    card: dict[str, JsonValue] = {
        "seed": seed,
        "settings": dict(asdict(config)),
        "rows": dict(counts),
        "parishes": {name: int(part["parish_id"].nunique()) for name, part in parts.items()},
        "sources": {str(k): int(v) for k, v in rows["source"].value_counts().sort_index().items()},
        "features": len(columns),
        "loss_on_dev": [round(loss, 6) for loss in losses],
    }
    return replace(model, card={**card, **model.card})


def training_digest(rows: pd.DataFrame, seed: int, config: LearningConfig, code: str = "") -> str:
    """Digest of all that a model follows from: rows in any order, seed, settings, and `code`, a version of the code.

    Equal digests train equal models, so that one that is kept need not be trained again.
    """
    ordered = rows.sort_values("candidate_id", kind="stable", ignore_index=True)[_LEARNT].astype("string")
    settings = json.dumps(asdict(config), sort_keys=True)
    digest = hashlib.sha256(f"{seed}\x1f{settings}\x1f{code}\x1f".encode())
    digest.update(pd.util.hash_pandas_object(ordered, index=False).to_numpy().tobytes())
    return digest.hexdigest()


def with_phrases(rows: pd.DataFrame, config: LearningConfig) -> pd.DataFrame:
    """Training rows and, after them, the hours of `phrase_pages` composed pages (none when it is 0).

    A few thousand labels of one diocese make a model that knows its templates; the phrase book keeps it broad.
    """
    if not config.phrase_pages:
        return rows
    from mass_pipeline.learning.phrasebook.corpus import composed_hours

    phrases = composed_hours(config.phrase_pages, _PHRASE_SEED)
    phrases = phrases.assign(split="train", source="phrases", weight=np.float32(config.phrase_weight))
    return pd.concat([rows, phrases[~phrases["candidate_id"].isin(rows["candidate_id"])]], ignore_index=True)


def widespread_columns(
    features: sparse.csr_matrix, parishes: npt.NDArray[np.str_], config: LearningConfig
) -> npt.NDArray[np.int64]:
    """Features that at least `minimum_parishes` parishes show, the most widespread first to the limit, then ascending.

    What a single parish shows is its priest's name or its street: it would be memorised, and it is personal.
    """
    _, parish = np.unique(parishes, return_inverse=True)
    gather = sparse.csr_matrix((np.ones(len(parish), dtype=np.float32), (parish, np.arange(len(parish)))))
    seen = gather @ features
    spread = np.bincount(seen.indices, minlength=WIDTH)
    least = min(config.minimum_parishes, int(parish.max()) + 1)
    order = np.lexsort((np.arange(WIDTH), -spread))[: config.maximum_features]
    return np.sort(order[spread[order] >= least])


def _refuse_thin_data(classes: schema.Ints) -> None:
    if len(classes) < _LEAST_ROWS or len(np.unique(classes)) < 2:
        raise TrainingRefused(
            f"{len(classes)} labelled hours of {len(np.unique(classes))} class(es) in the training part are too few: at least "
            f"{_LEAST_ROWS} hours with both Masses and other hours are needed. Label more with `mass-pipeline annotate`."
        )


def _data(features: sparse.csr_matrix, classes: schema.Ints, rows: pd.DataFrame) -> TrainingData:
    return TrainingData(features, classes, rows["weight"].to_numpy(dtype=np.float64))


def _calibrated(columns: npt.NDArray[np.int64], network: Network, dev: TrainingData, config: LearningConfig) -> Trained:
    raw = softmax(network.logits(dev.features))
    is_mass: schema.Bools = dev.classes <= schema.DATED
    is_standing: schema.Bools = dev.classes == schema.STANDING
    mass = fit_calibration(schema.is_mass_probability(raw), is_mass, dev.weights)
    standing = fit_calibration(schema.standing_probability(raw), is_standing, dev.weights)
    calibrated: schema.Floats = calibrate(raw, mass, standing)
    target = config.precision_target
    accept = choose_threshold(schema.standing_probability(calibrated), is_standing, target, dev.weights)
    accept_mass = choose_threshold(schema.is_mass_probability(calibrated), is_mass, target, dev.weights)
    reached = {"standing": accept.reached, "mass": accept_mass.reached}
    return Trained(columns, network, mass, standing, accept.value, accept_mass.value, {"precision_target_reached": reached})
