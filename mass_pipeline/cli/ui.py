"""`mass-pipeline ui`: the Dagster UI and daemon on loopback behind a guard, started and stopped together."""

from __future__ import annotations

import fcntl
import json
import os
import signal
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from subprocess import Popen, TimeoutExpired
from types import FrameType
from typing import TYPE_CHECKING, Final

import click

from mass_pipeline.cli.options import listening, the_settings
from mass_pipeline.model.errors import MassPipelineError, UsageError
from mass_pipeline.model.state_file import open_lock

if TYPE_CHECKING:
    from mass_pipeline.resources.settings import Settings

_HOST: Final = "127.0.0.1"  # the UI has no log-in: whoever reaches it can start runs
_START_SECONDS: Final = 120.0
_STOP_SECONDS: Final = 20.0
LOCATION: Final = "mass_pipeline"  # the one name of the code location, as in workspace.yaml


@click.command()
@click.option("--port", type=click.IntRange(1, 65535), default=3000, show_default=True, help="Port on 127.0.0.1.")
def ui(port: int) -> None:
    """Start the Dagster UI and daemon on 127.0.0.1, until Ctrl-C.

    The UI shows the lineage, runs, checks and plots of the data folder. It has no log-in, so it listens on loopback only,
    answers under its own names only and takes changes from its own pages only; put a proxy with a log-in before it to reach
    it from elsewhere, and name that proxy's host in MASS_PIPELINE_OPERATION_UI_HOSTS (docs/operating.md).

    \b
    Examples:
      mass-pipeline ui
      mass-pipeline ui --port 3333
      MASS_PIPELINE_PROFILE=live MASS_PIPELINE_CONTACT=info@parish-times.example mass-pipeline ui
    """
    from mass_pipeline.cli.run import prepare_home

    settings = the_settings()
    home = prepare_home(settings, os.environ)
    # A background shell starts commands with SIGINT ignored; children inherit that and could not be stopped.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGTERM, _interrupt)
    with ExitStack() as locks:
        for folder in dict.fromkeys((settings.data_folder, home)):  # a home elsewhere has a daemon of its own
            locks.enter_context(_only_one(folder, f"http://{_HOST}:{port}"))
        listening(_HOST, port).close()
        try:
            _run(settings, home, port)
        except KeyboardInterrupt:  # the usual way to end it, so no failure
            click.echo("Stopped.", err=True)


@contextmanager
def _only_one(folder: Path, address: str) -> Iterator[None]:
    """Take a folder for this UI: two daemons would each start what is due. The system gives it back even after kill -9."""
    descriptor = open_lock(folder, "ui.lock")
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            where = os.pread(descriptor, 200, 0).decode() or "another port"
            raise UsageError(
                f"The Dagster UI of {folder} runs already: open {where}, or stop it first. "
                "For a UI of its own choose another folder with MASS_PIPELINE_DATA_FOLDER, and unset DAGSTER_HOME."
            ) from error
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, address.encode(), 0)
        yield
    finally:
        os.close(descriptor)


def _run(settings: Settings, home: Path, port: int) -> None:
    """Start everything, tell where it is, and keep it running until it is interrupted."""
    click.echo("Starting the Dagster UI (about 10 seconds) ...", err=True)  # before the imports: they are part of them
    from mass_pipeline.cli.automation import set_pool_limits
    from mass_pipeline.cli.run import dagster_environment, open_instance
    from mass_pipeline.resources.operation import OperationConfig

    with open_instance(home) as instance:
        set_pool_limits(instance)
    log = home / "ui.log"
    with tempfile.TemporaryDirectory(prefix="mass-pipeline-") as folder:  # private, and short: sockets take 107 characters
        commands = _commands(Path(folder), port, settings.section(OperationConfig).ui_hosts.split())
        with _running(commands, dagster_environment(home), log) as processes:
            _wait_until_ready(processes, port, log)
            click.echo(f"Dagster UI: http://{_HOST}:{port}  (data: {settings.data_folder}, log: {log}). Ctrl-C stops it.")
            while True:
                time.sleep(0.5)
                _refuse_ended(processes, log)


@contextmanager
def _running(commands: Mapping[str, Sequence[str]], environ: Mapping[str, str], log: Path) -> Iterator[dict[str, Popen[bytes]]]:
    """Processes by their names, started in order and ended together; what they print goes to the log."""
    processes: dict[str, Popen[bytes]] = {}
    with log.open("ab") as output:
        try:
            for name, command in commands.items():
                # A session of its own: Ctrl-C reaches only this process, which then stops the others.
                processes[name] = Popen(command, env=dict(environ), stdout=output, stderr=output, start_new_session=True)  # noqa: S603
            yield processes
        finally:
            _end(list(processes.values()))


def _end(processes: Sequence[Popen[bytes]]) -> None:
    """Ask processes and what they began to end: a run goes on asking hosts until it is told; after a while end the rest."""
    for process in processes:
        _signal_group(process, signal.SIGTERM)
    deadline = time.monotonic() + _STOP_SECONDS
    for process in processes:
        with suppress(TimeoutExpired):
            process.wait(max(0.0, deadline - time.monotonic()))
        _signal_group(process, signal.SIGKILL)
        process.wait()


def _signal_group(process: Popen[bytes], number: signal.Signals) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, number)


def _refuse_ended(processes: Mapping[str, Popen[bytes]], log: Path) -> None:
    ended = next((name for name, process in processes.items() if process.poll() is not None), None)
    if ended is not None:
        raise MassPipelineError(f"{ended} ended with code {processes[ended].returncode}; the reason stands at the end of {log}.")


def _commands(folder: Path, port: int, proxies: list[str]) -> dict[str, list[str]]:
    """Code server, web server and daemon, which share the definitions of the first over a socket nobody else reaches."""
    from mass_pipeline.dagster_internals import DAEMON_MODULE

    socket, workspace = folder / "code", folder / "workspace.yaml"
    workspace.write_text(
        f"load_from:\n  - grpc_server:\n      socket: {socket}\n      location_name: {LOCATION}\n", encoding="utf-8"
    )
    module = ("-m", "mass_pipeline.definitions", "--location-name", LOCATION)
    names = [f"{host}:{port}" for host in (_HOST, "localhost", "[::1]")] + proxies
    server = [sys.executable, "-m", "mass_pipeline.operations.operator_ui.server", "--host", _HOST, "--port", str(port)]
    return {
        "The code server": [sys.executable, "-m", "dagster", "api", "grpc", *module, "--socket", str(socket)],
        "The web server": [*server, "--workspace", str(workspace), *(word for name in names for word in ("--name", name))],
        "The daemon": [sys.executable, "-m", DAEMON_MODULE, "run", "-w", str(workspace)],
    }


def _interrupt(signal_number: int, frame: FrameType | None) -> None:
    raise KeyboardInterrupt


def _wait_until_ready(processes: Mapping[str, Popen[bytes]], port: int, log: Path) -> None:
    deadline = time.monotonic() + _START_SECONDS
    while time.monotonic() < deadline:
        _refuse_ended(processes, log)
        if _has_loaded(port):
            return
        time.sleep(0.3)
    raise MassPipelineError(f"The UI did not answer within {_START_SECONDS:.0f} s; see {log}.")


def _has_loaded(port: int) -> bool:
    """Whether the web server answers and has the definitions from the code server."""
    query = json.dumps({"query": "{workspaceOrError{... on Workspace{locationEntries{locationOrLoadError{__typename}}}}}"})
    request = urllib.request.Request(f"http://{_HOST}:{port}/graphql", query.encode(), {"Content-Type": "application/json"})
    try:
        with urllib.request.urlopen(request, timeout=5) as answer:  # noqa: S310 - our own loopback address
            (entry,) = json.load(answer)["data"]["workspaceOrError"]["locationEntries"]
    except (urllib.error.URLError, OSError, ValueError, LookupError, TypeError):
        return False
    return (entry["locationOrLoadError"] or {}).get("__typename") == "RepositoryLocation"
