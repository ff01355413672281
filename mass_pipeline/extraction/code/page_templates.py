"""A page whose hours stand in its own scripts and whose templates stand in its HTML: the page as a visitor sees it.

Looked at only where the page itself shows no hours near words for Masses.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from lxml.etree import _Element as Element

from mass_pipeline.extraction.code.applications import Application, Applications
from mass_pipeline.extraction.code.component_scopes import scope_of_options, set_later
from mass_pipeline.extraction.code.custom_elements import CustomElements
from mass_pipeline.extraction.code.directives import Page
from mass_pipeline.extraction.code.page_elements import TooMuch, template_elements
from mass_pipeline.extraction.code.site_files import SiteFiles
from mass_pipeline.extraction.code.syntax import LONGEST_CODE
from mass_pipeline.extraction.code.view import View
from mass_pipeline.extraction.markup_tree import parse_markup
from mass_pipeline.extraction.wording import has_hour

_NAME: Final = "page.js"  # of all scripts of a page together
_TAG: Final = re.compile(r"<[^<>]*>")
_DIRECTIVE: Final = re.compile(r"(?:[:@]|(?:data-)?(?:v|x|ng)[-:])")


def page_markup(source: str, files: Mapping[str, str] | None = None) -> str:
    """The page with its templates filled; "" when they show no hours.

    Args:
        source: the page.
        files: other files of its site by their paths.
    """
    return filled_page(source, files or {})[0]


def filled_page(source: str, files: Mapping[str, str]) -> tuple[str, set[str]]:
    """`page_markup`, and the paths of the files that the page takes something from."""
    try:
        return _filled_page(source, files)
    except (RecursionError, TooMuch):
        return "", set()


def _filled_page(source: str, files: Mapping[str, str]) -> tuple[str, set[str]]:
    tree = parse_markup(source)
    if tree is None:
        return "", set()
    named = _scripts(tree, SiteFiles(files))
    code = "\n;\n".join(text for _, text in named)[:LONGEST_CODE]
    view = View(SiteFiles({**files, _NAME: code}))
    evaluator = view.shower.evaluator
    scope, root = view.module(_NAME)
    attributes = "\n".join(
        str(value) for node in tree.iter() for name, value in node.attrib.items() if _DIRECTIVE.match(str(name))
    )
    changed = set_later(code, attributes)
    page = Page(evaluator, scope, Applications(evaluator, root, scope), CustomElements(view, _NAME), changed)
    for application in page.applications.of_vue:
        options = application.options
        inside = scope_of_options(evaluator, options, application.scope, changed, {})
        if not application.selector:
            inside.names |= {key: one for key, one in options.items() if key not in inside.names}
            page.every = inside
            continue
        element = _chosen(tree, application)
        if element is not None:
            page.roots[element] = inside, _own_template(tree, page, application)
    shown = page.shown(tree)
    is_shown = page.is_filled and has_hour(_TAG.sub(" ", shown))
    return shown if is_shown else "", {path for path, _ in named if path} | view.used


def _scripts(tree: Element, site: SiteFiles) -> list[tuple[str, str]]:
    """Paths ("" inside the page) and texts of the scripts of a page, in order."""
    found: list[tuple[str, str]] = []
    for node in tree.iter("script"):
        kind, address = (node.get("type") or "").lower(), node.get("src")
        if address:
            path = site.at_address(address)
            found += [(path, site.texts[path])] if path is not None else []
        elif not kind or "javascript" in kind or kind == "module":
            found.append(("", node.text or ""))
    return found


def _chosen(tree: Element, application: Application) -> Element | None:
    """The element that an application fills."""
    wanted = application.selector.strip().rpartition(" ")[2]
    for node in tree.iter():
        if not isinstance(node.tag, str):
            continue
        is_named = wanted[:1] == "#" and node.get("id") == wanted[1:]
        is_of_class = wanted[:1] == "." and wanted[1:] in (node.get("class") or "").split()
        if is_named or is_of_class or node.tag == wanted:
            return node
    return None


def _own_template(tree: Element, page: Page, application: Application) -> list[Element] | None:
    written = application.options.get("template")
    if isinstance(written, str) and written[:1] == "#":
        node = next((one for one in tree.iter() if isinstance(one.tag, str) and one.get("id") == written[1:]), None)
        if node is None:
            return None
        return template_elements(node.text or "") if node.tag == "script" else list(node)
    return page.template(application.options)
