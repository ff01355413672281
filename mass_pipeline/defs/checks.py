"""Asset checks: the promises of published tables (`publishing.promises`) as Dagster runs and shows them.

Without postponed annotations: Dagster looks at the type of a check's context itself.
"""

from collections.abc import Iterator, Sequence
from typing import Final

import dagster as dg

from mass_pipeline.model.columns import TABLES
from mass_pipeline.publishing.promises.promise import Evidence, Promise, Verdict
from mass_pipeline.publishing.promises.tables import PROMISES
from mass_pipeline.publishing.verdicts import VerdictLog, of_all
from mass_pipeline.resources.storage import WORDS

_NONE_LOST: Final = "every_diocese_of_the_run"


def build_checks(dioceses: Sequence[str]) -> list[dg.AssetChecksDefinition]:
    """All checks for these dioceses: those of an asset are one step, in the order of the lineage."""
    assets = dict.fromkeys([*(one.asset for one in PROMISES), *(one.name for one in TABLES.values() if one.is_partitioned)])
    return [checks_of(asset, [one for one in PROMISES if one.asset == asset], dioceses) for asset in assets]


def checks_of(asset: str, promises: Sequence[Promise], dioceses: Sequence[str]) -> dg.AssetChecksDefinition:
    """The checks of an asset: its promises, and one that ends a run as failed when it had to go on without a diocese.

    What blocks was tried on every part before it was published (`promises.gate`): the check shows what was said of all parts, so
    that no diocese speaks for another, and stops nothing. Only what is no table is judged, and stopped, here.
    """
    specs = [
        dg.AssetCheckSpec(one.name, asset=asset, description=one.promise, blocking=one.blocking and asset not in TABLES)
        for one in promises
    ]
    if asset in TABLES and TABLES[asset].is_partitioned:
        meaning = "Nothing of the run was made without one of its dioceses; otherwise it fails once the others are done."
        specs.append(dg.AssetCheckSpec(_NONE_LOST, asset=asset, description=meaning))

    @dg.multi_asset_check(
        name=f"checks_of_{asset}", specs=specs, can_subset=True, required_resource_keys={"lake", "settings", "lake_io"}
    )
    def judged(context: dg.AssetCheckExecutionContext) -> Iterator[dg.AssetCheckResult]:
        asked = {key.name for key in context.selected_asset_check_keys}
        for promise in promises:
            if promise.name in asked:
                yield _judge(context, promise, dioceses)
        if _NONE_LOST in asked:
            lost = context.resources.lake_io.lost(context.run.run_id, asset)
            if lost:
                raise dg.Failure("\n".join(f"{asset} of {key}: {why}" for key, why in lost.items()), allow_retries=False)
            yield dg.AssetCheckResult(check_name=_NONE_LOST, passed=True, description="Every diocese of the run was made.")

    return judged


def _judge(context: dg.AssetCheckExecutionContext, promise: Promise, dioceses: Sequence[str]) -> dg.AssetCheckResult:
    settings = context.resources.settings
    is_tried_before = promise.blocking and promise.asset in TABLES
    known = VerdictLog(settings.shared).read(promise.asset, promise.name) if is_tried_before else {}
    if verdicts := {key: verdict for key, verdict in known.items() if key is None or key in dioceses}:
        return _result(promise, of_all(verdicts, dioceses))
    keys = list(context.partition_keys) if context.has_partition_key or context.has_partition_key_range else None
    return _result(promise, promise.verdict(Evidence(context.resources.lake, settings, dioceses, keys)))


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
        check_name=promise.name,
        passed=verdict.passed,
        description=verdict.summary,
        severity=dg.AssetCheckSeverity.ERROR if promise.blocking else dg.AssetCheckSeverity.WARN,
        metadata=metadata,
    )
