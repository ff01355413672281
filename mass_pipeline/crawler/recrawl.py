"""When a known page is worth asking again (J6): sooner after a change, later without one, within bounds. Pure.

The interval rule is Heritrix' and Nutch's adaptive schedule in its simplest form: multiply or divide by a constant.
"""

from __future__ import annotations

from typing import Final

from mass_pipeline.crawler.config import CrawlConfig

DAY_SECONDS: Final = 86_400.0
_LONGER: Final = 1.5
_SHORTER: Final = 0.5


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
