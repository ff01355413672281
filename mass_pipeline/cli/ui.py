"""`mass-pipeline ui`: the Dagster UI and daemon on loopback, stopped together and cleanly."""

from __future__ import annotations

import os
import signal
import subprocess
import time
import urllib.error
import urllib.request
from pathlib import Path
from types import FrameType
from typing import Final

import click

from mass_pipeline.model.errors import MassPipelineError, UsageError

_HOST: Final = "127.0.0.1"  # the UI has no log-in: whoever reaches it can start runs
_START_SECONDS: Final = 120.0
_STOP_SECONDS: Final = 30.0


@click.command()
@click.option("--port", type=click.IntRange(1, 65535), default=3000, show_default=True, help="Port on 127.0.0.1.")
def ui(port: int) -> None:
    """Start the Dagster UI and daemon on 127.0.0.1, until Ctrl-C.

    The UI shows the lineage, runs, checks and plots of the data folder. It has no log-in, so it listens on loopback only;
    put a proxy with a log-in before it to reach it from elsewhere (docs/operating.md).

    \b
    Examples:
      mass-pipeline ui
      mass-pipeline ui --port 3333
      MASS_PIPELINE_PROFILE=live MASS_PIPELINE_CONTACT=info@parish-times.example mass-pipeline ui
    """
    from mass_pipeline.cli.dagster_home import dagster_command, dagster_environment, prepare_home
    from mass_pipeline.resources.settings import load_settings

    settings = load_settings(os.environ)
    home = prepare_home(settings, os.environ)
    _refuse_taken_port(port)
    _set_pool_limits(home)
    # A background shell starts commands with SIGINT ignored; children inherit that and could not be stopped.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGTERM, _interrupt)
    log = home / "ui.log"
    command = dagster_command("dev", "-m", "mass_pipeline.definitions", "-h", _HOST, "-p", str(port))
    with log.open("ab") as output:
        # A session of its own: Ctrl-C reaches only this process, which then stops the children in order.
        child = subprocess.Popen(  # noqa: S603 - a fixed command of this environment
            command, env=dagster_environment(home), stdout=output, stderr=output, start_new_session=True
        )
    try:
        _wait_until_ready(child, port, log)
        click.echo(f"Dagster UI: http://{_HOST}:{port}  (data: {settings.data_folder}, log: {log}). Ctrl-C stops it.")
        child.wait()
        raise MassPipelineError(f"The UI ended by itself with code {child.returncode}; the reason stands at the end of {log}.")
    finally:
        _stop(child)


def _interrupt(signal_number: int, frame: FrameType | None) -> None:
    raise KeyboardInterrupt


def _refuse_taken_port(port: int) -> None:
    import socket

    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((_HOST, port))
        except OSError as error:
            raise UsageError(f"Port {port} is taken: choose another with --port.") from error


def _set_pool_limits(home: Path) -> None:
    """Limits of pools live in the instance's database; setting them again changes nothing."""
    from dagster import DagsterInstance

    from mass_pipeline.resources.operation import OperationConfig
    from mass_pipeline.resources.settings import load_settings

    operation: OperationConfig = load_settings(os.environ).section(OperationConfig)
    with DagsterInstance.from_config(str(home)) as instance:
        for pool, limit in (("crawler", operation.crawler_runs_at_once), ("places_api", 1)):
            instance.event_log_storage.set_concurrency_slots(pool, limit)


def _wait_until_ready(child: subprocess.Popen[bytes], port: int, log: Path) -> None:
    click.echo("Starting the Dagster UI (about 15 seconds) ...", err=True)
    deadline = time.monotonic() + _START_SECONDS
    while time.monotonic() < deadline:
        if child.poll() is not None:
            raise MassPipelineError(f"The UI did not start (code {child.returncode}); the reason stands at the end of {log}.")
        try:
            with urllib.request.urlopen(f"http://{_HOST}:{port}/server_info", timeout=5):
                return
        except (urllib.error.URLError, OSError):
            time.sleep(0.3)
    raise MassPipelineError(f"The UI did not answer within {_START_SECONDS:.0f} s; see {log}.")


def _stop(child: subprocess.Popen[bytes]) -> None:
    """Ask the UI and its daemon to end; after a while end the whole group."""
    if child.poll() is None:
        child.send_signal(signal.SIGTERM)
        try:
            child.wait(_STOP_SECONDS)
        except subprocess.TimeoutExpired:
            os.killpg(child.pid, signal.SIGKILL)
            child.wait()
