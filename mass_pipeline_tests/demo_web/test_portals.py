"""The news portals of the demo web: labelled, served in three kinds of layout, with validators."""

from __future__ import annotations

from collections import Counter

import pytest

from mass_pipeline.demo_web.http import Request
from mass_pipeline.demo_web.portals import HOSTS, load_articles, portal_hosts
from mass_pipeline.demo_web.web import DemoWeb


def _get(host: str, target: str, **headers: str) -> tuple[int, str, str]:
    response = portal_hosts(load_articles())[host].respond(Request("GET", host, target, headers))
    encoding = "cp1250" if "1250" in response.content_type else "utf-8"
    return response.status, response.body.decode(encoding), response.headers.get("ETag", "")


class TestArticles:
    def test_both_labels_stand_on_every_portal(self) -> None:
        counts = Counter((article.portal, article.relevant) for article in load_articles())

        assert set(counts) == {(portal, label) for portal in HOSTS for label in (True, False)}
        assert min(counts.values()) >= 4

    def test_every_article_is_served_with_its_words(self) -> None:
        for article in load_articles():
            status, body, _ = _get(HOSTS[article.portal], article.target)

            assert status == 200
            assert article.text.splitlines()[-1] in body


class TestPortals:
    @pytest.mark.parametrize(
        ("host", "target", "words"),
        [
            ("wiesci-zielne.example", "/page/3/", "Szkolny sad"),
            ("wiesci-zielne.example", "/feed/", "<pubDate>Fri, 20 Nov 2026"),
            ("kurier-borkowski.example", "/index.php?dzial=wiadomosci&strona=2", "Szpital szuka lekarzy"),
            ("glos-powiatu.example", "/szukaj?q=szko%C5%82a", "Brakuje anglistów"),
            ("glos-powiatu.example", "/sitemap.xml", "<lastmod>2026-11-20</lastmod>"),
        ],
    )
    def test_lists_pagers_feeds_searches_and_sitemaps_answer(self, host: str, target: str, words: str) -> None:
        status, body, _ = _get(host, target)

        assert status == 200
        assert words in body

    def test_what_is_not_there_is_a_404_and_what_is_known_a_304(self) -> None:
        host = "wiesci-zielne.example"
        _, _, etag = _get(host, "/")

        assert _get(host, "/page/9/")[0] == 404
        assert _get(host, "/page/x/")[0] == 404
        assert _get(host, "/", **{"if-none-match": etag})[0] == 304

    def test_they_belong_to_the_demo_web(self) -> None:
        assert set(HOSTS.values()) <= set(DemoWeb().hosts)
