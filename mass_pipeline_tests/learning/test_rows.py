"""The model of rows: it begins with what the rules think, learns from answers, and keeps what many rows taught it."""

from __future__ import annotations

import numpy as np
import pytest

from mass_pipeline.learning.learning_curve import KnownRows, fold_of, learning_curve
from mass_pipeline.learning.rows import BY_RULES, RowModel, RowSample, fit_rows, hashed_common, hashed_words

WAITS = 0.6


def sample(prior: float = WAITS, *words: str, **values: float) -> RowSample:
    """A row that stands in some words."""
    return RowSample(prior, values, hashed_words({"line": " ".join(words)}))


def taught(rows: list[tuple[RowSample, bool]], start: RowModel = BY_RULES) -> RowModel:
    """A model that was told of rows of as many parishes."""
    right = [0.985 if one else 0.015 for _, one in rows]
    return fit_rows([row for row, _ in rows], right, np.ones(len(rows)), [f"p{at}" for at in range(len(rows))], start)


class TestBeforeAnyAnswer:
    @pytest.mark.parametrize("prior", [0.01, 0.3, 0.6, 0.97])
    def test_the_rules_are_believed(self, prior: float) -> None:
        assert BY_RULES.probabilities([sample(prior, "kaplica", standing=1.0)]) == pytest.approx([prior])

    def test_no_rows_have_no_probabilities(self) -> None:
        assert BY_RULES.probabilities([]).shape == (0,)

    def test_no_answers_change_nothing(self) -> None:
        assert fit_rows([], [], [], []) is BY_RULES


class TestAnswers:
    def test_publish_rows_of_other_parishes_in_the_same_words(self) -> None:
        model = taught([(sample(WAITS, "przysiółek"), True)] * 20 + [(sample(WAITS, "kręgielnia"), False)] * 20)

        chapel, bowling = model.probabilities([sample(WAITS, "Przysiółek"), sample(WAITS, "kręgielni")])
        assert chapel > 0.8
        assert bowling < 0.2

    def test_that_leave_a_value_alone_teach_nothing_of_it(self) -> None:
        model = taught([(sample(WAITS, unexplained=1.0), True)] * 30)

        [before], [after] = (one.probabilities([sample(0.05, strange_title=2.0)]) for one in (BY_RULES, model))
        assert after < 0.2
        assert before < after + 0.1

    @pytest.mark.parametrize(("word", "is_lifted"), [("żniw", False), ("Lipowiec", True), ("odpust", True)])
    def test_lift_a_row_of_a_common_word_only_where_they_were_about_that_word(self, word: str, is_lifted: bool) -> None:
        """A name may be a village's like others; what "w czasie żniw 20.00" means no other word tells."""
        learnt = RowSample(WAITS, {}, hashed_words({}, ["odpust"]), hashed_common(["odpust"]))
        villages = RowSample(WAITS, {}, hashed_words({}, ["Brzezowiec"]), hashed_common(["Brzezowiec"]))
        model = taught([(learnt, True)] * 20 + [(villages, True)] * 20 + [(sample(WAITS, "niedziela"), True)] * 20)
        asked = RowSample(WAITS, {}, hashed_words({"line": "niedziela"}, [word]), hashed_common([word]))

        [chance] = model.probabilities([asked])
        assert bool(chance > 0.7) is is_lifted

    def test_few_of_them_count_less_than_many_that_say_as_much(self) -> None:
        weights, precisions = np.array([1.0, 1.0]), np.array([100.0, 100.0])
        firm = RowModel(("prior", "home"), weights, precisions)
        loose = RowModel(("prior", "home"), weights, precisions / [1.0, 80.0])

        [[surely], [hardly]] = (one.probabilities([sample(WAITS, home=2.0)]) for one in (firm, loose))

        assert WAITS < hardly < surely
        assert loose.probabilities([sample(0.97)]) == pytest.approx([0.97])  # it knows nothing of this row

    def test_of_one_parish_alone_teach_no_word(self) -> None:
        """It may be the name of a person."""
        rows = [sample(WAITS, "Kowalski")] * 30

        assert not len(fit_rows(rows, [1.0] * 30, [1.0] * 30, ["p"] * 30).columns)

    def test_that_are_no_surer_than_a_half_move_nothing_that_is_known_as_a_half(self) -> None:
        model = fit_rows([sample(0.5)] * 40, [0.5] * 40, [1.0] * 40, [f"p{at}" for at in range(40)])

        assert model.probabilities([sample(0.5)]) == pytest.approx([0.5])


class TestWhatIsKnown:
    def test_outweighs_a_few_new_answers(self) -> None:
        known = taught([(sample(WAITS, box=1.0), False)] * 300)

        mended = taught([(sample(WAITS, box=1.0), True)] * 5, known)

        assert mended.probabilities([sample(WAITS, box=1.0)])[0] < 0.3

    def test_is_the_same_whatever_the_order_of_the_rows(self) -> None:
        rows = [(sample(0.3 + at / 100, f"słowo{chr(97 + at % 7)}", standing=at / 30), at % 3 > 0) for at in range(30)]

        one, other = taught(rows), taught(rows[::-1])

        assert one.probabilities([sample(0.5, "słowoa")]) == pytest.approx(other.probabilities([sample(0.5, "słowoa")]), abs=1e-3)


class TestLearningCurve:
    def rows(self) -> KnownRows:
        samples = [sample(WAITS, "przysiółek" if at % 2 else "kręgielnia") for at in range(120)]
        return KnownRows(samples, np.array([at % 2 == 1 for at in range(120)]), [f"parish {at // 3}" for at in range(120)])

    def test_rises_with_answers_about_other_parishes(self) -> None:
        rows = self.rows()
        answers = np.where(rows.right, 0.985, 0.015)

        none, some = learning_curve(rows, answers, range(120), BY_RULES, publish_from=0.7, counts=(0, 60))

        assert (none.share, none.waiting, none.waiting_wrong) == (0.0, 60, 60)
        assert some.share > 0.9
        assert (some.waiting_wrong_published, some.precision) == (0, 1.0)

    def test_no_answer_about_a_parish_teaches_the_model_that_judges_it(self) -> None:
        """Answers of one fold alone: its own rows stay as they are."""
        rows = self.rows()
        fold = fold_of(rows.parishes[0])
        own = [at for at in range(120) if rows.folds[at] == fold]

        [point] = learning_curve(rows, np.where(rows.right, 0.985, 0.015), own, BY_RULES, publish_from=0.7, counts=(1000,))

        assert point.waiting_published <= 60 - sum(rows.right[own])
