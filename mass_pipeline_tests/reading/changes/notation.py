"""A change in short, as tests write it: "order 2026-11-30 09:00 18:00", "moved 2026-12-31 18:00>17:00"."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from mass_pipeline.reading.changes import ScheduleChange


def written(change: ScheduleChange) -> str:
    """A change in this notation."""
    lasting = change.valid_to is None
    days = change.valid_from.isoformat() + (".." if lasting else "")
    if change.valid_to not in (None, change.valid_from):
        days += f"..{change.valid_to}"
    hours = " ".join([*change.times, *([change.part] if change.part else ())])
    hours += ">" + " ".join(change.new_times) if change.new_times else ""
    return " ".join(part for part in (change.kind, days, hours) if part)


def atoms(changes: Iterable[str]) -> set[str]:
    """Changes taken apart: one per hour, so that two added Masses count the same in one line or in two."""
    return {atom for change in changes for atom in _atoms(change)}


def _atoms(change: str) -> Iterator[str]:
    kind, days, *rest = change.split(" ")
    if kind == "moved" or not rest:
        yield change
    else:
        yield from (f"{kind} {days} {hour}" for hour in rest)
