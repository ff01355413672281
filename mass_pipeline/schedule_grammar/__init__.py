"""Read human-written Polish Mass times: vocabulary (as data), clock tokens, days, seasons, places -> Mass records."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mass_pipeline.model.lazy import lazy_names

if TYPE_CHECKING:
    from mass_pipeline.schedule_grammar.assembly import HourVerdict
    from mass_pipeline.schedule_grammar.reading import PageReading, read_page, read_strings, read_text
    from mass_pipeline.schedule_grammar.sites import read_site

__all__ = ["HourVerdict", "PageReading", "read_page", "read_site", "read_strings", "read_text"]

__getattr__ = lazy_names(
    __name__,
    {
        "HourVerdict": "assembly",
        "PageReading": "reading",
        "read_page": "reading",
        "read_strings": "reading",
        "read_text": "reading",
        "read_site": "sites",
    },
)
