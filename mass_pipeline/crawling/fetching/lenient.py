"""Read a server whose HTTP is broken: take its bytes as they come and frame them as well as they can be.

Asked only after an answer that the strict reader refused (`transport`). Belongs here: status line, header, lengths and chunks
that contradict one another. Not here: which address may be asked (the gate has judged it), content encodings, policy.
RFC 9112 says what is right; what a wrong one means follows the browsers, except that nothing received is thrown away.
"""

from __future__ import annotations

import asyncio
import re
import ssl
import time
from collections.abc import AsyncIterator, Callable, Iterable
from dataclasses import dataclass
from typing import Final

from multidict import CIMultiDict

HEADER_BYTES: Final = 65_536  # hazards, section 3
HEADERS: Final = 200
INTERIM_ANSWERS: Final = 10  # 100 Continue, 103 Early Hints: a server sends one or two before its answer (RFC 9110 15.2)
_STATUS_LINE: Final = re.compile(rb"HTTP/\d(?:\.\d)?[ \t]+(\d{3})(?!\d)[^\r\n]*\r?\n")
_HEAD_END: Final = re.compile(rb"\r?\n\r?\n")
_CHUNK_SIZE: Final = re.compile(rb"[ \t]*([0-9a-fA-F]{1,16})[ \t]*(?:;[^\r\n]*)?\r?\n")
_CONTROLS: Final = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]")
_STATUS_BYTES: Final = 512  # without a line that begins as one should, this is no HTTP
_LINGER_SECONDS: Final = 1.0  # wait for bytes beyond the announced end
_FRAMINGS: Final = 4
_READ_BYTES: Final = 65_536
_LARGE_BYTES: Final = 131_072


class NoHttp(ValueError):
    """What came is no HTTP answer at all; the message is the reason."""


@dataclass(frozen=True, slots=True)
class Framed:
    """An answer as far as it can be made out.

    Attributes:
        headers: names without regard to case; lines that are none are dropped.
        body: transfer coding removed where it holds.
        fault: what was wrong with the framing, "" for nothing.
        ended: the announced end was reached.
    """

    status: int
    headers: CIMultiDict[str]
    body: bytes
    fault: str = ""
    ended: bool = False


def frame(raw: bytes) -> Framed | None:
    """Status, header and body of what a server sent; None while the header has no end.

    Raises:
        NoHttp: no status line, a header beyond the limits, or a flood of interim answers.

    >>> frame(b"HTTP/1.1 200 OK\\r\\nContent-Length: 2\\r\\n\\r\\nMsze").body
    b'Msze'
    """
    at = 0
    for _ in range(INTERIM_ANSWERS + 1):
        head = _head(raw, at)
        if head is None:
            return None
        status, headers, at = head
        if status >= 200:
            return _framed(status, headers, raw[at:])
    raise NoHttp(f"more than {INTERIM_ANSWERS} interim answers")


def _head(raw: bytes, at: int) -> tuple[int, CIMultiDict[str], int] | None:
    """Status and header that begin at a place, and where they end; None while they have no end."""
    first = _STATUS_LINE.match(raw, at)
    if first is None and (len(raw) - at > _STATUS_BYTES or raw.find(b"\n", at) >= 0):
        raise NoHttp("no status line")
    limit = at + HEADER_BYTES
    end = _HEAD_END.search(raw, max(first.end() - 2, at), limit) if first else None
    if first is None or end is None:
        if len(raw) > limit:
            raise NoHttp(f"a header over {HEADER_BYTES} bytes")
        return None
    return int(first[1]), _headers(raw[first.end() : end.start()]), end.end()


def _framed(status: int, headers: CIMultiDict[str], body: bytes) -> Framed:
    if status in (204, 304):
        return Framed(status, headers, b"", ended=True)
    if "chunked" in headers.get("Transfer-Encoding", "").lower():
        return Framed(status, headers, *_unchunk(body))
    return Framed(status, headers, body, *_judge_length(headers, len(body)))


def _headers(block: bytes) -> CIMultiDict[str]:
    headers: CIMultiDict[str] = CIMultiDict()
    lines = re.sub(r"\r?\n[ \t]+", " ", block.decode("latin-1")).splitlines()  # a folded line goes on with its value
    if len(lines) > HEADERS:
        raise NoHttp(f"more than {HEADERS} headers")
    for line in lines:
        name, colon, value = line.partition(":")
        if colon and name.strip():
            headers.add(name.strip(), _CONTROLS.sub(" ", value).strip())
    return headers


def _judge_length(headers: CIMultiDict[str], size: int) -> tuple[str, bool]:
    """`(fault, ended)` of a body with or without Content-Length."""
    announced = set(headers.getall("Content-Length", []))
    if not announced:
        return "", False  # the end of the connection is its end
    if len(announced) > 1 or not (text := announced.pop()).isdecimal():
        return "Content-Length contradicts itself or is no number", False
    if size > int(text[:18]):
        return "longer than its Content-Length", True
    return ("", True) if size == int(text[:18]) else ("shorter than its Content-Length", False)


def _unchunk(body: bytes) -> tuple[bytes, str, bool]:
    """`(body, fault, ended)`; text that was only announced as chunked is given as it is."""
    parts: list[bytes] = []
    at = 0
    while (size := _CHUNK_SIZE.match(body, at)) is not None:
        length = int(size[1], 16)
        if length == 0:
            return b"".join(parts), "", True
        parts.append(body[size.end() : size.end() + length])
        at = size.end() + length
        if at >= len(body):
            return b"".join(parts), "its chunks have no end", False
        at += 2 if body.startswith(b"\r\n", at) else body.startswith(b"\n", at)
    rest = body[at:]
    if not parts:
        return rest, "announced as chunked, which it is not", False
    return b"".join(parts), "its chunks have no end" if not rest.strip() else "a chunk without a size", False


async def read_leniently(
    address: tuple[str, int],
    request: bytes,
    *,
    tls: ssl.SSLContext | None,
    server_name: str,
    limit: int,
    seconds: tuple[float, float, float],
    steady: Callable[[], float],
) -> tuple[Framed, float]:
    """Send a request and take what comes until the end, the limit or the time.

    Args:
        address: approved by the gate.
        request: with `Connection: close`.
        tls, server_name: context and name for https; None for http.
        limit: most bytes of body.
        seconds: limits of connecting, of silence and of the whole request.
        steady: the clock that measures.

    Returns:
        The answer, and the seconds from connection to its header.

    Raises:
        NoHttp: nothing that could be read. TimeoutError, OSError, ssl.SSLError: as the network has it.
    """
    connect_seconds, idle_seconds, total_seconds = seconds
    deadline = time.monotonic() + total_seconds  # of the event loop, whose timers end a silence
    opening = asyncio.open_connection(*address, ssl=tls, server_hostname=server_name if tls else None, limit=_READ_BYTES)
    reader, writer = await asyncio.wait_for(opening, connect_seconds)
    connected = steady()
    latency = 0.0
    raw = bytearray()
    try:
        writer.write(request)
        async for chunk in _chunks(reader, raw, idle_seconds, deadline):
            latency = latency or steady() - connected
            raw += chunk
            if len(raw) > limit + HEADER_BYTES:
                break
    finally:
        writer.close()
    answer = await _frame_aside(raw)
    if answer is None:
        raise NoHttp("the header has no end" if raw else "nothing was sent")
    return answer, latency


async def _frame_aside(raw: bytearray) -> Framed | None:
    """`frame`; of a large answer beside the event loop, which a million chunks of a byte would hold for seconds."""
    return frame(bytes(raw)) if len(raw) <= _LARGE_BYTES else await asyncio.to_thread(frame, bytes(raw))


async def _chunks(reader: asyncio.StreamReader, raw: bytearray, idle_seconds: float, deadline: float) -> AsyncIterator[bytes]:
    """What comes, until the connection ends, the answer is whole, or nothing has come for too long."""
    silent_since = time.monotonic()
    framed = framed_bytes = 0  # length at the last framing, and what all framings went through
    answer: Framed | None = None
    while True:
        now = time.monotonic()
        try:
            chunk = await asyncio.wait_for(reader.read(_READ_BYTES), min(_LINGER_SECONDS, max(deadline - now, 0.0)))
        except TimeoutError:
            is_last = min(silent_since + idle_seconds, deadline) <= time.monotonic()
            # A server may be silent again and again: what it sent is framed anew a few times in all, not in each silent second.
            if framed < len(raw) and (is_last or framed_bytes <= _FRAMINGS * len(raw)):
                answer = await _frame_aside(raw)
                framed, framed_bytes = len(raw), framed_bytes + len(raw)
            if answer is not None and answer.ended:
                return
            if is_last:
                if answer is None:
                    raise
                return
            continue
        except OSError:
            if not raw:
                raise
            return
        if not chunk:
            return
        silent_since = time.monotonic()
        yield chunk


def request_of(path: str, host: str, headers: Iterable[tuple[str, str]]) -> bytes:
    """A GET request that asks for the connection to be closed after it."""
    lines = [f"GET {path} HTTP/1.1", f"Host: {host}", *(f"{name}: {value}" for name, value in headers), "Connection: close"]
    return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1")
