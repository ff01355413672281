"""Checks of `candidate_hours`: times are clock times, and most parishes with pages have some."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Final

from mass_pipeline.publishing.promises.verdict import Verdict

_CLOCK: Final = re.compile(r"([01][0-9]|2[0-3]):[0-5][0-9]")


def validate_times(rows: Iterable[Mapping[str, object]]) -> Verdict:
    """Every candidate is a clock time `HH:MM`."""
    count = 0
    wrong = []
    for row in rows:
        count += 1
        if not _CLOCK.fullmatch(str(row["time"])):
            wrong.append({"candidate_id": str(row["candidate_id"]), "time": str(row["time"])[:20]})
    return Verdict(not wrong, f"{len(wrong)} of {count} candidates are no clock times.", {"candidates": count}, wrong[:20])


def validate_coverage(parishes_with_pages: Iterable[object], candidates: Iterable[object]) -> Verdict:
    """At least half of the parishes with pages have a candidate hour: fewer mean that reading is broken."""
    pages, hours = set(parishes_with_pages), Counter(candidates)
    without = sorted(str(parish) for parish in pages if not hours[parish])
    share = 1 - len(without) / len(pages) if pages else 1.0
    return Verdict(
        share >= 0.5,
        f"{len(pages) - len(without)} of {len(pages)} parishes with pages have candidate hours.",
        {"parishes_with_pages": len(pages), "parishes_without_hours": len(without)},
        [{"parish_id": parish} for parish in without[:20]],
    )
