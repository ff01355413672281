"""Numbers and addresses of persons in a line: telephones, personal and account numbers, e-mail, days of birth.

Their shape alone shows them, so that no spelling needs a word beside it. Hours, dates of today, postcodes, house numbers
and years stay. Belongs: spans. Not here: words (words).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

_LEAST_DIGITS: Final = 6  # of a number of an identity card, or of a telephone whose first digits stand in words
_IN_PAIRS: Final = (3, 2, 2, 2)
_MOST_OF_A_TIME: Final = 4
_E_MAIL: Final = re.compile(r"[^\s@,;<>()]{1,64}[ \t]{0,2}@[ \t]{0,2}[^\s@,;<>()]{1,190}(?:[ \t]\.[ \t][^\W\d_]{2,20}){0,3}")
_PART: Final = r"[^\s@,;<>()\[\]]{1,64}"
_AT: Final = r"(?:[(\[{<]{1,2}[ \t]?(?:at|ma[lł]pa|a|@)[ \t]?[)\]}>]{1,2}|[ \t](?:AT|ma[lł]pa)[ \t])"
_DOT: Final = r"(?:[(\[{<](?:dot|kropka|\.)[)\]}>]|[ \t](?:DOT|kropka)[ \t])"
_SPELLED_E_MAIL: Final = re.compile(  # jan (malpa) poczta.example; jan[at]poczta[kropka]example; jan AT poczta DOT example
    rf"{_PART}[ \t]{{0,2}}{_AT}[ \t]{{0,2}}{_PART}(?:[ \t]{{0,2}}{_DOT}[ \t]{{0,2}}{_PART}){{0,3}}", re.IGNORECASE
)
_CHAIN: Final = re.compile(
    r"(?:\+|\b(?:PL|DE|UA|LT)[ ]?)?(?:\((?:\+|0-?)?\d{1,4}\)[ \t]?)?\d+(?:[ \t\u00a0]?[ \t\u00a0./\-–()][ \t\u00a0]?\d+)*"
)
_GROUP: Final = re.compile(r"\d+")
_CLOCK: Final = re.compile(r"(?<![\d.:])(?:[01]?\d|2[0-4])[.:][0-5]\d(?![\d.:])")  # never part of a telephone number
_OLD_DATE: Final = re.compile(
    r"\d{1,2}[ ]?[.\-/][ ]?\d{1,2}[ ]?[.\-/][ ]?1[89]\d\d\b|\b1[89]\d\d[.\-/]\d{1,2}[.\-/]\d{1,2}\b|\b1[89]\d\d(?=[ ]?r(?:\.|ok))"
)
_COMPACT_TIME: Final = re.compile(r"(?:0?[5-9]|1\d|2[0-3])(?:00|15|20|30|40|45)")
_YEAR: Final = re.compile(r"20\d\d")


def number_spans(text: str) -> list[tuple[int, int]]:
    """Where numbers and addresses of persons stand in a line, in no order; linear in the length of the line.

    >>> [text[a:b] for text in ("8.00, tel. 605 111 222", "12.00 od 1.09.2026, 30-001") for a, b in number_spans(text)]
    ['605 111 222']
    """
    spans: list[tuple[int, int]] = []
    if "@" in text:
        spans.extend(match.span() for match in _E_MAIL.finditer(text))
    if any(mark in text for mark in "([{<") or " AT " in text or "pa " in text:
        spans.extend(match.span() for match in _SPELLED_E_MAIL.finditer(text))
    spans.extend(match.span() for match in _OLD_DATE.finditer(text))
    position = 0
    for clock in _CLOCK.finditer(text):
        spans.extend(_chains(text, position, clock.start()))
        position = clock.end()
    spans.extend(_chains(text, position, len(text)))
    return spans


def _chains(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    for match in _CHAIN.finditer(text, start, end):
        groups = _GROUP.findall(match.group())
        lengths = tuple(map(len, groups))
        spelled = lengths == _IN_PAIRS or set(lengths) == {1}  # "515 06 11 64", "6 0 5 1 1 1 2 2 2"
        if sum(lengths) >= _LEAST_DIGITS and (spelled or any(map(_is_of_a_person, groups))):
            yield match.span()


def _is_of_a_person(group: str) -> bool:
    """Whether a group of digits is neither a small number, nor a year, nor an hour without its mark."""
    if len(group) <= 2:
        return False
    return len(group) > _MOST_OF_A_TIME or not (_COMPACT_TIME.fullmatch(group) or _YEAR.fullmatch(group))
