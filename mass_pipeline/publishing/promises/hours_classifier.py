"""Checks of `hours_classifier`: its figures on parishes it has not seen lie over their floors (P17), and answers help."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from mass_pipeline.learning.registry import Registry
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


def validate_learning(points: Sequence[Mapping[str, float]]) -> Verdict:
    """What people answered about rows of other parishes publishes none less surely than the rules alone do.

    Args:
        points: of the learning curve of the model in use (`learning.learning_curve`), as its card holds them; none before
            the first answer.

    >>> validate_learning([]).passed
    True
    """
    if not points:
        return Verdict(True, "Nobody has answered about a row yet.", {}, [])
    first, last = points[0], points[-1]
    worse = last["precision"] < first["precision"]
    remedy = " Review the answers (`mass-pipeline annotate stats`): they teach what is wrong." if worse else ""
    return Verdict(
        not worse,
        f"Of {last['waiting']:.0f} right rows that would wait, {last['share']:.0%} are published after the answers about other "
        f"parishes; precision {last['precision']:.4f}, before {first['precision']:.4f}.{remedy}",
        {"share_published": float(last["share"]), "precision": float(last["precision"])},
        [dict(point) for point in points],
    )
