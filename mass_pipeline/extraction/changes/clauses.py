"""Sentences and clauses of an announcement, without breaking at abbreviations or between hours."""

from __future__ import annotations

import re
from typing import Final

_ABBREVIATIONS: Final = re.compile(
    r"\b(?:sw|śp|sp|godz|ks|r|np|tj|ul|bp|abp|o|g|pw|nmp|tel|kan|prob|im|os|m-ca|m|św|pon|wt|śr|sr|czw|pt|sob|niedz|nd)\.$", re.I
)
_SENTENCE_END: Final = re.compile(r"(?:[.!?]|[:;]-?[()])\s+(?=[A-ZĄĆĘŁŃÓŚŹŻ0-9„])|\n+")
_MASS_ABBREVIATED: Final = re.compile(r"\bmsz\w+ św\.$", re.I)
# Words that hardly follow "Msza św." within a sentence.
_OPENER: Final = re.compile(
    r"(?:Nie|We?|Na|Po|Od|Do|Za|Dziś|Jutro|Zapraszamy|Prosimy|Spowiedź|Msz[aeyę]|Różaniec|Przed|Dzieci|Kancelaria|Intencje|Inn[ey]\w*|Pozostał\w+|Wieczorn\w+|Porann\w+|Serdecznie)\b"
)
_CLAUSE_END: Final = re.compile(
    r";\s*|,\s+(?=(?:ponieważ|gdyż|bo|bowiem|dlatego|a(?! nie (?:o|jak)\b)|ale(?! o \d)|natomiast|zaś|zas|lecz(?! o \d)|"
    r"z tego (?:względu|wzgledu|powodu)|stąd|w związku z tym|(?:wieczorem|rano)(?=[^,;\d]* nie\b)|"
    r"po niej|po nim|potem|następnie|nie (?!o \d)|bez |zapraszamy|intencja|intencje|przed|tylko|roraty|"
    r"pasterka|nauka|spotkanie|próba|"
    r"zbiórka|spowiedź|różaniec|adoracja|nabożeństwo|katecheza|wyjazd|koncert|procesja|"
    r"(?:(?!zamiast|oprócz|oprocz|prócz|poza|następne|pozostałe|kolejne|kolejna)\w+ )?msz[aeyę]\w*)\b)"
    r"|,\s+(?=o (?:godz\.? ?)?\d{1,2}(?:[.:]\d\d)? (?:\w+ )?"
    r"(?:msz|pasterk|sum|nabo|roza|nieszp|adorac|spowied|rozpocz|zaczn|będzie|nie ))"
    r"|,\s+(?=(?:porann|wieczorn)\w+ (?:nie|brak|msz|o\b)\w*)"
    r"|\s+(?=(?:natomiast|a (?:msz\w+|po |o |w ))\b)"
    r"|\s+(?=(?:i|oraz|a także|a takze) (?:dodatkow\w+|(?:wtedy |wówczas |tego dnia |w tym dniu )?nie (?:ma|będzie|będą)\b))"
    r"|\s*\((?=(?:nie|bez|oprócz)\b)",
    re.I,
)


_NEGATED: Final = re.compile(r"\bnie (?:ma|będzie|będą)\b", re.I)
_MOVES: Final = re.compile(r"zamiast|przen[io]|przesu|\bnie o\b", re.I)
_WHAT_STAYS: Final = re.compile(r",\s+(?=(?:jest|są|będzie|będą|pozostaje|pozostają) (?:tylko |za to )?o (?:godz\.? ?)?\d)", re.I)


def sentences(text: str) -> list[str]:
    """Sentences in order, white space folded, none empty.

    >>> sentences("Msza św. o godz. 8.00. W środę Mszy nie będzie.")
    ['Msza św. o godz. 8.00.', 'W środę Mszy nie będzie.']
    """
    parts: list[str] = []
    start = 0
    for match in _SENTENCE_END.finditer(text):
        head = text[start : match.start() + 1].rstrip("\n")
        if "\n" not in match[0] and _goes_on(head, text[match.end() :]):
            continue
        parts.append(head)
        start = match.end()
    parts.append(text[start:])
    return [" ".join(part.split()) for part in parts if part.strip()]


def _goes_on(head: str, rest: str) -> bool:
    """Whether a full stop belongs to an abbreviation within a sentence."""
    if re.search(r"\d\.$", head) or not _ABBREVIATIONS.search(head):
        return False
    return not (_MASS_ABBREVIATED.search(head) and _OPENER.match(rest))


def clauses(sentence: str) -> list[str]:
    """Clauses of a sentence in order; lists of hours stay whole."""
    parts = [part for clause in _CLAUSE_END.split(sentence) if clause for part in _by_what_stays(clause)]
    return [part.strip(" ,") for part in parts if part.strip(" ,")]


def _by_what_stays(clause: str) -> list[str]:
    """A negation apart from what is said behind it: "nie ma Mszy o 7.00, jest o 18.00"; hours of a move stay together."""
    if not _NEGATED.search(clause) or _MOVES.search(clause):
        return [clause]
    return _WHAT_STAYS.split(clause, maxsplit=1)
