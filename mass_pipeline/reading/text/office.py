"""Office files (docx, odt, ods) as simple HTML, within limits: the HTML reader then does the rest.

No entity is resolved and nothing is fetched; a member beyond the limit is not unpacked. Source: ECMA-376 part 1, section 17;
OASIS OpenDocument 1.2 part 1.
"""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Iterator
from html import escape
from typing import Final

from lxml import etree

_MEMBERS: Final = ("word/document.xml", "content.xml")
_MOST_BYTES: Final = 2**20  # of the unpacked document inside an office file
_MAX_SPAN: Final = 50  # columns of one cell
# Local element name -> HTML element opened and closed with it.
_BLOCKS: Final = {
    "p": "p",
    "h": "h3",
    "tbl": "table",
    "tr": "tr",
    "tc": "td",
    "table": "table",
    "table-row": "tr",
    "table-cell": "td",
    "list": "ul",
    "list-item": "li",
}
_BREAKS: Final = {"br": "<br>", "cr": "<br>", "line-break": "<br>", "tab": " ", "s": " ", "noBreakHyphen": "-"}
_UNSEEN: Final = ("strike", "dstrike", "vanish")  # properties of a run: crossed out, hidden
_OFF: Final = frozenset({"0", "false", "off", "none"})
_DROPPED: Final = frozenset({"delText", "instrText", "tracked-changes", "annotation", "styles", "scripts", "font-face-decls"})


def office_html(content: bytes) -> str:
    """The document as HTML, "" when the archive is broken, too large, locked or of another kind."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            member = next((name for name in _MEMBERS if name in archive.NameToInfo), None)
            if member is None or archive.NameToInfo[member].file_size > _MOST_BYTES:
                return ""
            with archive.open(member) as stream:
                xml = stream.read(_MOST_BYTES + 1)
    except (zipfile.BadZipFile, zlib.error, OSError, NotImplementedError, RuntimeError, ValueError, EOFError):
        return ""
    if len(xml) > _MOST_BYTES:
        return ""
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False)
    try:
        root = etree.fromstring(xml, parser)
    except etree.XMLSyntaxError:
        return ""
    return "".join(_html(root))


def _html(root: etree._Element) -> Iterator[str]:
    dropped = 0
    for event, element in etree.iterwalk(root, events=("start", "end")):
        name = etree.QName(element).localname if isinstance(element.tag, str) else ""
        opening = event == "start"
        if name in _DROPPED:
            dropped += 1 if opening else -1
        elif not dropped:
            yield _start(name, element) if opening else _end(name, element)
        if not opening and not dropped and element.tail and _is_open_document(element):
            yield escape(element.tail)


def _start(name: str, element: etree._Element) -> str:
    if name in _BREAKS:
        return _BREAKS[name]
    opened = "".join(f"<{tag}>" for tag in _tags(name, element))
    if name == "t" or (_is_open_document(element) and name in ("p", "h", "span", "a")):
        return opened + escape(element.text or "")
    return opened


def _end(name: str, element: etree._Element) -> str:
    return "".join(f"</{tag.split()[0]}>" for tag in reversed(_tags(name, element)))


def _tags(name: str, element: etree._Element) -> list[str]:
    """HTML elements that stand for an element of the document."""
    if name == "r":
        bold = element.find("{*}rPr/{*}b") is not None
        aligned = element.find("{*}rPr/{*}vertAlign")
        raised = aligned is not None and "superscript" in aligned.attrib.values()
        return ["s"] * _is_unseen(element) + ["b"] * bold + ["sup"] * raised
    if name == "p" and element.find("{*}pPr/{*}pStyle") is not None:
        style = "".join(map(str, element.find("{*}pPr/{*}pStyle").attrib.values()))
        return ["h3"] if style.lower().startswith(("heading", "nag", "tytu", "title")) else ["p"]
    if name in ("tc", "table-cell"):
        return [f"td{_spans(element)}"]
    return [_BLOCKS[name]] if name in _BLOCKS else []


def _is_unseen(run: etree._Element) -> bool:
    """Whether a run of docx is crossed out or hidden (17.3.2.37, 17.3.2.9, 17.3.2.41)."""
    found = (run.find(f"{{*}}rPr/{{*}}{name}") for name in _UNSEEN)
    return any(one is not None and _OFF.isdisjoint(one.attrib.values()) for one in found)


def _spans(element: etree._Element) -> str:
    """Column span of a cell, as an attribute."""
    word = element.find("{*}tcPr/{*}gridSpan")
    for key, value in (*element.attrib.items(), *(word.attrib.items() if word is not None else ())):
        if str(key).endswith(("number-columns-spanned", "}val")) and str(value).isdecimal():
            return f" colspan={min(int(value), _MAX_SPAN)}"
    return ""


def _is_open_document(element: etree._Element) -> bool:
    return isinstance(element.tag, str) and "opendocument" in element.tag
