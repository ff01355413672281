"""Which conditions of a line without hours govern the lines below it, and which end others that wait."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import takewhile
from typing import Final

from mass_pipeline.model.dates_of_year import NO_DATES, DatesOfYear
from mass_pipeline.reading.grammar.non_restrictive import is_mere_remark, surrounds
from mass_pipeline.reading.grammar.outline import FEW_WORDS, LABEL, Said
from mass_pipeline.reading.grammar.time_groups import Scope, TimeEntry, TimeGroup
from mass_pipeline.reading.phrases.chunker import VIGIL
from mass_pipeline.reading.phrases.nodes import (
    DAYS_OF_LIST,
    LISTS_AND_DAYS,
    NARROWING,
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
    Word,
)
from mass_pipeline.reading.phrases.predicates import (
    are_seasons_apart,
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
    rest_of_clause,
)
from mass_pipeline.reading.words import weekday_patterns
from mass_pipeline.reading.words.folding import fold
from mass_pipeline.reading.words.marks import EXPLAINED
from mass_pipeline.reading.words.parts_of_day import EVENING

_BESIDE_MASSES: Final = frozenset({"devotion", "adoration", "confession", "office", "baptism"})  # after them in a heading
_HOUR_BY_MASSES: Final = re.compile(
    r"(?:spowied|adorac|nabozen|nowenn|rozan|koronk|litani|godzinki|chrzt|chrzest|sakrament|wystawien)\w*[^\d]*"
    r"\b(?:przed|po|podczas|w czasie|w trakcie|na) (?:\w+ ){0,2}msz"
)
_BEFORE_MASSES: Final = frozenset({"confession", "from", "adoration"})  # kinds of an hour
_STAMP: Final = re.compile(
    r"(?i)(?:wpisan|dodan|opublikowan|zamieszczon|utworzon|zaktualizowan|poprawion|napisan|posted|published|last updated)"
    r"|\b\d{1,2}[. ]+(?:\w+|\d{1,2})[. ]+20\d\d(?: ?r\.)?,? (?:o |godz\. ?)?\d{1,2}:\d\d"
)
_LIMITING: Final = (OnNth, InSeason)
_LEADING: Final = (Op, OnNth, InSeason)
_FARTHEST: Final = 80  # nodes looked ahead
_NEAR: Final = 12  # nodes from an hour to the one that takes its place
_EVERY_MASS: Final = re.compile(r"\bkazd\w+ (?:\w+ )?(?:msz|mass)")  # folded
_LATE: Final = (weekday_patterns.EVENING, weekday_patterns.IN_THE_AFTERNOON, weekday_patterns.AFTERNOON)  # folded
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
    if is_prose or (words and not unfinished and has_time(line.nodes)) or _tells_by_masses(line):
        return [item for item in pending if item.line != line.index]
    return [item for item in pending if item.line != line.index or _governs_lines_below(item.cond, line)]


def _tells_by_masses(line: NodeLine) -> bool:
    """`Spowiedź: pół godziny przed Mszą św.` says all that it has to say, unless it is a heading."""
    return not line.heading and ("Msz" in line.text or "msz" in line.text) and _HOUR_BY_MASSES.search(fold(line.text)) is not None


def _enumerates_feasts(pending: Sequence[Said], line: NodeLine) -> bool:
    """`2.02, 19.03, 8.12` right below `Święta zniesione` tells which days are meant."""
    dims = [type(node) for node in line.nodes if isinstance(node, Cond)]
    if len(dims) < 2 or dims.count(Dated) < len(dims) or has_time(line.nodes):
        return False
    return any(isinstance(item.cond.value, Days) and item.cond.value.days <= {"PH", "AF"} for item in pending)


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
    dims = {type(node) for node in line.nodes if isinstance(node, Cond)}
    if dims.isdisjoint(LISTS_AND_DAYS) and (dims - {Dated} or plain_words(line.nodes)):
        return False
    return _STAMP.search(line.text) is None


def adds_nothing(cond: Cond, pending: Sequence[Said], line: int, *, heading: bool) -> bool:
    """Whether a condition says nothing more beside those that wait: an address, what is said already."""
    dim = type(cond)  # asked for every condition, and most are of days
    if dim is AtPlace:
        return _is_address(cond, pending, line)
    if dim is OfKind:
        return _is_said_already(cond, pending, line, heading=heading)
    if dim is not InSeason:
        return False
    return only_adds_overlay(cond, [item.cond for item in pending])


def _is_address(cond: Cond, pending: Iterable[Said], line: int) -> bool:
    """`Kaplica św. Anny, ul. Długa 5, Zalesie`: what follows a church in its line is its address."""
    if names_building(cond):
        return False
    above = [item for item in pending if item.line == line and names_building(item.cond)]
    return any(not _heads_places(item) for item in above)


def _heads_places(item: Said) -> bool:
    """`w kościołach filialnych: Lipiny 8.30`, `Kaplice: Zawada 9.00`: what follows is a place, and no address."""
    return names_several_buildings(item.cond) or (item.colon and " " not in str(item.cond.value))


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
        apart = cond.excluded and any(isinstance(item.cond, InList) for item in pending)
        return OnDays(cond.value, cond.start, cond.end, cond.excluded, cond.only) if apart else cond
    dates = _months_alone(cond) if level <= LABEL else NO_DATES
    if not dates:
        return cond
    above = [item for item in pending if item.line in (line - 1, line) and item.level <= LABEL]
    if any(other and not other & dates for other in map(_months_alone, (item.cond for item in above))):
        return replace(cond, value=Season(None, "custom"))
    return cond


def _months_alone(cond: Cond) -> DatesOfYear:
    named = isinstance(cond.value, Season) and not cond.excluded and not cond.value.rest
    return (cond.value.dates or NO_DATES) if named and isinstance(cond.value, Season) else NO_DATES


def _is_said_already(cond: Cond, pending: Iterable[Said], line: int, *, heading: bool) -> bool:
    """Whether what happens is said: `w sąsiednim Lipniku Msza o 12.00`, the heading `Eucharystie i nabożeństwa`."""
    said = {item.cond.value for item in pending if isinstance(item.cond, OfKind) and item.line == line}
    if cond.value in ("mass", "anchor"):
        return "elsewhere" in said
    if cond.value == "intention":
        return bool(said & _BESIDE_MASSES)  # "Różaniec za zmarłych o 17.30"
    return heading and cond.value in _BESIDE_MASSES and bool(said & {"mass", "anchor"})


def is_of_something_else(cond: Cond, item: TimeEntry, gap: str, nodes: Sequence[Node]) -> bool:
    """Whether a kind after an hour tells not what happens at it: a Mass after a comma, or what follows the Mass.

    `spowiedź od 16.30, Msza św. jak zwykle`; `17.30, po niej nabożeństwo majowe / różaniec`; `7.00 – przed Mszą godzinki`.
    """
    if not isinstance(cond, OfKind):
        return False
    if cond.value == "mass":
        return gap == "comma" and item.kind in _BEFORE_MASSES and not item.kind_of_heading
    behind = (node for node in nodes if item.clock.end <= node.start < cond.start)
    return item.kind == "mass" and cond.value in _BESIDE_MASSES and any(map(surrounds, behind))


def is_example(cond: Cond, bracket: Sequence[Node], pending: Sequence[Said]) -> bool:
    """Whether a date in a bracket only tells which days are meant: `święta zniesione (2 II, 3 V, 8 XII): 9.00`."""
    dates = sum(isinstance(node, Dated) for node in bracket)
    if not isinstance(cond, Dated) or dates < 2:
        return False
    return any(isinstance(item.cond.value, Days) and item.cond.value.days <= {"PH", "AF"} for item in pending)


def bracket_below(runs: Sequence[TimeGroup], line: NodeLine) -> tuple[Group, TimeEntry, TimeGroup] | None:
    """`(oprócz stycznia i lutego)` on a line of its own right below an hour: the bracket, the hour and its run; else None."""
    run = runs[-1] if runs and runs[-1].items else None
    if run is None or run.items[-1].line != line.index - 1 or line.heading or run.removes or run.items[-1].restrictions:
        return None
    group = line.nodes[0] if len(line.nodes) == 1 else None
    if not isinstance(group, Group) and not line.text.endswith(":"):
        group = _bracket_without_marks(line)
    if not isinstance(group, Group) or any(isinstance(node, Time) for node in group.nodes):
        return None
    dims = {type(node) for node in group.nodes if isinstance(node, Cond)}
    return (group, run.items[-1], run) if dims and dims <= {InSeason, OnDays, OnNth, Remark} else None


def _bracket_without_marks(line: NodeLine) -> Group | None:
    """`oprócz lipca i sierpnia`, `tylko w wakacje` on a line of its own: only what leaves out or limits can be meant as one."""
    said = [node for node in line.nodes if not (isinstance(node, Word) and node.marker)]
    if not said or not isinstance(said[0], _LEADING):
        return None  # as most lines below an hour
    only = bool(said) and isinstance(said[0], Op) and said[0].name == "only"
    conds = said[1:] if only else said
    limits = all(isinstance(node, _LIMITING) and (only or node.excluded) for node in conds)
    return Group(line.nodes, 0, len(line.text), line.text) if conds and limits else None


def is_comment(line: NodeLine) -> bool:
    """`(takie, w które się pracuje, np. św. Józefa)`: a line in brackets that says neither hours nor when."""
    group = line.nodes[0] if len(line.nodes) == 1 and not line.heading else None
    if not isinstance(group, Group):
        return False
    if any(isinstance(node, (Time, Group)) for node in group.nodes):
        return False
    dims = {type(node) for node in group.nodes if isinstance(node, Cond)}
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


def outliving_sentence(pending: Sequence[Said], line: int, *, behind_hours: bool, names_days: bool = False) -> list[Said]:
    """What goes on waiting when a sentence ends.

    A place or a date that no hour followed governs none in the next sentence, nor do the days of such a date, nor what is
    said to happen after the last hour of the sentence, nor weeks where the next sentence names days of its own.
    """
    dated = any(isinstance(item.cond, Dated) and item.line == line for item in pending)
    ended: set[Dimension] = {Dated, *((OnDays, OnNth, InList) if dated else ()), *((OfKind,) if behind_hours else ())}
    ended |= {OnNth} if names_days else set()
    said = [i for i in pending if i.line == line and (type(i.cond) in ended or _is_passing_place(i, behind_hours=behind_hours))]
    return [item for item in pending if item not in said]


def _is_passing_place(item: Said, *, behind_hours: bool) -> bool:
    """A village named without a colon, and after the hours of the sentence a church too."""
    return isinstance(item.cond, AtPlace) and not item.colon and (behind_hours or not names_building(item.cond))


def is_late(word: Word) -> bool:
    """`wieczorem`, `po południu`."""
    return fold(word.text).startswith(_LATE)


def is_moved(nodes: Sequence[Node], at: int, *, in_season: bool) -> bool:
    """Whether a verb leads on from the hour at a position to the one that takes its place; in a season any of Masses does."""
    if in_season and is_moved_ahead(nodes, at):
        return True
    behind = list(takewhile(lambda node: not isinstance(node, (Time, Group)), rest_of_clause(nodes, at)[:_NEAR]))
    moved = any(isinstance(node, Op) and node.name == "moved" for node in behind)
    return moved and at + len(behind) + 1 < len(nodes) and isinstance(nodes[at + len(behind) + 1], Time)


def names_sort(nodes: Sequence[Node], at: int) -> bool:
    """`Msza św. szkolna:` at the beginning of a line, up to the colon at a position."""
    if at != 2 or not isinstance(nodes[0], OfKind) or nodes[0].value != "mass":
        return False
    return isinstance(nodes[1], Remark) and nodes[1].value not in ("", VIGIL)


def comes_along_then(run: TimeGroup | None, nodes: Sequence[Node]) -> bool:
    """`w drugą niedzielę miesiąca chrzty` after an hour: what comes along with the Mass on some days."""
    return run is not None and any(isinstance(node, NARROWING) for node in nodes) and is_mere_remark(run, nodes)


def hours_of_list(group: Group) -> list[Time]:
    """The hours of a bracket that begins with one and says nothing else but when they are; [] of any other."""
    rest = [node for node in group.nodes if not isinstance(node, (Time, Sep)) and not (isinstance(node, Word) and node.marker)]
    plain = len(rest) <= 1 and all(isinstance(node, InSeason) and not node.excluded for node in rest)
    hours = [node for node in group.nodes if isinstance(node, Time)]
    return hours if plain and hours and group.nodes[0] is hours[0] else []


def is_other_evening(hour: str, other: str) -> bool:
    """Whether an hour in a bracket is that of the evening Mass before it in the other half of the year."""
    return min(hour, other) >= EVENING and are_seasons_apart(hour, other)


def names_every_mass(nodes: Sequence[Node]) -> bool:
    """`podczas każdej Mszy św.`, `na każdej niedzielnej Mszy`."""
    said = fold(" ".join(n.text if isinstance(n, Word) else str(n.value) for n in nodes if isinstance(n, (Word, OfKind, Remark))))
    return _EVERY_MASS.search(said) is not None


def names_days_within(scope: Scope, around: Scope) -> bool:
    """Whether some conditions name days of the list that others name."""
    inner = next((scope[dim].value for dim in (OnDays, OnNth) if dim in scope), None)
    outer = next((around[dim].value for dim in (OnDays, InList) if dim in around), None)
    return isinstance(inner, (Days, Nth)) and isinstance(outer, Days) and inner.days < outer.days
