"""Hours `HH:MM` of the 24-hour clock: where the parts of a day begin, and how near two hours are that may be one Mass.

Three borders of parts, since words draw them differently.

Not here: the words themselves (weekday_patterns).
"""

from __future__ import annotations

from typing import Final

NOON: Final = "12:00"  # "rano" and "wieczorem" of hours that are stated: one half of the clock or the other
AFTERNOON: Final = "14:00"  # of the Masses of a parish those from here on are its evening Masses
EVENING: Final = "15:00"  # an hour from here on is one of the evening, whatever stands beside it

# Minutes within which two hours may be those of one Mass: in summer and winter within one clause, in two lists, on a single day.
SEASONS_APART_MINUTES: Final = 120
SEASONAL_MINUTES: Final = 150
SAME_MASS_MINUTES: Final = 60  # nearer, it replaces the hour of all days; else it is one more Mass


def is_in_half(time: str, half: str) -> bool:
    """Whether an hour `HH:MM` is in the "morning" or the "evening" half of the day; in neither half ("") is every hour.

    >>> is_in_half("07:00", "morning"), is_in_half("07:00", "evening"), is_in_half("07:00", "")
    (True, False, True)
    """
    return not half or (time < NOON) == (half == "morning")


def may_be_seasonal_pair(hour: str, other: str) -> bool:
    """Whether two hours can be those of one Mass in summer and winter: half an hour to two hours lie between."""
    return hour != other and may_be_one_mass(hour, other, SEASONS_APART_MINUTES)


def may_be_one_mass(hour: str, other: str, minutes: int = SEASONAL_MINUTES) -> bool:
    """Whether two hours lie so near that one may be the other at another time of the year, or on another day."""
    return minutes_between(hour, other) <= minutes


def minutes_between(hour: str, other: str) -> int:
    """How far two times of the form `HH:MM` are apart."""
    minutes = [int(one[:2]) * 60 + int(one[3:]) for one in (hour, other)]
    return abs(minutes[0] - minutes[1])
