"""Churches of OpenStreetMap as parishes and as a source of web sites."""

from __future__ import annotations

import json
from collections.abc import Mapping

import pytest

from mass_pipeline.gathering.listing import ListedSite, join_lists, match_churches, read_operator_list
from mass_pipeline.gathering.osm import osm_parishes, read_overpass
from mass_pipeline.model.errors import BadInput
from mass_pipeline_tests.gathering.support import DIOCESES, parish

TAGS = {
    "amenity": "place_of_worship",
    "religion": "christian",
    "denomination": "roman_catholic",
    "name": "Kościół św. Anny",
    "addr:city": "Opole",
    "addr:street": "ul. Kościelna",
    "addr:housenumber": "5",
    "addr:postcode": "45-010",
    "contact:website": "http://swanna.example/",
    "service_times": "Su 08:00,10:00",
    "diocese": "diecezja opolska",
}


def overpass(*tags: Mapping[str, str], remark: str = "") -> bytes:
    elements = [{"type": "way", "id": n, "center": {"lat": 50.6, "lon": 17.9}, "tags": t} for n, t in enumerate(tags, start=1)]
    answer = {"osm3s": {"timestamp_osm_base": "2026-11-01T00:00:00Z"}, "elements": elements, "remark": remark}
    return json.dumps(answer).encode()


class TestReadOverpass:
    def test_a_church_is_read_with_all_its_tags(self) -> None:
        (church,) = read_overpass(overpass(TAGS))

        assert (
            church.osm_id,
            church.name,
            church.town,
            church.street,
            church.website,
            church.service_times,
            church.latitude,
        ) == ("way/1", "Kościół św. Anny", "Opole", "ul. Kościelna 5", "http://swanna.example/", "Su 08:00,10:00", 50.6)
        assert church.mapped_at is not None
        assert church.page == "https://www.openstreetmap.org/way/1"

    def test_other_places_of_worship_and_nameless_ones_are_passed_over(self) -> None:
        others = ({**TAGS, "denomination": "lutheran"}, {**TAGS, "amenity": "school"}, {**TAGS, "name": ""}, {})

        assert list(read_overpass(overpass(*others))) == []

    @pytest.mark.parametrize(
        ("content", "message"),
        [
            (b"<html>", "is not JSON"),
            (b"[]", "no list of elements"),
            (overpass(remark="runtime error: Query timed out"), "Query timed out"),
        ],
    )
    def test_an_answer_that_is_none_is_named(self, content: bytes, message: str) -> None:
        with pytest.raises(BadInput, match=message):
            list(read_overpass(content))


class TestOsmParishes:
    def test_a_church_with_town_and_diocese_is_a_parish(self) -> None:
        (found,) = osm_parishes(read_overpass(overpass(TAGS, {**TAGS, "diocese": ""}, {**TAGS, "diocese": "nieznana"})), DIOCESES)

        assert (
            found.diocese_key, found.street, found.voivodeship, found.website_hint, found.source,
        ) == ("opolska", "ul. Kościelna 5", "opolskie", "http://swanna.example/", "osm")  # fmt: skip


class TestMatchChurches:
    def test_patron_and_postcode_find_the_parish(self) -> None:
        anna, wojciech = parish(), parish("św. Wojciecha")

        assert match_churches([anna, wojciech], read_overpass(overpass(TAGS))) == {
            anna.parish_id: [ListedSite("http://swanna.example/", "osm")]
        }

    def test_a_church_of_another_town_or_patron_lends_nothing(self) -> None:
        elsewhere = {**TAGS, "addr:city": "Nysa", "addr:postcode": "48-300"}

        assert match_churches([parish()], read_overpass(overpass(elsewhere, {**TAGS, "name": "Kościół św. Jana"}))) == {}

    def test_a_church_that_fits_two_parishes_lends_nothing(self) -> None:
        assert match_churches([parish(parish_id="1"), parish(parish_id="2")], read_overpass(overpass(TAGS))) == {}


class TestOperatorList:
    def test_lines_become_sites_and_lists_join_in_order(self, tmp_path) -> None:  # type: ignore[no-untyped-def]
        path = tmp_path / "sites.csv"
        path.write_text("parish_id,url\n p1 ,http://a.example/\np1,http://b.example/\n", encoding="utf-8")
        joined = join_lists(read_operator_list(path), {"p1": [ListedSite("http://c.example/", "osm")]})  # type: ignore[dict-item]

        assert [site.url for site in joined["p1"]] == ["http://a.example/", "http://b.example/", "http://c.example/"]  # type: ignore[index]

    def test_a_file_without_the_columns_is_named(self, tmp_path) -> None:  # type: ignore[no-untyped-def]
        path = tmp_path / "sites.csv"
        path.write_text("parafia;adres\n1;2\n", encoding="utf-8")

        with pytest.raises(BadInput, match="parish_id, url"):
            read_operator_list(path)
