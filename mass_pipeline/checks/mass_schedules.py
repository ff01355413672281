"""Checks of `mass_schedules`: hours at which Masses are said, and evidence for every row."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from mass_pipeline.checks.verdict import Finding, Verdict

_EVIDENCE = ("source_url", "quote", "page_sha256")


def validate_hours(rows: Iterable[Mapping[str, object]], earliest: str, latest: str) -> Verdict:
    """No Mass lies outside `earliest` to `latest` (`HH:MM`, both inclusive; midnight counts as 24:00)."""
    count = 0
    odd: list[Finding] = []
    for row in rows:
        count += 1
        time = "24:00" if row["time"] == "00:00" else str(row["time"])
        if not earliest <= time <= latest:
            odd.append({"parish_id": str(row["parish_id"]), "time": str(row["time"]), "quote": str(row["quote"])[:80]})
    return Verdict(
        not odd, f"{len(odd)} of {count} Masses lie outside {earliest} to {latest}.", {"masses": count, "odd": len(odd)}, odd[:20]
    )


def validate_evidence(rows: Iterable[Mapping[str, object]], pages: Collection[tuple[str, str]]) -> Verdict:
    """Every row names a crawled page (parish, digest of its body), its address and the words on it."""
    count = 0
    bare: list[Finding] = []
    for row in rows:
        count += 1
        missing = [name for name in _EVIDENCE if not row[name]]
        if not missing and (row["parish_id"], row["page_sha256"]) not in pages:
            missing = ["the page among crawled_pages"]
        if missing:
            bare.append({"parish_id": str(row["parish_id"]), "time": str(row["time"]), "missing": ", ".join(missing)})
    return Verdict(
        not bare, f"{len(bare)} of {count} rows lack evidence.", {"masses": count, "without_evidence": len(bare)}, bare[:20]
    )
