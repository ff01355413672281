"""How many rows of each parish were published, and before: what a check needs to see that a parish vanished.

One small JSON file per diocese beside the crawl states, replaced as a whole. Numbers and moments only, no words of a page.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from typing import Final

import orjson

from mass_pipeline.model.errors import StorageError

_FOLDER: Final = Path("state") / "published"


@dataclass(frozen=True, slots=True)
class Published:
    """One parish.

    Attributes:
        rows: of its standing order, as published now.
        before: as published before the numbers of its diocese changed last.
        last_at: when an order of it was published last (ISO moment).
    """

    rows: int
    before: int
    last_at: str

    def days_since(self, now: datetime) -> float:
        """Days since an order of it was published."""
        return (now - datetime.fromisoformat(self.last_at)).total_seconds() / 86_400


class PublishedCounts:
    """The numbers of a data folder."""

    def __init__(self, data_folder: Path) -> None:
        self._folder = data_folder / _FOLDER

    def read(self, diocese: str) -> dict[str, Published]:
        """parish_id -> numbers; empty for a diocese that was never published.

        Raises:
            StorageError: the file is damaged.
        """
        path = self._path(diocese)
        try:
            rows = orjson.loads(path.read_bytes())
            return {str(parish): Published(**numbers) for parish, numbers in rows.items()}
        except FileNotFoundError:
            return {}
        except (OSError, ValueError, TypeError, AttributeError) as error:
            raise StorageError(
                f"{path} cannot be read ({error}). Remove it: the next run counts anew, and losses up to then go unnoticed."
            ) from error

    def update(self, diocese: str, rows: Mapping[str, int], now: datetime) -> dict[str, Published]:
        """Note what is published now; the same numbers again change only the moments.

        Args:
            rows: parish_id -> rows of its standing order; parishes without any may be left out.
        """
        known = self.read(diocese)
        present = {parish: count for parish, count in rows.items() if count}
        changed = present != {parish: one.rows for parish, one in known.items() if one.rows}
        made = {}
        for parish in sorted({*known, *present}):
            one, count = known.get(parish), present.get(parish, 0)
            before = 0 if one is None else one.rows if changed else one.before
            made[parish] = Published(count, before, now.isoformat() if count or one is None else one.last_at)
        self._write(diocese, made)
        return made

    def _path(self, diocese: str) -> Path:
        return self._folder / f"{diocese}.json"

    def _write(self, diocese: str, made: Mapping[str, Published]) -> None:
        path = self._path(diocese)
        aside = path.with_name(f".{path.name}.{secrets.token_hex(4)}.tmp")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with aside.open("wb") as file:
                file.write(orjson.dumps({parish: asdict(one) for parish, one in made.items()}))
                file.flush()
                os.fsync(file.fileno())
            aside.replace(path)
        except OSError as error:
            raise StorageError(f"Cannot write {path}: {error.strerror or error}. Check the folder and its rights.") from error
        finally:
            aside.unlink(missing_ok=True)
