"""A process with all that it began: what it holds in memory, and its end. Linux only, by `/proc`."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

_PROC: Final = Path("/proc")
_ROUNDS: Final = 3  # of ending: what was begun while the others were ended is found in the next


def private_bytes(pid: int) -> int:
    """Memory that a process and its descendants share with nobody, in bytes; 0 when it is no more."""
    return sum(map(_private_of, tree_of(pid)))


def end_tree(pid: int) -> None:
    """Kill a process and its descendants; those that are gone already are no error."""
    for _ in range(_ROUNDS):
        for one in tree_of(pid):
            with suppress(ProcessLookupError):
                os.kill(one, signal.SIGKILL)


def tree_of(pid: int) -> list[int]:
    """The process and its descendants, as far as they live."""
    children: dict[int, list[int]] = {}
    alive = set()
    for child, parent in _processes():
        children.setdefault(parent, []).append(child)
        alive.add(child)
    found = [pid] if pid in alive else []
    for one in found:
        found += children.get(one, ())
    return found


def _processes() -> Iterator[tuple[int, int]]:
    """(process, its parent) of every process that is no corpse."""
    for folder in _PROC.iterdir():
        if folder.name.isdecimal():
            with suppress(OSError):
                # The name in brackets may hold anything; proc(5) puts state and parent after it.
                state, parent = (folder / "stat").read_text("utf-8", "replace").rpartition(")")[2].split()[:2]
                if state != "Z":
                    yield int(folder.name), int(parent)


def _private_of(pid: int) -> int:
    with suppress(OSError, ValueError):
        _, resident, shared = (_PROC / str(pid) / "statm").read_text("ascii").split()[:3]
        return (int(resident) - int(shared)) * os.sysconf("SC_PAGE_SIZE")
    return 0
