"""When a host may be asked again: AutoThrottle (P9), Crawl-delay, back-off (P2), Retry-After.

Pure: moments come in as seconds of any steady clock, waits go out as seconds. No network, no clock.
RFC 9110 10.2.3 (Retry-After).
"""

from __future__ import annotations

import math
import random
from dataclasses import dataclass
from datetime import datetime
from email.utils import mktime_tz, parsedate_tz
from typing import Final

from mass_pipeline.crawling.fetching.config import CrawlConfig

_LAST_MOMENT: Final = 2**40  # seconds since 1970; a float holds it, and no limit of a rest reaches it


def next_delay(current: float, latency: float, status_ok: bool, config: CrawlConfig) -> float:
    """AutoThrottle as P9 has it: the mean of the present delay and latency / target concurrency, kept within bounds.

    Args:
        current: seconds.
        latency: from connection to response headers, seconds.
        status_ok: a 2xx answer; no other counts: small error pages come fast, and a slow one tells nothing of the pages.

    >>> next_delay(5.0, 1.0, True, CrawlConfig())
    3.0
    """
    wanted = (current + latency / config.target_concurrency) / 2
    bounded = min(max(wanted, config.min_delay_seconds), config.max_delay_seconds)
    return bounded if status_ok else current


def crawl_delay_of(wished: float | None, config: CrawlConfig) -> float:
    """Seconds of robots.txt's Crawl-delay that are obeyed: nonsense counts as none, more than the limit as the limit.

    >>> crawl_delay_of(10, CrawlConfig()), crawl_delay_of(float("nan"), CrawlConfig()), crawl_delay_of(1e9, CrawlConfig())
    (10.0, 0.0, 60.0)
    """
    if wished is None or math.isnan(wished) or wished <= 0:
        return 0.0
    return min(float(wished), config.max_crawl_delay_seconds)


def backoff_seconds(failures: int, config: CrawlConfig, chance: random.Random) -> float:
    """P2: base^t seconds after t failures in a row, with some jitter on top; 0 without failures."""
    if failures <= 0 or config.no_delay:
        return 0.0
    wait = config.retry_base ** min(failures, 32)
    return min(wait * (1 + config.retry_jitter * chance.random()), config.max_retry_after_seconds)


def retry_after_seconds(value: str | None, now: datetime, config: CrawlConfig) -> float:
    """Seconds a Retry-After header asks for: 0 for none, nonsense, negative or past; clamped to the limit. Never raises.

    >>> retry_after_seconds("120", datetime.now().astimezone(), CrawlConfig())
    120.0
    """
    text = (value or "").strip()
    if text.isascii() and text.isdigit():
        wait = float(text)
    else:
        try:
            wait = _http_moment(text) - now.timestamp()
        except Exception:  # the library promises nothing for text that is no date
            return 0.0
    return min(max(wait, 0.0), config.max_retry_after_seconds)


def _http_moment(text: str) -> float:
    """Seconds since 1970 of an RFC 9110 5.6.7 date, in whole numbers, which no zone overflows; raises for anything else."""
    read = parsedate_tz(text)
    if read is None:
        raise ValueError(f"{text!r} is no date")
    return float(min(mktime_tz((*read[:9], read[9] or 0)), _LAST_MOMENT))


@dataclass(slots=True)
class Pace:
    """Pace of one host.

    Attributes:
        delay: present AutoThrottle delay, seconds.
        crawl_delay: what robots.txt asks for, seconds.
        not_before: earliest moment of the next request, on the caller's steady clock.
        failures: busy or failed answers in a row.
        asked_until: end of the rest that the host itself asked for (Retry-After), on the same clock; 0 for none.
    """

    delay: float
    crawl_delay: float = 0.0
    not_before: float = 0.0
    failures: int = 0
    asked_until: float = 0.0

    def gap(self, config: CrawlConfig) -> float:
        """Seconds to leave between an answer and the next request."""
        return 0.0 if config.no_delay else max(self.delay, self.crawl_delay, config.host_gap_seconds)

    def rest(self, now: float, config: CrawlConfig) -> None:
        """A request ended at `now`, however it ended: the next one keeps the gap."""
        self.not_before = max(self.not_before, now + self.gap(config))

    def answered(self, now: float, latency: float, status_ok: bool, config: CrawlConfig) -> None:
        """An answer has come completely at `now`."""
        self.delay = next_delay(self.delay, latency, status_ok, config)
        self.rest(now, config)

    def failed(self, now: float, wait: float, config: CrawlConfig) -> None:
        """The host was busy, broken or did not answer: leave it alone for `wait` seconds, and be slower afterwards.

        Twice as slow, which is beyond P9: a host in trouble that meets the old pace after its rest is in trouble again.
        """
        self.failures += 1
        self.delay = min(max(self.delay, config.host_gap_seconds) * 2, config.max_delay_seconds)
        self.not_before = max(self.not_before, now + wait)
        self.rest(now, config)

    def recovered(self) -> None:
        """A success resets t (P2)."""
        self.failures = 0
