"""Two workers and what they need, as deploy/scale has them: code server, daemon, two Celery workers with disks of their own.

Between each of them and the services lies a line that can be cut. Needs RabbitMQ on loopback (MASS_TESTS_RABBITMQ).
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import Mapping, Sequence
from pathlib import Path

from mass_pipeline_tests.benchmarks.cut_line import Line
from mass_pipeline_tests.shared import ROOT

RABBITMQ = os.environ.get("MASS_TESTS_RABBITMQ", "amqp://guest:guest@127.0.0.1:5672//")
FAKETIME = sorted(Path("/usr/lib").glob("*/faketime/libfaketimeMT.so.1"))  # Debian's libfaketime
POSTGRES_PORT = 5432
CUT = {  # what a worker reaches of the others, with the port where the address names none
    "MASS_PG_URL": 5432, "MASS_RESULTS": 5432, "MASS_PIPELINE_LEASES": 5432, "MASS_PIPELINE_STATE_DATABASE": 5432,
    "MASS_BROKER": 5672, "AWS_ENDPOINT_URL": 80,
}  # fmt: skip


class Workers:
    """Two workers and what they need, of deploy/scale.

    Args:
        folder: of its own.
        shared: settings of the place that they share.
        base: their environment otherwise.
        databases: URLs of Dagster's and of the results'.
        code: the module with the definitions.
        places: how many runs a worker takes at once.
        start_timeout: seconds after which a run that does not start is given up.
        skew_hours: how far the clock of the second worker is ahead.
        here: the address that workers reach this machine by.
    """

    def __init__(
        self,
        folder: Path,
        shared: Mapping[str, str],
        base: Mapping[str, str],
        databases: Sequence[str],
        *,
        code: str = "mass_pipeline.definitions",
        places: int = 1,
        start_timeout: int = 300,
        skew_hours: float = 0.0,
        here: str = "127.0.0.1",
    ) -> None:
        self.home, self.workspace = folder / "home", folder / "workspace.yaml"
        self.home.mkdir(parents=True)
        queue = f"mass-tests-{uuid.uuid4().hex[:8]}"
        instance = (ROOT / "deploy" / "scale" / "dagster.yaml").read_text()
        instance = instance.replace("default_queue: dagster", f"default_queue: {queue}")
        instance = instance.replace("start_timeout_seconds: 300", f"start_timeout_seconds: {start_timeout}")
        (self.home / "dagster.yaml").write_text(instance.replace("poll_interval_seconds: 15", "poll_interval_seconds: 5"))
        socket = folder / "code"
        self.workspace.write_text(
            f"load_from:\n  - grpc_server: {{socket: {socket}, location_name: mass_pipeline}}\n", encoding="utf-8"
        )
        dagster, results = (
            one.replace("postgresql://", "postgresql+psycopg2://").replace("+psycopg:", "+psycopg2:") for one in databases
        )
        self.environ = {
            **base,
            **shared,
            "DAGSTER_HOME": str(self.home),
            "PYTHONPATH": str(ROOT),  # definitions of the tests are found from any folder
            "MASS_PG_URL": dagster,
            "MASS_BROKER": RABBITMQ,
            "MASS_RESULTS": f"db+{results}",
            "MASS_PIPELINE_LEASES": databases[0].replace("+psycopg:", ":"),
            "MASS_PIPELINE_STATE_DATABASE": databases[0].replace("+psycopg:", ":"),
            "OMP_NUM_THREADS": "1",
            "MASS_PIPELINE_OPERATION_MAX_RETRIES": "2",  # as in the live profile
            "MASS_PIPELINE_OPERATION_RETRY_DELAY_SECONDS": "60",
        }
        self.lines = {
            name: Line(self.environ[name], port, here).__enter__() for name, port in CUT.items() if name in self.environ
        }
        self.far = {name: line.through(self.environ[name]) for name, line in self.lines.items()}
        python, log = sys.executable, (folder / "log").open("ab")
        server = ["-m", "dagster", "api", "grpc", "-m", code, "--location-name", "mass_pipeline"]
        self.log = log
        self.children = [
            self._start([python, *server, "--socket", str(socket)]),
            self._start([python, "-m", "dagster._daemon", "run", "-w", str(self.workspace)]),
        ]
        app = [
            "-m",
            "celery",
            "-A",
            "mass_pipeline.operations.engine.celery_app",
            "worker",
            "-Q",
            queue,
            f"--concurrency={places}",
        ]
        self.workers: list[subprocess.Popen[bytes]] = []
        self._started: list[tuple[str, Mapping[str, str] | None]] = []
        self._app = [python, *app, "--prefetch-multiplier=1", "-n"]
        self._queue, self._folder = queue, folder
        self.start_worker("w1")
        self.own_lines = {name: Line(self.far[name], CUT[name], here).__enter__() for name in self.far}
        far = {name: line.through(self.environ[name]) for name, line in self.own_lines.items()}
        self.start_worker("w2", far | (_clock(skew_hours) if skew_hours else {}))

    def start_worker(self, name: str, lines: Mapping[str, str] | None = None) -> None:
        """One more, with the disk of that name; `lines`: what it reaches otherwise than the first."""
        own = {"MASS_PIPELINE_STATE_FOLDER": str(self._folder / name), "MASS_PRELOAD": "1", **(lines or {})}
        command = [*self._app, f"{name}-{len(self.workers)}@{self._queue}"]
        self.workers.append(self._start([*self.machine(name), *command], own))
        self._started.append((name, lines))

    def machine(self, name: str) -> Sequence[str]:
        """What begins the command of a worker; for those on machines of their own."""
        del name
        return ()

    def kill(self) -> None:
        """The first worker as a whole, without warning."""
        os.killpg(self.workers[0].pid, signal.SIGKILL)

    def cut(self) -> None:
        """Nothing passes between the second worker and the services, and nobody is told."""
        for line in self.own_lines.values():
            line.cut()

    def mend(self) -> None:
        """Everything passes again."""
        for line in self.own_lines.values():
            line.mend()

    def restart(self) -> None:
        """The next of the two: it ends what it does and takes nothing more, while its successor begins."""
        name, lines = self._started[len(self.workers) - 2]
        self.workers[len(self.workers) - 2].terminate()
        self.start_worker(name, lines)

    def _start(self, command: Sequence[str], own: Mapping[str, str] | None = None) -> subprocess.Popen[bytes]:
        environ = {**self.environ, **self.far, **(own or {})}
        return subprocess.Popen(command, env=environ, stdout=self.log, stderr=self.log, start_new_session=True, cwd=self.home)

    def switch_on(self, sensor: str) -> None:
        """Sensors are off until somebody switches them on."""
        command = ["-m", "dagster", "sensor", "start", "-w", str(self.workspace), sensor]
        subprocess.run([sys.executable, *command], env=self.environ, check=True, capture_output=True)

    def stop(self) -> None:
        for child in (*self.workers, *self.children):
            for number in (signal.SIGTERM, signal.SIGKILL):
                try:
                    os.killpg(child.pid, number)
                    child.wait(15)
                    break
                except (ProcessLookupError, subprocess.TimeoutExpired):
                    continue
        for line in (*self.own_lines.values(), *self.lines.values()):
            line.__exit__()
        self.log.close()


def _clock(hours_ahead: float) -> dict[str, str]:
    """The environment of a machine whose clock is wrong; its steady clock runs right."""
    if not FAKETIME:
        raise RuntimeError("Nothing can set a clock wrong here: apt-get install faketime.")
    return {"LD_PRELOAD": str(FAKETIME[0]), "FAKETIME": f"{hours_ahead:+g}h", "FAKETIME_DONT_FAKE_MONOTONIC": "1"}


def wait_for(socket: Path) -> None:
    deadline = time.monotonic() + 300
    while not socket.exists():
        if time.monotonic() > deadline:
            raise TimeoutError("The code server did not start.")
        time.sleep(0.3)
