"""Krippendorff's alpha."""

from __future__ import annotations

import random

import pandas as pd
import pytest

from mass_pipeline.annotation.agreement import krippendorff_alpha

# Krippendorff 2011, example C: four observers, twelve units, nominal; published alpha 0.743.
_EXAMPLE = {
    "A": [1, 2, 3, 3, 2, 1, 4, 1, 2, None, None, None],
    "B": [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, None, 3],
    "C": [None, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, None],
    "D": [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, None],
}


def frame(rows: list[tuple[str, str]]) -> pd.DataFrame:
    return pd.DataFrame(rows, columns=["candidate_id", "answer"])


class TestKrippendorffAlpha:
    def test_the_published_example(self) -> None:
        rows = [(str(unit), str(code)) for codes in _EXAMPLE.values() for unit, code in enumerate(codes) if code is not None]

        assert krippendorff_alpha(frame(rows)) == pytest.approx(0.743, abs=5e-4)

    def test_it_equals_the_independent_implementation_of_nltk(self) -> None:
        from nltk.metrics.agreement import AnnotationTask

        rng = random.Random(4)
        triples = [(f"v{v}", f"i{i}", rng.choice("ynnc")) for i in range(60) for v in range(8) if rng.random() < 0.6]
        ours = krippendorff_alpha(frame([(item, answer) for _, item, answer in triples]))

        assert ours == pytest.approx(AnnotationTask(triples).alpha())

    def test_without_anything_to_compare_there_is_none(self) -> None:
        assert krippendorff_alpha(frame([])) is None
        assert krippendorff_alpha(frame([("a", "yes"), ("b", "no")])) is None
        assert krippendorff_alpha(frame([("a", "yes"), ("a", "yes")])) is None
