"""The laws of what is published hold on generated texts no less than they did."""

from __future__ import annotations

from itertools import islice

import pytest

from mass_pipeline_tests.laws.making import LAWS, PHRASES, cases, load_phrases
from mass_pipeline_tests.laws.run import GATE_SEED, GATES, faults, run, shares
from mass_pipeline_tests.laws.texts import Page, Sheet


class TestLaws:
    @pytest.mark.parametrize("law", LAWS)
    def test_hold_as_often_as_pinned(self, law: str) -> None:
        """What is published wrongly or lost in silence may only become less: `python -m mass_pipeline_tests.laws --pin`."""
        assert faults("sample", law, shares(run([law], GATE_SEED, GATES["sample"], PHRASES, jobs=1))) == []


class TestGeneratedTexts:
    @pytest.mark.parametrize("law", LAWS)
    def test_have_sixty_wordings_of_a_law(self, law: str) -> None:
        wordings = {text for kind, texts in load_phrases()[law].items() if not kind.startswith("control") for text in texts}

        assert len(wordings) >= 60

    @pytest.mark.parametrize("law", LAWS)
    def test_are_the_same_for_the_same_seed(self, law: str) -> None:
        first, again = ([one.record for one in cases(law, 7, 20, load_phrases())] for _ in range(2))

        assert first == again

    def test_call_a_page_right_only_with_its_own_truth(self) -> None:
        """An answer that holds the truth is right; with an hour more wrong, with one less lost, with one proposed waiting."""
        pages = [one.truth for one in cases("L1", 7, 200, load_phrases()) if isinstance(one.truth, Page)]
        for page in islice((one for one in pages if all(len(months) == 12 for months in one.must.values())), 20):
            rows = [{"days": [day], "time": hour, "season": "all"} for day, hour in page.must]
            answers = (rows, [*rows, {"days": ["We"], "time": "03:00"}], rows[1:])

            assert [page.outcome({"masses": one})[0] for one in answers] == ["right", "wrong", "lost"]
            assert page.outcome({"masses": rows[1:], "proposed": rows[:1]})[0] == "waits"

    def test_call_a_sheet_right_only_with_its_own_changes(self) -> None:
        sheets = [one.truth for one in cases("L2", 7, 200, load_phrases()) if isinstance(one.truth, Sheet)]
        for sheet in (one for one in sheets if one.changes and one.changes[0][0] == "only"):
            _, (day,), hours = sheet.changes[0]
            usual = sheet.usual(day)
            told = [(hours, hours), (usual, usual), (usual, hours), (["03:00"], hours)]
            answers = [{"days": {str(day): {"usual": usual, "published": one, "read": read}}} for one, read in told]

            assert [sheet.outcome(one)[0] for one in answers] == ["right", "lost", "waits", "wrong"]
