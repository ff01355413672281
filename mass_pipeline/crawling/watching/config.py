"""Settings of watching: how many list pages, how deep, how often again after a failure, how intervals adapt. Values only."""

from __future__ import annotations

from dataclasses import dataclass

from mass_pipeline.model.settings import setting


@dataclass(frozen=True, slots=True)
class WatchConfig:
    """How sites are watched for news; the intervals themselves are the section `polling`."""

    topic: str = setting("services", "Topic whose articles are kept: a name of crawler/topics, or a file")
    sites_file: str = setting(
        "",
        "TOML of what an operator knows of single sites: lists, XPath, templates, by parish_id as id; empty: none",
    )
    lists_per_site: int = 4  # Most list pages and feeds found by itself per site
    pager_pages: int = 10  # Most further pages of a list read in one look
    first_pager_pages: int = 1  # The same for the first look, which finds the archive
    first_articles: int = 20  # Articles fetched of those that stand on a list at the first look; older ones are left
    articles_per_turn: int = 30  # Most articles fetched of one site before the next site has its turn
    recheck_articles: int = 1  # Newest articles asked for again at a look, because parishes correct them
    recheck_days: int = 8  # An article is asked for again only so long after its publication
    rediscover_days: float = 30.0  # List pages are looked for anew after
    article_attempts: int = 15  # Tries of an article that fails
    retry_hours: float = 1.0  # Pause after a first failure; doubles with every further one
    longest_retry_hours: float = 48.0  # Longest such pause
    sites_at_once: int = 50  # Sites asked at the same time, each by one stream
    near_duplicate_bits: int = 16  # Texts whose 64-bit simhashes differ in at most so many bits are compared word by word
    grave_after: int = 5  # Looks in a row that fail before a site is a grave error
    notify_per_hour: int = 10  # Most messages about grave errors in an hour; the rest is counted


@dataclass(frozen=True, slots=True)
class PollingConfig:
    """How the intervals between two looks at a page adapt; measured in docs/polling.md."""

    expected_changes: float = 0.4  # A page is due when this many new articles (times its weight) are expected on it
    first_hours: float = 1.0  # From the first look at a page to the second, divided by its weight
    shortest_hours: float = 12.0  # Least time between two later looks
    longest_days: int = 21  # Longest time between two looks at a page
    quiet_hour: int = 3  # Hour of the day at which pages are looked at
    prior_per_day: float = 0.1  # New articles per day expected of a page nothing is known about
    prior_weeks: float = 0.5  # Weight of that expectation against what was seen
    memory_weeks: float = 8.0  # Weeks after which the weight of an observation has fallen to 1/e
    # How many times more is expected before Advent, Christmas, Holy Week, July, September and clock changes
    busy_factor: float = 1.5
    busy_days: int = 7  # How long before those days more is expected
    time_zone: str = "Europe/Warsaw"  # Time zone of weekdays
