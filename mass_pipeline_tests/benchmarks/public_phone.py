"""Twelve tasks on a phone: by touch at 360 x 740, with scripts and without; each within 10 seconds and 4 taps.

    python -m mass_pipeline_tests.benchmarks.public_country --directory ../shared/directory/parishes-2018.tsv --out FOLDER
    python -m mass_pipeline_tests.benchmarks.public_phone --data FOLDER

A tap is a touch of a link, a button or a field; letters are typed at 60 ms each and are no taps. A task is done when what it asks
for is seen on the screen, without scrolling where it says so. Needs Debian's chromium-headless-shell or chromium.
"""

from __future__ import annotations

import argparse
import secrets
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from mass_pipeline.finding.parish_links import make_link
from mass_pipeline.public_web.site import Site
from mass_pipeline_tests.annotation.browsing import PHONE, chromium
from mass_pipeline_tests.benchmarks.targets import Targets
from mass_pipeline_tests.public_web.support import site_over
from mass_pipeline_tests.public_web.test_browser import served

NOW: Final = datetime(2026, 11, 22, 7, tzinfo=UTC)  # a Sunday morning
_MOST_SECONDS: Final = 10.0
_MOST_TAPS: Final = 4
_A_LETTER_MS: Final = 60
_WAIT_MS: Final = 15_000
_CARD: Final = ".mass >> nth=0 >> .title a"


@dataclass(slots=True)
class Phone:
    """A page under a finger.

    Attributes:
        taps: so far.
    """

    page: Any
    address: str
    token: str
    has_scripts: bool
    taps: int = 0

    def open(self, path: str = "/") -> None:
        """Go to an address, as a bookmark or a link in a letter does."""
        self.page.goto(self.address + path)

    def tap(self, selector: str) -> None:
        """Touch what is found first."""
        self.taps += 1
        self.page.locator(selector).first.tap(timeout=_WAIT_MS)

    def write(self, selector: str, words: str) -> None:
        """Touch a field and type."""
        self.tap(selector)
        self.page.keyboard.type(words, delay=_A_LETTER_MS)

    def ask(self, words: str) -> None:
        """Put a question to the box: two taps."""
        self.open()
        self.write("#q", words)
        self.tap(".box button.go")

    def sees(self, selector: str, *, at_once: bool = False) -> None:
        """Wait until it is there; `at_once`: on the screen, without scrolling."""
        found = self.page.locator(selector).first
        found.wait_for(state="visible", timeout=_WAIT_MS)
        if at_once:
            box = found.bounding_box()
            assert box is not None
            assert box["y"] + box["height"] <= self.page.viewport_size["height"], f"{selector} is below the screen"


def _near(phone: Phone) -> None:
    """By the button, which needs scripts; without them by postcode."""
    if not phone.has_scripts:
        phone.ask("30-001")
    else:
        phone.open()
        phone.tap("#near")
    phone.sees(".mass .at", at_once=True)


def _choose(phone: Phone, selector: str, **chosen: Any) -> None:
    phone.taps += 1
    phone.page.locator(selector).select_option(**chosen)


def _with_wheelchair(phone: Phone) -> None:
    phone.open("/msze?q=Krak%C3%B3w")
    phone.tap(".fields summary")
    phone.tap("input[name=wozek]")
    phone.tap(".fields button.go")
    phone.sees(".mass .at")


def _report(phone: Phone) -> None:
    phone.open("/msze?q=Gniezno+niedziela")
    phone.page.goto(phone.address + str(phone.page.locator(_CARD).first.get_attribute("href")))
    phone.tap("a[href*='/zglos?']")
    _choose(phone, "select[name=mass_id]", index=1)
    phone.tap("input[name=time]")
    phone.page.locator("input[name=time]").fill("10:30")
    phone.tap("form.stack button.go")
    phone.sees("text=Stan zgłoszenia", at_once=True)


def _confirm(phone: Phone) -> None:
    phone.open(f"/potwierdz/{phone.token}")
    phone.tap("button[value=in_force]")
    phone.sees("text=Stan zgłoszenia", at_once=True)


def _after(words: str, *taps: str, seen: str = ".mass .at", at_once: bool = True) -> Callable[[Phone], None]:
    """A task that begins with a question."""

    def do(phone: Phone) -> None:
        phone.ask(words)
        for selector in taps:
            phone.tap(selector)
        phone.sees(seen, at_once=at_once)

    return do


TASKS: Final[dict[str, Callable[[Phone], None]]] = {
    "Masses of today in a town": _after("Gniezno"),
    "tomorrow evening in a city": _after("msza jutro po 18 w Krakowie"),
    "in English in a city": _after("po angielsku Kraków"),
    "a town, then its Sunday": _after("Tarnów", "[role=group] .chip:has-text('Niedziela')"),
    "the next Mass of a church by name": _after("parafia św. Floriana Kraków", _CARD, seen=".now strong"),
    "where an hour comes from": _after("Gniezno", ".why summary", seen=".why[open] q", at_once=False),
    "Midnight Mass in a town": _after("pasterka Tarnów"),
    "the way to a church": _after("Gniezno", _CARD, seen="a[href^='geo:']", at_once=False),
    "what is near": _near,
    "for a wheelchair": _with_wheelchair,
    "a visitor gives the right hour": _report,
    "a parish confirms its order by its link": _confirm,
}


def main() -> int:
    """Do the tasks; 1 when one was not done in time."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="folder that public_country built an index in")
    chosen = parser.parse_args()
    targets = Targets()
    with tempfile.TemporaryDirectory() as inbox:
        site = replace(site_over(chosen.data, at=NOW, public_hosts=("127.0.0.1",)), inbox=Path(inbox))
        with site.reading() as (index, connection):
            site.places(index, connection)  # put together before the first people come, as `public serve` does
        with served(site) as address, chromium() as browser:
            for has_scripts in (True, False):
                for name, task in TASKS.items():
                    seconds, taps = _done(browser, address, site, task, has_scripts)
                    said = f"{name}, {'with' if has_scripts else 'without'} scripts"
                    targets.at_most(f"{said}: seconds", seconds, _MOST_SECONDS, " s")
                    targets.at_most(f"{said}: taps", taps, _MOST_TAPS)
    return targets.end()


def _done(browser: Any, address: str, site: Site, task: Callable[[Phone], None], has_scripts: bool) -> tuple[float, int]:
    here = {"latitude": 50.061, "longitude": 19.937}
    context = browser.new_context(**PHONE, java_script_enabled=has_scripts, permissions=["geolocation"], geolocation=here)
    with site.reading() as (_, connection):
        (parish_id,) = connection.execute("SELECT parish_id FROM parish WHERE state = 'fresh' LIMIT 1").fetchone()
    phone = Phone(context.new_page(), address, make_link(site.inbox, parish_id, secrets.token_hex(4), NOW), has_scripts)
    started = time.perf_counter()
    try:
        task(phone)
    finally:
        context.close()
    return time.perf_counter() - started, phone.taps


if __name__ == "__main__":
    sys.exit(main())
