"""How a page was read, for people: scores of its notices, the conditions seen in a line, the verdict of every hour."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from mass_pipeline.model.dates_of_year import seasons_of
from mass_pipeline.reading.grammar import brackets, statements
from mass_pipeline.reading.grammar.sides import WEIGHTS, chances
from mass_pipeline.reading.phrases.chunker import chunk
from mass_pipeline.reading.phrases.nodes import (
    AtPlace,
    Cond,
    Dated,
    Days,
    Denial,
    Dimension,
    Group,
    InList,
    InSeason,
    Node,
    Nth,
    OfKind,
    OnDays,
    OnNth,
    Op,
    Remark,
    Season,
    Sep,
    Time,
    Word,
)
from mass_pipeline.reading.regular.reading import PageReading
from mass_pipeline.reading.regular.schedule_blocks import ScheduleBlock
from mass_pipeline.reading.words.lexicon import load_lexicon
from mass_pipeline.reading.words.masking.lines import BLANK, blanked, collapsed, masked_line

_WIDTH = 150
_DIMENSIONS: Final[Mapping[Dimension, str]] = {
    InList: "list",
    OnDays: "days",
    OnNth: "nth",
    InSeason: "season",
    AtPlace: "place",
    OfKind: "kind",
    Remark: "note",
    Dated: "date",
}
# Every rule by which nodes are attached to hours, by what it deals with; a name stands once, so that it tells the kind.
_MERE_REMARK: Final = "a mere remark"
RULES_BY_KIND: Final[Mapping[str, tuple[str, ...]]] = {
    "governing": tuple(rule.name for rule in statements.CONDITIONS),
    "words": tuple(dict.fromkeys(rule.name for rules in statements.WORDS.values() for rule in rules)),
    "brackets": (
        _MERE_REMARK,
        *(rule.name for rule in statements.BRACKETS),
        *(rule.name for rule in brackets.CLAUSES),
        *(rule.name for rule in brackets.COMMENTS),
    ),
}
NODE_OF_KIND: Final[Mapping[str, type[Node]]] = {"governing": Cond, "words": Op, "brackets": Group}
KIND_OF_RULE: Final[Mapping[str, str]] = {name: kind for kind, names in RULES_BY_KIND.items() for name in names}
USUAL: Final = frozenset({"speaks of its hour"})  # never reported


def explain_page(reading: PageReading) -> Iterator[str]:
    """Lines of text: per notice its score and reasons, per line its nodes and the rules that dealt with its conditions, words
    and brackets, per hour its verdict."""
    document = reading.document
    yield f"--- {document.url or masked_line(document.title) or 'text'}: {len(document.lines)} lines, score {reading.score:.2f}"
    for notice in reading.notices:
        yield from _explain_notice(notice, reading)


def _explain_notice(notice: ScheduleBlock, reading: PageReading) -> Iterator[str]:
    reasons = ", ".join(notice.reasons)
    yield f"  notice, lines {notice.first}-{notice.last}, {notice.region.value}: score {notice.score:.2f} ({reasons})"
    for question, answers in (notice.reading.questions or {}).items():
        shares = ", ".join(f"{answer} {weight:.2f}" for answer, weight in answers.items())
        yield f"    open: {question.kind} {masked_line(question.about)}".rstrip() + f" ({shares})"
    lines = sorted({line for line, _ in notice.verdicts})
    for index in lines:
        text = reading.document.lines[index].text
        yield f"    {index}: {masked_line(text)[:_WIDTH]}"
        nodes = chunk(text, load_lexicon(notice.language))
        yield f"       {show_nodes(nodes, blanked(text))}"
        named = [(start, name) for line, start, name in notice.reading.fired if line == index]
        yield from _rules_of_nodes(nodes, named, blanked(text))
        yield from (_explain_cut(times, taken, names) for line, _, times, taken, names in notice.reading.cuts if line == index)
        for (line, start), verdict in sorted(notice.verdicts.items()):
            if line == index:
                mass = verdict.mass.as_dict() if verdict.mass else ""
                final = reading.verdicts[line, start]
                yield f"       @{start} {final.kind}: {final.reason} {mass}"


def _rules_of_nodes(nodes: Sequence[Node], fired: Sequence[tuple[int, str]], shown: str) -> Iterator[str]:
    """The nodes of a line with the rules that dealt with them, a line for each kind of node."""
    every = list(_with_inner(nodes))
    for kind, names in RULES_BY_KIND.items():
        told: list[str] = []
        for node in (node for node in every if isinstance(node, NODE_OF_KIND[kind])):
            by = [name for start, name in fired if start == node.start and name in names and name not in USUAL]
            if by:
                told.append(f"{_show(node, shown)} {', '.join(dict.fromkeys(by))}")
        if told:
            yield f"       {kind}: {'; '.join(told)}"


def _explain_cut(times: str, taken: int, named: Sequence[Sequence[str]]) -> str:
    """How many of the conditions between two hours belong to the first, its rival, and the features of each condition."""
    likely = chances(named)
    rival = max((cut for cut in range(len(likely)) if cut != taken), key=lambda cut: likely[cut])
    said = " | ".join(", ".join(f"{name} {WEIGHTS[name]:+.2f}" for name in one) or "nothing" for one in named)
    return (
        f"       side: between {times.replace(' ', ' and ')} {taken} of {len(named)} to the hour before {likely[taken]:.2f},"
        f" else {rival} {likely[rival]:.2f} ({said})"
    )


def _with_inner(nodes: Sequence[Node]) -> Iterator[Node]:
    """The nodes, each bracket followed by those in it."""
    waiting = list(reversed(nodes))
    while waiting:
        node = waiting.pop()
        yield node
        if isinstance(node, Group):
            waiting.extend(reversed(node.nodes))


def show_nodes(nodes: Sequence[Node], shown: str = "") -> str:
    """Nodes in a compact notation; words, places and remarks as the blanked line shows them, where it is given.

    >>> show_nodes(chunk("pn.-pt. 7.00 (poza wakacjami)", load_lexicon("pl")))
    '<days Fr Mo Th Tu We> 07:00 ( <not season vacation> )'
    """
    return " ".join(_show(node, shown) for node in nodes)


def _show(node: Node, shown: str) -> str:
    if isinstance(node, Group):
        return f"( {show_nodes(node.nodes, shown)} )"
    if isinstance(node, Time):
        return node.clock.time if node.clock.kind.value == "time" else f"{node.clock.raw}?{node.clock.kind.value}"
    if isinstance(node, Op):
        return f"@{node.name}"
    if isinstance(node, Sep):
        return {"comma": ",", "semicolon": ";", "stop": ".", "colon": ":", "dash": "-", "bar": "|", "and": "&"}.get(
            node.name, node.name
        )
    if isinstance(node, Word):
        return f"'{collapsed(shown[node.start : node.end] or node.text)}'"
    if isinstance(node, Denial):
        return f"@denial {node.words}"
    return f"<{'not ' if node.excluded else ''}{_DIMENSIONS[type(node)]} {_value(node, shown)}>"


def _value(cond: Cond, shown: str) -> str:
    value = cond.value
    written = shown[cond.start : cond.end]
    if isinstance(value, str) and BLANK in written:
        return collapsed(written)
    if isinstance(value, Days):
        return "the rest" if value.rest else " ".join(sorted(value.days))
    if isinstance(value, Nth):
        parts = (f"{','.join(map(str, nth.ordinals)) or 'other'} {' '.join(sorted(nth.days))}" for nth in (value, *value.more))
        return " and ".join(parts)
    if isinstance(value, Season):
        told = ",".join(span or season for season, span in seasons_of(value.dates)) if value.dates else ""
        return value.name or ("the rest" if value.rest else told)
    return value
