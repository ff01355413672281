"""Masses on the way to the schedule, and which of them give way to others (field guide H5, H8)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from mass_pipeline.model.dates_of_year import YEAR, DatesOfYear, dates_of_months
from mass_pipeline.reading.doubts import EVENING_BRACKET, KNOWN_BRACKET, OTHER_BRACKET, Answers
from mass_pipeline.reading.grammar.time_groups import TimeEntry, TimeGroup
from mass_pipeline.reading.phrases.nodes import WORKDAYS, WORKING_WEEK, Cond, Days, InList, OnDays, OnNth, Season
from mass_pipeline.reading.validity.regions import (
    NOWHERE,
    Region,
    dates_of,
    days_of,
    holds_every_week,
    in_any_week,
    likened,
    on_days,
    overlap,
    subtract,
)
from mass_pipeline.reading.words.folding import fold
from mass_pipeline.reading.words.parts_of_day import AFTERNOON

SEASONAL_MINUTES: Final = 150  # a lone seasonal hour replaces a base hour this near, else it is one more Mass
_ALONG: Final = ("z ", "ze ", "połączon", "po niej", "po której")  # what comes along with the Mass
_REMARKS: Final = ("z ", "ze ", "dla ")  # with whom and for whom
_BUILDINGS: Final = (
    "kapl",
    "kosc",
    "fili",
    "sank",
    "bazy",
    "kate",
    "szpi",
    "dom ",
    "cmen",
    "klasz",
    "parafi",
    "oratori",
    "cerk",
)  # folded
_STEM: Final = 5  # letters that the cases of a name share
DARK_MONTHS: Final = dates_of_months((1, 2, 11, 12))
LIGHT_MONTHS: Final = dates_of_months((7, 8))
_LATER_IN_THE_DARK_MINUTES: Final = 60
_SEASONS_APART_MINUTES: Final = 150  # between the winter and the summer hour of one evening Mass: field guide C


@dataclass(slots=True)
class Entry:
    """A Mass with the days, weeks and months it has left after all exceptions.

    Attributes:
        time: `HH:MM`.
        area: days, weeks and dates.
        overlay: season without dates of its own, "" when none.
        place: "" for the parish church.
        notes: remarks.
        item: the hour in the text.
        label: the list it belongs to (identity of the condition), None outside lists.
        named_season: the source named summer or winter.
        uncertain: one of several readings.
        all_year: said to be so, beside hours of parts of the year: those take nothing of it.
    """

    time: str
    area: Region
    overlay: str
    place: str
    notes: list[str]
    item: TimeEntry
    label: Cond | None
    named_season: bool = False
    uncertain: bool = False
    all_year: bool = False


def is_inflection(place: str, other: str) -> bool:
    """Whether a place is another one in another case, as far as its beginning tells.

    >>> is_inflection("Jaworniku", "Jawornik (kościół parafialny)"), is_inflection("kaplica", "Jawornik")
    (True, False)
    """
    return len(place) > _STEM and fold(other).startswith(fold(place)[:_STEM])


def is_at_one_of(entry: Entry, places: Collection[str]) -> bool:
    """Whether a Mass is at one of some places, named in whatever case: `17.00 - Brzezina`, then `latem w Brzezinie 18.00`."""
    return entry.place in places or any(is_same_village(place, entry.place) for place in places)


def remark_on(entries: Iterable[Entry], parent: TimeEntry, remarks: Sequence[str]) -> None:
    """The hour stays as it is; a note says when it is not so."""
    for entry in entries:
        if entry.item is parent:
            entry.notes = [*entry.notes, *remarks]


def name_as_above(fresh: Sequence[Entry], base: Sequence[Entry]) -> None:
    """Give the places of some Masses the form in which they stand above."""
    for entry in fresh:
        entry.place = next((one.place for one in base if is_same_village(entry.place, one.place)), entry.place)


@lru_cache(maxsize=4096)  # a list asks it of each hour for each
def is_same_village(place: str, other: str) -> bool:
    """Whether a place that is no building by its first word is another one in another case.

    >>> is_same_village("Brzezinie", "Brzezina"), is_same_village("kaplica szpitalna", "kaplica Sióstr")
    (True, False)
    """
    return not fold(place).startswith(_BUILDINGS) and is_inflection(place, other)


def at_places_above(entries: Sequence[Entry], run: TimeGroup, fresh: list[Entry]) -> list[Entry]:
    """`zimą w tygodniu Msza w Polanach o 16.00`: on the days on which lists above name an hour near it, at their place.

    Returns:
        One entry per place; `fresh` itself where nothing above tells more.
    """
    season, label = run.season(), run.scope.get(InList)
    lone = len(fresh) == 1 and run.parent is None and run.stands_beside and not run.scope.keys() & {OnDays, OnNth}
    if not lone or season is None or not season.dates or label is None:
        return fresh
    if "Su" in days_of(fresh[0].area) or (isinstance(label.value, Days) and label.value.daily):
        return fresh  # "w wakacje codziennie o 8.00" means every day
    base = [entry for entry in entries if same_list(entry.label, label) and _is_moved_by(entry, fresh[0], run)]
    if not base or days_of(union(base)) >= days_of(fresh[0].area):
        return fresh
    found: list[Entry] = []
    for place in dict.fromkeys(entry.place for entry in base):
        days = days_of(union([entry for entry in base if entry.place == place]))
        found.append(replace(fresh[0], area=on_days(fresh[0].area, days), place=place, notes=list(fresh[0].notes)))
    return found


def _is_moved_by(entry: Entry, other: Entry, run: TimeGroup) -> bool:
    """Whether a Mass is that of which other words tell the hour in a season: in every week, near its hour, at its place."""
    if entry.overlay or entry.time == other.time or not holds_every_week(entry.area):
        return False
    here = entry.place == other.place or is_inflection(other.place, entry.place)
    return here and abs(minutes_of(entry.time) - minutes_of(other.time)) <= SEASONAL_MINUTES


def of_same_line(base: Sequence[Entry], fresh: Sequence[Entry]) -> Sequence[Entry]:
    """Of a list with one hour to a line, `8.00, w soboty 9.00` means the hour of its own line."""
    beside = [entry for entry in base if entry.item.line == fresh[0].item.line]
    return beside or base


def union(entries: Sequence[Entry]) -> Region:
    """All that the entries cover."""
    area = NOWHERE
    for entry in entries:
        area |= entry.area
    return area


def yield_to_season_lists(
    fresh: Iterable[Entry], label: Cond | None, season_lists: Iterable[tuple[Cond, Region, frozenset[str]]]
) -> None:
    """A list for the vacation may stand before the list that it replaces.

    Args:
        fresh: hours of a list; their areas shrink.
        label: that of the list.
        season_lists: labels of lists for parts of the year, when they hold and at which places.
    """
    for other, area, places in season_lists:
        if label is not None and other is not label and same_list(label, other):
            for entry in fresh:
                entry.area = subtract(entry.area, area) if entry.place in places else entry.area


def known_dates(entries: Sequence[Entry], hour: str, other: str) -> DatesOfYear | None:
    """The dates of the second hour where another list says when each of the two is; None when none does."""
    seasonal = [entry for entry in entries if entry.time in (hour, other) and dates_of(entry.area) != YEAR]
    dates = {entry.time: dates_of(entry.area) for entry in seasonal}
    if len(dates) < 2 or dates[hour] & dates[other] or dates[hour] | dates[other] != YEAR:
        return None
    return dates[other]


def answers_to_bracket(hour: str, bracket: str, *, known: bool) -> Answers:
    """What `17.00 (19.00)` may mean."""
    if known:
        return KNOWN_BRACKET
    is_evening = min(hour, bracket) >= AFTERNOON and abs(minutes_of(hour) - minutes_of(bracket)) <= _SEASONS_APART_MINUTES
    return EVENING_BRACKET if is_evening else OTHER_BRACKET


def with_holy_days(area: Region, entry: Entry) -> Region:
    """`nie ma Mszy o 13.00 w niedziele`: what is taken from Sundays is taken from the holy days of the same list."""
    label = entry.label.value if entry.label is not None else None
    if not isinstance(label, Days) or not label.days >= {"Su", "PH"}:
        return area
    return likened(area, "Su", "PH")


def latest_shift(season: Season | None, near: int) -> int:
    """Greatest distance in minutes at which a later hour of a season takes the place of another one.

    In the dark half of the year Masses begin earlier; a much later hour then is one more Mass, as that of students.
    """
    dates = (season.dates if season is not None else None) or YEAR
    dark = not DARK_MONTHS & ~dates and not dates & LIGHT_MONTHS
    return min(near, _LATER_IN_THE_DARK_MINUTES) if dark else near


def is_said_again(entry: Entry, entries: Iterable[Entry]) -> bool:
    """`Nd 12.30 – z dziećmi` below a list that has the hour of these days for a part of the year: a remark, and no other hour."""
    if entry.item.vigil or not entry.notes or not all(note.startswith(_REMARKS) for note in entry.notes):
        return False
    days = days_of(entry.area) - {"PH"}
    return dates_of(entry.area) == YEAR and any(
        other.time == entry.time
        and other.place == entry.place
        and other.item.line != entry.item.line
        and dates_of(other.area) != YEAR
        and days_of(other.area) - {"PH"} == days
        for other in entries
    )


def is_one_of_them(fresh: Sequence[Entry], base: Sequence[Entry]) -> bool:
    """`W środy o 18.00 Msza św. z nowenną` below `6.30, 8.00, 18.00`: a remark on one of the hours, which leaves the others."""
    if len(fresh) != 1 or not any(entry.time == fresh[0].time for entry in base):
        return False
    return bool(fresh[0].notes) and all(note.startswith(_ALONG) for note in fresh[0].notes)


def is_list_of(one: Cond | None, other: Cond | None) -> bool:
    """Days named outside any list (a row of a table) change the weekday list all the same."""
    if one is other:
        return True
    return other is None and one is not None and isinstance(one.value, Days) and one.value.days in (WORKING_WEEK, WORKDAYS)


def same_list(one: Cond | None, other: Cond | None) -> bool:
    """A seasonal list replaces the list of the same days, wherever it stood."""
    if one is None or other is None or one is other:
        return one is other
    assert isinstance(one.value, Days)
    assert isinstance(other.value, Days)
    return bool(one.value.days & other.value.days)


def giving_way(base: Sequence[Entry], fresh: Sequence[Entry], *, only: bool, near: int, later: int) -> list[Entry]:
    """The base hours that give way: all of them to a list, the nearest one to a lone hour.

    Args:
        base: what may give way.
        fresh: what may take its place.
        only: the fresh hours are the only ones.
        near, later: greatest distance in minutes of a lone hour from the one whose place it takes, when it comes earlier and
            when it comes later.
    """
    times = {entry.time for entry in base}
    hours = {entry.time for entry in fresh}
    if len(hours) > 1 and not only and min(hours) >= AFTERNOON:
        evening = [entry for entry in base if entry.time >= AFTERNOON]
        if len({entry.time for entry in evening}) == len(hours):
            return evening  # "7.00, 16.00, 17.30; czas letni 17.00, 18.30": the morning stays
    if only or len(hours) > 1 or _most_at_once(base) <= 1:
        return list(base)
    lone = fresh[0].time
    if lone in times:
        return list(base)
    nearest = min(base, key=lambda entry: abs(minutes_of(entry.time) - minutes_of(lone)))
    if not -near <= minutes_of(lone) - minutes_of(nearest.time) <= later:
        return []
    return [entry for entry in base if entry.time == nearest.time]


def where_it_stands(entries: Iterable[Entry], victim: str, run: TimeGroup) -> Region:
    """The days of an hour that a run puts others in the place of.

    `W Adwencie zamiast 7.00 roraty o 6.30`: weekdays, where they have the hour, whether or not Sundays have it too.
    """
    area = union([entry for entry in entries if entry.time == victim])
    return (on_days(area, WORKING_WEEK) if is_roraty(run) else NOWHERE) or area


def changed_hour(siblings: TimeGroup, fresh: Sequence[Entry]) -> tuple[TimeEntry, Entry] | None:
    """The one hour of a list that a bracket with as many hours changes, and what it becomes; None of any other bracket."""
    if len(fresh) != len(siblings.items) or len(fresh) < 2:
        return None
    changed = [(item, entry) for item, entry in zip(siblings.items, fresh, strict=True) if item.clock.time != entry.time]
    return changed[0] if len(changed) == 1 else None


def is_roraty(run: TimeGroup) -> bool:
    """Whether the hours of a run are those of roraty, which are of Advent."""
    return any(fold(note).startswith("rorat") for item in run.items for note in item.notes)


def near(entries: Iterable[Entry], hour: str) -> list[Entry]:
    """The entries that may be the Mass of an hour in a part of the year."""
    return [entry for entry in entries if abs(minutes_of(entry.time) - minutes_of(hour)) <= SEASONAL_MINUTES]


def _most_at_once(base: Sequence[Entry]) -> int:
    """The greatest number of hours on one day of some date: a summer and a winter hour are one Mass."""
    areas: dict[str, Region] = {}
    for entry in base:
        areas[entry.time] = areas.get(entry.time, NOWHERE) | in_any_week(entry.area)
    deepest: list[Region] = []  # what lies in one area at least, in two at least, ...
    for area in areas.values():
        for depth, known in enumerate(deepest):
            deepest[depth], area = known | area, known & area
        deepest += [area] if area else []
    return len(deepest)


def minutes_of(time: str) -> int:
    """Minutes since midnight of `HH:MM`."""
    return int(time[:2]) * 60 + int(time[3:])


def stands_only_beside(entries: Iterable[Entry], time: str, area: Region) -> bool:
    """`W wakacje nie ma Mszy o 6.30 i 10.30` below the list of weekdays: whether an hour stands in other lists alone."""
    return not any(entry.time == time and overlap(entry.area, area) for entry in entries)
