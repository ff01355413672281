"""Written announcements by phenomenon, and whole sheets by authors who had never seen the reader: what is published and read.

    python -m mass_pipeline_tests.evaluation.announcements [--show]

`announcements/PHENOMENON.txt` and `announcements/sheets_*.toml` (form: reading/changes/compared.py). Reported by
`make evaluate`; of single texts none is a gate, only how much of all that is published is right (test_announcements). The core
that is gated text by text is `reading/changes/golden`.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

from mass_pipeline_tests.reading.changes.compared import Compared, Written, compare, quality, written

FOLDER: Final = Path(__file__).with_name("announcements")
WISHES: Final = Path(__file__).with_name("wishes") / "announcements.txt"  # not read as meant yet, or their rule was given up


@cache
def compared() -> dict[str, list[tuple[Written, Compared]]]:
    """Phenomenon -> its announcements, read today."""
    return {file.stem: _compared(file) for file in sorted(FOLDER.glob("*.txt"))}


def _compared(file: Path) -> list[tuple[Written, Compared]]:
    return [(one, compare(one)) for one in written(file)]


@cache
def sheets() -> tuple[Compared, ...]:
    """Whole sheets, read today."""
    return tuple(compare(one) for file in sorted(FOLDER.glob("*.toml")) for one in written(file))


def report(*, show: bool = False) -> Iterator[str]:
    """Lines: announcements of each phenomenon read as labelled, times published wrong; precision and recall of sheets."""
    for phenomenon, found in (compared() | {"wishes": _compared(WISHES)}).items():
        if show:
            yield from (f"[{one.name}] {one.text.replace(chr(10), ' / ')}" for one, result in found if not result.is_right)
        right, wrong = sum(result.is_right for _, result in found), sum(len(result.wrong) for _, result in found)
        yield f"{right:4} of {len(found):4}  announcements: {phenomenon}, {wrong} times published wrong"
    for name, published in (("published", True), ("read", False)):
        precision, recall = quality(sheets(), published=published)
        yield f"whole sheets, {name}: precision {precision:.3f}, recall {recall:.3f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--show", action="store_true", help="also the announcements that are not read as labelled")
    print("\n".join(report(show=parser.parse_args().show)))


if __name__ == "__main__":
    main()
