"""Tasks for mappers of OpenStreetMap, out of the published tables and an extract: for the command, and beside the open data."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from mass_pipeline.finding.conflicts import Conflict, find_conflicts, table, tasks
from mass_pipeline.finding.index.facts import ParishFacts
from mass_pipeline.finding.opening_hours import evaluated
from mass_pipeline.finding.positions import match_churches
from mass_pipeline.publishing.positions import MapFiles, churches_of, homes_of
from mass_pipeline.reading.formats.osm import describe_service_times
from mass_pipeline.resources.lake import TableReader
from mass_pipeline.schedules.config import FreshnessConfig

LONGEST_VALUE: Final = 255  # characters of a tag of OpenStreetMap
TASKS_NAME: Final = "osm-tasks"


@dataclass(frozen=True, slots=True)
class MapperTasks:
    """The tasks, and how many churches of the extract fit one parish alone."""

    matched: int
    tasks: tuple[Conflict, ...]


def mapper_tasks(
    directory: TableReader, files: MapFiles, parishes: Iterable[ParishFacts], now: datetime, ages: FreshnessConfig
) -> MapperTasks | None:
    """Where OpenStreetMap and the parishes' sites say different hours; None without an extract.

    Args:
        directory: all parishes.
        files: the extract, and the gazetteer.
        parishes: what is published of each.
        now: the present moment.
        ages: of orders that count.

    Raises:
        UsageError: the evaluator is not installed.
        BadInput: the extract cannot be read.
    """
    if files.osm_extract is None:
        return None
    matched = match_churches(homes_of(directory), churches_of(files.osm_extract), files.towns())
    known = {one.parish_id: one for one in parishes}
    told = {
        key: describe_service_times(row.mass for row in one.rows if row.exception is None)
        for key, one in known.items()
        if key in matched
    }
    found = find_conflicts(
        matched,
        known,
        {key: one.points for key, one in told.items() if len(one.points) <= LONGEST_VALUE},
        evaluated,
        now,
        timedelta(ages.fresh_days),
        {key: one.note for key, one in told.items()},
    )
    return MapperTasks(len(matched), tuple(found))


def write_tasks(folder: Path, found: MapperTasks) -> None:
    """The tasks as MapRoulette's GeoJSON and as CSV, in a folder of open data."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{TASKS_NAME}.geojsonl").write_text(tasks(found.tasks), encoding="utf-8")
    (folder / f"{TASKS_NAME}.csv").write_text(table(found.tasks), encoding="utf-8")


def can_evaluate() -> bool:
    """Whether the evaluator is installed; it is no part of a service that only publishes."""
    return find_spec("opening_hours") is not None
