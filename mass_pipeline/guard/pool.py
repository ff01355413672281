"""A pool of kept processes in which work can be ended: by CPU, by the clock, by memory, or because it dies.

pebble replaces a process that was ended and tells of what; a pool of the standard library breaks as a whole when one of its
processes dies, and cannot end one. Processes are started afresh (spawn): a fork of a process with threads may hang.
"""

from __future__ import annotations

import asyncio
import os
import pickle
import resource
import signal
import sys
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from importlib import import_module
from multiprocessing.context import SpawnContext, SpawnProcess
from multiprocessing.util import Finalize
from pathlib import Path
from types import ModuleType
from typing import Any, Final, TypeVar

from pebble import ProcessExpired, ProcessPool

from mass_pipeline.guard.limits import Limits, TooCostly

_T = TypeVar("_T")

_TASKS_OF_A_PROCESS: Final = 500  # then a fresh one takes its place and memory that was not given back is
_EXIT_PRIORITY: Final = 10  # before the processes are waited for, at the end of the program or of a process it began
_DEEPEST_ANSWER: Final = 20_000  # an answer may be a chain of hundreds of hours, each pointing to the one before
_ENDED: Final = (TimeoutError, ProcessExpired, MemoryError)
_NO_ROOM: Final = "failed to map segment"  # of a library that is loaded late, in the words of the loader
_STATM: Final = Path("/proc/self/statm")


_kept: Final[list[int]] = []  # this process, when it was begun for work that can be ended


def is_kept_process() -> bool:
    """Whether this process was begun by a guard, so that what it does can be ended."""
    return bool(_kept) and _kept[0] == os.getpid()


class Guard:
    """Runs functions in processes of their own, one piece of work at a time in each.

    The processes begin with the first piece of work and are kept; `close` ends them, as the end of the program does.

    Args:
        limits: of each piece of work.
        workers: how many processes.
        modules: loaded when a process begins, so that no piece of work pays for it.
    """

    def __init__(self, limits: Limits | None = None, *, workers: int = 1, modules: Sequence[str] = ()) -> None:
        self.limits = limits or Limits()
        self._workers = workers
        self._modules = tuple(modules)
        self._pool: ProcessPool | None = None
        self._owner = 0
        self._at_exit: Finalize | None = None
        self._lock = threading.Lock()

    def call(self, function: Callable[..., _T], *args: object, size: int) -> _T:
        """The answer of a function of a module, called in another process.

        Args:
            function, args: picklable, as is the answer. The function is one of this package and its answer made of its own
                classes: what comes back is unpickled.
            size: bytes of the input, for the limit of memory and the figures of an error.

        Raises:
            TooCostly: it was ended. Whatever the function raises.
        """
        try:
            try:
                answer = self._begin(function, args, size).result()
            except BrokenProcessPool:  # its process ended between two pieces of work: this one is not to blame
                self.close()
                answer = self._begin(function, args, size).result()
        except _ENDED as error:
            raise self._judged(error, size) from error
        answered: _T = pickle.loads(answer)  # noqa: S301  # of our own process, made by our own function
        return answered

    async def call_aside(self, function: Callable[..., _T], *args: object, size: int) -> _T:
        """`call`, while the event loop goes on."""
        try:
            try:
                answer = await asyncio.wrap_future(self._begin(function, args, size))
            except BrokenProcessPool:
                await asyncio.to_thread(self.close)
                answer = await asyncio.wrap_future(self._begin(function, args, size))
        except _ENDED as error:
            raise self._judged(error, size) from error
        answered: _T = pickle.loads(answer)  # noqa: S301  # of our own process, made by our own function
        return answered

    def close(self) -> None:
        """End the processes, and what they are at."""
        with self._lock:
            pool, self._pool = self._pool, None
            if self._at_exit is not None:
                self._at_exit.cancel()
        if pool is not None and self._owner == os.getpid():
            pool.stop()  # type: ignore[no-untyped-call]
            pool.join()

    @property
    def is_idle(self) -> bool:
        """Whether no process was begun, or none is left."""
        return self._pool is None

    def _begin(self, function: Callable[..., object], args: tuple[object, ...], size: int) -> Future[bytes]:
        limits = self.limits
        task = (function, args, limits.cpu_seconds, limits.memory_for(size))
        future: Future[bytes] = self._running().schedule(_limited, args=task, timeout=limits.wall_seconds)
        return future

    def _running(self) -> ProcessPool:
        with self._lock:
            if self._pool is None or not self._pool.active or self._owner != os.getpid():
                self._owner = os.getpid()  # a fork has the pool of its parent, but none of the threads that drive it
                self._at_exit = Finalize(None, self.close, exitpriority=_EXIT_PRIORITY)
                self._pool = ProcessPool(
                    max_workers=self._workers,
                    max_tasks=_TASKS_OF_A_PROCESS,
                    initializer=_prepare,
                    initargs=(self._modules,),
                    context=_Context(),
                )
            return self._pool

    def _judged(self, error: BaseException, size: int) -> TooCostly:
        if isinstance(error, TimeoutError):
            return TooCostly("time", self.limits.wall_seconds, size)
        if isinstance(error, MemoryError):
            return TooCostly("memory", self.limits.memory_for(size), size)
        code = error.exitcode if isinstance(error, ProcessExpired) else 0
        return TooCostly("cpu", self.limits.cpu_seconds, size) if code == -signal.SIGXCPU else TooCostly("crash", code, size)


class _Process(SpawnProcess):
    """A fresh process that does not run the main script again, as one of the standard library would before it begins."""

    @staticmethod
    def _Popen(process_obj: Any) -> Any:  # noqa: N802  # the standard library's name
        main = sys.modules["__main__"]
        sys.modules["__main__"] = ModuleType("__main__")
        try:
            return SpawnProcess._Popen(process_obj)
        finally:
            sys.modules["__main__"] = main


class _Context(SpawnContext):
    Process = _Process


def _prepare(modules: Sequence[str]) -> None:
    """Of a new process: it leaves Ctrl-C to the one that began it, and has everything loaded."""
    _kept[:] = [os.getpid()]
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGXCPU, signal.SIG_DFL)
    sys.setrecursionlimit(_DEEPEST_ANSWER)
    for name in modules:
        import_module(name)


def _limited(function: Callable[..., object], args: tuple[object, ...], cpu_seconds: int, memory_bytes: int) -> bytes:
    """The pickled answer of the function, in a process that ends when it takes more; the limits end with the work."""
    _, hardest = resource.getrlimit(resource.RLIMIT_CPU)
    _, largest = resource.getrlimit(resource.RLIMIT_AS)
    try:
        resource.setrlimit(resource.RLIMIT_CPU, (int(time.process_time()) + 1 + cpu_seconds, hardest))
        resource.setrlimit(resource.RLIMIT_AS, (_held_bytes() + memory_bytes if _STATM.exists() else largest, largest))
        return pickle.dumps(function(*args), pickle.HIGHEST_PROTOCOL)
    except ImportError as error:
        if _NO_ROOM not in str(error):
            raise
        raise MemoryError(str(error)) from error
    except SystemError as error:  # the interpreter's own code lost the error of a memory that was used up
        raise MemoryError(str(error)) from error
    finally:
        resource.setrlimit(resource.RLIMIT_CPU, (hardest, hardest))
        resource.setrlimit(resource.RLIMIT_AS, (largest, largest))


def _held_bytes() -> int:
    """Address space of this process."""
    return int(_STATM.read_text("ascii").split()[0]) * resource.getpagesize()
