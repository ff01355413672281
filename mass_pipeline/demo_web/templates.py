"""Layouts of the demo sites: a frame of HTML per kind of site, its menu and its way of making URLs.

The frames are data (data/demo/templates/*.html with `$placeholders`), the rest stands in templates.toml beside them.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from string import Template
from typing import Final

from mass_pipeline.demo_web.source import DEMO_FOLDER, HOME

_NOINDEX: Final = '<meta name="robots" content="noindex">'


@dataclass(frozen=True, slots=True)
class Layout:
    """One kind of site.

    Attributes:
        name: as site sources name it.
        frame: document with `$title`, `$site`, `$menu`, `$sidebar`, `$header`, `$footer`, `$body`, `$meta`.
        url: pattern of a page's target with `{slug}`.
        item: pattern of a menu entry with `{href}` and `{title}`.
        menu_frame: document of the menu for sites made of frames, else "".
        frameset: document that holds the frames, else "".
    """

    name: str
    frame: Template
    url: str
    item: str
    menu_frame: Template | None = None
    frameset: Template | None = None

    def target(self, prefix: str, slug: str) -> str:
        """Path (and query) of a page below the site's prefix."""
        if slug == HOME and self.frameset is None:
            return prefix
        return prefix.rstrip("/") + self.url.format(slug=slug)

    def menu(self, entries: Sequence[tuple[str, str]]) -> str:
        """Menu of (href, title) pairs."""
        return "\n".join(self.item.format(href=href, title=title) for href, title in entries)


def load_layouts(folder: Path = DEMO_FOLDER) -> Mapping[str, Layout]:
    """Every layout by name."""
    base = folder / "templates"
    table = tomllib.loads((base / "templates.toml").read_text(encoding="utf-8"))
    return {name: _layout(base, name, values) for name, values in table.items()}


def _layout(base: Path, name: str, values: Mapping[str, str]) -> Layout:
    def read(suffix: str) -> Template | None:
        path = base / f"{name}{suffix}.html"
        return Template(path.read_text(encoding="utf-8")) if path.exists() else None

    frame = read("")
    assert frame is not None, f"{name}: no frame in {base}"
    return Layout(name, frame, values["url"], values["item"], read("-menu"), read("-frameset"))


def meta_elements(charset: str, *, noindex: bool, xhtml: bool = True) -> str:
    """Meta elements of a page: the declared charset ("" for none) and the wish not to be indexed."""
    declared = f'<meta http-equiv="Content-Type" content="text/html; charset={charset}">' if charset else ""
    if charset.lower() == "utf-8" and xhtml:
        declared = '<meta charset="utf-8">'
    return declared + (_NOINDEX if noindex else "")
