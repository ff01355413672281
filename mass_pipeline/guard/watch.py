"""Interrupt a function of this process that takes too long, so that the work can go where it can be ended.

Its own CPU is counted, so that a busy machine does no work twice; what waits instead is ended by the clock.
One thread watches; the exception is raised in the thread that works, between two steps of the interpreter. A single long
step (of a compiled library) is not interrupted: what is large goes to the pool anyway.
"""

from __future__ import annotations

import ctypes
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Final, NamedTuple, TypeVar

_T = TypeVar("_T")

_LOOK_SECONDS: Final = 0.25
# An interruption that lands in a destructor or in a callback of the garbage collector is printed and lost: it is sent again.
_AGAIN_SECONDS: Final = 0.5
_CLOCK_TIMES: Final = 10  # as many seconds of the clock as of CPU, for what waits
_MOST_TIMES: Final = 20
_TURNS_UNTIL_IT_ARRIVES: Final = 1_000  # of a loop, each of which looks for an exception of another thread


class _Deadline(NamedTuple):
    """Of one thread, on two clocks."""

    cpu_clock: int | None  # of the thread; None where the system has none
    cpu: float
    clock: float

    @classmethod
    def after(cls, seconds: float) -> _Deadline:
        """So many seconds of the calling thread from now."""
        now = time.monotonic()
        if not hasattr(time, "pthread_getcpuclockid"):  # macOS
            return cls(None, 0.0, now + seconds)
        clock = time.pthread_getcpuclockid(threading.get_ident())
        return cls(clock, time.clock_gettime(clock) + seconds, now + seconds * _CLOCK_TIMES)

    def is_over(self, now: float) -> bool:
        """Whether either has passed; asked while the thread lives."""
        return self.clock <= now or (self.cpu_clock is not None and self.cpu <= time.clock_gettime(self.cpu_clock))


class Slow(BaseException):  # no error of the work: nothing in it may catch it
    """The function took longer than it may here."""


class _Watch:
    """Deadlines of the threads that work."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._deadlines: dict[int, _Deadline] = {}
        self._sent: dict[int, int] = {}
        self._watcher: threading.Thread | None = None

    def begin(self, seconds: float) -> None:
        """From now on the calling thread has so many seconds."""
        with self._lock:
            self._deadlines[threading.get_ident()] = _Deadline.after(seconds)
            self._sent.pop(threading.get_ident(), None)
            if self._watcher is None or not self._watcher.is_alive():
                self._watcher = threading.Thread(target=self._run, name="guard-watch", daemon=True)
                self._watcher.start()

    def end(self) -> None:
        """The calling thread is done; an interruption that is on its way arrives here and goes no further.

        It is not called off by `PyThreadState_SetAsyncExc(thread, None)`: that leaves the interpreter looking for an exception
        for ever (CPython 3.11, `UNSIGNAL_ASYNC_EXC`), which slows all that runs later and hangs whatever is traced.
        """
        with self._lock:
            self._deadlines.pop(threading.get_ident(), None)
            was_interrupted = self._sent.pop(threading.get_ident(), 0) > 0
        if was_interrupted:
            with suppress(Slow):
                for _ in range(_TURNS_UNTIL_IT_ARRIVES):
                    pass

    def _run(self) -> None:
        while True:
            time.sleep(_LOOK_SECONDS)
            now = time.monotonic()
            with self._lock:
                for thread in [thread for thread, deadline in self._deadlines.items() if deadline.is_over(now)]:
                    self._sent[thread] = self._sent.get(thread, 0) + 1
                    if self._sent[thread] < _MOST_TIMES:
                        self._deadlines[thread] = _Deadline(None, 0.0, now + _AGAIN_SECONDS)
                    else:
                        del self._deadlines[thread]
                    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(Slow))


_WATCH: Final = _Watch()


def within_seconds(seconds: float, function: Callable[..., _T], *args: object) -> _T:
    """The answer of a function, when it comes in time.

    Args:
        seconds: of its CPU, or ten times as many of the clock. Both are looked at four times a second.

    Raises:
        Slow: it did not come in time. Whatever the function raises.
    """
    try:
        _WATCH.begin(seconds)
        return function(*args)
    finally:
        _end()


def _end() -> None:
    """A second interruption may arrive on the way out: the watch must end all the same."""
    while True:
        try:
            return _WATCH.end()
        except Slow:
            continue
