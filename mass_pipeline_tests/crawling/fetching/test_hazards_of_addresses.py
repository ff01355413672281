"""Rows of the hazards list about what addresses do: endless sites, odd names, removed hosts (docs/hazards.md)."""

from __future__ import annotations

import re
import time
from collections import Counter

import pytest

from mass_pipeline.crawling import Seed, read_history
from mass_pipeline.crawling.fetching.urls import BadUrl, canonicalize, split
from mass_pipeline.crawling.state.schema import CRAWL_FILE
from mass_pipeline_tests.crawling.loopback import Page, links
from mass_pipeline_tests.crawling.made import QUICK, Crawl

STATE_FILES = {CRAWL_FILE, CRAWL_FILE + "-wal", CRAWL_FILE + "-shm", "crawl.lock", "progress.log"}


class TestTraps:
    """L1: endless sites end, and their schedule page is among what was kept."""

    def kept(self, crawl: Crawl, site: dict[str, Page], **settings: object) -> list[str]:
        crawled = crawl(
            {"a.example": {"/": Page(links("/msze", *site, text="start")), "/msze": Page("Msze 9:00"), **site}}, **settings
        )

        assert "http://a.example/msze" in crawled.ok
        return crawled.ok

    def test_a_soft_404_for_everything_is_kept_once(self, crawl: Crawl) -> None:
        assert len(self.kept(crawl, {f"/x{n}": Page("<h1>Nie znaleziono</h1>") for n in range(50)})) == 3

    def test_a_hundred_thousand_links_on_one_page(self, crawl: Crawl) -> None:
        """The schedule stands before and after them; the frontier stays small."""
        began = time.process_time()
        many = Page(links("/msze", *(f"/l{n}" for n in range(100_000))))
        crawled = crawl({"a.example": {"/": many, "/msze": Page("Msze 9:00")}}, max_body_bytes=20_000_000)

        assert "http://a.example/msze" in crawled.ok
        assert len(crawled.pages) <= QUICK.frontier_capacity + 1
        assert time.process_time() - began < 20

    def test_forty_mirrors_are_forty_sites_with_their_own_budgets(self, crawl: Crawl) -> None:
        maze = {f"/p{n}": Page(links(f"/p{n + 1}", f"/p{n + 2}", text=f"maze {n}")) for n in range(40)}
        hosts = {f"m{n}.example": {"/": Page(links("/p0")), **maze} for n in range(40)}
        crawled = crawl(hosts, *(Seed(host, f"http://{host}/") for host in hosts), max_pages_per_site=5, max_depth=10)
        per_site = Counter(page.parish_id for page in crawled.pages if page.outcome == "ok")

        assert set(per_site.values()) == {5}


class TestAddresses:
    @pytest.mark.parametrize("length", [2_049, 65_536, 1_000_000])
    def test_endless_addresses_cost_nothing(self, crawl: Crawl, length: int) -> None:
        """U10."""
        href = "http://a.example/" + "a" * length
        began = time.process_time()
        for _ in range(10):
            _refusal(href)
        assert (time.process_time() - began) / 10 < 0.01

        assert crawl({"a.example": {"/": Page(links(href))}}).server.paths() == ["/robots.txt", "/"]

    def test_a_hundred_thousand_parameters(self) -> None:
        query = "&".join(f"p{n}=1" for n in range(100_000))

        began = time.process_time()

        assert _refusal("http://a.example/?" + query) == "too_long"
        assert time.process_time() - began < 0.01

    def test_one_host_in_many_spellings_is_one_host(self, crawl: Crawl) -> None:
        """U9: one identity, one pace, one robots.txt."""
        spelled = ["HTTP://Zażółć.EXAMPLE.:80/", "http://xn--zac-8ja7gcc.example/", "http://za%C5%BC%C3%B3%C5%82%C4%87.example"]
        found = {canonicalize(url) for url in spelled if _refusal(url) == ""}

        assert len({split(url).origin for url in [canonicalize(spelled[0]), *found - {canonicalize(spelled[1])}]}) == 1

    @pytest.mark.parametrize("name", ["..%2f..%2fx", "%00", "a" * 3000, "CON", "'\"", "$(id)", "%0a"])
    def test_names_of_pages_reach_no_path_and_no_shell(self, crawl: Crawl, name: str) -> None:
        """U8: a page is named by the digest of its address."""
        crawled = crawl({"a.example": {"/": Page(links("/" + name.replace('"', "&quot;"))), "/$(id)": Page("x")}})

        assert all(re.fullmatch("[0-9a-f]{32}", page.url_md5) for page in crawled.pages)
        assert {path.name for path in crawled.state.iterdir()} <= STATE_FILES


def _refusal(href: str) -> str:
    try:
        canonicalize(href)
    except BadUrl as error:
        return str(error)
    return ""


class TestRemoval:
    def test_a_host_whose_owner_wishes_it_is_erased_and_stays_away(self, crawl: Crawl) -> None:
        """P12: in one run, for all runs."""
        sites = {"a.example": {"/": Page(links("/x")), "/x": Page("Msze 9:00 sekret")}, "b.example": {"/": Page("b")}}
        seeds = [Seed(name, f"http://{name}.example/") for name in ("a", "b")]
        first = crawl(sites, *seeds)
        later = [crawl(sites, *seeds, removed_hosts=("a.example",), revisit="all") for _ in range(2)]

        assert len(first.ok) == 3
        for crawled in later:
            assert crawled.server.paths("a.example") == []
            assert [(page.url, page.outcome, page.body) for page in crawled.pages if page.parish_id == "a"] == [
                ("http://a.example/", "out_of_scope", None)
            ]
            assert next(site.outcome for site in crawled.report.sites) == "out_of_scope"
            assert all("/x" not in url for _, url, _, _ in read_history(crawled.state))
        assert later[0].outcome("http://b.example/") in ("ok", "not_modified")

    def test_a_single_page_is_erased_and_stays_away(self, crawl: Crawl) -> None:
        """The rest of the site goes on; neither scheme nor `www.` make another page."""
        site = {"/": Page(links("/x", "/y", text="intencje")), "/x": Page("Msze 9:00 sekret"), "/y": Page("Msze 10:00")}
        first = crawl({"a.example": site})
        later = [crawl({"a.example": site}, removed_urls=("https://www.a.example/x",), revisit="all") for _ in range(2)]

        assert "http://a.example/x" in first.ok
        for crawled in later:
            assert "/x" not in crawled.server.paths("a.example")
            assert crawled.outcome("http://a.example/x") in ("", "out_of_scope")
            assert crawled.outcome("http://a.example/y") in ("ok", "not_modified")
            assert all(b"sekret" not in (page.body or b"") for page in crawled.pages)

    def test_what_shared_its_dictionary_stays_readable(self, crawl: Crawl) -> None:
        """Pages are packed with whole pages met first; those may be the ones that go."""
        text = "Msze święte w niedziele 8.00, 10.00 i 12.00, w tygodniu 18.00. " * 40
        hosts = {f"h{n}.example": {"/": Page(f"{text} sekretna-{n}")} for n in range(7)}
        seeds = [Seed(name, f"http://{name}/") for name in hosts]
        crawl(hosts, *seeds)
        kept = crawl(hosts, *seeds, removed_hosts=("h0.example", "h1.example"), revisit="never")
        bodies = {page.url: page.body or b"" for page in kept.pages}

        assert b"sekretna-0" not in b"".join(path.read_bytes() for path in kept.state.glob(CRAWL_FILE + "*"))
        assert all(f"sekretna-{n}".encode() in bodies[f"http://h{n}.example/"] for n in range(2, 7))

    def test_its_bytes_are_overwritten(self, crawl: Crawl) -> None:
        sites = {"a.example": {"/": Page(links("/x", text="sekretna-strona")), "/x": Page("x")}}
        crawl(sites)
        state = crawl(sites, removed_hosts=("a.example",)).state

        assert b"sekretna" not in b"".join(path.read_bytes() for path in state.glob(CRAWL_FILE + "*"))
