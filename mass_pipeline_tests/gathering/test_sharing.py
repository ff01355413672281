"""Shared hosts and URLs that several parishes have."""

from __future__ import annotations

import csv

import pytest

from mass_pipeline.crawling.fetching.scope import Scope
from mass_pipeline.crawling.fetching.urls import canonical_or_none, split
from mass_pipeline.gathering.parish_url import RatedUrl
from mass_pipeline.gathering.sharing import DUPLICATE, duplicate_urls, mark_shared, scope_prefix, shared_hosts
from mass_pipeline_tests.gathering.test_overview import url_row
from mass_pipeline_tests.shared import shared_folder


def rated(url: str, score: float = 0.5) -> dict[str, object]:
    return {"url": url, "candidates": (RatedUrl(url, "places", ("town",), score),)}


class TestScopePrefix:
    @pytest.mark.parametrize(
        ("url", "prefix"),
        [
            ("http://dekanat.example/", "/"),
            ("http://dekanat.example/swanna", "/swanna/"),
            ("http://dekanat.example/swanna/", "/swanna/"),
            ("http://dekanat.example/parafie/swanna/start.html", "/parafie/swanna/"),
            ("http://dekanat.example/index.php?parafia=7", "/index.php?parafia=7"),
        ],
    )
    def test_the_folder_of_the_start_page(self, url: str, prefix: str) -> None:
        assert prefix == scope_prefix(url)


class TestMarkShared:
    def test_a_host_of_its_own_has_the_whole_host_as_scope(self) -> None:
        (row,) = mark_shared([url_row(**rated("http://swanna.example/start/"))])

        assert (row.shared_host, row.scope_prefix) == (False, "/")

    def test_parishes_on_one_host_keep_to_their_folders(self) -> None:
        rows = mark_shared([url_row("1", **rated("http://www.dek.example/a/")), url_row("2", **rated("http://dek.example/b/"))])

        assert [(row.shared_host, row.scope_prefix) for row in rows] == [(True, "/a/"), (True, "/b/")]

    def test_of_parishes_with_one_url_the_best_evidence_keeps_it(self) -> None:
        rows = [url_row("1", **rated("http://x.example/", 0.9)), url_row("2", **rated("https://www.x.example", 0.4))]
        first, second = mark_shared(rows)

        assert (first.url, second.url) == ("http://x.example/", None)
        assert (first.status, second.status) == ("ok", "ambiguous")
        assert DUPLICATE in first.candidates[0].evidence
        assert DUPLICATE in second.candidates[0].evidence

    def test_without_a_best_one_nobody_keeps_it(self) -> None:
        rows = mark_shared([url_row(str(n), **rated("http://x.example/")) for n in range(3)])

        assert [row.url for row in rows] == [None] * 3
        assert {"ambiguous"} == {row.status for row in rows}

    def test_nothing_is_crawled_twice(self) -> None:
        rows = mark_shared([url_row(str(n), **rated("http://x.example/", n / 10)) for n in range(5)])

        assert len([row.url for row in rows if row.url]) == 1


@pytest.mark.shared
class TestRealOutcomes:
    def test_the_shared_hosts_and_duplicate_urls_of_2018_are_all_found(self) -> None:
        """187 shared hosts; 321 parishes whose URL another parish has too, all of them settled."""
        path = shared_folder("directory", "places-outcomes-2018.tsv")
        with path.open(encoding="utf-8", newline="") as file:
            urls = {r["row"]: r["url"] for r in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE) if r["url"]}
        exact = [number for number, url in urls.items() if list(urls.values()).count(url) > 1]
        rows = [url_row(number, **rated(canonical_or_none(url) or url)) for number, url in urls.items()]
        settled = {row.parish_id: row for row in mark_shared(rows)}
        flagged = {row.parish_id for group in duplicate_urls(rows).values() for row in group}

        assert (len(rows), len(shared_hosts(rows)), len(exact)) == (5651, 187, 321)
        assert set(exact) <= flagged
        assert all(DUPLICATE in settled[number].candidates[0].evidence for number in exact)  # type: ignore[index]
        assert len({row.url for row in settled.values() if row.url}) == sum(bool(row.url) for row in settled.values())


class TestScopeOfTheCrawl:
    def test_a_prefix_with_a_query_covers_that_parish_alone(self) -> None:
        """Portals tell parishes apart by a parameter; the crawl of one must not wander into the next."""
        url = "http://portal.example/parafia.php?id=7"
        scope = Scope(split(url), scope_prefix(url))
        inside = [url, "http://www.portal.example/parafia.php?id=7&strona=msze"]
        outside = ["http://portal.example/parafia.php?id=77", "http://portal.example/parafia.php", "http://portal.example/"]

        assert all(scope.covers(split(page)) for page in inside)
        assert not any(scope.covers(split(page)) for page in outside)
