"""Days with an order of their own: Christmas Eve, Holy Thursday, Easter; cancelled hours; the feasts that are near, by town."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from mass_pipeline.schedules.day import day_schedule
from mass_pipeline_tests.finding.made import HORIZON, WEEK, parish, row
from mass_pipeline_tests.public_web.support import Visitor, published, site_over


class TestDaysWithAnOrderOfTheirOwn:
    @pytest.mark.parametrize(
        ("day", "time", "is_assumed"),
        [
            (date(2026, 12, 24), "18:00", True),
            (date(2026, 12, 24), "07:00", False),
            (date(2026, 12, 23), "18:00", False),
            (date(2027, 3, 25), "07:00", True),  # Holy Thursday
            (date(2027, 3, 28), "07:00", True),  # Easter Sunday
            (date(2027, 4, 4), "07:00", False),
        ],
    )
    def test_their_usual_hours_are_assumed(self, day: date, time: str, is_assumed: bool) -> None:
        schedule = day_schedule([row([*WEEK, "Su"], time)], day)

        assert [("own_order" in flags) for flags in schedule.flags] == [is_assumed]

    def test_what_the_parish_announces_for_them_is_not(self) -> None:
        eve = date(2026, 12, 24)
        schedule = day_schedule([row(["Th"], "16:00", exception="only", valid_from=eve, valid_to=eve)], eve)

        assert schedule.flags == ((),)

    def test_the_value_for_openstreetmap_says_so(self, tmp_path: Path) -> None:
        published(tmp_path, [parish(1, service_times="Mo-Sa 18:00+", service_times_points="Mo-Sa 18:00")])
        rules = Visitor(site_over(tmp_path)).get("/api/v1/parishes/p000001/rules").json()

        assert (rules["service_times"], rules["service_times_points"]) == ("Mo-Sa 18:00+", "Mo-Sa 18:00")
        assert "24 grudnia od 15:00" in rules["service_times_note"]


class TestCancelledHours:
    def test_the_standing_order_shows_no_hour_that_is_cancelled_today(self, tmp_path: Path) -> None:
        today = date(2026, 11, 22)
        rows = [row(["Su"], "08:00"), row(["Su"], "11:00")]
        gone = row(["Su"], "11:00", exception="cancelled", valid_from=today, valid_to=today)
        published(tmp_path, [parish(1, [*rows, gone])])
        page = Visitor(site_over(tmp_path)).page("/parafia/laka-1-swietego-jana-1-p000001")
        order_of_it = page.split("Porządek stały")[1].split("</ul>")[0]

        assert "<strong>08:00</strong>" in order_of_it
        assert "<s>11:00</s>" in order_of_it
        assert "<strong>11:00</strong>" not in order_of_it
        assert "nie: 22.11" in order_of_it


class TestFeastOfATown:
    """Two weeks before Christmas: who has said the hours, and who has not."""

    @pytest.fixture
    def before_christmas(self, tmp_path: Path) -> Visitor:
        moment = datetime(2026, 12, 10, 8, tzinfo=UTC)
        night = date(2026, 12, 25)
        pasterka = row(["Fr"], "00:00", exception="added", valid_from=night, valid_to=night, quote="Pasterka o północy")
        facts = [
            parish(1, [row(["Su"], "08:00"), row(WEEK, "18:00"), pasterka], town="Młyny"),
            parish(2, [row(["Su"], "08:00"), row(WEEK, "18:00")], town="Młyny"),
            parish(3, (), town="Młyny", state="no_site"),
        ]
        facts[2] = replace(facts[2], rows=())
        published(tmp_path, facts, built_at=moment, horizon=replace(HORIZON, first=moment.date()))
        return Visitor(site_over(tmp_path, at=moment))

    def test_it_gives_the_hours_that_were_said_and_names_those_who_say_nothing(self, before_christmas: Visitor) -> None:
        page = before_christmas.page("/miejscowosc/malopolskie/mlyny/swieta")
        assumed = page.split("Tylko zwykły porządek")[1].split("</details>")[0]
        said, silent = page.split("Parafie, które jeszcze nic nie podały")

        assert "Święta: Młyny" in page
        assert "podało już 1 z 3 parafii" in page
        assert "Pasterka</h2>" in said
        assert ">00:00</time>" in said
        assert ">18:00</time>" not in said.split("Pasterka</h2>")[0]  # of Christmas Eve
        assert "18:00" in assumed
        assert "Kościół św. Jana 2" in silent
        assert "Kościół św. Jana 3" in silent

    def test_the_page_of_the_town_leads_there(self, before_christmas: Visitor, visitor: Visitor) -> None:
        assert "/miejscowosc/malopolskie/mlyny/swieta" in before_christmas.page("/miejscowosc/malopolskie/mlyny")
        assert "mlyny/swieta" not in visitor.page("/miejscowosc/pomorskie/mlyny")
        assert visitor.get("/miejscowosc/pomorskie/mlyny/swieta").status_code == 404

    def test_the_first_page_leads_there_by_the_name_of_a_town(self, before_christmas: Visitor) -> None:
        assert 'href="/swieta"' in before_christmas.page("/")
        assert before_christmas.get("/swieta?miejsce=Młyny").headers["location"] == "/miejscowosc/malopolskie/mlyny/swieta"
