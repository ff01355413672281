"""Which rules of the grammar real records need: how often each fires, and how many readings change without it.

    python -m mass_pipeline_tests.benchmarks.rule_ledger [--page docs/rules.md]

Rules are those by which conditions, words and brackets are attached to times (`telling.rules_told`). A rule stays when two
records need it that were written independently of it: real ones, or texts by authors who did not know the reader, and then two
of its three paraphrases must be read right by it. `--page` writes the table of the documentation. A record counts once, however
many lines of it a rule changes.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from mass_pipeline.reading.grammar import brackets, statements
from mass_pipeline.reading.grammar.rules import Rule, always
from mass_pipeline.reading.regular.reading import PageReading, read_page, read_strings, read_text
from mass_pipeline.reading.text.reader import read_document
from mass_pipeline_tests.evaluation.builds import diocesan_rows
from mass_pipeline_tests.evaluation.builds_of_announcements import labelled_sheets
from mass_pipeline_tests.evaluation.sets import NEGATIVES, PARAPHRASES, SHARED_SETS, LabelledRecord, load_set
from mass_pipeline_tests.evaluation.written import SITES, SITES_FOLDER, TEXTS, written_records
from mass_pipeline_tests.reading.classes import BY_OTHERS, FILES, Page, pages

_SNIPPETS: Final = "snippets"  # labelled, and written by hand
_MOST_TRIED: Final = 300  # records that are read again without a rule
_MANY: Final = 10  # changed readings that are enough to know
Reading = Callable[[], Sequence[PageReading]]
Case = tuple[str, str, Reading, list[object]]  # kind, name, how to read it, what is read
_HEAD: Final = """# Rules of the grammar, and the records that need them

Written by `python -m mass_pipeline_tests.benchmarks.rule_ledger --page docs/rules.md`; do not edit by hand. A rule stays when two
records that were written independently of it need it: real ones, or texts by authors who did not know the reader, and then two
of its three paraphrases must be read right by it. Sentences that needed other rules are `mass_pipeline_tests/evaluation/wishes`.

Read: {real} real records, {others} texts and sites by others, {paraphrases} paraphrases. *Needed*: readings that change without
the rule ({many} are enough to know; – where it is the last of its table, which acts when no other does). Paraphrases were written
before they were read and stand in `mass_pipeline_tests/evaluation/paraphrases.txt`.

| rule | fires on real records | needed | fires on others' | needed | paraphrases that need it | paraphrases |
|---|---|---|---|---|---|---|"""


@dataclass
class Account:
    """What is known of a rule: the records on which it fires, and those that are read otherwise without it."""

    fires: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    needed: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))


def records() -> Iterator[tuple[str, str, Reading]]:
    """(kind, name, how to read it): real records, texts by others, paraphrases."""
    for name in (*SHARED_SETS, NEGATIVES):
        labelled = load_set(name)
        kind = "others" if name == _SNIPPETS else "real"
        yield from ((kind, f"{name} {one.id}", _reading(one)) for one in (labelled.records if labelled else ()))
    for number, entry in enumerate(diocesan_rows()):
        yield "real", f"table {number}", lambda entry=entry: [read_strings(*entry)]  # type: ignore[misc]
    for sheet in labelled_sheets():
        yield "real", f"announcement {sheet.name}", lambda text=sheet.text: [_page(text.encode(), "text/plain", "")]  # type: ignore[misc]
    for site in written_records(SITES):
        files = [((SITES_FOLDER / name).read_bytes(), "text/html", name) for name in site["text"].splitlines()]
        yield "others", site["id"], lambda files=files: [_page(*file) for file in files]  # type: ignore[misc]
    for text in (one for file in (*FILES, *TEXTS) for one in pages(file) if one.name.endswith(BY_OTHERS)):
        yield "others", f"{text.name} {text.lines[0]}", lambda text=text: [_written(text)]  # type: ignore[misc]
    paraphrases = load_set(PARAPHRASES)
    for one in paraphrases.records if paraphrases else ():
        yield PARAPHRASES, one.id, _reading(one)


def _reading(record: LabelledRecord) -> Reading:
    if record.strings is not None:
        return lambda: [read_strings(*record.strings or ("", ""))]
    if record.text is not None:
        return lambda: [read_text(record.text or "")]
    return lambda: [_page(path.read_bytes(), content_type, name) for name, path, content_type in record.pages]


def _written(text: Page) -> PageReading:
    if text.name.startswith("text: "):
        return read_text("\n".join(text.lines))
    return _page(text.source.encode(), text.media_type, text.name)


def _page(body: bytes, content_type: str | None, name: str) -> PageReading:
    return read_page(read_document(body, content_type=content_type, url=name))


def _said(read: Reading) -> list[object]:
    return [[(one.mass, one.confidence) for one in reading.masses] for reading in read()]


def _rules() -> Iterator[Rule[Any]]:
    yield from (*brackets.CLAUSES, *brackets.COMMENTS, *statements.BRACKETS)
    yield from (*statements.CONDITIONS, *dict.fromkeys(rule for table in statements.WORDS.values() for rule in table))


class Switchboard:
    """The rules, each of which tells when it fires and can be switched off."""

    def __init__(self) -> None:
        self.fired: set[str] = set()
        self.off = ""
        self.names: list[str] = []
        self.last_resorts: set[str] = set()
        for rule in _rules():
            self._watch(rule)

    @contextmanager
    def without(self, name: str) -> Iterator[None]:
        """While a rule does nothing."""
        self.off = name
        yield
        self.off = ""

    def _watch(self, rule: Rule[Any]) -> None:
        applies, act, name = rule.pattern, rule.produce, rule.name
        self.names.append(name)
        if applies is always:
            self.last_resorts.add(name)

        def acts(*given: Any) -> None:
            self.fired.add(name)
            act(*given)

        rule.pattern = lambda *given: name != self.off and applies(*given) if applies is not always else True
        rule.produce = acts


def accounts() -> tuple[Switchboard, dict[str, Account], dict[str, int]]:
    """The rules, what is known of each, and how many records of each kind were read."""
    board = Switchboard()
    found = {name: Account() for name in board.names}
    read: dict[str, int] = defaultdict(int)
    fired_on: dict[str, list[Case]] = defaultdict(list)
    for kind, name, reading in records():
        board.fired.clear()
        said = _said(reading)
        read[kind] += 1
        for rule in board.fired:
            found[rule].fires[kind].add(name)
            fired_on[rule].append((kind, name, reading, said))
    for rule in [one for one in board.names if one not in board.last_resorts]:
        _note_needed(board, rule, found[rule], fired_on[rule])
    return board, found, dict(read)


def _note_needed(board: Switchboard, rule: str, account: Account, cases: Sequence[Case]) -> None:
    with board.without(rule):
        for kind, name, reading, said in sorted(cases, key=lambda case: case[0] != PARAPHRASES)[:_MOST_TRIED]:
            if len(account.needed[kind]) < _MANY and _is_read_otherwise(reading, said):
                account.needed[kind].add(name)


def _is_read_otherwise(reading: Reading, said: list[object]) -> bool:
    try:
        return _said(reading) != said
    except AssertionError:  # a later rule of the table rests on this one
        return True


def page(board: Switchboard, found: dict[str, Account], read: dict[str, int]) -> Iterator[str]:
    """The page of the documentation."""
    yield _HEAD.format(**read, many=_MANY)
    texts = _paraphrases()
    for name in dict.fromkeys(board.names):
        account, said = found[name], texts.get(name, [])
        figures = [len(account.fires["real"]), _needed(board, account, name, "real"), len(account.fires["others"])]
        figures += [_needed(board, account, name, "others"), _needed_paraphrases(board, account, name)]
        yield f"| {name} | {' | '.join(map(str, figures))} | {' · '.join(f'`{text}`' for text in said)} |"


def _needed(board: Switchboard, account: Account, name: str, kind: str) -> str:
    if name in board.last_resorts:
        return "–"
    number = len(account.needed[kind])
    return f"{number} or more" if number >= _MANY else str(number)


def _needed_paraphrases(board: Switchboard, account: Account, name: str) -> str:
    own = [one for one in account.needed[PARAPHRASES] if one.rpartition(" ")[0] == name]
    return f"{len(own)} of 3" if name not in board.last_resorts else "–"


def _paraphrases() -> dict[str, list[str]]:
    labelled = load_set(PARAPHRASES)
    found: dict[str, list[str]] = defaultdict(list)
    for record in labelled.records if labelled else ():
        found[record.id.rpartition(" ")[0]].append((record.text or "").replace("\n", " / ").replace("|", "\\|"))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--page", type=Path, help="write the table of the documentation there")
    given = parser.parse_args()
    text = "\n".join(page(*accounts())) + "\n"
    if given.page:
        given.page.write_text(text, encoding="utf-8")
    else:
        print(text)


if __name__ == "__main__":
    main()
