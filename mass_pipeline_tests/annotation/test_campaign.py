"""A whole campaign with honest and hostile voters (issue 6, hazard W11)."""

from __future__ import annotations

import pytest

from mass_pipeline.annotation.reasons import withheld_reasons
from mass_pipeline.annotation.review import refresh_skills
from mass_pipeline.annotation.store import open_store
from mass_pipeline_tests.annotation.campaign import WAYS, Campaign, Outcome, play
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
    @pytest.mark.row("P14")
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


@pytest.mark.slow
class TestOneNetwork:
    @pytest.mark.parametrize("way", WAYS)
    def test_plants_no_wrong_label(self, way: str) -> None:
        result = outcome(Campaign(80, 200, 0.4, way=way, hostile_prefixes=1, refreshes=6))

        assert result.n_hostile_votes > 80
        assert result.n_published > 60
        assert result.n_planted == 0, result

    def test_two_cookies_of_good_record_do_not_plant_one_in_two_periods_of_the_key(self) -> None:
        store = open_store("sqlite://")
        store.add_items([item(n) for n in range(40)], now=START)
        for n in range(30):
            for voter in ("a", "b", "c"):
                answer(store, voter, f"c{n:04d}", "yes")
            for voter, period in (("x", "period1"), ("y", "period2")):
                answer(store, voter, f"c{n:04d}", "yes", origin=f"{period}.the_same")
        refresh_skills(store, now=START)
        for n in range(30, 40):
            for voter, period in (("x", "period1"), ("y", "period2")):
                answer(store, voter, f"c{n:04d}", "no", origin=f"{period}.the_same")
        labels = store.all_labels().set_index("candidate_id").loc[[f"c{n:04d}" for n in range(30, 40)]]
        reasons = withheld_reasons(store.all_labels(), store.config)
        store.close()

        assert set(labels["status"]) == {"withheld"}
        assert reasons == {"too_few_networks": 10}


class TestATeamInOneOffice:
    @pytest.mark.parametrize(("is_trusted", "reasons"), [(True, {}), (False, {"too_few_networks": 10})])
    def test_gets_its_labels_in_once_the_operator_vouches_for_it_and_is_told_so(
        self, is_trusted: bool, reasons: dict[str, int]
    ) -> None:
        store = open_store("sqlite://")
        store.add_items([item(n) for n in range(10)], now=START)
        for n in range(10):
            for voter in ("anna", "jan", "ewa"):
                answer(store, voter, f"c{n:04d}", "yes", origin="period.office")
        for voter in ("anna", "jan", "ewa") if is_trusted else ():
            store.set_standing(voter, "trusted", by="operator", now=START)
        refresh_skills(store, now=START)
        labels = store.all_labels()
        found = withheld_reasons(labels, store.config)
        store.close()

        assert found == reasons
        assert set(labels["status"]) == {"published" if is_trusted else "withheld"}
