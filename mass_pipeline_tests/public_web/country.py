"""The public index of a whole country: every parish of a directory by its real name and town, with made-up orders of Masses.

    python -c "from mass_pipeline_tests.public_web.country import *; build_country(Path('parishes-2018.tsv'), Path('FOLDER'))"
    MASS_PIPELINE_DATA_FOLDER=FOLDER mass-pipeline public find --records QUESTIONS.jsonl --out ANSWERS.jsonl

The directory is read as the pipeline reads an operator's own table, the positions are those of the ladder over the gazetteer,
spread over the towns of several parishes. Orders come of the seed alone: the same directory, seed and moment give the same index.
"""

from __future__ import annotations

import hashlib
import math
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any, Final

from mass_pipeline.finding.freshness import IN_TIME_SEARCH
from mass_pipeline.finding.gazetteer import Point, read_gazetteer
from mass_pipeline.finding.index.building import Horizon, build_index
from mass_pipeline.finding.index.facts import ParishFacts
from mass_pipeline.finding.index.generations import INDEX_NAME, Generation, Generations
from mass_pipeline.finding.index.records import ConfessionRecord
from mass_pipeline.finding.positions import Home, Position, find_positions
from mass_pipeline.gathering.dioceses import Dioceses
from mass_pipeline.gathering.parish import Parish
from mass_pipeline.gathering.tabular import read_table
from mass_pipeline.model.identifiers import slug
from mass_pipeline.model.records import Mass
from mass_pipeline.schedules.rows import ScheduleRow
from mass_pipeline_tests.shared import ROOT

GAZETTEER: Final = ROOT / "data/gazetteer/pl.tsv"
DIOCESES: Final = ROOT / "data/dioceses.csv"
BUILT_AT: Final = datetime(2026, 11, 22, 3, tzinfo=UTC)  # the frozen day of the demo
DAYS: Final = 60
WEEK: Final = ("Mo", "Tu", "We", "Th", "Fr", "Sa")
_STATES: Final = {
    "fresh": 70, "aging": 9, "stale": 3, "not_said_current": 3,
    "image_only": 4, "pdf_unreadable": 1, "no_schedule": 5, "no_site": 5,
}  # fmt: skip
_WITHOUT_ROWS: Final = ("image_only", "pdf_unreadable", "no_schedule", "no_site")
# Words beside a Sunday Mass, in thousandths of parishes; in cities rare ones are said by more.
_NOTES: Final = {
    "z udziałem dzieci": 260, "dla młodzieży": 90, "dla rodzin": 30, "z udziałem chorych": 20, "dla studentów": 6, "suma": 120,
    "po angielsku": 5, "po ukraińsku": 6, "po niemiecku": 4, "po hiszpańsku": 2, "po włosku": 2, "po francusku": 2,
    "po litewsku": 1, "po łacinie": 4, "w języku migowym": 3, "Msza trydencka": 4,
}  # fmt: skip
_CONFESSION: Final = (
    (ConfessionRecord(WEEK, (), "before_mass", minutes=30, quote="Spowiedź w dni powszednie pół godziny przed Mszą"),),
    (ConfessionRecord(("Fr",), (1,), "hours", "16:00", "17:30", quote="Spowiedź: I piątek 16.00-17.30"),),
    *[()] * 3,
)
_CITY: Final = 15  # parishes
_IN_A_CITY: Final = 6  # times as many
_RARE: Final = 10
_SPREAD_M: Final = 900.0  # times the root of a town's parishes: how far from the middle they lie


def country(directory: Path, seed: int, built_at: datetime) -> Iterator[ParishFacts]:
    """Facts of every parish of the directory, in its order."""
    rng = random.Random(seed)
    listed = list(read_table(directory, Dioceses.from_csv(DIOCESES)))
    homes = [Home(one.parish_id, one.name, one.town, one.voivodeship, one.postcode, one.address) for one in listed]
    sizes = Counter((one.town, one.voivodeship) for one in listed)
    positions = find_positions(homes, read_gazetteer(GAZETTEER))
    for one, position in zip(listed, positions, strict=True):
        yield _facts(one, sizes[one.town, one.voivodeship], position, rng, built_at)


def _spread(position: Position, parishes: int, rng: random.Random) -> Position:
    """A position known only by its town, moved off the middle where several parishes share it, as exact as most are."""
    if position.point is None:
        return position
    away, direction = _SPREAD_M * math.sqrt(parishes - 1) * math.sqrt(rng.random()), rng.uniform(0, 2 * math.pi)
    north, east = away * math.cos(direction) / 111_195, away * math.sin(direction) / 111_195
    latitude = position.point.latitude + north
    longitude = position.point.longitude + east / math.cos(math.radians(latitude))
    precision_m = rng.choice((100, 100, 100, 2_000, 5_000))
    return replace(position, point=Point(round(latitude, 5), round(longitude, 5)), precision_m=precision_m)


def _facts(one: Parish, size: int, given: Position, rng: random.Random, built_at: datetime) -> ParishFacts:
    state = rng.choices(list(_STATES), list(_STATES.values()))[0]
    site = f"https://{slug(one.town) or 'parafia'}-{one.parish_id[:6]}.example/"
    checked_at = built_at - timedelta(days={"fresh": 3, "aging": 30}.get(state, 120))
    position = _spread(given, size, rng)
    point = position.point
    wheelchair = rng.choices(("yes", "limited", "no", None), (8, 5, 3, 84))[0]
    return ParishFacts(
        parish_id=one.parish_id,
        name=one.name,
        town=one.town,
        voivodeship=one.voivodeship or "",
        diocese_key=one.diocese_key,
        diocese=one.diocese,
        deanery=one.deanery or "",
        street=one.street or "",
        postcode=one.postcode or "",
        source=one.source,
        site="" if state == "no_site" else site,
        state=state,
        checked_at=checked_at,
        latitude=point.latitude if point else None,
        longitude=point.longitude if point else None,
        precision_m=position.precision_m,
        position_method=position.method,
        wheelchair=wheelchair,
        wheelchair_at=date(2026, 5, 1) if wheelchair else None,
        service_times="" if state in _WITHOUT_ROWS else "Su 08:00+",
        confession=_CONFESSION[int(one.parish_id[-1], 36) % 5] if state in IN_TIME_SEARCH else (),
        rows=() if state in _WITHOUT_ROWS else tuple(_order(rng, f"{site}msze", size, checked_at, built_at.date())),
    )


def _order(rng: random.Random, address: str, size: int, checked_at: datetime, today: date) -> list[ScheduleRow]:
    """A parish's order: Sundays, weekdays, first Fridays, Advent, and what it announces of Christmas."""

    def row(days: Sequence[str], hour: str, note: str = "", **values: Any) -> ScheduleRow:
        of_mass = {name: values.pop(name) for name in ("season", "nth") if name in values}
        mass = Mass(tuple(days), hour, note=note, **of_mass)  # type: ignore[arg-type]  # days by name
        quote = values.pop("quote", f"Msza święta o {hour.replace(':', '.')} {note}".strip())
        digest = hashlib.sha256(address.encode()).hexdigest()
        return ScheduleRow(mass, address, quote, digest, checked_at, confidence=rng.choice((0.99, 0.97, 0.9)), **values)

    sundays = sorted(
        rng.sample(["07:00", "07:30", "08:00", "09:00", "09:30", "10:30", "11:00", "12:00", "13:00"], rng.randrange(2, 6))
    )
    sundays += sorted(rng.sample(["16:00", "17:00", "18:00", "19:00", "20:00"], rng.randrange(3)))
    holy = ("Su", "PH") if rng.random() < 0.7 else ("Su",)
    found = [row(holy, hour) for hour in sundays]
    for note, share in _NOTES.items():
        is_of_cities = size >= _CITY and share < _RARE
        if rng.random() < share * (_IN_A_CITY if is_of_cities else 1) / 1000:
            found.append(row(("Su",), f"{rng.randrange(9, 18):02d}:{rng.choice(('15', '45'))}", note))
    found += [
        row(WEEK, hour)
        for hour in rng.sample(["06:30", "07:00", "08:00", "16:00", "17:00", "18:00", "18:30"], rng.randrange(1, 4))
    ]
    if "PH" not in holy:
        found += [row(("PH",), hour) for hour in sundays[:2]]
    if rng.random() < 0.4:
        found.append(row(("Fr",), "17:30", "pierwszy piątek", nth=(1,)))
    if rng.random() < 0.5:
        found.append(row(WEEK, rng.choice(("06:00", "06:15", "17:15")), "roraty", season="advent"))
    found += _christmas(rng, row, date(today.year, 12, 24))
    return list({one.mass: one for one in found}.values())


def _christmas(rng: random.Random, row: Any, eve: date) -> list[ScheduleRow]:
    """Half of the parishes have announced Midnight Mass: late on 24 December or at the first minute of the 25th."""
    hour = rng.choice(("22:00", "00:00", "00:00", "", "", ""))
    if not hour:
        return []
    day = eve + timedelta(1) if hour == "00:00" else eve
    weekday = ("Mo", "Tu", "We", "Th", "Fr", "Sa", "Su")[day.weekday()]
    said = f"Pasterka 24 grudnia o {hour.replace(':', '.')}"
    return [row((weekday,), hour, "Pasterka", exception="added", valid_from=day, valid_to=day, quote=said)]


def build_country(directory: Path, folder: Path, seed: int = 1, built_at: datetime = BUILT_AT, days: int = DAYS) -> Generation:
    """Build the index in a data folder and put it in force."""
    generations = Generations(folder / "public")

    def write(aside: Path) -> dict[str, object]:
        horizon = Horizon(built_at.date() - timedelta(1), days)
        figures = build_index(
            aside / INDEX_NAME, country(directory, seed, built_at), horizon, built_at, localities=read_gazetteer(GAZETTEER)
        )
        print(f"{figures.parishes:,} parishes, {figures.with_order:,} with an order, {figures.occurrences:,} Masses")
        return {"objections": []}

    made = generations.build(built_at, write)
    generations.put_in_force(made)
    return made
