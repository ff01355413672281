"""The Places emulator: asked by the real googlemaps client and in the form of Places API (New)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import googlemaps
import googlemaps.exceptions
import httpx
import pytest

from mass_pipeline.demo_web.places import Place, book_from_mapping
from mass_pipeline.demo_web.web import DemoWeb


@pytest.fixture
def web(served: DemoWeb) -> Iterator[DemoWeb]:
    """The shared server with a fresh emulator state."""
    served.places.faults.clear()
    served.places.requests.clear()
    yield served
    served.places.faults.clear()


@pytest.fixture
def client(web: DemoWeb) -> googlemaps.Client:
    return googlemaps.Client(key="AIzaDemo", base_url=web.places_base_url, timeout=5, retry_timeout=1)


def _new(web: DemoWeb, text: str, mask: str = "places.id,places.websiteUri", key: str = "AIzaDemo") -> httpx.Response:
    headers = {"X-Goog-FieldMask": mask} | ({"X-Goog-Api-Key": key} if key else {})
    return httpx.post(
        f"{web.places_base_url}/v1/places:searchText", json={"textQuery": text, "languageCode": "pl"}, headers=headers
    )


def _website(client: googlemaps.Client, query: str) -> list[str | None]:
    found: list[dict[str, Any]] = client.places(query, language="pl")["results"]
    return [client.place(place["place_id"], fields=["website"])["result"].get("website") for place in found]


class TestLegacyProtocol:
    @pytest.mark.parametrize(
        ("query", "websites"),
        [
            ("Świętej Katarzyny ul. Rynek 2 Starzyny", ["http://katarzyna-starzyny.example/"]),
            ("Świętego Józefa Oblubieńca Najświętszej Maryi Panny Zagórzyce", ["http://parafiazagorzyce.example/"]),
            (
                "Świętych Apostołów Piotra i Pawła Rychnówko 31 Rychnówko",
                ["http://piotripawel-rychnowko.example/", None],  # two results, its own first
            ),
            ("Świętego Maksymiliana Marii Kolbego ul. Morska 33 Mielenko Nadmorskie", []),  # not known at all
        ],
    )
    def test_a_parish_is_found_and_details_tell_its_website(
        self, client: googlemaps.Client, query: str, websites: list[str | None]
    ) -> None:
        assert _website(client, query) == websites
        assert client.places(query)["status"] == ("OK" if websites else "ZERO_RESULTS")
        assert not any("website" in place for place in client.places(query)["results"]), "a search tells no website"

    def test_one_parish_is_found_in_the_wrong_town(self, client: googlemaps.Client) -> None:
        found = client.places("Świętego Wojciecha Biskupa i Męczennika Gaj Święty")["results"]

        assert "Odległe Małe" in found[0]["formatted_address"]

    def test_fields_limit_the_details(self, client: googlemaps.Client) -> None:
        place = client.places("Świętej Katarzyny Starzyny")["results"][0]["place_id"]

        assert set(client.place(place, fields=["name"])["result"]) == {"name"}

    def test_an_unknown_place_is_not_found(self, client: googlemaps.Client) -> None:
        with pytest.raises(googlemaps.exceptions.ApiError, match="NOT_FOUND"):
            client.place("nobody")

    @pytest.mark.parametrize("path", ["textsearch/json?query=Starzyny", "details/json?placeid=demo"])
    def test_without_a_key_the_request_is_denied(self, web: DemoWeb, path: str) -> None:
        assert httpx.get(f"{web.places_base_url}/maps/api/place/{path}").json()["status"] == "REQUEST_DENIED"


class TestNewProtocol:
    def test_the_mask_chooses_the_fields(self, web: DemoWeb) -> None:
        places = _new(web, "Świętej Katarzyny Starzyny").json()["places"]

        assert [set(place) for place in places] == [{"id", "websiteUri"}]
        assert places[0]["websiteUri"] == "http://katarzyna-starzyny.example/"

    @pytest.mark.parametrize(
        ("words", "asked", "status"),
        [("Nigdzie", {}, 200), ("Starzyny", {"mask": ""}, 400), ("Starzyny", {"key": ""}, 403)],
    )
    def test_nothing_found_is_an_empty_object_and_mask_and_key_are_needed(
        self, web: DemoWeb, words: str, asked: dict[str, str], status: int
    ) -> None:
        answer = _new(web, words, **asked)

        assert answer.status_code == status
        assert status != 200 or answer.json() == {}

    def test_a_body_that_is_no_object_is_invalid(self, web: DemoWeb) -> None:
        headers = {"X-Goog-Api-Key": "k", "X-Goog-FieldMask": "*"}
        answer = httpx.post(f"{web.places_base_url}/v1/places:searchText", content=b"[1]", headers=headers)

        assert answer.status_code == 400

    def test_a_found_place_has_details(self, web: DemoWeb) -> None:
        place_id = _new(web, "Świętej Katarzyny Starzyny").json()["places"][0]["id"]
        headers = {"X-Goog-Api-Key": "k", "X-Goog-FieldMask": "id,websiteUri"}
        answer = httpx.get(f"{web.places_base_url}/v1/places/{place_id}", headers=headers)

        assert answer.json() == {"id": place_id, "websiteUri": "http://katarzyna-starzyny.example/"}


class TestOtherBooks:
    def test_a_mapping_of_queries_serves_any_table(self) -> None:
        book = book_from_mapping({"Świętego Jana ul. Polna 1 Jaworze": [Place("Parafia", "Jaworze", "http://jaworze.example/")]})
        with DemoWeb(sites=1, places=book) as web:
            client = googlemaps.Client(key="AIzaDemo", base_url=web.places_base_url)

            assert _website(client, "świętego jana  ul. polna 1 jaworze") == ["http://jaworze.example/"]
            assert client.places("Jaworze")["status"] == "ZERO_RESULTS"
