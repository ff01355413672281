"""Labelled candidate hours of composed pages: they are read by the same extraction as real ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from difflib import SequenceMatcher
from functools import lru_cache
from typing import Final

import pandas as pd

from mass_pipeline.learning.phrasebook.compose import Kind, Page, compose_page
from mass_pipeline.reading.regular.reading import read_page
from mass_pipeline.reading.text.candidates import CandidateHour, find_candidates
from mass_pipeline.reading.text.reader import read_document

LABELS: Final[dict[Kind, tuple[str, bool | None]]] = {
    "m": ("mass", False),
    "d": ("mass", True),
    "x": ("cancelled", None),
    "n": ("not_mass", None),
}


@lru_cache(maxsize=1)  # reading them takes half as long as learning from them
def composed_hours(pages: int, seed: int) -> pd.DataFrame:
    """Candidate hours of so many composed pages with `label` and `dated`; every page is a parish of its own.

    Args:
        pages: how many.
        seed: of the pages; a longer corpus begins with a shorter one.

    Returns:
        Columns of candidate_hours plus label, dated (nullable boolean), in the order of the pages. Hours that the
        extraction reads otherwise than they were written are left out. The frame is shared: who changes it makes a copy.
    """
    rows: list[dict[str, object]] = []
    for number in range(pages):
        page = compose_page(number, seed)
        parish = f"phrase-{seed}-{number:06}"
        document = read_document(page.markup, content_type="text/html", url=f"http://{parish}.example/")
        candidates = find_candidates(document, parish_id=parish, page_score=read_page(document).score)
        rows += _labelled(candidates, page)
    frame = pd.DataFrame(rows)
    frame["dated"] = frame["dated"].astype("boolean")
    return frame.drop(columns=["line", "start", "end"]).drop_duplicates("candidate_id", ignore_index=True)


def _labelled(candidates: Sequence[CandidateHour], page: Page) -> list[dict[str, object]]:
    written, read = [time for time, _ in page.hours], [candidate.time for candidate in candidates]
    rows = []
    for block in SequenceMatcher(None, written, read, autojunk=False).get_matching_blocks():
        for i in range(block.size):
            label, dated = LABELS[page.hours[block.a + i][1]]
            rows.append({**asdict(candidates[block.b + i]), "label": label, "dated": dated})
    return rows
