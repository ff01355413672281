"""A browser in a process of its own that has no network and can be ended: begin it, show it a page, end it.

The process gets its own user and network namespace (`unshare` of util-linux): the kernel gives it no way out, so that whatever
a page asks for is answered here or not at all. Not here: what may be asked for (`renderer`), how the browser is driven
(`browser_process`).
"""

from __future__ import annotations

import asyncio
import base64
import os
import shutil
import sys
import tempfile
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

import orjson

from mass_pipeline.crawling.fetching.config import CrawlConfig
from mass_pipeline.guard.trees import end_tree, private_bytes
from mass_pipeline.model.errors import ConfigurationError

Ask = Callable[[str, str], Awaitable[Mapping[str, Any]]]
"""`(url, kind)` -> `status`, `headers` and `body` of the answer; empty for what is not asked for."""

_PROGRAM: Final = Path(__file__).with_name("browser_process.py")
# A user that is not root there even when we are: Chromium's own sandbox wants that.
_WITHOUT_NETWORK: Final = ("unshare", "--user", "--net", "--map-user=1000", "--map-group=1000")
_LINE_BYTES: Final = 1 << 26  # longest message: a page of 5 MiB, escaped
_BEGIN_SECONDS: Final = 60.0  # a second on a quiet machine; not the fault of any page
_LOOK_SECONDS: Final = 0.5
_ERRORS: Final = "errors.log"
_LAST_WORDS: Final = 200


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


class Browser:
    """One browser, begun with its first page and kept for the next.

    Attributes:
        pid: of its process; 0 while it has none.
    """

    def __init__(self, config: CrawlConfig) -> None:
        self._config = config
        self._process: asyncio.subprocess.Process | None = None
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._ended_for = ""
        self.pid = 0

    async def show(self, order: Mapping[str, Any], ask: Ask) -> Mapping[str, Any]:
        """What a page shows: `html`, and `leads_to`, the addresses it wanted to be left for.

        Args:
            order: the page as it answered (`browser_process._Shown`).
            ask: answers what it asks for.

        Raises:
            NotRendered: it was not shown. The browser is to be ended then.
        """
        watch = asyncio.create_task(self._watch())
        try:
            if self._process is None:
                await self._begin()
            async with asyncio.timeout(self._config.render_seconds):
                await self._say({"show": dict(order)})
                return await self._converse(ask)
        except TimeoutError as error:
            raise NotRendered(f"over {self._config.render_seconds:g} s") from error
        except (ConnectionError, ValueError) as error:  # the process is gone; a line is longer than any page
            raise NotRendered(self._ended_for or f"the browser ended ({type(error).__name__})") from error
        finally:
            watch.cancel()

    async def end(self) -> None:
        """Kill the browser, and forget what it kept on the disk."""
        process, self._process = self._process, None
        if process is not None:
            end_tree(process.pid)
            await process.wait()
        if self._folder is not None:
            with suppress(OSError):
                self._folder.cleanup()
        self._folder, self.pid = None, 0

    async def _begin(self) -> None:
        self._ended_for = ""
        self._folder = tempfile.TemporaryDirectory(prefix="mass-pipeline-browser-", ignore_cleanup_errors=True)
        folder = self._folder.name
        # No setting or secret of ours is known there; profile and cache lie in the folder.
        known = {"PATH": os.environ.get("PATH", os.defpath), "LANG": "C.UTF-8", "HOME": folder, "TMPDIR": folder}
        with (Path(folder) / _ERRORS).open("wb") as errors:
            self._process = await asyncio.create_subprocess_exec(
                *_WITHOUT_NETWORK, sys.executable, "-I", str(_PROGRAM), self._config.render_browser,
                stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=errors, env=known, limit=_LINE_BYTES,
                start_new_session=True,
            )  # fmt: skip
        self.pid = self._process.pid
        try:
            async with asyncio.timeout(_BEGIN_SECONDS):
                message = await self._hear()
        except TimeoutError as error:
            raise NotRendered(f"the browser did not begin within {_BEGIN_SECONDS:g} s") from error
        if "ready" not in message:
            raise NotRendered(str(message.get("failed", "the browser did not begin")))

    async def _converse(self, ask: Ask) -> Mapping[str, Any]:
        answering: set[asyncio.Task[None]] = set()
        try:
            while True:
                message = await self._hear()
                if "failed" in message:
                    raise NotRendered(str(message["failed"]))
                if "html" in message:
                    return message
                task = asyncio.create_task(self._answer(message, ask))
                answering.add(task)
                task.add_done_callback(answering.discard)
        finally:
            for task in answering:
                task.cancel()
            await asyncio.gather(*answering, return_exceptions=True)

    async def _answer(self, message: Mapping[str, Any], ask: Ask) -> None:
        answer = await ask(str(message["url"]), str(message["kind"]))
        with suppress(ConnectionError):
            await self._say({"answer": message["ask"], **answer})

    async def _say(self, message: Mapping[str, Any]) -> None:
        assert self._process is not None
        assert self._process.stdin is not None
        self._process.stdin.write(orjson.dumps(message, default=_base64) + b"\n")
        await self._process.stdin.drain()

    async def _hear(self) -> dict[str, Any]:
        assert self._process is not None
        assert self._process.stdout is not None
        line = await self._process.stdout.readline()
        if not line:
            raise NotRendered(self._ended_for or f"the browser ended: {self._last_words()}")
        message: dict[str, Any] = orjson.loads(line)
        return message

    def _last_words(self) -> str:
        assert self._folder is not None
        words = (Path(self._folder.name) / _ERRORS).read_text("utf-8", "replace").split("\n")
        return next((one.strip()[:_LAST_WORDS] for one in reversed(words) if one.strip()), "it did not say why")

    async def _watch(self) -> None:
        """End the browser when it holds too much memory."""
        most = self._config.render_memory_bytes
        while True:
            await asyncio.sleep(_LOOK_SECONDS)
            if self._process is not None and private_bytes(self._process.pid) > most:
                self._ended_for = f"over {most:,} bytes of memory"
                end_tree(self._process.pid)


def _base64(value: object) -> str:
    if isinstance(value, bytes):
        return base64.b64encode(value).decode("ascii")
    raise TypeError(type(value).__name__)
