"""Clients that send their request drop by drop, over real sockets."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator

import pytest
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route

from mass_pipeline.web_common import guard, prompt
from mass_pipeline.web_common.guard import Guard
from mass_pipeline.web_common.prompt import PromptProtocol
from mass_pipeline_tests.shared import PATIENCE_SECONDS

HEAD = b"POST / HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost\r\nContent-Type: application/x-www-form-urlencoded\r\n"


async def _length(request: Request) -> PlainTextResponse:
    return PlainTextResponse(str(len(await request.body())))


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    routes = [Route("/", _length, methods=["GET", "POST"])]
    app = Guard(Starlette(routes=routes), public_hosts=["localhost"], max_body_bytes=1_000, headers={})
    with pytest.MonkeyPatch.context() as patch, socket.socket() as listening:
        patch.setattr(prompt, "HEAD_SECONDS", 0.5)
        patch.setattr(guard, "BODY_SECONDS", 0.5)
        listening.bind(("127.0.0.1", 0))
        server = uvicorn.Server(uvicorn.Config(app, http=PromptProtocol, log_level="error", timeout_keep_alive=60))
        thread = threading.Thread(target=lambda: server.run(sockets=[listening]), daemon=True)
        thread.start()
        while not server.started:
            time.sleep(0.01)
        yield int(listening.getsockname()[1])
        server.should_exit = True
        thread.join(PATIENCE_SECONDS)


def spoken(port: int, *parts: bytes) -> bytes:
    """What the server sends until it closes; "..." at the end when it says nothing."""
    with socket.create_connection(("127.0.0.1", port)) as connection:
        connection.settimeout(PATIENCE_SECONDS)
        for part in parts:
            connection.sendall(part)
        found = b""
        try:
            while received := connection.recv(4096):
                found += received
        except TimeoutError:
            found += b"..."
        except ConnectionResetError:
            pass
        return found


class TestSlowHeads:
    def test_a_silent_connection_is_closed(self, port: int) -> None:
        assert spoken(port) == b""

    def test_half_a_head_is_not_waited_for(self, port: int) -> None:
        """F18: such connections stayed open for ever."""
        assert spoken(port, b"GET / HTTP/1.1\r\nHost: loc") == b""

    def test_nor_half_a_second_one_after_an_answer(self, port: int) -> None:
        found = spoken(port, b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", b"GET / HT")

        assert found.startswith(b"HTTP/1.1 200")
        assert not found.endswith(b"...")


class TestSlowBodies:
    def test_a_body_that_does_not_come_is_answered_408(self, port: int) -> None:
        assert spoken(port, HEAD + b"Content-Length: 100\r\n\r\na=").startswith(b"HTTP/1.1 408")

    def test_one_that_comes_is_read(self, port: int) -> None:
        assert spoken(port, HEAD + b"Connection: close\r\nContent-Length: 3\r\n\r\na=b").endswith(b"3")
