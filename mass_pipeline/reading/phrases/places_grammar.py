"""Names of places: kinds of buildings with their patrons, villages by their capital letter."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from mass_pipeline.reading.phrases.cursor import Cursor
from mass_pipeline.reading.phrases.nodes import AtPlace, Cond
from mass_pipeline.reading.words.folding import fold
from mass_pipeline.reading.words.lexicon import load_nominatives, load_parish_churches

_LONGEST: Final = 12  # tokens of a place name
_SHORTEST_WORD: Final = 3
_BEGINNINGS: Final = frozenset({"word", "placetail", "place", "glue"})  # kinds of the first token; most marks are none
_LEADING_ON: Final = frozenset({"w", "we", "na", "przy", "pw.", "św.", "of", "der", "zum", "zur", "св."})
_WE_DO: Final = re.compile(r"\w{3}(?:[aei]my|[ui]jemy)$")  # "Dojeżdżamy w niedziele", at the head of a sentence
_BESIDE: Final = ("pod", "nad", "koło")
_ONCE: Final = ("dawn", "byl", "obecn", "drewnian", "murowan", "zabytkow")  # folded: of a church
DEDICATED: Final = frozenset({"pw", "pw.", "p.w.", "wezwaniem", "pod wezwaniem"})  # folded
_OF_PAGES: Final = frozenset(
    {"drukuj", "wydrukuj", "email", "pdf", "sonda", "ankieta", "horarium"}
)  # buttons and headings of pages
_NO_PLACE: Final = frozenset(
    {"ksiadz", "parafia", "parafii", "pan", "pani", "bog", "boga", "pana", "jezus", "jezusa", "maryja", *_OF_PAGES}
)


def parse_place(cursor: Cursor, position: int) -> tuple[Cond, int] | None:
    """A place at a position: `(condition, next position)` or None.

    `kaplica w Charcicach`, `Dolny Kościół`, `w Wartosławiu`, `DPS`, `Kurnatowice i Miłostowo`.
    """
    start = position
    if cursor.tokens[position].kind not in _BEGINNINGS:
        return None
    if _is_in(cursor, position):
        start = position + 1
    if not _may_begin(cursor, start, after_preposition=start > position):
        return None
    building = cursor.is_kind(start, "place")
    end = start + 1
    while end - start < _LONGEST:
        step = _continues(cursor, end, building=building)
        if not step:
            break
        building = building or any(cursor.is_kind(at, "place") for at in range(end, end + step))
        end += step
    shown = next((at for at in range(start, end) if _dedication_in_brackets(cursor, at)), end)  # "Zalesie", wherever it is named
    name = _nominative(" ".join(_written(cursor, start, shown).split()))
    return AtPlace(name, cursor.tokens[start].start, cursor.tokens[end - 1].end), end


@lru_cache(maxsize=4096)
def _nominative(name: str) -> str:
    """`kaplicy Sióstr` -> `kaplica Sióstr`; names of villages stay as written.

    >>> _nominative("Kościele filialnym w Zalesiu")
    'Kościół filialny w Zalesiu'
    """
    shown = load_nominatives()
    words = name.split(" ")
    for index, word in enumerate(words[:2]):  # the building and its adjective; what follows is a patron or a village
        nominative = shown.get(fold(word))
        if nominative is None:
            break
        words[index] = nominative.capitalize() if word[0].isupper() else nominative
    shown_name = " ".join(words)
    return "" if fold(shown_name) in load_parish_churches() else shown_name


def _is_in(cursor: Cursor, position: int) -> bool:
    return cursor.is_kind(position, "glue") and cursor.tokens[position].value == "in"


def _written(cursor: Cursor, start: int, end: int) -> str:
    pieces: list[str] = []
    for index in range(start, end):
        token = cursor.tokens[index]
        glued = index > start and cursor.tokens[index - 1].end == token.start
        pieces.append(token.text if glued or index == start else " " + token.text)
    return "".join(pieces)


def _may_begin(cursor: Cursor, position: int, *, after_preposition: bool) -> bool:
    token = cursor.at(position)
    if token is None:
        return False
    if token.kind == "place":
        return True
    if not _is_capitalised(cursor, position) or token.value in _NO_PLACE:
        return False
    if after_preposition:
        return True
    if cursor.is_op(position - 1, "to"):
        return False  # "Nowenna do Matki Bożej"
    before = cursor.at(position - 1)
    if before is not None and before.kind in (
        "clock",
        "open",
        "dash",
        "comma",
        "semicolon",
        "bar",
        "day",
        "season",
        "month",
        "close",
        "and",
    ):
        return True
    return _leads_to_time(cursor, position)


def _leads_to_time(cursor: Cursor, position: int) -> bool:
    """`Zawadka: 8.00`, `Nowa Wieś 9.30`, `Brzezie - sobota`: a name directly before what a place may govern."""
    index = position
    while _is_capitalised(cursor, index) and index - position < 4:
        index += 1
    if _building_in_brackets(cursor, index) or _building_in_brackets(cursor, _behind_landmark(cursor, index)):
        return True
    return cursor.is_kind(index, "colon", "dash", "clock", "hour", "day", "daygroup", "glue") or cursor.at(index) is None


def _behind_landmark(cursor: Cursor, position: int) -> int:
    """`Chata pod Rysianką (kaplica)`, `Wola nad Sanem (kaplica)`: after the mountain or the river."""
    token = cursor.at(position)
    leads = token is not None and token.text.lower() in _BESIDE and _is_capitalised(cursor, position + 1)
    return position + 2 if leads else position


def _building_in_brackets(cursor: Cursor, position: int) -> int:
    """How many tokens the brackets of `Sucha (kaplica)`, `Huta (dawna cerkiew)`, `Gaj (pw. św. Anny)` take; 0 for others."""
    if not cursor.is_kind(position, "open"):
        return 0
    first = cursor.at(position + 1)
    begin = position + 2 if first is not None and fold(first.text).startswith(_ONCE) else position + 1
    if not (cursor.is_kind(begin, "place") or _dedication_in_brackets(cursor, position)):
        return 0
    end = cursor.skip(begin + 1, "place", "placetail", "word", "feast", "roman", "glue", "and", "stop")
    return end + 1 - position if cursor.is_kind(end, "close") else 0


def _dedication_in_brackets(cursor: Cursor, position: int) -> bool:
    """Whether `(pw. św. Anny)` begins here."""
    said = cursor.at(position + 1)
    return cursor.is_kind(position, "open") and said is not None and fold(said.text) in DEDICATED


def _is_capitalised(cursor: Cursor, position: int) -> bool:
    token = cursor.at(position)
    if token is None or (token.kind != "word" and token.kind != "placetail"):
        return False
    return len(token.text) >= _SHORTEST_WORD and token.text[0].isupper() and _WE_DO.search(token.text) is None


def _continues(cursor: Cursor, position: int, *, building: bool) -> int:
    """How many tokens at this position still belong to the name."""
    token = cursor.at(position)
    if token is None:
        return 0
    bracket = _building_in_brackets(cursor, position)
    if bracket:
        return bracket
    landmark = _behind_landmark(cursor, position)
    if landmark > position and _building_in_brackets(cursor, landmark):
        return landmark - position
    if token.kind in ("place",) or _is_capitalised(cursor, position):
        return 1
    if building and token.kind in ("placetail", "word", "roman", "feast"):
        return 1
    if token.kind in ("glue", "placetail") and (_is_capitalised(cursor, position + 1) or cursor.is_kind(position + 1, "place")):
        return 2 if token.value == "in" or token.text.lower() in _LEADING_ON else 0
    if token.kind == "and" and token.text != "a":
        named = position + 2 if not building and _is_in(cursor, position + 1) else position + 1  # "w Hucie i w Lesie"
        return named + 1 - position if _is_capitalised(cursor, named) else 0
    glued_dash = token.kind == "dash" and token.start == cursor.tokens[position - 1].end
    if token.kind == "dash" and not (glued_dash or building) and cursor.is_kind(position + 1, "place"):
        return 2  # "Nowiny - kaplica pw. św. Anny", but "Johannes-Basilika"
    if glued_dash and _is_capitalised(cursor, position + 1):
        return 2
    return 0
