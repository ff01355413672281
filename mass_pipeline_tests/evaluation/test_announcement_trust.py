"""How probably a dated change is right is told truly: on the half of the written sheets that fitted no weight."""

from __future__ import annotations

import numpy as np
import pytest

from mass_pipeline.schedules.trust import WEIGHTS, trust_in
from mass_pipeline_tests.evaluation.announcement_trust import BINS, told_of_sheets
from mass_pipeline_tests.evaluation.reliability import binned_error


@pytest.mark.row("V12")
class TestTrust:
    def test_is_as_high_as_the_share_that_is_right(self) -> None:
        """docs/confidence.md; `python -m mass_pipeline_tests.evaluation.announcement_trust` tells all sets."""
        others = [one for one in told_of_sheets() if not one.is_fitted]
        p = np.array([trust_in(one.change, one.standing, WEIGHTS) for one in others])
        right = np.array([one.right for one in others])
        published = np.array([not one.change.doubts for one in others])

        assert len(others) > 50
        assert binned_error(p, right, BINS) <= 0.1
        assert right[published].mean() >= 0.98
        assert p[right < 0.5].mean() < p[right == 1].mean() - 0.1
