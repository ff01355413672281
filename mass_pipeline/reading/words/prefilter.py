"""Which lines can say anything of Masses at all, seen before they are read: cheap searches over text as it was written.

They find too much rather than too little, in every language of the vocabulary. Not here: what a word means (vocabulary).
"""

from __future__ import annotations

import re
from typing import Final

from mass_pipeline.reading.words.weekday_patterns import SUNDAY

DAY_WORD: Final = re.compile(  # every alternative begins with a letter, so that the search can skip
    r"nied(?:z|\.)|nd(?<=\bnd)|powsz|poniedz|pon(?<=\bpon)\b|pn(?<=\bpn)\b|pi(?:ąt|at|±t)|pt(?<=\bpt)\b|codzien|cz(?:w|(?<=\bcz)\b)|tyg"
    r"|s(?:b(?<=\bsb)\b|ob[oó.]|r(?:[oó]d|(?<=\bsr)\b)|wi[ęeąa]t|onnt)|ś(?:r(?:[oó]d|(?<=\bśr)\b)|wi[ęeąa]t)|wtor|wt(?<=\bwt)\b|werkt"
    r"|uroczyst|dni(?<=\bdni)\b|dn\.|dzie[nń]|montag|feiert|¶(?:wi|rod)"
)
WORDS_OF_SCHEDULES: Final = re.compile(
    r"\b(?:msz|eucharyst|niedz|powsz|[śs¶]wi|wakac|tyg|tydz|sob|pi[ąa±]|czw|[śs¶]r|wt|pon|pn|pt|nd|codz|na co|li[pst]"
    r"|sierp|zim|lat|let|maj|nabo|spow|sakr|pokut|kanc|biur|ador|nieszp|jutrz|utren|kompl|litan|laud|modl|wypom|zbi[óo]r|pr[óo]b|kap|ko[śs¶]|fil|ror|adw|wielk|porz|uroc|litur|pa[źz]d|wrze|gott|hl|mess|heil"
    r"|r[oó][żz]|int|chrz|gorz|drog|kor|now|od|do|w|we|i{1,3}|iv|vi{0,3}|ix|xi{0,2}|czer|kwie|sty|grud|dz|poz|inn|dla"
    r"|nied|sb|cz\b|so\b|dn\b|dp\b|d\.p|lut|mar[zc]|jesie"
    r"|czyn|otw|spot|godz|tel|apel|pierw|ost|dni|fer|st\.|dps|szp|cment|baz|kat|klasz|sankt|rok|okres|czas|mies)|[-–]ls|¶"
)
LIKE_SUNDAY: Final = re.compile(r"porz[ąa]d(?:ek|ku) (?:jak )?(?:w )?niedziel|jak w (?:ka[żz]d[ąa] )?niedziel", re.IGNORECASE)
REFERS_TO_LIST: Final = re.compile(  # a line of its own
    r"\W{0,3}(?:tak )?jak we? (?:dni|niedziel[eęa]|tygodniu|soboty)\b.{0,40}$", re.IGNORECASE
)
_MASS: Final = r"(?:msz|eucharyst)"
_DENIAL: Final = (  # folded no more than by case: "nie", "bez" and verbs of ending, with what stands between them and the Mass
    r"(?:\bnie\b|\bbez\b|\bbrak\b|odwo[łl]|zawies|znies|znosi|likwid|rezyg|przesta|wypad|skre[śs]l|nieaktual|niewa[żz]n|uniewa[żz]"
    r"|anulow|kasow|wstrzym|wycof|usuni|usuw|zaniech|uchyl|wykre[śs]l|opr[óo]cz|wyj[ąa]t|wy[łl][ąa]cz)"
)
DENIES_MASSES: Final = re.compile(rf"{_MASS}[^;!?\n]{{0,60}}?{_DENIAL}|{_DENIAL}[^;!?\n]{{0,60}}?{_MASS}", re.IGNORECASE)
SUNDAY_IN_IT: Final = SUNDAY  # in lower case: a cheaper look than the patterns

_CONTACT: Final = re.compile(
    r"@|www\.|https?:|(?<!\d)\d\d-\d{3}(?!\d)|(?<!\w)(?:ul|os|al|pl|tel|kom|fax)\."
    r"|(?<!\w)(?:e-?mail|telefon|konto|nr konta|nip|regon)\b",
    re.IGNORECASE,
)
# It begins with a word: one that begins with blanks would look at each run of them again from each of its blanks.
_ORDER: Final = re.compile(r"(?<!\w)(?:(?:porz[ąa]dek|godziny)\s*)?(?:msz[ea]|mszy|nabo[żz]e[ńn]stwa)(?!\w)", re.IGNORECASE)


def without_contact(text: str) -> str:
    """The text with the contact part before its order blank, of the same length; as it is where either is missing.

    >>> without_contact("40-999 Lipowiec, ul. 3 Maja 7, tel. 32 000 00 00 Msze święte: 8.00")
    '                                                 Msze święte: 8.00'
    >>> without_contact("Msze święte: 8.00, tel. 32 000 00 00")
    'Msze święte: 8.00, tel. 32 000 00 00'
    """
    contact = _CONTACT.search(text)
    order = _ORDER.search(text, contact.end()) if contact is not None else None
    if contact is None or order is None or _ORDER.search(text, 0, contact.start()) is not None:
        return text
    return " " * order.start() + text[order.start() :]
