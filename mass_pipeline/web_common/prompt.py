"""Connections on which no request comes in time are closed: uvicorn alone waits for slow headers for ever.

Belongs: the time limit of request heads. Not here: bodies (guard), limits of requests (limits).
Source: hazards W8 (slow clients); CWE-400.
"""

from __future__ import annotations

import asyncio
from typing import Final

from uvicorn.protocols.http.auto import AutoHTTPProtocol

HEAD_SECONDS: Final = 10.0  # from the connection, or the end of the last answer on it, to the end of the next request's head


class PromptProtocol(AutoHTTPProtocol):  # type: ignore[misc, valid-type]
    """The HTTP protocol of uvicorn with a limit for the time until a request has begun."""

    _late: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:
        """See asyncio.Protocol."""
        super().connection_made(transport)
        self._wait()

    def on_response_complete(self) -> None:
        """An answer was sent: the next request may come on the same connection."""
        super().on_response_complete()
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """See asyncio.Protocol."""
        if self._late is not None:
            self._late.cancel()
        super().connection_lost(exc)

    def _wait(self) -> None:
        if self._late is not None:
            self._late.cancel()
        self._late = self.loop.call_later(HEAD_SECONDS, self._close_if_idle)

    def _close_if_idle(self) -> None:
        if self.cycle is None or self.cycle.response_complete:
            self.transport.close()
