"""Times of the year by name: which days they are, and which words take them whole, up to their end, or a weekday of them."""

from __future__ import annotations

from datetime import date

import pytest

from mass_pipeline.reading.words.dates import find_periods
from mass_pipeline.reading.words.periods import period_of


class TestPeriodOf:
    def test_holds_the_day_or_comes_next(self) -> None:
        assert period_of("advent", date(2026, 12, 24)) == (date(2026, 11, 29), date(2026, 12, 24))
        assert period_of("advent", date(2026, 12, 25)) == (date(2027, 11, 28), date(2027, 12, 24))
        assert period_of("holyweek", date(2027, 1, 1)) == (date(2027, 3, 22), date(2027, 3, 27))
        assert period_of("school", date(2026, 10, 1)) == (date(2026, 9, 1), date(2027, 6, 25))

    def test_knows_no_other_name(self) -> None:
        assert period_of("carnival", date(2026, 2, 1)) is None


class TestDaysOfAnnouncements:
    @pytest.mark.parametrize(
        ("issued", "text", "first", "last"),
        [
            ((2026, 4, 12), "Do wakacji nie ma Mszy o 7.00.", (2026, 4, 12), (2026, 6, 30)),
            ((2026, 7, 12), "Do końca wakacji Msza o 9.00.", (2026, 7, 12), (2026, 8, 31)),
            ((2026, 11, 29), "W niedziele Adwentu Msza o 19.00.", (2026, 11, 29), (2026, 12, 24)),
            ((2026, 2, 22), "W piątki Wielkiego Postu Msza o 16.00.", (2026, 2, 22), (2026, 4, 4)),
            ((2026, 3, 29), "W Wielkim Tygodniu Msze o 7.00 i 18.00.", (2026, 3, 30), (2026, 4, 4)),
            ((2026, 6, 28), "Od najbliższej niedzieli, przez całe wakacje, Msza o 9.00.", (2026, 7, 5), (2026, 8, 31)),
            ((2026, 7, 12), "Do końca sierpnia nie ma Mszy w niedzielę o 12.00.", (2026, 7, 12), (2026, 8, 31)),
        ],
    )
    def test_are_those_of_the_time_named(
        self, issued: tuple[int, int, int], text: str, first: tuple[int, int, int], last: tuple[int, int, int]
    ) -> None:
        [found] = find_periods(text, date(*issued))

        assert (found.first, found.last) == (date(*first), date(*last))

    @pytest.mark.parametrize("text", ["II Niedziela Adwentu", "Rekolekcje wielkopostne", "Adwent to czas oczekiwania."])
    def test_a_name_alone_takes_no_days(self, text: str) -> None:
        assert not [day for day in find_periods(text, date(2026, 11, 29)) if not day.is_day]

    @pytest.mark.parametrize("text", ["15tego grudnia", "15-go grudnia", "piętnastego grudnia", "15-12-2026", "15/12/2026"])
    def test_a_date_is_read_however_it_is_written(self, text: str) -> None:
        [found] = find_periods(text, date(2026, 12, 6))

        assert found.first == found.last == date(2026, 12, 15)
