"""An installation whose clock is moved by hand: `mass-pipeline ui` with code server, daemon, runs and alerts, over a written web.

Every process but those of the web and of the mail lives in a time of its own (moved_clock.c; needs gcc). What differs
from the product: runs are forks of a process that has loaded the definitions, and the modification times of files, which the
kernel writes by the true clock, are set to the moved one.
"""

from __future__ import annotations

import email
import email.policy
import json
import multiprocessing
import os
import runpy
import signal
import socket
import struct
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from email.message import EmailMessage
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from aiosmtpd.controller import Controller

from mass_pipeline.resources.settings import Settings
from mass_pipeline.resources.web import Web

SOURCE = Path(__file__).with_name("moved_clock.c")
MODULE = "mass_pipeline_tests.benchmarks.moved_installation"
DEFINITIONS = "mass_pipeline_tests.benchmarks.moved_definitions"
WEB = "MOVED_INSTALLATION_WEB"  # JSON, or @ and its file: port, hosts, URL of Places; address of the web if not loopback
_START_SECONDS = 300.0
_LOOK_SECONDS = 3.0
_COMMAND = "from mass_pipeline.cli import main; main()"


@contextmanager
def served_web(_: Settings) -> Iterator[Web]:
    """The web that `WEB` names, for `build_defs`."""
    told = os.environ[WEB]
    served = json.loads(Path(told[1:]).read_text(encoding="utf-8") if told.startswith("@") else told)
    hosts = frozenset(served["hosts"])

    def connect_to(host: str, _: int) -> tuple[str, int] | None:
        return (served.get("address", "127.0.0.1"), served["port"]) if host.lower().rstrip(".") in hosts else None

    yield Web(connect_to, served["places"])


def code_server() -> None:
    """`dagster api grpc` whose runs are forks of a process that has loaded the definitions: seconds less for each of hundreds."""
    forks = multiprocessing.get_context("forkserver")
    forks.set_forkserver_preload([DEFINITIONS, "dagster._grpc.server"])
    real = multiprocessing.get_context
    multiprocessing.get_context = lambda method=None: forks if method == "spawn" else real(method)  # type: ignore[assignment]
    sys.argv = ["dagster", *sys.argv[1:]]
    runpy.run_module("dagster", run_name="__main__")


def daemon() -> None:
    """Dagster's daemon, whose loops look every three seconds: they wait up to half a minute, which a moved clock skips.

    It asks for the definitions anew every minute of the true time, not with every minute that the clock is moved by.
    """
    import dagster._daemon.daemon  # noqa: F401 - first: the other way round its imports go in a circle
    from dagster._core.run_coordinator import QueuedRunCoordinator
    from dagster._daemon import asset_daemon, backfill, controller, sensor
    from dagster._scheduler import scheduler

    scheduler._get_next_scheduler_iteration_time = lambda start_time: start_time + _LOOK_SECONDS
    asset_daemon.MIN_INTERVAL_LOOP_SECONDS = _LOOK_SECONDS
    sensor.MIN_INTERVAL_LOOP_TIME = _LOOK_SECONDS
    backfill.DEFAULT_DAEMON_INTERVAL_SECONDS = _LOOK_SECONDS
    ahead = time.time() - time.monotonic()
    controller.get_current_timestamp = lambda: ahead + time.monotonic()
    QueuedRunCoordinator.dequeue_interval_seconds = property(lambda _: 1)
    runpy.run_module("dagster._daemon", run_name="__main__")


def ui() -> None:
    """`mass-pipeline ui` with that code server and that daemon in the place of its own."""
    from mass_pipeline.cli import main
    from mass_pipeline.cli import ui as command  # the module: `cli` loads commands by name

    processes = command._processes

    def ours(*arguments: Any) -> Any:
        code, web, keeper = processes(*arguments)
        words = [word.replace("mass_pipeline.definitions", DEFINITIONS) for word in code.command[3:]]
        code.command = [sys.executable, "-c", f"from {MODULE} import code_server; code_server()", *words]
        keeper.command = [sys.executable, "-c", f"from {MODULE} import daemon; daemon()", *keeper.command[3:]]
        return [code, web, keeper]

    command._processes = ours  # type: ignore[assignment]
    main()


class Clock:
    """The moved clock: a library before all others, and a file that tells it the difference from the true one.

    Args:
        folder: where both go.
        now: where it begins, aware.
    """

    def __init__(self, folder: Path, now: datetime) -> None:
        self._library, self._file = folder / "moved_clock.so", folder / "moved_clock"
        subprocess.run(["gcc", "-O2", "-shared", "-fPIC", "-o", str(self._library), str(SOURCE), "-ldl"], check=True)
        self._ahead = now.timestamp() - time.time()
        self._file.write_bytes(self._packed())

    def now(self) -> datetime:
        """What the processes take for the present, aware UTC."""
        return datetime.fromtimestamp(time.time() + self._ahead, UTC)

    def move_to(self, moment: datetime) -> None:
        """Never back."""
        self._ahead = max(self._ahead, moment.timestamp() - time.time())
        with self._file.open("r+b") as file:  # in place: the processes have it mapped
            file.write(self._packed())

    def environment(self) -> dict[str, str]:
        """What a process needs to live in it. Steady clocks stay true, so that waiting is real."""
        return {"LD_PRELOAD": str(self._library), "MOVED_CLOCK": str(self._file), "TZ": "UTC"}

    def _packed(self) -> bytes:
        return struct.pack("q", int(self._ahead * 1e9))


class Inbox:
    """A mail server and a web hook on loopback, and what came to them."""

    def __init__(self) -> None:
        self.mails: list[EmailMessage] = []
        self.posts: list[Any] = []
        posts = self.posts

        class Hook(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                posts.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
                self.send_response(204)
                self.end_headers()

            def log_message(self, *_: object) -> None:
                """Quiet."""

        self._hook = ThreadingHTTPServer(("127.0.0.1", 0), Hook)
        self.hook_port = int(self._hook.server_address[1])
        self.mail_port = free_port()
        self._mail = Controller(self, hostname="127.0.0.1", port=self.mail_port)

    async def handle_DATA(self, server: object, session: object, envelope: Any) -> str:
        """Of aiosmtpd."""
        self.mails.append(email.message_from_bytes(envelope.content, EmailMessage, policy=email.policy.default))
        return "250 taken"

    def __enter__(self) -> Inbox:
        threading.Thread(target=self._hook.serve_forever, daemon=True).start()
        self._mail.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._mail.stop()
        self._hook.shutdown()
        self._hook.server_close()

    def environment(self) -> dict[str, str]:
        """Settings of alerts that lead here."""
        return {
            "MASS_PIPELINE_ALERTS_EMAIL_TO": "ops@parish-times.example",
            "MASS_PIPELINE_ALERTS_SMTP_HOST": "127.0.0.1",
            "MASS_PIPELINE_ALERTS_SMTP_PORT": str(self.mail_port),
            "MASS_PIPELINE_ALERTS_WEBHOOK": f"http://127.0.0.1:{self.hook_port}/alerts",
        }


class Installation:
    """`mass-pipeline ui` in a moved time.

    Args:
        folder: data folder and home.
        clock: its time.
        environ: settings and what else the processes get.
    """

    def __init__(self, folder: Path, clock: Clock, environ: Mapping[str, str]) -> None:
        self.folder = folder
        self.home = folder / "dagster_home"
        self._clock = clock
        others = {name: one for name, one in os.environ.items() if not name.startswith(("MASS_PIPELINE_", "DAGSTER_"))}
        self.environ = {**others, **environ, **clock.environment(), "DAGSTER_HOME": str(self.home)}
        self.port = free_port()
        self._seen: set[Path] = set()
        self._child: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Installation:
        self.home.mkdir(parents=True, exist_ok=True)
        command = [sys.executable, "-c", f"from {MODULE} import ui; ui()", "ui", "--port", str(self.port)]
        with (self.folder / "ui.out").open("ab") as out:
            self._child = subprocess.Popen(command, env=self.environ, stdout=out, stderr=out)
        deadline = time.monotonic() + _START_SECONDS
        while "Dagster UI: " not in self.said():
            if self._child.poll() is not None or time.monotonic() > deadline:
                self.__exit__()
                raise RuntimeError(f"The UI did not start: {self.said()}")
            time.sleep(0.3)
        return self

    def __exit__(self, *_: object) -> None:
        if self._child is not None:
            self._child.send_signal(signal.SIGTERM)
            self._child.wait(120)

    def said(self) -> str:
        """What the command told people."""
        return (self.folder / "ui.out").read_text()

    def automation(self, *words: str) -> None:
        """`mass-pipeline automation …`."""
        subprocess.run([sys.executable, "-c", _COMMAND, "automation", *words], env=self.environ, check=True, capture_output=True)

    def daemon(self) -> int:
        """Process id of the daemon."""
        assert self._child is not None
        for child in Path(f"/proc/{self._child.pid}/task/{self._child.pid}/children").read_text().split():
            if b"import daemon" in Path(f"/proc/{child}/cmdline").read_bytes():
                return int(child)
        raise RuntimeError("No daemon runs.")

    def ask(self, query: str, **variables: object) -> Any:
        """One GraphQL question to the UI, as its pages ask."""
        body = json.dumps({"query": query, "variables": variables}).encode()
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}/graphql", body, {"Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=120) as answer:
            found = json.load(answer)
        if found.get("errors"):
            raise RuntimeError(str(found["errors"]))
        return found["data"]

    def date_files(self) -> None:
        """Give new files of the lake the moved time: the kernel knows the true one only."""
        now = self._clock.now().timestamp()
        for path in (self.folder / "lake").rglob("*.parquet"):
            if path.stat().st_mtime > now or path not in self._seen:
                os.utime(path, (now, now))
                self._seen.add(path)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
