"""Data inside a page, as text: JSON-LD, and the JSON that a server hands to scripts in place of text.

JSON-LD (schema.org openingHours, openingHoursSpecification, Event with Schedule) becomes lines. Scripts of type JSON
(`__NEXT_DATA__`), JSON that a script assigns (`window.__NUXT__ = {...}`) and JSON in attributes (`:rows='[{...}]'`) become
markup, looked at only where the page itself shows no Masses: such state repeats what is shown, and holds versions that are not.

Of rows their label and hours are written out in order, and names of fields where they name days or kinds of worship, as the
data has no other words for them. Technical fields and earlier versions are left out; a date always stays, as an hour of one day
must not become one of every week. Nothing is executed: what is no JSON is not read.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from html import escape, unescape
from pathlib import Path
from typing import Final

from mass_pipeline.model.document import Region
from mass_pipeline.reading.text.tables import LineDraft
from mass_pipeline.reading.text.unreadable_media import holds_hours_of_schedules
from mass_pipeline.reading.text.wording import has_hour
from mass_pipeline.reading.words.weekday_patterns import SUNDAY, WEEKDAY_NAMES

Json = dict[str, "Json"] | list["Json"] | str | float | bool | None

_SCHEMA_DAYS: Final = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")  # schema.org DayOfWeek
_DAYS: Final = {
    **{code.lower(): name for code, name in WEEKDAY_NAMES.items()},
    **dict(zip(_SCHEMA_DAYS, WEEKDAY_NAMES.values(), strict=True)),
    "publicholidays": "święta",
}
_MOST_NODES: Final = 20_000  # values of one JSON-LD block looked at
_MOST_LINES: Final = 200  # lines written out of one block
_LONGEST_LINE: Final = 300  # characters
_LONGEST: Final = 400_000  # characters of one script
_MOST_SOURCES: Final = 12  # scripts and attributes of one page
_MOST_ASSIGNED: Final = 100  # brackets of one script that are tried
_DEEPEST: Final = 40

_WORSHIP: Final = re.compile(rf"(?i)\bmsz|{SUNDAY}|powszedn|eucharyst|\bmass|sunday")
_NEAR: Final = 5  # lines above an hour in which its words are sought
_ASSIGNED: Final = re.compile(r"(?:([\w$]{1,60})[\"']?\]?\s*+)?=\s*+(?=[\[{])")
_ATTRIBUTE: Final = re.compile(r"""(?<=\s)[:@\w.-]{1,60}=(?:'([\[{][^'<]{20,200000})'|"([\[{][^"<]{20,200000})")""")
_ATTRIBUTE_BEGINS: Final = ("='[", "='{", '="[', '="{')  # one occurs wherever `_ATTRIBUTE` matches
_BY_NUMBER: Final = "__NUXT_DATA__"  # its rows hold numbers of other values, so that no label is next to its hours

_TECHNICAL: Final = re.compile(
    r"_*(?:id|uuid|key|slug|ur[li]|href|link|path|src|source|image|img|photo|thumbnail|icon|class|classname|color|colour|bg|style|variant|size"
    r"|type|kind|lang|locale|order|kolejnosc|sort|index|version|hash|buildid|query|file\w*|width|height|typename|seo|meta\w*|og\w*|email|e-?mail"
    r"|phone|tel\w*|zip|postal\w*|bank\w*|account\w*|lat|lng|lon|rel|target|layout|align|ref|ns|status|author\w*|alt"
    r"|created\w*|updated\w*|modified\w*|published\w*|analytics\w*|tracking\w*|on[A-Z]\w*|data-[\w-]*|aria-[\w-]*)",
    re.I,
)
# What no visitor is shown: earlier and unfinished versions.
_UNSEEN: Final = re.compile(
    r"draft|archiv|(?:^|_)old|previous|revision|backup|history|historia|deleted|hidden|ukryt|szkic|stary|poprzedni|mock|example",
    re.I,
)
_STAMP: Final = re.compile(r"_*(?:created|updated|modified|published)", re.I)
_NAMES: Final = tomllib.loads(Path(__file__).with_name("embedded_names.toml").read_text("utf-8"))
_LABELS: Final = _NAMES["labels"].split()
_WORDS, _KINDS, _SEASONS, _SHORT = (
    {name: word for word, names in _NAMES[section].items() for name in names.split()}
    for section in ("days", "kinds", "seasons", "short")
)
_SHORT_TOGETHER: Final = 3
_BEGIN: Final = re.compile(r"\w*(?:from|od|start|starts|opens?|begin|poczatek)(?:time|hour|at)?")
_END: Final = re.compile(r"\w*(?:to|do|end|ends|closes?|stop|until|till|koniec)(?:time|hour|at)?")
_CLOCK: Final = re.compile(r"\s*\d{1,2}[:.]\d\d(?::\d\d)?\s*")
_DATE: Final = re.compile(r"\d{4}-\d\d-\d\d")
_MARKUP: Final = re.compile(r"<(?:p|br|b|strong|h[1-6]|ul|ol|li|div|table|span)\b[^<>]{0,300}>", re.I)
_ADDRESS: Final = re.compile(r"\s*(?:https?:|/|\.\.?/|#|data:|mailto:|[\w./-]+\.(?:jpe?g|png|svg|webp|pdf|css|js)\s*$)", re.I)
_LANGUAGES: Final = frozenset({"en", "de", "uk", "ua", "it", "fr", "es", "la", "cs"})
_LETTERS: Final = str.maketrans("ąćęłńóśźżĄĆĘŁŃÓŚŹŻ", "acelnoszzACELNOSZZ")


def shows_masses(lines: Sequence[LineDraft]) -> bool:
    """Whether a page shows hours near words for Masses or their days."""
    words = -_NEAR - 1
    for number, line in enumerate(lines):
        if line.region is not Region.NAV and _WORSHIP.search(line.text):
            words = number
        if number - words <= _NEAR and has_hour(line.text):
            return True
    return False


def embedded_markup(scripts: Sequence[tuple[str, str]], held: Sequence[str], lines: Sequence[LineDraft]) -> str:
    """Markup of the JSON in a page that shows no Masses without it; "" for other pages.

    Args:
        scripts: attributes and text of each script with hours, in order.
        held: values of attributes with hours (`values_with_hours`).
        lines: what the page shows without its data.

    >>> embedded_markup([], ['[{"day": "Msze: niedziela", "time": "8:30"}]'], [])
    '<section><div><p>Msze: niedziela: 8:30</p></div></section>'
    """
    if not (scripts or held) or shows_masses(lines):
        return ""
    found = [rows for attributes, text in scripts[:_MOST_SOURCES] for rows in _script(attributes, text[:_LONGEST])]
    found += map(json_markup, held[:_MOST_SOURCES])
    return "".join(f"<section>{one}</section>" for one in found if has_hour(one))


def json_markup(text: str) -> str:
    """Markup of the rows of a JSON document; "" for one that is broken."""
    try:
        data: Json = json.loads(text[:_LONGEST])
    except (ValueError, RecursionError):
        return ""
    return rows_of(data)


def _script(attributes: str, text: str) -> Iterator[str]:
    if _BY_NUMBER in attributes:
        return
    if "json" in attributes.lower():
        yield json_markup(text)
        return
    decoder, end = json.JSONDecoder(), 0
    for _, match in zip(range(_MOST_ASSIGNED), _ASSIGNED.finditer(text), strict=False):
        name = match[1] or ""
        if match.end() < end or is_technical(name):
            continue
        try:
            value, end = decoder.raw_decode(text, match.end())
        except (ValueError, RecursionError):
            continue
        yield rows_of(value, name)


def values_with_hours(source: str) -> list[str]:
    """Values of attributes of a page that are data with hours of schedules.

    >>> values_with_hours("<x-list :rows='" + '[{"day": "Msze: niedziela", "time": "8:30"}]' + "'></x-list>")
    ['[{"day": "Msze: niedziela", "time": "8:30"}]']
    """
    if not any(begin in source for begin in _ATTRIBUTE_BEGINS):
        return []
    texts = (unescape(match[1] or match[2]) for match in _ATTRIBUTE.finditer(source) if not _in_comment(source, match.start()))
    return [text for text in texts if holds_hours_of_schedules(text)]


def _in_comment(source: str, at: int) -> bool:
    return source.rfind("<!--", 0, at) > source.rfind("-->", 0, at)


# rows -------------------------------------------------------------------------------------------------------------------


def rows_of(value: Json, name: str = "", depth: int = 0) -> str:
    """Markup of data.

    Args:
        value: what JSON says.
        name: of the field or constant that holds it, "" when it has none.
        depth: of the value within its document; beyond 40 nothing is written.

    >>> rows_of([{"id": "4", "label": "Niedziela", "hours": ["8.00", "10.00"]}])
    '<div><p>Niedziela: 8.00, 10.00</p></div>'
    """
    if depth > _DEEPEST:
        return ""
    kind, word = _KINDS.get(_folded(name), ""), _WORDS.get(_folded(name), "")
    heading = f"<h2>{kind}</h2>" if kind else ""
    if isinstance(value, str) and _MARKUP.search(value):
        return f"{heading}<div>{value}</div>"
    if isinstance(value, dict):
        return heading + shown if (shown := _object(value, word, depth)) else ""
    line = _line(value)
    if line is not None:
        return f"{heading}<p>{_labelled(word, line)}</p>" if line else ""
    body = "".join(_item(item, depth + 1) for item in value) if isinstance(value, list) else ""
    head = f"<h3>{word}</h3>" if word else ""
    return f"{heading}<div>{head}{body}</div>" if body else ""


def is_technical(name: str) -> bool:
    """Whether a field of this name holds no words for visitors."""
    return _TECHNICAL.fullmatch(name) is not None or _UNSEEN.search(name) is not None


def _folded(name: str) -> str:
    return re.sub(r"[\W_]+", "", name.translate(_LETTERS)).lower()


def _labelled(label: str, line: str) -> str:
    return f"{label}: {line}" if label and line else label or line


def _item(item: Json, depth: int) -> str:
    if isinstance(item, list) and len(item) == 2 and isinstance(item[0], str) and not _CLOCK.fullmatch(item[0]):
        line = _line(item[1])  # [label, hours]
        if line:
            return f"<p>{_text(item[0])}: {line}</p>"
    return rows_of(item, "", depth)


def _object(data: Mapping[str, Json], word: str, depth: int) -> str:
    fields = _shown(data)
    label_key = next((key for name in _LABELS for key in fields if _folded(key) == name and isinstance(fields[key], str)), "")
    label = _text(fields.pop(label_key)) if label_key else word
    span = _span(fields)
    names_days = any(_folded(key) in _WORDS for key in fields)
    lines = {key: _line(value) for key, value in fields.items()}
    if label:  # next to the hours of a day those of one season
        lines |= {key: f"{_SEASONS[_folded(key)]} {line}" for key, line in lines.items() if line and _folded(key) in _SEASONS}
    kinds = [key for key in fields if _folded(key) in _KINDS and not (label and _folded(key) in _SEASONS)]
    if span or (all(line is not None for line in lines.values()) and not names_days and not kinds):
        body = _with_remarks([part for part in (span, *lines.values()) if part])
        return f"<p>{_labelled(label, body)}</p>" if label or body else ""
    body = "".join(_field(key, value, names_days, depth + 1) for key, value in fields.items())
    head = f"<h3>{label}</h3>" if label else ""
    return f"<div>{head}{body}</div>" if label or body else ""


def _field(key: str, value: Json, names_days: bool, depth: int) -> str:
    if names_days and _folded(key) not in _WORDS and _folded(key) not in _KINDS:
        line = _line(value)
        words = re.sub(r"(?<=[a-z])(?=[A-Z])|[_-]+", " ", key)
        return f"<p>{escape(words)}: {line}</p>" if line else rows_of(value, "", depth)
    return rows_of(value, key, depth)


def _line(value: Json) -> str | None:
    """A value in one line, None when it needs several; "" for one that holds no text."""
    if isinstance(value, str):
        return None if _MARKUP.search(value) else _text(value)
    if isinstance(value, list):
        parts = [_part(one) for one in value]
        return None if any(part is None for part in parts) else ", ".join(part for part in parts if part)
    return None if isinstance(value, dict) else ""


def _part(value: Json) -> str | None:
    """One of several values in a line: a text, or an hour with remarks."""
    if not isinstance(value, dict):
        return None if isinstance(value, list) else _line(value)
    fields = _shown(value)
    texts = [_text(one) for one in fields.values() if isinstance(one, str)]
    is_hour = len(texts) == len(fields) and sum(_CLOCK.fullmatch(one) is not None for one in texts) == 1
    return _with_remarks(texts) if is_hour and _CLOCK.fullmatch(texts[0]) and not _span(fields) else None


def _text(value: Json) -> str:
    if not isinstance(value, str) or _ADDRESS.match(value):
        return ""
    return escape(" ".join(value.split()), quote=False)


def _shown(data: Mapping[str, Json]) -> dict[str, Json]:
    """The fields that hold something for visitors; of several languages Polish."""
    languages = _LANGUAGES if "pl" in data else frozenset[str]()
    if sum(_folded(key) in _SHORT for key in data) >= _SHORT_TOGETHER:
        data = {_SHORT.get(_folded(key), key): value for key, value in data.items()}
    return {
        key: value
        for key, value in data.items()
        if value and isinstance(value, (str, list, dict)) and key not in languages
        and (not is_technical(key) or (isinstance(value, str) and _DATE.match(value) is not None and not _STAMP.match(key)))
    }  # fmt: skip


def _span(fields: dict[str, Json]) -> str:
    """`16:00 - 17:00` of two fields for begin and end, which are taken out; "" without them."""
    clocks = {key: value for key, value in fields.items() if isinstance(value, str) and _CLOCK.fullmatch(value)}
    first = next((key for key in clocks if _BEGIN.fullmatch(_folded(key))), "")
    last = next((key for key in clocks if key != first and _END.fullmatch(_folded(key))), "")
    if not first or not last:
        return ""
    del fields[first], fields[last]
    return f"{clocks[first].strip()} - {clocks[last].strip()}"


def _with_remarks(parts: Sequence[str]) -> str:
    """An hour with what is said of it in brackets after it; other parts one after the other."""
    if len(parts) > 1 and _CLOCK.fullmatch(parts[0]) and not _CLOCK.fullmatch(parts[1]):
        return f"{parts[0]} ({', '.join(parts[1:])})"
    return ", ".join(parts)


# JSON-LD ----------------------------------------------------------------------------------------------------------------


def json_ld_lines(block: str) -> list[str]:
    """Lines for the hours in one JSON-LD block, in order; empty when there are none or the block is broken.

    >>> json_ld_lines('{"name": "Biuro", "openingHoursSpecification": {"dayOfWeek": "Monday", "opens": "08:00"}}')
    ['Biuro: poniedziałek 08:00']
    """
    try:
        data: Json = json.loads(block)
    except (ValueError, RecursionError):
        return []
    return [line[:_LONGEST_LINE] for _, line in zip(range(_MOST_LINES), _ld_lines(data), strict=False)]


def _ld_lines(data: Json) -> Iterator[str]:
    pending: list[Json] = [data]
    for _ in range(_MOST_NODES):
        if not pending:
            return
        node = pending.pop()
        if isinstance(node, list):
            pending.extend(reversed(node))
        elif isinstance(node, dict):
            name = _words(node.get("name"))
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
    start = _words(node.get("startDate"))
    if start and schedules is None:
        yield start.replace("T", " ")[:16]


def _days(value: Json) -> str:
    names = [_words(item).rsplit("/", 1)[-1].lower() for item in (value if isinstance(value, list) else [value])]
    return ", ".join(_DAYS.get(name, name) for name in names if name)


def _clock(value: Json) -> str:
    return _words(value)[:5]


def _words(value: Json) -> str:
    return " ".join(value.split()) if isinstance(value, str) else ""
