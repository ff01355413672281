"""What changed in the directory since the last run: new, gone and changed parishes, by their stable identifiers."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields
from typing import Final

from mass_pipeline.gathering.parish import Parish
from mass_pipeline.model.identifiers import ParishId

_COMPARED: Final = tuple(field.name for field in fields(Parish) if field.name not in {"parish_id", "fetched_at"})


@dataclass(frozen=True, slots=True)
class ParishChange:
    """A parish whose entry changed: column -> value before and after."""

    parish: Parish
    columns: dict[str, tuple[str, str]]


@dataclass(frozen=True, slots=True)
class DirectoryDiff:
    """New, gone and changed parishes, each sorted by parish_id."""

    new: tuple[Parish, ...]
    gone: tuple[Parish, ...]
    changed: tuple[ParishChange, ...]

    def to_markdown(self, limit: int = 20) -> str:
        """The first changes of each kind as a table for the UI; a sentence when there are none."""
        lines = [f"| gone | {_cell(p.name)}, {_cell(p.town)} | |" for p in self.gone[:limit]]
        lines += [f"| new | {_cell(p.name)}, {_cell(p.town)} | |" for p in self.new[:limit]]
        for change in self.changed[:limit]:
            what = "; ".join(f"{name}: {_cell(old)} → {_cell(new)}" for name, (old, new) in change.columns.items())
            lines.append(f"| changed | {_cell(change.parish.name)}, {_cell(change.parish.town)} | {what} |")
        if not lines:
            return "Nothing changed since the last run."
        return "\n".join(("| | parish | what |", "|---|---|---|", *lines))


def diff_parishes(previous: Iterable[Parish], current: Iterable[Parish]) -> DirectoryDiff:
    """Compare two tables of parishes by parish_id; the time of fetching does not count."""
    before = {parish.parish_id: parish for parish in previous}
    after = {parish.parish_id: parish for parish in current}
    changes = (ParishChange(after[key], _columns(before[key], after[key])) for key in sorted(before.keys() & after.keys()))
    return DirectoryDiff(
        new=_pick(after, after.keys() - before.keys()),
        gone=_pick(before, before.keys() - after.keys()),
        changed=tuple(change for change in changes if change.columns),
    )


def _pick(parishes: dict[ParishId, Parish], keys: set[ParishId]) -> tuple[Parish, ...]:
    return tuple(parishes[key] for key in sorted(keys))


def _columns(old: Parish, new: Parish) -> dict[str, tuple[str, str]]:
    pairs = ((name, str(getattr(old, name) or ""), str(getattr(new, name) or "")) for name in _COMPARED)
    return {name: (before, after) for name, before, after in pairs if before != after}


def _cell(text: str) -> str:
    """Directory text inside a Markdown table: no markup of its own."""
    return "".join(f"\\{c}" if c in "|`*_[]<>\\" else c for c in text)[:120]
