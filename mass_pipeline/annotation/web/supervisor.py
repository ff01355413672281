"""Several worker processes on one listening socket, under a parent that serves nobody and starts a dead one again at once.

The parent has imported the app before it forks, so a new worker answers within some hundredths of a second; connections that
come meanwhile wait in the queue of the socket, which the parent holds open. The parent is single-threaded: forking is safe,
and it answers the workers' questions to the ledger (shared) between two signals. POSIX only.
"""

from __future__ import annotations

import errno
import gc
import logging
import os
import selectors
import signal
import socket
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from types import FrameType
from typing import Final

from mass_pipeline.annotation.web.shared import Ledger, LedgerClient

log = logging.getLogger(__name__)

BACKLOG: Final = 2048  # connections that wait while workers are busy or being replaced
GRACE_SECONDS: Final = 10.0  # for requests under way, when the app is stopped
_QUICK_DEATH_SECONDS: Final = 1.0
_PAUSE_SECONDS: Final = 0.1  # before the replacement of a second quick death in a row; twice as long each time
_LONGEST_PAUSE_SECONDS: Final = 30.0  # a fault may pass: the disk has room again, the database is back
_BIND_SECONDS: Final = 3.0  # workers of a supervisor that was killed end some moments after it
_TICK_SECONDS: Final = 0.5
_STOPPING: Final = (signal.SIGTERM, signal.SIGINT)

Work = Callable[[LedgerClient], None]


def listen(host: str, port: int) -> socket.socket:
    """A listening TCP socket that workers inherit; an address that is taken is asked for again for some seconds.

    Raises:
        OSError: the address is taken or not ours.
    """
    gives_up = time.monotonic() + _BIND_SECONDS
    while True:
        try:
            return _bound(host, port)
        except OSError as error:
            if error.errno != errno.EADDRINUSE or time.monotonic() > gives_up:
                raise
            time.sleep(0.05)


def _bound(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
        listening.listen(BACKLOG)
    except OSError:
        listening.close()
        raise
    return listening


@dataclass(slots=True)
class _Worker:
    pid: int
    connection: socket.socket
    started: float
    received: bytes = b""


class Supervisor:
    """Keeps `n_workers` processes at work until it is told to stop.

    Args:
        n_workers: how many; at least 1.
        work: what a worker does, in its own process, until SIGTERM; gets its way to the ledger.
        ledger: answers the workers.
    """

    def __init__(self, n_workers: int, work: Work, ledger: Ledger) -> None:
        self.n_workers = n_workers
        self.work = work
        self.ledger = ledger
        self._workers: dict[int, _Worker] = {}
        self._selector = selectors.DefaultSelector()
        self._stopping = False
        self._quick_deaths = 0
        self._starts: list[float] = []  # moments at which replacements are due
        # Workers see the end of this pipe when the parent dies, however it dies.
        self._alive_read, self._alive_write = os.pipe()

    def run(self) -> int:
        """Supervise until told to stop; returns the exit code 0. Workers that die at once are replaced ever more slowly."""
        wakeup_read, wakeup_write = socket.socketpair()
        for end in (wakeup_read, wakeup_write):
            end.setblocking(False)
        signal.set_wakeup_fd(wakeup_write.fileno())
        for number in (signal.SIGCHLD, *_STOPPING):
            signal.signal(number, self._note)
        self._selector.register(wakeup_read, selectors.EVENT_READ)
        # What is loaded now lives as long as a worker: its collector never walks over it, and its pages stay shared.
        gc.collect()
        gc.freeze()
        for _ in range(self.n_workers):
            self._start()
        while not self._stopping:
            for key, _ in self._selector.select(_TICK_SECONDS):
                if key.data is None:
                    wakeup_read.recv(4096)
                else:
                    self._answer(key.data)
            self._replace_dead()
        self._stop()
        return 0

    def _note(self, number: int, _frame: FrameType | None) -> None:
        if number in _STOPPING:
            self._stopping = True

    def _start(self) -> None:
        ours, theirs = socket.socketpair()
        pid = os.fork()
        if pid == 0:
            self._be_worker(theirs, ours)
        theirs.close()
        worker = _Worker(pid, ours, time.monotonic())
        self._workers[pid] = worker
        self._selector.register(ours, selectors.EVENT_READ, worker)

    def _be_worker(self, connection: socket.socket, parents: socket.socket) -> None:
        """In the child: forget the parent's things, work, and never return."""
        code = 1
        try:
            signal.set_wakeup_fd(-1)
            for number in (signal.SIGCHLD, *_STOPPING):
                signal.signal(number, signal.SIG_DFL)
            self._selector.close()
            parents.close()
            os.close(self._alive_write)
            for other in self._workers.values():
                other.connection.close()
            threading.Thread(target=_die_with, args=(self._alive_read,), daemon=True).start()
            # Without its supervisor a worker ends at once: its visitors see a broken connection, and no error page.
            self.work(LedgerClient(connection, when_lost=lambda: os._exit(1)))
            code = 0
        except BaseException:
            log.exception("annotation.worker_failed")
        finally:
            os._exit(code)

    def _answer(self, worker: _Worker) -> None:
        try:
            received = worker.connection.recv(65_536)
        except OSError:
            received = b""
        if not received:  # it is dying; waitpid will say so
            self._selector.unregister(worker.connection)
            return
        *lines, worker.received = (worker.received + received).split(b"\n")
        try:
            worker.connection.sendall(b"".join(self.ledger.answer(line) for line in lines))
        except OSError:
            log.warning("annotation.worker_hung_up pid=%d", worker.pid)

    def _replace_dead(self) -> None:
        now = time.monotonic()
        for worker in self._reap():
            lived = now - worker.started
            self._quick_deaths = self._quick_deaths + 1 if lived < _QUICK_DEATH_SECONDS else 0
            pause = 0.0
            if self._quick_deaths > 1:
                pause = min(_PAUSE_SECONDS * 2 ** min(self._quick_deaths - 2, 20), _LONGEST_PAUSE_SECONDS)
            log.warning("annotation.worker_replaced pid=%d lived_seconds=%.1f pause_seconds=%.1f", worker.pid, lived, pause)
            self._starts.append(now + pause)
        due = [moment for moment in self._starts if moment <= now]
        self._starts = [moment for moment in self._starts if moment > now]
        for _ in due:
            if not self._stopping:
                self._start()

    def _reap(self) -> list[_Worker]:
        gone = []
        for pid, worker in list(self._workers.items()):
            if os.waitpid(pid, os.WNOHANG)[0] == 0:
                continue
            if worker.connection in self._selector.get_map():
                self._selector.unregister(worker.connection)
            worker.connection.close()
            gone.append(self._workers.pop(pid))
        return gone

    def _stop(self) -> None:
        """SIGTERM to all, answers meanwhile, SIGKILL to whoever is left after the grace."""
        for pid in self._workers:
            os.kill(pid, signal.SIGTERM)
        ends = time.monotonic() + GRACE_SECONDS
        while self._workers and time.monotonic() < ends:
            for key, _ in self._selector.select(0.05):
                if key.data is not None:
                    self._answer(key.data)
            self._reap()
        for pid in self._workers:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)


def _die_with(alive: int) -> None:
    """End this process as soon as nobody holds the other end of the pipe."""
    os.read(alive, 1)
    os._exit(1)
