"""Read the schedules and pages written for this project into gold records of the scorer's form."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from mass_pipeline.model.records import WEEKDAYS

SCHEDULES = Path(__file__).with_name("written_schedules.txt")
PAGES = Path(__file__).with_name("written_pages.txt")
SITES = Path(__file__).with_name("written_sites.txt")
SITES_FOLDER = SITES.with_suffix("")


def _days(word: str) -> list[str]:
    days: list[str] = []
    for part in word.replace(",", "+").split("+"):
        first, _, last = part.partition("-")
        days += WEEKDAYS[WEEKDAYS.index(first) : WEEKDAYS.index(last) + 1] if last else [first]  # type: ignore[arg-type]
    return days


def written_masses(line: str) -> list[dict[str, Any]]:
    """Masses of one line of a label: days, times, then season, weeks and place."""
    days, times, *rest = line.split(" ", 2)
    options = rest[0] if rest else ""
    optional = options.endswith("optional")
    place = options.partition("place=")[2].removesuffix("optional").strip()
    words = dict(w.split("=", 1) for w in options.partition("place=")[0].split() if "=" in w)
    nth = [int(n) for n in words["nth"].split(",")] if "nth" in words else None
    shared = {"days": _days(days), "season": words.get("season", "all"), "nth": nth, "place": place, "optional": optional}
    return [{"time": time, **shared} for time in times.split(",")]


def written_records(source: Path = SCHEDULES) -> list[dict[str, Any]]:
    """Records `{"id", "text", "masses"}` in file order; a record that says "none" has an empty list."""
    records = []
    _, *chunks = source.read_text(encoding="utf-8").split("\n== ")  # before the first one stands what the file is
    for chunk in chunks:
        name, _, rest = chunk.partition("\n")
        text, _, readings = rest.partition("\n--\n")
        lines = [line for line in readings.splitlines() if line.strip() and line.strip() != "none"]
        records.append(
            {"id": f"written-{name.strip()}", "text": text, "masses": [m for line in lines for m in written_masses(line)]}
        )
    return records
