"""An asset that does nothing, for many partitions: what the queue of runs costs and loses by itself (`scale_queue`)."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator

import dagster as dg

from mass_pipeline.defs.automation.lost_runs import build_lost_runs_sensor

KEYS = [f"p{number:03}" for number in range(int(os.environ.get("MASS_TESTS_PARTITIONS", "400")))]


@dg.asset(partitions_def=dg.StaticPartitionsDefinition(KEYS))
def nothing() -> None:
    """Takes as long as it is told to."""
    time.sleep(float(os.environ.get("MASS_TESTS_SECONDS", "0")))


nothing_job = dg.define_asset_job("nothing_job", [nothing])


@dg.sensor(job=nothing_job, minimum_interval_seconds=5)
def all_at_once() -> Iterator[dg.RunRequest]:
    """Every partition once, as a campaign asks for dioceses."""
    for key in KEYS:
        yield dg.RunRequest(key, partition_key=key)


defs = dg.Definitions(
    assets=[nothing], jobs=[nothing_job], sensors=[all_at_once, build_lost_runs_sensor()], executor=dg.in_process_executor
)
