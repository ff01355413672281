"""The API fuzzed from its own description: whatever is asked, nothing breaks."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from starlette.testclient import TestClient

from mass_pipeline.public_web.app import create_app
from mass_pipeline_tests.public_web.support import published, site_over

if TYPE_CHECKING:
    import schemathesis

_EXAMPLES = 15  # of each operation


def test_no_request_that_the_description_allows_breaks_anything(tmp_path: Path) -> None:
    import schemathesis

    published(tmp_path)
    site = site_over(tmp_path, reports_per_day=10**6, public_hosts=("localhost", "testserver", "127.0.0.1"))
    schema = schemathesis.openapi.from_asgi("/api/v1/openapi.json", create_app(site))
    broken: list[object] = []
    asked: list[int] = []
    for result in schema.get_all_operations():
        operation = result.ok()

        @settings(
            max_examples=_EXAMPLES, deadline=None, database=None, phases=[Phase.generate], suppress_health_check=list(HealthCheck)
        )
        @given(case=operation.as_strategy())
        def ask(case: schemathesis.Case) -> None:
            status = case.call().status_code
            asked.append(status)
            if status >= 500:
                broken.append((case.method, case.path, case.path_parameters, case.query, status))

        ask()

    assert broken == []
    assert 200 in asked
    assert len(asked) > 100


@pytest.mark.parametrize(("at", "status"), [("0557-05-12T02:46:21Z", 400), ("9999-12-27T00:00", 400), ("1583-01-01T00:00", 200)])
def test_a_moment_of_a_year_without_a_calendar_is_refused(tmp_path: Path, at: str, status: int) -> None:
    """Feasts are worked out by the Gregorian calendar, and those of the next year too."""
    published(tmp_path)
    client = TestClient(create_app(site_over(tmp_path, public_hosts=("testserver",))))

    assert client.get("/api/v1/interpretation", params={"q": "Christmas", "at": at}).status_code == status
