"""Hide in a line whatever is not known to be harmless; offsets stay until the very end.

Belongs: what the words around a word say of it. Not here: single words (words), numbers (numbers).
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from mass_pipeline.reading.words.folding import fold
from mass_pipeline.reading.words.masking.numbers import number_spans
from mass_pipeline.reading.words.masking.words import (
    begins_name,
    begins_saint,
    has_form_of_surname,
    is_given_name,
    is_holy,
    is_month_too,
    is_of_schedules,
    is_plain,
    is_saint,
    may_be_name,
)

BLANK: Final = "▒"
MASK: Final = "▒▒▒"

_WORD: Final = re.compile(r"[^\W\d_]+")
_BLANKS: Final = re.compile(rf"{BLANK}+(?:[ \t.,'’&-]*{BLANK}+)*")
_ROMAN: Final = re.compile(r"X{0,3}(?:IX|IV|V?I{0,3})")
_QUOTED: Final = re.compile(r"'[^'\n]*'|\"[^\"\n]*\"")
_JOINED: Final = re.compile(r"[ \t]*[-–'’]?[ \t]*")  # between two words of one name
_MARKS_OF_DEAD: Final = "+†✝✞✟"
_MOST_OF_A_SAINT: Final = 4  # words
_IN: Final = frozenset({"w", "we"})
_SHORT: Final = 2
_MASS: Final = "msz"  # "Msza św. Jana" is said for him


def masked(text: str) -> str:
    """The text with everything that may belong to a person hidden; line breaks stay.

    Of a line stay hours and other small numbers, marks, the words of the grammar and other plain ones, patrons after `św.`
    and places after `w`. Source: hazards section 5, Regulation (EU) 2016/679 article 9.

    >>> masked("8.00 + Jan Kowalski; 9.00 w kaplicy św. Jana, tel. 605111222")
    '8.00 + ▒▒▒; 9.00 w kaplicy św. Jana, tel. ▒▒▒'
    """
    return "\n".join(map(masked_line, text.split("\n")))


def without_numbers(line: str) -> str:
    """A line with numbers and addresses of persons alone hidden.

    >>> without_numbers("8.00, tel. 605 111 222")
    '8.00, tel. ▒▒▒'
    """
    kept, position = "", 0
    for start, end in sorted(number_spans(line)):
        if end > position:
            kept += line[position : max(start, position)] + MASK
            position = end
    return kept + line[position:]


def with_masked_quotes(message: str) -> str:
    """A message of an error, or a traceback, with what it quotes of a page masked; the rest is the program's own words.

    >>> with_masked_quotes("ValueError: not a date: 'Jan Kowalski 8.00'")
    "ValueError: not a date: '▒▒▒ 8.00'"
    """

    def hidden(match: re.Match[str]) -> str:
        return match[0][0] + masked_line(match[0][1:-1]) + match[0][-1]

    return "\n".join(line if line.startswith("  ") else _QUOTED.sub(hidden, line) for line in message.split("\n"))


def masked_line(line: str) -> str:
    """One line, masked."""
    return collapsed(blanked(line))


def collapsed(text: str) -> str:
    """A blanked text with one mask for each stretch, which tells nothing of its length."""
    return _BLANKS.sub(MASK, text) if BLANK in text else text


@lru_cache(maxsize=4096)
def blanked(line: str) -> str:
    """The line with each character that may belong to a person replaced by a blank: offsets and words stay.

    Linear in the length of the line.
    """
    spans = number_spans(line)
    spans.extend(_names(line))
    if not spans:
        return line
    characters = list(line)
    for start, end in spans:
        for index in range(start, end):
            if not characters[index].isspace():
                characters[index] = BLANK
    return "".join(characters)


def _names(line: str) -> list[tuple[int, int]]:
    """Spans of words that are not known to be harmless."""
    words = [match.span() for match in _WORD.finditer(line)]
    folded = fold(line)
    judge = _Judge(line)
    hidden: list[bool] = []
    for start, end in words:
        hidden.append(judge.hides(start, end, folded[start:end]))
    for index in range(len(words) - 2, -1, -1):  # "Kwiat Zbigniew": what stands before a name, in capitals too
        if hidden[index + 1] and not hidden[index] and _may_be_surname(line, folded, words, index, judge.marked):
            hidden[index] = True
    return [span for span, is_hidden in zip(words, hidden, strict=True) if is_hidden]


def _may_be_surname(line: str, folded: str, words: list[tuple[int, int]], index: int, marked: set[int]) -> bool:
    (start, end), (after, behind) = words[index], words[index + 1]
    if not (line[start].isupper() and line[after].isupper()) or _JOINED.fullmatch(line, end, after) is None:
        return False
    word = folded[start:end]
    if is_month_too(word):  # "Maja Lisowska", but "3 Maja"
        return not line[:start].rstrip()[-1:].isdigit()
    if not is_given_name(folded[after:behind]) or is_saint(word):
        return False
    return start in marked or not is_of_schedules(word)  # "zm. Zima Jan"


class _Judge:
    """Goes through the words of a line; remembers what the words before say of the next one."""

    def __init__(self, line: str) -> None:
        self.line = line
        self.before = ""  # the word before, folded
        self.end = self.start = 0  # where it ends, and where the next one begins
        self.in_name = False  # the word before was hidden as part of a name
        self.follows_given_name = False
        self.of_saint = 0  # words that may still belong to a patron
        self.in_place = False
        self.marked: set[int] = set()  # where words begin that stand after a mark of the dead or the like

    def hides(self, start: int, end: int, folded: str) -> bool:
        """Whether the next word is hidden."""
        gap = self.line[self.end : start]
        joined = gap == " " or _JOINED.fullmatch(gap) is not None
        capital = self.line[start].isupper()
        self.start = start
        is_hidden = self._hides(folded, gap, joined=joined, capital=capital, length=end - start)
        self.in_place = capital and not is_hidden and (self.in_place or self.before in _IN) and joined
        self.in_name = is_hidden and capital
        girl = capital and is_month_too(folded) and not self.line[: self.start].rstrip()[-1:].isdigit()  # "Maja", but "3 Maja"
        self.follows_given_name = girl or (self.in_name and is_given_name(folded))
        self.before, self.end = folded, end
        return is_hidden

    def _hides(self, folded: str, gap: str, *, joined: bool, capital: bool, length: int) -> bool:
        if begins_saint(folded) and not self.before.startswith(_MASS):
            self.of_saint = _MOST_OF_A_SAINT
            return False
        if self.of_saint and gap.strip(" \t.-–") == "" and (is_saint(folded) or folded in ("i", "w", "od")):
            self.of_saint -= 1
            return False
        self.of_saint = 0
        if is_holy(folded) or (capital and _ROMAN.fullmatch(self.line, self.start, self.start + length)):
            return False
        if length <= _SHORT and not capital:
            return False
        if capital and self._follows_mark(gap):
            self.marked.add(self.start)
        if capital and (self.start in self.marked or (self.in_name and joined)) and may_be_name(folded):
            return True
        if capital and joined and self.follows_given_name:
            return True  # "Jana Sobotę", "Maja Wąs": a surname that is a word too
        if length == 1:
            return False  # an initial, or a numeral
        if is_plain(folded):
            return False
        return not (capital and joined and self._is_town(folded))

    def _follows_mark(self, gap: str) -> bool:
        if any(mark in gap for mark in _MARKS_OF_DEAD):
            return True
        return begins_name(self.before) and gap.strip(" \t.,:;") == ""

    def _is_town(self, folded: str) -> bool:
        """`w Zalesiu`, `w Nowej Wsi`: a capitalised word after `w`, or after such a one."""
        if is_given_name(folded) or has_form_of_surname(folded):
            return False
        return self.before in _IN or self.in_place
