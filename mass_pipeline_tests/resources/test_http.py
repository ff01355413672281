"""The HTTP client: back-off, gaps, redirects, size limit, and the gate in front of every connection."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from mass_pipeline.model.errors import FetchError, Forbidden, Gone, RetryLater
from mass_pipeline.resources.gated_backend import GatedBackend
from mass_pipeline.resources.http import HttpClient, backoff_seconds

NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
Answer = tuple[int, dict[str, str], bytes]


@contextmanager
def serving(answers: Callable[[str, int], Answer]) -> Iterator[tuple[int, list[tuple[str, str]]]]:
    """A real server on loopback: (path, number of the request) -> answer. Gives its port and the log of path and User-Agent."""
    log: list[tuple[str, str]] = []

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            log.append((self.path, self.headers.get("User-Agent", "")))
            status, headers, body = answers(self.path, len(log))
            self.send_response(status)
            for name, value in {"Content-Length": str(len(body)), **headers}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield server.server_port, log
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def client(port: int, waits: list[float] | None = None, **options: object) -> HttpClient:
    """A client for which `katalog.example` is the loopback server."""
    values: dict[str, object] = {
        "user_agent": "MassPipelineBot/test (+test@parish.example)",
        "gap_seconds": 0.0,
        "timeout_seconds": 5.0,
        "max_attempts": 4,
        "obey_robots": False,
        "allow_private_hosts": True,
        "connect_to": lambda host, _: ("127.0.0.1", port) if host == "katalog.example" else None,
        "clock": lambda: NOW,
        "sleep": (waits if waits is not None else []).append,
    }
    return HttpClient(**{**values, **options})  # type: ignore[arg-type]


class TestBackoff:
    def test_after_t_failures_in_a_row_it_waits_1_5_to_the_t(self) -> None:
        """P2."""
        waits: list[float] = []
        with serving(lambda _, n: (503 if n < 4 else 200, {}, b"ok")) as (port, log), client(port, waits) as http:
            page = http.get("http://katalog.example/")

        assert (page.body, len(log)) == (b"ok", 4)
        assert waits == [1.5, 2.25, 3.375]

    def test_a_success_resets_t(self) -> None:
        waits: list[float] = []
        with serving(lambda _, n: (503 if n in {1, 3} else 200, {}, b"ok")) as (port, _), client(port, waits) as http:
            http.get("http://katalog.example/1")
            http.get("http://katalog.example/2")

        assert waits == [1.5, 1.5]

    def test_it_gives_up_after_the_configured_attempts_and_says_so(self) -> None:
        with serving(lambda *_: (503, {}, b"")) as (port, log), client(port) as http:
            with pytest.raises(RetryLater, match=r"http://katalog\.example/: HTTP 503; given up after 4 attempts"):
                http.get("http://katalog.example/")
            assert len(log) == 4

    @pytest.mark.parametrize(("header", "seconds"), [("30", 30.0), ("Fri, 20 Nov 2026 12:01:00 GMT", 60.0), ("soon", 1.5)])
    def test_retry_after_is_obeyed_when_it_is_longer(self, header: str, seconds: float) -> None:
        waits: list[float] = []
        answers = lambda _, n: (429, {"Retry-After": header}, b"") if n == 1 else (200, {}, b"ok")  # noqa: E731
        with serving(answers) as (port, _), client(port, waits) as http:
            http.get("http://katalog.example/")

        assert waits == [seconds]

    def test_the_wait_has_a_bound(self) -> None:
        assert backoff_seconds(10_000) == 3600.0

    def test_a_connection_that_is_cut_is_asked_again(self) -> None:
        answers = lambda _, n: (200, {"Content-Length": "10"} if n == 1 else {}, b"half" if n == 1 else b"whole")  # noqa: E731
        with serving(answers) as (port, _), client(port, timeout_seconds=0.3) as http:
            assert http.get("http://katalog.example/").body == b"whole"


class TestJudgement:
    @pytest.mark.parametrize(
        ("status", "error"), [(404, Gone), (410, Gone), (401, Forbidden), (403, Forbidden), (400, FetchError), (204, FetchError)]
    )
    def test_what_asking_again_does_not_mend_is_asked_once(self, status: int, error: type[FetchError]) -> None:
        with serving(lambda *_: (status, {}, b"")) as (port, log), client(port) as http:
            with pytest.raises(error):
                http.get("http://katalog.example/")
            assert len(log) == 1

    def test_a_page_larger_than_the_limit_is_refused(self) -> None:
        with (
            serving(lambda *_: (200, {}, b"x" * 2000)) as (port, _),
            client(port, max_body_bytes=1000) as http,
            pytest.raises(FetchError, match="larger than 1000 bytes"),
        ):
            http.get("http://katalog.example/")

    def test_redirects_are_followed_and_the_last_url_is_told(self) -> None:
        answers = lambda path, _: (302, {"Location": "/b"}, b"") if path == "/a" else (200, {}, b"ok")  # noqa: E731
        with serving(answers) as (port, _), client(port) as http:
            assert http.get("http://katalog.example/a").url == "http://katalog.example/b"

    def test_a_redirect_loop_ends(self) -> None:
        with serving(lambda *_: (302, {"Location": "/"}, b"")) as (port, log), client(port) as http:
            with pytest.raises(FetchError, match="more than 5 redirects"):
                http.get("http://katalog.example/")
            assert len(log) == 6

    def test_the_server_learns_who_asks(self) -> None:
        with serving(lambda *_: (200, {}, b"ok")) as (port, log), client(port) as http:
            http.get("http://katalog.example/")

        assert log[0][1] == "MassPipelineBot/test (+test@parish.example)"


class TestRobots:
    """RFC 9309; rules are the crawler's."""

    @staticmethod
    def answering(robots: tuple[int, str]) -> Callable[[str, int], Answer]:
        return lambda path, _: (robots[0], {}, robots[1].encode()) if path == "/robots.txt" else (200, {}, b"ok")

    def test_what_robots_txt_forbids_is_not_asked(self) -> None:
        rules = (200, "User-agent: MassPipelineBot\nDisallow: /szukaj/\n")
        with serving(self.answering(rules)) as (port, log), client(port, obey_robots=True) as http:
            http.get("http://katalog.example/parafie/")
            with pytest.raises(Forbidden, match=r"robots\.txt"):
                http.get("http://katalog.example/szukaj/anny")

        assert [path for path, _ in log] == ["/robots.txt", "/parafie/"]

    def test_no_robots_txt_allows_everything(self) -> None:
        with serving(self.answering((404, ""))) as (port, _), client(port, obey_robots=True) as http:
            assert http.get("http://katalog.example/").body == b"ok"

    def test_an_unreachable_robots_txt_forbids_for_now_and_is_asked_again(self) -> None:
        waits: list[float] = []
        answers = lambda path, n: (503 if n == 1 else 404, {}, b"") if path == "/robots.txt" else (200, {}, b"ok")  # noqa: E731
        with serving(answers) as (port, _), client(port, waits, obey_robots=True) as http:
            assert http.get("http://katalog.example/").body == b"ok"

        assert waits == [1.5]

    def test_crawl_delay_lengthens_the_gap(self) -> None:
        waits: list[float] = []
        rules = (200, "User-agent: *\nCrawl-delay: 20\n")
        with serving(self.answering(rules)) as (port, _), client(port, waits, obey_robots=True, gap_seconds=1.0) as http:
            http.get("http://katalog.example/1")
            http.get("http://katalog.example/2")

        assert 19.0 < waits[-1] <= 21.0


class TestGap:
    def test_requests_to_one_host_keep_their_distance(self) -> None:
        waits: list[float] = []
        with serving(lambda *_: (200, {}, b"ok")) as (port, _), client(port, waits, gap_seconds=10.0) as http:
            for _ in range(3):
                http.get("http://katalog.example/")

        assert len(waits) == 2
        assert 9.0 < waits[0] <= 10.0 < 19.0 < waits[1] <= 20.0


class TestGate:
    @pytest.mark.parametrize(
        "address", ["127.0.0.1", "10.0.0.7", "169.254.169.254", "100.100.100.200", "::1", "64:ff9b::a9fe:a9fe", "::ffff:10.0.0.1"]
    )
    def test_names_that_lead_inside_are_refused(self, address: str) -> None:
        backend = GatedBackend(resolve=lambda *_: [address])

        with pytest.raises(Forbidden, match="not on the public internet"):
            backend.connect_tcp("inside.example", 80)

    def test_one_inner_address_among_several_is_enough(self) -> None:
        backend = GatedBackend(resolve=lambda *_: ["93.184.215.14", "10.0.0.1"])

        with pytest.raises(Forbidden):
            backend.connect_tcp("both.example", 80)

    def test_connect_to_is_ignored_outside_the_demo_profile(self) -> None:
        with serving(lambda *_: (200, {}, b"inside")) as (port, log):
            with client(port, allow_private_hosts=False, max_attempts=1) as http:
                with pytest.raises(FetchError):
                    http.get("http://katalog.example/")
                with pytest.raises(Forbidden):
                    http.get(f"http://127.0.0.1:{port}/")
            assert log == []

    def test_a_redirect_to_an_inner_address_is_refused(self) -> None:
        with serving(lambda *_: (302, {"Location": "http://169.254.169.254/latest/meta-data"}, b"")) as (port, log):
            with client(port) as http, pytest.raises(Forbidden):
                http.get("http://katalog.example/")
            assert len(log) == 1

    def test_other_ports_than_the_webs_are_refused(self) -> None:
        with pytest.raises(Forbidden, match="port 25"):
            GatedBackend(resolve=lambda *_: ["93.184.215.14"]).connect_tcp("mail.example", 25)
