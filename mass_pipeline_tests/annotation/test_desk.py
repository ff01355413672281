"""The operator's pages."""

from __future__ import annotations

from typing import Any

import pytest

from mass_pipeline.annotation.operators import add_operator
from mass_pipeline.annotation.store import Store
from mass_pipeline.annotation.web.texts import texts
from mass_pipeline.annotation.web.tokens import OPERATOR_COOKIE
from mass_pipeline.model.errors import UsageError
from mass_pipeline_tests.annotation.support import (
    PASSWORD,
    START,
    Clock,
    Person,
    answer,
    item,
    make_app,
    operator_of,
    row_item,
    row_of,
)


@pytest.fixture
def operator(store: Store, clock: Clock) -> Any:
    store.add_items([item(n) for n in range(3)], now=START)
    return operator_of(make_app(store, clock), store)


class TestLogIn:
    def test_every_page_of_the_desk_needs_a_session(self, store: Store, clock: Clock) -> None:
        store.add_items([item(1)], now=START)
        person = Person(make_app(store, clock))
        forms = {
            "/operator/decide": {"item": "c0001", "label": "mass"},
            "/operator/standing": {"voter": "a", "standing": "banned"},
            "/operator/refresh": {},
            "/operator/invite": {},
        }

        assert {401} == {person.get(path).status_code for path in ("/operator", "/operator/item/c0001")}
        assert {401} == {person.post(path, token="x", **fields).status_code for path, fields in forms.items()}

    @pytest.mark.parametrize(("name", "password"), [("anna", "wrong password"), ("nobody", PASSWORD), ("", "")])
    def test_wrong_name_or_password_gets_no_session(self, operator: Any, name: str, password: str) -> None:
        response = Person(operator.app).post("/operator/login", name=name, password=password)

        assert response.status_code in (403, 422)
        assert OPERATOR_COOKIE not in response.headers.get("set-cookie", "")

    def test_a_session_ends_by_logging_out_by_time_and_by_a_new_password(self, operator: Any, store: Store, clock: Clock) -> None:
        cookie = operator.client.cookies[OPERATOR_COOKIE]
        stolen = Person(operator.app)
        stolen.client.cookies.set(OPERATOR_COOKIE, cookie)

        assert stolen.get("/operator").status_code == 200
        operator.post("/operator/logout")
        assert stolen.get("/operator").status_code == 401
        operator.post("/operator/login", name="anna", password=PASSWORD)
        clock.turn(hours=8)
        assert operator.get("/operator").status_code == 401
        operator.post("/operator/login", name="anna", password=PASSWORD)
        add_operator(store, "anna", PASSWORD + "2", now=clock.now)
        assert operator.get("/operator").status_code == 401

    def test_a_short_password_is_refused(self, store: Store) -> None:
        with pytest.raises(UsageError, match="12"):
            add_operator(store, "anna", "short", now=START)


def test_the_desk_is_in_one_language_whatever_its_browser_prefers(operator: Any) -> None:
    operator.client.headers["accept-language"] = "pl"
    desk, task = operator.get("/operator").text, operator.get("/instructions").text

    assert '<html lang="en">' in desk
    assert 'action="/language"' not in desk
    assert texts("en")["privacy"] in desk
    assert texts("pl")["title"] not in desk
    assert '<html lang="pl">' in task


class TestAdjudication:
    def test_a_disputed_item_is_listed_shown_with_its_votes_and_decided(self, operator: Any, store: Store) -> None:
        for voter in "abc":
            answer(store, voter, "c0001", "unknown")

        assert "/operator/item/c0001" in operator.get("/operator").text
        page = operator.get("/operator/item/c0001").text
        assert page.count(">unknown</td>") == 3
        form = operator.form("/operator/decide", "/operator/item/c0001")
        assert operator.post("/operator/decide", label="not_mass", note="kancelaria", **form).status_code == 303
        assert list(store.labels()[["candidate_id", "label", "status"]].itertuples(index=False, name=None)) == [
            ("c0001", "not_mass", "decided")
        ]

    def test_rows_are_decided_in_their_own_words(self, operator: Any, store: Store) -> None:
        row = row_item(1)
        store.add_items([row], now=START)
        form = operator.form("/operator/decide", f"/operator/item/{row.candidate_id}")

        assert operator.post("/operator/decide", label="not_mass", **form).status_code == 404
        assert operator.post("/operator/decide", label="other", **form).status_code == 303
        assert list(store.settled()["verdict"]) == ["other"]

    def test_a_decided_item_can_become_a_test_question(self, operator: Any, store: Store) -> None:
        form = operator.form("/operator/decide", "/operator/item/c0002")
        operator.post("/operator/decide", label="cancelled", as_gold="yes", **form)

        assert (row_of(store, "c0002").state, row_of(store, "c0002").gold) == ("gold", "cancelled")

    def test_a_form_of_a_voter_is_no_form_of_the_operator(self, operator: Any, store: Store) -> None:
        operator.begin()
        token = operator.form("/undo")["token"]

        assert operator.post("/operator/decide", item="c0001", label="mass", token=token).status_code == 403
        assert (
            operator.post(
                "/operator/decide", item="c9", label="mass", **operator.form("/operator/refresh", "/operator")
            ).status_code
            == 404
        )


class TestVoters:
    @pytest.mark.row("P14")
    def test_a_voter_can_be_banned_and_the_items_are_recounted(self, operator: Any, store: Store) -> None:
        for voter in "abc":
            answer(store, voter, "c0001", "yes")
        token = operator.form("/operator/refresh", "/operator")["token"]

        assert operator.post("/operator/standing", voter="b", standing="banned", token=token).status_code == 303
        assert (row_of(store, "c0001").state, row_of(store, "c0001").n_votes) == ("open", 2)
        assert operator.post("/operator/standing", voter="zz", standing="banned", token=token).status_code == 404
        assert operator.post("/operator/standing", voter="b", standing="king", token=token).status_code == 422

    def test_an_invitation_link_works(self, operator: Any) -> None:
        import re

        page = operator.post("/operator/invite", **operator.form("/operator/refresh", "/operator")).text
        link = re.search(r"/invite/[^<]+", page)

        assert link is not None
        assert Person(operator.app).get(link.group()).status_code == 200

    def test_the_figures_are_those_of_the_votes(self, operator: Any, store: Store) -> None:
        for voter in "abc":
            answer(store, voter, "c0001", "yes")
            answer(store, voter, "c0002", "no")
        operator.post("/operator/refresh", **operator.form("/operator/refresh", "/operator"))
        page = operator.get("/operator").text

        assert "3 (2 settled, 1 open, 0 disputed)" in page
        assert "no 3, yes 3" in page
        assert "hours 1.0" in page
