"""Which hours people are asked about next."""

from __future__ import annotations

import pandas as pd
import pytest

from mass_pipeline.learning.active import next_to_label
from mass_pipeline.learning.model import Trained
from mass_pipeline_tests.learning.corpus import Corpus


@pytest.fixture(scope="module")
def candidates(corpus: Corpus) -> pd.DataFrame:
    """Hours of every fourth parish: enough to choose among."""
    chosen = sorted(set(corpus.candidates["parish_id"]))[::4]
    return corpus.candidates[corpus.candidates["parish_id"].isin(chosen)]


class TestNextToLabel:
    def test_the_most_uncertain_come_first(self, model: Trained, candidates: pd.DataFrame) -> None:
        items = next_to_label(candidates, set(), model, 40)

        distance = (items["probability"] - 0.5).abs()
        assert len(items) == 40
        assert distance.is_monotonic_increasing

    def test_what_is_labelled_is_not_asked_again(self, model: Trained, candidates: pd.DataFrame) -> None:
        first = next_to_label(candidates, set(), model, 30)

        second = next_to_label(candidates, set(first["candidate_id"]), model, 30)

        assert set(first["candidate_id"]).isdisjoint(second["candidate_id"])

    def test_no_parish_fills_the_queue(self, model: Trained, candidates: pd.DataFrame) -> None:
        items = next_to_label(candidates, set(), model, 10_000)

        assert items["parish_id"].value_counts().max() == 5

    def test_the_order_of_the_table_changes_nothing(self, model: Trained, candidates: pd.DataFrame) -> None:
        shuffled = candidates.sample(frac=1, random_state=3)

        assert list(next_to_label(candidates, set(), model, 50)["candidate_id"]) == list(
            next_to_label(shuffled, set(), model, 50)["candidate_id"]
        )

    def test_nothing_left_is_an_empty_table(self, model: Trained, candidates: pd.DataFrame) -> None:
        assert not len(next_to_label(candidates, set(candidates["candidate_id"]), model, 5))
