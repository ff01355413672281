"""Which words name no person: the words of the grammar's phrases in all its languages, and plain words beside them.

Belongs: single words. Not here: what stands around a word in its line (lines), the name of a place (places).
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import resources
from typing import Final

from mass_pipeline.reading.words.folding import fold
from mass_pipeline.reading.words.lexicon import vocabulary_words

_SHORTEST_STEM: Final = 2
_LONGEST_ENDING: Final = 7  # letters of an ending of a case or a person of a verb
_SURNAME: Final = re.compile(  # what no ending of an ordinary word of the lists looks like
    r"^k[aeiouy]|(?:[scz]k|dzk)(?:[aeiouy]|$)|[iy]cz|czyk|czak|(?:^|[^n])iak|niak|czuk|iuk|enk|(?:ak|uk|ek|ik|ko|aus|owie|owna|ewna)$"
)


@dataclass(frozen=True, slots=True)
class _Words:
    exact: frozenset[str]
    stems: frozenset[str]

    def know(self, folded: str) -> bool:
        if folded in self.exact:
            return True
        for length in range(max(_SHORTEST_STEM, len(folded) - _LONGEST_ENDING), len(folded) + 1):
            if folded[:length] in self.stems and _SURNAME.search(folded[length:]) is None:
                return True
        return False


@lru_cache(maxsize=20_000)
def is_of_schedules(folded: str) -> bool:
    """Whether a folded word belongs to a phrase of the grammar, in any language, and is no given name."""
    return _of_grammar().know(folded) and not is_given_name(folded)


@lru_cache(maxsize=20_000)
def is_plain(folded: str) -> bool:
    """Whether a folded word is known to name no person."""
    return is_of_schedules(folded) or (_plain().know(folded) and not is_given_name(folded))


@lru_cache(maxsize=20_000)
def is_given_name(folded: str) -> bool:
    """Whether a folded word is a given name in one of its cases; a month is none."""
    return folded in _given_names()


@lru_cache(maxsize=20_000)
def is_saint(folded: str) -> bool:
    """Whether a folded word is part of the name of a patron of churches."""
    return folded in _table()["saints"]


def may_be_name(folded: str) -> bool:
    """Whether a capitalised word where a name is expected may be one: no word of the grammar (Maja is May and a girl)."""
    return not is_of_schedules(folded) or is_month_too(folded)


def is_month_too(folded: str) -> bool:
    """Whether a folded word is a given name and a month."""
    return folded in _table()["months"]


def is_holy(folded: str) -> bool:
    """Whether a folded word is a holy name or title, which no person's name goes on with."""
    return folded in _table()["holy"]


def begins_saint(folded: str) -> bool:
    """Whether a folded word leads on to a patron: `św.`, `bł.`, `pw.`"""
    return folded in _table()["before_saints"]


def begins_name(folded: str) -> bool:
    """Whether after a folded word a capitalised one is a name: `śp.`, `int.`, `ks.`"""
    return folded in _table()["before_names"]


def has_form_of_surname(folded: str) -> bool:
    """Whether a folded word ends as surnames do and names of places do not."""
    return _SURNAME_FORM.fullmatch(folded) is not None


def names_person(text: str) -> bool:
    """Whether a text that is said to be a place holds a given name, an initial, a mark of the dead or the form of a surname.

    >>> names_person("Genowefa Przybylak"), names_person("Zawadka"), names_person("kaplica w Nowej Wsi")
    (True, False, False)
    """
    if re.search(r"[+†✝@\d]|\b[^\W\d_]\.", text):
        return True
    words = [fold(word) for word in re.findall(r"[^\W\d_]+", text)]
    return any(is_given_name(word) or (has_form_of_surname(word) and not is_plain(word)) for word in words)


_SURNAME_FORM: Final = re.compile(
    r"\w{2,}(?:(?:sk|ck|dzk)(?:i|iego|iemu|im|ich|imi)|[oe]w?icz(?:a|owi|em|u|ow|om|owie)?|czyk(?:a|owi|iem|u|ow|owie)?|[oe]wn[ay]|enko|"
    r"czuk(?:a|ow)?|iene|aite|auskas|yte|scy|ccy|dzcy|ostwo)"
)


@cache
def _of_grammar() -> _Words:
    words = [(element.stem, element.open_ended) for element in vocabulary_words() if len(element.stem) > 1]
    keep = _table()["not_of_grammar"]
    exact = frozenset(stem for stem, _ in words if stem not in keep)
    return _Words(exact, frozenset(stem for stem, open_ended in words if open_ended and stem not in keep))


@cache
def _plain() -> _Words:
    words = [fold(word) for value in _read("plain_words.toml").values() for word in value.split()]
    exact = frozenset(word.rstrip("*") for word in words)
    return _Words(exact, frozenset(word[:-1] for word in words if word.endswith("*")))


@cache
def _table() -> dict[str, frozenset[str]]:
    """The short lists of names.toml, folded."""
    return {name: frozenset(fold(value).split()) for name, value in _read("names.toml").items()}


@cache
def _given_names() -> frozenset[str]:
    names = _read("names.toml")
    forms = {fold(form) for name in names["given"].split() for form in _cases(name.casefold())}
    forms |= set(fold(names["given_as_written"]).split())
    return frozenset(forms) - frozenset(fold(names["months"]).split())


def _read(name: str) -> dict[str, str]:
    return tomllib.loads(resources.files("mass_pipeline.reading.words.masking").joinpath(name).read_text(encoding="utf-8"))


def _cases(name: str) -> set[str]:
    """Forms of a Polish given name."""
    if name.endswith("a"):
        stem = name[:-1]
        endings: tuple[str, ...] = ("a", "y", "i", "ii", "ie", "ę", "ą", "o")
        softened = {
            stem[:-1] + new
            for old, new in (("r", "rze"), ("t", "cie"), ("d", "dzie"), ("k", "ce"), ("g", "dze"), ("ł", "le"))
            if stem.endswith(old)
        }
        return {stem + ending for ending in endings} | softened
    stem = re.sub(r"(?<=[^aeiouy])e(?=[kclmr]$)", "", name)
    stem = name[:-1] if name.endswith(("i", "y")) else stem
    endings = ("", "a", "owi", "em", "iem", "ie", "u", "ego", "emu", "m", "im", "iego", "iemu")
    return {name} | {stem + ending for ending in endings[1:]}
