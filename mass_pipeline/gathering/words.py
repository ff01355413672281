"""Compare Polish names however they are inflected or abbreviated: towns, dedications. Pure functions on folded words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final

from mass_pipeline.gathering.tables import group, rows_of
from mass_pipeline.model.identifiers import fold

_WORD: Final = re.compile(r"[^\W_]+")
_ROMAN_LETTERS: Final = frozenset("ivxlcdm")
_LEAST_ALIKE: Final = 3  # letters that forms of one word begin with
_NEARBY: Final = re.compile(r"\bk\.|\bkoło\b|\bk/|\(")
# Piła-Pile needs none; Mielec-Mielcu, Żywiec-Żywcu, Las-Lesie, Miasto-Mieście, Praga-Pradze, Huta-Hucie, Białystok-Białymstoku.
_SOUND_CHANGES: Final = tuple(
    (re.compile(pattern), replacement)
    for pattern, replacement in (
        (r"ie([ckl])$", r"\1"),
        (r"e([cklnrt])$", r"\1"),
        (r"(?<=[bcdfghklmnpqrstwz])k$", "c"),
        (r"(?<=[aeiouy])k$", "c"),
        (r"g$", "dz"),
        (r"st$", "sc"),
        (r"t$", "c"),
        (r"d$", "dz"),
        (r"ia(?=[^aeiouy]+$)", "ie"),
        (r"iast$", "iesc"),
        (r"y(?=st(?:ok|aw)$)", "ym"),
    )
)
_IRREGULAR_STEMS: Final = {"las": ("les",), "wies": ("ws",), "gniazdo": ("gniezdz",), "siodlo": ("siodl",), "swiat": ("swiec",)}
_SAME: Final = {form: row["stem"] for row in rows_of("stems") for form in row["forms"].split()}


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
    return common >= max(_LEAST_ALIKE, shorter - 1) and max(len(first), len(second)) - common <= 3


def common_form(word: str) -> str:
    """The form under which words of one meaning are compared: "boskiej" is "bozej", "pawel" "pawla"; others as they are."""
    return _SAME.get(word, word)


def beginning(word: str) -> str:
    """The first letters that a folded word has in common with each of its forms: words of two beginnings are never one word.

    >>> beginning("krzyza") == beginning("krzyz"), beginning("wawrzyniec") == beginning("wawrzynca")
    (True, True)
    """
    return _SAME.get(word, word)[:_LEAST_ALIKE]


def has_word(wanted: str, among: Iterable[str]) -> bool:
    """Whether a form of the word is among the words."""
    return any(is_same_word(wanted, word) for word in among)


def has_town(town: str, text_words: Sequence[str]) -> bool:
    """Whether the town is named: its words in order, in any case; "k." (near) and what follows it does not count.

    >>> has_town("Nowy Targ", words("parafia w Nowym Targu")), has_town("Wola Mała", words("w Woli Małej"))
    (True, True)
    >>> has_town("Kraków", words("Krakowskie Przedmieście")), has_town("Marki", words("św. Marii"))
    (False, False)
    """
    wanted = words(_NEARBY.split(town)[0])
    if not wanted:
        return False
    last = len(text_words) - len(wanted)
    return any(all(_is_town_word(w, text_words[at + i]) for i, w in enumerate(wanted)) for at in range(last + 1))


def _is_town_word(wanted: str, found: str) -> bool:
    """Whether a word is a case of the town's word: one of its stems with one of the endings of Polish declension."""
    if wanted == found:
        return True
    endings = group("ending")
    return any(found == stem or (found.startswith(stem) and found[len(stem) :] in endings) for stem in town_stems(wanted))


@lru_cache(maxsize=20_000)
def town_stems(word: str) -> tuple[str, ...]:
    """Stems of a town's word in the nominative, with the changes of sound that declension brings.

    >>> town_stems("mielec"), town_stems("praga")
    (('mielec', 'mielc'), ('prag', 'pradz'))
    """
    if word.isdigit() or len(word) < 3:
        return (word,)
    base = word[:-1] if word[-1] in "aeiouy" and len(word) > 3 else word
    stems = [base, *_IRREGULAR_STEMS.get(word, ())]
    stems.extend(pattern.sub(replacement, base) for pattern, replacement in _SOUND_CHANGES)
    return tuple(dict.fromkeys(stems))


def _common_prefix(first: str, second: str) -> int:
    count = 0
    for a, b in zip(first, second, strict=False):
        if a != b:
            break
        count += 1
    return count
