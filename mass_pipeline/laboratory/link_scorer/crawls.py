"""Examples for the learnt scorer out of crawls: earlier ones, or one of generated sites of the demo web."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator
from itertools import groupby
from pathlib import Path
from typing import Final

from mass_pipeline.crawl_readers.stop_rule import read_statement
from mass_pipeline.crawling import CrawlConfig, CrawledPage, Seed, crawl_sites, read_pages
from mass_pipeline.demo_web.web import DemoWeb
from mass_pipeline.laboratory.link_scorer.training import Example, examples_of_site

# Another one than the demo web's own: the shipped weights have not seen the sites they are measured on.
_GENERATED_SEED: Final = 411


def crawled(states: Iterable[Path]) -> Iterator[Example]:
    """Examples of earlier crawls, from their state folders."""

    def parish(page: CrawledPage) -> str:
        return page.parish_id

    for state in states:
        for _, pages in groupby(read_pages(state), key=parish):
            yield from examples_of_site(pages, lambda page: (found := read_statement(page)) is not None and found.is_whole)


def of_demo_web(count: int) -> Iterator[Example]:
    """Examples of so many generated sites of the demo web, crawled on loopback now."""
    config = CrawlConfig(allow_private_hosts=True, no_delay=True)
    bundled = len(DemoWeb().parishes)
    with tempfile.TemporaryDirectory(prefix="mass-pipeline-train-") as folder:
        with DemoWeb(bundled + count, _GENERATED_SEED) as web:
            seeds = [Seed(one.key, one.start_url, one.site.prefix) for one in web.parishes[bundled:]]
            crawl_sites(seeds, state=Path(folder), config=config, connect_to=web.connect_to)
        yield from crawled((Path(folder),))
