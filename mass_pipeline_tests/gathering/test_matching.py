"""Which of the offered sites is the parish's own: precision and recall on written cases, beside P3's first result."""

from __future__ import annotations

from pathlib import Path

import pytest

from mass_pipeline.gathering.config import WebsitesConfig
from mass_pipeline_tests.gathering.matching import FOLDER, Cases, Score, by_kind, look_up, read_cases, score, serving

TUNED = read_cases(FOLDER / "matching_cases.txt")
HELD_OUT = read_cases(FOLDER / "matching_held_out.txt")
FIRST_RESULT = WebsitesConfig(policy="first_result")


def measure(cases: Cases, folder: Path, policy: WebsitesConfig) -> Score:
    with serving(cases) as server:
        return score(cases, look_up(cases, server, folder / "state.sqlite", policy))


class TestMatching:
    def test_the_set_is_large_enough_and_holds_every_kind_of_trap(self) -> None:
        kinds = by_kind(TUNED)

        assert len(TUNED.cases) + len(HELD_OUT.cases) >= 120
        assert {"wrong_town", "other_dedication_same_town", "museum", "school", "cemetery", "two_churches"} <= set(kinds)
        assert min(kinds.values()) >= 2

    def test_evidence_and_verification_accept_the_right_sites(self, tmp_path: Path) -> None:
        found = measure(TUNED, tmp_path, WebsitesConfig())

        assert found.precision >= 0.99, "\n".join(found.wrong)
        assert found.recall >= 0.95, "\n".join(found.wrong)

    def test_held_out_cases_are_never_tuned_on(self, tmp_path: Path) -> None:
        """Nine sites: a single miss is 11 points of recall; a wrong site is never acceptable."""
        found = measure(HELD_OUT, tmp_path, WebsitesConfig())

        assert found.precision >= 0.99, "\n".join(found.wrong)
        assert found.recall >= 0.85, "\n".join(found.wrong)

    @pytest.mark.parametrize("cases", [TUNED, HELD_OUT])
    def test_the_first_result_is_much_worse_on_the_same_answers(self, tmp_path: Path, cases: Cases) -> None:
        """P3 as it stands, for comparison: traps are over-represented here, so this says nothing about all of Poland."""
        found = measure(cases, tmp_path, FIRST_RESULT)

        assert found.precision < 0.6
        assert found.recall < 0.85
