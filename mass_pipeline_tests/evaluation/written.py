"""Schedules, pages and sites written for this project: gold records of the scorer's form, and how they are read.

    python -m mass_pipeline_tests.evaluation.written [--show]

Reported by set, and no gate: what a parish never wrote need not be read.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from mass_pipeline.model.records import WEEKDAYS, ReadMass
from mass_pipeline.reading.regular.reading import read_page, read_text
from mass_pipeline.reading.regular.sites import read_site
from mass_pipeline.reading.text.reader import read_document
from mass_pipeline_tests.evaluation.scoring import Score, compare
from mass_pipeline_tests.reading.classes import faults, pages

SCHEDULES = Path(__file__).with_name("written_schedules.txt")
PAGES = Path(__file__).with_name("written_pages.txt")
SITES = Path(__file__).with_name("written_sites.txt")
SITES_FOLDER = SITES.with_suffix("")
OWN_SITES = Path(__file__).with_name("written_own_sites.txt")
WISHES = Path(__file__).with_name("wishes") / "schedules.txt"  # not read as meant yet, or their rule was given up
TEXTS = tuple(sorted(Path(__file__).with_name("written_texts").glob("*.txt")))


def _days(word: str) -> list[str]:
    days: list[str] = []
    for part in word.replace(",", "+").split("+"):
        first, _, last = part.partition("-")
        days += WEEKDAYS[WEEKDAYS.index(first) : WEEKDAYS.index(last) + 1] if last else [first]  # type: ignore[arg-type]
    return days


def written_masses(line: str) -> list[dict[str, Any]]:
    """Masses of one line of a label: days, times, then season, weeks and place."""
    days, times, *rest = line.split(" ", 2)
    options = rest[0] if rest else ""
    optional = options.endswith("optional")
    place = options.partition("place=")[2].removesuffix("optional").strip()
    words = dict(w.split("=", 1) for w in options.partition("place=")[0].split() if "=" in w)
    nth = [int(n) for n in words["nth"].split(",")] if "nth" in words else None
    shared = {"days": _days(days), "season": words.get("season", "all"), "nth": nth, "place": place, "optional": optional}
    return [{"time": time, **shared} for time in times.split(",")]


def written_records(source: Path = SCHEDULES) -> list[dict[str, Any]]:
    """Records `{"id", "text", "masses"}` in file order; a record that says "none" has an empty list."""
    records = []
    _, *chunks = source.read_text(encoding="utf-8").split("\n== ")  # before the first one stands what the file is
    for chunk in chunks:
        name, _, rest = chunk.partition("\n")
        text, _, readings = rest.partition("\n--\n")
        lines = [line for line in readings.splitlines() if line.strip() and line.strip() != "none"]
        records.append(
            {"id": f"written-{name.strip()}", "text": text, "masses": [m for line in lines for m in written_masses(line)]}
        )
    return records


def masses_read(record: Mapping[str, Any], source: Path) -> Sequence[ReadMass]:
    """What is read from a record of a file, by the rules alone: a text, a page, or the pages of a site."""
    if source == SCHEDULES:
        return read_text(record["text"]).masses
    folder = source.with_suffix("")
    pages = [record["text"].encode()]
    if source != PAGES:
        pages = [(folder / name).read_bytes() for name in record["text"].splitlines()]
    return read_site([read_page(read_document(page, content_type="text/html")) for page in pages]).masses


def report(*, show: bool = False) -> Iterator[str]:
    """Scores of the week by set, and with `show` the names of the records that are not read as meant."""
    scores: dict[str, Score] = {}
    for source in (SCHEDULES, PAGES, SITES, OWN_SITES):
        for record in written_records(source):
            difference = compare(record["masses"], [read.mass.as_dict() for read in masses_read(record, source)], "week")
            scores.setdefault(_set_of(source, record["id"]), Score()).add(difference)
            if show and (difference.extras or difference.misses):
                yield f"{source.stem} {record['id']}: missed {sorted(difference.misses)}, extra {sorted(difference.extras)}"
    for name, score in scores.items():
        ratios = f"{score.precision:9.4f} {score.recall:8.4f} {score.f1:8.4f} {score.perfect_share:8.3f} {score.records:8}"
        yield f"  {name:40}{ratios}"


def texts_report(*, show: bool = False) -> Iterator[str]:
    """How many of the texts of each phenomenon are read as meant, and with `show` those that are not."""
    for file in (*TEXTS, WISHES):
        read = [(page, faults(page)) for page in pages(file)]
        if show:
            yield from (f"[{page.name}] {' / '.join(page.lines)}: {'; '.join(wrong)}" for page, wrong in read if wrong)
        yield f"{sum(not wrong for _, wrong in read):4} of {len(read):4}  {f'{file.parent.stem}: {file.stem}'.replace('_', ' ')}"


def _set_of(source: Path, record: str) -> str:
    """A file is a set, but of sites each author's are one: `written-site-seventh-09`."""
    return f"{source.stem} {record.split('-')[-2]}" if source == SITES else source.stem


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--show", action="store_true", help="also the records that are not read as meant")
    show = parser.parse_args().show
    print("\n".join([*report(show=show), *texts_report(show=show)]))


if __name__ == "__main__":
    main()
