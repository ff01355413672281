"""Read any document: find out what the bytes are, decode them, and hand them to the reader of their kind."""

from __future__ import annotations

import re
from typing import Final

from mass_pipeline.extraction import html, markdown, plain
from mass_pipeline.extraction.builder import PageBuilder
from mass_pipeline.extraction.charset import decode
from mass_pipeline.extraction.finishing import finish_lines
from mass_pipeline.extraction.mojibake import repair
from mass_pipeline.extraction.opaque import OpaqueFinder
from mass_pipeline.model.document import Document, LineKind

_MARKUP: Final = re.compile(
    r"<(?:!doctype|html|head|body|div|p|br|table|tr|td|ul|ol|li|h[1-6]|span|a|b|i|strong|em|font|center|img|hr|title|meta|"
    r"link|script|style|section|article|main|header|footer|nav|aside|dl|dt|dd|pre|noscript|iframe|frameset|sup|u)\b[^<>]*>|<!--|</[a-z]",
    re.I,
)
_MARKDOWN: Final = re.compile(r"\A\ufeff?---[ \t]*\r?\n|^#{1,6}[ \t]+\S|\*\*[^*\n]+\*\*|^\|.*\|[ \t]*$", re.M)
_WHOLE_PAGE: Final = re.compile(r"\s*(?:<!--.*?-->\s*)?<(?:!doctype|html|head|body|\?xml)", re.I | re.S)
_SNIFFED: Final = 65_536  # characters looked at to tell markup from text


def read_document(content: bytes | str, *, content_type: str | None = None, url: str = "", link_text: str = "") -> Document:
    """Visible text of a page, with structure and offsets.

    Args:
        content: bytes as received, or decoded text. HTML, Markdown, MDX, plain text, PDF, docx and odt are told apart
            by their content first, then by type and address.
        content_type: Content-Type header, when known.
        url: address of the page, "" when unknown.
        link_text: words of the link that led here, "" when unknown.

    Returns:
        A document; without lines when there is no text. A scanned or locked PDF is an opaque source of its own.
    """
    text = content if isinstance(content, str) else decode(content, content_type).text
    source = repair(text.replace("\x00", ""))
    opaque = OpaqueFinder(url)
    builder = PageBuilder(source, opaque=opaque)
    kind = _text_kind(source, content_type, url)
    if kind == "html":
        html.feed(builder)
    elif kind == "markdown":
        markdown.feed(builder)
    else:
        plain.feed(builder)
    builder.finish()
    lines = finish_lines(builder)
    title = builder.title or next((line.text for line in lines if line.kind is LineKind.HEADING), "")
    return Document(lines, title, url, link_text, source, opaque.sources)


def _text_kind(source: str, content_type: str | None, url: str) -> str:
    """`html`, `markdown` or `plain`."""
    declared = (content_type or "").lower()
    name = url.lower().split("?")[0].split("#")[0]
    if _WHOLE_PAGE.match(source):
        return "html"
    if "markdown" in declared or name.endswith((".md", ".mdx", ".markdown")):
        return "markdown"
    if name.endswith(".txt") and "html" not in declared:
        return "plain"
    head = source[:_SNIFFED]
    if "html" in declared or _MARKUP.search(head):
        is_markdown = "html" not in declared and len(_MARKDOWN.findall(head)) > 2
        return "markdown" if is_markdown else "html"
    return "markdown" if _MARKDOWN.search(head) else "plain"
