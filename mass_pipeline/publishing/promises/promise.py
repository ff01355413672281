"""A promise of a table: who judges it, what the judge may read and says, and whether rows that break it are published."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from mass_pipeline.model.errors import MassPipelineError
from mass_pipeline.model.table import Table
from mass_pipeline.publishing.reviews import ReviewLog, Reviews
from mass_pipeline.resources.lake import Lake, TableReader
from mass_pipeline.resources.operation import OperationConfig
from mass_pipeline.resources.settings import Settings

Finding = Mapping[str, str | int | float | bool]
_MOST_FINDINGS: Final = 20


@dataclass(frozen=True, slots=True)
class Verdict:
    """Outcome of one validator.

    Attributes:
        passed: whether the promise holds.
        summary: one sentence that names the promise, what was found and, on failure, the remedy.
        figures: numbers that the UI plots over time.
        findings: rows that speak against it, the worst first; twenty of them are kept.
    """

    passed: bool
    summary: str
    figures: Mapping[str, int | float] = field(default_factory=dict)
    findings: Sequence[Finding] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "findings", list(self.findings[:_MOST_FINDINGS]))


@dataclass(frozen=True, slots=True)
class Evidence:
    """What validators are given.

    Attributes:
        lake: published tables.
        settings: all settings.
        dioceses: every partition key.
        keys: the partitions this run covers; None outside a partitioned run: all published ones.
        proposed: the rows of a part that is not published yet: those are judged, in the place of what is published.
    """

    lake: Lake
    settings: Settings
    dioceses: Sequence[str]
    keys: Sequence[str] | None
    proposed: TableReader | None = None

    @property
    def operation(self) -> OperationConfig:
        """Floors and tolerances."""
        return self.settings.section(OperationConfig)

    @property
    def reviews(self) -> Reviews:
        """What was proposed and decided about standing orders."""
        return ReviewLog(self.settings.shared).read()

    def reader(self, table: Table) -> TableReader:
        """The rows of the partitions this run covers."""
        if self.proposed is not None and self.proposed.table == table:
            return self.proposed
        if not table.is_partitioned:
            return self.lake.reader(table)
        return self.lake.reader(table, self.lake.partitions(table) if self.keys is None else self.keys)

    def rows(self, table: Table, *columns: str) -> Iterator[dict[str, object]]:
        """Rows of some columns."""
        return self.reader(table).rows(columns)

    def values(self, table: Table, column: str) -> Iterator[object]:
        """Values of one column."""
        return (row[column] for row in self.rows(table, column))


@dataclass(frozen=True, slots=True)
class Promise:
    """One promise of a table.

    Attributes:
        asset: whose.
        name: of the check.
        validate: judges.
        promise: one sentence for the UI.
        blocking: whether rows that break it are not published.
    """

    asset: str
    name: str
    validate: Callable[[Evidence], Verdict]
    promise: str
    blocking: bool = False

    def verdict(self, evidence: Evidence) -> Verdict:
        """What the validator says; evidence that cannot be read is a failure."""
        try:
            return self.validate(evidence)
        except MassPipelineError as error:
            return Verdict(False, str(error))
