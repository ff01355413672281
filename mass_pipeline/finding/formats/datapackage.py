"""Descriptions of the open data: Data Package 2.0, CSVW, and DCAT-AP in Turtle."""

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
_PREFIXES: Final = {
    "dcat": "http://www.w3.org/ns/dcat#",
    "dct": "http://purl.org/dc/terms/",
    "foaf": "http://xmlns.com/foaf/0.1/",
    "spdx": "http://spdx.org/rdf/terms#",
    "xsd": "http://www.w3.org/2001/XMLSchema#",
}
_ABOUT: Final = "Mass times as the parishes' own sites state them, each with the words, the page and the day it was checked."
_O_DANYCH: Final = "Godziny Mszy tak, jak podają je strony parafii: ze słowami strony, jej adresem i dniem sprawdzenia."
_XSD: Final = {"string": "string", "number": "double", "integer": "integer", "date": "date", "datetime": "dateTime"}


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


def csvw(table: DumpTable) -> Json:
    """CSV on the Web: what the columns of the table's CSV file are."""
    columns = [
        {"name": field.name, "titles": field.name, "dc:description": field.meaning, "datatype": _XSD[field.kind]}
        for field in table.fields
    ]
    return {
        "@context": "http://www.w3.org/ns/csvw",
        "url": f"{table.name}.csv.gz",
        "dc:title": table.title,
        "dc:license": {"@id": _licence_address(table.licence)},
        "tableSchema": {"columns": columns, "primaryKey": list(table.key)},
    }


def dcat(chosen: Sequence[DumpTable], files: Described, built_at: datetime, licence: str, address: str) -> str:
    """DCAT-AP: one dataset, one distribution for each file."""
    base = address or "urn:mass-times-poland"
    by_name = {table.name: table for table in chosen}
    prefixes = "".join(f"@prefix {short}: <{name}> .\n" for short, name in _PREFIXES.items())
    nodes = {name: f"<{base}/dane#{name}>" for name in files if _form(name)}
    parts = [_distribution(node, f"{base}/dane", name, files[name], _own(name, by_name, licence)) for name, node in nodes.items()]
    dataset = (
        f'<{base}/dane> a dcat:Dataset ; dct:title "Mass times in Poland"@en , "Msze święte w polskich parafiach"@pl ;\n'
        f'  dct:description "{_ABOUT}"@en , "{_O_DANYCH}"@pl ;\n  dct:publisher [ a foaf:Agent ; foaf:name "mass_pipeline" ] ;\n'
        f'  dct:modified "{built_at.isoformat()}"^^xsd:dateTime ; dcat:distribution {" , ".join(nodes.values())} .\n'
    )
    return prefixes + dataset + "".join(parts)


def _distribution(node: str, page: str, name: str, file: tuple[int, str], licence: str) -> str:
    (size, digest), form = file, _form(name)
    assert form is not None
    return (
        f'{node} a dcat:Distribution ; dct:title "{name}" ; dcat:accessURL <{page}> ;\n'
        f"  dcat:mediaType <https://www.iana.org/assignments/media-types/{form[1]}> ;\n"
        f'  dcat:byteSize "{size}"^^xsd:nonNegativeInteger ; dct:license <{_licence_address(licence)}> ;\n'
        f'  spdx:checksum [ spdx:algorithm spdx:checksumAlgorithm_sha256 ; spdx:checksumValue "{digest}" ] .\n'
    )


def _own(name: str, by_name: Mapping[str, DumpTable], licence: str) -> str:
    """Licence of a file: files that mix positions of OpenStreetMap with the rest stand under its own as a whole."""
    table = by_name.get(name.split(".")[0])
    return table.licence if table else licence if name.startswith("changes") else "ODbL-1.0"


def _licence_address(name: str) -> str:
    return _LICENCES.get(name, f"https://spdx.org/licenses/{name}")


def _resource(name: str, size: int, digest: str, by_name: Mapping[str, DumpTable], licence: str) -> Json:
    form = _form(name)
    assert form is not None
    table = by_name.get(name.split(".")[0])
    resource: Json = {
        "name": name.lower().replace(".", "-"),
        "path": name,
        "format": form[0],
        "mediatype": form[1],
        "bytes": size,
        "hash": f"sha256:{digest}",
        "licenses": [_licence(_own(name, by_name, licence))],
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
