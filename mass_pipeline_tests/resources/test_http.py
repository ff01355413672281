"""The HTTP client of Places: one POST, its gap, and the gate in front of every connection."""

from __future__ import annotations

import pytest

from mass_pipeline.model.errors import FetchError, Forbidden, RetryLater
from mass_pipeline.resources.gated_backend import GatedBackend
from mass_pipeline.resources.http import HttpClient
from mass_pipeline_tests.crawler.loopback import Loopback, Page

API = "http://api.example/search"


def client(server: Loopback, waits: list[float] | None = None, **options: object) -> HttpClient:
    """A client for which `api.example` is the loopback server."""
    values: dict[str, object] = {
        "gap_seconds": 0.0,
        "timeout_seconds": 5.0,
        "allow_private_hosts": True,
        "connect_to": lambda host, _: ("127.0.0.1", server.port) if host == "api.example" else None,
        "sleep": (waits if waits is not None else []).append,
    }
    return HttpClient("MassPipelineBot/test (+test@parish.example)", **{**values, **options})  # type: ignore[arg-type]


class TestPost:
    @pytest.mark.parametrize("status", [200, 302, 403, 429, 503])
    def test_any_status_is_returned_after_one_request(self, status: int) -> None:
        """The caller pays for every attempt."""
        page = Page("{}", status, "application/json", {"Location": "/elsewhere"})
        with Loopback({"api.example": {"/search": page}}) as server, client(server) as http:
            answer = http.post_json(API, b"{}", {"X-Goog-Api-Key": "key"})

        assert (answer.status, answer.body) == (status, b"{}")
        [request] = server.requests
        assert (request.method, request.path) == ("POST", "/search")
        sent = {name.lower(): value for name, value in request.headers.items()}
        assert sent["user-agent"] == "MassPipelineBot/test (+test@parish.example)"
        assert sent["x-goog-api-key"] == "key"
        assert sent["content-type"] == "application/json"

    def test_no_answer_may_be_asked_for_later(self) -> None:
        with (
            Loopback({"api.example": {"/search": b""}}) as server,
            client(server, timeout_seconds=0.3) as http,
            pytest.raises(RetryLater),
        ):
            http.post_json(API, b"{}", {})

    def test_an_endless_answer_is_refused(self) -> None:
        with (
            Loopback({"api.example": {"/search": Page(bytes(11 * 1024 * 1024))}}) as server,
            client(server) as http,
            pytest.raises(FetchError, match="larger than"),
        ):
            http.post_json(API, b"{}", {})

    def test_requests_to_one_host_keep_their_distance(self) -> None:
        waits: list[float] = []
        with Loopback({"api.example": {"/search": Page("{}")}}) as server, client(server, waits, gap_seconds=10.0) as http:
            for _ in range(3):
                http.post_json(API, b"{}", {})

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
        with Loopback({"api.example": {"/search": Page("{}")}}) as server:
            with client(server, allow_private_hosts=False) as http:
                with pytest.raises(FetchError):
                    http.post_json(API, b"{}", {})
                with pytest.raises(Forbidden):
                    http.post_json(f"http://127.0.0.1:{server.port}/", b"{}", {})
            assert server.requests == []

    def test_other_ports_than_the_webs_are_refused(self) -> None:
        with pytest.raises(Forbidden, match="port 25"):
            GatedBackend(resolve=lambda *_: ["93.184.215.14"]).connect_tcp("mail.example", 25)
