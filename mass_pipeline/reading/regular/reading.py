"""From a document, a text or the strings of a directory to a reading: Masses with evidence and a verdict for every hour."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from mass_pipeline.guard import seldom_collected
from mass_pipeline.model.document import Document, Line
from mass_pipeline.model.records import ReadMass
from mass_pipeline.reading.doubts import Doubts
from mass_pipeline.reading.grammar.cells import CellReader
from mass_pipeline.reading.grammar.listed import as_listed
from mass_pipeline.reading.grammar.reader import Reader
from mass_pipeline.reading.grammar.time_groups import OnlyOn, TimeEntry, TimeGroup
from mass_pipeline.reading.phrases.chunker import chunk
from mass_pipeline.reading.phrases.lines import seen_in
from mass_pipeline.reading.phrases.nodes import WORKING_WEEK, Cond, Days, InList, NodeLine, OnNth
from mass_pipeline.reading.phrases.text_lines import days_of_the_column, hours_for_dates, lines_of_text
from mass_pipeline.reading.regular.combining import combine
from mass_pipeline.reading.regular.readings import read_all, standing_slots
from mass_pipeline.reading.regular.schedule_blocks import (
    NEIGHBOUR_SCORE,
    ScheduleBlock,
    names_several_parishes,
    read_notice,
    without_dated_news,
)
from mass_pipeline.reading.regular.segments import MOST_HOURS, segments_of
from mass_pipeline.reading.validity.assembly import HourVerdict
from mass_pipeline.reading.validity.listed_times import with_hours
from mass_pipeline.reading.validity.redactor import Redactor
from mass_pipeline.reading.words.languages import languages_of_lines, languages_of_page
from mass_pipeline.reading.words.lexicon import load_lexicon

_FEASTS: Final = frozenset({"PH", "AF"})
_FIELDS: Final = (frozenset({"Su"}), WORKING_WEEK, frozenset({"AF"}))  # of a directory entry, in order
_WEEKDAYS: Final = 1  # the line of a directory entry that holds the order of weekdays
FEAST_FIELD: Final = 2  # the line of a directory entry that holds it


@dataclass(frozen=True, slots=True)
class PageReading:
    """What one page (or text, or pair of strings) says.

    Attributes:
        masses: sorted by `Mass.sort_key`.
        score: 0..1, how likely the page states the standing schedule.
        verdicts: (line, start) of an hour -> what it is.
        document: the page that was read.
        notices: every stretch of the page with hours, accepted or not, in reading order.
    """

    masses: tuple[ReadMass, ...]
    score: float
    verdicts: Mapping[tuple[int, int], HourVerdict]
    document: Document = field(default_factory=Document, repr=False)
    notices: tuple[ScheduleBlock, ...] = ()


def read_strings(sunday: str, weekday: str, feast: str = "") -> PageReading:
    """Read the fields of a directory entry: the schedules of Sundays, of weekdays, and of feasts that are no days off.

    Args:
        sunday, weekday: as the directory has them, "" for none.
        feast: the third field of some dioceses, the order of abolished feasts unless its words name others.

    >>> [m.mass.time for m in read_strings("8.00, 10.00", "18.00").masses]
    ['18:00', '08:00', '10:00']
    >>> [(m.mass.days, m.mass.time) for m in read_strings("8.00", "", "9.00").masses]
    [(('Su',), '08:00'), (('AF',), '09:00')]
    """
    fields = (sunday, weekday, feast) if feast.strip() else (sunday, weekday)
    document = Document(tuple(Line(field.strip() or "-") for field in fields))
    lines = _lines_of_fields(document)

    def read_runs(doubts: Doubts) -> list[TimeGroup]:
        runs: list[TimeGroup] = []
        for line, days in zip(lines, _FIELDS, strict=False):
            reader = Reader(doubts)
            reader.begin_list(InList(Days(days, label=True), 0, 0))
            reader.read_line(line)
            runs.extend(_kept_to_feasts(reader.runs) if line.index == FEAST_FIELD else reader.runs)
        return runs

    return _one_notice(document, lines, read_runs)


def _lines_of_fields(document: Document) -> list[NodeLine]:
    """The fields of a directory entry."""
    lines = _node_lines(document, hours_for_dates)
    lines[_WEEKDAYS].nodes = days_of_the_column(lines[_WEEKDAYS].nodes)
    return lines


def _kept_to_feasts(runs: Sequence[TimeGroup]) -> Sequence[TimeGroup]:
    """What the field of feasts says of Saturdays holds for feasts on Saturdays: for single dates, never for every week."""

    def judged(item: TimeEntry, run: TimeGroup) -> TimeEntry:
        conds = (*run.scope.values(), *item.restrictions)
        return item.of_single_dates() if item.has(OnlyOn) or any(map(_names_other_days, conds)) else item

    return with_hours(runs, judged)


def _names_other_days(cond: Cond) -> bool:
    if isinstance(cond, OnNth):
        return True
    return isinstance(cond.value, Days) and not cond.value.feasts and not cond.value.days <= _FEASTS


def read_text(text: str) -> PageReading:
    """Read a text that states a schedule, one line of the document per line of it; columns set off by bars are tables."""
    document = Document(tuple(lines_of_text(text)), source=text)
    lines = as_listed(_node_lines(document))
    seen = [seen_in(line) for line in lines]

    def read_runs(doubts: Doubts) -> Sequence[TimeGroup]:
        reader = CellReader(doubts)
        for position, line in enumerate(lines):
            reader.begin_line(seen, document, position)
            reader.read_line(line)
        return without_dated_news(lines, reader.runs)

    return _one_notice(document, lines, read_runs)


def read_page(document: Document) -> PageReading:
    """Read a page of which nobody knows whether it states a schedule.

    Args:
        document: the page.

    Returns:
        The Masses of the notices that are taken for the standing order; the score of the best notice; verdicts of
        all hours, those of rejected notices included (never as standing Masses).
    """
    with seldom_collected():
        return _of_notices(document, list(_read_notices(document)))


def _read_notices(document: Document) -> Iterator[ScheduleBlock]:
    """The notices of a page, up to the hours that are read of one."""
    told, of_several = Redactor(document), names_several_parishes(document)
    left = MOST_HOURS
    for segment in segments_of(document):
        notice = read_notice(segment, document, told, of_several=of_several)
        yield notice
        left -= len(notice.verdicts)
        if left <= 0:
            return


def with_notices(reading: PageReading, notices: Sequence[ScheduleBlock]) -> PageReading:
    """The reading of a page when its notices are judged otherwise; they stand in the same order."""
    return _of_notices(reading.document, notices)


def _of_notices(document: Document, notices: Sequence[ScheduleBlock]) -> PageReading:
    readings = combine([notices])
    masses = readings[0][1] if readings else ()
    standing = standing_slots(masses)
    verdicts: dict[tuple[int, int], HourVerdict] = {}
    for notice in notices:
        accepted = notice.score >= NEIGHBOUR_SCORE
        for key, verdict in notice.verdicts.items():
            known = verdict.mass is not None and all((day, verdict.mass.time) in standing for day in verdict.mass.days)
            verdicts[key] = verdict if accepted and known else not_standing(verdict)
    score = max((notice.score for notice in notices), default=0.0)
    return PageReading(masses, score, verdicts, document, tuple(notices))


def not_standing(verdict: HourVerdict) -> HourVerdict:
    """A standing Mass of a notice that is no standing order."""
    if verdict.kind != "mass":
        return verdict
    return HourVerdict("unclear", None, "the words around do not look like the standing order")


def _one_notice(document: Document, lines: Sequence[NodeLine], read_runs: Callable[[Doubts], Sequence[TimeGroup]]) -> PageReading:
    reading = read_all(document, lines, read_runs)
    score = 1.0 if reading.masses else 0.0
    notice = ScheduleBlock(reading.masses, score, reading.verdicts, last=max(0, len(document.lines) - 1), reading=reading)
    return PageReading(reading.masses, score, reading.verdicts, document, (notice,))


def _node_lines(document: Document, spelled: Callable[[str], str] = str) -> list[NodeLine]:
    """The lines of a short text, each in its language.

    Args:
        document: the lines.
        spelled: the form in which a line is taken apart, of the same length.
    """
    texts = [line.text for line in document.lines]
    languages = languages_of_lines(texts, languages_of_page("\n".join(texts)))
    return [
        NodeLine(index, chunk(spelled(text), load_lexicon(language)), text)
        for index, (text, language) in enumerate(zip(texts, languages, strict=True))
    ]
