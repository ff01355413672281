"""A parish's own order beside pages that state none: does any of its published rows change?

    python -m mass_pipeline_tests.benchmarks.foreign_pages [--every 1] [--records FILE ...]

Each page whose answer is "unknown" (the written sets and, where they lie beside the checkout, those of an attack; FILE adds
records of `{"id", "html"}`) is added to each labelled real site that states an order, and the rows that are published are
compared with those of the site alone. `--every 5` takes every fifth page. Ends with 1 when more than 1 % of the pairs change.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from mass_pipeline.learning.bundled import load_model
from mass_pipeline.reading.regular.reading import PageReading
from mass_pipeline.site_reading.ownership.sites import judge_site, order_of
from mass_pipeline_tests.benchmarks.calibration import page_of
from mass_pipeline_tests.evaluation.belonging import pages as written
from mass_pipeline_tests.evaluation.reading import EVALUATION_DAY, read_pages
from mass_pipeline_tests.evaluation.sets import GOLD, load_set

TARGET_SHARE = 0.01
_MODEL = load_model(None)
_SETS = (
    written.unknown_pages, written.second_unknown_pages, written.third_unknown_pages, written.fourth_unknown_pages,
    written.fifth_unknown_pages, written.sixth_unknown_pages, written.seventh_unknown_pages, written.eighth_unknown_pages,
    written.ninth_unknown_pages,
)  # fmt: skip

Rows = frozenset[tuple[str, str, str, str]]  # days, time, season and place of what is published


def published(readings: Sequence[PageReading]) -> Rows:
    """What is published of a site."""
    site = judge_site(readings, EVALUATION_DAY)
    kept = order_of(site.schedule, site.pages, site.own, "x", _MODEL)
    return frozenset((" ".join(one.mass.days), one.mass.time, str(one.mass.season), one.mass.place) for one in kept.masses)


def foreign_pages(files: Sequence[Path]) -> Iterator[tuple[str, PageReading]]:
    """Pages whose answer is "unknown", with their names."""
    for number, pages in enumerate(_SETS, 1):
        for at, page in enumerate(pages()):
            text = written.html_of(page, written.PARISHES[at % len(written.PARISHES)], at % written.NAMING)
            yield f"{number} {page.name}", page_of(text, f"http://x.example/foreign-{number}-{at}")
    for file in (GOLD.parent / "attacks" / "unknown-pages.jsonl", *files):
        for line in file.read_text(encoding="utf-8").splitlines() if file.exists() else ():
            record = json.loads(line)
            yield f"{file.stem} {record['id']}", page_of(record["html"], f"http://x.example/{record['id']}")


def main() -> int:
    """Add, compare, print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--every", type=int, default=1, help="take every so many-th page")
    parser.add_argument("--records", type=Path, nargs="*", default=[], help="further pages")
    given = parser.parse_args()
    labelled = load_set("sites")
    sites = [
        (record.id, [reading for _, reading in read_pages(record)])
        for record in (labelled.records if labelled else ())
        if record.masses
    ]
    pages = list(foreign_pages(given.records))[:: given.every]
    changed: Counter[str] = Counter()
    gone = total = 0
    for name, readings in sites:
        alone = published(readings)
        for foreign, page in pages:
            found = published([*readings, page])
            total += 1
            if found != alone:
                changed[foreign] += 1
                gone += bool(alone - found)
                print(f"{name} + {foreign}: {len(alone - found)} rows less, {len(found - alone)} more", flush=True)
    share = sum(changed.values()) / max(1, total)
    print(
        f"{len(sites)} sites, {len(pages)} pages, {total} pairs: {sum(changed.values())} change ({share:.4f}), {gone} lose a row"
    )
    return int(share > TARGET_SHARE)


if __name__ == "__main__":
    sys.exit(main())
