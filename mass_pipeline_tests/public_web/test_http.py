"""What HTTP asks of every answer: methods, validators, caching, limits by address, and requests from other sites."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from pathlib import Path

import httpx
import orjson
import pytest

from mass_pipeline.finding.inbox import Report, append, state_of
from mass_pipeline.public_web.app import create_app
from mass_pipeline.public_web.site import Site
from mass_pipeline.web_common.limits import TokenBucket
from mass_pipeline_tests.finding.made import NOW
from mass_pipeline_tests.public_web.support import Visitor, published, site_over

TOWN = "/miejscowosc/pomorskie/mlyny"
STEADY = "/diecezja/tarnowska"
MASSES = "/api/v1/masses?place=pomorskie/mlyny&from=2026-11-22T00:00"
EVERY = pytest.mark.parametrize(
    "path",
    ["/", "/en", TOWN, "/msze?q=Młyny", "/mapa", "/zmiany.atom", "/robots.txt", "/sitemap.xml", "/zdrowie", "/static/site.css",
     MASSES, "/api/v1/parishes", "/api/v1/meta", "/api/v1/openapi.json", "/api/v1/parishes/p000001/calendar.ics"],
)  # fmt: skip


class TestMethods:
    @EVERY
    def test_head_is_get_without_a_body(self, visitor: Visitor, path: str) -> None:
        got, head = visitor.get(path), visitor.client.head(path)

        assert (head.status_code, head.content) == (200, b"")
        assert {**head.headers, "date": ""} == {**got.headers, "date": ""}

    @EVERY
    def test_options_says_what_is_taken(self, visitor: Visitor, path: str) -> None:
        answer = visitor.client.options(path)

        assert (answer.status_code, answer.headers["allow"]) == (204, "GET, HEAD, OPTIONS")

    def test_a_browser_app_elsewhere_may_revalidate_and_report(self, visitor: Visitor) -> None:
        asked = {"Origin": "https://app.example", "Access-Control-Request-Headers": "if-none-match,content-type"}
        masses, reports = (visitor.client.options(path, headers=asked).headers for path in (MASSES, "/api/v1/reports"))
        answer = visitor.get(MASSES, headers={"Origin": "https://app.example"}).headers

        assert "If-None-Match" in masses["access-control-allow-headers"]
        assert reports["access-control-allow-methods"] == "POST, OPTIONS"
        assert answer["access-control-allow-origin"] == "*"
        assert {"ETag", "Retry-After", "Link"} <= set(answer["access-control-expose-headers"].split(", "))


class TestValidators:
    @pytest.mark.parametrize("path", [TOWN, "/msze?miejsce=pomorskie/mlyny", "/api/v1/parishes"])
    def test_each_coding_has_its_own_and_either_is_known_again(self, visitor: Visitor, path: str) -> None:
        answers = {coding: visitor.get(path, headers={"Accept-Encoding": coding}) for coding in ("gzip", "identity")}
        tags = {coding: answer.headers["etag"] for coding, answer in answers.items()}
        again = [visitor.get(path, headers={"Accept-Encoding": coding, "If-None-Match": tag}) for coding, tag in tags.items()]
        crossed = visitor.get(path, headers={"Accept-Encoding": "identity", "If-None-Match": tags["gzip"]})

        assert answers["gzip"].headers["content-encoding"] == "gzip"
        assert "content-encoding" not in answers["identity"].headers
        assert answers["gzip"].text == answers["identity"].text
        assert len(set(tags.values())) == 2
        assert [one.status_code for one in again] == [304, 304]
        assert all(one.headers["vary"] == "Accept-Encoding" and one.headers["cache-control"] for one in again)
        assert crossed.status_code == 200

    def test_what_was_seen_since_the_last_change_is_not_sent_again(self, visitor: Visitor) -> None:
        since = visitor.get(STEADY).headers["last-modified"]

        assert visitor.get(STEADY, headers={"If-Modified-Since": since}).status_code == 304
        assert visitor.get(STEADY, headers={"If-Modified-Since": "Sat, 21 Nov 2026 23:00:00 GMT"}).status_code == 200
        assert visitor.get(STEADY, headers={"If-Modified-Since": since, "If-None-Match": '"other"'}).status_code == 200
        assert visitor.get(STEADY, headers={"If-Modified-Since": "yesterday"}).status_code == 200

    def test_a_new_day_changes_what_was_not_built_anew(self, tmp_path: Path) -> None:
        published(tmp_path)
        site = site_over(tmp_path)
        visitor = Visitor(site)
        since = visitor.get(STEADY).headers["last-modified"]
        site.clock = lambda: NOW + timedelta(hours=20)

        assert visitor.get(STEADY, headers={"If-Modified-Since": since}).status_code == 200

    def test_an_answer_of_this_minute_has_no_day_of_change(self, visitor: Visitor) -> None:
        assert "last-modified" not in visitor.get("/msze?miejsce=pomorskie/mlyny").headers


class TestCaching:
    @pytest.mark.parametrize("hours", [0, 14.95], ids=["by day", "three minutes before midnight"])
    def test_pages_of_towns_and_parishes_may_be_kept_by_any_proxy_but_not_over_midnight(
        self, tmp_path: Path, hours: float
    ) -> None:
        published(tmp_path)
        site = site_over(tmp_path)
        site.clock = lambda: NOW + timedelta(hours=hours)
        for path, most in ((TOWN, 60), ("/parafia/zdroj-wszystkich-swietych-p000007", 60), (STEADY, 600 if hours == 0 else 180)):
            answer = Visitor(site).get(path).headers
            said = dict(part.strip().partition("=")[::2] for part in answer["cache-control"].split(","))

            assert "public" in said
            assert int(said["max-age"]) == most
            assert int(said["max-age"]) + int(said["stale-while-revalidate"]) <= (15 - hours) * 3600
            assert answer["vary"] == "Accept-Encoding"
            assert "set-cookie" not in answer


class TestBucket:
    def test_a_crowd_within_the_rate_is_never_refused(self) -> None:
        bucket = TokenBucket(30, 600)
        waits = [bucket.take("carrier", second / 25) for second in range(25 * 3_600)]

        assert set(waits) == {None}

    def test_a_crowd_that_comes_at_once_is_served(self) -> None:
        bucket = TokenBucket(30, 600)

        assert {bucket.take("carrier", 0.0) for _ in range(500)} == {None}

    def test_one_that_goes_on_after_a_refusal_gets_nothing_until_it_stops(self) -> None:
        bucket = TokenBucket(30, 600)
        waits = [bucket.take("hammer", number / 100) for number in range(100 * 60)]
        refused = next(number for number, wait in enumerate(waits) if wait is not None)
        wait = waits[-1]

        assert refused <= 900
        assert None not in waits[refused:]
        assert wait is not None
        assert bucket.take("hammer", 60 + wait) is None
        assert bucket.take("neighbour", 60) is None

    def test_keys_that_are_full_again_are_forgotten(self) -> None:
        bucket = TokenBucket(1, 2)
        for number in range(100):
            bucket.take(f"k{number}", number * 10.0)

        assert len(bucket._levels) == 1


class TestCarrier:
    """100 phones behind one address, a page each 20 s; a hammer at another address, 20 requests a second."""

    def test_phones_are_served_and_the_hammer_is_not(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        published(tmp_path)
        site = site_over(tmp_path, pages_per_minute=360, trusted_proxies=("127.0.0.1",))
        outcomes = asyncio.run(minute_of(site, monkeypatch))

        assert outcomes["phones"] == [200] * 300
        assert outcomes["hammer"].count(200) <= 180
        assert set(outcomes["hammer"][-600:]) == {429}


async def minute_of(site: Site, monkeypatch: pytest.MonkeyPatch) -> dict[str, list[int]]:
    """Statuses of a minute of requests; the clock is ours."""
    moment = [0.0]
    monkeypatch.setattr("mass_pipeline.public_web.site.clocks.monotonic", lambda: moment[0])
    phones = [(number / 5, "phones", "203.0.113.7") for number in range(300)]
    events = sorted([*phones, *((number / 20, "hammer", "198.51.100.9") for number in range(1_200))])
    outcomes: dict[str, list[int]] = {"phones": [], "hammer": []}
    transport = httpx.ASGITransport(create_app(site))
    async with httpx.AsyncClient(transport=transport, base_url="https://localhost") as client:
        for at, who, address in events:
            moment[0] = at
            outcomes[who].append((await client.get(TOWN, headers={"X-Forwarded-For": address})).status_code)
    return outcomes


class TestUnknownReports:
    def test_their_state_is_found_without_taking_the_inbox_apart(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        keys = [f"{number:016x}" for number in range(50)]
        for key in keys:
            append(tmp_path, Report(key, "2026-11-22T09:00", "p000001", "", "other", 'a "report_id":"ffffffffffffffff"', "gen"))
        taken_apart: list[bytes] = []
        loads = orjson.loads
        monkeypatch.setattr("mass_pipeline.finding.inbox.orjson.loads", lambda text: (taken_apart.append(text), loads(text))[-1])

        assert state_of(tmp_path / "nowhere", keys[0]) is None
        assert [state_of(tmp_path, key) for key in (keys[0], keys[-1])] == ["received", "received"]
        assert [state_of(tmp_path, key) for key in ("f" * 16, "0", "", "../x", '","')] == [None] * 5
        assert len(taken_apart) == 2  # the lines of the two that are there
