"""Checks of `hours_classifier`: its figures on parishes it has not seen lie over their floors (P17)."""

from __future__ import annotations

from collections.abc import Mapping

from mass_pipeline.classification.registry import Registry
from mass_pipeline.publishing.promises.verdict import Verdict


def validate_metrics(metrics: Mapping[str, float], floors: Mapping[str, float]) -> Verdict:
    """Every figure with a floor reaches it; a missing figure fails.

    >>> validate_metrics({"precision": 0.97}, {"precision": 0.9}).passed
    True
    """
    low = {name: floor for name, floor in floors.items() if not metrics.get(name, float("-inf")) >= floor}
    listed = ", ".join(f"{name} {metrics.get(name, float('nan')):.3f} (floor {floor:.2f})" for name, floor in floors.items())
    remedy = f" {', '.join(low)} too low: look at the model card's errors, label more hours, train again." if low else ""
    return Verdict(
        not low,
        f"{listed}.{remedy}",
        {name: float(value) for name, value in metrics.items()},
        [{"metric": name, "value": float(metrics.get(name, float("nan"))), "floor": floor} for name, floor in low.items()],
    )


def validate_champion(registry: Registry, floors: Mapping[str, float]) -> Verdict:
    """The classifier in use reaches its floors; the shipped one, used until one trained here does, was judged at its release."""
    if registry.champion_id() is None:
        return Verdict(True, "The shipped classifier is in use: none that was trained here has reached the floors.")
    return validate_metrics(registry.champion_metrics(), floors)
