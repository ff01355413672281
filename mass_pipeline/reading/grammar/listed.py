"""Lines of a list as they are meant beside each other: their numbers, and the hours at which something is prayed.

`1. Niedziela: 8.00` above `2. Dni powszednie: 18.00` is no first Sunday of the month, nor is the number of `7. Msza św. w każdą
niedzielę o 10.30` above `8. Dyżur w kancelarii w środy` an hour; `17.30 - maj: majowe` over `18.00 - Msza św.` is no Mass.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Final

from mass_pipeline.reading.grammar.non_restrictive import COMES_ALONG
from mass_pipeline.reading.phrases.lines import flatten
from mass_pipeline.reading.phrases.nodes import (
    Cond,
    Days,
    InList,
    InSeason,
    Node,
    NodeLine,
    Nth,
    OfKind,
    OnDays,
    OnNth,
    Remark,
    Sep,
    Time,
    has,
    select,
)
from mass_pipeline.reading.words.clock import ClockKind
from mass_pipeline.reading.words.clock_patterns import EARLIEST_HOUR

_NUMBER: Final = re.compile(r"\s*(\d{1,2})[.)]\s*[^\W\d]")
_INNER_NUMBER: Final = re.compile(r"(?:^|(?<=[.;!?:] ))(\d{1,2})[.)] (?=[^\W\da-ząćęłńóśźż])")  # and a capital after it
_SENTENCE: Final = re.compile(r"\s*\d{1,2}[.)]\s*[^\W\da-ząćęłńóśźż][^\W\d]*(?: [^ ]+){2,}[.!]\s*")
_LEAST_NUMBERS: Final = 3
_ROMAN: Final = ("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X")
_PAIR: Final = 2
_NEAR: Final = 4  # lines
_PRAYED: Final = frozenset({"devotion", "adoration"})
_NEXT: Final = 2  # lines, as those of one hour each may have a blank one or a remark between them


def as_listed(lines: Sequence[NodeLine]) -> Sequence[NodeLine]:
    """The lines of a notice or a text, in order, as they are meant beside each other."""
    lines = [_without_roman_numbers(line) for line in _without_numbers(lines)]
    masses = [line.index for line in lines if "mass" in _kinds_after_hour(line)]
    return [_of_devotion(line) if any(abs(line.index - at) <= _NEXT for at in masses) else line for line in lines]


def _without_numbers(lines: Sequence[NodeLine]) -> Sequence[NodeLine]:
    """The lines without the numbers of the list they stand in: days are those of every week, and no number is an hour."""
    lines = [_without_inner_numbers(line) if line.text.count(". ") else line for line in lines]
    heads = [_NUMBER.match(line.text) if line.text[:1].isdigit() else None for line in lines]
    numbers = [int(head[1]) if head is not None else 0 for head in heads]
    if not any(number + 1 in numbers for number in set(numbers) if number):
        return lines
    counting = [_goes_on(numbers, at, number) if number else False for at, number in enumerate(numbers)]
    listed = [line for line, counts in zip(lines, counting, strict=True) if counts]
    no_hours = _count_no_hours(listed, [number for number, counts in zip(numbers, counting, strict=True) if counts])
    return [
        _without_number(line, number, no_hour=no_hours) if counts else line
        for line, number, counts in zip(lines, numbers, counting, strict=True)
    ]


def _without_inner_numbers(line: NodeLine) -> NodeLine:
    """`1. Dziś spotkanie. 2. Taca na remont. 3. W niedziele Msze św. o 8.00`: the sentences of a line are numbered."""
    if line.text.count(". ") + line.text.count(") ") < _LEAST_NUMBERS:
        return line  # a count is cheap, the search is dear
    places = [(match.start(1), int(match[1])) for match in _INNER_NUMBER.finditer(line.text)]
    if len(places) < _LEAST_NUMBERS:
        return line
    numbered = {place: number for at, (place, number) in enumerate(places) if number == places[0][1] + at}
    if len(numbered) < _LEAST_NUMBERS:
        return line
    nodes = _without_hours(line.nodes, numbered) if _count_no_hours([line], list(numbered.values())) else line.nodes
    nodes = tuple(_plain(node, numbered[node.start]) if node.start in numbered else node for node in nodes)
    return NodeLine(line.index, nodes, line.text, line.heading)


def _without_roman_numbers(line: NodeLine) -> NodeLine:
    """`Niedziele: I - 7.15, II - 9.45`, `I Msza – 8.00; II Msza – 9.30`: hours are counted, and no months named."""
    seasons = [at for at, node in enumerate(line.nodes) if isinstance(node, InSeason)]
    said = tuple(line.text[line.nodes[at].start : line.nodes[at].end] for at in seasons)
    hours = len(select(line.nodes, Time))
    if len(said) < _PAIR or len(said) != hours or said != _ROMAN[: len(said)]:
        return line
    marks = {at + 1 for at in seasons if isinstance(line.nodes[at + 1], Sep)}
    kept = tuple(node for at, node in enumerate(line.nodes) if at not in marks | set(seasons))
    return NodeLine(line.index, kept, line.text, line.heading)


def _goes_on(numbers: Sequence[int], at: int, number: int) -> bool:
    """Whether a line near by has the number before or after."""
    near = (*numbers[max(0, at - _NEAR) : at], *numbers[at + 1 : at + 1 + _NEAR])
    return any(other in (number - 1, number + 1) for other in near if other)


def _count_no_hours(lines: Sequence[NodeLine], numbers: Sequence[int]) -> bool:
    """Whether the numbers at the head of lines are no hours: one is too early, hours stand beside them, or they head sentences.

    `8. dla dzieci` above `9. suma` may name two Masses.
    """
    if any(number < EARLIEST_HOUR for number in numbers):
        return True
    beside = any(_is_hour(node) for line in lines for node in line.nodes)
    return beside or (len(lines) >= _LEAST_NUMBERS and all(_SENTENCE.fullmatch(line.text) for line in lines))


def _is_hour(node: Node) -> bool:
    """An hour by its own form, which the number of a list has not."""
    return isinstance(node, Time) and node.clock.kind is not ClockKind.BARE


def _without_number(line: NodeLine, number: int, *, no_hour: bool) -> NodeLine:
    nodes = _without_hours(line.nodes, (line.nodes[0].start,)) if no_hour and line.nodes else line.nodes
    first = _plain(nodes[0], number) if nodes else None
    if first is None or (nodes is line.nodes and first is nodes[0] and not isinstance(first, InList)):
        return line
    return NodeLine(line.index, tuple(_with_feasts([first, *nodes[1:]])), line.text, line.heading)


def _with_feasts(nodes: Sequence[Node]) -> Sequence[Node]:
    """`1. Niedziele i święta`: the feasts were read as another list after "the first Sunday"."""
    if len(nodes) < 3 or not isinstance(nodes[1], Sep) or nodes[1].name != "and":
        return nodes
    sundays, feasts = nodes[0], nodes[2]
    if not (isinstance(sundays, InList) and isinstance(feasts, InList)):
        return nodes
    if not (isinstance(sundays.value, Days) and feasts.is_of_feasts):
        return nodes
    days = replace(sundays.value, days=sundays.days | feasts.days)
    return [InList(days, sundays.start, feasts.end), *nodes[3:]]


def _without_hours(nodes: Sequence[Node], places: Collection[int]) -> tuple[Node, ...]:
    """The nodes without the numbers that begin at the places, and the marks after them."""
    numbers = {at for at, node in enumerate(nodes) if isinstance(node, Time) and node.start in places and not _is_hour(node)}
    marks = {at + 1 for at in numbers if at + 1 < len(nodes) and isinstance(nodes[at + 1], Sep)}
    return tuple(node for at, node in enumerate(nodes) if at not in numbers | marks)


def _plain(node: Node, number: int) -> Node:
    """The days of every week, or of the weeks named after it, where a node takes the number before them for that of a week."""
    if not isinstance(node, Cond) or not isinstance(node.value, Nth) or node.value.ordinals[:1] != (number,):
        return node
    nth = node.value
    if len(nth.ordinals) > 1:  # "3. W pierwszą sobotę"
        return OnNth(replace(nth, ordinals=nth.ordinals[1:]), node.start, node.end)
    if nth.more:
        return node
    made: type[InList | OnDays] = InList if nth.days == {"Su"} else OnDays
    return made(Days(nth.days, label=nth.days == {"Su"}), node.start, node.end)


def _kinds_after_hour(line: NodeLine) -> set[str]:
    """What is said to happen in a line that begins with an hour and has no other; empty for any other line."""
    if not line.nodes or not isinstance(line.nodes[0], Time):
        return set()
    nodes = flatten(line.nodes)
    alone = len(select(nodes, Time)) == 1
    return {str(node.value) for node in select(nodes, OfKind)} if alone else set()


def _of_devotion(line: NodeLine) -> NodeLine:
    """A line that begins with the hour of a devotion in some season with the hour and its kind alone."""
    kinds = _kinds_after_hour(line)
    along = any(str(node.value).startswith(COMES_ALONG) for node in select(flatten(line.nodes), Remark))
    if along or not kinds & _PRAYED or kinds & {"mass", "anchor"} or not has(line.nodes, InSeason):
        return line
    kind = next(node for node in flatten(line.nodes) if isinstance(node, OfKind) and node.value in _PRAYED)
    return NodeLine(line.index, (line.nodes[0], kind), line.text, line.heading)
