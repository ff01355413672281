"""Collect running text into lines: pieces joined, minutes raised, blank space noted. Knows no elements; see `builder`."""

from __future__ import annotations

from html import unescape
from typing import Final

from mass_pipeline.extraction import wording
from mass_pipeline.extraction.drafts import CellDraft, LineDraft
from mass_pipeline.model.document import LineKind, Region

_ALT: Final = LineKind.ALT  # looked up for every line: a member of an enumeration costs three times a global name
_TAIL_PIECES: Final = 24
_TAIL_CHARACTERS: Final = 300
_RAISED: Final = 3  # characters of raised minutes with the colon put before them
_MOST_LINES: Final = 20_000  # of one page; fifteen years of announcements on one page are a fourth of it
_LONGEST_LINE: Final = 100_000  # characters of the source; a year's intentions in one paragraph are shorter
_BROKEN_HEADING: Final = 60  # characters; a longer first line stands by itself
_PUNCTUATION: Final = " \t\r\n\xa0.,;:-–|•"  # says nothing about whether a line is bold


class TextFlow:
    """Lines of one source, and the state in which text is read.

    Attributes:
        source: what every offset points into.
        lines: finished lines in reading order.
        title: the page's title, "" when none was met.
        hidden: how many hidden elements are open; their text is dropped.
    """

    __slots__ = (
        "_alts",
        "_block",
        "_bold",
        "_bold_seen",
        "_breaks",
        "_cell",
        "_gap",
        "_in_link",
        "_kind",
        "_length",
        "_level",
        "_link_ended",
        "_pieces",
        "_plain_seen",
        "_preformatted",
        "_raised_from",
        "_region",
        "_spans",
        "_unlinked_seen",
        "hidden",
        "lines",
        "source",
        "title",
    )

    def __init__(self, source: str) -> None:
        self.source = source
        self.lines: list[LineDraft] = []
        self.title = ""
        self.hidden = 0
        self._block = 0
        self._kind = LineKind.TEXT
        self._level = 0
        self._region = Region.MAIN
        self._cell: CellDraft | None = None
        self._bold = 0
        self._preformatted = False
        self._pieces: list[str] = []
        self._spans: list[tuple[int, int]] = []
        self._length = 0  # of the current line in the source
        self._plain_seen = False
        self._bold_seen = False
        self._raised_from = -1
        self._link_ended = False
        self._in_link = False
        self._unlinked_seen = False
        self._alts: list[tuple[str, tuple[int, int]]] = []
        self._gap = False
        self._breaks = 0

    def text(self, start: int, end: int, piece: str | None = None, *, literal: bool = False) -> None:
        """Add the source between two offsets to the current line.

        Args:
            start, end: offsets in the source.
            piece: that part of the source, when it is at hand.
            literal: the source holds no character references (plain text).
        """
        if self.hidden:
            return
        if piece is None:
            piece = self.source[start:end]
        if self._preformatted and "\n" in piece:
            self._text_lines(start, end, literal)
        elif self._pieces or not piece.isspace():  # half of all text is the line ends and blanks between two tags
            self._add(start, end, piece, literal)

    def _add(self, start: int, end: int, piece: str, literal: bool) -> None:
        """Add what is no mere gap between lines."""
        left = _LONGEST_LINE - self._length
        if end - start > left:
            end, piece = start + left, piece[:left]
            if not left:
                return
        if not literal and "&" in piece:
            piece = unescape(piece)
        pieces = self._pieces
        if pieces:
            self._link_ended = False
            if self._raised_from < 0 and piece[:1].isalnum() and pieces[-1][-1:].isalnum() and self._is_parted(start, piece):
                pieces.append(" ")
        elif piece.isspace():
            return
        if self._bold or not self._plain_seen or not self._unlinked_seen:
            self._note_style(piece)
        pieces.append(piece)
        self._spans.append((start, end))
        self._length += end - start

    def _note_style(self, piece: str) -> None:
        """Whether the line has bold text, text that is not bold, and text outside links; punctuation says nothing."""
        if self._bold:
            self._bold_seen = True
        if (self._plain_seen or self._bold) and (self._unlinked_seen or self._in_link):
            return
        if piece.strip(_PUNCTUATION):
            self._plain_seen = self._plain_seen or not self._bold
            self._unlinked_seen = self._unlinked_seen or not self._in_link

    def _is_parted(self, start: int, piece: str) -> bool:
        """Whether the style sheet, not a space, parts this piece from the one before."""
        before = self._pieces[-1]
        markup = self.source[self._spans[-1][1] : start] if self._spans else ""
        if before[-1].isalpha() and piece[0].isalpha():
            return wording.is_styled_gap(markup, before, piece)
        if before[-1].isdigit() and piece[0].isdigit():
            if before[0] == ":" and len(before) == _RAISED:
                return True  # `7<sup>00</sup>8<sup>30</sup>`
            if wording.are_neighbours(markup):
                return wording.is_whole_time(self._tail())
        return wording.is_new_time(before, piece)

    def _text_lines(self, start: int, end: int, literal: bool) -> None:
        self._preformatted = False
        position = start
        while position <= end:
            stop = self.source.find("\n", position, end)
            stop = end if stop < 0 else stop
            self.text(position, stop, literal=literal)
            if stop == end:
                break
            self.break_line()
            position = stop + 1
        self._preformatted = True

    def start_raised(self) -> None:
        """Superscript or underline begins: perhaps the minutes of an hour."""
        if self._pieces:
            self._raised_from = len(self._pieces)

    def end_raised(self) -> None:
        """Superscript or underline ends: put the colon where it held minutes."""
        mark, self._raised_from = self._raised_from, -1
        pieces = self._pieces
        if 0 < mark < len(pieces) and wording.is_raised_minutes(self._tail(mark), "".join(pieces[mark:])):
            while mark and not pieces[mark - 1].strip():
                mark -= 1
                del pieces[mark]
            pieces[mark - 1] = pieces[mark - 1].rstrip()
            pieces[mark] = ":" + pieces[mark].lstrip()

    def _tail(self, end: int | None = None) -> str:
        """The last words of the current line; never the whole of it, which may be megabytes."""
        pieces = self._pieces if end is None else self._pieces[max(0, end - _TAIL_PIECES) : end]
        return "".join(pieces[-_TAIL_PIECES:])[-_TAIL_CHARACTERS:]

    def break_line(self) -> None:
        """A `<br>` or its like: the second in a row leaves a gap; inside a heading the words go on."""
        if self._kind is LineKind.HEADING and self._pieces and not self._preformatted:
            heading = self._tail()
            if len(heading) < _BROKEN_HEADING and not wording.has_hour(heading) and heading.rstrip()[-1:] not in ":;,":
                self._pieces.append(" ")
                return
        if not self.flush():
            self._breaks += 1
            self._gap = self._gap or self._breaks > 1

    def rule(self) -> None:
        """A horizontal rule."""
        self.flush()
        self._gap = True

    def flush(self) -> bool:
        """End the current line; says whether there was one."""
        emitted = False
        if self._pieces:
            if self._raised_from >= 0:
                self.end_raised()
            raw = self._pieces[0] if len(self._pieces) == 1 else "".join(self._pieces)
            text = wording.fold(raw)
            if text:
                self._emit(text, tuple(self._spans), self._kind, self._level)
                self._breaks = 1
                emitted = True
            self._pieces = []
            self._spans = []
            self._length = 0
            self._plain_seen = self._bold_seen = self._unlinked_seen = False
        if self._alts:
            alts, self._alts = self._alts, []
            for text, span in alts:
                self._emit(text, (span,), LineKind.ALT, 0)
        return emitted

    def _emit(self, text: str, spans: tuple[tuple[int, int], ...], kind: LineKind, level: int) -> None:
        if len(self.lines) >= _MOST_LINES:
            return
        bold = self._bold_seen and not self._plain_seen and kind is not _ALT
        line = LineDraft(text, spans, kind, level, self._block, self._region, self._cell, bold, self._gap)
        line.is_link = not self._unlinked_seen and spans != () and kind is not _ALT
        self.lines.append(line)
        if self._cell is not None:
            self._cell.lines.append(line)
        self._gap = False

    @property
    def is_full(self) -> bool:
        """Whether no more lines of the page are read."""
        return len(self.lines) >= _MOST_LINES

    def set_title(self, start: int, end: int) -> None:
        """The page's `<title>`; the first one outside hidden parts counts."""
        if not self.title and not self.hidden:
            self.title = wording.fold(unescape(self.source[start:end]))

    def verbatim(self, start: int, end: int) -> None:
        """Text in which line ends count."""
        before, self._preformatted = self._preformatted, True
        self.flush()
        self.text(start, end)
        self.flush()
        self._preformatted = before

    def structured(self, text: str) -> None:
        """A line written out from machine-readable hours; it stands nowhere in the visible source."""
        self.flush()
        folded = wording.fold(text)
        if folded:
            self._block = max((line.block for line in self.lines), default=0) + 1
            self._emit(folded, (), LineKind.STRUCTURED, 0)

    def near(self) -> str:
        """Words shortly before this point: the last heading and the last line."""
        heading = next((line.text for line in reversed(self.lines[-8:]) if line.kind is LineKind.HEADING or line.bold), "")
        last = self._tail() or (self.lines[-1].text if self.lines else "")
        return " / ".join(dict.fromkeys(part for part in (heading, wording.fold(last)) if part))

    def finish(self) -> None:
        """End of the source."""
        self.hidden = 0
        self.flush()
