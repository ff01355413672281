"""The operator's inbox: one tap approves, and nobody else may."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI

from mass_pipeline.annotation.store import Store
from mass_pipeline.finding.inbox import Report, append, state_of
from mass_pipeline.finding.index.facts import mass_id
from mass_pipeline.publishing.desk import PublishedDesk
from mass_pipeline.publishing.inbox import settle
from mass_pipeline.publishing.published import Published
from mass_pipeline_tests.annotation.support import Clock, Person, make_app, operator_of
from mass_pipeline_tests.cli.test_public import published_tables
from mass_pipeline_tests.finding.made import NOW, row

SUNDAY = mass_id("p1", row(["Su"], "08:00"))


@pytest.fixture
def published(tmp_path: Path) -> Published:
    published_tables(tmp_path, 2)
    return Published.of({"MASS_PIPELINE_DATA_FOLDER": str(tmp_path)})


@pytest.fixture
def app(store: Store, published: Published) -> FastAPI:
    made = make_app(store, Clock())
    made.state.site.proposals = PublishedDesk(published)
    return made


@pytest.fixture
def operator(app: FastAPI, store: Store) -> Any:
    return operator_of(app, store)


def form(page: Any) -> dict[str, str]:
    """The fields of the first form about a proposal."""
    return {name: page.text.split(f'name="{name}" value="')[1].split('"')[0] for name in ("token", "proposal")}


def report(published: Published, key: str, **values: str) -> None:
    append(published.inbox, Report(key, NOW.isoformat(), "p1", SUNDAY, "wrong_hour", values.pop("text", ""), "g", **values))


class TestProposals:
    def test_one_tap_approves_what_a_visitor_sent(self, operator: Any, published: Published) -> None:
        report(published, "r1", time="9:00", text="<script>alert(1)</script>")
        page = operator.get("/operator/proposals")

        assert "<strong>Su 09:00</strong>" in page.text
        assert "<del>Su 08:00</del>" in page.text
        assert "<script>alert" not in page.text
        assert operator.post("/operator/proposals", verdict="approve", **form(page)).status_code == 303
        (decision,) = published.log.read().decisions
        assert (decision.verdict, decision.by) == ("approved", "anna")
        settle(published)
        assert state_of(published.inbox, "r1") == "changed"
        assert "0 wait" in operator.get("/operator/proposals").text

    def test_twice_is_said_and_changes_nothing(self, operator: Any, published: Published) -> None:
        report(published, "r1", time="9:00")
        fields = form(operator.get("/operator/proposals"))
        codes = [operator.post("/operator/proposals", verdict=one, **fields).status_code for one in ("reject", "approve")]

        assert codes == [303, 409]
        assert [one.verdict for one in published.log.read().decisions] == ["rejected"]

    def test_nobody_else_sees_or_decides(self, app: FastAPI, operator: Any, published: Published) -> None:
        report(published, "r1", time="9:00")
        fields = form(operator.get("/operator/proposals"))
        stranger = Person(app)

        assert stranger.get("/operator/proposals").status_code == 401
        assert stranger.post("/operator/proposals", verdict="approve", **fields).status_code == 401
        assert operator.post("/operator/proposals", verdict="approve", **{**fields, "token": "forged"}).status_code == 403
        assert not published.log.read().decisions

    def test_an_app_without_schedules_has_no_such_page(self, store: Store) -> None:
        person = operator_of(make_app(store, Clock()), store)

        assert person.get("/operator/proposals").status_code == 404
        assert "/operator/proposals" not in person.get("/operator").text
