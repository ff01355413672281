"""Which partitions are older than their rhythm allows. Pure: moments in, verdict out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta

from mass_pipeline.publishing.promises.verdict import Finding, Verdict


def overdue(made_at: Mapping[str, datetime], now: datetime, longest: timedelta) -> list[tuple[str, timedelta]]:
    """Partitions made longer ago than `longest`, with their age, the oldest first; one never made is not overdue.

    >>> from datetime import UTC
    >>> overdue({"lodzka": datetime(2026, 11, 1, tzinfo=UTC)}, datetime(2026, 11, 12, tzinfo=UTC), timedelta(9))
    [('lodzka', datetime.timedelta(days=11))]
    """
    ages = ((key, now - moment) for key, moment in made_at.items())
    return sorted((one for one in ages if one[1] > longest), key=lambda one: (-one[1], one[0]))


def validate_ages(made_at: Mapping[str, datetime], dioceses: Sequence[str], now: datetime, longest: timedelta) -> Verdict:
    """Whether every partition was made, and lately enough.

    Args:
        made_at: partition -> when it was published, aware.
        dioceses: every partition key.
        now: aware.
        longest: the age that is still right.
    """
    late = overdue(made_at, now, longest)
    findings: list[Finding] = [{"diocese": key, "days": round(age / timedelta(1), 1)} for key, age in late]
    never = [key for key in dioceses if key not in made_at]
    oldest = max(((now - moment) / timedelta(1) for moment in made_at.values()), default=0.0)
    return Verdict(
        not late and not never,
        f"{len(late)} of {len(dioceses)} dioceses are older than {longest / timedelta(1):g} days; {len(never)} were never made.",
        {"overdue": len(late), "never_made": len(never), "oldest_days": oldest},
        [*findings, *({"diocese": key} for key in never)][:20],
    )
