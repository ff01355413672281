"""Checks of `annotated_set`: a parish lies in one part only, both answers occur, and most dioceses take part."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping

from mass_pipeline.publishing.promises.verdict import Verdict


def validate_splits(rows: Iterable[Mapping[str, object]]) -> Verdict:
    """No parish stands in two parts: the classifier is judged on parishes it has not seen (P17)."""
    parts: dict[str, set[str]] = defaultdict(set)
    for row in rows:
        parts[str(row["parish_id"])].add(str(row["split"]))
    torn = sorted(parish for parish, names in parts.items() if len(names) > 1)
    counts = Counter(name for names in parts.values() for name in names)
    return Verdict(
        not torn,
        f"{len(torn)} of {len(parts)} parishes stand in several parts.",
        {f"parishes_{name}": count for name, count in sorted(counts.items())},
        [{"parish_id": parish} for parish in torn[:20]],
    )


def validate_labels(rows: Iterable[Mapping[str, object]]) -> Verdict:
    """There are Masses and other hours, neither less than a twentieth."""
    counts = Counter(str(row["label"]) for row in rows)
    masses, total = counts["mass"], counts.total()
    share = masses / total if total else 0.0
    remedy = "" if 0.05 <= share <= 0.95 else " Label more hours of the rarer kind with `mass-pipeline annotate`."
    return Verdict(
        0.05 <= share <= 0.95,
        f"{masses} of {total} labelled hours are Masses.{remedy}",
        {"share_of_masses": share, **{f"label_{name}": count for name, count in sorted(counts.items())}},
    )


def validate_coverage(dioceses: Collection[str], with_candidates: Collection[str], least_share: float) -> Verdict:
    """Enough dioceses have candidate hours for a model of the whole country."""
    missing = sorted(set(dioceses) - set(with_candidates))
    share = 1 - len(missing) / len(dioceses) if dioceses else 0.0
    remedy = "" if share >= least_share else " Crawl the missing dioceses first (crawl_job)."
    return Verdict(
        share >= least_share,
        f"{len(dioceses) - len(missing)} of {len(dioceses)} dioceses have candidate hours; wanted: {least_share:.0%}.{remedy}",
        {"coverage": share},
        [{"diocese": key} for key in missing[:20]],
    )
