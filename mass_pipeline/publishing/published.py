"""What people who decide look at: published tables, the log of reviews, the inbox, and the clock of the settings."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from mass_pipeline.model.columns import MASS_SCHEDULES, PARISH_STATES, PARISH_URLS, PARISHES
from mass_pipeline.model.errors import UsageError
from mass_pipeline.publishing.reviews import ReviewLog
from mass_pipeline.resources.lake import Lake, open_lake
from mass_pipeline.resources.operation import OperationConfig
from mass_pipeline.resources.settings import Settings, load_settings
from mass_pipeline.schedules.reviews import Proposal, pending
from mass_pipeline.schedules.rows import ScheduleRow, rows_by_parish

_MOST_NAMED = 8  # parishes listed when a name fits several


@dataclass(frozen=True, slots=True)
class Parish:
    """A parish of the directory."""

    parish_id: str
    label: str
    diocese_key: str
    voivodeship: str


@dataclass(frozen=True, slots=True)
class Published:
    """Published schedules of a data folder."""

    settings: Settings
    lake: Lake
    log: ReviewLog

    @classmethod
    def of(cls, environ: Mapping[str, str]) -> Published:
        """For the settings of an environment."""
        settings = load_settings(environ)
        return cls(settings, open_lake(settings), ReviewLog(settings.shared))

    def parish(self, words: str) -> Parish:
        """The parish with this identifier, or the only one whose town and name hold the words.

        Raises:
            UsageError: none or several fit; the message names them.
        """
        known = self.parishes()
        exact = [one for one in known if one.parish_id == words]
        fitting = exact or [one for one in known if words.casefold() in one.label.casefold()]
        if len(fitting) == 1:
            return fitting[0]
        if not fitting:
            raise UsageError(f"No parish is called {words!r}: give its identifier, or part of its town or name.")
        named = "; ".join(f"{one.parish_id} {one.label}" for one in fitting[:_MOST_NAMED])
        raise UsageError(f"{len(fitting)} parishes fit {words!r}: {named}. Give the identifier.")

    def labels(self) -> dict[str, str]:
        """parish_id -> town and name, of the parishes the directory has."""
        return {one.parish_id: one.label for one in self.parishes()}

    def rows(self, parish: Parish) -> list[ScheduleRow]:
        """Published rows of a parish; none when its diocese was never published."""
        return self.rows_of([parish.diocese_key]).get(parish.parish_id, [])

    def rows_of(self, dioceses: Collection[str]) -> dict[str, list[ScheduleRow]]:
        """parish_id -> published rows, of all parishes of some dioceses."""
        return rows_by_parish(self.lake.published(MASS_SCHEDULES, sorted(dioceses)).rows() if dioceses else ())

    def orders_of(self, parish_ids: Collection[str]) -> dict[str, list[ScheduleRow]]:
        """parish_id -> published rows, of these parishes; none of what the directory has no longer."""
        rows = self.rows_of({one.diocese_key for one in self.parishes() if one.parish_id in parish_ids})
        return {key: rows.get(key, []) for key in parish_ids}

    def address_of(self, parish_id: str) -> str:
        """The parish's own site, else its page in the directory, else a name that is no address."""
        for row in self.lake.published(PARISH_URLS).rows(["parish_id", "url"]):
            if row["parish_id"] == parish_id and row["url"]:
                return str(row["url"])
        for row in self.lake.reader(PARISHES).rows(["parish_id", "directory_url"]):
            if row["parish_id"] == parish_id and row["directory_url"]:
                return str(row["directory_url"])
        return f"parish:{parish_id}"

    @property
    def inbox(self) -> Path:
        """Folder of what visitors and parishes sent."""
        return self.settings.data_folder / "public-inbox"

    def state(self, parish: Parish) -> tuple[str, str]:
        """State of a parish and its reason in words; empty when its diocese has no states yet."""
        for row in self.lake.published(PARISH_STATES, [parish.diocese_key]).rows(["parish_id", "state", "reason"]):
            if row["parish_id"] == parish.parish_id:
                return str(row["state"]), str(row["reason"])
        return "", ""

    def pending(self, proposal_id: str) -> Proposal:
        """The waiting proposal.

        Raises:
            UsageError: there is none of that identifier, or it was decided about.
        """
        reviews = self.log.read()
        for one in pending(reviews.proposals, reviews.decisions):
            if one.proposal_id == proposal_id:
                return one
        raise UsageError(f"No proposal {proposal_id!r} waits for a decision: `mass-pipeline schedules proposals` lists them.")

    def now(self) -> str:
        """The moment, as ISO text with zone."""
        return self._operation().clock()().isoformat()

    def today(self) -> date:
        """The day it is in the parishes."""
        return self._operation().today()

    def _operation(self) -> OperationConfig:
        return self.settings.section(OperationConfig)

    def parishes(self) -> list[Parish]:
        """Every parish of the directory."""
        columns = ["parish_id", "town", "name", "diocese_key", "voivodeship"]
        return [
            Parish(str(row["parish_id"]), f"{row['town']}, {row['name']}", str(row["diocese_key"]), str(row["voivodeship"] or ""))
            for row in self.lake.reader(PARISHES).rows(columns)
        ]
