"""Read any document: find out what the bytes are, decode them, and hand them to the reader of their kind."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from mass_pipeline.extraction import html, markdown, plain
from mass_pipeline.extraction.builder import PageBuilder
from mass_pipeline.extraction.charset import decode
from mass_pipeline.extraction.config import DEFAULT, ExtractionConfig
from mass_pipeline.extraction.finishing import finish_lines
from mass_pipeline.extraction.held_data import data_in_attributes, has_templates
from mass_pipeline.extraction.mojibake import repair
from mass_pipeline.extraction.opaque import OpaqueFinder
from mass_pipeline.extraction.site_code import CODE_ENDINGS
from mass_pipeline.extraction.sniffing import Binary, binary_kind, code_kind
from mass_pipeline.extraction.structured import json_ld_lines
from mass_pipeline.guard import seldom_collected
from mass_pipeline.model.document import Document, LineKind, OpaqueSource, Region

_MARKUP: Final = re.compile(
    r"<(?:!doctype|html|head|body|div|p|br|table|tr|td|ul|ol|li|h[1-6]|span|a|b|i|strong|em|font|center|img|hr|title|meta|"
    r"link|script|style|section|article|main|header|footer|nav|aside|dl|dt|dd|pre|noscript|iframe|frameset|sup|u)\b[^<>]*>|<!--|</[a-z]",
    re.I,
)
_MARKDOWN: Final = re.compile(r"\A\ufeff?---[ \t]*\r?\n|^#{1,6}[ \t]+\S|\*\*[^*\n]+\*\*|^\|.*\|[ \t]*$", re.M)
_WHOLE_PAGE: Final = re.compile(r"\s*(?:<!--.*?-->\s*)?<(?:!doctype|html|head|body|\?xml)", re.I | re.S)
_TITLED: Final = frozenset({Region.MAIN, Region.HEADER})  # parts of a page whose first heading may be its title
# News, one after the other and mostly dated by their elements: the watch follows them. Where the pages of a site show nothing
# by themselves, their entries are read as pages (`feed_entries`).
_FEED: Final = re.compile(
    r"\s*(?:<\?xml[^<>]*>\s*)?(?:<\?xml-stylesheet[^<>]*>\s*)?(?:<!--.*?-->\s*)?<(?:rss|feed|rdf:rdf)[\s>]", re.I | re.S
)
_SHORTEST_PAGE: Final = 120  # characters; "Wczytywanie", "włącz JavaScript" and a name are shorter
_FEW_LINES: Final = 10
_SNIFFED: Final = 65_536  # characters looked at to tell markup from text


def read_document(
    content: bytes | str,
    *,
    content_type: str | None = None,
    url: str = "",
    link_text: str = "",
    config: ExtractionConfig = DEFAULT,
) -> Document:
    """Visible text of a page, with structure and offsets.

    Args:
        content: bytes as received, or decoded text. HTML, Markdown, MDX, plain text, PDF, docx and odt are told apart
            by their content first, then by type and address.
        content_type: Content-Type header, when known.
        url: address of the page, "" when unknown.
        link_text: words of the link that led here, "" when unknown.
        config: limits against hostile documents.

    Returns:
        A document; without lines when there is no text, and for feeds (RSS, Atom). What is no text at all (an image, a
        scanned or locked PDF, an office file of an old format) is an opaque source of its own.
    """
    with seldom_collected():
        return _read(content, content_type, url, link_text, config)


def _read(content: bytes | str, content_type: str | None, url: str, link_text: str, config: ExtractionConfig) -> Document:
    if isinstance(content, bytes):
        kind = binary_kind(content)
        if kind is not None:
            return _read_binary(content, kind, url, link_text, config)
        content = decode(content[: 4 * config.max_characters], content_type).text
    source = repair(content[: config.max_characters].replace("\x00", ""))
    if _FEED.match(source):
        return Document(url=url, link_text=link_text)
    return _read_text(source, _text_kind(source, content_type, url), url, link_text)


def _read_binary(content: bytes, kind: Binary, url: str, link_text: str, config: ExtractionConfig) -> Document:
    # Imported when met: few pages are no markup, and both libraries are slow to load.
    if kind == "pdf":
        from mass_pipeline.extraction.pdf import pdf_text

        document = _read_text(pdf_text(content, config)[: config.max_characters], "plain", url, link_text)
    elif kind == "zip":
        from mass_pipeline.extraction.office import office_html

        kind, document = "office", _read_text(office_html(content, config), "html", url, link_text)
    else:
        document = Document(url=url, link_text=link_text)
    if document.lines:
        return document
    return replace(document, opaque=(OpaqueSource(kind, url, link_text),))


def _read_text(source: str, kind: str, url: str, link_text: str) -> Document:
    if kind in CODE_ENDINGS:
        from mass_pipeline.extraction.code.aside import told_aside
        from mass_pipeline.extraction.code.files import file_markup

        source, kind = told_aside(file_markup, source, kind, size=len(source)), "html"
    opaque = OpaqueFinder(url)
    builder = _built(source, kind, opaque)
    filled = _filled(source, builder) if kind == "html" and has_templates(source) else ""
    if filled:
        source, opaque = filled, OpaqueFinder(url)
        builder = _built(source, kind, opaque)
    in_attributes = data_in_attributes(source) if kind == "html" else []
    if opaque.scripts or in_attributes:
        held = _held_by_scripts(source, opaque, builder, in_attributes) if kind == "html" else ""
        if held:
            source += held
            opaque = OpaqueFinder(url)
            builder = _built(source, kind, opaque)
    if opaque.loads_scripts and sum(len(line.text) for line in builder.lines[:_FEW_LINES]) < _SHORTEST_PAGE:
        opaque.add("page", url, builder.title)
    for start, end in opaque.json_ld:
        for line in json_ld_lines(source[start:end]):
            builder.structured(line)
    lines = finish_lines(builder)
    title = builder.title or next((line.text for line in lines if line.kind is LineKind.HEADING and line.region in _TITLED), "")
    return Document(lines, title, url, link_text, source, opaque.sources, builder.parents)


def _built(source: str, kind: str, opaque: OpaqueFinder) -> PageBuilder:
    builder = PageBuilder(source, opaque=opaque)
    if kind == "html":
        html.feed(builder)
    elif kind == "markdown":
        markdown.feed(builder)
    else:
        plain.feed(builder)
    builder.finish()
    return builder


def _filled(source: str, builder: PageBuilder) -> str:
    """The page with its templates filled, "" when it shows Masses without them or none with them."""
    from mass_pipeline.extraction.code.aside import told_aside
    from mass_pipeline.extraction.code.page_templates import page_markup
    from mass_pipeline.extraction.code.scripts import shows_masses

    lines = [line for line in builder.lines if "{{" not in line.text]  # `{{ m.godziny }}` is no hour
    return "" if shows_masses(lines) else told_aside(page_markup, source, size=len(source))


def _held_by_scripts(source: str, opaque: OpaqueFinder, builder: PageBuilder, in_attributes: Sequence[tuple[str, str]]) -> str:
    """Markup of what scripts put into a page that shows no Masses without them; it goes after the page. Source offsets stay.

    Of a page that does, only what its closed tabs would show.
    """
    from mass_pipeline.extraction.code.aside import told_aside
    from mass_pipeline.extraction.code.scripts import scripts_markup, shows_masses, tabs_markup

    scripts = [(kind, source[start:end]) for kind, start, end in opaque.scripts]
    scripts += in_attributes
    if shows_masses(builder.lines):
        closed = builder.tabs.unopened(builder.lines, builder.parents)
        held = told_aside(tabs_markup, scripts, closed, size=len(source)) if closed else ""
    else:
        held = told_aside(scripts_markup, scripts, size=len(source))
    return f"\n</script><main>{held}</main>" if held else ""


def _text_kind(source: str, content_type: str | None, url: str) -> str:
    """`html`, `markdown`, `plain`, or one of `CODE_ENDINGS`."""
    declared = (content_type or "").lower()
    name = url.lower().split("?")[0].split("#")[0]
    if _WHOLE_PAGE.match(source):
        return "html"
    ending = name.rpartition(".")[2]
    if ending in CODE_ENDINGS and "html" not in declared:
        return ending
    if "json" in declared or "javascript" in declared:
        return "json" if "json" in declared else "js"
    if "markdown" in declared or name.endswith((".md", ".mdx", ".markdown")):
        return "markdown"
    if name.endswith(".txt") and "html" not in declared:
        return "plain"
    code = code_kind(source) if "html" not in declared else None
    if code is not None:
        return code
    head = source[:_SNIFFED]
    if name.endswith((".html", ".htm", ".xhtml", ".php", ".asp", ".aspx")):
        return "html"
    if "html" in declared or _MARKUP.search(head):
        is_markdown = "html" not in declared and len(_MARKDOWN.findall(head)) > 2
        return "markdown" if is_markdown else "html"
    return "markdown" if _MARKDOWN.search(head) else "plain"
