"""Find the questions whose page is a dead end: no Mass on it and no way on, or only ways that are empty themselves."""

from __future__ import annotations

import multiprocessing
import os
from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any, Final
from urllib.parse import parse_qsl, urlsplit

from mass_pipeline.finding.index import queries
from mass_pipeline.public_web.answered import answer_record
from mass_pipeline.public_web.site import Site
from mass_pipeline_tests.public_web.made_questions import Question, made, written
from mass_pipeline_tests.public_web.support import site_over

_SEED: Final = 7  # of the made questions
ANSWERED: Final = ("masses", "next_best")


@dataclass(slots=True)
class Judge:
    """Judges pages of a site; what a way leads to is looked up once.

    Attributes:
        kinds: how many answers of each kind were given.
    """

    site: Site
    kinds: Counter[str] = field(default_factory=Counter)
    _known: dict[tuple[str, datetime], bool] = field(default_factory=dict)

    def dead_ends(self, questions: Iterable[Question]) -> Iterator[str]:
        """A line for each dead end, with the question, its moment and what is wrong."""
        for question in questions:
            answer: dict[str, Any] = answer_record(self.site, question.record, question.at)
            self.kinds[str(answer["kind"])] += 1
            wrong = self._wrong(answer, question.at)
            if wrong:
                yield f"{question.record} at {question.at:%Y-%m-%d %H:%M}: {wrong}"

    def _wrong(self, answer: dict[str, Any], at: datetime) -> str:
        if answer["kind"] in ANSWERED:
            is_empty = not (answer["masses"] or answer["orders"] or answer["nearby"])
            return "an answer without a Mass" if is_empty else self._elsewhere(answer)
        if not answer["ways"]:
            return f"{answer['kind']} without a way on"
        empty = [path for path in answer["ways"] if not self._leads_on(path, at)]
        return f"{answer['kind']}, and empty ways: {empty}" if empty else ""

    def _leads_on(self, path: str, at: datetime) -> bool:
        if (path, at) not in self._known:
            parts = urlsplit(path)
            if parts.path == "/msze":
                found = answer_record(self.site, dict(parse_qsl(parts.query)), at)["kind"] in ANSWERED
            else:
                found = self._is_page_of_parish(parts.path)
            self._known[path, at] = found
        return self._known[path, at]

    def _is_page_of_parish(self, path: str) -> bool:
        with self.site.reading() as (_, connection):
            one = queries.parish(connection, path.rsplit("-", 1)[-1])
        return one is not None and one.path == path

    def _elsewhere(self, answer: dict[str, Any]) -> str:
        """What is wrong when a town was read and nothing left out: parishes of another town among those shown."""
        place = answer["place"] or {}
        name = place.get("town") or place.get("name")
        is_asked = place.get("voivodeship") and name and not (place.get("ambiguous") or place.get("near"))
        if answer["kind"] != "masses" or not is_asked:
            return ""
        with self.site.reading() as (_, connection):
            towns = queries.towns_named(connection, str(name), str(place["voivodeship"]))
            keys = {one.key for one in towns}
            shown = (queries.parish(connection, one["parish_id"]) for one in answer["parishes"])
            others = sorted({one.town for one in shown if one is not None and one.town_key not in keys})
        return f"asked for {name}, shown are {others}" if keys and others else ""


def judged(site: Site, made_ones: int, part: int = 0, parts: int = 1) -> tuple[list[str], Counter[str]]:
    """Dead ends and kinds of answers of the written questions and of so many made ones, or of every `parts`-th from `part` on."""
    with site.reading() as (index, connection):
        places = site.places(index, connection)
    judge = Judge(site)
    return list(judge.dead_ends([*written(), *made(places, made_ones, seed=_SEED)][part::parts])), judge.kinds


def judged_by_processes(folder: Path, at: datetime, made_ones: int) -> tuple[list[str], Counter[str]]:
    """The same over the index of a folder, shared out to a process for each core."""
    parts = len(os.sched_getaffinity(0))
    with ProcessPoolExecutor(parts, multiprocessing.get_context("spawn")) as processes:
        found = list(processes.map(partial(_judged_part, folder, at, made_ones, parts), range(parts)))
    return [line for lines, _ in found for line in lines], sum((kinds for _, kinds in found), Counter())


def _judged_part(folder: Path, at: datetime, made_ones: int, parts: int, part: int) -> tuple[list[str], Counter[str]]:
    return judged(site_over(folder, at=at), made_ones, part, parts)
