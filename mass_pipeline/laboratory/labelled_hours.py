"""Labelled hours of saved pages, paired with the hours that the reader finds there.

A folder holds `NAME.jsonl` (one record per parish: id and the files of its pages) and `NAME_hours.jsonl` (one label per hour:
file, text, left, right, label; `m` is a Mass of the standing order). Real pages only measure: nothing is fitted on them.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from mass_pipeline.model.records import SiteSchedule
from mass_pipeline.reading.regular.reading import PageReading, read_page
from mass_pipeline.reading.regular.sites import read_site
from mass_pipeline.reading.text.reader import read_document
from mass_pipeline.site_reading.hours import JudgedHour, judge_hours

_LEAST_LIKENESS: Final = 4  # characters of context that must agree
_DIGITS: Final = re.compile(r"\d+|[oO]{2}")
Label = Mapping[str, Any]


@dataclass(frozen=True)
class HourResult:
    """A labelled hour and what was decided about it (None: it is no candidate, so it is rejected)."""

    label: Label
    decision: JudgedHour | None

    @property
    def is_accepted(self) -> bool:
        """Whether the hour was taken for a Mass of the standing order."""
        return self.decision is not None and self.decision.is_mass


@dataclass(frozen=True)
class SavedSite:
    """A saved site, read.

    Attributes:
        files: names of its pages, in the order of `readings`.
    """

    id: str
    files: tuple[str, ...]
    readings: tuple[PageReading, ...]
    schedule: SiteSchedule

    def judged(self) -> list[list[JudgedHour]]:
        """What the rules think of its hours, page by page."""
        return judge_hours(self.readings, self.schedule, parish_id=self.id)

    def results(self, labels: Mapping[str, Sequence[Label]], judged: Sequence[Sequence[JudgedHour]]) -> Iterator[HourResult]:
        """The labelled hours of its pages with what was decided about them."""
        for file, decisions in zip(self.files, judged, strict=True):
            yield from match(labels.get(file, []), decisions)


def saved_sites(folder: Path, name: str) -> Iterator[SavedSite]:
    """The sites of `NAME.jsonl`, read as a crawl would."""
    for line in (folder / f"{name}.jsonl").read_text("utf-8").splitlines():
        record = json.loads(line)
        files = tuple(page["file"] for page in record["pages"]) if "pages" in record else (record["file"],)
        readings = tuple(read_page(read_document((folder / file).read_bytes(), url=file)) for file in files)
        yield SavedSite(record["id"], files, readings, read_site(readings))


def load_hours(path: Path) -> dict[str, list[Label]]:
    """Labelled hours by file."""
    found: dict[str, list[Label]] = defaultdict(list)
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            label = json.loads(line)
            found[label["file"]].append(label)
    return dict(found)


def match(labels: Sequence[Label], decisions: Sequence[JudgedHour]) -> list[HourResult]:
    """Pair each labelled hour with the candidate of the same time whose context agrees best, each candidate once.

    Contexts are compared by their ASCII letters and digits alone: labels were cut from other text conversions, some of
    them in a wrong charset.
    """
    pairs: list[tuple[int, int, int]] = []
    for i, label in enumerate(labels):
        time = _time(label["text"])
        for j, decision in enumerate(decisions):
            if decision.hour.time == time:
                likeness = _likeness(label, decision)
                if likeness >= _LEAST_LIKENESS:
                    pairs.append((-likeness, i, j))
    found: dict[int, JudgedHour] = {}
    taken: set[int] = set()
    for _, i, j in sorted(pairs):
        if i not in found and j not in taken:
            found[i] = decisions[j]
            taken.add(j)
    return [HourResult(label, found.get(i)) for i, label in enumerate(labels)]


def _time(written: str) -> str:
    parts = _DIGITS.findall(written)
    if len(parts) == 1 and len(parts[0]) > 2:
        parts = [parts[0][:-2], parts[0][-2:]]
    minutes = parts[1].replace("o", "0").replace("O", "0") if len(parts) > 1 else "00"
    return f"{int(parts[0]) % 24:02d}:{minutes[:2]}"


def _likeness(label: Label, decision: JudgedHour) -> int:
    before = _common(_bare(label["left"])[::-1], _bare(decision.hour.left)[::-1])
    after = _common(_bare(label["right"]), _bare(decision.hour.right))
    return before + after


def _bare(text: str) -> str:
    return re.sub(r"[^a-z0-9]", "", re.sub(r"<[^>]*>", "", text).lower())


def _common(a: str, b: str) -> int:
    for i, (x, y) in enumerate(zip(a, b, strict=False)):
        if x != y:
            return i
    return min(len(a), len(b))
