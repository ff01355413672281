"""Answers of single requests, kept as files: a look that was stopped goes on, and what looked odd can be opened."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import asdict, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final

import orjson

from mass_pipeline.crawling.fetching.outcomes import Outcome
from mass_pipeline.gathering.asking import FetchResult
from mass_pipeline.model.errors import StorageError
from mass_pipeline.model.whole_files import replacing

Fetch = Callable[[str], FetchResult]
FRESH: Final = timedelta(days=1)


class KeptAnswers:
    """A folder of answers, one pair of files for each URL: `<digest>.json` (how it answered) and `<digest>.body`.

    Attributes:
        folder: of the files.
        now: the clock.
        reused: answers that came from the folder instead of the network.
    """

    def __init__(self, folder: Path, now: Callable[[], datetime]) -> None:
        """Args:
        folder: made when the first answer comes.
        now: the clock; answers of the last 24 hours are not asked for again.
        """
        self.folder = folder
        self.now = now
        self.reused = 0

    def through(self, fetch: Fetch) -> Fetch:
        """The same fetcher, which asks the folder first and keeps what the network gave, failures too.

        Raises:
            StorageError: the folder cannot be written.
        """

        def keeping(url: str) -> FetchResult:
            known = self._find(url)
            if known is not None:
                self.reused += 1
                return known
            result = fetch(url)
            self._keep(url, result)
            return result

        return keeping

    def body_of(self, url: str) -> Path:
        """Where the body of an answer is."""
        return self.folder / f"{_digest(url)}.body"

    def _find(self, url: str) -> FetchResult | None:
        path = self.folder / f"{_digest(url)}.json"
        try:
            fields = orjson.loads(path.read_bytes())
            body = self.body_of(url).read_bytes()
            asked = datetime.fromisoformat(fields.pop("asked_at"))
            return (
                FetchResult(**{**fields, "outcome": Outcome(fields["outcome"])}, body=body)
                if self.now() - asked < FRESH
                else None
            )
        except (OSError, ValueError, KeyError, TypeError):
            return None  # never asked, or half of it is gone: it is asked

    def _keep(self, url: str, result: FetchResult) -> None:
        fields = {**asdict(replace(result, body=b"")), "asked_at": self.now().isoformat()}
        del fields["body"]
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            for path, content in ((self.body_of(url), result.body), (self.folder / f"{_digest(url)}.json", orjson.dumps(fields))):
                with replacing(path) as aside:
                    aside.write_bytes(content)
        except OSError as error:
            raise StorageError(
                f"{self.folder}: an answer cannot be kept ({error.strerror or error}). Make room there."
            ) from error


def _digest(url: str) -> str:
    return hashlib.sha256(url.encode()).hexdigest()[:16]
