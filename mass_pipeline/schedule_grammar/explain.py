"""How a page was read, for people: scores of its notices, the conditions seen in a line, the verdict of every hour."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mass_pipeline.schedule_grammar.chunker import chunk
from mass_pipeline.schedule_grammar.lexicon import load_lexicon
from mass_pipeline.schedule_grammar.nodes import Cond, Days, Group, Node, Nth, Op, Season, Sep, Time, Word
from mass_pipeline.schedule_grammar.notices import Notice
from mass_pipeline.schedule_grammar.reading import PageReading

_WIDTH = 150


def explain_page(reading: PageReading) -> Iterator[str]:
    """Lines of text: per notice its score and reasons, per line its nodes, per hour its verdict."""
    document = reading.document
    yield f"--- {document.url or document.title or 'text'}: {len(document.lines)} lines, score {reading.score:.2f}"
    for notice in reading.notices:
        yield from _explain_notice(notice, reading)


def _explain_notice(notice: Notice, reading: PageReading) -> Iterator[str]:
    reasons = ", ".join(notice.reasons)
    yield f"  notice, lines {notice.first}-{notice.last}, {notice.region.value}: score {notice.score:.2f} ({reasons})"
    for question, answers in (notice.reading.questions or {}).items():
        shares = ", ".join(f"{answer} {weight:.2f}" for answer, weight in answers.items())
        yield f"    open: {question.kind} {question.about}".rstrip() + f" ({shares})"
    lines = sorted({line for line, _ in notice.verdicts})
    for index in lines:
        text = reading.document.lines[index].text
        yield f"    {index}: {text[:_WIDTH]}"
        yield f"       {show_nodes(chunk(text, load_lexicon(notice.language)))}"
        for (line, start), verdict in sorted(notice.verdicts.items()):
            if line == index:
                mass = verdict.mass.as_dict() if verdict.mass else ""
                final = reading.verdicts[line, start]
                yield f"       @{start} {final.kind}: {final.reason} {mass}"


def show_nodes(nodes: Sequence[Node]) -> str:
    """Nodes in a compact notation.

    >>> show_nodes(chunk("pn.-pt. 7.00 (poza wakacjami)", load_lexicon("pl")))
    '<days Fr Mo Th Tu We> 07:00 ( <not season vacation> )'
    """
    return " ".join(_show(node) for node in nodes)


def _show(node: Node) -> str:
    if isinstance(node, Group):
        return f"( {show_nodes(node.nodes)} )"
    if isinstance(node, Time):
        return node.clock.time if node.clock.kind.value == "time" else f"{node.clock.raw}?{node.clock.kind.value}"
    if isinstance(node, Op):
        return f"@{node.name}"
    if isinstance(node, Sep):
        return {"comma": ",", "semicolon": ";", "stop": ".", "colon": ":", "dash": "-", "bar": "|", "and": "&"}.get(
            node.name, node.name
        )
    if isinstance(node, Word):
        return f"'{node.text}'"
    return f"<{'not ' if node.excluded else ''}{node.dim} {_value(node)}>"


def _value(cond: Cond) -> str:
    value = cond.value
    if isinstance(value, Days):
        return "the rest" if value.rest else " ".join(sorted(value.days))
    if isinstance(value, Nth):
        parts = (f"{','.join(map(str, nth.ordinals)) or 'other'} {' '.join(sorted(nth.days))}" for nth in (value, *value.more))
        return " and ".join(parts)
    if isinstance(value, Season):
        return value.name or ("the rest" if value.rest else ",".join(map(str, sorted(value.months or ()))))
    return value
