"""What of a page's words may be shown of a Mass: its place and its remarks without the names of persons.

Belongs: words of rows. Not here: the quote that proves an hour (quotes), which words name persons (reading.words.masking).
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from functools import cached_property, lru_cache
from itertools import accumulate
from typing import Final

from mass_pipeline.model.document import Document
from mass_pipeline.reading.words.folding import fold
from mass_pipeline.reading.words.known_words import begins_with_town
from mass_pipeline.reading.words.lexer import tokenize
from mass_pipeline.reading.words.lexicon import known_languages, load_lexicon
from mass_pipeline.reading.words.masking.lines import MASK, masked_line
from mass_pipeline.reading.words.masking.places import is_form_of_village, public_place
from mass_pipeline.reading.words.masking.words import is_given_name, is_month_too, is_plain, names_person

_OF_PERSONS: Final = re.compile(
    r"[+†✝@]|\b(?:[śs]\.? ?p\.|za|zm|int|intencj\w*|o zdrowie|rocz\w*|urodzin\w*|imienin\w*|ks|tel)\b", re.IGNORECASE
)
_BUILDING: Final = re.compile(
    r"\b(?:kaplic|ko[śs]ci[óo][łl](?:ek|a|)\b|cerk(?:iew|wi)|fili|szko[łl]|klasztor|szpital|DPS|[śs]wietlic|remiz)", re.IGNORECASE
)
_TITLED: Final = re.compile(r"\b(?:pani?|państwo|ks|br|[śs]p)\.?\s+\Z", re.IGNORECASE)
_LAST_WORD: Final = re.compile(r"(?<![^\W_])([A-ZĄĆĘŁŃÓŚŹŻ][^\W\d_]+)\s+\Z")  # in capitals: of a name
_HEADS: Final = re.compile(r"\s*(?:[:–—-]|\Z)")
_IN: Final = re.compile(r"\b(?:w|we|wsi|miejscowości)\s+\Z", re.IGNORECASE)
_IN_SOME_PLACE: Final = re.compile(r"(?<!\w)[Ww]e? ([A-ZĄĆĘŁŃÓŚŹŻ][^\W\d_]{3,40})")
_END_OF_CASE: Final = 2  # letters in which a name of a village and its locative differ most often
_LEAST_STEM: Final = 4
_AFTER_HOUR: Final = re.compile(r"(?<![\d.:])\d{1,2}[.:]\d\d\s*\(\s*\Z")  # "8.00 (Lipnica)", no dash: then a person
_ENDS: Final = re.compile(r"\s*[),;]")
_CAPITAL: Final = re.compile(r"[A-ZĄĆĘŁŃÓŚŹŻ][^\W\d_]{2,}")
_CLAUSE: Final = re.compile(r"[;|•]|(?<=\d)\.\s+(?=[A-ZĄĆĘŁŃÓŚŹŻ])")
_IN_CHARACTERS: Final = 20
_LONGEST_LIST: Final = 400  # characters of a line that may list places
_AROUND: Final = 120  # characters on either side of a name that tell what it is
_MOST_OCCURRENCES: Final = 20
_LEFT_HANGING: Final = re.compile(r"(?:[\s,;:.(–+†-]+|\b(?:[^\W\d_]{1,3}|dla|przez|imieniu|intencji|udziałem|rodziny)\b)+\Z")


class Redactor:
    """Places and remarks of one document as they may be shown.

    Args:
        document: the page, which shows what it uses as the name of a place.
    """

    def __init__(self, document: Document) -> None:
        self._document = document
        self._places: dict[str, str] = {"": ""}
        self._evidenced: dict[str, bool] = {"": True}

    def place(self, name: str) -> str:
        """A place as read, without the name of a person; "" when it is nothing but one."""
        told = self._places.get(name)
        if told is None:
            shown = MASK if self._is_titled(name) else public_place(name, is_known=self.is_place(name))
            told = self._places[name] = shown
        return told

    def is_place(self, name: str) -> bool:
        """Whether anything but the shape of a name tells that it is one of a place: that it names a building or a town, or where
        and how the page uses it. The lack of evidence for a person is none for a place."""
        known = self._evidenced.get(name)
        if known is None:
            known = self._evidenced[name] = _names_building(name) or (
                not (names_person(name) or self._is_titled(name))
                and (begins_with_town(name) or is_form_of_village(name) or self._is_used_as_place(name))
            )
        return known

    def _is_titled(self, name: str) -> bool:
        """`Pani Wrona`, `Maja Wąs`, though there be a village of that name."""
        return any(is_titled(name, self._document.lines[number].text) for number, _ in self._occurrences(name))

    def _is_used_as_place(self, name: str) -> bool:
        """After `w`, at an hour in brackets or after a dash, beside a building or towns in one list."""
        single = " " not in name
        for number, at in self._occurrences(name):
            text = self._document.lines[number].text
            before, rest = text[max(0, at - _AROUND) : at], text[at + len(name) : at + len(name) + _AROUND]
            if _IN.search(before[-_IN_CHARACTERS:]) is not None:
                return True
            if single and _AFTER_HOUR.search(before[-_IN_CHARACTERS:]) is not None and _ENDS.match(rest) is not None:
                return not is_plain(fold(name))
            around = _CLAUSE.split(before)[-1] + name + _CLAUSE.split(rest, maxsplit=1)[0]
            if _OF_PERSONS.search(around) is None and (
                _BUILDING.search(around) is not None or (single and _lists_towns(text, name))
            ):
                return True
        return self._stands_in(fold(name))

    def _stands_in(self, name: str) -> bool:
        """Whether the page says `w` of a folded name in another case: `Strzybnik`, `w Strzybniku`."""
        stem = name[: max(_LEAST_STEM, len(name) - _END_OF_CASE)]
        at = bisect_left(self._towns, stem)
        return len(stem) >= _LEAST_STEM and any(
            town.startswith(stem) and len(town) <= len(name) + _END_OF_CASE for town in self._towns[at : at + _MOST_OCCURRENCES]
        )

    @cached_property
    def _text(self) -> str:
        return self._document.text

    @cached_property
    def _towns(self) -> list[str]:
        """The capitalised words after `w` that are no names of persons, folded, in order."""
        words = {fold(match[1]) for match in _IN_SOME_PLACE.finditer(self._text)}
        return sorted(word for word in words if not names_person(word))

    @cached_property
    def _starts(self) -> list[int]:
        """Where the lines begin in the text."""
        return [0, *accumulate(len(line.text) + 1 for line in self._document.lines)]

    def _occurrences(self, name: str) -> Iterator[tuple[int, int]]:
        """The first occurrences of a name, one to a line: number of the line, offset in it."""
        starts, text = self._starts, self._text
        at = text.find(name)
        for _ in range(_MOST_OCCURRENCES):
            if at < 0:
                return
            number = bisect_right(starts, at) - 1
            yield number, at - starts[number]
            at = text.find(name, starts[number + 1])


@lru_cache(maxsize=4096)
def _names_building(name: str) -> bool:
    return any(token.kind == "place" for language in known_languages() for token in tokenize(name, load_lexicon(language)))


def vouched_place(name: str, line: str) -> str:
    """A name that nothing on its page explains, as it may be shown once something else vouches for its being a place.

    Args:
        name: as read.
        line: it stands in.

    Returns:
        The name; `MASK` for several words, for what heads no hours of the line, and for what has the form of a person's name or
        stands after a title or a given name.

    >>> vouched_place("Kobylec", "hospicjum: 17.00; Kobylec: 10.00"), vouched_place("Kurpik", "Zdzisław Kurpik: 10.00")
    ('Kobylec', '▒▒▒')
    """
    after = line[max(0, line.find(name)) + len(name) :]
    if " " in name or names_person(name) or _HEADS.match(after) is None or is_titled(name, line):
        return MASK
    return public_place(name, is_known=True) or MASK


def is_titled(name: str, line: str) -> bool:
    """Whether a name stands after a title or a given name in its line, so that it is a person's."""
    before = line[: max(0, line.find(name))][-_IN_CHARACTERS:]
    return _TITLED.search(before) is not None or _ends_with_given_name(before)


def _ends_with_given_name(before: str) -> bool:
    word = _LAST_WORD.search(before)
    return word is not None and (is_given_name(fold(word[1])) or is_month_too(fold(word[1])))


def _lists_towns(text: str, name: str) -> bool:
    """Whether a line names another town in the same way, right before an hour or its mark: `Lipnica 8.00, Kwiejce 9.30`."""
    others = [word for word in _CAPITAL.findall(text[:_LONGEST_LIST]) if word not in name]
    return not is_plain(fold(name)) and any(begins_with_town(word) and not names_person(word) for word in others)


def told_note(note: str) -> str:
    """A remark up to the first word that may be a person's, "" when nothing is left to say.

    >>> told_note("dla dzieci"), told_note("z udziałem rodziny Pindorów"), told_note("Msza za Jana Pindora")
    ('dla dzieci', '', 'Msza')
    """
    shown = masked_line(note)
    return shown if MASK not in shown else _LEFT_HANGING.sub("", shown.partition(MASK)[0])
