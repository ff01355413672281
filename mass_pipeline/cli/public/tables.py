"""Which places a question is read against: a table, else the published parishes, else the demo's; with the gazetteer's towns."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from mass_pipeline.demo_web.source import load_sites
from mass_pipeline.finding.config import PublicConfig
from mass_pipeline.finding.gazetteer import Gazetteer, read_gazetteer
from mass_pipeline.finding.places import Places
from mass_pipeline.finding.town_names import ParishRow, read_rows
from mass_pipeline.model.columns import PARISHES
from mass_pipeline.model.project_files import project_file
from mass_pipeline.resources.lake import open_lake
from mass_pipeline.resources.settings import Settings, load_settings

_COLUMNS = ("town", "voivodeship", "name", "address", "deanery")


def places_of_table(table: Path, environ: Mapping[str, str]) -> Places:
    """Places of a tab-separated file."""
    return Places.of(read_rows(table), _gazetteer(load_settings(environ)))


def published_places(environ: Mapping[str, str]) -> Places:
    """Parishes of the lake of the environment's settings; before the first run those of the demo web."""
    settings = load_settings(environ)
    lake = open_lake(settings)
    if lake.has(PARISHES):
        rows = [ParishRow(*(str(row[column] or "") for column in _COLUMNS)) for row in lake.reader(PARISHES).rows(_COLUMNS)]
    else:
        rows = _demo_rows()
    return Places.of(rows, _gazetteer(settings))


def _gazetteer(settings: Settings) -> Gazetteer:
    path = settings.section(PublicConfig).gazetteer
    return read_gazetteer(project_file(path)) if path else Gazetteer(())


def _demo_rows() -> list[ParishRow]:
    return [
        ParishRow(site.town, site.voivodeship or "", site.name, f"{site.street}|{site.postcode} {site.town}", site.deanery or "")
        for site in load_sites()
    ]
