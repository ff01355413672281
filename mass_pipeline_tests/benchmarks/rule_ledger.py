"""How often each named rule fires over all pages, texts and strings; those that never do, or on one page alone, are listed.

    python -m mass_pipeline_tests.benchmarks.rule_ledger [--functions]

Rules are those that put the nodes of a line in order (`attaching.rewording`), those by which conditions, words, hours and
brackets are attached (`telling.rules_told`), what is left open (`doubts`), and what raises or lowers the score of a notice.
`--functions` adds the functions of the grammars that no page calls, or one page alone.
"""

from __future__ import annotations

import argparse
import contextlib
import csv
import hashlib
import json
import re
import sys
from collections import defaultdict
from collections.abc import Iterator
from inspect import CO_OPTIMIZED
from pathlib import Path
from types import FrameType
from typing import Final

from mass_pipeline.demo_web.web import DemoWeb
from mass_pipeline.extraction.reader import read_document
from mass_pipeline.language.lexicon import load_lexicon
from mass_pipeline.model.errors import MassPipelineError
from mass_pipeline.schedule_grammar.attaching.rewording import RULES, name_of, rules_fired
from mass_pipeline.schedule_grammar.judging.reading import PageReading, read_page, read_strings, read_text
from mass_pipeline.schedule_grammar.parsing.chunker import chunk
from mass_pipeline.schedule_grammar.telling.rules_told import KIND_OF_RULE
from mass_pipeline_tests.evaluation.belonging import pages as belonging
from mass_pipeline_tests.evaluation.belonging.pages import PARISHES, html_of
from mass_pipeline_tests.evaluation.builds import hazards
from mass_pipeline_tests.evaluation.builds import pages as every_page
from mass_pipeline_tests.evaluation.sets import GOLD, load_set
from mass_pipeline_tests.evaluation.written import OWN_SITES, PAGES, SCHEDULES, written_records
from mass_pipeline_tests.schedule_grammar.classes import FILES
from mass_pipeline_tests.schedule_grammar.classes import pages as written_pages
from mass_pipeline_tests.schedule_grammar.telling.table_strings import rows
from mass_pipeline_tests.shared import ROOT

_ROOMS: Final = ("schedule_grammar", "site_reading", "announcement_grammar")
_FIGURES: Final = re.compile(r"\W*\d[\d.,%]*")
_TESTS: Final = ROOT / "mass_pipeline_tests" / "schedule_grammar"
_LABELLED: Final = ("directory", "negatives")  # the pages of sites are among those of the benchmark
_BELONGING: Final = (
    *(belonging.own_pages, belonging.second_own_pages, belonging.third_own_pages, belonging.unknown_pages),
    *(belonging.second_unknown_pages, belonging.third_unknown_pages, belonging.fourth_unknown_pages),
    *(belonging.fifth_unknown_pages, belonging.sixth_unknown_pages, belonging.seventh_unknown_pages),
    *(belonging.eighth_unknown_pages, belonging.ninth_unknown_pages),
)
Ledger = dict[str, set[str]]
"""Rule -> the pages on which it fired."""


def sources() -> Iterator[tuple[str, PageReading]]:
    """Everything that is read, each text once."""
    seen: set[str] = set()
    for name, body, content_type in _pages():
        digest = hashlib.sha256(body).hexdigest()
        if digest in seen:
            continue
        seen.add(digest)
        try:
            yield name, read_page(read_document(body, content_type=content_type, url=name))
        except (MassPipelineError, ValueError):
            continue
    for name, text in _texts():
        yield name, read_text(text)
    for name, fields in _strings():
        yield name, read_strings(*fields)


def _pages() -> Iterator[tuple[str, bytes, str | None]]:
    """Golden, written and labelled pages, the benchmark's corpus, the demo web; without those made to hurt."""
    made = {name for name, _ in hazards()}
    for name, body in every_page():
        if name not in made and Path(name).parent != SCHEDULES.parent:  # files of many written pages are no page
            yield name, body, None
    for labelled in filter(None, map(load_set, _LABELLED)):
        for name, path, content_type in (page for record in labelled.records for page in record.pages):
            yield name, path.read_bytes(), content_type
    for page in (page for file in FILES for page in written_pages(file)):
        yield f"{page.name} {page.lines[0][:40]}", page.source.encode(), page.media_type
    for record in written_records(PAGES):
        yield record["id"], record["text"].encode(), "text/html"
    for path in sorted(OWN_SITES.with_suffix("").glob("*.html")):
        yield path.name, path.read_bytes(), None
    for find in _BELONGING:
        for number, laid_out in enumerate(find()):
            yield laid_out.name, html_of(laid_out, PARISHES[number % len(PARISHES)], 0).encode(), "text/html"
    for shown in (page for parish in DemoWeb().parishes for page in parish.pages if page.response.body):
        yield shown.url, shown.response.body, shown.response.content_type


def _texts() -> Iterator[tuple[str, str]]:
    """Schedules without a page around them."""
    snippets = load_set("snippets")
    yield from ((record.id, record.text or "") for record in (snippets.records if snippets else ()))
    yield from ((record["id"], record["text"]) for record in written_records(SCHEDULES))
    for number, row in enumerate(rows(_TESTS / "czech.txt")):
        yield f"czech {number}", row.fields[0].replace("⏎", "\n")
    for schedule in filter(_is_schedule, _conventions()):
        if " || " not in schedule:
            yield schedule[:40], schedule


def _conventions() -> list[str]:
    return (_TESTS / "conventions.txt").read_text(encoding="utf-8").splitlines()


def _is_schedule(line: str) -> bool:
    """Whether a line of conventions is a schedule, and not what it comes to."""
    return bool(line) and line[0] not in " #"


def _strings() -> Iterator[tuple[str, tuple[str, ...]]]:
    """Rows of tables: the labelled ones, those written by class, and all of ten dioceses where they lie beside the checkout."""
    for schedule in filter(_is_schedule, _conventions()):
        sunday, divided, weekday = schedule.partition(" || ")
        if divided:
            yield schedule[:40], (sunday, weekday)
    labelled = GOLD / "strings.jsonl"
    for line in labelled.read_text(encoding="utf-8").splitlines() if labelled.is_file() else ():
        record = json.loads(line)
        yield str(record["id"]), (record["sunday"], record["weekday"], record.get("feast", ""))
    for number, row in enumerate(rows(_TESTS / "telling" / "table_strings.txt")):
        yield f"{row.name} {number}", row.fields
    table = ROOT.parent / "shared" / "directory" / "diocesan-tables.tsv"
    with contextlib.suppress(FileNotFoundError), table.open(encoding="utf-8", newline="") as lines:
        for number, entry in enumerate(csv.DictReader(lines, delimiter="\t")):
            yield f"table {number}", (entry["sunday"], entry["weekday"], entry["feast"])


def fired_on(reading: PageReading) -> Iterator[str]:
    """Names of what fired on a page, with what kind of rule it is."""
    for notice in reading.notices:
        lexicon = load_lexicon(notice.language)
        for line in {line for line, _ in notice.verdicts}:
            nodes = chunk(reading.document.lines[line].text, lexicon)
            yield from (f"order: {name}" for name in rules_fired(nodes))
        yield from (_shown(name) for _, _, name in notice.reading.fired)
        yield from (f"open: {question.kind}" for question in notice.reading.questions or {})
        yield from (f"score: {_FIGURES.sub('', reason)}" for reason in notice.reasons)


def _known() -> list[str]:
    """Names of the rules that are tried on every line."""
    return [*(f"order: {name_of(rule)}" for _, rule in RULES), *map(_shown, KIND_OF_RULE)]


def _shown(name: str) -> str:
    return f"{KIND_OF_RULE[name]}: {name}"


class Calls:
    """Which functions of the grammars are called, while it is entered."""

    def __init__(self) -> None:
        self.called: set[tuple[str, str]] = set()

    def __enter__(self) -> Calls:
        sys.setprofile(self._note)
        return self

    def __exit__(self, *error: object) -> None:
        sys.setprofile(None)

    def _note(self, frame: FrameType, event: str, argument: object) -> None:
        if event == "call":
            self.called.add((frame.f_code.co_filename, frame.f_code.co_qualname))


def functions() -> dict[tuple[str, str], str]:
    """(file, qualified name) -> what to call it, of every function of the grammars."""
    found: dict[tuple[str, str], str] = {}
    for room in _ROOMS:
        for path in sorted((ROOT / "mass_pipeline" / room).rglob("*.py")):
            code = compile(path.read_text(encoding="utf-8"), str(path), "exec")
            waiting = [code]
            while waiting:
                for constant in waiting.pop().co_consts:
                    if not hasattr(constant, "co_qualname") or constant.co_name.startswith("<"):
                        continue
                    waiting.append(constant)
                    if constant.co_flags & CO_OPTIMIZED:  # no class
                        name = f"{path.relative_to(ROOT / 'mass_pipeline')}: {constant.co_qualname}"
                        found[str(path), constant.co_qualname] = name
    return found


def show(title: str, ledger: Ledger, known: Iterator[str] | list[str]) -> None:
    """The ledger, the most frequent first, and what fires seldom."""
    print(f"\n{title}")
    rows = {name: ledger.get(name, set()) for name in {*ledger, *known}}
    for name, found in sorted(rows.items(), key=lambda row: (-len(row[1]), row[0])):
        only = f"   only {Path(next(iter(found))).name}" if len(found) == 1 else ""
        print(f"{len(found):7} {name}{only}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--functions", action="store_true", help="also functions that are called seldom")
    given = parser.parse_args()
    ledger: Ledger = defaultdict(set)
    calls: dict[tuple[str, str], set[str]] = defaultdict(set)
    found = sources()
    read = 0
    while True:
        tally = Calls()
        if given.functions:
            with tally:
                source = next(found, None)
        else:
            source = next(found, None)
        if source is None:
            break
        name, reading = source
        read += 1
        for rule in fired_on(reading):
            ledger[rule].add(name)
        for function in tally.called:
            calls[function].add(name)
    print(f"{read} pages and texts")
    show("rules, by the pages on which they fire", ledger, _known())
    if given.functions:
        known = functions()
        seldom = {name: calls.get(key, set()) for key, name in known.items() if len(calls.get(key, ())) <= 1}
        show(f"functions that no page calls, or one alone (of {len(known)})", seldom, [])


if __name__ == "__main__":
    main()
