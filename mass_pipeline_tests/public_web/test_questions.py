"""Thirty questions to the box over the parishes of the demo web, with answers worked out by hand from its true schedules."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import quote

import pytest

from mass_pipeline.demo_web.web import DemoWeb
from mass_pipeline.finding.index.facts import ParishFacts
from mass_pipeline_tests.finding.made import parish, row
from mass_pipeline_tests.public_web.support import Visitor, published, site_over

# Asked on Sunday 22 November 2026 at nine in the morning.
QUESTIONS = (
    ("Boże Ciało 2027 w Młyniskach Górnych", "07:30 09:00 11:00 16:00"),
    ("pierwszy piątek lipca po 16 w Wilczętach Małych", "17:00"),
    ("msza w niedzielę po 9 w Starzynach", "09:00 10:30 12:00 18:00"),
    ("jutro rano Barciany", "07:00"),
    ("dziś wieczorem Mielęcin Tarnowski", "19:00"),
    ("Mielęcin Tarnowski dla dzieci w niedzielę", "10:00"),
    ("Różany Las msza dla młodzieży w niedzielę", "09:30"),
    ("msza trydencka w niedzielę", "15:00"),
    ("roraty Czaplin Wielki 1 grudnia", "06:30"),
    ("wigilia Starzyny", "07:00 18:00"),
    ("Boże Narodzenie Świdwinek", "08:00 11:00"),
    ("Wielki Piątek Barciany", ""),
    ("26 grudnia Wilczęta Małe", "08:00 10:00 17:00"),
    ("Trzech Króli Olszyny Górne", "07:45 09:15 11:30"),
    ("Drzewoszewo w środę", "16:00 18:00"),
    ("ostatnia msza w niedzielę Radłówek", "17:00"),
    ("pierwsza msza jutro Rzepiennik Dolny", "07:00"),
    ("Zastawienko w sobotę", "17:00"),
    ("Zastawienko 5 grudnia", ""),
    ("Szynwałd Nowy w sobotę", "17:00 18:00"),
    ("Jodłówka Mała we wtorek", "07:30"),
    ("Sunday Mass in Ptaszkówka after 9am", "09:00 11:00 18:00"),
    ("tomorrow evening Kadzielnia", "18:00"),
    ("Corpus Christi Barciany", "07:00 08:30 10:00 11:30 18:00"),
    ("Wojniczek 9 grudnia", "09:00 18:00"),
    ("Zagórzyce 3 grudnia", "18:00"),
    ("Karczma Nowa w piątek", "08:00"),
    ("Wszystkich Świętych 2027 Kadzielnia", "07:30 09:00 10:30 12:00 18:00"),
    ("Połczynek w poniedziałek", "17:00"),
    ("Siedliska Tuchowskie między 9 a 12 w niedzielę", "09:00 11:00"),
)


def facts_of_the_demo() -> list[ParishFacts]:
    """Every parish of the demo web with its true schedule."""
    facts = []
    for number, one in enumerate(DemoWeb().parishes):
        rows = [
            row(
                mass.days,
                mass.time,
                season=mass.season,
                nth=mass.nth,
                place=mass.place,
                note=mass.note,
                quote=f"Msza {mass.time}",
            )
            for mass in one.site.truth
        ]
        site = one.site
        made = parish(number, rows, name=site.name, town=site.town, voivodeship=site.voivodeship or "")
        facts.append(made if rows else replace(made, rows=(), service_times="", state="no_schedule"))
    return facts


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Visitor:
    """The site over the true schedules of the demo web."""
    folder = tmp_path_factory.mktemp("demo")
    published(folder, facts_of_the_demo())
    return Visitor(site_over(folder))


class TestThirtyQuestions:
    @pytest.mark.parametrize(("question", "hours"), QUESTIONS, ids=[question for question, _ in QUESTIONS])
    def test_the_page_answers_as_the_schedules_say(self, demo: Visitor, question: str, hours: str) -> None:
        assert demo.hours(f"/msze?q={quote(question)}") == hours.split()

    def test_a_parish_of_which_nothing_is_known_is_listed(self, demo: Visitor) -> None:
        assert "strona nie podaje porządku Mszy" in demo.page(f"/msze?q={quote('Gwdowo w niedzielę')}")

    def test_a_feast_kept_on_another_day_has_its_list_there(self, tmp_path: Path) -> None:
        """Saint Joseph: 19 March 2028 is a Sunday of Lent, and the demo's Kadzielnia has a list of its own for such feasts."""
        evening_before = datetime(2028, 3, 19, 18, tzinfo=UTC)
        published(tmp_path, facts_of_the_demo(), built_at=evening_before)
        visitor = Visitor(site_over(tmp_path, at=evening_before))

        assert visitor.hours("/msze?q=Kadzielnia+20+marca+2028") == ["07:00", "09:00", "18:00"]
        assert "święto przeniesione na ten dzień" in visitor.page("/msze?q=Kadzielnia+jutro")
