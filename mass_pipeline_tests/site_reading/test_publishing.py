"""Rows are published from a stated probability on; what is below waits for a person with the reason."""

from __future__ import annotations

from datetime import date

import pytest

from mass_pipeline.extraction import read_document
from mass_pipeline.model.records import SiteSchedule
from mass_pipeline.schedule_grammar import read_page
from mass_pipeline.site_reading.belonging.confidence import PUBLISH_FROM, probability, reasons_against
from mass_pipeline.site_reading.belonging.features import RowEvidence
from mass_pipeline.site_reading.belonging.publishing import explain_rows, weighed
from mass_pipeline.site_reading.belonging.sites import JudgedSite, judge_site
from mass_pipeline_tests.evaluation.belonging.pages import NAMING, PARISHES, html_of, seventh_unknown_pages

TODAY = date(2026, 11, 22)
PLAIN = "<h1>Msze święte</h1><p>Niedziele: 8.00, 10.00, 12.00</p><p>Dni powszednie: 18.00</p>"
STRANGE = (
    "<h1>Opowieść starego zegara</h1><p>Wskazówki kręcą się, a ja budzę kogutów: Msze święte niedziele 8.00, 10.00, 12.00, "
    "dni powszednie 18.00, potem sen.</p>"
)


def site(page: str) -> JudgedSite:
    """Judge a page written as HTML."""
    return judge_site([read_page(read_document(page, content_type="text/html", url="/"))], TODAY)


def published(page: str) -> SiteSchedule:
    """What is published of it."""
    judged = site(page)
    return weighed(judged.schedule, judged.pages, judged.own, TODAY)


class TestTheThreshold:
    def test_a_plain_order_is_published_with_its_probability(self) -> None:
        schedule = published(PLAIN)

        assert schedule.withheld == ()
        assert all(0.9 < read.confidence < 1 for read in schedule.masses)

    def test_an_order_told_in_strange_words_under_a_strange_heading_waits(self) -> None:
        """No list of words knows every story; that it is told in words that no order needs is enough."""
        assert site(STRANGE).schedule.masses

        schedule = published(STRANGE)

        assert (schedule.masses, schedule.status) == ((), "none")
        assert {one.read.mass.time for one in schedule.withheld} == {"08:00", "10:00", "12:00", "18:00"}
        assert all(one.read.confidence < PUBLISH_FROM and one.reasons for one in schedule.withheld)

    def test_what_was_objected_to_is_improbable(self) -> None:
        schedule = published(PLAIN.replace("Msze święte", "Msze święte - projekt"))

        assert max(one.read.confidence for one in schedule.withheld) < 0.1


class TestWhoseHoursTheyAre:
    """A list is taken when something says that it is an order, not when nothing says that it is none."""

    LIST = "<p>Niedziele: 8.00, 10.00, 12.00</p><p>Dni powszednie: 18.00</p>"

    @pytest.mark.parametrize(
        "heading",
        [
            "Msze święte",
            "Porządek nabożeństw",
            "Kościół parafialny w Borach",
            "W ciągu roku",
            "Szczęść Boże!",
            "tel. 81 000 00 00",
            "Gdzie i kiedy Msza Święta?",
            "O której Msza?",
            "Informacje praktyczne",
            "Życie sakramentalne",
            "Zaplanuj wizytę",
            "Niezbędnik parafianina",
            "Kiedy się modlimy",
            "Unsere Gottesdienste",
            "When to find us",
        ],
    )
    def test_a_list_below_a_heading_of_an_order_or_of_nothing_else_is_published(self, heading: str) -> None:
        assert published(f"<h1>{heading}</h1>{self.LIST}").masses

    @pytest.mark.parametrize("heading", ["Moduł tekstowy", "Eksponat czternasty", "Linia autobusowa", "Toronto, Ontario"])
    def test_a_list_below_a_heading_of_something_else_waits(self, heading: str) -> None:
        assert not published(f"<h1>{heading}</h1>{self.LIST}").masses

    def test_a_village_below_a_heading_of_masses_is_one_of_its_churches(self) -> None:
        assert published(f"<h1>Msze święte</h1><h2>Bielanka</h2>{self.LIST}").masses

    def test_a_label_heads_what_stands_below_it(self) -> None:
        assert published(f"<p>Od czerwca do września:</p>{self.LIST}").masses
        assert not published(f"<p>ZBIÓRKI CHÓRU:</p>{self.LIST}").masses

    def test_a_sentence_of_its_own_below_a_heading_of_masses_waits(self) -> None:
        assert not published("<h1>Msze święte</h1><p>Takie kartki znaleziono: niedziele 8.00, 10.00, powszednie 18.00</p>").masses

    def test_a_season_of_a_year_long_past_is_over(self) -> None:
        assert not published("<h1>Msze święte</h1><p>Lato 2019: niedziele 8.00, 10.00, dni powszednie 18.00</p>").masses

    def test_pages_written_when_the_mechanism_stood_publish_nothing(self) -> None:
        """41 pages; the wish is one in thirty, none does."""
        pages = [html_of(page, PARISHES[at % 10], at % NAMING) for at, page in enumerate(seventh_unknown_pages())]

        assert [page for page in pages if published(page).masses] == []


class TestTheProbability:
    @pytest.mark.parametrize(
        "worse",
        [
            RowEvidence(0.5),
            RowEvidence(0.95, strange_line=2, strange_heading=2),
            RowEvidence(0.95, elsewhere=True),
            RowEvidence(0.95, objections=1),
        ],
    )
    def test_what_speaks_against_a_row_lowers_it(self, worse: RowEvidence) -> None:
        assert probability(worse) < probability(RowEvidence(0.95))

    @pytest.mark.parametrize("better", [RowEvidence(0.95, own_named=True), RowEvidence(0.95, agreed=True), RowEvidence(0.99)])
    def test_what_speaks_for_it_raises_it(self, better: RowEvidence) -> None:
        assert probability(better) > probability(RowEvidence(0.95))

    def test_nothing_is_certain(self) -> None:
        assert 0 < probability(RowEvidence(0.0, objections=20)) < probability(RowEvidence(1.0, own_named=True, agreed=True)) < 1

    def test_a_reason_is_always_given(self) -> None:
        assert reasons_against(RowEvidence(0.5)) == ("its words admit another reading",)
        assert reasons_against(RowEvidence(1.0))


class TestExplain:
    def test_the_evidence_of_a_row_is_named(self) -> None:
        judged = site(PLAIN)
        lines = list(explain_rows(judged.schedule.masses, judged.pages, judged.own, TODAY))

        assert len(lines) == len(judged.schedule.masses)
        assert all("strange_heading 0" in line and "pages 1" in line for line in lines)
