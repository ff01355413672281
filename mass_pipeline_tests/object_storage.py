"""A server of object storage on loopback, for tests that promise something about it: moto, which keeps everything in memory."""

from __future__ import annotations

import logging
import uuid
from collections.abc import Iterator
from contextlib import contextmanager

import httpx
from moto.server import ThreadedMotoServer


@contextmanager
def storage_server() -> Iterator[dict[str, str]]:
    """The environment that reaches it, with the bucket `lake` inside."""
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
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
