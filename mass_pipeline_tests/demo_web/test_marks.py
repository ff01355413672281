"""Marks: what an author says about hours is read back exactly, and readers never see it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mass_pipeline.demo_web.marks import Kind, mark, marked_hours, strip


def _read(text: str, default: Kind = "m") -> list[tuple[str, str]]:
    return [(hour.kind, hour.time) for hour in marked_hours(f"<p>{mark(text, default)}</p>")]


class TestHours:
    @pytest.mark.parametrize(
        ("written", "time"),
        [
            ("8.00", "08:00"),
            ("08:30", "08:30"),
            ("9,30", "09:30"),
            ("11;00", "11:00"),
            ("7.oo", "07:00"),
            ("17:3o", "17:30"),
            ("godz.7.45", "07:45"),
            ("7<sup>30</sup>", "07:30"),
            ("24.00", "00:00"),
            ("8: 15", "08:15"),
        ],
    )
    def test_every_notation_is_found(self, written: str, time: str) -> None:
        assert _read(f"Msza {written} w kościele") == [("m", time)]

    @pytest.mark.parametrize("text", ["12.09.2001", "187 300,00 zł", "tel. 55 230 11 30", "25:00", "Mt 28,190"])
    def test_other_numbers_are_no_hours(self, text: str) -> None:
        assert _read(text) in ([], [("m", "12:09")])  # a day and a month look like an hour, and people would label it

    def test_bare_hours_and_lost_superscripts_are_found_where_marked(self) -> None:
        assert _read("{b 8, 10 i 1130}; tel. 12", "n") == [("b", "08:00"), ("b", "10:00"), ("b", "11:30")]


class TestKinds:
    def test_unmarked_hours_have_the_kind_of_the_page(self) -> None:
        assert _read("8.00", "d") == [("d", "08:00")]

    def test_a_mark_ends_where_it_ends(self) -> None:
        assert _read("8.00 {n (biuro 9.00)} 10.00") == [("m", "08:00"), ("n", "09:00"), ("m", "10:00")]

    def test_text_outside_any_mark_has_no_hours(self) -> None:
        assert list(marked_hours("<p>8.00</p>")) == []

    def test_scripts_and_styles_are_invisible(self) -> None:
        assert _read("<script>var a = '8.00'</script><style>p{width:8.00px}</style>9.00") == [("m", "09:00")]

    def test_the_words_around_an_hour_come_along(self) -> None:
        (hour,) = marked_hours(mark("<b>Niedziela</b>:<br>8.00 (suma)", "m"))

        assert (hour.left.strip(), hour.raw, hour.right.strip()) == ("Niedziela:", "8.00", "(suma)")


class TestInvisibility:
    @given(st.text(alphabet=st.characters(exclude_categories=["Co", "Cs"], exclude_characters="{}")))
    def test_marking_and_stripping_gives_the_text_back(self, text: str) -> None:
        assert strip(mark(text, "n")) == text
