"""What a crawl costs does not grow with the number of its sites (P10)."""

from __future__ import annotations

import random
import time
from pathlib import Path

import pytest

from mass_pipeline.crawling import Seed, crawl_sites
from mass_pipeline_tests.crawling.loopback import Answer, Loopback, Page, links
from mass_pipeline_tests.crawling.made import QUICK

PAGES = 20
WORDS = ("niedziela", "parafia", "msza święta", "ogłoszenia", "kancelaria", "spowiedź", "różaniec", "proboszcz", "wikariusz")


def made_site(number: int) -> dict[str, Answer | list[Answer]]:
    """A start page and the pages it leads to, of 25 kB, each with words in an order of its own."""
    chance = random.Random(number)
    paths = [f"/strona-{n}" for n in range(PAGES - 1)]
    text = {path: "".join(f"<p>{' '.join(chance.choices(WORDS, k=40))}</p>" for _ in range(60)) for path in paths}
    return {"/": Page(links(*paths)), **{path: Page(body) for path, body in text.items()}}


def crawl_of(sites: int, folder: Path) -> tuple[float, float]:
    """CPU seconds and bytes of state, for each page, of a crawl of so many sites; the server's work counts too."""
    web = {f"h{number}.example": made_site(number) for number in range(sites)}
    seeds = [Seed(host, f"http://{host}/") for host in web]
    with Loopback(web) as server:
        begun = time.process_time()
        report = crawl_sites(seeds, state=folder, config=QUICK, connect_to=server.connect_to)
        spent = time.process_time() - begun
    assert report.finished
    kept = sum(path.stat().st_size for path in folder.glob("crawl.sqlite*"))
    return spent / sites / PAGES, kept / sites / PAGES


@pytest.mark.row("P10")
class TestGrowth:
    def test_a_page_of_eight_times_as_many_sites_costs_no_multiple(self, tmp_path: Path) -> None:
        """What grew with the sites would cost eight times as much; neighbours on the processor cost half as much again."""
        crawl_of(2, tmp_path / "warm")
        few, _ = min(crawl_of(10, tmp_path / f"few{n}") for n in range(2))
        many, kept = crawl_of(80, tmp_path / "many")

        assert many / few < 2.5
        assert kept < 7_000
