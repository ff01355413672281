"""Every rule by which nodes are attached to hours, by what it deals with; a name stands once, so that it tells the kind."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from mass_pipeline.schedule_grammar.attaching import bracket_conditions, brackets_reader, reader
from mass_pipeline.schedule_grammar.parsing.nodes import Cond, Group, Node, Op, Time

_BRACKETS: Final = (
    *(rule.name for rule in reader.RULES_OF_PLACES),
    *(rule.name for rule in brackets_reader.RULES),
    *(rule.name for rule in brackets_reader.RULES_OF_BEGINNINGS),
    *(rule.name for rule in brackets_reader.RULES_OF_CLAUSES),
    *(rule.name for rule in bracket_conditions.RULES),
)
_WORDS: Final = tuple(rule.name for rules in reader.RULES_OF_WORDS.values() for rule in rules)
_HOURS: Final = (*(rule.name for rule in reader.RULES_OF_HOURS), *(rule.name for rule in reader.RULES_OF_RUNS))
RULES_BY_KIND: Final[Mapping[str, tuple[str, ...]]] = {
    "governing": tuple(rule.name for rule in reader.RULES_OF_CONDITIONS),
    "words": _WORDS,
    "hours": _HOURS,
    "brackets": _BRACKETS,
}
NODE_OF_KIND: Final[Mapping[str, type[Node]]] = {"governing": Cond, "words": Op, "hours": Time, "brackets": Group}
KIND_OF_RULE: Final[Mapping[str, str]] = {name: kind for kind, names in RULES_BY_KIND.items() for name in names}
USUAL: Final = frozenset({"begins a list", "goes on with the list", "clause by clause", "speaks of its hour"})  # never reported
