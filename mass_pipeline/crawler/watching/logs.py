"""What a watch leaves for people: a progress log from which one sees that it lives (J5), an error log with the page (J4).

Both are written at once, before the state is committed, so that no error is lost by kill -9; they rotate while the watch runs.
Crawled text reaches them escaped.
"""

from __future__ import annotations

import contextlib
import traceback
from datetime import datetime
from pathlib import Path
from typing import Final

from mass_pipeline.crawler.state.logs import ERROR_LOG, PROGRESS_LOG
from mass_pipeline.language.masking import with_masked_quotes

_ROTATE_BYTES: Final = 20 * 1024 * 1024


class WatchLogs:
    """Appends to the two logs of a state folder; one file and one old file each.

    Attributes:
        errors: lines written to the error log in this run.
    """

    def __init__(self, folder: Path, rotate_bytes: int = _ROTATE_BYTES) -> None:
        self._folder = folder
        self._rotate_bytes = rotate_bytes
        self.errors = 0

    def page(self, at: datetime, url: str, outcome: str) -> None:
        """One finished request."""
        self._write(PROGRESS_LOG, f"{at:%Y-%m-%dT%H:%M:%SZ} {outcome} {url}\n")

    def failure(self, at: datetime, url: str, outcome: str, reason: str) -> None:
        """A page that gave nothing, with the reason."""
        self.errors += 1
        self._write(ERROR_LOG, f"{at:%Y-%m-%dT%H:%M:%SZ} {outcome} {url} {with_masked_quotes(' '.join(reason.split()))}\n")

    def exception(self, at: datetime, url: str, error: BaseException) -> None:
        """An unexpected exception at a page, with time, place and traceback."""
        self.errors += 1
        trace = with_masked_quotes("".join(traceback.format_exception(error)))
        self._write(ERROR_LOG, f"{at:%Y-%m-%dT%H:%M:%SZ} exception {url}\n{trace}\n")

    def _write(self, name: str, text: str) -> None:
        path = self._folder / name
        with contextlib.suppress(OSError):  # a full disk ends no watch for the sake of a line
            if path.exists() and path.stat().st_size > self._rotate_bytes:
                path.replace(path.with_suffix(".old.log"))
            with path.open("a", encoding="ascii", errors="backslashreplace") as file:
                file.write(text)
