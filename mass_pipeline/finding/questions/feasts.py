"""Feasts by name, and their dates. Rules over a draft; the names are data (finding/feasts.toml)."""

from __future__ import annotations

import re
from datetime import date, time, timedelta
from functools import cache
from typing import Final

from mass_pipeline.finding.feasts import Feast, feasts, next_day
from mass_pipeline.finding.questions.draft import Draft, Hour
from mass_pipeline.finding.questions.vocabulary import expression, joined, mapping, number_of, words_pattern
from mass_pipeline.schedules.church_year import is_holy_day

_EVE: Final = "Wigilia"  # before another feast: the evening before that
_VIGIL: Final = time(16)
_CHRISTMAS: Final = (12, 25)
_YEAR_OF_DAYS: Final = 366


@cache
def _patterns() -> tuple[tuple[Feast, re.Pattern[str]], ...]:
    return tuple((feast, words_pattern(feast.words)) for feast in feasts())


def named_feasts(draft: Draft) -> None:
    """Feasts named in the question, the longest name first: "wigilia Bożego Narodzenia" is not Christmas Day."""
    found = [(m.end() - m.start(), m.start(), m.end(), feast) for feast, p in _patterns() for m in p.finditer(draft.text.rest)]
    eves = {
        other: start
        for _, start, end, feast in found
        if feast.names == (_EVE,)
        for _, other, _, next_one in found
        if other == end + 1 and next_one.rules != feast.rules
    }
    for _, start, end, feast in sorted(found, key=lambda one: (-one[0], one[1])):
        if "ʘ" in draft.text.rest[start:end] or start in eves.values():
            continue
        start = _with_lead(draft, start)
        day, name = min(zip((next_day(rule, draft.today, draft.year) for rule in feast.rules), feast.names, strict=True))
        beside = _weekday_beside().search(draft.text.rest[:start])
        if beside is not None:  # "the Sunday before Christmas"
            draft.days.append(_weekday_about(day, beside))
            draft.dated = True
            draft.text.take(beside.start(), end)
            continue
        before = _before().search(draft.text.rest[:start]) if feast.start else None
        if before is not None:  # "ostatnia przed pasterką": of that day, until it
            draft.days.append(day)
            draft.dated, draft.feast = True, draft.feast or _EVE
            draft.hours.append(Hour("to", time.fromisoformat(feast.start), before.start(), end, is_strict=True))
            draft.text.take(before.start(), end)
            continue
        if start in eves:
            day, start, draft.vigil_from = day - timedelta(1), eves[start], _VIGIL
        draft.days.append(day)
        draft.dated = True
        draft.feast = (name if feast.start else draft.feast or name) or None
        if feast.start:
            draft.vigil_from = time.fromisoformat(feast.start)
        if feast.until:
            draft.feast_until = time.fromisoformat(feast.until)
        draft.text.take(start, end)


@cache
def _weekday_beside() -> re.Pattern[str]:
    days = expression("|".join(mapping("weekdays").values()))
    before, after = (expression(joined("duties", f"{side}_than")) for side in ("earlier", "later"))
    return re.compile(rf"(?<![^\W_])(?P<day>{days})\W+(?:(?P<before>{before})|{after})\W+$")


def _weekday_about(feast: date, match: re.Match[str]) -> date:
    """The nearest such day of the week before or after a feast."""
    named = number_of("weekdays", match["day"])
    ahead = (named - feast.weekday()) % 7 or 7
    return feast + timedelta(ahead if match["before"] is None else -((feast.weekday() - named) % 7 or 7))


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
