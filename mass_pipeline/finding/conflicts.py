"""Where OpenStreetMap and the parish's own site say different hours: tasks for mappers, never an edit.

Only parishes matched one to one, of which every row is sure, freshly confirmed, and nothing waits for a person. Both values are
laid out over the next eight weeks by an evaluator of opening hours; a task stands where the hours differ or the tag is missing.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Final

import orjson

from mass_pipeline.finding.formats.dumps import csv_cell
from mass_pipeline.finding.index.facts import ParishFacts
from mass_pipeline.finding.opening_hours import OWN_ORDER_NOTE
from mass_pipeline.gathering.osm import Church
from mass_pipeline.schedules.church_year import has_own_order
from mass_pipeline.schedules.config import FreshnessConfig

LEAST_CONFIDENCE: Final = 0.95
FRESH_FOR: Final = timedelta(FreshnessConfig().fresh_days)
DAYS: Final = 56
_SHOWN: Final = 12  # differing hours named in a task
_RECORD_SEPARATOR: Final = "\x1e"  # RFC 7464
Evaluate = Callable[[str, date, int], frozenset[str] | None]


@dataclass(frozen=True, slots=True)
class Conflict:
    """One task.

    Attributes:
        church: the object of OpenStreetMap; parish: ours.
        suggested: value of service_times as points of time.
        ours_only, theirs_only: local starts that only one of both values gives; theirs_only is empty when the tag is missing.
        left_out: what the value has no selector for, in words; "" when it says everything.
    """

    church: Church
    parish: ParishFacts
    suggested: str
    ours_only: tuple[str, ...]
    theirs_only: tuple[str, ...]
    left_out: str = ""

    @property
    def josm(self) -> str:
        """Loads the object in JOSM and changes nothing."""
        kind, _, number = self.church.osm_id.partition("/")
        return f"http://127.0.0.1:8111/load_object?objects={kind[0]}{number}"


def find_conflicts(
    matched: Mapping[str, Church],
    parishes: Mapping[str, ParishFacts],
    points: Mapping[str, str],
    evaluate: Evaluate,
    now: datetime,
    fresh_for: timedelta = FRESH_FOR,
    left_out: Mapping[str, str] | None = None,
) -> Iterator[Conflict]:
    """Tasks, by parish.

    Args:
        matched: parish_id -> the only church that fits it.
        parishes: parish_id -> what is published.
        points: parish_id -> our value of service_times as points of time.
        evaluate: local starts (`YYYY-MM-DDTHH:MM`) of a value over some days; None when it cannot be read.
        now: the present moment. fresh_for: ago at most when an order was confirmed.
        left_out: parish_id -> what our value has no selector for.
    """
    for parish_id, church in sorted(matched.items()):
        parish, suggested = parishes.get(parish_id), points.get(parish_id, "")
        if parish is None or not suggested or not is_certain(parish, now, fresh_for):
            continue
        ours = _ordinary(evaluate(suggested, now.date(), DAYS))
        theirs = _ordinary(evaluate(church.service_times, now.date(), DAYS)) if church.service_times else frozenset()
        if ours is None or (theirs is not None and ours == theirs):
            continue
        known = theirs or frozenset()
        untold = (left_out or {}).get(parish_id, "")
        yield Conflict(church, parish, suggested, tuple(sorted(ours - known)), tuple(sorted(known - ours)), untold)


def _ordinary(starts: frozenset[str] | None) -> frozenset[str] | None:
    """Starts without those that an order of their own takes the place of."""
    if starts is None:
        return None
    return frozenset(one for one in starts if not has_own_order(date.fromisoformat(one[:10]), one[11:16]))


def is_certain(parish: ParishFacts, now: datetime, fresh_for: timedelta) -> bool:
    """Whether every row of the order is sure and fresh and nothing waits for a person."""
    standing = [row for row in parish.rows if row.exception is None]
    if not standing or parish.proposals or parish.differs:
        return False
    if any(row.confidence < LEAST_CONFIDENCE or row.mass.place for row in standing):
        return False
    return all((moment := row.checked_at or row.fetched_at) is not None and now - moment <= fresh_for for row in standing)


def tasks(conflicts: Sequence[Conflict]) -> str:
    """MapRoulette's line-by-line GeoJSON: one FeatureCollection a line, each after a record separator (RFC 7464)."""
    return "".join(f"{_RECORD_SEPARATOR}{orjson.dumps(_collection(one)).decode()}\n" for one in conflicts)


def table(conflicts: Sequence[Conflict]) -> str:
    """The tasks as CSV with a header, for people who go through them in a spreadsheet; "" without tasks."""
    rows = [{"latitude": one.church.latitude, "longitude": one.church.longitude, **_properties(one)} for one in conflicts]
    file = io.StringIO()
    if rows:
        writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows({name: csv_cell(value) for name, value in row.items()} for row in rows)
    return file.getvalue()


def _collection(one: Conflict) -> dict[str, object]:
    geometry = {"type": "Point", "coordinates": [one.church.longitude, one.church.latitude]}
    feature = {"type": "Feature", "geometry": geometry, "properties": _properties(one)}
    return {"type": "FeatureCollection", "features": [feature]}


def _properties(one: Conflict) -> dict[str, object]:
    rows = [row for row in one.parish.rows if row.exception is None]
    return {
        "@id": one.church.osm_id,
        "parish_id": one.parish.parish_id,
        "name": one.church.name,
        "service_times": one.church.service_times or None,
        "suggested service_times": one.suggested,
        "left out of it": one.left_out,
        "hours only on the parish's site": ", ".join(one.ours_only[:_SHOWN]),
        "hours only in OpenStreetMap": ", ".join(one.theirs_only[:_SHOWN]),
        "quote": rows[0].quote,
        "source": rows[0].source_url,
        "read": str((rows[0].checked_at or rows[0].fetched_at or "") and (rows[0].checked_at or rows[0].fetched_at)),
        "josm": one.josm,
        "note": f"Look at the source before you map; set check_date:service_times. {OWN_ORDER_NOTE}.",
    }
