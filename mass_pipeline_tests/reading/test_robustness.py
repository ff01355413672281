"""No text, however broken, makes the grammar fail or hang."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mass_pipeline.model.document import Document, Line, LineKind, Region
from mass_pipeline.reading.formats.osm import service_times
from mass_pipeline.reading.regular.reading import read_page, read_strings, read_text
from mass_pipeline.reading.regular.sites import read_site
from mass_pipeline.reading.text.reader import read_document
from mass_pipeline_tests.shared import shared_folder

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


@pytest.mark.soak
class TestSoak:
    @settings(max_examples=3_000, suppress_health_check=[HealthCheck.too_slow], deadline=None)
    @given(schedules)
    def test_words_of_schedules_in_any_order_are_read(self, text: str) -> None:
        reading = read_text(text)

        assert all(read.mass.days and read.evidence for read in reading.masses)
        service_times(read.mass for read in reading.masses)

    @settings(max_examples=1_500, deadline=None)
    @given(st.lists(lines, max_size=25))
    def test_any_document_is_read_twice_alike(self, content: list[Line]) -> None:
        document = Document(tuple(content))

        assert read_page(document).masses == read_page(document).masses


class TestOneHourTakenTwice:
    @pytest.mark.parametrize("text", ["niedziela 17.00 zamiast zamiast 8.00", "niedziela 8.00 zamiast 17.00 nie ma ("])
    def test_a_second_word_finds_none_left(self, text: str) -> None:
        """The hour before `zamiast` is taken out of its list; what follows must not take it again."""
        assert {"Su"} >= {day for read in read_text(text).masses for day in read.mass.days}


class TestTime:
    @pytest.mark.parametrize(
        "piece",
        [
            "8.00, ",
            "( ",
            "niedziele i ",
            "I, ",
            "od ",
            "z wyjątkiem ",
            "9",
            "8.00 (",
            "Msza św. po Mszy ",
            "/",
            "w ",
            "pn.-",
            "8.00 - ",
            "Aa ",
            "wt 8.00 nie ma w wakacje, ",
            "7.00 lub 8.00 ",
            "17.00 zamiast 18.00; ",
            "5:00, 7:00 pm, ",
            "od maja 18.00, ",
            "niedzielna Eucharystia ",
        ],
    )
    def test_a_long_line_takes_time_in_proportion(self, piece: str) -> None:
        """3,000 hours in a second: nothing is quadratic."""
        begin = time.process_time()
        read_text(piece * 1_500)
        read_page(Document((Line(("niedziele " + piece * 1_500).strip()),)))

        assert time.process_time() - begin < 8

    @pytest.mark.parametrize("around", ["<div>", "<div>" * 20])
    def test_headings_in_nested_boxes_take_time_in_proportion(self, around: str) -> None:
        page = f"{around}<h3>Kaplica</h3><p>Niedziela 8.00</p>" * 2_000
        begin = time.process_time()
        read_page(read_document(page, content_type="text/html"))

        assert time.process_time() - begin < 6

    def test_footnotes_are_read_once_for_each_hour(self) -> None:
        """As often as its list repeats, a footnote tells of the hours marked since the last one."""
        content = [Line("niedziele: 8.00, 18.00*"), Line("* zimą 17.00")]
        begin = time.process_time()
        read_page(Document(tuple(content * 1_000)))

        assert time.process_time() - begin < 8

    def test_many_lines_take_time_in_proportion(self) -> None:
        content = [Line("niedziele: 8.00, 10.00 (latem 11.00)"), Line("Aktualności", LineKind.HEADING, 2), Line("7.00 + Jan")]
        begin = time.process_time()
        read_page(Document(tuple(content * 1_000)))

        assert time.process_time() - begin < 8


@pytest.mark.shared
class TestSuites:
    @pytest.mark.slow
    def test_every_page_of_the_suites_is_read(self) -> None:
        folder = Path(shared_folder()) / "suites"
        files = [f for name in ("html", "encoding", "web") for f in sorted((folder / name).rglob("*")) if f.is_file()]
        for file in files[:: max(1, len(files) // 400)]:
            if file.stat().st_size < 300_000:
                read_site([read_page(read_document(file.read_bytes(), url=file.name))])

        assert files
