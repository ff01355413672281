"""Where the parts of a day begin, `HH:MM` of the 24-hour clock. Three borders, since words draw them differently.

Not here: the words themselves (weekday_patterns).
"""

from __future__ import annotations

from typing import Final

NOON: Final = "12:00"  # "rano" and "wieczorem" of hours that are stated: one half of the clock or the other
AFTERNOON: Final = "14:00"  # of the Masses of a parish those from here on are its evening Masses
EVENING: Final = "15:00"  # an hour from here on is one of the evening, whatever stands beside it


def is_in_half(time: str, half: str) -> bool:
    """Whether an hour `HH:MM` is in the "morning" or the "evening" half of the day; in neither half ("") is every hour.

    >>> is_in_half("07:00", "morning"), is_in_half("07:00", "evening"), is_in_half("07:00", "")
    (True, False, True)
    """
    return not half or (time < NOON) == (half == "morning")
