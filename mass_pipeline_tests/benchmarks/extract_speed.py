"""From bytes to schedule: CPU per page, beside a bare lexbor parse of the same pages in the same run.

    python -m mass_pipeline_tests.benchmarks.extract_speed [--pages 1000] [--rounds 3]

Pages: the corpus generator and the labelled real sites of ../shared where they are there, else the golden pages. Prints
milliseconds of CPU per page (median of the rounds), the ratio to the parse, and how time grows with the length of a page.
The aims were set on one machine; how much longer this one takes is told by BeautifulSoup on the same pages, in the same run.
What was remembered of texts and tags is forgotten before each round, so that no round profits from the one before.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from bs4 import BeautifulSoup
from selectolax.lexbor import LexborHTMLParser

from mass_pipeline.reading.regular.reading import read_page
from mass_pipeline.reading.text.reader import read_document
from mass_pipeline_tests.evaluation.sets import GOLDEN
from mass_pipeline_tests.shared import ROOT

SHARED = ROOT.parent / "shared"
CODECS = {"utf-8": "utf-8", "iso-8859-2": "iso-8859-2", "windows-1250": "cp1250"}
TARGET_MS = 2.5  # issue 4, section 2
LONG_PAGE = "sites/site-013/01-archiwum15.html"
LONG_TARGET_MS = 150.0
SOUP_PAGES = 400
SOUP_ANCHOR_MS = 3.98  # text of 400 corpus pages with BeautifulSoup and lxml on the machine where the aims were set
LEAST_TEXTS_CACHED = 1000  # entries; caches of loaded files are smaller
Page = tuple[str, bytes]


def corpora(pages: int) -> Iterator[tuple[str, list[Page]]]:
    """Named lists of pages."""
    script = SHARED / "bench" / "make_corpus.py"
    if script.exists():
        yield "bench corpus", list(_generated(script, pages))
    sites = sorted((SHARED / "gold" / "sites").glob("*/*"))
    if sites:
        yield "real sites", [(str(path), path.read_bytes()) for path in sites]
    yield "golden pages", [(str(path), path.read_bytes()) for path in sorted(GOLDEN.glob("*/page*"))]


def _generated(script: Path, pages: int) -> Iterator[Page]:
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / "corpus.jsonl"
        subprocess.run(
            [sys.executable, str(script), str(target), "--pages", str(pages), "--jobs", "1"], check=True, capture_output=True
        )
        with target.open(encoding="utf-8") as lines:
            for line in lines:
                row = json.loads(line)
                yield row["url"], row["html"].encode(CODECS[row["charset"]])


def measure(step: Callable[[Page], object], pages: Sequence[Page], rounds: int) -> float:
    """Median over the rounds of the mean CPU milliseconds per page."""
    found = []
    for _ in range(rounds):
        forget()
        started = time.process_time()
        for page in pages:
            step(page)
        found.append((time.process_time() - started) * 1000 / len(pages))
    return statistics.median(found)


def forget() -> None:
    """Empty the caches of texts and tags; the vocabulary, in small caches, stays loaded."""
    for name, module in list(sys.modules.items()):
        for value in list(vars(module).values()) if name.startswith("mass_pipeline.") else ():
            if hasattr(value, "cache_clear") and (value.cache_parameters()["maxsize"] or 0) >= LEAST_TEXTS_CACHED:
                value.cache_clear()


def parse(page: Page) -> object:
    return LexborHTMLParser(page[1]).body


def soup(page: Page) -> object:
    tree = BeautifulSoup(page[1].decode("utf-8", "replace"), "lxml")
    for element in tree(["script", "style"]):
        element.decompose()
    return tree.get_text(" ", strip=True)


def extract(page: Page) -> object:
    return read_document(page[1], url=page[0])


def whole_way(page: Page) -> object:
    return read_page(read_document(page[1], url=page[0]))


def main() -> None:
    parser = argparse.ArgumentParser(prog="extract_speed", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--pages", type=int, default=1000, help="pages of the bench corpus (default: %(default)s)")
    parser.add_argument("--rounds", type=int, default=3, help="rounds, of which the median counts (default: %(default)s)")
    options = parser.parse_args()
    print(f"{'CPU ms per page':16} {'pages':>6} {'kB':>6} {'lexbor':>8} {'text':>8} {'schedule':>9} {'ratio':>6}")
    means, total, slow = 0.0, 0, 1.0
    for name, pages in corpora(options.pages):
        parsed, text, schedule = (measure(step, pages, options.rounds) for step in (parse, extract, whole_way))
        size = sum(len(body) for _, body in pages) / len(pages) / 1000
        print(f"{name:16} {len(pages):6} {size:6.1f} {parsed:8.3f} {text:8.3f} {schedule:9.3f} {schedule / parsed:6.1f}")
        if name == "bench corpus":
            slow = slowness(pages)
        if name != "golden pages":
            means, total = means + schedule * len(pages), total + len(pages)
    if total:
        print(f"mean of corpus and sites: {means / total:.2f} ms (target {TARGET_MS}, here {TARGET_MS * slow:.1f})")
    _growth(options.rounds, slow)


def slowness(pages: Sequence[Page]) -> float:
    """How many times as long as the machine of the aims this one takes at the moment."""
    taken = measure(soup, pages[:SOUP_PAGES], 1)
    ratio = taken / SOUP_ANCHOR_MS
    print(f"BeautifulSoup: {taken:.2f} ms, {SOUP_ANCHOR_MS} where the aims were set: the machine takes {ratio:.2f} times as long")
    return ratio


def _growth(rounds: int, slow: float) -> None:
    path = SHARED / "gold" / LONG_PAGE
    if path.exists():
        page = (LONG_PAGE, path.read_bytes())
        taken = measure(whole_way, [page], rounds)
        aims = f"target {LONG_TARGET_MS:.0f}, here {LONG_TARGET_MS * slow:.0f}"
        print(f"page of {len(page[1]) / 1000:.0f} kB: {taken:.0f} ms ({aims})")
    unit = "<h3>Parafia</h3><p>Niedziele: 8.00, 10.00 (poza wakacjami)</p><p>W tygodniu: 18.00</p><p>Historia parafii.</p>"
    for number in (500, 1000, 2000, 4000):
        body = (unit * number).encode()
        print(f"{len(body) / 1000:8.0f} kB: {measure(whole_way, [('x.html', body)], 1) / len(body) * 1e6:6.1f} ms per MB")


if __name__ == "__main__":
    main()
