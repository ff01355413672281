"""`17.00, 18.00 (latem)`: two evening hours of weekdays of which one is that of a season, mostly one Mass.

Belongs here: when the other hour is that of the rest of the year. Not here: brackets that hold an hour (`resolver`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from mass_pipeline.model.dates_of_year import YEAR, months_in
from mass_pipeline.reading.doubts import EVENING_PAIR, Doubts, Question
from mass_pipeline.reading.grammar.time_groups import TimeEntry, TimeGroup
from mass_pipeline.reading.phrases.nodes import DAYS_OF_LIST, WORKING_WEEK, Cond, Dated, InSeason, OnNth, Season
from mass_pipeline.reading.phrases.predicates import are_seasons_apart
from mass_pipeline.reading.validity.entries import DARK_MONTHS, LIGHT_MONTHS
from mass_pipeline.reading.words.parts_of_day import EVENING

_MOST_OF_THE_YEAR: Final = 8  # months: "15.45 (IX-VI), 17.45" leaves the vacation no hour of its own


def pair_evenings(runs: Sequence[TimeGroup], doubts: Doubts) -> None:
    """Give the hour that names no season the rest of the year, where it is the other hour of the same Mass."""
    for run in runs:
        label = run.label()
        if label is None or not label.days <= WORKING_WEEK or not _is_plain(run):
            continue
        evening = [item for item in run.items if item.is_live and item.clock.time >= EVENING and not _is_of_a_day(item)]
        pair = _pair(evening) if len(evening) == 2 else None
        if pair is None:
            continue
        plain, seasonal, cond = pair
        question = Question("season", f"{plain.clock.time}, {seasonal.clock.time}")
        if doubts.answer(question, EVENING_PAIR) == "other half of the year":
            assert isinstance(cond.value, Season)
            other = Season(YEAR & ~(cond.value.dates or YEAR))
            plain.restrictions.append(InSeason(other, cond.start, cond.end))


def _is_plain(run: TimeGroup) -> bool:
    """Whether the hours of a run are listed side by side for the whole year."""
    return run.stands_beside and run.parent is None and not run.scope.keys() & {InSeason, OnNth, Dated}


def _is_of_a_day(item: TimeEntry) -> bool:
    """`16.00 (sobota – Lipie)`, `19.00 (I piątek)`: an evening beside the pair."""
    split = any(isinstance(days, DAYS_OF_LIST) for days, _ in item.splits)
    return split or any(isinstance(cond, DAYS_OF_LIST) and not cond.excluded for cond in item.restrictions)


def _pair(evening: Sequence[TimeEntry]) -> tuple[TimeEntry, TimeEntry, Cond] | None:
    """The hour that names no season, the one that does, and the season; None when they are two Masses."""
    plain = next((item for item in evening if not (item.restrictions or item.splits or item.partial)), None)
    seasonal = next((item for item in evening if _season_alone(item) is not None), None)
    if plain is None or seasonal is None or plain.place != seasonal.place or seasonal.either is plain or evening[1].joined:
        return None
    cond = _season_alone(seasonal)
    dates = cond.value.dates if cond is not None and isinstance(cond.value, Season) else None
    if cond is None or not dates:
        return None
    hours = plain.clock.time, seasonal.clock.time
    if len(months_in(dates)) > _MOST_OF_THE_YEAR:
        return None
    fits = not dates & (DARK_MONTHS if hours[1] > hours[0] else LIGHT_MONTHS)
    return (plain, seasonal, cond) if fits and are_seasons_apart(*hours) else None


def _season_alone(item: TimeEntry) -> Cond | None:
    """The season an hour is limited to, None when it is not, or otherwise too."""
    cond = item.restrictions[0] if len(item.restrictions) == 1 else None
    season = cond is not None and isinstance(cond, InSeason) and not cond.excluded and not (item.splits or item.partial)
    return cond if season else None
