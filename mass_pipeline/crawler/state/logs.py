"""What a running crawl leaves for people: a progress log from which one sees that it lives (J5), and an error log (J4).

Crawled text reaches the files escaped: canonical URLs are plain ASCII, everything else goes through `ascii()`. What an error
quotes of a page is masked.
"""

from __future__ import annotations

import traceback
from datetime import datetime
from pathlib import Path
from typing import Final

from mass_pipeline.language.masking import with_masked_quotes

PROGRESS_LOG: Final = "progress.log"
ERROR_LOG: Final = "errors.log"
_KEPT_LINES: Final = 10_000  # while the disk is full
_ROTATE_BYTES: Final = 20 * 1024 * 1024


class CrawlLogs:
    """Appends to the two logs of a state folder; lines gather until `flush`. A log that cannot be written ends no crawl.

    Attributes:
        errors: unexpected exceptions so far.
        lost: writes that found no room; their lines are kept for the next.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lines: list[str] = []
        self._second = -1
        self._stamp = ""
        self.errors = 0
        self.lost = 0
        for name in (PROGRESS_LOG, ERROR_LOG):
            path = folder / name
            if path.exists() and path.stat().st_size > _ROTATE_BYTES:
                path.replace(path.with_suffix(".old.log"))

    def page(self, at: datetime, url: str, outcome: str) -> None:
        """One finished URL."""
        if at.second != self._second:  # writing out a time costs more than the rest of the line
            self._second, self._stamp = at.second, f"{at:%Y-%m-%dT%H:%M:%SZ}"
        self._lines.append(f"{self._stamp} {outcome} {url}\n")

    def error(self, at: datetime, url: str, error: BaseException) -> None:
        """An unexpected exception at a page, with time, place and traceback; written at once."""
        self.errors += 1
        trace = with_masked_quotes("".join(traceback.format_exception(error)))
        self._append(ERROR_LOG, f"{at:%Y-%m-%dT%H:%M:%SZ} {url!a}\n{trace}\n")

    def event(self, at: datetime, name: str, reason: str = "") -> None:
        """Something that concerns the whole crawl, such as a pause; written at once, before the pages that still wait."""
        line = f"{at:%Y-%m-%dT%H:%M:%SZ} {name} {reason}".rstrip() + "\n"
        if not self._append(PROGRESS_LOG, line):
            self._lines.append(line)

    def flush(self) -> None:
        """Write the gathered lines; called after a commit, so that the log names only pages that are acknowledged."""
        if self._lines and (self._append(PROGRESS_LOG, "".join(self._lines)) or len(self._lines) > _KEPT_LINES):
            self._lines.clear()

    def _append(self, name: str, text: str) -> bool:
        """Whether there was room."""
        try:
            with (self._folder / name).open("a", encoding="ascii", errors="backslashreplace") as file:
                file.write(text)
        except OSError:
            self.lost += 1
            return False
        return True
