"""A trained classifier: the network of hours with its calibration and thresholds, the model of rows, and the card of both."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt
import pandas as pd

from mass_pipeline.learning import schema
from mass_pipeline.learning.calibration import Calibration
from mass_pipeline.learning.features import feature_matrix
from mass_pipeline.learning.network import Network, softmax
from mass_pipeline.learning.rows import BY_RULES, RowModel
from mass_pipeline.model.errors import BadInput

JsonValue = str | int | float | bool | None | list["JsonValue"] | Mapping[str, "JsonValue"]


@dataclass(frozen=True, slots=True)
class Trained:
    """A classifier of hours and of the rows that rest on them.

    Attributes:
        columns: hashed features it keeps, ascending.
        network: its weights.
        mass_calibration: of the question "is it a Mass that takes place".
        standing_calibration: of the question "does it belong to the standing schedule".
        threshold: probability of `standing` from which on an hour is accepted.
        mass_threshold: the same for "is a Mass".
        card: what the model card says; JSON values only.
        rows: its word on rows of schedules.
    """

    columns: npt.NDArray[np.int64]
    network: Network
    mass_calibration: Calibration
    standing_calibration: Calibration
    threshold: float
    mass_threshold: float
    card: Mapping[str, JsonValue] = field(default_factory=dict)
    rows: RowModel = BY_RULES

    @property
    def model_id(self) -> str:
        """Identifier derived from the weights, "" before the model was saved."""
        return str(self.card.get("model_id", ""))

    def predict_proba(self, candidates: pd.DataFrame) -> schema.Floats:
        """Calibrated probabilities of the classes.

        Args:
            candidates: rows of candidate_hours (at least the input columns; `rule_reading` is never read).

        Returns:
            `(n_candidates, 4)` float64 in the order of `CLASSES`, rows sum to 1; `(0, 4)` for no candidates.

        Raises:
            BadInput: a column is missing.
        """
        check_columns(candidates)
        if not len(candidates):
            return np.zeros((0, len(schema.CLASSES)))
        logits = self.network.logits(feature_matrix(candidates, self.columns))
        return calibrate(softmax(logits), self.mass_calibration, self.standing_calibration)

    def predict(self, candidates: pd.DataFrame) -> pd.DataFrame:
        """One row per candidate, same order and index: p_mass, p_standing, p_dated, p_cancelled, is_mass, is_standing."""
        chances = self.predict_proba(candidates)
        mass, standing = schema.is_mass_probability(chances), schema.standing_probability(chances)
        return pd.DataFrame(
            {
                "p_mass": mass,
                "p_standing": standing,
                "p_dated": chances[:, schema.DATED],
                "p_cancelled": chances[:, schema.CANCELLED],
                "is_mass": mass >= self.mass_threshold,
                "is_standing": standing >= self.threshold,
            },
            index=candidates.index,
        )


def check_columns(candidates: pd.DataFrame) -> None:
    """Raise BadInput that names the columns of candidate_hours that the frame lacks."""
    missing = [name for name in schema.INPUT_COLUMNS if name not in candidates.columns]
    if missing:
        raise BadInput(f"Candidate hours lack the columns {', '.join(missing)}; give a frame with those of candidate_hours.")


def calibrate(raw: schema.Floats, mass_calibration: Calibration, standing_calibration: Calibration) -> schema.Floats:
    """Calibrate the two questions apart and make the four probabilities fit them: `(n, 4)` to `(n, 4)`."""
    mass = mass_calibration.apply(schema.is_mass_probability(raw))
    standing = np.minimum(standing_calibration.apply(schema.standing_probability(raw)), mass)
    rest = raw[:, schema.CANCELLED] + raw[:, schema.OTHER]
    cancelled_share = np.divide(raw[:, schema.CANCELLED], rest, out=np.zeros(len(raw)), where=rest > 0)
    result = np.empty_like(raw)
    result[:, schema.STANDING], result[:, schema.DATED] = standing, mass - standing
    result[:, schema.CANCELLED] = (1.0 - mass) * cancelled_share
    result[:, schema.OTHER] = (1.0 - mass) * (1.0 - cancelled_share)
    return result
