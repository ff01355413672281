"""What a bracket after an hour says: it restricts the hour, moves it for a season or a day, or only remarks on it."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final, Protocol

from mass_pipeline.language.day_words import EVENING
from mass_pipeline.language.folding import fold
from mass_pipeline.language.parts_of_day import NOON
from mass_pipeline.schedule_grammar.attaching.effects import Replaces
from mass_pipeline.schedule_grammar.attaching.mere_remarks import hours_beside, is_mere_remark
from mass_pipeline.schedule_grammar.attaching.runs import Item, Run
from mass_pipeline.schedule_grammar.parsing.chunker import VIGIL
from mass_pipeline.schedule_grammar.parsing.clues import only_adds_overlay
from mass_pipeline.schedule_grammar.parsing.nodes import (
    YEAR,
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
    OnNth,
    Op,
    Remark,
    Season,
    Sep,
    Time,
    When,
    Word,
)

_LONGEST_REMARK: Final = 120  # characters


class NodeReader(Protocol):
    """What reads the nodes of a bracket that holds hours (`reader.Reader`)."""

    runs: list[Run]

    def read_nodes(self, nodes: Sequence[Node]) -> None:
        """Read nodes into `runs`."""


def read_bracket(group: Group, item: Item, run: Run, make_reader: Callable[[], NodeReader], *, pair: bool) -> list[Run]:
    """Apply a bracket to the hour before it.

    Args:
        group: the bracket.
        item: the hour before it.
        run: the run of that hour.
        make_reader: gives a reader whose runs know `item` as their parent.
        pair: the bracket closes an alternative ("17.00 i 18.00 (X-III) albo ..."), so it governs both joined hours.

    Returns:
        Runs of the hours inside the bracket, in order; empty when there are none.
    """
    runs: list[Run] = []
    if _names_some_of_all(run, group.nodes):
        return runs
    if is_mere_remark(run, group.nodes):
        return _read_mere_remark(group, item, make_reader)
    for clause in _clauses(group.nodes):
        notes, clause = _notes_before_season(clause)
        days, clause = _days_before_season(clause)
        for cond in (*notes, *days):
            attach(item, cond)
        item.vigil = item.vigil or (bool(days) and any(isinstance(node, Cond) and node.value == VIGIL for node in group.nodes))
        if any(isinstance(node, Time) for node in clause):
            reader = make_reader()
            reader.read_nodes(clause)
            for inner in reader.runs:
                inner.bare = all(isinstance(node, Time) or (isinstance(node, Word) and node.marker != "") for node in clause)
            runs.extend(reader.runs)
            continue
        if _qualify_pair(run.items, clause) or _leaves_other_half(run.items, item, clause):
            continue
        targets = [item]
        if pair and item.joined and len(run.items) > 1 and not run.items[-2].restrictions:
            targets.insert(0, run.items[-2])
        for target in targets:
            _qualify(target, run, clause, group.text)
    return runs


def _read_mere_remark(group: Group, item: Item, make_reader: Callable[[], NodeReader]) -> list[Run]:
    item.notes.append(group.text[:_LONGEST_REMARK])
    beside = hours_beside(group.nodes)
    if not beside:
        return []
    reader = make_reader()
    reader.read_nodes(beside)
    return reader.runs


def _names_some_of_all(run: Run, nodes: Sequence[Node]) -> bool:
    """`zimą wszystkie Msze o 18.00 są o 17.00 (także w soboty)`."""
    return isinstance(run.effect, Replaces) and any(isinstance(node, Op) and node.name == "also" for node in nodes)


def _notes_before_season(clause: list[Node]) -> tuple[list[Cond], list[Node]]:
    """`18.00 (dla młodzieży, w wakacje 19.00)`: what the hour is, and then what takes its place."""
    comma = next((at for at, node in enumerate(clause) if isinstance(node, Sep)), 0)
    conds = [node for node in clause[:comma] if isinstance(node, Cond)]
    behind = next((node for node in clause[comma + 1 :] if not isinstance(node, Word)), None)
    leads = isinstance(behind, InSeason) and any(isinstance(node, Time) for node in clause[comma:])
    told = len(conds) > 0 and all(isinstance(cond, Remark) for cond in conds)
    if not (told and leads) or not all(isinstance(node, Cond | Word) for node in clause[:comma]):
        return [], clause
    return conds, clause[comma + 1 :]


def _days_before_season(clause: list[Node]) -> tuple[list[Cond], list[Node]]:
    """`18.00 (pn., śr. - zimą 17.00)`: the days of the hour itself, and of the other one in the season."""
    dash = next((index for index, node in enumerate(clause) if isinstance(node, Sep) and node.name in ("dash", "comma")), 0)
    conds = [node for node in clause[:dash] if isinstance(node, Cond) and node.value != VIGIL]
    behind = next((at for at in range(dash + 1, len(clause)) if not isinstance(clause[at], Word)), len(clause))
    season = clause[behind] if behind < len(clause) else None
    leads = isinstance(season, InSeason) and any(isinstance(node, Time) for node in clause[dash:])
    if not leads or not conds or any(not isinstance(cond, OnDays) or cond.excluded for cond in conds):
        return [], clause
    return (
        (conds, [*conds, *clause[dash + 1 :]]) if all(isinstance(node, Cond | Word) for node in clause[:dash]) else ([], clause)
    )


def lead_with_seasons(nodes: Sequence[Node]) -> Sequence[Node]:
    """`18.00, w środę 8.00 (latem), 17.00, w środę 8.00 (zimą)`: seasons that close two equally long lists, put before them."""
    closing = [index for index, node in enumerate(nodes) if type(node) is Group and _season_alone(node) is not None]
    if len(closing) != 2:
        return nodes
    first, second = closing
    seasons = [season for index in closing if (season := _season_alone(nodes[index])) is not None]
    months = [cond.value.months or frozenset() for cond in seasons if isinstance(cond.value, Season)]
    strong = [index for index, node in enumerate(nodes[:first]) if isinstance(node, Sep) and node.strong]
    parts = (range(max(strong, default=0), first), range(first, second))
    hours = [[index for index in part if isinstance(nodes[index], Time)] for part in parts]
    if months[0] & months[1] or months[0] | months[1] != YEAR or len(hours[0]) != len(hours[1]) or len(hours[0]) < 2:
        return nodes
    names_days = any(isinstance(node, OnDays) for node in nodes[first:second])
    if not names_days and not _begins_anew([nodes[i] for i in hours[0]], [nodes[i] for i in hours[1]]):
        return nodes
    opening, behind = hours[0][0], first + 1
    while isinstance(nodes[behind], Sep):
        behind += 1
    at = nodes[first].start
    lead = [(season, Sep("colon", season.start, season.end)) for season in seasons]
    lists = (*nodes[:opening], *lead[0], *nodes[opening:first], Sep("semicolon", at, at), *lead[1], *nodes[behind:second])
    return (*lists, *nodes[second + 1 :])


def _begins_anew(first: Sequence[Node], second: Sequence[Node]) -> bool:
    """`7.00, 11.00, 18.00 (IV-X), 7.30, 11.00, 17.00 (XI-III)`: three hours in order, and again from the morning."""
    times = [[node.clock.time for node in part if isinstance(node, Time)] for part in (first, second)]
    ordered = all(part == sorted(part) for part in times)
    return ordered and len(times[0]) > 2 and times[1][0] <= times[0][1]


def _season_alone(node: Node) -> Cond | None:
    """The season of a bracket that says nothing else."""
    if not isinstance(node, Group) or any(isinstance(inner, Time | Op | Sep) for inner in node.nodes):
        return None
    conds = [inner for inner in node.nodes if isinstance(inner, Cond)]
    alone = len(conds) == 1 and isinstance(conds[0], InSeason) and not conds[0].excluded
    return conds[0] if alone and isinstance(conds[0].value, Season) and conds[0].value.months else None


def spread_label(runs: Sequence[Run], nodes: Sequence[Node], line: int, last: Item | None) -> None:
    """`7.00, 8.30, 10.00 (niedziela)`: a list that is named only after its hours governs all hours of its line."""
    label = next((node for node in nodes if isinstance(node, InList) and not node.excluded), None)
    for run in runs if label is not None else ():
        if not run.scope.keys() & {InList, OnDays, OnNth}:
            for item in run.items:
                if item.line == line and item is not last and label is not None:
                    item.restrictions.append(label)


def _clauses(nodes: Sequence[Node]) -> list[list[Node]]:
    """The bracket cut at strong separators, but not within a list of hours ("w lipcu: 8.30; 10.30")."""
    clauses: list[list[Node]] = [[]]
    for index, node in enumerate(nodes):
        if isinstance(node, Sep) and node.strong and not _list_goes_on(clauses[-1], nodes[index + 1 :]):
            clauses.append([])
        elif isinstance(node, Sep) and node.strong:
            clauses[-1].append(Sep("comma", node.start, node.end))
        else:
            clauses[-1].append(node)
    return [clause for clause in clauses if clause]


def _list_goes_on(clause: Sequence[Node], rest: Sequence[Node]) -> bool:
    """`w lipcu: 8.30; 10.30`, and `w lipcu bez 12.30; wieczorna o 19.00`."""
    following = next((node for node in rest if not isinstance(node, Word)), None)
    goes_on = isinstance(following, Time) or (isinstance(following, Op) and following.name == "evening")
    return goes_on and any(isinstance(node, Time) for node in clause)


def _qualify(item: Item, run: Run, nodes: Sequence[Node], text: str) -> None:
    """A bracket without hours."""
    conds = _with_mass_of_its_own([node for node in nodes if isinstance(node, Cond)])
    conds = _vigil_of_saturday(_season_of_roraty(_without_what_comes_along(conds)), run)
    ops = {node.name for node in nodes if isinstance(node, Op)}
    if ops & {"without", "not"} or ("only" in ops and names_other_half(item, nodes)):
        conds = [_turned(cond) for cond in conds]
    if "alternate" in ops:
        item.notes.append(text[:_LONGEST_REMARK] or "na przemian")
        return
    item.uncertain = item.uncertain or "sometimes" in ops
    dims = {type(cond) for cond in conds}
    if OnNth in dims and (dims & {Remark, OfKind}) and not _are_apart(nodes):
        item.notes.append(text[:_LONGEST_REMARK])
        return
    place = next((cond for cond in conds if isinstance(cond, AtPlace)), None)
    days = next((cond for cond in conds if isinstance(cond, OnDays) and not cond.excluded), None)
    if place is not None and days is not None and not _is_day_at_place(nodes) and not is_of_another_list(days, run):
        item.splits.append((days, place))
        conds = [cond for cond in conds if cond not in (place, days)]
    season = next((cond for cond in conds if isinstance(cond.value, Season) and cond.value.months and not cond.excluded), None)
    if days is not None and season is not None and days in conds and not is_of_another_list(days, run):
        item.partial.append((season, days))  # "18.00 (w wakacje: pon., śr., pt.)"
        conds = [cond for cond in conds if cond not in (season, days)]
    item.aside = item.kind == "mass" and not item.explicit_kind
    for cond in _days_together(conds):
        if not only_adds_overlay(cond, conds):  # "(lipiec, sierpień oraz ferie)"
            attach(item, cond)
    if not conds and season is None and place is None:
        item.notes.append(text[:_LONGEST_REMARK])


def _without_what_comes_along(conds: list[Cond]) -> list[Cond]:
    """`(z udziałem młodzieży, zwłaszcza kandydatów do bierzmowania)`: what the people do otherwise makes it no other thing."""
    leads = bool(conds) and isinstance(conds[0], Remark) and str(conds[0].value).startswith("z udział")
    return [cond for cond in conds if not (leads and isinstance(cond, OfKind) and cond.value == "event")]


def _season_of_roraty(conds: list[Cond]) -> list[Cond]:
    """`6.00 (Roraty)`: a Mass of Advent."""
    rorat = next((cond for cond in conds if isinstance(cond, Remark) and fold(str(cond.value)).startswith("rorat")), None)
    if rorat is None or any(not isinstance(cond, OfKind | Remark) for cond in conds):
        return conds
    return [*conds, InSeason(Season(None, "advent"), rorat.start, rorat.end)]


def _vigil_of_saturday(conds: list[Cond], run: Run) -> list[Cond]:
    """`Sobota: 8.00, 18.00 (już z czytaniami niedzielnymi)`: Sunday after an hour of Saturday is what the Mass is of."""
    days = run.days()
    if days is None or days.days != {"Sa"}:
        return conds
    of_sunday = [isinstance(cond.value, Days) and cond.value.days == {"Su"} and not cond.excluded for cond in conds]
    return [Remark(VIGIL, cond.start, cond.end) if su else cond for cond, su in zip(conds, of_sunday, strict=True)]


def _is_day_at_place(nodes: Sequence[Node]) -> bool:
    """`15.30 (wtorek w Lipiu)`, `17.00 (Lipie - wtorek)`: day and place; `7.00 (w poniedziałki w kaplicy)`: where on a day."""
    first, mark, last = (*nodes, None, None, None)[:3]
    if isinstance(first, AtPlace) and isinstance(mark, Sep):
        return isinstance(last, OnDays)
    return isinstance(first, OnDays) and isinstance(first.value, Days) and len(first.value.days) == 1


def is_of_another_list(days: Cond, run: Run) -> bool:
    """`Niedziela: 16.00 (w sobotę, Jodłowo), 8.00`: the hour is that of the day before, at that place."""
    label = run.label()
    return label is not None and isinstance(days.value, Days) and days.value.days.isdisjoint(label.days)


def _with_mass_of_its_own(conds: list[Cond]) -> list[Cond]:
    """`(nabożeństwo wynagradzające + Msza św.)` is a Mass, and the plus no sign of the dead."""
    mass = next((i for i, cond in enumerate(conds) if isinstance(cond, OfKind) and cond.value == "mass"), 0)
    if not any(cond.value == "intention" for cond in conds[:mass]):
        return conds
    return [cond for i, cond in enumerate(conds) if i >= mass or not isinstance(cond, OfKind)]


def _days_together(conds: Sequence[Cond]) -> list[Cond]:
    """`(śr. z nowenną, pt.)`: days named apart are days of one Mass."""
    named = [cond for cond in conds if isinstance(cond, OnDays) and not cond.excluded and isinstance(cond.value, Days)]
    if len(named) < 2 or any(isinstance(cond.value, Days) and cond.value.rest for cond in named):
        return list(conds)
    together = frozenset[str]().union(*(cond.value.days for cond in named if isinstance(cond.value, Days)))
    united = OnDays(Days(together), named[0].start, named[-1].end)
    return [united if cond is named[0] else cond for cond in conds if cond is named[0] or cond not in named]


def _are_apart(nodes: Sequence[Node]) -> bool:
    """`(po łacinie, w I niedzielę miesiąca)` restricts the Mass, `(chrzty w I niedzielę)` only the remark."""
    nth = next(i for i, node in enumerate(nodes) if isinstance(node, OnNth))
    before = [node for node in nodes[:nth] if isinstance(node, Sep)]
    after = [node for node in nodes[nth + 1 :] if isinstance(node, Sep)]
    remark_behind = any(isinstance(node, OfKind | Remark) for node in nodes[nth + 1 :])
    return bool(after) if remark_behind else bool(before)


def _qualify_pair(items: Sequence[Item], nodes: Sequence[Node]) -> bool:
    """`18.00/17.00 (lato/zima)`: hours and seasons that go in pairs, when the seasons make up the year."""
    conds = [node for node in nodes if isinstance(node, Cond)]
    seasons = [cond.value.months for cond in conds if isinstance(cond.value, Season) and cond.value.months and not cond.excluded]
    pair = list(items)[-2:]
    if len(conds) != 2 or len(seasons) != 2 or len(pair) != 2 or any(isinstance(node, Op) for node in nodes):
        return False
    if seasons[0] & seasons[1] or seasons[0] | seasons[1] != YEAR or any(item.restrictions for item in pair):
        return False
    for item, cond in zip(pair, conds, strict=True):
        attach(item, cond)
    return True


def _leaves_other_half(items: Sequence[Item], item: Item, nodes: Sequence[Node]) -> bool:
    """`7.00, 18.00 (w poniedziałki tylko wieczorem)` takes the morning Mass away."""
    evening = any(isinstance(node, Op) and node.name == "evening" for node in nodes)
    conds = [_turned(node) for node in nodes if isinstance(node, Cond)]
    only = any(isinstance(node, Op) and node.name == "only" for node in nodes)
    if not only or not conds or not (evening and item.clock.time >= NOON):
        return False
    for other in items:
        if other.clock.time < NOON:
            other.restrictions.extend(cond for cond in conds if cond.excluded)
    return True


def names_other_half(item: Item, nodes: Sequence[Node]) -> bool:
    """`7.00 i 17.00 (w wakacje tylko poranna)` takes the evening Mass away."""
    words = " ".join(fold(node.text) for node in nodes if isinstance(node, Word))
    if item.clock.time >= NOON:
        return bool(re.search(r"\b(?:po)?rann?", words))
    return bool(re.search(rf"\b{EVENING}", words))


def _turned(cond: Cond) -> Cond:
    if not isinstance(cond, When) or cond.excluded:
        return cond
    return replace(cond, excluded=True, only=False)


def attach(item: Item, cond: Cond) -> None:
    """Tie a condition to one hour."""
    if isinstance(cond, Remark):
        if cond.value == VIGIL:
            item.vigil = True
        if cond.value and not any(str(cond.value) in note for note in item.notes):
            item.notes.append(str(cond.value))
    elif isinstance(cond, OfKind):
        _attach_kind(item, str(cond.value))
    elif isinstance(cond, AtPlace):
        item.place = str(cond.value)
    elif isinstance(cond, Dated):
        item.dated = True
    elif not _only_explains_season(item, cond):
        item.restrictions.append(cond)


def _only_explains_season(item: Item, cond: Cond) -> bool:
    """`16.00 - zimą (od października do Wielkanocy)`: the winter is that of its months, the movable border a remark."""
    custom = isinstance(cond.value, Season) and cond.value.months is None and cond.value.name == "custom" and not cond.excluded
    return custom and any(isinstance(one.value, Season) and bool(one.value.months) for one in item.restrictions)


def _attach_kind(item: Item, kind: str) -> None:
    if kind == "intention":
        item.dated = True
    elif kind in ("baptism", "broadcast"):
        item.notes.append("chrzty" if kind == "baptism" else "transmisja")
    elif kind == "elsewhere":  # whatever it is called, it is the Mass of another parish
        item.kind, item.explicit_kind = "event", True
    elif kind not in ("anchor", "reference") and item.kind != "reference" and not item.explicit_kind:
        item.kind = kind
        item.explicit_kind = True
