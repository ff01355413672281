"""Where each character of a line stands in the source, worked out only when somebody asks.

A page has thousands of characters and evidence is shown for a dozen, so a line keeps the spans of source it was made
of, and the alignment is done on first use.
"""

from __future__ import annotations

import re
import unicodedata
from array import array
from collections.abc import Iterator, Sequence
from html import unescape
from typing import Final, overload

_REFERENCE: Final = re.compile(r"&(?:#[0-9]+;?|#[xX][0-9a-fA-F]+;?|[a-zA-Z][a-zA-Z0-9]*;?)")
INSERTED: Final = -1
_OFFSET: Final = "i"  # four bytes: a line may be as long as a page, and Python's own numbers take ten times that


class SourceOffsets:
    """Offsets of the characters of `text`: `offsets[i]` is its position in `source`, -1 for inserted ones.

    A sequence by registration: to inherit from one makes every object dear in the compiled build, and each line has one.
    """

    __slots__ = ("_found", "_source", "_spans", "_text")

    def __init__(self, source: str, spans: tuple[tuple[int, int], ...], text: str) -> None:
        self._source = source
        self._spans = spans
        self._text = text
        self._found: array[int] | None = None

    def __reduce__(self) -> tuple[type[SourceOffsets], tuple[object, ...]]:
        """To another process without what was worked out, and without a dictionary for each line."""
        return SourceOffsets, (self._source, self._spans, self._text)

    @property
    def _offsets(self) -> array[int]:
        if self._found is None:
            self._found = array(_OFFSET, _align(self._text, *_characters(self._source, self._spans)))
        return self._found

    def __len__(self) -> int:
        return len(self._text)

    @overload
    def __getitem__(self, index: int) -> int: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[int, ...]: ...
    def __getitem__(self, index: int | slice) -> int | tuple[int, ...]:
        return self._offsets[index] if isinstance(index, int) else tuple(self._offsets[index])

    def __iter__(self) -> Iterator[int]:
        return iter(self._offsets)

    def __reversed__(self) -> Iterator[int]:
        return reversed(self._offsets)

    def __contains__(self, offset: object) -> bool:
        return offset in self._offsets

    def index(self, offset: int) -> int:
        """Position of the first character that stands there."""
        return self._offsets.index(offset)

    def count(self, offset: int) -> int:
        """How many characters stand there: several where one reference stands for several."""
        return self._offsets.count(offset)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and tuple(other) == tuple(self._offsets)

    def __hash__(self) -> int:
        return hash((self._spans, self._text))

    def __repr__(self) -> str:
        return f"SourceOffsets({list(self._offsets)!r})"


Sequence.register(SourceOffsets)


def _characters(source: str, spans: Sequence[tuple[int, int]]) -> tuple[str, array[int]]:
    """The characters of the spans, character references resolved, and the position of each."""
    written: list[str] = []
    positions = array(_OFFSET)
    for start, end in spans:
        position = start
        for match in _REFERENCE.finditer(source, start, end) if "&" in source[start:end] else ():
            resolved = unescape(match.group())
            written += (source[position : match.start()], resolved)
            positions.extend(range(position, match.start()))
            positions.extend([match.start()] * len(resolved))
            position = match.end()
        written.append(source[position:end])
        positions.extend(range(position, end))
    return "".join(written), positions


def _align(text: str, characters: str, positions: Sequence[int]) -> Iterator[int]:
    """One offset per character of `text`: text differs from the source only by folding, dropping and inserting."""
    at, count = 0, len(characters)
    for wanted in text:
        probe = at
        if wanted == " ":
            if probe < count and characters[probe].isspace():
                yield positions[probe]
                at += 1
            else:
                yield INSERTED
            continue
        while probe < count and not _is_same(wanted, characters[probe]):
            if wanted == ":" and not characters[probe].isspace() and characters[probe].isalnum():
                probe = count  # a colon put before raised minutes
                break
            probe += 1
        if probe == count:
            yield INSERTED
        else:
            yield positions[probe]
            at = probe + 1


def _is_same(wanted: str, written: str) -> bool:
    if wanted == written:
        return True
    return written > "\x7f" and unicodedata.normalize("NFKD", wanted)[:1] == unicodedata.normalize("NFKD", written)[:1]
