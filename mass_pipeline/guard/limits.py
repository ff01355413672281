"""How much one piece of work may cost, and the error of what cost more."""

from __future__ import annotations

import struct
import zlib
from dataclasses import dataclass
from typing import Final

from mass_pipeline.model.errors import MassPipelineError

_WORDS: Final = {
    "cpu": "over {} s of CPU",
    "time": "over {} s",
    "memory": "over {} bytes of memory",
    "crash": "it cost its process (exit code {})",
}

# Libraries meet hostile files with whatever their objects raise; each of these means "cannot be read".
BROKEN_FILE: Final = (
    OSError, ValueError, TypeError, AttributeError, LookupError, ArithmeticError, AssertionError, RecursionError,
    NotImplementedError, zlib.error, struct.error,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of one piece of work.

    Attributes:
        cpu_seconds: of the processor, so that a busy machine ends no more pages than a quiet one.
        wall_seconds: of the clock, for what waits instead of working; thirty times the CPU: no busy machine gets there first.
        memory_bytes: beyond what the idle process holds.
        memory_per_byte: bytes that each byte of the input may cost besides.
    """

    cpu_seconds: int = 20
    wall_seconds: int = 600
    memory_bytes: int = 100 * 2**20
    memory_per_byte: int = 20

    def memory_for(self, size: int) -> int:
        """Bytes that an input of that size may cost."""
        return self.memory_bytes + self.memory_per_byte * size


class TooCostly(MassPipelineError):
    """A piece of work was ended because it cost too much; it costs only itself.

    Attributes:
        what: `cpu`, `time`, `memory`, or `crash` when the process died of it.
        limit: seconds or bytes; the exit code of a crash.
    """

    def __init__(self, what: str, limit: int, size: int) -> None:
        self.what = what
        self.limit = limit
        super().__init__(f"{_WORDS[what].format(f'{limit:,}')} for {size:,} bytes")
