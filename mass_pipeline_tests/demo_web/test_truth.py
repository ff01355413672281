"""The notation of the ground truth: short to write, and strict."""

from __future__ import annotations

import pytest

from mass_pipeline.demo_web.source import parse_truth
from mass_pipeline.model.errors import BadInput
from mass_pipeline.model.records import Mass


class TestNotation:
    @pytest.mark.parametrize(
        ("line", "mass"),
        [
            ("Su PH: 8:00", Mass(("Su", "PH"), "08:00")),
            ("Mo-Sa winter: 17:00", Mass(("Mo", "Tu", "We", "Th", "Fr", "Sa"), "17:00", "winter")),
            ("Mo-We Fr 10-03: 17:00", Mass(("Mo", "Tu", "We", "Fr"), "17:00", "10-03")),
            ("Fr [1]: 16:30 (dla dzieci)", Mass(("Fr",), "16:30", nth=(1,), note="dla dzieci")),
            ("Su [2,4] @Nowy Dwór: 9:45", Mass(("Su",), "09:45", nth=(2, 4), place="Nowy Dwór")),
            ("Su [-1] school: 15:00", Mass(("Su",), "15:00", "school", (-1,))),
        ],
    )
    def test_one_line_is_one_mass(self, line: str, mass: Mass) -> None:
        assert parse_truth(line) == (mass,)

    def test_hours_of_a_line_share_the_rest(self) -> None:
        assert [mass.time for mass in parse_truth("Su: 7:00 9:00 11:30  # a remark")] == ["07:00", "09:00", "11:30"]

    def test_no_text_is_no_schedule(self) -> None:
        assert parse_truth("\n\n") == ()

    @pytest.mark.parametrize("line", ["Su 8:00", "Sun: 8:00", "summer: 8:00", "Su: 8.00", "PH-Sa: 8:00"])
    def test_a_line_it_cannot_read_is_named(self, line: str) -> None:
        with pytest.raises(BadInput, match=line.replace(".", r"\.")):
            parse_truth(line)
