"""The operator's campaign: agreement, needs, reasons, records of voters; whole campaigns with hostile voters (W11)."""

from __future__ import annotations

import random
from datetime import timedelta
from itertools import permutations

import pandas as pd
import pytest

from mass_pipeline.annotation.campaign import (
    REMEDIES,
    Need,
    krippendorff_alpha,
    lines_of,
    needs_of,
    refresh_skills,
    withheld_reasons,
)
from mass_pipeline.annotation.config import AnnotationConfig
from mass_pipeline.annotation.labels import aggregate
from mass_pipeline.annotation.store import Store
from mass_pipeline_tests.annotation.campaign import WAYS, Campaign, outcome
from mass_pipeline_tests.annotation.support import START, answer, item, row_item


def frame(rows: list[tuple[str, str]]) -> pd.DataFrame:
    return pd.DataFrame(rows, columns=["candidate_id", "answer"])


class TestKrippendorffAlpha:
    def test_it_is_one_less_the_observed_over_the_expected_share_of_unequal_pairs(self) -> None:
        """By the definition, pair by pair (Krippendorff 2011): within units, weighed by one less their answers, and among all."""
        rng = random.Random(4)
        rows = [(f"i{i}", rng.choice("ynnc")) for i in range(60) for v in range(8) if rng.random() < 0.6]
        units = [[answer for item, answer in rows if item == f"i{i}"] for i in range(60)]
        paired = [unit for unit in units if len(unit) > 1]
        everything = [answer for unit in paired for answer in unit]
        within = sum(sum(a != b for a, b in permutations(unit, 2)) / (len(unit) - 1) for unit in paired) / len(everything)
        among = sum(a != b for a, b in permutations(everything, 2)) / (len(everything) * (len(everything) - 1))

        assert krippendorff_alpha(frame(rows)) == pytest.approx(1 - within / among)

    def test_without_anything_to_compare_there_is_none(self) -> None:
        assert krippendorff_alpha(frame([])) is None
        assert krippendorff_alpha(frame([("a", "yes"), ("b", "no")])) is None
        assert krippendorff_alpha(frame([("a", "yes"), ("a", "yes")])) is None


NOW = START + timedelta(days=3)


@pytest.fixture
def campaign(store: Store) -> Store:
    """Two dioceses: eight rows that waited and were found right, two found wrong, six and one open, and hours."""
    settled = [row_item(n, row_id=f"s{n}") for n in range(10)]
    waiting = [row_item(n, row_id=f"w{n}", diocese="tarnowska", parish=f"Wieś {n}, św. Jana") for n in range(6)]
    doubted = [row_item(9, row_id="d", diocese="elblaska", reason="contradicted")]
    store.add_items([*settled, *waiting, *doubted, item(1, diocese="elblaska"), item(2, diocese="elblaska")], now=START)
    for number, one in enumerate(settled):
        for voter in "abc" if number < 8 else "abcd":
            answer(store, voter, one.candidate_id, "yes" if number < 8 else "other")
    answer(store, "a", "w5", "yes")
    return store


class TestNeeds:
    def test_answers_and_gain_by_diocese_the_best_bargain_first(self, campaign: Store) -> None:
        found = needs_of(campaign, "default", NOW)

        assert found.dioceses == (Need("tarnowska", 6, 0, 0, 18, 4), Need("elblaska", 1, 1, 2, 9, 0))

    def test_who_waits_longest_and_what_was_wrong(self, campaign: Store) -> None:
        found = needs_of(campaign, "default", NOW)

        assert [(one.days, one.answers) for one in found.longest] == [(3, 0)] * 5
        assert found.contradicted == {"waits": (10, 2)}

    def test_agreement_is_that_of_each_kind(self, campaign: Store) -> None:
        for voter, word in zip("abc", ("yes", "no", "yes"), strict=True):
            answer(campaign, voter, "c0001", word)
        alpha = needs_of(campaign, "default", NOW).alpha

        assert alpha["row"] == 1.0
        assert alpha["hour"] < 0.5

    def test_it_is_told_in_lines(self, campaign: Store) -> None:
        told = "\n".join(lines_of(needs_of(campaign, "default", NOW)))

        assert "tarnowska: 18 answers more (6 rows, 0 hours), then about 4 rows more are published" in told
        assert "waits: of 10 settled rows people found 2 wrong" in told

    def test_an_empty_campaign_needs_nothing(self, store: Store) -> None:
        assert lines_of(needs_of(store, "default", NOW)) == []


CONFIG = AnnotationConfig()


def withheld(*cast: tuple[str, str, str]) -> dict[str, int]:
    """Reasons for one item: (answer, network, standing) of each voter."""
    rows = [("c", f"v{n}", answer, origin, standing) for n, (answer, origin, standing) in enumerate(cast)]
    votes = pd.DataFrame(rows, columns=["candidate_id", "voter_id", "answer", "origin", "standing"])
    return withheld_reasons(aggregate(votes.assign(kind="hour"), {}, CONFIG), CONFIG)


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


@pytest.mark.slow
class TestSmallCampaign:
    @pytest.mark.parametrize(("hostile", "published"), [(0.3, 0.9), (0.5, 0.0)])
    @pytest.mark.row("P14")
    def test_wrong_labels_are_few_or_withheld(self, hostile: float, published: float) -> None:
        result = outcome(Campaign(n_items=150, n_honest=60, hostile_share=hostile))

        assert result.n_hostile_votes > 0.9 * hostile * result.n_votes
        assert result.wrong_share <= 0.05, result
        assert result.n_published >= published * 150, result


@pytest.mark.soak
class TestLargeCampaign:
    @pytest.mark.parametrize(("hostile", "most_wrong"), [(0.0, 0.02), (0.1, 0.02), (0.3, 0.05), (0.5, 0.05)])
    def test_a_thousand_voters(self, hostile: float, most_wrong: float) -> None:
        result = outcome(Campaign(n_items=3000, n_honest=1000, hostile_share=hostile))
        print(result)

        assert result.wrong_share <= most_wrong, result


class TestRecord:
    """Skill, automatic bans, and their end."""

    def test_a_voter_who_is_mostly_wrong_is_no_longer_counted_and_does_not_notice(self, store: Store) -> None:
        store.add_items([item(n) for n in range(30)], now=START)
        for n in range(30):
            for voter in ("a", "b", "c"):
                answer(store, voter, f"c{n:04d}", "yes")
            answer(store, "bad", f"c{n:04d}", "no")
        refresh_skills(store, now=START)
        standings = dict(store.votes()[["voter_id", "standing"]].itertuples(index=False, name=None))

        assert standings == {"a": "normal", "b": "normal", "c": "normal", "bad": "banned"}
        assert store.progress().n_votes == 90

    def test_a_ban_by_the_operator_is_not_lifted_by_the_record(self, store: Store) -> None:
        store.add_items([item(n) for n in range(30)], now=START)
        for n in range(30):
            for voter in ("a", "b", "c", "d"):
                answer(store, voter, f"c{n:04d}", "yes")
        store.set_standing("d", "banned", by="anna", now=START)
        refresh_skills(store, now=START)

        assert set(store.votes().query("voter_id == 'd'")["standing"]) == {"banned"}


@pytest.mark.slow
class TestOneNetwork:
    @pytest.mark.parametrize("way", WAYS)
    def test_plants_no_wrong_label(self, way: str) -> None:
        result = outcome(Campaign(80, 200, 0.4, way=way, hostile_prefixes=1, refreshes=6))

        assert result.n_hostile_votes > 80
        assert result.n_published > 60
        assert result.n_planted == 0, result
