"""PDF files by the positions of what they draw: letters, columns, cells, and what nobody sees."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from mass_pipeline.reading.regular.reading import read_page
from mass_pipeline.reading.regular.sites import read_site
from mass_pipeline.reading.text.reader import read_document
from mass_pipeline_tests.hostile.files import pdf_page

Drawn = tuple[float, float, str]
ORDER = ["Msze", "Niedziele: 8.00, 10.00", "Dni powszednie: 18.00"]


def page_of(content: str, entries: str = "") -> bytes:
    """A page that shows this."""
    return pdf_page(content.encode("latin-1"), entries=entries.encode())


def drawn(texts: Iterable[Drawn], before: str = "") -> bytes:
    """A page on which each text begins at its place."""
    shown = "\n".join(f"1 0 0 1 {left} {base} Tm ({text}) Tj" for left, base, text in texts)
    return page_of(f"BT /F 12 Tf {before}\n{shown} ET")


def lines_of(content: bytes) -> list[str]:
    return [line.text for line in read_document(content, url="http://p.example/msze.pdf").lines]


def masses_of(content: bytes) -> set[tuple[str, str, str]]:
    """Days, hour and place of each Mass that is read."""
    schedule = read_site([read_page(read_document(content, url="http://p.example/msze.pdf"))])
    return {(" ".join(read.mass.days), read.mass.time, read.mass.place) for read in schedule.masses}


SUNDAY_AND_WEEK = {("Su", "08:00", ""), ("Su", "10:00", ""), ("Mo Tu We Th Fr Sa", "18:00", "")}


class TestLetters:
    @pytest.mark.parametrize("are_blanks_drawn", [True, False])
    @pytest.mark.parametrize("pitch", [6.0, 7.0, 11.0])
    def test_placed_one_by_one_are_words(self, pitch: float, are_blanks_drawn: bool) -> None:
        letters = [
            (50 + pitch * column, 700 - 20 * row, letter)
            for row, line in enumerate(ORDER)
            for column, letter in enumerate(line)
            if are_blanks_drawn or letter != " "
        ]

        assert lines_of(drawn(letters)) == ORDER
        assert masses_of(drawn(letters)) == SUNDAY_AND_WEEK

    def test_kerned_within_a_text_are_one_word(self) -> None:
        assert lines_of(page_of("BT /F 12 Tf 50 700 Td [(N) 20 (ie) -15 (dziela:) -300 (8.00)] TJ ET")) == ["Niedziela: 8.00"]

    def test_raised_are_the_minutes_of_their_hour(self) -> None:
        content = "BT /F 12 Tf 50 700 Td (Niedziela 7) Tj /F 8 Tf 5 Ts (30) Tj /F 12 Tf 0 Ts ( i 9) Tj /F 8 Tf 5 Ts (00) Tj ET"

        assert lines_of(page_of(content)) == ["Niedziela 7:30 i 9:00"]

    def test_in_any_order_are_read_from_the_top(self) -> None:
        texts = [(50.0, 700.0 - 20 * row, line) for row, line in enumerate(ORDER)]

        assert lines_of(drawn(reversed(texts))) == ORDER


class TestColumns:
    LEFT = tuple((50.0, 700.0 - 20 * row, line) for row, line in enumerate(ORDER))

    @pytest.mark.parametrize(
        "right",
        [
            [(350.0, 700.0, "Kancelaria"), (350.0, 680.0, "Poniedzialek 16.00"), (350.0, 660.0, "Czwartek 9.00")],
            [(350.0, 700.0, "Biuro parafialne"), (350.0, 680.0, "wtorek: 10.00"), (350.0, 640.0, "piatek: 17.00")],
        ],
    )
    def test_of_an_office_are_no_masses(self, right: list[Drawn]) -> None:
        by_line = sorted((*self.LEFT, *right), key=lambda one: (-one[1], one[0]))

        assert masses_of(drawn((*self.LEFT, *right))) == masses_of(drawn(by_line)) == SUNDAY_AND_WEEK

    def test_go_on_below_the_end_of_their_neighbour(self) -> None:
        left = [
            (50.0, 700.0 - 20 * row, text) for row, text in enumerate(("Niedziele 8.00", "Soboty 7.00", "Odpust", "sierpien"))
        ]
        right = [(350.0, 700.0, "Kancelaria"), (350.0, 680.0, "wtorek 16.00")]

        assert lines_of(drawn((*left, *right))) == [text for _, _, text in (*left, *right)]

    def test_of_labels_and_hours_are_kept_apart_too(self) -> None:
        rows = [("Niedziela", "8.00, 10.00", "Kancelaria", ""), ("Dni powszednie", "18.00", "Poniedzialek", "16.00")]
        rows.append(("", "", "Czwartek", "9.00"))
        texts = [
            (left, 700.0 - 20 * number, text)
            for number, row in enumerate(rows)
            for left, text in zip((50.0, 170.0, 320.0, 450.0), row, strict=True)
            if text
        ]

        assert masses_of(drawn([(50.0, 730.0, "Msze swiete"), *texts])) == SUNDAY_AND_WEEK


class TestCells:
    ROWS = (("", "Niedziela", "Dni powszednie"), ("Lisowo", "8.00", "18.00"), ("Kamionka", "10.00", "16.00"))
    LEFTS = (50.0, 200.0, 350.0)

    def texts(self) -> list[Drawn]:
        return [
            (left, 700.0 - 20 * number, text)
            for number, row in enumerate(self.ROWS)
            for left, text in zip(self.LEFTS, row, strict=True)
            if text
        ]

    @pytest.mark.parametrize("order", ["by row", "by column"])
    def test_have_the_heads_of_their_row_and_column(self, order: str) -> None:
        texts = sorted(self.texts(), key=lambda one: one[0]) if order == "by column" else self.texts()

        assert masses_of(drawn([(50.0, 730.0, "Msze swiete"), *texts])) == {
            ("Su", "08:00", "Lisowo"),
            ("Mo Tu We Th Fr Sa", "18:00", "Lisowo"),
            ("Su", "10:00", "Kamionka"),
            ("Mo Tu We Th Fr Sa", "16:00", "Kamionka"),
        }

    def test_of_days_and_hours_are_lines(self) -> None:
        texts = [
            (50.0, 700.0, "Niedziele"),
            (200.0, 700.0, "8.00, 10.00"),
            (50.0, 680.0, "Dni powszednie"),
            (200.0, 680.0, "18.00"),
        ]

        assert masses_of(drawn([(50.0, 730.0, "Msze swiete"), *texts])) == SUNDAY_AND_WEEK

    def test_end_where_lines_of_the_whole_width_begin(self) -> None:
        long = "Zapraszamy wszystkich parafian do udzialu we Mszy swietej w kazda niedziele roku"

        assert lines_of(drawn([*self.texts(), (50.0, 620.0, long)]))[-1] == long


class TestWhatNobodySees:
    OLD = ((50.0, 600.0, "Niedziele: 6.00"), (50.0, 580.0, "Dni powszednie: 7.00"))
    NEW = tuple((50.0, 700.0 - 20 * row, line) for row, line in enumerate(ORDER))

    def test_outside_of_the_page_is_not_read(self) -> None:
        far = [(left, base + 5000, text) for left, base, text in self.OLD]

        assert lines_of(drawn([*self.NEW, *far])) == ORDER

    def test_drawn_invisibly_is_not_read(self) -> None:
        shown = "\n".join(f"1 0 0 1 {left} {base} Tm ({text}) Tj" for left, base, text in self.NEW)
        hidden = "\n".join(f"1 0 0 1 {left} {base} Tm ({text}) Tj" for left, base, text in self.OLD)

        assert lines_of(page_of(f"BT /F 12 Tf 3 Tr {hidden} 0 Tr {shown} ET")) == ORDER

    def test_over_a_scan_is_its_text(self) -> None:
        assert lines_of(drawn(self.NEW, before="3 Tr")) == ORDER

    @pytest.mark.parametrize(("turn", "matrix"), [(90, "0 1 -1 0"), (180, "-1 0 0 -1"), (270, "0 -1 1 0"), (-90, "0 -1 1 0")])
    def test_a_turned_page_is_read_as_it_is_shown(self, turn: int, matrix: str) -> None:
        places = {90: "{} 50", 180: "500 {}", 270: "{} 700", -90: "{} 700"}
        down = -20 if turn in (270, -90) else 20
        shown = "\n".join(f"{matrix} {places[turn].format(300 + down * row)} Tm ({line}) Tj" for row, line in enumerate(ORDER))

        assert lines_of(page_of(f"BT /F 12 Tf {shown} ET", f"/Rotate {turn}")) == ORDER

    def test_turned_text_is_left_out(self) -> None:
        turned = "0 1 -1 0 20 300 Tm (Niedziele: 6.00) Tj"
        shown = "\n".join(f"1 0 0 1 {left} {base} Tm ({text}) Tj" for left, base, text in self.NEW)

        assert lines_of(page_of(f"BT /F 12 Tf {turned} {shown} ET")) == ORDER


class TestHostile:
    @pytest.mark.parametrize(
        "content",
        [
            "q " * 50_000 + "BT /F 12 Tf (Msza) Tj ET",
            "BT /F 12 Tf " + "".join(f"1 0 0 1 {n % 600} {n // 100} Tm (a) Tj " for n in range(20_000)) + "ET",
            "BT /F 12 Tf " + "".join(f"1 0 0 1 {n * 0.02:.2f} 400 Tm (a) Tj " for n in range(20_000)) + "ET",
            "BT /F 0 Tf 1 0 0 1 0 0 Tm (a) Tj (b) ' 1 2 (c) \" [(d) 1 (e)] TJ ET",
            "BT /G 12 Tf (a) Tj ET Q Q Q cm Td Tm Tj",
        ],
    )
    def test_ends_with_a_document(self, content: str) -> None:
        document = read_document(page_of(content), url="http://p.example/a.pdf")

        assert document.lines or [one.kind for one in document.opaque] == ["pdf"]
