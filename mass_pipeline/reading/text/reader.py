"""Read any document: find out what the bytes are, decode them, and hand them to the reader of their kind."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from mass_pipeline.guard import seldom_collected
from mass_pipeline.model.document import Document, LineKind, OpaqueSource, Region
from mass_pipeline.model.sniffing import SOURCE_CODE, Binary, binary_kind, is_source_code
from mass_pipeline.reading.text import html
from mass_pipeline.reading.text.builder import PageBuilder
from mass_pipeline.reading.text.charset import decode, repair
from mass_pipeline.reading.text.embedded_data import embedded_markup, json_ld_lines, json_markup, values_with_hours
from mass_pipeline.reading.text.line_assembly import finish_lines
from mass_pipeline.reading.text.markdown import markdown_to_html, plain_to_html
from mass_pipeline.reading.text.unreadable_media import OpaqueFinder

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
_MOST_CHARACTERS: Final = 20_000_000  # of one page that are read
_SHORTEST_PAGE: Final = 120  # characters; "Wczytywanie", "włącz JavaScript" and a name are shorter
_FEW_LINES: Final = 10
_TO_HTML: Final = {"markdown": markdown_to_html, "plain": plain_to_html}
_SNIFFED: Final = 65_536  # characters looked at to tell markup from text


def read_document(
    content: bytes | str,
    *,
    content_type: str | None = None,
    url: str = "",
    link_text: str = "",
) -> Document:
    """Visible text of a page, with structure.

    Args:
        content: bytes as received, or decoded text. HTML, Markdown, MDX, plain text, PDF, docx and odt are told apart
            by their content first, then by type and address.
        content_type: Content-Type header, when known.
        url: address of the page, "" when unknown.
        link_text: words of the link that led here, "" when unknown.

    Returns:
        A document; without lines when there is no text, and for feeds (RSS, Atom). What is no text for visitors (an image, a
        scanned or locked PDF, an office file of an old format, source code) is an opaque source of its own.
    """
    with seldom_collected():
        return _read(content, content_type, url, link_text)


def _read(content: bytes | str, content_type: str | None, url: str, link_text: str) -> Document:
    if isinstance(content, bytes):
        kind = binary_kind(content)
        if kind is not None:
            return _read_binary(content, kind, url, link_text)
        content = decode(content[: 4 * _MOST_CHARACTERS], content_type).text
    source = repair(content[:_MOST_CHARACTERS].replace("\x00", ""))
    if _FEED.match(source):
        return Document(url=url, link_text=link_text)
    return _read_text(source, _text_kind(source, content_type, url), url, link_text)


def _read_binary(content: bytes, kind: Binary, url: str, link_text: str) -> Document:
    # Imported when met: few pages are no markup, and both libraries are slow to load.
    if kind == "pdf":
        from mass_pipeline.reading.text.pdf import pdf_text

        text, text_kind = pdf_text(content)
        document = _read_text(text[:_MOST_CHARACTERS], text_kind, url, link_text)
    elif kind == "zip":
        from mass_pipeline.reading.text.office import office_html

        kind, document = "office", _read_text(office_html(content), "html", url, link_text)
    else:
        document = Document(url=url, link_text=link_text)
    if document.lines:
        return document
    return replace(document, opaque=(OpaqueSource(kind, url, link_text),))


def _read_text(source: str, kind: str, url: str, link_text: str) -> Document:
    if kind == SOURCE_CODE:
        return Document(url=url, link_text=link_text, opaque=(OpaqueSource(kind, url, link_text),))
    if kind == "json":
        source, kind = json_markup(source), "html"
    opaque = OpaqueFinder(url)
    page = _TO_HTML[kind](source) if kind in _TO_HTML else source
    builder = PageBuilder(page, opaque)
    html.feed(builder, page)
    held = values_with_hours(source) if kind == "html" else []
    embedded = embedded_markup(opaque.scripts, held, builder.lines) if kind == "html" else ""
    if embedded:
        html.feed(builder, f"<main>{embedded}</main>")
    elif held:
        opaque.add("script", url, builder.title)
    if opaque.loads_scripts and sum(len(line.text) for line in builder.lines[:_FEW_LINES]) < _SHORTEST_PAGE:
        opaque.add("page", url, builder.title)
    for block in opaque.json_ld:
        for line in json_ld_lines(block):
            builder.structured(line)
    lines = finish_lines(builder)
    title = builder.title or next((line.text for line in lines if line.kind is LineKind.HEADING and line.region in _TITLED), "")
    return Document(lines, title, url, link_text, source, opaque.sources, builder.parents)


def _text_kind(source: str, content_type: str | None, url: str) -> str:
    """`html`, `markdown`, `plain`, `json` or `SOURCE_CODE`."""
    declared = (content_type or "").lower()
    name = url.lower().split("?")[0].split("#")[0]
    if _WHOLE_PAGE.match(source):
        return "html"
    if "javascript" in declared or (is_source_code(name) and "html" not in declared):
        return SOURCE_CODE
    if "json" in declared or (name.endswith(".json") and "html" not in declared):
        return "json"
    if "markdown" in declared or name.endswith((".md", ".mdx", ".markdown")):
        return "markdown"
    if name.endswith(".txt") and "html" not in declared:
        return "plain"
    head = source[:_SNIFFED]
    if name.endswith((".html", ".htm", ".xhtml", ".php", ".asp", ".aspx")):
        return "html"
    if "html" in declared or _MARKUP.search(head):
        is_markdown = "html" not in declared and len(_MARKDOWN.findall(head)) > 2
        return "markdown" if is_markdown else "html"
    return "markdown" if _MARKDOWN.search(head) else "plain"
