"""Reports of visitors and answers of parishes: nothing changes by itself."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from mass_pipeline.finding.corrections import Given
from mass_pipeline.finding.inbox import Report, append, drop_reports, read_reports, report_of, state_of, write_states
from mass_pipeline.finding.index.facts import mass_id
from mass_pipeline.finding.parish_links import LIFE, answer, link_of, make_link, read_answers
from mass_pipeline.finding.reports import State, doubted_pages, outcome, proposal_of
from mass_pipeline.finding.reports import state_of as state_by
from mass_pipeline.schedules.reviews import Verdict
from mass_pipeline_tests.finding.made import NOW, row

SUNDAY = row(["Su"], "08:00")
GIVEN = Given(SUNDAY.source_url, SUNDAY.page_sha256, "zgłoszenie", NOW)
REPORT = Report("r1", NOW.isoformat(), "p1", mass_id("p1", SUNDAY), "wrong_hour", "teraz o 9", "gen")


class TestInbox:
    def test_what_was_appended_is_read_and_a_broken_line_is_passed_over(self, tmp_path: Path) -> None:
        append(tmp_path, REPORT)
        with (tmp_path / "reports.jsonl").open("ab") as file:
            file.write(b'{"report_id": "half')

        assert list(read_reports(tmp_path)) == [REPORT]
        assert (state_of(tmp_path, "r1"), state_of(tmp_path, "nobody")) == ("received", None)
        write_states(tmp_path, {"r1": "changed"})
        assert state_of(tmp_path, "r1") == "changed"

    def test_a_dropped_report_leaves_no_word_behind(self, tmp_path: Path) -> None:
        append(tmp_path, REPORT)
        append(tmp_path, replace(REPORT, report_id="r2", text="inne słowa"))
        write_states(tmp_path, {"r1": "changed", "r2": "received"})
        drop_reports(tmp_path, {"r1"})

        assert [one.report_id for one in read_reports(tmp_path)] == ["r2"]
        assert (report_of(tmp_path, "r1"), state_of(tmp_path, "r1")) == (None, None)
        assert all("teraz" not in path.read_text() for path in tmp_path.iterdir())

    @pytest.mark.parametrize("key", ["", "../r1", 'r1"', "r1\x00", "r" * 65, "\udcff"])
    def test_a_strange_identifier_is_no_report(self, tmp_path: Path, key: str) -> None:
        append(tmp_path, REPORT)

        assert report_of(tmp_path, key) is None


class TestDoubtedPages:
    def test_a_report_that_waits_asks_for_the_page_of_its_row(self) -> None:
        other = row(["Mo"], "18:00", source_url="https://p.example/inne")
        rows = {"p1": [SUNDAY, other]}

        assert doubted_pages([REPORT], {}, rows) == {SUNDAY.source_url: NOW}
        assert doubted_pages([REPORT], {"r1": "same"}, rows) == {}
        assert doubted_pages([replace(REPORT, mass_id="")], {}, rows) == {SUNDAY.source_url: NOW, other.source_url: NOW}


class TestOutcome:
    def test_it_waits_until_the_page_was_read_again(self) -> None:
        assert outcome(REPORT, [SUNDAY]) == "received"
        assert outcome(REPORT, [replace(SUNDAY, checked_at=NOW + timedelta(hours=1))]) == "same"

    def test_a_row_published_no_more_settles_it(self) -> None:
        assert outcome(REPORT, [row(["Su"], "09:00")]) == "changed"

    def test_what_the_page_still_says_becomes_a_proposal_without_an_order(self) -> None:
        proposal = proposal_of(REPORT, [SUNDAY], GIVEN)

        assert (proposal.origin, proposal.rows, proposal.quote) == ("report", (), SUNDAY.quote)
        assert proposal.proposal_id != proposal_of(replace(REPORT, report_id="r2"), [SUNDAY], GIVEN).proposal_id

    def test_the_right_hour_makes_an_order_that_can_be_approved_and_no_word_of_the_sender(self) -> None:
        proposal = proposal_of(replace(REPORT, time="09:00"), [SUNDAY], GIVEN)

        assert (proposal.origin, [one.mass.time for one in proposal.rows]) == ("report", ["09:00"])
        assert "teraz" not in str(proposal)
        assert proposal_of(replace(REPORT, time="09:00", day="2026-12-24"), [SUNDAY], GIVEN).origin == "exception"

    @pytest.mark.parametrize(
        ("outcome", "verdict", "is_proposed", "expected"),
        [
            ("received", None, False, "received"),
            ("received", None, True, "waits"),
            ("same", None, True, "same"),
            ("same", "rejected", True, "declined"),
            ("same", "approved", True, "changed"),
            ("changed", "rejected", True, "changed"),
        ],
    )
    def test_its_page_says_what_became_of_it(
        self, outcome: State, verdict: Verdict | None, is_proposed: bool, expected: State
    ) -> None:
        assert state_by(outcome, verdict, is_proposed) == expected


class TestParishLinks:
    def test_a_link_is_good_for_one_answer(self, tmp_path: Path) -> None:
        token = make_link(tmp_path, "p1", "order", NOW)

        assert link_of(tmp_path, token, NOW) is not None
        assert answer(tmp_path, token, "in_force", "", NOW)
        assert not answer(tmp_path, token, "leave_out", "", NOW)
        assert [one.says for one in read_answers(tmp_path)] == ["in_force"]

    def test_a_forged_or_ended_link_is_none(self, tmp_path: Path) -> None:
        token = make_link(tmp_path, "p1", "order", NOW)

        assert link_of(tmp_path, token[:-1] + ("A" if token[-1] != "A" else "B"), NOW) is None
        assert link_of(tmp_path, token, NOW + LIFE) is None
        assert link_of(tmp_path, "\udcff", NOW) is None

    def test_no_token_stands_on_disk(self, tmp_path: Path) -> None:
        token = make_link(tmp_path, "p1", "order", NOW)

        assert token.encode() not in (tmp_path / "links.json").read_bytes()
