"""Write out what JSON-LD says about hours: opening hours and recurring events, as lines people could read.

Source: schema.org openingHours, openingHoursSpecification, Event with Schedule. Read without recursion; a block that is no
JSON is skipped, since no visitor sees it either.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Final

from mass_pipeline.language.day_words import WEEKDAY_NAMES

_SCHEMA_DAYS: Final = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")  # schema.org DayOfWeek
_DAYS: Final = {
    **{code.lower(): name for code, name in WEEKDAY_NAMES.items()},
    **dict(zip(_SCHEMA_DAYS, WEEKDAY_NAMES.values(), strict=True)),
    "publicholidays": "święta",
}
_MAX_NODES: Final = 20_000  # values of one block looked at
_MAX_LINES: Final = 200  # lines written out per page
_LONGEST: Final = 300  # characters of one line

Json = dict[str, "Json"] | list["Json"] | str | float | bool | None


def json_ld_lines(block: str) -> list[str]:
    """Lines for the hours in one JSON-LD block, in order; empty when there are none or the block is broken.

    >>> json_ld_lines('{"name": "Biuro", "openingHoursSpecification": {"dayOfWeek": "Monday", "opens": "08:00"}}')
    ['Biuro: poniedziałek 08:00']
    """
    try:
        data: Json = json.loads(block)
    except (ValueError, RecursionError):
        return []
    return [line[:_LONGEST] for _, line in zip(range(_MAX_LINES), _lines(data), strict=False)]


def _lines(data: Json) -> Iterator[str]:
    pending: list[Json] = [data]
    for _ in range(_MAX_NODES):
        if not pending:
            return
        node = pending.pop()
        if isinstance(node, list):
            pending.extend(reversed(node))
        elif isinstance(node, dict):
            name = _text(node.get("name"))
            for line in (*_opening_hours(node), *_event(node)):
                yield f"{name}: {line}" if name else line
            pending.extend(value for key, value in reversed(node.items()) if key != "openingHoursSpecification")


def _opening_hours(node: dict[str, Json]) -> Iterator[str]:
    written = node.get("openingHours")
    for item in written if isinstance(written, list) else [written]:
        if isinstance(item, str) and item.strip():
            yield " ".join(_DAYS.get(word.lower(), word) for word in item.replace(",", " ").split())
    specifications = node.get("openingHoursSpecification")
    for item in specifications if isinstance(specifications, list) else [specifications]:
        if isinstance(item, dict) and item.get("opens"):
            closes = _clock(item.get("closes"))
            yield f"{_days(item.get('dayOfWeek'))} {_clock(item.get('opens'))}{'-' + closes if closes else ''}".strip()


def _event(node: dict[str, Json]) -> Iterator[str]:
    schedules = node.get("eventSchedule")
    for item in schedules if isinstance(schedules, list) else [schedules]:
        if isinstance(item, dict) and item.get("startTime"):
            yield f"{_days(item.get('byDay'))} {_clock(item.get('startTime'))}".strip()
    start = _text(node.get("startDate"))
    if start and schedules is None:
        yield start.replace("T", " ")[:16]


def _days(value: Json) -> str:
    names = [_text(item).rsplit("/", 1)[-1].lower() for item in (value if isinstance(value, list) else [value])]
    return ", ".join(_DAYS.get(name, name) for name in names if name)


def _clock(value: Json) -> str:
    return _text(value)[:5]


def _text(value: Json) -> str:
    return " ".join(value.split()) if isinstance(value, str) else ""
