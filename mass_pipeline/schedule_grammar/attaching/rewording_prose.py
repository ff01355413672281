"""What sentences of a whole paragraph say in a roundabout way, put as lists put it: rules of `rewording`.

Belongs here: relative clauses that tell which feasts are meant, months that explain a season, an hour later or earlier, halves of
the day that some days have. Not here: the order in which the rules are tried (`rewording`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import takewhile
from typing import Final

from mass_pipeline.language.clock import ClockKind, ClockToken
from mass_pipeline.language.day_words import MORNING, OF_EVENING
from mass_pipeline.language.folding import fold
from mass_pipeline.schedule_grammar.attaching.rewording_days import clauses
from mass_pipeline.schedule_grammar.parsing.clues import are_seasons_apart
from mass_pipeline.schedule_grammar.parsing.nodes import (
    WORKING_WEEK,
    AtPlace,
    Cond,
    Dated,
    Days,
    Group,
    InList,
    InSeason,
    Node,
    OfKind,
    OnDays,
    Op,
    Season,
    Sep,
    Time,
    WhichDays,
    Word,
)

_FEASTS: Final = frozenset({"PH", "AF"})
_ABOLISHED: Final = re.compile(
    r"\b(?:znios|znies|niezniesi|nie (?:\w+ ){0,2}(?:nakaz|obowiaz)|dn\w+ (?:pracy|robocz|pracujac)|prac(?:uje|uja)\b)"
)
_FOR_EXAMPLE: Final = re.compile(r"\b(?:np|m\.? ?in|jak|jako|takie)\b")
_SHIFT: Final = re.compile(
    r"(?:(?P<half>pol godziny|30 min\w*|poltorej godziny)|(?P<hours>dwie|2)? ?godzin[ey]) (?P<way>pozniej|wczesniej)"
)
_MINUTES: Final = {"pol": 30, "30": 30, "poltorej": 90}
_THOSE: Final = r"(?:\b(?:wymienion|wspomnian|tych|te|owych|letni|zimow)\w* )?"
_NUMBERS: Final = {"dwa": 2, "dwoch": 2, "trzy": 3, "trzech": 3, "cztery": 4, "czterech": 4, "piec": 5, "szesc": 6}
_THOSE_MONTHS: Final = re.compile(rf"(?<!co ){_THOSE}(?:\b(?P<number>{'|'.join(_NUMBERS)}) )?{_THOSE}\bmiesiac(?:ach|e)\b")
_OF_A_HALF: Final = re.compile(rf"rann|{MORNING}|{OF_EVENING}")  # folded
_COMES: Final = re.compile(r"\b(?:do|przy)jezdza\b")
_NEAR: Final = 4  # nodes between a season and the months that explain it
_LEAST_DAYS: Final = 3  # that have a half of the day, so that the others have not
_LONGEST: Final = 8  # nodes of such a sentence


def feasts_told_apart(nodes: Sequence[Node]) -> Sequence[Node]:
    """`Święta, które Kościół zniósł: o 8.00`, `w święta, które są dniami pracy`: the abolished feasts."""
    for at, node in enumerate(nodes[:-2]):
        if not (isinstance(node, InList) and isinstance(node.value, Days) and node.value.days <= _FEASTS):
            continue
        comma = nodes[at + 1]
        if not (isinstance(comma, Sep) and comma.name == "comma" and "ktor" in _said(nodes[at + 2 : at + 5])):
            continue
        end = next((i for i in range(at + 2, len(nodes)) if _ends_relative_clause(nodes[i])), len(nodes))
        if _ABOLISHED.search(_said(nodes[at + 2 : end])) is None:
            continue
        feasts = InList(Days(frozenset({"AF"}), label=True), node.start, node.end)
        return [*nodes[:at], feasts, *nodes[end:]]
    return nodes


def _ends_relative_clause(node: Node) -> bool:
    strong = isinstance(node, Sep) and (node.strong or node.name == "colon")
    return strong or isinstance(node, Time) or (isinstance(node, OfKind) and node.value == "mass")


def _said(nodes: Sequence[Node]) -> str:
    """The folded words of some nodes; a negation is "nie"."""
    parts = (
        node.text if isinstance(node, Word) else "nie" if isinstance(node, Op) and node.name == "not" else _value(node)
        for node in nodes
    )
    return fold(" ".join(parts))


def _value(node: Node) -> str:
    return node.value if isinstance(node, Cond) and isinstance(node.value, str) else ""


def examples_of_feasts(nodes: Sequence[Node]) -> Sequence[Node]:
    """`W święta zniesione, jak Gromniczna, świętego Józefa czy 8 grudnia, o 9.00`: the dates only tell which days are meant."""
    at = next((i for i, node in enumerate(nodes) if _names_abolished(node)), -1)
    hour = next((i for i in range(at + 1, len(nodes)) if isinstance(nodes[i], Time)), 0)
    dates = [i for i in range(at + 1, hour) if isinstance(nodes[i], Dated)]
    if at < 0 or not dates or (len(dates) < 2 and _FOR_EXAMPLE.search(_said(nodes[at + 1 : dates[0]])) is None):
        return nodes
    found: list[Node] = []
    for i, node in enumerate(nodes):
        between = dates[0] <= i <= dates[-1]
        if between and isinstance(node, (Dated, AtPlace)):
            continue
        stop = isinstance(node, Sep) and node.name == "stop" and dates[-1] < i < hour
        found.append(Sep("comma", node.start, node.end) if stop or (between and isinstance(node, Sep)) else node)
    return found


def _names_abolished(node: Node) -> bool:
    return isinstance(node, InList) and isinstance(node.value, Days) and node.value.days == {"AF"}


def months_that_explain_a_season(nodes: Sequence[Node]) -> Sequence[Node]:
    """`w sezonie malinowym - czerwiec, lipiec, sierpień - o 20.00`: the months are meant, whatever the season is called."""
    for at, node in enumerate(nodes):
        if not _is_season(node, named=True):
            continue
        near = range(at + 1, min(at + _NEAR, len(nodes)))
        months = next((i for i in near if _is_season(nodes[i], named=False)), 0)
        between = nodes[at + 1 : months] if months else []
        plain = all(isinstance(one, Word) or (isinstance(one, Sep) and one.name == "dash") for one in between)
        if between and plain and isinstance(between[-1], Sep):
            return [*nodes[:at], *nodes[months:]]
    return nodes


def _is_season(node: Node, *, named: bool) -> bool:
    if not isinstance(node, InSeason) or node.excluded or not isinstance(node.value, Season) or not node.value.months:
        return False
    return bool(node.value.name) == named


def lists_named_with_the_other_months(nodes: Sequence[Node]) -> Sequence[Node]:
    """`W czerwcu wieczorna Msza jest o 20.00. Przez pozostałe miesiące w tygodniu o 17.30`: both are of that list."""
    rest = next((at for at, node in enumerate(nodes) if _is_rest(node)), 0)
    first = next((at for at in range(rest) if isinstance(nodes[at], InSeason)), -1)
    lists = [node for node in nodes if isinstance(node, InList)]
    if not rest or first < 0 or len(lists) != 1 or lists[0].start < nodes[rest].start:
        return nodes
    before = nodes[:rest]
    if any(isinstance(node, WhichDays) for node in before) or not any(isinstance(node, Time) for node in before[first:]):
        return nodes
    return [*nodes[:first], replace(lists[0]), *nodes[first:]]


def _is_rest(node: Node) -> bool:
    return isinstance(node, InSeason) and isinstance(node.value, Season) and node.value.rest


def halves_that_some_days_have(nodes: Sequence[Node]) -> Sequence[Node]:
    """`Wieczorna jest więc od poniedziałku do piątku`: on Saturdays there is none."""
    found: list[Node] = []
    for clause in clauses(nodes):
        found += _denied_on_the_others(clause)
    return found


def _denied_on_the_others(clause: list[Node]) -> list[Node]:
    ops = [node for node in clause if isinstance(node, Op)]
    days = [node for node in clause if isinstance(node, WhichDays)]
    says = any(isinstance(node, Word) and fold(node.text).split()[0] in ("jest", "bywa") for node in clause)
    if len(clause) > _LONGEST or len(ops) != 1 or ops[0].name != "evening" or len(days) != 1 or not says:
        return clause
    if any(isinstance(node, Cond) and node is not days[0] and not isinstance(node, OfKind) for node in clause):
        return clause
    value = days[0].value
    if not isinstance(value, Days) or days[0].excluded or any(isinstance(node, Time) for node in clause):
        return clause
    others = WORKING_WEEK - value.days
    if not others or "Su" in value.days or len(value.days) < _LEAST_DAYS:
        return clause
    start, end = clause[0].start, clause[-1].end
    return [OnDays(Days(others), start, end), Op("without", start, end), ops[0], *clause[-1:]]


def hours_told_by_how_much_later(nodes: Sequence[Node]) -> Sequence[Node]:
    """`Wieczorem o 17.00, natomiast latem o godzinę później`: that is an hour of its own, in brackets too."""
    return _with_shifted_hours(nodes, "")


def _with_shifted_hours(nodes: Sequence[Node], hour: str) -> list[Node]:
    """Some nodes with the hours that are given by how they differ from the one before a season.

    Args:
        hour: before the bracket that the nodes stand in, else "".
    """
    found: list[Node] = []
    seasonal = False  # a season was named since the last hour
    at = 0
    while at < len(nodes):
        node = nodes[at]
        words = list(takewhile(lambda one: isinstance(one, Word), nodes[at:])) if seasonal and hour else []
        match = _SHIFT.search(_said(words)) if words else None
        if match is not None:
            time = _shifted(hour, match)
            start, end = words[0].start, words[-1].end
            node = Time(ClockToken(start, end, match.group(), time, ClockKind.TIME), start, end)
            at += len(words) - 1
        elif isinstance(node, Group):
            node = replace(node, nodes=tuple(_with_shifted_hours(node.nodes, hour)))
        if isinstance(node, Time):
            hour, seasonal = node.clock.time, False
        seasonal = seasonal or isinstance(node, InSeason)
        found.append(node)
        at += 1
    return found


def _shifted(hour: str, match: re.Match[str]) -> str:
    minutes = _MINUTES[match["half"].split()[0]] if match["half"] else 120 if match["hours"] else 60
    total = int(hour[:2]) * 60 + int(hour[3:]) + (minutes if match["way"] == "pozniej" else -minutes)
    return f"{total // 60 % 24:02}:{total % 60:02}"


def months_named_before(nodes: Sequence[Node]) -> Sequence[Node]:
    """`w listopadzie i grudniu o 16.00; w tygodniu o 18.00, a w wymienionych miesiącach o 17.00`: those months."""
    found: list[Node] = []
    months: InSeason | None = None
    at = 0
    while at < len(nodes):
        node = nodes[at]
        if _is_season(node, named=False):
            months = node  # type: ignore[assignment]
        words = list(takewhile(lambda one: isinstance(one, Word), nodes[at:])) if months is not None else []
        match = _THOSE_MONTHS.search(_said(words)) if words else None
        refers = match is not None and not match.group().startswith("miesiac")
        if months is not None and match is not None and refers and _are_as_many(months, match["number"]):
            node = InSeason(months.value, words[0].start, words[-1].end)
            at += len(words) - 1
        elif isinstance(node, Group) and months is not None:
            node = replace(node, nodes=tuple(months_named_before([months, *node.nodes])[1:]))
        found.append(node)
        at += 1
    return found


def _are_as_many(months: InSeason, number: str | None) -> bool:
    return isinstance(months.value, Season) and (number is None or len(months.value.months or ()) == _NUMBERS[number])


def days_added_to_an_exchange(nodes: Sequence[Node]) -> Sequence[Node]:
    """`W Adwencie zamiast Mszy o 6.30 są roraty o 6.15, również w soboty`: on the days of that Mass, and on Saturdays too."""
    found: list[Node] = []
    for clause in clauses(nodes):
        end = len(clause) - 1 if isinstance(clause[-1], Sep) else len(clause)
        ops = [at for at in range(end) if isinstance(clause[at], Op)]
        hours = [node for node in clause if isinstance(node, Time)]
        names = [clause[at].name for at in ops]  # type: ignore[union-attr]
        if names != ["instead", "also"] or len(hours) != 2 or hours[1].start > clause[ops[1]].start:
            found += clause
            continue
        tail = [node for node in clause[ops[1] + 1 : end] if not isinstance(node, Word)]
        season = next((node for node in clause if isinstance(node, InSeason)), None)
        if season is None or not tail or not all(isinstance(node, OnDays) for node in tail):
            found += clause
            continue
        start = clause[ops[1]].start
        found += [*clause[: ops[1] - isinstance(clause[ops[1] - 1], Sep)], Sep("stop", start, start)]
        found += [
            replace(season),
            *tail,
            Op("also", start, start),
            OfKind("mass", start, start),
            replace(hours[1]),
            *clause[end:],
        ]
    return found


def halves_given_up_in_a_season(nodes: Sequence[Node]) -> Sequence[Node]:
    """`W Adwencie zamiast porannej Mszy roraty o 6.30`: one more hour, as in any season without months; the list stays."""
    found: list[Node] = []
    for clause in clauses(nodes):
        at = next((i for i, node in enumerate(clause) if isinstance(node, Op) and node.name == "instead"), -1)
        half = next((i for i in range(at + 1, min(at + _NEAR, len(clause))) if _names_half(clause[i])), 0) if at >= 0 else 0
        hours = sum(isinstance(node, Time) for node in clause[half:])
        seasonal = any(isinstance(node, InSeason) for node in clause[: max(at, 0)])
        days = any(isinstance(node, WhichDays) for node in clause)
        between = clause[at + 1 : half] if half else []
        plain = all(isinstance(node, (Word, OfKind)) for node in between)
        found += [*clause[:at], *clause[half + 1 :]] if half and hours == 1 and seasonal and not days and plain else clause
    return found


def _names_half(node: Node) -> bool:
    if isinstance(node, Op):
        return node.name == "evening"
    return isinstance(node, Word) and _OF_A_HALF.match(fold(node.text)) is not None


def hours_of_both_halves(nodes: Sequence[Node]) -> Sequence[Node]:
    """`w czasie letnim o 18:00 / 17:00`, `w okresie zimowym 17.00/18.00`: the second hour is that of the other half."""
    for at in range(len(nodes) - 2):
        one, mark, other = nodes[at : at + 3]
        season = next((node for node in reversed(nodes[max(0, at - 2) : at]) if isinstance(node, InSeason)), None)
        if season is None or not (isinstance(one, Time) and isinstance(mark, Sep) and isinstance(other, Time)):
            continue
        goes_on = at + 3 < len(nodes) and not (isinstance(nodes[at + 3], Sep) and nodes[at + 3].strong)  # type: ignore[union-attr]
        if goes_on or mark.name != "comma" or not _are_of_halves(season, one, other):
            continue
        return [*nodes[: at + 1], Sep("comma", mark.start, mark.end), replace(season, excluded=True), *nodes[at + 2 :]]
    return nodes


def _are_of_halves(season: InSeason, one: Time, other: Time) -> bool:
    """Whether two evening hours are as far apart, and as early and late, as those of summer and winter are."""
    if season.excluded or not isinstance(season.value, Season) or not are_seasons_apart(one.clock.time, other.clock.time):
        return False
    if season.value.name == "summer":
        return one.clock.time > other.clock.time
    return season.value.name == "winter" and one.clock.time < other.clock.time and other.start == one.end + 1


def drivers_to_a_mass(nodes: Sequence[Node]) -> Sequence[Node]:
    """`Do Borownicy dojeżdża ksiądz proboszcz w niedziele na 11.00`: what he comes for is Mass."""
    found: list[Node] = []
    for clause in clauses(nodes):
        comes = _COMES.search(_said(clause)) is not None and any(isinstance(node, Time) for node in clause)
        found += [node for node in clause if not (comes and isinstance(node, OfKind) and node.value == "person")]
    return found


Rule = Callable[[Sequence[Node]], Sequence[Node]]

PROSE_RULES: Final[tuple[tuple[frozenset[str], Rule], ...]] = (  # what a line must have, and the rule
    (frozenset({"list", "time", "comma"}), feasts_told_apart),
    (frozenset({"list", "time", "dated"}), examples_of_feasts),
    (frozenset({"season again", "time"}), months_that_explain_a_season),
    (frozenset({"movable season", "list", "time again"}), lists_named_with_the_other_months),
    (frozenset({"evening", "days"}), halves_that_some_days_have),
    (frozenset({"season", "time"}), hours_told_by_how_much_later),
    (frozenset({"season", "time again"}), months_named_before),
    (frozenset({"instead", "also", "time again"}), days_added_to_an_exchange),
    (frozenset({"instead", "movable season", "time"}), halves_given_up_in_a_season),
    (frozenset({"season", "time again"}), hours_of_both_halves),
    (frozenset({"person", "time", "days"}), drivers_to_a_mass),
    (frozenset({"group", "time"}), hours_told_by_how_much_later),
)
