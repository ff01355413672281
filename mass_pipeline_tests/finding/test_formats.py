"""iCalendar, JSON-LD, Atom and GeoJSON of a parish."""

from __future__ import annotations

import json
import sqlite3
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path

import pytest

from mass_pipeline.finding.formats.atom import feed
from mass_pipeline.finding.formats.ics import calendar
from mass_pipeline.finding.formats.jsonld import parish_jsonld
from mass_pipeline.finding.index import queries
from mass_pipeline.finding.index.changes import Change
from mass_pipeline.finding.index.generations import Generation
from mass_pipeline.finding.index.library import OpenIndex, open_index
from mass_pipeline_tests.finding.made import NOW, index_of, named, parish, row

EVIL = "a;b,c\r\nEND:VEVENT </script><b> ]]> " + "ż" * 90
CHRISTMAS = date(2026, 12, 25)
ROWS = [
    row(["Su"], "08:00", quote=EVIL),
    row(["Sa"], "18:00", season="07-08", nth=(1,)),
    row(["Fr"], "22:00", exception="added", valid_from=CHRISTMAS, valid_to=CHRISTMAS),
    row(["Su"], "08:00", exception="cancelled", valid_from=date(2026, 12, 6), valid_to=date(2026, 12, 6)),
]


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[tuple[OpenIndex, sqlite3.Connection]]:
    folder = tmp_path / "gen"
    folder.mkdir()
    index_of(
        folder / "index.sqlite",
        [parish(1, ROWS, name=f"Świętego {EVIL}"), parish(2, precision_m=5_000), parish(3, latitude=None)],
    )
    index = open_index(Generation("gen", folder))
    with index.connection() as connection:
        yield index, connection
    index.retire()


def days_of(index: OpenIndex, connection: sqlite3.Connection, count: int = 60) -> list[queries.DayOfParish]:
    one = queries.parish(connection, "p000001")
    assert one is not None
    rules = queries.rules_of(connection, one.pk)
    return [queries.day_of_parish(index, one, rules, NOW.date() + timedelta(offset)) for offset in range(count)]


class TestCalendar:
    def test_lines_are_folded_at_75_octets_and_unfold_to_whole_characters(
        self, opened: tuple[OpenIndex, sqlite3.Connection]
    ) -> None:
        index, connection = opened
        one = queries.parish(connection, "p000001")
        assert one is not None
        text = calendar(
            one, [found for day in days_of(*opened) for found in day.masses], index.built_at, "https://msze.example", named
        )

        assert text.endswith("END:VCALENDAR\r\n")
        assert all(len(line.encode()) <= 75 for line in text.split("\r\n"))
        assert "ż" * 90 in text.replace("\r\n ", "")

    def test_words_of_pages_make_no_lines_of_their_own(self, opened: tuple[OpenIndex, sqlite3.Connection]) -> None:
        index, connection = opened
        one = queries.parish(connection, "p000001")
        assert one is not None
        found = [found for day in days_of(*opened) for found in (*day.masses, *day.cancelled)]
        lines = calendar(one, found, index.built_at, "https://msze.example", named).replace("\r\n ", "").split("\r\n")

        assert lines.count("BEGIN:VEVENT") == lines.count("END:VEVENT") == len(found)
        assert lines.count("STATUS:CANCELLED") == 1

    def test_an_identifier_outlives_a_new_reading(self, opened: tuple[OpenIndex, sqlite3.Connection]) -> None:
        index, connection = opened
        one = queries.parish(connection, "p000001")
        assert one is not None
        found = [found for day in days_of(*opened) for found in day.masses]
        early, late = (calendar(one, found, index.built_at + timedelta(days=n), "https://msze.example", named) for n in (0, 9))

        def names(text: str) -> list[str]:
            return [line for line in text.split("\r\n") if line.startswith("UID:")]

        assert names(early) == names(late)
        assert len(set(names(early))) == len(names(early))


class TestJsonLd:
    def test_it_is_json_that_no_script_element_ends_in(self, opened: tuple[OpenIndex, sqlite3.Connection]) -> None:
        _, connection = opened
        one = queries.parish(connection, "p000001")
        assert one is not None
        text = parish_jsonld(one, queries.rules_of(connection, one.pk), days_of(*opened), "https://msze.example", named)
        graph = json.loads(text)["@graph"]

        assert "<" not in text
        assert graph[0]["@type"] == "CatholicChurch"
        schedules = [event["eventSchedule"] for event in graph if "eventSchedule" in event]
        assert sorted(schedules, key=lambda schedule: str(schedule["startTime"]))[1]["byMonth"] == [7, 8]
        assert {event["eventStatus"].rsplit("/")[-1] for event in graph if "eventStatus" in event} == {
            "EventCancelled",
            "EventScheduled",
        }

    def test_a_rough_position_is_no_geo(self, opened: tuple[OpenIndex, sqlite3.Connection]) -> None:
        _, connection = opened
        one = queries.parish(connection, "p000002")
        assert one is not None

        assert "geo" not in json.loads(parish_jsonld(one, [], [], "https://msze.example", named))["@graph"][0]


class TestAtomAndGeoJson:
    def test_a_feed_is_xml_whatever_the_words(self) -> None:
        change = Change(NOW.isoformat(), "p1", "moved", "Su 08:00", "Su 09:00", EVIL + "\x00", "https://parafia.example/?a=1&b=2")
        tree = ET.fromstring(
            feed("Zmiany", "https://msze.example", "/zmiany", "/zmiany.atom", [(change, EVIL, "/parafia/x")], NOW)
        )
        atom = "{http://www.w3.org/2005/Atom}"

        assert tree.findtext(f"{atom}id") == "tag:msze.example,2026:/zmiany"
        assert len(tree.findall(f"{atom}entry")) == 1
