"""What the operator sees of a run: new, gone and changed parishes, by their stable identifiers; how their look-ups ended, by
diocese as a table; the ledger in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from typing import Final

from mass_pipeline.gathering.ledger import LedgerState
from mass_pipeline.gathering.parish import Parish
from mass_pipeline.gathering.parish_url import ParishUrl
from mass_pipeline.model.columns import URL_STATUSES
from mass_pipeline.model.identifiers import ParishId

COUNTED_IN_2016: Final = 10_255  # parishes, by the statistical office (P1)


def statuses_by_diocese(rows: Iterable[ParishUrl]) -> dict[str, Counter[str]]:
    """Diocese key -> number of parishes per status; keys sorted."""
    counts: dict[str, Counter[str]] = {}
    for row in rows:
        counts.setdefault(row.diocese_key, Counter())[row.status] += 1
    return dict(sorted(counts.items()))


def statuses_markdown(counts: Mapping[str, Counter[str]]) -> str:
    """The counts as a Markdown table, one line per diocese and a total."""
    total = sum(counts.values(), Counter[str]())
    lines = ["| diocese | parishes | " + " | ".join(URL_STATUSES) + " |", "|---|" + "---:|" * (len(URL_STATUSES) + 1)]
    lines.extend(_line(name, count) for name, count in counts.items())
    return "\n".join((*lines, _line("**total**", total)))


def ledger_markdown(state: LedgerState) -> str:
    """The ledger as one Markdown line."""
    release = f"; the next units come free at {state.next_release:%Y-%m-%d %H:%M} UTC" if state.next_release else ""
    return f"{state.spent} of {state.limit} units spent, {state.left} left, {state.open_calls} calls of unknown outcome{release}."


def _line(name: str, count: Counter[str]) -> str:
    return f"| {name} | {count.total()} | " + " | ".join(str(count[status]) for status in URL_STATUSES) + " |"


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
