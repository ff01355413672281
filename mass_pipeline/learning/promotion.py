"""Champion against challenger: the same frozen test part, the same canary hours, and a plain verdict.

Belongs: freezing the test part, comparing, refusing. Not here: files of models (registry).
"""

from __future__ import annotations

import io
import json
from dataclasses import dataclass
from importlib import resources
from typing import Final

import numpy as np
import pandas as pd

from mass_pipeline.learning.annotated_set import AnnotatedSet
from mass_pipeline.learning.config import LearningConfig
from mass_pipeline.learning.evaluation import evaluate, scores
from mass_pipeline.learning.model import Trained
from mass_pipeline.learning.schema import STANDING, is_mass_probability
from mass_pipeline.learning.training import TrainingRefused
from mass_pipeline.model.errors import BadInput
from mass_pipeline.storage.opening import Place, open_objects
from mass_pipeline.storage.ports import Overtaken

_CANARY_FILE: Final = "canary.json"
_LEAST_JUDGED: Final = 30  # of hours both crowd and rules judged, before their contradictions say anything


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a challenger becomes champion.

    Attributes:
        promoted: the answer.
        reason: one sentence for people.
        challenger_f1, champion_f1: F1 of the standing question on the frozen test part; NaN when not measured.
        canary_share: share of canary hours the challenger got right.
    """

    promoted: bool
    reason: str
    challenger_f1: float
    champion_f1: float
    canary_share: float


def refuse_poisoned(annotated: AnnotatedSet, config: LearningConfig) -> None:
    """Refuse to train when crowd and rules contradict each other too often.

    Raises:
        TrainingRefused: more than `maximum_contradictions` of at least thirty hours that both judged.
    """
    if annotated.judged_by_both < _LEAST_JUDGED:
        return
    share = len(annotated.contradictions) / annotated.judged_by_both
    if share > config.maximum_contradictions:
        raise TrainingRefused(
            f"Crowd and rules contradict each other on {share:.0%} of {annotated.judged_by_both} hours (at most "
            f"{config.maximum_contradictions:.0%}): review the contradictions before training; the present model stays."
        )


def freeze_test(rows: pd.DataFrame, place: Place, name: str) -> pd.DataFrame:
    """The frozen test part: read when it exists, else written from the test rows and kept from then on.

    Args:
        rows: labelled hours as `training_rows` gives them.
        place: data folder or object storage.
        name: Parquet file in it of this version of the test part.

    Returns:
        Rows to measure on; later labels and crawls do not change them. To begin a new version give another name.
    """
    objects = open_objects(place)
    known = objects.read(name)
    if known is None:
        test = rows[rows["split"] == "test"].sort_values("candidate_id", kind="stable", ignore_index=True)
        if not len(test):
            return test
        data = test.to_parquet(None, index=False, compression="zstd")
        try:
            objects.replace(name, data, None)
        except Overtaken:  # another training was quicker: its part counts
            return freeze_test(rows, objects, name)
        return test
    try:
        return pd.read_parquet(io.BytesIO(known.data))
    except (OSError, ValueError) as error:
        raise BadInput(
            f"The frozen test part {objects.place(name)} cannot be read ({error}): restore it, or begin another version."
        ) from error


@dataclass(frozen=True, slots=True)
class PublishedRows:
    """What a model publishes of the rows that people settled.

    Attributes:
        right, wrong: published rows that people call right, and those they do not.
        wanted: rows that people call right.
    """

    right: int = 0
    wrong: int = 0
    wanted: int = 0

    @property
    def f1(self) -> float:
        """Of publishing; 1 where nothing was settled."""
        said = self.right + self.wrong + self.wanted
        return 2 * self.right / said if said else 1.0


def judge(
    challenger: Trained,
    champion: Trained | None,
    test: pd.DataFrame,
    config: LearningConfig,
    mine: PublishedRows | None = None,
    theirs: PublishedRows | None = None,
) -> Verdict:
    """Compare two models on the same test rows and canary hours, and on what they publish.

    Args:
        challenger: the newly trained model.
        champion: the model in use, None when there is none.
        test: the frozen test part.
        config: how much loss is allowed, how many canary hours must be right.
        mine, theirs: what the challenger and the champion publish of the rows that people settled, where any are.

    Returns:
        The verdict; a first model needs only the canary hours.
    """
    canary = canary_share(challenger)
    own_f1, champion_f1 = _f1(challenger, test), float("nan") if champion is None else _f1(champion, test)
    if canary < config.canary_share:
        reason = f"only {canary:.0%} of the canary hours are right, {config.canary_share:.0%} are needed"
        return Verdict(False, reason, own_f1, champion_f1, canary)
    if champion is None:
        return Verdict(True, "there was no champion", own_f1, champion_f1, canary)
    if np.isnan(own_f1) or own_f1 < champion_f1 - config.maximum_loss_of_f1:
        return Verdict(False, f"F1 {own_f1:.4f} is worse than the champion's {champion_f1:.4f}", own_f1, champion_f1, canary)
    if mine and theirs and (mine.wrong > theirs.wrong or mine.f1 < theirs.f1 - config.maximum_loss_of_f1):
        reason = (
            f"of the rows that people settled it publishes {mine.right} right and {mine.wrong} wrong ones, the champion "
            f"{theirs.right} and {theirs.wrong}"
        )
        return Verdict(False, reason, own_f1, champion_f1, canary)
    return Verdict(True, f"F1 {own_f1:.4f} is not worse than the champion's {champion_f1:.4f}", own_f1, champion_f1, canary)


def canary_hours() -> pd.DataFrame:
    """Hours about which there can be no two opinions: input columns of the classifier, `label` and `dated`."""
    text = resources.files("mass_pipeline.learning").joinpath(_CANARY_FILE).read_text(encoding="utf-8")
    frame = pd.DataFrame(json.loads(text))
    return frame.astype({"dated": "boolean", "page_score": "float32"})


def canary_share(model: Trained) -> float:
    """Share of the canary hours to which the model gives the right answer at a probability of one half."""
    hours = canary_hours()
    chances = model.predict_proba(hours)
    mass = (hours["label"] == "mass").to_numpy()
    standing = mass & ~hours["dated"].fillna(False).to_numpy(dtype=bool)
    right_mass = (is_mass_probability(chances) >= 0.5) == mass
    right_standing = (chances[:, STANDING] >= 0.5) == standing
    return float((right_mass & right_standing).mean())


def _f1(model: Trained, test: pd.DataFrame) -> float:
    if not len(test):
        return float("nan")
    return scores(evaluate(model, test).answers["standing"])["f1"]
