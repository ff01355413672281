"""Settings of operation: when runs start, how often they try again, what a check tolerates (section `operation`)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Final
from zoneinfo import ZoneInfo

from mass_pipeline.model.errors import ConfigurationError
from mass_pipeline.model.settings import setting

CLOCK: Final = "clock"  # a word, because an empty variable leaves the profile's own value, and the demo's is frozen


@dataclass(frozen=True, slots=True)
class OperationConfig:
    """How the pipeline is run and what its checks demand."""

    frozen_now: str = setting(
        CLOCK,
        "ISO moment with zone that runs take for the present, or `clock`. Frozen, the same pages give the same bytes",
        emulated="2026-11-22T03:00:00+00:00",
    )
    weekly_day: int = setting(1, "Day of the weekly crawl, 0 Sunday to 6 Saturday", minimum=0, maximum=6)
    quiet_from: int = 0  # First hour of the quiet time in which crawls start
    quiet_to: int = 5  # Last hour of it
    ticks_per_hour: int = 2  # How often an hour a share of the dioceses starts, 2 or more
    timezone: str = "Europe/Warsaw"  # Zone of the weekly schedule, and of the dates that are published
    max_retries: int = setting(2, "How often a stage is tried again after an error that may pass", minimum=0, demo=1)
    retry_delay_seconds: float = setting(
        60.0, "Pause before the first new try; doubles, with jitter", unit="s", minimum=0, demo=1.0
    )
    crawler_runs_at_once: int = setting(2, "Runs that may crawl at the same time (pool crawler)", minimum=1)
    ui_hosts: str = setting(
        "", "Further Host headers under which the Dagster UI answers, separated by blanks: those of a proxy with a log-in"
    )
    new_annotations: int = setting(100, "New annotations after which the classifier is trained again", minimum=1, emulated=10)
    expected_parishes: int = setting(
        10_130, "Parishes the directory should list; 0 switches the check off", minimum=0, emulated=0
    )
    expected_parishes_tolerance: float = 0.05  # Tolerated deviation from it, share
    min_diocese_coverage: float = setting(
        0.9, "Least share of dioceses with candidates before training", minimum=0, maximum=1, emulated=0.0
    )
    min_precision: float = 0.80  # Least precision of the classifier on parishes it has not seen
    min_recall: float = setting(
        0.80, "Least recall of the classifier on parishes it has not seen", minimum=0, maximum=1, emulated=0.5
    )
    min_mcc: float = 0.50  # Least Matthews correlation on parishes it has not seen
    lost_rows_tolerance: float = 0.02  # Share of its published rows a diocese may lose between two publications
    lost_parish_days: float = 60.0  # So long after its last publication a parish that vanished is named
    overdue_days: float = 9.0  # Age at which a table of the week, or a diocese in it, is overdue
    overdue_daily_days: float = 2.0  # Age at which announcements and the public index are overdue
    earliest_mass: str = "05:00"  # Earliest hour a schedule may hold (roraty), HH:MM
    latest_mass: str = "24:00"  # Latest hour a schedule may hold (Pasterka), HH:MM

    @property
    def weekly_cron(self) -> str:
        """Cron line of the ticks at which shares of the dioceses start.

        >>> OperationConfig().weekly_cron
        '*/30 0-5 * * 1'
        """
        return f"*/{60 // self.ticks_per_hour} {self.quiet_from}-{self.quiet_to} * * {self.weekly_day}"

    @property
    def ticks(self) -> int:
        """How many ticks the quiet time has."""
        return (self.quiet_to - self.quiet_from + 1) * self.ticks_per_hour

    def tick_of(self, moment: datetime) -> int:
        """Number of the tick at a local moment of the quiet time, from 0."""
        return (moment.hour - self.quiet_from) * self.ticks_per_hour + moment.minute // (60 // self.ticks_per_hour)

    @property
    def metric_floors(self) -> Mapping[str, float]:
        """Least figures of a classifier on parishes it has not seen, by name."""
        return {"precision": self.min_precision, "recall": self.min_recall, "mcc": self.min_mcc}

    @property
    def is_frozen(self) -> bool:
        """Whether runs take a stated moment for the present."""
        return self.frozen_now not in ("", CLOCK)

    def today(self) -> date:
        """The day it is in the parishes."""
        return self.clock()().astimezone(ZoneInfo(self.timezone)).date()

    def clock(self) -> Callable[[], datetime]:
        """The present moment, aware UTC: frozen when the setting says so.

        Raises:
            ConfigurationError: the setting is no ISO moment with a zone.
        """
        if not self.is_frozen:
            return lambda: datetime.now(UTC)
        try:
            moment = datetime.fromisoformat(self.frozen_now)
        except ValueError as error:
            raise _no_moment(self.frozen_now) from error
        if moment.tzinfo is None:
            raise _no_moment(self.frozen_now)
        return lambda: moment.astimezone(UTC)


def _no_moment(text: str) -> ConfigurationError:
    return ConfigurationError(
        f"MASS_PIPELINE_OPERATION_FROZEN_NOW={text!r}: expected clock, or an ISO moment with zone, such as "
        "2026-11-22T03:00:00+00:00."
    )


def campaign_of(moment: datetime) -> str:
    """Name of the weekly campaign a moment belongs to: its ISO week.

    >>> campaign_of(datetime(2027, 1, 1, tzinfo=UTC))
    '2026-W53'
    """
    return f"{moment:%G-W%V}"
