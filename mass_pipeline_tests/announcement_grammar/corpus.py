"""Written announcements and the changes they make, in the short notation of dev.toml."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from mass_pipeline.announcement_grammar import ScheduleChange


@dataclass(frozen=True)
class Announcement:
    """One announcement and its changes as text, sorted."""

    text: str
    issued: date
    changes: tuple[str, ...]


def announcements(name: str) -> list[Announcement]:
    """Those of one file beside this module."""
    data = tomllib.loads((Path(__file__).parent / f"{name}.toml").read_text(encoding="utf-8"))
    return [Announcement(a["text"], a["issued"], tuple(sorted(a.get("changes", ())))) for a in data["a"]]


def written(change: ScheduleChange) -> str:
    """A change in the notation of the files."""
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


def quality(found: Sequence[set[str]], expected: Sequence[set[str]]) -> tuple[float, float]:
    """Precision and recall over all atoms; both sides one set of changes per announcement."""
    pairs = [(atoms(a), atoms(b)) for a, b in zip(found, expected, strict=True)]
    right = sum(len(a & b) for a, b in pairs)
    return right / max(1, sum(len(a) for a, _ in pairs)), right / max(1, sum(len(b) for _, b in pairs))
