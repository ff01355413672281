"""A whole campaign with honest and hostile voters (issue 6, hazard W11)."""

from __future__ import annotations

import pytest

from mass_pipeline.annotation.review import refresh_skills
from mass_pipeline.annotation.store import open_store
from mass_pipeline_tests.annotation.campaign import Campaign, Outcome, play
from mass_pipeline_tests.annotation.support import START, answer, item


def outcome(campaign: Campaign) -> Outcome:
    store = open_store("sqlite://")
    try:
        return play(store, campaign)
    finally:
        store.close()


@pytest.mark.slow
class TestSmallCampaign:
    @pytest.mark.parametrize(("hostile", "most_wrong"), [pytest.param(0.1, 0.02, marks=pytest.mark.soak), (0.3, 0.05)])
    def test_wrong_labels_stay_within_bounds(self, hostile: float, most_wrong: float) -> None:
        result = outcome(Campaign(n_items=150, n_honest=60, hostile_share=hostile))

        assert result.wrong_share <= most_wrong, result
        assert result.n_published >= 0.9 * 150, result

    def test_when_half_the_votes_are_hostile_wrong_labels_are_withheld(self) -> None:
        result = outcome(Campaign(n_items=150, n_honest=60, hostile_share=0.5))

        assert result.n_hostile_votes > 0.45 * result.n_votes
        assert result.wrong_share <= 0.05, result


@pytest.mark.soak
class TestLargeCampaign:
    @pytest.mark.parametrize(("hostile", "most_wrong"), [(0.0, 0.02), (0.1, 0.02), (0.3, 0.05), (0.5, 0.05)])
    def test_a_thousand_voters(self, hostile: float, most_wrong: float) -> None:
        result = outcome(Campaign(n_items=3000, n_honest=1000, hostile_share=hostile))
        print(result)

        assert result.wrong_share <= most_wrong, result


class TestRecord:
    """Skill, automatic bans, and their end."""

    def test_a_voter_who_is_mostly_wrong_is_no_longer_counted_and_does_not_notice(self) -> None:
        store = open_store("sqlite://")
        store.add_items([item(n) for n in range(30)], now=START)
        for n in range(30):
            for voter in ("a", "b", "c"):
                answer(store, voter, f"c{n:04d}", "yes")
            answer(store, "bad", f"c{n:04d}", "no")
        refresh_skills(store, now=START)
        standings = dict(store.votes()[["voter_id", "standing"]].itertuples(index=False, name=None))

        assert standings == {"a": "normal", "b": "normal", "c": "normal", "bad": "banned"}
        assert store.progress().n_votes == 90
        store.close()

    def test_a_ban_by_the_operator_is_not_lifted_by_the_record(self) -> None:
        store = open_store("sqlite://")
        store.add_items([item(n) for n in range(30)], now=START)
        for n in range(30):
            for voter in ("a", "b", "c", "d"):
                answer(store, voter, f"c{n:04d}", "yes")
        store.set_standing("d", "banned", by="anna", now=START)
        refresh_skills(store, now=START)

        assert set(store.votes().query("voter_id == 'd'")["standing"]) == {"banned"}
        store.close()
