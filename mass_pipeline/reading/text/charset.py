"""Turn the bytes of a page into characters, say why that way, and repair what was damaged before.

Belongs here: byte order marks, UTF-8 validity, declared charsets (header, `<meta>`, XML declaration) and the Polish rule on
the letters that windows-1250 and iso-8859-2 place differently. Not here: markup (see the document readers), nor whether a
body is text at all (crawling). Repaired are letters that went through a wrong charset, where no Polish text could look so: UTF-8
read as a one-byte code page and saved again ("MÄ\u0099ka", "Ĺ\u015bw."), and iso-8859-2 read as windows-1250 or the reverse
("¶roda", "œroda"). Labels: WHATWG Encoding standard; stages: P8, B3 and hazards T4-T7.
"""

from __future__ import annotations

import codecs
import re
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Final

_META_BYTES: Final = 1024  # WHATWG HTML 13.2.3.2: prescan of the first 1,024 bytes
_UTF16_SAMPLE_BYTES: Final = 1024
_NUL_SHARE: Final = 0.3  # Latin text in UTF-16 without a mark has a NUL in nearly every second byte
_SOUND_SHARE: Final = 10  # damaged UTF-8 is still UTF-8 when sound multi-byte sequences outnumber the broken ones so much

# The six letters (Ą Ś Ź ą ś ź) that Polish text has and the two code pages place differently.
_WINDOWS_LETTERS: Final = b"\xa5\x8c\x8f\xb9\x9c\x9f"
_ISO_LETTERS: Final = b"\xa1\xa6\xac\xb1\xb6\xbc"
_POLISH_LETTERS: Final = b"\xb3\xbf\xea\xf1\xe6\xa3\xaf"  # ł ż ę ń ć Ł Ż, the same in both
_CZECH_LETTERS: Final = b"\xec\xf8\xe8\xf9\xfd\xbe"  # ě ř č ů ý ľ: š and ť sit where Polish has ą
_MISDECLARED: Final = frozenset({"windows-1250", "iso-8859-2", "windows-1252"})  # servers name these for one another

# In a Polish word with a letter above ASCII a quarter of the letters are such, in words of other scripts nearly all.
_FOREIGN_SHARE: Final = 0.6
_SAMPLE_BYTES: Final = 65_536
_TAGS: Final = re.compile(rb"[<>]")
_ASCII_LETTERS: Final = bytes([*range(65, 91), *range(97, 123)])
_LETTERS_ALONE: Final = bytes(byte if byte in _ASCII_LETTERS or byte > 127 else 32 for byte in range(256))
# Python's names; legacy code pages of scripts that are not Latin, as pages without any word on their charset use them.
_OTHER_SCRIPTS: Final = {
    "cp1251": "windows-1251", "koi8_r": "koi8-r", "koi8_u": "koi8-u", "iso8859_5": "iso-8859-5", "cp1253": "windows-1253",
    "gb18030": "gbk", "big5": "big5", "cp932": "shift_jis", "euc_jp": "euc-jp", "cp949": "euc-kr",
}  # fmt: skip

_MARKS: Final = (
    (b"\xef\xbb\xbf", "utf-8"),
    (b"\xff\xfe", "utf-16le"),
    (b"\xfe\xff", "utf-16be"),
)
_STANDARD: Final = tomllib.loads(Path(__file__).with_name("charsets.toml").read_text("utf-8"))
_CODECS: Final = {name: codec for name, (codec, _) in _STANDARD.items()}  # Python's, where its table is the superset
_NAMES: Final = {label: name for name, (_, labels) in _STANDARD.items() for label in (name, *labels.split())}
_WINDOWS_SPELLING: Final = re.compile(r"(?:x-)?(?:cp|win|windows)[-_]?(125\d)")
_ISO_SPELLING: Final = re.compile(r"(?:cs)?iso[-_]?8859[-_]?(\d{1,2})(?:[-_:](?:19\d\d|([ei])))?")

_HEADER_CHARSET: Final = re.compile(r"charset\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s;,\"']+))", re.IGNORECASE)
_META_CONTENT: Final = re.compile(rb"charset[\t\n\f\r ]*=[\t\n\f\r ]*(?:\"([^\"]*)\"|'([^']*)'|([^\s;\"']+))", re.IGNORECASE)
# A comment (an unclosed one hides the rest), or a tag with its attributes.
_TAG: Final = re.compile(rb"<!--.*?(?:-->|\Z)|<(/?[a-zA-Z][^\s/>]*)((?:\"[^\"]*\"|'[^']*'|[^>\"'])*)>", re.DOTALL)
_ATTRIBUTE: Final = re.compile(rb"([^\s/>=\"']+)(?:\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s>\"']+)))?")
_XML_DECLARATION: Final = re.compile(rb"\s*<\?xml[^>]*?encoding\s*=\s*[\"']([A-Za-z0-9._-]+)[\"']")


@dataclass(frozen=True, slots=True)
class Decoded:
    """Characters of a body.

    Attributes:
        text: without a byte order mark; bytes that mean nothing stand as U+FFFD.
        encoding: name as in the WHATWG Encoding standard, lower case.
        reason: which evidence decided; names what it overruled.
    """

    text: str
    encoding: str
    reason: str


def decode(body: bytes, content_type: str | None = None) -> Decoded:
    """Characters of a body; never raises.

    Evidence in order: byte order mark, valid UTF-8, header, meta, letters of another script (B3), Polish rule. A declared
    windows-1250, iso-8859-2 or iso-8859-1 yields to the letters themselves when they contradict it.

    Args:
        body: content encoding removed; may be cut anywhere.
        content_type: value of the Content-Type header.

    >>> decode("Msze święte o siódmej".encode("iso-8859-2")).encoding
    'iso-8859-2'
    """
    encoding, reason = detect(body, content_type)
    return Decoded(to_text(body, encoding), encoding, reason)


def detect(body: bytes, content_type: str | None = None) -> tuple[str, str]:
    """Encoding and reason alone; arguments as for `decode`."""
    for mark, name in _MARKS:
        if body.startswith(mark):
            return name, "byte order mark"
    wide = _wide_without_mark(body)
    if wide:
        return wide, "NUL in every second byte"
    if body.isascii() and b"\x1b" not in body:
        return "utf-8", "ASCII only"
    if _is_utf8(body):
        return "utf-8", "valid UTF-8"
    return _declared_or_guessed(body, content_type)


def to_text(body: bytes, encoding: str) -> str:
    """Read bytes in a known encoding (a name `detect` gave); undefined bytes become C1 controls or U+FFFD."""
    for mark, name in _MARKS:
        if name == encoding and body.startswith(mark):
            body = body[len(mark) :]
    return body.decode(_CODECS[encoding], "mass_pipeline.c1" if encoding.startswith("windows-") else "replace")


def charset_name(label: str) -> str | None:
    """Canonical name of a charset label, None for unknown or unsafe ones (utf-7, base64, ...).

    >>> charset_name("ISO8859-2"), charset_name("cp1250"), charset_name("utf-7")
    ('iso-8859-2', 'windows-1250', None)
    """
    plain = label.strip("\t\n\f\r \"'").lower()
    spelling = _ISO_SPELLING.fullmatch(plain)
    if spelling:
        plain = f"iso-8859-{spelling[1]}" + ("-i" if spelling[2] == "i" else "")
    elif spelling := _WINDOWS_SPELLING.fullmatch(plain):
        plain = f"windows-{spelling[1]}"
    return _NAMES.get(plain)


def header_charset(content_type: str | None) -> str | None:
    """Charset that a Content-Type header names, None when none or unknown."""
    match = _HEADER_CHARSET.search(content_type or "")
    return charset_name(match[1] or match[2] or match[3] or "") if match else None


def meta_charset(body: bytes) -> str | None:
    """Charset that the markup names in its first 1,024 bytes (`<meta>`, XML declaration), None when none or unknown."""
    head = body[:_META_BYTES]
    for tag in _TAG.finditer(head):
        if tag[1] is not None and tag[1].lower() == b"meta":
            name = _of_meta(tag[2])
            if name:
                # A page whose <meta> could be read byte by byte is no UTF-16, whatever it says (WHATWG HTML 13.2.3.2).
                return "utf-8" if name.startswith("utf-16") else name
    declaration = _XML_DECLARATION.match(head)
    return charset_name(declaration[1].decode("ascii")) if declaration else None


def _of_meta(attributes: bytes) -> str | None:
    found: dict[bytes, bytes] = {}
    for match in _ATTRIBUTE.finditer(attributes):
        found.setdefault(match[1].lower(), match[2] or match[3] or match[4] or b"")
    if b"charset" in found:
        return charset_name(found[b"charset"].decode("latin-1"))
    if found.get(b"http-equiv", b"").lower() != b"content-type":
        return None
    content = _META_CONTENT.search(found.get(b"content", b""))
    return charset_name((content[1] or content[2] or content[3] or b"").decode("latin-1")) if content else None


def _declared_or_guessed(body: bytes, content_type: str | None) -> tuple[str, str]:
    for source, name in (("header", header_charset(content_type)), ("meta", meta_charset(body))):
        if name is None:
            continue
        if name == "utf-8":
            # It is not valid UTF-8, or we would not be here: believed only where most of it is.
            if _mostly_utf8(body):
                return "utf-8", f"{source}, with damaged bytes"
            continue
        contradiction = _polish_letters_say(body) if name in _MISDECLARED else None
        if contradiction and contradiction != name:
            return contradiction, f"Polish letters, against {name} of the {source}"
        return name, source
    if _mostly_utf8(body):
        return "utf-8", "mostly valid UTF-8"
    return _other_script(body) or _polish_rule(body)


def _other_script(body: bytes) -> tuple[str, str] | None:
    """The code page of a text in another script that names none, None for Latin letters and where no page makes sense of it.

    What makes sense is judged by `charset_normalizer` (frequencies of letters by language).
    """
    sample = body[:_SAMPLE_BYTES]
    words = b"".join([word for word in sample.translate(_LETTERS_ALONE).split() if not word.isascii()])
    if len(words) - _count(words, _ASCII_LETTERS) <= _FOREIGN_SHARE * len(words):
        return None
    from charset_normalizer import from_bytes  # only pages in other scripts get here

    text = b" ".join(part for part in _TAGS.split(sample) if not part.isascii())
    best = from_bytes(text, cp_isolation=list(_OTHER_SCRIPTS)).best()
    name = _OTHER_SCRIPTS.get(best.encoding) if best is not None else None
    return None if name is None else (name, "frequencies of letters, another script")


def _polish_rule(body: bytes) -> tuple[str, str]:
    """Windows-1250 or iso-8859-2 by the six letters that differ; for equal votes the superset, windows-1250."""
    windows, iso = _votes(body)
    if iso > windows:
        return "iso-8859-2", "Polish rule"
    return "windows-1250", "Polish rule" if windows > iso else "Polish rule, no deciding letter"


def _polish_letters_say(body: bytes) -> str | None:
    """The code page that a text with Polish letters is certainly written in, None when they do not say."""
    if _count(body, _POLISH_LETTERS) <= _count(body, _CZECH_LETTERS):
        return None
    windows, iso = _votes(body)
    if windows == iso:
        return None
    return "windows-1250" if windows > iso else "iso-8859-2"


def _votes(body: bytes) -> tuple[int, int]:
    return _count(body, _WINDOWS_LETTERS), _count(body, _ISO_LETTERS)


def _count(body: bytes, letters: bytes) -> int:
    return len(body) - len(body.translate(None, letters))


def _is_utf8(body: bytes) -> bool:
    """Whether every byte fits; a last character cut short by a size limit is no fault."""
    try:
        codecs.utf_8_decode(body, "strict", False)
    except UnicodeDecodeError:
        return False
    return True


def _mostly_utf8(body: bytes) -> bool:
    text = body.decode("utf-8", "replace")
    broken = text.count("\ufffd")
    sound = len(text) - len(text.encode("ascii", "ignore")) - broken
    return sound >= _SOUND_SHARE * broken


def _wide_without_mark(body: bytes) -> str | None:
    sample = body[:_UTF16_SAMPLE_BYTES]
    if b"\0" not in sample:
        return None
    even, odd = sample[0::2].count(0), sample[1::2].count(0)
    pairs = len(sample) / 2
    if odd > _NUL_SHARE * pairs and even == 0:
        return "utf-16le"
    return "utf-16be" if even > _NUL_SHARE * pairs and odd == 0 else None


def _undefined_to_c1(error: UnicodeError) -> tuple[str, int]:
    # The standard's windows-125x tables give every byte a meaning; Python's leave five of 1250 and 1252 out.
    assert isinstance(error, UnicodeDecodeError)
    return "".join(map(chr, error.object[error.start : error.end])), error.end


codecs.register_error("mass_pipeline.c1", _undefined_to_c1)


_LETTERS: Final = "ąćęłńóśźżĄĆĘŁŃÓŚŹŻ"
_TYPOGRAPHY: Final = "–—„”’“…\u00a0§°"
_ONE_BYTE: Final = ("cp1250", "iso-8859-2", "cp1252", "latin-1")


def _doubled() -> dict[str, str]:
    """Letter read as UTF-8 bytes in a one-byte page -> letter."""
    table: dict[str, str] = {}
    for letter in _LETTERS + _TYPOGRAPHY:
        for page in _ONE_BYTE:
            try:
                table.setdefault(letter.encode("utf-8").decode(page), letter)
            except UnicodeDecodeError:
                continue
    return table


def _single() -> dict[str, str]:
    """Letter of one code page read as the other -> letter, without those that are Polish letters themselves."""
    table: dict[str, str] = {}
    for letter in _LETTERS:
        for written, read in (("iso-8859-2", "cp1250"), ("cp1250", "iso-8859-2"), ("iso-8859-2", "cp1252"), ("cp1250", "cp1252")):
            try:
                seen = letter.encode(written).decode(read)
            except (UnicodeDecodeError, UnicodeEncodeError):
                continue
            if seen not in _LETTERS:
                table.setdefault(seen, letter)
    return table


_DOUBLED: Final = _doubled()
_SINGLE: Final = _single()
_DOUBLED_PATTERN: Final = re.compile("|".join(sorted(map(re.escape, _DOUBLED), key=len, reverse=True)))
_DOUBLED_HINT: Final = "ÄĹÅĂÃâÂ"
_SINGLE_PATTERN: Final = re.compile("[" + re.escape("".join(sorted(_SINGLE))) + "]")
_SINGLE_HINT: Final = "¶œ±¹¦\u008c\u009c\u009f¿³æñ"
# Words that only a wrong reading explains: the letter stands where Polish has its ś, ą, ł, ż.
_SINGLE_PROOF: Final = re.compile(
    r"[¶œ\u009c]w(?:\.|i[eêę])|[¦Œ\u008c]w(?:\.|i[eêę])|[¶œ\u009c]rod|\bs[¹±]\b|ko[¶œ\u009c]ci[oó]|s³aw|kap³an|godzin[¹±]|mo¿|niedziel[¹±ê]",
    re.I,
)
_PROOFS: Final = 2  # distinct damaged letters or words before a page is repaired


def repair(text: str) -> str:
    """The text with certain damage undone; sound text comes back unchanged (the same object).

    >>> repair("Msze Ĺ›w. w niedzielÄ™, Ĺ›roda")
    'Msze św. w niedzielę, środa'
    >>> repair("Åsa, Ärzte, ¶ 12")
    'Åsa, Ärzte, ¶ 12'
    """
    if text.isascii():
        return text
    # Twenty searches for one letter each take a thirtieth of the time of one search for any of them.
    if any(letter in text for letter in _DOUBLED_HINT):
        found = _DOUBLED_PATTERN.findall(text)
        if len(found) >= _PROOFS and sum(_DOUBLED[seen] in _LETTERS for seen in found) >= _PROOFS:
            text = _DOUBLED_PATTERN.sub(lambda match: _DOUBLED[match.group()], text)
    if any(letter in text for letter in _SINGLE_HINT) and len(_SINGLE_PROOF.findall(text)) >= _PROOFS:
        text = _SINGLE_PATTERN.sub(lambda match: _SINGLE[match.group()], text)
    return text
