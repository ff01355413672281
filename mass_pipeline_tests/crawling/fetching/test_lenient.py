"""Broken HTTP, framed as well as it can be (hazards T2)."""

from __future__ import annotations

import asyncio
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mass_pipeline.crawling.fetching import lenient
from mass_pipeline.crawling.fetching.lenient import INTERIM_ANSWERS, Framed, NoHttp, frame, read_leniently, request_of

HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"
CHUNKED = HEAD + b"Transfer-Encoding: chunked\r\n\r\n"
TEXT = b"<p>Msze 12:00</p>"


def body_and_fault(raw: bytes) -> tuple[bytes, str]:
    found = frame(raw)

    assert found is not None
    return found.body, found.fault


class TestBodies:
    """What of them is kept and named when they are broken: `test_misbehaviour`."""

    @pytest.mark.parametrize(
        ("rest", "body"),
        [
            (b"Content-Length: 17\r\nContent-Length: 17\r\n\r\n" + TEXT, TEXT),
            (b"\r\n" + TEXT, TEXT),
            (b"Transfer-Encoding: chunked\r\n\r\n5;x=y\r\n<p>12\r\n3\r\n:00\r\n0\r\n\r\n", b"<p>12:00"),
            (b"Transfer-Encoding: chunked\r\n\r\n5\n<p>12\n0\n\n", b"<p>12"),
        ],
        ids=["twice the same length", "no length", "chunks", "wrong line ends"],
    )
    def test_an_odd_one_is_read_without_fault(self, rest: bytes, body: bytes) -> None:
        assert body_and_fault(HEAD + rest) == (body, "")

    @pytest.mark.parametrize("rest", [b"5\r\n<p>12", b"ffffffffffffffff\r\n<p>12"])
    def test_chunks_without_end_are_marked(self, rest: bytes) -> None:
        assert body_and_fault(CHUNKED + rest) == (b"<p>12", "its chunks have no end")


class TestHeader:
    def test_folded_lines_belong_to_the_value_and_nonsense_to_nobody(self) -> None:
        found = frame(b"HTTP/1.1 200\r\nX-A: one\r\n  two\r\nnonsense\r\nX-B: a\0b\r\n\r\n")

        assert found is not None
        assert dict(found.headers) == {"X-A": "one two", "X-B": "a b"}

    @pytest.mark.parametrize("raw", [b"<html>hello</html>\r\n", b"HTTP/1.1 20 OK\r\n\r\n", b"x" * 600])
    def test_what_is_no_http_is_not_guessed_at(self, raw: bytes) -> None:
        with pytest.raises(NoHttp, match="no status line"):
            frame(raw)

    def test_limits_hold_here_too(self) -> None:
        with pytest.raises(NoHttp, match="200 headers"):
            frame(HEAD + b"".join(b"X%d: y\r\n" % n for n in range(300)) + b"\r\n")
        with pytest.raises(NoHttp, match="65536 bytes"):
            frame(HEAD + b"X: " + b"a" * 70_000)

    def test_a_header_that_goes_on_is_waited_for(self) -> None:
        assert frame(HEAD) is None


class TestInterimAnswers:
    def test_those_that_a_server_may_send_are_passed_over(self) -> None:
        found = frame(b"HTTP/1.1 103 Early Hints\r\nLink: <a>\r\n\r\n" * INTERIM_ANSWERS + HEAD + b"\r\nMsze")

        assert found is not None
        assert (found.status, found.body) == (200, b"Msze")

    def test_a_flood_of_them_is_no_answer(self) -> None:
        """Each used to cost a copy of the rest and a level of the stack."""
        with pytest.raises(NoHttp, match="interim"):
            frame(b"HTTP/1.1 100 Continue\r\n\r\n" * 200_000 + HEAD + b"\r\n")

    def test_behind_them_the_header_may_have_no_end_yet(self) -> None:
        assert frame(b"HTTP/1.1 100 Continue\r\n\r\n" + HEAD) is None


class TestAnything:
    @given(st.binary(max_size=300), st.binary(max_size=300))
    def test_no_bytes_raise_anything_else(self, header: bytes, body: bytes) -> None:
        try:
            found = frame(b"HTTP/1.1 200 OK\r\n" + header + b"\r\n\r\n" + body)
        except NoHttp:
            return

        assert found is None or isinstance(found, Framed)

    @given(st.binary(max_size=2000), st.lists(st.integers(1, 400), max_size=8))
    def test_any_body_in_any_good_chunks_comes_back(self, body: bytes, sizes: list[int]) -> None:
        rest, wire = body, b""
        for size in [*sizes, len(body) or 1]:
            piece, rest = rest[:size], rest[size:]
            wire += b"%x\r\n%s\r\n" % (len(piece), piece) if piece else b""

        assert body_and_fault(CHUNKED + wire + b"0\r\n\r\n") == (body, "")


class TestSilence:
    """A server that sends a byte and is silent, again and again, until the time of the request is over."""

    def test_costs_a_few_readings_of_what_it_sent(self, monkeypatch: pytest.MonkeyPatch) -> None:
        framed: list[int] = []

        def counted(raw: bytes) -> Framed | None:
            framed.append(len(raw))
            return frame(raw)

        async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await reader.readuntil(b"\r\n\r\n")
            writer.write(HEAD + b"Transfer-Encoding: chunked\r\n\r\n" + b"1\r\nx\r\n" * 10_000)
            for _ in range(40):
                await writer.drain()
                await asyncio.sleep(0.05)
                writer.write(b"1\r\ny\r\n")
            writer.write(b"0\r\n\r\n")
            writer.close()

        async def ask() -> Framed:
            async with await asyncio.start_server(serve, "127.0.0.1", 0) as server:
                port = server.sockets[0].getsockname()[1]
                request = request_of("/", "a.example", [])
                found, _ = await read_leniently(
                    ("127.0.0.1", port),
                    request,
                    tls=None,
                    server_name="",
                    limit=10**6,
                    seconds=(30, 30, 60),
                    steady=time.monotonic,
                )
                return found

        monkeypatch.setattr(lenient, "_LINGER_SECONDS", 0.01)
        monkeypatch.setattr(lenient, "frame", counted)
        found = asyncio.run(ask())

        assert found.body == b"x" * 10_000 + b"y" * 40
        assert sum(framed) <= 8 * max(framed)
