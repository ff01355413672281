"""Rows of data (JSON, objects of code) as markup: what each is called, then what it holds, in the order they are written.

Names of fields are shown where they name days or kinds of worship, since the data then has no other words for them. Numbers of
rows, addresses, names of files and earlier versions are left out; a date always stays, as an hour of one day must not become one
of every week.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from html import escape
from typing import Final

from mass_pipeline.extraction.code.syntax import LONGEST_CODE
from mass_pipeline.extraction.code.values import Function, Many, Markup, Value, joined, markup_of

_MOST_ROWS: Final = 5_000  # values of one page written out
_DEEPEST: Final = 40
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
_NAMES: Final = (
    "day", "days", "dzien", "dni", "label", "etykieta", "title", "tytul", "name", "nazwa", "kiedy", "when", "heading", "naglowek",
    "header", "group",
)  # fmt: skip
_WORDS: Final = {
    "sunday": "Niedziela", "sundays": "Niedziele", "niedziela": "Niedziela", "niedziele": "Niedziele", "nd": "Niedziela",
    "weekday": "Dni powszednie", "weekdays": "Dni powszednie", "powszednie": "Dni powszednie",
    "powszedni": "Dzień powszedni", "dnipowszednie": "Dni powszednie", "tydzien": "W tygodniu", "monday": "Poniedziałek",
    "poniedzialek": "Poniedziałek", "tuesday": "Wtorek", "wtorek": "Wtorek", "wednesday": "Środa", "sroda": "Środa",
    "thursday": "Czwartek", "czwartek": "Czwartek", "friday": "Piątek", "piatek": "Piątek", "saturday": "Sobota",
    "sobota": "Sobota", "swieta": "Święta", "niedzieleiswieta": "Niedziele i święta",
    "sundaysandholidays": "Niedziele i święta",
}  # fmt: skip
# Short names of days; only several of them together, since each by itself may be something else.
_SHORT: Final = {
    short: day
    for day, names in {
        "niedziela": "sun su nd ndz niedz nie", "poniedzialek": "mon mo pn pon", "wtorek": "tue tues tu wt wto",
        "sroda": "wed we sr sro",
        "czwartek": "thu thur thurs th cz czw", "piatek": "fri fr pt pia", "sobota": "sat sa sb so sob",
    }.items()
    for short in names.split()
}  # fmt: skip
_SHORT_TOGETHER: Final = 3
_KINDS: Final = {
    "mass": "Msze święte", "masses": "Msze święte", "masstimes": "Msze święte", "massschedule": "Msze święte",
    "msze": "Msze święte", "mszeswiete": "Msze święte", "godzinymszy": "Msze święte", "confession": "Spowiedź",
    "confessions": "Spowiedź", "spowiedz": "Spowiedź", "office": "Kancelaria", "officehours": "Kancelaria",
    "kancelaria": "Kancelaria", "adoration": "Adoracja", "adoracja": "Adoracja", "rosary": "Różaniec",
    "rozaniec": "Różaniec", "nabozenstwa": "Nabożeństwa", "devotions": "Nabożeństwa", "events": "Wydarzenia",
    "wydarzenia": "Wydarzenia", "ogloszenia": "Ogłoszenia", "announcements": "Ogłoszenia", "intencje": "Intencje",
    "intentions": "Intencje", "summer": "Latem", "winter": "Zimą", "lato": "Latem", "zima": "Zimą",
}  # fmt: skip
_SEASONS: Final = {
    "summer": "latem", "lato": "latem", "latem": "latem", "winter": "zimą", "zima": "zimą", "vacation": "w wakacje",
    "wakacje": "w wakacje",
}  # fmt: skip
_BEGIN: Final = re.compile(r"\w*(?:from|od|start|starts|opens?|begin|poczatek)(?:time|hour|at)?")
_END: Final = re.compile(r"\w*(?:to|do|end|ends|closes?|stop|until|till|koniec)(?:time|hour|at)?")
_CLOCK: Final = re.compile(r"\s*\d{1,2}[:.]\d\d(?::\d\d)?\s*")
_DATE: Final = re.compile(r"\d{4}-\d\d-\d\d")
_MARKUP: Final = re.compile(r"<(?:p|br|b|strong|h[1-6]|ul|ol|li|div|table|span)\b[^<>]{0,300}>", re.I)
_ADDRESS: Final = re.compile(r"\s*(?:https?:|/|\.\.?/|#|data:|mailto:|[\w./-]+\.(?:jpe?g|png|svg|webp|pdf|css|js)\s*$)", re.I)
_LANGUAGES: Final = frozenset({"en", "de", "uk", "ua", "it", "fr", "es", "la", "cs"})
_LETTERS: Final = str.maketrans("ąćęłńóśźżĄĆĘŁŃÓŚŹŻ", "acelnoszzACELNOSZZ")


def rows_of(value: Value, name: str = "") -> str:
    """Markup of data.

    Args:
        value: what JSON or literals say.
        name: of the field or constant that holds it, "" when it has none.

    >>> rows_of([{"id": "4", "label": "Niedziela", "hours": ["8.00", "10.00"]}])
    '<div><p>Niedziela: 8.00, 10.00</p></div>'
    """
    return Rows().block(value, name)


def json_markup(text: str) -> str:
    """Markup of the rows of a JSON document; "" for one that is broken."""
    try:
        data: Value = json.loads(text[:LONGEST_CODE])
    except (ValueError, RecursionError):
        return ""
    return rows_of(data)


def is_technical(name: str) -> bool:
    """Whether a field of this name holds no words for visitors."""
    return _TECHNICAL.fullmatch(name) is not None or _UNSEEN.search(name) is not None


@lru_cache(maxsize=2048)
def _folded(name: str) -> str:
    return re.sub(r"[\W_]+", "", name.translate(_LETTERS)).lower()


class Rows:
    """Writes out the data of one page, up to `_MOST_ROWS` values in all."""

    def __init__(self) -> None:
        self._left = _MOST_ROWS

    def block(self, value: Value, name: str = "", depth: int = 0) -> str:
        """Markup of a value under its name."""
        self._left -= 1
        if depth > _DEEPEST or self._left < 0 or isinstance(value, Function):
            return ""
        kind = _KINDS.get(_folded(name), "")
        heading = f"<h2>{kind}</h2>" if kind else ""
        word = _WORDS.get(_folded(name), "")
        if isinstance(value, (str, Markup, Many)):
            text = self._text(value)
            if _MARKUP.search(value if isinstance(value, str) else text):
                return f"{heading}<div>{value if isinstance(value, str) else text}</div>"
            return f"{heading}<p>{word}{': ' if word else ''}{text}</p>" if text else ""
        if isinstance(value, list):
            return self._list(value, word, heading, depth)
        return self._object(value, word, heading, depth) if isinstance(value, dict) else ""

    def _list(self, items: list[Value], word: str, heading: str, depth: int) -> str:
        line = self._line(items)
        if line is not None:
            return f"{heading}<p>{word}{': ' if word else ''}{line}</p>" if line else ""
        body = joined([self._item(item, depth + 1) for item in items])
        word = f"<h3>{word}</h3>" if word else ""
        return f"{heading}<div>{word}{body}</div>" if body else ""

    def _item(self, item: Value, depth: int) -> str:
        if isinstance(item, list) and len(item) == 2 and isinstance(item[0], str):  # [label, hours]
            line = self._line(item[1]) if isinstance(item[1], list) else self._text(item[1])
            if line and not _CLOCK.fullmatch(item[0]):
                return f"<p>{self._text(item[0])}: {line}</p>"
        return self.block(item, "", depth)

    def _object(self, data: Mapping[str, Value], word: str, heading: str, depth: int) -> str:
        fields = _shown(data)
        label_key = next((key for name in _NAMES for key in fields if _folded(key) == name and isinstance(fields[key], str)), "")
        label = self._text(fields.pop(label_key)) if label_key else word
        span = _span(fields)
        names_days = any(_folded(key) in _WORDS for key in fields)
        lines: dict[str, str | None] = {key: self._line(value) for key, value in fields.items()}
        if label:  # beside the hours of a day those of one season
            lines |= {key: f"{_SEASONS[_folded(key)]} {line}" for key, line in lines.items() if line and _folded(key) in _SEASONS}
        kinds = [key for key in fields if _is_kind(key) and not (label and _folded(key) in _SEASONS)]
        if span or (all(line is not None for line in lines.values()) and not names_days and not kinds):
            parts = [span, *(line for line in lines.values() if line)] if span else [line for line in lines.values() if line]
            body = _with_remarks(parts)
            return f"{heading}<p>{label}{': ' if label and body else ''}{body}</p>" if label or body else ""
        pieces = [self._field(key, value, names_days, depth) for key, value in fields.items()]
        body = joined(pieces)
        label = f"<h3>{label}</h3>" if label else ""
        return f"{heading}<div>{label}{body}</div>" if label or body else ""

    def _field(self, key: str, value: Value, names_days: bool, depth: int) -> str:
        known = _folded(key) in _WORDS or _is_kind(key)
        if names_days and not known and isinstance(value, (str, list)):
            line = self._line(value)
            words = re.sub(r"(?<=[a-z])(?=[A-Z])|[_-]+", " ", key)
            return f"<p>{escape(words)}: {line}</p>" if line else self.block(value, "", depth + 1)
        return self.block(value, key, depth + 1)

    def _line(self, value: Value) -> str | None:
        """A value in one line, None when it needs several."""
        if isinstance(value, (str, Markup, Many)):
            return None if _MARKUP.search(value if isinstance(value, str) else markup_of(value)) else self._text(value)
        if isinstance(value, list):
            parts = [self._part(one) for one in value]
            return None if any(part is None for part in parts) else ", ".join(part for part in parts if part)
        return None if isinstance(value, dict) else ""

    def _part(self, value: Value) -> str | None:
        """One of several values in a line: a text, or an hour with remarks."""
        if not isinstance(value, dict):
            return None if isinstance(value, list) else self._line(value)
        fields = _shown(value)
        texts = [self._text(one) for one in fields.values() if isinstance(one, str)]
        is_hour = len(texts) == len(fields) and sum(_CLOCK.fullmatch(one) is not None for one in texts) == 1
        return _with_remarks(texts) if is_hour and _CLOCK.fullmatch(texts[0]) and not _span(fields) else None

    def _text(self, value: Value) -> str:
        self._left -= 1
        if isinstance(value, str):
            return "" if _ADDRESS.match(value) or self._left < 0 else escape(" ".join(value.split()), quote=False)
        return markup_of(value) if isinstance(value, (Markup, Many)) and self._left >= 0 else ""


def _is_kind(key: str) -> bool:
    return _folded(key) in _KINDS


def _shown(data: Mapping[str, Value]) -> dict[str, Value]:
    """The fields that hold something for visitors; of several languages Polish."""
    languages = _LANGUAGES if "pl" in data else frozenset[str]()
    if sum(_folded(key) in _SHORT for key in data) >= _SHORT_TOGETHER:
        data = {_SHORT.get(_folded(key), key): value for key, value in data.items()}
    return {
        key: value
        for key, value in data.items()
        if value != "" and isinstance(value, (str, list, dict, Markup, Many)) and key not in languages
        and (not is_technical(key) or (isinstance(value, str) and _DATE.match(value) is not None and not _is_stamp(key)))
    }  # fmt: skip


def _is_stamp(key: str) -> bool:
    """Whether the field tells when the row was written, not what it is about."""
    return re.match(r"_*(?:created|updated|modified|published)", key, re.I) is not None


def _span(fields: dict[str, Value]) -> str:
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
