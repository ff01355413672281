"""Read a question: every word is understood, is filler, or is reported. Pure; the moment and the places are arguments.

The rules run in one order, named below; each takes the words it understands, so that no word is read twice.
"""

from __future__ import annotations

from dataclasses import fields, replace
from datetime import datetime, time, timedelta
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
from mass_pipeline.finding.questions.draft import Draft, Rule
from mass_pipeline.finding.questions.hits import known_as
from mass_pipeline.finding.questions.interpretation import Interpretation, Place
from mass_pipeline.finding.questions.text import Text, has_bad_characters, in_latin_letters, without_bad_characters

MAX_CHARACTERS: Final = 200
_EVES: Final = frozenset({(12, 24), (12, 31)})  # whose midnight is 00:00 of the next day
_NIGHT_ENDS: Final = time(6)
WARSAW: Final = ZoneInfo("Europe/Warsaw")

RULES: Final[tuple[Rule, ...]] = (
    addresses.streets,
    where.postcodes,
    where.distances,
    where.and_around,
    qualities.greetings,
    dedications.named_churches,
    where.long_names,
    days.negated,
    qualities.first_days,
    days.day_ranges,
    days.vigil,
    days.standing,
    days.weeks,
    calendar_dates.years,
    feasts.named_feasts,
    *calendar_dates.dates,
    days.tonight,
    days.offsets,
    days.in_days,
    days.next_days,
    days.ordinals,
    clocks.duties,
    qualities.kinds,
    qualities.free_languages,
    qualities.framed_languages,
    qualities.wheelchair,
    qualities.not_served,
    days.weekdays,
    *feasts.holy_days,
    *clocks.now,
    clocks.ranges,
    clocks.events,
    clocks.limits,
    clocks.parts,
    qualities.picks,
    *calendar_dates.days_of_month,
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
CLOSING: Final[tuple[Rule, ...]] = (  # how the findings come together
    where.resolve,
    dedications.resolve,
    where.unknown_towns,
    days.resolve,
    clocks.resolve,
    leftovers.resolve,
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
    draft = Draft(text=Text.of(mended.question), now=now, places=places)
    for rule in (*RULES, *CLOSING):
        draft = rule(draft)
    read = _closed(draft)
    unread = tuple(mended.typed.get(word, word) for _, word in sorted(dict(draft.told).items()))
    return replace(read, unread=unread, error="bad_characters" if bad else None)


def prepare(places: Places) -> None:
    """Compile patterns, the indexes of mistyped words and of dedications: the first question is answered as fast as the next."""
    for question in ("msza w Krakwie jutro o 18 u św. Anny", "bydgosz", "u św. Anny"):  # mistyped, cut short, without a town
        interpret(question, datetime(2026, 1, 1, tzinfo=WARSAW), places)


def _closed(draft: Draft) -> Interpretation:
    """The interpretation alone, with what its parts mean together."""
    dates, start, end = draft.dates, draft.start, draft.end
    is_today = dates == (draft.today,) and [day for day, _ in draft.weekdays] == [draft.today.weekday()] and not draft.days
    again = draft.today + timedelta(7) if is_today else None  # of the name of the day that was said, where no other day is meant
    if again is not None and end is not None and (start or end) <= end < draft.now.time():  # "czwartek rano" on Thursday evening
        dates, again = (again,), None
    if start is not None and start == end and start < _NIGHT_ENDS:
        dates = tuple(day + timedelta((day.month, day.day) in _EVES) for day in dates)
    place = Place(near=True) if draft.pick == "next" and draft.place is None else draft.place
    kept = {one.name: getattr(draft, one.name) for one in fields(Interpretation)}
    kept.update(place=place, dates=dates, again=again, not_served=tuple(words for _, words in sorted(draft.services)))
    kept.update(land=draft.voivodeship[0] if draft.voivodeship and place is None else None)
    kept.update(language=None if (draft.kind, draft.language) == ("old_rite", "la") else draft.language)  # one thing
    return Interpretation(**kept)
