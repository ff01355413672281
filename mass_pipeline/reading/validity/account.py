"""The account of a line: which of its words no rule, no filler and no name of a place explains, for each of its times.

A word that nothing explains neither ends a condition nor begins one, and whoever reads past it may read the opposite of what is
meant: `18.00 (anulowana w wakacje)`. So it counts: its rows are not published as certain (site_reading.ownership.publishing).
Belongs: words of the line of a time. Not here: what the headings above tell (site_reading.ownership),
names of places (reading.validity.redactor).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import takewhile
from typing import Final

from mass_pipeline.reading.grammar.brackets import EVENT
from mass_pipeline.reading.grammar.denials import denial_in_bracket
from mass_pipeline.reading.grammar.statements import hours_of_list
from mass_pipeline.reading.phrases.chunker import UNREAD
from mass_pipeline.reading.phrases.lines import flatten
from mass_pipeline.reading.phrases.nodes import (
    AtPlace,
    Group,
    InList,
    Node,
    NodeLine,
    OfKind,
    OnDays,
    OnNth,
    Op,
    Remark,
    Sep,
    Time,
    Word,
)
from mass_pipeline.reading.validity.overrides import Entry
from mass_pipeline.reading.validity.redactor import Redactor
from mass_pipeline.reading.words.folding import fold
from mass_pipeline.reading.words.known_words import is_filler, is_town, names_kind_of_mass
from mass_pipeline.reading.words.masking.words import is_holy, is_saint

_LONGEST_LIST: Final = 120  # characters of a line that is one list
_LEAST_LETTERS: Final = 3  # of a word that says anything by itself
_NEAR: Final = 3  # nodes from "parafia" to its name
_LONGEST_ABBREVIATION: Final = 6  # letters: "ponied."
_OF_DAYS: Final = (InList, OnDays, OnNth)
_OTHERS: Final = frozenset(
    {"devotion", "adoration", "confession", "office", "opening", "baptism", "event", "broadcast"}
)  # no Masses
_GOING_ON: Final = ("dash",)  # marks after which words still speak of the time before them


class Account:
    """What of the lines of some times no rule accounts for.

    Args:
        lines: that were read.
        told: which names are those of places.
    """

    def __init__(self, lines: Sequence[NodeLine], told: Redactor) -> None:
        self._lines = {line.index: line for line in lines}
        self._told = told
        self._words: dict[int, Mapping[int, tuple[str, ...]]] = {}
        self._between = words_between(lines)

    def of(self, entry: Entry) -> tuple[str, ...]:
        """The unexplained words of the line of an entry that bear on its time, and its place where that is one of them."""
        index = entry.item.line
        if index not in self._words:
            line = self._lines.get(index)
            self._words[index] = unexplained_words(line) if line is not None else {}
        words = (*self._words[index].get(entry.item.clock.start, ()), *entry.unread, *self._between.get(index, ((), False))[0])
        return words if self._told.is_place(entry.place) else (*words, entry.place)

    def is_refuted(self, entry: Entry) -> bool:
        """Whether words that no rule reads deny an entry, or say that its hour is that of something else."""
        return bool(entry.unread) or self._between.get(entry.item.line, ((), False))[1]


def words_between(lines: Sequence[NodeLine]) -> Mapping[int, tuple[tuple[str, ...], bool]]:
    """The words between days that stand alone and the hours in lines below them, by the lines of these hours.

    Returns:
        The unexplained words, and whether they deny or name something else than a Mass: `Niedziele / Godziny dzwonienia / 8.00`.
    """
    found: dict[int, tuple[tuple[str, ...], bool]] = {}
    words: list[str] | None = None  # None where no days wait for hours
    refuted = False
    for line in lines:
        hours, days = Time in map(type, line.nodes), any(isinstance(node, _OF_DAYS) for node in line.nodes)
        if hours and days:
            words = None
        elif hours and words:
            found[line.index] = tuple(dict.fromkeys(words)), refuted
        elif not hours and (days or words is not None):
            against = [*filter(_speaks_against, flatten(line.nodes)), *_other_parishes(line.nodes)]
            words = [*(words or () if not days else ()), *_words_of(line.nodes), *(line.text[n.start : n.end] for n in against)]
            refuted = bool(against) or (refuted and not days)
    return found


def _other_parishes(nodes: Sequence[Node]) -> Iterator[Node]:
    """`w parafii św. Anny w Zalesiu`, `dotyczy parafii w Zalesiu`: whose order it is."""
    for at, node in enumerate(nodes):
        words = [fold(one.text) for one in nodes[max(0, at - _NEAR) : at] if isinstance(one, Word)]
        if isinstance(node, AtPlace) and any(word.startswith("parafi") for word in words):
            yield node


def _speaks_against(node: Node) -> bool:
    if isinstance(node, OfKind):
        return node.value in _OTHERS
    return isinstance(node, Op) and node.name in ("without", "not", "former")


def unexplained_words(line: NodeLine) -> Mapping[int, tuple[str, ...]]:
    """The unexplained words of a line by the offset of the time that they bear on, in the order of the text.

    A word bears on the time before it up to the next comma; else on the time after it, or on every time of the list when it
    stands by the days that head it, and on every time of a line that is one list, which stands or falls as one. A word of a
    bracket bears on the time before the bracket and on those in it.

    >>> from mass_pipeline.reading.phrases.lines import nodes_of
    >>> text = "Niedziele: 8.00, 10.00 (winobranie w wakacje)"
    >>> unexplained_words(NodeLine(0, nodes_of(text), text))
    {11: ('winobranie',), 17: ('winobranie',)}
    """
    found: dict[int, list[str]] = {}
    _read(line.nodes, line.text, [*_words_of_label(line.nodes), *_unread_exception(line)], found)
    if len(line.text) <= _LONGEST_LIST and not any(isinstance(node, Sep) and node.strong for node in line.nodes[:-1]):
        said = [word for words in found.values() for word in words if word[0].islower()]  # a name may be that of a place
        found = {start: [*words, *said] for start, words in found.items()}
    return {start: tuple(dict.fromkeys(words)) for start, words in found.items() if words}


def _unread_exception(line: NodeLine) -> list[str]:
    """`8.00, 10.00, oprócz zabaw`: nobody can say of which hours of the line that holds."""
    last = max((node.end for node in line.nodes if isinstance(node, Time)), default=line.nodes[0].start)
    unread = (node for node in line.nodes if isinstance(node, Op) and node.name == "except" and node.start >= last)
    return [line.text[node.start :].lower() for node in unread]


def _words_of_label(nodes: Sequence[Node]) -> list[str]:
    """`Gdy są goście: 9.15`, `Hejnał: 12.00`: words before a colon that name neither days nor a Mass make another list of what
    follows. A line begins with a capital, so what no list of towns knows is no name for that."""
    label = list(takewhile(lambda node: not (isinstance(node, Sep) and node.name == "colon"), nodes))
    if len(label) == len(nodes) or not all(isinstance(node, (Word, Op)) for node in label):
        return []
    said = [word for node in label if isinstance(node, Word) and not node.marker for word in node.text.split()]
    words = [word for word in said if len(word) >= _LEAST_LETTERS]
    return words if any(is_town(fold(word)) for word in words) else [word.lower() for word in words]


def _read(nodes: Sequence[Node], text: str, above: list[str], found: dict[int, list[str]]) -> None:
    """Go through the nodes of a line or a bracket; `above` bears on every time among them."""
    nodes = _without_what_is_read(nodes, text)
    head: list[Node] = []  # since the last mark or time
    governing = above
    last = hour = -1  # offset of the time that words still speak of, and of the one before
    for at, node in enumerate(nodes):
        before = nodes[at - 1] if at else None
        if isinstance(node, Time):
            words = list(_words_of(head))
            if any(isinstance(one, _OF_DAYS) for one in head):
                governing = [*above, *words]
            found.setdefault(node.start, []).extend([*governing, *words])
            head, last, hour = [], node.start, node.start
        elif isinstance(node, Group):
            if hour >= 0 and isinstance(before, Sep) and before.name == "comma" and hours_of_list(node):
                last = hour  # "18.00, (16.00, zimą) winobranie"
            words = [*_words_of(node.nodes), *_events_in(node, text)]
            if last >= 0:
                found[last].extend(words)
            else:
                head.append(node)
            _read(node.nodes, text, [*(found[last] if last >= 0 else governing), *words], found)
        elif isinstance(node, Sep):
            if node.strong and not _is_abbreviated(head, node):
                _leave_conditions(head, hour, found)
                head, governing = [], _words_of_label(nodes[at + 1 :]) if node.name == "stop" else above
            last = last if node.name in _GOING_ON else -1
        elif last >= 0 and not isinstance(node, InList):
            found[last].extend(_words_of([node]))
        else:
            last = -1
            head.append(node)
    _leave_conditions(head, hour, found)


def _leave_conditions(nodes: Sequence[Node], hour: int, found: dict[int, list[str]]) -> None:
    """`12.00, o ile jest ksiądz`: what no rule reads behind a comma speaks of the time before, where no other follows."""
    if hour >= 0 and any(isinstance(node, Op) and node.name == UNREAD for node in nodes):
        found[hour].extend(_words_of(nodes))


def _events_in(group: Group, text: str) -> Iterator[str]:
    """`11.00 (ministrancka)`: a word that names an event may be that of a Mass for those who meet."""
    for node in group.nodes:
        if isinstance(node, OfKind) and node.value == EVENT:
            yield text[node.start : node.end]


def _without_what_is_read(nodes: Sequence[Node], text: str) -> Sequence[Node]:
    """The nodes without `(nie ma składki)`, and without `nie ma składki` behind an hour: they are read, whatever there is not."""
    nodes = [node for node in nodes if not (isinstance(node, Group) and _denies_something_else(node.nodes, text))]
    for at, node in enumerate(nodes):
        if at and isinstance(node, Op) and node.name in ("without", "not"):
            clause = list(takewhile(lambda one: not isinstance(one, (Sep, Time)), nodes[at:]))
            if isinstance(nodes[at - 1], Sep) and _denies_something_else(clause, text):
                return _without_what_is_read([*nodes[:at], *nodes[at + len(clause) :]], text)
    return nodes


def _denies_something_else(nodes: Sequence[Node], text: str) -> bool:
    denial = denial_in_bracket(nodes, text)
    return denial is not None and not denial.changes


def _is_abbreviated(head: Sequence[Node], mark: Sep) -> bool:
    """Whether a full stop ends a short word and no sentence: `Wto. 17.10`."""
    last = head[-1] if head else None
    if not isinstance(last, Word) or mark.name != "stop" or last.end != mark.start:
        return False
    return len(last.text.rpartition(" ")[2]) <= _LONGEST_ABBREVIATION


def _words_of(nodes: Sequence[Node]) -> Iterator[str]:
    """The words of some nodes, those in brackets among them, that nothing explains.

    What is said of those with whom or for whom a Mass is goes on with them: `(z kolędami chóru)`, `(w intencji rolników)`.
    """
    told = False
    for node in nodes:
        tells = isinstance(node, Remark) or (isinstance(node, OfKind) and node.value == "intention")
        told = tells or (told and isinstance(node, Word))
        if isinstance(node, Group):
            yield from _words_of(node.nodes)
        elif isinstance(node, Op) and node.name == UNREAD:
            yield node.says
        elif isinstance(node, Word) and not node.marker:
            yield from (word for word in node.text.split() if not (told and word.islower()) and _is_unexplained(word))


def _is_unexplained(word: str) -> bool:
    plain = word.strip(".,-–'’\"")
    if len(plain) < _LEAST_LETTERS or not plain.isalpha():
        return False
    folded = fold(plain)
    return not (is_filler(folded) or is_holy(folded) or is_saint(folded) or (word.islower() and names_kind_of_mass(folded)))
