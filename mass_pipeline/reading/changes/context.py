"""What one sentence leaves to the next: the days it may be read for, and the day from which its weekdays are counted.

Belongs here: which sentences go on with the days named before, which report or recur, and from which day "w środę" is counted.
Not here: days themselves (reading.words.dates), what a sentence changes (kinds, reading).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import Final

from mass_pipeline.reading.changes import phrases
from mass_pipeline.reading.changes.hours import clock_hours, speaks_of_mass
from mass_pipeline.reading.changes.phrases import Change
from mass_pipeline.reading.words.church_calendar import advent
from mass_pipeline.reading.words.dates import find_periods
from mass_pipeline.reading.words.expressions import expression
from mass_pipeline.reading.words.period import Period, without_periods
from mass_pipeline.reading.words.reference_week import counted_in
from mass_pipeline.reading.words.weekday_patterns import OF_WEEKDAY, WEEKDAY_STEMS

_LONGEST_WEEK: Final = 7  # days
_ONE_FEAST: Final = timedelta(2)  # between a Mass that is named like a day and the days whose Mass it is
_LONGEST_HEADING: Final = 6  # words
_LONGEST_TITLE: Final = 10  # words, without a full stop
_REMEMBERED: Final = 600  # characters of what was said of days: some sentences
_FORGOTTEN_AFTER: Final = 1  # sentences that speak of something else
_SUNDAY: Final = 6
_OTHER_LABEL: Final = expression(
    r"(?!<the_mass>|<order>|<remaining>|<clock>|<in_list>|(?:w )?(?:<sunday>|dni |<weekdays_but_sunday>))(?:\w+\.? ){0,2}\w+: "
)
_AT_CHURCH: Final = r"(?:w|na) (?:\w+ ){0,2}(?:kosciele|kaplicy|swiatyni|parafii|cmentarzu|roku)(?: (?:parafialn|filialn)\w+)?"
_LEADS_HOUR: Final = expression(r"[:–-] ?<at>$")
_PAIR: Final = 2  # hours
_MOST_WORDS: Final = 6  # before the day of a line: a feast
_FEAST: Final = expression(r"<feast>")
_AT_PLACE: Final = expression(
    r"[\s,;.()–-]*(?:(?:i|oraz|a|o|<clock>|(?:w|na) (?:nasz\w+ )?(?:kosciele|kaplicy|cmentarzu|filii)(?: \w+)?(?: w \w+)?"
    r"|(?:w|na) nasz\w+ \w+|<main_mass>|<in_part>)[\s,;.()–-]*)*"
)
_OPENS_WITH_HOUR: Final = expression(r"(?:(?:<in_part>|<and_also>|ponadto|dodatkowo) )*(?:o |<clock> ?)+\d")
_LEADS_LINE: Final = expression(r"[\s*•·–-]*(?:<label_of_days>\s*[–:-]\s*(?:od )?)?(?:w |we |<weekday_short>,? )?$")
# "żeby był czas na ubieranie ołtarzy", "abyśmy zdążyli na procesję": what is aimed at has not been
_PURPOSE: Final = re.compile(r"\b(?:[żz]e|a)?by(?:[śs]my|[śs]cie|m|[śs])?\b[^.;,]*", re.I)
# "bo tak prosili ludzie": the Mass is ahead all the same
_BECAUSE: Final = re.compile(r"\b(?:bo|gdyż|ponieważ)\b[^\d]*$", re.I)
_WEEK: Final = 7  # days
_BEGINS: Final = re.compile(r"\b(?:roz)?pocz(?:yna|nie)|\bza(?:czyna|czni)|\brusza|\bstartuj")
_END_ALONE: Final = re.compile(rf"\bdo(?: dnia)?(?: (?:{OF_WEEKDAY}),?)? $")


@dataclass(slots=True)
class Context:
    """What earlier sentences leave to the next.

    Attributes:
        periods: the days they named.
        previous: the sentence that named them, with what was said of these days since.
        heads_list: whether it heads a list of Masses.
        since: sentences without a day of their own after it.
        lasting: whether something begins on these days that does not end.
        among: words of the weekdays among them that were spoken of ("w dni powszednie").
        several_days: whether they begin what lasts several days, such as a retreat.
    """

    periods: list[Period] = field(default_factory=list)
    previous: str = ""
    heads_list: bool = False
    since: int = 0
    lasting: bool = False
    among: str = ""
    several_days: bool = False


def days_spoken_of(own: Sequence[Period], folded: str) -> list[Period]:
    """The days without those that only tell what working days are: "w dni powszednie (poniedziałek-sobota)"."""
    return [day for day in own if not phrases.DEFINES_WORKING_DAYS.search(folded[: day.start])]


def single_days(days: Sequence[Period]) -> list[Period]:
    """Days without the week or period whose days they are."""
    return [
        day for day in days if not any(other.is_day and not day.is_day and day.first <= other.first <= day.last for other in days)
    ] or list(days)


def days_counted(folded: str, context: Context, days: Sequence[Period]) -> list[Period]:
    """Days that "w tych dniach" points back to: of the sentence before, if it named several, else those named so far."""
    # "Dziś nauka. W poniedziałek i wtorek Msze o 9.00. W tych dniach ...": today is none of them
    return single_days(context.periods if len(context.periods) > 1 and not context.since else days)


def _heads_list(folded: str) -> bool:
    """Whether lines of days with their Masses follow: "Porządek Mszy świętych w święta:"."""
    words = len(folded.split())
    heading = folded.endswith(":") or words <= _LONGEST_HEADING or (words <= _LONGEST_TITLE and not folded.endswith("."))
    return heading and phrases.ORDER.search(folded + ":") is not None and not clock_hours(folded)


def starts_line(folded: str, own: Sequence[Period]) -> bool:
    """Whether a line begins with a day."""
    head = folded[: own[0].start] if own else ""
    feast = len(head.split()) <= _MOST_WORDS and _FEAST.search(head) is not None and not re.search(r"\d", head)
    return bool(own) and (feast or _LEADS_LINE.fullmatch(head) is not None)  # "Nowy Rok, 1 stycznia: 9.00"


def is_feast(folded: str) -> bool:
    """Whether a line names a feast, whose Masses are given as the list of a day."""
    return _FEAST.search(folded) is not None


def feasts_named(folded: str, own: Sequence[Period]) -> list[date]:
    """Days of a sentence that it calls feasts: by their own name, or the only day beside the name of one."""
    alone = len(own) == 1 and _FEAST.search(folded) is not None
    return [one.first for one in own if one.is_day and (alone or _FEAST.search(folded[one.start : one.end]))]


def is_line_of_list(folded: str, own: Sequence[Period]) -> bool:
    """Whether a line is a day and what is said of its Masses; "16.00 z nabożeństwem" is one of them."""
    return starts_line(folded, own) and not phrases.OTHER.search(folded)


def continues_list(folded: str, own: Sequence[Period], context: Context, told: Sequence[Change]) -> bool:
    """Whether a sentence without a day goes on with the list of the one before: "... 8.00, 10.00. Wieczorem o 17.00 i 19.00."."""
    if own or not told or context.since or any(kind not in ("order", "added") for kind in told):
        return False
    return phrases.LIST_GOES_ON.match(folded) is not None and phrases.NEGATION.search(folded) is None


def is_feast_with_hours(folded: str, own: Sequence[Period]) -> bool:
    """Whether a sentence is a feast and the hours of its Masses at their places, without the word: "Nowy Rok: 9.00 i 11.00"."""
    if not own or phrases.OTHER.search(folded) or _FEAST.search(folded) is None:
        return False
    folded = without_periods(folded, own)
    hours = clock_hours(folded)
    if len(hours) < _PAIR or not _LEADS_HOUR.search(folded[: hours[0].start]):
        return False
    ends = [*(hour.start for hour in hours[1:]), len(folded)]
    return all(_AT_PLACE.fullmatch(folded[one.end : end]) for one, end in zip(hours, ends, strict=True))


def goes_on(folded: str, context: Context) -> bool:
    """Whether a sentence without a day of its own speaks of the day named before."""
    if phrases.SAME_DAYS.search(folded):
        return len(context.periods) > 1 or any(not period.is_day for period in context.periods)
    if phrases.SAME_DAY.search(folded):
        return True
    if _OTHER_LABEL.match(folded):
        return False
    if _speaks_of_those(folded, context):
        return True
    folded = phrases.AS_WEEKDAY.sub("", phrases.AS_SUNDAY.sub(lambda match: "porzadek" if "porzad" in match[0] else "", folded))
    if _is_within_season(folded, context):
        return True
    if phrases.NAMES_DAYS.search(folded):  # days that cannot be determined are no other days
        return False
    if context.lasting and phrases.NEW_ORDER.search(folded):
        return True
    if phrases.NEGATION.search(folded) or (phrases.ONE_MORE.search(folded) and not context.since):
        return True
    return bool(context.periods) and speaks_of_mass(folded) and _tells_its_masses(folded, context)


def _tells_its_masses(folded: str, context: Context) -> bool:
    """Whether a sentence about Masses tells those of the day named before."""
    hours = bool(clock_hours(folded))
    if _OPENS_WITH_HOUR.match(folded) and hours:  # "Pierwszy piątek. Spowiedź od 16.00. O 16.30 Msza dla dzieci."
        return context.since <= _FORGOTTEN_AFTER
    is_open = not clock_hours(context.previous)  # a day of which no hour was given yet
    occasion = phrases.NAMES_AN_OCCASION.search(context.previous) is not None
    if phrases.OPENS_WITH_MASS.search(folded) or (phrases.BEGINS_WITH_MASS.search(folded) and hours):
        return is_open or occasion
    stays = any(words.search(folded) for words in (phrases.REST, phrases.UNCHANGED))
    is_next = not context.since and hours and not stays
    return (is_open or is_next) and occasion


def names_season(periods: Sequence[Period]) -> bool:
    """Whether days are those of some weeks, given as dates or months: an order of each week within them."""
    return any((period.last - period.first).days > _LONGEST_WEEK for period in periods)


def _is_within_season(folded: str, context: Context) -> bool:
    """Whether weekdays are those of the season named right before: "W lipcu i sierpniu ... W niedziele odpada Msza o 12.00."."""
    of_mass = (speaks_of_mass(context.previous) or phrases.ORDER.search(context.previous) is not None) or (
        phrases.MEANWHILE.search(folded) is not None and speaks_of_mass(folded)
    )
    weekly = phrases.DAYS_OF_WEEK.search(folded) is not None and of_mass
    return names_season(context.periods) and weekly and (phrases.NEGATION.search(folded) is not None or bool(clock_hours(folded)))


def are_weekdays_of_season(folded: str, own: Sequence[Period], context: Context) -> bool:
    """Whether days are weekdays of the season named right before: "Od 1 lipca ... . Od poniedziałku do piątku ..."."""
    weeks = all(not one.is_day and not (one.is_month or one.is_dated(folded)) for one in own)
    return bool(own) and weeks and not context.since and _is_within_season(folded, context)


def _speaks_of_those(folded: str, context: Context) -> bool:
    """Whether the words point back: "w te niedziele nie ma Mszy", "W naszym kościele będą o 7.00 i 9.00" after Masses."""
    if phrases.THOSE.search(folded):
        return phrases.NEGATION.search(folded) is not None or speaks_of_mass(folded)
    said = phrases.SAID.search(folded) and not context.since
    return bool(said) and speaks_of_mass(context.previous) and bool(clock_hours(folded))


def is_recurring(folded: str, own: Sequence[Period]) -> bool:
    """Whether a sentence speaks of every such day; an explicit date in it outweighs the word."""
    if any(period.is_dated(folded) for period in own):
        return False
    sundays = all(period.is_day and period.first.weekday() == _SUNDAY for period in own)
    if own and sundays and phrases.WHOLE_WEEK.search(folded) and not phrases.LASTING.search(folded[: own[0].start]):
        return True
    months = [period for period in own if period.is_month]
    if months and phrases.MOVED.search(folded):
        return False
    if any((period.last - period.first).days > _LONGEST_WEEK for period in own) and not months:
        return False
    words = phrases.AS_SUNDAY.sub("", folded)
    return phrases.RECURRING.search(phrases.HOLIDAYS.sub("", words) if months else words) is not None


def lasting_from(folded: str, periods: Sequence[Period]) -> list[Period]:
    """The first day of a change that does not end ("od niedzieli ... o 17.00"); [] when there is an end.

    Days of the week beside it ("od 1 października Msza od poniedziałku do piątku o 17.00") are those of every week.
    """
    if not periods or phrases.LASTING.search(folded[: periods[0].start]) is None:
        return []
    first, *others = periods
    is_day = first.is_day
    weekly = all(not one.is_dated(folded) and phrases.NAMES_DAYS.search(folded, one.start) for one in others)
    return [first] if is_day and (not others or (weekly and first.is_dated(folded))) else []


def next_context(context: Context, folded: str, own: list[Period], goes_on: bool, listed: bool) -> Context:
    """What a sentence leaves for the next one."""
    heads = listed or (context.heads_list and goes_on) or _heads_list(folded)
    if own and all(period.is_mass for period in own) and _are_near(own, context.periods):  # "Pasterka o 24.00." in a day's list
        own, goes_on = [], True
    begins = bool(lasting_from(folded, own))
    if begins and not (
        speaks_of_mass(folded) or phrases.ORDER.search(folded) or phrases.NEW_ORDER.search(folded)
    ):  # "Od wtorku peregrynacja. O 15.00 Msza św.": of which day?
        return Context([], folded, heads)
    lasts = phrases.SEVERAL_DAYS.search(folded) is not None
    if own or not (goes_on or context.since < _FORGOTTEN_AFTER):
        return Context(own or context.periods, folded, heads, lasting=begins, several_days=lasts and bool(own))
    if not (own or goes_on) and phrases.NAMES_DAYS.search(phrases.AS_SUNDAY.sub("", folded)):
        # "Niedziela 27 września" of another year: what follows speaks of no day named before
        return Context([], folded, heads)
    since = context.since + (not goes_on)
    previous = f"{context.previous} {folded}"[-_REMEMBERED:]
    # A retreat that another sentence speaks of need not begin on these days.
    lasts = context.several_days or (lasts and goes_on)
    return Context(context.periods, previous, heads, since, lasting=context.lasting, several_days=lasts)


def _are_near(own: Sequence[Period], before: Sequence[Period]) -> bool:
    return any(abs(one.first - own[0].first) <= _ONE_FEAST for one in before)


def is_report(sentence: str, folded: str) -> bool:
    """Whether a sentence tells what has been; what a bracket says of one Mass of a list does not count.

    Args:
        sentence: as written.
        folded: the same, folded.
    """
    said, written = (_what_is_said(words) for words in (phrases.BECAUSE.sub("", folded), sentence))
    past = phrases.PAST.search(written) is not None and not phrases.AHEAD.search(folded)
    return past or phrases.REPORT.search(said) is not None


def _what_is_said(words: str) -> str:
    for aside in (phrases.REMARK, _PURPOSE, _BECAUSE):
        words = aside.sub("", words)
    return words


def counted_from(context: Context, issued: date) -> date:
    """The day from which weekdays are counted: that of issue, or the first day of what lasts several days and begins later."""
    begins = [period.first for period in context.periods if period.is_day]
    if len(begins) == 1 and begins[0] - issued >= timedelta(_WEEK) and context.several_days:
        return begins[0]
    return issued


def counted_within(sentence: str, folded: str, issued: date) -> date:
    """The same within a sentence: "rozpoczęcie w niedzielę 13 grudnia, w poniedziałek i wtorek Msze o 8.00"."""
    own = find_periods(sentence, issued)
    if not own or phrases.SEVERAL_DAYS.search(folded) is None or not own[0].is_dated(folded):
        return issued
    return counted_from(Context(own[:1], folded, several_days=True), issued)


def counted_to_that(folded: str, periods: Sequence[Period], since: date) -> date:
    """The same before "w tę sobotę", of which the sentences before gave the date; `since` where they gave none."""
    that = phrases.THAT_WEEKDAY.search(folded)
    if that is None:
        return since
    weekday = next(at for at, stem in enumerate(WEEKDAY_STEMS) if that[1].startswith(stem))
    meant = {one.first for one in periods if one.is_day and one.first.weekday() == weekday}
    return min(meant) - timedelta(1) if len(meant) == 1 else since


def counted_until(sentence: str, folded: str, context: Context, since: date) -> date:
    """The same before an end alone: "Zaczynamy 2 stycznia. Do piątku 16 stycznia nie ma Mszy o 18.00" begins with that day."""
    begins = [period.first for period in context.periods if period.is_day]
    if len(begins) != 1 or len(context.periods) > 1 or begins[0] <= since or not _BEGINS.search(context.previous):
        return since
    own = find_periods(sentence, since)
    ends = [day for day in own if day.first == since < begins[0] < day.last and _END_ALONE.search(folded[: day.start])]
    return begins[0] if len(ends) == len(own) == 1 else since


def counted(sentence: str, folded: str, since: date, programme: Sequence[Period], frame: Period | None) -> date:
    """The same by what the sentence and the programme above it say of days.

    Args:
        sentence: as written.
        folded: its text.
        since: the day from which its weekdays are counted by what stands before it.
        programme: days of the programmes before.
        frame: days of the retreat or mission it is in.
    """
    since = _since_programme(sentence, counted_within(sentence, folded, since), programme)
    since = counted_in(sentence, since, frame)
    begins = advent(since.year)  # roraty announced the Sunday before Advent: "od poniedziałku" is the Monday of its first week
    return begins if phrases.RORATY.search(folded) and timedelta(0) < begins - since <= timedelta(_WEEK) else since


def _since_programme(sentence: str, since: date, programme: Sequence[Period]) -> date:
    """The day from which weekdays are counted after a programme that has them: "Sobota, 13 marca: ... W sobotę nie ma Mszy"."""
    own = find_periods(sentence, since) if programme else []
    weekdays = {day.first.weekday() for day in programme}
    if not own or any(day.is_dated(sentence) or day.first.weekday() not in weekdays for day in own):
        return since
    return max(since, min(day.first for day in programme) - timedelta(1))
