"""The texts of a page's lines with what may belong to a person blanked, made only where somebody looks.

Offsets stay, so that contexts are cut from them as from the page itself.
"""

from __future__ import annotations

from collections.abc import Sequence

from mass_pipeline.language.masking.lines import blanked


class MaskedLines:
    """The same texts, each blanked when it is asked for the first time.

    Args:
        texts: of the lines of the page.
    """

    def __init__(self, texts: Sequence[str]) -> None:
        self._texts = texts
        self._made: dict[int, str] = {}

    def __getitem__(self, index: int) -> str:
        made = self._made.get(index)
        if made is None:
            made = self._made[index] = blanked(self._texts[index])
        return made

    def __len__(self) -> int:
        return len(self._texts)
