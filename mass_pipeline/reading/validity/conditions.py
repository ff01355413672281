"""Conditions in the calendar of a group of times: days, weeks and months, or a season of the Church without dates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from mass_pipeline.model.dates_of_year import NO_DATES, YEAR, DatesOfYear, dates_of_months, joined
from mass_pipeline.reading.grammar.time_groups import Scope, TimeGroup
from mass_pipeline.reading.phrases.nodes import (
    NTH,
    WORKING_WEEK,
    Cond,
    Days,
    InList,
    InSeason,
    Nth,
    OnDays,
    Season,
)
from mass_pipeline.reading.validity.entries import SEASONAL_MINUTES, minutes_of
from mass_pipeline.reading.validity.regions import Region, on_dates, region

_OVERLAYS: Final = frozenset({"advent", "lent", "christmasvisits", "custom"})
_VACATION: Final = dates_of_months((7, 8))
_MOST_PARTS: Final = 60  # of hours in seasons of one notice, each of which is compared with each
_Besides = frozenset[tuple[type[Cond], Days | Nth | Season | str, bool]]
_REMARK_OF_OVERLAY: Final = {"advent": "poza Adwentem", "lent": "poza Wielkim Postem", "christmasvisits": "nie w czasie kolędy"}


@dataclass(slots=True)
class Conditions:
    """Days, weeks, dates and overlay of a run."""

    area: Region
    overlay: str = ""
    named: bool = False


def remarks_of(overlay: str) -> list[str]:
    """When a Mass that gives way in Advent or Lent does not take place, in words; `overlay` joins several by `+`."""
    return [_REMARK_OF_OVERLAY[name] for name in overlay.split("+") if name in _REMARK_OF_OVERLAY]


def limit(where: Conditions, season: Season, *, excluded: bool) -> None:
    """Narrow to a season; overlays have no dates, so leaving one out changes nothing but the remark."""
    if season.dates is None:
        if not excluded:
            where.overlay = season.name if _OVERLAYS.issuperset(season.name.split("+")) else "custom"
        return
    dates = YEAR & ~season.dates if excluded else season.dates
    where.named = where.named or season.name in ("summer", "winter")
    where.area = on_dates(where.area, dates)


def anywhere(scope: Scope) -> Conditions:
    """Every day, within the season of the conditions."""
    where = Conditions(region((*WORKING_WEEK, "Su", "PH", "AF"), weeks=(*NTH, -1)))
    season = scope.get(InSeason)
    if season is not None and isinstance(season.value, Season):
        limit(where, season.value, excluded=season.excluded)
    return where


def end_academic_year_with_vacation(runs: Sequence[TimeGroup]) -> None:
    """`w roku akademickim ..., w wakacje ...` are the whole year: beside a vacation of two months the rest is not three short."""
    conds = [cond for run in runs if InSeason in run.scope for cond in (run.scope[InSeason],)]
    conds += [cond for run in runs for item in run.items for cond in item.restrictions if isinstance(cond, InSeason)]
    seasons = [cond.value for cond in conds if isinstance(cond.value, Season)]
    if not any(season.name == "academic" for season in seasons) or not any(season.dates == _VACATION for season in seasons):
        return
    rest = Season(YEAR & ~_VACATION, "school")
    longer = {
        id(cond): InSeason(rest, cond.start, cond.end, excluded=cond.excluded)
        for cond in conds
        if isinstance(cond.value, Season) and cond.value.name == "academic"
    }
    for run in runs:
        if InSeason in run.scope:
            run.scope[InSeason] = longer.get(id(run.scope[InSeason]), run.scope[InSeason])
        for item in run.items:
            item.restrictions = [longer.get(id(cond), cond) for cond in item.restrictions]


def hours_of_parts_of_the_year(runs: Sequence[TimeGroup]) -> frozenset[int]:
    """`7.00, latem 18.00, zimą 17.00`: one Mass with its hour in each part of the year, which takes the place of no other.

    Returns:
        Identities of the runs of one hour that, with others of their list and place near that hour, cover the year.
    """
    lone = [run for run in runs if len(run.items) == 1 and run.parent is None and run.stands_beside and _dates_of(run)]
    lone = [run for run in lone if not {InList, OnDays} <= run.scope.keys()]  # "18.00, we wtorek 7.00 (latem)" is Tuesday's own
    found: set[int] = set()
    for run in lone[:_MOST_PARTS]:
        parts = [other for other in lone[:_MOST_PARTS] if _is_same_mass(run, other)]
        if joined(map(_dates_of, parts)) == YEAR and len(parts) > 1:
            found.add(id(run))
    return frozenset(found)


def _dates_of(run: TimeGroup) -> DatesOfYear:
    season = run.season()
    named = season is not None and not run.scope[InSeason].excluded
    return (season.dates or NO_DATES) if season is not None and named else NO_DATES


def _is_same_mass(run: TimeGroup, other: TimeGroup) -> bool:
    """Whether two hours are those of one Mass as far as days, place and hour tell."""
    one, two = (minutes_of(each.items[0].clock.time) for each in (run, other))
    return _said_besides(run) == _said_besides(other) and abs(one - two) <= SEASONAL_MINUTES


def _said_besides(run: TimeGroup) -> _Besides:
    """What governs a run besides the season."""
    return frozenset((dim, cond.value, cond.excluded) for dim, cond in run.scope.items() if dim is not InSeason)
