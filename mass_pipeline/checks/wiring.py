"""How a validator becomes an asset check: what it may read, and how the UI shows its verdict.

Without postponed annotations: Dagster looks at the type of a check's context itself.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import dagster as dg

from mass_pipeline.checks.schema import columns_with_vocabulary, validate_schema
from mass_pipeline.checks.verdict import Verdict
from mass_pipeline.model.errors import MassPipelineError
from mass_pipeline.model.table import Table
from mass_pipeline.resources.lake import Lake, TableReader
from mass_pipeline.resources.operation import OperationConfig
from mass_pipeline.resources.schedule_reviews import ReviewLog, Reviews
from mass_pipeline.resources.settings import Settings

PARTITIONED = ("crawled_pages", "candidate_hours", "mass_schedules", "parish_states", "external_links", "announcements")


@dataclass(frozen=True, slots=True)
class Evidence:
    """What validators are given.

    Attributes:
        lake: published tables.
        settings: all settings.
        dioceses: every partition key.
        keys: the partitions this run covers; None outside a partitioned run: all published ones.
    """

    lake: Lake
    settings: Settings
    dioceses: Sequence[str]
    keys: Sequence[str] | None

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
        if table.name not in PARTITIONED:
            return self.lake.reader(table)
        return self.lake.reader(table, self.lake.partitions(table) if self.keys is None else self.keys)

    def rows(self, table: Table, *columns: str) -> Iterator[dict[str, object]]:
        """Rows of some columns."""
        return self.reader(table).rows(columns)

    def values(self, table: Table, column: str) -> Iterator[object]:
        """Values of one column."""
        return (row[column] for row in self.rows(table, column))


@dataclass(frozen=True, slots=True)
class Check:
    """One promise.

    Attributes:
        asset: whose.
        name: of the check.
        validate: judges.
        promise: one sentence for the UI.
        blocking: whether a failure stops the assets downstream in the same run, and the run.
    """

    asset: str
    name: str
    validate: Callable[[Evidence], Verdict]
    promise: str
    blocking: bool = False


def schema_check(table: Table) -> Check:
    """The blocking check that a table is as the column dictionary says."""

    def validate(evidence: Evidence) -> Verdict:
        reader = evidence.reader(table)
        return validate_schema(table, reader.schemas(), reader.chunks(columns_with_vocabulary(table)))

    return Check(table.name, "schema", validate, "Columns, types and vocabularies are those of model/columns.py.", blocking=True)


def asset_check_of(check: Check, dioceses: Sequence[str]) -> dg.AssetChecksDefinition:
    """The Dagster check; a failed promise that does not block is a warning."""

    @dg.asset_check(
        asset=check.asset,
        name=check.name,
        description=check.promise,
        blocking=check.blocking,
        required_resource_keys={"lake", "settings"},
    )
    def judged(context: dg.AssetCheckExecutionContext) -> dg.AssetCheckResult:
        keys = list(context.partition_keys) if context.has_partition_key or context.has_partition_key_range else None
        evidence = Evidence(context.resources.lake, context.resources.settings, dioceses, keys)
        try:
            verdict = check.validate(evidence)
        except MassPipelineError as error:
            verdict = Verdict(False, str(error))
        return _result(check, verdict)

    return judged


def _result(check: Check, verdict: Verdict) -> dg.AssetCheckResult:
    metadata: dict[str, dg.MetadataValue] = {
        name: dg.MetadataValue.float(value) if isinstance(value, float) else dg.MetadataValue.int(value)
        for name, value in verdict.figures.items()
    }
    if verdict.findings:
        metadata["findings"] = dg.MetadataValue.table([dg.TableRecord(dict(finding)) for finding in verdict.findings])
    return dg.AssetCheckResult(
        passed=verdict.passed,
        description=verdict.summary,
        severity=dg.AssetCheckSeverity.ERROR if check.blocking else dg.AssetCheckSeverity.WARN,
        metadata=metadata,
    )
