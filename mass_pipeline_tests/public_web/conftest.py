"""A site over an index of written parishes, in memory and on loopback."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from mass_pipeline_tests.annotation.browsing import chromium
from mass_pipeline_tests.public_web.support import Visitor, published, served, site_over


@pytest.fixture(scope="session")
def visitor(tmp_path_factory: pytest.TempPathFactory) -> Visitor:
    """Somebody who looks at the site; nothing on it changes."""
    folder: Path = tmp_path_factory.mktemp("site")
    published(folder)
    return Visitor(site_over(folder))


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The site on a free port of loopback."""
    folder = tmp_path_factory.mktemp("site")
    published(folder)
    with served(site_over(folder, public_hosts=("127.0.0.1",))) as found:
        yield found


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """A browser of the tests of a module."""
    with chromium() as launched:
        yield launched


@pytest.fixture
def open_page(browser: Any) -> Iterator[Callable[..., Any]]:
    """Opens a page in a context of its own, at an address if one is given; closed when the test ends."""
    contexts = []

    def opened(url: str = "", **options: Any) -> Any:
        contexts.append(browser.new_context(**options))
        page = contexts[-1].new_page()
        if url:
            page.goto(url)
        return page

    yield opened
    for context in contexts:
        context.close()
