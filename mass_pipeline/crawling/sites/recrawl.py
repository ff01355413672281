"""When a known page is worth asking again (J6): sooner after a change, later without one, within bounds. Pure.

The interval rule is Heritrix' and Nutch's adaptive schedule in its simplest form: multiply or divide by a constant.
"""

from __future__ import annotations

from typing import Final

from mass_pipeline.crawling.fetching.config import CrawlConfig
from mass_pipeline.crawling.fetching.outcomes import LOST
from mass_pipeline.crawling.sites.rows import KnownUrl

DAY_SECONDS: Final = 86_400.0
_LONGER: Final = 1.5
_SHORTER: Final = 0.5


def days_after_loss(known: KnownUrl | None, outcome: str, config: CrawlConfig) -> float | None:
    """Days until a page is asked for that was known and is gone now, or leads elsewhere: soon, since webmasters err; then later.

    Args:
        known: the page as it stood before this visit; None for one nothing was kept of.
        outcome: of this visit.

    Returns:
        None for an outcome that is no loss.
    """
    if known is None or outcome not in LOST:
        return None
    return next_interval_days(known.interval_days, False, config) if known.outcome == outcome else config.revisit_min_days


def next_interval_days(previous: float | None, changed: bool, config: CrawlConfig) -> float:
    """Days until the next visit of a page.

    Args:
        previous: days between the last two visits; None for a page seen for the first time.
        changed: whether its body differs from the stored one.

    >>> next_interval_days(None, False, CrawlConfig()), next_interval_days(8, True, CrawlConfig())
    (7.0, 4.0)
    """
    if previous is None:
        return config.revisit_first_days
    wanted = previous * (_SHORTER if changed else _LONGER)
    return min(max(wanted, config.revisit_min_days), config.revisit_max_days)
