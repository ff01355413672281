"""No text, however broken, makes the grammar fail; what it costs: hostile/test_growth."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mass_pipeline.model.document import Document, Line, LineKind, Region
from mass_pipeline.reading.formats.osm import service_times
from mass_pipeline.reading.regular.reading import read_page, read_strings, read_text
from mass_pipeline.reading.regular.sites import read_site

PIECES = [
    "niedziele", "święta", "dni powszednie", "codziennie", "w soboty", "pn.-pt.", "I piątek miesiąca", "pozostałe dni",
    "w pozostałe czwartki", "8.00", "9:30", "18", "730", "16.00-17.30", "12.05", "1.05 do 31.09", "od", "do",
    "z wyjątkiem", "oprócz", "nie ma Mszy o", "zamiast", "tylko", "dodatkowo", "lub", "na przemian", "jak w niedzielę",
    "w wakacje", "zimą", "latem", "w Adwencie", "IV-IX", "VII i VIII", "maj", "X", "I", "Zawadka", "kaplica",
    "Msza św.", "Różaniec", "Kancelaria", "spowiedź", "(", ")", "/", ",", ";", ".", ":", "-", "i", "\n", "+ śp. Jan",
    "9dla",
]  # fmt: skip
schedules = st.lists(st.sampled_from(PIECES), max_size=40).map(" ".join)
lines = st.builds(
    Line,
    text=st.one_of(schedules, st.text(max_size=80)).map(lambda text: " ".join(text.split()) or "-"),
    kind=st.sampled_from(LineKind),
    level=st.integers(0, 7),
    region=st.sampled_from(Region),
    table=st.integers(-1, 1),
    column_header=st.sampled_from(["", "Niedziele", "pn.-pt."]),
    row_header=st.sampled_from(["", "środa", "Zawadka"]),
)


class TestAnyText:
    @settings(max_examples=100, suppress_health_check=[HealthCheck.too_slow], deadline=None)
    @given(schedules)
    def test_words_of_schedules_in_any_order_are_read(self, text: str) -> None:
        reading = read_text(text)

        for read in reading.masses:
            assert read.mass.days
            assert read.evidence
        service_times(read.mass for read in reading.masses)

    @settings(max_examples=100, deadline=None)
    @given(st.text(max_size=300), st.text(max_size=300))
    def test_any_characters_are_read(self, sunday: str, weekday: str) -> None:
        read_strings(sunday, weekday)

    @settings(max_examples=75, deadline=None)
    @given(st.lists(lines, max_size=25))
    def test_any_document_is_read_twice_alike(self, content: list[Line]) -> None:
        document = Document(tuple(content))

        assert read_page(document).masses == read_page(document).masses
        read_site([read_page(document)])


class TestOneHourTakenTwice:
    @pytest.mark.parametrize("text", ["niedziela 17.00 zamiast zamiast 8.00", "niedziela 8.00 zamiast 17.00 nie ma ("])
    def test_a_second_word_finds_none_left(self, text: str) -> None:
        """The hour before `zamiast` is taken out of its list; what follows must not take it again."""
        assert {"Su"} >= {day for read in read_text(text).masses for day in read.mass.days}
