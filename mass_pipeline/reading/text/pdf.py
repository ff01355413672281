"""Text of a PDF, within limits: each word that a page draws, with its ends, baseline and size, put together by `pdf_layout`.

A scan, a locked or a broken file gives none: the reader then notes an opaque source. What is turned, outside the page or drawn
invisibly is left out; a page with invisible text alone is a scan with the words that were recognised in it, and they are its
text. Source: ISO 32000-1, 8.3 (coordinates), 9.3 and 9.4 (text).
"""

from __future__ import annotations

import io
import logging
import math
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, Final, Literal, NamedTuple

from pypdf import PageObject, PdfReader
from pypdf.errors import PyPdfError
from pypdf.generic import ArrayObject, ContentStream, DictionaryObject, StreamObject
from pypdf.generic._font import Font

from mass_pipeline.guard import BROKEN_FILE
from mass_pipeline.reading.text.pdf_layout import Part, parts_of, text_of

_MOST_BYTES: Final = 20 * 2**20  # of a PDF that is opened (docs/hazards.md)
_MOST_PAGES: Final = 30  # that are read
_MOST_PAGE_BYTES: Final = 2**20  # of the unpacked content of one page, its forms included
_MOST_BYTES_DRAWN: Final = 2 * 2**20  # of the unpacked content of one PDF
_MOST_FORMS: Final = 50  # drawings within drawings of one page; with more its text is left out
_MOST_WORDS: Final = 50_000  # of one page
_DEEPEST_FORM: Final = 20  # forms within forms; word processors nest two or three
_INVISIBLE: Final = (3, 7)  # text rendering modes
_STATES: Final = {"Tc": "spacing", "Tw": "word_spacing", "Tz": "scale", "TL": "leading", "Ts": "rise", "Tr": "mode"}
Matrix = tuple[float, float, float, float, float, float]
_UNIT: Final[Matrix] = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)
# How a page is shown that is turned clockwise by 0, 90, 180 and 270 degrees.
_TURNS: Final[tuple[Matrix, ...]] = (_UNIT, (0, -1, 1, 0, 0, 0), (-1, 0, 0, -1, 0, 0), (0, 1, -1, 0, 0, 0))


class Word(NamedTuple):
    """A word where it is drawn.

    Attributes:
        text: without white space.
        left, right, base, size: ends, baseline and height of letters, in points; up and right are positive.
        after_space: white space is drawn before it.
        space: width of a space in its font, in points.
    """

    text: str
    left: float
    right: float
    base: float
    size: float
    after_space: bool
    space: float


@dataclass(frozen=True, slots=True)
class _State:
    """What `q` keeps and `Q` brings back."""

    matrix: Matrix = _UNIT
    font: Font | None = None
    size: float = 0.0
    spacing: float = 0.0
    word_spacing: float = 0.0
    scale: float = 100.0
    leading: float = 0.0
    rise: float = 0.0
    mode: float = 0.0


class TooMuchDrawn(Exception):
    """A page draws more than is read: a form that draws another one twice, which draws another one twice, has no end."""


def drawn_text(page: PageObject, most_forms: int, most_bytes: int) -> tuple[list[Word], int]:
    """The words of a page that are seen, in the order in which they are drawn, and the bytes of content that draw them.

    Args:
        page: of a file.
        most_forms, most_bytes: that it may draw, the forms within its forms counted as often as they are drawn.

    Raises:
        TooMuchDrawn: it draws more. Whatever pypdf raises for a broken file.
    """
    turned = _TURNS[page.rotation % 360 // 90]
    painter = _Painter(page.pdf, turned, most_forms, most_bytes)
    contents = page.get_contents()
    if contents is None:
        return [], 0
    painter.paint(contents, page.get("/Resources", DictionaryObject()).get_object(), 0)
    corners = [
        _product((1.0, 0.0, 0.0, 1.0, float(x), float(y)), turned) for x, y in (page.cropbox.lower_left, page.cropbox.upper_right)
    ]
    (left, right), (bottom, top) = sorted(corner[4] for corner in corners), sorted(corner[5] for corner in corners)
    placed = [(word, seen) for word, seen in painter.words if left <= word.left <= right and bottom <= word.base <= top]
    return [word for word, seen in placed if seen] or [word for word, _ in placed], most_bytes - painter.bytes_left


def pdf_text(content: bytes) -> tuple[str, Literal["plain", "html"]]:
    """Text of the first pages as it stands on them, "" when there is none or the file cannot be read; and its kind.

    Lines are put together by the positions of what is drawn (`pdf_layout`): plain text, pages parted by a blank line, or
    markup when some page has columns or cells. A page that draws too much is left out.
    """
    if len(content) > _MOST_BYTES:
        return "", "plain"
    logging.getLogger("pypdf").setLevel(logging.ERROR)
    pages: list[list[Part]] = []
    try:
        reader = PdfReader(io.BytesIO(content))
        if reader.is_encrypted and not reader.decrypt(""):
            return "", "plain"
        budget = _MOST_BYTES_DRAWN
        for number in range(min(len(reader.pages), _MOST_PAGES)):
            with suppress(TooMuchDrawn):
                words, size = drawn_text(reader.pages[number], _MOST_FORMS, min(_MOST_PAGE_BYTES, budget))
                budget -= size
                pages.append(parts_of(words))
    except (PyPdfError, *BROKEN_FILE):
        pass  # the pages read so far still count
    return text_of([parts for parts in pages if parts])


class _Painter:
    """Follows the operators of a content stream."""

    def __init__(self, file: Any, matrix: Matrix, most_forms: int, most_bytes: int) -> None:
        self.words: list[tuple[Word, bool]] = []
        self.bytes_left = most_bytes
        self._forms_left = most_forms
        self._file = file
        self._fonts: dict[int, Font] = {}
        self._state = _State(matrix)
        self._kept: list[_State] = []
        self._line: Matrix = _UNIT
        self._text: Matrix = _UNIT
        self._is_after_space = False
        self._operators: dict[str, Callable[[Sequence[Any]], None]] = {
            "q": lambda _: self._kept.append(self._state),
            "Q": lambda _: self._restore(),
            "cm": lambda values: self._change(matrix=_product(_matrix(values), self._state.matrix)),
            "BT": lambda _: self._place(_UNIT),
            "Tm": lambda values: self._place(_matrix(values)),
            "Td": lambda values: self._move(float(values[0]), float(values[1])),
            "TD": self._move_and_lead,
            "T*": lambda _: self._move(0.0, -self._state.leading),
            "Tj": lambda values: self._show(values[0]),
            "TJ": lambda values: self._show_spaced(values[0]),
            "'": self._show_next,
            '"': self._show_next,
        }

    def paint(self, stream: Any, resources: Any, depth: int) -> None:
        """Follow a stream with the fonts and forms that it names."""
        self.bytes_left -= len(stream.get_data())
        if self.bytes_left < 0:
            raise TooMuchDrawn
        for values, operator in ContentStream(stream, self._file, "bytes").operations:
            name = operator.decode("latin-1")
            if len(self.words) >= _MOST_WORDS:
                return
            if name == "Tf":
                self._change(font=self._font(resources, values[0]), size=float(values[1]))
            elif name == "Do":
                self._paint_form(resources, values[0], depth)
            elif name in _STATES:
                self._change(**{_STATES[name]: float(values[0])})
            elif name in self._operators:
                self._operators[name](values)

    def _paint_form(self, resources: Any, name: str, depth: int) -> None:
        form = _named(resources, "/XObject", name)
        if not isinstance(form, StreamObject) or form.get("/Subtype") != "/Form":
            return
        self._forms_left -= 1
        if self._forms_left < 0 or depth >= _DEEPEST_FORM:
            raise TooMuchDrawn
        kept, stack = self._state, self._kept
        self._kept = []
        self._change(matrix=_product(_matrix(form.get("/Matrix", _UNIT)), kept.matrix))
        self.paint(form, form.get("/Resources", resources).get_object(), depth + 1)
        self._state, self._kept = kept, stack

    def _font(self, resources: Any, name: str) -> Font | None:
        resource = _named(resources, "/Font", name)
        if not isinstance(resource, DictionaryObject):
            return None
        if id(resource) not in self._fonts:
            self._fonts[id(resource)] = Font.from_font_resource(resource)
        return self._fonts[id(resource)]

    def _change(self, **values: Any) -> None:
        self._state = replace(self._state, **values)

    def _restore(self) -> None:
        self._state = self._kept.pop() if self._kept else self._state

    def _place(self, matrix: Matrix) -> None:
        self._line = self._text = matrix

    def _move(self, right: float, up: float) -> None:
        self._place(_product((1.0, 0.0, 0.0, 1.0, right, up), self._line))

    def _move_and_lead(self, values: Sequence[Any]) -> None:
        self._change(leading=-float(values[1]))
        self._move(float(values[0]), float(values[1]))

    def _show_next(self, values: Sequence[Any]) -> None:
        if len(values) == 3:
            self._change(word_spacing=float(values[0]), spacing=float(values[1]))
        self._move(0.0, -self._state.leading)
        self._show(values[-1])

    def _show_spaced(self, values: Any) -> None:
        for value in values if isinstance(values, ArrayObject) else ():
            if isinstance(value, bytes):
                self._show(value)
            elif isinstance(value, (int, float)):
                self._advance(-float(value) / 1000 * self._state.size * self._state.scale / 100)

    def _show(self, shown: Any) -> None:
        font = self._state.font
        if not isinstance(shown, bytes) or font is None or not font.interpretable:
            return
        word, begin = "", self._point()
        for letter, width in self._letters(font, shown):
            if letter.isspace():
                self._add(word, begin)
                word, self._is_after_space = "", True
            elif not word:
                begin = self._point()
            word += "" if letter.isspace() else letter
            self._advance(width)
        self._add(word, begin)

    def _letters(self, font: Font, shown: bytes) -> list[tuple[str, float]]:
        """Each letter with how far it moves on, in text space."""
        state = self._state
        if isinstance(font.encoding, str):
            codes = shown.decode(font.encoding, "replace")
            texts = [font.character_map.get(code, code) for code in codes]
        else:
            codes = shown.decode("latin-1")
            known = [font.encoding.get(ord(code), code) for code in codes]
            texts = [font.character_map.get(letter, letter) for letter in known]
        found = []
        for code, text in zip(codes, texts, strict=True):
            is_space = code == font.space_char
            width = font.space_width if is_space else font.get_text_width(code)
            moved = width / 1000 * state.size + state.spacing + (state.word_spacing if is_space else 0.0)
            found.append((str(text), moved * state.scale / 100))
        return found

    def _advance(self, right: float) -> None:
        self._text = _product((1.0, 0.0, 0.0, 1.0, right, 0.0), self._text)

    def _point(self) -> Matrix:
        return _product(_product((1.0, 0.0, 0.0, 1.0, 0.0, self._state.rise), self._text), self._state.matrix)

    def _add(self, word: str, begin: Matrix) -> None:
        if not word:
            return
        end, font = self._point(), self._state.font
        across, up = begin[0], begin[3]
        size = self._state.size * math.hypot(begin[2], begin[3])
        if font is not None and across > 0 and up > 0 and abs(begin[1]) < across / 10 and size > 0:
            space = font.space_width / 1000 * self._state.size * across
            placed = Word(word, begin[4], end[4], begin[5], size, self._is_after_space, space)
            self.words.append((placed, int(self._state.mode) not in _INVISIBLE))
        self._is_after_space = False


def _named(resources: Any, kind: str, name: str) -> Any:
    objects = resources.get(kind)
    found = objects.get_object().get(name) if objects is not None else None
    return found.get_object() if found is not None else None


def _matrix(values: Sequence[Any]) -> Matrix:
    a, b, c, d, e, f = (float(value) for value in values[:6])
    return a, b, c, d, e, f


def _product(one: Matrix, other: Matrix) -> Matrix:
    a, b, c, d, e, f = one
    u, v, w, x, y, z = other
    return a * u + b * w, a * v + b * x, c * u + d * w, c * v + d * x, e * u + f * w + y, e * v + f * x + z
