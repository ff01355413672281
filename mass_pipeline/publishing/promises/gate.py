"""What blocks is tried on each part before it is published; the verdict on every part is remembered."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from mass_pipeline.model.table import Table
from mass_pipeline.publishing.promises.promise import Evidence
from mass_pipeline.publishing.promises.tables import PROMISES
from mass_pipeline.publishing.verdicts import VerdictLog
from mass_pipeline.resources.lake import Lake, PartitionKey, TableReader
from mass_pipeline.resources.settings import Settings


@dataclass(frozen=True, slots=True)
class Gate:
    """Judges parts by the promises that block.

    Attributes:
        lake: what is published so far.
        settings: all settings.
        dioceses: every partition key.
    """

    lake: Lake
    settings: Settings
    dioceses: Sequence[str]

    def broken(self, table: Table, key: PartitionKey, proposed: TableReader) -> Mapping[str, str]:
        """Name -> summary, of the promises that the proposed rows break; what each promise says is kept."""
        evidence = Evidence(self.lake, self.settings, self.dioceses, None if key is None else [key], proposed)
        verdicts = {one.name: one.verdict(evidence) for one in PROMISES if one.asset == table.name and one.blocking}
        VerdictLog(self.settings.shared).record(table.name, key, verdicts)
        return {name: verdict.summary for name, verdict in verdicts.items() if not verdict.passed}
