"""A standing order as people read it: lists by days, days with equal hours together."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from mass_pipeline.finding.index.records import MassRecord
from mass_pipeline.model.records import DAYS, Day

_ORDER: Final[tuple[Day, ...]] = ("Su", "PH", "Mo", "Tu", "We", "Th", "Fr", "Sa", "AF")
Standing = str | tuple[str, ...]


@dataclass(frozen=True, slots=True)
class OrderList:
    """Days that have the same Masses, and these by hour."""

    days: tuple[Day, ...]
    masses: tuple[MassRecord, ...]


def order_lists(rules: Iterable[MassRecord], standing: Standing = "all") -> list[OrderList]:
    """Lists of a standing order: Sundays, holy days, weekdays, abolished feasts.

    Args:
        rules: rows of one parish; dated exceptions are left out.
        standing: which days: `sunday`, `weekday`, `holy_day`, `all`, or days themselves.
    """
    rows = [rule for rule in rules if rule.row.exception is None]
    lists: list[OrderList] = []
    for day in wanted_days(standing):
        masses = tuple(sorted((rule for rule in rows if day in rule.row.mass.days), key=_by_hour))
        if not masses:
            continue
        if lists and lists[-1].masses == masses and (lists[-1].days[0] in ("Su", "PH")) == (day in ("Su", "PH")):
            lists[-1] = OrderList((*lists[-1].days, day), masses)
        else:
            lists.append(OrderList((day,), masses))
    return lists


def wanted_days(standing: Standing) -> Sequence[Day]:
    """Days that a word for a standing order means.

    >>> wanted_days("holy_day"), wanted_days(("We",))
    (('PH',), ('We',))
    """
    named: dict[str, tuple[Day, ...]] = {"sunday": ("Su",), "holy_day": ("PH",), "weekday": DAYS[:6], "all": _ORDER}
    if isinstance(standing, str):
        return named.get(standing, _ORDER)
    return tuple(day for day in _ORDER if day in standing)


def _by_hour(rule: MassRecord) -> tuple[object, ...]:
    mass = rule.row.mass
    return (mass.time, mass.place, mass.season, mass.season_days, mass.note, rule.pk)
