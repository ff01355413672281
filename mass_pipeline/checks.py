"""Asset checks: the promises of published tables (`publishing.promises`) as Dagster runs and shows them.

Without postponed annotations: Dagster looks at the type of a check's context itself.
"""

from collections.abc import Sequence

import dagster as dg

from mass_pipeline.model.errors import MassPipelineError
from mass_pipeline.publishing.promises.catalogue import PROMISES
from mass_pipeline.publishing.promises.promise import Evidence, Promise
from mass_pipeline.publishing.promises.verdict import Verdict


def build_checks(dioceses: Sequence[str]) -> list[dg.AssetChecksDefinition]:
    """All checks for these dioceses, in the order of the lineage."""
    return [asset_check_of(promise, dioceses) for promise in PROMISES]


def asset_check_of(promise: Promise, dioceses: Sequence[str]) -> dg.AssetChecksDefinition:
    """The Dagster check; a failed promise that does not block is a warning."""

    @dg.asset_check(
        asset=promise.asset,
        name=promise.name,
        description=promise.promise,
        blocking=promise.blocking,
        required_resource_keys={"lake", "settings"},
    )
    def judged(context: dg.AssetCheckExecutionContext) -> dg.AssetCheckResult:
        keys = list(context.partition_keys) if context.has_partition_key or context.has_partition_key_range else None
        evidence = Evidence(context.resources.lake, context.resources.settings, dioceses, keys)
        try:
            verdict = promise.validate(evidence)
        except MassPipelineError as error:
            verdict = Verdict(False, str(error))
        return _result(promise, verdict)

    return judged


def _result(promise: Promise, verdict: Verdict) -> dg.AssetCheckResult:
    metadata: dict[str, dg.MetadataValue] = {
        name: dg.MetadataValue.float(value) if isinstance(value, float) else dg.MetadataValue.int(value)
        for name, value in verdict.figures.items()
    }
    if verdict.findings:
        metadata["findings"] = dg.MetadataValue.table([dg.TableRecord(dict(finding)) for finding in verdict.findings])
    return dg.AssetCheckResult(
        passed=verdict.passed,
        description=verdict.summary,
        severity=dg.AssetCheckSeverity.ERROR if promise.blocking else dg.AssetCheckSeverity.WARN,
        metadata=metadata,
    )
