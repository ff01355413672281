"""Months of the seasons that are runs of months, for formats that know no others."""

from __future__ import annotations

from mass_pipeline.schedule_grammar.resolving.regions import months_of_season


def months_of(season: str) -> frozenset[int] | None:
    """Months 1 to 12 of a season; None when it is no run of months.

    >>> sorted(months_of("vacation") or ())
    [7, 8]
    """
    months = months_of_season(season)
    return None if months is None else frozenset(months)
