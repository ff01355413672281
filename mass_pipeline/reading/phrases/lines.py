"""What a line of a page contributes: its nodes and a few counts, computed only where they can matter."""

from __future__ import annotations

import heapq
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Final, Literal

from mass_pipeline.model.digits import has_digit
from mass_pipeline.model.document import Document, LineKind
from mass_pipeline.reading.phrases.chunker import chunk
from mass_pipeline.reading.phrases.nodes import (
    Cond,
    Dated,
    Dimension,
    Group,
    InList,
    InSeason,
    Node,
    NodeLine,
    OfKind,
    OnDays,
    OnNth,
    Time,
    Word,
)
from mass_pipeline.reading.phrases.predicates import plain_words_of
from mass_pipeline.reading.words.clock import TIME_LIKE, ClockKind, ClockToken, find_clock_tokens, may_speak_of_hours
from mass_pipeline.reading.words.folding import fold
from mass_pipeline.reading.words.languages import BASE, languages_of_page, load_language
from mass_pipeline.reading.words.lexicon import load_lexicon
from mass_pipeline.reading.words.marks import explains_marks
from mass_pipeline.reading.words.prefilter import (
    DAY_WORD,
    DENIES_MASSES,
    LIKE_SUNDAY,
    REFERS_TO_LIST,
    SUNDAY_IN_IT,
    WORDS_OF_SCHEDULES,
)
from mass_pipeline.reading.words.spoken_hours import has_spoken_hour

_HOUR: Final = re.compile(  # begins with a digit in every case, so that the search can skip
    r"\d(?: ?[:;] ?[0-5oO][\doO]|[.,^] ?[0-5oO][\doO](?!\.?\d)|[⁰¹²³⁴⁵º°]|\d? ?(?:00|15|30|45)(?!\d)"
    r"|(?<=[ .g]\d)(?:(?<=odz\. \d)|(?<=odz\.\d)|(?<=odz \d)|(?<=inie \d)|(?<=iny \d)|(?<=\bo \d)"
    r"|(?<=\bg\. \d)|(?<=\bg\.\d)|(?<=\bg\d))"
    r"|\d?(?: ?h\b|h[0-5]\d)|\d? ?(?:[aApP]\.?[mM]\b|[Uu]hr\b|noon\b))"
)
_BARE_HOURS: Final = re.compile(r"[0-9](?:(?<=\b[5-9])|(?<=\b1)\d|(?<=\b2)[0-2])\b")  # likewise
_SAYS_OF_LISTS: Final = re.compile(f"{DENIES_MASSES.pattern}|{LIKE_SUNDAY.pattern}", re.IGNORECASE)  # without an hour
_LATER: Final = ("óźniej", "cześniej")
_SHIFT: Final = re.compile(r"godzin[ęy] (?:później|wcześniej)")
_INTENTION: Final = re.compile(
    r"\W{0,4}(?:godz\.? ?)?\d{1,2}[:.][0-5]\d\W{0,6}(?:[a-e]\)\W*)?(?:\+|†|za (?:śp|dusz|\+|zmarł|†)|w int(?:encji|\.) (?!paraf)"
    r"|[śs]p\.|[Śś]\. ?p\.|o (?:bo[żz]e|błog|zdrow)|dziękcz)",
    re.IGNORECASE,
)
_LIST_BEHIND: Final = re.compile(r"[^()]{1,24}\([^()]*\)\s*[,;i]\s*\d{1,2}[:.][0-5]\d")
_JAK_W: Final = "jak w"  # stands, in lower case, among the first characters of a line that refers to a list
_BEFORE_LIST: Final = 12
_LONG_HEADING: Final = 160  # characters: longer ones are paragraphs in bold
_LONG_LABEL: Final = 120  # characters: longer lines without an hour head nothing
_NAME: Final = 40  # characters: a capitalised line this short may be the name of a place
_SENTENCE: Final = 60  # characters: a line this long that ends with a full stop is a sentence
_LONG_LINE: Final = 200  # characters: in longer ones only the surroundings of hours are read
_INTENTION_HEAD: Final = 24  # characters
_BEFORE_HOUR, _BEHIND_HOUR = 110, 60  # characters
_SAID_OF_HOURS: Final = frozenset({InList, OnDays, InSeason, OnNth, OfKind, Dated})
_MOST_WORDS: Final = 50_000  # remembered
_NONE: Final[frozenset[str]] = frozenset()
_NO_CONDITION: Final[frozenset[Dimension]] = frozenset()


@dataclass(slots=True)  # not frozen, which would treble the time: a page makes dozens
class PageLine:
    """A line with what the grammar sees in it.

    Attributes:
        heading: level of a heading, 0 for other lines.
        language: of its words, several joined by `+`.
        nodes: the nodes, empty for lines that cannot matter.
        has_hour: there is an hour.
        conditions: dimensions of the conditions.
        kinds: values of the kinds named.
        plain_words: words without meaning to the grammar.
    """

    index: int
    text: str
    heading: int
    language: str
    nodes: tuple[Node, ...]
    has_hour: bool
    conditions: frozenset[Dimension]
    kinds: frozenset[str]
    plain_words: int

    @property
    def node_line(self) -> NodeLine:
        """The form the reader takes."""
        return NodeLine(self.index, self.nodes, self.text, self.heading)

    @property
    def matters(self) -> bool:
        """Whether it says anything about hours."""
        return self.has_hour or not self.conditions.isdisjoint(_SAID_OF_HOURS)


class LineFeatures:
    """Which lines of a page are worth reading, found before anything is read.

    Attributes:
        hours: lines that may hold an hour, in order; too many rather than too few.
    """

    def __init__(self, document: Document) -> None:
        self._document, self._lines = document, document.lines
        self.hours = tuple([index for index, line in enumerate(document.lines) if self._may_hold_hour(line.text)])
        self._with_hour = frozenset(self.hours)

    @cached_property
    def languages(self) -> tuple[str, ...]:
        """In which the page may state hours; most pages without an hour are never asked."""
        return languages_of_page(self._document.text)

    @cached_property
    def _foreign_days(self) -> tuple[re.Pattern[str], ...]:
        return tuple(load_language(code).days for code in self.languages[1:])

    def _may_hold_hour(self, text: str) -> bool:
        found = _hours_in_short(text) if len(text) <= _LONG_LINE else _look_for_hours(text)
        return found == "hour" or (found == "bare" and self._names_day(text))

    def _names_day(self, text: str) -> bool:
        return _DAY_WORDS.occur_in(text) or any(days.search(text.lower()) for days in self._foreign_days)

    def has_hour(self, index: int) -> bool:
        """Whether a line may hold an hour."""
        return index in self._with_hour

    def hours_under_days(self, above: int) -> Iterator[int]:
        """The lines with hours that name days, or have a line below or one of so many above that does."""
        latest, searched, last = -above - 1, -1, len(self._lines) - 1  # latest: the last line known to name days
        for index in self.hours:
            if latest < index - above:
                below = min(index + 1, last)
                near = range(below, max(searched, index - above - 1), -1)
                latest = next((i for i in near if self._names_day(self._lines[i].text)), latest)
                searched = below
            if latest >= index - above:
                yield index


class _Words:
    """Looks for words of a kind in lines. Words repeat from line to line, so each is looked at once.

    Args:
        pattern: matches within a word in lower case, never across a space.
    """

    def __init__(self, pattern: re.Pattern[str]) -> None:
        self._pattern = pattern
        self._these: set[str] = set()
        self._others: set[str] = set()

    def occur_in(self, text: str) -> bool:
        """Whether any word of the text matches."""
        words = text.lower().split()
        if self._others.issuperset(words):
            return False
        if self._these.isdisjoint(words):
            self._learn(words)
        return not self._these.isdisjoint(words)

    def _learn(self, words: Iterable[str]) -> None:
        if len(self._these) + len(self._others) > _MOST_WORDS:  # hostile pages may bring any number of words
            self._these.clear()
            self._others.clear()
        for word in words:
            (self._these if self._pattern.search(word) else self._others).add(word)


_DAY_WORDS: Final = _Words(DAY_WORD)


def _look_for_hours(text: str) -> Literal["hour", "bare", ""]:
    """Whether a line has an hour in words or a number written like one, or a number that is an hour only beside days."""
    if not has_digit(text):
        refers = _JAK_W in text[:_BEFORE_LIST].lower() and REFERS_TO_LIST.match(text) is not None
        return "hour" if refers or (may_speak_of_hours(text) and has_spoken_hour(fold(text))) else ""
    if _HOUR.search(text) is not None:
        return "hour"
    return "bare" if _BARE_HOURS.search(text) is not None else ""


_hours_in_short = lru_cache(maxsize=8192)(_look_for_hours)  # menus, side bars and footers repeat on every page of a site


def page_line(document: Document, index: int, found: LineFeatures, language: str = BASE) -> PageLine:
    """What one line contributes, read in a language."""
    line = document.lines[index]
    text = line.text
    heads = line.kind is LineKind.HEADING and not explains_marks(text)  # "* obecnie nie ma" in a row of its own is a footnote
    heading = line.level if heads and len(text) <= _LONG_HEADING else 0
    hour = found.has_hour(index)
    if len(text) <= _LONG_LINE:
        seen = _seen(text, hour, language, heading > 0)
    else:
        seen = _seen_in_paragraph(text, language) if hour else _silent(text)
    return PageLine(index, text, heading, language, seen.nodes, seen.has_hour, seen.conditions, seen.kinds, seen.plain_words)


def seen_in(line: NodeLine) -> PageLine:
    """What a line that was taken apart already contributes."""
    seen = _summary(line.nodes)
    told = (seen.has_hour, seen.conditions, seen.kinds, seen.plain_words)
    return PageLine(line.index, line.text, line.heading, BASE, line.nodes, *told)


@dataclass(slots=True, unsafe_hash=True)
class _Seen:
    nodes: tuple[Node, ...]
    has_hour: bool
    conditions: frozenset[Dimension]
    kinds: frozenset[str]
    plain_words: int


@lru_cache(maxsize=4096)
def _seen(text: str, hour: bool, language: str, heading: bool) -> _Seen:
    """What a short line contributes."""
    if not hour and _cannot_head(text, language, heading):
        return _silent(text)
    return (_intention(text) if hour and _INTENTION.match(text) else None) or _summary(chunk(text, load_lexicon(language)))


def _seen_in_paragraph(text: str, language: str) -> _Seen:
    """A paragraph, read only where its hours are; the rest becomes blanks, so that offsets stay."""
    seen = _intention(text) if _INTENTION.match(text) else None
    if seen is not None:
        return seen
    parts: list[str] = []
    position = 0
    for start, end in _surroundings(text):
        parts.append("; ".rjust(start - position) if start - position > 1 else text[position:start])
        parts.append(text[start:end])
        position = end
    if not parts:
        return _silent(text)
    parts.append(" " * (len(text) - position))
    return _summary(chunk("".join(parts), load_lexicon(language)))


def _silent(text: str) -> _Seen:
    """A line without an hour that heads nothing."""
    return _Seen((), False, _NO_CONDITION, _NONE, text.count(" ") + 1)


def _cannot_head(text: str, language: str, heading: bool) -> bool:
    """Whether a line without an hour is too long, a sentence, or without any word of schedules.

    In small letters `schola` beside an hour is a remark; only as a heading it may name what is below it.
    """
    if explains_marks(text):
        return False
    if len(text) > _LONG_LABEL or (len(text) > _SENTENCE and text[-1] in ".!?"):
        lowered = text.lower()
        may_say = len(text) <= _LONG_LINE and ("msz" in lowered or "eucharyst" in lowered or SUNDAY_IN_IT in lowered)
        return not may_say or _SAYS_OF_LISTS.search(text) is None
    if language != BASE:
        return False
    return WORDS_OF_SCHEDULES.search(text.lower()) is None and not ((heading or text[:1].isupper()) and len(text) <= _NAME)


@lru_cache(maxsize=1024)
def nodes_of(text: str, language: str = BASE) -> tuple[Node, ...]:
    """Nodes of a short text such as the header of a table cell; remembered, as headers govern many cells."""
    return chunk(text, load_lexicon(language))


def _surroundings(text: str) -> list[tuple[int, int]]:
    """Disjoint stretches around the hours, in order, cut between words; none when there is no hour."""
    spans: list[tuple[int, int]] = []
    for first, last in _anchors_in(text):
        start = max(0, first - _BEFORE_HOUR)
        start = text.find(" ", start, first) if start else 0
        start = first if start < 0 else start
        end = text.find(" ", min(len(text), last + _BEHIND_HOUR))
        end = len(text) if end < 0 else end
        if spans and start <= spans[-1][1]:
            spans[-1] = (spans[-1][0], end)
        else:
            spans.append((start, end))
    return spans


def _anchors_in(text: str) -> Iterator[tuple[int, int]]:
    """Hours, and words that refer to those of Sunday, deny some or tell how much later one is, in order."""
    lowered = text.lower()
    may_refer = SUNDAY_IN_IT in lowered and ("porz" in lowered or _JAK_W in lowered)
    references = [match.span() for match in LIKE_SUNDAY.finditer(text)] if may_refer else []
    if any(words in text for words in _LATER):
        references = sorted([*references, *(match.span() for match in _SHIFT.finditer(text))])
    if "msz" in lowered or "eucharyst" in lowered:
        references = sorted([*references, *(match.span() for match in DENIES_MASSES.finditer(text))])
    return heapq.merge(_hours_in(text), references) if references else _hours_in(text)


def _hours_in(text: str) -> Iterator[tuple[int, int]]:
    """Where hours are said in words, or numbers written like hours can be some; dates, prices and telephone numbers cannot."""
    numbers = [match.span() for match in _HOUR.finditer(text)]
    if not numbers and not may_speak_of_hours(text):
        return iter(())
    tokens = [clock for clock in find_clock_tokens(text) if clock.kind in TIME_LIKE or clock.kind is ClockKind.RANGE]
    spoken = [(clock.start, clock.end) for clock in tokens if text[clock.start].isalpha()]  # "o siedemnastej"
    hours = _within_clocks(numbers, iter(tokens))
    return heapq.merge(hours, spoken) if spoken else hours


def _within_clocks(numbers: Iterable[tuple[int, int]], clocks: Iterator[ClockToken]) -> Iterator[tuple[int, int]]:
    """The numbers that begin inside of clock tokens; both in order."""
    clock = next(clocks, None)
    for number in numbers:
        while clock is not None and clock.end <= number[0]:
            clock = next(clocks, None)
        if clock is None:
            return
        if clock.start <= number[0]:
            yield number


def _intention(text: str) -> _Seen | None:
    """A line of an intention table, recognised by its beginning: the rest is a name and not worth reading."""
    if _LIST_BEHIND.match(text):
        return None  # "7.15 (w intencji rolników), 17.00"
    clocks = [clock for clock in find_clock_tokens(text[:_INTENTION_HEAD]) if clock.kind is ClockKind.TIME]
    if len(clocks) != 1:
        return None
    clock = clocks[0]
    nodes: tuple[Node, ...] = (Time(clock, clock.start, clock.end), OfKind("intention", clock.end, clock.end))
    return _Seen(nodes, True, frozenset({OfKind}), frozenset({"intention"}), 0)


def _summary(nodes: tuple[Node, ...]) -> _Seen:
    has_hour, words = False, 0
    conditions: set[Dimension] = set()
    kinds: set[str] = set()
    for node in flatten(nodes):
        if isinstance(node, Word):
            words += plain_words_of(node)
        elif isinstance(node, Cond):
            conditions.add(type(node))
            if isinstance(node, OfKind):
                kinds.add(str(node.value))
        elif isinstance(node, Time):
            has_hour = True
    return _Seen(nodes, has_hour, frozenset(conditions), frozenset(kinds), words)


def flatten(nodes: tuple[Node, ...]) -> Sequence[Node]:
    """Nodes with those in brackets, without the brackets."""
    if Group not in map(type, nodes):
        return nodes
    flat: list[Node] = []
    for node in nodes:
        if isinstance(node, Group):
            flat.extend(flatten(node.nodes))
        else:
            flat.append(node)
    return flat
