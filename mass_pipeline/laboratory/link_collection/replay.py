"""Bring a policy to where an interrupted run left it: every turn of the log is played again, no page is asked again.

The policy is asked before every turn as it was then, so that its own state (the step of R2, the draws of Thompson sampling) is
what it would be without the interruption.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from mass_pipeline.laboratory.bandits.statistics import Policy, SiteStatistics
from mass_pipeline.laboratory.link_collection.records import TurnLogged


def replay(policy: Policy, numbers: Sequence[int], log: Sequence[TurnLogged], closed: Collection[int]) -> list[SiteStatistics]:
    """Statistics of every site after the log.

    Args:
        policy: fresh; it stands after the last turn afterwards.
        numbers: sites of the target set in order.
        log: turns in order; those of sites that are no longer in the set are passed over.
        closed: sites that have no page left.

    Returns:
        One per site, in the order of `numbers`.
    """
    place = {number: index for index, number in enumerate(numbers)}
    left = [0] * len(numbers)
    turns = [turn for turn in log if turn.number in place]
    for turn in turns:
        left[place[turn.number]] += 1
    sites = [SiteStatistics(i, is_open=left[i] > 0 or number not in closed) for i, number in enumerate(numbers)]
    for turn in turns:
        policy.choose(sites)
        index = place[turn.number]
        if turn.asked:
            sites[index].record(turn.new_links, turn.seconds)
        left[index] -= 1
        sites[index].is_open = left[index] > 0 or turn.number not in closed
    return sites
