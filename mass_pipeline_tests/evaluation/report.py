"""The error report: one HTML page with scores, phenomena and the worst records, their text highlighted. Everything is escaped."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from typing import Final

from mass_pipeline.reading.regular.reading import PageReading
from mass_pipeline_tests.evaluation.run import RecordResult, SetResult
from mass_pipeline_tests.evaluation.scoring import Score

_WORST: Final = 25  # records shown per set
_AROUND: Final = 2  # lines shown above and below a line with an hour
_MOST_LINES: Final = 120  # lines shown per page
_STYLE: Final = """
body{font:15px/1.45 system-ui,sans-serif;margin:2rem auto;max-width:70rem;padding:0 1rem;color:#222;background:#fff}
table{border-collapse:collapse;margin:.5rem 0}td,th{padding:.2rem .6rem;border:1px solid #ccc;text-align:right}
td:first-child,th:first-child{text-align:left}pre{background:#f6f6f6;padding:.6rem;white-space:pre-wrap}
mark{padding:0 .15rem;border-radius:.2rem}.mass{background:#b7e4c7}.other{background:#ffd6a5}.unclear{background:#e0e0ff}
.miss{color:#a4161a}.extra{color:#7b2cbf}summary{cursor:pointer}.num{color:#888}
@media (prefers-color-scheme:dark){body{background:#16181c;color:#ddd}pre{background:#22252b}mark{color:#111}}
"""


def render(results: Sequence[SetResult]) -> str:
    """The report as one self-contained HTML page without scripts."""
    body = "".join(part for result in results for part in _set(result))
    head = f'<meta charset="utf-8"><title>Readings against labels</title><style>{_STYLE}</style>'
    legend = "<p>Green: read as a standing Mass. Blue: undecided. Orange: something else.</p>"
    return (
        f'<!DOCTYPE html><html lang="en"><head>{head}</head><body><h1>Readings against labels</h1>{legend}{body}</body></html>\n'
    )


def _set(result: SetResult) -> Iterator[str]:
    yield f"<h2>{escape(result.labelled.name)}</h2>"
    yield _table("view", result.scores)
    if result.hours is not None:
        yield (
            f"<p>Single hours: precision {result.hours.precision:.4f}, recall {result.hours.recall:.4f}, "
            f"cancelled accepted {result.hours.cancelled_accepted}, of {result.hours.hours}.</p>"
        )
    yield "<details><summary>Per phenomenon (week)</summary>"
    yield _table("phenomenon", result.phenomena)
    yield "</details>"
    wrong = [record for record in result.records if record.faults or _differs(record)]
    if wrong:
        yield f"<h3>Worst records ({min(len(wrong), _WORST)} of {len(wrong)} with a fault)</h3>"
    for record in wrong[:_WORST]:
        yield from _record(record)
    yield from _hours(result)


def _differs(result: RecordResult) -> bool:
    return any(difference.extras or difference.misses for difference in result.differences.values())


def _table(name: str, scores: dict[str, Score]) -> str:
    rows = "".join(
        f"<tr><td>{escape(key)}<td>{s.precision:.4f}<td>{s.recall:.4f}<td>{s.f1:.4f}<td>{s.perfect_share:.3f}<td>{s.records}"
        for key, s in scores.items()
    )
    return f"<table><tr><th>{name}<th>precision<th>recall<th>F1<th>perfect<th>records</tr>{rows}</table>"


def _record(result: RecordResult) -> Iterator[str]:
    yield f"<h4>{escape(result.record.id)}</h4>"
    for view, difference in result.differences.items():
        for kind, cells in (("miss", difference.misses), ("extra", difference.extras)):
            if (cells and view != "full") or (cells and not result.faults):
                shown = "; ".join(" ".join(str(part) for part in cell if part != ()) for cell in sorted(cells, key=str))
                yield f'<p class="{kind}">{view} {kind}: {escape(shown)}</p>'
    for name, reading in result.reading.pages:
        if reading.verdicts:
            is_open = " open" if reading.masses else ""
            yield f"<details{is_open}><summary>{escape(name or 'text')} (score {reading.score:.2f})</summary><pre>"
            yield from _lines(reading)
            yield "</pre></details>"


def _lines(reading: PageReading) -> Iterator[str]:
    """Lines with hours and those around them, hours marked by verdict."""
    by_line: dict[int, list[tuple[int, str, str]]] = {}
    for (line, start), verdict in reading.verdicts.items():
        by_line.setdefault(line, []).append((start, verdict.kind, verdict.reason))
    wanted = sorted({near for line in by_line for near in range(line - _AROUND, line + _AROUND + 1)})
    for number in wanted[:_MOST_LINES]:
        if 0 <= number < len(reading.document.lines):
            line = reading.document.lines[number]
            headers = " | ".join(part for part in (line.row_header, line.column_header) if part)
            yield f'<span class="num">{number} {line.kind.value}{line.level or ""} {escape(headers)}</span> '
            yield f"{_marked(line.text, sorted(by_line.get(number, ())))}\n"


def _marked(text: str, hours: Sequence[tuple[int, str, str]]) -> str:
    parts, position = [], 0
    for start, kind, reason in hours:
        end = start
        while end < len(text) and not text[end].isspace() and text[end] not in ",;)":
            end += 1
        css = kind if kind in ("mass", "unclear") else "other"
        parts.append(escape(text[position:start]))
        parts.append(f'<mark class="{css}" title="{escape(kind + ": " + reason, quote=True)}">{escape(text[start:end])}</mark>')
        position = end
    return "".join(parts) + escape(text[position:])


def _hours(result: SetResult) -> Iterator[str]:
    wrong = [
        hour for hour in result.hour_results if hour.label["label"] in "mnx" and hour.is_accepted != (hour.label["label"] == "m")
    ]
    if not wrong:
        return
    yield f"<details><summary>Hours decided wrongly ({len(wrong)})</summary><ul>"
    for hour in wrong:
        label = hour.label
        yield (
            f"<li>{escape(label['label'])}, {'accepted' if hour.is_accepted else 'rejected'}: {escape(label['file'])}: "
            f"{escape(label['left'][-60:])}<mark>{escape(label['text'])}</mark>{escape(label['right'][:40])}</li>"
        )
    yield "</ul></details>"
