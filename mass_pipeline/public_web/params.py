"""Parameters of addresses: each read strictly, so that a strange one is a clear refusal and never an error."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, time
from typing import Final, TypeVar

from starlette.datastructures import QueryParams

from mass_pipeline.finding.gazetteer import Point

LONGEST: Final = 200  # characters of one parameter
_MOST: Final = 40  # parameters of one address
BAD: Final = re.compile("[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")  # control characters, turned writing

_T = TypeVar("_T")


class Refused(Exception):
    """The request cannot be answered.

    Attributes:
        status: HTTP status.
        parameter: which parameter is at fault, "" for none.
        reason: key of a text.
        retry_after: seconds, for 429.
    """

    def __init__(self, status: int, reason: str, parameter: str = "", retry_after: int | None = None) -> None:
        self.status = status
        self.reason = reason
        self.parameter = parameter
        self.retry_after = retry_after
        super().__init__(f"{status} {reason} {parameter}")


class Moved(Exception):
    """The page has another address for good: `path`."""

    def __init__(self, path: str) -> None:
        self.path = path
        super().__init__(path)


@dataclass(frozen=True, slots=True)
class Params:
    """The parameters of one request."""

    query: QueryParams

    @classmethod
    def of(cls, query: QueryParams) -> Params:
        """Check their number and length.

        Raises:
            Refused: too many or too long.
        """
        items = query.multi_items()
        if len(items) > _MOST:
            raise Refused(400, "too_many_parameters")
        for name, value in items:
            if len(name) > LONGEST or len(value) > LONGEST:
                raise Refused(400, "too_long", name[:40])
            if BAD.search(name) or BAD.search(value):
                raise Refused(400, "bad_characters", name[:40] if name.isprintable() else "")
        return cls(query)

    def text(self, name: str) -> str:
        """The words, "" when there are none."""
        return " ".join(self.query.get(name, "").split())

    def choice(self, name: str, accepted: Sequence[str]) -> str | None:
        """One of a closed list, None when not given."""
        value = self.text(name)
        if value and value not in accepted:
            raise Refused(400, "not_accepted", name)
        return value or None

    def flag(self, name: str) -> bool:
        """Whether it is set (1, true, tak, yes)."""
        return self.choice(name, ("1", "true", "tak", "yes", "0", "false", "nie", "no")) in ("1", "true", "tak", "yes")

    def _read(self, name: str, make: Callable[[str], _T], refusal: str) -> _T | None:
        value = self.text(name)
        try:
            return make(value) if value else None
        except ValueError as error:
            raise Refused(400, refusal, name) from error

    def day(self, name: str) -> date | None:
        """A date, YYYY-MM-DD."""
        return self._read(name, date.fromisoformat, "no_date")

    def hour(self, name: str) -> time | None:
        """A clock time, HH:MM."""
        return self._read(name, lambda value: time.fromisoformat(value).replace(tzinfo=None), "no_hour")

    def number(self, name: str, low: float, high: float) -> float | None:
        """A number within bounds."""
        number = self._read(name, float, "no_number")
        if number is not None and not low <= number <= high:  # no bound holds for what is no number
            raise Refused(400, "out_of_bounds", name)
        return number

    def whole(self, name: str, default: int, low: int, high: int) -> int:
        """A whole number within bounds."""
        value = self.text(name)
        if value and not (value.isascii() and value.isdigit() and len(value) < 10):
            raise Refused(400, "no_number", name)
        return int(self.number(name, low, high) or 0) if value else default

    def point(self) -> Point | None:
        """Where the asker is: lat and lon together, kept to three decimals (about 100 m)."""
        latitude, longitude = self.number("lat", -90, 90), self.number("lon", -180, 180)
        if (latitude is None) != (longitude is None):
            raise Refused(400, "lat_and_lon", "lat" if latitude is None else "lon")
        return None if latitude is None or longitude is None else Point(round(latitude, 3), round(longitude, 3))
