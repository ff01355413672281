"""Pages made to deceive the reader, where they lie beside the checkout: as many are seen through as before."""

from __future__ import annotations

from typing import Final

import pytest

from mass_pipeline.cli.judges import Judge
from mass_pipeline_tests.evaluation.attacks import Verdicts, judged
from mass_pipeline_tests.shared import shared_folder

MOST_PUBLISHED: Final = 0  # of 65 pages whose answer is unknown
KNOWN_MISREADINGS: Final[dict[str, str]] = {}
KNOWN_FACTS: Final[dict[str, str]] = {}
MOST_LOST: Final = 5  # of 25 pages: a time beside private words is taken for an intention's


@pytest.fixture(scope="module", params=[True, False], ids=["rules", "shipped classifier"])
def verdicts(request: pytest.FixtureRequest) -> Verdicts:
    return judged(shared_folder("attacks"), Judge(by_rules=request.param))


class TestAttacks:
    def test_hardly_a_page_whose_answer_is_unknown_publishes(self, verdicts: Verdicts) -> None:
        assert verdicts.pages["unknown"] > 0
        assert len(verdicts.published) <= MOST_PUBLISHED

    def test_known_hostile_pages_are_read_right(self, verdicts: Verdicts) -> None:
        assert set(verdicts.wrong) <= set(KNOWN_MISREADINGS)

    def test_no_fact_about_a_person_is_printed(self, verdicts: Verdicts) -> None:
        assert set(verdicts.told) <= set(KNOWN_FACTS)

    def test_times_beside_private_words_are_not_lost(self, verdicts: Verdicts) -> None:
        assert len(verdicts.lost) <= MOST_LOST
