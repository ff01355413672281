"""Which state a parish has, and why."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from mass_pipeline.model.records import Evidence, Mass, ReadMass, SiteSchedule, WithheldMass
from mass_pipeline.model.states import KNOWN_STATES, UNKNOWN_STATES
from mass_pipeline.publishing.states import words_of_an_end
from mass_pipeline.schedules.config import FreshnessConfig
from mass_pipeline.schedules.freshness import MOST_A_DAY, confirmed_at, freshness
from mass_pipeline.schedules.states import SeenSite, Unread, known_state, unknown_state
from mass_pipeline.site_reading.ownership.evidence import tells_that_it_is_over
from mass_pipeline_tests.schedules.support import order

NOW = datetime(2026, 11, 22, tzinfo=UTC)
URL = "http://a.example/"
SITE = SeenSite(URL, "ok", bodies=3, confirmed_at=NOW, asked_at=NOW)
READ = ReadMass(Mass(("Su",), "08:00"), 0.4, (Evidence("http://a.example/msze", "Msza 8.00"),))


def state(schedule: SiteSchedule, site: SeenSite = SITE, **unreadable: str) -> tuple[str, str | None]:
    pages = {f"{URL}{page}": reason for page, reason in unreadable.items()}
    found = unknown_state("ok", site, Unread(schedule, pages), opted_out=False)
    assert found.reason
    return found.name, found.url


class TestFreshness:
    @pytest.mark.parametrize(("days", "name"), [(0, "fresh"), (14, "fresh"), (15, "aging"), (60, "aging"), (61, "stale")])
    def test_it_goes_by_the_page_confirmed_least_recently(self, days: float, name: str) -> None:
        rows = [replace(row, checked_at=NOW) for row in order()]
        rows[0] = replace(rows[0], checked_at=NOW - timedelta(days), source_url="http://a.example/old")
        found = known_state(rows, SITE, NOW, FreshnessConfig())

        assert (found.name, found.url) == (name, "http://a.example/old" if days else rows[0].source_url)
        assert found.checked_at == NOW - timedelta(days)

    def test_an_unknown_moment_or_one_of_the_future_is_no_freshness(self) -> None:
        assert freshness(None, NOW, FreshnessConfig()) == "stale"
        assert freshness(NOW + timedelta(days=1, seconds=1), NOW, FreshnessConfig()) == "stale"
        assert freshness(NOW + timedelta(days=1), NOW, FreshnessConfig()) == "fresh"  # of a clock that is a day wrong at most
        unknown = [replace(order()[0], fetched_at=None), *order()[1:]]
        assert (confirmed_at(unknown), confirmed_at([])) == (None, None)
        assert (
            known_state(unknown, SITE, NOW, FreshnessConfig()).reason
            == "Its page was never confirmed; last asked on 2026-11-22, the start page ended as ok."
        )


class TestInForce:
    def test_an_order_that_has_ended_is_not_said_to_be_in_force(self) -> None:
        ended = [replace(row, checked_at=NOW, valid_to=NOW.date() - timedelta(1)) for row in order()]
        found = known_state(ended, SITE, NOW, FreshnessConfig())

        assert (found.name, found.checked_at) == ("not_said_current", NOW)
        assert "until 2026-11-21" in found.reason
        assert known_state([*ended, replace(ended[0], valid_to=None)], SITE, NOW, FreshnessConfig()).name == "fresh"
        today = [replace(row, valid_to=NOW.date()) for row in ended]
        assert known_state(today, SITE, NOW, FreshnessConfig()).name == "fresh"

    def test_more_masses_than_a_day_can_hold_are_no_order(self) -> None:
        first = replace(order()[0], checked_at=NOW)
        hours = [f"{hour:02d}:{minute:02d}" for hour in range(7, 20) for minute in (0, 15, 30, 45)]
        rows = [replace(first, mass=replace(first.mass, time=time)) for time in hours]

        assert MOST_A_DAY == 40
        assert known_state(rows[:41], SITE, NOW, FreshnessConfig()).reason == "The site states 41 Masses for one day (Mo)."
        once = [replace(one, mass=replace(one.mass, nth=(1,))) for one in rows]
        seasonal = [replace(one, mass=replace(one.mass, season="summer")) for one in rows]
        over = [*rows[1:41], *(replace(one, valid_to=NOW.date() - timedelta(1)) for one in rows)]
        for order_ in (once, seasonal, over):
            assert known_state(order_, SITE, NOW, FreshnessConfig()).name == "fresh"
        assert known_state(rows[:MOST_A_DAY], SITE, NOW, FreshnessConfig()).name == "fresh"

    def test_words_that_end_every_row_end_the_order(self) -> None:
        rows = [replace(row, checked_at=NOW, quote="Porządek ważny do 30 czerwca 2019: 8.00") for row in order()]
        words = words_of_an_end(rows, NOW.date())

        assert words == "wazny do 30 czerwca 2019"
        assert known_state(rows, SITE, NOW, FreshnessConfig(), over=words).name == "not_said_current"
        assert words_of_an_end([*rows, replace(rows[0], quote="Niedziele: 8.00")], NOW.date()) == ""

    def test_hours_withheld_because_they_are_over_are_told_so(self) -> None:
        withheld = SiteSchedule(withheld=(WithheldMass(READ, ("its date is over (do 2019)",)),))

        assert unknown_state("ok", SITE, Unread(withheld, {}, is_over=True), opted_out=False).name == "not_said_current"
        assert tells_that_it_is_over("its date is over (do 2019)")
        assert not tells_that_it_is_over("it is told of other parishes")


class TestWhyNothingIsKnown:
    def test_without_a_site_or_a_look_at_it(self) -> None:
        for status, name in (("not_found", "no_site"), ("ambiguous", "no_site"), ("pending", "pending"), ("error", "pending")):
            assert unknown_state(status, None, None, opted_out=False).name == name
        assert unknown_state("ok", SeenSite(URL), None, opted_out=False).name == "pending"

    @pytest.mark.parametrize(
        ("outcome", "name"), [("dns_error", "unreachable"), ("http_5xx", "unreachable"), ("forbidden_by_robots", "not_allowed")]
    )
    def test_a_site_that_never_gave_a_page(self, outcome: str, name: str) -> None:
        found = unknown_state("ok", SeenSite(URL, outcome), None, opted_out=False)

        assert (found.name, found.url) == (name, URL)

    def test_what_is_no_text_is_pointed_at(self) -> None:
        picture = SiteSchedule(status="image_only", notes=("image: http://a.example/m.jpg (Msze (letnie))",))

        assert state(picture) == ("image_only", "http://a.example/m.jpg")
        assert state(SiteSchedule(status="pdf_unreadable")) == ("pdf_unreadable", URL)
        assert state(SiteSchedule(status="javascript_only")) == ("javascript_only", URL)

    def test_why_a_browser_did_not_show_it_is_told(self) -> None:
        site = SeenSite(URL, "ok", 1, not_rendered="over 300 s (2 requests)")
        found = unknown_state("ok", site, Unread(SiteSchedule(status="javascript_only"), {}), opted_out=False)

        assert found.reason.endswith("only a script makes; a browser did not show it: over 300 s (2 requests).")

    def test_what_was_read_and_is_not_published(self) -> None:
        withheld = SiteSchedule(withheld=(WithheldMass(READ, ("it is of another church",)),))

        assert state(SiteSchedule((READ,), "read")) == ("withheld", "http://a.example/msze")
        assert state(withheld) == ("withheld", "http://a.example/msze")
        assert "it is of another church" in unknown_state("ok", SITE, Unread(withheld, {}), opted_out=False).reason
        assert state(SiteSchedule((READ,), "ambiguous"))[0] == "ambiguous"

    def test_a_page_that_cost_too_much_is_named_before_a_site_is_said_to_state_nothing(self) -> None:
        assert state(SiteSchedule(), msze="TooCostly: 12 s of CPU time") == ("too_costly", f"{URL}msze")
        assert state(SiteSchedule(), msze="BadInput: no page") == ("no_schedule", URL)
        assert state(SiteSchedule()) == ("no_schedule", URL)

    def test_what_is_told_of_each(self) -> None:
        """Words for people: the reason names what happened."""

        def reason(site: SeenSite | None = SITE, unread: Unread | None = None, status: str = "ok") -> str:
            return unknown_state(status, site, unread, opted_out=False).reason

        withheld = SiteSchedule(
            withheld=(WithheldMass(READ, ("it is old", "it is of others")), WithheldMass(READ, ("it is old",)))
        )

        assert reason(None, status="pending") == "Its web site was not looked up yet."
        assert reason(None, status="not_found") == "No web site of the parish is known."
        assert reason(SeenSite(URL)) == "Its web site was not asked yet."
        assert reason(SeenSite(URL, "gone")) == "No page of the site could be had: its server says that it is no more."
        assert reason(SeenSite(URL, "odd")) == "No page of the site could be had: odd."
        assert reason(SITE) == "The site was read and states no standing order of Masses."
        assert reason(SITE, Unread(withheld, {})) == "Hours were read and are not published: it is old; it is of others."
        assert reason(SITE, Unread(withheld, {}, ("a person said so",))).endswith("not published: a person said so.")
        assert reason(SITE, Unread(SiteSchedule((READ,), "read"), {})).endswith("not published: they are too unsure.")

    def test_pages_of_a_site_that_forbids_them_now_are_told_so(self) -> None:
        forbidden = replace(SITE, outcome="forbidden_by_robots")

        assert state(SiteSchedule(), forbidden) == ("not_allowed", URL)
        assert state(SiteSchedule(), replace(SITE, outcome="")) == ("no_schedule", URL)
        assert unknown_state("ok", SITE, None, opted_out=False).checked_at == NOW

    def test_of_several_costly_pages_the_first_is_named(self) -> None:
        assert state(SiteSchedule(), b="TooCostly: 1", a="TooCostly: 2") == ("too_costly", f"{URL}a")

    def test_what_is_told_of_an_order_that_is_not_fresh(self) -> None:
        rows = [replace(row, checked_at=NOW - timedelta(15)) for row in order()]

        def told(site: SeenSite | None, days: int = 0) -> str:
            return known_state(rows, site, NOW - timedelta(days), FreshnessConfig()).reason

        confirmed = "Its page was confirmed on 2026-11-07"
        assert told(SITE) == f"{confirmed}; last asked on 2026-11-22, the start page ended as ok."
        assert told(replace(SITE, outcome="")) == f"{confirmed}; last asked on 2026-11-22, the start page ended as not asked."
        assert told(None) == told(replace(SITE, asked_at=None)) == told(SITE, 5) == f"{confirmed}."

    def test_who_opted_out(self) -> None:
        assert unknown_state("ok", SITE, None, opted_out=True).name == "opt_out"

    def test_the_list_is_closed(self) -> None:
        assert len(set(KNOWN_STATES + UNKNOWN_STATES)) == 16
