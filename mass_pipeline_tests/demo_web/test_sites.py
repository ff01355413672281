"""The bundled sites: what they hold, that their truth stands on their pages, and that nothing of the making shows."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from mass_pipeline.demo_web.compose import ComposedPage
from mass_pipeline.demo_web.marks import visible_text
from mass_pipeline.demo_web.web import DemoParish, DemoWeb
from mass_pipeline_tests.demo_web.phenomena import PHENOMENA

_PARISHES = {parish.key: parish for parish in DemoWeb().parishes}


def _text(parish: DemoParish, page: ComposedPage) -> str:
    return visible_text(page.response.body.decode(page.source.charset or parish.site.charset))


def _own_text(parish: DemoParish) -> str:
    return " | ".join(_text(parish, page) for page in parish.pages if page.source in parish.site.pages)


class TestTheSet:
    def test_has_at_least_45_sites_in_three_dioceses(self) -> None:
        dioceses = Counter(parish.site.diocese for parish in _PARISHES.values())

        assert len(_PARISHES) >= 45
        assert len(dioceses) == 3
        assert min(dioceses.values()) >= 15

    def test_every_phenomenon_is_shown_by_some_site(self) -> None:
        shown = {number for parish in _PARISHES.values() for number in parish.site.phenomena}

        assert set(PHENOMENA) == shown

    def test_has_every_kind_of_unreadable_schedule(self) -> None:
        kinds = Counter(parish.site.readable for parish in _PARISHES.values())
        once = ("pdf", "image", "javascript", "robots_503", "nothing_stated", "over", "opted_out")

        assert all(kinds[kind] == 1 for kind in once)

    def test_has_every_hard_charset(self) -> None:
        sites = [parish.site for parish in _PARISHES.values()]
        said = {(site.charset, site.header_charset or site.declared) for site in sites}

        assert {("cp1250", ""), ("iso-8859-2", ""), ("utf-8", "iso-8859-2"), ("cp1250", "iso-8859-2")} <= said

    def test_shares_a_host_among_several_parishes(self) -> None:
        hosts = Counter(parish.site.host for parish in _PARISHES.values())

        assert hosts["parafie.kuria-elblaska.example"] >= 3

    def test_composing_it_again_gives_the_same_bytes(self, demo: DemoWeb) -> None:
        pages = [(page.url, page.response.body) for parish in demo.parishes for page in parish.pages]

        assert [(page.url, page.response.body) for parish in _PARISHES.values() for page in parish.pages] == pages


class TestEverySite:
    def test_has_six_to_fifteen_pages(self) -> None:
        assert [key for key, parish in _PARISHES.items() if not 6 <= len(parish.pages) <= 15] == []

    def test_every_true_hour_stands_on_a_page_and_is_marked_as_a_mass(self) -> None:
        """But for the one that stands in a PDF."""
        for key, parish in _PARISHES.items():
            own = {h.time for page in parish.pages if page.source in parish.site.pages for h in page.hours if h.kind in "mb"}

            assert parish.site.readable == "pdf" or {mass.time for mass in parish.site.truth} <= own, key

    def test_no_hour_is_marked_as_a_standing_mass_that_the_truth_lacks(self) -> None:
        for key, parish in _PARISHES.items():
            marked = {hour.time for page in parish.pages for hour in page.hours if hour.kind in "mb"}

            assert marked <= {mass.time for mass in parish.site.truth}, key

    def test_shows_the_phenomena_it_claims(self) -> None:
        for key, parish in _PARISHES.items():
            text = _own_text(parish)

            assert [n for n in parish.site.phenomena if not PHENOMENA[n][1](text, parish.site.truth)] == [], key

    def test_nothing_of_the_making_shows(self) -> None:
        for parish in _PARISHES.values():
            for page in parish.pages:
                markup = page.response.body.decode(page.source.charset or parish.site.charset)

                assert not re.search(r"[\ue000-\uf8ff]|\{[mdxnb] |\[\[\w+\||\$[a-z]", markup), page.url

    def test_every_link_leads_to_a_page_but_the_broken_ones_on_purpose(self, demo: DemoWeb) -> None:
        broken = set()
        for parish in _PARISHES.values():
            host = f"http://{parish.site.host}"
            known = {page.url for other in demo.parishes for page in other.pages if other.site.host == parish.site.host}
            known |= {f"{host}{target}" for target in (*parish.site.files, parish.site.prefix, "/")}
            hrefs = {
                href.replace("&amp;", "&")
                for page in parish.pages
                for href in re.findall(r'href="(/[^"]*)"', page.response.body.decode("latin-1"))
            }
            broken |= {host + href for href in hrefs if not href.startswith(("/kalendarz.php", "/styl.css"))} - known

        assert broken <= {"http://katarzyna-starzyny.example/index.php/nie-ma-takiej"}


class TestCopies:
    @pytest.mark.parametrize("key", [key for key, parish in _PARISHES.items() if 11 in parish.site.phenomena])
    def test_a_site_with_boilerplate_repeats_its_hours_on_every_page(self, key: str) -> None:
        parish = _PARISHES[key]
        framed = [page for page in parish.pages if not page.source.raw]
        least = min(sum(hour.kind == "m" for hour in page.hours) for page in framed)

        assert least >= 3


class TestLabels:
    def test_at_least_600_hours_are_labelled_with_all_three_labels(self, demo: DemoWeb) -> None:
        labels = Counter(annotation.label for annotation in demo.annotations)

        assert sum(labels.values()) >= 600
        assert min(labels[label] for label in ("mass", "not_mass", "cancelled")) >= 20

    def test_dated_masses_are_told_from_standing_ones(self, demo: DemoWeb) -> None:
        dated = Counter(annotation.dated for annotation in demo.annotations if annotation.label == "mass")

        assert min(dated[True], dated[False]) >= 300

    def test_at_least_300_announcements_are_labelled(self, demo: DemoWeb) -> None:
        relevant = Counter(announcement.relevant for announcement in demo.announcements)

        assert min(relevant[True], relevant[False]) >= 150

    def test_an_announcement_stands_on_its_page_as_written(self, demo: DemoWeb) -> None:
        pages = {page.url: _text(parish, page) for parish in demo.parishes for page in parish.pages}

        assert all(a.text in pages[a.url] for a in demo.announcements)

    def test_a_forbidden_site_has_no_labels(self, demo: DemoWeb) -> None:
        assert not any(annotation.parish == "k07-zamczysko" for annotation in demo.annotations)
