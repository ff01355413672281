"""Prints a digest of everything that is read from each page, and which build read it: two builds must print the same.

    python -m mass_pipeline_tests.evaluation.builds > one.txt

Pages: golden pages, written sites, pages made to hurt, and the labelled pages, the benchmark's corpus and the public test
suites of ../shared where they are there. Announcements: the written ones and the labelled ones (builds_of_announcements).
`make test-compiled` compares the sources with what mypyc makes of them; a change that only moves code prints the same before
and after.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import fields, is_dataclass
from datetime import date
from enum import Enum
from pathlib import Path

from mass_pipeline.extraction.reader import read_document
from mass_pipeline.schedule_grammar.judging.reading import read_page
from mass_pipeline_tests.benchmarks.extract_speed import build, corpora
from mass_pipeline_tests.evaluation.builds_of_announcements import everything_said, sheets
from mass_pipeline_tests.shared import ROOT

_LARGEST_BYTES = 2_000_000  # of a file of the suites; beyond it is no page
_CORPUS_PAGES = 300
_DEEP = 100_000

Page = tuple[str, bytes]


def pages() -> Iterator[Page]:
    """Every page, under a name that both builds give it."""
    for _, found in corpora(_CORPUS_PAGES):
        yield from found
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
    """Of lines, offsets, notices, verdicts and Masses; an error is told by its name."""
    name, body = page
    try:
        document = read_document(body, url=name)
        told = f"{plain(document)}\n{plain(read_page(document))}"
    except Exception as error:  # both builds must fail alike
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


def main() -> None:
    print(f"build: {build()}", file=sys.stderr)
    for number, page in enumerate(pages(), 1):
        print(f"{number}\t{page[0].removeprefix(str(ROOT.parent))}\t{digest(page)}", flush=True)
    for sheet in sheets():
        print(f"{sheet.name}\t{_short(plain(everything_said(sheet)))}", flush=True)


if __name__ == "__main__":
    main()
