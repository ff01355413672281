"""The conventional readings: what replaces, adds, excludes and restricts, one schedule after another."""

from __future__ import annotations

from pathlib import Path

import pytest

from mass_pipeline.reading.formats.summary import summarize
from mass_pipeline.reading.regular.reading import PageReading, read_strings, read_text


def conventions() -> list[tuple[str, str]]:
    """Schedules with their summaries."""
    text = (Path(__file__).parent / "conventions.txt").read_text(encoding="utf-8")
    blocks = [block.split("\n") for block in text.split("\n\n") if block.strip() and not block.startswith("#")]
    return [(lines[0], "\n".join(line.strip() for line in lines[1:] if line.strip())) for lines in blocks]


def read(written: str) -> PageReading:
    sunday, bars, weekday = written.partition("||")
    return read_strings(sunday.strip(), weekday.strip()) if bars else read_text(written)


class TestConventions:
    def test_each_is_read_so(self) -> None:
        found = {written: summarize(one.mass for one in read(written).masses) for written, _ in conventions()}

        assert found == dict(conventions())


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
