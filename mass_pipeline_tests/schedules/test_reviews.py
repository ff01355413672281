"""Approved orders stay; what differs is proposed."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime

import orjson
import pytest

from mass_pipeline.model.records import Day, Mass
from mass_pipeline.schedules.announced import proposal_of
from mass_pipeline.schedules.day import day_schedule
from mass_pipeline.schedules.publication import publish
from mass_pipeline.schedules.reviews import (
    Decision,
    Proposal,
    in_force,
    pending,
    proposal_as_dict,
    proposal_from_dict,
    withheld_order,
)
from mass_pipeline.schedules.rows import ScheduleRow
from mass_pipeline.schedules.standing_order import Order
from mass_pipeline_tests.schedules.support import order, read, row

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
        assert {(one.valid_from, one.valid_to) for one in rows} == {(None, date(2026, 11, 30)), (begins, None)}

    def test_the_last_decision_about_a_day_counts(self) -> None:
        """First from December, then from 20 November: the later decision covers the earlier one; without a day, all."""
        first, earlier = confirmed(order(CHANGED), date(2026, 12, 1)), confirmed(order(), date(2026, 11, 20))
        always = confirmed(order(CHANGED))
        bounds = [
            {(one.valid_from, one.valid_to) for one in in_force("p1", [], decisions).rows}
            for decisions in ([always, first], [always, first, earlier], [always, first, first], [first, always])
        ]

        assert bounds == [
            {(None, date(2026, 11, 30)), (date(2026, 12, 1), None)},
            {(None, date(2026, 11, 19)), (date(2026, 11, 20), None)},
            {(None, date(2026, 11, 30)), (date(2026, 12, 1), None)},
            {(None, None)},
        ]

    def test_a_row_is_as_fresh_as_the_day_of_it_that_was_confirmed_longest_ago(self) -> None:
        old, new = datetime(2026, 11, 20, tzinfo=UTC), datetime(2026, 11, 22, tzinfo=UTC)

        def of(days: tuple[Day, ...], moment: datetime) -> ScheduleRow:
            return replace(row(Mass(days, "18:00")), checked_at=moment)

        kept = [row(Mass(("Mo", "Tu"), "18:00"))]
        read = {
            "both": [of(("Mo",), old), of(("Tu",), new)],
            "twice": [of(("Mo", "Tu"), new), of(("Mo", "Tu"), old)],
            "one": [of(("Mo",), new)],
        }

        assert {name: in_force("p1", rows, [confirmed(kept)]).rows[0].checked_at for name, rows in read.items()} == {
            "both": old, "twice": new, "one": None,
        }  # fmt: skip


class TestProposals:
    def proposal(self, origin: str = "exception", valid_from: date | None = None, parish: str = "p1") -> Proposal:
        return Proposal(parish, origin, "", valid_from, (), "http://a.example/", "q", "d")  # type: ignore[arg-type]

    def test_its_name_is_of_twelve_digits_and_does_not_depend_on_the_version_of_the_page(self) -> None:
        one = self.proposal()

        assert len(one.proposal_id) == 12
        assert one.proposal_id == replace(one, page_sha256="other").proposal_id != replace(one, quote="other").proposal_id

    def test_an_order_is_the_same_whatever_words_tell_it_and_a_dated_change_by_its_words(self) -> None:
        def named(origin: str, quote: str) -> str:
            return replace(self.proposal(origin), rows=tuple(order()), quote=quote).proposal_id

        assert named("crawl", "a") == named("crawl", "b")
        assert named("exception", "a") != named("exception", "b")

    def test_a_dated_change_without_rows_is_over_behind_its_first_day_and_an_order_never(self) -> None:
        day, next_day = date(2026, 11, 18), date(2026, 11, 19)

        assert [self.proposal(valid_from=day).is_over(today) for today in (day, next_day)] == [False, True]
        assert not self.proposal(valid_from=None).is_over(day)
        assert not self.proposal("crawl", day).is_over(next_day)

    def test_those_that_wait_come_by_parish_and_day(self) -> None:
        first, second = (self.proposal(valid_from=date(2026, month, 1)) for month in (11, 12))
        other = self.proposal(parish="p2")

        assert pending([other, second, first], []) == [first, second, other]

    def test_an_order_not_sure_enough_is_proposed_until_a_person_approved_one(self) -> None:
        exception = Decision(replace(self.proposal(), rows=tuple(order())), "approved", "Jan", AT, tuple(order()))
        found = withheld_order("p1", order(), ["unsure"], [exception])

        assert found is not None
        assert (found.origin, found.rows, found.doubts, found.valid_from) == ("withheld", tuple(order()), ("unsure",), None)
        assert withheld_order("p1", [], ["unsure"], []) is None
        assert withheld_order("p1", order(), ["unsure"], [confirmed(order())]) is None


class TestPublished:
    def test_what_is_said_for_certain_is_published_and_what_gives_no_hours_is_handed_back(self) -> None:
        certain = read("W środę nie będzie Mszy św. o godz. 7.00.")
        unclear = read("W środę nie będzie wieczornej Mszy świętej.")
        found = publish("p1", Order(tuple(order())), certain, [])

        assert [(one.exception, one.mass.time) for one in found.exceptions] == [("cancelled", "07:00")]
        assert found.rows == (*order(), *found.exceptions)
        assert (found.proposals, found.unresolved, found.approved, found.differs) == ((), (), False, False)
        assert len(publish("p1", Order(), unclear, []).unresolved) == 1

    def test_what_differs_from_an_approved_order_is_proposed_and_told(self) -> None:
        found = publish("p1", Order(tuple(order(CHANGED))), [], [confirmed(order())])

        assert (found.approved, found.differs, [one.origin for one in found.proposals]) == (True, True, ["crawl"])
        same = publish("p1", Order(tuple(order())), [], [confirmed(order())])
        assert (same.approved, same.differs, same.proposals) == (True, False, ())

    def test_what_is_withheld_is_proposed_with_what_is_published(self) -> None:
        unsure = [row(Mass(("Su",), "20:00"))]
        found = publish("p1", Order(tuple(order()), tuple(unsure), ("unsure",)), [], [])

        assert found.rows == tuple(order())
        assert [(one.origin, one.rows, one.doubts) for one in found.proposals] == [
            ("withheld", (*order(), *unsure), ("unsure",))
        ]  # fmt: skip
        assert publish("p1", Order(tuple(order()), tuple(unsure), ("unsure",)), [], [confirmed(order())]).proposals == ()


class TestDoubtfulChanges:
    """A dated change without all evidence waits for a person; nothing of it is published before."""

    TEXT = "W środę nie będzie Mszy św."

    def test_it_is_proposed_with_its_rows_and_not_published(self) -> None:
        published = publish("p1", Order(tuple(order())), read(self.TEXT), [])

        assert published.exceptions == ()
        assert {one.origin for one in published.proposals} == {"exception"}
        assert all(one.rows and one.doubts for one in published.proposals)

    def test_one_that_is_approved_is_published_also_when_it_is_no_longer_read(self) -> None:
        proposal = publish("p1", Order(tuple(order())), read(self.TEXT), []).proposals[0]
        decision = Decision(proposal, "approved", "Jan", AT, proposal.rows)

        assert publish("p1", Order(tuple(order())), read(self.TEXT), [decision]).exceptions == proposal.rows
        assert publish("p1", Order(tuple(order())), [], [decision]).rows == (*order(), *proposal.rows)
        assert not publish("p1", Order(tuple(order())), [], [decision]).approved

    def test_one_whose_days_were_over_when_it_was_fetched_is_not_proposed(self) -> None:
        assert publish("p1", Order(tuple(order())), read(self.TEXT, issued=date(2025, 11, 16)), []).proposals == ()

    def test_one_that_says_what_the_standing_order_says_is_not_proposed(self) -> None:
        """A Mass named as if it were new, at its usual hour."""
        text = "W środę zakończenie o 9.00 w szkole, Msza św. o {}."

        assert publish("p1", Order(tuple(order())), read(text.format("18.00")), []).proposals == ()
        assert len(publish("p1", Order(tuple(order())), read(text.format("12.00")), []).proposals) == 1

    def test_it_is_over_behind_its_last_day(self) -> None:
        proposal = publish("p1", Order(tuple(order())), read(self.TEXT), []).proposals[0]

        assert not proposal.is_over(date(2026, 11, 18))
        assert proposal.is_over(date(2026, 11, 19))

    def test_it_comes_back_from_the_log_with_its_doubts(self) -> None:
        proposal = publish("p1", Order(tuple(order())), read(self.TEXT), []).proposals[0]

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

    def test_masses_at_other_places_and_of_certain_weeks_stay(self) -> None:
        (change,) = read("Od 29 listopada zmieniają się godziny Mszy świętych w niedziele: 8.30, 10.00 i 12.00.")
        more = [*order(), row(Mass(("Su",), "09:30", place="Zagórze")), row(Mass(("Su",), "16:00", nth=(1,)))]
        found = proposal_of("p1", change, more)

        assert hours(found.rows, date(2026, 12, 6)) == ["08:30", "09:30", "10:00", "12:00", "16:00"]
        assert (found.origin, found.says) == ("announcement", "new_order 08:30 10:00 12:00")

    def test_of_two_evening_masses_it_is_not_known_which_is_moved(self) -> None:
        (change,) = read("Od poniedziałku 23 listopada Msza św. wieczorna w dni powszednie o godz. 17.00.")
        second = row(Mass(("We",), "20:00"))

        assert proposal_of("p1", change, [*order(), second]).rows == ()
        elsewhere = replace(second, mass=replace(second.mass, place="Zagórze"))
        assert hours(proposal_of("p1", change, [*order(), elsewhere]).rows, date(2026, 11, 25)) == ["07:00", "17:00", "20:00"]
        assert proposal_of("p1", change, []).rows == ()

    @pytest.mark.parametrize(
        "text", ["Od niedzieli 29 listopada Msze św. o 8.30 i 12.00.", "Od niedzieli 22 listopada Msza św. o 17.00."]
    )
    def test_what_the_words_do_not_tell_is_left_to_the_person(self, text: str) -> None:
        assert self.proposal(text).rows == ()

    def test_a_lasting_change_is_never_applied_but_proposed(self) -> None:
        published = publish("p1", Order(tuple(order())), read("Od poniedziałku 23 listopada Msza św. wieczorna o 17.00."), [])

        assert published.rows == tuple(order())
        assert len(published.proposals) == 1
