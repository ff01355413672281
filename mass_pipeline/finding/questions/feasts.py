"""Feasts by name, and their dates. Rules over a draft; the names are data (finding/feasts.toml)."""

from __future__ import annotations

import re
from datetime import date, time, timedelta
from functools import cache
from typing import Final

from mass_pipeline.finding.feasts import Feast, feasts, next_day
from mass_pipeline.finding.questions.draft import Draft, Hour
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


def between(draft: Draft) -> None:
    """ "Między świętami a Nowym Rokiem": the days after Christmas until the last of the year."""
    for _ in draft.said("holy_day", "between"):
        last = next_day("12-31", draft.today, draft.year)
        draft.days.extend(last - timedelta(n) for n in range(5) if last - timedelta(n) >= draft.today)
        draft.dated = True


def named_feasts(draft: Draft) -> None:
    """Feasts named in the question, the longest name first: "wigilia Bożego Narodzenia" is not Christmas Day."""
    since = date(draft.year, 1, 1) if draft.year else draft.today
    for period, beside in moved_feasts(draft.text.rest, since):
        if "ʘ" not in draft.text.rest[period.start : period.end]:
            _take_moved(draft, period, beside)
    found = [(m.end() - m.start(), m.start(), m.end(), feast) for feast, p in _patterns() for m in p.finditer(draft.text.rest)]
    for _, start, end, feast in sorted(found, key=lambda one: (-one[0], one[1])):
        if "ʘ" in draft.text.rest[start:end]:
            continue
        start = _with_lead(draft, start)
        day, name = min(zip((next_day(rule, draft.today, draft.year) for rule in feast.rules), feast.names, strict=True))
        beside = moved(draft.text.rest, start)
        if beside.is_moved and (days := beside.days(day)):  # names of other languages: "the Sunday before Christmas"
            _take_moved(draft, Period(beside.start, end, *days), beside)
            continue
        draft.days.append(day)
        draft.dated = True
        before = _before().search(draft.text.rest[:start]) if feast.start else None
        if before is not None:  # "ostatnia przed pasterką": of that day, until it
            draft.feast = draft.feast or _EVE
            draft.hours.append(Hour("to", time.fromisoformat(feast.start), before.start(), end, is_strict=True))
            draft.text.take(before.start(), end)
            continue
        draft.feast = (name if feast.start else draft.feast or name) or None
        if feast.start:
            draft.vigil_from = time.fromisoformat(feast.start)
        if feast.until:
            draft.feast_until = time.fromisoformat(feast.until)
        draft.text.take(start, end)


def _take_moved(draft: Draft, period: Period, beside: Moved) -> None:
    """The days that words beside a feast mean; of an eve without a name of its own the evening."""
    draft.days.extend(period.first + timedelta(n) for n in range((period.last - period.first).days + 1))
    draft.dated = True
    own = _name_of(period.first) if period.is_day else None
    draft.feast = own or draft.feast
    if beside.is_eve and not own:
        draft.vigil_from = _VIGIL
    draft.text.take(period.start, period.end)


def _name_of(day: date) -> str | None:
    """What answers call a day, None for nothing."""
    named = ((rule, name) for feast in feasts() if not feast.start for rule, name in zip(feast.rules, feast.names, strict=True))
    return next((name for rule, name in named if name and day_of(rule, day.year) == day), None)


@cache
def _before() -> re.Pattern[str]:
    return re.compile(rf"(?<![^\W_]){expression(joined('clock', 'strict'))}\W+$")


@cache
def _lead() -> re.Pattern[str]:
    return re.compile(rf"(?<![^\W_]){expression(joined('feast_lead', 'words'))}\W+$")


def _with_lead(draft: Draft, start: int) -> int:
    """Where the feast begins with the words before it: "w święto Matki Boskiej Gromnicznej" is no holy day besides."""
    lead = _lead().search(draft.text.rest[:start])
    return lead.start() if lead is not None else start


def holy_days(draft: Draft) -> None:
    """Some holy day, the holidays of Christmas or Easter; whether days that are said are holy days of obligation."""
    for _ in draft.said("holy_day", "all"):
        ahead = (draft.today + timedelta(n) for n in range(_YEAR_OF_DAYS))
        draft.days.extend(day for day in ahead if is_holy_day(day))
        draft.asks_obligation = draft.dated = True
    if draft.days or draft.weekdays:
        draft.asks_obligation |= bool(list(draft.said("holy_day", "obligation")))
    for key, read in (("christmas", _christmas), ("easter", _easter), ("many", _holidays), ("one", _holy_day)):
        for match in words_pattern(joined("holy_day", key)).finditer(draft.text.rest):
            if "ʘ" not in match[0] and read(draft, match):
                draft.dated = True
                draft.text.take(*match.span())


def _christmas(draft: Draft, match: re.Match[str]) -> bool:
    day = next_day("12-25", draft.today - timedelta(1), draft.year)
    draft.days.extend((day, day + timedelta(1)))
    draft.feast = "Boże Narodzenie"
    return True


def _easter(draft: Draft, match: re.Match[str]) -> bool:
    day = next_day("e0", draft.today - timedelta(1), draft.year)
    draft.days.extend((day, day + timedelta(1)))
    return True


def _holidays(draft: Draft, match: re.Match[str]) -> bool:
    """ "W święta": Christmas while it is the next holy day, else the standing order of holy days; "msza święta" is no feast."""
    if _is_holy_mass(draft, match):
        return False
    coming = next_holy_day(draft.today - timedelta(1))
    if (coming.month, coming.day) == _CHRISTMAS:
        draft.days.extend(day for day in (coming, coming + timedelta(1)) if day >= draft.today)
    else:
        draft.standing = "holy_day"
    return True


def _is_holy_mass(draft: Draft, match: re.Match[str]) -> bool:
    before = draft.text.plain[: match.start()].split()[-1:] if match[0].startswith("swiet") else []
    return bool(before) and before[0].strip(".,").startswith(("msz", "mass", "eucharysti", "komuni"))


def _holy_day(draft: Draft, match: re.Match[str]) -> bool:
    if (draft.days or draft.weekdays) and match[0] == "swieto":
        return False
    start = draft.today
    if draft.week is not None:
        start = draft.today - timedelta(draft.today.weekday()) + timedelta(7 * draft.week)
    draft.days.append(next_holy_day(start))
    draft.week = None
    draft.feast = "holy_day"
    return True


def next_holy_day(start: date) -> date:
    """The first holy day of obligation from a day on.

    >>> next_holy_day(date(2026, 11, 2))
    datetime.date(2026, 12, 25)
    """
    return next(day for n in range(_YEAR_OF_DAYS) if is_holy_day(day := start + timedelta(n)))
