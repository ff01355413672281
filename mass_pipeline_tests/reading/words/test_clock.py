"""Clock tokens: every notation, and what only looks like a time."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mass_pipeline.reading.words import clock_patterns as patterns
from mass_pipeline.reading.words.clock import ClockKind, find_clock_tokens

_WRITTEN = """
1 3 5 8 05 10 12 19 30 31 45 00 0 999 2023
17.00 18:30 . : , ; - – / ^ r. IV maja stycznia am p.m. pm zł km m godz. do i o O oo st nd
of lat Uhr noon to bis ³⁰ niedz
"""
PIECES_OF_NUMBERS = st.sampled_from([*_WRITTEN.split(), " ", ":", ".", " do ", " – ", "8:00", "8.00"])


def times(text: str) -> list[str]:
    return [token.time for token in find_clock_tokens(text) if token.time]


def kinds(text: str) -> list[str]:
    return [token.kind.value for token in find_clock_tokens(text)]


class TestNotations:
    @pytest.mark.parametrize(
        "written",
        ["9:30", "9.30", "09:30", "9,30", "9;30", "9.3o", "9:3O", "9³⁰", "9^30", "9: 30", "9 : 30", "godz.9.30", "o godz. 9.30"],
    )
    def test_one_time_is_read_however_it_is_written(self, written: str) -> None:
        assert times(written) == ["09:30"]

    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("7.30,19.00", ["07:30", "19:00"]),
            ("08.00, 9,30, 11;00. 17:00", ["08:00", "09:30", "11:00", "17:00"]),
            ("730 900 1100 1630", ["07:30", "09:00", "11:00", "16:30"]),
            ("7 30 9 00 10 30", ["07:30", "09:00", "10:30"]),
            ("godz. 9.00(Nowa Wieś)17.30Proboszcz", ["09:00", "17:30"]),
            ("8.00 - 10.00 - 12.00", ["08:00", "10:00", "12:00"]),
            ("Pasterka o 24.00", ["00:00"]),
            ("Mass 6:00 pm", ["18:00"]),
        ],
    )
    def test_lists(self, text: str, expected: list[str]) -> None:
        assert times(text) == expected

    def test_an_hour_word_makes_a_bare_hour_a_time(self) -> None:
        assert kinds("godz. 18") == ["time"]
        assert kinds("8, 10, 12") == ["bare", "bare", "bare"]


class TestLookAlikes:
    @pytest.mark.parametrize(
        ("text", "kind"),
        [
            ("tel. 61 000 18 30", "phone"),
            ("tel. 52/303.05.30", "phone"),
            ("061 876-85-04", "phone"),
            ("62-080 Tarnowo", "postcode"),
            ("ofiara 20,00 zł", "price"),
            ("12 3456 0730 1100 0000 0000 0000", "account"),
            ("Mt 18,15", "reference"),
            ("Ew. Marka 12:30", "reference"),
            ("8.12.2023", "date"),
            ("3.05", "date"),
            ("Poniedziałek 12.05", "date"),
            ("15 VIII", "date"),
            ("14 sierpnia", "date"),
            ("od 1.05 do 31.09", "date"),
            ("18:12:05", "stamp"),
        ],
    )
    def test_is_what_it_is(self, text: str, kind: str) -> None:
        assert kinds(text) == [kind]

    @pytest.mark.parametrize(
        "text", ["16.00–17.30", "od 16.00 do 17.30", "600–2100", "sob. 9–11", "od godz. 16.00 do godz. 17.30"]
    )
    def test_a_range_is_one_token_with_two_ends(self, text: str) -> None:
        (token,) = find_clock_tokens(text)

        assert token.kind is ClockKind.RANGE
        assert token.time < token.until

    def test_a_season_word_behind_a_hyphen_makes_no_range(self) -> None:
        assert kinds("18:30-latem, 18:00-zimą") == ["time", "time"]


class TestLaws:
    @given(st.text(alphabet="0123456789 .,:;-–/()ogdz VIXabc³⁰^", max_size=200))
    def test_tokens_are_ordered_disjoint_slices(self, text: str) -> None:
        end = 0
        for token in find_clock_tokens(text):
            assert token.start >= end
            assert token.raw == text[token.start : token.end]
            end = token.end

    @given(st.lists(PIECES_OF_NUMBERS, min_size=1, max_size=7).map("".join))
    def test_fewer_alternatives_before_a_stop_or_colon_give_the_same_number(self, text: str) -> None:
        """Most numbers are matched against the alternatives that can begin there at all, not against all of them."""
        for digits in patterns.DIGITS.finditer(text):
            start, end = digits.span()
            few = {".": patterns.NUMBER_BEFORE_STOP, ":": patterns.NUMBER_BEFORE_COLON}.get(text[end : end + 1])
            if few is not None and end - start < 3:
                expected, found = patterns.NUMBER.match(text, start), few.match(text, start)

                assert expected is not None
                assert found is not None
                assert (expected.lastgroup, expected.span()) == (found.lastgroup, found.span())


class TestUnusualNotations:
    def test_hours_without_anything_between_them_are_hours_of_their_own(self) -> None:
        assert [token.time for token in find_clock_tokens("9.3011.0012.30")] == ["09:30", "11:00", "12:30"]

    def test_an_h_behind_a_number_makes_it_an_hour(self) -> None:
        assert [(t.time, t.kind.value) for t in find_clock_tokens("7h, 9h30")] == [("07:00", "time"), ("09:30", "time")]
        assert [token.time for token in find_clock_tokens("czynne 24h")] == [""]

    def test_hours_in_words_are_hours(self) -> None:
        assert [t.time for t in find_clock_tokens("Msze o siódmej, dziewiątej i wpół do dwunastej")] == [
            "07:00",
            "09:00",
            "11:30",
        ]

    def test_words_that_only_look_like_hours_are_none(self) -> None:
        assert find_clock_tokens("Msza św. o dziesiątej rocznicy poświęcenia") == []

    def test_an_hour_said_twice_is_one(self) -> None:
        assert [token.time for token in find_clock_tokens("Msze o ósmej (8.00)")] == ["08:00"]
