"""The contact part of a line: address, telephone, account, mail that stand before the order of Masses in the same line.

Belongs here: where it ends. Not here: private numbers (`masking`).
"""

from __future__ import annotations

import re
from typing import Final

_CONTACT: Final = re.compile(
    r"@|www\.|https?:|(?<!\d)\d\d-\d{3}(?!\d)|(?<!\w)(?:ul|os|al|pl|tel|kom|fax)\."
    r"|(?<!\w)(?:e-?mail|telefon|konto|nr konta|nip|regon)\b",
    re.IGNORECASE,
)
_ORDER: Final = re.compile(r"(?<!\w)(?:porz[ąa]dek|godziny)?\s*(?:msz[ea]|mszy|nabo[żz]e[ńn]stwa)(?!\w)", re.IGNORECASE)


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
