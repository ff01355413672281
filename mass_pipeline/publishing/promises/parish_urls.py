"""Checks of `parish_urls`: one row per parish, and look-ups that mostly ended."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from mass_pipeline.publishing.promises.verdict import Verdict


def validate_every_parish(parishes: Iterable[object], looked_up: Iterable[object]) -> Verdict:
    """Each parish has exactly one row, and no row is of an unknown parish."""
    expected, found = Counter(parishes), Counter(looked_up)
    wrong = sorted(str(parish) for parish in expected.keys() | found.keys() if expected[parish] != found[parish])
    summary = (
        f"{len(wrong)} parishes have no row or several: materialize parish_urls again." if wrong else "Each parish has one row."
    )
    return Verdict(not wrong, summary, {"parishes": len(expected)}, [{"parish_id": parish} for parish in wrong[:20]])


def validate_waiting(statuses: Iterable[str], *, is_asked: bool) -> Verdict:
    """No look-up waits for units; without a key nothing is asked and nothing waits.

    Args:
        statuses: of all parishes.
        is_asked: whether a key for Places is set.
    """
    waiting = sum(status == "pending" for status in statuses) if is_asked else 0
    summary = f"{waiting} look-ups wait for units of Places (MASS_PIPELINE_PLACES_UNITS_PER_DAY); the next run goes on with them."
    return Verdict(not waiting, summary if waiting else "No look-up waits for units.", {"waiting": waiting})


def validate_statuses(statuses: Iterable[str]) -> Verdict:
    """Not more than a tenth of the look-ups ended in an error (pending ones wait for quota and are no error)."""
    counts = Counter(statuses)
    total = counts.total()
    share = counts["error"] / total if total else 0.0
    listed = ", ".join(f"{status} {count}" for status, count in sorted(counts.items()))
    return Verdict(
        share <= 0.1, f"{listed or 'no look-ups'}.", {f"status_{name}": count for name, count in sorted(counts.items())}
    )
