"""Politeness: formulas by themselves, laws over any interleaving, and the gaps a real server sees."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from itertools import pairwise

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from mass_pipeline.crawling import CrawlConfig, Seed
from mass_pipeline.crawling.fetching.outcomes import Outcome
from mass_pipeline.crawling.fetching.politeness import (
    Pace,
    backoff_seconds,
    next_delay,
    retry_after_seconds,
)
from mass_pipeline.crawling.sites.site_budget import next_interval_days
from mass_pipeline_tests.crawling.loopback import RESERVATIONS, Loopback, Page, links
from mass_pipeline_tests.crawling.made import QUICK, Crawl, SteppedClock, fetch_once

CONFIG = CrawlConfig()
NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)

_NUMBERS = st.one_of(st.integers(0, 99), st.integers(0, 99_999), st.integers(0, 10**30)).map(str)
_HOSTILE_DATES = st.builds(
    "{}, {} {} {} {}:{}:{} {}{}".format,
    st.sampled_from(["Fri", "x"]),
    _NUMBERS,
    st.sampled_from(["Nov", "Dec", "13"]),
    _NUMBERS,
    *[_NUMBERS] * 3,
    st.sampled_from(["+", "-", "GMT", ""]),
    _NUMBERS,
)


@pytest.mark.row("P9")
class TestAutoThrottle:
    """P9."""

    def test_the_first_delay_is_five_seconds(self) -> None:
        assert CONFIG.start_delay_seconds == 5

    def test_the_next_delay_is_the_mean_of_the_present_one_and_the_latency(self) -> None:
        assert next_delay(5, 3, True, CONFIG) == 4
        assert next_delay(4, 3, True, CrawlConfig(target_concurrency=3)) == 2.5

    def test_answers_other_than_2xx_are_not_counted_fast_or_slow(self) -> None:
        assert [next_delay(5, latency, False, CONFIG) for latency in (0.01, 9, 600)] == [5, 5, 5]

    def test_it_stays_within_its_bounds(self) -> None:
        assert next_delay(60, 600, True, CONFIG) == 60
        assert next_delay(1, 0, True, CrawlConfig(min_delay_seconds=2)) == 2

    @given(st.floats(0, 60), st.lists(st.tuples(st.floats(0, 100), st.booleans()), max_size=30))
    def test_no_series_of_answers_leaves_the_bounds(self, delay: float, answers: list[tuple[float, bool]]) -> None:
        for latency, status_ok in answers:
            delay = next_delay(delay, latency, status_ok, CONFIG)

            assert 0 <= delay <= 60


@pytest.mark.row("P2")
class TestBackoff:
    """P2."""

    def test_after_t_failures_it_waits_one_and_a_half_to_the_t_and_some_jitter(self) -> None:
        chance = random.Random(1)

        for failures in range(1, 8):
            assert 1.5**failures <= backoff_seconds(failures, CONFIG, chance) <= 1.25 * 1.5**failures

    def test_a_success_resets_it(self) -> None:
        pace = Pace(1.0)
        pace.failed(0, 1.5, CONFIG)
        pace.recovered()

        assert pace.failures == 0
        assert backoff_seconds(pace.failures, CONFIG, random.Random(1)) == 0

    def test_the_power_does_not_grow_for_ever_and_tests_wait_for_nothing(self) -> None:
        slow = CrawlConfig(retry_base=1.1, retry_jitter=0)

        assert backoff_seconds(10_000, slow, random.Random(1)) == backoff_seconds(32, slow, random.Random(1)) == 1.1**32
        assert backoff_seconds(3, CrawlConfig(no_delay=True), random.Random(1)) == 0


class TestRetryAfter:
    """P6."""

    @pytest.mark.parametrize(
        ("value", "seconds"),
        [
            ("120", 120),
            (format_datetime(NOW + timedelta(seconds=90), usegmt=True), 90),
            (format_datetime(NOW - timedelta(days=1), usegmt=True), 0),
            ("-5", 0),
            (str(10**12), 86_400),
            ("9" * 400, 86_400),
            ("\u0661\u0662", 0),  # digits, but none that a header may hold
            ("soon", 0),
            (None, 0),
            ("Mon, 99 Foo 2026 99:99:99 GMT", 0),
            ("Fri, 20 Nov 2026 14:00:00 +0100", 3600),
            ("Fri, 31 Dec 9999 23:59:59 -2359", 86_400),
            ("Fri, 31 Dec 9999 23:59:59 -99999999999999999999", 86_400),
            ("Fri, 27 Nov 99999999999999999999 10:00:00 GMT", 0),
        ],
    )
    def test_every_form_is_read_and_clamped_to_a_day(self, value: str | None, seconds: float) -> None:
        assert retry_after_seconds(value, NOW, CONFIG) == seconds

    @given(st.one_of(st.text(), _HOSTILE_DATES))
    def test_no_text_raises_or_leaves_the_limits(self, value: str) -> None:
        assert 0 <= retry_after_seconds(value, NOW, CONFIG) <= CONFIG.max_retry_after_seconds


class TestPace:
    def test_a_new_one_knows_nothing_of_its_host(self) -> None:
        pace = Pace(5.0)

        assert (pace.crawl_delay, pace.not_before, pace.failures, pace.asked_until) == (0, 0, 0, 0)
        assert [pace.gap(CONFIG), pace.gap(CrawlConfig(no_delay=True))] == [5, 0]

    def test_each_failure_doubles_the_delay_up_to_the_greatest_and_waits_at_least_as_long(self) -> None:
        pace = Pace(20.0)
        pace.failed(100, 2, CONFIG)
        assert (pace.failures, pace.delay, pace.not_before) == (1, 40, 140)
        pace.failed(140, 500, CONFIG)
        assert (pace.failures, pace.delay, pace.not_before) == (2, 60, 640)

    def test_an_answer_never_shortens_a_rest(self) -> None:
        pace = Pace(5.0, not_before=500)
        pace.answered(100, 1, True, CONFIG)

        assert (pace.delay, pace.not_before) == (3, 500)


class TestPaceLaws:
    @given(st.lists(st.tuples(st.floats(0, 20), st.sampled_from(["ok", "error", "fail"]), st.floats(0, 30)), max_size=40))
    def test_two_requests_are_never_closer_than_the_gap(self, events: list[tuple[float, str, float]]) -> None:
        pace = Pace(CONFIG.start_delay_seconds, crawl_delay=2.0)
        now = 0.0
        for latency, kind, wait in events:
            now = max(now, pace.not_before) + latency
            gap = pace.gap(CONFIG) if kind == "fail" else 0.0
            if kind == "fail":
                pace.failed(now, wait, CONFIG)

                assert pace.not_before >= now + max(wait, min(gap, 60))
            else:
                pace.answered(now, latency, kind == "ok", CONFIG)

                assert pace.not_before >= now + max(pace.delay, 2.0, CONFIG.host_gap_seconds)


class TestRecrawlInterval:
    """J6."""

    @given(st.lists(st.booleans(), max_size=40))
    def test_it_stays_within_its_bounds_whatever_pages_do(self, changes: list[bool]) -> None:
        days = next_interval_days(None, False, CONFIG)
        for changed in changes:
            following = next_interval_days(days, changed, CONFIG)

            assert CONFIG.revisit_min_days <= following <= CONFIG.revisit_max_days
            assert following <= days if changed else following >= days
            days = following


SETTINGS: dict[str, object] = {"no_delay": False}  # all others as in production


class TestOnTheWire:
    """What the server sees."""

    def gaps(self, crawl: Crawl, site: dict[str, object], **settings: object) -> list[float]:
        crawled = crawl({"a.example": site}, clock=SteppedClock(), **(SETTINGS | settings))
        assert crawled.report.politeness["early_requests"] == 0
        assert crawled.report.politeness["most_in_flight_per_host"] == 1
        assert crawled.server.most_in_flight == {"a.example": 1}
        return [later.at - earlier.at for earlier, later in pairwise(crawled.server.requests)]

    def test_no_request_comes_before_its_time(self, crawl: Crawl) -> None:
        site = {"/": Page(links(*(f"/{n}" for n in range(6))))} | {f"/{n}": Page(f"page {n}") for n in range(6)}

        # Error pages (robots.txt, reservations) shorten nothing; then half of the delay before, and a second at least.
        assert self.gaps(crawl, site) == [5, 5, 2.5, 1.25, 1, 1, 1, 1]

    def test_crawl_delay_is_kept(self, crawl: Crawl) -> None:
        robots = Page("User-agent: *\nCrawl-delay: 7", content_type="text/plain")
        gaps = self.gaps(crawl, {"/robots.txt": robots, "/": Page(links("/a")), "/a": Page("a")})

        assert gaps == [7, 7, 7]

    def test_a_busy_page_makes_the_whole_host_wait(self, crawl: Crawl) -> None:
        site = {
            "/": Page(links("/busy", "/a")),
            "/busy": [Page("", 503, headers={"Retry-After": "100"}), Page("b")],
            "/a": Page("a"),
        }

        assert max(self.gaps(crawl, site)) == 100

    @pytest.mark.row("P9")
    def test_a_slow_site_is_asked_more_slowly(self, crawl: Crawl) -> None:
        site = {"/": Page(links("/a", "/b"), delay=6), "/a": Page("a", delay=6), "/b": Page("b", delay=6)}
        gaps = self.gaps(crawl, site)

        assert gaps == [5, 5, 6 + (5 + 6) / 2, 6 + ((5 + 6) / 2 + 6) / 2]

    def test_many_sites_of_one_host_share_its_pace(self, crawl: Crawl) -> None:
        site = {f"/p{n}/": Page(f"parafia {n}") for n in range(4)}
        seeds = [Seed(f"p{n}", f"http://a.example/p{n}/", f"/p{n}/") for n in range(4)]
        crawled = crawl({"a.example": site}, *seeds, clock=SteppedClock(), **SETTINGS)

        assert crawled.server.most_in_flight == {"a.example": 1}
        assert len(crawled.ok) == 4


_READ_HEADERS = (
    b"Retry-After", b"Location", b"Content-Type", b"Content-Encoding", b"Content-Length", b"Content-Disposition",
    b"Transfer-Encoding", b"ETag", b"Last-Modified", b"Link", b"X-Robots-Tag", b"Connection",
)  # fmt: skip
_HEADERS = st.lists(
    st.tuples(
        st.one_of(st.sampled_from(_READ_HEADERS), st.binary(max_size=10)),
        st.one_of(st.binary(max_size=60), _HOSTILE_DATES.map(str.encode), _NUMBERS.map(str.encode)),
    ),
    max_size=5,
)


class TestHostileHeaders:
    """Nothing that a server writes into its headers shortens the gap it is left, or ends more than its own page."""

    CONFIG = replace(QUICK, no_delay=False, idle_seconds=0.5, max_retry_after_seconds=100)
    CLOCK = SteppedClock()

    @pytest.fixture(scope="class")
    def server(self) -> Iterator[Loopback]:
        with Loopback({}, clock=self.CLOCK) as server:
            yield server

    @settings(max_examples=60, deadline=None)
    @given(status=st.sampled_from([b"200", b"302", b"304", b"429", b"500", b"503"]), headers=_HEADERS)
    @example(status=b"429", headers=[(b"Retry-After", b"Fri, 31 Dec 9999 23:59:59 -2359")])
    @example(status=b"503", headers=[(b"Retry-After", b"Fri, 27 Nov 2026 10:00:00 +99999999999999999999")])
    def test_every_answer_is_an_outcome_and_the_gap_holds(
        self, server: Loopback, status: bytes, headers: list[tuple[bytes, bytes]]
    ) -> None:
        head = b"".join(name + b": " + value + b"\r\n" for name, value in headers)
        answer = b"HTTP/1.1 " + status + b" Whatever\r\n" + head + b"\r\nParafia"
        server.requests.clear()
        server.sites["a.example"] = {"/robots.txt": Page("", content_type="text/plain"), "/": answer, RESERVATIONS: answer}
        result = fetch_once("http://a.example/", config=self.CONFIG, connect_to=server.connect_to, clock=self.CLOCK)

        assert result.outcome in set(Outcome) - {Outcome.ERROR}
        assert all(later.at - earlier.at >= self.CONFIG.host_gap_seconds for earlier, later in pairwise(server.requests))
        assert len(server.requests) > 2
