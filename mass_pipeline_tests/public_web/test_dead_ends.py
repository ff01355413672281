"""No question ends in a dead end: every page has an answer, or an honest sentence and a way on that is not empty itself."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from mass_pipeline.finding.index.facts import ParishFacts
from mass_pipeline_tests.finding.made import parish, row
from mass_pipeline_tests.finding.orders import order
from mass_pipeline_tests.public_web.country import BUILT_AT, build_country
from mass_pipeline_tests.public_web.dead_ends import judged, judged_by_processes
from mass_pipeline_tests.public_web.support import published, site_over
from mass_pipeline_tests.shared import shared_folder

TOWNS = (
    *(("Kraków", 12), ("Kraków-Tyniec", 1), ("Kraków Prokocim", 1), ("Warszawa", 15), ("Gdańsk", 8), ("Opole", 5), ("Tarnów", 4)),
    *(("Kielce", 3), ("Nowa Wieś", 1), ("Zakopane", 2), ("Lublin", 6), ("Gniezno", 1), ("Pcim", 1), ("Hel", 1), ("Łódź", 7)),
)
PATRONS = ("św. Anny", "Wniebowzięcia NMP", "Matki Bożej Częstochowskiej", "św. Floriana", "św. Jana", "Bożego Ciała")


def country(seed: int) -> Iterator[ParishFacts]:
    """A small country: orders of every kind, some parishes unknown, some without a position."""
    rng = random.Random(seed)
    for number, town in enumerate(name for name, count in TOWNS for _ in range(count)):
        rows = [*order(rng), *([row(["Su"], "11:15", note="po angielsku")] if number % 17 == 0 else [])]
        state = rng.choice(("fresh", "fresh", "fresh", "aging", "stale", "image_only"))
        point = {} if number % 9 else {"latitude": None, "longitude": None, "precision_m": None}
        one = parish(number, rows, town=town, name=rng.choice(PATRONS), state=state, **point)
        yield one if state != "image_only" else replace(one, rows=(), service_times="")


class TestDeadEnds:
    @pytest.mark.parametrize(("seed", "made_ones"), [(1, 80), pytest.param(2, 200, marks=pytest.mark.soak)])
    def test_a_small_country_has_none(self, tmp_path: Path, seed: int, made_ones: int) -> None:
        published(tmp_path, list(country(seed)))

        found, kinds = judged(site_over(tmp_path), made_ones)

        assert found == []
        assert kinds["masses"] > 50

    @pytest.mark.soak
    @pytest.mark.shared
    def test_the_whole_country_has_none(self, tmp_path: Path) -> None:
        build_country(shared_folder("directory", "parishes-2018.tsv"), tmp_path)
        found, kinds = judged_by_processes(tmp_path, BUILT_AT, 5_000)
        print(f"{sum(kinds.values()):,} questions, {len(found)} dead ends; {dict(kinds)}")

        assert found == []
