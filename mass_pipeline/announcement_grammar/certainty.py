"""How sure a reading is: a second look at each change, by its words alone, that names what speaks against publishing it.

Belongs here: doubts, judged by the sentence of a change, its neighbours and the other changes of the announcement.
Not here: what a change is (reading), and what becomes of a doubtful one (schedules).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from datetime import date
from itertools import pairwise
from typing import Final

from mass_pipeline.announcement_grammar import phrases
from mass_pipeline.announcement_grammar.change import Doubt, ScheduleChange
from mass_pipeline.announcement_grammar.context import days_spoken_of
from mass_pipeline.announcement_grammar.doubts_of_days import of_days, of_end
from mass_pipeline.announcement_grammar.doubts_of_hours import BREAK, between, hours_of, of_hours, words_around
from mass_pipeline.announcement_grammar.doubts_of_lists import may_go_on, with_lists_left_open
from mass_pipeline.announcement_grammar.doubts_of_places import is_elsewhere
from mass_pipeline.announcement_grammar.hours import clock_hours, folded_sentence, without_asides
from mass_pipeline.announcement_grammar.scene import Scene, Told
from mass_pipeline.announcement_grammar.series import waiting_together
from mass_pipeline.language.dates import find_periods
from mass_pipeline.language.expressions import expression
from mass_pipeline.language.period import Period
from mass_pipeline.language.spoken_hours import in_digits
from mass_pipeline.model.identifiers import fold

_FEW: Final = 2  # hours
_MOST_CHANGES: Final = 150  # of one text; more are an archive, in which sentences of different weeks stand side by side
_NEAR: Final = 2  # sentences before that may still say of what a sentence speaks

_NEGATED: Final = expression(r"\bnie\b|\bbez\b(?! zmian)|<negated>|\bo?procz\b(?! tego)")
# "a wcześniej o 9.30 na cmentarzu" tells what comes first that day; "wcześniej, o 17.30" another hour of the same Mass.
_EARLIER: Final = r"(?<!\ba )\b(?:wczesniej|pozniej)\b|\b(?:wczesniej|pozniej)\b(?! o (?:<clock>|\d))"
_MOVED_WORDS: Final = rf"<instead>|<shifted>|{_EARLIER}|(?<!bez )\bzmian"
_MOVES: Final = expression(_MOVED_WORDS)
_SHIFT: Final = expression(rf"{_MOVED_WORDS}|<for_once>")
_REFERRED: Final = expression(r"(?:\bna|<during>) (?!<additional>)(?:\w+ )?<at_mass>|\bsa (?:dla|z|w)\b(?! <weekdays>)")
# "Sumy o 12.00 w kościele nie będzie, spotykamy się o tej godzinie na Mszy polowej": only the place is another.
_SAME_HOUR: Final = expression(r"\bo tej (?:samej )?(?:<clock>|porze\b)(?=[^.;]*<the_mass>)")
_OF_PART: Final = expression(r"<of_part>")
_GROUP: Final = re.compile(
    r"\bdla (?:szkol|liceum|przedszkol|klas|dzieci|mlodziez|uczni|gimnaz|technik|senior|chorych|pozostal|dorosl)|\bklas[ay] "
)
_UNSURE: Final = re.compile(
    r"prawdopodobn|\bbyc moze\b|orientacyjn|\bmozliwe\b|niewyklucz|(?:jesli|jezeli|o ile|gdy) (?:\w+ ){0,3}pogod"
    r"|w razie (?:\w+ )?pogod|zalezn|(?:jesli|jezeli|o ile) (?:nie )?(?:bedzie |zacznie )?(?:pad|deszcz)"
)
_NONE_AT_ALL: Final = re.compile(r"zadn")
_REMARK: Final = re.compile(r"(?<=\d )\((?:[^()\d]|\d(?!\d?[.:]\d\d))*\)")  # "8.00 (dla tych, co nie mogli wieczorem)"
_CHANGES: Final = expression(
    r"<falls_out>|\bnie o\b|<except>|<in_place_of>|<negated>|<shifted>|<for_once>|<only>|<mass>|<service_of_its_own>"
    r"|\bw (?:kaplicy|kosciele|parafii)"
)
_PIECE: Final = expression(r"[,;] (?!o (?:<clock>|\d)|<clock>)")
_OF_MASSES: Final = expression(r"<of_masses> (?:<holy> )?(?:z )?<at>$")


def with_doubts(
    changes: Sequence[ScheduleChange], every: Sequence[str], issued: date, quoted: int, told: Told
) -> list[ScheduleChange]:
    """The changes with their doubts; a dated one without any has all evidence that a reader would ask for.

    Lasting changes stay without: they wait for a person anyway.

    Args:
        changes: all changes of one announcement, in order.
        every: the sentences of the announcement.
        issued: its day.
        quoted: most characters of a quote.
        told: what the reading knows of the sentences.
    """
    if len(changes) > _MOST_CHANGES:
        return [change if change.valid_to is None else replace(change, doubts=("words",)) for change in changes]
    found = []
    where = {sentence[:quoted]: at for at, sentence in reversed(list(enumerate(every)))}
    periods = [_days_of(sentence, told.since.get(sentence, issued)) for sentence in every] if changes else []
    for change in changes:
        if change.valid_to is None or change in told.judged:
            found.append(change)
            continue
        at = where.get(change.quote)
        if at is None or len(every[at]) > quoted:
            found.append(replace(change, doubts=("words",)))
            continue
        mine = tuple(one for one in changes if one.quote == change.quote)
        fallen = any(one.kind == "cancelled" and one.valid_from == change.valid_from and one is not change for one in changes)
        around = " ".join(every[max(0, at - _NEAR) : at]), " ".join(every[at + 1 : at + 2])
        days_after = tuple(day for days in periods[at + 1 : at + 2] for day in days)
        scene = _scene(every[at], around, days_after, fallen, periods[at], mine, every[at] in told.listed, told.feasts)
        doubts = [*_doubts(change, scene, periods[:at], changes, issued)]
        follows = [] if every[at] in told.ends or any(periods[at + 1 : at + 2]) else every[at + 1 : at + 2]
        if change.kind == "order" and may_go_on(follows, changes, quoted):
            doubts.append("hours_left")
        found.append(replace(change, doubts=tuple(dict.fromkeys(doubts))))
    return with_lists_left_open(waiting_together(found))


def _days_of(sentence: str, since: date) -> list[Period]:
    """The days of a sentence; "w tym czasie od poniedziałku do piątku" names those of every week meanwhile, none of its own."""
    folded = folded_sentence(sentence)
    days = days_spoken_of(find_periods(sentence, since), folded)
    if not phrases.MEANWHILE.match(folded):
        return days
    return [day for day in days if day.first == day.last or re.search(r"\d", folded[day.start : day.end])]


def _scene(
    sentence: str,
    around: tuple[str, str],
    days_after: tuple[Period, ...],
    fallen: bool,
    days: Sequence[Period],
    changes: tuple[ScheduleChange, ...],
    is_listed: bool,
    feasts: Collection[date],
) -> Scene:
    words = folded_sentence(sentence)
    folded = words
    for day in days:
        if not day.is_mass and not phrases.MASS.search(words[day.start : day.end]):
            folded = folded[: day.start] + " " * (day.end - day.start) + folded[day.end :]
    if not phrases.AS_SUNDAY.search(folded):  # "oprócz zwykłych Mszy o 7.00 i 18.00": mentioned only as what there is
        folded = phrases.BESIDES.sub(lambda match: " " * len(match[0]), folded)
    folded = _REMARK.sub(_unless_it_changes, without_asides(in_digits(folded)))
    hours = tuple(clock_hours(folded))
    before, after = around
    return Scene(
        sentence,
        folded,
        words,
        tuple(days),
        hours,
        changes,
        before,
        fold(before),
        fold(after),
        days_after,
        fallen,
        is_listed,
        feasts,
    )


def _unless_it_changes(remark: re.Match[str]) -> str:
    """Blanks in the place of what a bracket says of one Mass of a list, but for words that change something."""
    return remark[0] if _CHANGES.search(remark[0]) else " " * len(remark[0])


def _doubts(
    change: ScheduleChange, scene: Scene, earlier: Sequence[Sequence[Period]], changes: Sequence[ScheduleChange], issued: date
) -> Iterator[Doubt]:
    yield from of_days(change, scene, earlier, issued)
    yield from of_end(change, scene)
    yield from of_hours(change, scene)
    yield from _of_kind(change, scene)
    yield from _of_others(change, scene, changes)


def _of_kind(change: ScheduleChange, scene: Scene) -> Iterator[Doubt]:
    words = scene.folded
    kinds = {one.kind for one in scene.changes}
    if _NEGATED.search(_without_what_is_told(words)) and not kinds & {"cancelled", "moved"}:
        yield "negation"
    replaced = change.kind == "cancelled" and "moved" not in kinds
    weekly = phrases.DAYS_OF_WEEK.search(change.words) is not None
    whole = change.kind == "order" and (
        weekly or len(change.times) > _FEW
    )  # "zmienia się porządek w tym dniu: 7.30, 9.00, 11.00"
    of_masses = _without_others(words)
    if change.kind != "moved" and not whole and (_MOVES if replaced or scene.has_cancelled else _SHIFT).search(of_masses):
        yield "shift"
    if is_elsewhere(change, scene):
        yield "elsewhere"
    if change.kind in ("added", "order") and _is_referred(change, scene):
        yield "reference"
    if change.kind == "added" and len(change.times) == 1 and phrases.INVITES.search(words):
        yield "reference"
    if _UNSURE.search(words):
        yield "words"
    if _is_odd(change, scene):
        yield "kind"
    if change.kind == "cancelled":
        yield from _of_cancelling(change, scene)


def _is_referred(change: ScheduleChange, scene: Scene) -> bool:
    """Whether Masses are named as if they were there anyway; "na Mszy o 18.00" speaks of no other hour than that."""
    for said in _REFERRED.finditer(scene.folded):
        piece = re.split(r"[;,.] ", scene.folded[said.end() :].replace("sw. ", "sw  "))[0]
        hours = [hour.time for hour in scene.hours if said.end() <= hour.start < said.end() + len(piece)]
        if not hours or set(hours) & set(change.times):
            return True
    return False


def _without_what_is_told(words: str) -> str:
    """The words without negations of what is no usual Mass of the day: other Masses than those listed, roraty, people."""
    for told in (phrases.BUT_SUNDAYS, phrases.NO_RORATY, phrases.NO_OTHERS, phrases.FOR_THOSE):
        words = told.sub("", words)
    return words


def _without_others(words: str) -> str:
    """The words without what is said of another service after a semicolon: "; spowiedź dzieci dzień wcześniej o 16.00"."""
    first, *others = words.split(";")
    kept = [one for one in others if phrases.MASS.search(one) or not phrases.OTHER.search(one)]
    return ";".join((first, *kept))


def _is_only(change: ScheduleChange, scene: Scene) -> bool:
    """Whether "tylko" stands with an hour of the change, or with the Mass where no hour is named."""
    pieces = _PIECE.split(scene.folded)
    hours = [one.raw for one in scene.hours if one.time in change.times]
    return any(phrases.ONLY.search(piece) and (not hours or any(hour in piece for hour in hours)) for piece in pieces)


def _is_odd(change: ScheduleChange, scene: Scene) -> bool:
    """Whether number and names of hours fit the kind badly: two added hours may be a list, a list of two may be additions."""
    words = scene.folded
    if change.kind == "moved":
        old = bool(change.times) or (change.part != "" and _OF_PART.search(words) is not None)
        return len(change.new_times) != 1 or len(change.times) > 1 or not old
    if change.kind == "added":
        each = len(_GROUP.findall(words)) >= len(change.times)  # "dla szkoły o 8.00, dla liceum o 9.00"
        return len(change.times) > 1 and not scene.is_listed and not each and phrases.BESIDE_USUAL.search(words) is None
    if change.kind == "order":
        of_feast = len(change.times) > 1 and change.valid_from in scene.feasts
        told = (
            of_feast
            or _is_only(change, scene)
            or "raz dziennie" in words
            or phrases.ORDER.search(words) is not None
            or len(change.times) > _FEW
        )
        told = (
            told
            or phrases.NO_OTHERS.search(words) is not None
            or (len(change.times) == 1 and phrases.ONLY_ONE.search(words) is not None)
            or any(one.search(scene.after) for one in (phrases.ONLY_MASS, phrases.NO_OTHERS))
        )
        weekly = len(change.times) > 1 and phrases.DAYS_OF_WEEK.search(words) is not None
        return not (told or weekly or scene.is_listed) or phrases.FOR_SOME.search(words) is not None
    return change.kind in ("as_sunday", "as_weekday") and phrases.REST.search(words) is not None


def _of_cancelling(change: ScheduleChange, scene: Scene) -> Iterator[Doubt]:
    if not change.times and not change.part and not _NONE_AT_ALL.search(scene.words):
        yield "whole_day"
    if _SAME_HOUR.search(f"{scene.words} {scene.after}"):
        yield "shift"
    mine = hours_of(change, scene)
    cues = [match.span() for match in _NEGATED.finditer(scene.folded)]
    if mine and cues and all(BREAK.search(between(mine[0], span, scene.folded)) for span in cues):
        yield "negation"
    # "Msze o 9.00, 11.00 i 18.00 (8.00 wypada)"; not "Mszy o 9.00, 11.00 i 12.30 nie będzie"
    genitive = bool(mine) and _OF_MASSES.search(scene.folded[: mine[0].start]) is not None
    several = len(mine) > _FEW and bool(cues) and cues[0][0] > mine[0].start and not genitive
    if several or any(BREAK.search(scene.folded[one.end : other.start]) for one, other in pairwise(mine)):
        yield "negation"
    if any(
        phrases.MASS.search(words_around(hour, scene.folded)) and "," in scene.folded[mine[0].end : hour.start]
        for hour in mine[1:]
    ):
        yield "negation"


def _of_others(change: ScheduleChange, scene: Scene, changes: Sequence[ScheduleChange]) -> Iterator[Doubt]:
    """Doubts for other changes of the same days."""
    whole = ("order", "as_sunday", "as_weekday")
    for one in changes:
        if one is change or not _overlap(one, change):
            continue
        together = one.quote == change.quote and one.kind == change.kind == "order"  # "9.30, 11.00; Lipnik 10.00"
        if change.kind in whole and one.kind in whole and not together and not _are_of_other_weekdays(one, change):
            yield "contradiction"
        midnight = (
            phrases.MIDNIGHT_MASS.search(fold(one.quote)) is not None
        )  # nobody counts it: "Wigilia: tylko o 7.00. Pasterka ..."
        beside = one.kind == "added" and one.quote != change.quote and not midnight
        if change.kind == "order" and beside and len(change.times) == 1 and phrases.ONLY.search(scene.words):
            yield "contradiction"
        if {one.kind, change.kind} == {"added", "order"} and (
            set(one.times) <= set(change.times) or set(change.times) <= set(one.times)
        ):  # a Mass of the list stated once more
            continue
        lasts = one.valid_to is None and one.kind == "new_order"  # the hour of a new order within the list of a day
        if one.kind != change.kind and not lasts and set(one.times) & set(change.times):
            yield "contradiction"


def _are_of_other_weekdays(one: ScheduleChange, other: ScheduleChange) -> bool:
    """Whether two orders of a period are of different weekdays: "w niedziele o 8.00 i 11.00, w dni powszednie o 18.00"."""
    classes = [set(phrases.DAYS_OF_WEEK.findall(change.words)) for change in (one, other)]
    return all(classes) and not classes[0] & classes[1]


def _overlap(one: ScheduleChange, other: ScheduleChange) -> bool:
    last = [change.valid_to or date.max for change in (one, other)]
    return one.valid_from <= last[1] and other.valid_from <= last[0]
