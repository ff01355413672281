"""What words such as `bez`, `zamiast`, `także`, `na przemian` say of the hours before and after them: named rules.

Belongs here: the rules of each word, of which the first that applies acts. Not here: which hours and days a negation means
(`removals`), what becomes of them (`resolving`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from mass_pipeline.schedule_grammar.attaching import removals
from mass_pipeline.schedule_grammar.attaching.bracket_conditions import names_other_half
from mass_pipeline.schedule_grammar.attaching.conditions import Attaching
from mass_pipeline.schedule_grammar.attaching.effects import ADDS, ONLY, Copies, Removes
from mass_pipeline.schedule_grammar.attaching.rules import Rule, always, leave
from mass_pipeline.schedule_grammar.attaching.runs import Item, Run
from mass_pipeline.schedule_grammar.attaching.scopes import Pending, ScopeStack
from mass_pipeline.schedule_grammar.doubts import Doubts
from mass_pipeline.schedule_grammar.parsing.clues import denies_time, has_time
from mass_pipeline.schedule_grammar.parsing.nodes import InList, Node, Op


class Operating(Attaching):
    """Does what the operators of a clause say.

    Args:
        doubts: answers to what the text leaves open.
        stack: what governs the hours to come.
        parent: the hour in whose bracket we are, None for lines.
        siblings: the run of that hour.
    """

    def __init__(self, doubts: Doubts, stack: ScopeStack, parent: Item | None, siblings: Run | None) -> None:
        super().__init__(doubts, stack)
        self.parent, self.siblings = parent, siblings
        self.former = False  # until a new order is named or the sentence ends

    def on_operator(self, op: Op, nodes: Sequence[Node], index: int) -> None:
        """Deal with the operator at a position by the first rule of its word that applies."""
        for rule in RULES.get(op.name, ()):
            if rule.applies(self, op, nodes, index):
                self.doubts.fired.append((self.line, op.start, rule.name))
                rule.act(self, op, nodes, index)
                return

    def substitute_for_excepted(self) -> None:
        """`18.00 z wyjątkiem piątku; 7.30`: the hour after the semicolon is that of the excepted day."""
        if self.excepted is not None:
            self.pending.append(Pending(self.excepted, self.line))
            self.mode = ONLY
            self.excepted = None


def _hold_alone(reader: Operating, op: Op, nodes: Sequence[Node], index: int) -> None:
    reader.mode = ONLY


def _expect_old_hour(reader: Operating, op: Op, nodes: Sequence[Node], index: int) -> None:
    reader.victim = ""


def _denies_hours(reader: Operating, op: Op, nodes: Sequence[Node], index: int) -> bool:
    return denies_time(nodes, index)


def _remove(reader: Operating, op: Op, nodes: Sequence[Node], index: int) -> None:
    reader.removing = True


def _has_waiting(reader: Operating, op: Op, nodes: Sequence[Node], index: int) -> bool:
    return bool(reader.pending)


def _remove_days(reader: Operating, op: Op, nodes: Sequence[Node], index: int) -> None:
    run = removals.run_of_line(reader.runs, reader.run, reader.line)
    whole_days = removals.removal_of_days(reader.pending, run, nodes, index)
    reader.pending = removals.drop_days(reader.pending, reader.run, nodes, index)
    reader.denied = removals.main_mass_denied(nodes, index) or reader.denied
    reader.runs.extend(whole_days)


def _has_nothing_before(reader: Operating, op: Op, nodes: Sequence[Node], index: int) -> bool:
    return reader.last is None or reader.run is None or not reader.run.items


def _is_of_other_half(reader: Operating, op: Op, nodes: Sequence[Node], index: int) -> bool:
    return reader.last is not None and names_other_half(reader.last, nodes[max(0, index - 3) : index + 6])


def _denies_on_days(reader: Operating, op: Op, nodes: Sequence[Node], index: int) -> bool:
    return bool(removals.denied_conditions(nodes, index))


def _restrict_before(reader: Operating, op: Op, nodes: Sequence[Node], index: int) -> None:
    denied = removals.denied_conditions(nodes, index)
    assert reader.run is not None
    reader.denied = denied
    removals.restrict_by_denial(reader.run, nodes, index, denied)


def _remove_before(reader: Operating, op: Op, nodes: Sequence[Node], index: int) -> None:
    assert reader.run is not None
    reader.denied = ()
    denied = removals.take_denied(reader.run, nodes, index)
    effect = Removes()
    reader.runs.append(Run(reader.stack.as_scope(), denied, effect=effect, parent=reader.parent, siblings=reader.siblings))
    reader.run, reader.last = None, None


def _names_two_lists(reader: Operating, op: Op, nodes: Sequence[Node], index: int) -> bool:
    return op.days is not None and any(isinstance(item.cond, InList) for item in reader.pending)


def _copy(reader: Operating, op: Op, nodes: Sequence[Node], index: int) -> None:
    assert op.days is not None
    reader.stack.apply(reader.pending, reader.line)
    reader.pending = []
    reader.runs.append(Run(reader.stack.as_scope(), effect=Copies(op.days)))
    reader.run, reader.last = None, None


def _begin_former(reader: Operating, op: Op, nodes: Sequence[Node], index: int) -> None:
    reader.former = True


def _end_former(reader: Operating, op: Op, nodes: Sequence[Node], index: int) -> None:
    reader.former = False


def _follows_denial(reader: Operating, op: Op, nodes: Sequence[Node], index: int) -> bool:
    return reader.run is not None and isinstance(reader.run.effect, Removes)


def _keep_elsewhere(reader: Operating, op: Op, nodes: Sequence[Node], index: int) -> None:
    if reader.run is not None and isinstance(reader.run.effect, Removes):
        reader.run.effect = replace(reader.run.effect, elsewhere=True)


def _add(reader: Operating, op: Op, nodes: Sequence[Node], index: int) -> None:
    reader.mode = ADDS


def _leave_open(reader: Operating, op: Op, nodes: Sequence[Node], index: int) -> None:
    reader.uncertain = True
    if reader.last is not None:
        reader.last.uncertain = True


def _follows_hour(reader: Operating, op: Op, nodes: Sequence[Node], index: int) -> bool:
    return reader.last is not None


def _joins_hours(reader: Operating, op: Op, nodes: Sequence[Node], index: int) -> bool:
    return reader.last is not None and has_time(nodes[index + 1 :])


def _expect_other(reader: Operating, op: Op, nodes: Sequence[Node], index: int) -> None:
    reader.either = reader.last


def _doubt_hour(reader: Operating, op: Op, nodes: Sequence[Node], index: int) -> None:
    assert reader.last is not None
    reader.last.uncertain = reader.last.uncertain or not reader.last.restrictions


def _take_turns(reader: Operating, op: Op, nodes: Sequence[Node], index: int) -> None:
    reader.alternate, reader.turns = True, op.says
    if reader.last is not None:
        reader.last.notes.append(op.says)


_Rules = tuple[Rule[[Operating, Op, Sequence[Node], int]], ...]
RULES: Final[Mapping[str, _Rules]] = {  # by the name of the operator
    "instead": (
        Rule("the next hour gives way to another", always, _expect_old_hour),  # "zamiast 18.00 jest 17.00"
    ),
    "without": (
        Rule("denies the hours to come", _denies_hours, _remove),  # "bez Mszy o 8.30"
        Rule("denies the days that wait", _has_waiting, _remove_days),  # "w soboty nie ma"
        Rule("denies no hour", _has_nothing_before, leave),
        Rule("denies the other half of the day", _is_of_other_half, leave),  # "7.00, wieczornej nie ma"
        Rule("denies the hours before on the days after", _denies_on_days, _restrict_before),  # "8.30 - nie ma w wakacje"
        Rule("denies the hours before", always, _remove_before),  # "Msza o 6.45 nie jest odprawiana"
    ),
    "same": (
        Rule("copies another list", _names_two_lists, _copy),  # "święta: jak w niedzielę"
    ),
    "former": (Rule("begins an old order", always, _begin_former),),  # "dotychczas o 7.30"
    "neworder": (Rule("begins the new order", always, _end_former),),
    "thattime": (  # "w tym czasie w kaplicy": on one page known, which is labelled so
        Rule("those denied take place elsewhere", _follows_denial, _keep_elsewhere),
    ),
    "also": (Rule("adds hours", always, _add),),
    "only": (Rule("only those to come hold", always, _hold_alone),),
    "sometimes": (Rule("leaves open when they hold", always, _leave_open),),
    "unread": (Rule("a word without a rule of its own leaves open when they hold", always, _leave_open),),
    "or": (
        Rule("leaves open which of two hours holds", _joins_hours, _expect_other),  # "17.00 lub 18.00"
        Rule("leaves open whether the hour holds", _follows_hour, _doubt_hour),
    ),
    "alternate": (Rule("takes turns", always, _take_turns),),
}
