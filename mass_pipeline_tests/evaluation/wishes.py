"""Wishes: texts that are not read as meant yet, or whose rule was given up. Reported, and no gate.

    python -m mass_pipeline_tests.evaluation.wishes [--show]

`wishes/schedules*.txt` has the form of `reading/texts` (`>` a line of the text, `=` days, times, season, nth=,
@place), `wishes/announcements*.txt` that of `reading/changes/classes.txt` (`@` day of issue and usual order, the text,
`=` what changes on which days). `## ` names the phenomenon. A wish that is read as meant for good may become a test.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

from mass_pipeline_tests.reading import classes as schedules
from mass_pipeline_tests.reading.changes import classes as announcements

WISHES: Final = Path(__file__).with_name("wishes")


class Wish(NamedTuple):
    """A text, and whether it is read as meant by now."""

    file: str
    phenomenon: str
    text: str
    granted: bool


def wishes(folder: Path = WISHES) -> Iterator[Wish]:
    """Every wish of a folder, read today."""
    for file in sorted(folder.glob("schedules*.txt")):
        for page in schedules.pages(file):
            yield Wish(file.name, page.name, " / ".join(page.lines), not schedules.faults(page))
    for file in sorted(folder.glob("announcements*.txt")):
        for one in announcements.written(file):
            yield Wish(file.name, one.name, " / ".join(one.lines), announcements.compare(one).is_right)


def report(folder: Path = WISHES, *, show: bool = False) -> Iterator[str]:
    """Lines: how many wishes of each file and phenomenon are granted, and with `show` those that are not."""
    counts: dict[tuple[str, str], list[int]] = {}
    for wish in wishes(folder):
        count = counts.setdefault((wish.file, wish.phenomenon), [0, 0])
        count[0] += wish.granted
        count[1] += 1
        if show and not wish.granted:
            yield f"[{wish.phenomenon}] {wish.text}"
    for (file, phenomenon), (granted, of) in counts.items():
        yield f"{granted:4} of {of:4}  {file}: {phenomenon}"
    granted, of = (sum(count[at] for count in counts.values()) for at in (0, 1))
    yield f"{granted:4} of {of:4}  wishes are read as meant"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--show", action="store_true", help="also the wishes that are not read as meant")
    print("\n".join(report(show=parser.parse_args().show)))


if __name__ == "__main__":
    main()
