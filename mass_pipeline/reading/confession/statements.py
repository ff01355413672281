"""Standing hours of confession on a page: of a statement every word must be known, else nothing is read of it.

Days and hours are those of the grammar's nodes; here only what stands between them is read: confession itself, its relation to
the Masses ("pół godziny przed każdą Mszą"), and words that say nothing. Beside what nobody knows, a statement may be of one week,
of children, of one season or denied. Not here: days and hours in words (`reading.phrases`).
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from importlib.resources import files
from typing import Final, Literal

from mass_pipeline.model.document import Document, Line, LineKind, Region
from mass_pipeline.model.records import DAYS
from mass_pipeline.reading.phrases.chunker import chunk
from mass_pipeline.reading.phrases.nodes import Cond, Dated, Days, Group, InSeason, Node, Nth, Time, WhichDays
from mass_pipeline.reading.words.clock import TIME_LIKE, ClockKind
from mass_pipeline.reading.words.folding import fold
from mass_pipeline.reading.words.languages import BASE, title_pattern
from mass_pipeline.reading.words.lexicon import load_lexicon

Tied = Literal["hours", "before_mass", "during_mass", "after_mass"]
_LONGEST: Final = 300  # characters of a sentence
_NEWS_NEAR: Final = 12  # lines
_LABELS_REACH: Final = 8  # lines below a label
_PROSE: Final = 2  # sentences below a label that say nothing of when
_SURE_KINDS: Final = frozenset({ClockKind.TIME, ClockKind.RANGE, ClockKind.SPACED, ClockKind.COMPACT})
_EVERY_DAY: Final = frozenset(DAYS) - {"AF"}
_ENDS: Final[dict[str, tuple[str, ...]]] = {"hours": ("do", "-", "–", "—"), "after_mass": ("do",)}  # what leads to an end


@dataclass(frozen=True, slots=True)
class Confession:
    """When one can confess in every week.

    Attributes:
        days: `Mo`..`Su`, `PH`, in order. nth: ordinals of the weekday in its month; None for every week.
        tied: to clock hours, or to the Masses of the days: before, during, after them.
        start, until: `HH:MM`; "" where none is statement.
        minutes: before the Mass, where they are statement.
        masses: the only Masses meant: `morning`, `evening`, or their hours; "" for all.
        quote: the words, all of which are known.
    """

    days: tuple[str, ...]
    nth: tuple[int, ...] | None = None
    tied: Tied = "hours"
    start: str = ""
    until: str = ""
    minutes: int | None = None
    masses: str = ""
    quote: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class _When:
    days: frozenset[str]
    nth: tuple[int, ...] | None
    is_daily: bool = False


_Item = _When | Confession  # days, or an event whose days are still to be found


class _Unsure(Exception):
    """Something of a statement is not known."""


@dataclass(slots=True)
class _Statement:
    """What a sentence says.

    Attributes:
        names: it names confession. adds: it says that something is added to what stands before.
        items: days and events in order.
    """

    quote: str
    names: bool = False
    adds: bool = False
    items: list[_Item] = field(default_factory=list)

    @property
    def days(self) -> list[_When]:
        """Its days."""
        return [one for one in self.items if isinstance(one, _When)]

    @property
    def events(self) -> list[Confession]:
        """Its events."""
        return [one for one in self.items if isinstance(one, Confession)]


def confessions_of(document: Document) -> tuple[Confession, ...]:
    """The standing hours of confession that a page states, each once, in its order; none of news, archives and sheets.

    >>> from mass_pipeline.reading.phrases.text_lines import lines_of_text
    >>> [(one.days[0], one.tied, one.minutes) for one in confessions_of(Document(tuple(lines_of_text(
    ...     "Spowiedź: w niedziele podczas każdej Mszy św., w tygodniu 15 minut przed Mszą"))))]
    [('Su', 'during_mass', None), ('Mo', 'before_mass', 15)]
    """
    if _is_news(document.title) or not any(_NAMED.search(fold(line.text)) for line in document.lines):
        return ()
    return tuple(dict.fromkeys(_Page(document).read()))


class _Page:
    """One pass over the lines of a page."""

    def __init__(self, document: Document) -> None:
        self.lines = document.lines
        self.heading = ""
        self.scope: tuple[_When, ...] = ()  # days alone in a line above
        self.label = 0  # lines that the label of confession above still reaches
        self.prose = 0

    def read(self) -> Iterator[Confession]:
        """Rows, line by line."""
        for position, line in enumerate(self.lines):
            is_heading = line.kind is LineKind.HEADING and line.level <= 6
            if is_heading:
                self.heading, self.scope, self.label = line.text, (), 0
            if line.region is Region.NAV or (not is_heading and _is_news(self.heading)):
                continue
            self.label = max(0, self.label - 1)
            if (self.label or _NAMED.search(fold(line.text))) and not self._is_in_news(position):
                yield from self._of_line(line)
            elif not self.label:
                self._look_for_scope(line)

    def _is_in_news(self, position: int) -> bool:
        near = self.lines[max(0, position - _NEWS_NEAR) : position + _NEWS_NEAR]
        return any(_THIS_WEEK.search(fold(line.text)) for line in near)

    def _look_for_scope(self, line: Line) -> None:
        try:
            statement = _read(line.text) if len(line.text) <= _LONGEST else None
        except _Unsure:
            return
        if statement is not None and statement.days and not statement.events:
            self.scope = tuple(statement.days)

    def _of_line(self, line: Line) -> Iterator[Confession]:
        goes_on = False  # a sentence before states confession
        for sentence in _sentences(line.text):
            try:
                statement = _read(sentence)
            except _Unsure:
                is_prose = _WHEN.search(fold(sentence)) is None
                self.prose += 1
                if not is_prose or self.prose > _PROSE:
                    self.label = 0
                goes_on = False
                continue
            if statement.names and not statement.items:
                self.label, self.prose, self.scope = _LABELS_REACH, 0, ()
                continue
            if self.label and statement.days and not statement.events:
                self.scope = tuple(statement.days)  # "Codziennie:", and its hours in the next line
                continue
            is_stated = (
                statement.names
                or (self.label and _is_clear(statement))
                or (goes_on and _is_clear(statement) and _adds(statement))
            )
            rows = list(_rows(statement, self.scope, is_below_days=bool(self.label and self.scope))) if is_stated else []
            goes_on = bool(rows)
            if rows and not statement.names and self.label:
                self.label = _LABELS_REACH
            elif not rows:
                self.label = 0
            yield from rows


def _sentences(text: str) -> Iterator[str]:
    """Sentences of a line; a stop after a word cut short ends none."""
    start = 0
    for match in _SENTENCE.finditer(text):
        if match[0] == "." and _ABBREVIATED.search(fold(text[start : match.start()])) and match.end() < len(text.rstrip()):
            continue
        if text[start : match.start()].strip():
            yield text[start : match.start()].strip()
        start = match.end()
    if text[start:].strip():
        yield text[start:].strip()


def _is_clear(statement: _Statement) -> bool:
    """Whether nothing it says can be the hour of a Mass."""
    return statement.adds or all(one.tied != "hours" or one.until or one.masses == "from" for one in statement.events)


def _adds(statement: _Statement) -> bool:
    return statement.adds or all(one.tied != "hours" for one in statement.events)


def _read(sentence: str) -> _Statement:
    """What a sentence says.

    Raises:
        _Unsure: some word of it is not known.
    """
    if len(sentence) > _LONGEST:
        raise _Unsure
    folded = fold(sentence)
    other = _OTHER_KIND.search(folded)
    if other is not None:  # "spowiedź od 16.30, Msza św. 17.00"
        sentence, folded = sentence[: other.start()].rstrip(" ,–-"), folded[: other.start()]
    statement = _Statement(" ".join(sentence.split()).strip(" ,:–-"))
    at, last, hours_before = 0, len(sentence), False
    for node in [*_landmarks(chunk(sentence, load_lexicon(BASE))), None]:
        begin, end = (node.start, node.end) if node is not None else (last, last)
        if begin < at:
            continue
        between, at = folded[at:begin], end
        is_named = statement.names
        lead = _gap(between, statement)
        hours_before = hours_before or (statement.names and not is_named and any(one.tied == "hours" for one in statement.events))
        if isinstance(node, Cond):
            statement.items.append(_when(node))
        elif isinstance(node, Time):
            if hours_before:  # "18.00 spowiedź 17.45": an hour on either side, of which one is the Mass's
                raise _Unsure
            _drop_relation(statement, node, _TIED.split(between)[-1])
            _take_hour(statement, node, lead)
    return statement


def _landmarks(nodes: Iterable[Node]) -> Iterator[Cond | Time]:
    """Days and hours.

    Raises:
        _Unsure: a season, a date, or days that are excepted.
    """
    for node in nodes:
        if isinstance(node, Group):
            yield from _landmarks(node.nodes)
        elif isinstance(node, (InSeason, Dated)) or (isinstance(node, Cond) and (node.excluded or node.only)):
            raise _Unsure
        elif isinstance(node, (WhichDays, Time)):
            yield node


def _when(node: Cond) -> _When:
    value = node.value
    if isinstance(value, Days) and value.days and not value.rest and not value.feasts and not node.excluded:
        return _When(value.days | ({"Su"} if value.daily else set()), None, value.daily)
    if isinstance(value, Nth) and not value.rest and not value.more:
        return _When(value.days, value.ordinals)
    raise _Unsure


def _gap(folded: str, statement: _Statement) -> str:
    """What stands between days and hours; its last word, which may lead to an hour ("od", "do", "o", "-").

    Raises:
        _Unsure: a word of it is not known.
    """
    at = 0
    lead = ""
    while at < len(folded):
        match = _PHRASE.match(folded, at)
        if match is None:
            raise _Unsure
        at = match.end()
        kind = match.lastgroup
        if kind == "named":
            statement.names = True
        elif kind == "tied":
            statement.items.extend(_relations(match[0]))
        elif kind == "adds":
            statement.adds = True
        if kind in ("lead", "dash"):
            lead = match[0].strip()
        elif kind != "blank" and kind != "clock":
            lead = ""
    return lead


def _relations(words: str) -> Iterator[Confession]:
    """ "15 minut przed każdą Mszą", "przed i podczas Mszy": what ties confession to the Masses."""
    minutes = _minutes(words)
    half = next((half for half, pattern in _HALVES.items() if pattern.search(words)), "every" if "kazd" in words else "")
    for pattern, tied in _TIES:
        if pattern.search(words):
            yield Confession((), None, tied, minutes=minutes if tied == "before_mass" else None, masses=half)


def _minutes(words: str) -> int | None:
    number = re.match(r"(?:na )?(?:ok\.? |okolo )?(\d{1,2})", words)
    if number is not None:
        return int(number[1])
    return next((value for word, value in _SPANS.items() if word in words), None)


def _drop_relation(statement: _Statement, node: Time, between: str) -> None:
    """ "Po Mszy św. 18.40-19.15": what the Masses have to do with it is told by the hours right behind.

    Raises:
        _Unsure: minutes before the Mass were statement, which these hours are not; or "po Mszy o 8.00 do 9.00".
    """
    before = statement.items[-1] if statement.items else None
    if not isinstance(before, Confession) or before.tied == "hours" or before.masses[:1].isdigit():
        return
    is_of_its_own = node.clock.kind is ClockKind.RANGE or re.search(r"\bod\b", between) is not None
    if is_of_its_own and re.search(r"[,;:]|\b(?:i|oraz|a)\b", between) is None:
        if before.minutes or _AT_MASS.search(between):
            raise _Unsure
        statement.items.pop()


def _take_hour(statement: _Statement, node: Time, lead: str) -> None:
    """An hour: of an event of its own, the end of the one before, or that of the Mass it is tied to.

    Raises:
        _Unsure: it is none.
    """
    clock = node.clock
    is_led = lead in ("od", "o", "do")
    if lead == "do" and not (statement.items and isinstance(statement.items[-1], Confession)):  # an end, and nothing that began
        raise _Unsure
    if clock.kind not in _SURE_KINDS and not (is_led and clock.kind in TIME_LIKE):
        raise _Unsure
    before = statement.items[-1] if statement.items else None
    event = before if isinstance(before, Confession) else None
    if clock.kind is ClockKind.RANGE:
        statement.items.append(Confession((), None, start=clock.time, until=clock.until))
    elif event is not None and not event.until and lead in _ENDS.get(event.tied, ()):
        statement.items[-1] = replace(event, until=clock.time)
    elif event is not None and event.tied != "hours" and (lead == "o" or event.masses[:1].isdigit()) and lead != "od":
        statement.items[-1] = replace(
            event, masses=f"{event.masses}, {clock.time}" if event.masses not in ("", "every") else clock.time
        )
    elif event is not None and event.tied != "hours" and lead != "od":
        raise _Unsure
    else:
        statement.items.append(Confession((), None, start=clock.time, masses="from" if lead == "od" else ""))


def _rows(statement: _Statement, scope: Sequence[_When], *, is_below_days: bool) -> Iterator[Confession]:
    """Events with their days: those before them, those after the only run of events, the scope, or every day.

    None of a sentence whose days follow something else than every Mass: "po Mszy wieczornej w każdą środę do 20.00".

    Args:
        scope: days alone in a line above. is_below_days: whether it is of the list that goes on here.
    """
    runs: list[tuple[list[_When], list[Confession]]] = [([], [])]
    for item in statement.items:
        if isinstance(item, _When):
            if runs[-1][1]:
                runs.append(([], []))
            runs[-1][0].append(item)
        else:
            runs[-1][1].append(item)
    if len(runs) == 2 and not runs[0][0] and not runs[1][1]:  # "17.00 (w każdą sobotę)"
        runs = [(runs[1][0], runs[0][1])]
    first = runs[0]
    begins_without_days = len(runs) > 1 and not first[0] and any(one.masses != "every" for one in first[1])
    if begins_without_days or any(not events for _, events in runs):
        return
    names_sunday = any("Su" in when.days and not when.is_daily for days, _ in runs for when in days)
    for days, events in runs:
        for event in events:
            hours = event.tied == "hours"
            whens = days or (list(scope) if hours or is_below_days else [_When(_EVERY_DAY, None)])
            for when in whens:
                own = when.days - {"Su"} if when.is_daily and names_sunday else when.days
                ordered = tuple(str(day) for day in DAYS if day in own)
                masses = "" if event.masses in ("from", "every") else event.masses
                if not hours or event.start:
                    yield replace(event, days=ordered, nth=when.nth, masses=masses, quote=statement.quote)


def _is_news(words: str) -> bool:
    """Whether a title or a heading is of news, an archive, or one Sunday."""
    folded = fold(words)
    found = title_pattern("news").search(folded)
    return (found is not None and not found[0].startswith("wydarze")) or _ONE_SUNDAY.search(folded) is not None


@cache
def _words() -> dict[str, str]:
    table = tomllib.loads(files("mass_pipeline.reading.confession").joinpath("words.toml").read_text(encoding="utf-8"))
    return {name: "|".join(f"(?:{one})" for one in phrases) for name, phrases in table.items()}


_W: Final = _words()
_NAMED: Final = re.compile(_W["named"])
_AT_MASS: Final = re.compile(_W["at_mass"])
_SENTENCE: Final = re.compile(_W["sentence_end"])
_ABBREVIATED: Final = re.compile(_W["abbreviated"])
_THIS_WEEK: Final = re.compile(_W["this_week"])
_ONE_SUNDAY: Final = re.compile(_W["one_sunday"])
_TIED: Final = re.compile(_W["tied"])
_WHEN: Final = re.compile(rf"\d|{_W['tied']}")
_OTHER_KIND: Final = re.compile(rf"(?<=[,–-])\s*(?:{_W['other']})")
_PHRASE: Final = re.compile(
    rf"(?P<tied>(?:{_W['tied']})(?![^\W_]))|(?P<named>(?:{_W['named']})(?![^\W_]))|(?P<adds>(?:{_W['adds']})(?![^\W_]))"
    rf"|(?P<until>(?:{_W['until_mass']})(?![^\W_]))|(?P<clock>(?:{_W['clock']})(?![^\W_])\.?)|(?P<lead>(?:od|do|o)(?![^\W_]))"
    rf"|(?P<filler>(?:{_W['filler']})(?![^\W_]))|(?P<dash>[–—-])|(?P<blank>\s+)|(?P<mark>[^\w\s])"
)
_HALVES: Final = {"evening": re.compile(_W["evening"]), "morning": re.compile(_W["morning"])}
_TIES: Final[tuple[tuple[re.Pattern[str], Tied], ...]] = (
    (re.compile(_W["before"]), "before_mass"),
    (re.compile(_W["during"]), "during_mass"),
    (re.compile(_W["after"]), "after_mass"),
)
_SPANS: Final = {"pol": 30, "kwadrans": 15, "trzydzies": 30, "pietnas": 15, "dwadzie": 20, "dziesi": 10, "godzin": 60}
