"""Asset checks: the promises of published tables (`publishing.promises`) as Dagster runs and shows them.

Without postponed annotations: Dagster looks at the type of a check's context itself.
"""

from collections.abc import Sequence

import dagster as dg

from mass_pipeline.model.columns import TABLES
from mass_pipeline.publishing.promises.promise import Evidence, Promise, Verdict
from mass_pipeline.publishing.promises.tables import PROMISES
from mass_pipeline.publishing.verdicts import VerdictLog, of_all
from mass_pipeline.resources.storage import WORDS


def build_checks(dioceses: Sequence[str]) -> list[dg.AssetChecksDefinition]:
    """All checks for these dioceses, in the order of the lineage."""
    return [
        *(asset_check_of(promise, dioceses) for promise in PROMISES),
        *(none_lost(table.name) for table in TABLES.values() if table.is_partitioned),
    ]


def none_lost(asset: str) -> dg.AssetChecksDefinition:
    """The check that ends a run over several dioceses as failed when it had to go on without one of them."""

    @dg.asset_check(
        asset=asset,
        name="every_diocese_of_the_run",
        description="Nothing of the run was made without one of its dioceses; otherwise it fails once the others are done.",
        required_resource_keys={"lake_io"},
    )
    def judged(context: dg.AssetCheckExecutionContext) -> dg.AssetCheckResult:
        lost = context.resources.lake_io.lost(context.run.run_id, asset)
        if lost:
            raise dg.Failure("\n".join(f"{asset} of {key}: {why}" for key, why in lost.items()), allow_retries=False)
        return dg.AssetCheckResult(passed=True, description="Every diocese of the run was made.")

    return judged


def asset_check_of(promise: Promise, dioceses: Sequence[str]) -> dg.AssetChecksDefinition:
    """The Dagster check.

    What blocks was tried on every part before it was published (`promises.gate`): the check shows what was said of all parts, so
    that no diocese speaks for another, and stops nothing. Only what is no table is judged, and stopped, here.
    """
    is_tried_before = promise.blocking and promise.asset in TABLES

    @dg.asset_check(
        asset=promise.asset,
        name=promise.name,
        description=promise.promise,
        blocking=promise.blocking and not is_tried_before,
        required_resource_keys={"lake", "settings"},
    )
    def judged(context: dg.AssetCheckExecutionContext) -> dg.AssetCheckResult:
        settings = context.resources.settings
        known = VerdictLog(settings.shared).read(promise.asset, promise.name) if is_tried_before else {}
        if verdicts := {key: verdict for key, verdict in known.items() if key is None or key in dioceses}:
            return _result(promise, of_all(verdicts, dioceses))
        keys = list(context.partition_keys) if context.has_partition_key or context.has_partition_key_range else None
        return _result(promise, promise.verdict(Evidence(context.resources.lake, settings, dioceses, keys)))

    return judged


def _result(promise: Promise, verdict: Verdict) -> dg.AssetCheckResult:
    metadata: dict[str, dg.MetadataValue] = {
        name: dg.MetadataValue.float(value) if isinstance(value, float) else dg.MetadataValue.int(value)
        for name, value in verdict.figures.items()
    }
    if verdict.findings:
        metadata["findings"] = dg.MetadataValue.table(
            [dg.TableRecord({name: one for name, one in finding.items() if name not in WORDS}) for finding in verdict.findings]
        )
    return dg.AssetCheckResult(
        passed=verdict.passed,
        description=verdict.summary,
        severity=dg.AssetCheckSeverity.ERROR if promise.blocking else dg.AssetCheckSeverity.WARN,
        metadata=metadata,
    )
