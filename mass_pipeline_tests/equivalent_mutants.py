"""Mutants that behave as the code does, whatever test is written: told apart from those that the tests miss."""

from __future__ import annotations

from typing import Final

# (line, what it becomes) -> why nobody can notice it. Both without indentation.
EQUIVALENT: Final[dict[tuple[str, str], str]] = {
    ("self._current = -1", "self._current = -2"): "nothing is left of a step before the first choice, so the site is chosen anew",
    ("self._current = -1", "self._current = -0"): "nothing is left of a step before the first choice, so the site is chosen anew",
    ("self._current = -1", "self._current = not 1"): "nothing is left of a step then, so the site is chosen anew",
    ("evening = {change.part == \"evening\"} if change.part else {time >= AFTERNOON for time in change.new_times}",
     "evening = {change.part <= \"evening\"} if change.part else {time >= AFTERNOON for time in change.new_times}"): (
        "the other part is the morning"
    ),
    ("if self._left == 0 or not sites[self._current].is_open:", "if self._left <= 0 or not sites[self._current].is_open:"): (
        "what is left of a step is never below zero"
    ),
    ("largest = max(site.largest for site in sites) or 1.0", "largest = max(site.largest for site in sites) or 2.0"): (
        "without any link every mean is zero"
    ),
    ("if wished is None or math.isnan(wished) or wished <= 0:", "if wished is None or math.isnan(wished) or wished < 0:"): (
        "a wish of no delay is no delay either way"
    ),
    ("ROUNDS: Final = 25  # changes fall below 1e-3 after about ten in the campaign simulation",
     "ROUNDS: Final = 26  # changes fall below 1e-3 after about ten in the campaign simulation"): "the estimate has come to rest",
    ("ROUNDS: Final = 25  # changes fall below 1e-3 after about ten in the campaign simulation",
     "ROUNDS: Final = 24  # changes fall below 1e-3 after about ten in the campaign simulation"): "the estimate has come to rest",
    ("shortest = min((_days_between(row) for row in only), default=0)",
     "shortest = min((_days_between(row) for row in only), default=1)"): "of no list at all there is no shortest",
    ("shortest = min((_days_between(row) for row in only), default=0)",
     "shortest = min((_days_between(row) for row in only), default=-1)"): "of no list at all there is no shortest",
    ("day, most = max(counts.items(), key=lambda one: one[1], default=(\"\", 0))",
     "day, most = max(counts.items(), key=lambda one: one[1], default=(\"\", 1))"): "neither is more than a day can hold",
    ("day, most = max(counts.items(), key=lambda one: one[1], default=(\"\", 0))",
     "day, most = max(counts.items(), key=lambda one: one[1], default=(\"\", -1))"): "neither is more than a day can hold",
}  # fmt: skip
