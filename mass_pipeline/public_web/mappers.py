"""For mappers of OpenStreetMap: where it and the parishes' own sites say different hours. Nothing is ever edited from here."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import orjson
from fastapi import APIRouter, Request
from starlette.responses import Response

from mass_pipeline.finding.index import queries
from mass_pipeline.public_web.site import visited

router = APIRouter()
_TASKS: Final = Path("dumps", "osm-tasks.geojsonl")
_SHOWN: Final = 100  # tasks on the page; the files hold all


@router.get("/dla-mapujacych")
def mappers(request: Request) -> Response:
    """The first tasks with both values, and the files that MapRoulette and spreadsheets read."""
    site = visited(request)
    with site.reading() as (index, connection):
        path = index.generation.folder / _TASKS
        lines = path.read_bytes().splitlines() if path.is_file() else []
        found = [_task(line) for line in lines[:_SHOWN]]
        parishes = {one["parish_id"]: queries.parish(connection, one["parish_id"]) for one in found}
        return site.page(
            request, "mappers.html", index=index, tasks=found, total=len(lines), has_files=path.is_file(), parishes=parishes
        )


def _task(line: bytes) -> dict[str, Any]:
    """The properties of a line: a FeatureCollection of one feature after a record separator (RFC 7464)."""
    properties: dict[str, Any] = orjson.loads(line.lstrip(b"\x1e"))["features"][0]["properties"]
    return properties
