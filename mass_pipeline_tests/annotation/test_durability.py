"""A real server process under votes, killed without warning: no acknowledged vote is lost or doubled."""

from __future__ import annotations

from pathlib import Path

import pytest

from mass_pipeline_tests.benchmarks.annotation_load import run

_NOTHING_WRONG = {"lost": 0, "changed": 0, "doubled": 0, "never_sent": 0, "wrong_item_counts": 0}


@pytest.mark.soak
class TestKilledServer:
    @pytest.mark.parametrize("victim", ["all", "worker"])
    def test_no_acknowledged_vote_is_lost_or_doubled(self, database: str, victim: str) -> None:
        """The short form: kills twice, a worker or the whole app."""
        figures = run(database, rate=15, seconds=8, kills=2, n_voters=40, n_items=300, victim=victim)

        assert _NOTHING_WRONG.items() <= figures.items(), figures
        assert int(str(figures["acknowledged"])) > 30
        assert not [status for status in figures["statuses"] if status.endswith(" 500")]  # type: ignore[attr-defined]


@pytest.mark.soak
@pytest.mark.service
class TestLoad:
    def test_100_votes_a_second_for_five_minutes(self, postgres_url: str) -> None:
        """Issue 6: p99 at most 200 ms."""
        figures = run(postgres_url, rate=100, seconds=300, kills=0, n_voters=600, n_items=20_000)
        print(figures)

        assert _NOTHING_WRONG.items() <= figures.items(), figures
        assert figures["vote_ms"]["p99"] <= 200  # type: ignore[index]

    def test_100_votes_a_second_while_50_workers_are_killed(self, postgres_url: str) -> None:
        """Issue 6: p99 at most 200 ms, no acknowledged vote lost or doubled; the others serve while one is replaced."""
        figures = run(postgres_url, rate=100, seconds=300, kills=50, n_voters=600, n_items=20_000)
        print(figures)

        assert _NOTHING_WRONG.items() <= figures.items(), figures
        assert figures["vote_ms"]["p99"] <= 200  # type: ignore[index]

    def test_50_kills_of_the_whole_app_in_five_minutes(self, tmp_path: Path) -> None:
        """On SQLite here; the PostgreSQL form is run with --database by hand and in `benchmarks`."""
        figures = run(f"sqlite:///{tmp_path / 'a.db'}", rate=30, seconds=300, kills=50, n_voters=200, n_items=6_000, victim="all")
        print(figures)

        assert _NOTHING_WRONG.items() <= figures.items(), figures
