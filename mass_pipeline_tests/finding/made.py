"""Facts written for the tests of the index and the site: parishes with orders, of fictional towns."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

from mass_pipeline.finding.expansion import Flag
from mass_pipeline.finding.index.building import Horizon, build_index
from mass_pipeline.finding.index.facts import ParishFacts
from mass_pipeline.model.records import Mass
from mass_pipeline.schedules.rows import ScheduleRow

NOW = datetime(2026, 11, 22, 8, tzinfo=UTC)  # a Sunday, nine in the morning in Poland
FIRST = date(2026, 11, 21)
HORIZON = Horizon(FIRST, 60)
WEEK = ("Mo", "Tu", "We", "Th", "Fr", "Sa")


def row(days: Sequence[str], time: str, **values: Any) -> ScheduleRow:
    """A published row; keywords of `Mass` and of `ScheduleRow`."""
    of_mass = {name: values.pop(name) for name in ("season", "nth", "place", "note", "season_days") if name in values}
    given: dict[str, Any] = {
        "source_url": "https://parafia.example/msze",
        "quote": f"Msza św. {time}",
        "page_sha256": "0" * 64,
        "fetched_at": NOW,
        "checked_at": NOW,
        "confidence": 0.97,
    }
    return ScheduleRow(Mass(tuple(days), time, **of_mass), **{**given, **values})  # type: ignore[arg-type]  # days by name


def parish(number: int, rows: Sequence[ScheduleRow] = (), **values: Any) -> ParishFacts:
    """A parish with an order, 0.01 degrees north of the one before."""
    given: dict[str, Any] = {
        "parish_id": f"p{number:06d}",
        "name": f"Świętego Jana {number}",
        "town": f"Łąka {number}",
        "voivodeship": "małopolskie",
        "diocese_key": "tarnowska",
        "diocese": "diecezja tarnowska",
        "postcode": "33-100",
        "site": "https://parafia.example/",
        "state": "fresh",
        "checked_at": NOW,
        "latitude": 50.0 + number / 100,
        "longitude": 20.0,
        "precision_m": 100,
        "position_method": "table",
        "service_times": "Su 08:00+",
    }
    order = tuple(rows) or (row(["Su", "PH"], "08:00"), row(["Su", "PH"], "18:00"), row(WEEK, "17:00"))
    return ParishFacts(**{**given, "rows": order, **values})


def named(flags: Flag) -> tuple[str, ...]:
    """What must be said of a Mass, by the names of its flags."""
    return tuple(one.name for one in Flag if one in flags and one.name)


def index_of(path: Path, parishes: Sequence[ParishFacts], **values: Any) -> Path:
    """An index of these parishes in a file."""
    build_index(path, parishes, values.pop("horizon", HORIZON), values.pop("built_at", NOW), **values)
    return path
