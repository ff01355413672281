"""The first screen of a phone: real towns, real names, from the table of parishes where it lies beside the project."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from statistics import median
from typing import Any
from urllib.parse import quote

import pytest

from mass_pipeline_tests.annotation.browsing import NEEDS_BROWSER, PHONE, chromium
from mass_pipeline_tests.public_web.country import build_country
from mass_pipeline_tests.public_web.support import served, site_over
from mass_pipeline_tests.shared import ROOT

TABLE = ROOT.parent / "shared/directory/parishes-2018.tsv"
TOWNS = (
    "Zamość", "Opole", "Częstochowa", "Rzeszów", "Kielce", "Elbląg", "Koszalin", "Legnica", "Płock", "Włocławek", "Gniezno",
    "Suwałki", "Olsztyn", "Chełm", "Nysa", "Sandomierz", "Kraków", "Warszawa", "Gdynia", "Bytom",
)  # fmt: skip
SUNDAY = datetime(2026, 11, 22, 6, 20, tzinfo=UTC)  # before nearly all Masses of the day: most hours stand on a card
PAGES = {"results": "/msze?q={}", "results of next Sunday": "/msze?q={}%2029.11"}

pytestmark = [*NEEDS_BROWSER, pytest.mark.skipif(not TABLE.exists(), reason="needs the table of parishes")]


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A site over the parishes of twenty towns."""
    folder = tmp_path_factory.mktemp("towns")
    head, *rows = TABLE.read_text(encoding="utf-8").splitlines()
    column = head.split("\t").index("Miejscowość")
    own = [row for row in rows if row.split("\t")[column].split("-")[0].strip() in TOWNS]
    table = folder / "towns.tsv"
    table.write_text("\n".join([head, *own]) + "\n", encoding="utf-8")
    build_country(table, folder, days=16)
    with served(site_over(folder, at=SUNDAY, public_hosts=("127.0.0.1",))) as found:
        yield found


@pytest.mark.parametrize("scripts", [True, False], ids=["with scripts", "without"])
@pytest.mark.parametrize("kind", PAGES)
def test_the_first_card_begins_at_200_and_five_whole_ones_stand_on_it(address: str, kind: str, scripts: bool) -> None:
    """Medians over twenty towns at 360 x 740; the first card of each of them within the bound."""
    with chromium() as browser:
        page = browser.new_page(**PHONE, java_script_enabled=scripts)
        seen = [first_screen(page, address + PAGES[kind].format(quote(town))) for town in TOWNS]
    print(f"{kind}: first card and whole cards of {dict(zip(TOWNS, seen, strict=True))}")

    assert max(top for top, _ in seen) <= 200
    assert median(count for _, count in seen) >= 5


def first_screen(page: Any, url: str) -> tuple[int, int]:
    """Where the first card begins, and how many whole ones the screen has."""
    page.goto(url)
    boxes = [card.bounding_box() for card in page.locator(".mass").all()[:10]]
    return round(boxes[0]["y"]), sum(box["y"] + box["height"] <= 740 for box in boxes)
