"""The annotation app's database as a store of labels for the pipeline. Opens it for each question: the app may be elsewhere."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mass_pipeline.annotation.config import AnnotationConfig
from mass_pipeline.model.records import Mass
from mass_pipeline.resources.annotations import CandidateInContext, HourLabel
from mass_pipeline.resources.settings import Settings
from mass_pipeline.schedules.checked import Checked, RowAnswer

if TYPE_CHECKING:
    from mass_pipeline.annotation.store import Store


@dataclass(frozen=True, slots=True)
class AppAnnotations:
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
        """Number of labels given and changed so far: grows with every one (see `annotations.AnnotationStore`)."""
        with self._open() as store:
            return int(store.count_new_since(None).cursor) if store else 0

    def labels(self, candidates: Iterable[CandidateInContext]) -> list[HourLabel]:
        """See `annotations.AnnotationStore`. Withheld labels are left out."""
        wanted = {candidate.candidate_id for candidate in candidates}
        with self._open() as store:
            if store is None:
                return []
            rows = store.labels()[["candidate_id", "label", "n_votes", "weight"]].itertuples(index=False, name=None)
        return [HourLabel(name, label, None, int(votes), float(weight)) for name, label, votes, weight in rows if name in wanted]

    def rows(self) -> list[RowAnswer]:
        """See `annotations.AnnotationStore`. Withheld answers are left out."""
        with self._open() as store:
            if store is None:
                return []
            return row_answers(store)

    def agreement(self) -> float | None:
        """See `annotations.AnnotationStore`. Votes of banned people are not counted."""
        with self._open() as store:
            if store is None:
                return None
            from mass_pipeline.annotation.agreement import krippendorff_alpha

            votes = store.votes()
            return krippendorff_alpha(votes[votes["standing"] != "banned"])

    def erase(self, covers: Callable[[str], bool]) -> int | None:
        """Erase the questions made of pages that are covered, with their votes; how many, None without a database."""
        with self._open() as store:
            if store is None:
                return None
            from mass_pipeline.annotation.removal import erase_questions

            return erase_questions(store.engine, covers)

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
