"""The day on which orders are asked for, where nobody names another."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Final
from zoneinfo import ZoneInfo

_POLAND: Final = ZoneInfo("Europe/Warsaw")


def today_in_poland() -> date:
    """The present day in Poland."""
    return datetime.now(UTC).astimezone(_POLAND).date()
