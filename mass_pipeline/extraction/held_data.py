"""Data in attributes of a page: `<mass-times :rows='[{"day": "Niedziela", "time": "8:30, 10:30"}]'>`; marks of templates in it.

Components get their rows so. Looked at only where the page itself shows no hours near words for Masses, like its scripts.
"""

from __future__ import annotations

import re
from html import unescape
from typing import Final

from mass_pipeline.extraction.opaque import holds_hours_of_schedules

_BEGINS: Final = ("='[", "='{", '="[', '="{')  # one stands wherever `_HELD` matches
_HELD: Final = re.compile(r"""(?<=\s)[:@\w.-]{1,60}=(?:'([\[{][^'<]{20,200000})'|"([\[{][^"<]{20,200000})")""")
_BARE_NAME: Final = re.compile(r"[{,]\s*[A-Za-z_]\w{0,40}\s*:")  # of a field, as code has it and JSON has not
_MOST: Final = 12  # attributes of one page
DEFINES: Final = ("customElements.define", "@customElement(")  # an element of the page's own
_CUSTOM: Final = re.compile(r"<[a-z][a-z0-9]{0,30}-[a-z]")
# Of Vue, petite-vue, Alpine and AngularJS: one stands in every page whose templates they fill.
_TEMPLATES: Final = ("createApp", "new Vue", "v-scope", "x-data", "ng-app", "ng-controller", *DEFINES)


def data_in_attributes(source: str) -> list[tuple[str, str]]:
    r"""The data that attributes hold, in the form of scripts: kind, "json" or "" for code, and text.

    Args:
        source: of a page.

    >>> data_in_attributes('<x-list :rows=\'[{"day": "Msze: niedziela", "time": "8:30"}]\'></x-list>')
    [('json', '[{"day": "Msze: niedziela", "time": "8:30"}]')]
    """
    if not any(begin in source for begin in _BEGINS):
        return []
    found: list[tuple[str, str]] = []
    for match in _HELD.finditer(source):
        text = unescape(match[1] or match[2])
        if len(found) < _MOST and holds_hours_of_schedules(text) and not _in_comment(source, match.start()):
            is_code = "'" in text or _BARE_NAME.search(text) is not None
            found.append(("", f"const rows{len(found)} = {text}") if is_code else ("json", text))
    return found


def has_templates(source: str) -> bool:
    """Whether a page may hold templates that its own scripts fill.

    Args:
        source: of a page.

    >>> has_templates('<div x-data="msze()">'), has_templates('<div class="x">')
    (True, False)
    """
    return any(mark in source for mark in _TEMPLATES)


def has_custom_elements(source: str) -> bool:
    """Whether a page holds an element that no browser knows by itself."""
    return _CUSTOM.search(source) is not None


def _in_comment(source: str, at: int) -> bool:
    return source.rfind("<!--", 0, at) > source.rfind("-->", 0, at)
