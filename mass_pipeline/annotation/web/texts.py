"""Words of the interface in Polish and English (texts.toml), and which of the two a person gets."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Final

LANGUAGES: Final = ("pl", "en")


@cache
def texts(language: str) -> Mapping[str, str]:
    """Key -> text of one language."""
    table = tomllib.loads(resources.files(__package__).joinpath("texts.toml").read_text(encoding="utf-8"))
    words: dict[str, str] = table[language]
    return words


def choose_language(cookie: str | None, accept_language: str) -> str:
    """The chosen language, else the first of ours that the browser names, else Polish.

    >>> choose_language(None, "de-DE,en;q=0.8,pl;q=0.5"), choose_language("pl", "en"), choose_language("xx", "")
    ('en', 'pl', 'pl')
    """
    if cookie in LANGUAGES:
        return cookie
    for part in accept_language.split(",")[:20]:
        name = part.split(";")[0].strip()[:2].lower()
        if name in LANGUAGES:
            return name
    return "pl"
