"""How sure a reading is: a second look at each change, by its words alone, that names what speaks against publishing it.

Belongs here: doubts, told from the sentence of a change, its neighbours and the other changes of the announcement.
Not here: what a change is (reading), and what becomes of a doubtful one (schedules).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from itertools import pairwise
from typing import Final

from mass_pipeline.extraction.changes import phrases
from mass_pipeline.extraction.changes.change import Doubt, ScheduleChange
from mass_pipeline.extraction.changes.dates import find_periods
from mass_pipeline.extraction.changes.hours import clock_hours, folded_sentence, in_digits
from mass_pipeline.extraction.changes.period import Period
from mass_pipeline.model.identifiers import fold
from mass_pipeline.schedule_grammar.clock import ClockToken

_DAY: Final = timedelta(1)
_WEEK: Final = timedelta(7)
_FAR: Final = timedelta(60)  # a feast further away is more likely a misread name
_FEW: Final = 2  # hours
_MOST_CHANGES: Final = 150  # of one text; more are an archive, in which sentences of different weeks stand side by side
_SUNDAY: Final = 6
_NEAR: Final = 2  # sentences before that may still say of what a sentence speaks
_MIDNIGHT: Final = "00:00"
_MIDNIGHTS: Final = ((12, 25), (1, 1))  # month and day on which a Mass begins at midnight

_WEEKDAY: Final = re.compile(r"poniedzial|wtor|srod|czwart|piat|sobot|niedziel")
_RELATIVE: Final = re.compile(r"dzis|jutr|tydz|tygod")
_END_ALONE: Final = re.compile(r"\bdo(?: dnia)?(?: (?:poniedzialku|wtorku|srody|czwartku|piatku|soboty|niedzieli),?)? $|\bdo $")
_THOSE_DAYS: Final = re.compile(r"\bw tych dniach|\bw te dni\b")
_BUT: Final = re.compile(r"^wyjat|wyjatkiem|\boprocz\b|\bpoza (?:sobot|niedziel|piat|srod|czwart|wtor|poniedzial)")
_NEGATED: Final = re.compile(r"\bnie\b|\bbez\b(?! zmian)|\bani\b|odwol|zawiesz|\bbrak\b|oprocz|wyjatkiem|procz")
_MOVED_WORDS: Final = r"zamiast|przen[io]s|przesu|przeloz|wczesniej|pozniej|(?<!bez )\bzmian|\bzmieni|\blecz\b"
_MOVES: Final = re.compile(_MOVED_WORDS)
_SHIFT: Final = re.compile(rf"{_MOVED_WORDS}|wyjatkow|dopiero")
_NO_END: Final = re.compile(
    r"\bod(?: dnia)? (?:poniedzial|wtor|srod|czwart|piat|sobot|niedziel|dzis|jutr|tego|tej|adwent|przyszl|najbli)"
    r"|\bod(?: dnia)? (?:uroczyst|swiet|wielk)"
    r"|odtad|wakacj|\blatem\b|\bzima\b|zimow|letni|do odwolania|na stale|\bnowy (?:porzad|rozklad)|adwencie|wielkim poscie"
    r"|bialy tydz"
    r"|\bw (?:styczniu|lutym|marcu|kwietniu|maju|czerwcu|lipcu|sierpniu|wrzesniu|pazdzierniku|listopadzie|grudniu)\b"
    r"|codzien|kazd|co tydzien|w tym czasie|czas\w* (?:zimow|letn)"
)
_LASTS: Final = re.compile(
    r"zmieni\w* sie (?:godzin|porzad)|zmian\w* (?:godzin|porzad|czasu)|now\w+ (?:porzad|rozklad|por)|rezygnuj|odtad|na stale"
    r"|\bod (?:styczn|lut|marca|kwietn|maja|czerw|lipca|sierp|wrzesn|pazdz|listop|grud)"
)
_REFERRED: Final = re.compile(r"\b(?:na|podczas|w czasie|w trakcie) (?:\w+ )?msz(?:y|ach)\b|\bsa (?:dla|z|w)\b")
_DUTY: Final = re.compile(r"obecnosc|obowiaz")
_OF_PART: Final = re.compile(r"\b(?:porann|wieczor(?:n|ow))\w+")
_ELSEWHERE: Final = re.compile(
    r"jasn\w+ gor|sasiedn|pielgrzym\w+ (?:do|na)\b|katedr|sanktuar|bazyli|\bw parafii (?:w|sw|pw|[a-z]+sk\w+)\b|u nas"
    r"|telewiz|radi[ou]"
)
_NONE_AT_ALL: Final = re.compile(r"zadn")
_PLURAL: Final = re.compile(r"\bmsze\b|porzad|\bmszy (?:sw\.|swietych)[^.]*:|\bmsze?\.?:")
_BREAK: Final = re.compile(
    r"[;]|,(?! ?(?:o |godz|\d|i\b|oraz\b|ani\b|a takze\b|sw|tj\.|czyli\b|to jest\b|$))| [–-] (?!(?:o |godz\.? ?)?(?:\d|$))"
)
_COMMAS: Final = re.compile(r"\s*,[\s,]*")  # what is left of a date between commas
_HEADS_LIST: Final = re.compile(r"(?:porzad|\bmsze\b|\bmszy\b)(?:[^:;.]|\bsw\.)*:")
_BOUND: Final = re.compile(r"[;:.,(]| oraz | i | a | nie | z powodu | ze wzgledu | w zwiazku ")
_ALONG: Final = re.compile(r"\bze? (?:\w+ )?\w+")  # "z nauką": comes along with the Mass


@dataclass(frozen=True, slots=True)
class _Scene:
    """A sentence with what stands in it.

    Attributes:
        folded: its text with dates blanked and hours in digits, of the same length.
        words: its folded text.
        days: periods it names.
        hours: in order.
        changes: all that were read from it.
        before: folded words of the sentences right before.
        behind: of the sentence right behind.
        has_cancelled: whether another sentence tells Masses of the same day that fall out.
    """

    folded: str
    words: str
    days: tuple[Period, ...]
    hours: tuple[ClockToken, ...]
    changes: tuple[ScheduleChange, ...]
    before: str
    behind: str
    has_cancelled: bool


def with_doubts(
    changes: Sequence[ScheduleChange], every: Sequence[str], issued: date, quoted: int, judged: Collection[ScheduleChange]
) -> list[ScheduleChange]:
    """The changes with their doubts; a dated one without any has all evidence that a reader would ask for.

    Lasting changes stay without: they wait for a person anyway.

    Args:
        changes: all changes of one announcement, in order.
        every: the sentences of the announcement.
        issued: its day.
        quoted: most characters of a quote.
        judged: changes that bring their doubts with them.
    """
    if len(changes) > _MOST_CHANGES:
        return [change if change.valid_to is None else replace(change, doubts=("words",)) for change in changes]
    found = []
    where = {sentence[:quoted]: at for at, sentence in reversed(list(enumerate(every)))}
    periods = [find_periods(sentence, issued) for sentence in every] if changes else []
    for change in changes:
        if change.valid_to is None or change in judged:
            found.append(change)
            continue
        at = where.get(change.quote)
        if at is None or len(every[at]) > quoted:
            found.append(replace(change, doubts=("words",)))
            continue
        mine = tuple(one for one in changes if one.quote == change.quote)
        fallen = any(
            one.kind == "cancelled" and one.valid_from == change.valid_from and one.quote != change.quote for one in changes
        )
        around = " ".join(every[max(0, at - _NEAR) : at]), " ".join(every[at + 1 : at + 2])
        doubts = _doubts(change, _scene(every[at], around, fallen, periods[at], mine), periods[:at], changes, issued)
        found.append(replace(change, doubts=tuple(dict.fromkeys(doubts))))
    return found


def _scene(
    sentence: str, around: tuple[str, str], fallen: bool, days: Sequence[Period], changes: tuple[ScheduleChange, ...]
) -> _Scene:
    words = folded_sentence(sentence)
    folded = words
    for day in days:
        if not day.is_mass:
            folded = folded[: day.start] + " " * (day.end - day.start) + folded[day.end :]
    folded = in_digits(folded)
    return _Scene(folded, words, tuple(days), tuple(clock_hours(folded)), changes, fold(around[0]), fold(around[1]), fallen)


def _doubts(
    change: ScheduleChange, scene: _Scene, earlier: Sequence[Sequence[Period]], changes: Sequence[ScheduleChange], issued: date
) -> Iterator[Doubt]:
    yield from _of_days(change, scene, earlier, issued)
    yield from _of_end(change, scene)
    yield from _of_hours(change, scene)
    yield from _of_kind(change, scene)
    yield from _of_others(change, scene, changes)


def _of_days(change: ScheduleChange, scene: _Scene, earlier: Sequence[Sequence[Period]], issued: date) -> Iterator[Doubt]:
    last = change.valid_to or change.valid_from
    own = [day for day in scene.days if day.first <= change.valid_from <= day.last + _DAY]
    if scene.days and not own:
        yield "day"
    named = [scene.words[day.start : day.end] for day in own]
    by_weekday = [name for name in named if _WEEKDAY.search(name) and not re.search(r"\d", name)]
    before = [*(day for days in earlier for day in days), *(day for day in scene.days if own and day.start < own[0].start)]
    if by_weekday and len(by_weekday) == len(named) and any(day.first > change.valid_from for day in before):
        yield "day"  # days are named in their order: one that goes back may belong to another week
    meant = next((days for days in reversed(earlier) if days), ())
    if not scene.days and (_are_apart(meant) or (_THOSE_DAYS.search(scene.words) and _is_one_day(meant))):
        yield "day"
    if _MIDNIGHT in change.times and (change.valid_from.month, change.valid_from.day) not in _MIDNIGHTS:
        yield "day"
    if change.valid_from - issued > _FAR and not any(re.search(r"\d", name) for name in named):
        yield "day"
    if change.valid_to == change.valid_from and any(_END_ALONE.search(scene.words[: day.start]) for day in own):
        yield "day"
    if last > change.valid_from and _BUT.search(scene.behind):
        yield "days_left"
    told = [(one.valid_from, one.valid_to or one.valid_from) for one in scene.changes]
    if any(not any(first <= day.last + _DAY and day.first <= until for first, until in told) for day in scene.days):
        yield "days_left"
    if change.kind == "added" and last > change.valid_from:
        yield "no_end"


def _is_one_day(days: Sequence[Period]) -> bool:
    return len(days) == 1 and days[0].first == days[0].last


def _are_apart(days: Sequence[Period]) -> bool:
    """Whether other days lie between the days: "wyjeżdża w poniedziałek, wraca w czwartek. W tych dniach ..."."""
    ordered = sorted(days, key=lambda day: day.first)
    return any(other.first - one.last > _DAY for one, other in pairwise(ordered))


def _of_end(change: ScheduleChange, scene: _Scene) -> Iterator[Doubt]:
    if _LASTS.search(scene.before):
        yield "no_end"
    words = phrases.AS_SUNDAY.sub("", scene.folded)
    if change.valid_to is not None and _NO_END.search(words):
        ranged = change.valid_to > change.valid_from and not re.search(
            r"odtad|do odwolania|na stale|nowy (?:porzad|rozklad)|zimow|letni", words
        )
        if not (ranged and scene.days and (change.kind in ("cancelled", "moved") or phrases.ONLY.search(words))):
            yield "no_end"


def _of_hours(change: ScheduleChange, scene: _Scene) -> Iterator[Doubt]:
    read = {time for one in scene.changes for time in (*one.times, *one.new_times)}
    if any(hour.time not in read and not _is_of_other(hour, scene.folded) for hour in scene.hours):
        yield "hours_left"
    mine = [hour for hour in scene.hours if hour.time in (*change.times, *change.new_times)]
    if not mine:
        return
    heads = mine[:1] + [other for one, other in pairwise(mine) if _BREAK.search(scene.folded[one.end : other.start])]
    if any(_is_of_other(hour, scene.folded) and not phrases.MASS.search(_piece(hour, scene.folded)) for hour in heads):
        yield "service"
    masses = [match.span() for match in phrases.MASS.finditer(scene.words)]
    listed = change.kind == "order" and _HEADS_LIST.search(scene.words[: mine[0].start])
    if masses and not listed and all(_BREAK.search(_between(mine[0], span, scene.folded)) for span in masses):
        yield "service"


def _between(hour: ClockToken, span: tuple[int, int], folded: str) -> str:
    """The words between an hour and something else."""
    between = folded[span[1] : hour.start] if span[0] < hour.start else folded[hour.end : span[0]]
    return _COMMAS.sub(", ", between)


def _piece(hour: ClockToken, folded: str) -> str:
    """The words around an hour up to the next comma, "i" or hour."""
    before = _BOUND.split(folded[: hour.start])[-1]
    behind = re.split(r"\d", _BOUND.split(folded[hour.end :])[0])[0]
    return _ALONG.sub("", f"{before} {behind}")


def _is_of_other(hour: ClockToken, folded: str) -> bool:
    return (
        phrases.OTHER.search(_piece(hour, folded)) is not None
        or re.search(r"\b(?:od|do) (?:godz\.? ?)?$", folded[: hour.start]) is not None
    )


def _of_kind(change: ScheduleChange, scene: _Scene) -> Iterator[Doubt]:
    words = scene.folded
    kinds = {one.kind for one in scene.changes}
    if _NEGATED.search(words) and not kinds & {"cancelled", "moved"}:
        yield "negation"
    replaced = change.kind == "cancelled" and "moved" not in kinds
    if change.kind != "moved" and (_MOVES if replaced or scene.has_cancelled else _SHIFT).search(words):
        yield "shift"
    said_before = change.kind == "added" and not scene.days and _ELSEWHERE.search(scene.before)
    if said_before or (change.kind not in ("cancelled", "moved") and _ELSEWHERE.search(words)):
        yield "elsewhere"
    if _DUTY.search(words) or (change.kind in ("added", "order") and _REFERRED.search(words)):
        yield "reference"
    if _is_odd(change, scene):
        yield "kind"
    if change.kind == "cancelled":
        yield from _of_cancelling(change, scene)


def _is_only(change: ScheduleChange, scene: _Scene) -> bool:
    """Whether "tylko" stands with an hour of the change, or with the Mass where no hour is named."""
    pieces = re.split(r"[,;] ", scene.folded)
    hours = [one.raw for one in scene.hours if one.time in change.times]
    return any(phrases.ONLY.search(piece) and (not hours or any(hour in piece for hour in hours)) for piece in pieces)


def _is_odd(change: ScheduleChange, scene: _Scene) -> bool:
    """Whether number and names of hours fit the kind badly: two added hours may be a list, a list of two may be additions."""
    words = scene.folded
    if change.kind == "moved":
        old = bool(change.times) or (change.part != "" and _OF_PART.search(words) is not None)
        return len(change.new_times) != 1 or len(change.times) > 1 or not old
    if change.kind == "added":
        return len(change.times) > 1
    if change.kind == "order":
        told = _is_only(change, scene) or _PLURAL.search(words) or len(change.times) > _FEW
        return not told or phrases.FOR_SOME.search(words) is not None
    return change.kind in ("as_sunday", "as_weekday") and phrases.REST.search(words) is not None


def _of_cancelling(change: ScheduleChange, scene: _Scene) -> Iterator[Doubt]:
    if not change.times and not change.part and not _NONE_AT_ALL.search(scene.words):
        yield "whole_day"
    mine = [hour for hour in scene.hours if hour.time in change.times]
    cues = [match.span() for match in _NEGATED.finditer(scene.folded)]
    if mine and cues and all(_BREAK.search(_between(mine[0], span, scene.folded)) for span in cues):
        yield "negation"
    if any(_BREAK.search(scene.folded[one.end : other.start]) for one, other in pairwise(mine)):
        yield "negation"
    if any(
        phrases.MASS.search(_piece(hour, scene.folded)) and "," in scene.folded[mine[0].end : hour.start] for hour in mine[1:]
    ):
        yield "negation"


def _of_others(change: ScheduleChange, scene: _Scene, changes: Sequence[ScheduleChange]) -> Iterator[Doubt]:
    """Doubts for other changes of the same days."""
    whole = ("order", "as_sunday", "as_weekday")
    for one in changes:
        if one is change or not _overlap(one, change):
            continue
        if change.kind in whole and one.kind in whole and not _is_sunday_within(one, change):
            yield "contradiction"
        beside = one.kind == "added" and one.quote != change.quote
        if change.kind == "order" and beside and len(change.times) == 1 and phrases.ONLY.search(scene.words):
            yield "contradiction"
        if one.kind != change.kind and set(one.times) & set(change.times):
            yield "contradiction"


def _is_sunday_within(one: ScheduleChange, other: ScheduleChange) -> bool:
    """Whether one of two is a Sunday within a period of weekdays, which the order of the weekdays leaves alone."""
    for inner, outer in ((one, other), (other, one)):
        single = inner.valid_from == inner.valid_to and inner.valid_from.weekday() == _SUNDAY
        if single and outer.valid_from != outer.valid_to and re.search(r"powszedni|w tygodniu", fold(outer.quote)):
            return True
    return False


def _overlap(one: ScheduleChange, other: ScheduleChange) -> bool:
    last = [change.valid_to or date.max for change in (one, other)]
    return one.valid_from <= last[1] and other.valid_from <= last[0]
