"""Labels that people gave to hours and rows: the port, and its stores (file, demo web, the database of the annotation app).

The app may be elsewhere: its database is opened for each question.
"""

from __future__ import annotations

import hashlib
import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from mass_pipeline.annotation.config import AnnotationConfig
from mass_pipeline.model.columns import LABELS
from mass_pipeline.model.errors import BadInput
from mass_pipeline.model.records import Mass
from mass_pipeline.resources.settings import Settings
from mass_pipeline.schedules.checked import Checked, RowAnswer

if TYPE_CHECKING:
    from mass_pipeline.annotation.store import Store
    from mass_pipeline.demo_web.annotations import Annotation


@dataclass(frozen=True, slots=True)
class HourLabel:
    """What people say about one candidate hour.

    Attributes:
        candidate_id: the hour.
        label: one of `model.columns.LABELS`.
        dated: whether a Mass holds for single dates only; None when nobody was asked.
        n_votes: counted votes.
        weight: how far the label is trusted, 0 to 1.
    """

    candidate_id: str
    label: str
    dated: bool | None
    n_votes: int
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class CandidateInContext:
    """What a store may need to recognise a candidate hour."""

    candidate_id: str
    url: str
    time: str
    left: str
    page_score: float = 1.0


class AnnotationStore(ABC):
    """Labels of people for candidate hours, and what they settled about rows; most stores hold labels alone."""

    __slots__ = ()

    @abstractmethod
    def count(self) -> int:
        """Number of labels so far; grows with new annotations (the cursor of the re-training sensor)."""

    @abstractmethod
    def labels(self, candidates: Iterable[CandidateInContext]) -> list[HourLabel]:
        """Labels of those candidates that have one, sorted by candidate_id, at most one for each.

        Several stores go through the same candidates: an iterator would be empty for the second.

        Raises:
            BadInput: a label of a file is none; the message names file and line.
        """

    def rows(self) -> list[RowAnswer]:
        """What people settled about rows of schedules, sorted by row_id, at most one for each."""
        return []

    def agreement(self) -> float | None:
        """Krippendorff's alpha over all counted votes; None where nothing can be compared."""
        return None


@dataclass(frozen=True, slots=True)
class FileAnnotations(AnnotationStore):
    """A JSON Lines file: one object per label with candidate_id, label and optionally dated, n_votes, weight.

    A missing file holds no labels; of several lines for one hour the last counts.
    """

    path: Path

    def count(self) -> int:
        """See `AnnotationStore`."""
        return len(self._read())

    def labels(self, candidates: Iterable[CandidateInContext]) -> list[HourLabel]:
        """See `AnnotationStore`."""
        wanted = {candidate.candidate_id for candidate in candidates}
        return sorted((label for label in self._read().values() if label.candidate_id in wanted), key=_by_id)

    def _read(self) -> dict[str, HourLabel]:
        if not self.path.exists():
            return {}
        try:
            lines = self.path.read_text(encoding="utf-8").splitlines()
        except (OSError, UnicodeDecodeError) as error:
            raise BadInput(
                f"{self.path}: cannot be read as annotations: {error}. Put a UTF-8 file of JSON Lines there."
            ) from error
        labels = (_parse(line, f"{self.path}, line {number}") for number, line in enumerate(lines, 1) if line.strip())
        return {label.candidate_id: label for label in labels}


@dataclass(frozen=True, slots=True)
class DemoAnnotations(AnnotationStore):
    """A crowd that knows what the authors of the demo pages meant, and has got round to a share of the hours.

    Hours are recognised by page, hour and words before it. Which have been asked about depends on their words alone; hours of
    pages that the filter leaves out are not asked about, so that rules and sampled negatives teach the rest.

    Attributes:
        share: of the hours, 0 to 1.
        least_score: page score from which hours are asked about.
    """

    annotations: Sequence[Annotation]
    share: float = 1.0
    least_score: float = 0.0

    def count(self) -> int:
        """See `AnnotationStore`; hours that the filter leaves out are counted too."""
        return sum(map(self._is_asked, self.annotations))

    def labels(self, candidates: Iterable[CandidateInContext]) -> list[HourLabel]:
        """See `AnnotationStore`."""
        from mass_pipeline.demo_web.annotations import match_annotations

        hours = list(candidates)
        matched = match_annotations(hours, self.annotations)
        labels = {
            hours[index].candidate_id: HourLabel(hours[index].candidate_id, found.label, found.dated, 1)
            for index, found in matched.items()
            if self._is_asked(found) and hours[index].page_score >= self.least_score
        }
        return sorted(labels.values(), key=_by_id)

    def _is_asked(self, one: Annotation) -> bool:
        digest = hashlib.sha256(f"{one.url}\x1f{one.time}\x1f{one.left}".encode()).digest()
        return int.from_bytes(digest[:8]) < self.share * 2**64


@dataclass(frozen=True, slots=True)
class SeveralStores(AnnotationStore):
    """Several stores as one; where they speak of the same hour, the later one counts."""

    stores: Sequence[AnnotationStore]

    def count(self) -> int:
        """See `AnnotationStore`."""
        return sum(store.count() for store in self.stores)

    def labels(self, candidates: Iterable[CandidateInContext]) -> list[HourLabel]:
        """See `AnnotationStore`."""
        joined = {label.candidate_id: label for store in self.stores for label in store.labels(candidates)}
        return sorted(joined.values(), key=_by_id)

    def rows(self) -> list[RowAnswer]:
        """See `AnnotationStore`."""
        joined = {answer.row_id: answer for store in self.stores for answer in store.rows()}
        return [joined[name] for name in sorted(joined)]

    def agreement(self) -> float | None:
        """See `AnnotationStore`: of the last store that knows it."""
        known = [alpha for store in self.stores if (alpha := store.agreement()) is not None]
        return known[-1] if known else None


@dataclass(frozen=True, slots=True)
class CandidatesInContext:
    """What stores need of the hours of a country, read anew each time somebody goes through them: no list of them is kept.

    Attributes:
        rows: gives the rows of candidate_hours with the columns `COLUMNS`.
    """

    COLUMNS: ClassVar = ("candidate_id", "url", "time", "left", "page_score")

    rows: Callable[[], Iterable[Mapping[str, object]]]

    def __iter__(self) -> Iterator[CandidateInContext]:
        """The hours, one after the other."""
        for row in self.rows():
            candidate_id, url, time, left = (str(row[name]) for name in self.COLUMNS[:-1])
            yield CandidateInContext(candidate_id, url, time, left, float(str(row["page_score"])))


def _parse(line: str, where: str) -> HourLabel:
    try:
        found = json.loads(line)
        label = HourLabel(
            str(found["candidate_id"]),
            str(found["label"]),
            None if found.get("dated") is None else bool(found["dated"]),
            int(found.get("n_votes", 1)),
            float(found.get("weight", 1.0)),
        )
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise BadInput(f"{where}: no label ({error}); expected an object with candidate_id and label.") from error
    if label.label not in LABELS or not 0.0 <= label.weight <= 1.0:
        raise BadInput(f"{where}: label must be one of {', '.join(LABELS)} and weight between 0 and 1.")
    return label


def _by_id(label: HourLabel) -> str:
    return label.candidate_id


@dataclass(frozen=True, slots=True)
class AppAnnotations(AnnotationStore):
    """Published and decided labels of the app; none while it has no database yet.

    Attributes:
        url: SQLAlchemy URL.
        config: thresholds from which votes become labels.
    """

    url: str
    config: AnnotationConfig

    @classmethod
    def of(cls, settings: Settings) -> AppAnnotations:
        """The database that `mass-pipeline annotate` uses with the same settings."""
        config = settings.section(AnnotationConfig)
        return cls(config.database_url(settings.data_folder), config)

    def count(self) -> int:
        """Number of labels given and changed so far: grows with every one (see `AnnotationStore`)."""
        with self._open() as store:
            return int(store.count_new_since(None).cursor) if store else 0

    def labels(self, candidates: Iterable[CandidateInContext]) -> list[HourLabel]:
        """See `AnnotationStore`. Withheld labels are left out."""
        wanted = {candidate.candidate_id for candidate in candidates}
        with self._open() as store:
            if store is None:
                return []
            rows = store.labels()[["candidate_id", "label", "n_votes", "weight"]].itertuples(index=False, name=None)
        return [HourLabel(name, label, None, int(votes), float(weight)) for name, label, votes, weight in rows if name in wanted]

    def rows(self) -> list[RowAnswer]:
        """See `AnnotationStore`. Withheld answers are left out."""
        with self._open() as store:
            return row_answers(store) if store else []

    def agreement(self) -> float | None:
        """See `AnnotationStore`. Votes of banned people are not counted."""
        with self._open() as store:
            if store is None:
                return None
            from mass_pipeline.annotation.campaign import krippendorff_alpha

            votes = store.votes()
            return krippendorff_alpha(votes[votes["standing"] != "banned"])

    def erase(self, covers: Callable[[str], bool]) -> int | None:
        """Erase the questions made of pages that are covered, with their votes; how many, None without a database."""
        with self._open() as store:
            if store is None:
                return None
            return store.erase_questions(covers)

    @contextmanager
    def _open(self) -> Iterator[Store | None]:
        file = self.url.removeprefix("sqlite:///")
        if file != self.url and not Path(file).exists():
            yield None
            return
        from mass_pipeline.annotation.store import open_store  # an extra dependency: only where there is a database

        store = open_store(self.url, self.config)
        try:
            yield store
        finally:
            store.close()


def row_answers(store: Store) -> list[RowAnswer]:
    """What people settled about rows, by row_id."""
    settled = store.settled()
    return [_row_answer(row) for row in settled[settled["kind"] == "row"].itertuples(index=False)]


def _row_answer(row: Any) -> RowAnswer:
    checked = Checked(int(row.people), row.day, row.by)
    mass = Mass.from_dict(json.loads(row.mass))
    return RowAnswer(
        row.id, row.parish_id, mass, row.quote, row.url, row.verdict, float(row.probability), checked, row.context, row.wording
    )
