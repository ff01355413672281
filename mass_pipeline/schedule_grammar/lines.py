"""What a line of a page contributes: its nodes and a few counts, computed only where they can matter."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from mass_pipeline.model.document import Document, LineKind
from mass_pipeline.schedule_grammar.chunker import chunk
from mass_pipeline.schedule_grammar.folding import fold
from mass_pipeline.schedule_grammar.lexicon import load_lexicon
from mass_pipeline.schedule_grammar.nodes import Cond, Group, Node, NodeLine, Time, Word

HAS_HOUR: Final = re.compile(r"\d ?[:.,;^] ?[\doO]{2}|\d[⁰¹²³⁴⁵]|\b(?:0?[5-9]|1\d|2[0-2])(?: ?(?:00|15|30|45))?\b")
_WORDS_OF_SCHEDULES: Final = re.compile(
    r"msz|eucharyst|niedziel|powszedn|swiet|swiat|wakac|tygodni|sobot|piat|czwart|srod|wtor|poniedz|codzien|lipi|lipc|sierp|zim|lat|letni"
    r"|nabozen|spowied|kancelari|biur|adorac|kaplic|kosci|fili|roraty|advent|adwent|porzadek|swiet|uroczyst|liturgi|pazdzier|wrzes|miesi|gottesdienst|messe"
    r"|roz|pn|pt|sob|nd|parafi"
)
_LONG_HEADING: Final = 160  # characters: longer ones are paragraphs in bold


@dataclass(frozen=True, slots=True)
class PageLine:
    """A line with what the grammar sees in it.

    Attributes:
        nodes: the nodes, empty for lines that cannot matter.
        has_hour: there is an hour.
        conditions: dimensions of the conditions.
        kinds: values of the kinds named.
        plain_words: words without meaning to the grammar.
        heading: level of a heading, 0 for other lines.
    """

    index: int
    nodes: tuple[Node, ...]
    text: str
    has_hour: bool
    conditions: frozenset[str]
    kinds: frozenset[str]
    plain_words: int
    heading: int

    @property
    def node_line(self) -> NodeLine:
        """The form the reader takes."""
        return NodeLine(self.index, self.nodes, self.text, self.heading)

    @property
    def matters(self) -> bool:
        """Whether it says anything about hours."""
        return self.has_hour or bool(self.conditions & {"list", "days", "season", "nth", "kind", "date"})


def page_line(document: Document, index: int, language: str = "pl") -> PageLine:
    """What one line contributes."""
    line = document.lines[index]
    heading = line.level if line.kind is LineKind.HEADING and len(line.text) <= _LONG_HEADING else 0
    may_have_hour = HAS_HOUR.search(line.text) is not None
    if not may_have_hour and not _WORDS_OF_SCHEDULES.search(fold(line.text[:400])):
        return PageLine(index, (), line.text, False, frozenset(), frozenset(), len(line.text.split()), heading)
    nodes = chunk(line.text, load_lexicon(language))
    flat = flatten(nodes)
    return PageLine(
        index,
        nodes,
        line.text,
        any(isinstance(node, Time) for node in flat),
        frozenset(node.dim for node in flat if isinstance(node, Cond)),
        frozenset(str(node.value) for node in flat if isinstance(node, Cond) and node.dim == "kind"),
        sum(1 for node in flat if isinstance(node, Word) and node.marker == "" and node.text[:1].isalpha()),
        heading,
    )


def flatten(nodes: tuple[Node, ...]) -> list[Node]:
    """Nodes with those in brackets, without the brackets."""
    flat: list[Node] = []
    for node in nodes:
        if isinstance(node, Group):
            flat.extend(flatten(node.nodes))
        else:
            flat.append(node)
    return flat
