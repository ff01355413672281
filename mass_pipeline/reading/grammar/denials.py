"""Sentences that take something out of an order: `Msza o 12.00 została odwołana`, `W środy Mszy nie ma`.

A sentence that denies heads nothing and states no hour, wherever it stands: in the line of a list, above or below it, in a
cell or a footnote. It binds to what it names. Belongs here: which sentences are such, and what each takes away. Not here:
denials within a clause of hours (`statements`), in brackets (`brackets`), which Masses go (`reading.validity`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import takewhile
from typing import Final

from mass_pipeline.reading.grammar.alternatives import either
from mass_pipeline.reading.phrases.nodes import (
    AtPlace,
    Cond,
    Dated,
    Denial,
    Group,
    InList,
    InSeason,
    Node,
    OfKind,
    Op,
    Remark,
    Sep,
    Time,
    When,
    WhichDays,
    Word,
    ends_clause,
    has,
    is_mark,
    is_op,
    select,
)
from mass_pipeline.reading.phrases.predicates import half_named, hour_counted, only_adds_overlay
from mass_pipeline.reading.words.expressions import expression
from mass_pipeline.reading.words.folding import fold
from mass_pipeline.reading.words.known_words import is_filler

_MASSES: Final = frozenset({"mass", "anchor"})
_OF_DENIALS: Final = expression("<said_of_denied_masses>")
_BESIDE: Final = re.compile(r"(?:na|po|przed|podczas|trakcie|w czasie|w trakcie|do|od|z|ze|koniec|zakonczeniu)$")  # folded
_SINCE: Final = re.compile(r"od\b", re.IGNORECASE)  # from when an order has no such Mass, until nobody knows when
_UNTIL: Final = re.compile(r"\bdo\b|[-–—]", re.IGNORECASE)
_KEPT: Final = expression(r"<calls_off>|\w+(?:jmy|[aeiouy]c)\b")  # folded, behind "nie"
_LEAST_LETTERS: Final = 4  # of a word that may name what there is not
_PAIR: Final = 2  # hours


def with_denials(nodes: Sequence[Node], text: str) -> Sequence[Node]:
    """The nodes of a line, each sentence that denies as one."""
    if not any(map(_may_deny, nodes)):
        return nodes
    found: list[Node] = []
    for sentence in _sentences(nodes):
        denials = [_read(part, text) for part in _by_hours(sentence)]
        found.extend(sentence if None in denials else [one for one in denials if one is not None])
    return found


def denial_in_bracket(nodes: Sequence[Node], text: str) -> Denial | None:
    """What a bracket denies that says nothing else, in more words than when the hour before it does not take place; else None.

    `19.00 (zlikwidowana)`, `19.00 (Msza o 19.00 w styczniu nie jest odprawiana)`, `18.00 (nie ma wtedy spowiedzi)`.
    """
    denial = _read(nodes, text, of_hour=True) if any(map(_may_deny, nodes)) else None
    if denial is None or not denial.is_of_hours_before or not denial.conds or denial.half:
        return denial
    return denial if denial.is_of_every_mass and len(denial.conds) == 1 else None


def _may_deny(node: Node) -> bool:
    return is_op(node, "without", "not") or (isinstance(node, Cond) and node.excluded)


def _sentences(nodes: Sequence[Node]) -> Iterator[list[Node]]:
    """Each with the mark that ends it."""
    sentence: list[Node] = []
    for node in nodes:
        sentence.append(node)
        if ends_clause(node):
            yield sentence
            sentence = []
    if sentence:
        yield sentence


def _by_hours(sentence: Sequence[Node]) -> list[Sequence[Node]]:
    """`bez Mszy o 8.30 w dni powszednie i o 6.30 w niedziele`: what is said of each hour, where each has days of its own."""
    hours = [at for at, node in enumerate(sentence) if isinstance(node, Time)]
    days = [at for at, node in enumerate(sentence) if isinstance(node, WhichDays)]
    pairs = list(zip(*sorted((days, hours)), strict=False))
    places = [at for pair in pairs for at in pair]
    if len(hours) < _PAIR or len(days) != len(hours) or places != sorted(places):
        return [sentence]
    return [[*sentence[: places[0]], *sentence[first : last + 1]] for first, last in pairs]


def _read(sentence: Sequence[Node], text: str, *, of_hour: bool = False) -> Denial | None:
    """What a sentence denies; None of one that states hours, or denies none by itself as it names none; `of_hour`: as that of the
    hour before it."""
    if any("rezygn" in fold(text[node.start : node.end]) for node in select(sentence, Op)):
        sentence = [part for node in sentence for part in _given_up(node)]
    ends = sentence[0].start, sentence[-1].end
    denials = [at for at, node in enumerate(sentence) if is_op(node, "without", "not")]
    conds = _together(select(sentence, (When, AtPlace)))
    if conds is None or has(sentence, (Group, Dated)) or hour_counted(sentence):
        return None
    if not denials:
        return None if of_hour else _leaving_out(sentence, conds, text)
    hours = _denied_hours(sentence, denials[-1])
    if (
        hours is None
        or any(cond.excluded for cond in conds)
        or any(_is_read_elsewhere(node) for node in sentence[: _lacked(sentence)])
    ):
        return None
    if _is_turned_back(sentence, denials):
        return Denial(*ends, hours=hours, changes=False)
    half = half_named(sentence)
    kinds = select(sentence, OfKind)
    named = [kind for kind in kinds if kind.value in _MASSES]
    masses: list[Node] = [kind for kind in named if not _is_beside(sentence, kind)]
    said = text[sentence[denials[0]].start : sentence[denials[-1]].end]
    beside = len(kinds) - len(masses)
    masses += [node for node in sentence if isinstance(node, Op) and "msz" in fold(text[node.start : node.end])]
    if beside:
        if masses:
            return Denial(*ends, tuple(conds), hours, half, said, unread=True, changes=bool(conds or hours))
        return Denial(*ends, hours=hours, changes=False)
    implied = not masses and not hours and not half
    lacking = names_something_else(sentence, denials[-1])
    if lacking and not masses:
        return Denial(*ends, hours=hours, changes=False)
    if not (conds or hours or half or of_hour) or (implied and not _denies_masses(sentence, denials[-1])):
        return None
    since = any(
        _SINCE.match(text, cond.start) and not _UNTIL.search(text, cond.start, cond.end) for cond in select(conds, InSeason)
    )
    two_lists = len(select(conds, WhichDays)) > 1  # whose hours are meant?
    doubted = len(denials) > 1 or two_lists or (half and hours) or lacking or since or not _is_read(sentence)
    every = bool(masses) and not (hours or half) and has(conds, WhichDays)
    return Denial(*ends, tuple(conds), hours, half, said, unread=bool(doubted), is_of_every_mass=every)


def _is_turned_back(sentence: Sequence[Node], denials: Sequence[int]) -> bool:
    """`nie została odwołana`, `nigdy nie jest odwoływana`, `nie zapominajmy o Mszy`: nothing is taken away."""
    behind = [node for node in sentence[denials[0] + 1 :] if not (isinstance(node, Word) and node.marker)][:1]
    verb = fold(behind[0].text) if behind and isinstance(behind[0], Word) else ""
    first = sentence[denials[0]]
    denied = is_op(first, "not") and denials[1:] == [at for at in denials[1:] if sentence[at] in behind]
    return denied and (bool(denials[1:]) or _KEPT.match(verb) is not None)


def _given_up(node: Node) -> Sequence[Node]:
    """`z Mszy porannej` of what a parish gives up is no remark, nor is the Mass one at which something else is."""
    if isinstance(node, Word) and fold(node.text) in ("z", "ze"):
        return ()
    if not isinstance(node, Remark) or not fold(str(node.value)).startswith(("z msz", "z euch", "z lit")):
        return (node,)
    return OfKind("mass", node.start, node.end), Word(str(node.value).partition(" ")[2], node.start, node.end)


def _lacked(sentence: Sequence[Node]) -> int:
    """Where a sentence names something else than a Mass: `katechezy dla dorosłych`; its end where it names nothing such."""
    kinds = [at for at, node in enumerate(sentence) if isinstance(node, OfKind) and node.value not in (*_MASSES, "reference")]
    return kinds[0] if kinds else len(sentence)


def _is_read_elsewhere(node: Node) -> bool:
    """`dotychczasowe Msze`, `przeniesiona`, `Msza dla dzieci`, `suma`: what only rules of a clause tell (`statements`)."""
    if isinstance(node, Op):
        return node.name not in ("without", "not", "evening", "neworder", "then")
    return isinstance(node, Remark) and fold(str(node.value)).startswith(("dla ", "sum"))


def _together(conds: Sequence[Cond]) -> list[Cond] | None:
    """The conditions of a sentence, one of each dimension: `w lipcu i w sierpniu`; None where two are not said together."""
    found: list[Cond] = []
    for cond in conds:
        at = next((at for at, one in enumerate(found) if type(one) is type(cond)), len(found))
        united = either(found[at], cond) if at < len(found) and not isinstance(cond, InList) else None
        if at == len(found) or only_adds_overlay(found[at], [cond]):
            united = cond
        elif united is None and not only_adds_overlay(cond, found):
            return None
        found[at : at + 1] = [united or found[at]]
    return found


def _leaving_out(sentence: Sequence[Node], conds: Sequence[Cond], text: str) -> Denial | None:
    """`Oprócz śród.`, `Poza wakacjami`: a sentence of nothing else; which hours it limits in a season nobody can say."""
    if not conds or not all(cond.excluded for cond in conds):
        return None
    if any(isinstance(node, (Time, Op, OfKind, Remark)) or (isinstance(node, Word) and not node.marker) for node in sentence):
        return None
    ends = sentence[0].start, sentence[-1].end
    days = all(isinstance(cond, WhichDays) for cond in conds)
    return (
        Denial(*ends, tuple(replace(cond, excluded=False) for cond in conds), words=text[conds[0].start : conds[-1].end])
        if days
        else None
    )


def _denied_hours(sentence: Sequence[Node], denial: int) -> tuple[Time, ...] | None:
    """The hours that a sentence denies; None where it states hours as well."""
    before = select(sentence[:denial], Time)
    behind = select(sentence[denial:], Time)
    if before and behind:
        return None
    first = next((at for at, node in enumerate(sentence) if isinstance(node, Time)), denial)
    if before:
        colon = next((at for at, node in enumerate(sentence) if is_mark(node, "colon")), 0)
        heads_list = has(sentence[:first], InList) or has(sentence[:colon], When)
        led = any(isinstance(node, OfKind) or (isinstance(node, Word) and node.marker == "hour") for node in sentence[:first])
        limits = isinstance(sentence[0], Time) and has(sentence, When)  # "17.00 – w środy nie ma"
        others = has(sentence[:first], WhichDays) and has(sentence[first:denial], WhichDays)  # "pn. o 8.00, śr. - bez Mszy"
        if heads_list or limits or others or (not led and (len(before) > 1 or first)):
            return None
    if behind:
        last = max(at for at, node in enumerate(sentence) if isinstance(node, Time))
        if has(sentence[denial:first], Sep) or any(map(_leads_on, sentence[first:last])):
            return None
    return tuple(before or behind)


def _leads_on(node: Node) -> bool:
    """Whether another statement begins between two hours: `nie o 8.00, lecz o 9.00`."""
    return isinstance(node, Op) or (isinstance(node, Word) and not node.marker)


def _is_beside(sentence: Sequence[Node], kind: OfKind) -> bool:
    """`na Mszy`, `po Mszy`, `przed każdą Mszą`: something else than the Mass is spoken of."""
    if kind.value == "reference":
        return True
    at = next(at for at, node in enumerate(sentence) if node is kind)
    before = [fold(node.text) for node in sentence[max(0, at - 2) : at] if isinstance(node, Word)]
    denied = has(sentence[max(0, at - 2) : at], Op)
    return bool(before) and not denied and _BESIDE.search(" ".join(before)) is not None


def names_something_else(sentence: Sequence[Node], denial: int) -> bool:
    """`nie ma katechezy`, `nie zbieramy ofiar`: a word that says what there is not, or another verb."""
    behind = list(takewhile(lambda node: not isinstance(node, (Sep, Time)), sentence[denial + 1 :]))
    words = [fold(word) for node in behind if isinstance(node, Word) and not node.marker for word in node.text.split()]
    return any(_is_telling(word) for word in words)


def _is_telling(word: str) -> bool:
    return len(word) >= _LEAST_LETTERS and not is_filler(word) and _OF_DENIALS.match(word) is None


def _denies_masses(sentence: Sequence[Node], denial: int) -> bool:
    """Whether a sentence that names neither a Mass nor an hour denies one: `W środy nie odprawiamy`, `Nie w środy`."""
    words = [fold(word) for node in sentence if isinstance(node, Word) for word in node.text.split()]
    return not any(map(_is_telling, words)) and not has(sentence, Remark)


def _is_read(sentence: Sequence[Node]) -> bool:
    """Whether every word of a sentence is one of orders, but for those that lead to it: `Prosimy pamiętać: ...`."""
    colon = next((at for at, node in enumerate(sentence) if is_mark(node, "colon")), -1)
    words = [
        fold(word) for node in sentence[colon + 1 :] if isinstance(node, Word) and not node.marker for word in node.text.split()
    ]
    return not any(map(_is_telling, words))
