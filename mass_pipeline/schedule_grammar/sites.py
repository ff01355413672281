"""Merge what the pages of one site say into its schedule."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from mass_pipeline.model.records import ReadMass, SiteSchedule
from mass_pipeline.schedule_grammar.config import DEFAULT, GrammarConfig
from mass_pipeline.schedule_grammar.merging import merge
from mass_pipeline.schedule_grammar.notices import Notice
from mass_pipeline.schedule_grammar.reading import PageReading

_AGREEMENT: Final = 0.02  # raised confidence per agreeing notice
_MOST_AGREEMENT: Final = 0.04


@dataclass(frozen=True, slots=True)
class _Group:
    """Notices of a site that say the same."""

    notice: Notice
    count: int


def read_site(readings: Sequence[PageReading], config: GrammarConfig = DEFAULT) -> SiteSchedule:
    """The schedule of a site from the readings of its pages.

    Args:
        readings: one per page, in any order.
        config: least score of a notice.

    Returns:
        The best notice, completed by days and places that only other accepted notices name. Agreement raises confidence.
    """
    notices = [n for reading in readings for n in reading.notices if n.score >= config.accept_score and n.masses]
    if not notices:
        return _nothing(readings)
    groups = _grouped(notices)
    best, *others = sorted(groups, key=_rank, reverse=True)
    masses = [_confirmed(read, best.count) for read in best.notice.masses]
    for other in others:
        masses.extend(_missing(masses, other))
    return SiteSchedule(tuple(merge(masses)), "read")


def _nothing(readings: Sequence[PageReading]) -> SiteSchedule:
    return SiteSchedule()


def _key(notice: Notice) -> frozenset[tuple[object, ...]]:
    return frozenset((read.mass.days, read.mass.time, read.mass.season, read.mass.nth) for read in notice.masses)


def _grouped(notices: Sequence[Notice]) -> list[_Group]:
    groups: dict[frozenset[tuple[object, ...]], _Group] = {}
    for notice in notices:
        key = _key(notice)
        known = groups.get(key)
        better = known is None or notice.score > known.notice.score
        groups[key] = _Group(notice if known is None or better else known.notice, (known.count if known else 0) + 1)
    return list(groups.values())


def _rank(group: _Group) -> tuple[float, int, int]:
    """Better first: score with completeness, then agreement, then size."""
    days = {day for read in group.notice.masses for day in read.mass.days}
    seasons = {read.mass.season for read in group.notice.masses} - {"all"}
    completeness = len(days) / 9 + (0.2 if seasons else 0.0)
    return round(group.notice.score + completeness, 3), group.count, len(group.notice.masses)


def _confirmed(read: ReadMass, count: int) -> ReadMass:
    return replace(read, confidence=min(0.99, read.confidence + min(_MOST_AGREEMENT, _AGREEMENT * (count - 1))))


def _missing(masses: Sequence[ReadMass], group: _Group) -> list[ReadMass]:
    """Masses on days that nobody named so far."""
    covered = {day for read in masses for day in read.mass.days}
    return [read for read in group.notice.masses if not covered & set(read.mass.days)]
