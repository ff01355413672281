"""Announcements that change the hours of Masses for dates: cancelled, moved, added, another order of the day.

A reading only; whether and how a change enters a published schedule is decided elsewhere.
"""

from mass_pipeline.extraction.changes.change import Doubt, ScheduleChange
from mass_pipeline.extraction.changes.reading import read_changes

__all__ = ["Doubt", "ScheduleChange", "read_changes"]
