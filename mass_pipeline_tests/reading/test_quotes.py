"""A quote is built from what the grammar used, and proves the hour of its row."""

from __future__ import annotations

import pytest

from mass_pipeline.model.records import LONGEST_QUOTE, Evidence, Mass, ReadMass
from mass_pipeline.reading.regular.reading import read_page, read_text
from mass_pipeline.reading.text.reader import read_document
from mass_pipeline.reading.validity.quotes import quote_of_line
from mass_pipeline.reading.validity.redactor import told_note
from mass_pipeline.reading.words.masking.lines import MASK


def quote(read: tuple[ReadMass, ...], time: str) -> str:
    """The best quote of the first row at an hour."""
    return next(row.evidence[0].quote for row in read if row.mass.time == time)


class TestQuotes:
    @pytest.mark.parametrize(
        ("text", "time", "expected"),
        [
            (
                "Niedziela: 8.00 + Jan Pindor, 10.00 za parafian, 12.00",
                "12:00",
                "Niedziela: 8.00 + ▒▒▒, 10.00 za parafian, 12.00",
            ),
            ("Niedziele: 7.00, 9.00 (dla dzieci), 11.00", "09:00", "Niedziele: 7.00, 9.00 (dla dzieci), 11.00"),
            ("Dni powszednie: 18.00 (w wakacje 19.00)", "19:00", "Dni powszednie: 18.00 (w wakacje 19.00)"),
            ("Niedziele 8.00; kancelaria czynna 16.00-17.00, tel. 605 111 222", "08:00", "Niedziele 8.00"),
        ],
    )
    def test_hold_times_of_masses_and_words_of_schedules_and_nothing_else(self, text: str, time: str, expected: str) -> None:
        assert quote(read_text(text).masses, time) == expected

    @pytest.mark.parametrize(
        "text",
        [
            "Niedziele (poza niedzielami Adwentu): 7.15, 9.45",
            "Dni powszednie oprócz śród i sobót wakacji: 7.15",
            "Środa (oprócz lipca): 7.15",
        ],
    )
    def test_keep_the_words_that_turn_a_condition_round(self, text: str) -> None:
        """Shown without "poza niedzielami", the words would prove the opposite."""
        said = quote(read_text(text).masses, "07:15")

        assert said.split(":")[0] == text.split(":")[0]

    def test_begin_with_what_governs_the_hour_elsewhere(self) -> None:
        """A heading over the hours, and the header of a row, prove what the line alone does not."""
        under_headings = "<h1>Porządek Mszy Świętych</h1><h2>Niedziele</h2><p>8.00, 10.00</p><h2>Dni powszednie</h2><p>18.00</p>"
        in_a_table = (
            "<h1>Porządek Mszy Świętych</h1><table><tr><th>Niedziela</th><td>8.00, 10.00</td></tr>"
            "<tr><th>Dni powszednie</th><td>17.00 za Annę Pindor</td></tr></table>"
        )
        headed, table = (read_page(read_document(page, content_type="text/html")).masses for page in (under_headings, in_a_table))

        assert quote(headed, "10:00") == "Porządek Mszy Świętych … Niedziele … 8.00, 10.00"
        assert quote(table, "17:00") == "Porządek Mszy Świętych … Dni powszednie … 17.00"

    def test_of_a_long_line_are_short_and_hold_their_hour(self) -> None:
        hours = ", ".join(f"{7 + n % 12}.{n % 60:02d} za Annę Pindor" for n in range(120))
        masses = read_text(f"W niedziele Msze św. o {hours}").masses

        assert masses
        assert all(len(row.evidence[0].quote) <= LONGEST_QUOTE for row in masses)
        assert all(f"{int(row.mass.time[:2])}.{row.mass.time[3:]}" in row.evidence[0].quote for row in masses)

    def test_of_a_lone_line_hold_its_hour_even_when_nothing_is_known_of_it(self) -> None:
        assert quote_of_line("śp. Jan Pindor 18.00 tel. 605111222", 15, 20) == "18.00"


class TestRemarks:
    @pytest.mark.parametrize(
        ("said", "told"),
        [
            ("dla dzieci i młodzieży", "dla dzieci i młodzieży"),
            ("z udziałem scholi Pindorów", "z udziałem scholi"),
            ("za śp. Jana", ""),
            ("poza majem i październikiem", "poza majem i październikiem"),
        ],
    )
    def test_end_before_the_first_word_that_may_be_a_name(self, said: str, told: str) -> None:
        assert told_note(said) == told


class TestExceptions:
    @pytest.mark.parametrize(
        ("text", "time", "expected"),
        [
            ("Niedziele: 8.00, 13.00 (oprócz VII i VIII)", "13:00", "Niedziele: 8.00, 13.00 (oprócz VII i VIII)"),
            ("Kaplica: niedziela 9.30 poza lipcem i sierpniem", "09:30", "Kaplica: niedziela 9.30 poza lipcem i sierpniem"),
            ("Dni powszednie z wyjątkiem środy: 18.00", "18:00", "Dni powszednie z wyjątkiem środy: 18.00"),
        ],
    )
    def test_the_word_that_turns_a_condition_round_is_quoted_with_it(self, text: str, time: str, expected: str) -> None:
        assert quote(read_text(text).masses, time) == expected


class TestSeveralLines:
    def test_a_row_of_days_from_two_lines_quotes_both(self) -> None:
        (row,) = [row for row in read_text("Niedziele: 8.00, 18.00\nDni powszednie: 18.00").masses if row.mass.time == "18:00"]

        assert row.quote_of("") == "Niedziele: 8.00, 18.00 / Dni powszednie: 18.00"

    def test_other_pages_and_what_does_not_fit_are_left_out(self) -> None:
        mass = Mass(("Su",), "08:00")
        said = (Evidence("a", "8.00"), Evidence("b", "8 Uhr"), Evidence("a", "x" * LONGEST_QUOTE), Evidence("a", "Msza 8.30"))

        assert ReadMass(mass, 0.9, said).quote_of("a") == "8.00 / Msza 8.30"


class TestPlaces:
    """A village that the page uses as a place is told; what may be a person's name is not."""

    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            (
                "MSZE ŚWIĘTE\nTrzcianki\nNiedziela: 7.30\nKaplica Kowalówka\nNiedziela: 8.45",
                {"Trzcianki", "Kaplica Kowalówka"},
            ),
            ("Niedziele – Borków: 8.00, 11.00; Dąbie: 9.30", {"Borków", "Dąbie"}),
            ("Niedziele: 9.00, 11.30; Wierzbna – 10.15. Dni powszednie: 18.00. Proboszcz: ks. Jan Pindor", {"", "Wierzbna"}),
            ("W tygodniu Olszany 18.00; Zawoja 17.00", {"Olszany", "Zawoja"}),
            ("Niedziele: 8.00, Jawornik godz. 9.30. W Jaworniku w środy 18.00", {"", "Jawornik", "Jaworniku"}),
            ("kościół św. Ap Piotra i Pawła: niedziela 8.00", {"kościół św. Ap Piotra i Pawła"}),
        ],
    )
    def test_that_the_page_uses_as_such_are_told(self, text: str, expected: set[str]) -> None:
        assert {read.mass.place for read in read_text(text).masses} == expected

    @pytest.mark.parametrize("text", ["Niedziele: 7.30; 9.00 - Kulbacka; 10.30", "Kulbacka – niedziela 9.00; codziennie 18.00"])
    def test_a_name_by_itself_may_be_a_persons(self, text: str) -> None:
        assert {read.mass.time: read.mass.place for read in read_text(text).masses}["09:00"] == MASK

    @pytest.mark.parametrize("text", ["Niedziele: 7.30, 9.00 (Kulbacka), 10.30", "Niedziele: Wola 7.30, Kulbacka 9.00"])
    def test_in_brackets_at_a_time_or_in_a_list_with_a_town_it_is_a_place(self, text: str) -> None:
        assert {read.mass.time: read.mass.place for read in read_text(text).masses}["09:00"] == "Kulbacka"
