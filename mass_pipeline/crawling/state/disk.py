"""Hold a crawl while the disk has no room, and let it go on by itself when there is (hazards D3). No SQL, no network.

Two things stop it: less free space than the setting demands, and a transaction that found the disk full. Nobody is asked
for a page meanwhile, because the page could not be kept.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from pathlib import Path
from typing import Final

from mass_pipeline.crawling.fetching.clock import Clock
from mass_pipeline.crawling.fetching.config import CrawlConfig
from mass_pipeline.crawling.fetching.outcomes import Outcome
from mass_pipeline.model.errors import DiskFull

_LOOK_SECONDS: Final = 1.0


class OutOfRoom(Exception):
    """The crawl waited for room as long as it may; ends the run, which a later one continues."""


def free_bytes(folder: Path) -> int:
    """Bytes that we may still write on the file system of a folder."""
    status = os.statvfs(folder)
    return status.f_bavail * status.f_frsize


class RoomWatch:
    """Knows whether there is room, and who waits for it.

    Args:
        folder: on the file system that counts.
        tell: told `paused_disk` with the reason, and `resumed`, for the progress log.
        free: how much is left; the file system's answer by default.

    Attributes:
        reason: why the crawl is held, "" while it runs.
    """

    def __init__(
        self, folder: Path, config: CrawlConfig, clock: Clock, tell: Callable[[str, str], None],
        free: Callable[[Path], int] = free_bytes,
    ) -> None:  # fmt: skip
        self._folder, self._config, self._clock, self._tell, self._free = folder, config, clock, tell, free
        self._room = asyncio.Event()
        self._room.set()
        self._looked_at = float("-inf")
        self._held_at = 0.0
        self.reason = ""

    async def wait(self) -> float:
        """Wait until there is room; seconds it took."""
        if self._room.is_set():
            return 0.0
        began = self._clock.steady()
        await self._room.wait()
        return self._clock.steady() - began

    def hold(self, reason: str) -> None:
        """Stop asking for pages."""
        if not self.reason:
            self._tell(Outcome.PAUSED_DISK.value, reason)
            self._held_at = self._clock.steady()
            self._room.clear()
        self.reason = reason

    def shortage(self) -> str:
        """Why there is no room, "" when there is; looks at most once a second and else repeats itself.

        Raises:
            OutOfRoom: held for longer than the setting allows.
        """
        now = self._clock.steady()
        if self.reason and now - self._held_at > self._config.max_disk_wait_seconds:
            raise OutOfRoom(self.reason)
        if now - self._looked_at < _LOOK_SECONDS:
            return self.reason
        self._looked_at = now
        free = self._free(self._folder)
        if free >= self._config.min_free_bytes:
            return ""
        return f"{free / 1e6:.0f} MB free at {self._folder}, {self._config.min_free_bytes / 1e6:.0f} MB wanted"

    async def wait_here(self, reason: str = "") -> None:
        """Wait for room: for users that have one thing to do and nobody else to hold.

        Args:
            reason: a transaction found the disk full; "": only look how much is free.

        Raises:
            DiskFull: it lasted longer than the setting allows.
        """
        try:
            shortage = reason or self.shortage()
            while shortage:
                self.hold(shortage)
                await asyncio.sleep(_LOOK_SECONDS)
                self._looked_at = float("-inf")
                shortage = self.shortage()
        except OutOfRoom as error:
            raise DiskFull(f"{error}. Free space and start again to go on; everything acknowledged is kept.") from error

    def has_written(self) -> None:
        """Something was written well: a pause is over."""
        if self.reason:
            self.reason = ""
            self._room.set()
            self._tell("resumed", "")
