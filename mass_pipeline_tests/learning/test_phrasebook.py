"""The phrase book: composed pages whose every hour is labelled, the same for the same seed."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mass_pipeline.learning.phrasebook.compose import compose_page
from mass_pipeline.learning.phrasebook.corpus import composed_hours


class TestPages:
    @given(st.integers(0, 10_000), st.integers(0, 5))
    @settings(max_examples=60, deadline=None)
    def test_nothing_of_the_notation_is_left_on_a_page(self, number: int, seed: int) -> None:
        page = compose_page(number, seed)

        text = page.markup.replace("<html>", "").replace("</html>", "")
        assert not any(mark in text for mark in "{}[]")
        assert page == compose_page(number, seed)

    def test_every_kind_of_hour_occurs_often_enough(self) -> None:
        kinds = Counter(kind for number in range(200) for _, kind in compose_page(number, 1).hours)

        assert {"m", "d", "x", "n"} == set(kinds)
        assert min(kinds["m"], kinds["n"], kinds["d"]) > 300
        assert kinds["x"] > 30


class TestHours:
    def test_a_longer_corpus_begins_with_a_shorter_one(self) -> None:
        short, long = composed_hours(10, 3), composed_hours(14, 3)

        assert list(short["candidate_id"]) == list(long["candidate_id"])[: len(short)]

    @pytest.mark.parametrize("seed", [1, 2])
    def test_nearly_all_written_hours_are_read_back(self, seed: int) -> None:
        """What the extraction reads otherwise is left out; much of it would mean that the labels slip."""
        written = sum(len(compose_page(number, seed).hours) for number in range(60))

        assert len(composed_hours(60, seed)) > 0.85 * written

    def test_labels_stand_beside_the_words_they_mean(self) -> None:
        frame = composed_hours(300, 1)
        office = frame[frame["left"].str.contains(r"(?:Kancelaria parafialna|Biuro parafialne): $")]

        assert len(office) > 3
        assert {"not_mass"} == set(office["label"])
