"""What a clause does to the order of Masses: cancel, move, add, list, begin something new. Folded text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final

from mass_pipeline.reading.changes import phrases
from mass_pipeline.reading.changes.change import Change
from mass_pipeline.reading.changes.hours import clock_hours, mass_hours, negates_mass, speaks_of_mass
from mass_pipeline.reading.words.expressions import expression
from mass_pipeline.reading.words.period import Period

_OF_PART: Final = expression(r"<of_part>")
_PIECE: Final = expression(r", (?!o (?:<clock>|\d)|<clock>)")
_MASSES: Final = expression(r"<the_mass>|<eucharist>")
_OF_ANY: Final = expression(r"<of_any_masses>|<weekday>|<month>|<clock>|\d[\d.:]*")
_ALONG: Final = expression(r"\bze? (?:\w+ )?<along_with_masses>.*")
_MANY: Final = re.compile(r"\bze? \w+.*")
_BEHIND: Final = re.compile(r"[,;.:(–-]")
_ONE_MASS: Final = expression(r"\bjedna <the_mass>")
_FEW: Final = 2  # more hours than these are the list of a day, also after a "Msza" in the singular
_NOT_SO: Final = re.compile(r"\bnie (?!ma\b)[^,;:]*$")  # "nie obowiązuje porządek niedzielny"


@dataclass(slots=True)
class Flow:
    """What earlier clauses of a sentence leave to the next.

    Attributes:
        periods: days spoken of.
        lasting: whether they are the beginning of something that does not end.
        of_mass: whether Masses are spoken of.
        listing: whether the hours of each day are all its Masses.
        kind: of the change read last.
        among: words of the clause that named the weekdays spoken of ("w dni powszednie").
        in_season: whether weekdays ("od poniedziałku do piątku") are those of the periods.
        is_order_of_season: whether the Masses of some weeks are given: "Od 1 lipca do 31 sierpnia Msze św. w środy o 7.00 ...".
        left_out: days that the sentence excepts.
        is_of_weeks: whether an earlier clause named days of more than a week.
        denies_list: whether what does not take place is listed: "nie będzie Mszy św.: w niedziele o 13.00, a w środy o 8.00".
        issued: day of the announcement.
    """

    periods: list[Period]
    lasting: bool = False
    of_mass: bool = False
    listing: bool = False
    kind: Change | None = None
    among: str = ""
    in_season: bool = False
    is_order_of_season: bool = False
    left_out: Sequence[Period] = ()
    is_of_weeks: bool = False
    denies_list: bool = False
    issued: date = date.min


def kind_of(folded: str, times: Sequence[str], flow: Flow) -> Change | None:
    """The kind of change, None for no change.

    Args:
        folded: a clause, or the stretch of it that belongs to some days.
        times: its hours of Masses.
        flow: what earlier clauses left.
    """
    negation = phrases.NEGATION.search(folded)
    as_sunday = phrases.AS_SUNDAY.search(folded)
    if as_sunday and _NOT_SO.search(folded[: as_sunday.start()]):
        return None
    if negation and as_sunday and times and as_sunday.end() <= negation.start():
        return "as_sunday"  # "jak w niedzielę, z wyjątkiem Mszy o 18.00, której nie będzie"
    no_others = phrases.NO_OTHERS.search(folded)
    if times and (phrases.INSTEAD_OF_ALL.search(folded) or (no_others and clock_hours(folded)[0].start < no_others.start())):
        return "order"
    if negation:
        return "cancelled" if _is_cancelled(folded, negation, times) else None
    # "Msza wieczorna wyjątkowo o 16.30"; not "o 8.00 rano", which only tells the hour
    shifted = len(times) == 1 and _OF_PART.search(folded) and phrases.EXCEPTIONALLY.search(folded)
    if times and (phrases.MOVED.search(folded) or shifted):
        return "moved"
    if not phrases.REST.search(folded):
        if as_sunday:  # "Msze o 9.00 i 12.00, jak w niedzielę", "jak w niedzielę o 9.00, 11.30 i 17.00": the hours named count
            named = len(times) > 1 and phrases.NAMED_HOURS.match(folded[as_sunday.end() :])
            return "order" if named or len(mass_hours(folded[: as_sunday.start()])) > 1 else "as_sunday"
        if phrases.AS_WEEKDAY.search(folded):
            return "as_weekday"
    if flow.lasting:
        return "new_order" if times else None
    return _kind_of_list(folded, times, flow)


def _is_cancelled(folded: str, negation: re.Match[str], times: Sequence[str]) -> bool:
    behind = folded[negation.end() :]
    if phrases.NO_MORE.match(behind) or phrases.DENIED_DENIAL.search(folded) or not negates_mass(folded, negation):
        return False
    if phrases.WITHOUT_MASS.search(folded.strip()):
        return False
    if not times and phrases.NO_RORATY.search(folded):  # those fall out, not the other Masses of the day
        return False
    return bool(times) or phrases.REST.search(folded) is None  # "inne Msze nie będą odprawiane": the list before says it


def _kind_of_list(folded: str, times: Sequence[str], flow: Flow) -> Change | None:
    """Whether hours are all Masses of their day or additional ones."""
    if flow.kind == "as_sunday" and times:  # "jak w niedzielę, tylko o 14.00 na cmentarzu", "ale tylko o 8.00 i 10.00"
        return "order" if len(times) > 1 and phrases.ONLY.search(folded) else "added"
    midnight_mass = phrases.MIDNIGHT_MASS.search(folded)
    if midnight_mass and times and midnight_mass.start() < clock_hours(folded)[0].start:
        return "added"
    beside = phrases.BESIDE_USUAL.search(folded)
    if times and beside and beside.start() < clock_hours(folded)[0].start:  # "dodatkowe" stands before the first of them
        return "added"
    pieces = _PIECE.split(_ONE_MASS.sub("msza", folded) if flow.kind == "cancelled" else folded)
    if any(_is_only(piece, times) for piece in pieces) or (len(times) == 1 and phrases.ONLY_ONE.search(folded)):
        return "order"
    if times and flow.listing and not flow.lasting and not _is_partial(folded, times):
        return "order"
    dated = len(flow.periods) == 1 and flow.periods[0].first == flow.periods[0].last  # "w niedzielę 24 maja" is no list of weeks
    weekly = phrases.DAYS_OF_WEEK.search(folded) is not None and not dated
    if (
        weekly and (len(times) > 1 or (times and flow.is_order_of_season)) and not _is_partial(folded, times)
    ):  # "w niedziele o 8.00 i 11.00" within a period
        return "order"
    occasion = phrases.BEGINS_WITH_MASS.search(folded)  # "rozpoczniemy rok Mszą św.: o 8.00 klasy I–III, o 9.00 ..."
    if times and (occasion or _is_partial(folded, times)):
        return "added"
    if len(times) > _FEW or (len(times) > 1 and phrases.ORDER.search(folded)):
        return "order"
    return "added" if times else None


def _is_partial(folded: str, times: Sequence[str]) -> bool:
    """Whether the Masses of a list are some of the day: of an intention, a kind, a group, a place.

    Whatever stands between "Msze" and the first hour, or behind a list that they end, and is not said of all Masses of a day,
    tells which ones they are.

    >>> _is_partial("msze sw. zbiorowe za zmarlych o 8.00 i 18.00", ["08:00"]), _is_partial("msze sw. beda o 8.00", ["08:00"])
    (True, False)
    """
    hours = [hour for hour in clock_hours(folded) if hour.time in times]
    named = list(_MASSES.finditer(folded))
    if not hours or not named:
        return False
    before = [mass for mass in named if mass.end() <= hours[0].start]
    said = folded[before[-1].end() : hours[0].start] if before else _BEHIND.split(folded[named[0].end() :])[0]
    said = phrases.REMARK.sub(" ", said).rpartition(":")[0] if said.rstrip().endswith(":") else said
    said = (_ALONG if len(times) <= _FEW else _MANY).sub(" ", said)
    return _OF_ANY.sub(" ", said).strip(" .,;:()–-") != ""


def _is_only(piece: str, times: Sequence[str]) -> bool:
    """Whether "tylko" speaks of Masses: of the hours beside it, or of a part of the day where no hours are named."""
    if phrases.ONLY.search(piece) is None:
        return False
    has_part = any(pattern.search(piece) for _, pattern in phrases.PARTS)
    return bool(mass_hours(piece)) or (has_part and speaks_of_mass(piece)) if times else has_part
