"""The demo web, composed once and served once for all its tests."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import httpx
import pytest

from mass_pipeline.demo_web.web import DemoWeb
from mass_pipeline_tests.shared import PATIENCE_SECONDS

Get = Callable[..., httpx.Response]


@pytest.fixture(scope="session")
def demo() -> DemoWeb:
    """The bundled sites, composed and not served."""
    return DemoWeb()


@pytest.fixture(scope="session")
def served() -> Iterator[DemoWeb]:
    """The bundled sites after a real server."""
    with DemoWeb() as web:
        yield web


@pytest.fixture(scope="session")
def get(served: DemoWeb) -> Iterator[Get]:
    """Ask the server for a logical URL, without following redirects."""
    with httpx.Client(timeout=PATIENCE_SECONDS) as client:

        def ask(url: str, method: str = "GET", **headers: str) -> httpx.Response:
            parts = httpx.URL(url)
            named = {name.replace("_", "-"): value for name, value in headers.items()}
            address = parts.copy_with(host="127.0.0.1", port=served.port)
            return client.request(method, address, headers={"Host": parts.host, **named})

        yield ask
