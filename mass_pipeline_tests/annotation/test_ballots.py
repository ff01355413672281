"""When answers become a label."""

from __future__ import annotations

from dataclasses import replace

import pytest

from mass_pipeline.annotation.ballots import NOTHING, Ballot, Verdict, clipped_accuracy, judge, next_state
from mass_pipeline.annotation.config import AnnotationConfig

CONFIG = AnnotationConfig()


def ballots(*answers: str, **common: object) -> list[Ballot]:
    return [Ballot(answer, f"net{number}", **common) for number, answer in enumerate(answers)]  # type: ignore[arg-type]


class TestJudge:
    def test_three_equal_answers_from_three_networks_settle(self) -> None:
        verdict = judge(ballots("yes", "yes", "yes"), CONFIG)

        assert (verdict.label, verdict.is_settled, verdict.agreement, verdict.n_origins) == ("mass", True, 1.0, 3)

    def test_two_equal_answers_of_unknown_voters_do_not_settle(self) -> None:
        assert not judge(ballots("yes", "yes"), CONFIG).is_settled

    def test_two_equal_answers_of_proven_voters_settle_early(self) -> None:
        assert judge(ballots("no", "no", accuracy=0.95, is_proven=True), CONFIG).is_settled

    def test_two_trusted_voters_settle_even_from_one_network(self) -> None:
        """An editorial office after one address works for its operator."""
        assert judge([Ballot("cancelled", "office", is_trusted=True)] * 2, CONFIG).is_settled

    def test_any_number_of_answers_from_one_network_never_settles(self) -> None:
        assert not judge([Ballot("yes", "farm", accuracy=0.97) for _ in range(50)], CONFIG).is_settled

    def test_who_is_ignored_is_no_network_that_backs_a_label(self) -> None:
        """Two who erred and one who is known to lie were three networks."""
        erred, liar = ballots("yes", "yes", accuracy=0.95), Ballot("yes", "net9", accuracy=0.2, is_proven=True)

        assert judge([*erred, liar], CONFIG).probability >= CONFIG.accept_probability
        assert not judge([*erred, liar], CONFIG).is_settled
        assert judge([*erred, liar], CONFIG).n_people == 2
        assert judge([*erred, replace(liar, accuracy=0.6)], CONFIG).is_settled

    def test_i_cannot_tell_says_nothing(self) -> None:
        assert judge(ballots("unknown", "unknown", "unknown"), CONFIG) == NOTHING

    @pytest.mark.parametrize(
        ("word", "label", "probability"),
        [
            ("yes", "mass", 0.38 / (0.38 + 0.076 + 0.005)),
            ("no", "not_mass", 0.38 / (0.38 + 0.076 + 0.005)),
            ("cancelled", "cancelled", 0.04 / (0.04 + 0.019 + 0.019)),
        ],
    )
    def test_one_answer_of_somebody_unknown_worked_by_hand(self, word: str, label: str, probability: float) -> None:
        """0.475, 0.475 and 0.05 before; right in 0.8; of errors a fifth is cancelled, of cancelled ones each half another."""
        verdict = judge([Ballot(word, "net")], CONFIG)

        assert (verdict.label, verdict.probability) == (label, pytest.approx(probability))
        assert judge([Ballot(word, "net", share=0.5)] * 4, CONFIG).probability < verdict.probability
        assert judge([Ballot(word, "net")] * 4, CONFIG).probability == pytest.approx(probability)

    def test_a_ballot_of_somebody_trusted_counts_fully_wherever_it_comes_from(self) -> None:
        trusted = Ballot("yes", "net", share=0.1, is_trusted=True)

        assert judge([trusted], CONFIG).probability == pytest.approx(0.45125 / (0.45125 + 0.019 + 0.00125))

    @pytest.mark.parametrize(
        ("ballot", "accuracy"),
        [
            (Ballot("yes", "net"), 0.8),
            (Ballot("yes", "net", is_trusted=True), 0.95),
            (Ballot("yes", "net", 0.7, is_trusted=True, is_proven=True), 0.7),
            (Ballot("yes", "net", 0.05), 0.5),
            (Ballot("yes", "net", 0.7), 0.7),
            (Ballot("yes", "net", 1.0), 0.93),
        ],
    )
    def test_with_which_accuracy_a_ballot_counts(self, ballot: Ballot, accuracy: float) -> None:
        assert clipped_accuracy(ballot) == accuracy

    def test_how_many_agree_and_from_how_many_networks(self) -> None:
        verdict = judge([*ballots("yes", "yes", "no"), Ballot("unknown", "net9")], CONFIG)

        assert (verdict.label, verdict.agreement, verdict.n_origins) == ("mass", pytest.approx(2 / 3), 2)
        assert Verdict(None, 0.0, False, 0.0, 0) == NOTHING

    def test_a_label_that_nobody_gave_has_no_network(self) -> None:
        """Somebody who guesses says cancelled: it stays the least probable."""
        verdict = judge(ballots("cancelled", accuracy=0.5), CONFIG)

        assert (verdict.label, verdict.agreement, verdict.n_origins, verdict.is_settled) == ("mass", 0, 0, False)

    def test_networks_of_two_key_periods_may_be_the_same(self) -> None:
        periods = [Ballot("yes", origin) for origin in ("p1.a", "p1.b", "p2.a")]

        assert (judge(periods, CONFIG).n_origins, judge(periods, CONFIG).is_settled) == (2, False)

    def test_nor_do_proven_voters_of_two_periods_come_from_two_networks_for_certain(self) -> None:
        """One address with two cookies of good record and two periods of the key published ten wrong labels of ten."""
        proven = [Ballot("yes", origin, 0.97, is_proven=True) for origin in ("p1.a", "p2.a")]

        assert not judge(proven, CONFIG).is_settled
        assert judge([*proven, Ballot("yes", "p2.b", 0.97, is_proven=True)], CONFIG).is_settled

    @pytest.mark.parametrize("who", [{"is_trusted": True}, {"is_proven": True, "accuracy": 0.97}])
    def test_one_trusted_or_proven_voter_is_not_enough_and_the_probability_asked_for_is(self, who: dict[str, object]) -> None:
        one, two = ballots("yes", **who), ballots("yes", "yes", **who)
        just = replace(CONFIG, accept_probability=judge(two, CONFIG).probability)

        assert not judge(one, replace(CONFIG, accept_probability=0.5)).is_settled
        assert judge(two, just).is_settled


class TestNextState:
    @pytest.mark.parametrize(("n_votes", "n_unknown", "state"), [(6, 3, "open"), (5, 3, "disputed"), (2, 2, "open")])
    def test_most_is_more_than_half(self, n_votes: int, n_unknown: int, state: str) -> None:
        assert next_state(NOTHING, n_votes, n_unknown, 7, CONFIG) == (state, 7)

    def test_disagreement_asks_one_more_at_a_time_until_the_operator(self) -> None:
        votes, wanted = ["yes", "no", "yes"], 3
        states = []
        while True:
            state, wanted = next_state(judge(ballots(*votes), CONFIG), len(votes), 0, wanted, CONFIG)
            states.append((state, wanted))
            if state != "open":
                break
            votes.append("no" if len(votes) % 2 else "yes")

        assert states == [*(("open", n) for n in range(4, 10)), ("disputed", 9)]

    def test_an_item_short_of_answers_stays_open(self) -> None:
        assert next_state(judge(ballots("yes"), CONFIG), 1, 0, 3, CONFIG) == ("open", 3)
