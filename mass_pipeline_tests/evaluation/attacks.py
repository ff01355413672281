"""Pages made to deceive the reader: what of them is published that should not be, and what is lost that is right.

Reads `*.jsonl` of ../shared/attacks by the rules or with a classifier. Three kinds: those whose
answer is unknown (`html`: nothing of them may be published), those whose answer is known (`sunday`, `weekday`, `decoys`; what
`may_be_missing` need not be read), and those with words about persons (`private`: none may be printed, explanations included,
and the hours beside them must not be lost).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any, Final

from mass_pipeline.cli.judges import Judge
from mass_pipeline.cli.reading_records import Answer, read_record
from mass_pipeline.cli.records import Record
from mass_pipeline.reading.text.reader import read_document
from mass_pipeline_tests.shared import ROOT

FOLDER: Final = ROOT.parent / "shared" / "attacks"
TODAY: Final = date(2026, 11, 26)
_PRINTED_HOUR: Final = re.compile(r"(?<![\d.,:/-])([01]?\d|2[0-3])[.:]([0-5]\d)(?![\d.:-])")


@dataclass(slots=True)
class Verdicts:
    """What came of the pages.

    Attributes:
        pages: how many of each kind.
        published: unknown pages of which something is published.
        wrong: known pages read otherwise than they say.
        told: private pages whose output holds a fact, with the facts.
        lost: private pages that print an hour which is neither published nor proposed, with these hours.
    """

    pages: dict[str, int] = field(default_factory=lambda: {"unknown": 0, "known": 0, "private": 0})
    published: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    told: dict[str, list[str]] = field(default_factory=dict)
    lost: dict[str, list[str]] = field(default_factory=dict)


def judged(folder: Path, judge: Judge, today: date = TODAY) -> Verdicts:
    """Read every page of the folder, and judge what is told of it."""
    verdicts = Verdicts()
    for page in _pages(folder):
        record = Record(str(page["id"]), {"id": page["id"], "html": page["html"]}, folder)
        answer = read_record(record, judge, today=today, explain=True)
        if "private" in page:
            _judge_private(page, answer, verdicts)
        elif "decoys" in page:
            verdicts.pages["known"] += 1
            verdicts.wrong += [] if _is_right(page, answer) else [answer.id]
        else:
            verdicts.pages["unknown"] += 1
            verdicts.published += [answer.id] if answer.schedule.masses else []
    return verdicts


def _pages(folder: Path) -> Iterator[Mapping[str, Any]]:
    for path in sorted(folder.glob("*.jsonl")):
        yield from map(json.loads, path.read_text("utf-8").splitlines())


def _is_right(page: Mapping[str, Any], answer: Answer) -> bool:
    right = {(True, time) for time in page["sunday"]} | {(False, time) for time in page["weekday"]}
    read = {("Su" in one.mass.days, one.mass.time) for one in answer.schedule.masses}
    return read <= right if page["may_be_missing"] else read == right


def _judge_private(page: Mapping[str, Any], answer: Answer, verdicts: Verdicts) -> None:
    verdicts.pages["private"] += 1
    told = json.dumps(answer.as_dict(), ensure_ascii=False)
    facts = [fact for fact in page["private"] if fact in told]
    if facts:
        verdicts.told[answer.id] = facts
    read = [*answer.schedule.masses, *(one.read for one in answer.schedule.withheld)]
    lost = sorted(_printed_hours(page["html"]) - {one.mass.time for one in read})
    if lost:
        verdicts.lost[answer.id] = lost


def _printed_hours(markup: str) -> set[str]:
    lines = read_document(markup, content_type="text/html").lines
    return {f"{int(match[1]):02}:{match[2]}" for line in lines for match in _PRINTED_HOUR.finditer(line.text)}
