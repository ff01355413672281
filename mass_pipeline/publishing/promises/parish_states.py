"""Checks of `parish_states`: a row for every parish, and no published parish that vanished unseen."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime

from mass_pipeline.publishing.counts import Published
from mass_pipeline.publishing.promises.verdict import Finding, Verdict

_OPT_OUT = "opt_out"


def validate_every_parish(parishes: Iterable[object], stated: Iterable[object]) -> Verdict:
    """Every parish of the dioceses has its state.

    Args:
        parishes: identifiers the directory has in these dioceses.
        stated: identifiers of the rows.
    """
    expected, found = {str(one) for one in parishes}, {str(one) for one in stated}
    wrong = sorted(expected ^ found)
    return Verdict(
        not wrong,
        f"{len(expected & found)} of {len(expected)} parishes have a state; {len(wrong)} rows are missing or of no parish.",
        {"parishes": len(expected), "wrong": len(wrong)},
        [{"parish_id": parish} for parish in wrong[:20]],
    )


def validate_nothing_lost(
    counts: Mapping[str, Published],
    states: Mapping[str, tuple[str, str]],
    *,
    now: datetime,
    remembered_days: float,
    tolerance: float,
) -> Verdict:
    """No parish whose order was published has none now, and no diocese lost more rows than parishes change in a week.

    Args:
        counts: parish_id -> rows published now and before.
        states: parish_id -> state and its reason; an owner who opted out is no loss.
        now: the present moment.
        remembered_days: so long after its last publication a vanished parish is named.
        tolerance: share of rows that may be lost between two publications.
    """
    kept = {parish: one for parish, one in counts.items() if states.get(parish, ("", ""))[0] != _OPT_OUT}
    lost: list[Finding] = [
        {"parish_id": parish, "last_published": one.last_at[:10], "rows_before": one.before, **_reason(states.get(parish))}
        for parish, one in sorted(kept.items())
        if not one.rows and one.days_since(now) <= remembered_days
    ]
    before, rows = sum(one.before for one in kept.values()), sum(one.rows for one in kept.values())
    share = max(before - rows, 0) / before if before else 0.0
    remedy = " See the reasons, then run crawl_job of the diocese again." if lost or share > tolerance else ""
    return Verdict(
        not lost and share <= tolerance,
        f"{len(lost)} published parishes have no order any more; {rows} rows, {before} before ({share:.1%} fewer).{remedy}",
        {"parishes_lost": len(lost), "rows": rows, "rows_before": before, "share_lost": share},
        lost[:20],
    )


def _reason(state: tuple[str, str] | None) -> dict[str, str]:
    name, reason = state or ("not in the directory", "The parish is no longer listed.")
    return {"state": name, "reason": reason}
