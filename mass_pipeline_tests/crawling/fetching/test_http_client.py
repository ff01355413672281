"""The httpx client over the gate: pages are read within robots.txt, services are called once, and nothing travels along."""

from __future__ import annotations

from dataclasses import replace

import pytest

from mass_pipeline.crawling.fetching.http_client import RateLimitedClient, RequestFailed
from mass_pipeline_tests.crawling.loopback import Loopback, Page
from mass_pipeline_tests.crawling.made import QUICK

API = "http://api.example/search"


class TestServices:
    @pytest.mark.parametrize("status", [200, 302, 403, 429, 503])
    def test_any_status_is_returned_after_one_request(self, status: int) -> None:
        """The caller pays for every attempt; robots.txt is for readers of pages."""
        page = Page("{}", status, "application/json", {"Location": "/elsewhere"})
        with Loopback({"api.example": {"/search": page}}) as server:
            with RateLimitedClient(QUICK, server.connect_to, service=True) as client:
                answer = client.post(API, content=b"{}", headers={"X-Goog-Api-Key": "key", "Content-Type": "application/json"})
            [request] = server.requests

        assert (answer.status_code, answer.content) == (status, b"{}")
        assert (request.method, request.path) == ("POST", "/search")
        sent = {name.lower(): value for name, value in request.headers.items()}
        assert sent["user-agent"] == QUICK.user_agent
        assert sent["x-goog-api-key"] == "key"
        assert sent["content-type"] == "application/json"

    def test_an_endless_answer_is_refused(self) -> None:
        config = replace(QUICK, max_body_bytes=100_000)
        with (
            Loopback({"api.example": {"/search": Page(bytes(200_000))}}) as server,
            RateLimitedClient(config, server.connect_to, service=True) as client,
            pytest.raises(RequestFailed, match="too_large"),
        ):
            client.post(API, content=b"{}")

    @pytest.mark.parametrize("address", ["http://10.0.0.7/", "http://169.254.169.254/", "http://8.8.8.8:25/"])
    def test_inner_addresses_and_other_ports_are_refused(self, address: str) -> None:
        with (
            RateLimitedClient(replace(QUICK, allow_private_hosts=False), service=True) as client,
            pytest.raises(RequestFailed, match="blocked_address"),
        ):
            client.post(address, content=b"{}")


class TestPages:
    def test_they_are_never_changed(self) -> None:
        with (
            Loopback({"a.example": {"/": Page("x")}}) as server,
            RateLimitedClient(QUICK, server.connect_to) as client,
        ):
            with pytest.raises(RequestFailed, match="never changed"):
                client.post("http://a.example/", content=b"{}")
            assert server.requests == []

    def test_nothing_of_an_answer_or_a_caller_travels_on(self) -> None:
        """S3: no cookie, no authorization, no referer."""
        cookie = {"Set-Cookie": "id=1; Path=/"}
        site = {"/": Page("", 302, headers={"Location": "/b", **cookie}), "/b": Page("x", headers=cookie)}
        with Loopback({"a.example": site}) as server, RateLimitedClient(QUICK, server.connect_to) as client:
            for _ in range(2):
                client.get("http://me:secret@a.example/", headers={"Referer": "http://b.example/", "Authorization": "Basic eDp5"})

        assert not {"cookie", "authorization", "referer"} & {name.lower() for one in server.requests for name in one.headers}

    @pytest.mark.parametrize("written", [b"/msze%20\xb6wi\xeate.html", "/msze/święta".encode()])
    @pytest.mark.parametrize("length", [b"0", b"0\r\nContent-Length: 1"])
    def test_raw_bytes_of_a_redirect_are_kept(self, written: bytes, length: bytes) -> None:
        """Fetch standard: each becomes its escape, whether the strict or the lenient reader has the header."""
        answer = b"HTTP/1.1 302 Found\r\nLocation: " + written + b"\r\nContent-Length: " + length + b"\r\n\r\n"
        with Loopback({"a.example": {"/": answer}}) as server, RateLimitedClient(QUICK, server.connect_to) as client:
            client.get("http://a.example/")

        wanted = "".join(chr(byte) if byte < 128 else f"%{byte:02X}" for byte in written)
        assert server.paths()[-1] == wanted

    def test_a_condition_of_the_caller_is_sent(self) -> None:
        with Loopback({"a.example": {"/": Page("", 304)}}) as server, RateLimitedClient(QUICK, server.connect_to) as client:
            answer = client.get("http://a.example/", headers={"If-None-Match": '"1"'})

        assert answer.status_code == 304
        assert server.requests[-1].headers["if-none-match"] == '"1"'
