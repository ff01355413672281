"""From candidates to one row per parish: statuses, quota, resuming, storage rules, shared and moved sites."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path

import pytest

from mass_pipeline.gathering.config import PlacesConfig, WebsitesConfig
from mass_pipeline.gathering.decisions import record_liveness, sweep
from mass_pipeline.gathering.listing import ListedSite
from mass_pipeline.gathering.lookups import open_ledger, queries
from mass_pipeline.gathering.parish import Parish
from mass_pipeline.gathering.parish_url import ParishUrl
from mass_pipeline.gathering.ports import HomePage, Place, PlacesBadRequest, PlacesDenied, PlacesOverLimit, PlacesUnavailable
from mass_pipeline.gathering.state import DiscoveryState
from mass_pipeline.gathering.websites import Sources, find_websites, place_link
from mass_pipeline.model.errors import ConfigurationError, RetryLater
from mass_pipeline_tests.gathering.support import Clock, parish

CONFIG = PlacesConfig(api_key="AIzaTest", terms_confirmed=True, max_attempts=2, parallel_lookups=2)
ANNA = Place(
    "id-anna", "Parafia św. Anny", "ul. Kościelna 5, 45-010 Opole", ("church",), "http://swanna.example/", "77 123 45 67"
)
HOME = HomePage("http://swanna.example/", "Parafia św. Anny w Opolu. Msze święte. ul. Kościelna 5", "Parafia św. Anny")


class Places:
    """A Places client over a dictionary: query -> places or an error to raise; counts what it is asked."""

    search_units = 10
    details_units = 1

    def __init__(self, answers: dict[str, Sequence[Place] | Exception] | None = None) -> None:
        self._answers = answers or {}
        self.searches: list[str] = []
        self.detailed: list[str] = []

    def search(self, query: str) -> tuple[Place, ...]:
        self.searches.append(query)
        answer = self._answers.get(query, ())
        if isinstance(answer, Exception):
            raise answer
        return tuple(dataclasses.replace(place, website=None, phone=None) for place in answer)

    def details(self, place: Place) -> Place:
        self.detailed.append(place.place_id)
        known = {p.place_id: p for answer in self._answers.values() if not isinstance(answer, Exception) for p in answer}
        return known[place.place_id]


class Finder:
    """Runs `find_websites` again and again over one state file."""

    def __init__(self, path: Path, places: Places | None, pages: dict[str, HomePage] | None = None) -> None:
        self.path, self.places, self.pages, self.clock = path, places, pages or {}, Clock()
        self.fetched: list[str] = []

    def fetch(self, url: str) -> HomePage:
        self.fetched.append(url)
        if url not in self.pages:
            raise RetryLater(url, "no answer")
        return self.pages[url]

    def run(self, *parishes: Parish, config: PlacesConfig = CONFIG, **options: object) -> list[ParishUrl]:
        sources = Sources(self.places, config, options.pop("listed", {}))  # type: ignore[arg-type]
        policy = WebsitesConfig(**options)  # type: ignore[arg-type]
        with DiscoveryState(self.path) as state:
            ledger = open_ledger(state, config)
            return find_websites(parishes, sources, ledger, policy, self.fetch if policy.verify else None, self.clock)

    def contents(self) -> bytes:
        """Every byte of the state on the disk, journal included."""
        return b"".join(file.read_bytes() for file in sorted(self.path.parent.iterdir()))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "discovery.sqlite"


def book(*places: Place, of: Parish | None = None) -> Places:
    """Places that answers a parish's first query."""
    return Places({queries(of or parish())[0]: places})


@pytest.mark.row("P3", "P4")
class TestHalfOfTheParishes:
    def test_have_no_site_and_the_others_get_theirs_for_the_units_that_the_document_counts(self, path: Path) -> None:
        """As in 2018, 5,600 of 10,130: a search and the details of each that is found, two searches of each that is not."""
        parishes = [parish(f"św. Anny {n}", "Opole", street=f"ul. Leśna {n}") for n in range(20)]
        sites = [
            dataclasses.replace(ANNA, place_id=f"id-{n}", name=f"Parafia św. Anny {n}", address=f"ul. Leśna {n}, 45-010 Opole",
                                website=f"http://anna{n}.example/") for n in range(0, 20, 2)
        ]  # fmt: skip
        places = Places({queries(one)[0]: (site,) for one, site in zip(parishes[::2], sites, strict=True)})
        rows = Finder(path, places).run(*parishes, verify=False)

        assert _count(rows) == {"ok": 10, "not_found": 10}
        assert {row.url for row in rows if row.url} == {site.website for site in sites}
        assert (len(places.searches), len(places.detailed)) == (10 + 2 * 10, 10)


@pytest.mark.row("P3")
class TestQueries:
    def test_name_town_and_street_then_name_and_town(self) -> None:
        """P3."""
        assert queries(parish()) == ("Świętej Anny Opole ul. Kościelna 5", "Świętej Anny Opole")

    def test_one_query_without_a_street(self) -> None:
        assert queries(parish(street=None)) == ("Świętej Anny Opole",)

    def test_the_second_is_asked_only_when_the_first_finds_nothing(self, path: Path) -> None:
        places = Places({"Świętej Anny Opole": (ANNA,)})
        Finder(path, places).run(parish())

        assert list(queries(parish())) == places.searches
        assert places.detailed == ["id-anna"]


class TestStatus:
    def test_ok_when_the_page_names_the_parish(self, path: Path) -> None:
        (row,) = Finder(path, book(ANNA), {ANNA.website or "": HOME}).run(parish())

        assert (
            row.status, row.url, row.verified, row.source, row.place_id,
        ) == ("ok", "http://swanna.example/", True, "places", "id-anna")  # fmt: skip

    def test_ambiguous_when_a_likely_site_does_not_answer(self, path: Path) -> None:
        (row,) = Finder(path, book(ANNA)).run(parish())

        assert (row.status, row.url) == ("ambiguous", None)
        assert "page:unreachable" in row.candidates[0].evidence

    def test_ambiguous_when_two_sites_are_likely_and_nothing_is_verified(self, path: Path) -> None:
        other = dataclasses.replace(ANNA, place_id="id-2", website="http://anna-opole.example/")
        (row,) = Finder(path, book(ANNA, other)).run(parish(), verify=False)

        assert (row.status, row.url) == ("ambiguous", None)

    def test_not_found_when_no_place_has_a_site(self, path: Path) -> None:
        (row,) = Finder(path, book(dataclasses.replace(ANNA, website=None))).run(parish())

        assert (row.status, row.place_id) == ("not_found", "id-anna")

    def test_not_found_when_the_only_site_is_a_social_network(self, path: Path) -> None:
        """It stays among the candidates as a contact, and is not fetched."""
        finder = Finder(path, None)
        (row,) = finder.run(parish(website_hint="https://www.facebook.com/swanna"))

        assert row.url is None
        assert finder.fetched == []
        assert "social_network" in row.candidates[0].evidence

    def test_error_when_places_cannot_answer_this_one(self, path: Path) -> None:
        other = parish("św. Jana", "Nysa")
        places = Places({queries(parish())[0]: PlacesBadRequest("search", "INVALID_REQUEST"), queries(other)[0]: ()})

        assert _count(Finder(path, places).run(parish(), other)) == {"error": 1, "not_found": 1}

    def test_error_after_paid_attempts_when_places_is_out_of_order(self, path: Path) -> None:
        places = Places({queries(parish())[0]: PlacesUnavailable("search", "HTTP 503")})
        (row,) = Finder(path, places).run(parish())

        assert (row.status, len(places.searches)) == ("error", 2)

    def test_pending_when_places_is_not_asked(self, path: Path) -> None:
        assert _count(Finder(path, None).run(parish())) == {"pending": 1}

    def test_a_verified_site_of_the_directory_needs_no_places(self, path: Path) -> None:
        (row,) = Finder(path, None, {"http://swanna.example/": HOME}).run(parish(website_hint="www.swanna.example"[4:]))

        assert (row.status, row.source) == ("ok", "directory")

    def test_a_refused_key_stops_the_run(self, path: Path) -> None:
        places = Places({queries(parish())[0]: PlacesDenied("Places: REQUEST_DENIED; check the key.")})

        with pytest.raises(PlacesDenied):
            Finder(path, places).run(parish())

    def test_sources_that_agree_are_joined(self, path: Path) -> None:
        finder = Finder(path, book(ANNA), {"http://swanna.example/": HOME})
        listed = {parish().parish_id: [ListedSite("https://www.swanna.example", "osm")]}
        (row,) = finder.run(parish(website_hint="http://swanna.example"), listed=listed)

        assert [candidate.source for candidate in row.candidates] == [("directory+osm+places")]


@pytest.mark.row("P4")
class TestQuota:
    def test_the_run_ends_cleanly_at_the_limit_and_goes_on_the_next_day(self, path: Path) -> None:
        parishes = [parish(f"św. Anny {n}", "Opole", street=None) for n in range(12)]
        finder = Finder(path, Places())
        config = dataclasses.replace(CONFIG, units_per_day=50)
        first = finder.run(*parishes, config=config)
        asked = list(finder.places.searches) if finder.places else []
        finder.clock.move(hours=25)
        second = finder.run(*parishes, config=config)

        assert (_count(first), _count(second)) == ({"not_found": 5, "pending": 7}, {"not_found": 10, "pending": 2})
        assert finder.places is not None
        assert len(set(finder.places.searches)) == len(finder.places.searches) == 10
        assert len(asked) == 5

    def test_over_query_limit_stops_asking(self, path: Path) -> None:
        parishes = [parish(f"św. Anny {n}", "Opole", street=None) for n in range(5)]
        places = Places({queries(parishes[0])[0]: PlacesOverLimit("search", "OVER_QUERY_LIMIT")})
        rows = Finder(path, places).run(*parishes, config=dataclasses.replace(CONFIG, parallel_lookups=1))

        assert _count(rows) == {"pending": 5}
        assert len(places.searches) == 1

    def test_a_decided_parish_is_not_asked_again(self, path: Path) -> None:
        finder = Finder(path, book(ANNA), {"http://swanna.example/": HOME})
        first, second = finder.run(parish()), finder.run(parish())

        assert first == second
        assert finder.places is not None
        assert len(finder.places.searches) == 1

    def test_a_changed_directory_entry_is_looked_up_again(self, path: Path) -> None:
        finder = Finder(path, Places())
        finder.run(parish())
        finder.clock.move(hours=1)
        finder.run(dataclasses.replace(parish(), street="ul. Nowa 1"))

        assert finder.places is not None
        assert "Świętej Anny Opole ul. Nowa 1" in finder.places.searches


class TestStorageRules:
    """Only place_id may stay; the URL that stays is the one verified on the site itself (docs/terms.md)."""

    def test_nothing_else_of_an_unverified_place_is_left_anywhere(self, path: Path) -> None:
        place = dataclasses.replace(ANNA, name="Nazwa z Places", address="Adres z Places, 45-010 Opole", phone="77 999 88 77")
        finder = Finder(path, book(place))
        (row,) = finder.run(parish())
        stored = finder.contents()

        assert place_link("id-anna") == row.candidates[0].url
        assert b"id-anna" in stored
        for content in ("Nazwa z Places", "Adres z Places", "77 999 88 77", "swanna.example"):
            assert content.encode() not in stored
            assert content not in row.to_json()

    def test_the_verified_url_stays(self, path: Path) -> None:
        (row,) = Finder(path, book(ANNA), {"http://swanna.example/": HOME}).run(parish())

        assert row.candidates[0].url == "http://swanna.example/"

    def test_content_of_a_stopped_run_is_swept_after_a_day(self, path: Path) -> None:
        finder = Finder(path, Places({queries(parish())[0]: (ANNA,)}))
        config = dataclasses.replace(CONFIG, units_per_day=10)
        assert _count(finder.run(parish(), config=config)) == {"pending": 1}
        assert b"Parafia \xc5\x9bw. Anny" in finder.contents()
        with DiscoveryState(path) as state:
            assert sweep(state, finder.clock() + timedelta(hours=25)) == 1

        assert b"Parafia \xc5\x9bw. Anny" not in finder.contents()

    def test_decisions_that_rest_on_content_end_with_its_time(self, path: Path) -> None:
        config = dataclasses.replace(CONFIG, content_days=30)
        finder = Finder(path, book(ANNA))
        (row,) = finder.run(parish(), config=config, policy="first_result")
        finder.clock.move(days=31)
        finder.run(parish(), config=config, policy="first_result")

        assert row.url == "http://swanna.example/"
        assert finder.places is not None
        assert len(finder.places.searches) == 2

    def test_first_result_without_leave_to_keep_content_is_refused(self, path: Path) -> None:
        with pytest.raises(ConfigurationError, match="CONTENT_DAYS"):
            Finder(path, book(ANNA)).run(parish(), policy="first_result")


@pytest.mark.row("P3")
class TestFirstResult:
    def test_the_first_place_is_taken_and_several_are_noted(self, path: Path) -> None:
        """P3, for comparison: nothing is checked, not even the town."""
        wrong = dataclasses.replace(ANNA, place_id="id-2", address="Toruń", website="http://torun.example/")
        config = dataclasses.replace(CONFIG, content_days=30)
        (row,) = Finder(path, book(wrong, ANNA)).run(parish(), config=config, policy="first_result")

        assert (row.status, row.url, row.verified) == ("ambiguous", "http://torun.example/", False)


class TestMovedAndDead:
    def test_a_redirect_to_a_new_home_is_recorded(self, path: Path) -> None:
        moved = dataclasses.replace(HOME, url="https://parafia-anny.example/")
        (row,) = Finder(path, book(ANNA), {"http://swanna.example/": moved}).run(parish())

        assert row.url == "https://parafia-anny.example/"
        assert "page:moved" in row.candidates[0].evidence

    def test_a_site_dead_for_three_runs_is_looked_up_again(self, path: Path) -> None:
        finder = Finder(path, book(ANNA), {"http://swanna.example/": HOME})
        anna = parish()
        finder.run(anna)
        assert finder.places is not None
        for expected_searches in (1, 1, 2):
            with DiscoveryState(path) as state:
                record_liveness(state, alive=(), dead=[anna.parish_id])
            finder.clock.move(days=7)
            finder.run(anna)

            assert len(finder.places.searches) == expected_searches

    def test_a_site_that_did_not_answer_is_tried_again_next_week(self, path: Path) -> None:
        finder = Finder(path, book(ANNA))
        (first,) = finder.run(parish())
        finder.pages["http://swanna.example/"] = HOME
        (same_day,) = finder.run(parish())
        finder.clock.move(days=8)
        (next_week,) = finder.run(parish())

        assert [first.status, same_day.status, next_week.status] == ["ambiguous", "ambiguous", "ok"]

    def test_one_living_page_resets_the_count(self, path: Path) -> None:
        finder = Finder(path, book(ANNA), {"http://swanna.example/": HOME})
        finder.run(parish())
        with DiscoveryState(path) as state:
            for _ in range(2):
                record_liveness(state, alive=(), dead=[parish().parish_id])
            record_liveness(state, alive=[parish().parish_id], dead=())

            assert state.rows("SELECT dead_runs FROM decisions") == [(0,)]


def _count(rows: Sequence[ParishUrl]) -> dict[str, int]:
    return {status: sum(row.status == status for row in rows) for status in sorted({row.status for row in rows})}


class TestTwins:
    def test_parishes_with_the_same_query_share_one_answer(self, path: Path) -> None:
        """The answer's content is removed when the first is decided; the second must neither pay again nor wait."""
        one = parish(parish_id="1", street=None)
        other = parish(parish_id="2", street=None, deanery="Opole II")
        places = Places({queries(one)[0]: (ANNA,)})
        rows = Finder(path, places).run(one, other, config=dataclasses.replace(CONFIG, parallel_lookups=1))

        assert "pending" not in _count(rows)
        assert (len(places.searches), len(places.detailed)) == (1, 1)
