"""What a line says in an unusual order, put in the usual one before it is read: named rules, one after the other.

Belongs here: rules over the nodes of a line or a bracket that change their order and nothing of what they say. Each returns
the nodes as they are where it does not fit. Not here: which words govern which hour (`reader`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Final

from mass_pipeline.language.folding import fold
from mass_pipeline.language.parts_of_day import EVENING as EVENING_BEGINS
from mass_pipeline.schedule_grammar.attaching.mere_remarks import (
    hours_of_what_comes_along,
    hours_of_what_surrounds,
    remarks_behind_the_hour,
    remarks_that_close_a_line,
    remarks_whereby,
)
from mass_pipeline.schedule_grammar.attaching.rewording_asides import ASIDE_RULES
from mass_pipeline.schedule_grammar.attaching.rewording_brackets import (
    alternatives_in_brackets,
    brackets_of_a_pair,
    churches_and_their_brackets,
    hour_meant_by_a_pronoun,
    hours_of_a_split_bracket,
    hours_that_change_in_pairs,
    movable_seasons_apart,
    weeks_of_one_hour,
)
from mass_pipeline.schedule_grammar.attaching.rewording_changes import (
    hours_moved,
    hours_set_right,
    hours_that_are_now,
    hours_that_remain,
    leads_is,
    sentences_of_old_hours,
)
from mass_pipeline.schedule_grammar.attaching.rewording_days import (
    bracketed_days_before_hours,
    bracketed_days_behind_their_hour,
    days_and_weeks_of_one_list,
    days_before_their_hours,
    days_each_at_its_place,
    days_that_close_a_bracket,
    hour_of,
    masses_of_a_sort,
    place_of_all_hours,
)
from mass_pipeline.schedule_grammar.attaching.rewording_evenings import evenings_of_the_list
from mass_pipeline.schedule_grammar.attaching.rewording_negations import (
    copies_in_brackets,
    halves_denied_besides,
    halves_set_right,
    hour_denied_by_a_pronoun,
    hours_that_sunday_has_alone,
    whatever_it_is,
)
from mass_pipeline.schedule_grammar.attaching.rewording_prose import PROSE_RULES
from mass_pipeline.schedule_grammar.attaching.rewording_seasons import seasons_that_close_their_lists
from mass_pipeline.schedule_grammar.attaching.rewording_vigils import other_hour_of_the_rest, saturdays_of_the_hour_before
from mass_pipeline.schedule_grammar.attaching.traits import traits_of
from mass_pipeline.schedule_grammar.parsing.clues import are_seasons_apart, has_time
from mass_pipeline.schedule_grammar.parsing.nodes import (
    YEAR,
    Cond,
    Group,
    InList,
    InSeason,
    Node,
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

_DURING: Final = ("podczas", "w czasie", "czasie", "w trakcie", "trakcie", "na", "przed", "po")  # folded
_NEAR: Final = 8  # nodes before a bracket that say what its hours are
_MOST_NODES: Final = 120  # longer lines are no single statement

Rule = Callable[[Sequence[Node]], Sequence[Node]]


def reworded(nodes: Sequence[Node]) -> Sequence[Node]:
    """The nodes of a line by all rules; each is tried only where the line has what it is about.

    Args:
        nodes: of a line or of what stands in a bracket.
    """
    if len(nodes) > _MOST_NODES or not (has_time(nodes) or Group in map(type, nodes)):
        return nodes
    for rule in _rules_for(frozenset(traits_of(nodes))):
        nodes = rule(nodes)
    return nodes


@lru_cache(maxsize=4096)
def _rules_for(traits: frozenset[str]) -> tuple[Rule, ...]:
    """The rules that are tried on a line with these traits."""
    return tuple(rule for needs, rule in RULES if needs <= traits)


def rules_fired(nodes: Sequence[Node]) -> list[str]:
    """Names of the rules that change a line, in the order in which they do; empty where it says things in the usual order.

    Args:
        nodes: as for `reworded`.
    """
    if len(nodes) > _MOST_NODES:
        return []
    traits = traits_of(nodes)
    fired = []
    for rule in _rules_for(frozenset(traits)):
        changed = rule(nodes)
        if list(changed) != list(nodes):
            fired.append(name_of(rule))
        nodes = changed
    return fired


def name_of(rule: Rule) -> str:
    """The name of a rule, for people."""
    return str(getattr(rule, "__name__", "")).replace("_", " ")


def seasons_behind_a_pair(nodes: Sequence[Node]) -> Sequence[Node]:
    """`17.00 zimą godz. 17.30 latem` is `17.00 (zimą), 17.30 (latem)`."""
    kept = list(nodes)
    said = [at for at, node in enumerate(kept) if not _is_passed_over(node)]
    for one, two, three, four in zip(said, said[1:], said[2:], said[3:], strict=False):
        first, second = kept[two], kept[four]
        pair = (
            isinstance(kept[one], Time) and isinstance(kept[three], Time) and isinstance(first, Cond) and isinstance(second, Cond)
        )
        ends = four == said[-1] or isinstance(kept[four + 1], Sep)
        commas = [isinstance(kept[at], Sep) for at in (one + 1, three + 1)]  # "17:00, latem, 16:00, zimą"
        near = (one + 1 == two and three + 1 == four) or (all(commas) and one + 2 == two and three + 2 == four)
        if pair and ends and _halves(first, second) and near:
            kept[two] = Group((kept[two],), kept[two].start, kept[two].end)
            kept[four] = Group((kept[four],), kept[four].start, kept[four].end)
            return [node for at, node in enumerate(kept) if not (all(commas) and at in (one + 1, three + 1))]
    return nodes


def _is_passed_over(node: Node) -> bool:
    return (isinstance(node, Word) and node.marker != "") or (isinstance(node, Sep) and node.name == "comma")


def _halves(first: Node, second: Node) -> bool:
    """Whether two conditions are seasons that make up the year."""
    if not (isinstance(first, Cond) and isinstance(second, Cond)):
        return False
    one, other = first.value, second.value
    if not (isinstance(one, Season) and isinstance(other, Season) and one.months and other.months):
        return False
    return not one.months & other.months and one.months | other.months == YEAR


def stops_for_colons(nodes: Sequence[Node]) -> Sequence[Node]:
    """`16.00 (wakacje. 18.00)`: in a bracket a full stop after the season stands for a colon."""
    return [replace(node, nodes=tuple(_with_colons(node.nodes))) if isinstance(node, Group) else node for node in nodes]


def _with_colons(nodes: Sequence[Node]) -> list[Node]:
    found = list(nodes)
    for at in range(1, len(found) - 1):
        before, stop, behind = found[at - 1 : at + 2]
        leads = isinstance(before, (InList, OnDays, InSeason))
        if leads and isinstance(stop, Sep) and stop.name == "stop" and isinstance(behind, Time):
            found[at] = Sep("colon", stop.start, stop.end)
    return found


def brackets_behind_a_comma(nodes: Sequence[Node]) -> Sequence[Node]:
    """`17:00, (19:00, latem)` is `17:00 (latem 19:00)`; `13:30, (15:00, w roku szkolnym)` one more Mass of the list."""
    found: list[Node] = []
    for node in nodes:
        hours = _hours_of_bracket(node) if isinstance(node, Group) else []
        comma = bool(found) and isinstance(found[-1], Sep) and found[-1].name == "comma"
        before = next((hour_of(one) for one in reversed(found) if isinstance(one, Time)), "")
        if not (hours and comma and before and isinstance(node, Group)):
            found.append(node)
            continue
        while isinstance(found[-1], Sep) and found[-1].name == "comma":
            found.pop()
        season = [one for one in node.nodes if isinstance(one, Cond)]
        if len(hours) == 1 and _is_other_hour_of(before, hour_of(hours[0])):
            lead: list[Node] = [*season, Sep("colon", node.start, node.start)] if season else []
            found.append(replace(node, nodes=(*lead, *hours)))
            continue
        for hour in hours:
            found += [Sep("comma", node.start, node.start), hour]
            found += [Group(tuple(season), season[0].start, season[0].end)] if season else []
    return found


def _hours_of_bracket(group: Group) -> list[Node]:
    """The hours of a bracket that begins with one and says nothing else but when they are; [] of any other."""
    hours: list[Node] = [node for node in group.nodes if isinstance(node, Time)]
    conds = [node for node in group.nodes if isinstance(node, Cond)]
    rest = [
        node for node in group.nodes if not isinstance(node, (Time, Cond, Sep)) and not (isinstance(node, Word) and node.marker)
    ]
    plain = len(conds) <= 1 and all(isinstance(cond, InSeason) and not cond.excluded for cond in conds) and not rest
    return hours if plain and group.nodes and isinstance(group.nodes[0], Time) else []


def _is_other_hour_of(hour: str, other: str) -> bool:
    """Whether an hour in a bracket is that of the evening Mass before it in the other half of the year."""
    return min(hour, other) >= EVENING_BEGINS and are_seasons_apart(hour, other)


def hours_that_come_instead(nodes: Sequence[Node]) -> Sequence[Node]:
    """`w wakacje wypada o 13.00 a jest o 20.30`: what follows "a jest" holds in that season."""
    without = next((at for at, node in enumerate(nodes) if isinstance(node, Op) and node.name == "without"), len(nodes))
    season = next((node for node in reversed(nodes[:without]) if isinstance(node, InSeason)), None)
    times = [at for at in range(without, len(nodes)) if isinstance(nodes[at], Time)]
    if season is None or len(times) < 2:
        return nodes
    joint = next((at for at in range(times[0], times[-1]) if isinstance(nodes[at], Sep) and leads_is(nodes[at + 1])), 0)
    if not joint:
        return nodes
    at = nodes[joint].start
    return [*nodes[:joint], Sep("semicolon", at, at), replace(season), Op("also", at, at), *nodes[joint + 2 :]]


def hours_of_every_mass(nodes: Sequence[Node]) -> Sequence[Node]:
    """`spowiadamy w dni powszednie podczas każdej Mszy św. (6.30, 18.00)`: the bracket tells when the Masses are."""
    for at, node in enumerate(nodes):
        if not isinstance(node, Group) or not _only_hours(node):
            continue
        near = nodes[max(0, at - _NEAR) : at]
        words = [fold(one.text) for one in near if isinstance(one, Word)]
        words += [word for one in near if isinstance(one, Remark) for word in fold(str(one.value)).split()]
        during = any(word.startswith(_DURING) for word in words) and any(word.startswith("kazd") for word in words)
        if not during or not any(word.startswith("msz") for word in words):
            continue
        start = max((i + 1 for i, other in enumerate(nodes[:at]) if isinstance(other, Sep) and other.strong), default=0)
        if any(isinstance(other, Time) for other in nodes[start:at]):
            return nodes
        if {hour_of(one) for one in node.nodes} - {""} <= {hour_of(one) for one in nodes[:start]}:
            return [*nodes[:at], *nodes[at + 1 :]]  # of Masses that were named before
        lead = [other for other in nodes[start:at] if not (isinstance(other, OfKind))]
        mass = OfKind("mass", node.start, node.start)
        hours = [one for one in node.nodes if isinstance(one, (Time, Sep))]
        hours = [Sep("comma", one.start, one.end) if isinstance(one, Sep) else one for one in hours]  # "(6.45; 18.15)"
        return [*nodes[:start], *lead, mass, *hours, Sep("semicolon", node.end, node.end), *nodes[at + 1 :]]
    return nodes


def _only_hours(group: Group) -> bool:
    times = sum(isinstance(node, Time) for node in group.nodes)
    rest = [node for node in group.nodes if not isinstance(node, (Time, Sep)) and not (isinstance(node, Word) and node.marker)]
    return times > 1 and not rest


def remarks_between_hours(nodes: Sequence[Node]) -> Sequence[Node]:
    """`12.00 13.30 chrzty w III niedzielę 17.00`: the remark is that of the hour before it, and limits none."""
    if not any(isinstance(node, OnNth) for node in nodes):
        return nodes
    found: list[Node] = []
    at = 0
    while at < len(nodes):
        node = nodes[at]
        found.append(node)
        at += 1
        after = nodes[at] if at < len(nodes) else None
        if not (isinstance(node, Time) and isinstance(after, Cond) and _speaks_of_baptism(after)):
            continue
        end = next((i for i in range(at, len(nodes)) if isinstance(nodes[i], (Time, Sep))), len(nodes))
        inner = nodes[at:end]
        if any(isinstance(one, OnNth) for one in inner) and not any(isinstance(one, Group) for one in inner):
            found.append(Group(tuple(inner), inner[0].start, inner[-1].end, str(after.value)))
            at = end
    return found


def _speaks_of_baptism(cond: Cond) -> bool:
    return isinstance(cond.value, str) and fold(cond.value).startswith("chrz")


# Rules that fire on one page of all known ones (`make bench NAME=rule_ledger`) stay where wrong hours would be read without them:
# hours that change in pairs, remarks between hours, hours set right, halves denied besides.
RULES: Final[tuple[tuple[frozenset[str], Rule], ...]] = (  # what a line must have, and the rule
    *ASIDE_RULES,
    *PROSE_RULES,
    (frozenset({"group again", "time again"}), seasons_that_close_their_lists),
    (frozenset({"insteadofit"}), hour_meant_by_a_pronoun),
    (frozenset({"insteadofit in brackets"}), hour_meant_by_a_pronoun),
    (frozenset({"instead", "time again"}), hours_that_change_in_pairs),
    (frozenset({"days again", "time"}), remarks_whereby),
    (frozenset({"hour in brackets", "remark", "time"}), hours_of_what_surrounds),
    (frozenset({"remark", "time again"}), hours_of_what_comes_along),
    (frozenset({"begins with hour", "mark"}), remarks_behind_the_hour),
    (frozenset({"begins with hour", "other", "stop"}), remarks_that_close_a_line),
    (frozenset({"hour in brackets again"}), hours_of_every_mass),
    (frozenset({"same in brackets", "time"}), copies_in_brackets),
    (frozenset({"weeks", "other"}), remarks_between_hours),
    (frozenset({"merged"}), sentences_of_old_hours),
    (frozenset({"moved", "time again"}), hours_moved),
    (frozenset({"former", "time again"}), hours_that_are_now),
    (frozenset({"without", "remain", "time again"}), hours_that_remain),
    (frozenset({"regardless"}), whatever_it_is),
    (frozenset({"remark", "days", "time"}), masses_of_a_sort),
    (frozenset({"same", "except", "time"}), hours_that_sunday_has_alone),
    (frozenset({"not", "time again"}), hours_set_right),
    (frozenset({"not", "time"}), halves_set_right),
    (frozenset({"without", "season", "time"}), hour_denied_by_a_pronoun),
    (frozenset({"without", "season", "time again"}), hours_that_come_instead),
    (frozenset({"without", "time", "other"}), halves_denied_besides),
    (frozenset({"days in brackets", "hour in brackets again"}), days_that_close_a_bracket),
    (frozenset({"days in brackets", "hour in brackets"}), other_hour_of_the_rest),
    (frozenset({"days again", "time again"}), saturdays_of_the_hour_before),
    (frozenset({"days in brackets", "time"}), bracketed_days_before_hours),
    (frozenset({"days in brackets", "time again"}), bracketed_days_behind_their_hour),
    (frozenset({"hour in brackets", "place", "time"}), churches_and_their_brackets),
    (frozenset({"days in brackets", "time again"}), weeks_of_one_hour),
    (frozenset({"days again", "time"}), days_and_weeks_of_one_list),
    (frozenset({"hour in brackets"}), stops_for_colons),
    (frozenset({"hour in brackets", "time"}), brackets_behind_a_comma),
    (frozenset({"or in brackets", "time"}), alternatives_in_brackets),
    (frozenset({"days in brackets", "movable season in brackets", "time"}), hours_of_a_split_bracket),
    (frozenset({"days in brackets", "time again"}), brackets_of_a_pair),
    (frozenset({"movable season", "season"}), movable_seasons_apart),
    (frozenset({"movable season in brackets"}), movable_seasons_apart),
    (frozenset({"season again", "time again"}), seasons_behind_a_pair),
    (frozenset({"days again", "time", "place again"}), days_each_at_its_place),
    (frozenset({"days again", "time again"}), evenings_of_the_list),
    (frozenset({"days again", "time again", "place"}), place_of_all_hours),
    (frozenset({"days again", "time again"}), days_before_their_hours),
)
