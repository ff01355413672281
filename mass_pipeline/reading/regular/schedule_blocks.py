"""Read a segment and judge it: is this the standing order of Masses, or intentions, announcements, another church?"""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Final

from mass_pipeline.model.digits import has_digit
from mass_pipeline.model.document import Document, LineKind, Region
from mass_pipeline.model.records import ReadMass
from mass_pipeline.reading.doubts import Doubts
from mass_pipeline.reading.grammar.cells import CellReader
from mass_pipeline.reading.grammar.listed import as_listed
from mass_pipeline.reading.grammar.outline import END_WITH_BOX
from mass_pipeline.reading.grammar.time_groups import DaysFrom, SingleDates, TimeEntry, TimeGroup
from mass_pipeline.reading.phrases.lines import PageLine, flatten
from mass_pipeline.reading.phrases.nodes import (
    WORKDAYS,
    AtPlace,
    Cond,
    Dated,
    Group,
    InList,
    NodeLine,
    OfKind,
    Op,
    Time,
    When,
    Word,
)
from mass_pipeline.reading.phrases.predicates import has_time, names_event
from mass_pipeline.reading.regular.boxes import OpenHeadings, with_heads_of_boxes
from mass_pipeline.reading.regular.readings import Reading, read_all
from mass_pipeline.reading.regular.segments import Segment
from mass_pipeline.reading.validity.assembly import HourVerdict
from mass_pipeline.reading.validity.listed_times import with_hours
from mass_pipeline.reading.validity.redactor import Redactor
from mass_pipeline.reading.words.effective_date import since
from mass_pipeline.reading.words.expressions import expression
from mass_pipeline.reading.words.folding import fold
from mass_pipeline.reading.words.known_words import without_towns
from mass_pipeline.reading.words.languages import BASE, title_pattern

ACCEPT_SCORE: Final = 0.5  # least score of a notice that is taken for the standing order (docs/reading.md)
NEIGHBOUR_SCORE: Final = 0.3  # of one that goes on with an accepted one beside it
# Weights for and against a notice.
_ANCHOR: Final = 0.3  # words like Msze Święte or Porządek Mszy
DAY_WEIGHT: Final = 0.25  # a Sunday list, a weekday list
_EVERY: Final = 0.2  # a sentence that tells a Mass of every week
_HOURS: Final = 0.1  # more than two hours
_TITLE: Final = 0.15  # a heading, title, address or link text about Masses
_NEWS: Final = 0.3  # against pages of news, intentions and announcements
_DATED: Final = 0.8  # against dated hours, times their share
_EVENT: Final = 0.6  # against programmes of feasts and lists of other parishes
_LONE: Final = 0.2  # against one or two hours in a sentence
_PROSE: Final = 0.5  # against prose around the hours
_PROSE_WORDS: Final = 4.0  # plain words per hour from which lines count as prose
_CHARACTERS_PER_WORD: Final = 18  # of lines with hours, numbers and labels included
_EVERY_WEEK: Final = expression(  # folded: "Msza św. odprawiana jest w każdą niedzielę"
    r"<mass_or_eucharist>[^;:\d]{0,80}<is_said>[^;:\d]{0,40}<every> <weekday>"
    r"|\bw <every> <weekday>[^;:\d]{0,60}<the_mass>[^;:\d]{0,40}<is_said>"
    r"|\bw <every> <weekday> o <at><hour>[^;:\d]{0,40}<is_said>[^;:\d]{0,20}<the_mass>"
    r"|<inviting> na <mass_or_eucharist>[^;:\d]{0,40}\bw <every> <weekday>"
    r"|<mass_or_eucharist>[^;:\d]{0,40}<gathering>[^;:\d]{0,40}<every> <weekday>"
    r"|<gathering>[^;:\d]{0,40}<mass_or_eucharist>[^;:\d]{0,40}<every> <weekday>"
    r"|<every> <weekday> o <at><hour>[^;:\d]{0,40}<mass>"
    r"|<the_mass>[^;:\d]{0,40}<every_second> <weekday>"
    r"|<of_sunday> <mass_or_eucharist>[^;:\d]{0,40}<is_said>"
)
_MAY_SAY_EVERY: Final = expression("<every>|<every_second>|<of_sunday>")  # folded
_OF_TIMES: Final = expression("<heading_of_masses>|<masses>")
_PARISH: Final = re.compile(r"(?:^|/ )parafia \w")  # folded headings
_SEVERAL_PARISHES: Final = 3
_FILIAL: Final = re.compile(r"\bfili[aei]\b|\b(?:kosci|kaplic)\w+ (?:filialn|dojazdow|pomocnicz)")  # folded headings
_BESIDE: Final = frozenset({Region.ASIDE, Region.HEADER, Region.FOOTER})


@dataclass(frozen=True, slots=True)
class ScheduleBlock:
    """What one segment of a page says.

    Attributes:
        masses: sorted by `Mass.sort_key`.
        score: 0..1, how likely it is the standing order.
        verdicts: (line, start) of an hour -> what it is.
        strength: the score before it is cut to 0..1, for comparing notices that are all believed.
        reasons: what raised and lowered the score.
        region: part of the page.
        first, last: positions of its lines in the document.
        language: of its lines, several joined by `+`.
        reading: how its lines were read, with what else they may mean.
        since: the day from which its lines say that it holds, None when they name none.
        of_filial_churches: the headings above say so.
    """

    masses: tuple[ReadMass, ...]
    score: float
    verdicts: dict[tuple[int, int], HourVerdict]
    strength: float = 0.0
    reasons: tuple[str, ...] = ()
    region: Region = Region.MAIN
    first: int = 0
    last: int = 0
    language: str = BASE
    reading: Reading = field(default=Reading((), {}, ()), repr=False)
    since: date | None = None
    of_filial_churches: bool = False


def names_several_parishes(document: Document) -> bool:
    """Whether headings of a page name three parishes or more: then none of them is its own."""
    named = {fold(line.text) for line in document.lines if line.kind is LineKind.HEADING and "arafi" in line.text.lower()}
    return sum(_PARISH.match(name) is not None for name in named) >= _SEVERAL_PARISHES


def read_notice(segment: Segment, document: Document, told: Redactor, *, of_several: bool) -> ScheduleBlock:
    """Read and judge one segment.

    Args:
        told: places of the document as they may be shown.
        of_several: the document names several parishes.
    """

    def strength_of(reading: Reading) -> tuple[float, tuple[str, ...]]:
        return _judge(segment, document, reading, of_several=of_several)

    node_lines = [line.node_line for line in segment.lines]
    reading = read_all(
        document,
        node_lines,
        lambda doubts: _read_runs(segment, node_lines, document, doubts),
        lambda reading: strength_of(reading)[0] >= ACCEPT_SCORE,
        told,
    )
    strength, reasons = strength_of(reading)
    score = min(1.0, max(0.0, strength))
    first, last = segment.lines[0].index, segment.lines[-1].index
    region = document.lines[first].region
    begins = since(line.text for line in document.lines[first : last + 1]) if score else None
    filial = _FILIAL.search(fold(segment.title)) is not None
    return ScheduleBlock(
        reading.masses, score, reading.verdicts, strength, reasons, region, first, last, segment.language, reading, begins, filial
    )


def _read_runs(segment: Segment, node_lines: Sequence[NodeLine], document: Document, doubts: Doubts) -> Sequence[TimeGroup]:
    """The hours of a segment by given answers to what it leaves open."""
    reader = CellReader(doubts)
    headings = OpenHeadings(document)
    lines = as_listed(with_heads_of_boxes(node_lines, document))
    for position, (line, nodes) in enumerate(zip(segment.lines, lines, strict=True)):
        if ended := headings.ended_before(line.index, has_hour=line.has_hour):
            reader.outline.leave_boxes(ended)
        if not line.has_hour and not line.conditions.isdisjoint(END_WITH_BOX):
            headings.add(line.index)
        reader.begin_line(segment.lines, document, position)
        reader.read_line(nodes)
    runs = _without_sentences_on_masses(lines, reader.runs)
    return without_dated_news(lines, runs) if any(Dated in line.conditions for line in segment.lines) else runs


def _without_sentences_on_masses(lines: Sequence[NodeLine], runs: Sequence[TimeGroup]) -> Sequence[TimeGroup]:
    """`Msza o 18.00 jest bez kazania.` below a list refers to an hour of another one, and states none."""
    telling = {line.index for line in lines if _tells_of_a_mass(line)}
    if not telling:
        return runs
    stated = {item.clock.time for run in runs for item in run.items if item.line not in telling}

    def judged(item: TimeEntry, run: TimeGroup) -> TimeEntry:
        above = run.days_from is not DaysFrom.OWN_LINE or item.line != run.items[0].line
        refers = above and item.line in telling and item.clock.time in stated and item.is_live and not item.has_own_kind
        return replace(item, kind="reference") if refers else item

    return with_hours(runs, judged)


def _tells_of_a_mass(line: NodeLine) -> bool:
    """Whether a line names a Mass by its hour, and goes on in words: on which days it is it does not say."""
    first = next((at for at, node in enumerate(line.nodes) if isinstance(node, Time)), 0)
    before, behind = line.nodes[:first], line.nodes[first + 1 :]
    named = [node.value for node in before if isinstance(node, Cond)] == ["mass"]
    alone = not any(isinstance(node, (Time, Group, When)) for node in behind)
    return named and alone and any(isinstance(node, (Word, Op)) for node in behind)


def without_dated_news(lines: Sequence[NodeLine], runs: Sequence[TimeGroup]) -> Sequence[TimeGroup]:
    """Hours under `Ogłoszenia duszpasterskie, 22.11.2026` hold for that week, up to the next heading or order of Masses."""
    found: set[int] = set()
    dated = False
    for line in lines:
        nodes = flatten(line.nodes)
        if not dated and Dated not in map(type, nodes):
            continue
        said = [node for node in nodes if isinstance(node, Cond)]
        of_masses = any(cond.value in ("anchor", "mass") for cond in said if isinstance(cond, OfKind))
        with_date = any(isinstance(cond, Dated) for cond in said)
        if line.heading:
            dated = with_date and not of_masses and title_pattern("news").search(fold(line.text)) is not None
        elif _titles_dated_news(line, said) and not of_masses:
            dated = True
        elif of_masses and isinstance(said[0], OfKind) and any(isinstance(cond, InList) for cond in said):
            dated = False
        elif dated:
            found.add(line.index)
    return with_hours(runs, lambda item, _: item.of_single_dates() if item.line in found else item)


def _titles_dated_news(line: NodeLine, said: Sequence[Cond]) -> bool:
    """A line like `Ogłoszenia na 22 listopada`; `Ogłoszenia Czytania na dziś` is a menu."""
    if has_time(line.nodes):
        return False
    on_a_day = any(isinstance(cond, Dated) and has_digit(line.text[cond.start : cond.end]) for cond in said)
    return on_a_day and title_pattern("news").match(fold(line.text)) is not None


def _judge(segment: Segment, document: Document, reading: Reading, *, of_several: bool) -> tuple[float, tuple[str, ...]]:
    """The score of a notice and why."""
    if not reading.masses:
        return 0.0, ("no Mass read",)
    weights = _evidence(segment, document, reading, of_several=of_several)
    return sum(weight for _, weight in weights), tuple(f"{name} {weight:+.2f}" for name, weight in weights if weight)


def _evidence(segment: Segment, document: Document, reading: Reading, *, of_several: bool) -> list[tuple[str, float]]:
    items = [item for run in reading.runs for item in run.items if not run.removes]
    days = {day for read in reading.masses for day in read.mass.days}
    kinds = {kind for line in segment.lines for kind in line.kinds}
    page = fold(" ".join((document.title, document.url, document.link_text)))
    headings = fold(without_towns(segment.title))
    title = f"{headings} {page}"
    beside = document.lines[segment.lines[0].index].region in _BESIDE and title_pattern("dedicated").search(headings)
    of_news = headings if beside else title  # a box with the order of Masses stands on pages of news too
    of_others = title_pattern("others").search(headings) or (of_several and _PARISH.search(headings))
    of_intentions = _of_intentions_alone(headings)
    if not of_intentions:
        of_news = of_news.replace("intencj", "")
    live = [item for item in items if item.is_live]
    of_order = _of_order(items, segment)
    dated = sum(1 for item in of_order if item.has(SingleDates))
    lines = {item.line for item in live}
    prose = _words_of_prose([line for line in segment.lines if line.index in lines]) / max(1, len(live))
    told = [document.lines[index].text for index in lines]
    of_masses = kinds & {"anchor", "mass"}
    every = _says_every_week(told) and not any(item.has(SingleDates) and item.line in lines for item in items)
    return [
        ("anchor", _ANCHOR if of_masses or title_pattern("dedicated").search(title) else 0.0),
        ("Sunday", DAY_WEIGHT if "Su" in days else 0.0),
        ("weekdays", DAY_WEIGHT if len(days & WORKDAYS) > 1 else 0.0),
        ("several hours", _HOURS if len(live) > 2 else 0.0),
        ("heading", _TITLE if title_pattern("dedicated").search(headings) else 0.0),
        ("dedicated page", _TITLE if title_pattern("dedicated").search(page) else 0.0),
        ("every week", _EVERY if every else 0.0),
        ("news", -_NEWS if title_pattern("news").search(of_news) else 0.0),
        ("an event", -_EVENT if names_event(headings) else 0.0),
        ("intentions", -_EVENT if of_intentions else 0.0),
        ("other parishes", -_EVENT if of_others else 0.0),
        ("dated hours", -_DATED * dated / max(1, len(of_order))),
        ("a lone hour", -_LONE if len(live) < 3 and prose >= 2 and not every and not days & WORKDAYS else 0.0),
        ("prose", 0.0 if every else -_PROSE * min(1.0, max(0.0, prose - _PROSE_WORDS) / _PROSE_WORDS)),
    ]


def _of_intentions_alone(headings: str) -> bool:
    """Whether folded headings tell for whom Masses are said, not when: `Intencje mszalne`, but not `Msze święte i intencje`."""
    return "intencj" in headings and _OF_TIMES.search(headings) is None


def _of_order(items: Sequence[TimeEntry], segment: Segment) -> list[TimeEntry]:
    """Hours down to the first heading below the last Mass: dated news under headings of their own are none of the list."""
    last = max((item.line for item in items if item.is_live), default=-1)
    behind = next((line.index for line in segment.lines if line.heading and line.index > last), sys.maxsize)
    return [item for item in items if item.line < behind]


def _says_every_week(told: Sequence[str]) -> bool:
    """`w każdą niedzielę`, in the lines of the hours."""
    return any(_EVERY_WEEK.search(folded) for text in told if _MAY_SAY_EVERY.search(folded := fold(text)) is not None)


def _words_of_prose(lines: Sequence[PageLine]) -> float:
    """Words of lines that mean nothing to the grammar, or what their characters come to; names of places left out."""
    words = sum(line.plain_words for line in lines)
    characters = sum(len(line.text) - _length_of_places(line.node_line) - _length_of_spoken(line) for line in lines)
    return max(words, characters / _CHARACTERS_PER_WORD)


def _length_of_places(line: NodeLine) -> int:
    """Characters of names of churches and places: however long, they are no prose."""
    return sum(node.end - node.start for node in line.nodes if isinstance(node, AtPlace))


def _length_of_spoken(line: PageLine) -> int:
    """Characters of hours in words: they say as much as digits."""
    if has_digit(line.text):
        return 0
    return sum(node.end - node.start for node in line.node_line.nodes if isinstance(node, Time))
