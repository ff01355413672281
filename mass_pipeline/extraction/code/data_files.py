"""Files of data as values: JSON, YAML, Markdown with its front matter.

YAML is read with every scalar as the text that stands there: by its version 1.1 an hour without quotation marks (`18:30`) would
be the number 1110, while the readers of websites follow 1.2, where it is a text (YAML 1.2.2, section 10.3).
"""

from __future__ import annotations

import json
from typing import Final

import yaml

from mass_pipeline.extraction.code.syntax import LONGEST_CODE
from mass_pipeline.extraction.code.values import NOTHING, UNKNOWN, Number, Value, as_number, from_data
from mass_pipeline.extraction.markdown import FRONT_MATTER

_MOST_VALUES: Final = 20_000  # of one file; a list that holds one list many times over would have no end
_WORDS: Final[dict[str, Value]] = {"true": True, "false": False, "null": NOTHING, "~": NOTHING, "": NOTHING}
_LOADER: Final = getattr(yaml, "CBaseLoader", yaml.BaseLoader)  # scalars stay texts; objects of Python cannot be named


def json_value(text: str) -> Value:
    """What JSON holds; unknown for what is broken."""
    try:
        return from_data(json.loads(text[:LONGEST_CODE].lstrip("\ufeff")))
    except (ValueError, RecursionError):
        return UNKNOWN


def yaml_value(text: str) -> Value:
    """What YAML holds; unknown for what is broken or grows by repeating itself.

    >>> yaml_value("niedziela: [8:00, 10:30]\\nzima: false")
    {'niedziela': ['8:00', '10:30'], 'zima': False}
    """
    try:
        loaded = yaml.load(text[:LONGEST_CODE], Loader=_LOADER)  # noqa: S506
        return _plain(loaded, [_MOST_VALUES])
    except (yaml.YAMLError, ValueError, RecursionError):
        return UNKNOWN


def _plain(data: object, left: list[int]) -> Value:
    left[0] -= 1
    if left[0] < 0:
        raise ValueError("too many values")
    if isinstance(data, dict):
        return {str(key): _plain(one, left) for key, one in data.items()}
    if isinstance(data, list):
        return [_plain(one, left) for one in data]
    text = str(data) if isinstance(data, str) else ""
    if text in _WORDS:
        return _WORDS[text]
    return Number(text) if as_number(text) is not None else text


def front_matter(text: str) -> tuple[Value, str]:
    """Fields that stand before a text of Markdown, and the text.

    >>> front_matter("---\\ntitle: Msze\\n---\\nZapraszamy")
    ({'title': 'Msze'}, 'Zapraszamy')
    """
    match = FRONT_MATTER.match(text)
    if match is None:
        return {}, text
    fields = yaml_value(match[1])
    return fields if isinstance(fields, dict) else {}, text[match.end() :].strip()
