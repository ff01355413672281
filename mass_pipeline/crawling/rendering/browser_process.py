"""The program that drives the browser: shows one page after the other and asks its parent for all that they ask for.

It runs in a process of its own without a network (`browser.Browser` begins it so), with nothing of this package loaded. Lines of
JSON come in (`{"show": page}`, `{"answer": number, ...}`) and go out (`{"ready": version}`, `{"ask": number, ...}`, in the end
`{"html": ...}` or `{"failed": why}`); bodies are base64. It ends with its input. Not here: what may be asked for.
"""

from __future__ import annotations

import asyncio
import base64
import json
import os
import sys
import time
from typing import Any, Final

from playwright.async_api import Browser, Error, Page, Request, Route, WebSocketRoute, async_playwright

_ARGUMENTS: Final = (  # besides having no network at all: nothing that the crawl did not answer would be asked for anyway
    "--proxy-server=http://127.0.0.1:9",
    "--proxy-bypass-list=<-loopback>",
    "--host-resolver-rules=MAP * ~NOTFOUND",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--disable-gpu",
)
_WANTED: Final = frozenset({"script", "xhr", "fetch"})
_STEP_SECONDS: Final = 0.1
_REST_SECONDS: Final = 1.5  # so long nothing is asked for and nothing awaited: the page is at rest
_MOST_LINKS: Final = 5
_MOST_ASKED: Final = 2_000  # beyond, a page is not even listened to
_HTML: Final = """most => {
    const roots = [];
    const look = node => {
        for (const one of node.querySelectorAll('*')) if (one.shadowRoot) { roots.push(one.shadowRoot); look(one.shadowRoot); }
    };
    look(document);
    const html = document.documentElement;
    const inside = roots.length && html.getHTML ? html.getHTML({shadowRoots: roots}) : html.innerHTML;
    return ('<!DOCTYPE html><html lang="' + (html.lang || '').replace(/[^\\w-]/g, '') + '">' + inside + '</html>').slice(0, most);
}"""


class _Parent:
    """Whoever began this process."""

    def __init__(self) -> None:
        self._waiting: dict[int, asyncio.Future[dict[str, Any]]] = {}
        self._asked = 0

    def tell(self, message: dict[str, Any]) -> None:
        """One line."""
        sys.stdout.buffer.write(json.dumps(message).encode() + b"\n")
        sys.stdout.buffer.flush()

    async def ask(self, url: str, kind: str) -> dict[str, Any]:
        """What a URL answers; without a status when it was not asked for."""
        self._asked += 1
        number = self._asked
        self._waiting[number] = asyncio.get_running_loop().create_future()
        self.tell({"ask": number, "url": url, "kind": kind})
        return await self._waiting[number]

    def hear(self, message: dict[str, Any]) -> None:
        """An answer came."""
        waiting = self._waiting.pop(int(message["answer"]), None)
        if waiting is not None and not waiting.done():
            waiting.set_result(message)


class _Shown:
    """One page in the browser.

    Args:
        order: url, status, headers and body of the page; user_agent; script_seconds and characters, its limits.
    """

    def __init__(self, order: dict[str, Any], parent: _Parent) -> None:
        self._order = order
        self._parent = parent
        self._waiting = 0  # requests without an answer
        self._asked = 0
        self._begun = False
        self._leads_to: dict[str, None] = {}
        self._page: Page | None = None

    async def show(self, browser: Browser) -> dict[str, Any]:
        """What the page shows when it is at rest, or has worked for as long as it may."""
        context = await browser.new_context(
            user_agent=self._order["user_agent"],
            locale="pl-PL",
            timezone_id="Europe/Warsaw",
            service_workers="block",
            accept_downloads=False,
        )
        await context.route("**/*", self._route)
        await context.route_web_socket("**/*", _close)
        self._page = page = await context.new_page()
        context.on("page", lambda popup: asyncio.ensure_future(popup.close()))
        seconds = float(self._order["script_seconds"])
        await page.goto(self._order["url"], wait_until="commit", timeout=seconds * 1000)
        left = seconds - await self._work(seconds)
        async with asyncio.timeout(max(left, 0) + _REST_SECONDS):
            html = await page.evaluate(_HTML, self._order["characters"])
        await context.close()
        return {"html": str(html), "leads_to": list(self._leads_to)[:_MOST_LINKS]}

    async def _work(self, most: float) -> float:
        """Wait until the page is at rest; seconds that it took besides waiting for answers."""
        worked = rested = 0.0
        seen, before = self._asked, time.monotonic()
        while rested < _REST_SECONDS and worked < most:
            await asyncio.sleep(_STEP_SECONDS)
            now = time.monotonic()
            if not self._waiting:
                worked += now - before
                rested += now - before
            if self._waiting or self._asked != seen:
                rested = 0.0
            seen, before = self._asked, now
        return worked

    async def _route(self, route: Route) -> None:
        request = route.request
        self._asked += 1
        try:
            if request.is_navigation_request():
                await self._navigate(route, request)
            elif request.resource_type == "stylesheet":  # scripts wait for style sheets, nobody looks at the page
                await route.fulfill(status=200, headers={"content-type": "text/css"}, body="")
            elif request.method == "GET" and request.resource_type in _WANTED and self._asked <= _MOST_ASKED:
                await self._ask(route, request)
            else:
                await route.abort("blockedbyclient")
        except Error:
            pass  # the page is no more

    async def _navigate(self, route: Route, request: Request) -> None:
        """The page itself is fetched already; no other is opened in its place, only reported. Frames are the crawl's business."""
        if not self._begun:
            self._begun = True
            await _fulfill(route, self._order)
            return
        if self._page is not None and request.frame == self._page.main_frame and request.method == "GET":
            self._leads_to[request.url] = None
        await route.abort("aborted")

    async def _ask(self, route: Route, request: Request) -> None:
        self._waiting += 1
        try:
            answer = await self._parent.ask(request.url, request.resource_type)
        finally:
            self._waiting -= 1
        if "status" in answer:
            await _fulfill(route, answer)
        else:
            await route.abort("blockedbyclient")


async def _fulfill(route: Route, answer: dict[str, Any]) -> None:
    await route.fulfill(status=int(answer["status"]), headers=answer["headers"], body=base64.b64decode(answer["body"]))


async def _close(socket: WebSocketRoute) -> None:
    await socket.close()


async def _show(browser: Browser, order: dict[str, Any], parent: _Parent) -> None:
    try:
        parent.tell(await _Shown(order, parent).show(browser))
    except TimeoutError:
        parent.tell({"failed": f"its scripts did not end within {order['script_seconds']:g} s"})
    except Error as error:
        parent.tell({"failed": error.message.partition("\n")[0][:200]})


async def _serve(executable: str) -> None:
    parent = _Parent()
    reader = asyncio.StreamReader(limit=1 << 30)
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    async with async_playwright() as playwright:
        try:
            browser = await playwright.chromium.launch(executable_path=executable, args=_ARGUMENTS, chromium_sandbox=True)
        except Error as error:
            parent.tell({"failed": f"the browser did not begin: {error.message.partition(chr(10))[0][:200]}"})
            return
        parent.tell({"ready": browser.version})
        shown: asyncio.Task[None] | None = None
        while line := await reader.readline():
            message = json.loads(line)
            if "show" in message:
                shown = asyncio.create_task(_show(browser, message["show"], parent))
            else:
                parent.hear(message)
        del shown
        os._exit(0)  # whatever a page is at: the driver ends the browser with this process


if __name__ == "__main__":
    asyncio.run(_serve(sys.argv[1]))
