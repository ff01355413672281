"""The words of questions: TOML files of phrases, compiled to patterns over folded text. No meaning here; see the rules."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Final

LANGUAGES: Final = ("pl", "en", "other")
_GAP: Final = r"[^\wʘ]+"


@cache
def load(name: str) -> Mapping[str, object]:
    """A vocabulary file as TOML reads it."""
    return tomllib.loads(files(__name__).joinpath(f"{name}.toml").read_text(encoding="utf-8"))


@cache
def expression(phrases: str) -> str:
    """A regular expression of phrases: `|` parts them, a space is any gap, `~` any letters, `( )?` may be missing.

    >>> bool(re.fullmatch(expression("po poludniu|wieczorn~"), "wieczornej"))
    True
    """
    ordered = sorted(_split(phrases), key=len, reverse=True)  # the longest phrase is tried first
    return "(?:" + "|".join(_phrase(one) for one in ordered) + ")" if ordered else r"(?!)"


def _split(phrases: str) -> Iterator[str]:
    """At the bars outside brackets."""
    depth, start = 0, 0
    for at, character in enumerate(phrases):
        depth += (character == "(") - (character == ")")
        if character == "|" and depth == 0:
            yield phrases[start:at]
            start = at + 1
    if phrases[start:]:
        yield phrases[start:]


def _phrase(phrase: str) -> str:
    pattern = phrase.replace("(", "(?:").replace("~", r"[^\W_\dʘ]*")
    return re.sub(r" (?=\?)|(?<!\\) ", lambda m: f"(?:{_GAP})", pattern)


@cache
def words_pattern(phrases: str) -> re.Pattern[str]:
    """The phrases between borders of words."""
    return re.compile(rf"(?<![^\W_]){expression(phrases)}(?![^\W_])")


@cache
def joined(section: str, key: str) -> str:
    """The phrases of a key in all languages."""
    return "|".join(str(table[key]) for table in _sections(section) if table.get(key))


@cache
def mapping(section: str) -> Mapping[str, str]:
    """Keys of a section with their phrases, all languages together."""
    keys = dict.fromkeys(key for table in _sections(section) for key in table)
    return {key: joined(section, key) for key in keys}


@cache
def values(section: str) -> Mapping[str, str]:
    """A section whose keys are phrases: value -> phrases."""
    found: dict[str, list[str]] = {}
    for table in _sections(section):
        for phrases, value in table.items():
            found.setdefault(str(value), []).append(phrases)
    return {value: "|".join(phrases) for value, phrases in found.items()}


def value_of(section: str, words: str) -> int:
    """The whole number that a section of `values` gives words."""
    return next(int(value) for value, phrases in values(section).items() if re.fullmatch(expression(phrases), words))


def _sections(section: str) -> Iterator[Mapping[str, object]]:
    for language in LANGUAGES:
        table = load(language).get(section, {})
        assert isinstance(table, dict)
        yield table


@cache
def filler() -> frozenset[str]:
    """Words that say nothing about what is asked."""
    return frozenset(joined("filler", "words").replace("|", " ").split())


@cache
def known_words() -> frozenset[str]:
    """Every word of every phrase, for telling a mistyped one; of words with any ending the beginning."""
    found: set[str] = set(filler())
    churches = (str(value) for value in load("churches").values() if isinstance(value, str))
    for phrases in (*_all_phrases(), *churches):
        for phrase in _split(phrases):
            found.update(word for written in _written(phrase) for word in written.split())
    return frozenset(found)


@cache
def mending_words() -> tuple[str, ...]:
    """Words that a mistyped one may mean: those of days, hours and kinds, sorted; not names of churches or other services."""
    phrases = (phrase for phrases in _all_phrases(("filler", "not_served")) for phrase in _split(phrases))
    written = (word for phrase in phrases for way in _written(phrase) for word in way.split())
    return tuple(sorted({word for word in (*filler(), *written) if word.isalpha()}))


@cache
def open_words() -> tuple[str, ...]:
    """Beginnings of the words that may have any ending."""
    return tuple(sorted({word for phrases in _all_phrases() for word in re.findall(r"([a-z]{4,})~", phrases)}))


def _all_phrases(without: tuple[str, ...] = ("filler",)) -> Iterator[str]:
    for language in LANGUAGES:
        for name, section in load(language).items():
            if isinstance(section, dict) and name not in without:
                for key, value in section.items():
                    yield from (key, str(value))
    for feast in feasts():
        yield feast["words"]


def _written(phrase: str) -> Iterator[str]:
    """The ways to write a phrase, each choice and each word that may be missing spelt out."""
    choice = re.search(r"\(([^()]*)\)(\?)?", phrase)
    if choice is None:
        yield phrase
        return
    for option in (*choice[1].split("|"), *([""] if choice[2] else [])):
        yield from _written(phrase[: choice.start()] + option + phrase[choice.end() :])


@cache
def feasts() -> tuple[dict[str, str], ...]:
    """The feasts: `words`, `date`, and where there are, `name` and `from`."""
    table = load("feasts")["feast"]
    assert isinstance(table, list)
    return tuple(table)
