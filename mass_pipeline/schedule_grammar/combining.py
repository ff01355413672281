"""Which notices of a page or a site make up its schedule when several say something (field guide H16)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from mass_pipeline.model.records import ReadMass
from mass_pipeline.schedule_grammar.config import GrammarConfig
from mass_pipeline.schedule_grammar.merging import merge
from mass_pipeline.schedule_grammar.notices import Notice

_AGREEMENT: Final = 0.02  # raised confidence per agreeing notice
_MOST_AGREEMENT: Final = 0.04
_MOST_EVIDENCE: Final = 5  # agreeing notices quoted
_NEIGHBOUR_LINES: Final = 8  # a weaker notice this near to the chosen one goes on with it
_ADDITIONS: Final = frozenset({"advent", "lent", "christmasvisits", "custom"})


@dataclass(frozen=True, slots=True)
class _Group:
    """Notices that say the same."""

    notice: Notice
    page: int  # of the best of them
    pages: frozenset[int]
    count: int
    agreeing: tuple[Notice, ...] = ()


def combine(pages: Sequence[Sequence[Notice]], config: GrammarConfig) -> list[ReadMass]:
    """The schedule that the notices of some pages make up together.

    The best notice counts: score, completeness, detail, agreement. From its own page come what other notices add
    (certain weeks, Advent, other places), from elsewhere only days that it does not name.
    """
    accepted = [(page, n) for page, notices in enumerate(pages) for n in notices if n.score >= config.accept_score and n.masses]
    if not accepted:
        return []
    best, *others = sorted(_grouped(accepted), key=_rank, reverse=True)
    masses = [_confirmed(read, best) for read in best.notice.masses]
    for other in others:
        if best.page in other.pages:
            masses.extend(_additions(masses, other.notice.masses))
        masses.extend(_missing_days(masses, other.notice.masses))
    for weaker in _neighbours(best.notice, pages[best.page], config):
        masses.extend(_additions(masses, weaker.masses))
        masses.extend(_missing_days(masses, weaker.masses))
    return merge(masses)


def _says(notice: Notice) -> frozenset[tuple[object, ...]]:
    return frozenset((read.mass.days, read.mass.time, read.mass.season, read.mass.nth) for read in notice.masses)


def _grouped(notices: Iterable[tuple[int, Notice]]) -> list[_Group]:
    groups: dict[frozenset[tuple[object, ...]], _Group] = {}
    for page, notice in notices:
        key = _says(notice)
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
    more = (
        other.evidence[0]
        for notice in group.agreeing[:_MOST_EVIDENCE]
        for other in notice.masses
        if (other.mass.days, other.mass.time, other.mass.season) == (read.mass.days, read.mass.time, read.mass.season)
    )
    confidence = min(0.99, read.confidence + min(_MOST_AGREEMENT, _AGREEMENT * (group.count - 1)))
    return replace(read, confidence=confidence, evidence=tuple(dict.fromkeys((*read.evidence, *more))))


def _missing_days(masses: Sequence[ReadMass], more: Iterable[ReadMass]) -> list[ReadMass]:
    """Masses on days that nobody named so far."""
    covered = {day for read in masses if not read.mass.nth for day in read.mass.days}
    return [read for read in more if not covered & set(read.mass.days) and not read.mass.nth]


def _additions(masses: Sequence[ReadMass], more: Iterable[ReadMass]) -> list[ReadMass]:
    """Masses of certain weeks, of Advent and Lent, or at places that the list chosen does not name."""
    places = {read.mass.place for read in masses}
    return [r for r in more if r.mass.nth or r.mass.season in _ADDITIONS or (r.mass.place and r.mass.place not in places)]


def _neighbours(best: Notice, notices: Iterable[Notice], config: GrammarConfig) -> list[Notice]:
    """Notices just above or below the chosen one that alone would not be believed."""
    found: list[Notice] = []
    last = best.last
    for notice in notices:
        near = 0 <= notice.first - last <= _NEIGHBOUR_LINES or 0 <= best.first - notice.last <= _NEIGHBOUR_LINES
        if notice is not best and near and config.neighbour_score <= notice.score < config.accept_score:
            found.append(notice)
            last = max(last, notice.last)
    return found
