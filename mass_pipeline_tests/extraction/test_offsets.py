"""Offsets of a line are a sequence like any other, worked out when somebody asks."""

from __future__ import annotations

from collections.abc import Sequence

from mass_pipeline.extraction.reader import read_document

SOURCE = "<p>godz. 7<sup>30</sup> &amp; 9</p>"


class TestOffsets:
    def test_each_character_is_found_in_the_source(self) -> None:
        (line,) = read_document(SOURCE, url="x.html").lines

        assert line.text == "godz. 7:30 & 9"
        assert [SOURCE[at] if at >= 0 else "" for at in line.offsets] == ["g", "o", "d", "z", ".", " ", "7", "", *"30 & 9"]

    def test_they_are_a_sequence(self) -> None:
        """Not by inheritance, which would make every line of the compiled build dear, so each part of the contract is shown."""
        (line,) = read_document(SOURCE, url="x.html").lines
        plain = tuple(line.offsets)

        assert isinstance(line.offsets, Sequence)
        assert len(line.offsets) == len(plain) == len(line.text)
        assert tuple(reversed(line.offsets)) == plain[::-1]
        assert line.offsets[2:4] == plain[2:4]
        assert line.offsets.index(plain[-1]) == len(plain) - 1
        assert line.offsets.count(-1) == 1
        assert -1 in line.offsets
        assert len(SOURCE) not in line.offsets
