"""A simulated year of polling over changing sites: how old a change is when it is found, for how many requests (C2).

    python -m mass_pipeline_tests.crawling.watching.polling_year [--sites 300] [--seed 100]

Compared with polling every page daily, and every fifth day. Seeds 0 to 2 served for tuning.
"""

from __future__ import annotations

import argparse
import random
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from mass_pipeline.crawling.watching.config import PollingConfig
from mass_pipeline.crawling.watching.polling import PageHistory, is_busy, next_poll, record_poll

START = datetime(2026, 1, 1, 3, tzinfo=UTC)
DAYS = 365
_WARM_UP_DAYS = 28  # everything is counted after four weeks, in which the planner learns
Next = Callable[[PageHistory], datetime]


@dataclass(frozen=True)
class Outcome:
    """What a way of polling gives: ages of changes in days, requests per site and day."""

    ages: Sequence[float]
    requests: float


def changes_of_a_site(rng: random.Random) -> list[datetime]:
    """Moments of publication in a year: weekly on a habitual weekday, twice a week, daily, now and then, or never."""
    kind = rng.choices(("weekly", "twice", "daily", "rare", "dead"), (60, 12, 5, 13, 10))[0]
    habits = rng.choices((5, 6, 0, 4, 3), (40, 42, 8, 6, 4), k=2)
    hour, moved_on = rng.uniform(8, 22), rng.randrange(DAYS) if rng.random() < 0.15 else DAYS
    moments = []
    for day in range(DAYS):
        at = START + timedelta(days=day)
        weekday = (at.weekday() - (2 if day >= moved_on else 0)) % 7
        chance = {
            "weekly": 0.92 * (weekday == habits[0]) + 0.01,
            "twice": 0.85 * (weekday in (habits[0], (habits[0] + 3) % 7)),
            "daily": 0.6,
            "rare": 0.04,
            "dead": 0.0,
        }[kind]
        if is_busy(at.date(), 7) and kind != "dead":
            chance += 0.08
        if rng.random() < chance:
            moments.append(at.replace(hour=0) + timedelta(hours=min(23.5, max(0.0, rng.gauss(hour, 2)))))
    return moments


def simulate(sites: Sequence[Sequence[datetime]], following: Next, config: PollingConfig, seed: int) -> Outcome:
    """Poll every site for a year."""
    rng = random.Random(seed)
    ages: list[float] = []
    requests = 0
    begin, end = START + timedelta(days=_WARM_UP_DAYS), START + timedelta(days=DAYS)
    for changes in sites:
        now, history = START + timedelta(hours=rng.uniform(0, 24)), PageHistory()
        while now < end:
            since = history.polled_at or START
            found = [moment for moment in changes if since < moment <= now]
            ages += [(now - moment).total_seconds() / 86400 for moment in found if now >= begin]
            requests += now >= begin
            history = record_poll(history, now, [moment.date() for moment in found], config)
            now = following(history)
    return Outcome(ages, requests / len(sites) / (DAYS - _WARM_UP_DAYS))


def adaptive(config: PollingConfig) -> Next:
    """The planner under test."""

    def following(history: PageHistory) -> datetime:
        at = next_poll(history, config)
        assert at is not None
        return at

    return following


def every(days: float) -> Next:
    """A fixed interval."""
    return lambda history: (history.polled_at or START) + timedelta(days=days)


def main() -> None:
    """Simulate and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sites", type=int, default=300)
    parser.add_argument("--seed", type=int, default=100)
    arguments = parser.parse_args()
    config = PollingConfig()
    rng = random.Random(arguments.seed)
    sites = [changes_of_a_site(rng) for _ in range(arguments.sites)]
    print(f"{arguments.sites} sites, {sum(map(len, sites))} changes in a year; seed {arguments.seed}")
    print(f"{'polling':<16}{'median age':>11}{'p90':>7}{'requests/site/day':>19}{'s':>6}")
    for name, following in (("daily", every(1)), ("every 5 days", every(5)), ("adaptive", adaptive(config))):
        started = time.perf_counter()
        outcome = simulate(sites, following, config, arguments.seed)
        ages = sorted(outcome.ages)
        p90 = ages[int(0.9 * len(ages))]
        seconds = time.perf_counter() - started
        print(f"{name:<16}{statistics.median(ages):>9.2f} d{p90:>5.1f} d{outcome.requests:>19.3f}{seconds:>6.1f}")


if __name__ == "__main__":
    main()
