"""A watch killed after every few requests while hosts fail: nothing lost, nothing repeated, every error with its page."""

from __future__ import annotations

import os

import pytest

from mass_pipeline_tests.crawling.watching.endurance import Endurance, broken


class TestEndurance:
    @pytest.mark.row("J3", "J4", "J6")
    def test_some_days_with_kills_between(self) -> None:
        """The promises of the long one, in short."""
        figures = Endurance(14, 50, 8, seed=5).run()

        assert broken(figures) == [], figures
        assert figures["kills"] >= 2
        assert figures["published"] >= 8
        assert figures["errors"] >= 1

    @pytest.mark.soak
    def test_a_year_and_a_half_with_a_kill_every_thousand_requests(self) -> None:
        """Another length is set by the environment variable SOAK_DAYS."""
        assert broken(Endurance(int(os.environ.get("SOAK_DAYS", "580")), 1000, 40, seed=6).run()) == []
