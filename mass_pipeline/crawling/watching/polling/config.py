"""Settings of polling."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PollingConfig:
    """How the intervals between two looks at a page adapt; measured in docs/polling.md."""

    expected_changes: float = 0.4  # A page is due when this many new articles (times its weight) are expected on it
    shortest_hours: float = 12.0  # Least time between two looks at a page
    longest_days: int = 21  # Longest time between two looks at a page
    quiet_hour: int = 3  # Hour of the day at which pages are looked at
    prior_per_day: float = 0.1  # New articles per day expected of a page nothing is known about
    prior_weeks: float = 0.5  # Weight of that expectation against what was seen
    memory_weeks: float = 8.0  # Weeks after which the weight of an observation has fallen to 1/e
    # How many times more is expected before Advent, Christmas, Holy Week, July, September and clock changes
    busy_factor: float = 1.5
    busy_days: int = 7  # How long before those days more is expected
    time_zone: str = "Europe/Warsaw"  # Time zone of weekdays
