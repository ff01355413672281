"""Items and votes as files: candidate_hours Parquet, JSON Lines. No database statements; see store, voting."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import sqlalchemy as sa

from mass_pipeline.annotation.database import insert_ignoring
from mass_pipeline.annotation.items import Item, item_from_row
from mass_pipeline.annotation.schema import items, voters, votes
from mass_pipeline.annotation.store import VOTE_FIELDS, Store
from mass_pipeline.annotation.vocabulary import ANSWERS, KINDS, STANDINGS
from mass_pipeline.annotation.voting import NEW_VOTER, recount
from mass_pipeline.model.errors import BadInput
from mass_pipeline.model.json_lines import read_objects

_ALL_ANSWERS: Final = tuple(dict.fromkeys(answer for kind in KINDS for answer in ANSWERS[kind]))
_BATCH: Final = 200


def read_items(path: Path) -> Iterator[Item]:
    """Items of a Parquet file, of a folder of Parquet files (partitions included), or of a JSON Lines file.

    Raises:
        UsageError: a file of JSON Lines cannot be read.
        BadInput: one of Parquet cannot be, or a row is no item.
    """
    rows = _parquet_rows(path) if path.is_dir() or path.suffix == ".parquet" else (row for _, row in read_objects(path))
    yield from map(item_from_row, rows)


def _parquet_rows(path: Path) -> Iterator[Mapping[str, Any]]:
    import pyarrow as pa
    import pyarrow.dataset as ds

    try:
        for batch in ds.dataset(path, format="parquet", partitioning="hive").to_batches():
            yield from batch.to_pylist()
    except (OSError, pa.ArrowException) as error:
        raise BadInput(f"{path}: not readable as Parquet ({error}).") from error


def vote_lines(store: Store) -> Iterator[str]:
    """Every vote as one JSON object per line, withdrawn ones included, in the order of arrival."""
    for record in store.votes(with_withdrawn=True).to_dict("records"):
        row: dict[str, Any] = {name: record[name] for name in VOTE_FIELDS if name != "vote_id"}
        row["voted_at"] = record["voted_at"].isoformat()
        row["duration_ms"] = None if record["duration_ms"] != record["duration_ms"] else record["duration_ms"]
        row["duration_ms"] = None if row["duration_ms"] is None else int(row["duration_ms"])
        row["withdrawn"] = bool(record["withdrawn"])
        yield json.dumps(row, ensure_ascii=False, sort_keys=True)


def import_vote_lines(store: Store, path: Path) -> int:
    """Take the votes of an export; the newer of two votes of one person on one item wins.

    Returns:
        number of votes taken.

    Raises:
        BadInput: a line is no vote, or names an item that is not loaded; earlier lines stay.
    """
    return import_votes(store, (row for _, row in read_objects(path)))


def import_votes(store: Store, rows: Iterable[Mapping[str, Any]]) -> int:
    """As `import_vote_lines`, from rows: candidate_id, voter_id, answer; optional origin, standing, voted_at, duration_ms,
    sequence, withdrawn."""
    taken = 0
    batch: list[dict[str, Any]] = []
    for row in rows:
        batch.append(_vote_values(row))
        if len(batch) == _BATCH:
            taken += _take(store, batch)
            batch = []
    return taken + _take(store, batch)


def _vote_values(row: Mapping[str, Any]) -> dict[str, Any]:
    try:
        candidate_id, voter_id, answer = str(row["candidate_id"]), str(row["voter_id"]), str(row["answer"])
        moment = datetime.fromisoformat(row["voted_at"]) if row.get("voted_at") else datetime(1970, 1, 1, tzinfo=UTC)
        duration = row.get("duration_ms")
        values = {
            "candidate_id": candidate_id,
            "voter_id": voter_id[:64],
            "answer": answer,
            "origin": str(row.get("origin") or voter_id)[:32],
            "standing": str(row.get("standing") or "normal"),
            "voted_at": moment if moment.tzinfo else moment.replace(tzinfo=UTC),
            "duration_ms": None if duration is None else int(duration),
            "sequence": int(row.get("sequence") or 1),
            "withdrawn": bool(row.get("withdrawn") or False),
        }
    except (KeyError, TypeError, ValueError) as error:
        raise BadInput(f"Not a vote: {dict(row)!r:.200} ({error!r}).") from error
    if answer not in _ALL_ANSWERS or values["standing"] not in STANDINGS:
        raise BadInput(f"Not a vote: answer {answer!r}, standing {values['standing']!r}; expected {', '.join(_ALL_ANSWERS)}.")
    return values


def _take(store: Store, batch: list[dict[str, Any]]) -> int:
    if not batch:
        return 0
    touched = sorted({row["candidate_id"] for row in batch})
    with store.engine.begin() as connection:
        query = sa.select(items.c.candidate_id, items.c.kind).where(items.c.candidate_id.in_(touched))
        known = {row.candidate_id: row.kind for row in connection.execute(query)}
        missing = [name for name in touched if name not in known]
        if missing:
            raise BadInput(
                f"Item {missing[0]!r} is not loaded ({len(missing)} in this batch): load the items before their votes."
            )
        for row in batch:
            if row["answer"] not in ANSWERS[known[row["candidate_id"]]]:
                raise BadInput(f"{row['answer']!r} is no answer to item {row['candidate_id']!r} ({known[row['candidate_id']]}).")
        people = {row["voter_id"]: row for row in batch}
        new = [
            NEW_VOTER | {"voter_id": name, "standing": row["standing"], "standing_by": "import", "created_at": row["voted_at"]}
            for name, row in sorted(people.items())
        ]
        connection.execute(insert_ignoring(connection.dialect.name, voters).on_conflict_do_nothing(), new)
        statement = insert_ignoring(connection.dialect.name, votes)
        names = ("answer", "origin", "voted_at", "duration_ms", "sequence", "withdrawn")
        newer = statement.on_conflict_do_update(
            index_elements=["candidate_id", "voter_id"],
            set_={name: statement.excluded[name] for name in names},
            where=votes.c.voted_at <= statement.excluded.voted_at,
        )
        connection.execute(newer, [{name: value for name, value in row.items() if name != "standing"} for row in batch])
        standing = sa.select(sa.func.count()).where(votes.c.voter_id == voters.c.voter_id, ~votes.c.withdrawn).scalar_subquery()
        connection.execute(sa.update(voters).where(voters.c.voter_id.in_(sorted(people))).values(n_votes=standing))
        for candidate_id in touched:
            last = max(row["voted_at"] for row in batch if row["candidate_id"] == candidate_id)
            recount(connection, candidate_id, last, store.config)
    return len(batch)
