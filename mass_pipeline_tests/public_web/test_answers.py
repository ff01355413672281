"""What questions to the box are answered: the search follows the reading, and says what it could not give."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from mass_pipeline.finding.gazetteer import Locality, Point
from mass_pipeline.public_web.answered import answer_record
from mass_pipeline_tests.finding.made import HORIZON, NOW, WEEK, parish, row
from mass_pipeline_tests.public_web.support import CHRISTMAS, Visitor, published, site_over

CHRISTMAS_EVE = CHRISTMAS.replace(day=24)
MIDNIGHT = parish(
    1,
    [
        row(["Su", "PH"], "09:00"),
        row(WEEK, "18:00"),
        row(["Fr"], "00:00", exception="added", valid_from=CHRISTMAS, valid_to=CHRISTMAS, quote="Pasterka o północy"),
    ],
    town="Kraków",
)
EVENING = parish(
    2,
    [row(WEEK, "18:00"), row(["Th"], "22:00", exception="added", valid_from=CHRISTMAS_EVE, valid_to=CHRISTMAS_EVE)],
    town="Kraków",
)


def visitor_of(folder: Path, *parishes: object, at: datetime = NOW, **values: object) -> Visitor:
    """Somebody who asks a site over these parishes at a moment."""
    published(folder, parishes, **values)  # type: ignore[arg-type]  # parishes of made.parish
    return Visitor(site_over(folder, at=at))


def asked(visitor: Visitor, question: str) -> list[str]:
    """The hours that a question is answered with."""
    return visitor.hours(f"/msze?q={quote(question)}")


def record(visitor: Visitor, question: str, at: datetime = datetime(2026, 11, 22, 9), **params: str) -> dict[str, Any]:  # noqa: DTZ001
    """What the page of a question answers."""
    return answer_record(visitor.site, {"q": question, **params}, at)


def towns_of(answer: dict[str, Any]) -> set[str]:
    return {one["town"] for one in answer["parishes"]}


class TestRareMasses:
    """Few Masses are in a language or of a kind: who asks for one in a town wants the next ones, not those of today alone."""

    ENGLISH = parish(1, [row(["Su"], "11:00", note="po angielsku"), row(WEEK, "18:00")], town="Gniezno")

    @pytest.mark.parametrize("question", ["po angielsku Gniezno", "Mass in English in Gniezno"])
    def test_they_are_sought_over_a_week(self, tmp_path: Path, question: str) -> None:
        answer = record(visitor_of(tmp_path, self.ENGLISH), question, datetime(2026, 11, 26, 10))  # noqa: DTZ001

        assert (answer["kind"], answer["dates"], answer["hours"]) == ("masses", ["2026-11-29"], ["11:00"])

    def test_sunday_comes_first(self, tmp_path: Path) -> None:
        daily = parish(1, [row([*WEEK, "Su"], "11:00", note="po angielsku")], town="Gniezno")
        answer = record(visitor_of(tmp_path, daily), "po angielsku Gniezno", datetime(2026, 11, 26, 10))  # noqa: DTZ001

        assert [one["start"][:10] for one in answer["masses"]][:3] == ["2026-11-29", "2026-11-26", "2026-11-27"]

    def test_without_one_in_the_town_the_nearest_is_the_next_best(self, tmp_path: Path) -> None:
        other = parish(2, [row(["Su"], "11:00")], town="Opole")
        answer = record(visitor_of(tmp_path, self.ENGLISH, other), "po angielsku Opole", datetime(2026, 11, 26, 10))  # noqa: DTZ001

        assert (answer["kind"], answer["left_out"], towns_of(answer)) == ("next_best", ["town"], {"Gniezno"})


class TestChurchesByName:
    PARISHES = (
        parish(1, name="Wniebowzięcia NMP", town="Kielce"),
        parish(2, name="Matki Bożej Częstochowskiej", town="Kielce"),
        parish(3, name="św. Floriana", town="Kraków", street="ul. Warszawska 1"),
        parish(4, name="św. Jana", town="Kraków"),
        parish(5, name="św. Floriana", town="Brzeg", street="ul. Krakowska 2"),
    )

    @pytest.mark.parametrize(
        ("question", "name"),
        [
            ("katedra Kielce", "Wniebowzięcia NMP"),
            ("parafia Matki Boskiej Częstochowskiej w Kielcach", "Matki Bożej Częstochowskiej"),
            ("parafia sw floriana krakow", "św. Floriana"),
        ],
    )
    def test_what_was_read_is_what_is_searched(self, tmp_path: Path, question: str, name: str) -> None:
        answer = record(visitor_of(tmp_path, *self.PARISHES), question)

        assert [one["name"] for one in answer["parishes"]] == [name]
        assert towns_of(answer) <= {"Kielce", "Kraków"}

    def test_a_church_that_no_table_knows_is_its_town_and_the_page_says_so(self, tmp_path: Path) -> None:
        visitor = visitor_of(tmp_path, *self.PARISHES)
        answer = record(visitor, "u dominikanów w Krakowie")

        assert (answer["kind"], answer["left_out"], towns_of(answer)) == ("next_best", ["parish"], {"Kraków"})
        assert "Nie wiemy, który to kościół: „dominikanów”" in visitor.page(f"/msze?q={quote('u dominikanów w Krakowie')}")

    def test_one_that_several_towns_have_is_a_list_to_choose_from(self, tmp_path: Path) -> None:
        visitor = visitor_of(tmp_path, *self.PARISHES)
        answer = record(visitor, "msza u św. Floriana")

        assert answer["kind"] == "ask_place"
        assert {visitor.get(path).status_code for path in answer["ways"]} == {200}
        assert len(answer["ways"]) == 2

    def test_near_the_asker_it_is_the_nearest(self, tmp_path: Path) -> None:
        answer = record(visitor_of(tmp_path, *self.PARISHES), "msza u św. Floriana", lat="50.05", lon="20.0")

        assert towns_of(answer) == {"Brzeg", "Kraków"}


class TestPartsOfACity:
    PARISHES = (
        *(parish(number, town="Warszawa", deanery="Warszawa-Praga") for number in range(6)),
        *(parish(number, town="Warszawa", deanery="Warszawa-Ursynów") for number in range(6, 8)),
    )

    def test_only_churches_of_the_part_answer(self, tmp_path: Path) -> None:
        visitor = visitor_of(tmp_path, *self.PARISHES)
        page = f"/msze?q={quote('msza na Ursynowie o 18')}"

        assert visitor.hours(page) == ["18:00", "18:00"]
        assert ">Ursynów<" in visitor.page(page)

    def test_a_part_of_which_no_church_is_known_is_the_city_and_the_page_says_so(self, tmp_path: Path) -> None:
        visitor = visitor_of(tmp_path, *self.PARISHES)
        answer = record(visitor, "msza na Mokotowie o 18")

        assert (answer["kind"], answer["left_out"], len(answer["masses"])) == ("next_best", ["part"], 8)
        assert "Nie wiemy, które kościoły leżą tu: Mokotów" in visitor.page(f"/msze?q={quote('msza na Mokotowie')}")


class TestWishes:
    """Nobody goes 95 km for a Mass for children: such a wish goes before the surroundings of the town are left."""

    FAR = parish(2, [row(["Su"], "10:00", note="z udziałem dzieci")], town="Daleka", latitude=50.8, longitude=20.0)
    TOWN = parish(1, [row(["Su"], "09:00")], town="Blizna", latitude=50.0, longitude=20.0)

    def test_the_town_is_shown_without_it_and_that_is_said(self, tmp_path: Path) -> None:
        answer = record(visitor_of(tmp_path, self.TOWN, self.FAR), "msza dla dzieci w niedzielę Blizna")

        assert (towns_of(answer), answer["left_out"]) == ({"Blizna"}, ["filters"])

    def test_the_next_village_that_has_it_goes_first(self, tmp_path: Path) -> None:
        near = replace(self.FAR, town="Obok", latitude=50.05)
        answer = record(visitor_of(tmp_path, self.TOWN, near), "msza dla dzieci w niedzielę Blizna")

        assert (towns_of(answer), answer["left_out"]) == ({"Obok"}, ["town"])

    def test_for_a_language_people_go_far(self, tmp_path: Path) -> None:
        english = replace(self.FAR, rows=(row(["Su"], "10:00", note="po angielsku"),))
        answer = record(visitor_of(tmp_path, self.TOWN, english), "msza po angielsku w niedzielę Blizna")

        assert (towns_of(answer), answer["left_out"]) == ({"Daleka"}, ["town"])


class TestTheDayIsOver:
    """Whoever asks for Sunday late on a Sunday means the next one, never Monday."""

    PARISH = parish(1, [row(["Su"], "09:00"), row(WEEK, "07:00")], town="Blizna")

    @pytest.mark.parametrize(
        ("question", "at", "day"),
        [
            ("msza w niedzielę Blizna", "2026-11-22T08:00", "2026-11-22"),
            ("msza w niedzielę Blizna", "2026-11-22T21:30", "2026-11-29"),
            ("czwartek rano Blizna", "2026-11-26T22:00", "2026-12-03"),
        ],
    )
    def test_the_next_day_of_the_name_is_shown(self, tmp_path: Path, question: str, at: str, day: str) -> None:
        answer = record(visitor_of(tmp_path, self.PARISH), question, datetime.fromisoformat(at))

        assert (answer["dates"], answer["left_out"]) == ([day], [])

    def test_the_next_best_is_rather_of_today(self, tmp_path: Path) -> None:
        late = parish(1, [row(["Su"], "20:00"), row(WEEK, "07:00")], town="Blizna")
        answer = record(visitor_of(tmp_path, late), "niedziela po 21 Blizna")

        assert (answer["dates"], answer["hours"], answer["left_out"]) == (["2026-11-22"], ["20:00"], ["hours"])


class TestTheNearestHour:
    def test_it_is_shown_where_no_mass_is_near_the_one_asked_for(self, tmp_path: Path) -> None:
        rows = [row(["Su"], hour) for hour in ("07:00", "12:00", "18:30")]
        answer = record(visitor_of(tmp_path, parish(1, rows, town="Blizna")), "o 21 w niedzielę Blizna")

        assert (answer["hours"], answer["left_out"]) == (["18:30"], ["hours"])


class TestPastHours:
    @pytest.mark.parametrize("question", ["msza o 8 Gniezno", "msza rano Gniezno"])
    def test_they_are_those_of_the_next_day(self, tmp_path: Path, question: str) -> None:
        daily = parish(1, [row([*WEEK, "Su"], "08:00"), row([*WEEK, "Su"], "18:00")], town="Gniezno")
        answer = record(visitor_of(tmp_path, daily), question, datetime(2026, 11, 25, 16, 10))  # noqa: DTZ001

        assert (answer["kind"], answer["dates"], answer["hours"]) == ("masses", ["2026-11-26"], ["08:00"])

    def test_a_day_that_is_over_is_answered_with_the_next_one(self, tmp_path: Path) -> None:
        answer = record(visitor_of(tmp_path, parish(1, town="Gniezno")), "msza wczoraj Gniezno")

        assert (answer["kind"], answer["left_out"], answer["dates"]) == ("next_best", ["days"], ["2026-11-22"])


class TestNearMe:
    @pytest.mark.parametrize("hour", range(6, 23))
    def test_every_hour_of_the_day_has_an_answer(self, tmp_path_factory: pytest.TempPathFactory, hour: int) -> None:
        visitor = visitor_of(tmp_path_factory.mktemp("near"), *(parish(number) for number in range(4)))
        answer = record(visitor, "", datetime(2026, 11, 23, hour), lat="50.0", lon="20.0")  # noqa: DTZ001

        assert answer["kind"] == "masses"
        assert [one["distance_m"] for one in answer["masses"]] == sorted(one["distance_m"] for one in answer["masses"])

    def test_of_each_church_the_next_masses_are_shown_and_the_days_are_said(self, tmp_path: Path) -> None:
        full = parish(0, [row([*WEEK, "Su"], f"{hour:02d}:00") for hour in range(6, 21)])
        visitor = visitor_of(tmp_path, full, parish(1))
        page = visitor.page("/msze?lat=50.0&lon=20.0")

        assert visitor.hours("/msze?lat=50.0&lon=20.0") == ["09:00", "10:00", "11:00", "18:00", "17:00"]
        assert "dziś od teraz, potem jutro" in page


class TestPlacesWithoutAParish:
    VILLAGE = Locality("Zielonki Małe", "małopolskie", Point(50.01, 20.0), 300, "x")

    def test_a_village_is_answered_with_the_nearest_churches(self, tmp_path: Path) -> None:
        visitor = visitor_of(tmp_path, parish(0), parish(9), localities=[self.VILLAGE])
        answer = record(visitor, "msza w niedzielę w Zielonkach Małych")

        assert (answer["kind"], answer["masses"][0]["distance_m"]) == ("next_best", 1112)
        assert "W spisie nie ma parafii: Zielonki Małe" in visitor.page("/msze?q=Zielonki%20Ma%C5%82e")

    def test_a_postcode_without_one_by_those_that_begin_alike(self, tmp_path: Path) -> None:
        assert record(visitor_of(tmp_path, parish(0)), "msza 33-199")["kind"] == "next_best"

    def test_a_question_about_something_else_names_no_town(self, tmp_path: Path) -> None:
        page = visitor_of(tmp_path, parish(0)).page(f"/msze?q={quote('spowiedź')}")

        assert "Nie znamy parafii w miejscowości" not in page
        assert "<q>spowiedź</q>" not in page
        assert "Nie znamy godzin spowiedzi" in page
        assert "/msze?miejsce=malopolskie%2Flaka-0" in page

    @pytest.mark.parametrize("question", ["spowiedź Gniezno", "adoracja w Gnieźnie w niedzielę", "confession in Gniezno"])
    def test_of_something_else_the_sites_of_the_towns_parishes_tell(self, tmp_path: Path, question: str) -> None:
        page = visitor_of(tmp_path, parish(0, town="Gniezno", site="https://gniezno.example/")).page(f"/msze?q={quote(question)}")
        note = re.split("Podajemy tylko godziny Mszy|Nie znamy godzin spowiedzi", page)[1].split("</p>")[0]

        assert 'href="https://gniezno.example/"' in note
        assert "Tych słów nie rozumiemy" not in page

    def test_a_part_of_the_country_without_a_town_asks_for_one_of_it(self, tmp_path: Path) -> None:
        visitor = visitor_of(tmp_path, parish(0), parish(1, town="Suwałki", voivodeship="podlaskie"))
        answer = record(visitor, "msza w podlaskim w niedzielę")

        assert answer["kind"] == "ask_place"
        assert answer["ways"] == ["/msze?miejsce=podlaskie%2Fsuwalki&dzien=2026-11-22"]


class TestPagesNearMe:
    def test_a_church_has_one_card_whatever_it_has_of_hours(self, tmp_path: Path) -> None:
        hours = [f"{hour:02d}:00" for hour in range(7, 14)]
        churches = [
            parish(number, [row(["Su"], hour) for hour in hours], latitude=50.0 + number / 100, longitude=20.0)
            for number in range(6)
        ]
        visitor = visitor_of(tmp_path, *churches, at=datetime(2026, 11, 21, 9, tzinfo=UTC))
        pages = [visitor.page(f"/msze?lat=50&lon=20&dzien=2026-11-22&strona={number}") for number in (1, 2, 3)]
        shown = [re.findall(r'<h3 class="title"><a href="([^"]+)"', page) for page in pages]

        assert [len(cards) for cards in shown] == [2, 2, 2]
        assert len({card for cards in shown for card in cards}) == 6
        assert ['rel="next"' in page for page in pages] == [True, True, False]
        assert all(page.count('<time datetime="2026-11-22') == 2 * len(hours) for page in pages)


class TestWhatCannotBeGiven:
    def test_a_language_that_nobody_marks_is_said(self, tmp_path: Path) -> None:
        visitor = visitor_of(tmp_path, parish(0, town="Gniezno"))
        answer = record(visitor, "po koreańsku Gniezno")

        assert (answer["kind"], answer["left_out"]) == ("next_best", ["filters"])
        assert "nie umiemy szukać" in visitor.page(f"/msze?q={quote('po koreańsku Gniezno')}")

    def test_a_standing_order_is_that_of_the_language_and_hours_asked_for(self, tmp_path: Path) -> None:
        rows = [row(["Su"], "08:00"), row(["Su"], "11:00", note="po angielsku"), row(["Su"], "18:00")]
        visitor = visitor_of(tmp_path, parish(0, rows, town="Gniezno"))

        assert record(visitor, "msze po angielsku w niedziele w Gnieźnie")["orders"][0]["hours"] == ["11:00"]
        assert record(visitor, "msze w niedziele po 12 w Gnieźnie")["orders"][0]["hours"] == ["18:00"]

    def test_a_rare_kind_in_one_of_several_towns_is_not_sought_in_the_whole_country(self, tmp_path: Path) -> None:
        english = parish(2, [row(["Su"], "11:00", note="po angielsku")], town="Opole")
        lipas = [parish(number, town="Lipa", voivodeship=land) for number, land in enumerate(("śląskie", "opolskie"))]
        answer = record(visitor_of(tmp_path, english, *lipas), "po angielsku Lipa")

        assert (answer["kind"], answer["masses"], len(answer["ways"])) == ("ask_place", [], 2)

    def test_a_town_without_hours_is_answered_round_itself_not_round_the_asker(self, tmp_path: Path) -> None:
        here, there = parish(0, town="Opole"), parish(40, town="Brzeg")
        silent = replace(parish(41, town="Nysa", state="no_schedule", service_times=""), rows=())
        answer = record(visitor_of(tmp_path, here, there, silent), "msza w Nysie", lat="50.0", lon="20.0")

        assert (answer["kind"], answer["left_out"], answer["parishes"][0]["town"]) == ("next_best", ["town"], "Brzeg")
        assert [one["town"] for one in answer["without_hours"]] == ["Nysa"]


class TestCity:
    def test_its_parts_count_with_it(self, tmp_path: Path) -> None:
        """Directories list the parts of a city as towns; who asks for the city means them too."""
        parts = [parish(number, town=town) for number, town in enumerate(["Kraków-Tyniec", "Kraków Prokocim"], 20)]
        visitor = visitor_of(tmp_path, *(parish(number, town="Kraków") for number in range(10, 16)), *parts)

        assert "znamy porządek 8 z 8 parafii" in visitor.page(f"/msze?q={quote('msza w niedzielę w Krakowie')}")
        assert len(asked(visitor, "msza w niedzielę po 12 w Krakowie")) == 8
        assert [one["place"] for one in visitor.get("/api/v1/places?q=krakow").json()["places"]] == ["malopolskie/krakow"]
        assert (
            visitor.get("/en/miejscowosc/malopolskie/krakow-tyniec").headers["location"] == "/en/miejscowosc/malopolskie/krakow"
        )
        assert visitor.get("/api/v1/masses?place=malopolskie/krakow-tyniec").status_code == 200

    def test_towns_that_words_may_mean_have_one_order_on_every_process_and_the_city_is_first(self, tmp_path: Path) -> None:
        names = ["Kraków", "Kraków", "Krąg", "Krakowiec", "Kraśnik", "Krasne", "Krakowiany", "Kraków-Tyniec"]
        published(tmp_path, [parish(number, town=name) for number, name in enumerate(names)])
        script = (
            "import sys; from pathlib import Path; from mass_pipeline_tests.public_web.support import Visitor, site_over\n"
            "visitor = Visitor(site_over(Path(sys.argv[1])))\n"
            "answers = [visitor.get(f'/api/v1/places?q={words}').json()['places'] for words in ('krak', 'kraków', 'krakw')]\n"
            "print([[one['name'] for one in answer] for answer in answers])"
        )
        said = {
            subprocess.run(
                [sys.executable, "-c", script, str(tmp_path)],
                env={**os.environ, "PYTHONHASHSEED": seed},
                capture_output=True,
                text=True,
                check=True,
            ).stdout
            for seed in ("1", "2")
        }

        assert len(said) == 1
        assert all(names[0] == "Kraków" for names in ast.literal_eval(said.pop()))


class TestListedTwice:
    def test_a_parish_of_two_dioceses_is_one_and_has_the_hours_of_either(self, tmp_path: Path) -> None:
        military = replace(parish(1, name="Świętego Marcina", town="Nysa", postcode="48-300"), diocese_key="polowy", rows=())
        own = parish(2, [row(["Su"], "09:00")], name="św. Marcina", town="Nysa", postcode="48-300")

        assert asked(visitor_of(tmp_path, military, own), "kościół św. Marcina Nysa niedziela") == ["09:00"]

    def test_what_is_refused_with_bez_is_not_searched(self, tmp_path: Path) -> None:
        cathedral = parish(1, [row(["Su"], "08:00")], name="Świętych Piotra i Pawła - Katedra", town="Legnica")
        other = parish(2, [row(["Su"], "10:00")], name="Świętego Jacka", town="Legnica")

        assert "10:00" in asked(visitor_of(tmp_path, cathedral, other), "Legnica niedziela, bez katedry")


class TestChristmasNight:
    @pytest.mark.parametrize(
        "question",
        ["pasterka Kraków", "midnight mass Kraków", "christmas eve midnight mass cracow", "24 grudnia po 20 w Krakowie"],
    )
    def test_a_night_belongs_to_the_evening_before_it(self, tmp_path: Path, question: str) -> None:
        """Midnight Mass of 24 December begins on the 25th by the calendar."""
        visitor = visitor_of(tmp_path, MIDNIGHT, EVENING)

        assert asked(visitor, question) == ["22:00", "00:00"]
        assert "pt. 25.12" in visitor.page(f"/msze?q={quote(question)}")

    def test_days_that_are_not_laid_out_have_the_same_night(self, tmp_path: Path) -> None:
        visitor = visitor_of(tmp_path, MIDNIGHT, EVENING, horizon=type(HORIZON)(HORIZON.first, 10))

        assert asked(visitor, "pasterka Kraków") == ["22:00", "00:00"]

    def test_at_midnight_is_the_hour_alone(self, tmp_path: Path) -> None:
        assert asked(visitor_of(tmp_path, MIDNIGHT, EVENING), "pasterka o północy Kraków") == ["00:00"]

    def test_in_the_night_itself_it_is_still_to_come(self, tmp_path: Path) -> None:
        late = datetime(2026, 12, 24, 22, 30, tzinfo=UTC)

        assert asked(visitor_of(tmp_path, MIDNIGHT, EVENING, at=late, built_at=late), "pasterka Kraków")[-1] == "00:00"


class TestWhatStandsBesideTheSearch:
    """Every part of a question is searched, or a sentence of the page says what became of it."""

    CITY = parish(1, [row(["Su"], "09:00"), row(["Su"], "20:00"), row(WEEK, "18:00")], town="Nysa", site="https://nysa.example/")
    VILLAGE = parish(2, [row(["Su"], "10:30")], town="Hajduki Nyskie", latitude=50.11)

    def asked(self, folder: Path, question: str) -> tuple[dict[str, Any], str]:
        visitor = visitor_of(folder, self.CITY, self.VILLAGE)
        return record(visitor, question), visitor.page(f"/msze?q={quote(question)}")

    def test_another_service_is_named_with_the_site_to_ask(self, tmp_path: Path) -> None:
        answer, page = self.asked(tmp_path, "spowiedź i msza w niedzielę w Nysie")

        assert (answer["not_served"], answer["own_sites"], answer["unread"]) == (["spowiedź"], ["https://nysa.example/"], [])
        assert "Nie znamy godzin spowiedzi, które temu odpowiadają." in page

    @pytest.mark.parametrize(("question", "km"), [("niedziela koło Nysy", 15), ("niedziela w promieniu 12 km od Nysy", 12)])
    def test_around_a_town_is_what_lies_round_it(self, tmp_path: Path, question: str, km: int) -> None:
        answer, page = self.asked(tmp_path, question)

        assert (answer["kind"], answer["searched"]) == ("masses", {"radius_km": km})
        assert [one["start"][11:] for one in answer["nearby"]] == ["10:30"]
        assert f"w promieniu {km} km" in page

    def test_after_the_last_mass_of_the_day_that_one_is_the_next_best(self, tmp_path: Path) -> None:
        answer, _ = self.asked(tmp_path, "kończę zmianę o 21, msza w niedzielę w Nysie")

        assert (answer["kind"], answer["left_out"], answer["hours"]) == ("next_best", ["hours"], ["20:00"])

    @pytest.mark.parametrize(
        ("question", "said"),
        [
            ("czy 8 grudnia jest święto nakazane", "to nie jest święto nakazane"),
            ("czy 6 stycznia to święto nakazane", ": święto nakazane"),
        ],
    )
    def test_a_holy_day_is_answered_without_a_place_too(self, tmp_path: Path, question: str, said: str) -> None:
        assert said in self.asked(tmp_path, question)[1]

    @pytest.mark.parametrize(
        ("question", "hours"),
        [("pierwsza w niedziele i święta Nysa", ["09:00"]), ("ostatnia w niedziele i święta Nysa", ["20:00"])],
    )
    def test_first_and_last_hold_for_a_standing_order_too(self, tmp_path: Path, question: str, hours: list[str]) -> None:
        assert [one["hours"] for one in self.asked(tmp_path, question)[0]["orders"]] == [hours]

    def test_masses_in_polish_are_those_of_which_no_language_is_stated(self, tmp_path: Path) -> None:
        answer, _ = self.asked(tmp_path, "msza po polsku w niedzielę w Nysie")

        assert (answer["kind"], answer["searched"], answer["hours"]) == ("masses", {}, ["09:00", "20:00"])

    def test_of_a_church_that_is_named_the_kind_goes_before_the_church(self, tmp_path: Path) -> None:
        other = parish(3, [row(["Su"], "11:00", note="z udziałem dzieci")], town="Nysa", name="św. Rocha")
        named = parish(4, [row(["Su"], "12:00")], town="Nysa", name="św. Jakuba")
        answer = record(visitor_of(tmp_path, other, named), "św. Jakuba w Nysie w niedzielę dla dzieci")

        assert (answer["left_out"], answer["hours"]) == (["filters"], ["12:00"])

    def test_a_second_town_is_a_link(self, tmp_path: Path) -> None:
        answer, page = self.asked(tmp_path, "Nysa albo Hajduki Nyskie, niech będzie Nysa")

        assert (answer["also"], answer["unread"], towns_of(answer)) == (["Hajduki Nyskie"], [], {"Nysa"})
        assert "Pokaż też" in page

    @pytest.mark.parametrize(
        ("question", "label"), [("msza w języku migowym w Nysie", "migow"), ("greckokatolicka Nysa", "greckokatolicka")]
    )
    def test_a_filter_is_shown_and_the_way_on_drops_it(self, tmp_path: Path, question: str, label: str) -> None:
        visitor = visitor_of(tmp_path, self.CITY, self.VILLAGE)
        answer = record(visitor, question)
        without = next(path for path in answer["ways"] if "jezyk" not in path and "rodzaj" not in path and "dzien" not in path)

        assert answer["left_out"] == ["filters"]
        assert label in visitor.page(f"/msze?q={quote(question)}").split('class="read"')[1].split("</p>")[0]
        assert visitor.hours(without)
