"""Keeps a few processes running side by side: each is restarted alone when it ends, and all end together.

Not here: what they are (cli/ui). On a server, systemd or the container platform does the same (deploy/).
"""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Final

FIRST_PAUSE_SECONDS: Final = 1.0
LONGEST_PAUSE_SECONDS: Final = 60.0
STEADY_SECONDS: Final = 60.0  # a process that lived so long starts again at once
_STOP_SECONDS: Final = 20.0


@dataclass(slots=True)
class Child:
    """One process to keep running.

    Attributes:
        name: for people.
        command: program and arguments.
        child: the running process, None while it waits for its next start.
        next_start: on the steady clock, seconds.
        pause: before the next start, seconds.
    """

    name: str
    command: Sequence[str]
    child: subprocess.Popen[bytes] | None = None
    started: float = 0.0
    next_start: float = 0.0
    pause: float = field(default=FIRST_PAUSE_SECONDS)


class Supervisor:
    """Starts processes in order, restarts what ends, stops all in reverse order.

    Args:
        kept: in the order of their start.
        environ: environment of every process.
        log: file that takes what they print.
        told: takes a line for people when a process ended by itself.
    """

    def __init__(self, kept: Sequence[Child], environ: Mapping[str, str], log: Path, told: Callable[[str], None]) -> None:
        self._kept = kept
        self._environ = environ
        self._log = log
        self._told = told
        self._output: IO[bytes] | None = None

    def __enter__(self) -> Supervisor:
        self._output = self._log.open("ab")
        for one in self._kept:
            self._start(one)
        return self

    def __exit__(self, *reason: object) -> None:
        for one in reversed(self._kept):
            if one.child is not None:
                _stop(one.child)
        if self._output is not None:
            self._output.close()

    def tend(self) -> None:
        """Look after every process once: whoever calls this twice a second keeps them running."""
        for one in self._kept:
            now = time.monotonic()
            if one.child is None:
                if now >= one.next_start:
                    self._start(one)
            elif one.child.poll() is not None:
                if now - one.started >= STEADY_SECONDS:
                    one.pause = FIRST_PAUSE_SECONDS
                code, one.child = one.child.returncode, None
                one.next_start = now + one.pause
                self._told(f"{one.name} ended with code {code}; it starts again in {one.pause:.0f} s. Log: {self._log}")
                one.pause = min(2 * one.pause, LONGEST_PAUSE_SECONDS)

    def ended(self) -> Child | None:
        """A process that is not running now, None when all are."""
        return next((one for one in self._kept if one.child is None or one.child.poll() is not None), None)

    def _start(self, one: Child) -> None:
        one.started = time.monotonic()
        # A session of its own: Ctrl-C reaches only this process, which then stops the children in order.
        one.child = subprocess.Popen(  # noqa: S603 - fixed commands of this environment
            list(one.command), env=dict(self._environ), stdout=self._output, stderr=self._output, start_new_session=True
        )


def _stop(child: subprocess.Popen[bytes]) -> None:
    """Ask a process to end; after a while end its whole group."""
    if child.poll() is None:
        child.send_signal(signal.SIGTERM)
        with suppress(subprocess.TimeoutExpired):
            child.wait(_STOP_SECONDS)
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(child.pid, signal.SIGKILL)
    child.wait()
