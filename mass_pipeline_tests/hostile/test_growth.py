"""The work of reading grows with the input and not with its square: counted in lines run, so that no clock decides."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable

import pytest

from mass_pipeline_tests.hostile import READERS, SHAPES, announced, schedules, shape
from mass_pipeline_tests.shared import ROOT

_TIMES = 4
_GROWTH = 1.2  # exponent
_MARGIN = 1.1
_COUNTED = (
    "bracket never closed",
    "seasons in brackets, lines",
    "seasons in brackets, rows",
    "three hundred parishes",
    "different orders",
    "fallen out, one line",
    "fallen out, lines",
    "hours without commas",
    "as on Sundays",
    "as on Sundays, lines",
    "list, then footnotes",
    "list, then brackets",
    "list, then instead",
    "one word",
    "one row of days",
    "cells that span rows",
    "text without markup",
    "or, lines",
    "navigation in navigation",
    "articles behind links to nowhere",
    # marks, brackets, weeks, footnotes, headings and words, thousands of times
    "hours, one line",
    "slashes alone",
    "dashes",
    "brackets open and shut",
    "weeks of the month",
    "footnotes, lines",
    "headings alone",
    "words in other languages",
    *announced.CHANGES,
    *announced.ARTICLES,
)
_OF_ONE_LINE = ("contacts and blanks, one line", "blanks, one line", "full stops, one line", "denied and bracketed, one line")


def counted(size: int) -> dict[str, list[int]]:
    """Shape -> lines run at a size and at one four times as large."""
    sizes = json.dumps([size, size * _TIMES])
    command = [sys.executable, "-m", "mass_pipeline_tests.hostile.counting", sizes, *_COUNTED]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True, timeout=600)
    found: dict[str, list[int]] = json.loads(done.stdout)
    return found


class TestGrowth:
    @pytest.mark.parametrize("size", [1_000, pytest.param(4_000, marks=pytest.mark.soak)])
    def test_it_is_in_proportion_to_the_input(self, size: int) -> None:
        """All shapes in one test: one process counts them, whatever process of the tests asks."""
        lines = counted(size)

        assert set(lines) == set(_COUNTED)
        assert {name: both for name, both in lines.items() if both[1] > both[0] * _TIMES**_GROWTH * _MARGIN} == {}


@pytest.mark.slow
class TestTimeOfLines:
    """A search within one expression runs no line: what it takes grows as its CPU time does."""

    @pytest.mark.parametrize("name", [*(f"{name}, text" for name in schedules.TEXTS), *_OF_ONE_LINE])
    def test_it_grows_with_the_length_of_a_line(self, name: str) -> None:
        """Eight times the input would take 64 times as long if it grew with the square."""
        chosen = shape(name)
        read = READERS[chosen.reader]
        read(chosen.make(1_000))
        small, large = (min(_seconds(read, chosen.make(size)) for _ in range(2)) for size in (5_000, 40_000))

        assert large < 24 * max(small, 0.005)


def _seconds(read: Callable[[bytes], object], body: bytes) -> float:
    began = time.process_time()
    read(body)
    return time.process_time() - began


class TestShapes:
    def test_each_has_a_name_of_its_own_and_the_size_asked_for(self) -> None:
        assert len({one.name for one in SHAPES}) == len(SHAPES) >= 60
        assert all(one.make(20_000) for one in SHAPES)

    @pytest.mark.parametrize("reader", READERS)
    def test_none_is_more_than_its_reader_can_bear(self, reader: str) -> None:
        """Whatever comes, a reader answers: it raises nothing."""
        chosen = [one for one in SHAPES if one.reader == reader]

        assert chosen
        assert [one.name for one in chosen if READERS[reader](one.make(3_000)) is None] == []
