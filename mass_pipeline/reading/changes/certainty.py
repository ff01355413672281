"""How sure a reading is: reasons against a change, judged by its sentence, its neighbours and the other changes of the text.

A reason is one value with its examples, which are its tests. Not here: what a change is (reading), words of other parishes
(doubts_of_places), what the standing order settles and what becomes of a doubtful change (schedules).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from itertools import pairwise
from typing import Final

from mass_pipeline.model.identifiers import fold
from mass_pipeline.reading.changes import phrases
from mass_pipeline.reading.changes.change import Doubt, ScheduleChange
from mass_pipeline.reading.changes.context import days_spoken_of
from mass_pipeline.reading.changes.doubts_of_places import is_elsewhere
from mass_pipeline.reading.changes.hours import (
    BEGIN_OR_END,
    LIST,
    clock_hours,
    folded_sentence,
    without_asides,
    without_days,
)
from mass_pipeline.reading.changes.programmes import waiting_together
from mass_pipeline.reading.changes.sentence_context import Read, SentenceContext
from mass_pipeline.reading.words.clock import ClockToken
from mass_pipeline.reading.words.dates import find_periods
from mass_pipeline.reading.words.expressions import expression
from mass_pipeline.reading.words.period import Period
from mass_pipeline.reading.words.spoken_hours import in_digits

_FEW: Final = 2  # hours
_MOST_CHANGES: Final = 150  # of one text; more are an archive, in which sentences of different weeks stand side by side
_NEAR: Final = 2  # sentences before that may still say of what a sentence speaks
_DAY: Final = timedelta(1)
_WEEK: Final = timedelta(7)
_SUNDAY: Final = 6
_MIDNIGHT: Final = "00:00"
_NEGATED: Final = expression(r"\bnie\b|\bbez\b(?! zmian)|<negated>|\bo?procz\b(?! tego)")
_SAME_HOUR: Final = expression(r"\bo tej (?:samej )?(?:<clock>|porze\b)(?=[^.;]*<the_mass>)")
_GROUP: Final = re.compile(
    r"\bdla (?:szkol|liceum|przedszkol|klas|dzieci|mlodziez|uczni|senior|chorych|pozostal|dorosl)|\bklas[ay] "
)
_UNSURE: Final = re.compile(
    r"prawdopodobn|\bbyc moze\b|orientacyjn|\bmozliwe\b|niewyklucz|\bpogod|zalezn|\b(?:jesli|jezeli|o ile)\b"
)
_BREAK: Final = expression(
    r";(?! ?<at>\d)|,(?! ?(?:o |<clock>|\d|(?:i|oraz|ani)\b|a takze\b|ktor|sw|<that_is>|$|(?:a wiec |a |oraz |ale |lecz )?"
    r"(?:(?:dodatkowo|wszedzie|i|takze|rowniez|tez|<in_part>) )*(?:o |<clock>|dla |ze? [a-z]|<in_place_of> "
    r"|<weekdays_but_sunday> |(?:<daily> )?od [a-z]+ do [a-z]+\b|<daily>|w kosciele|w kaplicy"
    r"|we? (?!<weekday>)[a-z]+ (?:o |<clock>)"
    r"|(?:a |natomiast )?we? (?:<weekdays_but_sunday>|<weekend>|dni)|na cmentarzu|na $|kosciol|kaplic)))| [–-] (?!<at>(?:\d|$))"
)
_COMMAS: Final = re.compile(r"\s*,[\s,]*")  # what is left of a date between commas
_BOUND: Final = expression(r"[;:.,(]| (?:oraz|i|a|nie|<owing_to>) ")
_ABBREVIATED: Final = expression(r"<abbreviation_at_hour>\.")
_ALONG: Final = re.compile(r"\bze? (?:(?!wyrusz|wychodz|przejd)\w+ )?(?!wyrusz|wychodz|przejd)\w+")  # "z nauką": comes along
_MAYBE_WITHOUT_MASS: Final = re.compile(r"\bslub|\bpogrzeb")
_AS_USUAL: Final = expression(r" <unchanged>")
_PIECE_END: Final = re.compile(r"[,;()]")
_HEADS_LIST: Final = expression(r"(?:<order>|<masses>|<of_masses>)(?:[^:;.]|\bsw\.)*:")
_STANDS_FOR_MASS: Final = expression(r"<which_mass>")
_WEEKDAY: Final = expression("<weekday>")
_DATED: Final = re.compile(r"\d|wigili")
_BESIDE: Final = expression(r"<advent_mass>|\bdodatkow")
_CHRISTMAS_EVE: Final = (12, 24)
_NO_END: Final = expression(
    r"\bod(?: dnia)? (?:<weekday>|<beginning_of_time>)|(?<!konca )(?<!koniec )<holidays>|<lasting>|\bw <in_month>"
    r"|(?<!jak )<daily>|(?<!\bna )<every>(?! (?:z nich|<the_mass>))"
)
_LASTS: Final = expression(
    r"<changing> <timetable>|\bzmian\w* czasu|<new> (?:<timetable>|por)|<renouncing>|\b(?:odtad|na stale)\b|\bod <of_month>"
)


@dataclass(frozen=True, slots=True)
class Reason:
    """One reason against publishing a change unseen.

    Attributes:
        doubt: what it is called.
        holds: of a change and its sentence.
        example: an announcement of Sunday 29 November 2026 whose change has this doubt and no other.
        near_miss: one whose changes have none.
    """

    doubt: Doubt
    holds: Callable[[ScheduleChange, SentenceContext], bool]
    example: str
    near_miss: str


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
    days = [_days_of(sentence, read.since.get(sentence, read.issued)) for sentence in every] if changes else []
    for change in changes:
        at = where.get(change.quote)
        if change.valid_to is None or change in read.judged:
            found.append(change)
        elif at is None or len(every[at]) > quoted:
            found.append(replace(change, doubts=("words",)))
        else:
            scene = _scene(at, change, changes, days, read)
            found.append(replace(change, doubts=tuple(dict.fromkeys(one.doubt for one in REASONS if one.holds(change, scene)))))
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
) -> SentenceContext:
    words = folded_sentence(read.every[at])
    folded = without_days(words, days[at])
    if not phrases.AS_SUNDAY.search(folded):  # "oprócz zwykłych Mszy o 7.00 i 18.00": mentioned only as what there is
        folded = phrases.BESIDES.sub(_blank, folded)
    folded = phrases.REMARK.sub(_blank, without_asides(in_digits(folded)))  # what a bracket says of one Mass of a list
    return SentenceContext(
        written=read.every[at],
        folded=folded,
        words=words,
        days=days[at],
        earlier=days[:at],
        hours=clock_hours(folded),
        changes=[one for one in changes if one.quote == change.quote],
        every=changes,
        written_before=" ".join(read.every[max(0, at - _NEAR) : at]),
        after="" if read.every[at] in read.ends else " ".join(read.every[at + 1 : at + 2]),
        is_listed=read.every[at] in read.listed,
        feasts=read.feasts,
        issued=read.issued,
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


def _last(change: ScheduleChange) -> date:
    return change.valid_to or date.max


def _own(change: ScheduleChange, scene: SentenceContext) -> list[Period]:
    """The days of its sentence that a change is about; an hour after midnight is of the day before."""
    after = _DAY if _MIDNIGHT in change.times else timedelta()
    return [day for day in scene.days if day.first <= change.valid_from <= day.last + after]


def _are_other_days(change: ScheduleChange, scene: SentenceContext) -> bool:
    return bool(scene.days) and not _own(change, scene)


def _goes_back(change: ScheduleChange, scene: SentenceContext) -> bool:
    """Days are named in their order: a weekday that goes back after a day named before it may be of another week."""
    own = _own(change, scene)
    by_weekday = [day for day in own if day.is_day and _WEEKDAY.fullmatch(scene.words[day.start : day.end])]
    if not own or by_weekday != own:
        return False
    before = [day for days in scene.earlier for day in days] + [day for day in scene.days if day.start < own[0].start]
    return any(_is_other_week(day, change, scene) for day in before if day.first > change.valid_from)


def _is_other_week(day: Period, change: ScheduleChange, scene: SentenceContext) -> bool:
    """Whether a day named before is far away, a stretch of days, named in the same sentence, or followed by that weekday.

    "Niedziela Zmartwychwstania: ... Poniedziałek: ..." on Palm Sunday means the Monday after.
    """
    followed = day.first - change.valid_from == _WEEK - _DAY
    return followed or day.first - scene.issued > _WEEK or not day.is_day or day in scene.days


def _is_kept_elsewhen(change: ScheduleChange, scene: SentenceContext) -> bool:
    """A Sunday with the order of weekdays: its feast is kept on another day."""
    return any(one.kind == "as_weekday" and _is_of_day(one) and one.valid_from.weekday() == _SUNDAY for one in scene.changes)


def _is_bounded(change: ScheduleChange, scene: SentenceContext) -> bool:
    """Whether what is said for several days ends with them: besides the usual, or instead of what falls out on these days."""
    span = (change.valid_from, change.valid_to)
    instead = any(one.kind == "cancelled" and (one.valid_from, one.valid_to) == span for one in scene.changes)
    beside = any(one.search(scene.words) for one in (_BESIDE, phrases.BESIDES))
    return (_last(change) - change.valid_from < _WEEK and (beside or instead)) or (beside and _ends(change, scene))


def _ends(change: ScheduleChange, scene: SentenceContext) -> bool:
    """Whether its last day is given: by the sentence, or by Advent, which ends with Christmas Eve."""
    ends = [scene.words[day.start : day.end] for day in scene.days if day.last == change.valid_to and not day.is_day]
    of_advent = phrases.RORATY.search(f"{scene.before} {scene.words}") is not None
    return any(map(_DATED.search, ends)) or (of_advent and (_last(change).month, _last(change).day) == _CHRISTMAS_EVE)


def _has_no_end(change: ScheduleChange, scene: SentenceContext) -> bool:
    if change.kind == "added" and not _is_of_day(change):
        return not _is_bounded(change, scene)
    words = phrases.MEANWHILE.sub("", phrases.AS_SUNDAY.sub("", scene.folded))
    if not _NO_END.search(words):
        return False
    # "W maju ... 10, 17 i 24 maja o 16.00": the dates are given, or those of a period without an exception
    if _is_of_day(change) and all(day.is_day for day in scene.days):
        return not (scene.days and all(_is_date(day, scene.words) for day in scene.days))
    given = change.kind in ("cancelled", "moved") or phrases.ONLY.search(words) or _is_weekly(change) or _ends(change, scene)
    return not (scene.days and given)


def _is_date(day: Period, words: str) -> bool:
    return day.is_day and (day.is_dated(words) or day.end - day.start == 1)  # one of "10, 17 i 24 maja"


def _goes_on_after(change: ScheduleChange, scene: SentenceContext) -> bool:
    """ "Zmiana porządku Mszy św. We wtorki o 18.00": what was said before does not end with a day."""
    dated = change.kind == "moved" and _is_of_day(change) and any(_is_date(day, scene.words) for day in scene.days)
    return _LASTS.search(scene.before) is not None and not dated


def _hours_of(change: ScheduleChange, scene: SentenceContext) -> list[ClockToken]:
    """Where its hours stand, each once: an hour that is that of another service, too, where it is that of the Mass."""
    found: dict[str, ClockToken] = {}
    for hour in scene.hours:
        if hour.time in (*change.times, *change.new_times):
            known = found.get(hour.time)
            if known is None or (_is_of_other(known, scene.folded) and not _is_of_other(hour, scene.folded)):
                found[hour.time] = hour
    return sorted(found.values(), key=lambda hour: hour.start)


def _are_hours_left(change: ScheduleChange, scene: SentenceContext) -> bool:
    """Whether an hour of the sentence is in no change and not that of another service: "święconka 10.00, 11.00", "15.00 ślub"."""
    read = {time for one in scene.changes for time in (*one.times, *one.new_times)}
    because = phrases.BECAUSE.search(scene.folded)
    reason = because.start() if because and not phrases.MASS.search(because[0]) else len(scene.folded)
    before: ClockToken | None = None
    is_other = False
    for hour in scene.hours:
        follows = before is not None and LIST.fullmatch(scene.folded[before.end : hour.start]) is not None
        alone = _MAYBE_WITHOUT_MASS.search(_words_around(hour, scene.folded)) is not None or hour.start > reason
        is_other = (is_other and follows) or alone or _is_as_usual(hour, scene.folded) or _is_of_other(hour, scene.folded)
        before = hour
        if not is_other and hour.time not in read:
            return True
    return False


def _is_as_usual(hour: ClockToken, folded: str) -> bool:
    """Whether a Mass is mentioned as there anyway: "dodatkowa Msza o 10.00, wieczorna jak zwykle o 17.00"."""
    begins = max(folded.rfind(mark, 0, hour.start) for mark in (",", ";", "(")) + 1
    behind = _PIECE_END.split(folded[hour.end :])[0]
    return phrases.UNCHANGED.search(folded[begins : hour.start]) is not None or _AS_USUAL.match(behind) is not None


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


def _is_apart_from_mass(change: ScheduleChange, scene: SentenceContext) -> bool:
    mine = _hours_of(change, scene)
    masses = [match.span() for match in phrases.MASS.finditer(phrases.BESIDES.sub(_blank, scene.words))]
    if not (mine and masses) or scene.is_listed or _is_weekly(change):
        return False
    headed = change.kind == "order" and _HEADS_LIST.search(scene.words[: mine[0].start])
    # no other service is named to which the hour could belong: "Msze 10.00 i 12.00, nie ma o 8.00"
    only_one = len(scene.hours) == 1 and phrases.ONLY_ONE.search(scene.words) is not None
    alone = (change.kind == "cancelled" or only_one) and phrases.OTHER.search(scene.folded) is None
    if headed or alone or phrases.AS_SUNDAY.search(scene.words) or _STANDS_FOR_MASS.search(_words_around(mine[0], scene.folded)):
        return False
    return all(_BREAK.search(_between(mine[0], span, scene.folded)) for span in masses)


def _is_denied_apart(change: ScheduleChange, scene: SentenceContext) -> bool:
    """Whether "nie" stands apart from the hour that falls out, or its hours apart from each other."""
    mine = _hours_of(change, scene) if change.kind == "cancelled" else []
    cues = [match.span() for match in _NEGATED.finditer(scene.folded)]
    apart = bool(mine and cues) and all(_BREAK.search(_between(mine[0], span, scene.folded)) for span in cues)
    return apart or any(_BREAK.search(scene.folded[one.end : other.start]) for one, other in pairwise(mine))


def _is_at_same_hour(change: ScheduleChange, scene: SentenceContext) -> bool:
    """ "Sumy o 12.00 w kościele nie będzie, spotykamy się o tej godzinie na Mszy polowej": only the place is another."""
    return change.kind == "cancelled" and _SAME_HOUR.search(f"{scene.words} {fold(scene.after)}") is not None


def _is_unsure(change: ScheduleChange, scene: SentenceContext) -> bool:
    return _UNSURE.search(scene.folded) is not None


def _may_be_list(change: ScheduleChange, scene: SentenceContext) -> bool:
    """Whether several added hours may be all of the day; "dla szkoły o 8.00, dla liceum o 9.00" are not."""
    each = len(_GROUP.findall(scene.folded)) >= len(change.times)
    several = change.kind == "added" and len(change.times) > 1
    return several and not (each or scene.is_listed) and phrases.BESIDE_USUAL.search(scene.folded) is None


def _is_odd_move(change: ScheduleChange, scene: SentenceContext) -> bool:
    return change.kind == "moved" and (len(change.new_times) != 1 or len(change.times) > 1 or not (change.times or change.part))


def _is_whole_day(change: ScheduleChange, scene: SentenceContext) -> bool:
    return change.kind == "cancelled" and not change.times and not change.part and "zadn" not in scene.words


def _is_weekly(change: ScheduleChange) -> bool:
    return change.kind == "order" and change.details.is_weekly


def _overlapping(change: ScheduleChange, scene: SentenceContext) -> Iterator[ScheduleChange]:
    """Other changes of the same days; "w niedziele o 8.00 i 11.00, w dni powszednie o 18.00" are of different ones."""
    for one in scene.every:
        weekly = one.details.is_weekly and change.details.is_weekly
        apart = weekly and not set(one.details.weekdays) & set(change.details.weekdays)
        if one is not change and one.valid_from <= _last(change) and change.valid_from <= _last(one) and not apart:
            yield one


def _is_said_otherwise(change: ScheduleChange, scene: SentenceContext) -> bool:
    """Whether another change says something else of an hour of the same days, or adds one to the only Mass of a day."""
    for one in _overlapping(change, scene):
        # nobody counts the Mass at midnight: "Wigilia: tylko o 7.00. Pasterka ..."
        beside = one.kind == "added" and one.quote != change.quote and not phrases.MIDNIGHT_MASS.search(fold(one.quote))
        if change.kind == "order" and beside and len(change.times) == 1 and phrases.ONLY.search(scene.words):
            return True
        again = {one.kind, change.kind} == {"added", "order"}  # a Mass of the list stated once more
        if again and (set(one.times) <= set(change.times) or set(change.times) <= set(one.times)):
            continue
        lasts = one.valid_to is None and one.kind == "new_order"  # the hour of a new order within the list of a day
        if one.kind != change.kind and not lasts and set(one.times) & set(change.times):
            return True
    return False


def _blank(match: re.Match[str]) -> str:
    return " " * len(match[0])


REASONS: Final[tuple[Reason, ...]] = (
    Reason(
        "day",
        _are_other_days,
        "Roraty dla dzieci od poniedziałku do piątku o 17.00.",
        "Od poniedziałku 30 listopada roraty o 6.30.",
    ),
    Reason(
        "day",
        _goes_back,
        "W niedzielę 6 grudnia odpust.\nW poniedziałek Msza tylko o 9.00.",
        "W środę odpust.\nW piątek Msza tylko o 9.00.",
    ),
    Reason("day", _is_kept_elsewhen, "W niedzielę Msze jak w dzień powszedni.", "W środę Msze jak w dzień powszedni."),
    Reason("no_end", _has_no_end, "Od poniedziałku do piątku Msza o 17.00.", "Od 1 do 3 grudnia dodatkowa Msza o 17.00."),
    Reason(
        "no_end",
        _goes_on_after,
        "Zmiana porządku Mszy. W środę Msza tylko o 17.00.",
        "Zmiana dekoracji. W środę Msza tylko o 17.00.",
    ),
    Reason("hours_left", _are_hours_left, "W środę początek o 9.00, Msza o 12.00.", "W środę różaniec o 9.00, Msza o 12.00."),
    Reason(
        "service", _is_apart_from_mass, "W środę Msza z chórem; początek – 17.00", "W środę Msza, którą odprawi biskup, o 17.00."
    ),
    Reason(
        "negation",
        _is_denied_apart,
        "We wtorek nie będzie Mszy o 7.30 – pogrzeb o 11.00.",
        "We wtorek nie będzie Mszy o 7.30 i 11.00.",
    ),
    Reason(
        "shift",
        _is_at_same_hour,
        "W środę o 18.00 nie ma Mszy w kościele. O tej porze Msza w szkole.",
        "W środę o 18.00 nie ma Mszy w kościele.",
    ),
    Reason("elsewhere", is_elsewhere, "W środę Msza o 9.00 w sąsiedniej wspólnocie.", "W środę Msza o 9.00 w naszej wspólnocie."),
    Reason("words", _is_unsure, "W środę prawdopodobnie nie będzie Mszy o 7.00.", "W środę na pewno nie będzie Mszy o 7.00."),
    Reason("kind", _may_be_list, "W środę Msza o 8.00 oraz 18.00", "W środę Msza o 8.00 dla dzieci i o 9.30 dla młodzieży."),
    Reason("kind", _is_odd_move, "W środę zamiast o 7.00 i 8.00 Msza o 9.00.", "W środę zamiast o 7.00 Msza o 9.00."),
    Reason("whole_day", _is_whole_day, "W środę nie będzie Mszy.", "W środę nie będzie żadnej Mszy."),
    Reason(
        "contradiction",
        _is_said_otherwise,
        "W środę Msza o 9.00.\nW środę nie będzie Mszy o 9.00.",
        "W środę Msza o 9.00.\nW środę nie ma Mszy o 7.00.",
    ),
)
