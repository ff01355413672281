"""Written announcements by phenomenon, and whole sheets by authors who had never seen the reader: what is published and read.

    python -m mass_pipeline_tests.evaluation.announcements [--show]

`announcements/PHENOMENON.txt` (form: reading/changes/classes.py) and `announcements/sheets_*.toml` (form:
reading/changes/effects.py). Reported by `make evaluate`; of single texts none is a gate, only how much of all that is
published is right (test_announcements). The core that is gated text by text is `reading/changes/golden`.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

from mass_pipeline_tests.reading.changes import classes, effects

FOLDER: Final = Path(__file__).with_name("announcements")
WISHES: Final = Path(__file__).with_name("wishes") / "announcements.txt"  # not read as meant yet, or their rule was given up


@cache
def compared() -> dict[str, list[tuple[classes.Written, classes.Compared]]]:
    """Phenomenon -> its announcements, read today."""
    return {file.stem: _compared(file) for file in sorted(FOLDER.glob("*.txt"))}


def _compared(file: Path) -> list[tuple[classes.Written, classes.Compared]]:
    return [(one, classes.compare(one)) for one in classes.written(file)]


@cache
def sheets() -> tuple[effects.Compared, ...]:
    """Whole sheets, read today."""
    return tuple(effects.compare(record) for file in sorted(FOLDER.glob("*.toml")) for record in effects.records(file))


def report(*, show: bool = False) -> Iterator[str]:
    """Lines: announcements of each phenomenon read as labelled, times published wrong; precision and recall of sheets."""
    for phenomenon, found in (compared() | {"wishes": _compared(WISHES)}).items():
        if show:
            yield from (f"[{one.name}] {' / '.join(one.lines)}" for one, result in found if not result.is_right)
        right, wrong = sum(result.is_right for _, result in found), sum(len(result.wrong) for _, result in found)
        yield f"{right:4} of {len(found):4}  announcements: {phenomenon}, {wrong} times published wrong"
    for name, published in (("published", True), ("read", False)):
        precision, recall = effects.quality(sheets(), published=published)
        yield f"whole sheets, {name}: precision {precision:.3f}, recall {recall:.3f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--show", action="store_true", help="also the announcements that are not read as labelled")
    print("\n".join(report(show=parser.parse_args().show)))


if __name__ == "__main__":
    main()
