"""Checks of `announcements`: of a known site, dated, and what they change lies near the day they were issued."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date, timedelta
from typing import Final

from mass_pipeline.publishing.promises.verdict import Verdict

LEAST_DATED: Final = 0.5  # below that the reader of days no longer understands the pages
_EARLIEST: Final = timedelta(days=31)  # an announcement may still speak of the weeks before it
_LATEST: Final = timedelta(days=400)
_MOST_FINDINGS: Final = 20


def validate_dated(issued: Iterable[object]) -> Verdict:
    """At least half of the announcements tell when they were issued; a diocese without any passes."""
    days = list(issued)
    dated = sum(day is not None for day in days)
    share = dated / len(days) if days else 1.0
    remedy = "" if share >= LEAST_DATED else " Look at some of the pages: their layout may hide the day."
    return Verdict(
        share >= LEAST_DATED,
        f"{dated} of {len(days)} announcements are dated.{remedy}",
        {"announcements": len(days), "dated": dated},
    )


def validate_sites(rows: Iterable[Mapping[str, object]], parishes: Iterable[object]) -> Verdict:
    """Every announcement belongs to a parish that has a site, and holds words.

    Args:
        rows: parish_id, url, text.
        parishes: parishes of parish_urls with a URL.
    """
    known = set(parishes)
    count, faults = 0, []
    for row in rows:
        count += 1
        if row["parish_id"] not in known or not str(row["text"]).strip():
            faults.append({"parish_id": str(row["parish_id"]), "url": str(row["url"])})
    remedy = " Materialize announcements of that diocese again: its parishes have changed since." if faults else ""
    return Verdict(
        not faults,
        f"{count} announcements, {len(faults)} of no known site or without words.{remedy}",
        {"announcements": count, "faults": len(faults)},
        faults[:_MOST_FINDINGS],
    )


def validate_changes(rows: Iterable[Mapping[str, object]]) -> Verdict:
    """Every change begins between a month before and some 13 months after the day of issue, and ends no sooner than it begins.

    Args:
        rows: url, issued, changes.
    """
    count, faults = 0, []
    for row in rows:
        changes = row["changes"]
        assert isinstance(changes, list)
        for change in changes:
            count += 1
            if not _is_sensible(row["issued"], change["valid_from"], change["valid_to"]):
                faults.append(
                    {"url": str(row["url"]), "quote": str(change["quote"])[:200], "first_day": str(change["valid_from"])}
                )
    remedy = " Read the quotes; a wrong year or a page of the archive is likely." if faults else ""
    return Verdict(
        not faults,
        f"{count} changes, {len(faults)} far from the day of their announcement or ending before they begin.{remedy}",
        {"changes": count, "faults": len(faults)},
        faults[:_MOST_FINDINGS],
    )


def _is_sensible(issued: object, first: object, last: object) -> bool:
    if not isinstance(issued, date) or not isinstance(first, date):
        return False
    return issued - _EARLIEST <= first <= issued + _LATEST and (last is None or (isinstance(last, date) and first <= last))
