"""Whether a new index may take the place of the last one: coverage, the next seven days, and a sample."""

from __future__ import annotations

import contextlib
import hashlib
import sqlite3
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Final

from mass_pipeline.finding.expansion import MINUTES_A_DAY
from mass_pipeline.model.errors import StorageError

CANARIES: Final = 20
_LOST_CANARIES: Final = 2  # of 20: more do not lose their whole order between two generations
DAYS_COMPARED: Final = 7


@dataclass(frozen=True, slots=True)
class Coverage:
    """What of an index is compared.

    Attributes:
        with_order: parishes that have a standing order.
        per_day: date -> Masses laid out on it.
        canaries: parishes of a fixed sample that have an order.
        built_at: moment the index speaks of.
    """

    with_order: int
    per_day: dict[date, int]
    canaries: frozenset[str]
    built_at: datetime


def read_coverage(path: Path) -> Coverage:
    """Coverage of an index.

    Raises:
        StorageError: the file is no readable index.
    """
    try:
        with contextlib.closing(sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True)) as connection:
            if connection.execute("PRAGMA quick_check").fetchone()[0] != "ok":
                raise StorageError(f"{path}: the index is damaged.")
            meta = dict(connection.execute("SELECT key, value FROM meta").fetchall())
            first, built_at = date.fromisoformat(meta["first_day"]), datetime.fromisoformat(meta["built_at"])
            query = "SELECT DISTINCT parish_id FROM mass JOIN parish ON parish.pk = mass.parish WHERE exception IS NULL"
            ordered = sorted((row[0] for row in connection.execute(query)), key=lambda one: hashlib.sha256(one.encode()).digest())
            counted = connection.execute(f"SELECT t / {MINUTES_A_DAY}, count(*) FROM occ GROUP BY 1")  # noqa: S608 - a constant
            per_day = {first + timedelta(days): count for days, count in counted}
    except (sqlite3.Error, KeyError, TypeError, ValueError) as error:
        raise StorageError(f"{path}: is no readable public index ({error}).") from error
    return Coverage(len(ordered), per_day, frozenset(ordered[:CANARIES]), built_at)


def objections(
    new: Path, former: Path | None, today: date, *, min_parishes_share: float, min_occurrences_share: float
) -> list[str]:
    """Why a new index may not take the place of the former one; none when it may.

    Args:
        new, former: index files; the first generation of all has no former one.
        today: the next seven days begin here.
        min_parishes_share: least share of the former parishes with an order.
        min_occurrences_share: least share of the former Masses of each day.
    """
    coverage = read_coverage(new)
    if not coverage.with_order:
        return ["no parish has an order"]
    if former is None:
        return []
    found: list[str] = []
    before = read_coverage(former)
    if coverage.built_at < before.built_at:
        found.append(
            f"its clock says {coverage.built_at:%Y-%m-%d %H:%M}, the last generation is of {before.built_at:%Y-%m-%d %H:%M}"
        )
    if coverage.with_order < min_parishes_share * before.with_order:
        found.append(f"{coverage.with_order} parishes have an order, {before.with_order} had one")
    for offset in range(DAYS_COMPARED):
        day = today + timedelta(offset)
        had, has = before.per_day.get(day, 0), coverage.per_day.get(day, 0)
        if has < min_occurrences_share * had:
            found.append(f"{has} Masses on {day}, there were {had}")
    return found + _lost_canaries(new, before.canaries)


def _lost_canaries(new: Path, canaries: frozenset[str]) -> list[str]:
    with contextlib.closing(sqlite3.connect(f"file:{new}?mode=ro&immutable=1", uri=True)) as connection:
        query = "SELECT count(*) FROM mass JOIN parish ON parish.pk = mass.parish WHERE parish_id = ? AND exception IS NULL"
        lost = sorted(one for one in canaries if not connection.execute(query, (one,)).fetchone()[0])
    if len(lost) <= _LOST_CANARIES:
        return []
    return [f"{len(lost)} of {len(canaries)} parishes known by sample have lost their order: {', '.join(lost[:5])}"]
