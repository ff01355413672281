"""The log of proposed and decided standing orders: one JSON object a line, only ever appended, synced to disk.

Several runs may write at once (the file is locked meanwhile); a last line without its end, cut off by a crash, is no
entry: it is passed over, and goes when the next entry is written.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import orjson

from mass_pipeline.model.errors import StorageError
from mass_pipeline.schedules.reviews import Decision, Proposal, proposal_as_dict, proposal_from_dict, rows_from_dicts

_FILE: Final = Path("state") / "schedule_reviews.jsonl"


@dataclass(frozen=True, slots=True)
class Reviews:
    """All that was proposed and decided, oldest first."""

    proposals: tuple[Proposal, ...]
    decisions: tuple[Decision, ...]


class ReviewLog:
    """The log in a data folder; the file is made by the first entry."""

    def __init__(self, data_folder: Path) -> None:
        self.path = data_folder / _FILE

    def read(self) -> Reviews:
        """Every entry.

        Raises:
            StorageError: a line is no entry.
        """
        proposals: list[Proposal] = []
        decisions: list[Decision] = []
        lines = self.path.read_bytes().split(b"\n")[:-1] if self.path.is_file() else []
        for number, line in enumerate(lines, 1):
            try:
                entry = orjson.loads(line)
                proposal = proposal_from_dict(entry["proposal"])
            except (ValueError, KeyError, TypeError) as error:
                raise StorageError(f"{self.path}: line {number} is no entry ({error}). Restore the file from a copy.") from error
            if entry["event"] == "proposed":
                proposals.append(proposal)
            else:
                decisions.append(_decision(entry, proposal))
        return Reviews(tuple(proposals), tuple(decisions))

    def propose(self, proposals: Iterable[Proposal]) -> int:
        """Append those that were never proposed before; returns how many."""
        known = {one.proposal_id for one in self.read().proposals}
        new = {one.proposal_id: one for one in proposals if one.proposal_id not in known}
        self._append([{"event": "proposed", "proposal": proposal_as_dict(one)} for _, one in sorted(new.items())])
        return len(new)

    def decide(self, decision: Decision) -> None:
        """Append what a person decided."""
        parish = decision.proposal.parish_id
        self._append(
            [
                {
                    "event": decision.verdict,
                    "proposal": proposal_as_dict(decision.proposal),
                    "by": decision.by,
                    "at": decision.at,
                    "rows": [row.as_dict(parish, "") for row in decision.rows],
                    "replaces": [row.as_dict(parish, "") for row in decision.replaces],
                }
            ]
        )

    def _append(self, entries: list[dict[str, Any]]) -> None:
        if not entries:
            return
        text = b"".join(orjson.dumps(entry) + b"\n" for entry in entries)
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with self.path.open("ab+") as file:
                fcntl.flock(file, fcntl.LOCK_EX)
                file.seek(0)
                file.truncate(file.read().rfind(b"\n") + 1)
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            raise StorageError(
                f"Cannot write {self.path}: {error.strerror or error}. Check the folder and its rights."
            ) from error


def _decision(entry: dict[str, Any], proposal: Proposal) -> Decision:
    return Decision(
        proposal,
        entry["event"],
        entry["by"],
        entry["at"],
        rows_from_dicts(entry["rows"]),
        rows_from_dicts(entry["replaces"]),
    )
