"""Labels from votes, without a database."""

from __future__ import annotations

import random

import pandas as pd
import pytest

from mass_pipeline.annotation.ballots import Ballot, judge
from mass_pipeline.annotation.config import AnnotationConfig
from mass_pipeline.annotation.labels import VoterSkill, aggregate, estimate_skills
from mass_pipeline.annotation.vocabulary import LABEL_OF_ANSWER


def votes(rows: list[tuple[str, ...]], *extra: str) -> pd.DataFrame:
    """Votes on hours; every voter has a network of its own and is normal unless said otherwise."""
    made = pd.DataFrame(rows, columns=["candidate_id", "voter_id", "answer", *extra])
    return made.assign(
        **{"origin": made["voter_id"], "standing": "normal", "kind": "hour", **{name: made[name] for name in extra}}
    )


def labels(table: pd.DataFrame, known: dict[str, str] | None = None) -> pd.DataFrame:
    return aggregate(table, known or {}, AnnotationConfig())


def crowd(n_items: int, accuracies: dict[str, float], seed: int = 3) -> tuple[pd.DataFrame, dict[str, str]]:
    rng = random.Random(seed)
    truth = {f"i{n:03d}": rng.choice(["yes", "no"]) for n in range(n_items)}
    other = {"yes": "no", "no": "yes"}
    rows = [
        (name, voter, true if rng.random() < accuracy else other[true])
        for name, true in truth.items()
        for voter, accuracy in accuracies.items()
    ]
    return votes(rows), truth


class TestAggregate:
    def test_one_row_per_item_sorted_with_every_opinion(self) -> None:
        frame = labels(votes([(i, v, "yes") for i in "ba" for v in ("x", "y", "z")]))

        assert list("ab") == list(frame["candidate_id"])
        assert {"mass"} == set(frame["label"])
        assert list(zip(frame["status"], frame["n_votes"], frame["agreement"], strict=True)) == [("published", 3, 1.0)] * 2
        assert frame["weight"].between(0.97, 1.0).all()

    def test_banned_voters_are_kept_out(self) -> None:
        rows = [("a", v, "yes", "normal") for v in "xyz"] + [("a", v, "no", "banned") for v in "pqrstu"]

        assert list(labels(votes(rows, "standing"))[["label", "n_votes"]].itertuples(index=False, name=None)) == [("mass", 3)]

    def test_the_operator_wins_over_every_vote(self) -> None:
        frame = labels(votes([("a", v, "yes") for v in "xyz"]), {"a": "not_mass"})

        assert list(frame[["label", "status", "weight", "agreement"]].itertuples(index=False, name=None)) == [
            ("not_mass", "decided", 1.0, 0.0)
        ]

    def test_ties_and_unknowns_are_withheld(self) -> None:
        rows = [("tie", "x", "yes"), ("tie", "y", "no"), ("dark", "x", "unknown")]
        frame = labels(votes(rows)).set_index("candidate_id")

        assert {"withheld"} == set(frame["status"])
        assert tuple(frame.loc["dark", ["label", "n_unknown"]]) == ("", 1)

    def test_the_result_does_not_depend_on_the_order_of_votes(self) -> None:
        table, _ = crowd(40, {"a": 0.9, "b": 0.8, "c": 0.6, "d": 0.95})

        pd.testing.assert_frame_equal(labels(table), labels(table.sample(frac=1, random_state=1)))

    def test_skill_decides_where_the_majority_is_wrong(self) -> None:
        """Two good voters outweigh three who guess."""
        table, truth = crowd(200, {"g1": 0.97, "g2": 0.97, "r1": 0.5, "r2": 0.5, "r3": 0.5})
        frame = labels(table).set_index("candidate_id")
        right = {"yes": "mass", "no": "not_mass"}
        true = pd.Series({name: right[word] for name, word in truth.items()})
        by_count = table.groupby("candidate_id")["answer"].agg(lambda words: right[words.mode()[0]])

        assert (frame["label"] == true).mean() >= 0.96
        assert (by_count == true).mean() <= 0.93


class TestEstimatedSkill:
    def test_estimates_lie_near_the_true_accuracies(self) -> None:
        accuracies = {"a": 0.95, "b": 0.85, "c": 0.7, "d": 0.9, "e": 0.6}
        table, _ = crowd(400, accuracies)
        found = estimate_skills(table, {}, AnnotationConfig(origin_share=1.0))

        assert {name: pytest.approx(true, abs=0.05) for name, true in accuracies.items()} == {
            name: skill.accuracy for name, skill in found.items()
        }

    def test_one_right_answer_worked_by_hand(self) -> None:
        """The network: (1 + 6 * 0.8) / 7, its voter: (1 + 8 of that) / 9; an answer that nothing compares changes nothing."""
        table = votes([("a", "x", "yes"), ("b", "y", "yes")]).assign(origin=["n", "m"])
        found = estimate_skills(table, {"a": "mass"}, AnnotationConfig())

        assert found["x"] == VoterSkill(pytest.approx((1 + 8 * 5.8 / 7) / 9), 1.0, 1)
        assert found["y"] == VoterSkill(pytest.approx(0.8), 1.0, 0)
        assert estimate_skills(table[:0], {}, AnnotationConfig()) == {}

    @pytest.mark.parametrize("words", ["yes yes", "yes no no", "cancelled no cancelled", "yes yes yes yes no"])
    def test_an_answer_is_right_as_probably_as_the_verdict_on_its_item_says(self, words: str) -> None:
        """Of one item and voters of networks of their own; every accuracy is where the estimate came to rest."""
        given = [("a", f"v{number}", word) for number, word in enumerate(words.split())]
        found = estimate_skills(votes(given), {}, AnnotationConfig())
        ballots = [Ballot(word, voter, found[voter].accuracy) for _, voter, word in given]
        verdict = judge(ballots, AnnotationConfig())

        for _, voter, word in given:
            if LABEL_OF_ANSWER["hour"][word] == verdict.label:
                company = (verdict.probability + 6 * 0.8) / 7
                assert found[voter].accuracy == pytest.approx((verdict.probability + 8 * company) / 9, abs=1e-4)

    @pytest.mark.parametrize("standing", ["normal", "trusted"])
    def test_of_one_network_trusted_answers_count_each_and_others_as_one(self, standing: str) -> None:
        """The verdict's rule holds in the estimate: three answers of yes after one address, worked from the verdict."""
        table = votes([("a", f"v{n}", "yes") for n in range(3)]).assign(origin="office", standing=standing)
        accuracy = estimate_skills(table, {}, AnnotationConfig())["v0"].accuracy
        right = judge([Ballot("yes", "office", accuracy, is_trusted=standing == "trusted")] * 3, AnnotationConfig()).probability
        company = (3 * right + 6 * 0.8) / 9

        assert accuracy == pytest.approx((right + 8 * company) / 9, abs=1e-4)

    def test_banned_votes_weigh_nothing_and_trusted_ones_fully(self) -> None:
        rows = [("a", "x", "yes", "normal"), *(("a", f"b{n}", "no", "banned") for n in range(9))]
        table = votes(rows, "standing")
        found = estimate_skills(table, {}, AnnotationConfig())
        farm = votes([(f"i{n}", f"v{n % 2}", "yes", ("normal", "trusted")[n % 2]) for n in range(200)], "standing")
        shares = estimate_skills(farm.assign(origin="farm"), {}, AnnotationConfig())

        assert found["x"].accuracy > 0.8 > found["b1"].accuracy
        right = judge([Ballot("yes", "x", found["x"].accuracy)], AnnotationConfig()).probability
        assert found["x"].accuracy == pytest.approx((right + 8 * (right + 6 * 0.8) / 7) / 9, abs=1e-4)
        assert (shares["v0"].share, shares["v1"].share) == (pytest.approx(60 / 200), 1.0)

    def test_a_new_cookie_is_judged_by_the_company_of_its_network(self) -> None:
        """Hazard W11: unlimited cookies after few prefixes."""
        table, truth = crowd(120, {"a": 0.92, "b": 0.92, "c": 0.92})
        hostile = [(name, f"cookie{n}", "no" if true == "yes" else "yes") for n, (name, true) in enumerate(truth.items())]
        together = pd.concat([table, votes(hostile).assign(origin="farm")], ignore_index=True)
        found = estimate_skills(together, {}, AnnotationConfig())

        assert found["cookie7"].n_compared == 1
        assert found["cookie7"].accuracy < 0.35

    def test_the_votes_of_one_network_count_together_at_most_with_its_share(self) -> None:
        table, _ = crowd(500, {f"v{n}": 0.9 for n in range(4)})
        table = table.assign(
            origin=["farm" if v == "v0" else v + i for v, i in zip(table.voter_id, table.candidate_id, strict=True)]
        )
        found = estimate_skills(table, {}, AnnotationConfig(origin_share=0.02, origin_floor=0))

        assert found["v0"].share == pytest.approx(0.02 * 2000 / 500)
        assert found["v1"].share == 1.0
