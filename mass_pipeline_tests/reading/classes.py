"""Written pages by phenomenon (`texts`): each read as a page of its own, compared by (day, hour, ordinal, months)."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any, Final

from mass_pipeline.model.records import WEEKDAYS, Mass
from mass_pipeline.reading.regular.reading import read_page, read_text
from mass_pipeline.reading.regular.sites import read_site
from mass_pipeline.reading.text.reader import read_document
from mass_pipeline.site_reading.ownership.sites import judge_site
from mass_pipeline_tests.evaluation.scoring import VIEWS, compare

FILES: Final = tuple(sorted(Path(__file__).with_name("texts").glob("*.txt")))
BY_OTHERS: Final = ", by others"  # at the end of a heading: by an author who did not know the reader
TURNS: Final = re.compile(r"na przemian|przemienn|na zmianę|wymiennie|zamiennie|co (?:drug|dwa|2\b)", re.I)  # in a note
_TODAY: Final = date(2026, 11, 22)


@dataclass
class Page:
    """A page with what is said on it; `alternating` are hours that are not said every time."""

    name: str
    lines: list[str] = field(default_factory=list)
    masses: list[dict[str, Any]] = field(default_factory=list)
    alternating: set[str] = field(default_factory=set)
    places: set[tuple[str, str]] = field(default_factory=set)

    @property
    def media_type(self) -> str:
        """Markdown where the page begins with a heading of it, else HTML."""
        return "text/markdown" if self.lines[0].startswith("# ") else "text/html"

    @property
    def source(self) -> str:
        """The lines as they stand where they are markup, else one paragraph a line."""
        if self.lines[0].startswith("<"):
            return "<html><body>" + "\n".join(self.lines) + "</body></html>"
        if self.media_type == "text/markdown":
            return "\n".join(self.lines) + "\n"
        return "<html><body><div>" + "".join(f"<p>{html.escape(line)}</p>" for line in self.lines) + "</div></body></html>"


def pages(file: Path) -> list[Page]:
    """The pages of a file: `>` text, `=` days, hours, season or MM-DD..MM-DD, nth=, @place; `~` alternates, `?` optional."""
    found: list[Page] = []
    name, fresh = "", True
    for line in file.read_text(encoding="utf-8").splitlines():
        if line.startswith("## "):
            name = line[3:]
        elif line.startswith("> "):
            if fresh:
                found.append(Page(name))
            fresh = False
            found[-1].lines.append(line[2:])
        elif line.startswith("="):
            _add(found[-1], line[1:].strip())
        else:
            fresh = True
    return found


def _add(page: Page, line: str) -> None:
    if not line:
        return
    said, _, place = line.partition(" @")
    days, hours, *rest = said.split()
    place, _, mark = place.partition(" ")
    marks = {*rest, mark}
    nth = next(([int(n) for n in one[4:].split(",")] for one in rest if one.startswith("nth=")), None)
    season = next((one for one in rest if one not in ("~", "?") and "=" not in one), "all")
    span = season.replace("..", "/") if ".." in season else ""
    for hour in hours.split(","):
        said = {"days": list(_days(days)), "time": hour, "season": "custom" if span else season, "nth": nth, "place": place}
        page.masses.append({**said, "optional": "?" in marks, **({"season_days": span} if span else {})})
        if "~" in marks:
            page.alternating.add(hour)
        if place:
            page.places.add((hour, place))


def _days(text: str) -> Iterator[str]:
    names = [str(day) for day in WEEKDAYS]
    for part in text.split(","):
        first, _, last = part.partition("-")
        yield from names[names.index(first) : names.index(last) + 1] if last else [first]


def read(page: Page) -> list[Mass]:
    """What the reader finds on it; of a class that asks for it what is the parish's own order of today, or what a text says.

    A `text: ` is known to state a schedule: whether it looks like one is not asked.
    """
    if page.name.startswith("text: "):
        return [found.mass for found in read_text("\n".join(page.lines)).masses]
    readings = [read_page(read_document(page.source, content_type=page.media_type))]
    site = judge_site(readings, _TODAY).schedule if page.name.startswith("site: ") else read_site(readings)
    return [found.mass for found in site.masses]


def faults(page: Page) -> list[str]:
    """What is wrong with the reading; empty when nothing is."""
    masses = read(page)
    found = []
    for view in VIEWS[1:]:
        difference = compare(page.masses, [mass.as_dict() for mass in masses], view)
        fates = (("extra", difference.extras), ("missed", difference.misses))
        found += [f"{word} {sorted(cells)}" for word, cells in fates if cells]
    for hour in sorted(page.alternating):
        if not any(mass.time == hour and TURNS.search(mass.note) for mass in masses):
            found.append(f"{hour} is not said to alternate")
    for hour, place in sorted(page.places):
        if not any(mass.time == hour and place[:4] in mass.place for mass in masses):
            found.append(f"{hour} is not at {place}")
    return found
