"""Markup that files of code or data show: one alone, or those of one site together."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from mass_pipeline.extraction.code.page_templates import filled_page
from mass_pipeline.extraction.code.site_files import SiteFiles, is_page, kind_of
from mass_pipeline.extraction.code.syntax import LONGEST_CODE
from mass_pipeline.extraction.code.view import View

_CLOCK: Final = re.compile(r"(?<![\d.:])([01]?\d|2[0-4])[.:]([0-5]\d)(?![\d:])")
_TAG: Final = re.compile(r"<[^<>]*>")


def file_markup(source: str, kind: str) -> str:
    """Markup of what a visitor sees of a file; "" when nothing can be known.

    Args:
        source: the file.
        kind: `vue`, `svelte`, `astro`, `json`, `yml`, `yaml`; others are JavaScript and its dialects.
    """
    name = f"page.{kind}"
    return View(SiteFiles({name: source})).markup(name)


def site_markups(files: Mapping[str, str]) -> dict[str, str | None]:
    """Markup of what a visitor sees of every file of a site, by the paths given.

    A component, constants, data or texts that another file shows are shown there and nowhere else: a file of which another one
    takes something and shows some of its hours has None.
    """
    site = SiteFiles(files)
    views = {path: View(site) for path in site.texts}
    shown = {path: view.markup(path) for path, view in views.items()}
    for path, text in site.texts.items():
        if is_page(path) and len(text) < LONGEST_CODE:
            shown[path], used = filled_page(text, {other: site.texts[other] for other in site.texts if other != path})
            views[path].used |= used
    hours = {path: _hours(markup) for path, markup in shown.items()}
    elsewhere: set[str] = set()
    for path in sorted(shown):
        takers = [other for other, view in views.items() if path in view.used and other != path and other not in elsewhere]
        if kind_of(path) == "html" and takers:
            elsewhere.add(path)
        if any(hours[path] & hours[taker] or (is_page(taker) and hours[taker] and not hours[path]) for taker in takers):
            elsewhere.add(path)
    names = {path: site.name_of(path) for path in files}
    return {path: None if name in elsewhere else shown[name] for path, name in names.items()}


def _hours(markup: str) -> set[tuple[int, str]]:
    return {(int(match[1]), match[2]) for match in _CLOCK.finditer(_TAG.sub(" ", markup))}
