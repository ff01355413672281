"""Announcements that change the hours of Masses for dates: cancelled, moved, added, another order of the day.

A reading only; whether and how a change enters a published schedule is decided elsewhere.
"""

from mass_pipeline.reading.changes.change import ChangeDetails, Doubt, ScheduleChange, change_of
from mass_pipeline.reading.changes.reading import read_changes

__all__ = ["ChangeDetails", "Doubt", "ScheduleChange", "change_of", "read_changes"]
