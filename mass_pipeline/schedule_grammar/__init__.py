"""Read human-written Polish Mass times: vocabulary (as data), clock tokens, days, seasons, places -> Mass records."""

from mass_pipeline.schedule_grammar.assembly import HourVerdict
from mass_pipeline.schedule_grammar.reading import PageReading, read_page, read_strings, read_text
from mass_pipeline.schedule_grammar.sites import read_site

__all__ = ["HourVerdict", "PageReading", "read_page", "read_site", "read_strings", "read_text"]
