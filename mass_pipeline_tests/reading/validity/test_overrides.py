"""What replaces, adds to and removes what, and which hours of a list count: each schedule with the whole of its reading."""

from __future__ import annotations

import pytest

from mass_pipeline.reading.formats.summary import summarize
from mass_pipeline.reading.regular.reading import read_text
from mass_pipeline.reading.validity.overrides import is_same_place


def read(text: str) -> str:
    return summarize(found.mass for found in read_text(text).masses).replace("\n", "; ").removeprefix("dni powszednie: ")


class TestReplacements:
    @pytest.mark.parametrize(
        ("text", "reading"),
        [
            ("18.00, 20.00. W wakacje zamiast 18.00 jest 19.00", "18:00 (poza wakacjami), 19:00 (w wakacje), 20:00"),
            ("7.00, 18.00. W maju zamiast 18.00 jest 18.30", "7:00, 18:00 (poza majem), 18:30 (w maju)"),
            ("7.00, 18.00; w maju 19.00", "7:00, 18:00, 19:00 (w maju)"),
            ("8.00, 18.00; latem 20.00", "8:00, 18:00 (zimą), 20:00 (latem)"),
            ("8.00, 18.00; zimą 19.30", "8:00, 18:00, 19:30 (zimą)"),
            ("8.00, 18.00 (w Adwencie 17.00)", "8:00, 17:00 (w Adwencie), 18:00 (poza Adwentem)"),
            ("6.45, 18.15 (latem 6.45, 19.15)", "6:45, 18:15 (zimą), 19:15 (latem)"),
            ("7.00, 18.00; I piątek 16.00", "7:00, 18:00; piątek: 16:00 (I w miesiącu)"),
        ],
    )
    def test_take_the_place_of_what_they_name_alone(self, text: str, reading: str) -> None:
        assert read(f"Dni powszednie: {text}") == reading

    @pytest.mark.parametrize(
        ("text", "reading"),
        [
            ("środa 18.00", "18:00; poniedziałek, wtorek, czwartek, piątek, sobota: 7:00"),
            ("środa 8.00", "18:00; poniedziałek, wtorek, czwartek, piątek, sobota: 7:00; środa: 8:00"),
            ("sobota 20.00", "poniedziałek-piątek: 7:00, 18:00; sobota: 20:00"),
        ],
    )
    def test_a_day_keeps_what_its_hour_is_far_from_but_saturday(self, text: str, reading: str) -> None:
        assert read(f"Dni powszednie: 7.00, 18.00; {text}") == reading

    def test_a_remark_on_the_hour_of_a_day_leaves_the_others(self) -> None:
        found = read("Dni powszednie: 7.00, 18.00; środa 18.00 z nowenną")

        assert found == "7:00; poniedziałek, wtorek, czwartek, piątek, sobota: 18:00; środa: 18:00 (z nowenną)"

    def test_a_season_that_the_source_does_not_name_is_told_by_its_months(self) -> None:
        assert read("Dni powszednie: 7.00, 18.00. Od listopada do marca nie ma Mszy o 18.00") == "7:00, 18:00 (IV-X)"

    def test_mornings_and_evenings_of_a_day_are_taken_away_apart(self) -> None:
        found = read("Dni powszednie: 7.00, 18.00. W poniedziałki nie ma Mszy wieczornej")

        assert found == "7:00; wtorek, środa, czwartek, piątek, sobota: 18:00"


class TestPlaces:
    def test_are_one_in_every_case(self) -> None:
        found = read("Niedziele: 9.00 Brzezina, 11.00; latem w Brzezinie 10.00")

        assert found == "niedziela: 9:00 (Brzezina; zimą), 10:00 (Brzezina; latem), 11:00"

    def test_of_one_beginning_are_two_where_their_endings_are_long(self) -> None:
        """Gębice and Gębiczyn are two villages."""
        pairs = [("Brzezina", "Brzezinie"), ("Gębice", "Gębiczyn"), ("Lipa", "Lipy"), ("kaplica", "kaplica Sióstr")]

        assert [is_same_place(*pair) for pair in pairs] == [True, False, False, False]


class TestEveningPairs:
    @pytest.mark.parametrize(
        ("text", "reading"),
        [
            ("17.00, 18.30 (latem)", "17:00 (XI-III), 18:30 (latem)"),
            ("17.00, 18.30 (w styczniu)", "17:00, 18:30 (I)"),
            ("17.00, 18.30 (w sierpniu)", "17:00 (IX-VII), 18:30 (VIII)"),
            ("17.00 i 18.30 (latem)", "17:00, 18:30 (latem)"),
            ("17.00 lub 18.00 (latem)", "17:00, 18:00 (latem)"),
            ("17.00 (zimą), 18.30", "17:00 (zimą), 18:30 (IV-X)"),
        ],
    )
    def test_are_one_mass_where_the_later_hour_is_of_the_light_months(self, text: str, reading: str) -> None:
        assert read(f"Dni powszednie: {text}") == reading


class TestBareHours:
    @pytest.mark.parametrize(
        ("text", "reading"),
        [
            ("Niedziela: 8, 10", "niedziela: 8:00, 10:00"),
            ("Niedziela: 8\n10", "brak danych"),
            ("Niedziela: 10, 8", "brak danych"),
            ("Niedziela: 8", "brak danych"),
        ],
    )
    def test_are_a_list_on_one_line_in_their_order(self, text: str, reading: str) -> None:
        assert read(text) == reading
