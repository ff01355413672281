"""Made orders with everything that tells days apart."""

from __future__ import annotations

import random
from datetime import timedelta

from mass_pipeline.schedules.rows import ScheduleRow
from mass_pipeline_tests.finding.made import HORIZON, row

SEASONS = ["11-25/12-06", "12-12/01-17", "01-10/11-30", "05-12/09-20", "12-31/12-31"]  # inside months
DAYS = [HORIZON.first + timedelta(offset) for offset in range(HORIZON.days)]


def order(rng: random.Random) -> list[ScheduleRow]:
    """An order with seasons, Masses of some weeks of a month, lists for holy days, places, and announcements."""
    rows = [row(rng.choice([["Su"], ["Su", "PH"], ["PH"], ["AF"]]), hour(rng), place=rng.choice(["", "", "kaplica"]))]
    rows += [row(["Su"], hour(rng), season=rng.choice(["all", "all", "04-10", "11-03", "12-12"])) for _ in range(3)]
    rows += [row(["Su", "Th"], hour(rng), season="custom", season_days=days) for days in rng.sample(SEASONS, 2)]
    rows += [row(rng.sample(["Mo", "Tu", "We", "Th", "Fr", "Sa"], 3), hour(rng)) for _ in range(2)]
    rows.append(row(["Fr"], hour(rng), nth=(rng.choice([1, 2, -1]),)))
    for said in rng.sample(["added", "cancelled", "only"], rng.randrange(3)):
        day = rng.choice(DAYS)
        weekday = ("Mo", "Tu", "We", "Th", "Fr", "Sa", "Su")[day.weekday()]
        rows.append(row([weekday], rng.choice(rows).mass.time, exception=said, valid_from=day, valid_to=day))
    return list({one.mass: one for one in rows}.values())


def hour(rng: random.Random) -> str:
    return f"{rng.randrange(6, 21):02d}:{rng.choice(['00', '30'])}"
