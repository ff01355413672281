"""What other sources say beside the row that is published: the page of a directory, and the last reading of the same site.

Agreement raises the probability of a row, contradiction is reported with the words and the date of both, and stated rules decide:

- the parish's own site is followed; a directory that says otherwise lowers the row, so that an unsure one waits for a person;
- the newer reading is followed; a last reading that said otherwise lowers nothing, since orders change;
- what only another source states is never published; it is shown beside the rows of its day.

Not here: orders that a person approved (reviews), announcements (announced, publication), probabilities (site_reading).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from math import exp, log
from typing import Final

from mass_pipeline.schedules.heard import Heard, Source
from mass_pipeline.schedules.rows import ScheduleRow

# Set by judgement, not measured: no labelled parish has both sources. Cautious, so that no row crosses more than a step.
_SHIFT: Final[Mapping[tuple[str, str], float]] = {
    ("directory", "agrees"): log(3),
    ("directory", "contradicts"): -log(3),
    ("last_reading", "agrees"): log(1.5),
    ("last_reading", "contradicts"): 0.0,
}
_MOST: Final = 0.995  # nothing read by a machine is surer (ownership.confidence)


def heard_beside(rows: Sequence[ScheduleRow], source: Source, other: Sequence[ScheduleRow]) -> dict[ScheduleRow, Heard]:
    """What another source says of each row; nothing of rows on whose days, at whose place it states no Mass.

    Args:
        rows: as read from the parish's site.
        source: which the other is.
        other: the standing order it states.
    """
    found: dict[ScheduleRow, Heard] = {}
    for row in rows:
        days = set(row.mass.days)
        beside = [one for one in other if days & set(one.mass.days) and one.mass.place == row.mass.place]
        if not beside:
            continue
        same = [one for one in beside if _is_same(one, row)]
        agrees = days <= {day for one in same for day in one.mass.days}
        best = (same or beside)[0]
        moment = best.checked_at or best.fetched_at
        found[row] = Heard(source, "agrees" if agrees else "contradicts", _hours(beside), best.source_url, best.quote, moment)
    return found


def _is_same(one: ScheduleRow, row: ScheduleRow) -> bool:
    seasons = {one.mass.when, row.mass.when}
    return one.mass.time == row.mass.time and (len(seasons) == 1 or "all" in seasons) and one.mass.nth == row.mass.nth


def _hours(rows: Iterable[ScheduleRow]) -> str:
    told = sorted({(row.mass.time, " ".join(row.mass.days), row.mass.when) for row in rows})
    return ", ".join(f"{days} {time}" + ("" if season == "all" else f" ({season})") for time, days, season in told)


def with_heard(rows: Sequence[ScheduleRow], source: Source, other: Sequence[ScheduleRow]) -> tuple[ScheduleRow, ...]:
    """The rows with what the other source says of them, and the probability that follows."""
    heard = heard_beside(rows, source, other)
    return tuple(_shifted(row, heard[row]) if row in heard else row for row in rows)


def with_last_reading(rows: Sequence[ScheduleRow], last: Sequence[ScheduleRow]) -> tuple[ScheduleRow, ...]:
    """The rows with what was published before of the same pages in another state.

    A run that reads the same state of a page again keeps what the run before it had heard, so that it changes nothing.

    Args:
        rows: as read now.
        last: the standing order published before.
    """
    states = {(row.source_url, row.page_sha256) for row in rows}
    same = [row for row in last if (row.source_url, row.page_sha256) in states]
    kept = {row.mass: heard for row in same for heard in row.heard if heard.source == "last_reading"}
    if same:
        return tuple(_shifted(row, kept[row.mass]) if row.mass in kept else row for row in rows)
    return with_heard(rows, "last_reading", last)


def _shifted(row: ScheduleRow, heard: Heard) -> ScheduleRow:
    return replace(row, confidence=shifted(row.confidence, heard.source, heard.says), heard=(*row.heard, heard))


def shifted(confidence: float, source: str, says: str) -> float:
    """A probability beside what another source says.

    >>> shifted(0.9, "directory", "agrees") > 0.9 > shifted(0.9, "directory", "contradicts")
    True
    """
    by = _SHIFT[source, says]
    if not by or not 0.0 < confidence < 1.0:
        return confidence
    return round(min(_MOST, 1 / (1 + exp(-(log(confidence / (1 - confidence)) + by)))), 4)


def why(rows: Iterable[ScheduleRow]) -> Iterator[str]:
    """For people: the probability of every row and what other sources say, with both quotes and dates."""
    for row in rows:
        moment = row.checked_at or row.fetched_at
        yield f"{' '.join(row.mass.days)} {row.mass.time}: {row.confidence:.3f} by {row.method}"
        yield f"  here: „{row.quote}” {row.source_url} ({_date(moment)})"
        for one in row.heard:
            yield f"  {_NAMES[one.source]} {one.says}: {one.hours}; {one.rule}"
            yield f"    „{one.quote}” {one.source_url} ({_date(one.said_at)})"


def _date(moment: datetime | None) -> str:
    return "date unknown" if moment is None else f"{moment:%Y-%m-%d}"


_NAMES: Final = {"directory": "the directory", "last_reading": "the last reading"}
