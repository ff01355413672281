"""The words that prove an hour, built from what the grammar used: hours, days, seasons, places, and the words that govern them.

Beside an hour stand names of the dead, illnesses and telephone numbers, so a word that is none of schedules shows as a mask.
Nothing between the words that prove is left out without one: it might say the opposite.
Belongs: quotes. Not here: which words name persons (words.masking).
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from mass_pipeline.model.document import Document, Line
from mass_pipeline.model.records import LONGEST_QUOTE
from mass_pipeline.reading.grammar.time_groups import TimeEntry, TimeGroup
from mass_pipeline.reading.phrases.lines import flatten, nodes_of
from mass_pipeline.reading.phrases.nodes import AtPlace, Cond, Dimension, Node, NodeLine, OfKind, Op, Time, When, Word
from mass_pipeline.reading.words.folding import fold
from mass_pipeline.reading.words.lexicon import Element, known_languages, load_lexicon
from mass_pipeline.reading.words.masking.lines import BLANK, MASK, blanked
from mass_pipeline.reading.words.masking.places import public_place
from mass_pipeline.reading.words.masking.words import is_of_schedules

_ELLIPSIS: Final = " … "
_MASS: Final = frozenset({"mass", "anchor"})
_GOVERNING: Final = (When, AtPlace)  # a tuple is looked at in a third of the time of a union
_LAST_WORDS: Final = re.compile(r"([^\W\d_]+)\.?\s+(?=$|[^\W\d_])")
_LONGEST_EXCEPTION: Final = 30  # characters
_MARKS: Final = re.compile(r"[\s,;:.()\[\]/|&+*•·–—-]{1,4}")  # between two pieces: kept as written
_WORD: Final = re.compile(r"[^\W\d_]+")
_NUMBER: Final = re.compile(r"\d[\d ]*\d{2}(?![\d.:])|\d{3,}")
_MASKS: Final = re.compile(rf"{BLANK}+(?:[ \t.,'’&-]*{BLANK}+)*")
_LEAST_LETTERS: Final = 4
_MOST_BETWEEN: Final = 12  # lines
_LONGEST_GAP: Final = 60  # characters
_OWN: Final = 200  # characters of the hour's own line, the rest is for what governs it
_LONGEST_HEADER: Final = 200  # characters
_FARTHEST: Final = 200  # lines above an hour in which the words that govern it are looked for


@dataclass(slots=True)
class _Piece:
    """A stretch of a line that proves something.

    Attributes:
        is_firm: it proves by itself; words like `w`, `godz.` and `także` only join.
    """

    start: int
    end: int
    text: str
    is_firm: bool


class Quotes:
    """Quotes of the hours of one reading.

    Args:
        document: where the lines stand.
        lines: the lines that were read, in order.
        runs: what was read; their Masses are the hours that may be quoted.
        told_place: a place as it may be shown.
    """

    def __init__(
        self, document: Document, lines: Sequence[NodeLine], runs: Sequence[TimeGroup], told_place: Callable[[str], str]
    ) -> None:
        self._document = document
        self._lines = {line.index: line for line in lines}
        self._order = [line.index for line in lines]
        self._told_place = told_place
        self._runs = {id(item): run for run in runs for item in run.items}
        self._hours = {(item.line, item.clock.start) for run in runs for item in run.items if item.kind == "mass"}
        self._pieces: dict[int, list[_Piece]] = {}
        self._governing: dict[int, tuple[str, int]] = {}  # by the identity of a condition: its words, and their line
        self._keys_of: dict[int, frozenset[tuple[int, int, Dimension]]] = {}  # by line, of those that were asked for

    @cached_property
    def _mass_above(self) -> dict[int, str]:
        return _masses_above(self._document, self._lines.values())

    def of(self, item: TimeEntry) -> str:
        """The quote of an hour: what governs it, then its own line; at most 300 characters, the hour among them."""
        pieces = self._of_line(item.line)
        own = _window(self._text(item.line), self._shown(item.line), pieces, item.clock.start, item.clock.end)
        before = list(self._above(item))
        quote = _ELLIPSIS.join([*before, own])
        while before and len(quote) > LONGEST_QUOTE:
            before.pop(0)
            quote = _ELLIPSIS.join([*before, own])
        return quote[-LONGEST_QUOTE:]

    def around(self, hours: Iterable[tuple[int, int]], start: int, end: int) -> str:
        """The quote of a stretch of the only line, with the hours (line, start) that stand in it."""
        self._hours.update(hours)
        return _window(self._text(0), self._shown(0), self._of_line(0), start, end)[:LONGEST_QUOTE]

    def _conditions(self, index: int) -> frozenset[tuple[int, int, Dimension]]:
        """What tells the conditions of a line apart; none where it was not read."""
        found = self._keys_of.get(index)
        if found is None:
            line = self._lines.get(index)
            found = self._keys_of[index] = _keys(line.nodes) if line is not None else frozenset()
        return found

    def _text(self, line: int) -> str:
        return self._document.lines[line].text

    def _shown(self, line: int) -> str:
        """A line with what may belong to a person blank."""
        return blanked(self._text(line))

    def _of_line(self, index: int) -> list[_Piece]:
        known = self._pieces.get(index)
        if known is None:
            line = self._lines.get(index)
            nodes = flatten(line.nodes) if line is not None else []
            kept = self._kept(nodes, index, self._text(index), self._shown(index))
            self._pieces[index] = known = _supported(list(kept), self._text(index))
        return known

    def _kept(self, nodes: Iterable[Node], index: int, text: str, shown: str) -> Iterator[_Piece]:
        """The pieces of a line or a header (`index` -1) that may be quoted, in order; nodes may overlap."""
        end = 0
        for node in sorted(nodes, key=lambda node: (node.start, -node.end)):
            if node.start < end or node.start == node.end:
                continue
            piece = self._piece(node, index, text, shown)
            if piece is not None:
                piece.start = max(piece.start, end)
                end = piece.end
                yield piece

    def _piece(self, node: Node, index: int, text: str, shown: str) -> _Piece | None:
        written = text[node.start : node.end]
        if isinstance(node, Time):
            is_mass = (index, node.start) in self._hours
            return _Piece(node.start, node.end, written, True) if is_mass else None
        if isinstance(node, AtPlace):
            told = self._told_place(str(node.value)) if node.value else written
            said = written if BLANK not in shown[node.start : node.end] or told == node.value else told
            return _Piece(node.start, node.end, said, True) if said and BLANK not in said else None
        if BLANK in shown[node.start : node.end]:
            return None
        if isinstance(node, Cond):
            proves = isinstance(node, When) or (isinstance(node, OfKind) and node.value in _MASS)
            start = _with_exception(text, node.start) if node.excluded else node.start
            return _Piece(start, node.end, text[start : node.end], True) if proves else None
        joins = isinstance(node, Op) or (isinstance(node, Word) and node.marker in ("hour", "glue"))
        return _Piece(node.start, node.end, written, False) if joins else None

    # --- what stands elsewhere ---------------------------------------------------------------------------------------

    def _above(self, item: TimeEntry) -> Iterator[str]:
        """What governs the hour and does not stand in its own line, outermost first, each once."""
        run = self._runs.get(id(item))
        if run is None:
            return
        conds = [cond for cond in (*run.scope.values(), *item.restrictions) if isinstance(cond, _GOVERNING)]
        found = [self._governing_words(item.line, cond) for cond in conds]
        nearest = max((line for words, line in found if words), default=item.line)
        words = [self._mass_above.get(item.line, ""), *(words for words, _ in found)]
        yield from dict.fromkeys(word for word in words if word)
        between = [*map(self._text_between, range(nearest + 1, min(item.line, nearest + _MOST_BETWEEN)))]
        if any(between):
            yield next(filter(None, between)) if sum(map(bool, between)) == 1 else MASK

    def _text_between(self, line: int) -> str:
        """What a line between an hour and what governs it says, where it may refute it; "" of one of hours alone."""
        words = [word for word in _WORD.findall(self._text(line)) if len(word) >= _LEAST_LETTERS]
        of_hours = line in self._lines and any(isinstance(node, Time) for node in flatten(self._lines[line].nodes))
        if not words or (of_hours and all(is_of_schedules(fold(word)) for word in words)):
            return ""
        return MASK if of_hours else _between(self._text(line), self._shown(line)).strip()

    def _governing_words(self, line: int, cond: Cond) -> tuple[str, int]:
        """The words of a condition and their line: "" where it stands in the line itself or nowhere."""
        if cond.end <= cond.start or _key(cond) in self._conditions(line):
            return "", line
        if id(cond) not in self._governing:
            self._governing[id(cond)] = self._find(line, cond)
        return self._governing[id(cond)]

    def _find(self, line: int, cond: Cond) -> tuple[str, int]:
        source = self._document.lines[line]
        for header in (source.row_header[:_LONGEST_HEADER], source.column_header[:_LONGEST_HEADER]):
            if header and _key(cond) in _keys(nodes := nodes_of(header)):
                return self._words(cond, header, blanked(header), nodes), line
        here = bisect_left(self._order, line)
        for above in reversed(self._order[max(0, here - _FARTHEST) : here]):
            if _key(cond) in self._conditions(above):
                return self._words(cond, self._text(above), self._shown(above), self._lines[above].nodes), above
        return "", line

    def _words(self, cond: Cond, text: str, shown: str, nodes: Sequence[Node]) -> str:
        """The words of a condition, with those that go on to the hours below."""
        piece = self._piece(cond, -1, text, shown)
        if piece is None:
            return ""
        end = min(
            (node.start for node in flatten(tuple(nodes)) if isinstance(node, (Time, *_GOVERNING)) and node.start >= cond.end),
            default=len(text),
        )
        rest = slice(piece.end, end)
        return piece.text + (_between(text[rest], shown[rest]).rstrip(" :–-") if _WORD.search(text[rest]) else "")


def _with_exception(text: str, start: int) -> int:
    """Where the words begin that turn a condition round, and without which it would say the opposite; `start` without any.

    >>> _with_exception("18.00 (z wyjątkiem lipca)", 19)
    7
    """
    lexicon = load_lexicon("+".join(known_languages()))
    words = list(_LAST_WORDS.finditer(text, max(0, start - _LONGEST_EXCEPTION), start))[-2:]
    for at, first in enumerate(words):
        said = [fold(word.group(1)) for word in words[at:]]
        phrases = lexicon.starting_with(said[0])
        for phrase in phrases.before(said[1] if len(said) > 1 else ".") if phrases else ():
            is_whole = len(phrase.elements) == len(said) and all(map(Element.matches, phrase.elements, said))
            if is_whole and (phrase.kind, phrase.value) == ("op", "except"):
                return first.start()
    return start


def quote_of_line(text: str, start: int, end: int) -> str:
    """The quote of an hour of which nothing but its line is known; hours that are no Masses may stand in it.

    >>> quote_of_line("Niedziela: 8.00 + Jan Pindor, 10.00", 11, 15)
    'Niedziela: 8.00 + ▒▒▒, 10.00'
    """
    line = NodeLine(0, nodes_of(text), text)
    hours = [(0, node.start) for node in flatten(line.nodes) if isinstance(node, Time)]
    quotes = Quotes(Document((Line(text),)), (line,), (), lambda place: public_place(place, is_known=False))
    return quotes.around((*hours, (0, start)), start, end)


def _masses_above(document: Document, lines: Iterable[NodeLine]) -> dict[int, str]:
    """For each line that does not speak of Masses itself the nearest words above that do."""
    found: dict[int, str] = {}
    words = ""
    for line in lines:
        said = next((n for n in flatten(line.nodes) if isinstance(n, OfKind) and n.value in _MASS), None)
        if said is None:
            found[line.index] = words
        else:
            text = document.lines[line.index].text
            words = "" if BLANK in blanked(text)[said.start : said.end] else text[said.start : said.end]
    return found


def _keys(nodes: Sequence[Node]) -> frozenset[tuple[int, int, Dimension]]:
    return frozenset(_key(node) for node in flatten(tuple(nodes)) if isinstance(node, Cond))


def _key(cond: Cond) -> tuple[int, int, Dimension]:
    return cond.start, cond.end, type(cond)


def _supported(pieces: list[_Piece], text: str) -> list[_Piece]:
    """Without the joining words that nothing firm follows at once."""
    kept: list[_Piece] = []
    for piece in reversed(pieces):
        after = kept[-1] if kept else None
        if piece.is_firm or (after is not None and _touches(text, piece, after)):
            kept.append(piece)
    return kept[::-1]


def _touches(text: str, piece: _Piece, after: _Piece) -> bool:
    gap = text[piece.end : after.start]
    return not gap or _MARKS.fullmatch(gap) is not None


def _window(text: str, shown: str, pieces: Sequence[_Piece], start: int, end: int) -> str:
    """The pieces around an hour, nearest first, joined, within the length for one line."""
    at = next((index for index, piece in enumerate(pieces) if piece.start <= start < piece.end), None)
    if at is None:
        return text[start:end]
    first, behind, length = at, at + 1, 0
    while first > 0 or behind < len(pieces):
        before = start - pieces[first - 1].end if first > 0 else len(text)
        after = pieces[behind].start - end if behind < len(pieces) else len(text)
        piece = pieces[first - 1] if before <= after else pieces[behind]
        length += len(piece.text) + len(_ELLIPSIS)
        if length > _OWN:
            break
        first, behind = (first - 1, behind) if before <= after else (first, behind + 1)
    told = _joined(text, shown, pieces[first:behind], _LONGEST_GAP)
    return told if len(told) <= _OWN else _joined(text, shown, pieces[first:behind], len(_ELLIPSIS))


def _between(gap: str, shown: str, longest: int = _LONGEST_GAP) -> str:
    """What stands between two pieces of a line, so that nothing that may refute them is cut out: words that are none of schedules
    are hidden, whatever they are.

    >>> _between(" (poza niedzielami ", " (poza niedzielami "), _between(" (winobranie), ", " (winobranie), ")
    (' (poza niedzielami ', ' (▒▒▒), ')
    """
    if len(gap) > longest:
        return f" {MASK} " if _WORD.search(gap) else _ELLIPSIS
    told = _WORD.sub(lambda match: match[0] if is_of_schedules(fold(match[0])) else MASK, shown)
    return _MASKS.sub(MASK, _NUMBER.sub(MASK, told))


def _joined(text: str, shown: str, pieces: Sequence[_Piece], longest: int) -> str:
    parts: list[str] = []
    for index, piece in enumerate(pieces):
        if index:
            gap = slice(pieces[index - 1].end, piece.start)
            parts.append(_between(text[gap], shown[gap], longest))
        parts.append(piece.text)
    joined = "".join(parts)
    return f"{joined})" if joined.count("(") > joined.count(")") else joined
