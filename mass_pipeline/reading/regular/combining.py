"""Which notices of a page or a site make up its schedule when several say something."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from math import exp
from typing import Final

from mass_pipeline.model.dates_of_year import YEAR, dates_of_season, joined, seasons_of
from mass_pipeline.model.records import Day, ReadMass
from mass_pipeline.reading.regular.new_orders import in_force
from mass_pipeline.reading.regular.readings import Weighted, distinct, with_marginal_confidence, worth_telling
from mass_pipeline.reading.regular.schedule_blocks import ACCEPT_SCORE, DAY_WEIGHT, NEIGHBOUR_SCORE, ScheduleBlock
from mass_pipeline.reading.validity.contradictions import are_rivals, lists_in_common
from mass_pipeline.reading.validity.merging import merge
from mass_pipeline.reading.words.parts_of_day import SEASONAL_MINUTES, minutes_between

_AGREEMENT: Final = 0.02  # raised confidence per agreeing notice
_MOST_AGREEMENT: Final = 0.04
_MOST_EVIDENCE: Final = 5  # agreeing notices quoted
_NEIGHBOUR_LINES: Final = 8  # a weaker notice this near to the chosen one goes on with it
_EQUAL_STANDING: Final = 0.1  # difference in rank up to which pages that contradict each other count as equal
_AS_LIKELY: Final = 0.5  # weight of an order that the page contradicts
_STEM: Final = 4  # letters that names of places keep in every case
_ADDITIONS: Final = frozenset({"advent", "lent", "christmasvisits", "custom"})


@dataclass(frozen=True, slots=True)
class _Group:
    """Notices that say the same."""

    notice: ScheduleBlock
    page: int  # of the best of them
    pages: frozenset[int]
    count: int
    agreeing: tuple[ScheduleBlock, ...] = ()


def combine(pages: Sequence[Sequence[ScheduleBlock]]) -> Weighted:
    """The schedule that the notices of some pages make up together, and what else they may mean.

    The best notice counts: score, completeness, detail, agreement. From its own page come what other notices add
    (certain weeks, Advent, other places), from elsewhere only days that it does not
    name, and the churches of a page about filial ones. A page that stands as high and
    contradicts it makes another reading.

    Returns:
        Readings with their weights, likeliest first; empty when no notice is accepted.
    """
    pages = in_force(pages)
    accepted = [(page, n) for page, notices in enumerate(pages) for n in notices if n.score >= ACCEPT_SCORE and n.masses]
    if not accepted:
        return ()
    groups = sorted(_grouped(accepted), key=_rank, reverse=True)
    best, *others = groups
    weaker = [
        _Group(notice, best.page, best.pages, 1)
        for notice in pages[best.page]
        if DAY_WEIGHT <= notice.score < ACCEPT_SCORE and notice.masses
    ]
    rivals = [other for other in (*others, *weaker) if _contradicts(other, best)]
    standing = {id(group): _standing(group, best) for group in (best, *rivals)}
    total = sum(standing.values())
    share = standing[id(best)] / total
    readings = [(share * best.notice.reading.weight, _completed(best, best.notice.masses, others, pages))]
    for weight, masses in best.notice.reading.alternatives:
        readings.append((share * weight, _completed(best, masses, others, pages)))
    contradicting: list[tuple[float, tuple[ReadMass, ...]]] = []
    for rival in rivals:
        rest = [group for group in groups if group is not rival]
        contradicting.append((standing[id(rival)] / total, _completed(rival, rival.notice.masses, rest, pages)))
    first, *alternatives = distinct((*readings, *contradicting))
    published = _contradicted(first[1], share, contradicting) if rivals else first[1]
    for rival in rivals:
        published += tuple(_only_stated_by(rival, published)) if best.page in rival.pages else ()
    return (first[0], published), *worth_telling(alternatives)


def _contradicted(
    masses: tuple[ReadMass, ...], share: float, contradicting: Sequence[tuple[float, tuple[ReadMass, ...]]]
) -> tuple[ReadMass, ...]:
    """The rows of the chosen order, each with the weight of the orders that contradict it and lack the row."""
    sure = with_marginal_confidence(masses, ((share, masses), *contradicting))
    return tuple(
        replace(read, contradicted=max(alone.contradicted, round(1.0 - read.confidence / alone.confidence, 4)))
        for read, alone in zip(sure, masses, strict=True)
    )


def _only_stated_by(rival: _Group, masses: tuple[ReadMass, ...]) -> Iterator[ReadMass]:
    """The rows of another order of the page that the chosen one lacks: a person chooses, so neither is dropped."""
    known = {(day, read.mass.time, read.mass.place) for read in masses for day in read.mass.days}
    for read in rival.notice.masses:
        if any((day, read.mass.time, read.mass.place) not in known for day in read.mass.days):
            yield replace(read, contradicted=max(read.contradicted, _AS_LIKELY))


def _completed(
    best: _Group,
    masses: Sequence[ReadMass],
    others: Sequence[_Group],
    pages: Sequence[Sequence[ScheduleBlock]],
) -> tuple[ReadMass, ...]:
    """One reading of the best notice with what the others add."""
    found = [_confirmed(read, best) for read in masses]
    for other in others:
        if best.page in other.pages:
            found = [*_with_seasons(found, other.notice.masses), *_additions(found, other.notice.masses)]
        elif other.notice.of_filial_churches:
            found.extend(_of_other_churches(found, other.notice.masses))
        found.extend(_missing_days(found, other.notice.masses))
    for weaker in _neighbours(best.notice, pages[best.page]):
        found = [*_with_seasons(found, weaker.masses), *_additions(found, weaker.masses)]
        found.extend(_missing_days(found, weaker.masses))
    is_merged = not best.agreeing and [one.mass for one in found] == [one.mass for one in masses]  # as one reading is
    return tuple(found if is_merged else merge(found))


def _contradicts(other: _Group, best: _Group) -> bool:
    """Whether another block of the page, or a page of equal standing, states another order of the same church."""
    same_page = best.page in other.pages
    if not same_page and _rank(best)[0] - _rank(other)[0] > _EQUAL_STANDING:
        return False
    if not same_page:
        ours, theirs = _plain_hours(best.notice.masses), _plain_hours(other.notice.masses)
        return any(ours[day] - theirs[day] and theirs[day] - ours[day] for day in ours.keys() & theirs.keys())
    for season in {read.mass.when for read in best.notice.masses} & {read.mass.when for read in other.notice.masses}:
        ours, theirs = _plain_hours(best.notice.masses, season), _plain_hours(other.notice.masses, season)
        if any(are_rivals(ours[day], theirs[day]) for day in lists_in_common(ours.keys(), theirs.keys())):
            return True
    return False


def _plain_hours(masses: Iterable[ReadMass], season: str = "all") -> dict[str, set[str]]:
    """Day -> hours of every week in a season, at no other place."""
    hours: dict[str, set[str]] = {}
    for mass in (read.mass for read in masses):
        if mass.nth is None and mass.when == season and not mass.place:
            for day in mass.days:
                hours.setdefault(day, set()).add(mass.time)
    return hours


def _standing(group: _Group, best: _Group) -> float:
    """How much speaks for a group, at most as much as for the best one: the less the lower it ranks."""
    if best.page in group.pages:
        return 1.0  # of one page nobody can say which
    return min(1.0, group.count / best.count) * exp((_rank(group)[0] - _rank(best)[0]) / _EQUAL_STANDING)


def _grouped(notices: Iterable[tuple[int, ScheduleBlock]]) -> list[_Group]:
    groups: dict[frozenset[tuple[object, ...]], _Group] = {}
    for page, notice in notices:
        key = frozenset((read.mass.days, read.mass.time, read.mass.when, read.mass.nth) for read in notice.masses)
        known = groups.get(key)
        if known is None:
            groups[key] = _Group(notice, page, frozenset({page}), 1)
        elif notice.strength > known.notice.strength:
            groups[key] = _Group(notice, page, known.pages | {page}, known.count + 1, (*known.agreeing, known.notice))
        else:
            agreeing = (*known.agreeing, notice)
            groups[key] = replace(known, pages=known.pages | {page}, count=known.count + 1, agreeing=agreeing)
    return list(groups.values())


def _rank(group: _Group) -> tuple[float, int, int]:
    """Better first: score with completeness and detail, then agreement, then size."""
    days = {day for read in group.notice.masses for day in read.mass.days}
    seasons = {read.mass.season for read in group.notice.masses} - {"all"}
    completeness = len(days) / 9 + (0.2 if seasons else 0.0)
    return round(group.notice.strength + completeness, 3), group.count, len(group.notice.masses)


def _confirmed(read: ReadMass, group: _Group) -> ReadMass:
    """The reading with the evidence and the confidence that agreeing notices lend."""
    if not group.agreeing:
        return read
    more = [
        other
        for notice in group.agreeing[:_MOST_EVIDENCE]
        for other in notice.masses
        if (other.mass.days, other.mass.time, other.mass.when) == (read.mass.days, read.mass.time, read.mass.when)
    ]
    confidence = min(0.99, read.confidence + min(_MOST_AGREEMENT, _AGREEMENT * (group.count - 1)))
    evidence = tuple(dict.fromkeys((*read.evidence, *(other.evidence[0] for other in more))))
    unexplained = read.unexplained if all(other.unexplained for other in more) else ()
    return replace(read, confidence=confidence, evidence=evidence, unexplained=unexplained)


def _missing_days(masses: Sequence[ReadMass], more: Iterable[ReadMass]) -> list[ReadMass]:
    """Masses on days that nobody named so far."""
    covered = {day for read in masses if not read.mass.nth for day in read.mass.days}
    return [read for read in more if not covered & set(read.mass.days) and not read.mass.nth]


def _additions(masses: Sequence[ReadMass], more: Iterable[ReadMass]) -> list[ReadMass]:
    """Masses of certain weeks, of Advent and Lent, or at places that the list chosen does not name."""
    places = {read.mass.place for read in masses}
    return [r for r in more if r.mass.nth or r.mass.season in _ADDITIONS or (r.mass.place and r.mass.place not in places)]


def _with_seasons(masses: Sequence[ReadMass], more: Sequence[ReadMass]) -> list[ReadMass]:
    """An order with the lists that another block of the page states for a part of the year, which take the place of its own then.

    Of a single hour the nearest one gives way, as within a block (`overrides`). A block that states all the year of a day has an
    order of its own.
    """
    if all(read.mass.when == "all" for read in more):
        return list(masses)
    found = list(masses)
    lists: dict[tuple[Day, str], list[ReadMass]] = {}
    for read in more:
        for day in read.mass.days if read.mass.nth is None else ():
            lists.setdefault((day, read.mass.place), []).append(read)
    for (day, place), listed in lists.items():
        told = joined(dates_of_season(read.mass.when) or YEAR for read in listed)
        if told == YEAR:
            continue
        base = [read for read in found if (day in read.mass.days and read.mass.place == place and read.mass.nth is None)]
        if not base or any(read.mass.when != "all" for read in base):
            continue
        hours = {read.mass.time for read in listed}
        gone = base if len(hours) > 1 else _nearest(base, listed[0].mass.time)
        for read in base:
            found.remove(read)
            rest = seasons_of(YEAR & ~told) if read in gone and read.mass.time not in hours else [("all", "")]
            others = tuple(other for other in read.mass.days if other != day)
            found += [replace(read, mass=replace(read.mass, days=others))] if others else []
            found += [replace(read, mass=replace(read.mass, days=(day,), season=name, season_days=on)) for name, on in rest]
        found += [replace(read, mass=replace(read.mass, days=(day,))) for read in listed]
    return found


def _nearest(base: Sequence[ReadMass], time: str) -> list[ReadMass]:
    """The hours of one Mass in other parts of the year; none where the nearest is too far."""
    least = min(minutes_between(read.mass.time, time) for read in base)
    near = [read for read in base if minutes_between(read.mass.time, time) == least]
    return near if least <= SEASONAL_MINUTES else []


def _of_other_churches(masses: Sequence[ReadMass], more: Iterable[ReadMass]) -> list[ReadMass]:
    """Masses at places of which nothing was said so far, in whatever case their names stand."""
    known = {place[:_STEM] for read in masses if (place := read.mass.place)}
    return [read for read in more if read.mass.place and read.mass.place[:_STEM] not in known]


def _neighbours(best: ScheduleBlock, notices: Iterable[ScheduleBlock]) -> list[ScheduleBlock]:
    """Notices just above or below the chosen one that alone would not be believed."""
    found: list[ScheduleBlock] = []
    last = best.last
    for notice in notices:
        near = 0 <= notice.first - last <= _NEIGHBOUR_LINES or 0 <= best.first - notice.last <= _NEIGHBOUR_LINES
        if notice is not best and near and NEIGHBOUR_SCORE <= notice.score < ACCEPT_SCORE:
            found.append(notice)
            last = max(last, notice.last)
    return found
