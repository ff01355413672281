"""The description of the open data: Data Package 2.0."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Final

from mass_pipeline.finding.formats.dump_tables import DumpTable

Described = Mapping[str, tuple[int, str]]  # file -> bytes, SHA-256
Json = dict[str, object]
_LICENCES: Final = {
    "CC-BY-4.0": "https://creativecommons.org/licenses/by/4.0/",
    "CC0-1.0": "https://creativecommons.org/publicdomain/zero/1.0/",
    "ODbL-1.0": "https://opendatacommons.org/licenses/odbl/1-0/",
}
_MEDIA: Final = {
    ".csv.gz": ("csv", "text/csv"),
    ".jsonl.gz": ("jsonl", "application/jsonl"),
    ".parquet": ("parquet", "application/vnd.apache.parquet"),
    ".geojson.gz": ("geojson", "application/geo+json"),
    ".sqlite.gz": ("sqlite", "application/vnd.sqlite3"),
    ".sqlite.zst": ("sqlite", "application/vnd.sqlite3"),
}


def datapackage(chosen: Sequence[DumpTable], files: Described, built_at: datetime, licence: str, address: str) -> Json:
    """The Data Package: every file with size, digest, licence, sources, and the schema of tables."""
    by_name = {table.name: table for table in chosen}
    package: Json = {
        "$schema": "https://datapackage.org/profiles/2.0/datapackage.json",
        "name": "mass-times-poland",
        "title": "Mass times of Poland's parishes, as their own sites state them",
        "version": built_at.strftime("%Y.%m.%d"),
        "created": built_at.isoformat(),
        "licenses": [_licence(licence)],
        "resources": [_resource(name, size, digest, by_name, licence) for name, (size, digest) in files.items() if _form(name)],
    }
    if address:
        package["homepage"] = f"{address}/dane"
    return package


def _resource(name: str, size: int, digest: str, by_name: Mapping[str, DumpTable], licence: str) -> Json:
    form = _form(name)
    assert form is not None
    table = by_name.get(name.split(".")[0])
    # Files that mix positions of OpenStreetMap with the rest stand under its licence as a whole.
    own = table.licence if table else licence if name.startswith("changes") else "ODbL-1.0"
    resource: Json = {
        "name": name.lower().replace(".", "-"),
        "path": name,
        "format": form[0],
        "mediatype": form[1],
        "bytes": size,
        "hash": f"sha256:{digest}",
        "licenses": [_licence(own)],
    }
    if name.endswith(".gz"):
        resource["compression"] = "gz"
    if table is not None:
        resource["title"] = table.title
        resource["sources"] = [{"title": table.attribution}]
        fields = [{"name": field.name, "type": field.kind, "description": field.meaning} for field in table.fields]
        resource["schema"] = {"fields": fields, "primaryKey": list(table.key)}
    return resource


def _form(name: str) -> tuple[str, str] | None:
    return next((form for suffix, form in _MEDIA.items() if name.endswith(suffix)), None)


def _licence(name: str) -> Json:
    return {"name": name, **({"path": _LICENCES[name]} if name in _LICENCES else {})}
