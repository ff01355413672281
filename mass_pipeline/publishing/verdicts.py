"""What the promises of a table said of the newest rows of each part, also of rows that were not published for it.

One small JSON file per table, replaced as a whole. The verdict on one diocese says nothing about another, so each is kept.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any, Final

import orjson

from mass_pipeline.model.errors import StorageError
from mass_pipeline.publishing.promises.promise import Verdict
from mass_pipeline.storage.opening import Place, open_objects
from mass_pipeline.storage.ports import change

_FOLDER: Final = "state/verdicts"
_MOST_NAMED: Final = 5  # dioceses in a sentence


class VerdictLog:
    """The verdicts of a data folder."""

    def __init__(self, place: Place) -> None:
        self._objects = open_objects(place)

    def read(self, table: str, promise: str) -> dict[str | None, Verdict]:
        """Partition -> what a promise said last; None is the key of a whole table. Empty for what was never judged.

        Raises:
            StorageError: the file is damaged.
        """
        known = self._objects.read(_name(table))
        parts = self._parts(table, known.data if known else None)
        return {key or None: Verdict(**verdicts[promise]) for key, verdicts in parts.items() if promise in verdicts}

    def record(self, table: str, key: str | None, verdicts: Mapping[str, Verdict]) -> None:
        """Keep what the promises say of a part, in the place of what they said before.

        Args:
            table: its name.
            key: partition, None for a whole table.
            verdicts: by promise.
        """
        new = {name: asdict(verdict) for name, verdict in verdicts.items()}

        def made(data: bytes | None) -> bytes:
            return orjson.dumps({**self._parts(table, data), key or "": new}, option=orjson.OPT_SORT_KEYS)

        change(self._objects, _name(table), made)

    def forget_findings(self) -> int:
        """Drop the rows that spoke against promises, which may hold words of pages; how many. Verdicts and figures stay."""
        gone = 0
        for name in self._objects.names(_FOLDER):
            if (known := self._objects.read(name)) is None:
                continue
            table = name.removeprefix(f"{_FOLDER}/").removesuffix(".json")
            verdicts = [one for part in self._parts(table, known.data).values() for one in part.values()]
            gone += (here := sum(len(one["findings"]) for one in verdicts))
            if here:
                change(self._objects, name, _without_findings)
        return gone

    def _parts(self, table: str, data: bytes | None) -> dict[str, dict[str, Any]]:
        try:
            parts: dict[str, dict[str, Any]] = orjson.loads(data) if data else {}
        except ValueError as error:
            place = self._objects.place(_name(table))
            raise StorageError(f"{place} cannot be read ({error}). Remove it: the next runs judge anew.") from error
        return parts


def _without_findings(data: bytes | None) -> bytes:
    parts = orjson.loads(data or b"{}")
    kept = {key: {name: {**one, "findings": []} for name, one in part.items()} for key, part in parts.items()}
    return orjson.dumps(kept, option=orjson.OPT_SORT_KEYS)


def of_all(verdicts: Mapping[str | None, Verdict], dioceses: Sequence[str]) -> Verdict:
    """The verdicts on the parts of a table as one: it passes when every part does, and names those that do not.

    Args:
        verdicts: by diocese; None is the key of a whole table, which has one alone.
        dioceses: all there are; those that were never judged are counted.
    """
    if list(verdicts) == [None]:
        return verdicts[None]
    failed = {key: verdict for key, verdict in sorted(verdicts.items(), key=str) if not verdict.passed}
    names = dict.fromkeys(name for verdict in verdicts.values() for name in verdict.figures)
    never = [key for key in dioceses if key not in verdicts]
    said = [f"{key}: {verdict.summary}" for key, verdict in failed.items()]
    if never:
        said.append(f"Never made: {', '.join(never[:_MOST_NAMED])}{' and others' if len(never) > _MOST_NAMED else ''}.")
    return Verdict(
        not failed,
        " ".join([f"The promise holds in {len(verdicts) - len(failed)} of {len(dioceses)} dioceses.", *said]),
        {
            "dioceses_failed": len(failed),
            "dioceses_never_made": len(never),
            **{name: sum(one.figures.get(name, 0) for one in verdicts.values()) for name in names},
        },
        [{"diocese": str(key), **finding} for key, verdict in failed.items() for finding in verdict.findings][:20],
    )


def _name(table: str) -> str:
    return f"{_FOLDER}/{table}.json"
