"""What a line of a page contributes: its nodes and a few counts, computed only where they can matter."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from mass_pipeline.model.document import Document, LineKind
from mass_pipeline.schedule_grammar.chunker import chunk
from mass_pipeline.schedule_grammar.clock import ClockKind, find_clock_tokens
from mass_pipeline.schedule_grammar.clues import plain_words
from mass_pipeline.schedule_grammar.languages import BASE, languages_of_page, load_language
from mass_pipeline.schedule_grammar.lexicon import load_lexicon
from mass_pipeline.schedule_grammar.nodes import Cond, Group, Node, NodeLine, Time

_HOUR: Final = re.compile(  # begins with a digit in every case, so that the search can skip
    r"\d(?: ?[:;] ?[0-5oO][\doO]|[.,^] ?[0-5oO][\doO](?!\.?\d)|[⁰¹²³⁴⁵º°]|\d? ?(?:00|15|30|45)(?!\d)"
    r"|(?<=odz\. \d)|(?<=odz\.\d)|(?<=odz \d)|(?<=inie \d)|(?<=iny \d)|(?<=\bo \d)|(?<=\bg\. \d)|(?<=\bg\.\d)|(?<=\bg\d)"
    r"|\d? ?(?:[aApP]\.?[mM]\b|[Uu]hr\b|noon\b))"
)
_BARE_HOURS: Final = re.compile(r"\b(?:[5-9]|1\d|2[0-2])\b")
_DAY_WORD: Final = re.compile(
    r"niedziel|powszedn|codzien|tygodni|sob[oó.]|poniedz|\bpon\b|\bpn\b|wtor|\bwt\b|[śs]r[oó]d|\b[śs]r\b|czw[a.]|pi[ąa]t|\bpt\b|\bnd"
    r"|[śs]wi[ęe]t|[śs]wi[ąa]t|uroczyst|\bdni\b|dzie[nń]|sonnt|werkt|montag|feiert|¶wi|¶rod|pi±t|dn\."
)
_WORDS_OF_SCHEDULES: Final = re.compile(
    r"\b(?:msz|eucharyst|niedz|powsz|[śs¶]wi|wakac|tyg|sob|pi[ąa±]|czw|[śs¶]r|wt|pon|pn|pt|nd|codz|na co|li[pst]"
    r"|sierp|zim|lat|let|maj|nabo|spow|sakr|pokut|kanc|biur|ador|kap|ko[śs¶]|fil|ror|adw|wielk|porz|uroc|litur|pa[źz]d|wrze|gott|hl|mess|heil"
    r"|r[oó][żz]|int|chrz|gorz|drog|kor|now|od|do|w|we|i{1,3}|iv|vi{0,3}|ix|xi{0,2}|czer|kwie|sty|grud|dz|poz|inn|dla"
    r"|czyn|otw|spot|godz|tel|apel|pierw|ost|dni|fer|st\.|dps|szp|cment|baz|kat|klasz|sankt|rok|okres|czas|mies)|[-–]ls|¶"
)
_INTENTION: Final = re.compile(
    r"\W{0,4}(?:godz\.? ?)?\d{1,2}[:.][0-5]\d\W{0,6}(?:[a-e]\)\W*)?(?:\+|†|za (?:śp|dusz|\+|zmarł|†)|w int(?:encji|\.) (?!paraf)"
    r"|[śs]p\.|[Śś]\. ?p\.|o (?:bo[żz]e|błog|zdrow)|dziękcz)",
    re.IGNORECASE,
)
_LONG_HEADING: Final = 160  # characters: longer ones are paragraphs in bold
_LONG_LABEL: Final = 120  # characters: longer lines without an hour head nothing
_NAME: Final = 40  # characters: a capitalised line this short may be the name of a place
_SENTENCE: Final = 60  # characters: a line this long that ends with a full stop is a sentence
_LONG_LINE: Final = 200  # characters: in longer ones only the surroundings of hours are read
_INTENTION_HEAD: Final = 24  # characters
_BEFORE_HOUR, _BEHIND_HOUR = 110, 60  # characters


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
        language: of its words, several joined by `+`.
    """

    index: int
    nodes: tuple[Node, ...]
    text: str
    has_hour: bool
    conditions: frozenset[str]
    kinds: frozenset[str]
    plain_words: int
    heading: int
    language: str = BASE

    @property
    def node_line(self) -> NodeLine:
        """The form the reader takes."""
        return NodeLine(self.index, self.nodes, self.text, self.heading)

    @property
    def matters(self) -> bool:
        """Whether it says anything about hours."""
        return self.has_hour or bool(self.conditions & {"list", "days", "season", "nth", "kind", "date"})


class Survey:
    """Which lines of a page are worth reading, found before anything is read.

    Attributes:
        hours: lines that may hold an hour, in order; too many rather than too few.
        languages: in which the page may state hours.
    """

    def __init__(self, document: Document) -> None:
        self._lines = document.lines
        self.languages = languages_of_page(document.text)
        self._foreign = tuple(load_language(code).days for code in self.languages[1:])
        self._days: dict[int, bool] = {}
        found = _lines_of(_HOUR, document.text)
        bare = (i for i, line in enumerate(self._lines) if i not in found and _BARE_HOURS.search(line.text) and self.names_day(i))
        self.hours = tuple(sorted(found.union(bare)))
        self._with_hour = frozenset(self.hours)

    def has_hour(self, index: int) -> bool:
        """Whether a line may hold an hour."""
        return index in self._with_hour

    def names_day(self, index: int) -> bool:
        """Whether a line names days."""
        known = self._days.get(index)
        if known is None:
            lower = self._lines[index].text.lower()
            known = _DAY_WORD.search(lower) is not None or any(days.search(lower) for days in self._foreign)
            self._days[index] = known
        return known

    def is_under_day(self, index: int, above: int) -> bool:
        """Whether a line, the one below it or one of so many above names days."""
        last = min(index + 1, len(self._lines) - 1)
        return any(self.names_day(i) for i in range(last, max(-1, index - above - 1), -1))


def _lines_of(pattern: re.Pattern[str], text: str) -> set[int]:
    """Lines with a match; a line is left as soon as one is found."""
    found: set[int] = set()
    line = counted = 0
    match = pattern.search(text)
    while match is not None:
        line += text.count("\n", counted, match.start())
        found.add(line)
        counted = text.find("\n", match.end())
        if counted < 0:
            break
        match = pattern.search(text, counted)
    return found


def page_line(document: Document, index: int, found: Survey, language: str = BASE) -> PageLine:
    """What one line contributes, read in a language."""
    line = document.lines[index]
    text = line.text
    heading = line.level if line.kind is LineKind.HEADING and len(text) <= _LONG_HEADING else 0
    hour = found.has_hour(index)
    if not hour and _cannot_head(text, language):
        return PageLine(index, (), text, False, frozenset(), frozenset(), text.count(" ") + 1, heading, language)
    seen = _intention(text) if hour and _INTENTION.match(text) else None
    if seen is None:
        seen = _seen(text, language) if len(text) <= _LONG_LINE else _seen_around_hours(text, language)
    return PageLine(index, seen.nodes, text, seen.has_hour, seen.conditions, seen.kinds, seen.plain_words, heading, language)


def _cannot_head(text: str, language: str) -> bool:
    """Whether a line without an hour is too long, a sentence, or without any word of schedules."""
    if len(text) > _LONG_LABEL or (len(text) > _SENTENCE and text[-1] in ".!?"):
        return True
    if language != BASE:
        return False
    return _WORDS_OF_SCHEDULES.search(text.lower()) is None and not (text[:1].isupper() and len(text) <= _NAME)


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


def nodes_of(text: str, language: str = BASE) -> tuple[Node, ...]:
    """Nodes of a short text such as the header of a table cell; remembered, as headers govern many cells."""
    return _seen(text, language).nodes


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
