"""What the operator sees of the look-ups."""

from __future__ import annotations

from mass_pipeline.gathering.ledger import LedgerState
from mass_pipeline.gathering.overview import ledger_markdown, statuses_by_diocese, statuses_markdown
from mass_pipeline.gathering.parish_url import ParishUrl, RatedUrl
from mass_pipeline.model.identifiers import DioceseKey, ParishId
from mass_pipeline_tests.gathering.support import NOW


def url_row(parish_id: str = "p1", diocese: str = "opolska", status: str = "ok", **fields: object) -> ParishUrl:
    values: dict[str, object] = {
        "parish_id": ParishId(parish_id),
        "diocese_key": DioceseKey(diocese),
        "status": status,
        "url": "http://swanna.example/" if status == "ok" else None,
        "scope_prefix": "/" if status == "ok" else None,
        "shared_host": False,
        "place_id": None,
        "source": "directory",
        "query": None,
        "candidates": (RatedUrl("http://swanna.example/", "directory", ("town",), 0.5),),
        "verified": True,
        "checked_at": NOW,
    }
    return ParishUrl(**{**values, **fields})  # type: ignore[arg-type]


class TestStatuses:
    def test_every_diocese_has_a_line_and_there_is_a_total(self) -> None:
        rows = [url_row("1"), url_row("2", status="pending"), url_row("3", "gliwicka", "not_found")]
        text = statuses_markdown(statuses_by_diocese(rows))

        assert "| gliwicka | 1 | 0 | 0 | 1 | 0 | 0 |" in text
        assert "| opolska | 2 | 1 | 0 | 0 | 0 | 1 |" in text
        assert "| **total** | 3 | 1 | 0 | 1 | 0 | 1 |" in text


class TestLedgerState:
    def test_says_what_is_left_and_when_more_comes(self) -> None:
        assert ledger_markdown(LedgerState(1000, 990, 2, NOW)) == (
            "990 of 1000 units spent, 10 left, 2 calls of unknown outcome; the next units come free at 2026-11-20 12:00 UTC."
        )


class TestParishUrl:
    def test_json_gives_the_row_back(self) -> None:
        assert ParishUrl.from_json(url_row().to_json()) == url_row()
