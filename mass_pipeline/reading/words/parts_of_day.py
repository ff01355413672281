"""Where the parts of a day begin, `HH:MM` of the 24-hour clock. Three borders, since words draw them differently.

Not here: the words themselves (weekday_patterns).
"""

from __future__ import annotations

from typing import Final

NOON: Final = "12:00"  # "rano" and "wieczorem" of hours that are stated: one half of the clock or the other
AFTERNOON: Final = "14:00"  # of the Masses of a parish those from here on are its evening Masses
EVENING: Final = "15:00"  # an hour from here on is one of the evening, whatever stands beside it
