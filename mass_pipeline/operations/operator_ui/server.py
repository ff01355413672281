"""The process that serves the Dagster UI: `python -m mass_pipeline.operations.operator_ui.server`.

What a request must pass before the UI sees it: host, origin, and no change by GET. Dagster's web server has no log-in and takes
GraphQL mutations by GET, from any site and under any name: a page that the operator opens could start runs and wipe assets.
Programs (the GraphQL client, curl) send neither Origin nor Sec-Fetch-Site and pass; browsers always send one of them with a
request that changes something.

Source: W3C Fetch Metadata; RFC 9110 7.4 (421), 15.5.6 (405); WHATWG WebSockets (Origin of the opening handshake).
"""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import Final
from urllib.parse import parse_qsl

import click
from graphql import GraphQLError, OperationDefinitionNode, OperationType, parse
from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

_SAFE_METHODS: Final = frozenset({"GET", "HEAD", "OPTIONS"})
_SAME_SITES: Final = frozenset({"same-origin", "none"})  # "none": typed into the address bar
_BY_NAME: Final = ("/logs/", "/download_debug/")  # what runs left; Dagster fails where there is nothing of that name
HEADERS: Final = {
    "Content-Security-Policy": "frame-ancestors 'none'",  # beside Dagster's own policy: nobody frames the UI
    "X-Frame-Options": "DENY",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}


class UiGuard:
    """ASGI middleware around Dagster's web server.

    Args:
        app: the server.
        hosts: values of the Host header under which it is reached, with port (`127.0.0.1:3000`), lower case.
    """

    def __init__(self, app: ASGIApp, *, hosts: Collection[str]) -> None:
        self._app = app
        self._hosts = frozenset(host.casefold() for host in hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        refusal = self._refusal(scope, Headers(scope=scope))
        if refusal is None:
            is_by_name = scope["path"].startswith(_BY_NAME)
            try:
                await self._app(scope, receive, send if scope["type"] == "websocket" else _with_headers(send, is_by_name))
            except Exception:
                if not is_by_name:
                    raise
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})  # before it is accepted: the client sees 403
        else:
            await PlainTextResponse(refusal[1] + "\n", refusal[0], HEADERS)(scope, receive, send)

    def _refusal(self, scope: Scope, headers: Headers) -> tuple[int, str] | None:
        if headers.get("host", "").casefold() not in self._hosts:
            return 421, "The Dagster UI is not reached under this name. Names are set by MASS_PIPELINE_OPERATION_UI_HOSTS."
        if scope["type"] == "websocket":
            return None if self._is_own_page(headers) else (403, "")
        if scope["method"] not in _SAFE_METHODS:
            return None if self._is_own_page(headers) else (403, "This request comes from another site and is refused.")
        if scope["path"].rstrip("/").endswith("/graphql") and _changes_something(scope["query_string"]):
            return 405, "A mutation is sent by POST."
        return None

    def _is_own_page(self, headers: Headers) -> bool:
        site, origin = headers.get("sec-fetch-site"), headers.get("origin")
        if site is not None and site not in _SAME_SITES:
            return False
        if origin is None:
            return True
        scheme, _, host = origin.casefold().partition("://")
        return scheme in ("http", "https") and host in self._hosts and host == headers.get("host", "").casefold()


def _changes_something(query_string: bytes) -> bool:
    """Whether a GraphQL query in an address holds a mutation; what cannot be read is refused too."""
    queries = [value for name, value in parse_qsl(query_string.decode("latin-1")) if name == "query"]
    for query in queries:
        try:
            document = parse(query, max_tokens=10_000)
        except (GraphQLError, RecursionError):
            return True
        operations = (node.operation for node in document.definitions if isinstance(node, OperationDefinitionNode))
        if any(operation is not OperationType.QUERY for operation in operations):
            return True
    return False


def _with_headers(send: Send, is_by_name: bool) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            if is_by_name and message["status"] == 500:
                message["status"] = 404
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                if name in headers and name == "Content-Security-Policy":
                    headers.append(name, value)  # both policies hold then
                else:
                    headers[name] = value
        await send(message)

    return sending


@click.command()
@click.option("--host", required=True, help="Address to listen on.")
@click.option("--port", type=int, required=True, help="Port to listen on.")
@click.option("--workspace", type=click.Path(path_type=Path), required=True, help="workspace.yaml of the code location.")
@click.option("--name", "names", multiple=True, required=True, help="Host header under which the UI is reached; repeatable.")
@click.option("--read-only", is_flag=True, help="For readers: nothing can be started or changed.")
def serve(host: str, port: int, workspace: Path, names: tuple[str, ...], read_only: bool) -> None:
    """Serve the Dagster UI of the instance in DAGSTER_HOME, until it is stopped."""
    import uvicorn
    from dagster import DagsterInstance
    from dagster_webserver.app import create_app_from_workspace_process_context
    from dagster_webserver.version import __version__

    from mass_pipeline.dagster_internals import WorkspaceFileTarget, WorkspaceProcessContext

    with DagsterInstance.get() as instance:
        instance.optimize_for_webserver(statement_timeout=15_000, pool_recycle=3_600, max_overflow=20)
        target = WorkspaceFileTarget(paths=[str(workspace)])
        with WorkspaceProcessContext(instance, version=__version__, read_only=read_only, workspace_load_target=target) as process:
            app = create_app_from_workspace_process_context(process)
            uvicorn.run(UiGuard(app, hosts=names), host=host, port=port, log_level="warning", server_header=False)


if __name__ == "__main__":
    serve()
