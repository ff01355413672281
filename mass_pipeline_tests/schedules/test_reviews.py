"""Approved orders stay; what differs is proposed."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime

import orjson
import pytest

from mass_pipeline.schedules.day import day_schedule
from mass_pipeline.schedules.lasting import proposal_of
from mass_pipeline.schedules.publication import publish
from mass_pipeline.schedules.reviews import Decision, Proposal, in_force, pending, proposal_as_dict, proposal_from_dict
from mass_pipeline.schedules.rows import ScheduleRow
from mass_pipeline_tests.schedules.support import order, read

CHANGED = "Niedziele: 8.00, 11.00\nDni powszednie: 7.00, 18.00"
AT = "2026-11-15T12:00:00+00:00"


def confirmed(rows: list[ScheduleRow], begins: date | None = None, replaces: list[ScheduleRow] | None = None) -> Decision:
    proposal = Proposal("p1", "published", "", begins, tuple(rows), "http://a.example/", "Niedziele: 8.00", "d1")
    return Decision(proposal, "approved", "Jan", AT, tuple(rows), tuple(replaces or rows))


def hours(rows: tuple[ScheduleRow, ...], day: date) -> list[str]:
    return [row.mass.time for row in day_schedule(rows, day).masses]


class TestApprovedOrder:
    def test_without_approval_what_was_read_is_published(self) -> None:
        found = in_force("p1", order(), [])

        assert found.rows == tuple(order())
        assert not found.approved

    def test_a_later_reading_never_replaces_it_but_is_proposed(self) -> None:
        found = in_force("p1", order(CHANGED), [confirmed(order())])

        assert {row.mass for row in found.rows} == {row.mass for row in order()}
        assert found.differs is not None
        assert {row.mass for row in found.differs.rows} == {row.mass for row in order(CHANGED)}

    def test_a_site_that_says_the_same_in_another_grouping_or_nothing_proposes_nothing(self) -> None:
        regrouped = "Niedziela: 8.00, 10.00, 18.00\nPoniedziałek - piątek: 7.00, 18.00\nSobota: 7.00, 18.00"

        assert in_force("p1", order(regrouped), [confirmed(order())]).differs is None
        assert in_force("p1", [], [confirmed(order())]).differs is None
        assert in_force("p1", [], [confirmed(order())]).rows

    def test_a_site_that_says_the_same_confirms_it_and_one_that_does_not_leaves_its_date(self) -> None:
        """An approved order is no staler than the last time the site said it too."""
        later = datetime(2026, 11, 22, tzinfo=UTC)
        again = [replace(row, checked_at=later) for row in order()]
        other = [replace(row, checked_at=later) for row in order(CHANGED)]

        assert {row.checked_at for row in in_force("p1", again, [confirmed(order())]).rows} == {later}
        moments = {row.mass.time: row.checked_at for row in in_force("p1", other, [confirmed(order())]).rows}
        assert (moments["08:00"], moments["10:00"]) == (later, None)

    def test_the_approval_of_another_parish_changes_nothing(self) -> None:
        assert in_force("p2", order(CHANGED), [confirmed(order())]).rows == tuple(order(CHANGED))

    def test_a_rejected_proposal_is_not_made_again(self) -> None:
        decision = confirmed(order())
        differs = in_force("p1", order(CHANGED), [decision]).differs
        assert differs is not None
        rejected = Decision(differs, "rejected", "Jan", AT)

        again = in_force("p1", order(CHANGED), [decision, rejected])

        assert again.differs == differs
        assert pending([differs, differs], [decision, rejected]) == []
        assert {row.mass for row in again.rows} == {row.mass for row in order()}

    def test_an_order_that_begins_later_follows_the_present_one(self) -> None:
        begins = date(2026, 12, 1)
        rows = in_force("p1", order(), [confirmed(order(CHANGED), begins, order())]).rows

        assert hours(rows, date(2026, 11, 29)) == ["08:00", "10:00", "18:00"]
        assert hours(rows, date(2026, 12, 6)) == ["08:00", "11:00"]


class TestDoubtfulChanges:
    """A dated change without all evidence waits for a person; nothing of it is published before."""

    TEXT = "W środę nie będzie Mszy św."

    def test_it_is_proposed_with_its_rows_and_not_published(self) -> None:
        published = publish("p1", order(), read(self.TEXT), [])

        assert published.exceptions == ()
        assert {one.origin for one in published.proposals} == {"exception"}
        assert all(one.rows and one.doubts for one in published.proposals)

    def test_one_that_is_approved_is_published_also_when_it_is_no_longer_read(self) -> None:
        proposal = publish("p1", order(), read(self.TEXT), []).proposals[0]
        decision = Decision(proposal, "approved", "Jan", AT, proposal.rows)

        assert publish("p1", order(), read(self.TEXT), [decision]).exceptions == proposal.rows
        assert publish("p1", order(), [], [decision]).rows == (*order(), *proposal.rows)
        assert not publish("p1", order(), [], [decision]).approved

    def test_one_whose_days_were_over_when_it_was_fetched_is_not_proposed(self) -> None:
        assert publish("p1", order(), read(self.TEXT, issued=date(2025, 11, 16)), []).proposals == ()

    def test_one_that_says_what_the_standing_order_says_is_not_proposed(self) -> None:
        """A Mass named as if it were new, at its usual hour."""
        text = "W środę zakończenie o 9.00 w szkole, Msza św. o {}."

        assert publish("p1", order(), read(text.format("18.00")), []).proposals == ()
        assert len(publish("p1", order(), read(text.format("12.00")), []).proposals) == 1

    def test_it_is_over_behind_its_last_day(self) -> None:
        proposal = publish("p1", order(), read(self.TEXT), []).proposals[0]

        assert not proposal.is_over(date(2026, 11, 18))
        assert proposal.is_over(date(2026, 11, 19))

    def test_it_comes_back_from_the_log_with_its_doubts(self) -> None:
        proposal = publish("p1", order(), read(self.TEXT), []).proposals[0]

        assert proposal_from_dict(orjson.loads(orjson.dumps(proposal_as_dict(proposal)))) == proposal


class TestLastingChanges:
    def proposal(self, text: str) -> Proposal:
        (change,) = read(text)
        assert change.change.valid_to is None
        return proposal_of("p1", change, order())

    def test_the_one_evening_mass_is_moved(self) -> None:
        found = self.proposal("Od poniedziałku 23 listopada Msza św. wieczorna w dni powszednie o godz. 17.00.")

        assert date(2026, 11, 23) == found.valid_from
        assert hours(found.rows, date(2026, 11, 25)) == ["07:00", "17:00"]
        assert hours(found.rows, date(2026, 11, 29)) == ["08:00", "10:00", "18:00"]

    def test_a_list_of_sundays_replaces_that_of_sundays(self) -> None:
        found = self.proposal("Od 29 listopada zmieniają się godziny Mszy świętych w niedziele: 8.30, 10.00 i 12.00.")

        assert hours(found.rows, date(2026, 11, 29)) == ["08:30", "10:00", "12:00"]
        assert hours(found.rows, date(2026, 12, 1)) == ["07:00", "18:00"]

    @pytest.mark.parametrize(
        "text", ["Od niedzieli 29 listopada Msze św. o 8.30 i 12.00.", "Od niedzieli 22 listopada Msza św. o 17.00."]
    )
    def test_what_the_words_do_not_tell_is_left_to_the_person(self, text: str) -> None:
        assert self.proposal(text).rows == ()

    def test_a_lasting_change_is_never_applied_but_proposed(self) -> None:
        published = publish("p1", order(), read("Od poniedziałku 23 listopada Msza św. wieczorna o 17.00."), [])

        assert published.rows == tuple(order())
        assert len(published.proposals) == 1
