"""What the operator sees of a run of look-ups: statuses by diocese as a table and a bar plot, the ledger in words."""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Final

from mass_pipeline.gathering.ledger import LedgerState
from mass_pipeline.gathering.parish_url import ParishUrl
from mass_pipeline.model.columns import URL_STATUSES

_COLOURS: Final = {"ok": "#2e7d32", "ambiguous": "#f9a825", "not_found": "#9e9e9e", "error": "#c62828", "pending": "#90caf9"}


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


def statuses_plot(counts: Mapping[str, Counter[str]]) -> bytes:
    """The counts as a PNG: one stacked horizontal bar per diocese, first diocese on top; a blank plot for no counts."""
    from matplotlib.figure import Figure

    names = list(counts)[::-1]
    figure = Figure(figsize=(9, 1.5 + 0.22 * len(names)), layout="constrained")
    axes = figure.add_subplot()
    left = [0] * len(names)
    for status in URL_STATUSES:
        widths = [counts[name][status] for name in names]
        axes.barh(names, widths, left=left, label=status, color=_COLOURS[status])
        left = [before + width for before, width in zip(left, widths, strict=True)]
    axes.set_xlabel("parishes")
    axes.margins(y=0.01)
    axes.legend(ncols=len(URL_STATUSES), loc="lower center", bbox_to_anchor=(0.5, 1.0), frameon=False)
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", dpi=90)
    return buffer.getvalue()


def _line(name: str, count: Counter[str]) -> str:
    return f"| {name} | {count.total()} | " + " | ".join(str(count[status]) for status in URL_STATUSES) + " |"
