"""Checks of `parishes`: as many as the directory is known to have, each in a known diocese."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path

from mass_pipeline.model.identifiers import slug
from mass_pipeline.publishing.promises.verdict import Finding, Verdict


def validate_count(rows: int, expected: int, tolerance: float) -> Verdict:
    """The number of parishes lies within `expected` +- `tolerance` (a share); `expected` 0 demands only one parish (P1).

    >>> validate_count(10_000, 10_130, 0.05).passed, validate_count(9_000, 10_130, 0.05).passed
    (True, False)
    """
    figures = {"parishes": rows, "expected": expected}
    if not expected:
        return Verdict(rows > 0, f"{rows} parishes; any number above 0 is accepted here.", figures)
    passed = abs(rows - expected) <= expected * tolerance
    remedy = "" if passed else " Compare the directory's pager and selectors (MASS_PIPELINE_DIRECTORY_...) with the page."
    return Verdict(passed, f"{rows} parishes; expected {expected} +- {tolerance:.0%}.{remedy}", figures)


def validate_dioceses(rows: Iterable[Mapping[str, object]], known: Collection[str], file: Path) -> Verdict:
    """Every parish lies in a diocese of the file; a failure names the row to add."""
    unknown = Counter((str(row["diocese_key"]), str(row["diocese"])) for row in rows if row["diocese_key"] not in known)
    findings: list[Finding] = [
        {"diocese": name, "parishes": count, "row to add": f"{slug(name) or key},{name},{name}"}
        for (key, name), count in unknown.most_common(20)
    ]
    if not findings:
        return Verdict(True, "Every parish lies in a diocese of the file.", {"unknown_dioceses": 0})
    rows_to_add = "; ".join(str(finding["row to add"]) for finding in findings)
    return Verdict(
        False,
        f"{len(unknown)} diocese(s) of the directory are missing in {file}. Append: {rows_to_add} "
        "(or add the spelling to the diocese it belongs to), then run again.",
        {"unknown_dioceses": len(unknown)},
        findings,
    )
