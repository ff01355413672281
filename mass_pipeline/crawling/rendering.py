"""Pages that only scripts fill, shown by a browser that gets nothing but what the crawl itself asks for.

The browser lives in a user and network namespace of its own (`unshare`), where the kernel gives it no way out: each request of a
page is answered here, by the crawl's one door, or not at all. Not here: robots.txt, pace, leases, addresses and size of an
answer, which hold for every request alike (`fetching.downloader`); which pages are shown (`sites.scripted`).
"""

from __future__ import annotations

import asyncio
import os
import shlex
import shutil
import tempfile
import time
from collections import Counter
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Final, Self

from mass_pipeline.crawling.fetching.chain import Follower, Stop
from mass_pipeline.crawling.fetching.config import CrawlConfig
from mass_pipeline.crawling.fetching.downloader import Downloader
from mass_pipeline.crawling.fetching.outcomes import Outcome
from mass_pipeline.crawling.fetching.scope import is_blacklisted, registrable_domain
from mass_pipeline.crawling.fetching.transport import Answer
from mass_pipeline.crawling.fetching.urls import UrlParts, canonical_or_none, split
from mass_pipeline.model.errors import ConfigurationError, MassPipelineError

if TYPE_CHECKING:
    from playwright.async_api import Browser, Page, Playwright, Route

# A user that is not root there even when we are: Chromium's own sandbox wants that.
_WITHOUT_NETWORK: Final = ("unshare", "--user", "--net", "--map-user=1000", "--map-group=1000")
_ARGUMENTS: Final = (  # besides having no network at all: nothing that the crawl did not answer would be asked for anyway
    "--proxy-server=http://127.0.0.1:9",
    "--proxy-bypass-list=<-loopback>",
    "--host-resolver-rules=MAP * ~NOTFOUND",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--disable-gpu",
)
_NOT_HANDED_ON: Final = frozenset(
    {  # of the connection, or of a visitor who comes back; a body is handed on unpacked
        "connection", "content-encoding", "content-length", "keep-alive", "trailer", "transfer-encoding", "upgrade",
        "alt-svc", "clear-site-data", "link", "nel", "refresh", "report-to", "reporting-endpoints", "set-cookie",
        "strict-transport-security",
    }
)  # fmt: skip
_WANTED: Final = frozenset({"script", "xhr", "fetch"})
_BEGIN_SECONDS: Final = 60.0  # a second on a quiet machine; not the fault of any page
_END_SECONDS: Final = 10.0
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

HandedOn = dict[str, Any]  # `status`, `headers` and `body` of an answer, as Playwright's `Route.fulfill` takes them


class NotRendered(Exception):
    """A page could not be shown; the message is the reason. Caught by the site, whose page keeps what it had."""


def require_browser(config: CrawlConfig) -> None:
    """See that a browser can be begun, before a crawl begins.

    Raises:
        ConfigurationError: something is not installed; the message says what.
    """
    if find_spec("playwright") is None:
        raise ConfigurationError("crawl.render is on, and Playwright is not installed: pip install 'mass_pipeline[browser]'.")
    if not os.access(config.render_browser, os.X_OK):
        raise ConfigurationError(
            f"crawl.render is on, and there is no browser at {config.render_browser}. Install chromium-headless-shell, or name "
            "its path in MASS_PIPELINE_CRAWL_RENDER_BROWSER."
        )
    if shutil.which(_WITHOUT_NETWORK[0]) is None:
        raise ConfigurationError("crawl.render is on, and `unshare` (util-linux) is not installed: no browser without it.")


class Renderer:
    """Browsers of one crawl, begun when a page needs one; a context manager that ends them.

    Args:
        downloader: asks for all that pages ask for, and counts `rendered_pages` and `not_rendered_pages`.
    """

    def __init__(self, config: CrawlConfig, downloader: Downloader) -> None:
        self._config = config
        self._downloader = downloader
        self._places = asyncio.Semaphore(config.render_at_once)
        self._idle: list[_Browser] = []

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        while self._idle:
            await self._idle.pop().end()

    async def show(self, url: str, answer: Answer, shared: dict[str, HandedOn]) -> ShownPage:
        """A page as its scripts leave it.

        Args:
            url: canonical.
            answer: the page as it came.
            shared: answers that pages of its site share while it is open, by URL: a script of all of them is asked for once.

        Raises:
            NotRendered: it was not shown; a browser that it kept busy was ended.
        """
        async with self._places:
            page = ShownPage(url, self._config, self._downloader, shared)
            browser = self._idle.pop() if self._idle else _Browser(self._config)
            try:
                await page.show(browser, answer)
            except NotRendered as error:
                await browser.end()
                await page.end()
                self._downloader.counters["not_rendered_pages"] += 1
                raise NotRendered(f"{error} ({page.summary})") from error
            except BaseException:
                page.is_over = True
                await browser.end()
                raise
            self._idle.append(browser)
            await page.end()
        self._downloader.counters["rendered_pages"] += 1
        return page


class _Browser:
    """A browser with its driver, begun with its first page and kept for the next."""

    def __init__(self, config: CrawlConfig) -> None:
        self._config = config
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._driver: Playwright | None = None
        self._browser: Browser | None = None

    async def begun(self) -> Browser:
        """The browser itself."""
        from playwright.async_api import async_playwright  # of the extra `browser`

        if self._browser is None:
            self._folder = tempfile.TemporaryDirectory(prefix="mass-pipeline-browser-", ignore_cleanup_errors=True)
            folder = self._folder.name
            program = Path(folder) / "browser"
            limit = f"--data={self._config.render_memory_bytes}"  # of each of its processes: a page has one of its own
            command = shlex.join((*_WITHOUT_NETWORK, "prlimit", limit, self._config.render_browser))
            program.write_text(f'#!/bin/sh\nexec {command} "$@"\n')
            program.chmod(0o700)
            self._driver = await async_playwright().start()
            self._browser = await self._driver.chromium.launch(
                executable_path=program, args=_ARGUMENTS, chromium_sandbox=True, timeout=_BEGIN_SECONDS * 1000,
                # No setting or secret of ours is known there.
                env={"PATH": os.environ.get("PATH", os.defpath), "LANG": "C.UTF-8", "HOME": folder, "TMPDIR": folder},
            )  # fmt: skip
        return self._browser

    async def end(self) -> None:
        """End the browser, whatever a page is at, and forget what it kept on the disk."""
        for owned in (self._browser and self._browser.close, self._driver and self._driver.stop):
            with suppress(Exception):
                async with asyncio.timeout(_END_SECONDS):
                    await (owned() if owned else asyncio.sleep(0))
        if self._folder is not None:
            self._folder.cleanup()
        self._folder = self._driver = self._browser = None


class ShownPage:
    """One page in a browser, and the requests it makes: one after the other, each URL once per site.

    Attributes:
        body: markup when its scripts have run, UTF-8.
        leads_to: addresses it wanted to be left for, at most 5; they were not opened.
        requests, body_bytes: that it took. failed: requests of it that were not answered well.
        is_over: nothing more is asked for it.
    """

    def __init__(self, url: str, config: CrawlConfig, downloader: Downloader, shared: dict[str, HandedOn]) -> None:
        self._url, self._host = url, split(url).host
        self._domain = registrable_domain(self._host)
        self._config, self._downloader, self._shared = config, downloader, shared
        self._follower = Follower(downloader.fetch, config, attempts=1, patience_seconds=config.render_seconds)
        self._turn = asyncio.Lock()
        self._foreign: set[UrlParts] = set()
        self._first: HandedOn | None = None  # the page itself, until the browser has it
        self._main: Page | None = None
        self._waiting = self._heard = self._asked = 0
        self._left_out: Counter[str] = Counter()
        self.is_over, self.body = False, b""
        self.leads_to: dict[str, None] = {}
        self.requests = self.body_bytes = self.failed = 0

    async def show(self, browser: _Browser, answer: Answer) -> None:
        """Take the markup when the page is at rest, or has worked for as long as it may.

        Raises:
            NotRendered: it was not shown; the browser is to be ended.
        """
        try:
            begun = await browser.begun()
        except Exception as error:  # a driver that died raises no more than that
            raise NotRendered(f"the browser did not begin: {_reason(error)}") from error
        try:
            async with asyncio.timeout(self._config.render_seconds):
                html = await self._shown(begun, answer)
                self.body = html.encode("utf-8", "replace")[: self._config.max_body_bytes]
        except TimeoutError as error:
            raise NotRendered(f"over {self._config.render_seconds:g} s") from error
        except MassPipelineError:
            raise
        except Exception as error:  # of Playwright, or of a driver that died
            raise NotRendered(_reason(error)) from error

    async def end(self) -> None:
        """Nothing more is asked; the request under way is waited for, so that its host is left its pause after it."""
        self.is_over = True
        async with self._turn:
            for parts in self._foreign:  # of other hosts than the site's nobody else takes care
                self._downloader.leave(parts)

    @property
    def summary(self) -> str:
        """What it took, for people: `3 requests; left out: forbidden_by_robots 1`."""
        words = f"{self.requests} request{'' if self.requests == 1 else 's'}"
        left = ", ".join(f"{why} {count}" for why, count in sorted(self._left_out.items()))
        return f"{words}; left out: {left}" if left else words

    async def _shown(self, browser: Browser, answer: Answer) -> str:
        seconds = self._config.render_script_seconds
        context = await browser.new_context(
            user_agent=self._config.user_agent, locale="pl-PL", timezone_id="Europe/Warsaw", service_workers="block",
            accept_downloads=False,
        )  # fmt: skip
        await context.route("**/*", self._route)
        await context.route_web_socket("**/*", lambda socket: socket.close())
        self._first, self._main = _handed_on(answer), await context.new_page()
        context.on("page", lambda popup: asyncio.ensure_future(popup.close()))
        await self._main.goto(self._url, wait_until="commit", timeout=seconds * 1000)
        left = seconds - await self._work(seconds)
        try:
            async with asyncio.timeout(max(left, 0) + _REST_SECONDS):
                html = await self._main.evaluate(_HTML, self._config.max_body_bytes)
        except TimeoutError as error:
            raise NotRendered(f"its scripts did not end within {seconds:g} s") from error
        await context.close()
        return str(html)

    async def _work(self, most: float) -> float:
        """Wait until the page is at rest; seconds that it took besides waiting for answers."""
        worked = rested = 0.0
        seen, before = self._heard, time.monotonic()
        while rested < _REST_SECONDS and worked < most:
            await asyncio.sleep(_STEP_SECONDS)
            now = time.monotonic()
            if not self._waiting:
                worked += now - before
                rested += now - before
            if self._waiting or self._heard != seen:
                rested = 0.0
            seen, before = self._heard, now
        return worked

    async def _route(self, route: Route) -> None:
        from playwright.async_api import Error

        request, self._heard = route.request, self._heard + 1
        answer: HandedOn | None = None
        if request.is_navigation_request():
            answer, self._first = self._first, None  # no other page is opened in its place, nor a frame in it
            is_of_page = self._main is not None and request.frame == self._main.main_frame
            if answer is None and is_of_page and request.method == "GET" and len(self.leads_to) < _MOST_LINKS:
                self.leads_to[request.url] = None
        elif request.resource_type == "stylesheet":  # scripts wait for style sheets, nobody looks at the page
            answer = {"status": 200, "headers": {"content-type": "text/css"}, "body": ""}
        elif request.method == "GET" and request.resource_type in _WANTED and self._heard <= _MOST_ASKED:
            self._waiting += 1
            try:
                answer = await self._answer(request.url, request.resource_type)
            finally:
                self._waiting -= 1
        with suppress(Error):  # the page is no more
            if answer is not None:
                await route.fulfill(**answer)
            else:  # what is blocked is shown as an error in place of the page, what is aborted leaves it
                await route.abort("aborted" if request.is_navigation_request() else "blockedbyclient")

    async def _answer(self, url: str, kind: str) -> HandedOn | None:
        """What a URL answers, as the browser writes it; None when the page has to do without it."""
        address = canonical_or_none(url)
        if address is None:
            return self._leave_out(Outcome.BAD_URL.value)
        if not self._is_welcome(address, kind):
            return self._leave_out("another host")
        async with self._turn:
            if address in self._shared:
                return self._shared[address]
            if self.is_over or self._asked >= self._config.render_requests or self.body_bytes >= self._config.render_bytes:
                return self._leave_out("over the limit")
            return await self._fetched(address, kind)

    async def _fetched(self, url: str, kind: str) -> HandedOn | None:
        def go_on(start: str, target: str) -> Stop | None:
            is_wanted = not self.is_over and self._is_welcome(target, kind)
            return None if is_wanted else Stop(Outcome.OUT_OF_SCOPE, f"redirects to {target}")

        self._asked += 1
        chain = await self._follower.follow(url, any_type=True, go_on=go_on)
        answer = chain.answer
        self.requests += chain.asked + len(chain.passed)
        self.failed += answer is None or answer.status >= 400
        self._foreign |= {parts for parts in map(split, (url, *chain.passed)) if parts.host != self._host}
        if answer is None:
            return self._leave_out(chain.outcome.value)
        self.body_bytes += answer.wire_bytes
        if answer.cut_short or answer.bomb or answer.headers.get("tdm-reservation") == "1":
            return self._leave_out(Outcome.TOO_LARGE.value if answer.bomb or answer.truncated else "not whole or reserved")
        result = _handed_on(answer)
        if sum(len(one["body"]) for one in self._shared.values()) + len(answer.body) <= self._config.render_bytes:
            self._shared[url] = result
        return result

    def _is_welcome(self, url: str, kind: str) -> bool:
        """Whether a page may use what a URL answers: its own site's, and scripts of the hosts that the settings name."""
        host = split(url).host
        if is_blacklisted(host, self._config.never_crawl):
            return False
        is_library = kind == "script" and is_blacklisted(host, self._config.render_script_hosts)
        return is_library or registrable_domain(host) == self._domain

    def _leave_out(self, why: str) -> HandedOn | None:
        self._left_out[why] += 1
        return None


def _handed_on(answer: Answer) -> HandedOn:
    headers = {name.lower(): value for name, value in answer.headers.items() if name.lower() not in _NOT_HANDED_ON}
    return {"status": answer.status, "headers": headers, "body": answer.body}


def _reason(error: Exception) -> str:
    """The line of an error of Playwright that says most, without the log that it adds."""
    lines = [line.strip() for line in str(error).split("\n")]
    said = next((line.partition("[err]")[2].strip() for line in lines if "[err]" in line), "") if "launch" in lines[0] else ""
    return (said or lines[0])[:200]
