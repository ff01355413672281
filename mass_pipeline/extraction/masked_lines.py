"""The lines of a page with what may belong to a person blanked, made only where somebody looks.

Offsets stay, so that contexts are cut from them as from the page itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import overload

from mass_pipeline.language.masking.lines import blanked
from mass_pipeline.model.document import Line


class MaskedLines(Sequence[Line]):
    """The same lines, the text of each blanked when it is asked for the first time.

    Args:
        lines: of the page.
    """

    def __init__(self, lines: Sequence[Line]) -> None:
        self._lines = lines
        self._made: dict[int, Line] = {}

    @overload
    def __getitem__(self, index: int) -> Line: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[Line]: ...

    def __getitem__(self, index: int | slice) -> Line | Sequence[Line]:
        if isinstance(index, slice):
            return [self[position] for position in range(*index.indices(len(self)))]
        if index not in self._made:
            line = self._lines[index]
            self._made[index] = replace(line, text=blanked(line.text))
        return self._made[index]

    def __len__(self) -> int:
        return len(self._lines)
