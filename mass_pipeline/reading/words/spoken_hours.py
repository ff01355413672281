"""Hours in words: "o siódmej", "godz. dziewiąta i jedenasta", "w czwartki tylko siódma", "wpół do ósmej", "w południe".

Belongs here: which words are an hour. Not here: hours in digits (clock), what takes place then.
"""

from __future__ import annotations

import re
from typing import Final

from mass_pipeline.reading.words.weekday_patterns import WEEKDAY

_ORDINALS: Final = (  # beginnings, folded
    "piat szost siodm osm dziewiat dziesiat jedenast dwunast trzynast czternast pietnast szesnast siedemnast osiemnast "
    "dziewietnast dwudziest"
)
HOURS: Final = {word: hour for hour, word in enumerate(_ORDINALS.split(), 5)}
_NUMERALS: Final = ("piat", "szost", "siodm", "osm", "dziewiat", "dziesiat", "nast", "dwudziest")  # one stands in each of these
_HALVES: Final = {"": "00", "trzydziesci": "30", "pietnascie": "15", "czterdziesci piec": "45"}
_STEM: Final = "|".join(sorted(HOURS, key=len, reverse=True))
_NO_HOUR: Final = (  # "o piątej rocznicy"; "o ósmej (8.00)" says it twice
    r"(?! ?\(\d| (?:roczn|klas|edycj|niedziel|stacj|czesc|minut|pielgrzym|kadencj|grup|druzyn|kolejn))"
)
_MINUTES: Final = r" (?:trzydziesci|pietnascie|czterdziesci piec)\b"
_ONE: Final = rf"(?:w ?pol do )?(?:{_STEM})(?:ej|a)\b{_NO_HOUR}(?:{_MINUTES})?(?! ?\(\d|{_MINUTES})"
_REST: Final = rf"(?:(?: rano)?(?:,| i| oraz)+ (?:o )?(?:godz\. )?{_ONE})"
_SPOKEN: Final = re.compile(
    rf"\b(?P<led>o(?: godz(?:inie|\.)?)?|godz(?:ina|inie|iny|\.)) (?P<list>{_ONE}{_REST}*)|(?<=[-–:] )(?P<bare>{_ONE}{_REST}+)"
    rf"|\b(?:tylko|wylacznie|jedynie) (?P<alone>{_ONE})"
    rf"|\b(?P<half>w ?pol do (?:{_STEM})ej)\b|\bo (?P<midnight>polnocy)\b|\bw (?P<noon>poludnie)\b"
)
_LED: Final = re.compile(rf"\b(?:o(?: godz(?:inie|\.)?)?|godz(?:ina|inie|iny|\.)) {_ONE}")
_OF_DAYS: Final = re.compile(rf"(?:{WEEKDAY}|powszedni|swiet|\bmsz)\w*[^.;\n\d]{{0,20}}$")  # "niedziela: siódma, dziewiąta"
_PARTS: Final = re.compile(
    rf"(?P<half>w ?pol do )?(?P<stem>{_STEM})(?:ej|a)\b(?: (?P<minutes>trzydziesci|pietnascie|czterdziesci piec)\b)?"
)


def in_digits(folded: str) -> str:
    """Hours in words in digits; the text keeps its length.

    Args:
        folded: without accents, in lower case.

    >>> in_digits("msza o siodmej"), in_digits("godz. dziewiata i jedenasta")
    ('msza o 7.00   ', 'godz. 9.00      i 11.00    ')
    >>> in_digits("klasy: szosta i siodma"), in_digits("msza o osmej, w niedziele: osma i dziesiata")
    ('klasy: szosta i siodma', 'msza o 8.00 , w niedziele: 8.00 i 10.00    ')
    """
    return _SPOKEN.sub(lambda match: _digits(match) if _is_hour(match) else match[0], folded)


def spoken_hours(folded: str) -> list[tuple[int, int, str]]:
    """(start, end, `HH:MM`) of each hour in words, in order; none for midnight and noon, which no standing order tells."""
    found: list[tuple[int, int, str]] = []
    if not any(numeral in folded for numeral in _NUMERALS):
        return found  # most lines: the search takes ten times as long
    for match in _SPOKEN.finditer(folded):
        if match["midnight"] or match["noon"] or not _is_hour(match):
            continue
        for part in _PARTS.finditer(folded, match.start(), match.end()):
            hour, _, minute = _clock(part).strip().partition(".")
            found.append((part.start(), part.end(), f"{int(hour):02d}:{minute}"))
    return found


def has_spoken_hour(folded: str) -> bool:
    """Whether a folded text names an hour in words."""
    may_name = any(word in folded for word in (*_NUMERALS, "polnocy", "poludnie"))
    return may_name and any(map(_is_hour, _SPOKEN.finditer(folded)))


def _is_hour(match: re.Match[str]) -> bool:
    """A list after a dash or a colon is one of hours behind others or behind days: "klasy: szósta i siódma" are none."""
    if not match["bare"] and not match["alone"]:
        return True
    led = _LED.search(match.string, 0, match.start())
    return led is not None or _OF_DAYS.search(match.string, 0, match.start()) is not None


def _digits(match: re.Match[str]) -> str:
    if match["midnight"] or match["noon"]:
        return f"o {'24.00' if match['midnight'] else '12.00'}".ljust(len(match[0]))
    if match["half"] and not match["list"]:
        return _PARTS.sub(_clock, match[0])
    if match["bare"] or match["alone"]:
        return _PARTS.sub(_clock, match[0])
    return match["led"] + " " + _PARTS.sub(_clock, match["list"])


def _clock(match: re.Match[str]) -> str:
    hour = HOURS[match["stem"]]
    if match["half"]:
        return f"{hour - 1}.30".ljust(len(match[0]))
    return f"{hour}.{_HALVES[match['minutes'] or '']}".ljust(len(match[0]))
