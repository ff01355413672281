"""States of a parish: the vocabulary of `parish_states`, which readers of the index know without the tables."""

from __future__ import annotations

from typing import Final

KNOWN_STATES: Final = ("fresh", "aging", "stale")  # an order is published; how long ago its pages were confirmed
UNKNOWN_STATES: Final = (
    "image_only",  # the hours seem to stand in a picture
    "pdf_unreadable",  # ... in a PDF file without text
    "javascript_only",  # ... in a page that a script makes
    "not_said_current",  # hours stand there, and nothing says that they are in force now
    "ambiguous",  # the site has several readings, none certain
    "withheld",  # hours were read, too unsure to be published
    "no_schedule",  # the site was read and states no standing order
    "too_costly",  # a page of the site was not read: it would have cost too much
    "unreachable",  # the site never gave a page
    "not_allowed",  # robots.txt or a reservation of the site forbids asking
    "no_site",  # no web site of the parish is known
    "pending",  # its site was not looked up or not asked yet
    "opt_out",  # the owner wants no part in this
)
TIED: Final = ("hours", "before_mass", "during_mass", "after_mass")  # what hours of confession are tied to
