"""Where a parish is, and how exactly that is known."""

from __future__ import annotations

from mass_pipeline.finding.gazetteer import Gazetteer, Locality, Point, read_gazetteer
from mass_pipeline.finding.places import place_data
from mass_pipeline.finding.positions import Home, StatedPoint, find_positions, points_of_page
from mass_pipeline.gathering.osm import Church
from mass_pipeline_tests.shared import ROOT

TOWNS = Gazetteer(
    [
        Locality("Nowa Wieś", "małopolskie", Point(50.0, 20.0), 900, "geonames/1"),
        Locality("Lipowa", "śląskie", Point(49.7, 19.1), 900, "geonames/2"),
        Locality("Lipowa", "śląskie", Point(50.6, 18.9), 900, "geonames/3"),
    ]
)
BESIDE = Point(50.001, 20.001)
HOME = Home("p1", "Świętego Jana Chrzciciela", "Nowa Wieś", "małopolskie", "33-100")


def church(number: int, name: str, town: str = "Nowa Wieś", at: Point = BESIDE, **values: str) -> Church:
    given = dict.fromkeys(("street", "postcode", "voivodeship", "diocese", "deanery", "website", "phone", "service_times"), "")
    return Church(
        osm_id=f"node/{number}", name=name, town=town, latitude=at.latitude, longitude=at.longitude, mapped_at=None,
        **{**given, **values},
    )  # fmt: skip


class TestLadder:
    def test_the_operators_point_decides_over_everything_else(self) -> None:
        (found,) = find_positions(
            [HOME], TOWNS, {"p1": StatedPoint(Point(50.2, 20.2), "operator")}, [church(1, "św. Jana Chrzciciela")]
        )

        assert (found.method, found.precision_m, found.point) == ("table", 100, Point(50.2, 20.2))

    def test_a_church_that_alone_fits_gives_its_point_and_its_wheelchair_tag(self) -> None:
        (found,) = find_positions([HOME], TOWNS, churches=[church(1, "Kościół św. Jana Chrzciciela", wheelchair="limited")])

        assert (found.method, found.source_id, found.wheelchair) == ("osm", "node/1", "limited")
        assert found.licence == "ODbL-1.0"

    def test_two_churches_of_one_patron_give_none(self) -> None:
        churches = [church(1, "św. Jana Chrzciciela"), church(2, "św. Jana Chrzciciela", at=Point(50.01, 20.01))]
        (found,) = find_positions([HOME], TOWNS, churches=churches)

        assert found.method == "locality"

    def test_a_church_that_fits_two_parishes_belongs_to_neither(self) -> None:
        twin = Home("p2", HOME.name, HOME.town, HOME.voivodeship, HOME.postcode)
        found = find_positions([HOME, twin], TOWNS, churches=[church(1, "św. Jana Chrzciciela")])

        assert [one.method for one in found] == ["locality", "locality"]

    def test_a_church_without_a_town_counts_round_the_towns_centre_only(self) -> None:
        near, far = (
            find_positions([HOME], TOWNS, churches=[church(1, "św. Jana Chrzciciela", town="", at=at)])[0]
            for at in (Point(50.02, 20.0), Point(50.2, 20.0))
        )

        assert (near.method, far.method) == ("osm", "locality")

    def test_a_town_of_several_parishes_is_no_exact_place(self) -> None:
        other = Home("p2", "Świętej Anny", HOME.town, HOME.voivodeship, HOME.postcode)

        assert [one.precision_m for one in find_positions([HOME, other], TOWNS)] == [5_000, 5_000]
        assert [one.precision_m for one in find_positions([HOME], TOWNS)] == [2_000]

    def test_two_towns_of_one_name_in_one_voivodeship_are_no_answer(self) -> None:
        (found,) = find_positions([Home("p", "Św. Anny", "Lipowa", "śląskie", None)], TOWNS)

        assert found.point is None
        assert found.method is None

    def test_a_site_that_states_a_place_far_from_its_town_states_nothing(self) -> None:
        near, far = (StatedPoint(Point(latitude, 20.0), "parish site", "u") for latitude in (50.05, 53.0))

        assert find_positions([HOME], TOWNS, sites={"p1": [near]})[0].method == "site"
        assert find_positions([HOME], TOWNS, sites={"p1": [far]})[0].method == "locality"
        assert find_positions([HOME], TOWNS, sites={"p1": [near, far]})[0].method == "locality"

    def test_neighbours_of_the_postcode_are_the_last_step(self) -> None:
        lost = Home("p2", "Św. Anny", "Zagubin", "małopolskie", "33-100")
        found = find_positions([HOME, lost], TOWNS)[1]

        assert (found.method, found.precision_m) == ("postcode", 5_000)


class TestStatedPoints:
    def test_json_ld_with_one_place_states_it(self) -> None:
        body = b'<script type="application/ld+json">{"geo": {"latitude": 50.123, "longitude": "20.456"}}</script>'

        assert points_of_page(body) == [Point(50.123, 20.456)]

    def test_several_places_a_foreign_one_and_maps_state_none(self) -> None:
        several = b'<script type="application/ld+json">[{"latitude": 50.123, "longitude": 20.456}, {"latitude": 50.9, '
        several += b'"longitude": 20.956}]</script>'

        assert points_of_page(several) == []
        assert points_of_page(b'<meta name="geo.position" content="41.902;12.453">') == []
        assert points_of_page(b'<iframe src="https://maps.example/?ll=50.123,20.456"></iframe>') == []


class TestGazetteerOfTheProject:
    def test_towns_stand_under_their_polish_names(self) -> None:
        """A parish of Warsaw has its position by the name that directories write."""
        towns = read_gazetteer(ROOT / "data/gazetteer/pl.tsv")
        cities = {"Warszawa": "mazowieckie", "Kraków": "małopolskie", "Bielsko-Biała": "śląskie", "Łódź": "łódzkie"}

        assert all(towns.find(name, land) for name, land in cities.items())
        assert [one.name for one in towns if one.name.casefold() in place_data("exonyms")] == []
