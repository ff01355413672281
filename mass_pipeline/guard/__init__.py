"""Work on hostile input where its time and memory can be ended: in a kept process beside, or under a watch within this one.

Knows nothing about pages: what is parsed is decided by those who read; `sandbox` decides where.
"""

from mass_pipeline.guard.garbage import seldom_collected
from mass_pipeline.guard.limits import BROKEN_FILE, Limits, TooCostly
from mass_pipeline.guard.pool import Guard, is_kept_process
from mass_pipeline.guard.watch import Slow, within_seconds

__all__ = ["BROKEN_FILE", "Guard", "Limits", "Slow", "TooCostly", "is_kept_process", "seldom_collected", "within_seconds"]
