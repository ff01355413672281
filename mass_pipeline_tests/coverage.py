"""Which lines of the product the tests ran: the total, and the modules of which they ran least.

    python -m mass_pipeline_tests.coverage build/coverage.json

The file is slipcover's. Lines count as run when a process of the tests itself ran them, not when a program started by one did.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

LEAST_LINES = 10  # a module shorter than this tells nothing by its share
SHOWN = 10


def report(counted: Mapping[str, Any]) -> Iterator[str]:
    """Lines to print.

    Args:
        counted: what slipcover wrote: `files`, each with a `summary` of `covered_lines` and `missing_lines`, and one of all.
    """
    files = {name: (one["summary"]["covered_lines"], one["summary"]["missing_lines"]) for name, one in counted["files"].items()}
    run, missed = (sum(column) for column in zip(*files.values(), strict=True))
    yield f"Coverage: {share(run, missed):.1%} of {run + missed} lines in {len(files)} modules. Least covered:"
    long = [(share(*both), name, both[1]) for name, both in files.items() if sum(both) >= LEAST_LINES]
    for part, name, left in sorted(long)[:SHOWN]:
        yield f"  {part:6.1%}  {left:4} lines not run  {name}"


def share(run: int, missed: int) -> float:
    """Part of the lines that was run."""
    return run / (run + missed) if run + missed else 1.0


if __name__ == "__main__":
    file = Path(sys.argv[1])
    if not file.exists():
        sys.exit(f"{file} is not there: make coverage writes it.")
    print("\n".join(report(json.loads(file.read_text(encoding="utf-8")))))
