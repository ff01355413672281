"""Hide names of private persons before a text is stored or shown: intentions tell of deaths, illness and faith (GDPR art. 9).

Saints, streets and schools keep their names: annotators need them and they are no private persons. When in doubt a
word is hidden; the question "is this hour a Mass?" can be answered without it.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Final

MASK: Final = "▒▒▒"

_NAME: Final = r"[A-ZĄĆĘŁŃÓŚŹŻ][a-ząćęłńóśźż]+(?:-[A-ZĄĆĘŁŃÓŚŹŻ][a-ząćęłńóśźż]+)?"
_CAPITALS: Final = r"[A-ZĄĆĘŁŃÓŚŹŻ]{2,}(?:-[A-ZĄĆĘŁŃÓŚŹŻ]{2,})?"
_INITIAL: Final = r"[A-ZĄĆĘŁŃÓŚŹŻ]\.(?![0-9])"
_PERSON: Final = rf"(?:{_NAME}|{_CAPITALS}|{_INITIAL})"
_JOIN: Final = r"(?:[ \t]*,[ \t]*|[ \t]+(?:i|oraz|z[ ]d\.|z[ ]domu)[ \t]+|[ \t]+)"

_TITLE: Final = r"(?:(?:ks|bp|abp|kard|o)\.[ \t]*)?"  # "ul. ks. Franciszka ..." is a street
_RUN: Final = re.compile(rf"{_PERSON}(?:{_JOIN}{_PERSON})*")
_WORD: Final = re.compile(rf"{_NAME}|{_CAPITALS}")
_EMAIL: Final = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_MOBILE: Final = re.compile(r"(?<![\d.:])(?:\+48[ -]?)?\d{3}[ -]\d{3}[ -]\d{3}(?![\d])")


@dataclass(frozen=True, slots=True)
class _Words:
    """The vocabulary of masking.toml and first_names.txt, compiled."""

    cue: re.Pattern[str]
    public_before: re.Pattern[str]
    common: frozenset[str]
    first_names: frozenset[str]


@cache
def _words() -> _Words:
    folder = resources.files("mass_pipeline.annotation")
    table = tomllib.loads(folder.joinpath("masking.toml").read_text(encoding="utf-8"))
    names = folder.joinpath("first_names.txt").read_text(encoding="utf-8").split()
    cues = "|".join(table["cues"])
    return _Words(
        cue=re.compile(rf"(?:[+†✝]{{1,3}}|\b(?:{cues}))(?=[ \t:,;+†✝]|$)[ \t:;+†✝]*", re.IGNORECASE),
        public_before=re.compile(rf"\b(?:{'|'.join(table['public_before'])})[ \t]*{_TITLE}$", re.IGNORECASE),
        common=frozenset(table["common_words"].split()),
        first_names=frozenset(form for name in names for form in _cases(name.casefold())),
    )


def mask_names(text: str) -> str:
    """The text with names of private persons, e-mail addresses and mobile numbers hidden; line breaks stay.

    Source: hazards section 5 (names removed before labelling).

    >>> mask_names("8.00 + Jan Kowalski; 9.00 w kościele św. Jana")
    '8.00 + ▒▒▒; 9.00 w kościele św. Jana'
    """
    return "\n".join(_mask_line(line) for line in text.split("\n"))


def _mask_line(line: str) -> str:
    line = _MOBILE.sub(MASK, _EMAIL.sub(MASK, line))
    return _mask_known_first_names(_mask_behind_cues(line))


def _mask_behind_cues(line: str) -> str:
    parts: list[str] = []
    end = 0
    for cue in _words().cue.finditer(line):
        if cue.start() < end:
            continue
        run = _RUN.match(line, cue.end())
        if run is None or _is_no_person(line[: cue.start()], cue.group(), run.group()):
            continue
        kept = _cut_at_common_word(run.group())
        parts += [line[end : cue.end()], MASK]
        end = cue.end() + len(kept)
    return "".join(parts) + line[end:]


def _is_no_person(before: str, cue: str, run: str) -> bool:
    """Whether the capitals behind a cue are an ordinary word, a street's priest, or simply a line all in capitals."""
    words = _WORD.findall(run)
    if not words or _is_common(words[0], _may_be_name(before + cue)) or _words().public_before.search(before):
        return True
    names_the_dead = any(mark in cue for mark in "+†✝śŚ")
    return run.isupper() and not names_the_dead and not any(word.casefold() in _words().first_names for word in words)


def _is_common(word: str, may_be_name: bool) -> bool:
    """Whether a word is no name. A few are both: Maja is a girl, and of May."""
    folded = word.casefold()
    return folded in _words().common and not (may_be_name and folded in _words().first_names)


def _may_be_name(before: str) -> bool:
    return not before.rstrip()[-1:].isdigit()  # "3 Maja" is a date or a street


def _cut_at_common_word(run: str) -> str:
    """The part of a run of capitalised words, which begins with a name, before the first one that is none."""
    for position, word in enumerate(_WORD.finditer(run)):
        if _is_common(word.group(), may_be_name=position == 0):
            return run[: word.start()].rstrip(" ,\t")
    return run


def _mask_known_first_names(line: str) -> str:
    parts: list[str] = []
    end = 0
    for run in _RUN.finditer(line):
        masked = _mask_run(run.group(), line[: run.start()])
        parts += [line[end : run.start()], masked]
        end = run.end()
    return "".join(parts) + line[end:]


def _mask_run(run: str, before: str) -> str:
    """Hide a first name with the words that follow it, unless a saint's or street's word stands before."""
    words = list(_WORD.finditer(run))
    for position, word in enumerate(words):
        followed = position + 1 < len(words) and words[position + 1].group().casefold() not in _words().common
        if word.group().casefold() not in _words().first_names or not followed:
            continue
        if _is_common(word.group(), _may_be_name(before + run[: word.start()])):
            continue
        if _is_public(before, run[: word.start()]) or _names_a_pope(run[word.start() :]):
            return run
        kept = _cut_at_common_word(run[word.start() :])
        return run[: word.start()] + MASK + run[word.start() + len(kept) :]
    return run


def _is_public(before: str, start_of_run: str) -> bool:
    # "św. Maksymiliana Marii": the saint's word stands before the whole run of names.
    return any(_words().public_before.search(text) for text in (before, before + start_of_run))


def _names_a_pope(run: str) -> bool:
    return re.match(r"\w+(?: \w+)? [IVX]+\b", run) is not None


def _cases(name: str) -> set[str]:
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
