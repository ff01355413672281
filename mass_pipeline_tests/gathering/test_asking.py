"""Pages of directories and home pages: retries with back-off, errors named by what to do, one visitor for all threads."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from mass_pipeline.crawling.fetching.config import CrawlConfig
from mass_pipeline.crawling.fetching.http_client import RateLimitedClient
from mass_pipeline.gathering.asking import Directory, home_reader
from mass_pipeline.model.errors import FetchError, Forbidden, Gone, RetryLater
from mass_pipeline.resources.settings import load_settings
from mass_pipeline.resources.web import directory_config
from mass_pipeline_tests.crawling.loopback import Answer, Loopback, Page
from mass_pipeline_tests.crawling.made import SteppedClock

NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
HOST = "katalog.example"
BUSY = Page("", 503)


@contextmanager
def asking(
    paths: Mapping[str, Answer | list[Answer]], clock: SteppedClock | None = None, **options: object
) -> Iterator[tuple[Directory, Loopback]]:
    """A directory that is served on loopback, with no gap, and two attempts that hardly wait."""
    plain = directory_config(load_settings({}), is_local=True)
    values = {"start_delay_seconds": 0.0, "host_gap_seconds": 0.0, "max_attempts": 2, "retry_base": 1.0, "leases": "", **options}
    config = replace(plain, min_free_bytes=0, retry_jitter=0.0, **values)  # type: ignore[arg-type]
    with Loopback({HOST: paths}, clock=clock) as server, _client(config, server, clock) as client:
        yield Directory(client, config.max_attempts, lambda: NOW), server


def _client(config: CrawlConfig, server: Loopback, clock: SteppedClock | None = None) -> RateLimitedClient:
    return RateLimitedClient(config, server.connect_to, attempts=config.max_attempts, any_type=True, clock=clock)


def url(path: str) -> str:
    return f"http://{HOST}{path}"


class TestAnswers:
    def test_a_page_is_whole_and_dated(self) -> None:
        with asking({"/a": Page("", 302, headers={"Location": "/b"}), "/b": Page("ok", content_type="text/csv")}) as (pages, _):
            page = pages.get(url("/a"))

        assert (page.url, page.status, page.body, page.content_type, page.fetched_at) == (url("/b"), 200, b"ok", "text/csv", NOW)

    @pytest.mark.parametrize(
        ("status", "error"), [(404, Gone), (410, Gone), (401, Forbidden), (403, Forbidden), (400, FetchError), (204, FetchError)]
    )
    def test_what_asking_again_does_not_mend_is_asked_once(self, status: int, error: type[FetchError]) -> None:
        with asking({"/": Page("", status)}) as (pages, server):
            with pytest.raises(error) as caught:
                pages.get(url("/"))
            assert isinstance(caught.value, RetryLater) is (status == 204)
            assert server.paths().count("/") == 1

    def test_a_page_larger_than_the_limit_is_refused(self) -> None:
        with asking({"/": Page(b"x" * 20_000)}, max_body_bytes=10_000) as (pages, _):
            with pytest.raises(FetchError, match="limit") as caught:
                pages.get(url("/"))
            assert not isinstance(caught.value, RetryLater)

    def test_a_page_that_never_comes_whole_may_come_later(self) -> None:
        with asking({"/": b"HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n<p>half"}) as (pages, _), pytest.raises(RetryLater):
            pages.get(url("/"))

    def test_a_redirect_to_an_inner_address_is_refused(self) -> None:
        inner = Page("", 302, headers={"Location": "http://169.254.169.254/latest/meta-data"})
        with asking({"/": inner}) as (pages, _), pytest.raises(Forbidden):
            pages.get(url("/"))


class TestPatience:
    def test_a_busy_server_is_asked_again(self) -> None:
        """P2."""
        with asking({"/": [BUSY, Page("ok")]}) as (pages, _):
            assert pages.get(url("/")).body == b"ok"

    def test_after_t_failures_in_a_row_it_waits_base_to_the_t(self) -> None:
        """P2."""
        clock = SteppedClock()
        with asking(
            {"/": [BUSY, BUSY, BUSY, Page("ok")]}, clock, retry_base=1.5, max_attempts=4, host_failure_limit=9
        ) as (pages, server):  # fmt: skip
            pages.get(url("/"))

        moments = [request.at for request in server.requests if request.path == "/"]
        assert [after - before for before, after in itertools.pairwise(moments)] == [1.5, 1.5**2, 1.5**3]

    def test_it_gives_up_after_the_configured_attempts(self) -> None:
        with asking({"/": BUSY}, host_failure_limit=9) as (pages, server):
            with pytest.raises(RetryLater, match="HTTP 503; given up after 2 attempts"):
                pages.get(url("/"))
            assert server.paths().count("/") == 2

    def test_an_unreachable_robots_txt_is_asked_again(self) -> None:
        with asking({"/robots.txt": [BUSY, Page("", 404)], "/": Page("ok")}) as (pages, _):
            assert pages.get(url("/")).body == b"ok"


class TestHomes:
    def test_many_threads_are_one_visitor(self) -> None:
        """One request in flight per host, robots.txt once."""
        config = replace(
            directory_config(load_settings({}), is_local=True), start_delay_seconds=0.0, host_gap_seconds=0.0, leases=""
        )
        paths = {f"/{n}": Page(f"<title>{n}</title>", delay=0.02) for n in range(8)}
        with Loopback({HOST: paths}) as server, _client(config, server) as client, ThreadPoolExecutor(8) as pool:
            titles = [home.title for home in pool.map(home_reader(client), [url(path) for path in paths])]

        assert titles == [str(n) for n in range(8)]
        assert server.most_in_flight == {HOST: 1}
        assert server.paths().count("/robots.txt") == 1

    def test_a_page_whose_reading_fails_costs_only_itself(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """The search for one parish's site must not end that of a country."""

        def fail(*page: object) -> None:
            raise OverflowError("cannot convert float infinity to integer")

        monkeypatch.setattr("mass_pipeline.gathering.homes.parse_home", fail)
        config = replace(directory_config(load_settings({}), is_local=True), start_delay_seconds=0.0, leases="")
        with (
            Loopback({HOST: {"/": Page("<title>Parafia</title>")}}) as server,
            _client(config, server) as client,
            pytest.raises(FetchError, match="OverflowError"),
        ):
            home_reader(client)(url("/"))
