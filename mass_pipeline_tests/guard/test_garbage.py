"""How often garbage is sought while a page is read."""

from __future__ import annotations

import gc
from collections.abc import Iterator, Mapping, Sequence
from datetime import date

import pytest

from mass_pipeline.guard import seldom_collected
from mass_pipeline.reading.regular.reading import read_page
from mass_pipeline.reading.text.reader import read_document
from mass_pipeline.site_reading import pages


class TestSeldomCollected:
    @pytest.fixture(autouse=True)
    def _as_before(self) -> Iterator[None]:
        before = gc.get_threshold()
        gc.set_threshold(700, 10, 10)
        yield
        gc.set_threshold(*before)

    def test_garbage_is_sought_less_often_inside_and_as_before_afterwards(self) -> None:
        with seldom_collected():
            inside = gc.get_threshold()
            with seldom_collected():
                assert inside == gc.get_threshold()
            assert inside == gc.get_threshold()

        assert inside[0] > 700
        assert gc.get_threshold() == (700, 10, 10)

    def test_an_error_inside_leaves_nothing_changed(self) -> None:
        with pytest.raises(ValueError, match="page"), seldom_collected():
            raise ValueError("page")

        assert gc.get_threshold() == (700, 10, 10)

    @pytest.mark.parametrize("young", [0, 50_000])
    def test_a_process_that_seeks_even_less_often_is_left_as_it_is(self, young: int) -> None:
        gc.set_threshold(young, 10, 10)

        with seldom_collected():
            assert gc.get_threshold() == (young, 10, 10)

    def test_a_page_is_read_with_hardly_a_search(self) -> None:
        """Most of what a page makes is freed with it; a search in the middle of it finds nothing."""
        page = "<h2>Msze święte</h2>" + "<p>Niedziela: 8.00, 10.00</p><p>Dni powszednie: 18.00</p>" * 60
        read_page(read_document(page))  # loads the vocabulary, which stays
        gc.collect()
        before = gc.get_stats()[0]["collections"]

        reading = read_page(read_document(page))

        assert reading.masses
        assert gc.get_stats()[0]["collections"] - before <= 2
        assert gc.get_threshold() == (700, 10, 10)

    def test_between_the_pages_of_a_site_it_is_sought_as_seldom(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """What was read is kept: after every page a search would go through more of it."""
        seen: list[int] = []

        def read(body: bytes, **given: object) -> object:
            seen.append(gc.get_threshold()[0])
            document = read_document(body)
            return document, read_page(document)

        monkeypatch.setattr(pages, "read_guarded", read)
        (site,) = pages.SiteReader(lambda: date(2026, 11, 23)).sites(_TwoPages())

        assert len(site.pages) == 2
        assert min(seen) > 700
        assert gc.get_threshold() == (700, 10, 10)


class _TwoPages:
    def rows(self, columns: Sequence[str]) -> Iterator[Mapping[str, object]]:
        told = {"parish_id": "p", "outcome": "ok", "body": b"<p>Niedziela: 8.00</p>"}
        return ({**dict.fromkeys(columns), **told, "url": url} for url in ("http://a.example/", "http://a.example/msze"))
