"""Sitemaps as a source of links (hazards T12, G4): pages no menu leads to, within every bound of the crawl."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from mass_pipeline.crawling import Seed, crawl_sites, read_pages
from mass_pipeline.crawling.pages.feeds import read_feed
from mass_pipeline.crawling.sites.site_links import in_order
from mass_pipeline_tests.crawling.loopback import Answer, Loopback, Page, links
from mass_pipeline_tests.crawling.made import QUICK, Crawl
from mass_pipeline_tests.shared import shared_folder

HOST = "http://a.example"
MENU = [f"/strona-{n}" for n in range(6)]
ROBOTS = Page(f"User-agent: *\nDisallow: /tajne\nSitemap: {HOST}/mapa.xml\n", content_type="text/plain")


def sitemap(*urls: str, kind: str = "urlset", entry: str = "url") -> Page:
    body = "".join(f"<{entry}><loc>{url}</loc></{entry}>" for url in urls)
    return Page(f"<?xml version='1.0'?><{kind}>{body}</{kind}>", content_type="application/xml")


def index(*urls: str) -> Page:
    return sitemap(*urls, kind="sitemapindex", entry="sitemap")


def site(**more: Answer) -> dict[str, Answer | list[Answer]]:
    """A site with a menu, and pages by name (`msze` is `/msze`)."""
    pages: dict[str, Answer | list[Answer]] = {"/": Page(links(*MENU)), "/robots.txt": ROBOTS}
    pages |= {path: Page(f"page {path}") for path in MENU}
    return pages | {"/" + name.replace("_", "."): answer for name, answer in more.items()}


class TestWhenTheyAreAsked:
    def test_a_sitemap_that_robots_txt_names_is_asked_last_and_its_pages_are_found(self, crawl: Crawl) -> None:
        found = crawl({"a.example": site(mapa_xml=sitemap(f"{HOST}/msze", f"{HOST}/strona-1"), msze=Page("Msze 9:00"))})
        paths = found.server.paths()

        assert f"{HOST}/msze" in found.ok
        assert paths[-2:] == ["/mapa.xml", "/msze"]
        assert paths.count("/strona-1") == 1

    def test_a_site_with_links_and_no_sitemap_costs_no_request(self, crawl: Crawl) -> None:
        found = crawl({"a.example": {**site(), "/robots.txt": Page("", 404)}})

        assert found.server.paths() == ["/robots.txt", "/", *MENU]
        assert "/sitemap.xml" in crawl({"b.example": {"/": Page("x")}}, few_links=5, state="b").server.paths()

    def test_a_site_with_hardly_a_link_is_asked_for_its_usual_sitemap(self, crawl: Crawl) -> None:
        """A menu made by a script: its pages are as near as if the start page linked to them."""
        pages = {
            "/": Page("<script src=menu.js></script>"),
            "/sitemap.xml": sitemap(f"{HOST}/msze"),
            "/msze": Page(links("/dalej")),
            "/dalej": Page("further"),
        }
        found = crawl({"a.example": pages}, few_links=5)

        assert found.ok == [f"{HOST}/", f"{HOST}/dalej", f"{HOST}/msze"]
        assert [page.depth for page in found.pages] == [0, 2, 1]

    def test_pages_beside_a_working_menu_are_not_followed_further(self, crawl: Crawl) -> None:
        found = crawl({"a.example": site(mapa_xml=sitemap(f"{HOST}/msze"), msze=Page(links("/dalej")), dalej=Page("x"))})

        assert found.outcome(f"{HOST}/msze") == "ok"
        assert found.outcome(f"{HOST}/dalej") == ""

    def test_a_site_whose_budget_is_spent_is_not_asked(self, crawl: Crawl) -> None:
        found = crawl({"a.example": site(mapa_xml=sitemap(f"{HOST}/msze"))}, max_pages_per_site=3)

        assert "/mapa.xml" not in found.server.paths()

    def test_never_means_never(self, crawl: Crawl) -> None:
        assert "/mapa.xml" not in crawl({"a.example": site(mapa_xml=sitemap())}, sitemaps="never").server.paths()


class TestBounds:
    def test_only_so_many_pages_and_the_likeliest_first(self, crawl: Crawl) -> None:
        urls = [f"{HOST}/2020/01/0{n}/wpis" for n in range(1, 9)] + [f"{HOST}/galeria", f"{HOST}/porzadek-mszy"]
        pages = {path.removeprefix(HOST): Page(f"x {path}") for path in urls}
        found = crawl({"a.example": {**site(mapa_xml=sitemap(*urls)), **pages}}, max_sitemap_pages=3)

        assert found.server.paths()[-3:] == ["/porzadek-mszy", "/galeria", "/2020/01/01/wpis"]

    def test_an_index_leads_to_sitemaps_of_pages_first_and_no_deeper(self, crawl: Crawl) -> None:
        pages = site(
            mapa_xml=index(f"{HOST}/posts.xml", f"{HOST}/pages.xml"),
            pages_xml=sitemap(f"{HOST}/msze"),
            posts_xml=index(f"{HOST}/deeper.xml"),
            msze=Page("Msze"),
        )
        paths = crawl({"a.example": pages}).server.paths()

        assert paths[-4:] == ["/mapa.xml", "/pages.xml", "/posts.xml", "/msze"]

    def test_sitemaps_that_name_themselves_end(self, crawl: Crawl) -> None:
        pages = site(mapa_xml=index(*(f"{HOST}/mapa.xml?n={n}" for n in range(50)), f"{HOST}/mapa.xml"))
        paths = crawl({"a.example": pages}).server.paths()

        assert len([path for path in paths if path.startswith("/mapa.xml")]) <= QUICK.max_sitemaps

    def test_robots_txt_and_scope_hold(self, crawl: Crawl) -> None:
        """G4: a sitemap opens no door that a link does not."""
        urls = [f"{HOST}/tajne", "http://b.example/", "http://169.254.169.254/", "file:///etc/passwd", "http://127.0.0.1:1/"]
        other = {"/": Page("x")}
        found = crawl({"a.example": site(mapa_xml=sitemap(*urls)), "b.example": other}, Seed("a", HOST + "/"))

        assert found.server.paths("b.example") == []
        assert "/tajne" not in found.server.paths()
        assert found.outcome(f"{HOST}/tajne") == "forbidden_by_robots"

    @pytest.mark.parametrize("address", ["http://b.example/mapa.xml", "http://127.0.0.1:1/mapa.xml", "file:///etc/passwd", ":"])
    def test_sitemaps_elsewhere_are_not_asked(self, crawl: Crawl, address: str) -> None:
        robots = Page(f"Sitemap: {address}\n", content_type="text/plain")
        found = crawl({"a.example": {**site(), "/robots.txt": robots}, "b.example": {"/mapa.xml": sitemap()}}, Seed("a", HOST))

        assert found.server.paths("b.example") == []
        assert len(found.ok) == 7

    def test_a_redirected_sitemap_is_read_within_the_site(self, crawl: Crawl) -> None:
        moved = Page("", 301, headers={"Location": "/wp-sitemap.xml"})
        pages = {**site(mapa_xml=moved, msze=Page("Msze")), "/wp-sitemap.xml": sitemap(f"{HOST}/msze")}

        assert f"{HOST}/msze" in crawl({"a.example": pages}).ok

    @pytest.mark.parametrize(
        "answer",
        [
            Page("", 500), Page("", 404), Page("<html>404</html>"), b"no http\r\n\r\n", Page(b"\x00" * 5000),
            Page(gzip.compress(bytes(30_000_000)), headers={"Content-Encoding": "gzip"}),
            Page('<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;">]><urlset><url><loc>&b;</loc></url></urlset>'),
            Page('<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><urlset><url><loc>http://a.example/&e;</loc></url></urlset>'),
        ],
    )  # fmt: skip
    def test_whatever_answers_there_the_site_ends_well(self, crawl: Crawl, answer: Page | bytes) -> None:
        found = crawl({"a.example": site(mapa_xml=answer)})

        assert len(found.ok) == 7
        assert not any("root:" in path for path in found.server.paths())

    def test_many_pages_that_are_known_cost_nothing(self) -> None:
        assert in_order(["http://a.pl/x", "http://a.pl/msze", "http://a.pl/x"]) == ["http://a.pl/msze", "http://a.pl/x"]


@pytest.mark.shared
class TestPublicFiles:
    def test_every_file_of_crawler_commons_is_read_and_no_host_but_ours_is_asked(self, tmp_path: Path) -> None:
        """T12: defused, caps kept, good URLs found; each file served as the sitemap of a site of its own."""
        files = sorted(path for path in shared_folder("suites/sitemaps/crawler_commons").rglob("*") if path.is_file())
        sites: dict[str, dict[str, Answer | list[Answer]]] = {}
        for number, path in enumerate(files):
            robots = Page(f"Sitemap: http://s{number}.example/map\n", content_type="text/plain")
            home = Page(links(*MENU, text=str(number)))
            sites[f"s{number}.example"] = {"/robots.txt": robots, "/": home, "/map": Page(path.read_bytes(), content_type=None)}
        with Loopback(sites) as server:
            seeds = [Seed(host, f"http://{host}/") for host in sites]
            report = crawl_sites(seeds, state=tmp_path, config=QUICK, connect_to=server.connect_to)
        entries = {path.name: len(read_feed(path.read_bytes(), "http://s.example/").entries) for path in files}

        assert len(files) == 20
        assert report.finished
        assert sum(path == "/map" for path in server.paths()) == 20
        assert {page.parish_id for page in read_pages(tmp_path)} == set(sites)
        assert sum(count > 0 for count in entries.values()) >= 18, entries
