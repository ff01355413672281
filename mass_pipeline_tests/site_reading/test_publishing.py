"""Rows are published from a stated probability on; what is below waits for a person with the reason."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace

import pytest

from mass_pipeline.site_reading.ownership.confidence import CONTRADICTED_REASON, PUBLISH_FROM, probability, reasons_against
from mass_pipeline.site_reading.ownership.features import RowEvidence
from mass_pipeline.site_reading.ownership.publishing import OTHER_CHURCH, explain_rows
from mass_pipeline.site_reading.ownership.sites import order_of
from mass_pipeline_tests.evaluation.belonging.pages import NAMING, PARISHES, html_of, written_pages
from mass_pipeline_tests.site_reading.made import published, site

PLAIN = "<h1>Msze święte</h1><p>Niedziele: 8.00, 10.00, 12.00</p><p>Dni powszednie: 18.00</p>"
STRANGE = (
    "<h1>Opowieść starego zegara</h1><p>Wskazówki kręcą się, a ja budzę kogutów: Msze święte niedziele 8.00, 10.00, 12.00, "
    "dni powszednie 18.00, potem sen.</p>"
)
MOTTO = (
    "<title>św. Rafał / Sośnica</title><h1>Światło, które nie gaśnie.</h1><h2>niedziele</h2><p>8:00 10:00 12:00</p>"
    "<h2>pn.–sob.</h2><p>18:00</p>"
)
OF_OBLIGATION = "<h2>święta nakazane</h2><p>8:00 18:00</p>"


class TestPlacesThatCannotBeTold:
    def test_their_rows_are_those_of_another_church(self) -> None:
        """After an hour "Kulbacka" may be a village nobody knows; it is no Mass in the parish church, and no name is shown."""
        schedule = published("<h1>Msze święte</h1><p>Niedziele: 7.30; 9.00 - Kulbacka; 10.30</p><p>Dni powszednie: 18.00</p>")

        places = {read.mass.time: read.mass.place for read in schedule.masses}
        assert places == {"07:30": "", "09:00": OTHER_CHURCH, "10:30": "", "18:00": ""}
        assert schedule.withheld == ()

    def test_wait_where_they_may_be_persons(self) -> None:
        schedule = published("<h1>Msze święte</h1><p>Niedziele: 7.30; 9.00 - Kulbacka Maria; 10.30</p>")

        assert {read.mass.time for read in schedule.masses} == {"07:30", "10:30"}

    def test_are_shown_where_they_are_the_parishs_own(self) -> None:
        schedule = published(
            "<title>Parafia św. Anny w Dębince</title><h1>Msze święte</h1><p>w niedziele: Dębinka 8.15; Kalinki 9.45</p>"
        )

        assert {read.mass.place for read in schedule.masses} == {"Dębinka", OTHER_CHURCH}

    def test_are_those_that_lines_name_whatever_stands_above(self) -> None:
        """A strange line over an order takes no row away that names its village; a strange heading is no village."""
        schedule = published(
            "<p>Uchwalono standardy ochrony małoletnich oraz zasady zgłaszania podejrzeń</p><p>Msze Święte</p>"
            "<p>Niedziele: 7.30; 9.00 - Kulbacka; 10.30</p><p>Dni powszednie: 18.00</p>"
        )

        assert {read.mass.time: read.mass.place for read in schedule.masses}["09:00"] == OTHER_CHURCH

    def test_no_row_shows_a_mask(self) -> None:
        page = "<h1>Msze święte</h1><p>Niedziele: 7.30, 9.00 (kaplica Jana Pindora), 10.30</p>"

        assert {read.mass.place for read in published(page).masses} == {"", "kaplica"}


class TestHoursThatNoRuleTakes:
    """Nothing typed by hand beside a Mass is dropped in silence."""

    @pytest.mark.parametrize(
        ("behind", "hour"),
        [
            (", dodatkowo po Gorzkich Żalach godz. 15.45", "15:45"),
            ("; a w odpust także 13.00", "13:00"),
            ("; po nabożeństwie fatimskim 19.15", "19:15"),
        ],
    )
    def test_wait_with_the_reason(self, behind: str, hour: str) -> None:
        judged = site(f"<h1>Msze święte</h1><p>Niedziele: 8.00, 10.00{behind}</p><p>Dni powszednie: 18.00</p>")

        schedule = order_of(judged.schedule, judged.pages, judged.own, "parish", None)

        waiting = [one for one in schedule.withheld if one.read.mass.time == hour]
        assert hour not in {read.mass.time for read in schedule.masses}
        assert waiting
        assert all(one.reasons[0] and one.read.confidence < PUBLISH_FROM and one.read.evidence[0].quote for one in waiting)

    def test_are_none_of_another_service(self) -> None:
        judged = site(PLAIN + "<p>Po Mszy św. o 18.00 różaniec o 18.30. Kancelaria: wtorki 16.00</p>")

        assert order_of(judged.schedule, judged.pages, judged.own, "parish", None).withheld == ()


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

    def test_a_list_of_days_of_obligation_makes_an_order_whatever_motto_heads_the_page(self) -> None:
        """Hours in plain words alone may be those of a pool; nobody else opens on such days."""
        assert published(MOTTO).masses == ()

        schedule = published(MOTTO + OF_OBLIGATION)

        assert schedule.withheld == ()
        assert {"Su", "PH"} <= {day for read in schedule.masses for day in read.mass.days}

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

    @pytest.mark.parametrize("heading", ["Lwów, katedra łacińska", "Wieczór wspomnień", "Obostrzenia sanitarne"])
    def test_a_line_that_heads_its_own_lists_waits_below_a_heading_of_something_else(self, heading: str) -> None:
        line = "<p>Msze święte: niedziele 9.00, 11.00; dni powszednie 17.00</p>"
        assert not published(f"<h1>{heading}</h1>{line}").masses

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
        pages = [html_of(page, PARISHES[at % 10], at % NAMING) for at, page in enumerate(written_pages("unknown_pages_seventh"))]

        assert [page for page in pages if published(page).masses] == []

    def test_of_the_other_pages_hardly_any_publishes(self) -> None:
        """144 pages of all classes; at most three in a hundred may."""
        pages = [
            html_of(page, PARISHES[at % 10], at % NAMING)
            for at, page in enumerate([*written_pages("unknown_pages_eighth"), *written_pages("unknown_pages_ninth")])
        ]

        assert sum(bool(published(page).masses) for page in pages) <= 3 * len(pages) // 100

    @pytest.mark.parametrize(("name", "most"), [("own_pages_second", 12), ("own_pages_third", 3)], ids=("wild", "common"))
    def test_most_own_pages_are_published_whatever_their_headings(self, name: str, most: int) -> None:
        """Of 60 pages under the wildest headings 21 waited when every unknown word was as strange, of 24 common ones nine."""
        read = [
            one
            for at, page in enumerate(written_pages(name))
            if (one := html_of(page, PARISHES[at % 10], at % NAMING)) and site(one).readings
        ]

        waiting = [page for page in read if site(page).schedule.masses and not published(page).masses]

        assert len(waiting) <= most


class TestTitlesAndSentences:
    LIST = "<p>Niedziele: 8.00, 10.00, 12.00</p><p>Dni powszednie: 18.00</p>"

    @pytest.mark.parametrize("title", ["Parafia św. Anny w Borach", "Strona główna", "Witamy"])
    def test_one_strange_word_is_no_obstacle_on_the_home_page(self, title: str) -> None:
        page = f"<h1>Witraże przy ołtarzu</h1>{self.LIST}"

        assert published(f"<title>{title}</title>{page}").masses
        assert not published(f"<title>Galeria - {title}</title>{page}").masses

    def test_words_that_stand_on_sites_of_parishes_everywhere_count_for_less(self) -> None:
        assert published(f"<h1>Rodzina przy ołtarzu</h1>{self.LIST}").masses
        assert not published(f"<h1>Skansen przy ołtarzu</h1>{self.LIST}").masses

    def test_a_capital_that_opens_a_sentence_is_no_name_of_a_church(self) -> None:
        assert published(f"<h1>Kościół w Borach</h1>{self.LIST}").masses
        assert not published(f"<h1>Parking przy kościele</h1>{self.LIST}").masses

    def test_a_chapel_below_the_plain_order_of_the_parish_is_published_with_it(self) -> None:
        chapel = RowEvidence(0.95, strange_title=1.0)

        assert probability(chapel) < PUBLISH_FROM < probability(replace(chapel, beside_plain=True))

    def test_an_order_stated_of_the_own_church_holds_under_any_heading(self) -> None:
        stated = "W naszym kościele Msze święte są odprawiane w niedziele o 8.00 i 10.00, a w dni powszednie o 18.00."

        assert published(f"<h1>Wczasowicze, urlop z Bogiem</h1><p>{stated}</p>").masses
        assert not published(f"<h1>Wczasowicze, urlop z Bogiem</h1>{self.LIST}").masses


class TestTheProbability:
    @pytest.mark.parametrize(
        "worse",
        [
            RowEvidence(0.5),
            RowEvidence(0.95, strange_line=2, strange_heading=2),
            RowEvidence(0.95, unexplained=("żniw",)),
            RowEvidence(0.95, contradicted=0.5),
            RowEvidence(0.95, objections=1),
        ],
    )
    def test_what_speaks_against_a_row_lowers_it(self, worse: RowEvidence) -> None:
        assert probability(worse) < probability(RowEvidence(0.95))

    @pytest.mark.parametrize("better", [RowEvidence(0.95, own_named=True), RowEvidence(0.99)])
    def test_what_speaks_for_it_raises_it(self, better: RowEvidence) -> None:
        assert probability(better) > probability(RowEvidence(0.95))

    def test_unexplained_words_keep_any_row_from_being_published(self) -> None:
        best = RowEvidence(1.0, score=1.3, own_named=True, stated=True)

        assert probability(best) > PUBLISH_FROM > probability(replace(best, unexplained=("żniw",)))

    def test_nothing_is_certain(self) -> None:
        assert 0 < probability(RowEvidence(0.0, objections=20)) < probability(RowEvidence(1.0, own_named=True)) < 1

    def test_a_reason_is_always_given(self) -> None:
        assert reasons_against(RowEvidence(0.5)) == ("its words admit another reading",)
        assert reasons_against(RowEvidence(1.0))


class TestExplain:
    def test_the_evidence_of_a_row_is_named(self) -> None:
        judged = site(PLAIN)
        lines = list(explain_rows(judged.schedule.masses, judged.pages, judged.own))

        assert len(lines) == len(judged.schedule.masses)
        assert all("strange_heading 0" in line and "contradicted 0.00" in line for line in lines)


class TestOrdersThatContradictEachOther:
    def test_wait_both(self) -> None:
        """Nothing says which of two undated orders of a church is the present one."""
        other = (
            PLAIN.replace("8.00, 10.00, 12.00", "7.30, 9.30, 11.30").replace("18.00", "17.30").replace("Msze", "Porządek Mszy")
        )
        schedule = published(PLAIN, other)

        assert schedule.masses == ()
        assert {reason for one in schedule.withheld for reason in one.reasons} >= {"the site states other times too"}

    def test_do_not_when_one_of_them_is_stated_by_most_pages(self) -> None:
        other = PLAIN.replace("8.00, 10.00, 12.00", "7.30, 9.30, 11.30")
        pages = (PLAIN, PLAIN, PLAIN, PLAIN, other)

        assert len(published(*pages).masses) == len(site(*pages).schedule.masses)


class TestDataForMachines:
    """JSON-LD of a page beside its text: neither changes the other."""

    @pytest.mark.parametrize(
        ("days", "hours", "waiting"),
        [
            (("Sunday",), ("08:00", "10:00", "12:00"), set()),
            (("Sunday",), ("08:00", "10:00", "12:00", "18:00"), {("Su", "18:00")}),
            (("Sunday",), ("09:00",), {("Su", "08:00"), ("Su", "09:00"), ("Su", "10:00"), ("Su", "12:00")}),
            (("Monday",), ("06:30",), {("Mo", "06:30"), *((day, "18:00") for day in ("Mo", "Tu", "We", "Th", "Fr", "Sa"))}),
        ],
    )
    def test_that_differ_make_both_wait(
        self, days: tuple[str, ...], hours: tuple[str, ...], waiting: set[tuple[str, str]]
    ) -> None:
        schedule = published(f"{data_of(days, hours)}{PLAIN}")

        assert waiting == {(day, one.read.mass.time) for one in schedule.withheld for day in one.read.mass.days}
        assert all(one.reasons[0] == CONTRADICTED_REASON for one in schedule.withheld)

    def test_of_days_that_no_text_names_stand(self) -> None:
        schedule = published(f"{data_of(['Saturday'], ['17:00'])}<h1>Msze święte</h1><p>Niedziele: 8.00, 10.00, 12.00</p>")

        assert ("Sa", "17:00") in {(day, read.mass.time) for read in schedule.masses for day in read.mass.days}


def data_of(days: Sequence[str], hours: Sequence[str]) -> str:
    """Masses as JSON-LD."""
    plans = [{"@type": "Schedule", "byDay": [f"https://schema.org/{day}" for day in days], "startTime": hour} for hour in hours]
    events = [{"@type": "Event", "name": "Msza święta", "eventSchedule": plan} for plan in plans]
    return f'<script type="application/ld+json">{json.dumps(events)}</script>'


class TestConditions:
    @pytest.mark.parametrize(
        "said",
        [
            "12.00 (jeśli nie ma pogrzebu)",
            "12.00 (jeżeli jest intencja)",
            "12.00, o ile jest drugi kapłan",
            "12.00 (tylko transmisja)",
            "ewentualnie 12.00",
            "12.00 w razie potrzeby",
        ],
    )
    def test_of_an_hour_that_no_calendar_tells_make_it_wait(self, said: str) -> None:
        schedule = published(f"<h1>Msze święte</h1><p>Niedziele: 8.00, {said}</p><p>Dni powszednie: 18.00</p>")

        assert "12:00" in {one.read.mass.time for one in schedule.withheld}

    @pytest.mark.parametrize("said", ["10.00 (transmisja)", "10.00 (gdy nie ma wakacji)"])
    def test_that_a_calendar_tells_or_that_are_none_do_not(self, said: str) -> None:
        schedule = published(f"<h1>Msze święte</h1><p>Niedziele: 8.00, {said}</p><p>Dni powszednie: 18.00</p>")

        assert "10:00" in {read.mass.time for read in schedule.masses}


class TestASiteThatNamesAnotherParish:
    @pytest.mark.parametrize(
        ("name", "town", "waits"),
        [
            ("Parafia św. Anny", "Lipowo", True),
            ("Parafia św. Jana", "Lipowo", False),
            ("Parafia św. Anny", "Zalesie", False),
        ],
    )
    def test_than_the_directory_waits(self, name: str, town: str, waits: bool) -> None:
        judged = site(f"<title>Parafia św. Jana w Zalesiu</title>{PLAIN}", names=(name, town))

        assert waits == (not judged.schedule.masses)
        assert waits == any("another parish" in reason for one in judged.schedule.withheld for reason in one.reasons)
