"""Markup that a file of code or data shows, by its kind."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from mass_pipeline.extraction.code.modules import astro_markup, code_markup, svelte_markup, vue_markup
from mass_pipeline.extraction.code.scripts import json_markup

_READERS: Final[dict[str, Callable[[str], str]]] = {
    "vue": vue_markup,
    "svelte": svelte_markup,
    "astro": astro_markup,
    "json": json_markup,
}


def file_markup(source: str, kind: str) -> str:
    """Markup of what a visitor sees of a file; "" when nothing can be known.

    Args:
        source: the file.
        kind: `vue`, `svelte`, `astro`, `json`; others are JavaScript and its dialects.
    """
    return _READERS.get(kind, code_markup)(source)
