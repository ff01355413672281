"""The practice round, reports on bad questions, thanks, and test questions out of what the operator has decided."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest
import sqlalchemy as sa

from mass_pipeline.annotation import voting
from mass_pipeline.annotation.config import AnnotationConfig
from mass_pipeline.annotation.reports import LONGEST_COMMENT, report, reported_items
from mass_pipeline.annotation.schema import reports
from mass_pipeline.annotation.store import Store
from mass_pipeline.annotation.vocabulary import ANSWERS, KINDS
from mass_pipeline.annotation.web.practice import practice_round
from mass_pipeline.model.errors import BadInput
from mass_pipeline_tests.annotation.support import NO_CHANCE, START, Clock, Person, answer, ask, item, make_app, quick


@pytest.fixture
def person(store: Store) -> Person:
    """Somebody who has read the instructions; twelve questions wait."""
    store.add_items([item(n) for n in range(12)], now=START)
    return Person(make_app(store, Clock())).begin()


ASKED = AnnotationConfig().practice_questions


def step_of(page: str) -> str:
    """The link of the next step."""
    found = re.search(r'name="step" value="([^"]*)"', page)
    assert found is not None
    return found[1]


def practise(person: Person, wrong: int) -> str:
    """Go through the round with some wrong answers at its beginning; the last page."""
    step = ""
    for number, one in enumerate(practice_round()[:ASKED]):
        word = next(word for word in ANSWERS[one.question.kind] if (word == one.answer) != (number < wrong))
        step = step_of(person.get("/practice", params={"step": step, "answer": word}).text)
    page: str = person.get("/practice", params={"step": step}).text
    return page


class TestPractice:
    def test_every_answer_occurs_with_its_reason_in_both_languages(self) -> None:
        for kind in KINDS:
            assert {one.answer for one in practice_round() if one.question.kind == kind} == set(ANSWERS[kind])
        assert all(one.reasons["pl"] and one.reasons["en"] and one.reasons["pl"] != one.reasons["en"] for one in practice_round())

    def test_a_new_person_comes_to_it_from_the_instructions_and_one_who_returns_does_not(self, store: Store) -> None:
        person = Person(make_app(store, Clock()))

        assert person.post("/instructions").headers["location"] == "/practice"
        assert person.post("/instructions").headers["location"] == "/task"
        assert Person(make_app(store, Clock(), practice_questions=0)).post("/instructions").headers["location"] == "/task"

    def test_a_right_and_a_wrong_answer_are_told_with_the_reason(self, person: Person) -> None:
        first = practice_round()[0]
        right = person.get("/practice", params={"answer": "yes"}).text
        wrong = person.get("/practice", params={"answer": "no"}).text

        assert "Dobrze." in right
        assert "Właściwa odpowiedź: Tak." in wrong
        assert all(first.reasons["pl"] in page for page in (right, wrong))
        assert first.reasons["pl"] not in person.get("/practice").text

    @pytest.mark.parametrize(("wrong", "advice"), [(0, False), (1, False), (2, True)])
    def test_the_end_tells_how_many_were_right_and_advises_who_erred(self, person: Person, wrong: int, advice: bool) -> None:
        page = practise(person, wrong)

        assert f"Dobrych odpowiedzi: {ASKED - wrong} z {ASKED}" in page
        assert ("Warto zajrzeć" in page) is advice

    def test_nothing_of_it_is_stored(self, person: Person, store: Store) -> None:
        practise(person, 4)

        assert store.votes(with_withdrawn=True).empty

    def test_a_step_of_another_person_or_of_another_form_begins_anew(self, person: Person, store: Store) -> None:
        step = step_of(person.get("/practice", params={"answer": "yes"}).text)
        other = Person(person.app).begin()
        task = person.form()["token"]

        assert f"Ćwiczenie 2 z {ASKED}" in person.get("/practice", params={"step": step}).text
        assert f"Ćwiczenie 1 z {ASKED}" in other.get("/practice", params={"step": step}).text
        assert f"Ćwiczenie 1 z {ASKED}" in person.get("/practice", params={"step": task}).text

    def test_without_a_cookie_the_instructions_come_first(self, store: Store) -> None:
        assert Person(make_app(store, Clock())).get("/practice").headers["location"] == "/instructions"


class TestReports:
    def send(self, person: Person, reason: str, comment: str = "") -> Any:
        """Report the present question."""
        return person.post("/report", token=person.form()["token"], reason=reason, comment=comment)

    def test_one_is_kept_thanked_for_and_another_question_comes(self, person: Person, store: Store) -> None:
        form = person.form()
        assert "Widać dane osoby prywatnej" in person.get("/report", params={"token": form["token"]}).text
        sent = self.send(person, "unreadable", "same  krzaki\n")

        assert sent.headers["location"] == "/reported"
        assert "Dziękujemy za zgłoszenie" in person.get("/reported").text
        assert person.form()["item"] != form["item"]
        assert store.votes()["answer"].tolist() == ["unknown"]
        with store.engine.connect() as connection:
            (row,) = reported_items(connection, "default", 10)
        assert (row.candidate_id, row.n, row.reason, row.comment) == (form["item"], 1, "unreadable", "same krzaki")

    def test_private_data_comes_first_and_what_was_decided_goes(self, store: Store) -> None:
        store.add_items([item(n) for n in range(3)], now=START)
        with store.engine.begin() as connection:
            report(connection, "a", "c0000", "other", "", now=START)
            report(connection, "b", "c0000", "unreadable", "", now=START)
            report(connection, "a", "c0001", "private", "", now=START)
            report(connection, "a", "c0002", "private", "", now=START)
        store.decide("c0002", "mass", operator="anna", now=START)
        with store.engine.connect() as connection:
            found = [(row.candidate_id, row.reason, row.n) for row in reported_items(connection, "default", 10)]

        assert found == [("c0001", "private", 1), ("c0000", "unreadable", 2)]

    def test_a_second_one_takes_the_place_of_the_first_and_numbers_of_persons_are_hidden(self, store: Store) -> None:
        store.add_items([item(1)], now=START)
        with store.engine.begin() as connection:
            report(connection, "a", "c0001", "other", "x" * 1000, now=START)
            assert len(connection.execute(sa.select(reports.c.comment)).scalar_one()) == LONGEST_COMMENT
            report(
                connection,
                "a",
                "c0001",
                "private",
                "widać numer 601 202 303 i jan.kowalski601202303@example.org, dalej nic",
                now=START,
            )
            comment = connection.execute(sa.select(reports.c.comment)).scalar_one()

        assert "601 202 303" not in comment
        assert "kowalski" not in comment
        assert comment.startswith("widać numer")
        assert comment.endswith(", dalej nic")

    @pytest.mark.parametrize(("item_id", "reason", "word"), [("c0001", "rude", "rude"), ("nothing", "other", "nothing")])
    def test_what_cannot_be_is_refused(self, store: Store, item_id: str, reason: str, word: str) -> None:
        store.add_items([item(1)], now=START)
        with store.engine.begin() as connection, pytest.raises(BadInput, match=word):
            report(connection, "a", item_id, reason, "", now=START)

    def test_a_form_of_another_kind_or_person_reports_nothing(self, person: Person, store: Store) -> None:
        history = person.form("/undo")["token"]
        foreign = Person(person.app).begin().form()["token"]

        for token in (history, foreign, "x"):
            assert person.post("/report", token=token, reason="other").status_code == 403
            assert person.get("/report", params={"token": token}).status_code == 403
        assert self.send(person, "rude").status_code == 422
        assert store.votes().empty

    def test_they_go_with_their_author_and_with_their_page(self, store: Store) -> None:
        store.add_items([item(1), item(2)], now=START)
        with store.engine.begin() as connection:
            report(connection, "a", "c0001", "other", "", now=START)
            report(connection, "b", "c0002", "other", "", now=START)
            voting.forget(connection, "a", now=START, config=store.config)
        assert store.erase_questions(lambda url: "parafia2" in url) == 1
        with store.engine.connect() as connection:
            assert connection.execute(sa.select(sa.func.count()).select_from(reports)).scalar_one() == 0


class TestThanks:
    def test_the_tenth_answer_is_thanked_for_and_no_other(self, person: Person) -> None:
        thanked = []
        for number in range(1, 12):
            person.vote("yes")
            if "Dziękujemy!" in person.get("/task").text:
                thanked.append(number)

        assert thanked == [10]

    def test_the_end_tells_what_the_answers_led_to(self, store: Store) -> None:
        store.add_items([item(n) for n in range(2)], now=START)
        app = make_app(store, Clock())
        people = [Person(app, address=f"198.51.{n}.7").begin() for n in range(3)]
        for person in people:
            for _ in range(2):
                person.vote("yes")

        assert "z Twoją pomocą: 2" in people[0].get("/task").text


class TestTestQuestions:
    def test_what_the_operator_has_decided_is_asked_as_a_hidden_test_question(self, store: Store) -> None:
        store.add_items([item(n) for n in range(3)], now=START)
        store.decide("c0002", "not_mass", operator="anna", now=START)
        wants_gold = replace(NO_CHANCE, wants_gold=True)
        off = Store(store.engine, quick(gold_from_decisions=False))

        assert ask(store, "a", draw=wants_gold).candidate_id == "c0002"  # type: ignore[union-attr]
        assert ask(off, "b", draw=wants_gold).candidate_id != "c0002"  # type: ignore[union-attr]
        answer(store, "a", "c0002", "yes")
        assert store.known_labels() == {"c0002": "not_mass"}, "answers change nothing of what was decided"
