"""Checks of `crawled_pages`: most start pages answered, and the pages kept are within their parish's crawl."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from mass_pipeline.model.columns import ANSWERED_OUTCOMES
from mass_pipeline.publishing.promises.verdict import Verdict

LEAST_START_PAGES = 0.5  # below that the network of the crawler, not the parishes, is out of order


def validate_start_pages(rows: Iterable[Mapping[str, object]]) -> Verdict:
    """At least half of the parishes crawled gave at least one page; a diocese without seeds passes."""
    outcomes: Counter[str] = Counter()
    answered: dict[str, bool] = {}
    for row in rows:
        parish, outcome = str(row["parish_id"]), str(row["outcome"])
        outcomes[outcome] += 1
        answered[parish] = answered.get(parish, False) or outcome in ANSWERED_OUTCOMES
    silent = sorted(parish for parish, ok in answered.items() if not ok)
    share = 1 - len(silent) / len(answered) if answered else 1.0
    remedy = "" if share >= LEAST_START_PAGES else " Check the network of this machine, then run the crawl of the diocese again."
    return Verdict(
        share >= LEAST_START_PAGES,
        f"{len(answered) - len(silent)} of {len(answered)} sites answered.{remedy}",
        {"sites": len(answered), "silent_sites": len(silent), **{f"outcome_{k}": n for k, n in sorted(outcomes.items())}},
        [{"parish_id": parish} for parish in silent[:20]],
    )
