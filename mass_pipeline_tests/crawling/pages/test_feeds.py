"""Feeds and sitemaps in every form, the usual mistakes, and attacks on the parser."""

from __future__ import annotations

import gzip
import time
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mass_pipeline.crawling.pages.feeds import MAX_BYTES, MAX_ENTRIES, Entry, read_feed

_RSS = b"""<?xml version="1.0" encoding="iso-8859-2"?>
<rss version="2.0"><channel><title>Parafia</title><link>http://a.example/</link>
<item><title>Og\xb3oszenia</title><link>/ogloszenia/1</link><pubDate>Sun, 15 Nov 2026 08:00:00 +0100</pubDate></item>
<item><title><![CDATA[Remont & dach]]></title><guid>http://a.example/2</guid></item>
<item><title>Bez adresu</title><guid isPermaLink="false">17</guid></item>
<item><title>Drugi raz</title><link>http://a.example/2</link></item></channel></rss>"""
_ATOM = b"""<feed xmlns="http://www.w3.org/2005/Atom"><entry><title>Wpis</title>
<link rel="edit" href="http://a.example/edit"/><link href="http://a.example/wpis"/><updated>2026-11-15T08:00:00Z</updated></entry></feed>"""
_SITEMAP = b"""<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
<url><loc> http://a.example/msze </loc><lastmod>2026-11-15</lastmod></url>
<url><loc>javascript:alert(1)</loc></url></urlset>"""


class TestForms:
    def test_rss_with_relative_links_cdata_guids_and_its_own_charset(self) -> None:
        feed = read_feed(_RSS, "http://a.example/feed")

        assert feed.kind == "rss"
        assert feed.entries == (
            Entry("http://a.example/ogloszenia/1", "Ogłoszenia", date(2026, 11, 15)),
            Entry("http://a.example/2", "Remont & dach"),
        )

    def test_atom_takes_the_alternate_link(self) -> None:
        assert read_feed(_ATOM).entries == (Entry("http://a.example/wpis", "Wpis", date(2026, 11, 15)),)

    def test_a_sitemap_keeps_web_addresses_only(self) -> None:
        feed = read_feed(_SITEMAP)

        assert (feed.kind, feed.entries) == ("sitemap", (Entry("http://a.example/msze", "", date(2026, 11, 15)),))

    def test_a_sitemap_index_names_sitemaps(self) -> None:
        index = b"<sitemapindex><sitemap><loc>http://a.example/s1.xml.gz</loc></sitemap></sitemapindex>"

        assert (read_feed(index).kind, read_feed(index).entries[0].url) == ("sitemap_index", "http://a.example/s1.xml.gz")

    def test_a_list_of_addresses_is_a_sitemap_too(self) -> None:
        assert [e.url for e in read_feed(b"\xef\xbb\xbfhttp://a.example/1\nhttp://a.example/2\n").entries] == [
            "http://a.example/1",
            "http://a.example/2",
        ]

    def test_gzip_is_unpacked(self) -> None:
        assert read_feed(gzip.compress(_SITEMAP)) == read_feed(_SITEMAP)

    @pytest.mark.parametrize(
        "content", [b"", b"<html><body>404</body></html>", b"Nie znaleziono strony", b"\x1f\x8brubbish", b"<"]
    )
    def test_other_documents_are_no_feed(self, content: bytes) -> None:
        assert read_feed(content).kind == "none"

    def test_broken_xml_gives_the_entries_before_the_break(self) -> None:
        assert read_feed(_SITEMAP[:-60]).entries[0].url == "http://a.example/msze"


class TestAttacks:
    def test_entities_are_never_resolved(self, tmp_path: Path) -> None:
        secret = tmp_path / "secret"
        secret.write_text("tajne")
        entities = f'<!DOCTYPE r [<!ENTITY f SYSTEM "{secret.as_uri()}"><!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>'
        item = "<rss><channel><item><title>&f;&b;Wpis</title><link>http://a.example/1</link></item></channel></rss>"
        (entry,) = read_feed((entities + item).encode()).entries

        assert "tajne" not in entry.anchor
        assert "aaaa" not in entry.anchor

    def test_a_billion_laughs_cost_nothing(self) -> None:
        levels = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 10))
        bomb = f'<!DOCTYPE r [<!ENTITY e0 "ha">{levels}]><rss><channel><item><title>&e9;</title></item></channel></rss>'
        started = time.process_time()

        assert all(len(entry.anchor) <= 300 for entry in read_feed(bomb.encode()).entries)
        assert time.process_time() - started < 2

    def test_a_gzip_bomb_is_cut_at_the_cap(self) -> None:
        started = time.process_time()
        feed = read_feed(gzip.compress(b"<urlset>" + b" " * (20 * MAX_BYTES)))

        assert feed.entries == ()
        assert time.process_time() - started < 5

    def test_no_more_entries_than_the_norm_allows(self) -> None:
        lines = b"\n".join(b"http://a.example/%d" % number for number in range(MAX_ENTRIES + 10))

        assert len(read_feed(lines).entries) == MAX_ENTRIES

    @given(st.binary(max_size=300))
    def test_no_bytes_break_it(self, content: bytes) -> None:
        read_feed(content)
        read_feed(b"<rss>" + content)
