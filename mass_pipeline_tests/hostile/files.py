"""Files and answers made to hurt: PDF, office, sitemaps and feeds, broken HTTP, broken gzip."""

from __future__ import annotations

import gzip
import io
import zipfile
import zlib
from collections.abc import Sequence
from typing import Final

from mass_pipeline_tests.hostile.repeated import Maker, nested, repeated

_SITEMAP: Final = '<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'
_WORD: Final = '<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>'
_OPEN: Final = (
    '<office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" '
    'xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0">'
)


def pdf(objects: Sequence[bytes]) -> bytes:
    """A file with these objects, the first one being the catalogue."""
    out, offsets = bytearray(b"%PDF-1.4\n"), []
    for number, body in enumerate(objects, 1):
        offsets.append(len(out))
        out += b"%d 0 obj\n%b\nendobj\n" % (number, body)
    start = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    out += b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    out += b"trailer << /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF" % (len(objects) + 1, start)
    return bytes(out)


def stream(content: bytes, entries: bytes = b"") -> bytes:
    """A packed stream with more entries."""
    packed = zlib.compress(content, 9)
    return b"<< /Length %d /Filter /FlateDecode %b >>\nstream\n%b\nendstream" % (len(packed), entries, packed)


def pdf_page(content: bytes, resources: bytes = b"", more: Sequence[bytes] = (), entries: bytes = b"") -> bytes:
    """A page of 600 by 800 points with the font F, Helvetica; objects beside it are numbered from 6 on."""
    page = b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 4 0 R /Resources << /Font << /F 5 0 R >> %b >> %b >>"
    page %= (resources, entries)
    font = b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"
    pages = b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>"
    return pdf([b"<< /Type /Catalog /Pages 2 0 R >>", pages, page, stream(content), font, *more])


def nested_forms(levels: int) -> bytes:
    """Forms that draw the next one twice: 2 to the power of the levels are drawn."""
    forms = []
    for level in range(levels):
        last = level == levels - 1
        named = b"" if last else b"/Resources << /XObject << /X %d 0 R >> >>" % (7 + level)
        forms.append(
            stream(
                b"BT /F 9 Tf (Msza 8.00) Tj ET" if last else b"/X Do /X Do",
                b"/Type /XObject /Subtype /Form /BBox [0 0 1 1] " + named,
            )
        )
    return pdf_page(b"/X Do /X Do", b"/XObject << /X 6 0 R >>", forms)


def _forms(size: int) -> bytes:
    return nested_forms(max(2, size // 1000))  # 10 levels in 10 kB: doubling the levels squares the forms


def _pdf_text(size: int) -> bytes:
    return pdf_page(repeated("BT /F 9 Tf 1 0 0 1 10 {i} Tm (Niedziela 8.00) Tj ET\n")(size))


def _pdf_pages(size: int) -> bytes:
    number = max(1, size // 200)
    kids = b" ".join(b"%d 0 R" % (3 + i) for i in range(number))
    page = b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] >>"
    return pdf(
        [b"<< /Type /Catalog /Pages 2 0 R >>", b"<< /Type /Pages /Kids [%b] /Count %d >>" % (kids, number), *[page] * number]
    )


def _pdf_of_nothing(size: int) -> bytes:
    return b"%PDF-1.4\n" + b"1 0 obj << /A [" + b"[" * size


def _pdf_bomb(size: int) -> bytes:
    return pdf_page(b"BT (Msza) Tj ET " * (size * 4))


def _zip(name: str, xml: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, xml)
    return out.getvalue()


def _office(name: str, make: Maker, growth: int = 20) -> Maker:
    """An office file; its text is `growth` times as large as the size asked for, as it packs well."""
    return lambda size: _zip(name, make(size * growth))


def _interim_with_headers(size: int) -> bytes:
    return b"HTTP/1.1 103 Early Hints\r\nLink: <a>; rel=preload\r\n\r\n" * (size // 53)


def _chunks(size: int) -> bytes:
    return b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + b"1\r\nx\r\n" * (size // 6)


def _gzip_late_damage(size: int) -> bytes:
    text = repeated("<p>Niedziela {i} {h}.{m} {w}</p>")(size * 6)
    return gzip.compress(text, 6)[:-8] + b"damaged!"


def _gzip_empty_blocks(size: int) -> bytes:
    return gzip.compress(b"")[:10] + b"\x00\x00\x00\xff\xff" * (size // 5) + b"\x07"


SHAPES: Final[dict[str, tuple[str, Maker, int]]] = {
    "PDF: forms that draw forms": ("page", _forms, 22_000),
    "PDF: text": ("page", _pdf_text, 2_000_000),
    "PDF: pages": ("page", _pdf_pages, 5_000_000),
    "PDF: arrays in arrays": ("page", _pdf_of_nothing, 5_000_000),
    "PDF: a bomb": ("page", _pdf_bomb, 5_000_000),
    "Word: paragraphs": (
        "page",
        _office(
            "word/document.xml", repeated("<w:p><w:r><w:t>Niedziela {h}.{m}</w:t></w:r></w:p>", _WORD, "</w:body></w:document>")
        ),
        500_000,
    ),
    "Word: deep tables": (
        "page",
        _office("word/document.xml", nested("<w:tbl><w:tr><w:tc>", "<w:p/>", "</w:tc></w:tr></w:tbl>"), 1),
        500_000,
    ),
    "Word: cells with many children": (
        "page",
        _office("word/document.xml", repeated("<w:tc><w:p/><w:tcPr/></w:tc>", f"{_WORD}<w:tc>", "</w:tc></w:body></w:document>")),
        500_000,
    ),
    "Open document: spans": (
        "page",
        _office(
            "content.xml", repeated("<text:span>8.00</text:span>", f"{_OPEN}<text:p>", "</text:p></office:document-content>")
        ),
        500_000,
    ),
    "office: names in the archive": ("page", lambda size: _names(size), 2_000_000),
    "sitemap: nested entries with text": (
        "feed",
        lambda size: _SITEMAP.encode() + nested("<url>http://a.pl/{i}", "x", "</url>")(size) + b"</urlset>",
        7_000_000,
    ),
    "sitemap: one entry of many": (
        "feed",
        repeated("<loc>http://a.pl/{i}</loc>", f"{_SITEMAP}<url>", "</url></urlset>"),
        7_000_000,
    ),
    "sitemap: spaces": ("feed", repeated(" ", f"{_SITEMAP}<url><loc>http://a.pl/", "</loc></url></urlset>"), 5_000_000),
    "feed: titles in titles": (
        "feed",
        repeated(f"{'<item><title>x' * 100}{'</title></item>' * 100}", "<rss><channel>", "</channel></rss>"),
        5_000_000,
    ),
    "sitemap: nests of a hundred": (
        "feed",
        repeated(f"{'<url>http://a.pl/x' * 100}{'</url>' * 100}", _SITEMAP, "</urlset>"),
        7_000_000,
    ),
    "feed: entities": (
        "feed",
        repeated("&a;", "<!DOCTYPE rss [<!ENTITY a 'aaaa'>]><rss><channel><item><title>", "</title></item></channel></rss>"),
        5_000_000,
    ),
    "Atom: links": ("feed", repeated("<link href='/{i}' rel='x'/>", "<feed><entry>", "</entry></feed>"), 5_000_000),
    "HTTP: interim answers with headers": ("http", _interim_with_headers, 5_000_000),
    "HTTP: chunks of a byte": ("http", _chunks, 5_000_000),
    "HTTP: spaces": ("http", lambda size: b"HTTP/1.1 200 OK\r\nA:" + b"\r\n " * (size // 3), 5_000_000),
    "gzip: damaged at the end": ("gzip", _gzip_late_damage, 1_500_000),
    "gzip: empty blocks": ("gzip", _gzip_empty_blocks, 5_000_000),
}


def _names(size: int) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for number in range(size // 100):
            archive.writestr(f"{number}", b"")
        archive.writestr("content.xml", f"{_OPEN}<text:p>8.00</text:p></office:document-content>")
    return out.getvalue()
