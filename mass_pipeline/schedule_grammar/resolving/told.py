"""What of a page's words may be shown of a Mass: its place and its remarks without the names of persons.

Belongs: words of rows. Not here: the quote that proves an hour (quotes), which words name persons (language.masking).
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from itertools import accumulate
from typing import Final

from mass_pipeline.language.folding import fold
from mass_pipeline.language.masking.lines import MASK, masked_line
from mass_pipeline.language.masking.places import public_place
from mass_pipeline.language.masking.words import is_of_schedules, names_person
from mass_pipeline.model.document import Document, LineKind

_BEHIND_LABEL: Final = re.compile(r"\s*(?:\([^()]{0,40}\))?\s*(?:[:–—-]|\d|g(?:odz)?\.|\.\s+(?:W|Tylko|Msz\w+)\b)")
_BEFORE_LABEL: Final = re.compile(r"(?:\A|[;|•(])\s*\Z")  # never after an hour: there stands for whom the Mass is said
_OF_PERSONS: Final = re.compile(
    r"[+†✝@]|\b(?:[śs]\.? ?p\.|za|zm|int|intencj\w*|o zdrowie|rocz\w*|urodzin\w*|imienin\w*|ks|tel)\b", re.IGNORECASE
)
_BUILDING: Final = re.compile(
    r"\b(?:kaplic|ko[śs]ci[óo][łl](?:ek|a|)\b|cerk(?:iew|wi)|fili|szko[łl]|klasztor|szpital|DPS|[śs]wietlic|remiz)", re.IGNORECASE
)
_IN: Final = re.compile(r"\b(?:w|we|wsi|miejscowości)\s+\Z", re.IGNORECASE)
_IN_SOME_PLACE: Final = re.compile(r"(?<!\w)[Ww]e? ([A-ZĄĆĘŁŃÓŚŹŻ][^\W\d_]{3,40})")
_END_OF_CASE: Final = 2  # letters in which a name of a village and its locative differ most often
_LEAST_STEM: Final = 4
_CLAUSE: Final = re.compile(r"[;|•]|(?<=\d)\.\s+(?=[A-ZĄĆĘŁŃÓŚŹŻ])")
_WORD: Final = re.compile(r"[^\W\d_]+")
_JOINING: Final = 2  # letters of words that only join others
_IN_CHARACTERS: Final = 20
_AROUND: Final = 120  # characters on either side of a name that tell what it is
_MOST_OCCURRENCES: Final = 20
_OFTEN: Final = 2  # lines that name a place
_LEFT_HANGING: Final = re.compile(r"(?:[\s,;:.(–+†-]+|\b(?:[^\W\d_]{1,3}|dla|przez|imieniu|intencji|udziałem|rodziny)\b)+\Z")


class Told:
    """Places and remarks of one document as they may be shown.

    Args:
        document: the page, which shows what it uses as the name of a place.
    """

    def __init__(self, document: Document) -> None:
        self._document = document
        self._places: dict[str, str] = {"": ""}
        # Worked out when first asked for, and kept by hand: compiled, a cached property is worked out each time.
        self._known_towns: list[str] | None = None
        self._known_headers: frozenset[str] | None = None
        self._known_starts: list[int] | None = None
        self._text = ""

    def place(self, name: str) -> str:
        """A place as read, without the name of a person; "" when it is nothing but one."""
        told = self._places.get(name)
        if told is None:
            told = public_place(name, is_known=False)
            if MASK in told and self._is_known(name):
                told = public_place(name, is_known=True)
            self._places[name] = told
        return told

    def _is_known(self, name: str) -> bool:
        """Whether the page uses a name as a place: over or before hours, beside buildings, after `w`, or more than once."""
        if name in self._headers():
            return True
        lines = 0
        for number, at in self._occurrences(name):
            line = self._document.lines[number]
            lines += 1
            if _IN.search(line.text[max(0, at - _IN_CHARACTERS) : at]) is not None or self._heads(number, at, name):
                return True
        return lines >= _OFTEN or self._stands_in(fold(name))

    def _heads(self, number: int, at: int, name: str) -> bool:
        """Whether a name heads what stands below or after it, or stands beside a building; never where persons are spoken of."""
        line = self._document.lines[number]
        rest = line.text[at + len(name) : at + len(name) + _AROUND]
        alone = not line.text[:at].strip() and not rest.strip(" :")
        if alone and (line.kind is LineKind.HEADING or (line.table >= 0 and line.column == 0) or self._is_over_days(number)):
            return True
        before, behind = line.text[max(0, at - _AROUND) : at], rest
        around = _CLAUSE.split(before)[-1] + name + _CLAUSE.split(behind, maxsplit=1)[0]
        if _OF_PERSONS.search(around) is not None:
            return False
        return (_leads(before) and _BEHIND_LABEL.match(rest) is not None) or _BUILDING.search(around) is not None

    def _is_over_days(self, number: int) -> bool:
        """Whether the line below begins with a day, as a list of hours does."""
        below = self._document.lines[number + 1 : number + 2]
        word = _WORD.search(below[0].text) if below else None
        return word is not None and is_of_schedules(fold(word.group())) and len(word.group()) > _JOINING

    def _stands_in(self, name: str) -> bool:
        """Whether the page says `w` of a folded name in another case: `Strzybnik`, `w Strzybniku`."""
        stem = name[: max(_LEAST_STEM, len(name) - _END_OF_CASE)]
        at = bisect_left(self._towns(), stem)
        return len(stem) >= _LEAST_STEM and any(
            town.startswith(stem) and len(town) <= len(name) + _END_OF_CASE for town in self._towns()[at : at + _MOST_OCCURRENCES]
        )

    def _towns(self) -> list[str]:
        """The capitalised words after `w` that are no names of persons, folded, in order."""
        if self._known_towns is None:
            words = {fold(match[1]) for match in _IN_SOME_PLACE.finditer(self._document.text)}
            self._known_towns = sorted(word for word in words if not names_person(word))
        return self._known_towns

    def _headers(self) -> frozenset[str]:
        if self._known_headers is None:
            lines = self._document.lines
            self._known_headers = frozenset(header for line in lines for header in (line.row_header, line.column_header))
        return self._known_headers

    def _starts(self) -> list[int]:
        """Where the lines begin in the text, which is kept with them."""
        if self._known_starts is None:
            self._text = self._document.text
            self._known_starts = [0, *accumulate(len(line.text) + 1 for line in self._document.lines)]
        return self._known_starts

    def _occurrences(self, name: str) -> Iterator[tuple[int, int]]:
        """The first occurrences of a name, one to a line: number of the line, offset in it."""
        starts, text = self._starts(), self._text
        at = text.find(name)
        for _ in range(_MOST_OCCURRENCES):
            if at < 0:
                return
            number = bisect_right(starts, at) - 1
            yield number, at - starts[number]
            at = text.find(name, starts[number + 1])


def _leads(before: str) -> bool:
    """Whether nothing but days and seasons stands before a name in its clause, as in `Niedziele: Lipnica 8.00`."""
    if _BEFORE_LABEL.search(before[-_IN_CHARACTERS:]) is not None:
        return True
    clause = re.split(r"[;|•(]", before)[-1]
    if any(character.isdigit() for character in clause):
        return False  # after an hour there stands for whom the Mass is said
    return all(len(word) <= _JOINING or is_of_schedules(fold(word)) for word in _WORD.findall(clause))


def told_note(note: str) -> str:
    """A remark up to the first word that may be a person's, "" when nothing is left to say.

    >>> told_note("dla dzieci"), told_note("z udziałem rodziny Pindorów"), told_note("Msza za Jana Pindora")
    ('dla dzieci', '', 'Msza')
    """
    shown = masked_line(note)
    return shown if MASK not in shown else _LEFT_HANGING.sub("", shown.partition(MASK)[0])
