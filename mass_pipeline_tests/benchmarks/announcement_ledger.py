"""On how many real and written announcements each pattern of reading/changes matches, those that no real one needs first.

    python -m mass_pipeline_tests.benchmarks.announcement_ledger

Real: the labelled announcements and the pages of labelled sites next to the checkout, where they are there. A pattern stays when
it matches on two real texts, or when written ones by strangers depend on it.
"""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from datetime import date
from types import ModuleType
from typing import Any, Final

import mass_pipeline.reading.changes as grammar
from mass_pipeline.model.errors import MassPipelineError
from mass_pipeline.reading.text.reader import read_document
from mass_pipeline_tests.evaluation.builds_of_announcements import labelled_sheets, sheets
from mass_pipeline_tests.evaluation.sets import GOLD

_LONGEST: Final = 20_000  # characters of a page
_ISSUED: Final = date(2026, 11, 22)
Text = tuple[str, str, date, bool]
"""Name, text, day of issue, whether it is real."""


class Counted:
    """A compiled pattern that notes on which text it matches."""

    def __init__(self, pattern: re.Pattern[str], note: Callable[[], None]) -> None:
        self.compiled = pattern
        self.note = note

    def __getattr__(self, name: str) -> Any:
        found = getattr(self.compiled, name)
        return self._noted(found) if callable(found) else found

    def _noted(self, method: Callable[..., Any]) -> Callable[..., Any]:
        def called(*given: Any, **named: Any) -> Any:
            if self.compiled.search(next(one for one in reversed(given) if isinstance(one, str))):
                self.note()
            return method(*given, **named)

        return called


def texts() -> Iterator[Text]:
    """All announcements, and the pages of sites."""
    real = {one.name for one in labelled_sheets()}
    for one in sheets():
        yield one.name, one.text, one.issued, one.name in real
    for path in sorted((GOLD / "sites").rglob("*.*")) if GOLD.is_dir() else ():
        try:
            page = read_document(path.read_bytes(), content_type=None, url=path.name)
        except (MassPipelineError, ValueError):
            continue
        yield str(path), "\n".join(line.text for line in page.lines)[:_LONGEST], _ISSUED, True


def modules() -> list[ModuleType]:
    """Those of the package, the words first: others borrow them."""
    found = [importlib.import_module(f"{grammar.__name__}.{one.name}") for one in pkgutil.iter_modules(grammar.__path__)]
    return sorted(found, key=lambda module: not module.__name__.endswith(".phrases"))


def main() -> None:
    """Print the ledger."""
    found: dict[str, set[tuple[str, bool]]] = defaultdict(set)
    reading: list[tuple[str, bool]] = []
    counted: dict[int, Counted] = {}
    for module in modules():
        for name, value in list(vars(module).items()):
            if isinstance(value, re.Pattern):
                if id(value) not in counted:
                    on = found[f"{module.__name__.rpartition('.')[2]}.{name}"]
                    counted[id(value)] = Counted(value, lambda on=on: on.add(reading[-1]))  # type: ignore[misc]
                setattr(module, name, counted[id(value)])
    for name, text, issued, is_real in texts():
        reading.append((name, is_real))
        grammar.read_changes(text, issued)
    rows = sorted((sum(real for _, real in on), len(on), name) for name, on in found.items())
    for real, every, name in rows:
        print(f"{real:5} real {every - real:5} written  {name}")


if __name__ == "__main__":
    main()
