"""Features of an hour in its context."""

from __future__ import annotations

import numpy as np
import pandas as pd
from hypothesis import given, settings
from hypothesis import strategies as st

from mass_pipeline.learning.features import WIDTH, feature_matrix
from mass_pipeline.learning.schema import INPUT_COLUMNS
from mass_pipeline_tests.learning.corpus import Corpus


def hour(left: str = "", right: str = "", **cells: object) -> dict[str, object]:
    """One candidate hour."""
    row: dict[str, object] = dict.fromkeys(INPUT_COLUMNS)
    return {**row, "time": "18:00", "raw": "18:00", "block": "text/main", "list_index": 0, "left": left, "right": right, **cells}


def rows(*hours: dict[str, object]) -> np.ndarray:
    """Their features, dense, only the columns that any of them has."""
    matrix = feature_matrix(pd.DataFrame(hours))
    return matrix[:, np.unique(matrix.indices)].toarray()


class TestWhatCounts:
    def test_which_of_two_hours_is_marked(self) -> None:
        """The weakness of 2018: both hours of this line gave the same bag of words."""
        mass, office = rows(
            hour("Msza św. o ", ", kancelaria od 18:00 do 19:00"), hour("Msza św. o 18:00, kancelaria od ", " do 19:00")
        )

        assert not np.array_equal(mass, office)

    def test_a_page_without_polish_letters_reads_like_the_others(self) -> None:
        one, other = rows(hour("Msze święte w Niedzielę: "), hour("msze swiete w niedziele: "))

        assert np.array_equal(one, other)

    def test_inflected_words_share_features(self) -> None:
        one, other, stranger = rows(hour("kancelaria "), hour("kancelarii "), hour("procesja "))

        assert (one * other).sum() > (one * stranger).sum()

    def test_the_hour_of_the_day_counts(self) -> None:
        morning, night = rows(hour(time="07:00"), hour(time="23:00"))

        assert not np.array_equal(morning, night)

    def test_on_either_side_the_word_beside_the_hour_is_the_nearest(self) -> None:
        for side in ("left", "right"):
            far_first = side == "left"
            one, same_neighbour, other = rows(
                *(hour(**{side: " ".join((far, near) if far_first else (near, far))}) for far, near in ("ab", "cb", "ba"))
            )

            assert (one * same_neighbour).sum() > (one * other).sum(), side

    def test_the_head_of_a_list_is_near_its_last_hour(self) -> None:
        """Hours between a word and the marked hour do not push the word away."""
        hours = "7:00, 8:00, 9:00, 10:00, "
        short, long, other = rows(hour("Niedziele: "), hour(f"Niedziele: {hours}"), hour(f"Kancelaria: {hours}"))

        assert (short * long).sum() > (short * other).sum() + 2


class TestWhatMustNotCount:
    def test_the_reading_of_the_rules_is_not_seen(self, corpus: Corpus) -> None:
        """Rule positives are labels: a model that sees the reading learns nothing else."""
        blind = corpus.candidates.assign(rule_reading=None, parish_id="x", url="y", candidate_id="z")

        assert (feature_matrix(corpus.candidates) != feature_matrix(blind)).nnz == 0


class TestShape:
    def test_no_hours_give_no_rows(self, corpus: Corpus) -> None:
        assert feature_matrix(corpus.candidates.iloc[:0]).shape == (0, WIDTH)

    def test_kept_columns_come_in_the_order_asked_for(self, corpus: Corpus) -> None:
        some = corpus.candidates.iloc[:50]
        everything = feature_matrix(some)
        keep = np.unique(everything.indices)[::-3].astype(np.int64)

        assert np.allclose(feature_matrix(some, keep).toarray(), everything[:, keep].toarray())

    @given(st.lists(st.tuples(st.text(max_size=80), st.text(max_size=80)), min_size=1, max_size=5))
    @settings(max_examples=60, deadline=None)
    def test_any_text_has_finite_features_and_one_row_each(self, contexts: list[tuple[str, str]]) -> None:
        matrix = feature_matrix(pd.DataFrame([hour(left, right, raw=left[:5], heading=right) for left, right in contexts]))

        assert matrix.shape == (len(contexts), WIDTH)
        assert np.isfinite(matrix.data).all()

    def test_a_row_does_not_depend_on_its_neighbours(self, corpus: Corpus) -> None:
        some = corpus.candidates.iloc[:40]
        together = feature_matrix(some)

        alone = feature_matrix(some.iloc[[17]])

        assert np.allclose(together[17].toarray(), alone.toarray())
