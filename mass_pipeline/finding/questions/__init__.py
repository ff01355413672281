"""Questions to the one box: words in, a reading out that says what it understood and what it did not.

`interpret` is the whole interface; the conventions it follows stand in docs/questions.md.
"""

from mass_pipeline.finding.questions.interpretation import Interpretation, Place, TownName
from mass_pipeline.finding.questions.reading import interpret, prepare

__all__ = ["Interpretation", "Place", "TownName", "interpret", "prepare"]
