"""aiohttp's reading of answers, with an end to interim ones: a server may send one or two before its answer, not a million.

aiohttp skips interim answers (RFC 9110 15.2) for as long as they come; megabytes of them cost seconds of the event loop.
"""

from __future__ import annotations

import asyncio
import functools
from collections.abc import Callable
from http import HTTPStatus
from typing import Any

import aiohttp
from aiohttp.abc import AbstractResolver
from aiohttp.client_proto import ResponseHandler

from mass_pipeline.crawling.fetching.lenient import INTERIM_ANSWERS


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
