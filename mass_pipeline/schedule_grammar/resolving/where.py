"""Where in the calendar a run of hours holds: days, weeks and months, or a season of the Church that has no months of its own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from mass_pipeline.schedule_grammar.attaching.runs import Run, Scope
from mass_pipeline.schedule_grammar.parsing.nodes import NTH, WORKING_WEEK, YEAR, InSeason, Season
from mass_pipeline.schedule_grammar.resolving.regions import Region, in_months, region

_OVERLAYS: Final = frozenset({"advent", "lent", "christmasvisits", "custom"})
_VACATION: Final = frozenset({7, 8})
_REMARK_OF_OVERLAY: Final = {"advent": "poza Adwentem", "lent": "poza Wielkim Postem", "christmasvisits": "nie w czasie kolędy"}


@dataclass(slots=True, init=False)
class Where:
    """Days, weeks, months and overlay of a run."""

    area: Region
    overlay: str
    named: bool

    def __init__(self, area: Region, overlay: str = "", named: bool = False) -> None:
        self.area = area
        self.overlay = overlay
        self.named = named


def remarks_of(overlay: str) -> list[str]:
    """When a Mass that gives way in Advent or Lent does not take place, in words; `overlay` joins several by `+`."""
    return [_REMARK_OF_OVERLAY[name] for name in overlay.split("+") if name in _REMARK_OF_OVERLAY]


def limit(where: Where, season: Season, *, excluded: bool) -> None:
    """Narrow to a season; overlays have no months, so leaving one out changes nothing but the remark."""
    if season.months is None:
        if not excluded:
            where.overlay = season.name if _OVERLAYS.issuperset(season.name.split("+")) else "custom"
        return
    months = YEAR - season.months if excluded else season.months
    where.named = where.named or season.name in ("summer", "winter")
    where.area = in_months(where.area, months)


def anywhere(scope: Scope) -> Where:
    """Every day, within the season of the conditions."""
    where = Where(region((*WORKING_WEEK, "Su", "PH", "AF"), weeks=(*NTH, -1)))
    season = scope.get(InSeason)
    if season is not None and isinstance(season.value, Season):
        limit(where, season.value, excluded=season.excluded)
    return where


def end_academic_year_with_vacation(runs: Sequence[Run]) -> None:
    """`w roku akademickim ..., w wakacje ...` are the whole year: beside a vacation of two months the rest is not three short."""
    conds = [cond for run in runs if InSeason in run.scope for cond in (run.scope[InSeason],)]
    conds += [cond for run in runs for item in run.items for cond in item.restrictions if isinstance(cond, InSeason)]
    seasons = [cond.value for cond in conds if isinstance(cond.value, Season)]
    if not any(season.name == "academic" for season in seasons) or not any(season.months == _VACATION for season in seasons):
        return
    rest = Season(YEAR - _VACATION, "school")
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
