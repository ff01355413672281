"""What a line of a page contributes: its nodes and a few counts, computed only where they can matter."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from mass_pipeline.model.document import Document, LineKind
from mass_pipeline.schedule_grammar.chunker import chunk
from mass_pipeline.schedule_grammar.clock import ClockKind, find_clock_tokens
from mass_pipeline.schedule_grammar.clues import plain_words
from mass_pipeline.schedule_grammar.folding import fold
from mass_pipeline.schedule_grammar.lexicon import load_lexicon
from mass_pipeline.schedule_grammar.nodes import Cond, Group, Node, NodeLine, Time

_HOUR: Final = re.compile(
    r"(?=[\dgGoO])(?:\d ?[:;] ?[0-5oO][\doO]|\d[.,^] ?[0-5oO][\doO](?!\d)|\d[⁰¹²³⁴⁵]"
    r"|(?<!\d)(?:0?[5-9]|1\d|2[0-2]) ?(?:00|15|30|45)(?!\d)|\b(?:godz\w*|Godz\w*|[oOgG])\.? ?\d)"
)
_BARE_HOURS: Final = re.compile(r"\b(?:[5-9]|1\d|2[0-2])\b")
_DAY_WORD: Final = re.compile(
    r"\b(?:niedziel|powszedn|codzien|tygodni|sobot|pon|wtor|srod|czw|sr\b|sroda|piat|nd\b|pt\b|swiet|swiat|uroczyst|dni\b|dzien|sonn|werk|montag|feiert)|powszedni|kazd"
)
_WORDS_OF_SCHEDULES: Final = re.compile(
    r"\b(?:msz|eucharyst|niedziel|powszedn|swiet|swiat|wakac|tygodni|sob|piat|czw|sr|wt|pon|pn|pt|nd|codzien|li[pst]|sierp|zim|lat|let|maj"
    r"|nabozen|spowied|sakrament|pokut|kancelari|biur|adorac|kaplic|kosci|fili|rorat|adwent|wielk|porzadek|uroczyst|liturgi|pazdz|wrzes"
    r"|gottesd|hl|messe|heilig|roz|parafi|intenc|chrz|gorzk|drog|koronk|nowenn|od|do|w|i{1,3}|iv|vi{0,3}|ix|xi{0,2}|czerw|kwie|styc|grud"
    r"|pozosta|inne|dla|czynn|otwart|spotk|godz|tel|apel|pierwsz|ostatni|dni|ferie)"
)
_INTENTION: Final = re.compile(
    r"\W{0,4}(?:godz\.? ?)?\d{1,2}[:.][0-5]\d\W{0,6}(?:[a-e]\)\W*)?(?:\+|†|za (?:śp|dusz|\+|zmarł|†)|w int(?:encji|\.) (?!paraf)"
    r"|[śs]p\.|[Śś]\. ?p\.|o (?:bo[żz]e|błog|zdrow)|dziękcz)",
    re.IGNORECASE,
)
_NEW_LINE: Final = re.compile(r"\n")
_LONG_HEADING: Final = 160  # characters: longer ones are paragraphs in bold
_LONG_LABEL: Final = 140  # characters: longer lines without an hour head nothing
_LONG_LINE: Final = 200  # characters: in longer ones only the surroundings of hours are read
_INTENTION_HEAD: Final = 24  # characters
_BEFORE_HOUR, _BEHIND_HOUR = 130, 90  # characters


@dataclass(frozen=True, slots=True)
class PageLine:
    """A line with what the grammar sees in it.

    Attributes:
        nodes: the nodes, empty for lines that cannot matter.
        has_hour: there is an hour.
        conditions: dimensions of the conditions.
        kinds: values of the kinds named.
        plain_words: words without meaning to the grammar.
        heading: level of a heading, 0 for other lines.
    """

    index: int
    nodes: tuple[Node, ...]
    text: str
    has_hour: bool
    conditions: frozenset[str]
    kinds: frozenset[str]
    plain_words: int
    heading: int

    @property
    def node_line(self) -> NodeLine:
        """The form the reader takes."""
        return NodeLine(self.index, self.nodes, self.text, self.heading)

    @property
    def matters(self) -> bool:
        """Whether it says anything about hours."""
        return self.has_hour or bool(self.conditions & {"list", "days", "season", "nth", "kind", "date"})


@dataclass(frozen=True, slots=True)
class Survey:
    """Which lines of a page are worth reading, found in a few passes over the whole text.

    Attributes:
        hours: lines that may hold an hour; too many rather than too few.
        words: lines with a word that occurs in schedules.
        days: lines that name days, in order.
    """

    hours: tuple[int, ...]
    words: frozenset[int]
    days: tuple[int, ...] = ()

    def names_days(self, first: int, last: int) -> bool:
        """Whether a line from first to last (inclusive) names days."""
        position = bisect_left(self.days, first)
        return position < len(self.days) and self.days[position] <= last


def survey(document: Document) -> Survey:
    """Look a page over. Linear; nothing is read yet."""
    text = document.text
    starts = [0, *(match.end() for match in _NEW_LINE.finditer(text))]
    hours = _lines_of(_HOUR, text, starts)
    folded = fold(text)
    days = _lines_of(_DAY_WORD, folded, starts)
    hours |= _lines_of(_BARE_HOURS, text, starts) & days
    if not hours or not days:
        return Survey((), frozenset())
    return Survey(tuple(sorted(hours)), frozenset(_lines_of(_WORDS_OF_SCHEDULES, folded, starts)), tuple(sorted(days)))


def _lines_of(pattern: re.Pattern[str], text: str, starts: list[int]) -> set[int]:
    """Lines with a match; a line is left as soon as one is found."""
    found: set[int] = set()
    match = pattern.search(text)
    while match is not None:
        line = bisect_right(starts, match.start()) - 1
        found.add(line)
        if line + 1 >= len(starts):
            break
        match = pattern.search(text, starts[line + 1])
    return found


def page_line(document: Document, index: int, found: Survey, language: str = "pl") -> PageLine:
    """What one line contributes."""
    line = document.lines[index]
    text = line.text
    heading = line.level if line.kind is LineKind.HEADING and len(text) <= _LONG_HEADING else 0
    position = bisect_left(found.hours, index)
    hour = position < len(found.hours) and found.hours[position] == index
    if not hour and (len(text) > _LONG_LABEL or index not in found.words):
        return PageLine(index, (), text, False, frozenset(), frozenset(), text.count(" ") + 1, heading)
    seen = _intention(text) if hour and _INTENTION.match(text) else None
    if seen is None:
        seen = _seen(text, language) if len(text) <= _LONG_LINE else _seen_around_hours(text, language)
    return PageLine(index, seen.nodes, text, seen.has_hour, seen.conditions, seen.kinds, seen.plain_words, heading)


@dataclass(frozen=True, slots=True)
class _Seen:
    nodes: tuple[Node, ...]
    has_hour: bool
    conditions: frozenset[str]
    kinds: frozenset[str]
    plain_words: int


@lru_cache(maxsize=4096)  # menus, side bars and footers repeat on every page of a site
def _seen(text: str, language: str) -> _Seen:
    return _summary(chunk(text, load_lexicon(language)))


def _seen_around_hours(text: str, language: str) -> _Seen:
    """A paragraph, read only where its hours are; the rest becomes blanks, so that offsets stay."""
    parts: list[str] = []
    position = 0
    for start, end in _surroundings(text):
        parts.append("; ".rjust(start - position) if start - position > 1 else text[position:start])
        parts.append(text[start:end])
        position = end
    parts.append(" " * (len(text) - position))
    return _summary(chunk("".join(parts), load_lexicon(language)))


def _surroundings(text: str) -> list[tuple[int, int]]:
    """Disjoint stretches around the hours, in order, cut between words."""
    spans: list[tuple[int, int]] = []
    for match in _HOUR.finditer(text):
        start = max(0, match.start() - _BEFORE_HOUR)
        start = text.find(" ", start, match.start()) if start else 0
        start = match.start() if start < 0 else start
        end = text.find(" ", min(len(text), match.end() + _BEHIND_HOUR))
        end = len(text) if end < 0 else end
        if spans and start <= spans[-1][1]:
            spans[-1] = (spans[-1][0], end)
        else:
            spans.append((start, end))
    return spans


def _intention(text: str) -> _Seen | None:
    """A line of an intention table, recognised by its beginning: the rest is a name and not worth reading."""
    clocks = [clock for clock in find_clock_tokens(text[:_INTENTION_HEAD]) if clock.kind is ClockKind.TIME]
    if len(clocks) != 1:
        return None
    clock = clocks[0]
    nodes: tuple[Node, ...] = (Time(clock, clock.start, clock.end), Cond("kind", "intention", clock.end, clock.end))
    return _Seen(nodes, True, frozenset({"kind"}), frozenset({"intention"}), 0)


def _summary(nodes: tuple[Node, ...]) -> _Seen:
    flat = flatten(nodes)
    return _Seen(
        nodes,
        any(isinstance(node, Time) for node in flat),
        frozenset(node.dim for node in flat if isinstance(node, Cond)),
        frozenset(str(node.value) for node in flat if isinstance(node, Cond) and node.dim == "kind"),
        plain_words(flat),
    )


def flatten(nodes: tuple[Node, ...]) -> list[Node]:
    """Nodes with those in brackets, without the brackets."""
    flat: list[Node] = []
    for node in nodes:
        if isinstance(node, Group):
            flat.extend(flatten(node.nodes))
        else:
            flat.append(node)
    return flat
