"""Only this parish's order of today is taken: pages of other churches and other times say nothing, and look-alikes stay read."""

from __future__ import annotations

from datetime import date

import pytest

from mass_pipeline.model.records import Mass, SiteSchedule
from mass_pipeline.reading.text.reader import read_document
from mass_pipeline.site_reading.ownership.evidence import Against
from mass_pipeline.site_reading.ownership.own_names import own_names
from mass_pipeline.site_reading.ownership.sites import judge_site
from mass_pipeline_tests.evaluation.belonging.pages import NAMING, PARISHES, WrittenPage, html_of, written_pages
from mass_pipeline_tests.evaluation.scoring import compare
from mass_pipeline_tests.site_reading.made import readings, site

KNOWN_GAPS = frozenset({"filial-row"})  # a table without heading cells is not read at all
UNKNOWN = written_pages("unknown_pages")
OWN = [page for page in written_pages("own_pages") if page.name not in KNOWN_GAPS]


def cells(schedule: SiteSchedule) -> set[tuple[str, str, str]]:
    """Day, hour and season of every published Mass."""
    return {(day, read.mass.time, read.mass.season) for read in schedule.masses for day in read.mass.days}


class TestPagesThatStateNoOrder:
    @pytest.mark.parametrize("page", UNKNOWN, ids=lambda page: page.name)
    def test_nothing_is_published(self, page: WrittenPage) -> None:
        """All hundred and more were written before the mechanism; one in thirty may get through, none does."""
        at = UNKNOWN.index(page)

        assert cells(site(html_of(page, PARISHES[at % len(PARISHES)], at % NAMING)).schedule) == set()

    def test_what_was_read_waits_with_the_reason(self) -> None:
        page = next(page for page in UNKNOWN if page.name == "project")

        withheld = site(html_of(page, PARISHES[0], 0)).schedule.withheld

        assert {one.read.mass.time for one in withheld} == {"07:30", "09:30", "11:30", "18:00", "17:00"}
        assert all("plan" in one.reasons[0] for one in withheld)


class TestPagesThatOnlyLookSo:
    @pytest.mark.parametrize("page", OWN, ids=lambda page: page.name)
    def test_the_order_stays_read(self, page: WrittenPage) -> None:
        at = OWN.index(page)
        read = [dict(read.mass.as_dict()) for read in site(html_of(page, PARISHES[at % 10], at % NAMING)).schedule.masses]

        difference = compare(page.masses, read, "week")

        assert (difference.misses, difference.extras) == (frozenset(), frozenset())


class TestALineAbove:
    @pytest.mark.parametrize(
        ("hours", "taken"), [("Niedziele: 8.00, 10.00", False), ("Msze święte w niedziele: 8.00, 10.00", True)]
    )
    def test_governs_hours_whose_own_line_names_no_mass(self, hours: str, taken: bool) -> None:
        judged = site(f"<h1>Msze święte</h1><p>Tak było dawniej w naszej parafii</p><p>{hours}</p>")

        assert bool(cells(judged.schedule)) == taken


OTHER_CONFESSIONS = (
    "Parafia Ewangelicko-Augsburska", "Zbór Baptystów", "Kościół Starokatolicki Mariawitów", "Parafia Polskokatolicka",
    "Cerkiew prawosławna", "Kościół Adwentystów Dnia Siódmego", "Kościół Ewangelicko-Metodystyczny", "Kościół Zielonoświątkowy",
    "Zbór Świadków Jehowy", "Kościół Chrystusowy", "Kościół Wolnych Chrześcijan", "Polski Narodowy Katolicki Kościół",
    "Kościół Nowoapostolski", "Parafia Starowierców",
)  # fmt: skip
LISTS = "<p>Niedziele: 9.00, 11.00</p><p>Dni powszednie: 18.00</p>"


class TestWhoseMassesTheyAre:
    """An order below the name of another church is not this one's, whether a heading, a line or a cell names it."""

    @pytest.mark.parametrize("name", OTHER_CONFESSIONS)
    def test_those_of_another_confession_are_not_taken_whatever_the_site_calls_itself(self, name: str) -> None:
        of_theirs = f"<title>{name} w Brzeziu</title><h1>Msze święte</h1>{LISTS}"

        assert not site(of_theirs).schedule.masses

    @pytest.mark.parametrize(
        "name", ["Kościół parafialny św. Anny", "Kościół Zmartwychwstania Pańskiego", "Proboszczem parafii jest ks. Adam Nowy."]
    )
    def test_those_below_a_patron_or_a_sentence_are_taken(self, name: str) -> None:
        page = f"<title>Parafia św. Anny w Brzeziu</title><h1>Msze święte</h1><p>{name}</p>{LISTS}"

        assert {time for _, time, _ in cells(site(page).schedule)} == {"09:00", "11:00", "18:00"}


class TestAnOwnOrderBesideForeignPages:
    @pytest.mark.parametrize("first", [0, *(pytest.param(n, marks=pytest.mark.soak) for n in (1, 2, 3))])
    def test_no_row_changes(self, first: int) -> None:
        """A clear order of the parish is stronger than anything else on its site; four parishes and designs in turn."""
        homes = [html_of(OWN[0], PARISHES[one], one) for one in range(4)]
        alone = [cells(site(home).schedule) for home in homes]
        changed = 0
        for at, page in enumerate(UNKNOWN, first):
            one = at % 4
            changed += cells(site(homes[one], html_of(page, PARISHES[one], one)).schedule) != alone[one]

        assert changed <= len(UNKNOWN) // 100

    def test_an_order_set_aside_leaves_no_hour_to_the_classifier(self) -> None:
        """It completes a missing list of Sundays out of hours that the rules do not judge; these are judged."""
        pages = [site(html_of(page, PARISHES[0], 0)).pages[0] for page in UNKNOWN]
        aside = [(page, one.notice.first) for page in pages for one in page.set_aside]
        left = [n for page, first in aside for n in page.reading.notices if n.first == first and not n.score]

        assert left
        assert not [verdict for notice in left for verdict in notice.verdicts.values() if verdict.mass]


class TestWhoseNamesTheyAre:
    def test_names_come_from_title_head_foot_and_address(self) -> None:
        for design in range(NAMING):
            page = read_document(html_of(OWN[0], PARISHES[0], design), content_type="text/html")

            assert own_names([page]).has("Olszance")

    def test_a_page_without_names_is_held_to_none(self) -> None:
        page = "<title>Msze</title><h1>Msze święte w Jastarni</h1><p>Niedziele: 8.00, 10.00. Dni powszednie: 18.00.</p>"

        assert site(page).schedule.masses
        assert not site(page, names=("św. Jana", "Brzezie")).schedule.masses
        assert site(page, names=("św. Jana", "Jastarnia")).schedule.masses

    @pytest.mark.parametrize(
        ("heading", "is_published"),
        [("Parafia Przemienienia Pańskiego<br>Zalesie", True), ("Parafia Przemienienia Pańskiego<br>Zalesie – Borki", True),
         ("Parafia św. Wawrzyńca<br>Zalesie", False)],
    )  # fmt: skip
    def test_a_heading_that_says_the_whole_own_name_and_a_place_is_of_this_parish(self, heading: str, is_published: bool) -> None:
        """The title's second part is no name of the parish to be relied on: it is that of the page as often."""
        page = (f"<title>Parafia Przemienienia Pańskiego - Zalesie i Borki</title><h2>{heading}</h2><h3>Porządek Mszy</h3>"
                "<p>Niedziela: 8.00, 11.30</p><p>Dni powszednie: 17.00</p>")  # fmt: skip

        assert bool(site(page).schedule.masses) is is_published

    def test_the_address_in_a_box_that_names_nobody_is_not_how_the_parish_names_itself(self) -> None:
        """The heading at the edge is; else the cathedral whose box it is would be taken for the own church."""
        page = ("<title>Wyjazd na święcenia</title><h2>Parafia Matki Bożej Różańcowej w Lipowcu</h2><p>Start | Ogłoszenia</p>"
                "<h1>Wyjazd na święcenia diakonatu</h1><p>Zapisy w zakrystii do piątku.</p><h4>Katedra: Msze święte</h4>"
                "<p>niedziele 7.30, 9.00, 10.30, 12.00</p><p>powszednie 7.00, 8.00, 18.30</p>"
                "<p>Parafia katedralna, ul. Katedralna 3</p><p>Galeria</p><p>Do pobrania</p>")  # fmt: skip

        assert own_names([read_document(page, content_type="text/html")]).has("Lipowcu")
        assert not site(page).schedule.masses

    def test_another_place_of_the_same_name_is_another_parish(self) -> None:
        page = ("<title>Parafia św. Anny w Porębie</title><h2>Parafia św. Anny<br>Zalesie</h2><h3>Porządek Mszy świętych</h3>"
                "<p>Niedziela: 8.00, 11.30</p><p>Dni powszednie: 17.00</p>")  # fmt: skip

        assert not site(page).schedule.masses

    def test_another_place_in_a_line_beside_the_own_order_is_a_chapel(self) -> None:
        page = "<title>Parafia w Brzeziu</title><h1>Msze święte</h1><p>Niedziele: 8.00, 10.00</p><p>Nowiny: niedziela 9.00</p>"

        assert ("Su", "09:00", "all") in cells(site(page).schedule)

    @pytest.mark.parametrize("place", ["Katedra w Opolu", "Bazylika w Licheniu", "Kolegiata w Łasku"])
    def test_a_mother_church_elsewhere_below_the_own_order_is_no_chapel(self, place: str) -> None:
        page = (
            "<title>Parafia św. Anny w Brzeziu</title><h1>Parafia św. Anny w Brzeziu</h1><h2>Msze święte</h2>"
            "<p>Niedziele: 8.00, 10.00</p><p>Dni powszednie: 18.00</p><div><h3>{}</h3><p>Niedziele: 7.00, 21.00</p></div>"
        )

        assert {hour for _, hour, _ in cells(site(page.format(place)).schedule)} == {"08:00", "10:00", "18:00"}
        assert ("Su", "21:00", "all") in cells(site(page.format("Kaplica w Nowinach")).schedule)

    def test_a_cathedral_names_its_chapels(self) -> None:
        page = (
            "<title>Parafia katedralna w Brzeziu</title><h1>Parafia katedralna w Brzeziu</h1><h2>Msze święte</h2>"
            "<p>Niedziele: 8.00</p><p>Dni powszednie: 18.00</p><h3>Bazylika mniejsza w Nowinach</h3><p>Niedziele: 9.30</p>"
        )

        assert ("Su", "09:30", "all") in cells(site(page).schedule)

    def test_a_heading_that_goes_on_where_the_title_stops_is_how_the_parish_names_itself(self) -> None:
        """Catalogues of dioceses: the title says `św. Teresy`, the heading `św. Teresy Benedykty`; the foot is the diocese's."""
        head = "<title>Brzezie – parafia pw. św. Teresy | Diecezja Łaniecka</title>"
        order = "<p>Msze św. w niedziele: 8.00, 11.00; w dni powszednie: 18.00</p>"
        foot = "<footer>Dane o parafiach podaje kuria. Diecezja Łaniecka</footer>"

        own = site(f"{head}<h1>Brzezie – parafia pw. św. Teresy Benedykty</h1>{order}{foot}")
        other = site(f"{head}<h1>Parafia w Brzeziu</h1><h2>Dolne – parafia pw. św. Teresy Benedykty</h2>{order}{foot}")

        assert ("Su", "11:00", "all") in cells(own.schedule)
        assert cells(other.schedule) == set()

    def test_a_chapel_at_a_camp_beside_the_own_order_is_one_of_the_parish(self) -> None:
        camp = "<h3>Kaplica na campingu „Pod Sosnami”</h3><p>Msza św. w lipcu i sierpniu w każdą niedzielę o godz. 20.00</p>"
        own = "<h2>Msze św.</h2><p>Niedziele: 8.00, 11.00</p><p>Dni powszednie: 18.00</p>"
        head = "<title>Parafia św. Anny w Brzeziu</title>"

        assert ("Su", "20:00", "vacation") in cells(site(f"{head}{own}{camp}").schedule)
        assert cells(site(f"{head}{camp}").schedule) == set()


class TestEvidence:
    def test_every_kind_is_named_with_its_words(self) -> None:
        page = "<title>Parafia w Brzeziu</title><h1>Msze święte ważne do 30 czerwca 2019</h1><p>Niedziele: 8.00, 10.00, 12.00</p>"

        said = [one for page in site(page).pages for aside in page.set_aside for one in aside.objections]

        assert [(one.kind, one.words) for one in said] == [(Against.OVER, "wazne do 30 czerwca 2019")]

    @pytest.mark.parametrize(
        ("closing", "is_published"),
        [
            ("Powyższy porządek obowiązuje do 31 sierpnia 2019 r.", False),
            ("Podane wyżej godziny są aktualne.", True),
            ("Wyżej wymienione godziny Mszy św. były ważne do 30.06.2018.", False),
            ("Powyższy porządek obowiązuje od 1 września 2019 r.", True),
            ("Powyższy porządek obowiązuje do 31 sierpnia.", True),
            ("Powyższy porządek wakacyjny obowiązuje do 31 sierpnia 2019 r.", True),
            ("Zbiórka na dach trwała do 31 sierpnia 2019 r.", True),
        ],
    )
    def test_a_sentence_below_that_speaks_of_all_of_it_tells_how_long_it_held(self, closing: str, is_published: bool) -> None:
        order = "<h1>Msze święte</h1><p>Niedziele: 8.00, 10.00</p><p>Dni powszednie: 18.00</p>"
        page = f"<title>Parafia w Brzeziu</title>{order}<p>{closing}</p>"

        assert bool(site(page).schedule.masses) is is_published

    def test_the_same_words_hold_or_not_by_the_day_of_which_it_is_asked(self) -> None:
        page = "<h1>Msze święte do 30 czerwca 2027</h1><p>Niedziele: 8.00, 10.00. Dni powszednie: 18.00</p>"

        assert judge_site(readings(page), date(2027, 6, 30)).schedule.masses
        assert not judge_site(readings(page), date(2027, 7, 1)).schedule.masses

    def test_one_line_of_the_past_is_left_out_of_an_order(self) -> None:
        page = (
            "<h1>Msze święte</h1><p>Niedziele: 8.00, 10.00</p><p>Dni powszednie: 18.00</p>"
            "<p>Przed wojną odprawiano Msze w niedziele o 6.00 i 9.00, w dni powszednie o 6.30.</p>"
        )

        assert Mass(("Su",), "06:00") not in [read.mass for read in site(page).schedule.masses]
        assert ("Su", "08:00", "all") in cells(site(page).schedule)
