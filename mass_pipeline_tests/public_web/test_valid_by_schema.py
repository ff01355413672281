"""Every format is judged by a library or a schema that others keep: what is valid to them, programs of others can read."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import feedparser
import frictionless
import icalendar
import jsonschema
import pyshacl
import pytest
import rdflib
from rdflib.namespace import RDF, SDO, XSD

from mass_pipeline.finding.formats.dumps import write_dumps
from mass_pipeline.finding.index.changes import Change
from mass_pipeline.finding.index.generations import Generations
from mass_pipeline_tests.finding.made import NOW, WEEK, parish, row
from mass_pipeline_tests.public_web.support import PARISHES, Visitor, published, site_over

_EVIL = 'a,"b";\r\n</script> ]]> =1+1 ' + "ż" * 80
_SCHEMA_ORG = Path(str(pyshacl.__file__)).parent / "assets" / "schema.ttl"  # schema.org as SHACL shapes
_GEOJSON = Path(str(frictionless.__file__)).parent / "assets" / "profiles" / "geojson.json"
_SCHEMA = rdflib.Namespace("http://schema.org/")
_XSD = "http://www.w3.org/2001/XMLSchema#"
# schema.org's Date and Time, in terms of SHACL
_KINDS = {"startDate": "dateTime", "endDate": "dateTime", "startTime": "time", "endTime": "time", "exceptDate": "date"}
_MEMBERS = {  # of enumerations: the shapes hold classes alone
    "DayOfWeek": ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"),
    "EventStatusType": ("EventCancelled", "EventScheduled"),
}
_VOCABULARY = {
    "@vocab": "http://schema.org/",
    **{name: {"@type": "@id"} for name in ("byDay", "eventStatus", "sameAs", "url")},
    **{name: {"@type": _XSD + kind} for name, kind in _KINDS.items()},
}
_ADDRESS = "https://msze.example"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made: Path = tmp_path_factory.mktemp("valid")
    rows = [
        row(["Su", "PH"], "08:00", quote=_EVIL),
        row(["Sa"], "18:00", season="07-08", nth=(1, 3), note="po angielsku"),
        row(WEEK, "17:00", season="advent"),
        row(["We"], "17:00", exception="cancelled", valid_from=NOW.date().replace(day=25), valid_to=NOW.date().replace(day=25)),
    ]
    osm = parish(9, position_method="osm", position_source_id="node/1", wheelchair="yes", licence="ODbL-1.0", attribution="OSM")
    changes = [
        Change(NOW.isoformat(), "p000008", "moved", "Su 08:00", "Su 09:00", _EVIL, "https://parafia.example/?a=1&b=2"),
        Change(NOW.isoformat(), "p000099", "withdrawn", "", "", "", ""),
    ]
    published(made, (*PARISHES, parish(8, rows, name=f"Świętego {_EVIL}"), osm), changes=changes)
    present = Generations(made / "public").current()
    assert present is not None
    write_dumps(
        present.index, made / "dumps", today=NOW.date(), built_at=NOW, licence="CC-BY-4.0", directory_confirmed=True,
        address=_ADDRESS,
    )  # fmt: skip
    return made


@pytest.fixture(scope="module")
def visitor(folder: Path) -> Visitor:
    return Visitor(site_over(folder, base_url=_ADDRESS))


def parish_path(number: int) -> str:
    one = parish(8, name=f"Świętego {_EVIL}") if number == 8 else PARISHES[number - 1]
    return f"/parafia/{one.slug}-{one.parish_id}"


def graph_of(markup: str) -> rdflib.Graph:
    """JSON-LD as triples, its context replaced by schema.org's vocabulary so that nothing is fetched."""
    document = json.loads(markup)
    assert document["@context"] == "https://schema.org"
    text = json.dumps({**document, "@context": _VOCABULARY}).replace('"https://schema.org/', '"http://schema.org/')
    graph = rdflib.Graph().parse(data=text, format="json-ld")
    for subject, term, value in list(graph):
        if isinstance(value, rdflib.Literal) and value.datatype == XSD.double:  # schema.org has one kind of number
            graph.set((subject, term, rdflib.Literal(str(value), datatype=XSD.float)))
    for kind, members in _MEMBERS.items():
        for name in members:
            graph.add((_SCHEMA[name], RDF.type, _SCHEMA[kind]))
    return graph


def judged(data: rdflib.Graph, shapes: rdflib.Graph) -> str:
    """What SHACL has against a graph; "" for nothing."""
    conforms, _, text = pyshacl.validate(data, shacl_graph=shapes, ont_graph=shapes, inference="none")
    return "" if conforms else str(text)


def unknown_terms(data: rdflib.Graph) -> set[str]:
    """Types and properties that schema.org does not have."""
    terms = [*data.predicates(), *data.objects(None, RDF.type)]
    names = {str(term).removeprefix("http://schema.org/") for term in terms if str(term).startswith("http://schema.org/")}
    return {name for name in names if name not in SDO}


class TestJsonLd:
    @pytest.fixture(scope="class")
    def schema_org(self) -> rdflib.Graph:
        return rdflib.Graph().parse(_SCHEMA_ORG)

    @pytest.fixture(scope="class")
    def graph(self, visitor: Visitor) -> rdflib.Graph:
        found = re.search(r'ld\+json">(.*?)</script>', visitor.page(parish_path(8)), re.DOTALL)
        assert found
        return graph_of(found[1])

    def test_it_is_valid_by_the_shapes_of_schema_org(self, graph: rdflib.Graph, schema_org: rdflib.Graph) -> None:
        assert len(graph) > 40
        assert unknown_terms(graph) == set()
        assert judged(graph, schema_org) == ""

    def test_the_shapes_find_faults(self, graph: rdflib.Graph, schema_org: rdflib.Graph) -> None:
        broken = graph + rdflib.Graph()
        schedule = next(broken.subjects(RDF.type, _SCHEMA.Schedule))
        broken.add((schedule, _SCHEMA.byMonth, rdflib.Literal("May")))
        broken.add((schedule, _SCHEMA.byHour, rdflib.Literal(8)))

        assert "byMonth" in judged(broken, schema_org)
        assert unknown_terms(broken) == {"byHour"}


def _has_rows(file: Path) -> bool:
    return bool(gzip.decompress(file.read_bytes()).strip())


class TestOpenData:
    @pytest.mark.filterwarnings(
        "ignore:Exception ignored in:pytest.PytestUnraisableExceptionWarning"
    )  # files frictionless leaves open
    def test_the_data_package_and_every_table_are_valid(self, folder: Path) -> None:
        """Size and digest of Parquet files are compared elsewhere (test_dumps): frictionless counts no bytes of them."""
        package = frictionless.Package(str(folder / "dumps" / "datapackage.json"))
        for resource in package.resources:
            if resource.format == "parquet":
                resource.bytes = resource.hash = None
        report = package.validate()
        empty = {
            one.name for one in package.resources if one.format == "jsonl" and not _has_rows(folder / "dumps" / str(one.path))
        }
        faults = {task.name: [error.message for error in task.errors][:2] for task in report.tasks if task.errors}
        faults = {name: errors for name, errors in faults.items() if name not in empty}  # frictionless asks for a first line

        assert report.errors == []
        assert faults == {}
        assert len(report.tasks) == len(package.resources) >= 15

    def test_points_are_geojson(self, visitor: Visitor, folder: Path) -> None:
        schema = json.loads(_GEOJSON.read_bytes())
        served = visitor.get("/api/v1/parishes.geojson").json()
        dumped = json.loads(gzip.decompress((folder / "dumps" / "parishes.geojson.gz").read_bytes()))

        jsonschema.validate(served, schema)
        assert dumped == served
        assert len(served["features"]) == len(PARISHES) + 1


class TestFeedsAndCalendars:
    @pytest.mark.parametrize("path", ["/zmiany.atom", f"{parish_path(8)}/zmiany.atom"])
    def test_feeds_are_atom(self, visitor: Visitor, path: str) -> None:
        feed = feedparser.parse(visitor.get(path).content)

        assert (bool(feed.bozo), feed.version) == (False, "atom10")
        assert feed.feed.id.startswith("tag:msze.example,")
        assert feed.feed.updated_parsed
        assert feed.feed.author
        assert feed.entries
        for entry in feed.entries:
            assert entry.id.startswith("tag:msze.example,")
            assert entry.updated_parsed
            assert entry.title
            assert entry.content

    @pytest.mark.parametrize("number", [1, 7, 8])
    def test_calendars_are_icalendar(self, visitor: Visitor, number: int) -> None:
        text = visitor.get(f"/api/v1/parishes/p00000{number}/calendar.ics").content
        calendar = icalendar.Calendar.from_ical(text)
        events = calendar.walk("VEVENT")

        assert missing((calendar,), "VERSION", "PRODID", "NAME", "REFRESH-INTERVAL") == []
        assert missing(events, "UID", "DTSTAMP", "DTSTART", "SUMMARY", "STATUS", "URL", "LAST-MODIFIED") == []
        assert [error for part in calendar.walk() for error in part.errors] == []
        assert len({str(event["UID"]) for event in events}) == len(events) > 0


def missing(parts: Iterable[Any], *names: str) -> list[str]:
    return [name for part in parts for name in names if name not in part]
