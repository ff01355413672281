"""When answers become a label."""

from __future__ import annotations

import pytest

from mass_pipeline.annotation.ballots import NOTHING, Ballot, error_probability, judge, next_state
from mass_pipeline.annotation.config import AnnotationConfig
from mass_pipeline.model.columns import LABELS

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

    def test_answers_of_one_network_count_as_one(self) -> None:
        crowd = [Ballot("no", "farm") for _ in range(9)] + ballots("yes", "yes")

        assert judge(crowd, CONFIG).label == "mass"

    def test_a_voter_who_is_mostly_wrong_is_ignored_not_read_backwards(self) -> None:
        assert judge(ballots("yes", accuracy=0.05), CONFIG).probability == pytest.approx(
            judge(ballots("yes", accuracy=0.5), CONFIG).probability
        )

    def test_i_cannot_tell_says_nothing(self) -> None:
        assert judge(ballots("unknown", "unknown", "unknown"), CONFIG) == NOTHING

    def test_errors_and_right_answers_make_up_everything(self) -> None:
        for true in LABELS:
            assert sum(error_probability(0.7, answered, true) for answered in LABELS) == pytest.approx(1.0)


class TestNextState:
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

    def test_an_item_that_most_cannot_tell_goes_to_the_operator(self) -> None:
        assert next_state(NOTHING, 3, 3, 3, CONFIG) == ("disputed", 3)

    def test_an_item_short_of_answers_stays_open(self) -> None:
        assert next_state(judge(ballots("yes"), CONFIG), 1, 0, 3, CONFIG) == ("open", 3)
