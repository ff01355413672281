"""The day of a sheet whose page does not tell it: its name without a year, and the sheets beside it."""

from __future__ import annotations

from datetime import date

import pytest

from mass_pipeline.reading.changes.issued import Sheet, inferred_days

_SEEN = date(2026, 11, 23)


def _sheet(name: str, url: str = "https://p.example/news/12", text: str = "", issued: str = "", seen: date = _SEEN) -> Sheet:
    return Sheet(url, (name,), text, date.fromisoformat(issued) if issued else None, seen)


def _day(*sheets: Sheet) -> str:
    """Of the first, with whether it is confirmed."""
    found = inferred_days(sheets).get(sheets[0].url)
    return f"{found.day}{'' if found.is_confirmed else '?'}" if found else ""


class TestByName:
    @pytest.mark.parametrize(
        ("name", "day"),
        [
            ("Ogłoszenia 22 listopada", "2026-11-22?"),
            ("Ogłoszenia duszpasterskie XXXIV niedziela zwykła", "2026-11-22?"),
            ("Uroczystość Chrystusa Króla – ogłoszenia", "2026-11-22?"),
            ("XXXIII Niedziela Zwykła, 15 listopada", "2026-11-15"),
            ("Intencje mszalne 22-29 listopada", "2026-11-22?"),
            ("Ogłoszenia 15.11", "2026-11-15?"),
        ],
    )
    def test_the_year_is_that_in_which_it_was_seen(self, name: str, day: str) -> None:
        assert day == _day(_sheet(name))

    def test_the_address_names_it_too(self) -> None:
        assert _day(_sheet("Duszpasterstwo", "https://p.example/ogloszenia-22-listopada.html")) == "2026-11-22?"

    def test_about_new_year_it_is_the_nearest(self) -> None:
        assert _day(_sheet("Ogłoszenia 27 grudnia", seen=date(2027, 1, 4))) == "2026-12-27?"
        assert _day(_sheet("Ogłoszenia 3 stycznia", seen=date(2027, 1, 1))) == "2027-01-03?"

    @pytest.mark.parametrize(
        "name",
        [
            "Koncert 22 listopada",
            "Niedziela z pielgrzymką 22 listopada",
            "Ogłoszenia 24 listopada",  # no Sunday in the year in which it was seen
            "Ogłoszenia 14 czerwca",  # half a year ago: the year may be another
            "XXXIII Niedziela Zwykła, 22 listopada",  # two Sundays
            "Ogłoszenia",
        ],
    )
    def test_what_stays_open_is_no_day(self, name: str) -> None:
        assert _day(_sheet(name)) == ""

    def test_a_weekday_beside_a_date_confirms_the_year(self) -> None:
        assert _day(_sheet("Ogłoszenia 22 listopada", text="W środę 25 listopada Msza św. o 10.00.")) == "2026-11-22"

    def test_a_weekday_that_contradicts_it_leaves_no_day(self) -> None:
        """A sheet of another year: 25 November was a Tuesday in 2025."""
        assert _day(_sheet("XXXIV niedziela zwykła - ogłoszenia", text="We wtorek 25 listopada Msza św. o 10.00.")) == ""


class TestByNeighbours:
    def test_a_sheet_between_two_numbered_ones(self) -> None:
        before = _sheet("Ogłoszenia", "https://p.example/news/11", issued="2026-11-15")
        after = _sheet("Ogłoszenia", "https://p.example/news/13", issued="2026-11-29")

        assert _day(_sheet("Ogłoszenia"), before, after) == "2026-11-22"

    def test_none_where_weeks_are_missing(self) -> None:
        before = _sheet("Ogłoszenia", "https://p.example/news/11", issued="2026-11-08")
        after = _sheet("Ogłoszenia", "https://p.example/news/13", issued="2026-11-29")

        assert _day(_sheet("Ogłoszenia"), before, after) == ""

    def test_an_event_between_two_sheets_is_none(self) -> None:
        before = _sheet("Ogłoszenia", "https://p.example/news/11", issued="2026-11-15")
        after = _sheet("Ogłoszenia", "https://p.example/news/13", issued="2026-11-29")

        assert _day(_sheet("Koncert 28 listopada"), before, after) == ""

    def test_of_two_sheets_of_one_sunday_one_is_of_another_year(self) -> None:
        other = _sheet("XXXIV niedziela zwykła - ogłoszenia", "https://p.example/news/9")

        assert _day(_sheet("XXXIV niedziela zwykła - ogłoszenia"), other) == ""
