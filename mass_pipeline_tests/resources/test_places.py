"""Both Places clients against the emulator: one contract, all error statuses, and the key that nobody sees."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from dataclasses import replace

import pytest

from mass_pipeline.crawling.fetching.http_client import RateLimitedClient
from mass_pipeline.demo_web.places import Place as EmulatedPlace
from mass_pipeline.demo_web.places import book_from_mapping
from mass_pipeline.demo_web.web import DemoWeb
from mass_pipeline.gathering.config import PlacesConfig
from mass_pipeline.gathering.ports import PlacesBadRequest, PlacesClient, PlacesDenied, PlacesOverLimit, PlacesUnavailable
from mass_pipeline.resources.places_legacy import GooglePlacesLegacy
from mass_pipeline.resources.places_new import GooglePlacesNew
from mass_pipeline_tests.crawling.made import QUICK

KEY = "AIzaSecretOfTheOperator"
CONFIG = PlacesConfig(api_key=KEY, timeout_seconds=0.5, queries_per_second=1000)
ANNA = EmulatedPlace("Parafia św. Anny", "ul. Leśna 3, 48-217 Biała, Polska", "http://swanna.example/")
CHAPEL = EmulatedPlace("Kaplica", "48-217 Biała, Polska")


@pytest.fixture(scope="module")
def web() -> Iterator[DemoWeb]:
    with DemoWeb(0, places=book_from_mapping({"św. Anny Biała": (ANNA, CHAPEL)})) as opened:
        yield opened


@pytest.fixture(params=["legacy", "new"])
def client(request: pytest.FixtureRequest, web: DemoWeb) -> Iterator[PlacesClient]:
    web.places.faults.clear()
    if request.param == "legacy":
        yield GooglePlacesLegacy(CONFIG, web.places_base_url)
    else:
        with RateLimitedClient(replace(QUICK, idle_seconds=0.5), service=True) as http:
            yield GooglePlacesNew(CONFIG, http, web.places_base_url)


class TestBothClients:
    def test_search_and_details_give_the_place_with_its_website(self, client: PlacesClient) -> None:
        first, second = client.search("św. Anny Biała")

        assert (first.name, first.address) == ("Parafia św. Anny", "ul. Leśna 3, 48-217 Biała, Polska")
        assert "church" in first.types
        assert client.details(first).website == "http://swanna.example/"
        assert client.details(second).website is None

    def test_zero_results_are_an_empty_answer(self, client: PlacesClient) -> None:
        assert client.search("nikt nie zna") == ()

    def test_over_query_limit(self, client: PlacesClient, web: DemoWeb) -> None:
        web.places.fail_next(status="OVER_QUERY_LIMIT")

        with pytest.raises(PlacesOverLimit):
            client.search("św. Anny Biała")

    def test_request_denied_names_the_remedy(self, client: PlacesClient, web: DemoWeb) -> None:
        web.places.fail_next(status="REQUEST_DENIED")

        with pytest.raises(PlacesDenied, match="check the key"):
            client.search("św. Anny Biała")

    def test_invalid_request(self, client: PlacesClient, web: DemoWeb) -> None:
        web.places.fail_next(status="INVALID_REQUEST")

        with pytest.raises(PlacesBadRequest):
            client.search("św. Anny Biała")

    @pytest.mark.parametrize("status", [500, 502, 503, 504])
    def test_server_errors_are_one_attempt_each(self, client: PlacesClient, web: DemoWeb, status: int) -> None:
        """Every attempt is paid for: the clients must not ask again by themselves."""
        web.places.fail_next(http_status=status)
        before = len(web.places.requests)

        with pytest.raises(PlacesUnavailable, match=str(status)):
            client.search("św. Anny Biała")
        assert len(web.places.requests) == before + 1

    def test_a_slow_answer_is_a_timeout(self, client: PlacesClient, web: DemoWeb) -> None:
        web.places.fail_next(delay_seconds=1.0)

        with pytest.raises(PlacesUnavailable):
            client.search("św. Anny Biała")

    def test_unknown_error_is_unavailable(self, client: PlacesClient, web: DemoWeb) -> None:
        web.places.fail_next(status="UNKNOWN_ERROR")

        with pytest.raises(PlacesUnavailable):
            client.search("św. Anny Biała")


class TestTheKey:
    def test_is_in_no_log_line_and_no_error(self, client: PlacesClient, web: DemoWeb, caplog: pytest.LogCaptureFixture) -> None:
        caplog.set_level(logging.DEBUG)
        client.search("św. Anny Biała")
        web.places.fail_next(delay_seconds=1.0)
        with pytest.raises(PlacesUnavailable) as raised:
            client.search("św. Anny Biała")

        assert KEY not in caplog.text
        assert KEY not in repr(raised.value) + str(raised.value)
        assert raised.value.__cause__ is None or KEY not in repr(raised.value.__cause__)

    def test_is_not_shown_when_nobody_answers(self) -> None:
        client = GooglePlacesLegacy(CONFIG, "http://127.0.0.1:9")

        with pytest.raises(PlacesUnavailable, match="ConnectionError") as raised:
            client.search("x")
        assert KEY not in repr(raised.value)

    @pytest.mark.parametrize("key", ["", "not-a-google-key"])
    def test_a_key_that_cannot_be_one_is_refused_at_once(self, key: str) -> None:
        with pytest.raises(PlacesDenied, match="MASS_PIPELINE_PLACES_API_KEY"):
            GooglePlacesLegacy(PlacesConfig(api_key=key))
        with RateLimitedClient(QUICK, service=True) as http, pytest.raises(PlacesDenied, match="MASS_PIPELINE_PLACES_API_KEY"):
            GooglePlacesNew(PlacesConfig(api_key=key), http)
