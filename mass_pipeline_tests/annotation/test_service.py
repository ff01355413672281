"""The app as a service: one process behind one address."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from mass_pipeline.annotation.config import AnnotationConfig
from mass_pipeline_tests.shared import comes_true

_COMMAND = [sys.executable, "-c", "from mass_pipeline.cli import main; main()", "annotate", "--port"]


class App:
    """The app on a free port of loopback."""

    def __init__(self, folder: Path) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = int(probe.getsockname()[1])
        environ = {name: value for name, value in os.environ.items() if not name.startswith("MASS_PIPELINE_")}
        environ["MASS_PIPELINE_DATA_FOLDER"] = str(folder)
        self.process = subprocess.Popen([*_COMMAND, str(self.port)], env=environ, stderr=subprocess.PIPE)
        if not comes_true(self.is_up):
            raise TimeoutError("the app did not come up")

    def is_up(self) -> bool:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/health", timeout=300) as answer:
                return bool(answer.status == 200)
        except OSError:
            return False

    def enter(self) -> int:
        """Status of entering as a new voter."""
        origin = f"http://127.0.0.1:{self.port}"
        request = urllib.request.Request(f"{origin}/instructions", data=b"", headers={"Origin": origin}, method="POST")
        try:
            with urllib.request.urlopen(request, timeout=300) as answer:
                return int(answer.status)
        except urllib.error.HTTPError as error:
            return error.code


@pytest.fixture
def app(tmp_path: Path) -> Iterator[App]:
    made = App(tmp_path)
    yield made
    made.process.kill()
    made.process.communicate()


@pytest.mark.slow
class TestService:
    def test_a_limit_holds_and_told_to_stop_it_ends(self, app: App) -> None:
        statuses = [app.enter() for _ in range(AnnotationConfig().prefix_voters_per_hour + 2)]
        app.process.send_signal(signal.SIGTERM)

        assert statuses.count(429) == 2, statuses
        assert app.process.wait(timeout=300) == -signal.SIGTERM  # after its requests, as systemd expects it

    def test_a_taken_address_is_named(self, app: App) -> None:
        done = subprocess.run([*_COMMAND, str(app.port)], capture_output=True, text=True, check=False, timeout=600)

        assert done.returncode == 2
        assert f"127.0.0.1:{app.port} cannot be listened on" in done.stderr
