"""Several worker processes: one dies and nobody notices; what they share is counted once."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path

import pytest

from mass_pipeline.annotation.config import AnnotationConfig
from mass_pipeline.annotation.web.shared import Ledger, LedgerClient, Shared, Turn
from mass_pipeline.annotation.web.supervisor import listen
from mass_pipeline_tests.annotation.support import START
from mass_pipeline_tests.shared import comes_true

_NO_WORKERS = """
from mass_pipeline.annotation.config import AnnotationConfig
from mass_pipeline.annotation.web.shared import Ledger
from mass_pipeline.annotation.web.supervisor import Supervisor
def work(ledger):
    raise RuntimeError("cannot live")
raise SystemExit(Supervisor(1, work, Ledger.of(AnnotationConfig())).run())
"""


@contextmanager
def asked(config: AnnotationConfig) -> Iterator[Shared]:
    """A ledger after a socket pair, answered by a thread instead of the supervisor."""
    ours, theirs = socket.socketpair()
    ledger = Ledger.of(config)

    def answer() -> None:
        with ours, ours.makefile("rb") as lines:
            for line in lines:
                ours.sendall(ledger.answer(line))

    thread = threading.Thread(target=answer)
    thread.start()
    try:
        yield LedgerClient(theirs).shared()
    finally:
        theirs.close()
        thread.join()


class TestLedger:
    def test_a_limit_asked_from_afar_says_what_it_says_at_home(self) -> None:
        config = AnnotationConfig(votes_per_minute=3)
        home = Ledger.of(config).shared.limits.votes
        moments = [0.0, 1.0, 2.0, 3.0, 30.0, 60.5, 61.0, 200.0]

        with asked(config) as shared:
            afar = [shared.limits.votes.take("v", moment, 1) for moment in moments]

        assert afar == [home.take("v", moment, 1) for moment in moments]
        assert afar[3] is not None

    def test_a_network_has_one_token_until_its_life_is_over(self) -> None:
        with asked(AnnotationConfig()) as shared:
            token = shared.origins.token("10.0.0.0/24", START)

            assert token == shared.origins.token("10.0.0.0/24", START + timedelta(hours=1))
            assert token != shared.origins.token("10.0.1.0/24", START)
            assert token != shared.origins.token("10.0.0.0/24", START + timedelta(hours=73))

    def test_a_turn_is_given_once_in_its_interval(self) -> None:
        turn = Turn(60.0)

        assert [turn.mine(START + timedelta(seconds=s)) for s in (0, 1, 59, 60, 61)] == [True, False, False, True, False]

    def test_a_worker_without_supervisor_is_told(self) -> None:
        ours, theirs = socket.socketpair()
        ours.close()

        with theirs, pytest.raises(OSError):
            LedgerClient(theirs).shared().limits.votes.take("v", 0.0)


class App:
    """The app as its operator starts it."""

    def __init__(self, folder: Path) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = int(probe.getsockname()[1])
        environ = {name: value for name, value in os.environ.items() if not name.startswith("MASS_PIPELINE_")}
        environ["MASS_PIPELINE_DATA_FOLDER"] = str(folder)
        command = [sys.executable, "-c", "from mass_pipeline.cli import main; main()", "annotate", "--port", str(self.port)]
        self.process = subprocess.Popen([*command, "--workers", "2"], env=environ, stderr=subprocess.PIPE)
        if not comes_true(lambda: len(self.workers()) == 2):
            raise TimeoutError("the app did not come up")

    def workers(self) -> list[int]:
        pid = self.process.pid
        return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]

    def get(self, path: str = "/health") -> int:
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}{path}", timeout=300) as answer:
            return int(answer.status)

    def enter(self) -> int:
        """Status of entering as a new voter."""
        origin = f"http://127.0.0.1:{self.port}"
        request = urllib.request.Request(f"{origin}/instructions", data=b"", headers={"Origin": origin}, method="POST")
        try:
            with urllib.request.urlopen(request, timeout=300) as answer:
                return int(answer.status)
        except urllib.error.HTTPError as error:
            return error.code


def is_gone(pid: int) -> bool:
    """Whether a process ended; one nobody waited for counts as ended."""
    path = Path(f"/proc/{pid}/stat")
    return not path.exists() or path.read_text().rsplit(")", 1)[1].split()[0] == "Z"


@pytest.fixture
def app(tmp_path: Path) -> Iterator[App]:
    made = App(tmp_path)
    yield made
    made.process.kill()
    made.process.communicate()


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="looks at processes through /proc")
class TestSupervisor:
    def test_killed_workers_are_replaced_and_the_service_goes_on(self, app: App) -> None:
        before = app.workers()
        assert len(before) == 2

        for pid in before:
            os.kill(pid, signal.SIGKILL)
            assert app.get() == 200

        assert comes_true(lambda: len(app.workers()) == 2 and not set(app.workers()) & set(before))

    def test_a_limit_holds_over_all_workers_and_outlives_them(self, app: App) -> None:
        statuses = [app.enter() for _ in range(AnnotationConfig().prefix_voters_per_hour + 2)]
        for pid in app.workers():
            os.kill(pid, signal.SIGKILL)

        assert statuses.count(429) == 2, statuses
        assert app.enter() == 429

    def test_told_to_stop_it_ends_with_all_workers(self, app: App) -> None:
        workers = app.workers()
        app.process.send_signal(signal.SIGTERM)

        assert app.process.wait(timeout=300) == 0
        assert all(is_gone(pid) for pid in workers)

    def test_workers_do_not_outlive_a_killed_supervisor(self, app: App) -> None:
        """Else the address stays taken."""
        workers = app.workers()
        app.process.kill()
        app.process.wait()

        assert comes_true(lambda: all(is_gone(pid) for pid in workers))

    def test_a_taken_address_is_named(self, app: App) -> None:
        command = [sys.executable, "-c", "from mass_pipeline.cli import main; main()", "annotate", "--port", str(app.port)]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=600)

        assert done.returncode == 2
        assert f"127.0.0.1:{app.port} cannot be listened on" in done.stderr

    def test_an_address_about_to_be_freed_is_waited_for(self) -> None:
        """Workers of a supervisor that was killed hold it some moments longer."""
        held = listen("127.0.0.1", 0)
        port = int(held.getsockname()[1])
        threading.Timer(0.3, held.close).start()

        with listen("127.0.0.1", port) as listening:
            assert listening.getsockname() == ("127.0.0.1", port)

    def test_workers_that_die_at_once_are_replaced_ever_more_slowly(self, tmp_path: Path) -> None:
        """The fault may pass: the app waits for it instead of ending."""
        log = tmp_path / "log"
        with log.open("wb") as output:
            process = subprocess.Popen([sys.executable, "-c", _NO_WORKERS], stderr=output)
            try:

                def pauses() -> list[float]:
                    return [float(line.rpartition("=")[2]) for line in log.read_text().splitlines() if "pause_seconds" in line]

                assert comes_true(lambda: len(pauses()) >= 7)
                is_alive = process.poll() is None
                process.send_signal(signal.SIGTERM)
                code = process.wait(300)
            finally:
                process.kill()

        assert pauses()[:7] == [0.0, 0.1, 0.2, 0.4, 0.8, 1.6, 3.2]
        assert (is_alive, code) == (True, 0)
        assert "cannot live" in log.read_text()


def test_what_is_answered_is_json() -> None:
    """The line protocol, as a worker of another version would see it."""
    ledger = Ledger.of(AnnotationConfig(votes_per_minute=1))
    line = json.dumps(["votes", "v", "", 7.5, 1]).encode()

    assert [json.loads(ledger.answer(line)) for _ in range(2)] == [None, 60]
