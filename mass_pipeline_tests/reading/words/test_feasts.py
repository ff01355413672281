"""A feast's name is not its day where a word beside it moves it: every feast with every such word, of several years.

The truth of each text is the date of the feast in a table of these tests and the number of days that its words say.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta
from typing import Final

import pytest

from mass_pipeline.reading.words.dates import find_periods

# In the genitive, the instrumental after "przed" and the locative after "po"; dates of three years, from calendars as printed.
_FEASTS: Final = {
    ("Trzech Króli", "Trzema Królami", "Trzech Królach"): ("2025-01-06", "2026-01-06", "2027-01-06"),
    ("Objawienia Pańskiego", "Objawieniem Pańskim", "Objawieniu Pańskim"): ("2025-01-06", "2026-01-06", "2027-01-06"),
    ("Ofiarowania Pańskiego", "Ofiarowaniem Pańskim", "Ofiarowaniu Pańskim"): ("2025-02-02", "2026-02-02", "2027-02-02"),
    ("Zwiastowania Pańskiego", "Zwiastowaniem Pańskim", "Zwiastowaniu Pańskim"): ("2024-04-08", "2026-03-25", "2027-04-05"),
    ("Wniebowstąpienia Pańskiego", "Wniebowstąpieniem Pańskim", "Wniebowstąpieniu Pańskim"): (
        "2025-06-01", "2026-05-17", "2027-05-09"),
    ("Zesłania Ducha Świętego", "Zesłaniem Ducha Świętego", "Zesłaniu Ducha Świętego"): (
        "2025-06-08", "2026-05-24", "2027-05-16"),
    ("Bożego Ciała", "Bożym Ciałem", "Bożym Ciele"): ("2025-06-19", "2026-06-04", "2027-05-27"),
    ("Wniebowzięcia NMP", "Wniebowzięciem NMP", "Wniebowzięciu NMP"): ("2025-08-15", "2026-08-15", "2027-08-15"),
    ("Wszystkich Świętych", "Wszystkimi Świętymi", "Wszystkich Świętych"): ("2025-11-01", "2026-11-01", "2027-11-01"),
    ("Niepokalanego Poczęcia NMP", "Niepokalanym Poczęciem NMP", "Niepokalanym Poczęciu NMP"): (
        "2024-12-09", "2026-12-08", "2027-12-08"),
    ("Bożego Narodzenia", "Bożym Narodzeniem", "Bożym Narodzeniu"): ("2025-12-25", "2026-12-25", "2027-12-25"),
    ("Nowego Roku", "Nowym Rokiem", "Nowym Roku"): ("2025-01-01", "2026-01-01", "2027-01-01"),
}  # fmt: skip
_WORDS: Final = {
    "W wigilię {of} Msza św. o 18.00.": -1,
    "W przeddzień uroczystości {of} Msza św. o 18.00.": -1,
    "Msza św. w wigilię uroczystości {of}: 18.00": -1,
    "Dzień przed {before} Msza św. o 7.00.": -1,
    "Wieczorem przed {before} Msza św. o 19.00.": -1,
    "Następnego dnia po {after} Msza św. tylko o 8.00.": 1,
    "Nazajutrz po {after} nie ma Mszy św. o 7.00.": 1,
    "Dzień po {after} Msza św. o 9.00": 1,
    "Dwa dni po {after} Msza św. o 9.00": 2,
    "W tydzień po {after} Msza św. o 9.00": 7,
    "Tydzień przed {before} Msza św. o 9.00": -7,
    "W drugi dzień {of} Msze św. o 9.00 i 11.00.": 1,
    "W uroczystość {of} Msze św. o 9.00 i 11.00.": 0,
}
_NO_DAY: Final = ("Po {after} Msza św. o 9.00.", "W okresie {of} Msza św. o 9.00.", "W parafii {of} Msza św. o 9.00.")
_FROM_SATURDAY: Final = {"W sobotę przed {before}": 5, "W piątek przed uroczystością {of}": 4}


def feasts() -> Iterator[tuple[str, str, str, date]]:
    """Each feast in three cases, with each date."""
    for (of, before, after), days in _FEASTS.items():
        yield from ((of, before, after, date.fromisoformat(day)) for day in days)


def days(text: str, issued: date) -> list[tuple[date, date]]:
    """What a text names."""
    return [(one.first, one.last) for one in find_periods(text, issued)]


class TestAFeastWithAWordThatMovesIt:
    @pytest.mark.parametrize("words", _WORDS)
    def test_is_that_day_alone(self, words: str) -> None:
        for of, before, after, feast in feasts():
            meant = feast + timedelta(_WORDS[words])
            issued = min(feast, meant) - timedelta(4)
            text = words.format(of=of, before=before, after=after)
            assert days(text, issued) == [(meant, meant)], (text, issued)

    @pytest.mark.parametrize("words", _FROM_SATURDAY)
    def test_is_the_weekday_nearest_before_it(self, words: str) -> None:
        for of, before, after, feast in feasts():
            meant = feast - timedelta((feast.weekday() - _FROM_SATURDAY[words]) % 7 or 7)
            text = words.format(of=of, before=before, after=after)
            assert days(text, feast - timedelta(8)) == [(meant, meant)], (text, feast)

    def test_is_no_day_where_the_words_tell_none(self) -> None:
        for of, before, after, feast in feasts():
            for words in _NO_DAY:
                text = words.format(of=of, before=before, after=after)
                assert days(text, feast - timedelta(4)) == [], text

    def test_begins_and_ends_a_stretch(self) -> None:
        issued = date(2026, 12, 20)
        assert days("Do uroczystości Objawienia Pańskiego", issued) == [(issued, date(2027, 1, 6))]
        assert days("Od wigilii Bożego Narodzenia do Nowego Roku", issued) == [(date(2026, 12, 24), date(2027, 1, 1))]
        assert days("W oktawie Bożego Narodzenia", issued) == [(date(2026, 12, 25), date(2027, 1, 1))]
        assert days("W pierwszy i drugi dzień świąt", issued) == [(date(2026, 12, 25), date(2026, 12, 26))]
        assert days("W noc Bożego Narodzenia Pasterka o 23.00", issued)[0] == (date(2026, 12, 24), date(2026, 12, 24))

    def test_gives_way_to_a_date_beside_it(self) -> None:
        assert days("W przeddzień uroczystości patronalnej (3 czerwca)", date(2026, 5, 31)) == [(date(2026, 6, 3),) * 2]
        assert days("W przeddzień Bożego Ciała (3 czerwca) o 18.00", date(2026, 5, 31)) == [(date(2026, 6, 3),) * 2]
