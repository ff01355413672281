"""The components of the crawler and the flow of a page through them (P6), a hundred sites at once (P10)."""

from __future__ import annotations

import asyncio
import importlib.util
import re
import sys
from pathlib import Path
from types import FrameType

import pytest

from mass_pipeline import crawling
from mass_pipeline.crawling import CrawlConfig, Seed
from mass_pipeline_tests.crawling.loopback import Page, Request, links
from mass_pipeline_tests.crawling.made import Crawl
from mass_pipeline_tests.shared import PATIENCE_SECONDS, ROOT

FLOW = ["engine", "scheduler", "downloader", "spider", "item pipeline"]
_ROOM = Path(crawling.__file__).parent
_ROW = re.compile(r"^\| ([a-z ]+)(?:: [^|]*)? \| (.+) \|$", re.MULTILINE)


def roles() -> dict[str, list[str]]:
    """Role -> its modules, by the table of docs/crawler.md."""
    page = (ROOT / "docs" / "crawler.md").read_text("utf-8")
    table = page.partition("## Roles")[2].partition("One event loop")[0]
    return {role: re.findall(r"`([\w/]+)`", modules) for role, modules in _ROW.findall(table) if role != "role"}


@pytest.mark.row("P6")
class TestComponents:
    def test_each_role_of_the_document_has_modules_that_are_there(self) -> None:
        stems = {path.stem for path in _ROOM.rglob("*")}

        assert list(roles()) == ["engine", "scheduler", "downloader", "spider", "middlewares", "item pipeline"]
        for modules in roles().values():
            assert [name for name in modules if name not in stems and not _is_elsewhere(name)] == []

    def test_a_page_takes_them_in_the_order_of_the_document_until_no_request_is_left(self, crawl: Crawl) -> None:
        """Engine, scheduler, downloader, spider and pipeline, once for each page, and the engine ends it."""
        of_module = {module: role for role in FLOW for module in reversed(roles()[role]) if module != "store"}
        passed: list[str] = []

        def note(frame: FrameType, event: str, _: object) -> None:
            path = frame.f_code.co_filename
            role = of_module.get(Path(path).stem) if event == "call" and path.startswith(str(_ROOM)) else None
            if role is not None and passed[-1:] != [role]:
                passed.append(role)

        sys.setprofile(note)
        try:
            crawled = crawl({"a.example": {"/": Page(links("/msze")), "/msze": Page("Niedziela 9:00")}})
        finally:
            sys.setprofile(None)

        assert len(crawled.ok) == 2
        assert crawled.report.finished
        for _ in crawled.ok:
            for role in FLOW[1:]:
                assert role in passed, f"{role} comes too late or not at all"
                passed = passed[passed.index(role) + 1 :]
        assert "engine" in passed


def _is_elsewhere(name: str) -> bool:
    return importlib.util.find_spec(f"mass_pipeline.crawl_readers.{name}") is not None


@pytest.mark.row("P10")
class TestAHundredSites:
    def test_are_asked_at_the_same_time_by_default(self, crawl: Crawl) -> None:
        """No site answers before a hundred have been asked; the hundred and first waits for one to end."""
        asked: set[str] = set()
        all_asked = asyncio.Event()

        async def answer(request: Request, writer: asyncio.StreamWriter) -> None:
            asked.add(request.host)
            if len(asked) >= 100:
                all_asked.set()
            await asyncio.wait_for(all_asked.wait(), PATIENCE_SECONDS)
            writer.write(Page(f"Parafia {request.host}").wire())

        hosts = [f"h{n}.example" for n in range(105)]
        crawled = crawl({host: {"/": answer} for host in hosts}, *(Seed(host, f"http://{host}/") for host in hosts))

        assert CrawlConfig().sites_at_once == 100
        assert len(crawled.ok) == 105
