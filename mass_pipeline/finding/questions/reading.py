"""Read a question: every word is understood, is filler, or is reported. Pure; the moment and the places are arguments.

The rules run in one order, named below; each takes the words it understands, so that no word is read twice.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime, time, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from mass_pipeline.finding.places import Places
from mass_pipeline.finding.questions import (
    addresses,
    calendar_dates,
    clocks,
    days,
    dedications,
    feasts,
    leftovers,
    qualities,
    where,
)
from mass_pipeline.finding.questions.draft import Draft
from mass_pipeline.finding.questions.hits import known_as
from mass_pipeline.finding.questions.interpretation import Interpretation, Place, TownName
from mass_pipeline.finding.questions.text import Text, has_bad_characters, in_latin_letters, without_bad_characters

MAX_CHARACTERS: Final = 200
_EVES: Final = frozenset({(12, 24), (12, 31)})  # whose midnight is 00:00 of the next day
_NIGHT_ENDS: Final = time(6)
WARSAW: Final = ZoneInfo("Europe/Warsaw")

Rule = Callable[[Draft], None]
RULES: Final[tuple[Rule, ...]] = (
    addresses.streets,
    where.postcodes,
    where.distances,
    qualities.greetings,
    qualities.intentions,
    where.landmarks,
    dedications.named_churches,
    where.long_names,
    days.negated,
    qualities.first_days,
    days.compared,
    days.standing,
    days.day_ranges,
    days.vigil,
    days.weeks,
    calendar_dates.years,
    feasts.between,
    feasts.named_feasts,
    calendar_dates.dates,
    calendar_dates.spoken_dates,
    days.offsets,
    days.ordinals,
    clocks.duties,
    qualities.kinds,
    qualities.languages,
    qualities.wheelchair,
    qualities.not_served,
    days.weekdays,
    feasts.holy_days,
    clocks.now,
    clocks.ranges,
    clocks.events,
    clocks.limits,
    clocks.hours_of_a_half,
    clocks.parts,
    qualities.picks,
    calendar_dates.days_of_month,
    calendar_dates.months,
    dedications.churches,
    clocks.bare_hours,
    clocks.turned,
    where.centres,
    where.voivodeships,
    addresses.counties,
    where.near_me,
    where.names,
    qualities.bare_languages,
)


def interpret(question: str, at: datetime, places: Places) -> Interpretation:
    """How a question is read.

    Args:
        question: any text; hostile text is answered with an error, never raised on.
        at: the moment of asking; a naive one is Polish wall clock.
        places: towns and parishes that names are looked up in.

    Returns:
        The reading; words that were not understood stand in `unread`.
    """
    if len(question) > MAX_CHARACTERS:
        return Interpretation(error="too_long")
    bad = has_bad_characters(question)
    plain = without_bad_characters(question) if bad else question
    plain = in_latin_letters(plain, lambda word: known_as(word, places))
    mended = leftovers.mended(plain, places)
    now = at.replace(tzinfo=WARSAW) if at.tzinfo is None else at.astimezone(WARSAW)
    draft = Draft(Text(mended.question), now, places)
    for rule in RULES:
        rule(draft)
    return _closed(draft, mended, bad)


def prepare(places: Places) -> None:
    """Compile patterns, the indexes of mistyped words and of dedications: the first question is answered as fast as the next."""
    for question in ("msza w Krakwie jutro o 18 u św. Anny", "bydgosz", "u św. Anny"):  # mistyped, cut short, without a town
        interpret(question, datetime(2026, 1, 1, tzinfo=WARSAW), places)


def _closed(draft: Draft, mended: leftovers.Mended, bad: bool) -> Interpretation:
    where.resolve(draft)
    dedications.resolve(draft)
    where.unknown_towns(draft)
    dates = days.resolve(draft)
    start, end = clocks.resolve(draft)
    again = _again(draft, dates)
    if again is not None and end is not None and (start or end) <= end < draft.now.time():  # "czwartek rano" on Thursday evening
        dates, again = (again,), None
    if start is not None and start == end and start < _NIGHT_ENDS:
        dates = tuple(day + timedelta((day.month, day.day) in _EVES) for day in dates)
    leftovers.report(draft)
    if draft.pick == "next" and draft.place is None:
        draft.place = Place(near=True)
    return Interpretation(
        place=draft.place,
        dates=dates,
        start=start,
        end=end,
        standing=draft.standing,
        pick=draft.pick,
        language=None if (draft.kind, draft.language) == ("old_rite", "la") else draft.language,  # one thing
        kind=draft.kind,
        wheelchair=draft.wheelchair,
        feast=draft.feast,
        radius_m=draft.radius_m,
        asks_obligation=draft.asks_obligation,
        unread=tuple(mended.typed.get(word, word) for _, word in sorted(draft.unread.items())),
        not_served=tuple(words for _, words in sorted(draft.not_served.items())),
        error="bad_characters" if bad else None,
        did_you_mean=draft.did_you_mean,
        also=tuple(map(TownName.of, draft.also)),
        towns=draft.towns,
        district=draft.district,
        parishes=draft.parishes,
        land=draft.voivodeship if draft.place is None else None,
        again=again,
    )


def _again(draft: Draft, dates: tuple[date, ...]) -> date | None:
    """The next day of the name that was said, where it is today's and no other day is meant."""
    is_today = dates == (draft.today,) and draft.weekdays == [draft.today.weekday()] and not draft.days
    return draft.today + timedelta(7) if is_today else None
