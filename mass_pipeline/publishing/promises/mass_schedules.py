"""Checks of `mass_schedules`: hours at which Masses are said, evidence for every row, approved orders left as they are."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from datetime import date

from mass_pipeline.publishing.promises.verdict import Finding, Verdict
from mass_pipeline.schedules.reviews import Decision, Proposal, pending

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
    """Every row names a page (parish, digest of its body) we have, its address and the words on it."""
    count = 0
    bare: list[Finding] = []
    for row in rows:
        count += 1
        missing = [name for name in _EVIDENCE if not row[name]]
        if not missing and (row["parish_id"], row["page_sha256"]) not in pages:
            missing = ["the page among crawled_pages, announcements and approvals"]
        if missing:
            bare.append({"parish_id": str(row["parish_id"]), "time": str(row["time"]), "missing": ", ".join(missing)})
    return Verdict(
        not bare, f"{len(bare)} of {count} rows lack evidence.", {"masses": count, "without_evidence": len(bare)}, bare[:20]
    )


def validate_exceptions(rows: Iterable[Mapping[str, object]]) -> Verdict:
    """Every dated exception has its first and last day, in order; other rows of the standing order are no exceptions."""
    count = 0
    odd: list[Finding] = []
    for row in rows:
        if row["exception"] is None:
            continue
        count += 1
        first, last = row["valid_from"], row["valid_to"]
        if not isinstance(first, date) or not isinstance(last, date) or last < first:
            odd.append({"parish_id": str(row["parish_id"]), "time": str(row["time"]), "days": f"{first} to {last}"})
    return Verdict(not odd, f"{len(odd)} of {count} dated exceptions lack their days.", {"exceptions": count}, odd[:20])


def validate_approved(proposals: Iterable[Proposal], decisions: Iterable[Decision], parishes: Collection[str]) -> Verdict:
    """No parish's site says something else than the order a person approved without that person having seen it.

    Args:
        proposals: all that were ever made.
        decisions: all that were ever taken.
        parishes: those of this run.
    """
    waiting = [one for one in pending(proposals, decisions) if one.parish_id in parishes]
    differing = [one for one in waiting if one.origin == "crawl"]
    findings: list[Finding] = [
        {"proposal": one.proposal_id, "parish_id": one.parish_id, "origin": one.origin, "quote": one.quote[:80]}
        for one in waiting
    ]
    remedy = " Decide with `mass-pipeline schedules proposals`, `approve` or `reject`." if differing else ""
    return Verdict(
        not differing,
        f"{len(differing)} sites say something else than the approved order, {len(waiting)} proposals wait.{remedy}",
        {"differing": len(differing), "waiting": len(waiting)},
        sorted(findings, key=lambda one: one["origin"] != "crawl")[:20],
    )
