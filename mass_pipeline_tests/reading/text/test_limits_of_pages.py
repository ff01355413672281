"""What no page needs is not read: lines of a page, characters of a line, open elements, hours. Memory is bounded by that."""

from __future__ import annotations

import pickle
import tracemalloc

from mass_pipeline.model.document import LONGEST_LINE, Document, Line
from mass_pipeline.reading.regular.reading import read_page
from mass_pipeline.reading.text.reader import read_document

_LINES, _HOURS = 20_000, 3_000


class TestLines:
    def test_lines_after_the_last_that_is_read_are_left_out(self) -> None:
        document = read_document("<p>Msze: 8.00" + "<p>x" * (_LINES + 100))

        assert len(document.lines) == _LINES
        assert document.lines[0].text == "Msze: 8.00"

    def test_a_line_that_is_too_long_goes_on_in_the_next_at_a_blank(self) -> None:
        """What a line costs may grow with its square; of a page it must not."""
        *long, short = read_document("<p>ala " + "ma <b>kota</b> " * LONGEST_LINE + "<p>Niedziela 8.00").lines

        assert max(len(line.text) for line in long) <= LONGEST_LINE
        assert " ".join(line.text for line in long).split() == ["ala", *["ma", "kota"] * LONGEST_LINE]
        assert short.text == "Niedziela 8.00"

    def test_a_single_piece_of_text_is_broken_too(self) -> None:
        lines = read_document("Niedziela 8.00 " * LONGEST_LINE).lines

        assert max(len(line.text) for line in lines) <= LONGEST_LINE
        assert " ".join(line.text for line in lines).split() == ["Niedziela", "8.00"] * LONGEST_LINE

    def test_what_is_too_deep_keeps_its_words(self) -> None:
        document = read_document("<div>" * 20_000 + "<p>Msze: 8.00</p>" + "</div>" * 20_000 + "<p>Niedziela: 9.00</p>")

        assert [line.text for line in document.lines] == ["Msze: 8.00", "Niedziela: 9.00"]

    def test_cells_after_the_last_that_is_made_keep_their_words(self) -> None:
        document = read_document("<table><tr><td>Msze<td>7.00<tr>" + "<td>" * 60_000 + "<tr><td>Niedziela<td>8.00</table>")

        assert [(line.text, line.table) for line in document.lines][2:] == [("Niedziela", -1), ("8.00", -1)]
        assert document.lines[0].table == 0

    def test_lines_come_from_another_process_in_little_more_memory_than_they_take(self) -> None:
        sent = pickle.dumps(read_document("<p>Msze: 8.00" * 5_000))
        tracemalloc.start()
        try:
            document = pickle.loads(sent)
            held, most = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()

        assert most < 1.5 * held
        assert document.lines[-1].text == "Msze: 8.00"


class TestHours:
    def test_hours_after_the_last_that_is_read_have_no_verdict(self) -> None:
        week = [Line("Niedziele: 8.00, 10.00"), Line("w tygodniu: 7.00, 18.00"), *[Line("Kronika")] * 5]
        reading = read_page(Document(tuple(week * 1_000)))

        assert _HOURS <= len(reading.verdicts) < _HOURS + 500
        assert min(line for line, _ in reading.verdicts) == 0

    def test_large_pages_are_taken_apart_like_small_ones(self) -> None:
        page = "<ul><li>Niedziele: <b>8<sup>00</sup></b>, 10.00<li>w tygodniu 18.00</ul><!-- x --><script>1 < 2</script>ę "
        small, large = read_document(page), read_document(page + "<i></i>" * 50_000)

        assert large.lines == small.lines
