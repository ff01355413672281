"""How many rows of each parish were published, and before: what a check needs to see that a parish vanished.

One small JSON file per diocese beside the crawl states, replaced as a whole. Numbers and moments only, no words of a page.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Final

import orjson

from mass_pipeline.model.errors import StorageError
from mass_pipeline.storage.opening import Place, open_objects
from mass_pipeline.storage.ports import change

_FOLDER: Final = "state/published"


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

    def __init__(self, place: Place) -> None:
        self._objects = open_objects(place)

    def read(self, diocese: str) -> dict[str, Published]:
        """parish_id -> numbers; empty for a diocese that was never published.

        Raises:
            StorageError: the file is damaged.
        """
        known = self._objects.read(_name(diocese))
        return self._counts(diocese, known.data if known else None)

    def update(self, diocese: str, rows: Mapping[str, int], now: datetime) -> dict[str, Published]:
        """Note what is published now; the same numbers again change only the moments.

        Args:
            rows: parish_id -> rows of its standing order; parishes without any may be left out.
        """
        present = {parish: count for parish, count in rows.items() if count}

        def made(data: bytes | None) -> bytes:
            noted = _noted(self._counts(diocese, data), present, now)
            return orjson.dumps({parish: asdict(one) for parish, one in noted.items()})

        return self._counts(diocese, change(self._objects, _name(diocese), made))

    def _counts(self, diocese: str, data: bytes | None) -> dict[str, Published]:
        if data is None:
            return {}
        try:
            return {str(parish): Published(**numbers) for parish, numbers in orjson.loads(data).items()}
        except (ValueError, TypeError, AttributeError) as error:
            raise StorageError(
                f"{self._objects.place(_name(diocese))} cannot be read ({error}). Remove it: the next run counts anew, and "
                "losses up to then go unnoticed."
            ) from error


def _noted(known: Mapping[str, Published], present: Mapping[str, int], now: datetime) -> dict[str, Published]:
    changed = present != {parish: one.rows for parish, one in known.items() if one.rows}
    made = {}
    for parish in sorted({*known, *present}):
        one, count = known.get(parish), present.get(parish, 0)
        before = 0 if one is None else one.rows if changed else one.before
        made[parish] = Published(count, before, now.isoformat() if count or one is None else one.last_at)
    return made


def _name(diocese: str) -> str:
    return f"{_FOLDER}/{diocese}.json"
