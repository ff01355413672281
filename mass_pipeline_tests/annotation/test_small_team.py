"""What a small team meets: hours of unlikely pages stay out of its way, and it is told why a label is withheld and what helps."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest

from mass_pipeline.annotation.config import AnnotationConfig
from mass_pipeline.annotation.items import item_from_row
from mass_pipeline.annotation.labels import aggregate
from mass_pipeline.annotation.page_filter import PageFilter
from mass_pipeline.annotation.reasons import REMEDIES, withheld_reasons

CONFIG = AnnotationConfig()


def asked(score: float | None, n: int = 400, **more: Any) -> PageFilter:
    rows = ({"candidate_id": f"c{n}", "raw": "8.00", "page_score": score, **more} for n in range(n))
    chosen = PageFilter(0.3, 0.05)
    for _ in chosen(map(item_from_row, rows)):
        pass
    return chosen


@pytest.mark.row("P12")
class TestPageFilter:
    @pytest.mark.parametrize("score", [0.3, 0.9, None])
    def test_hours_of_likely_pages_and_of_pages_without_a_score_are_all_asked(self, score: float | None) -> None:
        assert (asked(score).left_out, asked(score).kept_as_sample) == (0, 0)

    def test_of_the_others_a_sample_is_asked_the_same_each_time(self) -> None:
        chosen = asked(0.1)

        assert chosen.left_out + chosen.kept_as_sample == 400
        assert 8 <= chosen.kept_as_sample <= 36
        assert asked(0.1) == chosen

    def test_test_questions_are_always_asked(self) -> None:
        assert asked(0.0, gold="yes").left_out == 0


def withheld(*cast: tuple[str, str, str]) -> dict[str, int]:
    """Reasons for one item: (answer, network, standing) of each voter."""
    rows = [("c", f"v{n}", answer, origin, standing) for n, (answer, origin, standing) in enumerate(cast)]
    votes = pd.DataFrame(rows, columns=["candidate_id", "voter_id", "answer", "origin", "standing"])
    return withheld_reasons(aggregate(votes), CONFIG)


class TestReasons:
    def test_a_team_behind_one_network_is_told_so(self) -> None:
        """It got no label in and was not told why."""
        assert withheld(*[("yes", "1:office", "normal")] * 5) == {"too_few_networks": 1}
        assert "invitation" in REMEDIES["too_few_networks"]

    def test_what_the_remedy_says_helps(self) -> None:
        assert withheld(*[("yes", "1:office", "trusted")] * 2) == {}

    @pytest.mark.parametrize(
        ("cast", "reason"),
        [
            ([("yes", "1:a", "normal")], "too_few_answers"),
            ([("unknown", "1:a", "normal"), ("unknown", "1:b", "normal")], "nobody_could_tell"),
            ([("yes", "1:a", "normal"), ("no", "1:b", "normal"), ("yes", "1:c", "normal")], "disagreement"),
        ],
    )
    def test_every_other_reason_has_its_word(self, cast: list[tuple[str, str, str]], reason: str) -> None:
        assert withheld(*cast) == {reason: 1}
        assert reason in REMEDIES
