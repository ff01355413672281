"""A server of object storage on loopback, for tests that promise something about it: moto, which keeps everything in memory."""

from __future__ import annotations

import io
import logging
import threading
import uuid
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import httpx
from moto.server import ThreadedMotoServer

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment


class _OneAtATime:
    """Answers one request after the other: moto looks at `If-Match` and writes in two steps, between which another may write."""

    def __init__(self, app: WSGIApplication) -> None:
        self._app = app
        self._turn = threading.Lock()

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        # Read before its turn: who stands still while sending must not hold the others up.
        if length := int(environ.get("CONTENT_LENGTH") or 0):
            environ["wsgi.input"] = io.BytesIO(environ["wsgi.input"].read(length))
        with self._turn:
            return list(self._app(environ, start_response))


@contextmanager
def storage_server() -> Iterator[dict[str, str]]:
    """The environment that reaches it, with the bucket `lake` inside."""
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    assert server._server is not None
    server._server.app = _OneAtATime(server._server.app)
    try:
        host, port = server.get_host_and_port()
        address = f"http://{host}:{port}"
        httpx.put(f"{address}/lake", timeout=60).raise_for_status()  # before its first answer it loads much
        yield {
            "AWS_ENDPOINT_URL": address,
            "AWS_ALLOW_HTTP": "true",
            "AWS_ACCESS_KEY_ID": "tests",
            "AWS_SECRET_ACCESS_KEY": "tests",
            "AWS_REGION": "us-east-1",
        }
    finally:
        server.stop()


def fresh_address() -> str:
    """A place in the bucket that nobody has used."""
    return f"s3://lake/{uuid.uuid4().hex}"
