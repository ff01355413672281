"""A real HTTP server on loopback with pages given by host and path, and the web of a run that leads to it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from mass_pipeline.resources.settings import Settings
from mass_pipeline.resources.web import Web


@dataclass(frozen=True, slots=True)
class Answer:
    body: bytes
    content_type: str = "text/html; charset=utf-8"
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)


Pages = Mapping[tuple[str, str], Answer]  # (host, path) -> answer; anything else is 404


@contextmanager
def serve(pages: Pages, *, places_base_url: str = "") -> Iterator[Web]:
    """Serve the pages until the context ends."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            host = self.headers.get("Host", "").split(":")[0]
            answer = pages.get((host, self.path), Answer(b"not here", "text/plain", 404))
            self.send_response(answer.status)
            for name, value in {"Content-Type": answer.content_type, **answer.headers}.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(answer.body)))
            self.end_headers()
            self.wfile.write(answer.body)

        def log_message(self, *_: object) -> None:
            """Quiet."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        port = server.server_address[1]
        yield Web(lambda host, _: ("127.0.0.1", int(port)), places_base_url)
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def web_of(pages: Pages) -> Callable[[Settings], AbstractContextManager[Web]]:
    """An opener of that web for `build_defs`."""
    return lambda _: serve(pages)
