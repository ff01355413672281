"""When the classifier is followed: the thresholds of its word on hours and on rows."""

from __future__ import annotations

from dataclasses import dataclass, replace

from mass_pipeline.learning.model import Trained


@dataclass(frozen=True, slots=True)
class Policy:
    """When the classifier is followed.

    Attributes:
        accept: least probability of `standing` at which an hour the rules left open is published.
        open_hour: the same for the verdict on a single hour, which publishes nothing by itself.
        reject: greatest probability of being a Mass at all at which an hour the rules accepted is taken back.
        firm: confidence of the rules from which on they are not overruled.
        least_page_score: hours of pages below it are never added.
    """

    accept: float = 0.98
    open_hour: float = 0.9
    reject: float = 0.005
    firm: float = 0.9
    least_page_score: float = 0.3

    @classmethod
    def of(cls, model: Trained) -> Policy:
        """The policy with the threshold of a model."""
        base = cls()
        return replace(base, accept=max(model.threshold, base.accept), open_hour=max(model.threshold, base.open_hour))
