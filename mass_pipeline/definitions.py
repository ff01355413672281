"""Everything Dagster loads, assembled: assets, checks, jobs, schedules, sensors, resources. Implements nothing.

`build_defs` gives a fresh `Definitions`; tests and commands hand it other settings or another web.
"""

from __future__ import annotations

from contextlib import suppress
from functools import partial

import dagster as dg

from mass_pipeline import defs as asset_modules
from mass_pipeline.defs.automation import alerts, lost_runs, sensors
from mass_pipeline.defs.automation.jobs import build_jobs
from mass_pipeline.defs.automation.schedules import build_schedules
from mass_pipeline.defs.checks import build_checks
from mass_pipeline.defs.partitions import diocese_partitions
from mass_pipeline.defs.sources import SOURCES, SourceIO
from mass_pipeline.defs.wiring import SETTINGS, described
from mass_pipeline.model.whole_files import make_private
from mass_pipeline.publishing.promises.gate import Gate
from mass_pipeline.resources.alerts import Alerts
from mass_pipeline.resources.clients import build_resources, shown
from mass_pipeline.resources.lake import open_lake
from mass_pipeline.resources.operation import OperationConfig
from mass_pipeline.resources.settings import Settings
from mass_pipeline.resources.web import OpenWeb, open_web


def build_defs(settings: Settings | None = None, *, web: OpenWeb = open_web) -> dg.Definitions:
    """The project for these settings.

    Args:
        settings: those of the environment when None. Retries are the environment's in any case.
        web: opens the web that runs reach; the profile's own by default.

    Raises:
        ConfigurationError: a setting is wrong; the message names it.
    """
    settings = settings or SETTINGS
    partitions = diocese_partitions(settings.dioceses_file)
    dioceses = partitions.get_partition_keys()
    with suppress(OSError):  # a disk that cannot be written is the failure of who writes, not of who looks
        make_private(settings.data_folder)
    lake = open_lake(settings)
    assets = [
        asset.map_asset_specs(partial(described, dioceses=partitions))
        for asset in dg.load_assets_from_package_module(asset_modules)
        if isinstance(asset, dg.AssetsDefinition)
    ]
    return dg.Definitions(
        assets=[*assets, *(source.build(partitions) for source in SOURCES)],
        asset_checks=build_checks(dioceses),
        jobs=build_jobs(dioceses, settings.general.profile, [asset.key.path[-1] for asset in assets]),
        schedules=build_schedules(dioceses, settings.section(OperationConfig)),
        sensors=[
            sensor
            for module in (alerts, lost_runs, sensors)
            for sensor in vars(module).values()
            if isinstance(sensor, dg.SensorDefinition)
        ],
        resources={
            **build_resources(settings, lake, web, Gate(lake, settings, dioceses)),
            "source_io": shown(SourceIO(settings, lake)),
            "alerts": shown(Alerts.of(settings)),
        },
        executor=dg.in_process_executor,
    )


defs = build_defs()
