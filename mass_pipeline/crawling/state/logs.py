"""What a run leaves for people: a progress log from which one sees that it lives (J5), and an error log with the page (J4).

Crawl, link collection and watch write them. Crawled text reaches the files escaped; what an error quotes of a page is masked.
"""

from __future__ import annotations

import traceback
from datetime import datetime
from pathlib import Path
from typing import Final

PROGRESS_LOG: Final = "progress.log"
ERROR_LOG: Final = "errors.log"
_KEPT_LINES: Final = 10_000  # while the disk is full
_ROTATE_BYTES: Final = 20 * 1024 * 1024


class CrawlLogs:
    """Appends to the two logs of a state folder, one file and one old file each. A log that cannot be written ends no run.

    Attributes:
        errors: entries of the error log so far.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lines: list[str] = []
        self._second = -1
        self._stamp = ""
        self.errors = 0

    def page(self, at: datetime, url: str, outcome: str) -> None:
        """One finished URL; lines gather until `flush`."""
        second = int(at.timestamp())
        if second != self._second:  # writing out a time costs more than the rest of the line
            self._second, self._stamp = second, f"{at:%Y-%m-%dT%H:%M:%SZ}"
        self._lines.append(f"{self._stamp} {outcome} {url}\n")

    def failure(self, at: datetime, url: str, outcome: str, reason: str) -> None:
        """A page that gave nothing, with the reason; written at once."""
        self._error(f"{at:%Y-%m-%dT%H:%M:%SZ} {outcome} {url} ", " ".join(reason.split()))

    def exception(self, at: datetime, url: str, error: BaseException) -> None:
        """An unexpected exception at a page, with time, place and traceback; written at once."""
        self._error(f"{at:%Y-%m-%dT%H:%M:%SZ} exception {url}\n", "".join(traceback.format_exception(error)))

    def event(self, at: datetime, name: str, reason: str = "") -> None:
        """Something that concerns the whole run, such as a pause; written at once, before the pages that still wait."""
        line = f"{at:%Y-%m-%dT%H:%M:%SZ} {name} {reason}".rstrip() + "\n"
        if not self._append(PROGRESS_LOG, line):
            self._lines.append(line)

    def flush(self) -> None:
        """Write the gathered lines; a crawl does so after a commit, so that its log names only pages that are acknowledged."""
        if self._lines and (self._append(PROGRESS_LOG, "".join(self._lines)) or len(self._lines) > _KEPT_LINES):
            self._lines.clear()

    def _error(self, head: str, words: str) -> None:
        from mass_pipeline.reading.words.masking.lines import with_masked_quotes  # most crawls need none of its patterns

        self.errors += 1
        self._append(ERROR_LOG, f"{head}{with_masked_quotes(words)}\n")

    def _append(self, name: str, text: str) -> bool:
        """Whether there was room."""
        path = self._folder / name
        try:
            if path.exists() and path.stat().st_size > _ROTATE_BYTES:
                path.replace(path.with_suffix(".old.log"))
            with path.open("a", encoding="ascii", errors="backslashreplace") as file:
                file.write(text)
        except OSError:
            return False
        return True
