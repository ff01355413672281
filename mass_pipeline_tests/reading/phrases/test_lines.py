"""What is read of a line, and what is not worth reading."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from mass_pipeline.model.document import Document, Line
from mass_pipeline.reading.phrases.lines import LineFeatures, PageLine, _Words, page_line
from mass_pipeline.reading.phrases.nodes import Dated, InList, Time
from mass_pipeline.reading.words.prefilter import DAY_WORD

PROSE = "Z wdzięcznością wspominamy wszystkich, którzy przed laty wznosili naszą świątynię i dzwonnicę obok niej. "
WORDS = st.sampled_from(["niedziela", "SOBOTY", "w", "pt", "pt.", "(wt)", "środę,", "swiat", "dn.", "dzień", "Anna", "8.00", "x"])


def read(text: str) -> PageLine:
    document = Document((Line(text),))
    return page_line(document, 0, LineFeatures(document))


class TestParagraphs:
    def test_one_whose_numbers_are_no_hours_is_not_read(self) -> None:
        line = read(
            PROSE * 2 + "W niedzielę 4 maja 1930 roku zebrano 1200 zł, w sobotę 3.05.1945 - 250 zł. Konto 49 6115 3384 5396."
        )

        assert line.nodes == ()
        assert not line.has_hour

    def test_one_with_an_hour_is_read_around_it(self) -> None:
        text = f"W piątek 2 maja 1930 roku. {PROSE * 3}W niedzielę o godz. 9.30 Msza św. dla dzieci. {PROSE}"
        line = read(text)

        assert [node.clock.time for node in line.nodes if isinstance(node, Time)] == ["09:30"]
        assert InList in line.conditions
        assert Dated not in line.conditions

    def test_offsets_are_those_of_the_line(self) -> None:
        text = PROSE * 3 + "W niedzielę o godz. 9.30 Msza św."
        (time,) = (node for node in read(text).nodes if isinstance(node, Time))

        assert text[time.start : time.end] == "9.30"


class TestSurvey:
    def test_an_hour_far_below_the_last_day_is_left_out(self) -> None:
        document = Document(tuple(map(Line, ["8.00", "Niedziela", *["8.00"] * 30])))

        assert list(range(22)) == sorted({1, *LineFeatures(document).hours_under_days(20)})

    @given(st.lists(st.sampled_from(["Niedziela", "8.00", "Historia parafii", "sobota 18.00"]), max_size=60), st.integers(0, 8))
    def test_is_what_looking_at_every_line_gives(self, texts: list[str], above: int) -> None:
        names_day = ["Niedziela" in text or "sobota" in text for text in texts]
        expected = [i for i, text in enumerate(texts) if "0" in text and any(names_day[max(0, i - above) : i + 2])]

        assert expected == list(LineFeatures(Document(tuple(map(Line, texts)))).hours_under_days(above))


class TestWords:
    @given(st.lists(st.lists(WORDS, max_size=6).map(" ".join), max_size=8))
    def test_occur_where_the_pattern_is_found(self, texts: list[str]) -> None:
        words = _Words(DAY_WORD)

        assert [DAY_WORD.search(text.lower()) is not None for text in texts] == [words.occur_in(text) for text in texts]
