"""The log of proposals and decisions: kept, appended, never torn."""

from __future__ import annotations

from pathlib import Path

import pytest

from mass_pipeline.model.errors import StorageError
from mass_pipeline.publishing.reviews import REVIEWS, ReviewLog
from mass_pipeline.schedules.reviews import Decision, Proposal
from mass_pipeline_tests.schedules.support import order


def proposal(parish_id: str = "p1") -> Proposal:
    return Proposal(parish_id, "published", "", None, tuple(order()), "http://a.example/", "Niedziele: 8.00", "d1")


class TestReviewLog:
    def test_what_is_written_is_read_back(self, tmp_path: Path) -> None:
        log = ReviewLog(tmp_path)
        decision = Decision(proposal(), "approved", "Jan", "2026-11-15T12:00:00+00:00", tuple(order()), tuple(order()))
        log.propose([proposal()])
        log.decide(decision)

        assert log.read().proposals == (proposal(),)
        assert log.read().decisions == (decision,)

    def test_a_proposal_is_written_once(self, tmp_path: Path) -> None:
        log = ReviewLog(tmp_path)

        assert [log.propose([proposal(), proposal("p2")]), log.propose([proposal()])] == [2, 0]
        assert len(log.read().proposals) == 2

    def test_nothing_proposed_makes_no_file(self, tmp_path: Path) -> None:
        assert ReviewLog(tmp_path).propose([]) == 0
        assert not list(tmp_path.iterdir())

    def test_a_line_cut_off_by_a_crash_is_no_entry_and_does_not_spoil_the_next(self, tmp_path: Path) -> None:
        log = ReviewLog(tmp_path)
        log.propose([proposal()])
        whole = (tmp_path / REVIEWS).read_bytes()
        (tmp_path / REVIEWS).write_bytes(whole + whole[:100])
        assert len(log.read().proposals) == 1

        log.propose([proposal("p2")])

        assert [one.parish_id for one in log.read().proposals] == ["p1", "p2"]

    def test_a_damaged_entry_is_named(self, tmp_path: Path) -> None:
        log = ReviewLog(tmp_path)
        log.propose([proposal()])
        (tmp_path / REVIEWS).write_bytes(b"nonsense\n" + (tmp_path / REVIEWS).read_bytes())

        with pytest.raises(StorageError, match="line 1"):
            log.read()
