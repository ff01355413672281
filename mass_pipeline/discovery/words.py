"""Compare Polish names however they are inflected or abbreviated: towns, dedications. Pure functions on folded words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from mass_pipeline.model.identifiers import fold

_WORD: Final = re.compile(r"[^\W_]+")
_ROMAN_LETTERS: Final = frozenset("ivxlcdm")
# Names whose stem changes: the nominative and its other forms meet at the genitive.
_SAME: Final = {
    form: stem
    for stem, forms in {
        "pawla": "pawel pawlowi pawle",
        "marka": "marek markowi marku",
        "maria": "maryi marii maryja maryje maryjo",
        "wawrzynca": "wawrzyniec wawrzyncu",
        "jacka": "jacek jacku",
        "franciszka": "franciszek franciszku",
        "feliksa": "feliks",
        "idziego": "idzi",
        "jerzego": "jerzy jerzym",
        "bozej": "boza boskiej boska boze bozy",
        "krola": "krol krolu",
        "kosciola": "kosciol kosciele",
        "aniolow": "aniol aniolowie aniola",
        "ojca": "ojciec ojcu",
        "grzegorza": "grzegorz",
        "lukasza": "lukasz",
        "marii": "",
    }.items()
    for form in forms.split()
}


def words(text: str) -> list[str]:
    """Folded words in order, numbers included.

    >>> words("Św. Józefa, Łódź-Górna 2")
    ['sw', 'jozefa', 'lodz', 'gorna', '2']
    """
    return _WORD.findall(fold(text))


def is_same_word(first: str, second: str) -> bool:
    """Whether two folded words are forms of one: a common stem with short endings.

    >>> is_same_word("krzyza", "krzyz"), is_same_word("marka", "marta"), is_same_word("gdansk", "gdansku")
    (True, False, True)
    """
    first, second = _SAME.get(first, first), _SAME.get(second, second)
    if first == second:
        return True
    if first.isdigit() or second.isdigit() or _ROMAN_LETTERS.issuperset(first) or _ROMAN_LETTERS.issuperset(second):
        return False
    shorter = min(len(first), len(second))
    common = _common_prefix(first, second)
    return common >= max(3, shorter - 1) and max(len(first), len(second)) - common <= 3


def has_word(wanted: str, among: Iterable[str]) -> bool:
    """Whether a form of the word is among the words."""
    return any(is_same_word(wanted, word) for word in among)


def has_town(town: str, text_words: Sequence[str]) -> bool:
    """Whether the town is named: its words in order, each in any form; "k." (near) and what follows it does not count.

    >>> has_town("Nowy Targ", words("parafia w Nowym Targu"))
    True
    >>> has_town("Targ", words("Nowotarska 3"))
    False
    """
    wanted = words(re.split(r"\bk\.|\bkoło\b|\bk/|\(", town)[0])
    if not wanted:
        return False
    last = len(text_words) - len(wanted)
    return any(all(_is_town_word(w, text_words[at + i]) for i, w in enumerate(wanted)) for at in range(last + 1))


def _is_town_word(wanted: str, found: str) -> bool:
    """Towns change their last sounds more than saints do: Piła, Pile; Łódź, Łodzi; Kielce, Kielcach."""
    if wanted == found:
        return True
    shorter = min(len(wanted), len(found))
    common = _common_prefix(wanted, found)
    return common >= max(2 if shorter <= 4 else 3, shorter - 2) and max(len(wanted), len(found)) - common <= 4


def _common_prefix(first: str, second: str) -> int:
    count = 0
    for a, b in zip(first, second, strict=False):
        if a != b:
            break
        count += 1
    return count
