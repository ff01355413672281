"""Everything that is read from announcements and made of it: changes, settled changes, exceptions, proposals (see builds).

The written announcements beside the tests of reading/changes, and the labelled ones of ../shared where they are there.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from datetime import UTC, date, datetime, time
from typing import Final

from mass_pipeline.reading.changes import ScheduleChange, read_changes
from mass_pipeline.reading.changes.sheets import announcement_items
from mass_pipeline.schedules.announced import (
    Announced,
    exceptions_of,
    is_for_review,
    proposal_of,
    settled,
)
from mass_pipeline.schedules.rows import ScheduleRow
from mass_pipeline_tests.evaluation.announcements import FOLDER, WISHES
from mass_pipeline_tests.reading.changes.compared import standing_of, written
from mass_pipeline_tests.shared import ROOT

_GOLDEN: Final = ROOT / "mass_pipeline_tests" / "reading" / "changes" / "golden"
_LABELLED: Final = ROOT.parent / "shared" / "gold" / "announcements.jsonl"
_USUAL: Final = "Su 07:30,09:00,10:30,12:00,18:00; Mo-Sa 07:00,18:00; Su 11:00 place=Zalesie; We 17:00 place=Zalesie"
_SMALL: Final = "Su 08:00,11:00; Mo-Fr 17:00; PH 09:00"  # announcements alone are read beside both of these


@dataclass(frozen=True)
class Sheet:
    """Announcements of one day, and the standing orders they are read beside."""

    name: str
    text: str
    issued: date
    standings: tuple[str | tuple[ScheduleRow, ...], ...]


def sheets() -> Iterator[Sheet]:
    """Every written and labelled announcement, in one order."""
    for file in sorted(FOLDER.glob("*.toml")):
        for number, record in enumerate(written(file)):
            yield Sheet(f"{file.stem} {number}", record.text, record.issued, (record.standing,))
    for file in (*sorted(_GOLDEN.glob("*.txt")), *sorted(FOLDER.glob("*.txt")), WISHES):
        for number, one in enumerate(written(file)):
            yield Sheet(f"{file.parent.name} {file.stem} {number}", one.text, one.issued, (_USUAL, _SMALL))
    yield from labelled_sheets()


def labelled_sheets() -> Iterator[Sheet]:
    """Announcements and other pages of real parishes, where they lie next to the checkout."""
    for line in _LABELLED.read_text(encoding="utf-8").splitlines() if _LABELLED.is_file() else ():
        record = json.loads(line)
        yield Sheet(record["id"], record["text"], date.fromisoformat(record["issued"]), (record["standing"], _USUAL))


def everything_said(sheet: Sheet) -> list[object]:
    """Items, changes and what they come to, beside each of the standing orders."""
    items = announcement_items(sheet.text)
    read = [change for text in items or [sheet.text] for change in read_changes(text, sheet.issued)]
    standings = [standing_of(one) if isinstance(one, str) else one for one in sheet.standings]
    return [items, [_said(change) for change in read], *(_made(read, sheet.issued, standing) for standing in standings)]


def _said(change: ScheduleChange) -> Mapping[str, object]:
    """A change without what the reading hands on to the arithmetic alone."""
    return {name: getattr(change, name) for name in _SAID}


_SAID: Final = tuple(field.name for field in fields(ScheduleChange) if field.compare)


def _made(read: list[ScheduleChange], issued: date, standing: tuple[ScheduleRow, ...]) -> list[object]:
    fetched_at = datetime.combine(issued, time(6), UTC)
    every = settled([Announced(one, issued, "http://a.example/news", "d", fetched_at) for one in read], standing)
    exceptions = exceptions_of(every, standing)
    return [
        [_said(one.change) for one in every],
        exceptions.rows,
        [_said(one.change) for one in exceptions.unresolved],
        [is_for_review(one, standing) for one in every],
        [proposal_of("p", one, standing) for one in every],
    ]
