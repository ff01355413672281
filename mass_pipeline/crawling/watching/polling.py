"""When to look at a news page again (C1, C2, J6): often enough to be fresh, seldom enough to be polite. Pure.

A page is due when a new article is likely enough, judged by the weekdays on which it had new ones. The rate of each weekday is a
Gamma-Poisson posterior with forgetting; the next look falls on the first night by which the expected number of unseen articles
reaches a threshold. Parishes announce more before Advent, Christmas, Holy Week, July, September and clock changes.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from functools import cache
from zoneinfo import ZoneInfo

from mass_pipeline.crawling.watching.config import PollingConfig
from mass_pipeline.reading.words.church_calendar import easter


@cache
def is_busy(day: date, days_before: int) -> bool:
    """Whether a day lies within so many days before (or on) one of the days on which schedules change.

    >>> is_busy(date(2026, 12, 20), 7), is_busy(date(2026, 2, 3), 7)
    (True, False)
    """
    return any(
        timedelta(0) <= event - day <= timedelta(days_before) for year in (day.year, day.year + 1) for event in _events(year)
    )


@cache
def _events(year: int) -> tuple[date, ...]:
    christmas, months = date(year, 12, 25), (date(year, month, 31) for month in (3, 10))
    advent = christmas - timedelta(christmas.isoweekday() % 7 or 7) - timedelta(weeks=3)  # its first Sunday
    clocks = (last - timedelta(last.isoweekday() % 7) for last in months)  # change on the last Sundays of March and October
    return (christmas, advent, easter(year) - timedelta(7), date(year, 7, 1), date(year, 9, 1), *clocks)


_WEEK = 7
_DAY_HOURS = 24
_FEW_DAYS = 3  # of an archive: from so many different ones on they are a habit
_BY_THE_HOUR = 12  # a page that is due sooner does not wait for the night


@dataclass(frozen=True, slots=True)
class PageHistory:
    """What is known about a page.

    Attributes:
        weight: of its group; a page of weight 2 is due at half the expectation (C2).
        polled_at: the last look, aware; None before the first.
        articles: per weekday (Monday first), faded number of new articles published on it.
        exposure: per weekday, faded number of such days observed.
        is_new: the last look was the first one.
    """

    weight: float = 1.0
    polled_at: datetime | None = None
    articles: tuple[float, ...] = (0.0,) * _WEEK
    exposure: tuple[float, ...] = (0.0,) * _WEEK
    is_new: bool = field(default=False, compare=False)

    def rate(self, weekday: int, config: PollingConfig) -> float:
        """Expected new articles on such a day."""
        prior = config.prior_weeks
        return (self.articles[weekday] + prior * config.prior_per_day) / (self.exposure[weekday] + prior)


def record_poll(history: PageHistory, now: datetime, published: Iterable[date], config: PollingConfig) -> PageHistory:
    """The history after a look.

    Args:
        now: moment of the look, aware.
        published: day of publication of each article that was not there before; days before the last look count as the
            day of that look, days in the future as today.

    The first look finds an archive: its days tell the habit as far as they are known, from the oldest of them on, which
    itself says nothing about how long the page was silent before.
    """
    zone = ZoneInfo(config.time_zone)
    today = now.astimezone(zone).date()
    is_new = history.polled_at is None
    if history.polled_at is None:
        published = _of_archive(published, today, config)
        since = min(published) + timedelta(days=1) if published else today
        published = [day for day in published if day >= since]
    else:
        since = history.polled_at.astimezone(zone).date()
    keep = math.exp(-max(0, (today - since).days) / (_WEEK * config.memory_weeks))
    articles = [count * keep for count in history.articles]
    exposure = [count * keep for count in history.exposure]
    for offset in range((today - since).days):
        exposure[(since + timedelta(offset)).weekday()] += 1
    for day in published:
        articles[min(max(day, since), today).weekday()] += 1
    return replace(history, polled_at=now, articles=tuple(articles), exposure=tuple(exposure), is_new=is_new)


def _of_archive(published: Iterable[date], today: date, config: PollingConfig) -> list[date]:
    """Days of an archive that tell a habit: past ones of the weeks that are remembered, if they are of several days."""
    first = today - timedelta(weeks=config.memory_weeks)
    days = [day for day in published if first <= day < today]  # an article without a day counts as today's
    return days if len(set(days)) >= _FEW_DAYS else []


def next_poll(history: PageHistory, config: PollingConfig) -> datetime | None:
    """When to look again, at a quiet hour; None for a page never looked at: now.

    A look in the night sees the whole day before; one in the afternoon would miss what is published in the evening. A page that
    has news within hours is looked at by the hour, where `shortest_hours` allows it (C1, C2: rolling news). Of a new page
    little is known: it is looked at again after an hour, a heavier one sooner.
    """
    if history.polled_at is None:
        return None
    if history.is_new:
        return history.polled_at + timedelta(hours=config.first_hours / max(history.weight, 1e-9))
    zone = ZoneInfo(config.time_zone)
    polled = history.polled_at.astimezone(zone)
    # How long it takes at the rate of this day until as much is expected as makes a page due.
    until_news = _DAY_HOURS * config.expected_changes / max(history.weight * _expected_on(polled.date(), history, config), 1e-9)
    hours = max(config.shortest_hours, until_news)
    if hours < _BY_THE_HOUR:
        return history.polled_at + timedelta(hours=hours)
    night = polled.replace(hour=config.quiet_hour, second=0, microsecond=0)
    earliest = polled + timedelta(hours=config.shortest_hours)
    expected = 0.0
    for _ in range(config.longest_days):
        expected += history.weight * _expected_on((night - timedelta(days=1)).date(), history, config) if night > polled else 0.0
        if expected >= config.expected_changes and night >= earliest:
            break
        night += timedelta(days=1)
    return night.astimezone(history.polled_at.tzinfo)


def _expected_on(day: date, history: PageHistory, config: PollingConfig) -> float:
    factor = config.busy_factor if is_busy(day, config.busy_days) else 1.0
    return factor * history.rate(day.weekday(), config)
