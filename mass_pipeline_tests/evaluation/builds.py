"""Prints a digest of everything that is read from each page, string and announcement.

    python -m mass_pipeline_tests.evaluation.builds > one.txt
    python -m mass_pipeline_tests.evaluation.builds --real > before.txt          # real records alone, by their rows
    python -m mass_pipeline_tests.evaluation.builds --real --against before.txt  # afterwards: records that are read differently

Pages: golden pages, written sites, pages made to hurt, and the labelled pages, the benchmark's corpus and the public test
suites of ../shared where they are there. Announcements: the written ones and the labelled ones (builds_of_announcements).
A change that only moves code prints the same before and after. A change of what is read prints other lines: `--real` has a
line for each real record (labelled sites, pages and strings, rows of diocesan tables, pages without any Mass, announcements)
with the rows that are published and those withheld of it, so that the lines that differ say what changed.
"""

from __future__ import annotations

import argparse
import csv
import hashlib
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import fields, is_dataclass
from datetime import date
from enum import Enum
from itertools import chain
from pathlib import Path

from mass_pipeline.model.records import ReadMass, SiteSchedule
from mass_pipeline.reading.regular.reading import read_page, read_strings
from mass_pipeline.reading.text.reader import read_document
from mass_pipeline_tests.benchmarks.extract_speed import corpora
from mass_pipeline_tests.evaluation.builds_of_announcements import everything_said, labelled_sheets, sheets
from mass_pipeline_tests.evaluation.reading import read_record
from mass_pipeline_tests.evaluation.sets import NEGATIVES, SHARED_SETS, load_set
from mass_pipeline_tests.shared import ROOT

_LARGEST_BYTES = 2_000_000  # of a file of the suites; beyond it is no page
_CORPUS_PAGES = 300
_DEEP = 100_000
_LABELLED = ("directory", "directory-2", "sites-ascii", NEGATIVES)  # the pages of `sites` are among those of the benchmark

Page = tuple[str, bytes]


def pages() -> Iterator[Page]:
    """Every page, under a name of its own."""
    for _, found in corpora(_CORPUS_PAGES):
        yield from found
    for labelled in filter(None, map(load_set, _LABELLED)):
        for record in labelled.records:
            yield from ((str(path), path.read_bytes()) for _, path, _ in record.pages)
    for path in sorted((ROOT / "mass_pipeline_tests" / "evaluation").glob("written_*")):
        yield from _texts(path)
    suites = ROOT.parent / "shared" / "suites"
    for name in ("html", "encoding", "web"):
        for path in sorted((suites / name).rglob("*")):
            if path.is_file() and path.stat().st_size <= _LARGEST_BYTES:
                yield str(path), path.read_bytes()
    yield from hazards()


def hazards() -> Iterator[Page]:
    """Pages nested or repeated so often that a stack would not hold them."""
    for name in ("div", "ul><li", "table><tr><td", "b", "span style='font-weight:bold'", "svg", "dl><dd", "p"):
        yield f"deep {name}", f"{f'<{name}>' * _DEEP}Niedziela 8.00, 10.00".encode()
    for text in ("(", ")", "[", "/", "(8.00 ", "zamiast 8.00 ", "8.00-", "poza ", "w niedzielę (", "<!", "&", "**", "|"):
        yield f"many {text}", f"<p>Niedziela 9.00 {text * (_DEEP // len(text))}".encode()
    yield "long word", b"<p>Niedziela " + b"x" * (10 * _DEEP) + b" 8.00"
    yield "long number", b"<p>Niedziela " + b"8" * _DEEP + b" 8.00"
    yield "JSON within JSON", b'<script type="application/ld+json">' + b"[" * _DEEP + b"</script>8.00"


def _texts(path: Path) -> Iterator[Page]:
    files = sorted(path.rglob("*")) if path.is_dir() else [path]
    for file in (file for file in files if file.is_file()):
        yield str(file), file.read_bytes()


def digest(page: Page) -> str:
    """Of lines, notices, verdicts and Masses; an error is told by its name."""
    name, body = page
    try:
        document = read_document(body, url=name)
        told = f"{plain(document)}\n{plain(read_page(document))}"
    except Exception as error:  # printed as what it is
        told = repr(error)
    return _short(told)


def _short(told: str) -> str:
    return hashlib.sha256(told.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def plain(value: object) -> str:
    """Written out in full, in one order, whatever the order of sets and the names of objects."""
    if isinstance(value, Enum):
        return str(value.value)
    if value is None or isinstance(value, str | int | float | date):
        return repr(value)
    if isinstance(value, type):  # the class of a condition, under which a scope holds it
        return value.__name__
    if is_dataclass(value):
        return f"{type(value).__name__}({', '.join(plain(getattr(value, field.name)) for field in fields(value))})"
    if isinstance(value, AbstractSet):
        return f"{{{', '.join(sorted(map(plain, value)))}}}"
    if isinstance(value, Mapping):
        return f"{{{', '.join(f'{plain(key)}: {plain(item)}' for key, item in value.items())}}}"
    if isinstance(value, Sequence):
        return f"[{', '.join(map(plain, value))}]"
    return type(value).__name__


def real_records() -> Iterator[str]:
    """A line for each real record: its name, then the rows that are published and, with a question mark, those withheld."""
    for labelled in filter(None, map(load_set, (*SHARED_SETS, NEGATIVES))):
        for record in labelled.records:
            yield f"{labelled.name} {record.id}\t{rows(read_record(record).schedule)}"
    for number, entry in enumerate(diocesan_rows()):
        masses = read_strings(*entry).masses
        yield f"table {number}\t{rows(SiteSchedule(masses, 'read' if masses else 'none'))}"
    for sheet in labelled_sheets():
        yield f"announcement {sheet.name}\t{plain(everything_said(sheet)[1:])}"


def diocesan_rows() -> Iterator[tuple[str, str, str]]:
    """Hours of Sundays, weekdays and feasts of eleven dioceses, where their tables lie next to the checkout."""
    table = ROOT.parent / "shared" / "directory" / "diocesan-tables.tsv"
    if table.is_file():
        with table.open(encoding="utf-8", newline="") as lines:
            for entry in csv.DictReader(lines, delimiter="\t"):
                yield entry["sunday"], entry["weekday"], entry["feast"]


def rows(schedule: SiteSchedule) -> str:
    """Each Mass with its conditions and confidence, in one order; withheld ones with the reasons."""
    withheld = (f"?{_row(one.read)} ({', '.join(one.reasons)})" for one in schedule.withheld)
    return "; ".join(chain([schedule.status], map(_row, schedule.masses), withheld))


def _row(read: ReadMass) -> str:
    mass = read.mass
    nth = "" if mass.nth is None else f" nth {','.join(map(str, mass.nth))}"
    place = mass.place and f" place {mass.place}"
    note = mass.note and f" note {mass.note}"
    season = "" if mass.season == "all" else f" {mass.season}"
    season += mass.season_days and f" {mass.season_days}"
    return f"{','.join(mass.days)} {mass.time}{season}{nth}{place}{note} @{read.confidence:.3f}"


def differences(before: Iterable[str], after: Iterable[str]) -> Iterator[str]:
    """Records that are read differently, gone or new, with both readings; each reading by its name and a tab."""
    old, new = (dict(line.rstrip("\n").split("\t", 1) for line in lines) for lines in (before, after))
    for name in dict.fromkeys(chain(old, new)):
        if old.get(name) != new.get(name):
            yield f"{name}\n  - {old.get(name, 'no such record')}\n  + {new.get(name, 'no such record')}"


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m mass_pipeline_tests.evaluation.builds", description=(__doc__ or "").split("\n")[0]
    )
    parser.add_argument("--real", action="store_true", help="the rows of real records, one record a line, in place of digests")
    parser.add_argument("--against", type=Path, help="what --real printed before; prints the records that are read differently")
    options = parser.parse_args()
    if options.against:
        return _compare(options.against)
    for line in real_records() if options.real else _digests():
        print(line, flush=True)
    return 0


def _compare(file: Path) -> int:
    """Exit code 1 when a record is read differently."""
    found = list(differences(file.read_text("utf-8").splitlines(), real_records()))
    print(*found, sep="\n")
    print(f"{len(found)} records are read differently.")
    return 1 if found else 0


def _digests() -> Iterator[str]:
    for number, page in enumerate(pages(), 1):
        yield f"{number}\t{page[0].removeprefix(str(ROOT.parent))}\t{digest(page)}"
    for entry in diocesan_rows():
        yield f"{' | '.join(entry)}\t{_short(plain(read_strings(*entry)))}"
    for sheet in sheets():
        yield f"{sheet.name}\t{_short(plain(everything_said(sheet)))}"


if __name__ == "__main__":
    sys.exit(main())
