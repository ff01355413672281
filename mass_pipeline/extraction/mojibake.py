"""Repair Polish letters that went through a wrong charset, where the damage is certain.

Two kinds: UTF-8 that was read as a one-byte code page and saved again ("MÄ\u0099ka", "Ĺ\u015bw."), and iso-8859-2 read as
windows-1250 or the reverse ("¶roda", "œroda"). Only sequences that no Polish text holds are touched.
"""

from __future__ import annotations

import re
from typing import Final

_LETTERS: Final = "ąćęłńóśźżĄĆĘŁŃÓŚŹŻ"
_TYPOGRAPHY: Final = "–—„”’“…\u00a0§°"
_ONE_BYTE: Final = ("cp1250", "iso-8859-2", "cp1252", "latin-1")


def _doubled() -> dict[str, str]:
    """Letter read as UTF-8 bytes in a one-byte page -> letter."""
    table: dict[str, str] = {}
    for letter in _LETTERS + _TYPOGRAPHY:
        for page in _ONE_BYTE:
            try:
                table.setdefault(letter.encode("utf-8").decode(page), letter)
            except UnicodeDecodeError:
                continue
    return table


def _single() -> dict[str, str]:
    """Letter of one code page read as the other -> letter, without those that are Polish letters themselves."""
    table: dict[str, str] = {}
    for letter in _LETTERS:
        for written, read in (("iso-8859-2", "cp1250"), ("cp1250", "iso-8859-2"), ("iso-8859-2", "cp1252"), ("cp1250", "cp1252")):
            try:
                seen = letter.encode(written).decode(read)
            except (UnicodeDecodeError, UnicodeEncodeError):
                continue
            if seen not in _LETTERS:
                table.setdefault(seen, letter)
    return table


_DOUBLED: Final = _doubled()
_SINGLE: Final = _single()
_DOUBLED_PATTERN: Final = re.compile("|".join(sorted(map(re.escape, _DOUBLED), key=len, reverse=True)))
_DOUBLED_HINT: Final = "ÄĹÅĂÃâÂ"
_SINGLE_PATTERN: Final = re.compile("[" + re.escape("".join(sorted(_SINGLE))) + "]")
_SINGLE_HINT: Final = "¶œ±¹¦\u008c\u009c\u009f¿³æñ"
# Words that only a wrong reading explains: the letter stands where Polish has its ś, ą, ł, ż.
_SINGLE_PROOF: Final = re.compile(
    r"[¶œ\u009c]w(?:\.|i[eêę])|[¦Œ\u008c]w(?:\.|i[eêę])|[¶œ\u009c]rod|\bs[¹±]\b|ko[¶œ\u009c]ci[oó]|s³aw|kap³an|godzin[¹±]|mo¿|niedziel[¹±ê]",
    re.I,
)
_PROOFS: Final = 2  # distinct damaged letters or words before a page is repaired


def repair(text: str) -> str:
    """The text with certain damage undone; sound text comes back unchanged (the same object).

    >>> repair("Msze Ĺ›w. w niedzielÄ™, Ĺ›roda")
    'Msze św. w niedzielę, środa'
    >>> repair("Åsa, Ärzte, ¶ 12")
    'Åsa, Ärzte, ¶ 12'
    """
    if text.isascii():
        return text
    if _holds_any(text, _DOUBLED_HINT):
        found = _DOUBLED_PATTERN.findall(text)
        if len(found) >= _PROOFS and sum(_DOUBLED[seen] in _LETTERS for seen in found) >= _PROOFS:
            text = _DOUBLED_PATTERN.sub(lambda match: _DOUBLED[match.group()], text)
    if _holds_any(text, _SINGLE_HINT) and len(_SINGLE_PROOF.findall(text)) >= _PROOFS:
        text = _SINGLE_PATTERN.sub(lambda match: _SINGLE[match.group()], text)
    return text


def _holds_any(text: str, letters: str) -> bool:
    """Twenty searches for one letter each take a thirtieth of the time of one search for any of them."""
    return any(letter in text for letter in letters)
