"""A word that nothing explains is never read past: its rows wait, and those of plain lines do not."""

from __future__ import annotations

import pytest

from mass_pipeline.model.records import SiteSchedule
from mass_pipeline.reading.regular.reading import read_text
from mass_pipeline.site_reading.ownership.publishing import weighed_alone
from mass_pipeline_tests.site_reading.made import published, slots

ORDER = "<h1>Msze święte</h1><p>Niedziela: 8.00, 10.00</p><p>Dni powszednie: 18.00</p>"
OF_THE_ORDER = {("Su", "08:00"), ("Su", "10:00"), *((day, "18:00") for day in ("Mo", "Tu", "We", "Th", "Fr", "Sa"))}


class TestUnexplainedWords:
    @pytest.mark.parametrize(
        "stranger",
        [
            "<h3>Zumba</h3><p>poniedziałek 19.00, środa 20.00</p>",
            "<p>Wypożyczalnia kajaków: niedziela 9.00, 11.00</p>",
            "<p>Kółko szydełkowe: czwartki 17.15</p>",
            "<p>Wacława Kubiczek – niedziela 9.00, 11.00</p>",
        ],
        ids=["heading", "label", "circle", "person"],
    )
    def test_keep_what_is_no_mass_out_and_the_order_in(self, stranger: str) -> None:
        schedule = published(ORDER + stranger)

        assert slots(schedule) == OF_THE_ORDER
        assert all(one.reasons for one in schedule.withheld)

    @pytest.mark.parametrize(
        "line",
        [
            "Dni powszednie: 18.00, podczas winobrania 20.00",
            "Dni powszednie: 18.00 (gdy trwa winobranie 20.00)",
            "Dni powszednie: 18.00 (spada z planu w wakacje)",
            "Dni powszednie: 18.00 (gdy dopisze pogoda)",
        ],
    )
    def test_of_a_condition_or_a_bracket_make_its_time_wait(self, line: str) -> None:
        schedule = published(f"<h1>Msze święte</h1><p>Niedziela: 8.00, 10.00</p><p>{line}</p>")
        waiting = [one for one in schedule.withheld if "no rule accounts for" in one.reasons[0]]

        assert slots(schedule) >= {("Su", "08:00"), ("Su", "10:00")}
        assert waiting

    def test_bear_on_every_time_of_their_list(self) -> None:
        """A list stands or falls as one: half of the hours of a day would be told as all of them."""
        schedule = weighed_alone(as_schedule("Niedziele: 7.30, 9.00 (cyklistom), 11.00"))

        assert slots(schedule) == set()
        assert [one.read.mass.time for one in schedule.withheld] == ["07:30", "09:00", "11:00"]

    def test_of_one_page_are_explained_by_a_page_that_says_it_plainly(self) -> None:
        strange = "<h1>Msze święte</h1><p>Niedziela kwietna i każda: 8.00, 10.00</p><p>Dni powszednie: 18.00</p>"

        assert slots(published(strange, ORDER)) == OF_THE_ORDER

    def test_are_none_in_a_plain_order_with_remarks_and_places(self) -> None:
        text = "Niedziele: 7.30, 9.00 (dla dzieci), 11.00 suma, kaplica w Zalesiu 12.30; dni powszednie: 18.00 (zimą 17.00)"

        assert [read.unexplained for read in as_schedule(text).masses if read.unexplained] == []


class TestHoursWithoutDays:
    def test_beside_hours_with_days_of_their_own_are_for_a_person(self) -> None:
        """No hour of a list is lost in silence: who reads the page is asked on which days it is."""
        verdicts = read_text("Msze święte: 18.00 (codziennie oprócz niedziel), 8.00").verdicts.values()

        assert [one.mass.time if one.mass else one.may_be and one.may_be.time for one in verdicts] == ["18:00", "08:00"]


def as_schedule(text: str) -> SiteSchedule:
    return SiteSchedule(read_text(text).masses, "read")
