"""The guard before the Dagster UI, over real HTTP: foreign names, foreign pages, changes by GET."""

from __future__ import annotations

import asyncio
import http.client
import json
import socket
import threading
import time
from collections.abc import Iterator
from urllib.parse import quote

import pytest
import uvicorn
from aiohttp import ClientSession, WSServerHandshakeError
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket

from mass_pipeline.operations.operator_ui.server import UiGuard
from mass_pipeline_tests.shared import PATIENCE_SECONDS

MUTATION = 'mutation { launchRun(executionParams: {mode: "default"}) { __typename } }'


async def _reached(request: Request) -> JSONResponse:
    return JSONResponse({"method": request.method})


async def _failing(request: Request) -> JSONResponse:
    raise LookupError(request.path_params)


async def _socket(socket: WebSocket) -> None:
    await socket.accept()
    await socket.send_text("reached")
    await socket.close()


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])
    routes = [
        WebSocketRoute("/graphql", _socket),
        *(Route(f"/{name}/{{path:path}}", _failing) for name in ("logs", "download_debug", "broken")),
        Route("/{path:path}", _reached, methods=["GET", "POST", "DELETE"]),
    ]
    app = UiGuard(Starlette(routes=routes), hosts=[f"127.0.0.1:{port}", "ui.example"])
    server = uvicorn.Server(uvicorn.Config(app, host="127.0.0.1", port=port, log_level="error", ws="websockets-sansio"))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    yield port
    server.should_exit = True
    thread.join(PATIENCE_SECONDS)


def ask(port: int, method: str, path: str, **headers: str) -> tuple[int, http.client.HTTPMessage]:
    """Status and headers of one request; `host` replaces the Host header, underscores stand for dashes."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE_SECONDS)
    try:
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        body = json.dumps({"query": MUTATION}) if method == "POST" else None
        connection.request(method, path, body, {"Content-Type": "application/json", **sent})
        answer = connection.getresponse()
        answer.read()
        return answer.status, answer.headers
    finally:
        connection.close()


class TestHost:
    @pytest.mark.parametrize("host", ["evil.example", "127.0.0.1", "localhost.evil.example", "", "127.0.0.1:80"])
    def test_a_foreign_name_is_misdirected(self, port: int, host: str) -> None:
        """DNS rebinding: a page of evil.example that resolves to 127.0.0.1."""
        assert ask(port, "GET", "/", Host=host)[0] == 421

    def test_own_names_and_the_proxys_are_answered(self, port: int) -> None:
        assert [ask(port, "GET", "/")[0], ask(port, "GET", "/", Host="UI.example")[0]] == [200, 200]


class TestChangesByGet:
    @pytest.mark.parametrize(
        "query", [MUTATION, "query a {version} mutation b {wipe}", "subscription {x}", "mutation{", "{" * 5_000, "fragment"]
    )
    def test_are_not_allowed(self, port: int, query: str) -> None:
        assert ask(port, "GET", f"/graphql?query={quote(query)}")[0] == 405

    def test_questions_are(self, port: int) -> None:
        assert ask(port, "GET", f"/graphql?query={quote('{version}')}")[0] == 200

    def test_a_second_query_does_not_hide_behind_the_first(self, port: int) -> None:
        assert ask(port, "GET", f"/graphql?query={quote('{version}')}&query={quote(MUTATION)}")[0] == 405


class TestOrigin:
    @pytest.mark.parametrize(
        "headers",
        [
            {"Origin": "http://evil.example"},
            {"Origin": "null"},
            {"Sec_Fetch_Site": "cross-site"},
            {"Sec_Fetch_Site": "same-site"},
            {"Origin": "http://ui.example"},
        ],
    )
    def test_a_change_from_another_page_is_refused(self, port: int, headers: dict[str, str]) -> None:
        assert ask(port, "POST", "/graphql", **headers)[0] == 403
        assert ask(port, "DELETE", "/report_asset_materialization/parishes", **headers)[0] == 403

    def test_own_pages_and_programs_may_change(self, port: int) -> None:
        own = {"Origin": f"http://127.0.0.1:{port}", "Sec_Fetch_Site": "same-origin"}

        assert [ask(port, "POST", "/graphql", **own)[0], ask(port, "POST", "/graphql")[0]] == [200, 200]

    def test_a_socket_of_another_page_is_refused(self, port: int) -> None:
        async def opened(origin: str) -> str:
            async with (
                ClientSession() as session,
                session.ws_connect(f"http://127.0.0.1:{port}/graphql", origin=origin) as ws,
            ):
                return str((await ws.receive(timeout=PATIENCE_SECONDS)).data)

        assert asyncio.run(opened(f"http://127.0.0.1:{port}")) == "reached"
        with pytest.raises(WSServerHandshakeError) as refused:
            asyncio.run(opened("http://evil.example"))
        assert refused.value.status == 403


class TestHeaders:
    def test_nobody_frames_the_ui(self, port: int) -> None:
        headers = ask(port, "GET", "/")[1]

        assert (headers["X-Frame-Options"], headers["Content-Security-Policy"]) == ("DENY", "frame-ancestors 'none'")


class TestNamesOfRuns:
    """B14: Dagster's own server answered 500."""

    @pytest.mark.parametrize(("path", "status"), [("/logs/", 404), ("/download_debug/none", 404), ("/broken/", 500)])
    def test_what_no_run_left_is_not_there(self, port: int, path: str, status: int) -> None:
        assert ask(port, "GET", path)[0] == status
