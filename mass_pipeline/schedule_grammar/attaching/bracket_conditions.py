"""What a clause of a bracket without hours says of the hour before it: named rules, each of which acts where it applies.

Belongs here: conditions of brackets, and how a condition is tied to one hour. Not here: brackets with hours (`brackets_reader`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from mass_pipeline.language.day_words import EVENING
from mass_pipeline.language.folding import fold
from mass_pipeline.language.parts_of_day import NOON
from mass_pipeline.schedule_grammar.attaching.rules import Rule
from mass_pipeline.schedule_grammar.attaching.runs import Item, Run
from mass_pipeline.schedule_grammar.parsing.chunker import VIGIL
from mass_pipeline.schedule_grammar.parsing.clues import only_adds_overlay
from mass_pipeline.schedule_grammar.parsing.nodes import (
    NTH,
    AtPlace,
    Cond,
    Dated,
    Days,
    Dimension,
    Node,
    Nth,
    OfKind,
    OnDays,
    OnNth,
    Op,
    Remark,
    Season,
    Sep,
    When,
    Word,
)

LONGEST_REMARK: Final = 120  # characters


class Said:
    """What a clause of a bracket says of an hour.

    Attributes:
        item: the hour.
        run: the run of that hour.
        nodes: of the clause.
        text: of the bracket.
        conds: the conditions that are left to be dealt with.
        operators: names of those in the clause.
        taken: some conditions are dealt with.
        done: nothing is left to say.
        fired: names of the rules that acted.
    """

    def __init__(self, item: Item, run: Run, nodes: Sequence[Node], text: str) -> None:
        self.item, self.run, self.nodes, self.text = item, run, nodes, text
        self.conds = [node for node in nodes if isinstance(node, Cond)]
        self.operators = {node.name for node in nodes if isinstance(node, Op)}
        self.taken = self.done = False
        self.fired: list[str] = []

    def qualify(self) -> None:
        """Tell the hour."""
        for rule in RULES:
            if not self.done and rule.applies(self):
                self.fired.append(rule.name)
                rule.act(self)

    def first(self, dimension: Dimension, *, excluded: bool = True) -> Cond | None:
        """The first condition of a dimension, or only of those that are not turned round."""
        return next((one for one in self.conds if isinstance(one, dimension) and (excluded or not one.excluded)), None)

    def take(self, *conds: Cond) -> None:
        """Leave conditions that are dealt with out of what is left."""
        self.conds = [cond for cond in self.conds if cond not in conds]
        self.taken = True
        self.note_kind()

    def note_kind(self) -> None:
        """Whether only the bracket says what the hour is."""
        self.item.aside = self.item.kind == "mass" and not self.item.explicit_kind

    def note_words(self) -> None:
        """Keep the words of the bracket."""
        self.item.notes.append(self.text[:LONGEST_REMARK])


def _is_sunday(cond: Cond) -> bool:
    return isinstance(cond.value, Days) and cond.value.days == {"Su"} and not cond.excluded


def _is_sunday_of_saturday(said: Said) -> bool:
    days = said.run.days()
    return days is not None and days.days == {"Sa"} and any(map(_is_sunday, said.conds))


def _make_vigil(said: Said) -> None:
    said.conds = [Remark(VIGIL, cond.start, cond.end) if _is_sunday(cond) else cond for cond in said.conds]


def _is_denied(said: Said) -> bool:
    denied = bool(said.operators & {"without", "not"})
    return denied or ("only" in said.operators and names_other_half(said.item, said.nodes))


def _turn(said: Said) -> None:
    said.conds = [turned(cond) for cond in said.conds]


def _is_sometimes(said: Said) -> bool:
    return not said.operators.isdisjoint({"sometimes", "unread"})


def _doubt(said: Said) -> None:
    said.item.uncertain = True


def _takes_turns(said: Said) -> bool:
    return "alternate" in said.operators


def _note_turns(said: Said) -> None:
    said.item.notes.extend(node.says for node in said.nodes if isinstance(node, Op) and node.name == "alternate")


def _is_remark_on_weeks(said: Said) -> bool:
    dims = {type(cond) for cond in said.conds}
    return OnNth in dims and bool(dims & {Remark, OfKind}) and not _are_apart(said.nodes)


def _only_remark(said: Said) -> None:
    said.note_words()
    said.done = True


def _are_apart(nodes: Sequence[Node]) -> bool:
    """`(po łacinie, w I niedzielę miesiąca)` restricts the Mass, `(chrzty w I niedzielę)` only the remark."""
    nth = next(i for i, node in enumerate(nodes) if isinstance(node, OnNth))
    before = [node for node in nodes[:nth] if isinstance(node, Sep)]
    after = [node for node in nodes[nth + 1 :] if isinstance(node, Sep)]
    remark_behind = any(isinstance(node, (OfKind, Remark)) for node in nodes[nth + 1 :])
    return bool(after) if remark_behind else bool(before)


def _is_elsewhere_on_days(said: Said) -> bool:
    days = said.first(OnDays, excluded=False)
    if days is None or said.first(AtPlace) is None:
        return False
    return not _is_day_at_place(said.nodes) and not is_of_another_list(days, said.run)


def _split(said: Said) -> None:
    days, place = said.first(OnDays, excluded=False), said.first(AtPlace)
    assert days is not None
    assert place is not None
    said.item.splits.append((days, place))
    said.take(days, place)


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


def _months_among(conds: Sequence[Cond]) -> Cond | None:
    return next((cond for cond in conds if isinstance(cond.value, Season) and cond.value.dates and not cond.excluded), None)


def _is_of_days_in_season(said: Said) -> bool:
    days = said.first(OnDays, excluded=False)
    season = _months_among(said.conds)
    if said.taken or days is None or season is None or _are_listed(days, season, said.nodes):
        return False
    return not is_of_another_list(days, said.run)


def _are_listed(days: Cond, season: Cond, nodes: Sequence[Node]) -> bool:
    """`(śr., pt. - latem)`: the hour is of these days, and of that season."""
    return any(isinstance(node, Sep) and node.name == "dash" and days.start < node.start < season.start for node in nodes)


def _limit_season(said: Said) -> None:
    days, season = said.first(OnDays, excluded=False), _months_among(said.conds)
    assert days is not None
    assert season is not None
    said.item.partial.append((season, days))
    said.take(days, season)


def _is_left(said: Said) -> bool:
    return bool(said.conds)


def _attach_rest(said: Said) -> None:
    said.note_kind()
    for cond in _days_together(said.conds):
        if not only_adds_overlay(cond, said.conds):  # "(lipiec, sierpień oraz ferie)"
            attach(said.item, cond)


def _days_together(conds: Sequence[Cond]) -> list[Cond]:
    """`(śr. z nowenną, pt.)`: days named apart are days of one Mass."""
    weeks = next((cond for cond in conds if isinstance(cond.value, Nth) and not (cond.excluded or cond.value.rest)), None)
    besides = [cond for cond in conds if isinstance(cond.value, Days) and not (cond.excluded or cond.value.rest)]
    if weeks is not None and len(besides) == 1 and isinstance(weeks.value, Nth) and isinstance(besides[0].value, Days):
        days = besides[0].value.days
        if not days & weeks.value.days:  # "(w I piątki miesiąca i święta zniesione)"
            either = replace(weeks.value, more=(*weeks.value.more, Nth(NTH, days)))
            return [replace(weeks, value=either) if cond is weeks else cond for cond in conds if cond is not besides[0]]
    named = [cond for cond in conds if isinstance(cond, OnDays) and not cond.excluded and isinstance(cond.value, Days)]
    if len(named) < 2 or any(isinstance(cond.value, Days) and cond.value.rest for cond in named):
        return list(conds)
    together = frozenset[str]().union(*(cond.value.days for cond in named if isinstance(cond.value, Days)))
    united = OnDays(Days(together), named[0].start, named[-1].end)
    return [united if cond is named[0] else cond for cond in conds if cond is named[0] or cond not in named]


def _says_nothing(said: Said) -> bool:
    return not said.conds and not said.taken


def _note_unknown(said: Said) -> None:
    said.note_kind()
    said.note_words()


RULES: Final[tuple[Rule[[Said]], ...]] = (
    Rule("what Sunday has on Saturday", _is_sunday_of_saturday, _make_vigil),  # "sobota 18.00 (z czytaniami niedzielnymi)"
    Rule("denied then", _is_denied, _turn),  # "8.30 (w wakacje nie ma)"
    Rule("holds in turns", _takes_turns, _note_turns),  # "18.00 (co druga niedziela)"
    Rule("holds at times", _is_sometimes, _doubt),
    Rule("a remark on some weeks", _is_remark_on_weeks, _only_remark),  # "11.00 (chrzty w I niedzielę)"
    Rule("elsewhere on these days", _is_elsewhere_on_days, _split),  # "17.00 (w poniedziałki w kaplicy)"
    Rule("in that season on these days only", _is_of_days_in_season, _limit_season),  # "18.00 (w wakacje: pon., śr., pt.)"
    Rule("limits its hour", _is_left, _attach_rest),
    Rule("words that say nothing else", _says_nothing, _note_unknown),
)


def names_other_half(item: Item, nodes: Sequence[Node]) -> bool:
    """`7.00 i 17.00 (w wakacje tylko poranna)` takes the evening Mass away."""
    words = " ".join(fold(node.text) for node in nodes if isinstance(node, Word))
    if item.clock.time >= NOON:
        return bool(re.search(r"\b(?:po)?rann?", words))
    return bool(re.search(rf"\b{EVENING}", words))


def turned(cond: Cond) -> Cond:
    """A condition of time as one that leaves out."""
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
    custom = isinstance(cond.value, Season) and cond.value.dates is None and cond.value.name == "custom" and not cond.excluded
    return custom and any(isinstance(one.value, Season) and bool(one.value.dates) for one in item.restrictions)


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
