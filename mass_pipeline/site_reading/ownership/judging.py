"""Set aside the notices of a site that are not this parish's order of today, line by line, with the reasons.

Not here: what speaks against a line (`counter_evidence`), how probable the rest is (`confidence`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Final

from mass_pipeline.model.document import Document, Line, LineKind
from mass_pipeline.model.records import ReadMass
from mass_pipeline.reading.regular.reading import PageReading, not_standing, read_page, with_notices
from mass_pipeline.reading.regular.schedule_blocks import DAY_WEIGHT, ScheduleBlock
from mass_pipeline.site_reading.ownership.context import Context, contexts
from mass_pipeline.site_reading.ownership.counter_evidence import names_own, objections_to, page_of
from mass_pipeline.site_reading.ownership.evidence import Against, CounterEvidence
from mass_pipeline.site_reading.ownership.own_names import OwnNames

_MOST_LINES_READ_AGAIN: Final = 1_000  # longer pages lose the rows of the lines, without being read anew
_CONTRADICTED: Final = 0.5  # weight of what text and data of one page say of the same days: nobody can say which holds
_BLANK: Final = "–"  # stands for a line whose hours are set aside, so that the lines keep their numbers
# What lines say of themselves beside an order of the parish itself is no reason to doubt them: chapels, filial villages.
_WAIVED_BESIDE_OWN: Final = frozenset({Against.OTHER_PLACE, Against.OTHER_BUILDING})
_WAIVED_ON_OWN_PAGE: Final = frozenset({Against.OTHER_BUILDING})  # the hospital's Masses below the parish's own


@dataclass(frozen=True, slots=True)
class SetAside:
    """A notice that is not taken for the order of the parish, with what speaks against it."""

    notice: ScheduleBlock
    objections: tuple[CounterEvidence, ...]


@dataclass(frozen=True, slots=True)
class JudgedPage:
    """A page without what is not its parish's order of today.

    Attributes:
        reading: what is left.
        set_aside: what is not.
        left_out: lines of notices that stand otherwise.
    """

    reading: PageReading
    set_aside: tuple[SetAside, ...] = ()
    left_out: tuple[SetAside, ...] = ()


def judge_page(reading: PageReading, own: OwnNames, today: date) -> JudgedPage:
    """Judge what the rules read on a page.

    Args:
        reading: of the page alone.
        own: names of the parish; empty when unknown, then no name is held against it.
        today: the day of which the order is asked.

    Returns:
        The page itself when nothing speaks against its orders. A notice of which every hour is objected to is set aside as a
        whole; lines of a notice that stands otherwise are read again without them.
    """
    judged = _judge(_with_data_apart(reading), own, today)
    if not judged.partly:
        return JudgedPage(judged.reading, judged.set_aside)
    left_out = tuple(_left_out(judged))
    if len(reading.document.lines) > _MOST_LINES_READ_AGAIN:
        notices = [_without_rows(notice, judged.partly) for notice in judged.reading.notices]
        return JudgedPage(with_notices(judged.reading, notices), judged.set_aside, left_out)
    again = _judge(read_page(_without(reading.document, judged.partly)), own, today)
    aside = tuple(one for one in again.set_aside if one.notice.masses) or judged.set_aside
    return JudgedPage(replace(again.reading, document=reading.document), aside, left_out)


def _with_data_apart(reading: PageReading) -> PageReading:
    """The reading of a page whose data for machines state Masses beside its text: each is read alone, none changes the other.

    Of days that both state, hours that only one of them has are contradicted; other days of the data stand.
    """
    lines = reading.document.lines
    data = frozenset(at for at, line in enumerate(lines) if line.kind is LineKind.STRUCTURED)
    stating = {line for notice in reading.notices for line in lines_with_masses(notice)} if data else frozenset()
    if not stating & data or not stating - data:
        return reading
    text, other = (read_page(_without(reading.document, left)) for left in (data, frozenset(range(len(lines))) - data))
    stated = [read for notice in other.notices for read in notice.masses]
    if not text.masses or not stated:
        return reading
    best = max((notice for notice in text.notices if notice.masses), key=lambda notice: notice.strength)
    said, told = _hours_by_day(text.masses), _hours_by_day(stated)
    rows = [_contradicted(read, told) for read in best.masses]
    rows += [
        _contradicted(replace(read, mass=replace(read.mass, days=days)), said)
        for read in stated
        if (days := tuple(day for day in read.mass.days if read.mass.time not in said.get(day, ())))
    ]
    rows.sort(key=lambda read: read.mass.sort_key())
    notices = [replace(notice, masses=tuple(rows)) if notice is best else notice for notice in text.notices]
    return replace(with_notices(text, notices), document=reading.document)


def _hours_by_day(masses: Sequence[ReadMass]) -> dict[str, set[str]]:
    hours: dict[str, set[str]] = {}
    for read in masses:
        for day in read.mass.days:
            hours.setdefault(day, set()).add(read.mass.time)
    return hours


def _contradicted(read: ReadMass, others: Mapping[str, Collection[str]]) -> ReadMass:
    """The row with what speaks against it where others state its days without its hour."""
    lacking = any(day in others and read.mass.time not in others[day] for day in read.mass.days)
    return replace(read, contradicted=max(read.contradicted, _CONTRADICTED)) if lacking else read


@dataclass(frozen=True, slots=True)
class _Judgement:
    reading: PageReading
    set_aside: tuple[SetAside, ...]
    partly: frozenset[int]  # lines to be left out of notices that stand
    objections: Mapping[int, tuple[CounterEvidence, ...]]


def _judge(reading: PageReading, own: OwnNames, today: date) -> _Judgement:
    hours = [lines_with_masses(notice) if notice.score >= DAY_WEIGHT and notice.masses else {} for notice in reading.notices]
    starts = {line: start for lines in hours for line, start in lines.items()}
    if not starts:
        return _Judgement(reading, (), frozenset(), {})
    found = {context.line: context for context in contexts(reading.document, starts)}
    page = page_of(reading.document, found.values(), own)
    against = {line: tuple(objections_to(context, page, own, today)) for line, context in found.items()}
    if any(not against[line] for lines in hours for line in lines):
        against = {
            line: () if _WAIVED_ON_OWN_PAGE.issuperset(one.kind for one in said) else said for line, said in against.items()
        }
    notices: list[ScheduleBlock] = []
    aside: list[SetAside] = []
    partly: set[int] = set()
    for notice, lines in zip(reading.notices, hours, strict=True):
        objected = _objected(lines, against, found, own)
        if lines and len(objected) == len(lines):
            kinds = tuple(dict.fromkeys(objection for line in sorted(lines) for objection in against[line]))
            aside.append(SetAside(notice, kinds))
            notices.append(rejected(notice, kinds))
        else:
            partly |= objected
            notices.append(notice)
    objections = {line: said for line, said in against.items() if said}
    return _Judgement(with_notices(reading, notices) if aside else reading, tuple(aside), frozenset(partly), objections)


def lines_with_masses(notice: ScheduleBlock) -> dict[int, int]:
    """Line -> start of its first hour that the rules take for a Mass."""
    found: dict[int, int] = {}
    for (line, start), verdict in notice.verdicts.items():
        if verdict.kind == "mass":
            found[line] = min(start, found.get(line, start))
    return found


def _objected(
    lines: Collection[int], against: Mapping[int, Sequence[CounterEvidence]], found: Mapping[int, Context], own: OwnNames
) -> set[int]:
    """Lines of a notice whose hours are not taken."""
    objected = {line for line in lines if against[line]}
    own_lines = [line for line in lines if not against[line] or names_own(found[line], own)]
    if own_lines:
        objected = {line for line in objected if not _WAIVED_BESIDE_OWN.issuperset(one.kind for one in against[line])}
    if len(objected) < len(lines):
        objected = {line for line in objected if any(one.kind is not Against.SUSPENDED for one in against[line])}
    return objected


def rejected(notice: ScheduleBlock, objections: Sequence[CounterEvidence]) -> ScheduleBlock:
    """A notice that makes up no order; the classifier is asked of none of its hours, and the reasons stand with its score."""
    reasons = (*notice.reasons, *(f"against: {one.reason}" for one in objections))
    verdicts = {place: not_standing(verdict) for place, verdict in notice.verdicts.items()}
    return replace(notice, score=0.0, strength=0.0, verdicts=verdicts, reasons=reasons)


def _left_out(judged: _Judgement) -> Iterator[SetAside]:
    """The rows of each line that is left out of a notice which stands."""
    for notice in judged.reading.notices:
        for line in sorted(judged.partly):
            rows = tuple(read for read in notice.masses if read.evidence[0].line == line)
            if rows:
                yield SetAside(replace(notice, masses=rows), judged.objections[line])


def _without_rows(notice: ScheduleBlock, lines: Collection[int]) -> ScheduleBlock:
    """A notice without the Masses whose evidence stands in some lines."""
    return replace(notice, masses=tuple(read for read in notice.masses if read.evidence[0].line not in lines))


def _without(document: Document, lines: Collection[int]) -> Document:
    """The document with some lines blank."""
    return replace(document, lines=tuple(_blank(line) if at in lines else line for at, line in enumerate(document.lines)))


def _blank(line: Line) -> Line:
    return Line(_BLANK, line.kind, line.level, line.block, line.region, line.table, line.row, line.column)
