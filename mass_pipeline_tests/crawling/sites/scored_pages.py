"""Pages written for the tests of scorers."""

from __future__ import annotations

from mass_pipeline.crawling.pages.links import read_links
from mass_pipeline.crawling.pages.spider import SeenPage
from mass_pipeline.crawling.sites.frontier import Link


def page(path: str, markup: str, depth: int = 0) -> SeenPage:
    """A received page of http://a.example."""
    return SeenPage("a", f"http://a.example{path}", depth, "", markup.encode(), "text/html", "utf-8", read_links(markup))


def link(path: str, text: str = "", depth: int = 1) -> Link:
    """A link that may enter the frontier of http://a.example."""
    return Link(f"http://a.example{path}", text, depth, "http://a.example/", "a")
