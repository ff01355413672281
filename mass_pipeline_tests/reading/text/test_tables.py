"""Tables: cells in their grid, headers of rows and columns, layout told from data."""

from __future__ import annotations

from mass_pipeline_tests.reading.text.lines import line_with, page


class TestHeaders:
    def test_two_columns_below_their_day_headings(self) -> None:
        """Read row by row the two lists would interleave."""
        document = page(
            "<table><tr><td>Niedziele<td>Dni powszednie<tr><td>8.00<td>7.00<tr><td>10.00<td>18.00<tr><td>12.00<td></table>"
        )

        assert line_with(document, "10.00").column_header == "Niedziele"
        assert line_with(document, "18.00").column_header == "Dni powszednie"
        assert (line_with(document, "12.00").row, line_with(document, "12.00").column) == (3, 0)

    def test_rows_cut_out_of_a_table_are_one(self) -> None:
        document = page("<tr><td>Niedziele<td>8.00</tr><tr><td>Soboty<td>17.00</tr>")

        assert [(line.text, line.row_header) for line in document.lines][1::2] == [("8.00", "Niedziele"), ("17.00", "Soboty")]

    def test_day_rows_with_churches_as_columns(self) -> None:
        document = page(
            "<table><tr><th><th>Kościół<th>Kaplica<tr><th>Niedziela<td>8.00<td>9.30<tr><th>Sobota<td>–<td>17.00</table>"
        )
        chapel = line_with(document, "17.00")

        assert (chapel.row_header, chapel.column_header) == ("Sobota", "Kaplica")

    def test_a_spanning_day_governs_all_its_rows(self) -> None:
        document = page("<table><tr><td rowspan=2>Niedziela<td>8.00<tr><td>10.00<tr><td>Środa<td>18.00</table>")

        assert line_with(document, "10.00").row_header == "Niedziela"
        assert (line_with(document, "10.00").row, line_with(document, "10.00").column) == (1, 1)
        assert line_with(document, "18.00").row_header == "Środa"

    def test_an_empty_first_cell_continues_the_row_above(self) -> None:
        document = page("<table><tr><td>Niedziela<td>8.00<tr><td><td>10.00</table>")

        assert line_with(document, "10.00").row_header == "Niedziela"

    def test_a_row_of_one_spanning_cell_is_a_heading(self) -> None:
        document = page("<table><tr><td colspan=2>DNI POWSZEDNIE<tr><td>Środa<td>18.00<tr><td>Piątek<td>17.00</table>")

        assert line_with(document, "DNI").kind.value == "heading"

    def test_below_such_headings_the_first_row_heads_the_columns(self) -> None:
        headings = "<tr><td colspan=2>Parafia św. Jana<tr><td colspan=2>Msze święte"
        document = page(f"<table>{headings}<tr><td>Niedziela<td>Sobota<tr><td>9.00<td>18.00</table>")

        assert line_with(document, "9.00").column_header == "Niedziela"
        assert line_with(document, "18.00").column_header == "Sobota"


class TestLayoutTables:
    def test_are_containers(self) -> None:
        menu, body = "<li>Start<li>Historia", "<p>" + "tekst " * 200
        document = page(f"<table><tr><td><ul>{menu}</ul><td>{body}<p>8.00</table>")

        assert {-1} == {line.table for line in document.lines}

    def test_a_data_table_inside_one_keeps_its_cells(self) -> None:
        document = page("<table><tr><td>menu<td><table><tr><td>Niedziela<td>8.00</table></table>")

        assert (
            line_with(document, "8.00").table,
            line_with(document, "8.00").row,
            line_with(document, "8.00").column,
        ) == (0, 0, 1)
        assert line_with(document, "menu").table == -1

    def test_columns_of_text_side_by_side(self) -> None:
        cell = "<td><h3>{}</h3><p>8.00<p>10.00<p>12.00"
        document = page(f"<table><tr>{cell.format('Niedziele')}{cell.format('Święta')}</table>")

        assert {-1} == {line.table for line in document.lines}
        assert document.lines[0].block != document.lines[-1].block


class TestParallelLists:
    def test_cells_with_as_many_lines_are_read_line_by_line(self) -> None:
        document = page("<table><tr><td>Zawadka<br>Brzezie<td>8.00<br>9.30</table>")
        second = line_with(document, "9.30")

        assert second.row_header == "Brzezie"
        assert (second.row, second.column) == (1, 1)

    def test_neighbouring_lists_need_one_that_names_days(self) -> None:
        hours = "<ul><li>8.00<li>18.00</ul>"

        with_days = page(f"<div><ul><li>Niedziela<li>Środa</ul>{hours}<ul><li>Fara<li>Kaplica</ul></div>")
        without = page(f"<div><ul><li>Start<li>Galeria</ul>{hours}</div>")

        assert line_with(with_days, "18.00").row_header == "Środa, Kaplica"
        assert line_with(without, "18.00").row_header == ""

    def test_labels_behind_a_list_of_nothing_but_hours(self) -> None:
        document = page("<ul><li>8.00<li>9.30</ul><ul><li>Zawadka<li>Brzezie</ul>")

        assert line_with(document, "9.30").row_header == "Brzezie"

    def test_lists_of_unequal_length_stay_apart(self) -> None:
        document = page("<table><tr><td>Niedziela<br>Środa<td>8.00<br>9.30<br>11.00</table>")

        assert line_with(document, "9.30").row_header != "Środa"
