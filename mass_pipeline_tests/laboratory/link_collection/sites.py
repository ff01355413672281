"""A small web of sites that link to each other and outside."""

from __future__ import annotations

from collections.abc import Callable

from mass_pipeline_tests.crawling.loopback import Page, links
from mass_pipeline_tests.laboratory.link_collection.conftest import Collection, Sites

Make = Callable[[Sites], Collection]


def web(sites: int = 3, pages: int = 8) -> Sites:
    """Sites whose pages form a tree; page n of site s links to n * s mod 4 other sites."""
    return {
        f"s{s}.example": {("/" if n == 0 else f"/{n}"): Page(links(*_hrefs(s, n, pages))) for n in range(pages)}
        for s in range(1, sites + 1)
    }


def _hrefs(site: int, page: int, pages: int) -> list[str]:
    inner = [f"/{child}" for child in (2 * page + 1, 2 * page + 2) if child < pages]
    return [*inner, *(f"http://e{site}-{page}-{k}.example/" for k in range(page * site % 4)), "javascript:x()"]
