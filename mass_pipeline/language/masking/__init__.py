"""What may be told of a line of a page: words that name no person, and none of the numbers that belong to one.

What is not known to be harmless is hidden: a list of harmless words can be written, a list of all names cannot.
"""

from __future__ import annotations

from mass_pipeline.language.masking.lines import (
    BLANK,
    MASK,
    blanked,
    collapsed,
    masked,
    masked_line,
    with_masked_quotes,
    words_beside,
)
from mass_pipeline.language.masking.places import public_place
from mass_pipeline.language.masking.words import names_person

__all__ = [
    "BLANK",
    "MASK",
    "blanked",
    "collapsed",
    "masked",
    "masked_line",
    "names_person",
    "public_place",
    "with_masked_quotes",
    "words_beside",
]
