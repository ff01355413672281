"""Is a body text? P8: headers, then name, then first bytes; then, because servers lie, the binary test. Pure.

Content-Encoding counts before: a coding that is not undone leaves no body (decompression).
"""

from __future__ import annotations

import re
from typing import Final

HEAD_BYTES: Final = 1024  # P8, of the binary test
LOOKED_AT_BYTES: Final = 5000  # P8, of what neither headers nor name tell
_SIGNATURES: Final = (
    (b"%PDF-", "application/pdf"),
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"GIF87a", "image/gif"),
    (b"GIF89a", "image/gif"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"PK\x03\x04", "application/zip"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "application/x-ole"),
    (b"Rar!\x1a\x07", "application/x-rar"),
    (b"7z\xbc\xaf\x27\x1c", "application/x-7z-compressed"),
    (b"\x1f\x8b\x08", "application/gzip"),
    (b"BZh", "application/x-bzip2"),
    (b"ID3", "audio/mpeg"),
    (b"OggS", "application/ogg"),
    (b"fLaC", "audio/flac"),
    (b"wOFF", "font/woff"),
    (b"wOF2", "font/woff2"),
    (b"\x7fELF", "application/x-elf"),
    (b"MZ\x90", "application/x-msdownload"),
    (b"{\\rtf", "application/rtf"),
    (b"II*\x00", "image/tiff"),
    (b"MM\x00*", "image/tiff"),
    (b"8BPS", "image/photoshop"),
)
_TEXT_TYPE: Final = re.compile(r"text/|application/(?:[a-z.+-]*\+)?(?:xhtml|xml|json|javascript|x-httpd-php)", re.IGNORECASE)
_BINARY_TYPE: Final = re.compile(
    r"(?:image(?!/svg)|audio|video|font)/|application/(?:pdf|zip|gzip|x-|vnd\.|msword|rtf|java-archive|octet-stream)",
    re.IGNORECASE,
)
_BINARY_NAME: Final = re.compile(
    r"\.(?:7z|aac|ai|apk|avi|avif|bin|bmp|bz2|css|cdr|dmg|docx?|docm|dot|eot|eps|exe|flac|flv|gif|gz|heic|ico|iso|jar|jpe?g|js|"
    r"m4[av]|mid|mkv|mov|mp[34g]|mpe?g|msi|od[gpst]|og[agv]|otf|pdf|png|pp[st]x?|ps|psd|rar|rtf|swf|tar|tgz|tiff?|ttf|wav|"
    r"web[mp]|wm[av]|woff2?|xlsx?|xz|zip)$",
    re.IGNORECASE,
)
_FILE_NAME: Final = re.compile(r"filename\*?=(?:UTF-8'')?\"?([^\";]+)", re.IGNORECASE)
_MARKUP_START: Final = re.compile(
    rb"(?:\xef\xbb\xbf)?\s*<(?:!doctype|!--|html|head|body|meta|title|table|div|p|\?xml)", re.IGNORECASE
)
_CONTROLS: Final = bytes(set(range(32)) - {8, 9, 10, 12, 13, 27}) + b"\x7f"
_HIGH: Final = bytes(range(128, 256))
_IN_BINARY_FILES_ALONE: Final = re.compile(rb"[\x01-\x07\x0b\x0e-\x1a\x1c-\x1f]")


_FIRST_BYTES: Final = tuple(signature for signature, _ in _SIGNATURES)


def named_binary(path: str) -> bool:
    """Whether a path ends like a file that holds no text.

    >>> named_binary("/galeria/zdjecie.JPG"), named_binary("/msze.html")
    (True, False)
    """
    return _BINARY_NAME.search(path) is not None


def sniff(head: bytes) -> str | None:
    """Media type that the first bytes give away, None when they do not."""
    if head.startswith(_FIRST_BYTES):
        return next(media_type for signature, media_type in _SIGNATURES if head.startswith(signature))
    if head[:4] == b"RIFF" and head[8:12] in (b"WEBP", b"WAVE", b"AVI "):
        return "application/x-riff"
    if head[4:8] == b"ftyp":
        return "video/mp4"
    return None


def is_binary(head: bytes) -> bool:
    """The binary test of P8 on the first 1,024 bytes.

    >>> is_binary(b""), is_binary("Msze święte".encode()), is_binary(bytes(range(256)))
    (False, False, True)
    """
    head = head[:HEAD_BYTES]
    if not head or _is_unicode(head):
        return False
    control = 1 - len(head.translate(None, _CONTROLS)) / len(head)
    high = 1 - len(head.translate(None, _HIGH)) / len(head)
    if (control > 0.3 and high < 0.05) or (control > 0.8 and high > 0.8):
        return True
    return b"\0" in head


def is_text(head: bytes, content_type: str | None, path: str = "", content_disposition: str | None = None) -> bool:
    """Whether a body is text, from everything known; the bytes have the last word.

    Args:
        head: first bytes of the body, at least 5,000 where there are so many.
        content_type, content_disposition: header values.
        path: path of the URL.
    """
    if sniff(head) is not None:
        return False
    if _MARKUP_START.match(head):
        return not is_binary(head)
    name = _FILE_NAME.search(content_disposition or "")
    claimed_text = _TEXT_TYPE.match(content_type or "") is not None
    claimed_binary = _BINARY_TYPE.match(content_type or "") is not None or named_binary(name[1] if name else "")
    if not claimed_text and (claimed_binary or (not content_type and named_binary(path))):
        return False
    if not content_type and not name and "." not in path.rpartition("/")[2]:
        return not is_binary(head) and _IN_BINARY_FILES_ALONE.search(head[:LOOKED_AT_BYTES]) is None
    return not is_binary(head)


def surely_text(content_type: str | None) -> bool:
    """Whether the header promises text, so that reading may go on before the bytes are judged."""
    return _TEXT_TYPE.match(content_type or "") is not None


def is_markup(head: bytes, content_type: str | None) -> bool:
    """Whether links can be expected: HTML by header or by its first bytes."""
    return "html" in (content_type or "").lower() or _MARKUP_START.match(head) is not None or b"<a " in head.lower()


def _is_unicode(head: bytes) -> bool:
    if b"\0" in head:
        return head.startswith((b"\xff\xfe", b"\xfe\xff"))  # UTF-16 with its mark
    try:
        head.decode("utf-8")
    except UnicodeDecodeError as error:
        return error.end >= len(head) - 1 and error.reason == "unexpected end of data"
    # Control characters are valid UTF-8; a block full of them is no text all the same.
    return len(head.translate(None, _CONTROLS)) > 0.7 * len(head)
