"""What questions to the box are answered: the search follows the reading, and says what it could not give (answers.txt)."""

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
from urllib.parse import parse_qsl, quote

import pytest

from mass_pipeline.finding.gazetteer import Locality, Point
from mass_pipeline.finding.index.facts import ParishFacts
from mass_pipeline.public_web.answered import answer_record
from mass_pipeline_tests.finding.made import HORIZON, NOW, WEEK, parish, row
from mass_pipeline_tests.public_web.support import CHRISTMAS, Visitor, published, site_over

MOMENT = "2026-11-22T09:00"
CITY = parish(1, [row(["Su"], "09:00"), row(["Su"], "20:00"), row(WEEK, "18:00")], town="Nysa", site="https://nysa.example/")
VILLAGE = parish(2, [row(["Su"], "10:30")], town="Hajduki Nyskie", latitude=50.11)
ENGLISH = parish(1, [row(["Su"], "11:00", note="po angielsku"), row(WEEK, "18:00")], town="Gniezno")
WISHED = parish(2, [row(["Su"], "10:00", note="z udziałem dzieci")], town="Daleka", latitude=50.8, longitude=20.0)
BLIZNA = parish(1, [row(["Su"], "09:00")], town="Blizna", latitude=50.0, longitude=20.0)
EVE = CHRISTMAS.replace(day=24)
NIGHT = row(["Fr"], "00:00", exception="added", valid_from=CHRISTMAS, valid_to=CHRISTMAS, quote="Pasterka o północy")
MIDNIGHT = parish(1, [row(["Su", "PH"], "09:00"), row(WEEK, "18:00"), NIGHT], town="Kraków")
EVENING = parish(2, [row(WEEK, "18:00"), row(["Th"], "22:00", exception="added", valid_from=EVE, valid_to=EVE)], town="Kraków")
DAILY = [row([*WEEK, "Su"], "08:00"), row([*WEEK, "Su"], "18:00")]
LIPAS = [parish(number, town="Lipa", voivodeship=land) for number, land in enumerate(("śląskie", "opolskie"))]
SEVERAL = [row(["Su"], "08:00"), row(["Su"], "11:00", note="po angielsku"), row(["Su"], "18:00")]
WORLDS: dict[str, list[ParishFacts]] = {
    "english": [ENGLISH],
    "english every day": [parish(1, [row([*WEEK, "Su"], "11:00", note="po angielsku")], town="Gniezno")],
    "english elsewhere": [ENGLISH, parish(2, [row(["Su"], "11:00")], town="Opole")],
    "churches": [
        parish(1, name="Wniebowzięcia NMP", town="Kielce"),
        parish(2, name="Matki Bożej Częstochowskiej", town="Kielce"),
        parish(3, name="św. Floriana", town="Kraków", street="ul. Warszawska 1"),
        parish(4, name="św. Jana", town="Kraków"),
        parish(5, name="św. Floriana", town="Brzeg", street="ul. Krakowska 2"),
    ],
    "parts": [
        *(parish(number, town="Warszawa", deanery="Warszawa-Praga") for number in range(6)),
        *(parish(number, town="Warszawa", deanery="Warszawa-Ursynów") for number in range(6, 8)),
    ],
    "wish far off": [BLIZNA, WISHED],
    "wish near": [BLIZNA, replace(WISHED, town="Obok", latitude=50.05)],
    "english far off": [BLIZNA, replace(WISHED, rows=(row(["Su"], "10:00", note="po angielsku"),))],
    "mornings": [parish(1, [row(["Su"], "09:00"), row(WEEK, "07:00")], town="Blizna")],
    "late": [parish(1, [row(["Su"], "20:00"), row(WEEK, "07:00")], town="Blizna")],
    "three hours": [parish(1, [row(["Su"], hour) for hour in ("07:00", "12:00", "18:30")], town="Blizna")],
    "daily": [parish(1, DAILY, town="Gniezno")],
    "Gniezno": [parish(0, town="Gniezno", site="https://gniezno.example/")],
    "two lands": [parish(0), parish(1, town="Suwałki", voivodeship="podlaskie")],
    "several": [parish(0, SEVERAL, town="Gniezno")],
    "two of a name": [parish(2, [row(["Su"], "11:00", note="po angielsku")], town="Opole"), *LIPAS],
    "silent": [
        parish(0, town="Opole"),
        parish(40, town="Brzeg"),
        replace(parish(41, town="Nysa", state="no_schedule", service_times=""), rows=()),
    ],
    "silent church": [
        replace(parish(1, town="Nysa", name="św. Jakuba", state="no_schedule", service_times=""), rows=()),
        parish(2, [row(["Su"], "11:00")], town="Nysa", name="św. Rocha"),
    ],
    "listed twice": [
        replace(parish(1, name="Świętego Marcina", town="Nysa", postcode="48-300"), diocese_key="polowy", rows=()),
        parish(2, [row(["Su"], "09:00")], name="św. Marcina", town="Nysa", postcode="48-300"),
    ],
    "cathedral": [
        parish(1, [row(["Su"], "08:00")], name="Świętych Piotra i Pawła - Katedra", town="Legnica"),
        parish(2, [row(["Su"], "10:00")], name="Świętego Jacka", town="Legnica"),
    ],
    "midnight": [MIDNIGHT, EVENING],
    "city": [CITY, VILLAGE],
    "kinds": [
        parish(3, [row(["Su"], "11:00", note="z udziałem dzieci")], town="Nysa", name="św. Rocha"),
        parish(4, [row(["Su"], "12:00")], town="Nysa", name="św. Jakuba"),
    ],
}


def lines() -> list[tuple[str, ...]]:
    """World, question, moment, parameters, answer and what the page says, of each line of the file."""
    text = Path(__file__).with_name("answers.txt").read_text(encoding="utf-8").splitlines()
    return [tuple(part.strip() for part in line.split("|")) for line in text if line and not line.startswith("#")]


def visitor_of(folder: Path, *parishes: object, at: datetime = NOW, **values: object) -> Visitor:
    """Somebody who asks a site over these parishes at a moment."""
    published(folder, parishes, **values)  # type: ignore[arg-type]  # parishes of made.parish
    return Visitor(site_over(folder, at=at))


def asked(visitor: Visitor, question: str) -> list[str]:
    """The hours that a question is answered with."""
    return visitor.hours(f"/msze?q={quote(question)}")


def record(visitor: Visitor, question: str, at: str = MOMENT, **params: str) -> dict[str, Any]:
    """What the page of a question answers."""
    return answer_record(visitor.site, {"q": question, **params}, datetime.fromisoformat(at))


def summary(answer: dict[str, Any]) -> str:
    """An answer in one line: its kind, the Masses in their order, the churches, and what is said besides."""
    shown: dict[str, object] = {"left_out": answer["left_out"]}
    shown |= {name: [one["start"] for one in answer[name]] for name in ("masses", "nearby")}
    shown["orders"] = [hour for one in answer["orders"] for hour in one["hours"]]
    shown |= {name: [f"{one['name']} {one['town']}" for one in answer[name]] for name in ("parishes", "without_hours")}
    shown |= {name: answer[name] for name in ("not_served", "own_sites", "also", "unread")}
    shown |= {name: [f"{key} {value}" for key, value in answer[name].items()] for name in ("obligations", "searched")}
    shown["ways"] = answer["ways"] if answer["kind"] == "ask_place" else []
    said = [f"{name}={', '.join(values)}" for name, values in shown.items() if isinstance(values, list) and values]
    return "; ".join([answer["kind"], *said])


@pytest.fixture(scope="module")
def visitors(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Visitor]:
    """A visitor of each world."""
    return {name: visitor_of(tmp_path_factory.mktemp("world"), *parishes) for name, parishes in WORLDS.items()}


class TestAnswers:
    @pytest.mark.parametrize(("world", "words", "at", "params", "answer", "says"), lines())
    def test_a_question_is_answered_as_the_file_says(
        self, visitors: dict[str, Visitor], world: str, words: str, at: str, params: str, answer: str, says: str
    ) -> None:
        visitor = visitors[world]
        found = record(visitor, words, at or MOMENT, **dict(parse_qsl(params)))

        assert summary(found) == answer
        assert found["dates"] == sorted({one["start"][:10] for one in found["masses"]})
        assert set(found["hours"]) == {one["start"][11:] for one in found["masses"]}
        page = visitor.page(f"/msze?q={quote(words)}&{params}") if says else ""
        for sentence in filter(None, says.split(" / ")):
            assert (sentence.removeprefix("!") in page) is not sentence.startswith("!"), sentence

    def test_ways_to_parishes_of_a_name_lead_somewhere(self, visitors: dict[str, Visitor]) -> None:
        answer = record(visitors["churches"], "msza u św. Floriana")

        assert {visitors["churches"].get(path).status_code for path in answer["ways"]} == {200}

    @pytest.mark.parametrize(
        ("question", "label"), [("msza w języku migowym w Nysie", "migow"), ("greckokatolicka Nysa", "greckokatolicka")]
    )
    def test_a_filter_is_shown_and_the_way_on_drops_it(self, visitors: dict[str, Visitor], question: str, label: str) -> None:
        visitor = visitors["city"]
        ways = record(visitor, question)["ways"]

        assert label in visitor.page(f"/msze?q={quote(question)}").split('class="read"')[1].split("</p>")[0]
        assert visitor.hours(next(path for path in ways if not re.search("jezyk|rodzaj|dzien", path)))


class TestNearMe:
    def test_every_hour_of_the_day_has_an_answer(self, tmp_path: Path) -> None:
        visitor = visitor_of(tmp_path, *(parish(number) for number in range(4)))
        for hour in range(6, 23):
            answer = record(visitor, "", f"2026-11-23T{hour:02d}:00", lat="50.0", lon="20.0")

            assert answer["kind"] == "masses"
            assert [one["distance_m"] for one in answer["masses"]] == sorted(one["distance_m"] for one in answer["masses"])

    def test_of_each_church_the_next_masses_are_shown_and_the_days_are_said(self, tmp_path: Path) -> None:
        full = parish(0, [row([*WEEK, "Su"], f"{hour:02d}:00") for hour in range(6, 21)])
        visitor = visitor_of(tmp_path, full, parish(1))
        page = visitor.page("/msze?lat=50.0&lon=20.0")

        assert visitor.hours("/msze?lat=50.0&lon=20.0") == ["09:00", "10:00", "11:00", "18:00", "17:00"]
        assert "dziś od teraz, potem jutro" in page

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

    def test_a_village_without_a_parish_is_answered_with_the_nearest_churches(self, tmp_path: Path) -> None:
        village = Locality("Zielonki Małe", "małopolskie", Point(50.01, 20.0), 300, "x")
        visitor = visitor_of(tmp_path, parish(0), parish(9), localities=[village])
        answer = record(visitor, "msza w niedzielę w Zielonkach Małych")

        assert (answer["kind"], answer["masses"][0]["distance_m"]) == ("next_best", 1112)
        assert "W spisie nie ma parafii: Zielonki Małe" in visitor.page("/msze?q=Zielonki%20Ma%C5%82e")


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


class TestChristmasNight:
    def test_days_that_are_not_laid_out_have_the_same_night(self, tmp_path: Path) -> None:
        visitor = visitor_of(tmp_path, MIDNIGHT, EVENING, horizon=type(HORIZON)(HORIZON.first, 10))

        assert asked(visitor, "pasterka Kraków") == ["22:00", "00:00"]

    def test_in_the_night_itself_it_is_still_to_come(self, tmp_path: Path) -> None:
        late = datetime(2026, 12, 24, 22, 30, tzinfo=UTC)

        assert asked(visitor_of(tmp_path, MIDNIGHT, EVENING, at=late, built_at=late), "pasterka Kraków")[-1] == "00:00"
