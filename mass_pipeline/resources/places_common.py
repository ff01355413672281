"""What both Places clients share: reading untrusted JSON, hiding the key, the remedy of a refused key."""

from __future__ import annotations

import re
from typing import Any, Final

_KEY_IN_URL: Final = re.compile(r"([?&](?:key|signature)=)[^&\s]+")
MALFORMED_KEY: Final = "The Places key is missing or malformed (keys begin with AIza): set MASS_PIPELINE_PLACES_API_KEY."
DENIED_REMEDY: Final = "check the key, its restrictions, and that the API is enabled and billed in the Google Cloud project"


def redact(text: str) -> str:
    """Text without keys, for logs and messages.

    >>> redact("GET /json?key=AIzaSecret&x=1 AIzaOther")
    'GET /json?key=(hidden)&x=1 (key)'
    """
    return re.sub(r"AIza[\w-]+", "(key)", _KEY_IN_URL.sub(r"\1(hidden)", text))


def items(body: dict[str, Any], name: str) -> list[dict[str, Any]]:
    """The objects of a list, [] when there is no list."""
    found = body.get(name)
    return [item for item in found if isinstance(item, dict)] if isinstance(found, list) else []


def word(item: dict[str, Any], name: str) -> str:
    """A text, "" when there is none."""
    value = item.get(name)
    return value if isinstance(value, str) else ""


def words(item: dict[str, Any], name: str) -> tuple[str, ...]:
    """The texts of a list, () when there is no list."""
    values = item.get(name)
    return tuple(value for value in values if isinstance(value, str)) if isinstance(values, list) else ()
