"""The two laws of the box over made questions, in the towns of the gazetteer; over a whole table: `benchmarks.questions`."""

from __future__ import annotations

import pytest

from mass_pipeline.finding.gazetteer import read_gazetteer
from mass_pipeline.finding.places import Places
from mass_pipeline.finding.questions import Interpretation, interpret
from mass_pipeline_tests.finding.questions.laws import Maker, check, numbers_lost, table_of, violations
from mass_pipeline_tests.shared import ROOT

_COUNT = 680


@pytest.fixture(scope="module")
def places() -> Places:
    return table_of(read_gazetteer(ROOT / "data/gazetteer/pl.tsv"))


class TestTheTwoLaws:
    def test_nothing_is_consumed_silently_and_no_town_is_left(self, places: Places) -> None:
        """Each hour, day, name and town of a question is in its reading, or among the words told as not understood."""
        assert check(places, _COUNT, seed=11, interpret=interpret) == []

    def test_a_reading_without_them_breaks_both(self, places: Places) -> None:
        """The laws see what is missing: of an empty reading every part is lost."""
        questions = list(Maker(places, seed=11).questions(_COUNT))
        silent = [one for one in questions if not violations(one, Interpretation())]

        assert silent == []
        assert numbers_lost("msza o 18", Interpretation()) == ["18"]
