"""A site over an index of written parishes, in memory and on loopback."""

from __future__ import annotations

from pathlib import Path

import pytest

from mass_pipeline_tests.public_web.support import Visitor, published, site_over


@pytest.fixture(scope="session")
def visitor(tmp_path_factory: pytest.TempPathFactory) -> Visitor:
    """Somebody who looks at the site; nothing on it changes."""
    folder: Path = tmp_path_factory.mktemp("site")
    published(folder)
    return Visitor(site_over(folder))
