"""Settings of polling."""

from __future__ import annotations

from dataclasses import dataclass

from mass_pipeline.model.settings import setting


@dataclass(frozen=True, slots=True)
class PollingConfig:
    """How the intervals between two looks at a page adapt; measured in docs/polling.md."""

    expected_changes: float = setting(
        0.4, "A page is due when this many new articles (times its weight) are expected on it", unit="articles", minimum=0.01
    )
    shortest_hours: float = setting(12.0, "Least time between two looks at a page", unit="h", minimum=0.1)
    longest_days: int = setting(21, "Longest time between two looks at a page", unit="d", minimum=1)
    quiet_hour: int = setting(3, "Hour of the day at which pages are looked at", unit="h", minimum=0, maximum=23)
    prior_per_day: float = setting(0.1, "New articles per day expected of a page nothing is known about", minimum=0.0)
    prior_weeks: float = setting(0.5, "Weight of that expectation against what was seen", unit="weeks", minimum=0.01)
    memory_weeks: float = setting(
        8.0, "Weeks after which the weight of an observation has fallen to 1/e", unit="weeks", minimum=0.1
    )
    busy_factor: float = setting(
        1.5, "How many times more is expected before Advent, Christmas, Holy Week, July, September and clock changes", minimum=1.0
    )
    busy_days: int = setting(7, "How long before those days more is expected", unit="d", minimum=0)
    time_zone: str = setting("Europe/Warsaw", "Time zone of weekdays")
