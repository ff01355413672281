"""What `mass-pipeline demo` prints: schedules found next to the ground truth, and how well they agree. Pure functions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from mass_pipeline.model.records import WEEKDAYS, Mass

Slot = tuple[str, str]  # (day, time)
_TAUGHT_BY = (
    (("crowd", "mass"), "Masses that people labelled"),
    (("crowd", "not_mass"), "other hours that they labelled"),
    (("crowd", "cancelled"), "cancelled ones"),
    (("rows", "mass"), "of rows that they settled"),
    (("rules", "mass"), "hours that the rules read"),
    (("sampled_negative", "not_mass"), "sampled negatives"),
)


@dataclass(frozen=True, slots=True)
class WeekScore:
    """Agreement of (day, time) slots from Monday to Sunday; season, ordinals and place are not looked at.

    Attributes:
        found: slots that are right.
        wrong: slots that the truth has not.
        missed: slots of the truth that were not found.
    """

    found: int = 0
    wrong: int = 0
    missed: int = 0

    @property
    def precision(self) -> float:
        """Share of the printed slots that are right; 0 without any."""
        return self.found / (self.found + self.wrong) if self.found + self.wrong else 0.0

    @property
    def recall(self) -> float:
        """Share of the true slots that were found; 0 without any."""
        return self.found / (self.found + self.missed) if self.found + self.missed else 0.0

    @property
    def f1(self) -> float:
        """Harmonic mean of both.

        >>> WeekScore(found=9, wrong=1, missed=1).f1
        0.9
        """
        return 2 * self.found / total if (total := 2 * self.found + self.wrong + self.missed) else 0.0


def week_slots(masses: Iterable[Mass]) -> set[Slot]:
    """(day, time) of every Mass, Monday to Sunday."""
    return {(day, mass.time) for mass in masses for day in mass.days if day in WEEKDAYS}


def week_score(pairs: Iterable[tuple[Iterable[Mass], Iterable[Mass]]]) -> WeekScore:
    """Score over (truth, found) of all parishes together."""
    found = wrong = missed = 0
    for truth, read in pairs:
        want, have = week_slots(truth), week_slots(read)
        found, wrong, missed = found + len(want & have), wrong + len(have - want), missed + len(want - have)
    return WeekScore(found, wrong, missed)


def parish_lines(name: str, truth: Iterable[Mass], read: Iterable[Mass]) -> Iterator[str]:
    """A parish with its schedule; where it differs from the truth, the difference is marked."""
    want, have = week_slots(truth), week_slots(read)
    mark = "=" if want == have else "≠"
    yield f"{mark} {name}"
    yield f"    found  {in_words(have)}"
    if want != have:
        yield f"    truth  {in_words(want)}"


def learning_lines(
    labels: Mapping[tuple[str, str], int], rows: Iterable[tuple[str, str, Iterable[Slot]]], truth: Mapping[str, set[Slot]]
) -> Iterator[str]:
    """What the classifier was taught by, and what it added to the schedules.

    Args:
        labels: (source, label) -> hours of the annotated set.
        rows: (parish_id, method, slots) of each published row.
        truth: parish_id -> slots of its standing order.
    """
    said = ", ".join(f"{labels[one]} {what}" for one, what in _TAUGHT_BY if one in labels)
    yield f"The classifier was taught by {said}."
    rows = list(rows)
    added = [(parish, set(slots)) for parish, method, slots in rows if method == "classifier"]
    wrong = sum(not slots <= truth.get(parish, set()) for parish, slots in added)
    both = sum(method == "both" for _, method, _ in rows)
    yield f"Of {len(rows)} published rows it agrees with the rules on {both} and added {len(added)}, {wrong} of these wrong."


def in_words(slots: Iterable[Slot]) -> str:
    """Days with equal hours together, in the order of the week, Sunday first.

    >>> in_words([("Mo", "18:00"), ("Tu", "18:00"), ("Su", "08:00"), ("Su", "10:30")])
    'Su 08:00 10:30; Mo Tu 18:00'
    """
    hours: dict[str, tuple[str, ...]] = {}
    order: tuple[str, ...] = ("Su", *WEEKDAYS[:-1])
    for day in order:
        own = tuple(sorted(time for slot_day, time in slots if slot_day == day))
        if own:
            hours[day] = own
    groups: dict[tuple[str, ...], list[str]] = {}
    for day, own in hours.items():
        groups.setdefault(own, []).append(day)
    return "; ".join(f"{' '.join(days)} {' '.join(own)}" for own, days in groups.items()) or "(no schedule)"


def masses_by_parish(rows: Iterable[Mapping[str, object]]) -> dict[str, list[Mass]]:
    """parish_id -> Masses of the standing order, of rows of mass_schedules."""
    found: dict[str, list[Mass]] = {}
    for row in rows:
        if row["exception"] is not None:
            continue
        mass = Mass.from_dict({name: row[name] for name in ("days", "time", "season", "nth", "place", "note", "season_days")})
        found.setdefault(str(row["parish_id"]), []).append(mass)
    return found
