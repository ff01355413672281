"""What search engines and previews read: one address for each page, both languages, and a map of all towns and parishes."""

from __future__ import annotations

import html
import re
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from mass_pipeline_tests.finding.made import parish, row
from mass_pipeline_tests.public_web.support import Visitor, published, site_over

TOWN = "/miejscowosc/pomorskie/mlyny"
PARISH = "/parafia/zdroj-wszystkich-swietych-p000007"
SITE = "https://localhost"
NAMES = "{http://www.sitemaps.org/schemas/sitemap/0.9}"


def head(page: str) -> dict[str, str]:
    """Links and meta elements by relation, language or name."""
    found = dict(re.findall(r'<link rel="(canonical)" href="([^"]*)"', page))
    found |= {f"hreflang {key}": link for key, link in re.findall(r'hreflang="([^"]*)" href="([^"]*)"', page)}
    said = re.findall(r'<meta (?:name|property)="([^"]*)" content="([^"]*)"', page)
    return found | {key: html.unescape(text) for key, text in said}


class TestHead:
    @pytest.mark.parametrize("path", ["/", TOWN, PARISH, "/diecezja/tarnowska", "/mapa"])
    def test_both_languages_are_named_by_whole_addresses(self, visitor: Visitor, path: str) -> None:
        english = "/en" if path == "/" else f"/en{path}"
        for own in (path, english):
            said = head(visitor.page(own))

            assert said["canonical"] == said["og:url"] == SITE + own
            assert said["hreflang pl"] == said["hreflang x-default"] == SITE + path
            assert said["hreflang en"] == SITE + english

    def test_each_page_says_what_it_is_about(self, visitor: Visitor) -> None:
        town, one = head(visitor.page(TOWN)), head(visitor.page(PARISH))

        assert "Młyny" in town["description"]
        assert "Zdrój, Wszystkich Świętych" in one["og:description"] == one["description"]
        assert one["og:title"].startswith("Zdrój, Wszystkich Świętych")

    def test_a_shared_link_has_a_picture_that_messengers_show(self, visitor: Visitor) -> None:
        picture = visitor.get(head(visitor.page(PARISH))["og:image"].removeprefix(SITE))

        assert (picture.headers["content-type"], picture.content[:4]) == ("image/png", b"\x89PNG")

    def test_results_are_kept_out(self, visitor: Visitor) -> None:
        assert head(visitor.page("/msze?q=Młyny"))["robots"] == "noindex"


class TestSitemap:
    def test_towns_and_parishes_stand_in_it_in_both_languages_with_their_days(self, visitor: Visitor) -> None:
        index = ET.fromstring(visitor.get("/sitemap.xml").text)
        maps = [one.findtext(f"{NAMES}loc") or "" for one in index]
        for address, root in zip(maps, ("", "/en"), strict=True):
            urls = ET.fromstring(visitor.get(address.removeprefix(SITE)).text)
            found = {one.findtext(f"{NAMES}loc"): one.findtext(f"{NAMES}lastmod") for one in urls}

            assert found[f"{SITE}{root}{TOWN}"] == found[f"{SITE}{root}{PARISH}"] == "2026-11-22"
            assert {visitor.get(str(page).removeprefix(SITE)).status_code for page in found} == {200}

    def test_there_is_none_of_another_language(self, visitor: Visitor) -> None:
        assert visitor.get("/sitemap-de.xml").status_code == 404


class TestWords:
    def test_towns_in_capitals_are_shown_in_ordinary_ones(self, tmp_path: Path) -> None:
        published(tmp_path, [parish(1, [row(["Su"], "08:00")], town="JASTRZĘBIE-ZDRÓJ")])
        visitor = Visitor(site_over(tmp_path))

        assert "Jastrzębie-Zdrój" in visitor.page("/miejscowosc/malopolskie/jastrzebie-zdroj")
        assert "JASTRZĘBIE" not in visitor.page("/diecezja/tarnowska")


class TestCalendarAndFrame:
    def test_a_parish_page_offers_what_can_be_subscribed_to_and_pasted(self, visitor: Visitor) -> None:
        page = html.unescape(visitor.page(PARISH))
        calendar = "webcal://localhost/api/v1/parishes/p000007/calendar.ics"

        assert f'href="{calendar}"' in page
        assert f"calendar.google.com/calendar/r?cid={calendar.replace(':', '%3A')}" in page
        assert f'<iframe src="{SITE}/widget/p000007"' in page
        assert visitor.get("/widget/p000007").status_code == 200

    def test_the_calendar_names_its_own_address(self, visitor: Visitor) -> None:
        text = visitor.get("/api/v1/parishes/p000007/calendar.ics").text.replace("\r\n ", "")
        source = re.search(r"SOURCE;VALUE=URI:(\S+)", text)

        assert source
        assert visitor.get(source[1].removeprefix(SITE)).status_code == 200

    def test_feeds_name_addresses_that_are_there(self, visitor: Visitor) -> None:
        for path in ("/zmiany.atom", f"{PARISH}/zmiany.atom", f"{TOWN}/zmiany.atom"):
            for link in re.findall(r'href="([^"]*)"', visitor.get(path).text):
                assert visitor.get(link.removeprefix(SITE)).status_code == 200, link
