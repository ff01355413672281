"""The file of sites: data that needs no code, with errors that name the place (C9)."""

from __future__ import annotations

from pathlib import Path

import pytest

from mass_pipeline.crawling.watching.sites import WatchedSite, read_sites, with_configuration
from mass_pipeline.demo_web.portals import SITES_FILE
from mass_pipeline.model.errors import BadInput


class TestSitesFile:
    def test_lines_are_urls_or_identifiers_with_urls_and_prefixes(self, tmp_path: Path) -> None:
        path = tmp_path / "sites.txt"
        path.write_text("# parishes\nHTTP://A.example:80\np2\tb.example\t/parafia/\n", "utf-8")

        assert [(site.site_id, site.url, site.scope_prefix) for site in read_sites(path)] == [
            ("HTTP://A.example:80", "http://a.example/", "/"),
            ("p2", "http://b.example/", "/parafia/"),
        ]

    @pytest.mark.row("C9")
    def test_the_portals_of_the_demo_web_show_every_key(self) -> None:
        sites = {site.site_id: site for site in read_sites(SITES_FILE)}

        assert sites["wiesci"].lists == ()
        assert sites["kurier"].lists[0].weight == 2.0
        assert sites["kurier"].wrapper.title
        assert [entry.url.partition("?")[2] for entry in sites["glos"].lists[:3]] == [
            "q=szko%C5%82a",
            "q=uczniowie",
            "q=uniwersytet",
        ]
        assert sites["glos"].lists[3].kind == "sitemap"

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("", "no site"),
            ("[[site]]\nid = 'a'", "site a: needs id and url"),
            ("[[site]]\nid = 'a'\nurl = 'ftp://a'", "no http"),
            ("[[site]]\nid = 'a'\nurl = 'a.pl'\ncolour = 1", "unknown key 'colour'"),
            ("[[site]]\nid = 'a'\nurl = 'a.pl'\n[[site.list]]\nurl = 'a.pl'\nxpath = '//a['", "XPath '//a\\['"),
            (
                "[[site]]\nid = 'a'\nurl = 'a.pl'\n[[site.list]]\nurl = 'a.pl'\nkind = 'blog'",
                "expected one of page, feed, sitemap",
            ),
            ("[[site]]\nid = 'a'\nurl = 'a.pl'\n[[site.list]]\nurl = 'a.pl'\nweight = 0", "expected a number over 0"),
            ("[[site]]\nid = 'a'\nurl = 'a.pl'\n[[site.list]]\nurl = 'a.pl/{query}'", "queries belong together"),
            ("[[site]]\nid = 'a'\nurl = 'a.pl'\n[[site.list]]\nurl = 'a.pl'\npages = 'a.pl/2'", "needs {page}"),
            ("[[site]]\nid = 'a'\nurl = 'a.pl'\n[[site]]\nid = 'a'\nurl = 'b.pl'", "'a' stands there twice"),
            ("site = ", "sites.toml"),
        ],
    )
    def test_what_is_wrong_is_named(self, tmp_path: Path, text: str, message: str) -> None:
        path = tmp_path / "sites.toml"
        path.write_text(text, "utf-8")

        with pytest.raises(BadInput, match=message):
            read_sites(path)

    def test_what_an_operator_knows_of_a_site_is_added_to_it(self) -> None:
        """C3: sites of the pipeline keep their address; lists and template come from the file."""
        sites = [WatchedSite("kurier", "http://moved.example/"), WatchedSite("other", "http://o.example/")]
        known, other = with_configuration(sites, read_sites(SITES_FILE))

        assert (known.url, known.lists[0].weight, other) == ("http://moved.example/", 2.0, sites[1])
        assert known.wrapper.text

    def test_a_missing_file_is_named(self, tmp_path: Path) -> None:
        with pytest.raises(BadInput, match=r"none\.txt"):
            read_sites(tmp_path / "none.txt")
