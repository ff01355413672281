"""What is said after an hour of something that comes along with the Mass on some days: it restricts the hour to none.

Belongs here: telling such remarks from words that limit an hour, in brackets and after a mark. Not here: what words that
limit it do (`brackets`).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Final

from mass_pipeline.reading.grammar.time_groups import TimeGroup
from mass_pipeline.reading.phrases.nodes import (
    NARROWING,
    AtPlace,
    Cond,
    Group,
    InList,
    InSeason,
    Node,
    OfKind,
    OnDays,
    Op,
    Remark,
    Sep,
    Time,
    Word,
    first_of,
    has,
    operators_in,
    select,
)
from mass_pipeline.reading.words.folding import fold

COMES_ALONG: Final = (
    "z ",
    "ze ",
    "śpiewa",
    "spiewa",
    "po niej",
    "po których",
    "po mszy",
    "po Mszy",
    "poprzedz",
    "połączon",
    "polaczon",
    "zakończ",
    "chrzt",
    "chrzest",
)
_AT_MASS: Final = re.compile(r"\b(?:podczas|czasie|trakcie|po) (?:kazdej )?msz|\btrakcie$")  # folded
IN_HONOUR: Final = ("o ", "ku czci", "za zmarł", "za powoł", "za chor", "za ojczyzn", "w intencji")
_SURROUNDING: Final = (  # folded
    *(f"{mark} {what}" for mark in ("po", "przed") for what in ("ni", "kto", "msz", "kazda msz", "kazdej msz")),
    *("bezposrednio po ", "bezposrednio przed ", "poprzedz", "zakoncz"),
)
_MANY_DAYS: Final = 3
_BESIDE_MASS: Final = frozenset({"devotion", "adoration", "confession", "baptism", "event", "intention"})
_NO_MASS: Final = frozenset({"devotion", "adoration", "confession", "event"})


def is_mere_remark(run: TimeGroup, nodes: Sequence[Node]) -> bool:
    """`7.00, 18.00 (w środy z nowenną, w maju z majowym)`: a bracket that tells of the Masses of some days only.

    In `7.00 (wt., czw.), 18.00 (śr. z nowenną)` the days limit the hour, as in a list where each hour names its days.
    Hours in such a bracket are those of what comes along ("w czwartek adoracja do 19.00").
    """
    if _places_by_season(nodes) or _goes_with_the_mass(nodes):
        return True
    days = run.days()  # "Dni powszednie", "poniedziałek - sobota": enough that the remark may be of some of them
    if InList not in run.scope and (days is None or len(days.days) < _MANY_DAYS):
        return False
    parts = [part for part in _parts(nodes) if part]
    told = [_told(part) for part in parts]
    if not told or not all(told) or all(one == "plain" for one in told):
        return False
    return "days" not in told or not any(isinstance(cond, OnDays) for item in run.items for cond in item.restrictions)


def _goes_with_the_mass(nodes: Sequence[Node]) -> bool:
    """`11.30 (spowiedź w czasie Mszy)`, `13.00 (różaniec po Mszy)`: the hour is that of the Mass.

    `17.30 (różaniec przed Mszą)` may be the hour of the rosary.
    """
    if has(nodes, (Time, Group, Op)) or not any(node.value in _NO_MASS for node in select(nodes, OfKind)):
        return False
    said = fold(
        " ".join(node.text if isinstance(node, Word) else str(node.value) for node in nodes if isinstance(node, (Word, Remark)))
    )
    return _AT_MASS.search(said) is not None


def surrounds(node: Node | None) -> bool:
    """`po Mszy`, `przed Mszą`, `po niej`, `poprzedzona różańcem`: what follows says what comes before or after the Mass."""
    return isinstance(node, Remark) and fold(str(node.value)).startswith(_SURROUNDING)


def _places_by_season(nodes: Sequence[Node]) -> bool:
    """`16.00 (latem - kaplica, zimą - kościół)`: where it is in each half of the year."""
    dims = Counter(type(node) for node in nodes if isinstance(node, Cond))
    if dims != {AtPlace: 2, InSeason: 2} or has(nodes, (Time, Op, Group)):
        return False
    dates = [node.dates for node in select(nodes, InSeason)]
    return bool(dates[0] and dates[1] and not dates[0] & dates[1])


def _parts(nodes: Sequence[Node]) -> list[list[Node]]:
    """Between commas and the like; `chrzty - trzecia niedziela miesiąca` and `maj: majowe` are one."""
    parts: list[list[Node]] = [[]]
    for node in nodes:
        if isinstance(node, Sep):
            if node.name not in ("dash", "colon"):
                parts.append([])
        elif not (isinstance(node, Word) and node.marker):
            parts[-1].append(node)
    return parts


def _told(part: Sequence[Node]) -> str:
    """`days` or `other times` of which something is said, `plain` of a remark without any, "" of what may limit the hour."""
    conds = select(part, Cond)
    when = select(conds, NARROWING)
    others = [cond for cond in conds if not isinstance(cond, NARROWING)]
    operators = operators_in(part)
    if operators - {"without"} or any(cond.excluded for cond in conds) or has(part, Group):
        return ""
    names_mass = any(cond.value == "mass" for cond in others) and (when or len(others) < 2)
    if names_mass or not all(isinstance(cond, (OfKind, Remark)) for cond in others):
        return ""
    beside = [cond for cond in others if cond.value in _BESIDE_MASS or str(cond.value).startswith((*COMES_ALONG, *IN_HONOUR))]
    if operators and not any(cond.value in _NO_MASS for cond in others):
        return ""
    first = first_of(part, Time)
    if first is not None and not any(cond.start < first.start for cond in beside):
        return ""
    if when:
        return ("days" if isinstance(when[0], OnDays) else "other times") if beside else ""
    return "plain" if others else ""


def comes_along(run: TimeGroup | None, nodes: Sequence[Node]) -> bool:
    """`w drugą niedzielę miesiąca chrzty` after an hour: what comes along with the Mass on some days."""
    return run is not None and has(nodes, NARROWING) and is_mere_remark(run, nodes)
