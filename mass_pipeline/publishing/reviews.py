"""The log of proposed and decided standing orders: one JSON object a line, only ever appended, synced to disk.

Several runs, of several machines where the log lies in object storage, may write at once; a last line without its end, cut off
by a crash, is no entry: it is passed over, and goes when the next entry is written.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

import orjson

from mass_pipeline.model.errors import StorageError
from mass_pipeline.schedules.reviews import Decision, Proposal, proposal_as_dict, proposal_from_dict, rows_from_dicts
from mass_pipeline.storage.opening import Place, open_objects

REVIEWS: Final = "state/schedule_reviews.jsonl"


@dataclass(frozen=True, slots=True)
class Reviews:
    """All that was proposed and decided, oldest first."""

    proposals: tuple[Proposal, ...]
    decisions: tuple[Decision, ...]


class ReviewLog:
    """The log in a data folder or in object storage; made by the first entry."""

    def __init__(self, place: Place) -> None:
        self._objects = open_objects(place)

    def read(self) -> Reviews:
        """Every entry.

        Raises:
            StorageError: a line is no entry.
        """
        proposals: list[Proposal] = []
        decisions: list[Decision] = []
        known = self._objects.read(REVIEWS)
        lines = known.data.split(b"\n")[:-1] if known else []
        for number, line in enumerate(lines, 1):
            try:
                entry = orjson.loads(line)
                proposal = proposal_from_dict(entry["proposal"])
            except (ValueError, KeyError, TypeError) as error:
                place = self._objects.place(REVIEWS)
                raise StorageError(f"{place}: line {number} is no entry ({error}). Restore the file from a copy.") from error
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
                    "rows": [row.as_logged(parish) for row in decision.rows],
                    "replaces": [row.as_logged(parish) for row in decision.replaces],
                }
            ]
        )

    def _append(self, entries: list[dict[str, Any]]) -> None:
        if entries:
            self._objects.append(REVIEWS, b"".join(orjson.dumps(entry) + b"\n" for entry in entries))


def _decision(entry: dict[str, Any], proposal: Proposal) -> Decision:
    return Decision(
        proposal, entry["event"], entry["by"], entry["at"], rows_from_dicts(entry["rows"]), rows_from_dicts(entry["replaces"])
    )
