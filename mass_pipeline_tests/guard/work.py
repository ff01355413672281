"""Pieces of work for a guard: honest ones, and ones that never end, eat memory or die."""

from __future__ import annotations

import os
import re
import time
from functools import cache

from mass_pipeline.guard import Guard, Limits


def double(number: int) -> int:
    return 2 * number


def process_id() -> int:
    return os.getpid()


def fail() -> None:
    raise ValueError("as expected")


def spin() -> None:
    while True:
        pass


class _SlowToDie:
    def __del__(self) -> None:
        spin_for(20)


def spin_after_losing_an_interruption() -> None:
    _SlowToDie()
    spin_for(20)


def backtrack() -> None:
    """Without end, in one step of a compiled library."""
    re.match(r"(a+)+$", "a" * 60 + "b")


def sleep() -> None:
    time.sleep(3600)


def wait_in_turns(seconds: float) -> None:
    for _ in range(int(seconds / 0.05)):
        time.sleep(0.05)


def eat() -> int:
    return len(bytearray(4 * 2**30))


def lose_an_error() -> None:
    """As the loader of modules does when memory is used up inside it."""
    raise SystemError("error return without exception set")


def die() -> None:
    os._exit(7)


def linked(length: int) -> list[object]:
    """A chain, each link holding the one before."""
    chain: list[object] = []
    for _ in range(length):
        chain = [chain]
    return chain


def wait_for(path: str) -> str:
    while not os.path.exists(path):  # noqa: PTH110
        time.sleep(0.01)
    return "done"


def spin_for(seconds: float) -> str:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        pass
    return "done"


@cache
def shared() -> Guard:
    """A guard as a package keeps it."""
    return Guard(Limits(wall_seconds=3600))


def double_guarded(number: int) -> int:
    return shared().call(double, number, size=1)


def length_and_process(content: bytes | str) -> tuple[int, int]:
    return len(content), os.getpid()


def spin_over(content: bytes | str) -> None:
    """Without end."""
    spin()
