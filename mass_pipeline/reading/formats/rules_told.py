"""Every rule by which nodes are attached to hours, by what it deals with; a name stands once, so that it tells the kind."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from mass_pipeline.reading.grammar import brackets, statements
from mass_pipeline.reading.phrases.nodes import Cond, Group, Node, Op

_MERE_REMARK: Final = "a mere remark"
RULES_BY_KIND: Final[Mapping[str, tuple[str, ...]]] = {
    "governing": tuple(rule.name for rule in statements.CONDITIONS),
    "words": tuple(rule.name for rules in statements.WORDS.values() for rule in rules),
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
