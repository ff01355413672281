"""Servers that break every rule of HTTP (hazards T1, T2): one outcome each, no crash, no hang, the next page on time."""

from __future__ import annotations

import asyncio
import contextlib
import gzip
import ssl
import subprocess
import time
import zlib
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from mass_pipeline.crawling import Seed
from mass_pipeline.crawling.fetching.content_type import is_text
from mass_pipeline.crawling.fetching.decompression import BadEncoding, unpack
from mass_pipeline.crawling.fetching.lenient import INTERIM_ANSWERS
from mass_pipeline.crawling.fetching.politeness import retry_after_seconds
from mass_pipeline.crawling.fetching.robots import RobotsRules
from mass_pipeline.crawling.fetching.urls import BadUrl, canonicalize, is_dated
from mass_pipeline.crawling.pages.links import read_links, robots_header
from mass_pipeline.reading.text.charset import detect
from mass_pipeline_tests.crawling.loopback import Answer, Handler, Loopback, Page, Request, links
from mass_pipeline_tests.crawling.made import QUICK, Crawl, fetch_once
from mass_pipeline_tests.shared import shared_folder

OK = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"
TEXT = b"<p>Msze 12:00"


def slowly(*parts: bytes, every: float, times: int = 1) -> Handler:
    """Send the first part, then the others again and again with pauses."""

    async def handle(request: Request, writer: asyncio.StreamWriter) -> None:
        writer.write(parts[0])
        for _ in range(times):
            for part in parts[1:]:
                await asyncio.sleep(every)
                writer.write(part)
                await writer.drain()

    return handle


def reset(first: bytes) -> Handler:
    """Send something, then reset the connection."""

    async def handle(request: Request, writer: asyncio.StreamWriter) -> None:
        writer.write(first)
        await writer.drain()
        await asyncio.sleep(0.05)
        writer.transport.abort()

    return handle


def endless(head: bytes, chunk: bytes) -> Handler:
    """A body without end."""

    async def handle(request: Request, writer: asyncio.StreamWriter) -> None:
        writer.write(head)
        for _ in range(4000):
            writer.write(chunk)
            await writer.drain()

    return handle


BOMB = gzip.compress(bytes(30_000_000))
SCRIPTS: dict[str, tuple[bytes | Handler | Page, set[str]]] = {
    "no status line": (b"<html>hello</html>\r\n\r\n", {"protocol_error"}),
    "http 0.9": (b"<html>hello", {"protocol_error"}),
    "nothing": (b"", {"protocol_error"}),
    "zero bytes then reset": (reset(b""), {"protocol_error"}),
    "status without reason": (b"HTTP/1.1 200\r\nContent-Length: 2\r\n\r\nok", {"ok"}),
    "colon behind status": (b"HTTP/1.1 200: OK\r\nContent-Length: 2\r\n\r\nok", {"ok", "protocol_error"}),
    "status of two digits": (b"HTTP/1.1 20 OK\r\nContent-Length: 2\r\n\r\nok", {"protocol_error"}),
    "status 999": (b"HTTP/1.1 999 Odd\r\nContent-Length: 2\r\n\r\nok", {"protocol_error"}),
    "unknown version": (b"HTTP/7.3 200 OK\r\nContent-Length: 2\r\n\r\nok", {"ok", "protocol_error"}),
    "only line feeds": (b"HTTP/1.1 200 OK\nContent-Length: 2\n\nok", {"ok", "protocol_error", "timeout"}),
    "negative length": (OK + b"Content-Length: -5\r\n\r\n<p>Msze 12:00", {"truncated"}),
    "length in words": (OK + b"Content-Length: many\r\n\r\n<p>Msze 12:00", {"truncated"}),
    "two lengths": (OK + b"Content-Length: 2\r\nContent-Length: 14\r\n\r\n<p>Msze 12:00", {"truncated"}),
    "length too long": (OK + b"Content-Length: 500\r\n\r\n<p>Msze 12:00", {"truncated"}),
    "length too short": (OK + b"Content-Length: 9\r\n\r\n<p>Msze 12:00", {"truncated"}),
    "length beyond numbers": (OK + b"Content-Length: " + b"9" * 4000 + b"\r\n\r\n<p>Msze 12:00", {"truncated"}),
    "no length": (OK + b"\r\n<p>Msze 12:00", {"ok"}),
    "chunked and length": (
        OK + b"Transfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n2\r\nok\r\n0\r\n\r\n",
        {"ok"},
    ),
    "bad chunk size": (OK + b"Transfer-Encoding: chunked\r\n\r\n5\r\n<p>12\r\nzz\r\nok\r\n0\r\n\r\n", {"truncated"}),
    "chunked only by name": (OK + b"Transfer-Encoding: chunked\r\n\r\n<p>Msze 12:00", {"truncated"}),
    "chunks without end": (OK + b"Transfer-Encoding: chunked\r\n\r\n5\r\n<p>12\r\n", {"truncated"}),
    "huge chunk size": (
        OK + b"Transfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\nok",
        {"protocol_error", "truncated", "timeout"},
    ),
    "folded header": (OK + b"X-Folded: a\r\n b\r\nContent-Length: 2\r\n\r\nok", {"ok", "protocol_error"}),
    "header without colon": (OK + b"nonsense\r\nContent-Length: 2\r\n\r\nok", {"ok", "protocol_error"}),
    "nul in header": (OK + b"X: a\0b\r\nContent-Length: 2\r\n\r\nok", {"ok", "protocol_error"}),
    "header of 100 kB": (OK + b"X: " + b"a" * 100_000 + b"\r\nContent-Length: 2\r\n\r\nok", {"protocol_error"}),
    "80 headers of 10 kB": (
        OK + b"".join(b"X%d: %s\r\n" % (n, b"a" * 10_000) for n in range(80)) + b"\r\nok",
        {"ok", "protocol_error"},
    ),
    "1000 headers": (OK + b"".join(b"X%d: y\r\n" % n for n in range(1000)) + b"Content-Length: 2\r\n\r\nok", {"protocol_error"}),
    "reset in the body": (reset(OK + b"Content-Length: 5000\r\n\r\n<p>Msze 12:00"), {"truncated"}),
    "line breaks in location": (
        b"HTTP/1.1 302 F\r\nLocation: /a\rSet-Cookie: x\r\nContent-Length: 0\r\n\r\n",
        {"redirect", "protocol_error"},
    ),
    "redirect without target": (b"HTTP/1.1 302 F\r\nContent-Length: 0\r\n\r\n", {"redirect"}),
    "bad chunk behind a redirect": (
        b"HTTP/1.1 302 F\r\nLocation: /next\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        {"redirect", "protocol_error"},
    ),
    "one byte of header a while": (slowly(b"HTTP/1.1 200 OK\r\nX: ", b"x", every=0.3, times=100_000), {"timeout"}),
    "one byte of body a while": (slowly(OK + b"\r\n<p>", b"x", every=0.3, times=100_000), {"timeout", "truncated"}),
    "silence": (slowly(b"", b"x", every=100_000), {"timeout"}),
    "a million tiny chunks": (
        endless(OK + b"Transfer-Encoding: chunked\r\n\r\n", b"1\r\nx\r\n" * 250),
        {"truncated", "timeout"},
    ),
    "endless body": (endless(OK + b"\r\n", b"x" * 65_536), {"truncated"}),
    "endless image": (endless(b"HTTP/1.1 200 OK\r\nContent-Type: image/jpeg\r\n\r\n\xff\xd8\xff", b"\0" * 65_536), {"not_text"}),
    "bomb": (Page(BOMB, headers={"Content-Encoding": "gzip"}), {"too_large", "truncated", "not_text"}),
    "bomb in a redirect": (Page(BOMB, 302, headers={"Content-Encoding": "gzip", "Location": "/next"}), {"redirect"}),
    "chain of codings": (Page(b"x", headers={"Content-Encoding": ", ".join(["gzip"] * 100)}), {"protocol_error"}),
    "coding of others": (Page(b"x", headers={"Content-Encoding": "br"}), {"protocol_error"}),
    "charset as coding": (Page("<p>Msze 12:00", headers={"Content-Encoding": "utf-8"}), {"ok"}),
    "none as coding": (Page("Msze 12:00", headers={"Content-Encoding": "none"}), {"ok"}),
    "coding that is none": (Page("<p>Msze 12:00", headers={"Content-Encoding": "gzip"}), {"ok"}),
    "gzip cut short": (Page(gzip.compress(b"<p>Msze 12:00 " * 500)[:-20], headers={"Content-Encoding": "gzip"}), {"truncated"}),
    "raw deflate": (Page(zlib.compress(b"<p>Msze 12:00")[2:-4], headers={"Content-Encoding": "deflate"}), {"ok"}),
    "204 with a body": (b"HTTP/1.1 204 No\r\nContent-Length: 2\r\n\r\nok", {"protocol_error"}),
    "304 unasked": (b"HTTP/1.1 304 Not Modified\r\n\r\n", {"redirect"}),
    "100 first": (b"HTTP/1.1 100 Continue\r\n\r\n" + OK + b"Content-Length: 2\r\n\r\nok", {"ok", "protocol_error"}),
}


def patience_with(name: str) -> dict[str, float]:
    """Settings of a crawl: a server that keeps silent is soon left, any other is waited for as long as a busy machine needs."""
    return {"idle_seconds": 1.0, "total_seconds": 2.0} if "timeout" in SCRIPTS[name][1] else {}


class TestRawServers:
    @pytest.mark.parametrize("name", sorted(SCRIPTS))
    @pytest.mark.row("V4")
    def test_one_outcome_and_the_next_page_on_time(self, crawl: Crawl, name: str) -> None:
        answer, allowed = SCRIPTS[name]
        site = {
            "/": Page(links("/bad", "/good", "/next")),
            "/bad": answer,
            "/good": Page("Msze 9:00"),
            "/next": Page("next 10:00"),
        }
        limits = {"max_body_bytes": 300_000, "max_attempts": 2, "host_failure_limit": 5, **patience_with(name)}
        crawled = crawl({"a.example": site}, **limits)

        assert crawled.outcome("http://a.example/bad") in allowed
        assert crawled.outcome("http://a.example/good") == "ok"

    @pytest.mark.row("B3")
    @pytest.mark.parametrize(
        ("name", "body", "reason"),
        [
            ("length too long", TEXT, "the connection broke"),
            ("length too short", TEXT, "longer than its Content-Length"),
            ("length beyond numbers", TEXT, "shorter than its Content-Length"),
            ("negative length", TEXT, "Content-Length contradicts itself or is no number"),
            ("length in words", TEXT, "Content-Length contradicts itself or is no number"),
            ("two lengths", TEXT, "Content-Length contradicts itself or is no number"),
            ("reset in the body", TEXT, "the connection broke"),
            ("gzip cut short", TEXT, "its compressed data have no end"),
            ("chunks without end", b"<p>12", "the connection broke"),
            ("bad chunk size", b"<p>12", "a chunk without a size"),
            ("chunked only by name", TEXT, "announced as chunked, which it is not"),
        ],
    )
    def test_text_that_did_arrive_is_kept_marked_and_asked_for_once_more(
        self, crawl: Crawl, name: str, body: bytes, reason: str
    ) -> None:
        """T2: only what never arrived is lost, and never silently."""
        crawled = crawl({"a.example": {"/": SCRIPTS[name][0]}})
        page = crawled.pages[0]

        assert (page.body or b"").startswith(body)
        assert name == "gzip cut short" or page.body == body
        assert (page.outcome, page.truncated, page.etag, page.reason) == ("truncated", True, None, reason)
        assert crawled.server.paths() == ["/robots.txt", "/", "/"]

    @pytest.mark.parametrize(("number", "outcome"), [(INTERIM_ANSWERS, "ok"), (100_000, "protocol_error")])
    def test_interim_answers_are_skipped_until_they_are_too_many(self, crawl: Crawl, number: int, outcome: str) -> None:
        """A flood of them held the event loop for seconds (F10); the connection is closed with the first one too many."""
        flood = b"HTTP/1.1 103 Early Hints\r\n\r\n" * number + OK + b"Content-Length: 10\r\n\r\nMsze 12:00"
        page = crawl({"a.example": {"/": flood}}).pages[0]

        assert page.outcome == outcome
        assert outcome == "ok" or page.reason.endswith("more than 10 interim answers")

    def test_a_first_answer_cut_short_survives_a_second_that_fails(self, crawl: Crawl) -> None:
        answers: list[Answer] = [OK + b"Content-Length: 500\r\n\r\n<p>Msze 12:00", reset(b"")]
        page = crawl({"a.example": {"/": answers}}).pages[0]

        assert (page.outcome, page.body) == ("truncated", b"<p>Msze 12:00")

    @pytest.mark.row("V4")
    def test_a_body_that_trickles_is_left_and_what_came_is_kept(self, crawl: Crawl) -> None:
        """T2: at least 500 B/s; the head of the page is worth more than none."""
        trickle = slowly(OK + b"\r\n<p>Msze 12:00", b"x", every=0.05, times=100_000)
        page = crawl({"a.example": {"/": trickle}}, slow_after_seconds=0.3).pages[0]

        assert (page.outcome, page.reason) == ("truncated", "slower than 500 B/s")
        assert (page.body or b"").startswith(b"<p>Msze 12:00")

    def test_a_hostile_host_does_not_hold_up_the_others(self, crawl: Crawl) -> None:
        hosts = {f"bad{n}.example": {"/": slowly(b"H", b"T", every=0.2, times=100_000)} for n in range(5)}
        hosts |= {f"good{n}.example": {"/": Page(f"Msze {n}")} for n in range(5)}
        crawled = crawl(hosts, *(Seed(host, f"http://{host}/") for host in hosts), total_seconds=0.7, max_attempts=1)

        assert len(crawled.ok) == 5


class TestBombs:
    def test_memory_does_not_grow_with_a_bomb(self) -> None:
        unpacked = unpack(BOMB, "gzip", 5 * 1024 * 1024)

        assert unpacked.bomb
        assert unpacked.body == b""

    def test_nested_bombs_stop_at_two_layers(self) -> None:
        nested = BOMB
        for _ in range(9):
            nested = gzip.compress(nested)
        with pytest.raises(BadEncoding):
            unpack(nested, ", ".join(["gzip"] * 10), 1_000_000)

    @pytest.mark.shared
    def test_the_public_bombs_are_stopped(self) -> None:
        """S8 with a cap of 1 MiB."""
        for path in sorted(shared_folder("suites/http/scrapy/compressed").glob("bomb-*")):
            coding = path.stem.removeprefix("bomb-")
            try:
                unpacked = unpack(path.read_bytes(), coding, 1024 * 1024)
            except BadEncoding:
                continue

            assert len(unpacked.body) <= 1024 * 1024
            assert unpacked.cut

    def test_an_ordinary_page_of_blanks_is_no_bomb(self) -> None:
        body = b"<p>Msze 12:00" + b" " * 200_000

        assert unpack(gzip.compress(body), "gzip", 1_000_000).body == body


class TestTls:
    @pytest.fixture(scope="class")
    def context(self, tmp_path_factory: pytest.TempPathFactory) -> ssl.SSLContext:
        folder = tmp_path_factory.mktemp("tls")
        command = "openssl req -x509 -newkey rsa:2048 -nodes -keyout key.pem -out cert.pem -days 1 -subj /CN=wrong.example"
        try:
            subprocess.run(command.split(), cwd=folder, check=True, capture_output=True)
        except FileNotFoundError:
            pytest.skip("needs the openssl program")
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(folder / "cert.pem", folder / "key.pem")
        return context

    def test_a_self_signed_page_is_read_and_says_so(self, context: ssl.SSLContext, tmp_path: Path) -> None:
        with Loopback({"a.example": {"/": Page("Msze 9:00")}}, tls=context) as server:
            result = fetch_once("https://a.example/", config=QUICK, connect_to=server.connect_to)

        assert (result.outcome, result.body, result.tls_verified) == ("ok", b"Msze 9:00", False)

    def test_without_the_fallback_it_is_a_tls_error(self, context: ssl.SSLContext) -> None:
        with Loopback({"a.example": {"/": Page("x")}}, tls=context) as server:
            config = replace(QUICK, allow_unverified_tls=False)
            result = fetch_once("https://a.example/", config=config, connect_to=server.connect_to)

        assert result.outcome == "tls_error"
        assert server.requests == []

    def test_tls_on_a_plain_port_is_an_outcome(self) -> None:
        with Loopback({"a.example": {"/": Page("x")}}) as server:
            config = replace(QUICK, connect_seconds=1, max_attempts=1)
            result = fetch_once("https://a.example/", config=config, connect_to=server.connect_to)

        assert result.outcome in ("tls_error", "protocol_error", "refused", "timeout")


class TestHeadersAsWeapons:
    @pytest.mark.parametrize(
        "value", ["os.system", "__import__('os').system('x')", "%s%s%n", "../../etc/passwd", "'; DROP TABLE pages;--"]
    )
    def test_no_header_value_is_ever_run_or_believed(self, crawl: Crawl, value: str) -> None:
        """S11."""
        names = (
            "Referrer-Policy",
            "ETag",
            "Last-Modified",
            "Content-Type",
            "Content-Disposition",
            "Retry-After",
            "X-Robots-Tag",
            "Refresh",
        )
        crawled = crawl({"a.example": {"/": Page("Msze 9:00", content_type=None, headers=dict.fromkeys(names, value))}})

        assert crawled.outcome("http://a.example/") == "ok"

    @pytest.mark.parametrize("name", ["Content-Type", "ETag", "Last-Modified", "Location", "X-Robots-Tag", "Refresh"])
    @pytest.mark.parametrize("raw", [b"text/html; x=\xff", "święta".encode(), b"\xed\xa0\x80"])
    @pytest.mark.parametrize("head", [b"", b"Content-Length: 1\r\nContent-Length: 9\r\n"])
    def test_bytes_that_are_no_text_end_no_crawl(self, crawl: Crawl, name: str, raw: bytes, head: bytes) -> None:
        """No database takes halves of characters; the state of a diocese must not depend on one parish's server."""
        answer = b"HTTP/1.1 200 OK\r\n" + head + name.encode() + b": " + raw + b"\r\n\r\n<p>Msze 9:00"
        sites = {"a.example": {"/": answer}, "b.example": {"/": Page("Msze 10:00")}}
        crawled = crawl(sites, *(Seed(host, f"http://{host}/") for host in sites))

        assert crawled.outcome("http://b.example/") == "ok"
        assert crawled.outcome("http://a.example/") in ("ok", "truncated")


class TestWorstInputs:
    """S7: whatever a page, a header or a robots.txt repeats a million times, reading it takes no second per megabyte."""

    WORST = ("a", " ", "<", "/", "%41", "=;", "2026-", "<a href=", "&#", "user-agent:", "http://", ";url=", "\n ")

    @pytest.mark.parametrize("piece", WORST)
    def test_reading_is_linear(self, piece: str) -> None:
        megabyte = (piece * (1_000_000 // len(piece))).encode()
        line = piece * (4000 // len(piece))
        began = time.process_time()
        read_links(megabyte)
        RobotsRules.from_response(200, megabyte[:512_000]).is_allowed("http://a.example/x")
        is_text(megabyte[:1024], line, line, line)
        retry_after_seconds(line, datetime.now(UTC), QUICK)
        robots_header(line)
        detect(megabyte, line)
        with contextlib.suppress(BadUrl):
            is_dated(canonicalize("http://a.example/" + line))

        assert time.process_time() - began < 4
