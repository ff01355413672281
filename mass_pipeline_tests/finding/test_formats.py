"""iCalendar, JSON-LD, Atom and GeoJSON of a parish."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET
from dataclasses import dataclass
from datetime import date, datetime, timedelta

import pytest

from mass_pipeline.finding.formats.atom import feed
from mass_pipeline.finding.formats.ics import calendar
from mass_pipeline.finding.formats.jsonld import parish_jsonld
from mass_pipeline.finding.index import queries
from mass_pipeline.finding.index.changes import Change
from mass_pipeline.finding.index.generations import Generation
from mass_pipeline.finding.index.library import open_index
from mass_pipeline.finding.index.records import MassRecord, ParishRecord
from mass_pipeline_tests.finding.made import NOW, index_of, named, parish, row

EVIL = "a;b,c\r\nEND:VEVENT </script><b> ]]> " + "ż" * 90
CHRISTMAS = date(2026, 12, 25)
ROWS = [
    row(["Su"], "08:00", quote=EVIL),
    row(["Sa"], "18:00", season="07-08", nth=(1,)),
    row(["Fr"], "22:00", exception="added", valid_from=CHRISTMAS, valid_to=CHRISTMAS),
    row(["Su"], "08:00", exception="cancelled", valid_from=date(2026, 12, 6), valid_to=date(2026, 12, 6)),
]


@dataclass(frozen=True)
class Opened:
    """A parish of an index with its rules and its next days; one whose position is rough; the moment of the data."""

    one: ParishRecord
    rough: ParishRecord
    rules: list[MassRecord]
    days: list[queries.DayOfParish]
    built_at: datetime

    def calendar(self, days_later: int = 0) -> str:
        """The Masses of its days, cancelled ones among them."""
        found = [mass for day in self.days for mass in (*day.masses, *day.cancelled)]
        return calendar(self.one, found, self.built_at + timedelta(days=days_later), "https://msze.example", named)


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Opened:
    folder = tmp_path_factory.mktemp("gen")
    facts = [parish(1, ROWS, name=f"Świętego {EVIL}"), parish(2, precision_m=5_000), parish(3, latitude=None)]
    index_of(folder / "index.sqlite", facts)
    index = open_index(Generation("gen", folder))
    with index.connection() as connection:
        one, rough = (queries.parish(connection, key) for key in ("p000001", "p000002"))
        assert one is not None
        assert rough is not None
        rules = queries.rules_of(connection, one.pk)
        days = [queries.day_of_parish(index, one, rules, NOW.date() + timedelta(offset)) for offset in range(60)]
    return Opened(one, rough, rules, days, index.built_at)


class TestCalendar:
    def test_lines_are_folded_at_75_octets_and_unfold_to_whole_characters(self, opened: Opened) -> None:
        text = opened.calendar()

        assert text.endswith("END:VCALENDAR\r\n")
        assert all(len(line.encode()) <= 75 for line in text.split("\r\n"))
        assert "ż" * 90 in text.replace("\r\n ", "")

    def test_words_of_pages_make_no_lines_of_their_own(self, opened: Opened) -> None:
        lines = opened.calendar().replace("\r\n ", "").split("\r\n")
        count = sum(len(day.masses) + len(day.cancelled) for day in opened.days)

        assert lines.count("BEGIN:VEVENT") == lines.count("END:VEVENT") == count
        assert lines.count("STATUS:CANCELLED") == 1

    def test_an_identifier_outlives_a_new_reading(self, opened: Opened) -> None:
        early, late = (re.findall("^UID:.*$", opened.calendar(days), re.MULTILINE) for days in (0, 9))

        assert early == late
        assert len(set(early)) == len(early)


class TestJsonLd:
    def test_it_is_json_that_no_script_element_ends_in(self, opened: Opened) -> None:
        text = parish_jsonld(opened.one, opened.rules, opened.days, "https://msze.example", named)
        graph = json.loads(text)["@graph"]

        assert "<" not in text
        assert graph[0]["@type"] == "CatholicChurch"
        schedules = [event["eventSchedule"] for event in graph if "eventSchedule" in event]
        assert sorted(schedules, key=lambda schedule: str(schedule["startTime"]))[1]["byMonth"] == [7, 8]
        statuses = {event["eventStatus"].rsplit("/")[-1] for event in graph if "eventStatus" in event}
        assert statuses == {"EventCancelled", "EventScheduled"}

    def test_a_rough_position_is_no_geo(self, opened: Opened) -> None:
        assert "geo" not in json.loads(parish_jsonld(opened.rough, [], [], "https://msze.example", named))["@graph"][0]


class TestAtomAndGeoJson:
    def test_a_feed_is_xml_whatever_the_words(self) -> None:
        change = Change(NOW.isoformat(), "p1", "moved", "Su 08:00", "Su 09:00", EVIL + "\x00", "https://parafia.example/?a=1&b=2")
        tree = ET.fromstring(
            feed("Zmiany", "https://msze.example", "/zmiany", "/zmiany.atom", [(change, EVIL, "/parafia/x")], NOW)
        )
        atom = "{http://www.w3.org/2005/Atom}"

        assert tree.findtext(f"{atom}id") == "tag:msze.example,2026:/zmiany"
        assert len(tree.findall(f"{atom}entry")) == 1
