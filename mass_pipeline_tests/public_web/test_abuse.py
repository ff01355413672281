"""What strangers may send: each is a clear refusal, never an error, and never costs much."""

from __future__ import annotations

from pathlib import Path

import pytest

from mass_pipeline.public_web.app import HEADERS
from mass_pipeline_tests.public_web.support import Visitor, published, site_over

STRANGE = (
    "lat=nan&lon=20", "lat=inf&lon=20", "lat=1e400&lon=2", "lat=91&lon=0", "lat=50", "lon=20", "promien=1e9&lat=50&lon=20",
    "dzien=2026-13-01", "dzien=31.12.2026", "dzien=" + "9" * 150, "od=25:00", "od=-1", "jezyk=xx", "rodzaj=%00", "strona=0",
    "strona=999999999999", "strona=-1", "strona=1e3", "q=" + "x" * 201, "q=a%00b", "q=%E2%80%AEabc", "wozek=maybe",
    "&".join(f"p{number}=1" for number in range(300)), "strona=%D9%A3",
)  # fmt: skip


class TestParameters:
    @pytest.mark.parametrize("query", STRANGE, ids=lambda query: query[:24])
    def test_a_strange_one_is_refused_by_name(self, visitor: Visitor, query: str) -> None:
        response = visitor.get(f"/msze?{query}")

        assert response.status_code == 400
        assert response.headers["cache-control"] == "no-store"

    @pytest.mark.parametrize(
        "query", ["q=%FF%FE", "q=' OR 1=1 --", "q=town:*", 'q="', "q=NEAR(a b)", "miejsce=%25", "miejsce=a/b/../c", "q=-"]
    )
    def test_odd_words_are_only_words(self, visitor: Visitor, query: str) -> None:
        assert visitor.get(f"/msze?{query}").status_code in (200, 400)

    @pytest.mark.parametrize(
        "path", ["/dzien/9999-12-31", "/dzien/x", "/parafia/-", "/static/..%2fapp.py", "/static/none.css", "/nothing"]
    )
    def test_addresses_of_nothing_are_404(self, visitor: Visitor, path: str) -> None:
        assert visitor.get(path).status_code == 404


class TestGuard:
    def test_every_answer_carries_the_headers(self, visitor: Visitor) -> None:
        for path in ("/", "/nothing", "/static/site.css", "/msze?lat=nan&lon=1"):
            response = visitor.get(path)
            assert {name: response.headers[name] for name in HEADERS} == HEADERS, path

    def test_a_foreign_host_is_refused(self, visitor: Visitor) -> None:
        assert visitor.get("/", headers={"Host": "evil.example"}).status_code == 421

    def test_there_is_nothing_to_write_to_from_other_sites(self, visitor: Visitor) -> None:
        assert visitor.client.post("/msze", data={"q": "x"}, headers={"Origin": "https://evil.example"}).status_code == 403

    def test_too_many_pages_are_told_when_to_come_back(self, tmp_path: Path) -> None:
        published(tmp_path)
        visitor = Visitor(site_over(tmp_path, pages_per_minute=9))
        answers = [visitor.get("/") for _ in range(5)]

        assert [one.status_code for one in answers] == [200, 200, 200, 429, 429]
        assert 1 <= int(answers[-1].headers["retry-after"]) <= 60
