"""A watch killed every few seconds while hosts fail: nothing lost, nothing repeated, every error with its page."""

from __future__ import annotations

import os

import pytest

from mass_pipeline_tests.benchmarks.watch_endurance import Endurance, broken


class TestEndurance:
    @pytest.mark.slow
    def test_some_seconds_with_kills_between(self) -> None:
        """The promises of the long one, in short."""
        figures = Endurance(14, 4, 12, 0.5, seed=5).run()

        assert broken(figures) == [], figures
        assert figures["kills"] >= 2
        assert figures["published"] >= 20
        assert figures["errors"] >= 1

    @pytest.mark.soak
    def test_two_hours_with_a_kill_every_minute(self) -> None:
        """Another length is set by the environment variable SOAK_MINUTES."""
        minutes = float(os.environ.get("SOAK_MINUTES", "120"))

        assert broken(Endurance(minutes * 60, 60, 40, 6, seed=6).run()) == []
