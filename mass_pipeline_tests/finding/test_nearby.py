"""The nearest Masses within a window of time: both plans against looking at every single one."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from mass_pipeline.finding import nearby
from mass_pipeline.finding.expansion import Flag, Occurrence, minute_of, occurrences
from mass_pipeline.finding.gazetteer import Point, distance_m
from mass_pipeline.finding.index.facts import ParishFacts
from mass_pipeline.finding.index.library import connect
from mass_pipeline.finding.nearby import Filters, near
from mass_pipeline_tests.finding.made import HORIZON, WEEK, index_of, parish, row

Expanded = list[tuple[ParishFacts, list[Occurrence]]]


def country(count: int, rng: random.Random) -> list[ParishFacts]:
    """Parishes all over Poland, some known only by their town, some stale."""
    made = []
    for number in range(count):
        rows = [row(["Su"], f"{rng.randrange(6, 20):02d}:{rng.choice(['00', '15', '30'])}") for _ in range(3)]
        rows.append(row(WEEK, f"{rng.randrange(16, 19):02d}:30", note=rng.choice(["", "", "po angielsku"])))
        made.append(
            parish(
                number,
                rows,
                latitude=rng.uniform(49.2, 54.7),
                longitude=rng.uniform(14.3, 23.9),
                precision_m=rng.choice([100, 100, 2000, 5000]),
                state=rng.choice(["fresh", "fresh", "fresh", "stale"]),
                wheelchair=rng.choice([None, "yes", "no"]),
            )
        )
    return made


@pytest.fixture(scope="module")
def everything() -> Expanded:
    """A country and every Mass in it, expanded once."""
    return [(one, list(occurrences(one.rows, HORIZON.first, HORIZON.days))) for one in country(120, random.Random(7))]


def by_brute_force(everything: Expanded, point: Point, first: int, last: int, filters: Filters) -> list[tuple[float, str, int]]:
    found = []
    for one, masses in everything:
        assert one.latitude is not None
        assert one.longitude is not None
        if one.state == "stale" or (filters.wheelchair and one.wheelchair != "yes"):
            continue
        away = distance_m(point, Point(one.latitude, one.longitude))
        for held in masses:
            speaks = filters.language is None or one.rows[held.row].mass.note
            if first <= held.minute <= last and speaks and not held.flags & Flag.CANCELLED:
                found.append((away + (one.precision_m or 0) / 2, one.parish_id, held.minute))
    return sorted(found)


class TestNear:
    @pytest.mark.parametrize("scan_below", [0, 10**9], ids=["tree of positions", "scan of hours"])
    @pytest.mark.parametrize(
        "filters", [Filters(), Filters(language="en"), Filters(wheelchair=True)], ids=["all", "language", "wheelchair"]
    )
    def test_answers_are_those_of_looking_at_every_mass(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, scan_below: int, filters: Filters, everything: Expanded
    ) -> None:
        rng = random.Random(8)
        connection = connect(index_of(tmp_path / "index", [one for one, _ in everything]))
        monkeypatch.setattr(nearby, "SCAN_BELOW", scan_below)
        monkeypatch.setattr(nearby, "_FEW", scan_below + 1)  # through circles, and through the index of languages
        monkeypatch.setattr(nearby, "_READ_AT_ONCE", 2)
        ids = dict(connection.execute("SELECT pk, parish_id FROM parish").fetchall())

        for _ in range(15):
            point = Point(rng.uniform(49.5, 54.5), rng.uniform(15, 23.5))
            first = rng.randrange(0, 20) * 1440 + rng.randrange(5, 18) * 60
            last = first + rng.choice([60, 180, 1440])
            hits = near(connection, point, first, last, limit=8, filters=filters)
            every_hit = by_brute_force(everything, point, first, last, filters)
            expected, away = every_hit[:8], {parish_id: far for far, parish_id, _ in every_hit}

            # Ordered by the middle latitude, right to one in a thousand across all of Poland; hours as a set.
            assert [away[ids[hit.parish]] for hit in hits] == pytest.approx([each[0] for each in expected], rel=0.001)
            assert {(ids[hit.parish], hit.minute) for hit in hits} <= {(parish_id, minute) for _, parish_id, minute in every_hit}
        connection.close()

    @pytest.mark.parametrize("scan_below", [0, 10**9], ids=["tree of positions", "scan of hours"])
    def test_distances_are_those_of_the_great_circle(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, scan_below: int, everything: Expanded
    ) -> None:
        """A plane at the asker's latitude was two in a hundred wrong at 300 km to the north."""
        monkeypatch.setattr(nearby, "SCAN_BELOW", scan_below)
        connection = connect(index_of(tmp_path / "index", [one for one, _ in everything]))
        places = {one[0]: Point(*one[1:]) for one in connection.execute("SELECT pk, latitude, longitude FROM parish")}
        for asker in (Point(49.3, 19.9), Point(54.4, 18.6), Point(52.2, 14.6), Point(52.1, 23.6)):
            for hit in near(connection, asker, 0, 3 * 1440, limit=5_000):
                assert hit.distance_m == pytest.approx(distance_m(asker, places[hit.parish]), rel=0.001, abs=2)
        connection.close()

    def test_nothing_lies_beyond_the_radius(self, tmp_path: Path) -> None:
        connection = connect(index_of(tmp_path / "index", [parish(1), parish(90)]))
        sunday = 1440 + minute_of("08:00")

        hits = near(connection, Point(50.0, 20.0), sunday, sunday, limit=10, radius_m=5_000)

        assert [round(hit.distance_m / 100) for hit in hits] == [11]
        connection.close()

    def test_a_church_known_by_its_town_never_stands_before_an_exact_one_within_that_uncertainty(self, tmp_path: Path) -> None:
        about = parish(1, latitude=50.001, precision_m=5_000)
        exact = parish(2, latitude=50.015, precision_m=100)
        connection = connect(index_of(tmp_path / "index", [about, exact]))
        sunday = 1440 + minute_of("08:00")

        hits = near(connection, Point(50.0, 20.0), sunday, sunday, limit=10)

        assert [hit.parish for hit in hits] == [2, 1]
        connection.close()
