"""How sure a reading is: a second look at each change, by its words alone, that names what speaks against publishing it.

Belongs here: doubts, judged by the sentence of a change, its neighbours and the other changes of the announcement.
Not here: what a change is (reading), whether it is one of another parish (doubts_of_places),
what becomes of a doubtful one (schedules).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date, timedelta
from itertools import pairwise
from typing import Final

from mass_pipeline.announcement_grammar import phrases
from mass_pipeline.announcement_grammar.change import Doubt, ScheduleChange
from mass_pipeline.announcement_grammar.context import days_spoken_of
from mass_pipeline.announcement_grammar.doubts_of_places import is_elsewhere
from mass_pipeline.announcement_grammar.hours import (
    BEGIN_OR_END,
    LIST,
    clock_hours,
    folded_sentence,
    without_asides,
    without_days,
)
from mass_pipeline.announcement_grammar.programmes import waiting_together
from mass_pipeline.announcement_grammar.scene import Read, Scene
from mass_pipeline.language.clock import ClockToken
from mass_pipeline.language.dates import find_periods
from mass_pipeline.language.day_words import WEEKDAY, WEEKDAY_STEMS
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
_CHANGES: Final = expression(
    r"<falls_out>|\bnie o\b|<except>|<in_place_of>|<negated>|<shifted>|<for_once>|<only>|<mass>|<service_of_its_own>"
    r"|\bw (?:kaplicy|kosciele|parafii)"
)
_PIECE: Final = expression(r"[,;] (?!o (?:<clock>|\d)|<clock>)")
_OF_MASSES: Final = expression(r"<of_masses> (?:<holy> )?(?:z )?<at>$")
_BEGINS_WITH_HOUR: Final = expression(r"(?:[a-z]+\.?[,:]? ){0,3}(?:[–-] )?<at><hour>")
_STANDS_FOR_MASS: Final = expression(r"<which_mass>")
_BREAK: Final = expression(
    r";(?! ?<at>\d)|,(?! ?(?:o |<clock>|\d|(?:i|oraz|ani)\b|a takze\b|sw|<that_is>|$|(?:a wiec |a |oraz |ale |lecz )?"
    r"(?:(?:dodatkowo|wszedzie|i|takze|rowniez|tez|<in_part>) )*(?:o |<clock>|dla |ze? [a-z]|<in_place_of> "
    r"|<weekdays_but_sunday> "
    r"|(?:<daily> )?od [a-z]+ do [a-z]+\b|<daily>|w kosciele|w kaplicy|we? (?!<weekday>)[a-z]+ (?:o |<clock>)"
    r"|(?:a |natomiast )?we? (?:<weekdays_but_sunday>|<weekend>|dni)|na cmentarzu|na $|kosciol|kaplic)))| [–-] (?!<at>(?:\d|$))"
)
_MAYBE_WITHOUT_MASS: Final = re.compile(r"\bslub|\bpogrzeb")
_PIECE_END: Final = re.compile(r"[,;()]")
_AS_USUAL: Final = expression(r" <unchanged>")
_COMMAS: Final = re.compile(r"\s*,[\s,]*")  # what is left of a date between commas
_HEADS_LIST: Final = expression(r"(?:<order>|<masses>|<of_masses>)(?:[^:;.]|\bsw\.)*:")
_BOUND: Final = expression(r"[;:.,(]| (?:oraz|i|a|nie|<owing_to>) ")
_ABBREVIATED: Final = expression(r"<abbreviation_at_hour>\.")
_ALONG: Final = re.compile(
    r"\bze? (?:(?!wyrusz|wychodz|przejd)\w+ )?(?!wyrusz|wychodz|przejd)\w+"
)  # "z nauką": comes along with the Mass
_DAY: Final = timedelta(1)
_WEEK: Final = timedelta(7)
_FAR: Final = timedelta(60)  # a feast further away is more likely a misread name
_SUNDAY: Final = 6
_MIDNIGHT: Final = "00:00"
_MIDNIGHTS: Final = ((12, 25), (1, 1))  # month and day on which a Mass begins at midnight
_WEEKDAY: Final = re.compile(WEEKDAY)
_THOSE_DAYS: Final = re.compile(phrases.THOSE_DAYS)
_THOSE_NUMBERS: Final = ("dwie", "trzy", "cztery")
_THIS_SUNDAY: Final = expression(r"\btej <sunday>")
_MONTH: Final = expression(r"<month>")
_BESIDE: Final = expression(r"<advent_mass>|\bdodatkow")
# "W sobotę wspomnienie św. Marka." beside a day with its Mass: no hour, no Mass, nothing left.
_FEAST_ALONE: Final = expression(
    r",? (?:jest |przypada |obchodzi\w+ )?(?:<feast_called>|<holy>|bl\.) [^,;.\d]*(?:[.,;]|$)(?![^.;]*(?:<the_mass>|\d))"
)
_BUT: Final = expression(r"^wyjat|<exception>|<besides> <weekday>")
_NO_END: Final = expression(
    r"\bod(?: dnia)? (?:<weekday>|<beginning_of_time>)|(?<!konca )(?<!koniec )<holidays>|<lasting>|\bw <in_month>"
    r"|(?<!jak )<daily>|(?<!\bna )<every>(?! (?:z nich|<the_mass>))"
)
_FOR_GOOD: Final = expression("<for_good>")
_WINTER_HOLIDAYS: Final = expression("<winter_holidays>")  # days, and no order of the winter
_FROM_WEEKDAY: Final = expression(r"\bod(?: dnia)? <of_weekday>,? $")
_MONTH_NAMED: Final = expression(r"\bw <in_month>")
_LASTS: Final = expression(
    r"<changing> <timetable>|\bzmian\w* czasu|<new> (?:<timetable>|por)|<renouncing>|\b(?:odtad|na stale)\b|\bod <of_month>"
)


def with_doubts(changes: Sequence[ScheduleChange], read: Read, quoted: int) -> list[ScheduleChange]:
    """The changes with their doubts; a dated one without any has all evidence that a reader would ask for.

    Lasting changes stay without: they wait for a person anyway.

    Args:
        changes: all changes of one announcement, in order.
        read: what was read of it.
        quoted: most characters of a quote.
    """
    if len(changes) > _MOST_CHANGES:
        return [change if change.valid_to is None else replace(change, doubts=("words",)) for change in changes]
    found, every = [], read.every
    where = {sentence[:quoted]: at for at, sentence in reversed(list(enumerate(every)))}
    periods = [_days_of(sentence, read.since.get(sentence, read.issued)) for sentence in every] if changes else []
    for change in changes:
        at = where.get(change.quote)
        if change.valid_to is None or change in read.judged:
            found.append(change)
        elif at is None or len(every[at]) > quoted:
            found.append(replace(change, doubts=("words",)))
        else:
            doubts = [*_doubts(change, _scene(at, change, changes, periods, read), periods[:at], changes, read.issued)]
            follows = [] if every[at] in read.ends or any(periods[at + 1 : at + 2]) else every[at + 1 : at + 2]
            if change.kind == "order" and _may_go_on(follows, changes, quoted):
                doubts.append("hours_left")
            found.append(replace(change, doubts=tuple(dict.fromkeys(doubts))))
    return _with_lists_left_open(waiting_together(found))


def _days_of(sentence: str, since: date) -> list[Period]:
    """The days of a sentence; "w tym czasie od poniedziałku do piątku" names those of every week meanwhile, none of its own."""
    folded = folded_sentence(sentence)
    days = days_spoken_of(find_periods(sentence, since), folded)
    if not phrases.MEANWHILE.match(folded):
        return days
    return [day for day in days if day.is_day or day.is_dated(folded)]


def _scene(
    at: int, change: ScheduleChange, changes: Sequence[ScheduleChange], days: Sequence[Sequence[Period]], read: Read
) -> Scene:
    words = folded_sentence(read.every[at])
    folded = without_days(words, days[at])
    if not phrases.AS_SUNDAY.search(folded):  # "oprócz zwykłych Mszy o 7.00 i 18.00": mentioned only as what there is
        folded = phrases.BESIDES.sub(lambda match: " " * len(match[0]), folded)
    # what a bracket says of one Mass of a list is blank, but for words that change something
    folded = phrases.REMARK.sub(
        lambda remark: remark[0] if _CHANGES.search(remark[0]) else " " * len(remark[0]), without_asides(in_digits(folded))
    )
    return Scene(
        written=read.every[at],
        folded=folded,
        words=words,
        days=days[at],
        hours=clock_hours(folded),
        changes=[one for one in changes if one.quote == change.quote],
        written_before=" ".join(read.every[max(0, at - _NEAR) : at]),
        after=fold(" ".join(read.every[at + 1 : at + 2])),
        days_after=[day for after in days[at + 1 : at + 2] for day in after],
        has_cancelled=any(
            one.kind == "cancelled" and one.valid_from == change.valid_from and one is not change for one in changes
        ),
        is_listed=read.every[at] in read.listed,
        feasts=read.feasts,
    )


def _doubts(
    change: ScheduleChange, scene: Scene, earlier: Sequence[Sequence[Period]], changes: Sequence[ScheduleChange], issued: date
) -> Iterator[Doubt]:
    yield from _of_days(change, scene, earlier, issued)
    yield from _of_end(change, scene)
    yield from _of_hours(change, scene)
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
    # what is said of another service after a semicolon does not count: "; spowiedź dzieci dzień wcześniej o 16.00"
    first, *others = words.split(";")
    of_masses = ";".join((first, *(one for one in others if phrases.MASS.search(one) or not phrases.OTHER.search(one))))
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
    mine = _hours_of(change, scene)
    cues = [match.span() for match in _NEGATED.finditer(scene.folded)]
    if mine and cues and all(_BREAK.search(_between(mine[0], span, scene.folded)) for span in cues):
        yield "negation"
    # "Msze o 9.00, 11.00 i 18.00 (8.00 wypada)"; not "Mszy o 9.00, 11.00 i 12.30 nie będzie"
    genitive = bool(mine) and _OF_MASSES.search(scene.folded[: mine[0].start]) is not None
    several = len(mine) > _FEW and bool(cues) and cues[0][0] > mine[0].start and not genitive
    if several or any(_BREAK.search(scene.folded[one.end : other.start]) for one, other in pairwise(mine)):
        yield "negation"
    if any(
        phrases.MASS.search(_words_around(hour, scene.folded)) and "," in scene.folded[mine[0].end : hour.start]
        for hour in mine[1:]
    ):
        yield "negation"


def _of_others(change: ScheduleChange, scene: Scene, changes: Sequence[ScheduleChange]) -> Iterator[Doubt]:
    """Doubts for other changes of the same days."""
    whole = ("order", "as_sunday", "as_weekday")
    for one in changes:
        if one is change or one.valid_from > (change.valid_to or date.max) or change.valid_from > (one.valid_to or date.max):
            continue
        # "w niedziele o 8.00 i 11.00, w dni powszednie o 18.00"
        weekdays = [set(phrases.DAYS_OF_WEEK.findall(words.words)) for words in (one, change)]
        apart = all(weekdays) and not weekdays[0] & weekdays[1]
        together = one.quote == change.quote and one.kind == change.kind == "order"  # "9.30, 11.00; Lipnik 10.00"
        if change.kind in whole and one.kind in whole and not together and not apart:
            yield "contradiction"
        # nobody counts the Mass at midnight: "Wigilia: tylko o 7.00. Pasterka ..."
        midnight = phrases.MIDNIGHT_MASS.search(fold(one.quote)) is not None
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


def _may_go_on(following: Sequence[str], changes: Sequence[ScheduleChange], quoted: int) -> bool:
    """Whether the sentence after a list, from which nothing was read, begins with an hour: it may be one of the list."""
    words = "".join(in_digits(folded_sentence(sentence)) for sentence in following)
    begins = _BEGINS_WITH_HOUR.match(words) is not None and not phrases.OTHER.search(words)
    hours = {hour.time for hour in clock_hours(words)}
    return begins and not any(
        one.quote == sentence[:quoted] or hours <= set(one.times) for one in changes for sentence in following
    )


def _with_lists_left_open(found: Sequence[ScheduleChange]) -> list[ScheduleChange]:
    """The changes, a list of a day doubtful beside a Mass of that day which waits: it may be of the list, and would be lost."""
    waiting = {
        (one.valid_from, time) for one in found if one.kind == "added" and one.doubts for time in one.times if _is_of_day(one)
    }
    return [
        replace(one, doubts=("hours_left",))
        if one.kind == "order"
        and _is_of_day(one)
        and not one.doubts
        and any(day == one.valid_from and time not in one.times for day, time in waiting)
        else one
        for one in found
    ]


def _is_of_day(change: ScheduleChange) -> bool:
    """Whether it is of one day: within a season the hours are those of other weekdays."""
    return change.valid_from == change.valid_to


def _of_hours(change: ScheduleChange, scene: Scene) -> Iterator[Doubt]:
    """Doubts about which hours are meant: `hours_left`, `service`."""
    read = {time for one in scene.changes for time in (*one.times, *one.new_times)}
    if any(hour.time not in read for hour in _unaccounted(scene)):
        yield "hours_left"
    mine = _hours_of(change, scene)
    if not mine:
        return
    heads = mine[:1] + [other for one, other in pairwise(mine) if _BREAK.search(scene.folded[one.end : other.start])]
    if any(_is_of_other(hour, scene.folded) and not phrases.MASS.search(_words_around(hour, scene.folded)) for hour in heads):
        yield "service"
    beside = [match.span() for match in phrases.BESIDES.finditer(scene.words)]  # "oprócz zwykłych Mszy jeszcze jedna o 9.00"
    named = (match.span() for match in phrases.MASS.finditer(scene.words))
    masses = [span for span in named if not any(start <= span[0] < end for start, end in beside)]
    listed = (
        scene.is_listed
        or (change.kind == "order" and phrases.DAYS_OF_WEEK.search(change.words))
        or phrases.AS_SUNDAY.search(scene.words)
        or (change.kind == "order" and _HEADS_LIST.search(scene.words[: mine[0].start]))
    )
    of_part = _STANDS_FOR_MASS.search(_words_around(mine[0], scene.folded)) is not None  # "natomiast wieczornej o 18.00 nie ma"
    only_one = len(scene.hours) == 1 and phrases.ONLY_ONE.search(scene.words) is not None
    # no other service is named to which the hour could belong: "Msze 10.00 i 12.00, nie ma o 8.00"
    alone = (change.kind == "cancelled" or only_one) and phrases.OTHER.search(scene.folded) is None
    if (
        masses
        and not (listed or of_part or alone)
        and all(_BREAK.search(_between(mine[0], span, scene.folded)) for span in masses)
    ):
        yield "service"


def _unaccounted(scene: Scene) -> Iterator[ClockToken]:
    """Hours that are not those of another service: "święconka 10.00, 11.00 i 12.00", "15.00 ślub"."""
    reasons = []
    because = phrases.BECAUSE.search(scene.folded)
    if because and not phrases.MASS.search(because[0]):  # "o 10.00, bo o 12.00 kończą się lekcje"
        reasons.append(because.span())
    before: ClockToken | None = None
    is_other = False
    for hour in scene.hours:
        follows = before is not None and LIST.fullmatch(scene.folded[before.end : hour.start]) is not None
        alone = _MAYBE_WITHOUT_MASS.search(_words_around(hour, scene.folded)) is not None
        away = _is_as_usual(hour, scene.folded) or any(start <= hour.start < end for start, end in reasons)
        is_other = (is_other and follows) or alone or away or _is_of_other(hour, scene.folded)
        before = hour
        if not is_other:
            yield hour


def _is_as_usual(hour: ClockToken, folded: str) -> bool:
    """Whether a Mass is mentioned as there anyway: "dodatkowa Msza o 10.00, wieczorna jak zwykle o 17.00"."""
    begins = max(folded.rfind(mark, 0, hour.start) for mark in (",", ";", "(")) + 1
    behind = _PIECE_END.split(folded[hour.end :])[0]
    return phrases.UNCHANGED.search(folded[begins : hour.start]) is not None or _AS_USUAL.match(behind) is not None


def _hours_of(change: ScheduleChange, scene: Scene) -> list[ClockToken]:
    """Where its hours stand, each once: an hour that is that of another service, too, where it is that of the Mass."""
    found: dict[str, ClockToken] = {}
    for hour in scene.hours:
        if hour.time in (*change.times, *change.new_times):
            known = found.get(hour.time)
            if known is None or (_is_of_other(known, scene.folded) and not _is_of_other(hour, scene.folded)):
                found[hour.time] = hour
    return sorted(found.values(), key=lambda hour: hour.start)


def _between(hour: ClockToken, span: tuple[int, int], folded: str) -> str:
    """The words between an hour and something else."""
    between = folded[span[1] : hour.start] if span[0] < hour.start else folded[hour.end : span[0]]
    return _COMMAS.sub(", ", between)


def _words_around(hour: ClockToken, folded: str) -> str:
    """The words around an hour up to the next comma, "i" or hour."""
    folded = _ABBREVIATED.sub(lambda match: match[0][:-1] + " ", folded).replace(", czyli ", "  czyli ")
    before = _BOUND.split(folded[: hour.start])[-1]
    behind = re.split(r"\d", _BOUND.split(folded[hour.end :])[0])[0]
    return _ALONG.sub("", f"{before} {behind}")


def _is_of_other(hour: ClockToken, folded: str) -> bool:
    return phrases.OTHER.search(_words_around(hour, folded)) is not None or BEGIN_OR_END.search(folded[: hour.start]) is not None


def _of_days(change: ScheduleChange, scene: Scene, earlier: Sequence[Sequence[Period]], issued: date) -> Iterator[Doubt]:
    """Doubts about which days are meant, by those of the sentences before, too: `day`, `days_left`, `no_end`."""
    last = change.valid_to or change.valid_from
    own = [day for day in scene.days if day.first <= change.valid_from <= day.last + _DAY]
    unlisted = not scene.days and not scene.is_listed
    # a Sunday with the order of weekdays: a feast that is kept on another day
    sunday = any(one.kind == "as_weekday" and _is_of_day(one) and one.valid_from.weekday() == _SUNDAY for one in scene.changes)
    if (scene.days and not own) or (unlisted and not any(earlier)) or sunday:
        yield "day"
    named = [scene.words[day.start : day.end] for day in own]
    by_weekday = [name for name in named if _WEEKDAY.search(name) and not re.search(r"\d", name)]
    before = [*(day for days in earlier for day in days), *(day for day in scene.days if own and day.start < own[0].start)]
    if (
        by_weekday
        and len(by_weekday) == len(named)
        and any(_is_other_week(day, change, scene, issued) for day in before if day.first > change.valid_from)
    ):
        yield "day"  # days are named in their order: one that goes back may belong to another week
    meant = next((days for days in reversed(earlier) if days), ())
    those = _are_those(scene.words, meant)
    back = those or any(one.search(scene.words) for one in (phrases.SAME_DAY, phrases.SAME_DAYS))
    several = len(meant) > 1 and not back
    one_day = _THOSE_DAYS.search(scene.words) and len(meant) == 1 and meant[0].is_day
    # "wyjeżdża w poniedziałek, wraca w czwartek. W tych dniach ..."
    apart = any(other.first - one.last > _DAY for one, other in pairwise(sorted(meant, key=lambda day: day.first)))
    if unlisted and (several or one_day or (apart and not those)):
        yield "day"
    # "w wakacje", which are the last days of June, too
    vague = any(day.is_month for day in own) and _MONTH.search(scene.words) is None
    if vague or _is_unlikely(change, issued, named, scene):
        yield "day"
    if last > change.valid_from and _BUT.search(scene.after) and not _are_left_out(scene):
        yield "days_left"
    told = [(one.valid_from, one.valid_to or one.valid_from) for one in scene.changes]
    left = [day for day in scene.days if not any(first <= day.last + _DAY and day.first <= until for first, until in told)]
    if any(not _FEAST_ALONE.match(scene.folded[day.end :]) for day in left):
        yield "days_left"
    if change.kind == "added" and last > change.valid_from and not _is_bounded(change, scene):
        yield "no_end"


def _are_those(words: str, meant: Sequence[Period]) -> bool:
    """Whether "w te dwie niedziele" points back to as many Sundays and nothing else."""
    said = phrases.THOSE.search(words)
    weekdays = {day.first.weekday() for day in meant if day.is_day}
    number = next((at for at, word in enumerate(_THOSE_NUMBERS, 2) if said and word in said[0]), len(meant))
    named = said is not None and any(WEEKDAY_STEMS[weekday] in said[0] for weekday in weekdays)
    return named and len(weekdays) == 1 and number == len(meant) == len({day.first for day in meant})


def _is_bounded(change: ScheduleChange, scene: Scene) -> bool:
    """Whether what is added for several days ends with them: said besides the usual, or instead of what falls out then."""
    within_week = (change.valid_to or change.valid_from) - change.valid_from < _WEEK
    instead = any(
        one.kind == "cancelled" and (one.valid_from, one.valid_to) == (change.valid_from, change.valid_to)
        for one in scene.changes
    )
    beside = any(one.search(scene.words) for one in (_BESIDE, phrases.BESIDES))
    # "Od jutra do 23 grudnia": its last day is given
    ends = (scene.words[day.start : day.end] for day in scene.days if day.last == change.valid_to and not day.is_day)
    return (within_week and (beside or instead)) or (beside and any(re.search(r"\d|wigili", words) for words in ends))


def _is_other_week(day: Period, change: ScheduleChange, scene: Scene, issued: date) -> bool:
    """Whether a day named before is far away, a stretch of days, named in the same sentence, or followed by that weekday.

    "Niedziela Zmartwychwstania: ... Poniedziałek: ..." on Palm Sunday means the Monday after.
    """
    followed = day.first - change.valid_from == _WEEK - _DAY
    return followed or day.first - issued > _WEEK or not day.is_day or day in scene.days


def _are_left_out(scene: Scene) -> bool:
    """Whether the exceptions that the next sentence names lie between the days of the changes: "Wyjątkiem jest środa"."""
    told = [(one.valid_from, one.valid_to or one.valid_from) for one in scene.changes]
    first, last = min(one[0] for one in told) - _DAY, max(one[1] for one in told) + _DAY
    return bool(scene.days_after) and all(
        first <= day.first <= day.last <= last and not any(one[0] <= day.last and day.first <= one[1] for one in told)
        for day in scene.days_after
    )


def _is_unlikely(change: ScheduleChange, issued: date, named: Sequence[str], scene: Scene) -> bool:
    """Whether a day is an odd midnight, far away without a date, over, or a Sunday that may be today."""
    may_be_today = issued.weekday() == _SUNDAY and change.valid_from - issued <= _WEEK
    if (change.valid_to or issued) < issued or (may_be_today and _THIS_SUNDAY.search(scene.words)):
        return True
    midnight = _MIDNIGHT in change.times and (change.valid_from.month, change.valid_from.day) not in _MIDNIGHTS
    return midnight or (change.valid_from - issued > _FAR and not any(re.search(r"\d", name) for name in named))


def _is_date(day: Period, words: str) -> bool:
    return day.is_day and (day.is_dated(words) or day.end - day.start == 1)  # one of "10, 17 i 24 maja"


def _without_days_that_end(scene: Scene) -> str:
    """The words without "od poniedziałku" before a date whose end is given, too: "od poniedziałku 8 do piątku 12 marca"."""
    words = scene.folded
    for day in scene.days:
        if not day.is_day and day.is_dated(scene.words):
            words = _FROM_WEEKDAY.sub(lambda match: " " * len(match[0]), words[: day.start]) + words[day.start :]
    return words


def _of_end(change: ScheduleChange, scene: Scene) -> Iterator[Doubt]:
    """Doubts whether a change ends with the day it names."""
    dated = change.kind == "moved" and _is_of_day(change) and any(_is_date(day, scene.words) for day in scene.days)
    if _LASTS.search(scene.before) and not dated:  # "Zmiana godziny Mszy św. W czwartek 17 września zamiast o 18.00 ..."
        yield "no_end"
    words = _WINTER_HOLIDAYS.sub("", phrases.AS_SUNDAY.sub("", _without_days_that_end(scene)))
    if change.valid_to is not None and change.valid_to > change.valid_from:
        words = phrases.MEANWHILE.sub("", words)  # "Od 10 do 28 sierpnia remont. W tym czasie ..."
    if change.valid_to == change.valid_from and scene.days and all(_is_date(day, scene.words) for day in scene.days):
        words = _MONTH_NAMED.sub("", words)  # "W maju ... 10, 17 i 24 maja o 16.00": the dates are given
    if change.valid_to is not None and _NO_END.search(words):
        within = any(not day.is_day and day.first <= change.valid_from <= day.last for day in scene.days)
        ranged = (within or change.valid_to > change.valid_from) and not _FOR_GOOD.search(words)
        weekly = change.kind == "order" and phrases.DAYS_OF_WEEK.search(change.words) is not None
        if not (
            ranged
            and scene.days
            and (weekly or change.kind in ("cancelled", "moved") or phrases.ONLY.search(words) or _is_bounded(change, scene))
        ):
            yield "no_end"
