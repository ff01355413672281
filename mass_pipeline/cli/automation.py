"""`mass-pipeline automation`: schedules and sensors on, off, and which of them run."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from mass_pipeline.cli.options import the_settings
from mass_pipeline.model.errors import MassPipelineError

if TYPE_CHECKING:
    from dagster import DagsterInstance

    from mass_pipeline.dagster_internals import RemoteRepository, RemoteSchedule, RemoteSensor


@click.group()
def automation() -> None:
    """Switch the schedules and sensors of the data folder, and see which of them run.

    They do their work while the daemon runs (`mass-pipeline ui`). What they do is described beside each name in the UI.

    \b
    Examples:
      mass-pipeline automation status
      mass-pipeline automation on
      mass-pipeline automation off weekly_crawl
    """


@automation.command()
@click.argument("names", nargs=-1)
def on(names: tuple[str, ...]) -> None:
    """Switch on the named schedules and sensors, or all.

    \b
    Examples:
      mass-pipeline automation on
      mass-pipeline automation on weekly_crawl follow_up
    """
    with _repository() as (instance, repository):
        for one in _chosen(repository, names):
            if _is_running(instance, one):
                continue
            if one in repository.get_sensors():
                instance.start_sensor(one)  # type: ignore[arg-type]
            else:
                instance.start_schedule(one)  # type: ignore[arg-type]
        _show(instance, repository)


@automation.command()
def pools() -> None:
    """Set how many runs may crawl at once, and ask Places, in the instance of DAGSTER_HOME.

    `mass-pipeline ui` does it by itself; a deployment with several processes does it once, before its daemon starts.

    \b
    Example:
      DAGSTER_HOME=/srv/dagster_home mass-pipeline automation pools
    """
    from mass_pipeline.cli.run import open_instance, prepare_home

    with open_instance(prepare_home(the_settings(), os.environ)) as instance:
        for pool, limit in set_pool_limits(instance).items():
            click.echo(f"{pool}: {limit}")


def set_pool_limits(instance: DagsterInstance) -> dict[str, int]:
    """Limits of pools live in the instance's database; setting them again changes nothing. Returns them by pool."""
    from mass_pipeline.resources.operation import OperationConfig

    limits = {"crawler": the_settings().section(OperationConfig).crawler_runs_at_once, "places_api": 1}
    for pool, limit in limits.items():
        instance.event_log_storage.set_concurrency_slots(pool, limit)
    return limits


@automation.command()
@click.argument("names", nargs=-1)
def off(names: tuple[str, ...]) -> None:
    """Switch off the named schedules and sensors, or all; runs under way go on.

    \b
    Examples:
      mass-pipeline automation off
      mass-pipeline automation off due_announcements
    """
    with _repository() as (instance, repository):
        for one in _chosen(repository, names):
            if not _is_running(instance, one):
                continue
            if one in repository.get_sensors():
                instance.stop_sensor(one.get_remote_origin_id(), one.selector_id, one)  # type: ignore[arg-type]
            else:
                instance.stop_schedule(one.get_remote_origin_id(), one.selector_id, one)  # type: ignore[arg-type]
        _show(instance, repository)


@automation.command()
def status() -> None:
    """Tell which schedules and sensors run.

    \b
    Example:
      mass-pipeline automation status
    """
    with _repository() as (instance, repository):
        _show(instance, repository)


@contextmanager
def _repository() -> Iterator[tuple[DagsterInstance, RemoteRepository]]:
    """The instance of the data folder and the definitions, under the one name of the code location."""
    from mass_pipeline.cli.run import open_instance, prepare_home
    from mass_pipeline.cli.ui import LOCATION
    from mass_pipeline.dagster_internals import ModuleTarget, WorkspaceProcessContext

    home = prepare_home(the_settings(), os.environ)
    os.environ["DAGSTER_HOME"] = str(home)  # the process that loads the definitions inherits it
    target = ModuleTarget("mass_pipeline.definitions", attribute=None, working_directory=None, location_name=LOCATION)
    with (
        open_instance(home) as instance,
        WorkspaceProcessContext(instance, workspace_load_target=target, code_server_log_level="WARNING") as process,
    ):
        context = process.create_request_context()
        if context.has_code_location_error(LOCATION):
            error = context.get_code_location_error(LOCATION)
            raise MassPipelineError(f"The definitions cannot be loaded: {error.message if error else 'no reason given'}".strip())
        (repository,) = context.get_code_location(LOCATION).get_repositories().values()
        yield instance, repository


def _all(repository: RemoteRepository) -> list[RemoteSchedule | RemoteSensor]:
    found: list[RemoteSchedule | RemoteSensor] = [*repository.get_schedules(), *repository.get_sensors()]
    return sorted(found, key=lambda one: one.name)


def _chosen(repository: RemoteRepository, names: tuple[str, ...]) -> list[RemoteSchedule | RemoteSensor]:
    every = {one.name: one for one in _all(repository)}
    for name in names:
        if name not in every:
            raise click.UsageError(f"There is no schedule or sensor {name}; there are {', '.join(every)}.")
    return [every[name] for name in names] if names else list(every.values())


def _is_running(instance: DagsterInstance, one: RemoteSchedule | RemoteSensor) -> bool:
    state = instance.get_instigator_state(one.get_remote_origin_id(), one.selector_id)
    return one.get_current_instigator_state(state).is_running


def _show(instance: DagsterInstance, repository: RemoteRepository) -> None:
    for one in _all(repository):
        kind = "sensor" if one in repository.get_sensors() else "schedule"
        click.echo(f"{'on ' if _is_running(instance, one) else 'off'}  {kind:8}  {one.name}")
