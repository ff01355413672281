"""Which pages a site reserves against text and data mining: `/.well-known/tdmrep.json`. Bytes in, answers out; no network.

TDM Reservation Protocol (W3C Community Group, final report of 2024-05-10), directive (EU) 2019/790 article 4(3). The header
and the meta element of the same protocol are read with the page (`spider`, `links`).
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Final

from protego import Protego

PATH: Final = "/.well-known/tdmrep.json"
MAX_BYTES: Final = 256 * 1024
_MAX_RULES: Final = 500
_WISH: Final = re.compile(r"[\"']?tdm-reservation[\"']?\s*:\s*[\"']?\s*(?:1|true)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class TdmReservations:
    """What an origin reserves.

    Attributes:
        text: the rules as kept in the state file, "" without any.
    """

    text: str = ""
    _rules: tuple[tuple[Protego, bool], ...] = ()
    _whole: Protego | None = None

    @classmethod
    def from_response(cls, status: int, body: bytes) -> TdmReservations:
        """Rules of an answer; anything but a list of rules reserves nothing, a damaged one that wishes it reserves all.

        >>> reserved = TdmReservations.from_response(200, b'[{"location": "/msze/*", "tdm-reservation": 1}]')
        >>> reserved.covers("http://a.pl/msze/dzis"), reserved.covers("http://a.pl/")
        (True, False)
        """
        if status != 200:
            return cls()
        text = body[:MAX_BYTES].decode("utf-8-sig", "replace")
        try:
            document = json.loads(text)
        except (ValueError, RecursionError):
            document = None
        if not isinstance(document, list | dict):
            return cls.from_rules([("/", True)] if _WISH.search(text) and not text.lstrip().startswith("<") else [])
        entries = document if isinstance(document, list) else [document]
        return cls.from_rules([rule for entry in entries[:_MAX_RULES] if (rule := _rule(entry)) is not None])

    @classmethod
    def from_rules(cls, rules: list[tuple[str, bool]]) -> TdmReservations:
        """Rules as `(location pattern, is reserved)`, in the order of the file."""
        if not any(reserved for _, reserved in rules):
            return cls()
        lines = [f"{'Disallow' if reserved else 'Allow'}: {location}" for location, reserved in rules]
        single = tuple((_parse([f"Disallow: {location}"]), reserved) for location, reserved in rules)
        return cls(json.dumps(rules), single, _parse(lines))

    @classmethod
    def restored(cls, text: str) -> TdmReservations:
        """Rules as an earlier run kept them."""
        return cls.from_rules([(str(location), bool(reserved)) for location, reserved in json.loads(text)]) if text else cls()

    def covers(self, url: str) -> bool:
        """Whether a canonical URL is reserved.

        The report lets the first rule that matches decide, its readers often the longest, as in robots.txt: where they
        differ the owner's reservation counts.
        """
        if self._whole is None:
            return False
        first = next((reserved for rule, reserved in self._rules if not rule.can_fetch(url, "*")), False)
        return first or not self._whole.can_fetch(url, "*")


def _rule(entry: object) -> tuple[str, bool] | None:
    """`(location, reserved)` of one object; a location is a path with the wildcards of RFC 9309 2.2.3."""
    if not isinstance(entry, dict):
        return None
    location, value = entry.get("location"), entry.get("tdm-reservation")
    if not isinstance(location, str) or len(location.strip().splitlines()) != 1:
        return None
    location = location.strip()[:2000]
    return location if location[0] in "/*" else "/" + location, str(value).strip().lower() in ("1", "1.0", "true")


def _parse(lines: list[str]) -> Protego:
    return Protego.parse("\n".join(("User-agent: *", *lines)))
