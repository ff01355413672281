"""Remove content encodings without trusting them: caps on the way in and out (hazards S8, S14). Pure."""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from typing import Final

MAX_CODINGS: Final = 2  # hazards S14: chains of a hundred codings are an attack
MAX_RATIO: Final = 200
_OURS: Final = ("gzip", "x-gzip", "deflate")
_OF_OTHERS: Final = ("br", "zstd", "compress", "x-compress", "dcb", "dcz")  # never asked for; IANA HTTP content coding registry
_BITE_BYTES: Final = 256  # at a time of a damaged stream; a bite with the damage in it is lost
RATIO_FLOOR_BYTES: Final = 1024 * 1024  # below it a high ratio is a page of blanks, above it a bomb


class BadEncoding(ValueError):
    """The body is not what Content-Encoding says; the message is the reason."""


@dataclass(frozen=True, slots=True)
class Unpacked:
    """A body without content encoding.

    Attributes:
        body: at most the limit.
        cut: more would have come than the limit allows.
        complete: False when the compressed data end before their end mark.
        bomb: it grew more than 200-fold and over 1 MiB; the body is empty then.
    """

    body: bytes
    cut: bool = False
    complete: bool = True
    bomb: bool = False


def unpack(raw: bytes, content_encoding: str | None, limit: int) -> Unpacked:
    """Undo Content-Encoding.

    Args:
        raw: as received.
        content_encoding: header value; gzip, deflate, identity, at most two. A name that is no coding ("utf-8", "none") is
            taken for identity, as browsers do.
        limit: most bytes given back.

    Raises:
        BadEncoding: a coding that was not asked for, too many, or garbage.

    >>> unpack(b"plain", None, 10).body
    b'plain'
    """
    codings = [coding.strip().lower() for coding in (content_encoding or "").split(",")]
    codings = [coding for coding in codings if coding not in ("", "identity")]
    if len(codings) > MAX_CODINGS:
        raise BadEncoding(f"{len(codings)} content encodings")
    cut = False
    complete = True
    for coding in reversed(codings):
        if coding in _OF_OTHERS and not _looks_plain(raw):
            raise BadEncoding(f"content encoding {coding[:40]!r}")
        if coding not in _OURS:
            continue
        raw, now_cut, now_complete, consumed = _inflate(raw, limit)
        cut |= now_cut
        complete &= now_complete
        if len(raw) > RATIO_FLOOR_BYTES and len(raw) > MAX_RATIO * consumed:
            return Unpacked(b"", cut=True, bomb=True)
    if len(raw) > limit:
        return Unpacked(raw[:limit], cut=True, complete=complete)
    return Unpacked(raw, cut, complete)


def _inflate(raw: bytes, limit: int) -> tuple[bytes, bool, bool, int]:
    """`(body, cut, complete, compressed bytes it took)`."""
    if not raw:
        return b"", False, True, 0
    for bits in (47, -15):  # gzip or zlib by their header; then raw deflate, which some servers mean by "deflate"
        machine = zlib.decompressobj(bits)
        try:
            body = machine.decompress(raw, limit + 1)
        except zlib.error:
            continue
        return body[:limit], len(body) > limit, machine.eof or len(body) > limit, len(raw) - len(machine.unconsumed_tail)
    if raw[:2] == b"\x1f\x8b":
        return _salvage(raw, limit)
    if _looks_plain(raw):
        return raw[:limit], len(raw) > limit, True, len(raw)  # announced as compressed, sent as it is
    raise BadEncoding("damaged compressed body")


def _salvage(raw: bytes, limit: int) -> tuple[bytes, bool, bool, int]:
    """What comes out of a damaged gzip stream before the damage; in small bites, so that nothing read is lost."""
    machine = zlib.decompressobj(47)
    body = bytearray()
    try:
        for start in range(0, len(raw), _BITE_BYTES):
            body += machine.decompress(raw[start : start + _BITE_BYTES], limit + 1 - len(body))
            if len(body) > limit:
                break
    except zlib.error:
        pass
    if not body:
        raise BadEncoding("damaged compressed body")
    return bytes(body[:limit]), len(body) > limit, False, len(raw)


def _looks_plain(raw: bytes) -> bool:
    return raw.lstrip()[:1] == b"<"
