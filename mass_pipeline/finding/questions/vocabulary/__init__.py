"""The words of questions: TOML files of phrases, compiled to patterns over folded text. No meaning here; see the rules.

Days, months, ordinals and hours in words are those of the readers of pages (`reading.words`), in all its languages.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Final

from mass_pipeline.finding.feasts import feasts
from mass_pipeline.finding.questions.text import in_latin_letters
from mass_pipeline.finding.statements import adjectives_of_languages
from mass_pipeline.model.identifiers import fold
from mass_pipeline.model.records import WEEKDAYS
from mass_pipeline.reading.words import weekday_patterns
from mass_pipeline.reading.words.lexicon import forms_of, known_languages
from mass_pipeline.reading.words.spoken_hours import HOURS

LANGUAGES: Final = ("pl", "en", "other")
_GAP: Final = r"[^\wʘ]+"
_SPACE: Final = re.compile(r" (?=\?)|(?<!\\) ")
_KINDS: Final = {"weekdays": "day", "months": "month", "ordinals": "ordinal", "of_month": "ofmonth"}  # of reading.words
_BY_PHRASE: Final = frozenset(  # sections that are written phrase by phrase, with its value
    ("hours", "minutes", "parts", "spans", "distances", "travel", "days", "weeks", "in_weeks", "weekends")
)
_ABBREVIATE: Final = ("pl", "en")  # short names of days of other languages are words here ("do", "ne")
_NUMERALS: Final = {1: "pierwsz", 2: "drug", 3: "trzeci", 4: "czwart", **{hour: stem for stem, hour in HOURS.items()}}
_OF_AN_HOUR, _OF_A_DATE = "(a|ej|iej)?", "(y|i|ego|iego)?"


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
    patterns = (phrase.replace("(", "(?:").replace("~", r"[^\W_\dʘ]*") for phrase in ordered)
    return "(?:" + "|".join(_SPACE.sub(lambda _: f"(?:{_GAP})", one) for one in patterns) + ")" if ordered else r"(?!)"


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


@cache
def words_pattern(phrases: str) -> re.Pattern[str]:
    """The phrases between borders of words."""
    return re.compile(rf"(?<![^\W_]){expression(phrases)}(?![^\W_])")


@cache
def mapping(section: str) -> Mapping[str, str]:
    """Keys or values of a section with their phrases, all languages together."""
    found: dict[str, list[str]] = {}
    for table in _sections(section):
        for key, value in table.items():
            named, phrases = (str(value), key) if section in _BY_PHRASE else (key, str(value))
            found.setdefault(named, []).extend(filter(None, [phrases]))
    for named, phrases in _of_reading(section).items():
        found.setdefault(named, []).append(phrases)
    return {named: "|".join(phrases) for named, phrases in found.items()}


def joined(section: str, key: str) -> str:
    """The phrases of a key in all languages."""
    return mapping(section)[key]


def value_of(section: str, words: str) -> str:
    """The key or value of a section that words stand for."""
    return next(value for value, phrases in mapping(section).items() if re.fullmatch(expression(phrases), words))


def number_of(section: str, words: str) -> int:
    """The whole number that a section gives words."""
    return int(value_of(section, words))


@cache
def every(section: str) -> str:
    """An expression of all phrases of a section."""
    return expression("|".join(mapping(section).values()))


@cache
def _of_reading(section: str) -> Mapping[str, str]:
    """Phrases that the readers of pages know: days, months and ordinals in all languages, hours and days of months in Polish."""
    if section == "standing_plural":
        return {str(number): day for number, day in enumerate(weekday_patterns.WEEKDAYS_EVERY)}
    if section == "languages":
        return {code: f"{stem}(i|a|iej|iego|im|ie|u)" for stem, code in adjectives_of_languages().items()}
    if section in ("hours", "day_words"):
        ending = _OF_AN_HOUR if section == "hours" else _OF_A_DATE
        tens = {20 + n: f"dwudziest(ej|a) {_NUMERALS[n]}{ending}" for n in (1, 2, 3)} if section == "hours" else {}
        return {str(n): f"{stem}{ending}" for n, stem in {**tens, **_NUMERALS}.items()}
    found: dict[str, list[str]] = {}
    if section == "weekdays":
        cases = (weekday_patterns.WEEKDAY_NAMES.values(), weekday_patterns.EVERY_OF_ONE, weekday_patterns.WEEKDAYS_OF)
        found = {str(number): [fold(day) for day in days] for number, days in enumerate(zip(*cases, strict=True))}
    kind = _KINDS.get(section, "")
    for language in known_languages() if kind else ():
        for value, forms in forms_of(kind, language).items():
            key = str(WEEKDAYS.index(value)) if kind == "day" else "words" if kind == "ofmonth" else value
            found.setdefault(key, []).extend(phrase for form in forms if (phrase := _of_form(form, kind, language)))
    return {key: "|".join(dict.fromkeys(phrases)) for key, phrases in found.items()}


def _of_form(form: str, kind: str, language: str) -> str:
    """A form of the vocabulary of pages as a phrase; "" for one of several words, and for a short name that is a word here."""
    phrase = fold(in_latin_letters(form.removesuffix("."))).replace("*", "~")
    is_short = form.endswith(".") or len(phrase) <= 2
    is_of_words = kind != "ofmonth" and not phrase.removesuffix("~").isalnum()
    return "" if is_of_words or (is_short and language not in _ABBREVIATE) or form in _WORDS_TOO else phrase


_WORDS_TOO: Final = frozenset(("nie.", "ni.", "pi."))


@cache
def short_months() -> Mapping[str, str]:
    """Months as people cut them short after a number: "24 grud", "3 sty"."""
    names = {number: phrases.split("|") for number, phrases in _of_reading("months").items()}
    return {
        number: "|".join(sorted({name[:n] for name in found for n in (3, 4, 5) if n < len(name) and "~" not in name[:n]}))
        for number, found in names.items()
    }


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
    for phrases in (*_all_phrases(), *_churches()):
        for phrase in _split(phrases):
            found.update(word for written in _written(phrase) for word in written.split())
    return frozenset(found)


def is_of_vocabulary(word: str) -> bool:
    """Whether a folded word is one of a phrase, with any ending where that may have any."""
    return word in known_words() or word.startswith(_beginnings())


@cache
def _beginnings() -> tuple[str, ...]:
    return (*open_words(), *(word[:-1] for word in known_words() if word.endswith("~")))


@cache
def mending_words() -> tuple[str, ...]:
    """Words that a mistyped one may mean: those of days, hours and kinds, sorted; not names of churches or other services."""
    phrases = (phrase for phrases in _all_phrases(("filler", "not_served")) for phrase in _split(phrases))
    written = (word for phrase in phrases for way in _written(phrase) for word in way.split())
    return tuple(sorted({word for word in (*filler(), *written) if word.isalpha()}))


@cache
def open_words() -> tuple[str, ...]:
    """Beginnings of the words that may have any ending."""
    phrases = (*_all_phrases(), *_churches())
    return tuple(sorted({word for one in phrases for word in re.findall(r"([a-z]{4,})~", one)}))


def _churches() -> tuple[str, ...]:
    return tuple(value for value in load("churches").values() if isinstance(value, str))


def _all_phrases(without: tuple[str, ...] = ("filler",)) -> Iterator[str]:
    for language in LANGUAGES:
        for name, section in load(language).items():
            if isinstance(section, dict) and name not in without:
                for key, value in section.items():
                    yield from (key, str(value))
    for section in ("standing_plural", "hours", "day_words", "languages", *_KINDS):
        yield from _of_reading(section).values()
    yield from short_months().values()
    for feast in feasts():
        yield feast.words


def _written(phrase: str) -> Iterator[str]:
    """The ways to write a phrase, each choice and each word that may be missing spelt out."""
    choice = re.search(r"\(([^()]*)\)(\?)?", phrase)
    if choice is None:
        yield phrase
        return
    for option in (*choice[1].split("|"), *([""] if choice[2] else [])):
        yield from _written(phrase[: choice.start()] + option + phrase[choice.end() :])
