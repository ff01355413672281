"""What robots.txt allows, whatever the server made of it. Bytes and status in, answers out; fetching is the engine's part.

RFC 9309 by protego, made to fail closed: unreachable means disallow (2.3.1.4); 401, 403 and 451 close the host by our own
policy (hazards, robots matrix); a malformed line never splits the group of our robot from the next one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from protego import Protego

from mass_pipeline.crawling.fetching.config import ROBOT_NAME

_RULES: Final = "dis+al+ow|dissalow|dissallow|diasllow|disalow|disallaw|allow"
_KNOWN_FIELD: Final = re.compile(
    rf"\s*(user-?\s?agent|useragent|{_RULES}|crawl-?delay|site-?map|sitemap|request-rate|visit-time|host|noindex|clean-param)\s*[:\s]",
    re.IGNORECASE,
)
_RULE_LINE: Final = re.compile(rf"\s*(?:{_RULES})\s*[:\s]", re.IGNORECASE)
_AGENT_LINE: Final = re.compile(r"(\s*user-?\s?agent\s*[:\s]\s*)([a-z_-]+|\*).*", re.IGNORECASE)
_MARKUP: Final = re.compile(rb"\s*(?:<!doctype|<html|<head|<body|<\?xml|<script)", re.IGNORECASE)
_CLOSED_STATUSES: Final = frozenset({401, 403, 451})


class RobotsState(StrEnum):
    """How robots.txt was found."""

    RULES = "rules"  # 2xx: obey what it says
    ABSENT = "absent"  # other 4xx: everything is allowed (2.3.1.3)
    CLOSED = "closed"  # 401, 403, 451: we take the hint and skip the host
    UNREACHABLE = "unreachable"  # 5xx, 429, network, incomplete, redirects without end: disallow for now (2.3.1.4)


@dataclass(frozen=True, slots=True)
class RobotsRules:
    """Answers of one origin.

    Attributes:
        state: how robots.txt was found.
        reason: why, for people ("503", "too many redirects", "soft 404").
        text: the rules as kept in the state file, "" without any.
    """

    state: RobotsState
    reason: str = ""
    text: str = ""
    parsed: Protego | None = None

    @classmethod
    def from_response(cls, status: int, body: bytes, *, complete: bool = True, cut: bool = False) -> RobotsRules:
        """Rules of an answer.

        Args:
            status: HTTP status after redirects.
            body: at most the size limit.
            complete: False when the connection broke before the announced end.
            cut: True when the limit cut it (its last line is then dropped).
        """
        if 200 <= status <= 299:
            if not complete:
                return cls.unreachable("incomplete robots.txt")
            if _MARKUP.match(body.removeprefix(b"\xef\xbb\xbf")):
                return cls(RobotsState.RULES, "soft 404")
            return cls.from_text(_to_text(body[: body.rfind(b"\n") + 1] if cut else body), cut=cut)
        if status in _CLOSED_STATUSES:
            return cls(RobotsState.CLOSED, f"robots.txt answered {status}")
        if 400 <= status <= 499 and status != 429:
            return cls(RobotsState.ABSENT, str(status))
        return cls.unreachable(f"robots.txt answered {status}")

    @classmethod
    def from_text(cls, text: str, *, cut: bool = False) -> RobotsRules:
        """Rules as written.

        Lines that are no directive are dropped, so that they cannot end a group; names of robots are cut to their product
        token (2.2.1: `FOO BAR/1.0` means `FOO`); a group whose rules were cut off is no group. Other records between names of
        robots do not part them (2.2.4): the rules after the last name hold for all.
        """
        lines = [_AGENT_LINE.sub(r"\1\2", line) for line in text.splitlines() if _KNOWN_FIELD.match(line)]
        while cut and lines and _AGENT_LINE.match(lines[-1]):
            lines.pop()
        kept = "\n".join(_with_names_together(lines))
        return cls(RobotsState.RULES, "", kept, Protego.parse(kept) if kept else None)

    @classmethod
    def restored(cls, state: RobotsState, reason: str, text: str) -> RobotsRules:
        """Rules as an earlier run kept them."""
        return cls(state, reason, text, Protego.parse(text) if text else None)

    @classmethod
    def unreachable(cls, reason: str) -> RobotsRules:
        """No answer: complete disallow."""
        return cls(RobotsState.UNREACHABLE, reason)

    def is_allowed(self, url: str, agent: str = ROBOT_NAME) -> bool:
        """Whether a canonical URL may be fetched by our robot; robots.txt itself always may (2.2.2)."""
        if self.state in (RobotsState.CLOSED, RobotsState.UNREACHABLE):
            return url.endswith("/robots.txt") and url.count("/") == 3
        return self.parsed is None or bool(self.parsed.can_fetch(url, agent))

    def sitemaps(self) -> list[str]:
        """Addresses of sitemaps as written; they stand outside the groups (RFC 9309 2.2.4)."""
        return [] if self.parsed is None else list(self.parsed.sitemaps)

    def crawl_delay(self) -> float | None:
        """Seconds that Crawl-delay asks for, None when it asks for none; may be absurd (see `politeness.crawl_delay_of`)."""
        if self.parsed is None:
            return None
        wished = self.parsed.crawl_delay(ROBOT_NAME)
        return None if wished is None else float(wished)


def _with_names_together(lines: Iterable[str]) -> Iterator[str]:
    """The lines with records that stand among names of robots put after the names."""
    others: list[str] = []
    among_names = False
    for line in lines:
        if _AGENT_LINE.match(line):
            among_names = True
        elif among_names and not _RULE_LINE.match(line):
            others.append(line)
            continue
        elif among_names:
            among_names = False
            yield from others
            others.clear()
        yield line
    yield from others


def _to_text(body: bytes) -> str:
    """Lenient reading that never widens: UTF-16 only by its mark, all else as UTF-8 with replacement."""
    for mark, codec in ((b"\xef\xbb\xbf", "utf-8"), (b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be")):
        if body.startswith(mark):
            return body[len(mark) :].decode(codec, "replace")
    return body.decode("utf-8", "replace")
