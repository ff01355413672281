"""The one place that opens connections: a port, and its aiohttp implementation. No policy beyond the limits of one request.

aiohttp because it costs a fifth of httpx per fetch (docs/dependencies.md). Every name goes through the gate's resolver, which
hands out only approved addresses; redirects, cookies, proxies and `.netrc` are off. A server whose answer aiohttp refuses is read
leniently when it is asked again.
"""

from __future__ import annotations

import asyncio
import functools
import re
import ssl
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from types import TracebackType
from typing import Any, Final, NamedTuple, Self

import aiohttp
from aiohttp.abc import AbstractResolver, ResolveResult
from aiohttp.client_proto import ResponseHandler
from multidict import CIMultiDict, CIMultiDictProxy
from yarl import URL

from mass_pipeline.crawling.fetching.clock import Clock
from mass_pipeline.crawling.fetching.config import CrawlConfig
from mass_pipeline.crawling.fetching.content_type import LOOKED_AT_BYTES, is_text, surely_text
from mass_pipeline.crawling.fetching.decompression import BadEncoding, Unpacked, unpack
from mass_pipeline.crawling.fetching.gate import Gate
from mass_pipeline.crawling.fetching.lenient import HEADER_BYTES, HEADERS, INTERIM_ANSWERS, NoHttp, read_leniently, request_of
from mass_pipeline.crawling.fetching.outcomes import TOO_LONG, Failure, Outcome
from mass_pipeline.crawling.fetching.urls import split

_IDLE_CONNECTION_SECONDS: Final = 15.0
# Large bodies are read a few at a time, and the next only when one was dealt with: a hundred hosts that send without end must
# not fill the memory (hazards S1). About one page in a hundred is as large.
_LARGE_BYTES: Final = 128 * 1024
_LARGE_AT_ONCE: Final = 2
_BUFFER_BYTES: Final = 16 * 1024  # beyond twice as much that nobody took yet, a connection is not read
_MAX_BROKEN: Final = 10_000
_EMAIL: Final = re.compile(r"[\w.+-]+@[\w.-]+")  # RFC 9110 10.1.2: robots should say whom to write to


class TransportFailure(Failure):
    """No usable answer; caught by the downloader, which decides about another try."""


class _Slot:
    """A place among the large bodies; free again when nobody holds the answer any more."""

    __slots__ = ("_places",)

    def __init__(self, places: asyncio.Semaphore) -> None:
        self._places = places

    def __del__(self) -> None:
        self._places.release()


@dataclass(slots=True)
class Answer:
    """What a server sent.

    Attributes:
        headers: case-insensitive view; bytes stand as Latin-1, so that none is lost and every database takes them.
        body: content encoding removed, at most the limit; empty when `is_text` is False.
        latency: seconds from connection to headers (P9).
        elapsed: seconds until the end of the body.
        is_text: False when the body was judged binary and reading stopped.
        truncated: cut at the limit.
        complete: False when not all came, or the server contradicted itself about where the end is.
        fault: why it is not complete, for people; "" when it is.
        bomb: the body was a decompression bomb and is empty.
        wire_bytes: bytes of body received.
        slot: what a large body holds so that not too many are in memory; given up by whoever keeps the answer.
    """

    status: int
    headers: Mapping[str, str]
    body: bytes = field(repr=False)
    latency: float
    elapsed: float
    is_text: bool = True
    truncated: bool = False
    complete: bool = True
    fault: str = ""
    bomb: bool = False
    tls_verified: bool = True
    wire_bytes: int = 0
    slot: object = None

    @property
    def cut_short(self) -> str:
        """Why the page is not whole, for people; "" when it is."""
        if self.truncated:
            return TOO_LONG
        return "" if self.complete else self.fault or "not all of it came"


class _Request(NamedTuple):
    """What `AiohttpTransport.ask` was asked for."""

    method: str
    url: str
    headers: Mapping[str, str]
    content: bytes | None
    limit: int
    any_type: bool


class GateResolver(AbstractResolver):
    """Gives aiohttp the addresses the gate approved, and nothing else."""

    def __init__(self, gate: Gate) -> None:
        self._gate = gate

    async def resolve(self, host: str, port: int = 0, family: Any = 0) -> list[ResolveResult]:
        """Approved addresses, in order of preference."""
        return [
            ResolveResult(hostname=host, host=address, port=to_port, family=10 if ":" in address else 2, proto=0, flags=0)
            for address, to_port in await self._gate.addresses(host, port)
        ]

    async def close(self) -> None:
        """Nothing to close."""


class AiohttpTransport:
    """Fetches approved URLs over HTTP/1.1 with keep-alive, without following anything; an async context manager."""

    def __init__(self, gate: Gate, config: CrawlConfig, clock: Clock) -> None:
        self._gate = gate
        self._config = config
        self._steady = clock.steady
        self._session: aiohttp.ClientSession | None = None
        self._broken: set[str] = set()  # origins whose HTTP was refused once
        self._headers = _own_headers(config)
        self._large = asyncio.Semaphore(_LARGE_AT_ONCE)

    async def __aenter__(self) -> Self:
        config = self._config
        connector = Connector(GateResolver(self._gate), _IDLE_CONNECTION_SECONDS)
        self._session = aiohttp.ClientSession(
            connector=connector,
            cookie_jar=aiohttp.DummyCookieJar(),
            auto_decompress=False,
            read_bufsize=_BUFFER_BYTES,
            trust_env=False,
            timeout=aiohttp.ClientTimeout(
                total=config.total_seconds, sock_connect=config.connect_seconds, sock_read=config.idle_seconds
            ),
            max_line_size=HEADER_BYTES,
            max_field_size=HEADER_BYTES,
            max_headers=HEADERS,
            skip_auto_headers=("User-Agent", "Accept", "Accept-Encoding"),
            headers=self._headers,
        )
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        assert self._session is not None
        await self._session.close()

    async def ask(
        self,
        url: str,
        headers: Mapping[str, str],
        limit: int,
        *,
        any_type: bool = False,
        method: str = "GET",
        content: bytes | None = None,
    ) -> Answer:
        """One request.

        Args:
            url: canonical.
            headers: besides the fixed ones.
            limit: most bytes of body, on the wire and decompressed.
            any_type: read binaries too.
            content: body of a request that is no GET.

        Raises:
            TransportFailure: no usable answer.
            GateRefusal: the host may not be contacted.
        """
        request = _Request(method, url, headers, content, limit, any_type)
        try:
            return await self._ask(request, verify=True)
        except (aiohttp.ClientSSLError, ssl.SSLError) as error:
            if not self._config.allow_unverified_tls:
                raise TransportFailure(Outcome.TLS_ERROR, _reason(error)) from error
        except Exception as error:
            raise _failure(error) from error
        try:
            answer = await self._ask(request, verify=False)
        except Exception as error:
            raise _failure(error) from error
        answer.tls_verified = False
        return answer

    async def _ask(self, request: _Request, verify: bool) -> Answer:
        addresses = await self._gate.approve(request.url)  # literals never reach the resolver
        started = self._steady()
        if self._broken and request.method == "GET" and split(request.url).origin in self._broken:
            answer = await self._ask_leniently(request, addresses[0], verify)
        else:
            answer = await self._ask_strictly(request, verify)
        answer.elapsed = self._steady() - started
        return answer

    async def _ask_strictly(self, request: _Request, verify: bool) -> Answer:
        assert self._session is not None
        url = URL(request.url, encoded=True)
        tls = _tls_context(verify) if url.scheme == "https" else True  # reading the certificates takes 25 ms
        started = self._steady()
        try:
            async with self._session.request(
                request.method, url, headers=request.headers, data=request.content, allow_redirects=False, ssl=tls
            ) as response:
                latency = self._steady() - started
                answer = Answer(response.status, _as_latin1(response.headers), b"", latency, latency)
                if response.status != 304:
                    await self._read(response, answer, request.limit, request.any_type)
                return answer
        except aiohttp.ClientResponseError:
            if len(self._broken) < _MAX_BROKEN:
                self._broken.add(split(request.url).origin)
            raise

    async def _ask_leniently(self, request: _Request, address: tuple[str, int], verify: bool) -> Answer:
        """The same for a server that breaks the rules: nothing that came is lost, and a wrong end is marked."""
        config, limit = self._config, request.limit
        parts = split(request.url)
        authority = parts.origin.partition("://")[2]
        try:
            framed, latency = await read_leniently(
                address,
                request_of(parts.path + parts.query, authority, [*self._headers.items(), *request.headers.items()]),
                tls=_tls_context(verify) if parts.scheme == "https" else None,
                server_name=parts.host.strip("[]"),
                limit=limit,
                seconds=(config.connect_seconds, config.idle_seconds, config.total_seconds),
                steady=self._steady,
            )
        except NoHttp as error:
            raise TransportFailure(Outcome.PROTOCOL_ERROR, str(error)) from error
        answer = Answer(framed.status, framed.headers, b"", latency, latency)
        answer.truncated = len(framed.body) > limit
        answer.wire_bytes = len(framed.body)
        answer.fault = framed.fault
        answer.complete = not framed.fault
        if request.any_type or self._promises_text(answer, framed.body[:LOOKED_AT_BYTES], parts.path):
            self._finish(answer, framed.body[:limit], limit, parts.path, request.any_type)
        return answer

    async def _read(self, response: aiohttp.ClientResponse, answer: Answer, limit: int, any_type: bool) -> None:
        judged = any_type or surely_text(answer.headers.get("Content-Type"))
        chunks: list[bytes] = []
        size = 0
        content = response.content
        started = self._steady()
        try:
            while chunk := await content.readany():
                chunks.append(chunk)
                size += len(chunk)
                if size > limit:
                    answer.truncated = True
                    chunks[-1] = chunk[: limit - size]
                    response.close()
                    break
                if size > _LARGE_BYTES and answer.slot is None:
                    await self._large.acquire()
                    answer.slot = _Slot(self._large)
                seconds = self._steady() - started
                if seconds > self._config.slow_after_seconds and size < seconds * self._config.min_bytes_per_second:
                    answer.complete, answer.fault = False, f"slower than {self._config.min_bytes_per_second:g} B/s"
                    response.close()
                    break
                if not judged and size >= LOOKED_AT_BYTES:
                    judged = True
                    if not self._promises_text(answer, b"".join(chunks), response.url.raw_path):
                        response.close()
                        break
        except (TimeoutError, aiohttp.ClientPayloadError, aiohttp.ClientOSError, aiohttp.ServerDisconnectedError) as error:
            if not chunks and isinstance(error, asyncio.TimeoutError):
                raise
            answer.complete = False  # what came is kept; the caller may try once more
            answer.fault = "no end in time" if isinstance(error, asyncio.TimeoutError) else "the connection broke"
        answer.wire_bytes = size
        if answer.is_text:
            raw = b"".join(chunks)
            chunks.clear()
            self._finish(answer, raw, limit, response.url.raw_path, any_type)

    def _promises_text(self, answer: Answer, raw: bytes, path: str) -> bool:
        head = _unpack(raw, answer, LOOKED_AT_BYTES).body
        answer.is_text = self._is_wanted(answer, head, path)
        return answer.is_text

    def _finish(self, answer: Answer, raw: bytes, limit: int, path: str, any_type: bool) -> None:
        unpacked = _unpack(raw, answer, limit)
        answer.truncated |= unpacked.cut
        if not unpacked.complete and not answer.truncated:
            answer.complete, answer.fault = False, answer.fault or "its compressed data have no end"
        answer.bomb = unpacked.bomb
        answer.body = unpacked.body
        if not any_type and answer.status == 200 and not self._is_wanted(answer, answer.body[:LOOKED_AT_BYTES], path):
            answer.is_text = False
            answer.body = b""

    def _is_wanted(self, answer: Answer, head: bytes, path: str) -> bool:
        if self._config.keep_pdf and head.startswith(b"%PDF-"):
            return True
        return is_text(head, answer.headers.get("Content-Type"), path, answer.headers.get("Content-Disposition"))


def _own_headers(config: CrawlConfig) -> dict[str, str]:
    """What every request says."""
    headers = {
        "User-Agent": config.user_agent,
        "Accept": "text/html,application/xhtml+xml,text/plain;q=0.9,*/*;q=0.1",
        "Accept-Language": "pl,en;q=0.5",
        "Accept-Encoding": "gzip, deflate",
    }
    contact = config.contact.strip()
    return headers | ({"From": contact} if _EMAIL.fullmatch(contact) else {})


@functools.cache
def _tls_context(verify: bool) -> ssl.SSLContext:
    context = ssl.create_default_context()
    context.set_alpn_protocols(("http/1.1",))
    context.keylog_filename = None  # type: ignore[assignment]  # whatever SSLKEYLOGFILE says (hazards G8)
    if not verify:
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
    return context


def _as_latin1(headers: CIMultiDictProxy[str]) -> Mapping[str, str]:
    """The headers without what aiohttp makes of bytes that are no UTF-8: halves of characters, which no database takes."""
    if all(map(str.isascii, headers.values())):
        return headers
    return CIMultiDict({name: value.encode("utf-8", "surrogateescape").decode("latin-1") for name, value in headers.items()})


def _unpack(raw: bytes, answer: Answer, limit: int) -> Unpacked:
    encoding = answer.headers.get("Content-Encoding")
    if encoding is None:
        return Unpacked(raw)
    try:
        return unpack(raw, encoding, limit)
    except BadEncoding as error:
        raise TransportFailure(Outcome.PROTOCOL_ERROR, str(error)) from error


def _failure(error: Exception) -> Failure:
    """Whatever an answer makes aiohttp, a codec or the sockets below them raise, as one of the closed list of outcomes."""
    if isinstance(error, Failure):
        return error
    if isinstance(error, asyncio.TimeoutError):
        return TransportFailure(Outcome.TIMEOUT, _reason(error) or "no answer in time")
    if isinstance(error, aiohttp.ClientSSLError | ssl.SSLError | ssl.CertificateError):
        return TransportFailure(Outcome.TLS_ERROR, _reason(error))
    if isinstance(error, aiohttp.ClientConnectorError):
        return TransportFailure(Outcome.REFUSED, _reason(error.os_error))
    return TransportFailure(Outcome.PROTOCOL_ERROR, f"{type(error).__name__}: {_reason(error)}")


def _reason(error: BaseException) -> str:
    return " ".join(str(error).split())[:200]


class TooManyInterimAnswers(aiohttp.ClientError):
    """The server sends nothing but interim answers; the connection was closed."""

    def __init__(self) -> None:
        super().__init__(f"more than {INTERIM_ANSWERS} interim answers")


class _Handler(ResponseHandler):
    """Counts the interim answers before each answer; the first one too many ends the connection."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        super().__init__(loop)
        self._interim = 0

    def feed_data(self, data: Any, size: int = 0) -> None:
        """Take a parsed message, as `ResponseHandler` hands them to itself."""
        is_interim = data[0].code < HTTPStatus.OK
        self._interim = self._interim + 1 if is_interim else 0
        if self._interim <= INTERIM_ANSWERS:
            super().feed_data(data, size)
        elif self._interim == INTERIM_ANSWERS + 1:
            self._should_close = True
            self.set_exception(TooManyInterimAnswers())
            if self.transport is not None:
                self.transport.close()


class Connector(aiohttp.TCPConnector):
    """Connections whose answers are read so.

    Args:
        resolver: gives the addresses; nothing else is asked.
        keepalive_seconds: that an idle connection is kept.
    """

    def __init__(self, resolver: AbstractResolver, keepalive_seconds: float) -> None:
        # The gate keeps a cache of names of its own, after its check.
        super().__init__(limit=0, resolver=resolver, use_dns_cache=False, keepalive_timeout=keepalive_seconds)
        handler: Callable[..., ResponseHandler] = _Handler
        self._factory = functools.partial(handler, loop=self._loop)
