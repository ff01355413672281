"""Pages of one site that are files of code, contents and data: what each shows with all that it takes from the others.

A page that is read by itself (`reader`) knows nothing of its neighbours. Not here: what the code shows (`extraction.code`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from mass_pipeline.extraction.charset import decode
from mass_pipeline.extraction.config import DEFAULT, ExtractionConfig
from mass_pipeline.extraction.held_data import DEFINES, has_custom_elements, has_templates
from mass_pipeline.extraction.markdown import FRONT_MATTER
from mass_pipeline.extraction.sniffing import binary_kind

CODE_ENDINGS: Final = frozenset({"js", "jsx", "mjs", "cjs", "ts", "tsx", "mts", "vue", "svelte", "astro", "json", "yml", "yaml"})
_TEMPLATE: Final = ".component.html"  # of Angular
_PAGES: Final = frozenset({"html", "htm"})
_CONTENTS: Final = frozenset({"md", "mdx", "markdown"})  # pages of their own, unless a component shows them


class SitePage(NamedTuple):
    """A page as `reader.read_document` takes it.

    Attributes:
        name: path within the site.
        content: as given, or the markup that a file of code shows.
        content_type: None as given, `text/html` for markup.
    """

    name: str
    content: bytes | str
    content_type: str | None = None


def has_code(name: str) -> bool:
    """Whether a file is code or data by its name.

    >>> has_code("src/App.vue"), has_code("index.html")
    (True, False)
    """
    return _ending(name) in CODE_ENDINGS


def pages_of_site(files: Sequence[tuple[str, bytes | str]], config: ExtractionConfig = DEFAULT) -> list[SitePage]:
    """The files of one site as pages, in order; components, constants and contents that other files show are shown there.

    Args:
        files: path within the site and content of each.
        config: limits against hostile documents.

    Returns:
        One page for each file. What is no code is as given; of Markdown whose fields a component shows, the text alone is left.
        Code of which nothing is seen, or only in other files, is an empty page. When taking the code together costs too much,
        every file is read by itself.
    """
    together = {name: _text(content, config) for name, content in files if _is_taken(name)}
    if any(map(has_code, together)):
        is_defining = any(mark in text for text in together.values() for mark in DEFINES)
        pages = {
            name: _template_page(name, content, config, is_defining=is_defining) for name, content in files if _is_page(name)
        }
        together |= {name: text for name, text in pages.items() if text}
    if not any(map(has_code, together)) or len(together) < 2:
        return [SitePage(name, content) for name, content in files]
    from mass_pipeline.extraction.code.aside import markups_aside

    shown = markups_aside(together, size=sum(map(len, together.values())))
    return [_page(name, content, together, shown) for name, content in files]


def _page(name: str, content: bytes | str, together: Mapping[str, str], shown: Mapping[str, str | None]) -> SitePage:
    if shown.get(name) and _is_page(name):
        return SitePage(name, shown[name] or "", "text/html")
    if name not in shown or _is_page(name) or (_ending(name) not in CODE_ENDINGS and shown[name] is not None):
        return SitePage(name, content)
    if _ending(name) in _CONTENTS:  # its fields are shown elsewhere, its text may not be
        match = FRONT_MATTER.match(together[name])
        return SitePage(name, together[name][match.end() :] if match is not None else content)
    return SitePage(name, shown[name] or "", "text/html")


def _text(content: bytes | str, config: ExtractionConfig) -> str:
    if isinstance(content, bytes):
        if binary_kind(content) is not None:
            return ""
        content = decode(content[: 4 * config.max_characters], None).text
    return content[: config.max_characters].replace("\x00", "")


def _is_taken(name: str) -> bool:
    return _ending(name) in CODE_ENDINGS | _CONTENTS or name.endswith(_TEMPLATE)


def _is_page(name: str) -> bool:
    return _ending(name) in _PAGES and not name.endswith(_TEMPLATE)


def _template_page(name: str, content: bytes | str, config: ExtractionConfig, *, is_defining: bool) -> str:
    """The text of a page whose templates scripts of the site may fill; "" of all others, and where it shows Masses by itself."""
    text = _text(content, config)
    if not (has_templates(text) or (is_defining and has_custom_elements(text))):
        return ""
    from mass_pipeline.extraction.code.scripts import shows_masses
    from mass_pipeline.extraction.reader import read_document  # which itself asks for the endings of code

    lines = read_document(text, content_type="text/html").lines
    return "" if shows_masses([line for line in lines if "{{" not in line.text]) else text


def _ending(name: str) -> str:
    return name.rpartition("/")[2].rpartition(".")[2].lower()
