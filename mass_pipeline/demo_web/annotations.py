"""Labelled hours and announcements of the demo web, as people would have given them, and the join with candidate hours.

Nobody guesses here: the author of a page marked what its hours are (marks module).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from mass_pipeline.demo_web.compose import ComposedPage
from mass_pipeline.demo_web.marks import LABELS
from mass_pipeline.model.identifiers import fold

_LEAST_COMMON: Final = 6  # letters and digits of the left context that must agree, unless one side has fewer


@dataclass(frozen=True, slots=True)
class Annotation:
    """One hour in context and what it is.

    Attributes:
        parish: key of the parish. directory_url: its page in the directory.
        url: page. time: `HH:MM`. raw: as written. left, right: visible text around it, at most 60 characters.
        label: `mass`, `not_mass` or `cancelled`. dated: whether a Mass holds for single dates only; None for no Mass.
    """

    parish: str
    directory_url: str
    url: str
    time: str
    raw: str
    left: str
    right: str
    label: str
    dated: bool | None


@dataclass(frozen=True, slots=True)
class LabelledAnnouncement:
    """One announcement and whether it tells something about Masses and services."""

    parish: str
    url: str
    text: str
    relevant: bool


def annotations_of(parishes: Iterable[tuple[str, str, Sequence[ComposedPage]]]) -> Iterator[Annotation]:
    """Labelled hours of (key, directory URL, pages) triples, in order."""
    for key, directory_url, pages in parishes:
        for page in pages:
            for hour in page.hours:
                label, dated = LABELS[hour.kind]
                yield Annotation(key, directory_url, page.url, hour.time, hour.raw, hour.left, hour.right, label, dated)


def announcements_of(parishes: Iterable[tuple[str, Sequence[ComposedPage]]]) -> Iterator[LabelledAnnouncement]:
    """Labelled announcements of (key, pages) pairs, in order."""
    for key, pages in parishes:
        for page in pages:
            for sentence in page.sentences:
                yield LabelledAnnouncement(key, page.url, sentence.text, sentence.relevant)


class HourInContext(Protocol):
    """What the join needs of a candidate hour."""

    @property
    def url(self) -> str: ...
    @property
    def time(self) -> str: ...
    @property
    def left(self) -> str: ...


def match_annotations(candidates: Sequence[HourInContext], annotations: Iterable[Annotation]) -> dict[int, Annotation]:
    """Join labelled hours with candidate hours by page URL, time and left context.

    Returns:
        Index of the candidate -> its annotation, one to one. A pair must agree in the last letters and digits before
        the hour; of several possible ones the longest agreement wins, then the order on the page.
    """
    waiting: dict[tuple[str, str], list[tuple[str, Annotation]]] = defaultdict(list)
    for annotation in annotations:
        waiting[annotation.url, annotation.time].append((_letters(annotation.left), annotation))
    places: dict[tuple[str, str], list[int]] = defaultdict(list)
    for index, candidate in enumerate(candidates):
        places[candidate.url, candidate.time].append(index)
    joined: dict[int, Annotation] = {}
    for key, indexes in places.items():
        # What is masked in a candidate cannot be compared: the words after it must do.
        lefts = [(i, _letters(candidates[i].left.rpartition("▒")[2])) for i in indexes]
        joined |= _match_group(lefts, waiting.get(key, []))
    return joined


def _match_group(places: list[tuple[int, str]], labelled: list[tuple[str, Annotation]]) -> dict[int, Annotation]:
    pairs = []
    for order, (index, left) in enumerate(places):
        for number, (expected, _) in enumerate(labelled):
            common = _common_suffix(left, expected)
            if common >= min(_LEAST_COMMON, len(left), len(expected)):
                pairs.append((-common, abs(order - number), order, number, index))
    joined: dict[int, Annotation] = {}
    used: set[int] = set()
    for _, _, _, number, index in sorted(pairs):
        if index not in joined and number not in used:
            joined[index] = labelled[number][1]
            used.add(number)
    return joined


def _letters(text: str) -> str:
    return "".join(c for c in fold(text) if c.isalnum())[-50:]


def _common_suffix(one: str, other: str) -> int:
    count = 0
    for a, b in zip(reversed(one), reversed(other), strict=False):
        if a != b:
            break
        count += 1
    return count
