"""What a clause of a bracket without hours says of the hour before it: rules, each of which acts where it applies.

Belongs here: conditions of brackets, and how a condition is tied to one hour. Not here: brackets with hours (`brackets`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from mass_pipeline.reading.grammar.alternatives import add_season, any_day, is_dated, is_movable, said_again
from mass_pipeline.reading.grammar.rules import Rule
from mass_pipeline.reading.grammar.time_groups import TimeEntry, TimeGroup
from mass_pipeline.reading.phrases.chunker import VIGIL
from mass_pipeline.reading.phrases.nodes import (
    AtPlace,
    Cond,
    Dated,
    Days,
    Dimension,
    InSeason,
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
from mass_pipeline.reading.phrases.predicates import only_adds_overlay
from mass_pipeline.reading.words.folding import fold
from mass_pipeline.reading.words.parts_of_day import NOON
from mass_pipeline.reading.words.weekday_patterns import EVENING

LONGEST_REMARK: Final = 120  # characters


class Comment:
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

    def __init__(self, item: TimeEntry, run: TimeGroup, nodes: Sequence[Node], text: str) -> None:
        self.item, self.run, self.nodes, self.text = item, run, nodes, text
        self.conds = [node for node in nodes if isinstance(node, Cond)]
        self.operators = {node.name for node in nodes if isinstance(node, Op)}
        self.taken = self.done = False
        self.fired: list[str] = []

    def read(self) -> None:
        """Tell the hour."""
        for rule in RULES:
            if not self.done and rule.pattern(self):
                self.fired.append(rule.name)
                rule.produce(self)

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


def _is_sunday_of_saturday(said: Comment) -> bool:
    days = said.run.days()
    return days is not None and days.days == {"Sa"} and any(map(_is_sunday, said.conds))


def _make_vigil(said: Comment) -> None:
    said.conds = [Remark(VIGIL, cond.start, cond.end) if _is_sunday(cond) else cond for cond in said.conds]


def _is_denied(said: Comment) -> bool:
    denied = bool(said.operators & {"without", "not", "except"})
    return denied or ("only" in said.operators and names_other_half(said.item, said.nodes))


def _turn(said: Comment) -> None:
    said.conds = [turned(cond) for cond in said.conds]


def _is_sometimes(said: Comment) -> bool:
    return not said.operators.isdisjoint({"sometimes", "unread"})


def _doubt(said: Comment) -> None:
    said.item.uncertain = True


def _takes_turns(said: Comment) -> bool:
    return "alternate" in said.operators


def _note_turns(said: Comment) -> None:
    said.item.notes.extend(node.says for node in said.nodes if isinstance(node, Op) and node.name == "alternate")


def _is_remark_on_weeks(said: Comment) -> bool:
    dims = {type(cond) for cond in said.conds}
    return OnNth in dims and bool(dims & {Remark, OfKind}) and not _are_apart(said.nodes) and not takes_part(said.conds)


def takes_part(conds: Sequence[Cond]) -> bool:
    """`16.30 (w I piątek miesiąca z udziałem dzieci)`: on a weekday a Mass of its own, with those who take part."""
    weeks = [cond.value for cond in conds if isinstance(cond.value, Nth)]
    others = [cond for cond in conds if not isinstance(cond.value, Nth)]
    if not others or not isinstance(conds[0].value, Nth):
        return False
    return not any("Su" in nth.days for nth in weeks) and all(str(cond.value).startswith("z udział") for cond in others)


def _only_remark(said: Comment) -> None:
    said.note_words()
    said.done = True


def _are_apart(nodes: Sequence[Node]) -> bool:
    """`(po łacinie, w I niedzielę miesiąca)` restricts the Mass, `(chrzty w I niedzielę)` only the remark."""
    nth = next(at for at, node in enumerate(nodes) if isinstance(node, OnNth))
    before = any(isinstance(node, Sep) for node in nodes[:nth])
    after = any(isinstance(node, Sep) for node in nodes[nth + 1 :])
    return after if any(isinstance(node, (OfKind, Remark)) for node in nodes[nth + 1 :]) else before


def _is_elsewhere_on_days(said: Comment) -> bool:
    days = said.first(OnDays, excluded=False)
    if days is None or said.first(AtPlace) is None:
        return False
    return not _is_day_at_place(said.nodes) and not is_of_another_list(days, said.run)


def _split(said: Comment) -> None:
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


def is_of_another_list(days: Cond, run: TimeGroup) -> bool:
    """`Niedziela: 16.00 (w sobotę, Jodłowo), 8.00`: the hour is that of the day before, at that place."""
    label = run.label()
    return label is not None and isinstance(days.value, Days) and days.value.days.isdisjoint(label.days)


def _dated_season(conds: Sequence[Cond]) -> Cond | None:
    return next((cond for cond in conds if isinstance(cond.value, Season) and cond.value.dates and not cond.excluded), None)


def _is_of_days_in_season(said: Comment) -> bool:
    days, season = said.first(OnDays, excluded=False), _dated_season(said.conds)
    if said.taken or days is None or season is None or is_of_another_list(days, said.run):
        return False
    listed = any(isinstance(one, Sep) and one.name == "dash" and days.start < one.start < season.start for one in said.nodes)
    return not listed  # "(śr., pt. - latem)": the hour is of these days, and of that season


def _limit_season(said: Comment) -> None:
    days, season = said.first(OnDays, excluded=False), _dated_season(said.conds)
    assert days is not None
    assert season is not None
    said.item.partial.append((season, days))
    said.take(days, season)


def _is_left(said: Comment) -> bool:
    return bool(said.conds)


def _attach_rest(said: Comment) -> None:
    said.note_kind()
    movable = _movable_besides_days(said)
    if movable is not None:
        said_again(said.run, said.item, [movable])
    for cond in _days_together([cond for cond in said.conds if cond is not movable]):
        named = is_movable(cond) and any(map(is_dated, said.conds))
        if named or not only_adds_overlay(cond, said.conds):  # "(lipiec, sierpień oraz ferie)"
            attach(said.item, cond, said.run)


def _movable_besides_days(said: Comment) -> Cond | None:
    """`7.00 (we wtorki i w Adwencie)`: the season besides the days, not on them."""
    movable = next((cond for cond in said.conds if is_movable(cond)), None)
    days = any(isinstance(cond, OnDays) and not cond.excluded for cond in said.conds)
    marks = {node.name for node in said.nodes if isinstance(node, Sep)}
    return movable if days and marks and marks <= {"and", "comma"} and len(said.conds) > 1 else None


def _days_together(conds: Sequence[Cond]) -> list[Cond]:
    """`(śr. z nowenną, pt.)`, `(I piątki miesiąca i święta zniesione)`: days named apart are days of one Mass."""
    plain = [cond for cond in conds if isinstance(cond.value, (Days, Nth)) and not (cond.excluded or cond.value.rest)]
    days = [cond for cond in plain if isinstance(cond.value, Days)]
    weeks = next((cond for cond in plain if isinstance(cond.value, Nth)), None)
    named = frozenset[str]().union(*(cond.value.days for cond in days if isinstance(cond.value, Days)))
    if weeks is not None and len(days) == 1:
        either = any_day(weeks, OnDays(days[0].value, days[0].start, days[0].end))
        if either is not None:
            return [either if cond is weeks else cond for cond in conds if cond is not days[0]]
    within = [cond for cond in days if isinstance(cond, OnDays)]
    if len(within) < 2 or len(within) < len(days):
        return list(conds)
    united = OnDays(Days(named), within[0].start, within[-1].end)
    return [united if cond is within[0] else cond for cond in conds if cond is within[0] or cond not in within]


def _says_nothing(said: Comment) -> bool:
    return not said.conds and not said.taken


def _note_unknown(said: Comment) -> None:
    said.note_kind()
    said.note_words()


RULES: Final[tuple[Rule[[Comment]], ...]] = (
    Rule(
        "what Sunday has on Saturday",
        _is_sunday_of_saturday,
        _make_vigil,
        ["Sobota: 8.00, 18.00 (niedziela)"],
        ["Sobota: 8.00, 18.00 (latem)"],
    ),
    Rule("denied then", _is_denied, _turn, ["Niedziele: 8.30 (w wakacje nie ma)"], ["Niedziele: 8.30 (w wakacje)"]),
    Rule("holds in turns", _takes_turns, _note_turns, ["Niedziele: 12.00 (na przemian)"], ["Niedziele: 12.00 (latem)"]),
    Rule("holds at times", _is_sometimes, _doubt, ["Niedziele: 12.00 (według ogłoszeń)"], ["Niedziele: 12.00 (latem)"]),
    Rule(
        "a remark on some weeks",
        _is_remark_on_weeks,
        _only_remark,
        ["12.15 (chrzty w III niedzielę)"],
        ["12.15 (w III niedzielę)", "12.15 (po łacinie, w I niedzielę)"],
    ),
    Rule(
        "elsewhere on these days",
        _is_elsewhere_on_days,
        _split,
        ["Dni powszednie: 17.00 (w poniedziałki i środy w kaplicy)"],
        ["Dni powszednie: 17.00 (wtorek w Lipiu)"],
    ),
    Rule(
        "in that season on these days only",
        _is_of_days_in_season,
        _limit_season,
        ["Dni powszednie: 18.00 (w wakacje: pon., śr., pt.)"],
        ["Dni powszednie: 18.00 (śr., pt. - latem)"],
    ),
    Rule("limits its hour", _is_left, _attach_rest, ["Niedziele: 11.00 (oprócz wakacji)"], ["Niedziele: 11.00 (organista)"]),
    Rule(
        "words that say nothing else",
        _says_nothing,
        _note_unknown,
        ["Niedziele: 12.00 (organista)"],
        ["Niedziele: 12.00 (latem)"],
    ),
)


def names_other_half(item: TimeEntry, nodes: Sequence[Node]) -> bool:
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


def attach(item: TimeEntry, cond: Cond, run: TimeGroup) -> None:
    """Tie a condition to one hour of a run."""
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
    elif not _only_explains_season(item, cond) and not (isinstance(cond, InSeason) and add_season(run, item, cond)):
        item.restrictions.append(cond)


def _only_explains_season(item: TimeEntry, cond: Cond) -> bool:
    """`16.00 - zimą (od października do Wielkanocy)`: the winter is that of its months, the movable border a remark."""
    custom = isinstance(cond.value, Season) and cond.value.dates is None and cond.value.name == "custom" and not cond.excluded
    return custom and any(isinstance(one.value, Season) and bool(one.value.dates) for one in item.restrictions)


def _attach_kind(item: TimeEntry, kind: str) -> None:
    if kind == "intention":
        item.dated = True
    elif kind in ("baptism", "broadcast"):
        item.notes.append("chrzty" if kind == "baptism" else "transmisja")
    elif kind == "elsewhere":  # whatever it is called, it is the Mass of another parish
        item.kind, item.explicit_kind = "event", True
    elif kind not in ("anchor", "reference") and item.kind != "reference" and not item.explicit_kind:
        item.kind = kind
        item.explicit_kind = True
