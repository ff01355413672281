"""The conventional readings: what replaces, adds, excludes and restricts, and which part of a page is its order, one by one."""

from __future__ import annotations

from pathlib import Path

import pytest

from mass_pipeline.model.records import ReadMass
from mass_pipeline.reading.formats.summary import summarize
from mass_pipeline.reading.regular.reading import read_page, read_strings, read_text
from mass_pipeline.reading.text.reader import read_document


def conventions(file: str) -> dict[str, str]:
    """Schedules with their summaries; a line that begins with # is no part of either, ⏎ ends a line."""
    text = (Path(__file__).parent / file).read_text(encoding="utf-8")
    blocks = [[line for line in block.split("\n") if line.strip() and line[0] != "#"] for block in text.split("\n\n")]
    return {lines[0]: "\n".join(line.strip() for line in lines[1:]) for lines in blocks if lines}


def read(written: str) -> tuple[ReadMass, ...]:
    """Two strings of a directory, a page, or a text."""
    if "||" in written:
        return read_strings(*map(str.strip, written.split("||"))).masses
    if written.startswith("<"):
        page = f"<html><body>{written}</body></html>".encode()
        return read_page(read_document(page, content_type="text/html; charset=utf-8")).masses
    return read_text(written.replace("⏎", "\n")).masses


class TestConventions:
    @pytest.mark.parametrize(
        ("file", "language"), [("conventions.txt", "pl"), ("pages.txt", "pl"), ("other_languages.txt", "en")]
    )
    def test_each_is_read_so(self, file: str, language: str) -> None:
        wanted = conventions(file)

        assert {written: summarize((one.mass for one in read(written)), language) for written in wanted} == wanted


class TestVariation:
    """The reading does not hang on one way of writing."""

    @pytest.mark.parametrize("dot", [".", ":"])
    @pytest.mark.parametrize("joiner", [", ", "; ", " i ", " oraz ", " | ", " "])
    @pytest.mark.parametrize(
        "label", ["Niedziele: ", "w niedzielę o godz. ", "NIEDZIELA – ", "Msze święte niedzielne: ", "nd. ", "niedziela "]
    )
    def test_lists(self, label: str, joiner: str, dot: str) -> None:
        written = label + joiner.join(f"{hour}{dot}30" for hour in (7, 9, 11))

        found = [read.mass for read in read_text(written).masses]

        assert [(("Su",), time) for time in ("07:30", "09:30", "11:30")] == [(mass.days, mass.time) for mass in found]

    @pytest.mark.parametrize(
        "vacation",
        ["w wakacje", "w lipcu i sierpniu", "VII-VIII", "lipiec, sierpień", "w okresie wakacyjnym", "latem VII i VIII"],
    )
    @pytest.mark.parametrize("brackets", ["({})", "[{}]", "/{}/", "– {}"])
    def test_an_hour_moved_in_the_vacation(self, vacation: str, brackets: str) -> None:
        written = "Niedziele: 9.00, 18.00 " + brackets.format(f"{vacation} 20.00")

        found = {(read.mass.time, read.mass.season) for read in read_text(written).masses}

        assert {("09:00", "all"), ("18:00", "school"), ("20:00", "vacation")} == found

    @pytest.mark.parametrize("weekday", ["wtorek", "we wtorek", "we wtorki", "wt.", "WTOREK", "wtorki"])
    @pytest.mark.parametrize(
        "exception", ["18.00, {} 8.00", "18.00 (oprócz: {}), {} 8.00", "18.00; {} – 8.00", "{}: 8.00, pozostałe dni 18.00"]
    )
    def test_a_day_of_its_own(self, exception: str, weekday: str) -> None:
        written = "Dni powszednie: " + exception.replace("{}", weekday)

        found = {(day, read.mass.time) for read in read_text(written).masses for day in read.mass.days}

        assert {(day, "18:00") for day in ("Mo", "We", "Th", "Fr", "Sa")} | {("Tu", "08:00")} == found
