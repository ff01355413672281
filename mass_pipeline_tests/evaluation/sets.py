"""The labelled sets: own golden pages and paraphrases, which are always there, and labelled real pages beside the checkout."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Final

from mass_pipeline_tests.reading.classes import pages
from mass_pipeline_tests.shared import ROOT

GOLDEN: Final = ROOT / "mass_pipeline_tests" / "golden"
GOLD: Final = ROOT.parent / "shared" / "gold"
SHARED_SETS: Final = ("strings", "strings-2", "directory", "directory-2", "sites", "sites-ascii", "snippets")
NEGATIVES: Final = "negatives"  # home pages full of hours, none of a Mass
PARAPHRASES: Final = "paraphrases"  # written schedules: the same meaning in other words
OWN_SETS: Final = ("golden", PARAPHRASES)
NAMES: Final = (*OWN_SETS, *SHARED_SETS)


@dataclass(frozen=True)
class LabelledRecord:
    """One record: where it is read from and what is right.

    Attributes:
        id: name within its set.
        masses: the label; None when the record is not scored.
        strings: Sunday and weekday strings, for directory entries.
        text: bare text, for snippets.
        pages: (name, file, content type) of every page, for sites.
        phenomena: names of what the record shows (`nth`, `vigil`, ...).
    """

    id: str
    masses: tuple[Mapping[str, Any], ...] | None
    strings: tuple[str, str] | None = None
    text: str | None = None
    pages: tuple[tuple[str, Path, str | None], ...] = ()
    phenomena: frozenset[str] = field(default_factory=frozenset)

    def fingerprint(self) -> str:
        """Hash of input and label."""
        digest = hashlib.sha256(json.dumps([self.id, self.masses, self.strings, self.text], sort_keys=True).encode())
        for name, path, content_type in self.pages:
            digest.update(f"{name}\x1f{content_type}".encode())
            digest.update(path.read_bytes())
        return digest.hexdigest()


@dataclass(frozen=True)
class LabelledSet:
    """A named set of records, in fixed order."""

    name: str
    records: tuple[LabelledRecord, ...]

    @cached_property
    def fingerprint(self) -> str:
        """Hash of all inputs and labels: a floor holds for this very set."""
        return hashlib.sha256("".join(record.fingerprint() for record in self.records).encode()).hexdigest()


def load_set(name: str) -> LabelledSet | None:
    """The set, or None when its files are not there."""
    if name == "golden":
        return LabelledSet(name, tuple(_golden_records()))
    if name == PARAPHRASES:
        return LabelledSet(name, tuple(_paraphrases(Path(__file__).with_name("paraphrases.txt"))))
    path = GOLD / f"{name}.jsonl"
    if not path.exists():
        return None
    with path.open(encoding="utf-8") as lines:
        return LabelledSet(name, tuple(_shared_record(json.loads(line)) for line in lines if line.strip()))


def _paraphrases(file: Path) -> Iterator[LabelledRecord]:
    """Schedules by the rule whose meaning they say in other words."""
    for number, page in enumerate(pages(file)):
        yield LabelledRecord(
            f"{page.name} {number}", tuple(page.masses), text="\n".join(page.lines), phenomena=frozenset({page.name})
        )


def _golden_records() -> Iterator[LabelledRecord]:
    for folder in sorted(path for path in GOLDEN.iterdir() if path.is_dir() and (path / "meta.json").exists()):
        yield golden_record(folder)


def golden_record(folder: Path) -> LabelledRecord:
    """One golden page. A missing expectation is an error: accept it with `make golden-accept PAGE=...`."""
    meta = json.loads((folder / "meta.json").read_text("utf-8"))
    expected = json.loads((folder / "expected.json").read_text("utf-8"))
    pages = tuple((page["url"], folder / page["file"], page.get("content_type")) for page in meta["pages"])
    masses = tuple(expected["masses"])
    return LabelledRecord(folder.name, masses, pages=pages, phenomena=frozenset(meta["phenomena"]) | shown_by(masses))


def _shared_record(data: Mapping[str, Any]) -> LabelledRecord:
    masses = None if data.get("masses") is None else tuple(data["masses"])
    strings = (data.get("sunday") or "", data.get("weekday") or "") if "sunday" in data else None
    pages = tuple((page["file"], GOLD / page["file"], None) for page in data.get("pages", ()))
    return LabelledRecord(data["id"], masses, strings, data.get("text"), pages, shown_by(masses or ()))


def shown_by(masses: tuple[Mapping[str, Any], ...]) -> frozenset[str]:
    """Phenomena that a label itself shows."""
    found = set()
    for mass in masses:
        season, days = mass.get("season") or "all", set(mass["days"])
        if season in ("advent", "lent", "christmasvisits", "may", "october"):
            found.add("liturgical season")
        elif season != "all":
            found.add("months" if season[0].isdigit() else season)
        found |= {"nth"} if mass.get("nth") else set()
        found |= {"place"} if mass.get("place") else set()
        found |= {"feast"} if days & {"PH", "AF"} else set()
        found |= {"optional"} if mass.get("optional") else set()
        found |= (
            {"single weekdays"}
            if days & {"Mo", "Tu", "We", "Th", "Fr"} and len(days & {"Mo", "Tu", "We", "Th", "Fr"}) < 5
            else set()
        )
        found |= {"saturday alone"} if days == {"Sa"} and not mass.get("nth") else set()
    return frozenset(found or {"plain"})
