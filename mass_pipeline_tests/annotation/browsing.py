"""The app in a real browser: what the browser tests share."""

from __future__ import annotations

import os
import random
import shutil
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
import uvicorn

from mass_pipeline.annotation.store import Store, open_store
from mass_pipeline.annotation.web.app import create_app
from mass_pipeline_tests.annotation.support import SECRET, quick

# The shell without windows does the same for a third of the processor's time; the browser itself where it is not installed.
CHROMIUM = shutil.which("chromium-headless-shell") or shutil.which("chromium") or "/usr/bin/chromium"
_ARGUMENTS = ("--no-sandbox", "--disable-gpu")  # drawn in software all the same, without a graphics process that plays a card
_RULES = "['wcag2a','wcag2aa','wcag21a','wcag21aa','wcag22aa','best-practice']"
PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True, "locale": "pl-PL"}
NEEDS_BROWSER = [
    pytest.mark.browser,
    pytest.mark.skipif(
        not Path(CHROMIUM).exists() and os.environ.get("MASS_TESTS_REQUIRE_SERVICES") != "1",
        reason="needs Debian's chromium-headless-shell or chromium",
    ),
]


@contextmanager
def chromium(*arguments: str) -> Iterator[Any]:
    """A browser that runs as long as the context; not longer than a module, as its loop is in the way of others."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=CHROMIUM, args=[*_ARGUMENTS, *arguments])
        yield launched
        launched.close()


def violations(page: Any) -> list[Any]:
    """What axe finds on the page that is open: WCAG 2.2 AA and good practice."""
    axe_playwright = pytest.importorskip("axe_playwright_python", reason="needs axe-playwright-python")
    page.evaluate(Path(axe_playwright.__file__).with_name("axe.min.js").read_text(encoding="utf-8"))
    found: list[Any] = page.evaluate(f"axe.run(document, {{runOnly: {_RULES}}})")["violations"]
    return [(one["id"], [node["html"] for node in one["nodes"]]) for one in found]


class Live:
    """The app on a free port of this process, over TLS-less loopback (a trustworthy origin for browsers)."""

    def __init__(self, store: Store) -> None:
        app = create_app(store, secret=SECRET, clock=lambda: datetime.now(UTC), rng=random.Random(1))
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = int(probe.getsockname()[1])
        self.url = f"http://127.0.0.1:{port}"
        self.server = uvicorn.Server(uvicorn.Config(app, port=port, log_level="warning", access_log=False))
        self.thread = threading.Thread(target=self.server.run, daemon=True)
        self.thread.start()
        while not self.server.started:
            time.sleep(0.02)

    def stop(self) -> None:
        self.server.should_exit = True
        self.thread.join()


class Watch:
    """Everything that must not happen while a page is open."""

    def __init__(self, page: Any, url: str) -> None:
        self.page, self.host = page, urlsplit(url).netloc
        self.requests: list[str] = []
        self.trouble: list[str] = []
        page.on("request", lambda request: self.requests.append(request.url))
        page.on("dialog", lambda dialog: (self.trouble.append(f"dialog {dialog.message}"), dialog.dismiss()))
        page.on("console", lambda message: self.trouble.append(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: self.trouble.append(str(error)))

    def check(self) -> None:
        """No script ran, nothing went elsewhere, no element or link came out of the data."""
        assert self.page.evaluate("window.__pwned") is None
        assert [url for url in self.requests if urlsplit(url).netloc != self.host] == []
        assert self.trouble == []
        strange = self.page.evaluate(
            """() => [...document.querySelectorAll('*')].filter(e =>
                 [...e.attributes].some(a => a.name.startsWith('on') || /^\\s*javascript:/i.test(a.value))
                 || ['IFRAME','OBJECT','EMBED','SVG','MATH','BASE','STYLE','VIDEO','TEMPLATE'].includes(e.tagName.toUpperCase())
                 || (e.tagName === 'SCRIPT' && !e.src.includes('/static/keys.js'))).map(e => e.outerHTML)"""
        )
        assert strange == []
        links = self.page.evaluate("() => [...document.querySelectorAll('a[target=_blank]')].map(a => a.rel)")
        assert {"noopener nofollow noreferrer"} >= set(links)


def begin(page: Any, live: Live) -> None:
    page.goto(f"{live.url}/task")
    page.click("button.go")
    page.wait_for_url("**/practice")
    page.click("footer a[href='/task']")
    page.wait_for_url("**/task")


def fast_store(folder: Path) -> Store:
    """A store that takes as many answers as a test gives."""
    fast = quick(votes_per_minute=10_000, prefix_votes_per_minute=10_000, gold_share=0.0)
    return open_store(f"sqlite:///{folder / 'a.db'}", fast)


def screenshots(tmp_path: Path) -> Path:
    """Where CI collects the pictures: MASS_TESTS_SCREENSHOTS, else the test's own folder."""
    folder = Path(os.environ.get("MASS_TESTS_SCREENSHOTS") or tmp_path)
    folder.mkdir(parents=True, exist_ok=True)
    return folder
