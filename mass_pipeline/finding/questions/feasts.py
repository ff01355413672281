"""Feasts by name, and their dates. Rules as values; the names are data (finding/feasts.toml)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import date, time, timedelta
from functools import cache
from typing import Final

from mass_pipeline.finding.feasts import Feast, feasts, next_day
from mass_pipeline.finding.questions.draft import Draft, Hour, Match, Piece, each, phrases
from mass_pipeline.finding.questions.vocabulary import expression, joined, words_pattern
from mass_pipeline.reading.words.church_calendar import day_of
from mass_pipeline.reading.words.feasts import Moved, moved, moved_feasts
from mass_pipeline.reading.words.period import Period
from mass_pipeline.schedules.church_year import is_holy_day

_EVE: Final = "Wigilia"
_VIGIL: Final = time(16)
_CHRISTMAS: Final = (12, 25)
_YEAR_OF_DAYS: Final = 366


@cache
def _patterns() -> tuple[tuple[Feast, re.Pattern[str]], ...]:
    return tuple((feast, words_pattern(feast.words)) for feast in feasts())


@cache
def _before(section: str, key: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![^\W_]){expression(joined(section, key))}\W+$")


def named_feasts(draft: Draft) -> Draft:
    """Feasts named in the question, the longest name first: "wigilia Bożego Narodzenia" is not Christmas Day."""
    year = draft.year and draft.year[0]
    for period, beside in moved_feasts(draft.text.rest, date(year, 1, 1) if year else draft.today):
        draft = draft if draft.text.is_taken(period.start, period.end) else _with_moved(draft, period, beside)
    found = [(m.end() - m.start(), m.start(), m.end(), feast) for feast, p in _patterns() for m in p.finditer(draft.text.rest)]
    for _, start, end, feast in sorted(found, key=lambda one: (-one[0], one[1])):
        if not draft.text.is_taken(start, end):
            draft = _with_feast(draft, feast, start, end, year)
    return draft


def _with_feast(draft: Draft, feast: Feast, start: int, end: int, year: int | None) -> Draft:
    before = draft.text.rest[:start]
    lead = _before("feast_lead", "words").search(before)  # "w święto Matki Boskiej Gromnicznej" is no holy day besides
    day, name = min(zip((next_day(rule, draft.today, year) for rule in feast.rules), feast.names, strict=True))
    beside = moved(draft.text.rest, lead.start() if lead else start)
    if beside.is_moved and (days := beside.days(day)):  # names of other languages: "the Sunday before Christmas"
        return _with_moved(draft, Period(beside.start, end, *days), beside)
    draft = draft.plus(days=(day,), is_dated=True)
    limit = _before("clock", "strict").search(before) if feast.start else None
    if limit is not None:  # "ostatnia przed pasterką": of that day, until it
        hour = Hour("to", time.fromisoformat(feast.start), limit.start(), end, is_strict=True)
        return draft.plus((limit.start(), end), feast=draft.feast or _EVE, hours=(hour,))
    begins, ends = (time.fromisoformat(one) if one else None for one in (feast.start, feast.until))
    return draft.plus(
        (lead.start() if lead else start, end),
        feast=(name if begins else draft.feast or name) or None,
        vigil_from=begins or draft.vigil_from,
        feast_until=ends or draft.feast_until,
    )


def _with_moved(draft: Draft, period: Period, beside: Moved) -> Draft:
    """The days that words beside a feast mean; of an eve without a name of its own the evening."""
    rules = ((rule, name) for feast in feasts() if not feast.start for rule, name in zip(feast.rules, feast.names, strict=True))
    own = next((name for rule, name in rules if name and period.is_day and day_of(rule, period.first.year) == period.first), None)
    return draft.plus(
        (period.start, period.end),
        days=tuple(period.first + timedelta(n) for n in range((period.last - period.first).days + 1)),
        is_dated=True,
        feast=own or draft.feast,
        vigil_from=_VIGIL if beside.is_eve and not own else draft.vigil_from,
    )


def _obligation(draft: Draft, key: str, _: Match) -> Piece | None:
    """Which days are holy days of obligation, or whether those that are said are."""
    if key == "all":
        return {"days": tuple(day for day in _ahead(draft.today) if is_holy_day(day)), "asks_obligation": True, "is_dated": True}
    return {"asks_obligation": True} if draft.days or draft.weekdays else None


def _two_days(rule: str, feast: str | None = None) -> Callable[[Draft, str, Match], Piece]:
    """The holidays of Christmas or Easter."""

    def read(draft: Draft, _: str, __: Match) -> Piece:
        day = next_day(rule, draft.today - timedelta(1), draft.year and draft.year[0])
        return {"days": (day, day + timedelta(1)), "feast": feast or draft.feast, "is_dated": True}

    return read


def _holidays(draft: Draft, _: str, match: Match) -> Piece | None:
    """ "W święta": Christmas while it is the next holy day, else the standing order of holy days; "msza święta" is no feast."""
    before = draft.text.plain[: match.start()].split()[-1:] if match[0].startswith("swiet") else []
    if before and before[0].strip(".,").startswith(("msz", "mass", "eucharysti", "komuni")):
        return None
    coming = next_holy_day(draft.today - timedelta(1))
    if (coming.month, coming.day) != _CHRISTMAS:
        return {"standing": "holy_day", "is_dated": True}
    return {"days": tuple(day for day in (coming, coming + timedelta(1)) if day >= draft.today), "is_dated": True}


def _holy_day(draft: Draft, _: str, match: Match) -> Piece | None:
    """Some holy day."""
    if (draft.days or draft.weekdays) and match[0] == "swieto":
        return None
    monday = draft.today - timedelta(draft.today.weekday())
    start = draft.today if draft.weeks is None else monday + timedelta(7 * draft.weeks)
    return {"days": (next_holy_day(start),), "weeks": None, "feast": "holy_day", "is_dated": True}


def _ahead(start: date) -> Iterator[date]:
    return (start + timedelta(n) for n in range(_YEAR_OF_DAYS))


def next_holy_day(start: date) -> date:
    """The first holy day of obligation from a day on.

    >>> next_holy_day(date(2026, 11, 2))
    datetime.date(2026, 12, 25)
    """
    return next(day for day in _ahead(start) if is_holy_day(day))


holy_days: Final = (
    each(phrases("holy_day", "all", "obligation"), _obligation),
    each(phrases("holy_day", "christmas"), _two_days("12-25", "Boże Narodzenie")),
    each(phrases("holy_day", "easter"), _two_days("e0")),
    each(phrases("holy_day", "many"), _holidays),
    each(phrases("holy_day", "one"), _holy_day),
)
