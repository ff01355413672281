"""The outline of a schedule: page > box > heading > label > line > clause, whose conditions are inherited downwards.

Belongs here: where each condition was said, what it governs and where it ends, in lines without hours too. Not here: which side
of an hour a condition between two hours belongs to (`sides`), what replaces what (`reading.validity`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from enum import IntEnum
from typing import Final

from mass_pipeline.model.dates_of_year import NO_DATES, YEAR, DatesOfYear
from mass_pipeline.reading.grammar.time_groups import DaysFrom, Scope, TimeEntry, TimeGroup
from mass_pipeline.reading.phrases.nodes import (
    DAYS_OF_LIST,
    LISTS_AND_DAYS,
    NTH,
    WORKING_WEEK,
    AtPlace,
    Cond,
    Dated,
    Days,
    Dimension,
    Group,
    InList,
    InSeason,
    Node,
    NodeLine,
    Nth,
    OfKind,
    OnDays,
    OnNth,
    Op,
    Remark,
    Season,
    Sep,
    Time,
    When,
    WhichDays,
    Word,
    ends_clause,
    has,
    is_op,
    select,
)
from mass_pipeline.reading.phrases.predicates import (
    begins_with_building,
    has_time,
    is_label,
    is_moved_ahead,
    is_only_place,
    names_building,
    names_days,
    names_several_buildings,
    only_adds_overlay,
    plain_words,
)
from mass_pipeline.reading.words.folding import fold
from mass_pipeline.reading.words.marks import EXPLAINED

LABEL: Final = 6  # level of a line that is no heading but reads like one ("Spowiedź:")
CELL: Final = 8
LINE: Final = 9  # level of what is said in the line of the hours themselves
FEW_WORDS: Final = 6  # a line of conditions with more plain words than these is prose, no label
_OF_OFFICES: Final = frozenset({"office", "opening", "baptism"})  # they are not kept in a chapel on Sundays
_DAYS: Final[frozenset[Dimension]] = frozenset({InList, OnDays, OnNth})
_WITHIN_LIST: Final[frozenset[Dimension]] = frozenset({OnDays, OnNth})


class End(IntEnum):
    """Where a condition ends; each end is also one of those before it."""

    CLAUSE = 1  # a semicolon, a full stop, a bar
    SENTENCE = 2  # a full stop, and every new line
    DAYS = 3  # a new line that names days
    HEADING = 4  # a heading of its level or above


_MOVABLE: Final = "movable season"
_OF_ANOTHER: Final = "kind of another Mass"
_C, _S, _D, _H = End.CLAUSE, End.SENTENCE, End.DAYS, End.HEADING
ENDS: Final[Mapping[Dimension | str, tuple[End, End, End, End]]] = {
    # said:      after hours, before them, with a colon, on a line of its own
    InList: (_C, _H, _H, _H),
    OnDays: (_C, _H, _H, _H),
    OnNth: (_C, _H, _H, _H),
    InSeason: (_C, _S, _D, _H),
    _MOVABLE: (_C, _C, _D, _H),  # Advent, Lent: without dates of its own
    AtPlace: (_C, _D, _D, _H),
    Dated: (_C, _S, _S, _H),
    OfKind: (_D, _D, _D, _H),
    _OF_ANOTHER: (_S, _S, _S, _H),  # "w sąsiednim Lipniku Msza o 12.00. U nas ..."
}
END_WITH_BOX: Final = frozenset({InSeason, AtPlace, OfKind})  # said above: they end also with the box of their heading


@dataclass(slots=True)
class Said:
    """A condition where it was said.

    Attributes:
        cond: the condition.
        line: of the document.
        level: 1..7 of a heading, `LABEL`, `CELL` or `LINE`.
        colon: a colon stands after it.
        after_hours: hours stood before it in its clause.
        over_list: a heading right above that of a list, of the same level.
    """

    cond: Cond
    line: int
    level: int = LINE
    colon: bool = False
    after_hours: bool = False
    over_list: bool = False

    @property
    def above(self) -> bool:
        """Whether it stood on a line of its own above what it governs."""
        return self.level < LINE

    @property
    def end(self) -> End:
        """The first boundary that ends it."""
        cond = self.cond
        what: Dimension | str = type(cond)
        if cond.has_no_dates:
            what = _MOVABLE
        elif cond.value in ("reference", "elsewhere"):
            what = _OF_ANOTHER
        return ENDS[what][3 if self.above else 0 if self.after_hours else 2 if self.colon else 1]


@dataclass(slots=True)
class Named:
    """Days, weeks of the month and dates that the list has named so far, so that "the other days" can be worked out."""

    days: set[str] = field(default_factory=set)
    weeks: dict[str, set[int]] = field(default_factory=dict)
    dates: DatesOfYear = NO_DATES
    overlay: bool = False  # Advent, Lent or another season without dates was named
    custom: tuple[str, ...] = ()  # borders of one of which nothing else is known
    earlier: DatesOfYear = NO_DATES  # those named in the last list that named any
    days_before: set[str] = field(default_factory=set)  # those named outside the list of working days

    def copy(self) -> Named:
        """An independent copy."""
        weeks = {day: set(weeks) for day, weeks in self.weeks.items()}
        return Named(set(self.days), weeks, self.dates, self.overlay, self.custom, self.earlier, set(self.days_before))

    def clear(self) -> None:
        """A new list begins."""
        self.earlier = self.dates or self.earlier
        self.days_before |= self.days
        self.days.clear()
        self.weeks.clear()
        self.dates = NO_DATES
        self.overlay, self.custom = False, ()

    def note(self, cond: Cond) -> None:
        """Remember what a condition names."""
        match cond.value:
            case _ if isinstance(cond, InList):
                self.clear()
            case Days(rest=False, days=days):
                self.days |= days
            case Season(rest=False) as season:
                self.dates |= cond.dates
                self.overlay = self.overlay or cond.has_no_dates
                self.custom = self.custom or season.borders
            case Nth(rest=False) as weeks:
                for nth in (weeks, *weeks.more):
                    for day in nth.days:
                        self.weeks.setdefault(day, set()).update(nth.ordinals)

    def resolve(self, cond: Cond, label: frozenset[str] | None) -> Cond:
        """`pozostałe dni` with what was named taken away; other conditions as they are.

        Args:
            cond: any condition.
            label: days of the list, None outside lists.
        """
        match cond.value:
            case Days(rest=True) if not self.days and (self.dates or self.overlay):  # "w Wielkim Poście 17.00, poza tym 18.00"
                return InSeason(Season(YEAR & ~self.dates), cond.start, cond.end, cond.excluded, cond.only)
            case Days(rest=True) if label is not None and self.weeks.keys() == label - {"PH"}:
                others = OnNth(Nth((), label - {"PH"}, rest=True), cond.start, cond.end)
                return self.resolve(others, label)  # "I niedziela 8.00, pozostałe 9.00"
            case Days(rest=True) as rest:
                in_week = (label or frozenset()) & WORKING_WEEK  # "soboty 18.00, niedziele 9.00, pozostałe dni 7.30"
                return replace(cond, value=replace(rest, days=in_week - self.days or WORKING_WEEK - self.days - self.days_before))
            case Nth(rest=True) as weeks:
                named: set[int] = set().union(*(self.weeks.get(day, set()) for day in weeks.days))
                if not named or not named <= set(NTH):
                    return OnDays(Days(weeks.days), cond.start, cond.end, cond.excluded, cond.only)
                return replace(cond, value=replace(weeks, ordinals=tuple(n for n in NTH if n not in named)))
            case Season(rest=True) if self.custom and not self.dates:
                return replace(cond, value=Season(None, "custom", borders=self.custom[::-1]))
            case Season(rest=True):
                return replace(cond, value=Season(YEAR & ~(self.dates or self.earlier)))
        return cond


class Outline:
    """The way from the page down to the hours to come: what was said on it governs them, outermost first.

    What was said of a dimension ends what was said of it before, and everything inside that.
    """

    def __init__(self, path: Sequence[Said] = ()) -> None:
        self.path = list(path)
        self.named = Named()
        self._kind: Said | None = None

    @classmethod
    def of(cls, scope: Scope, line: int) -> Outline:
        """The way to some hours already read."""
        return cls([Said(cond, line) for cond in scope.values()])

    def copy(self) -> Outline:
        """An independent copy."""
        other = Outline(self.path)
        other._kind, other.named = self._kind, self.named.copy()
        return other

    def below(self, item: TimeEntry | None, run: TimeGroup | None, line: int) -> Outline:
        """The way into a bracket after an hour: `18.30 (w sobotę; zimą 17.30)` is about the days of that hour."""
        inner = self.copy()
        if item is not None and run is not None and run.label() is not None:
            days = [cond for cond in select(item.restrictions, OnDays) if not cond.excluded][:1]
            inner.enter([Said(cond, line) for cond in days], line)
        return inner

    def scope(self) -> Scope:
        """What governs the hours to come, by dimension."""
        return {type(said.cond): said.cond for said in self.path}

    def label(self) -> Cond | None:
        """The list that is read."""
        return next((said.cond for said in reversed(self.path) if type(said.cond) is InList), None)

    def kind(self, line: int) -> str:
        """What happens at the hours to come in a line."""
        kind = str(self._kind.cond.value) if self._kind is not None else "mass"
        own = [said.cond for said in self.path if said.line == line] if kind in _OF_OFFICES else []
        named = has(own, InList) and any(names_building(cond) for cond in own)
        if named and self.heading_of_kind() >= 0:  # "Kaplica w Zalesiu niedziela 9.30"
            self._kind = None  # so are the other hours of that church
            return "mass"
        return kind

    def heading_of_kind(self) -> int:
        """The line of the heading above that said so, -1 for none ("Nabożeństwa" may head Masses too)."""
        return self._kind.line if self._kind is not None and self._kind.above else -1

    def resolved(self, cond: Cond) -> Cond:
        """`pozostałe dni` with the days that are meant; other conditions as they are."""
        label = self.label()
        return self.named.resolve(cond, label.days if label is not None else None) if cond.is_rest else cond

    # --- downwards ---------------------------------------------------------------------------------------------------

    def enter(self, block: Sequence[Said], line: int, *, after_hours: bool = False) -> bool:
        """Go down into what some conditions said together govern; True when that changes what governs."""
        label = self.label()
        fresh: list[Said] = []
        for said in block:
            if not isinstance(said.cond, OfKind):
                fresh.append(Said(self.resolved(said.cond), said.line, said.level, said.colon))
            else:
                self._set_kind(said)
        if not fresh:
            return False
        dims: set[Dimension] = {type(said.cond) for said in fresh}
        if AtPlace in dims and len(fresh) > 1:
            fresh.sort(key=lambda said: names_several_buildings(said.cond))  # "w filiach (niedziele): Gaj 8.00; Lipie 9.30"
        if label is not None and any(_leaves_list(said.cond, label.days) for said in fresh):
            dims.add(InList)
        if dims == {OnNth} and not after_hours and self.named.dates == YEAR:  # "latem 18.00; zimą 17.00; I piątek 8.00"
            self.path = [said for said in self.path if not isinstance(said.cond, InSeason) or said.above or said.colon]
        if after_hours and dims in ({AtPlace}, {InSeason}) and not any(said.colon for said in fresh):
            self._change(type(fresh[0].cond))
        else:
            if AtPlace in dims:  # the heading of a village ends the name of the parish over it, but not the season between
                level = min((said.level for said in fresh if isinstance(said.cond, AtPlace) and said.above), default=0)
                self.path = [said for said in self.path if not isinstance(said.cond, AtPlace) or said.level >= level]
            self._leave(dims, line, heading=all(said.above for said in fresh))
        for said in fresh:
            inner = after_hours and said.level == LINE and not isinstance(said.cond, InList) and not said.colon
            self.path.append(replace(said, after_hours=inner, over_list=_is_over_list(said, fresh)))
        return True

    def _leave(self, dims: set[Dimension], line: int, *, heading: bool) -> None:
        """Go up to where the new conditions belong."""
        days = not dims.isdisjoint(_DAYS)
        if days:
            self.path = [s for s in self.path if s.end > End.DAYS or s.line == line or isinstance(s.cond, WhichDays)]
            if Dated not in dims:
                self.drop(Dated)
            if InSeason not in dims and self.named.dates == YEAR:
                self.path = [s for s in self.path if not isinstance(s.cond, InSeason) or not s.after_hours]
        if dims == {AtPlace} and not heading and any(isinstance(s.cond, AtPlace) and s.above for s in self.path):
            # A place named in passing within a list under the heading of another place leaves the list as it is.
            self.path = [s for s in self.path if not isinstance(s.cond, AtPlace) or s.above]
            return
        ended = dims | _WITHIN_LIST if days else dims
        first = next((at for at, said in enumerate(self.path) if type(said.cond) in ended), len(self.path))
        inside = self.path[first:]
        del self.path[first:]
        if days and AtPlace not in dims:  # "Rudki: sobota 17.00; niedziela 8.45"
            self.path += [s for s in inside if isinstance(s.cond, AtPlace) and s.colon and s.line == line and not s.after_hours]
        if dims == {AtPlace} and not heading and not has((said.cond for said in self.path), WhichDays):
            # "Kaplica: niedziela 9.15; kościół: 8.15": hours without days would have no reading, so the list goes on
            self.path += [said for said in inside if isinstance(said.cond, WhichDays) and said.line == line]

    def _change(self, dim: Dimension) -> None:
        """`u nas w niedziele o 9.00, w kaplicy o 10.15`, `latem w tygodniu o 19.00, zimą o 17.00`: the list goes on."""
        first = next((at for at, said in enumerate(self.path) if type(said.cond) is dim), len(self.path))
        self.path = [said for at, said in enumerate(self.path) if at < first or isinstance(said.cond, WhichDays)]

    def _set_kind(self, said: Said) -> None:
        if said.cond.value != "intention":
            self._kind = replace(said, cond=replace(said.cond, value="mass")) if said.cond.value == "anchor" else said

    def head_masses(self) -> None:
        """A line below the heading `Nabożeństwa` says that its hours are Masses: so are those to come that say nothing."""
        if self._kind is not None and self._kind.above and self._kind.cond.value == "devotion":
            self._kind = replace(self._kind, cond=replace(self._kind.cond, value="mass"))

    # --- upwards -----------------------------------------------------------------------------------------------------

    def end(self, boundary: End) -> bool:
        """Come to the end of a clause, a sentence or a line; True when anything ended with it."""
        sentence = boundary >= End.SENTENCE
        if sentence and self._kind is not None and self._kind.end <= boundary:
            self._kind = None
        dated = {s.line for s in self.path if isinstance(s.cond, Dated) and not s.above} if sentence else set()
        kept = [s for s in self.path if s.end > boundary and (s.above or s.line not in dated)]
        changed = len(kept) < len(self.path)
        self.path = kept
        return changed

    def begin_line(self, *, names_days: bool, adds: bool) -> None:
        """A new line ends what the one before said of its own hours, and once it names days, what these do.

        Args:
            adds: the run before only added to a list: `Sobota`, `w I sobotę także 9.00`, `8.00`.
        """
        self.end(End.SENTENCE)
        if adds and any(said.above and isinstance(said.cond, LISTS_AND_DAYS) for said in self.path):
            self.path = [said for said in self.path if not isinstance(said.cond, OnNth) or said.above or said.colon]
        if names_days and self._kind is not None and self._kind.end <= End.DAYS:
            self._kind = None

    def begin_heading(self, level: int, *, names_list: bool = False) -> None:
        """A heading ends what headings of its level and below said.

        The season and the church whose heading stood right over that of a list of its level go on over the next list.
        """
        self.path = [s for s in self.path if s.level < level or (names_list and s.over_list and s.level == level)]
        if self._kind is not None and self._kind.level >= level:
            self._kind = None
        self.named.clear()

    def leave_boxes(self, lines: AbstractSet[int]) -> None:
        """The boxes of headings in some lines end: their seasons, places and what they say to happen end too.

        Days go on: an hour below the box of `Niedziela` that names no other days has no reading without them.
        """
        self.path = [s for s in self.path if not (s.line in lines and s.above and type(s.cond) in END_WITH_BOX)]
        if self._kind is not None and self._kind.above and self._kind.line in lines:
            self._kind = None

    def leave_kind(self, line: int) -> None:
        """What a line from `line` on says to happen ends: `Zajęcia | 16.45` above `Sobota | 8.15`."""
        if self._kind is not None and self._kind.line >= line:
            self._kind = None

    def leave_inner(self, run: TimeGroup | None) -> None:
        """After a semicolon that an hour follows at once, only the list, headings and labels with a colon go on."""
        scope = self.scope()
        if run is None or (OnDays in scope and InList not in scope and run.items):
            return
        lists = [at for at, said in enumerate(self.path) if isinstance(said.cond, InList)]
        keep = lists[0] + 1 if lists else 0
        self.path = [said for at, said in enumerate(self.path) if at < keep or said.above or said.colon]

    def drop(self, dim: Dimension) -> None:
        """End what was said of a dimension."""
        self.path = [said for said in self.path if type(said.cond) is not dim]

    # --- looking -----------------------------------------------------------------------------------------------------

    def names_days_since(self, line: int) -> bool:
        """Whether a label on a line of its own, from `line` on, names days."""
        return any(s.line >= line and s.level == LABEL and isinstance(s.cond, WhichDays) for s in self.path)

    def days_from(self, line: int) -> DaysFrom:
        """Where the days are named that govern the hours to come in a line; `Wtorek: 18.00` above it is no heading."""
        own = [said for said in self.path if isinstance(said.cond, WhichDays)]
        if any(said.line == line for said in own):
            return DaysFrom.OWN_LINE
        return DaysFrom.LIST_ABOVE if any(said.above for said in own) or not own else DaysFrom.HOURS_ABOVE


def _is_over_list(said: Said, others: Sequence[Said]) -> bool:
    """Whether the heading of a season or a place stands right above that of a list, of the same level."""
    if not isinstance(said.cond, (InSeason, AtPlace)) or not said.above:
        return False
    return any(isinstance(o.cond, LISTS_AND_DAYS) and (o.level, o.line) == (said.level, said.line + 1) for o in others)


def _leaves_list(cond: Cond, days: frozenset[str]) -> bool:
    """`nd: 8.00, 10.00; w wakacje pn-sb: 18.30`: other days than those of the list end it; a lone Saturday is the vigil."""
    return isinstance(cond, OnDays) and not cond.excluded and cond.days != {"Sa"} and not cond.days & days


# --- lines without hours: which of their conditions govern the lines below, and which end others that wait -------------


BESIDE_MASSES: Final = frozenset({"devotion", "adoration", "confession", "office", "baptism"})  # after them in a heading
_HOUR_BY_MASSES: Final = re.compile(
    r"(?:spowied|adorac|nabozen|nowenn|rozan|koronk|litani|godzinki|chrzt|chrzest|sakrament|wystawien)\w*[^\d]*"
    r"\b(?:przed|po|podczas|w czasie|w trakcie|na) (?:\w+ ){0,2}msz"
)
_STAMP: Final = re.compile(
    r"(?i)(?:wpisan|dodan|opublikowan|zamieszczon|utworzon|zaktualizowan|poprawion|napisan|posted|published|last updated)"
    r"|\b\d{1,2}[. ]+(?:\w+|\d{1,2})[. ]+20\d\d(?: ?r\.)?,? (?:o |godz\. ?)?\d{1,2}:\d\d"
)
_LIMITING: Final = (OnNth, InSeason)
_LEADING: Final = (Op, OnNth, InSeason)
_NEAR: Final = 12  # nodes from an hour to the one that takes its place
BREAKING_KINDS: Final = frozenset({"person", "contact"})  # they end a clause and head nothing


def waiting_below(pending: Sequence[Said], line: NodeLine, words: int) -> list[Said]:
    """What goes on waiting for hours below a line.

    Args:
        words: plain ones of the line.
    """
    if _enumerates_feasts(pending, line):
        return [item for item in pending if not isinstance(item.cond, Dated)]
    if line.index not in [item.line for item in pending]:
        return list(pending)
    unfinished = line.text.rstrip().endswith((":", "-", "–"))
    is_prose = words > FEW_WORDS and not line.heading and not (unfinished and names_days(line.nodes))
    by_masses = not line.heading and "sz" in line.text and _HOUR_BY_MASSES.search(fold(line.text)) is not None
    if is_prose or _is_sentence_of_office(line) or (words and not unfinished and has_time(line.nodes)) or by_masses:
        return [item for item in pending if item.line != line.index]
    return [item for item in pending if item.line != line.index or _governs_lines_below(item.cond, line)]


def _is_sentence_of_office(line: NodeLine) -> bool:
    """`W piątki kancelaria jest nieczynna.`: a sentence without an hour heads nothing."""
    kinds = {node.value for node in select(line.nodes, OfKind)}
    return not line.heading and line.text.rstrip().endswith((".", "!")) and "office" in kinds and not has_time(line.nodes)


def _enumerates_feasts(pending: Sequence[Said], line: NodeLine) -> bool:
    """`2.02, 19.03, 8.12` right below `Święta zniesione` tells which days are meant."""
    dims = [type(node) for node in select(line.nodes, Cond)]
    if len(dims) < 2 or dims.count(Dated) < len(dims) or has_time(line.nodes):
        return False
    return any(item.cond.is_of_feasts for item in pending)


def _governs_lines_below(cond: Cond, line: NodeLine) -> bool:
    """Whether what a line left pending holds for the lines below it."""
    if isinstance(cond, Dated):
        return _dates_what_follows(line)
    if isinstance(cond, AtPlace):
        return is_only_place(line) or begins_with_building(cond, line)
    if isinstance(cond, OfKind) and cond.value in BREAKING_KINDS:
        return False
    if has_time(line.nodes) and not line.text.rstrip().endswith((":", "-", "–")) and not line.text[cond.start].isupper():
        return False  # "16.30 - Nieszpory niedzielne"
    return isinstance(cond, LISTS_AND_DAYS) or is_label(line)


def _dates_what_follows(line: NodeLine) -> bool:
    """`Poniedziałek 12.05` heads the hours below; `św. Barbara, 4.12` names a patron's day, `14 maja 2011 18:42` a posting's."""
    dims = {type(node) for node in select(line.nodes, Cond)}
    if dims.isdisjoint(LISTS_AND_DAYS) and (dims - {Dated} or plain_words(line.nodes)):
        return False
    return _STAMP.search(line.text) is None


def adds_nothing(cond: Cond, pending: Sequence[Said], line: int, *, heading: bool) -> bool:
    """Whether a condition says nothing more beside those that wait: an address, what is said already."""
    dim = type(cond)  # asked for every condition, and most are of days
    if dim is AtPlace:
        return _is_address(cond, pending, line)
    if dim is OfKind:
        return _repeats_kind(cond, pending, line, heading=heading)
    if dim is not InSeason:
        return False
    return only_adds_overlay(cond, [item.cond for item in pending])


def _is_address(cond: Cond, pending: Iterable[Said], line: int) -> bool:
    """`Kaplica św. Anny, ul. Długa 5, Zalesie`: what follows a church in its line is its address.

    What follows `w kościołach filialnych: Lipiny 8.30`, `Kaplice: Zawada 9.00` is a place.
    """
    if names_building(cond):
        return False
    above = [item for item in pending if item.line == line and names_building(item.cond)]
    return any(not (names_several_buildings(item.cond) or (item.colon and " " not in str(item.cond.value))) for item in above)


def not_displaced(cond: Cond, pending: Sequence[Said], line: int) -> list[Said]:
    """The latest condition of a dimension counts; a list ends days that an earlier line left without hours."""
    dim = type(cond)
    kept = [item for item in pending if type(item.cond) is not dim]
    return [item for item in kept if item.line == line or not isinstance(item.cond, DAYS_OF_LIST)] if dim is InList else kept


def told_apart(cond: Cond, pending: Sequence[Said], line: int, level: int) -> Cond:
    """A condition as it is meant beside those that wait: `codziennie oprócz niedziel` leaves days out.

    Of `Zima` right before `Lato` neither governs the hours below: a script shows them in turn, and the page does not say when.
    """
    if isinstance(cond, InList):
        apart = cond.excluded and has((item.cond for item in pending), InList)
        return OnDays(cond.value, cond.start, cond.end, cond.excluded, cond.only) if apart else cond
    if isinstance(cond, OnDays) and cond.excluded:  # "(poniedziałek–piątek, oprócz środy)"
        own = (item.cond for item in pending if item.line == line and type(item.cond) is OnDays and not item.cond.excluded)
        named = next(own, None)
        left = named.days - cond.days if named is not None else None
        return OnDays(Days(left), cond.start, cond.end) if left else cond
    dates = _months_alone(cond) if level <= LABEL else NO_DATES
    if not dates:
        return cond
    above = [item for item in pending if item.line in (line - 1, line) and item.level <= LABEL]
    if any(other and not other & dates for other in map(_months_alone, (item.cond for item in above))):
        return replace(cond, value=Season(None, "custom"))
    return cond


def _months_alone(cond: Cond) -> DatesOfYear:
    return cond.dates if not cond.excluded and not cond.is_rest else NO_DATES


def _repeats_kind(cond: Cond, pending: Iterable[Said], line: int, *, heading: bool) -> bool:
    """Whether what happens is said: `w sąsiednim Lipniku Msza o 12.00`, the heading `Eucharystie i nabożeństwa`."""
    said = {item.cond.value for item in pending if isinstance(item.cond, OfKind) and item.line == line}
    if cond.value in ("mass", "anchor"):
        return "elsewhere" in said
    if cond.value == "intention":
        return bool(said & BESIDE_MASSES)  # "Różaniec za zmarłych o 17.30"
    return heading and cond.value in BESIDE_MASSES and bool(said & {"mass", "anchor"})


def bracket_below(runs: Sequence[TimeGroup], line: NodeLine) -> tuple[Group, TimeEntry, TimeGroup] | None:
    """`(oprócz stycznia i lutego)` on a line of its own right below an hour: the bracket, the hour and its run; else None."""
    run = runs[-1] if runs and runs[-1].items else None
    if run is None or run.items[-1].line != line.index - 1 or line.heading or run.removes or run.items[-1].restrictions:
        return None
    group = line.nodes[0] if len(line.nodes) == 1 else None
    if not isinstance(group, Group) and not line.text.endswith(":"):
        group = _bracket_without_marks(line)
    if not isinstance(group, Group) or (has_time(group.nodes) and not _leaves_days_out(group.nodes, run)):
        return None
    dims = {type(node) for node in select(group.nodes, Cond)}
    return (group, run.items[-1], run) if dims and dims <= {InSeason, OnDays, OnNth, Remark} else None


def _bracket_without_marks(line: NodeLine) -> Group | None:
    """`oprócz lipca i sierpnia`, `tylko w wakacje` on a line of its own: only what leaves out or limits can be meant as one."""
    said = [node for node in line.nodes if not (isinstance(node, Word) and node.marker)]
    if _leaves_days_out(said) and all(isinstance(node, (Cond, Sep, Time)) for node in said):
        return Group(line.nodes, 0, len(line.text), line.text)  # "z wyjątkiem środy – 10.15"
    if not said or not isinstance(said[0], _LEADING):
        return None  # as most lines below an hour
    only = bool(said) and is_op(said[0], "only")
    conds = said[1:] if only else said
    limits = all(isinstance(node, _LIMITING) and (only or node.excluded) for node in conds)
    return Group(line.nodes, 0, len(line.text), line.text) if conds and limits else None


def _leaves_days_out(nodes: Sequence[Node], run: TimeGroup | None = None) -> bool:
    """Whether hours follow days that are left out, of those of a run."""
    first = nodes[0] if nodes else None
    if not isinstance(first, OnDays) or not isinstance(first.value, Days) or not first.excluded or not has_time(nodes):
        return False
    days = (run.days() or run.label()) if run is not None else first.value
    return days is not None and first.value.days <= days.days


def is_comment(line: NodeLine) -> bool:
    """`(takie, w które się pracuje, np. św. Józefa)`: a line in brackets that says neither hours nor when."""
    group = line.nodes[0] if len(line.nodes) == 1 and not line.heading else None
    if not isinstance(group, Group):
        return False
    if has(group.nodes, (Time, Group)):
        return False
    dims = {type(node) for node in select(group.nodes, Cond)}
    return not any(issubclass(dim, When) for dim in dims) and (
        Dated in dims or AtPlace not in dims
    )  # "(Zalesie)" may head a list


Marked = tuple[str, TimeEntry, TimeGroup]


def footnotes_of(line: NodeLine, marked: list[Marked]) -> list[tuple[Group, list[Marked]]]:
    """A line that begins with the mark of hours above it: what it says of each mark, and the hours; empty for any other line.

    Those hours are taken out of `marked`: the next list begins its marks anew.
    """
    first = EXPLAINED.match(line.text)
    known = {mark for mark, _, _ in marked}
    if first is None or first[1] not in known or not line.nodes:
        return []
    marks = [match for match in EXPLAINED.finditer(line.text) if match[1] in known]
    found: list[tuple[Group, list[Marked]]] = []
    for match, end in zip(marks, [*(later.start() for later in marks[1:]), len(line.text)], strict=True):
        nodes = tuple(node for node in line.nodes if match.end() <= node.start < end)
        hours = [known for known in marked if known[0] == match[1]]
        marked[:] = [known for known in marked if known[0] != match[1]]
        found.append((Group(nodes, match.end(), end, line.text[match.end() : end].strip()), hours))
    return found


def outliving_sentence(pending: Sequence[Said], line: int, rest: Sequence[Node], *, behind_hours: bool) -> list[Said]:
    """What goes on waiting when a sentence ends.

    A place or a date that no hour followed governs none in the next sentence, nor do the days of such a date, nor what is
    said to happen after the last hour of the sentence. But `W piątek 19 czerwca odpust. Msze św. o 8.00` is of that date.
    """
    dated = any(isinstance(item.cond, Dated) and item.line == line for item in pending)
    ended: set[Dimension] = {Dated, *((OnDays, OnNth, InList) if dated else ()), *((OfKind,) if behind_hours else ())}
    said = (node for node in rest if not isinstance(node, Word))
    mass, hour = next(said, None), next(said, None)
    if isinstance(mass, OfKind) and mass.value == "mass" and isinstance(hour, Time):
        ended -= {Dated, OnDays, OnNth, InList}
    kept = []
    for item in pending:
        place = isinstance(item.cond, AtPlace) and not item.colon and (behind_hours or not names_building(item.cond))
        if item.line != line or not (place or type(item.cond) in ended):  # a village, and after hours a church too
            kept.append(item)
    return kept


def _leaves_hour(nodes: Sequence[Node], at: int) -> bool:
    """`przeniesiona z 10.30 na 10.00`, `przesunięta z godz. 10.30`: whether a verb before the hour moves the Mass from it."""
    said: list[str] = []
    for node in reversed(nodes[max(0, at - _NEAR) : at]):
        if not isinstance(node, (Word, Remark)):
            return is_op(node, "moved") and "z" in said
        said.append(node.text if isinstance(node, Word) else str(node.value))
    return False


def is_moved(nodes: Sequence[Node], at: int, *, in_season: bool) -> bool:
    """Whether a verb leads on from the hour at a position to the one that takes its place; in a season any of Masses does.

    The verb stands between them ("z 10.30 przeniesiona na 10.00") or before both ("przeniesiona z 10.30 na 10.00").
    """
    if in_season and is_moved_ahead(nodes, at):
        return True
    moved = _leaves_hour(nodes, at)
    for node in nodes[at + 1 : at + 2 + _NEAR]:
        if isinstance(node, Time):
            return moved
        if isinstance(node, Group) or ends_clause(node):
            return False
        moved = moved or is_op(node, "moved")
    return False
