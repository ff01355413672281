"""Read human-written Polish Mass times: vocabulary (as data), clock tokens, days, seasons, places -> Mass records."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mass_pipeline.model.lazy import lazy_names

if TYPE_CHECKING:
    from mass_pipeline.schedule_grammar.judging.reading import PageReading, read_page, read_strings, read_text
    from mass_pipeline.schedule_grammar.judging.sites import read_site
    from mass_pipeline.schedule_grammar.resolving.assembly import HourVerdict

__all__ = ["HourVerdict", "PageReading", "read_page", "read_site", "read_strings", "read_text"]

__getattr__ = lazy_names(
    __name__,
    {
        "HourVerdict": "resolving.assembly",
        "PageReading": "judging.reading",
        "read_page": "judging.reading",
        "read_strings": "judging.reading",
        "read_text": "judging.reading",
        "read_site": "judging.sites",
    },
)
