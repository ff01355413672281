"""Where each parish is and how exactly that is known: the rows of `parish_positions`, from what the settings name."""

from __future__ import annotations

import csv
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pyarrow as pa

from mass_pipeline.finding.config import PublicConfig
from mass_pipeline.finding.gazetteer import Gazetteer, Point, read_gazetteer
from mass_pipeline.finding.positions import Home, StatedPoint, find_positions, points_of_page
from mass_pipeline.gathering.osm import Church, read_overpass
from mass_pipeline.model.columns import PARISH_POSITIONS, READABLE_OUTCOMES
from mass_pipeline.model.errors import BadInput
from mass_pipeline.model.identifiers import fold
from mass_pipeline.model.project_files import project_file
from mass_pipeline.resources.lake import TableReader, table_of
from mass_pipeline.resources.operation import OperationConfig
from mass_pipeline.resources.settings import Settings

_DEEPEST_PAGE: Final = 1  # levels of a site looked at for coordinates: start page and those it links to


@dataclass(frozen=True, slots=True)
class MapFiles:
    """Files of others that say where towns and churches are; None for one that the settings do not name."""

    gazetteer: Path | None
    osm_extract: Path | None

    @classmethod
    def of(cls, settings: Settings) -> MapFiles:
        """Those that the settings name."""
        config = settings.section(PublicConfig)
        return cls(named_file(config.gazetteer), named_file(config.osm_extract))


def towns_of(gazetteer: Path | None) -> Gazetteer:
    """The gazetteer of a file; without one it knows no town."""
    return read_gazetteer(gazetteer) if gazetteer else Gazetteer(())


def positions_of(parishes: TableReader, crawled_pages: TableReader, files: MapFiles, settings: Settings) -> pa.Table:
    """Rows of `parish_positions`.

    Args:
        parishes: the directory.
        crawled_pages: of all dioceses.
        files: that say where towns and churches are.
        settings: name the operator's table, and the moment.

    Raises:
        BadInput: a file cannot be read.
    """
    homes = homes_of(parishes)
    own = named_file(settings.section(PublicConfig).positions_table)
    table = read_points(own, homes) if own else {}
    churches = churches_of(files.osm_extract) if files.osm_extract else []
    now = settings.section(OperationConfig).clock()()
    found = find_positions(homes, towns_of(files.gazetteer), table, churches, stated_by_sites(crawled_pages))
    return table_of(PARISH_POSITIONS, (one.as_dict(now) for one in found))


def homes_of(parishes: TableReader) -> list[Home]:
    """The directory as the ladder of positions needs it."""
    columns = ["parish_id", "name", "town", "voivodeship", "postcode", "address"]
    return [_home(row) for row in parishes.rows(columns)]


def churches_of(path: Path) -> list[Church]:
    """Churches of an Overpass extract; without a date of its own the extract is as old as its file.

    Raises:
        BadInput: the file is missing or no Overpass JSON.
    """
    try:
        content = path.read_bytes()
    except OSError as error:
        raise BadInput(f"{path}: cannot be read ({error.strerror}); see MASS_PIPELINE_PUBLIC_OSM_EXTRACT.") from error
    return list(read_overpass(content, str(path)))


def read_points(path: Path, homes: Iterable[Home]) -> dict[str, StatedPoint]:
    """parish_id -> point of the operator's table; rows without a parish_id count when only one parish has name and town.

    Raises:
        BadInput: the file is missing, or a row has no usable latitude and longitude.
    """
    ids: dict[tuple[str, str], list[str]] = defaultdict(list)
    for home in homes:
        ids[fold(home.name), fold(home.town)].append(home.parish_id)
    found = {}
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            separator = max("\t;,", key=file.readline().count)
            file.seek(0)
            for number, row in enumerate(csv.DictReader(file, delimiter=separator), 2):
                same = ids[fold(row.get("name") or ""), fold(row.get("town") or "")]
                own = row.get("parish_id") or (same[0] if len(same) == 1 else "")
                point = _degrees(path, number, row)
                if own:
                    found[own] = StatedPoint(point, row.get("source") or "operator", row.get("source_id") or "")
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise BadInput(f"{path}: cannot be read as a table of positions ({error}); save it as CSV in UTF-8.") from error
    return found


def _degrees(path: Path, number: int, row: Mapping[str, str]) -> Point:
    try:
        point = Point(float(row["latitude"]), float(row["longitude"]))
    except (KeyError, TypeError, ValueError) as error:
        raise BadInput(f"{path}, line {number}: needs latitude and longitude in degrees ({error}).") from error
    if not (-90 <= point.latitude <= 90 and -180 <= point.longitude <= 180):
        raise BadInput(f"{path}, line {number}: {point.latitude}, {point.longitude} lies not on earth.")
    return point


def stated_by_sites(crawled_pages: TableReader) -> dict[str, list[StatedPoint]]:
    """parish_id -> points that its pages of the first levels state."""
    found: dict[str, list[StatedPoint]] = defaultdict(list)
    columns = ["parish_id", "url", "depth", "outcome", "body"]
    for row in crawled_pages.rows(columns):
        body, depth = row["body"], row["depth"]
        if not isinstance(body, bytes) or row["outcome"] not in READABLE_OUTCOMES or not isinstance(depth, int):
            continue
        if depth <= _DEEPEST_PAGE:
            found[str(row["parish_id"])].extend(
                StatedPoint(point, "parish site", str(row["url"])) for point in points_of_page(body)
            )
    return dict(found)


def _home(row: Mapping[str, object]) -> Home:
    voivodeship, postcode = row["voivodeship"], row["postcode"]
    return Home(
        str(row["parish_id"]),
        str(row["name"]),
        str(row["town"]),
        str(voivodeship) if voivodeship else None,
        str(postcode) if postcode else None,
        str(row["address"] or ""),
    )


def named_file(text: str) -> Path | None:
    """A file as a setting names it: relative to the project; None for the empty name."""
    if not text:
        return None
    path = Path(text).expanduser()
    return path if path.is_absolute() else project_file(text)
