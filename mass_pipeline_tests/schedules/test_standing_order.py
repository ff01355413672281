"""Which row is published: the product against a reference that says it in a few plain sentences, over every combination."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from itertools import product
from math import exp, log
from typing import Literal

import pytest

from mass_pipeline.model.records import Mass
from mass_pipeline.schedules.checked import Checked, RowAnswer, Verdict, row_id
from mass_pipeline.schedules.publication import publish
from mass_pipeline.schedules.reviews import Decision, Proposal
from mass_pipeline.schedules.rows import ScheduleRow
from mass_pipeline.schedules.standing_order import CONTRADICTED, OTHERWISE, Corroboration, Order, settle

LEAST = 0.7
MOMENT = datetime(2026, 11, 20, 3, tzinfo=UTC)
EIGHT, LATER, TEN = Mass(("Su",), "08:00"), Mass(("Su",), "08:00", "winter"), Mass(("Su",), "10:00")
QUOTE = "Niedziela: 8.00"

Word = Literal["absent", "silent", "agrees", "contradicts"]


def row_of(mass: Mass, confidence: float = 1.0, url: str = "https://anna.example/", sha256: str = "a1") -> ScheduleRow:
    return ScheduleRow(mass, url, QUOTE, sha256, MOMENT, confidence=confidence, checked_at=MOMENT)


def answer_about(mass: Mass, verdict: Verdict) -> RowAnswer:
    checked = Checked(3, date(2026, 11, 20), "people")
    return RowAnswer(row_id("p1", mass, QUOTE), "p1", mass, QUOTE, "https://anna.example/", verdict, 0.99, checked)


@dataclass(frozen=True)
class Case:
    """One row of a parish's own site, Sunday 8.00, and what else is known of it.

    Attributes:
        confidence: with which the site's row was read; stated: not set aside for another reason than that.
        directory, last: what these say of it.
        answer: what people settled about the row; other: about another reading of its line that is not read any more.
        operators_least: the operator's threshold.
    """

    confidence: float
    stated: bool
    directory: Word
    last: Word
    answer: Verdict | None
    other: Verdict | None
    operators_least: float

    def settle(self) -> Order:
        """By the product."""
        row = row_of(EIGHT, self.confidence)
        read = Order((row,)) if self.stated else Order((), (row,), ("unsure",))
        listed, last = (
            self._rows(word, url) for word, url in ((self.directory, "https://dir.example/"), (self.last, row.source_url))
        )
        answers = [answer_about(EIGHT, self.answer)] if self.answer else []
        others = [(answer_about(LATER, self.other), row_of(LATER))] if self.other else []
        answers += [answer for answer, _ in others]
        return settle("p1", read, Corroboration(listed, answers, others, last), LEAST, self.operators_least)

    @staticmethod
    def _rows(word: Word, url: str) -> list[ScheduleRow]:
        masses = {"absent": [], "silent": [Mass(("Mo",), "08:00")], "agrees": [EIGHT], "contradicts": [TEN]}[word]
        return [row_of(mass, url=url, sha256="before") for mass in masses]


CASES = [
    Case(*values)
    for values in product(
        (0.3, 0.4375, 0.6, 0.69, 0.7, 0.8, 0.875, 0.97),  # odds of 0.4375 times three and a third of those of 0.875 make 0.7
        (True, False),
        ("absent", "silent", "agrees", "contradicts"),
        ("absent", "silent", "agrees", "contradicts"),
        (None, "yes", "other", "not_this_parish", "no_mass"),
        (None, "yes", "other", "no_mass"),
        (0.7, 0.9, 0.97),
    )
    if values[1] == (values[0] >= LEAST) or not values[1]  # a row below the threshold is never stated
]


def expected(case: Case) -> tuple[set[Mass], set[Mass]]:
    """The Masses that are published and those that wait: the reference."""
    sure = case.confidence
    if case.directory in ("agrees", "contradicts"):  # the odds times three, or a third of them
        odds = log(sure / (1 - sure)) + (log(3) if case.directory == "agrees" else -log(3))
        sure = round(min(0.995, 1 / (1 + exp(-odds))), 4)
    # A row that was set aside for another reason than its probability waits, however sure it is.
    is_published = sure >= LEAST and (case.stated or case.confidence < LEAST)
    if sure < case.operators_least:
        is_published = False
    published, waiting = ({EIGHT}, set()) if is_published else (set(), {EIGHT})
    # People have the last word about the row they were asked about; any answer but yes takes it away.
    if case.answer:
        published, waiting = ({EIGHT} if case.answer == "yes" else set(), set())
    # What people confirmed about the same line stays, and a reading of the line that nobody settled waits.
    if case.other == "yes":
        published.add(LATER)
        if not case.answer:
            published.discard(EIGHT)
            waiting = {EIGHT}
    # An answer that another reading is wrong says nothing of this one; the last reading moves no row across the threshold.
    return published, waiting


def masses_of(order: Order) -> tuple[set[Mass], set[Mass]]:
    return {row.mass for row in order.published}, {row.mass for row in order.waiting}


class TestEveryCombination:
    def test_is_published_as_the_reference_says(self) -> None:
        """A reason stands exactly where a row waits, below the operator's threshold is only what people settled, and every row is
        one of the site."""
        orders = [(case, case.settle()) for case in CASES]
        published = [(case, row) for case, order in orders for row in order.published]

        assert len(orders) > 10_000
        assert [case for case, order in orders if masses_of(order) != expected(case)] == []
        assert [case for case, order in orders if bool(order.reasons) != bool(order.waiting)] == []
        assert [row for case, row in published if row.confidence < case.operators_least and row.checked is None] == []
        assert {row.source_url for _, row in published} == {"https://anna.example/"}


class TestReasons:
    @pytest.mark.parametrize(
        ("case", "reasons"),
        [
            (Case(0.8, True, "contradicts", "absent", None, None, 0.7), (CONTRADICTED,)),
            (Case(0.8, True, "absent", "absent", None, None, 0.9), ("less sure than 0.9",)),
            (Case(0.8, True, "absent", "absent", None, "yes", 0.7), (OTHERWISE,)),
            (Case(0.6, False, "absent", "absent", None, None, 0.7), ("unsure",)),
            (Case(0.9, False, "agrees", "absent", None, None, 0.7), ("unsure",)),
        ],
    )
    def test_name_what_holds_the_row_back(self, case: Case, reasons: tuple[str, ...]) -> None:
        assert case.settle().reasons == reasons


class TestRowsBeside:
    def test_a_row_that_waits_takes_no_other_with_it(self) -> None:
        order = Order((row_of(EIGHT, 0.8), row_of(TEN, 0.95)))

        settled = settle("p1", order, Corroboration(), LEAST, 0.9)

        assert ([row.mass for row in settled.published], [row.mass for row in settled.waiting]) == ([TEN], [EIGHT])

    def test_a_settled_reading_is_published_once_where_it_is_read_again(self) -> None:
        answer = answer_about(EIGHT, "yes")
        moved = [(answer, row_of(EIGHT, url="https://anna.example/msze"))]

        settled = settle("p1", Order((row_of(EIGHT, 0.9),)), Corroboration(answers=[answer], still_stated=moved), LEAST, LEAST)

        assert [row.mass for row in settled.published] == [EIGHT]

    def test_rows_stand_in_the_order_of_the_week(self) -> None:
        rows = (row_of(TEN), row_of(EIGHT), row_of(Mass(("Mo",), "18:00")))

        settled = settle("p1", Order(rows), Corroboration(), LEAST, LEAST)

        assert [row.mass.time for row in settled.published] == ["18:00", "08:00", "10:00"]

    def test_an_answer_about_another_hour_of_the_line_holds_no_row_back(self) -> None:
        seven = replace(answer_about(EIGHT, "yes"), mass=TEN, row_id=row_id("p1", TEN, QUOTE))

        settled = settle("p1", Order((row_of(EIGHT, 0.9),)), Corroboration((), [seven], [(seven, row_of(TEN))]), LEAST, LEAST)

        assert masses_of(settled) == ({EIGHT, TEN}, set())


class TestAnApprovedOrder:
    """An order that a person approved is never overwritten by what is read later (P18)."""

    @pytest.mark.parametrize("case", CASES[:: len(CASES) // 60])
    @pytest.mark.parametrize("verdict", [None, "approved", "rejected"])
    def test_is_published_whatever_is_read(self, case: Case, verdict: Literal["approved", "rejected"] | None) -> None:
        read = case.settle()
        approved = (row_of(TEN),)
        proposal = Proposal("p1", "crawl", "", None, approved, "https://anna.example/", QUOTE, "a1")
        decisions = [Decision(proposal, verdict, "anna", "2026-11-21T10:00:00+01:00", approved)] if verdict else []

        publication = publish("p1", read, (), decisions)

        published = {row.mass for row in publication.standing}
        assert published == ({TEN} if verdict == "approved" else {row.mass for row in read.published})
        assert publication.approved == (verdict == "approved")
        assert publication.differs == (verdict == "approved" and {row.mass for row in read.published} not in (set(), {TEN}))
        waits = any(one.origin == "withheld" for one in publication.proposals)
        assert waits == (bool(read.waiting) and verdict != "approved")


def test_the_last_reading_never_lowers_a_row() -> None:
    """Orders change: the newer reading is followed."""
    row = row_of(EIGHT, 0.71)
    last = [replace(row_of(TEN), page_sha256="before")]

    (settled,) = settle("p1", Order((row,)), Corroboration(last=last), LEAST, LEAST).published

    assert (settled.confidence, [one.says for one in settled.heard]) == (0.71, ["contradicts"])
