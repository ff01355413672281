"""News of a new order on one page ends what an older page says of its days: an out-of-date order is worse than none."""

from __future__ import annotations

import pytest

from mass_pipeline_tests.site_reading.made import published

OLD = (
    "<h1>Msze święte</h1><p><i>Porządek od 3 września 2022 r.</i></p><p>Niedziele i święta: 7.00, 9.30, 12.00</p>"
    "<p>Dni powszednie: 7.00, 18.00</p>"
)
UNDATED = OLD.replace("<p><i>Porządek od 3 września 2022 r.</i></p>", "")


def hours(*pages: str) -> dict[str, list[str]]:
    """Day -> hours that are published of a site with these pages."""
    masses = [read.mass for read in published(*pages).masses]
    return {day: sorted({mass.time for mass in masses if day in mass.days}) for day in ("Mo", "We", "Su")}


def news(text: str) -> str:
    return f"<h1>Nowe godziny</h1><p>Rada duszpasterska długo nad tym radziła.</p><p>{text}</p>"


class TestALaterOrder:
    @pytest.mark.parametrize("old", [OLD, UNDATED], ids=["dated", "undated"])
    def test_takes_the_place_of_the_list_whose_hours_it_calls_former(self, old: str) -> None:
        text = (
            "Od niedzieli 7 września 2025 r. w niedziele i święta Msze św. są o godz. 8.00, 10.00 i 17.00. "
            "Dotychczasowe Msze o 7.00, 9.30 i 12.00 nie są odprawiane."
        )

        assert hours(old, news(text)) == {
            "Mo": ["07:00", "18:00"],
            "We": ["07:00", "18:00"],
            "Su": ["08:00", "10:00", "17:00"],
        }

    def test_ends_the_hours_of_a_day_with_two_of_its_own(self) -> None:
        text = "Od niedzieli 7 września 2025 r. w niedziele i święta Msze św. są o godz. 8.00 i 10.00."

        assert not {"07:00", "09:30", "12:00"} & set(hours(OLD, news(text))["Su"])

    def test_leaves_nothing_of_the_older_list_even_where_it_is_not_believed_itself(self) -> None:
        """Strange words around the news keep it back; the hours that it ends are gone all the same."""
        text = "Kronikarz zapisał skrzętnie: od dnia 7 września 2025 r. Msze św. w niedziele o 8.30, 10.30 i 16.00."

        assert set(hours(OLD, news(text))["Su"]) <= {"08:30", "10:30", "16:00"}

    def test_ends_the_morning_of_single_days(self) -> None:
        text = (
            "Od 7 września 2025 r. Msze św. w niedziele i święta: 8.00, 10.00, 12.00.</p>"
            "<p>W poniedziałki rezygnujemy z Mszy porannej."
        )

        told = hours(OLD, news(text))

        assert (told["Mo"], told["We"]) == (["18:00"], ["07:00", "18:00"])

    def test_adds_what_it_says_to_be_one_more(self) -> None:
        text = "Od 7 września 2025 r. w niedziele i święta dodatkowo Msza św. o 20.00."

        assert {"07:00", "09:30", "12:00"} <= set(hours(OLD, news(text))["Su"])


class TestWhatIsNoLaterOrder:
    @pytest.mark.parametrize(
        "text",
        [
            "Od 5 września 2021 r. Msze św. w niedziele: 8.00, 10.00.",
            "Od 1 lipca 2025 r. do 31 sierpnia 2025 r. Msze św. w niedziele: 8.00, 10.00.",
            "Na czas remontu, od 1 lipca 2025 r., Msze św. w niedziele: 8.00, 10.00.",
            "Od 7 września 2025 r. kancelaria czynna we wtorki i czwartki 16.00-17.00.",
        ],
        ids=["older", "of a summer", "of a repair", "of the office"],
    )
    def test_ends_nothing(self, text: str) -> None:
        assert hours(OLD, news(text)) == {
            "Mo": ["07:00", "18:00"],
            "We": ["07:00", "18:00"],
            "Su": ["07:00", "09:30", "12:00"],
        }

    def test_news_of_a_day_to_come_ends_nothing(self) -> None:
        text = "Od 6 grudnia 2026 r. Msze św. w niedziele i święta: 8.00, 10.00 i 17.00."

        assert hours(OLD, news(text))["Su"] == ["07:00", "09:30", "12:00"]

    def test_two_undated_pages_are_weighed_as_before(self) -> None:
        assert hours(UNDATED, news("Msze św. w niedziele: 8.00, 10.00."))["Su"] == ["07:00", "09:30", "12:00"]
