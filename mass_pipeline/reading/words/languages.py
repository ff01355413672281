"""Which language a line, a notice, a page is written in: by its words, so that bilingual pages are read once.

A page is looked at for languages only when a word of theirs stands on it at all; so a page in one language costs nothing.
Belongs here: recognising languages and the words by which pages are judged in them. Not here: the vocabulary (`lexicon`).
"""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import resources
from typing import Final

from mass_pipeline.model.errors import ConfigurationError
from mass_pipeline.reading.words.folding import fold
from mass_pipeline.reading.words.lexicon import known_languages

BASE: Final = "pl"  # of lines that do not tell
_FILE: Final = "_language.toml"
_NEVER: Final = re.compile(r"(?!)")


@dataclass(frozen=True, slots=True)
class Language:
    """What `vocabulary/<code>/_language.toml` says.

    Attributes:
        code: name of the folder.
        page: one of these, in lower case, stands on every page with a schedule in the language.
        telling: finds a word that belongs to the language.
        days: finds a word that names days.
        titles: what is judged (`dedicated`, `news`, `event`, `others`, `hints`) -> beginnings of folded words.
    """

    code: str
    page: tuple[str, ...]
    telling: re.Pattern[str]
    days: re.Pattern[str]
    titles: Mapping[str, tuple[str, ...]]


@cache
def load_language(code: str) -> Language:
    """What is known about a language.

    Raises:
        ConfigurationError: when the folder has no such file or it is malformed.
    """
    file = resources.files("mass_pipeline.reading.words").joinpath("vocabulary", code, _FILE)
    try:
        data = tomllib.loads(file.read_text(encoding="utf-8"))
        titles = {name: tuple(words) for name, words in data["titles"].items()}
        return Language(code, tuple(data["page"]), _telling(data), _beginnings(data["days"]), titles)
    except (OSError, KeyError, tomllib.TOMLDecodeError) as error:
        raise ConfigurationError(f"vocabulary/{code}/{_FILE}: {error!r}. See the file of another language.") from error


def _telling(data: Mapping[str, object]) -> re.Pattern[str]:
    """Whole words, or any letter that only this language has."""
    words, letters, script = data["telling"], data.get("letters", ""), data.get("script", "")
    assert isinstance(words, list)
    parts = [rf"\b(?:{'|'.join(map(re.escape, words))})(?:s|e|en|n)?\b"] if words else []
    parts += [f"[{characters}]" for characters in (letters, script) if characters]
    return re.compile("|".join(parts))


def _beginnings(words: Iterable[str]) -> re.Pattern[str]:
    words = tuple(words)
    return re.compile("|".join(map(re.escape, words))) if words else _NEVER


def languages_of_page(text: str) -> tuple[str, ...]:
    """Languages in which a text may state hours, the base language first.

    >>> languages_of_page("Niedziela / Sunday: 9.00"), languages_of_page("Niedziela: 9.00")
    (('pl', 'en'), ('pl',))
    """
    lower = text.lower()
    others = (code for code in known_languages() if any(_occurs(word, sign, lower) for word, sign in _signs_of(code)))
    return (BASE, *(code for code in others if code != BASE))


@cache
def _signs_of(code: str) -> tuple[tuple[str, str], ...]:
    """Each word of pages in a language with the letter in it that fewest other languages have, an ASCII one for want of such."""
    return tuple((word, max(word)) for word in load_language(code).page)


def _occurs(word: str, sign: str, text: str) -> bool:
    """A search for one letter takes a third of that for a word, and most pages have none of the letters."""
    return (sign < "\x80" or sign in text) and word in text


@lru_cache(maxsize=4096)
def language_of(text: str, languages: tuple[str, ...]) -> str:
    """The language of a line, several joined by `+` where words of several stand in it, "" when no word tells.

    >>> [language_of(text, ("pl", "en")) for text in ("Sunday: 9.00", "Niedziela / Sunday", "9.00")]
    ['en', 'pl+en', '']
    """
    if len(languages) == 1:
        return languages[0]
    lower = text.lower()
    return "+".join(code for code in languages if load_language(code).telling.search(lower))


def languages_of_lines(lines: Sequence[str], languages: tuple[str, ...]) -> list[str]:
    """The language of every line; one that does not tell goes on in that of the line before.

    The first lines have the language of most lines.

    >>> languages_of_lines(["9.00", "Sunday", "9.00"], ("pl", "en"))
    ['en', 'en', 'en']
    """
    if len(languages) == 1:
        return [languages[0]] * len(lines)
    found = [language_of(line, languages) for line in lines]
    current = Counter(language for language in found if language).most_common(1)[0][0] if any(found) else BASE
    for index, language in enumerate(found):
        found[index] = current = language or current
    return found


@cache
def title_pattern(name: str) -> re.Pattern[str]:
    """Finds a word by which folded titles are judged, in any language.

    >>> bool(title_pattern("dedicated").search("mass times"))
    True
    """
    words = dict.fromkeys(word for code in known_languages() for word in load_language(code).titles.get(name, ()))
    return re.compile("|".join(re.escape(fold(word)) for word in words))
