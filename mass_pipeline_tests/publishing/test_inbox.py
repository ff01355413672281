"""From what was sent to what is published: approved with one word, and nothing by itself but what a parish confirmed."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

import pytest

from mass_pipeline.finding.inbox import Report, append, append_line, read_reports, state_of, states
from mass_pipeline.finding.index.facts import mass_id
from mass_pipeline.finding.parish_links import answer, digest_of, make_link, order_digest, read_answers
from mass_pipeline.model.columns import MASS_SCHEDULES
from mass_pipeline.publishing import deciding
from mass_pipeline.publishing.inbox import KEPT, settle
from mass_pipeline.publishing.published import Published
from mass_pipeline.resources.lake import table_of
from mass_pipeline.schedules.publication import publish
from mass_pipeline.schedules.reviews import left_out
from mass_pipeline.schedules.rows import ScheduleRow
from mass_pipeline.schedules.standing_order import Order
from mass_pipeline_tests.cli.test_public import published_tables
from mass_pipeline_tests.finding.made import NOW, WEEK, row

ORDER = [row(["Su"], "08:00"), row(WEEK, "18:00")]
REPORT = Report("r1", NOW.isoformat(), "p1", mass_id("p1", ORDER[0]), "wrong_hour", "ks. Jan: teraz o 9", "gen", time="9:00")


@pytest.fixture
def published(tmp_path: Path) -> Published:
    """Three parishes with the same order."""
    published_tables(tmp_path, 3)
    return Published.of({"MASS_PIPELINE_DATA_FOLDER": str(tmp_path)})


def order_of(published: Published, parish_id: str) -> list[ScheduleRow]:
    """What the next publication says of a parish whose site says the same as before."""
    return list(publish(parish_id, Order(tuple(ORDER)), (), published.log.read().decisions).rows)


def hours(rows: list[ScheduleRow]) -> list[str]:
    """Hours of rows, sorted."""
    return sorted(one.mass.time for one in rows)


def linked(published: Published, says: str, text: str = "", days: dict[str, str] | None = None) -> str:
    """What a parish says by its link; the token."""
    token = make_link(published.inbox, "p1", order_digest("p1", published.rows(published.parish("p1"))), NOW)
    assert answer(published.inbox, token, says, text, NOW, days)  # type: ignore[arg-type]
    return token


class TestReports:
    def test_one_word_publishes_the_right_hour_and_the_sender_sees_it(self, published: Published) -> None:
        append(published.inbox, REPORT)

        assert settle(published).proposed == 1
        assert (state_of(published.inbox, "r1"), hours(order_of(published, "p1"))) == ("waits", ["08:00", "18:00"])
        (one,) = deciding.waiting(published)
        assert (one.words, hours(list(one.before)), one.needs_order) == ("9:00; ks. Jan: teraz o 9", ["08:00", "18:00"], False)
        deciding.approve(published, one.proposal.proposal_id, "anna")
        settle(published)
        assert (state_of(published.inbox, "r1"), hours(order_of(published, "p1"))) == ("changed", ["09:00", "18:00"])
        assert "ks. Jan" not in (published.settings.data_folder / "state" / "schedule_reviews.jsonl").read_text()

    def test_settling_again_proposes_nothing_twice(self, published: Published) -> None:
        append(published.inbox, REPORT)

        assert [settle(published).proposed for _ in range(3)] == [1, 0, 0]

    def test_a_rejected_one_is_declined(self, published: Published) -> None:
        append(published.inbox, REPORT)
        settle(published)
        deciding.reject(published, deciding.waiting(published)[0].proposal.proposal_id, "anna")
        settle(published)

        assert state_of(published.inbox, "r1") == "declined"
        assert deciding.waiting(published) == []

    def test_a_page_that_says_so_itself_meanwhile_needs_nobody(self, published: Published) -> None:
        append(published.inbox, REPORT)
        settle(published)
        rows = [one.as_dict("p1", "") for one in (row(["Su"], "09:00"), ORDER[1])]
        published.lake.publish(MASS_SCHEDULES, {"tarnowska": [table_of(MASS_SCHEDULES, rows)]})
        settle(published)

        assert (state_of(published.inbox, "r1"), deciding.waiting(published)) == ("changed", [])

    def test_without_an_hour_it_waits_until_the_page_was_read_again(self, published: Published) -> None:
        append(published.inbox, replace(REPORT, time="", sent_at=(NOW + timedelta(1)).isoformat()))

        assert (settle(published).proposed, state_of(published.inbox, "r1")) == (0, "received")

    def test_of_a_parish_that_is_gone_nothing_breaks(self, published: Published) -> None:
        append(published.inbox, replace(REPORT, parish_id="gone"))

        assert settle(published).reports == 1

    def test_settled_ones_are_dropped_with_their_words(self, published: Published) -> None:
        old = replace(REPORT, sent_at=(NOW - KEPT - timedelta(1)).isoformat(), mass_id="no longer published")
        append(published.inbox, old)
        append(published.inbox, replace(REPORT, report_id="r2"))

        assert settle(published).dropped == 1
        assert [one.report_id for one in read_reports(published.inbox)] == ["r2"]
        assert set(states(published.inbox)) == {"r2"}


class TestParishLinks:
    def test_what_a_parish_confirms_is_as_fresh_as_its_answer(self, published: Published) -> None:
        linked(published, "in_force")

        assert settle(published).confirmed == ("p1",)
        assert {one.checked_at for one in order_of(published, "p1")} == {NOW}
        assert deciding.waiting(published) == []

    def test_a_new_order_and_the_hours_of_christmas_are_approved_one_by_one(self, published: Published) -> None:
        token = linked(
            published, "changed", "niedziele: 9.00\ndni powszednie: 17.00", {"2026-12-24": "22.00", "2026-12-25": "10"}
        )

        assert settle(published).proposed == 2
        for one in deciding.waiting(published):
            deciding.approve(published, one.proposal.proposal_id, "anna")
        rows = order_of(published, "p1")
        assert hours([one for one in rows if one.exception is None]) == ["09:00", "17:00"]
        dated = [(one.valid_from, one.mass.time) for one in rows if one.exception == "only"]
        assert sorted(dated) == [(date(2026, 12, 24), "22:00"), (date(2026, 12, 25), "10:00")]  # type: ignore[type-var]
        settle(published)
        assert state_of(published.inbox, digest_of(token)) == "changed"

    def test_words_without_hours_wait_for_an_order_of_a_person(self, published: Published) -> None:
        linked(published, "changed", "prosimy o telefon")
        settle(published)
        (one,) = deciding.waiting(published)

        assert (one.needs_order, one.words) == (True, "prosimy o telefon")
        deciding.approve(published, one.proposal.proposal_id, "anna", "Niedziele: 7.00")
        assert hours(order_of(published, "p1")) == ["07:00"]

    def test_who_asks_to_be_left_out_is_until_an_order_is_approved_again(self, published: Published) -> None:
        linked(published, "leave_out")
        settle(published)
        assert left_out(published.log.read().decisions) == frozenset()
        (one,) = deciding.waiting(published)
        deciding.approve(published, one.proposal.proposal_id, "anna")

        assert left_out(published.log.read().decisions) == {"p1"}
        linked(published, "in_force")
        settle(published)
        assert left_out(published.log.read().decisions) == frozenset()

    def test_a_wish_for_no_mail_outlives_all_others(self, published: Published) -> None:
        linked(published, "no_mail")
        linked(published, "in_force")
        later = Published.of({"MASS_PIPELINE_DATA_FOLDER": str(published.settings.data_folder)})
        old = [replace(one, sent_at=(NOW - KEPT - timedelta(1)).isoformat()) for one in read_answers(later.inbox)]
        (later.inbox / "answers.jsonl").unlink()
        for one in old:
            append_line(later.inbox / "answers.jsonl", one)
        settle(later)

        assert [one.says for one in read_answers(later.inbox)] == ["no_mail"]
