"""Sites of the tests that show nothing without their scripts."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from contextlib import suppress
from pathlib import Path
from typing import Final

import pytest

from mass_pipeline_tests.crawling.loopback import Answer, Page

CHROMIUM: Final = shutil.which("chromium-headless-shell") or shutil.which("chromium") or "/usr/bin/chromium"
_NAMESPACE: Final = ("unshare", "--user", "--net", "--map-user=1000", "--map-group=1000", "true")


def _can_be_begun() -> bool:
    with suppress(OSError):
        return Path(CHROMIUM).exists() and subprocess.run(_NAMESPACE, capture_output=True, check=False).returncode == 0
    return False


NEEDS_BROWSER = [
    pytest.mark.browser,
    pytest.mark.skipif(
        not _can_be_begun() and os.environ.get("MASS_TESTS_REQUIRE_SERVICES") != "1",
        reason="needs Debian's chromium-headless-shell or chromium, and a kernel that gives namespaces to users",
    ),
]
SETTINGS: Final[dict[str, object]] = {"render": True, "render_browser": CHROMIUM, "render_script_seconds": 30.0}
ORDER: Final = {"Niedziela": ["7:30", "9:00", "11:15"], "Dni powszednie": ["18:00"]}
SCRIPT: Final = Page(
    """
    async function show() {
        const order = await (await fetch('/dane/msze.json')).json();
        const lines = Object.entries(order).map(([day, hours]) => `<p>${day}: ${hours.join(', ')}</p>`);
        document.getElementById('root').innerHTML =
            `<h1>Porządek Mszy Świętych</h1>${lines.join('')}<a href="/historia">Historia parafii</a>`;
    }
    """,
    content_type="text/javascript",
)
DATA: Final = Page(json.dumps(ORDER), content_type="application/json")


def shell(script: str = "show()", head: str = '<script src="/app.js"></script>') -> Page:
    """A page without a word, and the script that fills it."""
    return Page(
        f'<html><head><meta charset="utf-8"><title>Parafia</title>{head}</head>'
        f'<body><div id="root"></div><script>{script}</script></body></html>',
        headers={"ETag": '"1"'},
    )


def site(start: Page | None = None, **more: Answer) -> dict[str, Answer | list[Answer]]:
    """The files of a parish whose page a script makes out of data; more by their names."""
    files: dict[str, Answer | list[Answer]] = {
        "/": start or shell(),
        "/app.js": SCRIPT,
        "/dane/msze.json": DATA,
        "/historia": Page("<html><body><p>Parafia powstała w roku 1923.</p></body></html>"),
    }
    return files | {f"/{name}": answer for name, answer in more.items()}
