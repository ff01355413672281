"""Parts of the data: by parish, for ever, with copied texts on one side."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from mass_pipeline.learning.config import LearningConfig
from mass_pipeline.learning.near_duplicates import duplicate_groups
from mass_pipeline.learning.splits import crossing_copies, split_of

LETTER = (
    "List pasterski biskupa na pierwszą niedzielę Adwentu: w całej diecezji rozpoczynamy czas przygotowania, "
    "dlatego zapraszamy wszystkich wiernych na roraty o godzinie 6:30 w dni powszednie oraz na rekolekcje, które "
    "wygłosi ksiądz rektor seminarium"
)

PINNED = "vnnnvnntvnntnnnntnnnnnnt"  # last letters: train, dev, test


class TestPlaceOfAParish:
    @given(st.text())
    def test_every_identifier_has_one_place(self, parish_id: str) -> None:
        assert split_of(parish_id, LearningConfig()) == split_of(parish_id, LearningConfig())

    def test_the_shares_are_kept(self) -> None:
        places = [split_of(f"parish-{i}", LearningConfig()) for i in range(4000)]

        assert 0.13 < places.count("test") / 4000 < 0.17
        assert 0.13 < places.count("dev") / 4000 < 0.17

    def test_places_are_pinned(self) -> None:
        """A change of the formula would mix what was tested on into what is trained on."""
        places = "".join(split_of(f"parish-{i}", LearningConfig())[-1] for i in range(24))

        assert places == PINNED


class TestNearDuplicates:
    def test_a_copied_letter_is_one_text(self) -> None:
        other = LETTER.replace("ksiądz rektor", "ks. rektor")

        groups = duplicate_groups([LETTER, "Inny tekst " * 30, other, LETTER], 0.7)

        assert groups[0] == groups[2] == groups[3]
        assert groups[1] != groups[0]

    def test_short_formulae_are_no_copies(self) -> None:
        """Every second parish writes these words; calling them copies would empty the training part."""
        assert len(set(duplicate_groups(["Niedziele: 8:00, 10:00"] * 3, 0.8))) == 3

    def test_no_texts_make_no_groups(self) -> None:
        assert len(duplicate_groups([], 0.8)) == 0


class TestCopiesAcrossParts:
    def test_the_test_part_keeps_its_row_and_the_others_lose_theirs(self) -> None:
        gone = crossing_copies([LETTER] * 4, ["train", "test", "dev", "test"], LearningConfig())

        assert np.array_equal(gone, [True, False, True, False])

    def test_copies_within_one_part_stay(self) -> None:
        assert not crossing_copies([LETTER] * 3, ["train"] * 3, LearningConfig()).any()
