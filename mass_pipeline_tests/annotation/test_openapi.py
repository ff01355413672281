"""Hazard W8: thousands of generated requests against the app's own OpenAPI never reach a 5xx and never store a thing."""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mass_pipeline.annotation.operators import add_operator, log_in
from mass_pipeline.annotation.store import Store, open_store
from mass_pipeline.annotation.web.tokens import OPERATOR_COOKIE, VOTER_COOKIE, Signing, VoterCookie
from mass_pipeline_tests.annotation.support import GENERATED, PASSWORD, SECRET, START, Clock, item, make_app, quick

VOTER = "f" * 32
_EXAMPLES_SOAK = int(os.environ.get("MASS_TESTS_EXAMPLES", "4600"))  # times 22 operations: about 100,000 cases


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    unlimited = dict.fromkeys(
        ("votes_per_minute", "prefix_votes_per_minute", "prefix_pages_per_minute", "prefix_voters_per_hour"), 10**9
    )
    folder: Path = tmp_path_factory.mktemp("openapi")
    store = open_store(f"sqlite:///{folder / 'a.db'}", quick(public_hosts=("localhost", "testserver"), **unlimited))
    store.add_items([item(n) for n in range(50)], now=START)
    yield store
    store.close()


@pytest.fixture(scope="module")
def api(opened: Store) -> Any:
    import schemathesis

    app = make_app(opened, Clock())
    app.add_api_route("/openapi.json", app.openapi, include_in_schema=False)
    return schemathesis.openapi.from_asgi("/openapi.json", app)


@pytest.fixture(scope="module")
def cookies(opened: Store) -> str:
    """A real voter's and a real operator's session: most cases shall get past the first door."""
    add_operator(opened, "anna", PASSWORD, now=START)
    session = log_in(opened, "anna", PASSWORD, now=START)
    voter = Signing(SECRET).voter_cookie(VoterCookie(VOTER, START))
    return f"{VOTER_COOKIE}={voter}; {OPERATOR_COOKIE}={session}"


@cache
def operations() -> list[tuple[str, str]]:
    """Path and method of every operation, from an app that is thrown away."""
    store = open_store("sqlite://")
    paths = make_app(store, Clock()).openapi()["paths"]
    store.close()
    return [(path, method) for path, methods in sorted(paths.items()) for method in sorted(methods)]


def send_many(api: Any, path: str, method: str, cookies: str, opened: Store, count: int) -> None:
    @settings(max_examples=count, **GENERATED)
    @given(case=api[path][method].as_strategy(), has_real_token=st.booleans())
    def send(case: Any, has_real_token: bool) -> None:
        if has_real_token and isinstance(case.body, dict) and "token" in case.body:
            whose = ("operator anna", "operator") if path.startswith("/operator") else (VOTER, "history")
            case.body["token"] = Signing(SECRET).form_token(*whose, now=START)
        response = case.call(headers={"Sec-Fetch-Site": "same-origin", "Cookie": cookies})

        assert response.status_code < 500, case.as_curl_command()

    send()
    assert opened.votes(with_withdrawn=True).empty
    assert opened.known_labels() == {}


@pytest.mark.slow
class TestGeneratedRequests:
    @pytest.mark.parametrize("count", [8, pytest.param(_EXAMPLES_SOAK, marks=pytest.mark.soak)])
    @pytest.mark.parametrize(("path", "method"), operations())
    def test_are_answered_and_store_nothing(
        self, api: Any, cookies: str, opened: Store, path: str, method: str, count: int
    ) -> None:
        send_many(api, path, method, cookies, opened, count)
