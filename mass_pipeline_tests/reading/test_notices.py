"""Which part of a page is its standing order, where dates, services and announcements stand beside it."""

from __future__ import annotations

import pytest

from mass_pipeline.reading.formats.summary import summarize
from mass_pipeline.reading.regular.reading import read_page, read_text
from mass_pipeline.reading.regular.sites import read_site
from mass_pipeline.reading.text.reader import read_document


def page(body: str) -> str:
    document = read_document(f"<html><body>{body}</body></html>".encode(), content_type="text/html; charset=utf-8")
    return summarize(found.mass for found in read_page(document).masses)


class TestOrderBehindDates:
    DATES = "<h3>Wielkanoc w parafii</h3><p>4 IV: 19.00; 5 IV: 6.00, 10.00; 6 IV: 9.00, 11.00</p>"

    def test_is_read_though_the_heading_above_is_that_of_a_feast(self) -> None:
        order = "<p>Msze św. w niedziele i święta: 7.30, 9.30, 11.30</p><p>Msze św. w dni powszednie: 17.30</p>"

        assert page(self.DATES + order) == "niedziele i święta: 7:30, 9:30, 11:30\ndni powszednie: 17:30"

    def test_lines_of_the_feast_remain_its_own(self) -> None:
        assert page(self.DATES + "<p>Msze św. w niedzielę: 7.30, 9.30, 11.30</p><p>poniedziałek: 9.00</p>") == "brak danych"


class TestServices:
    ROWS = (("Niedziele i święta", "8.30, 10.30"), ("Dni powszednie", "16.30"))
    TABLE = f"<table>{''.join(f'<tr><td>{days}</td><td>{hours}</td></tr>' for days, hours in ROWS)}</table>"

    def test_of_sundays_and_weekdays_are_masses(self) -> None:
        found = page(f"<p><b>Nabożeństwa</b></p>{self.TABLE}<p>Różaniec: piątek 16.00</p>")

        assert found == "niedziele i święta: 8:30, 10:30\ndni powszednie: 16:30"

    def test_stay_devotions_where_masses_have_their_own_words(self) -> None:
        assert page(f"<p>Porządek Mszy wkrótce</p><p><b>Nabożeństwa</b></p>{self.TABLE}") == "brak danych"

    def test_of_a_kind_stay_devotions(self) -> None:
        assert page(f"<p><b>Nabożeństwa różańcowe</b></p>{self.TABLE}") == "brak danych"


class TestDatesBelowTheOrder:
    ORDER = "<h3>Latem (czerwiec – wrzesień)</h3><p>Niedziele: 8.00, 10.30, 20.00</p><p>Dni powszednie: 7.30</p>"

    def test_under_a_heading_of_their_own_say_nothing_against_it(self) -> None:
        """No word about Masses stands over the order; the dates of a concert and a race came to outweigh its days."""
        news = "<h3>Koncerty 2026</h3><p>5 lipca – 20.30, 19 lipca – 20.30</p><p>Bieg 9.08.2026, start 11.00</p>"

        assert page(self.ORDER + news).startswith("niedziela: 8:00 (VI-IX), 10:30 (VI-IX), 20:00 (VI-IX)\n")

    def test_among_its_lines_do(self) -> None:
        dates = "<p>5 lipca 20.30, 19 lipca 20.30, 9 sierpnia 11.00, 15 sierpnia 12.00</p>"

        assert page(self.ORDER.replace("<p>Dni", dates + "<p>Dni")) == "brak danych"


class TestWidgets:
    def test_of_a_page_builder_are_the_page_itself(self) -> None:
        """A heading in a widget governs the list below it, which stands in another."""
        heading = '<div class="elementor-widget elementor-widget-heading"><h2>Msze święte</h2></div>'
        text = '<div class="elementor-widget-text-editor"><p>I piątek miesiąca dodatkowo 16.00</p></div>'

        assert page(f"{heading}<p>Niedziele: 9.00, 11.00</p>{text}") == "niedziela: 9:00, 11:00\npiątek: 16:00 (I w miesiącu)"


class TestMenus:
    def test_naming_today_are_no_news(self) -> None:
        body = "<p>Ogłoszenia Czytania na dziś</p><p>Niedziele 9.00, 11.00</p><p>Msze św. w dni powszednie 17.30</p>"

        assert page(body) == TestDatedNews.SUMMARY


class TestDatedNews:
    ORDER = "Niedziele 9.00, 11.00\nDni powszednie 17.30\n"
    SUMMARY = "niedziela: 9:00, 11:00\ndni powszednie: 17:30"

    def test_changes_nothing_of_the_order_above(self) -> None:
        found = read_text(f"{self.ORDER}Ogłoszenia na 6 grudnia 2026\nWe wtorek Msza św. o 7.00 zamiast o 17.30.")

        assert summarize(read.mass for read in found.masses) == self.SUMMARY

    def test_ends_where_the_order_of_masses_begins(self) -> None:
        found = read_text(f"Ogłoszenia 6 grudnia 2026\nW piątek o 15.00 koncert.\nMsze św. {self.ORDER}")

        assert summarize(read.mass for read in found.masses) == self.SUMMARY


class TestHeadings:
    NEWS = "<aside><h3>Aktualności</h3><p>W niedzielę 14 czerwca o 15.00 festyn.</p></aside>"
    ORDER = "<p>Niedziele 9.00, 11.00</p><p>Dni powszednie 17.30</p>"
    READ = "niedziela: 9:00, 11:00\ndni powszednie: 17:30"

    def test_of_a_side_bar_do_not_reach_into_the_main_column(self) -> None:
        assert page(self.NEWS + self.ORDER) == self.READ

    def test_of_masses_and_services_are_of_masses(self) -> None:
        assert page(f"<h2>Eucharystie i nabożeństwa</h2>{self.ORDER}") == self.READ

    def test_of_masses_begin_a_notice_behind_an_event(self) -> None:
        event = "<h3>Rekolekcje adwentowe</h3><p>W piątek o 20.00 nauka.</p><h3>Logowanie</h3><p>Nazwa użytkownika</p>"

        assert page(f"{event}<h2>Eucharystia</h2><p>Szczegóły</p>{self.ORDER}") == self.READ

    def test_of_the_office_end_where_sundays_are_listed(self) -> None:
        assert page("<h3>Kancelaria</h3><p>wtorek 16.00–17.00</p>" + self.ORDER) == self.READ

    def test_of_several_parishes_are_of_others(self) -> None:
        parishes = ("św. Anny", "św. Jana", "św. Jerzego")

        assert page("".join(f"<h2>Parafia {name}</h2>{self.ORDER}" for name in parishes)) == "brak danych"


class TestBoxes:
    """A heading ends with the box that holds it and what it governs."""

    ORDER = "<p>Niedziele 9.00, 11.00</p><p>Dni powszednie 17.30</p>"
    READ = "niedziela: 9:00, 11:00\ndni powszednie: 17:30"

    def test_of_the_office_end_before_masses(self) -> None:
        office = "<div><h3>Kancelaria parafialna</h3><p>wtorek 16.30</p></div>"
        order = "<div><p>Dni powszednie 17.30, niedziela 9.00 i 11.00</p></div>"

        assert page(f"<p>Msze św.</p>{office}{order}") == self.READ

    def test_of_confession_end_before_a_list_of_sundays(self) -> None:
        confession = "<div><h3>Spowiedź święta</h3><p>15 minut przed Mszą św.</p></div>"

        assert page(f"{confession}<div>{self.ORDER}</div>") == self.READ

    def test_around_a_heading_alone_end_nothing(self) -> None:
        assert page(f"<p>Msze św.</p>{self.ORDER}<div><h3>Spowiedź</h3></div><div><p>Soboty 15.00, 15.45</p></div>") == self.READ

    def test_of_a_season_end_before_the_whole_year(self) -> None:
        vacation = "<div><h3>Wakacje</h3><p>Dni powszednie 8.00</p></div>"

        assert page(f"<p>Msze św.</p>{vacation}<div><p>Niedziele 9.00, 11.00</p></div>") == (
            "niedziela: 9:00, 11:00\ndni powszednie: 8:00 (w wakacje)"
        )


class TestLinesBelowHours:
    """What stands on lines of its own below an hour says what a bracket would say."""

    def test_may_leave_out_a_season(self) -> None:
        lines = "<p>11:30</p><p>suma</p><p>13:00</p><p>oprócz lipca i sierpnia</p><p>19:00</p>"

        assert page(f"<h2>Msze św.</h2><h3>Niedziela</h3>{lines}") == "niedziela: 11:30, 13:00 (poza wakacjami), 19:00"

    def test_that_only_add_a_week_end_with_themselves(self) -> None:
        lines = "<p>Sobota</p><p>w pierwszą sobotę miesiąca także 9:00</p><p>8:00</p><p>Niedziela</p><p>10:00</p>"

        assert page(f"<h2>Msze św.</h2>{lines}") == "niedziela: 10:00\nsobota: 8:00, 9:00 (I w miesiącu)"

    def test_in_brackets_may_be_comments(self) -> None:
        feasts = "<h2>Święta zniesione</h2><p>(takie, w które się pracuje, np. św. Józefa, 8 grudnia)</p><p>8:00 i 17:00</p>"

        assert page(f"<h2>Msze św.</h2><p>Niedziele 9.00</p>{feasts}") == "niedziela: 9:00\nświęta zniesione: 8:00, 17:00"

    def test_of_dates_tell_which_feasts_are_meant(self) -> None:
        order = "<h2>Msze św.</h2><p>Niedziele 9.00, 11.00. Dni powszednie 17.30</p>"

        found = page(f"{order}<h2>Święta zniesione</h2><p>2.02, 19.03, 8.12</p><p>8:00 16:30</p>")

        assert found == "niedziela: 9:00, 11:00\ndni powszednie: 17:30\nświęta zniesione: 8:00, 16:30"


class TestVillagesNamedLikeEvents:
    def test_are_places(self) -> None:
        order = "<h2>Porządek Mszy św.</h2><p>Niedziele 9.30. Dni powszednie 8.00</p>"
        chapel = "<h3>Cerkiew filialna w Pielgrzymce</h3><p>druga niedziela miesiąca: 14:00 - Msza św.</p>"

        assert "14:00" in page(order + chapel)


class TestFootnotes:
    def test_say_of_marked_hours_what_a_bracket_would_say(self) -> None:
        rows = "<tr><td>Niedziele</td><td>9.00*, 18.00**</td></tr><tr><td>Dni powszednie</td><td>7.00, 18.00**</td></tr>"
        notes = "<p>* oprócz wakacji</p><p>** w okresie zimowym o 17.00</p>"

        assert page(f"<h3>Msze św.</h3><table>{rows}</table>{notes}") == (
            "codziennie: 17:00 (zimą), 18:00 (latem)\nniedziela: 9:00 (poza wakacjami)\ndni powszednie: 7:00"
        )

    def test_need_a_mark_above(self) -> None:
        assert page("<p>Msze św.</p><p>* Niedziele 9.00</p><p>* Dni powszednie 17.00</p>") == (
            "niedziela: 9:00\ndni powszednie: 17:00"
        )

    def test_tell_of_all_hours_marked_above(self) -> None:
        order = "<p>Niedziele: 8.00, 18.00*</p><p>Dni powszednie: 7.00, 18.30*</p><p>* zimą 17.00</p>"

        assert page(order) == "codziennie: 17:00 (zimą)\nniedziela: 8:00, 18:00 (latem)\ndni powszednie: 7:00, 18:30 (latem)"

    def test_of_one_list_say_nothing_of_the_list_before(self) -> None:
        sundays = "<p>Niedziele: 8.00, 18.00*</p><p>* zimą 17.00</p>"
        weekdays = "<p>Dni powszednie: 7.00, 19.00*</p><p>* zimą 16.00</p>"

        assert page(sundays + weekdays) == (
            "niedziela: 8:00, 17:00 (zimą), 18:00 (latem)\ndni powszednie: 7:00, 16:00 (zimą), 19:00 (latem)"
        )


class TestDevotionsInBrackets:
    def test_leave_the_hour_of_other_days_a_mass(self) -> None:
        days = "<p>Pon. 18.00</p><p>Wt. 18.00 (nowenna)</p><p>Śr. 18.00</p><p>Niedziela 9.00, 15.00 (różaniec)</p>"

        assert page(f"<h3>Msze św.</h3>{days}") == "niedziela: 9:00\nponiedziałek, wtorek, środa: 18:00"


class TestListsBehindHours:
    def test_govern_the_hours_of_their_line(self) -> None:
        lines = "<h2>Msze święte</h2><p>9.00 niedziela</p><p>11.00 niedziela</p><p>17.30 dni powszednie</p>"

        assert page(lines) == TestHeadings.READ


class TestHeadingsOfOthers:
    LIST = "<p>Niedziele: 8.00, 10.00, 12.00</p><p>Dni powszednie: 7.00, 18.00</p>"

    @pytest.mark.parametrize("heading", ["Odpust parafialny", "Rekolekcje wielkopostne"])
    def test_end_with_their_box(self, heading: str) -> None:
        head = f"<h2>{heading}</h2><p>Zapraszamy wszystkich.</p>"

        assert page(f"<div>{head}</div><div>{self.LIST}</div>") == "niedziela: 8:00, 10:00, 12:00\ndni powszednie: 7:00, 18:00"
        assert page(f"<div>{head}{self.LIST}</div>") == "brak danych"


class TestEvidence:
    ORDER = "<p>Niedziele: 8.00, 10.00, 12.00</p><p>Dni powszednie: 7.00, 18.00</p>"

    @pytest.mark.parametrize(("parishes", "believed"), [(2, True), (3, False), (4, False)])
    def test_of_a_page_that_names_three_parishes_or_more_none_is_its_own(self, parishes: int, believed: bool) -> None:
        found = page("".join(f"<h2>Parafia {name}</h2>{self.ORDER}" for name in "ABCD"[:parishes]))

        assert (found != "brak danych") == believed

    @pytest.mark.parametrize(("body", "counts"), [("<main>{}</main>", True), ("<aside>{}</aside>", False)])
    def test_the_title_of_a_page_of_news_counts_against_its_text_and_not_against_the_boxes_beside(
        self, body: str, counts: bool
    ) -> None:
        markup = body.format(f"<h3>Msze święte</h3>{self.ORDER}")
        document = read_document(f"<title>Ogłoszenia duszpasterskie</title>{markup}".encode(), content_type="text/html")

        (block,) = read_page(document).notices

        assert any(reason.startswith("news") for reason in block.reasons) == counts

    @pytest.mark.parametrize(("days", "counts"), [("środa", False), ("środa, piątek", True)])
    def test_a_single_working_day_is_no_list_of_weekdays(self, days: str, counts: bool) -> None:
        document = read_document(f"<p>Niedziele: 8.00, 10.00; {days}: 18.00</p>".encode(), content_type="text/html")

        (block,) = read_page(document).notices

        assert ("weekdays +0.25" in block.reasons) == counts

    def test_pages_that_agree_are_quoted_up_to_five(self) -> None:
        pages = [
            read_page(read_document(f"<h3>Msze święte</h3>{self.ORDER}".encode(), content_type="text/html", url=f"http://a/{at}"))
            for at in range(8)
        ]

        assert [len(read.evidence) for read in read_site(pages).masses] == [6] * 5


class TestLinesWithoutHours:
    ORDER = "<h3>Kaplica św. Ducha</h3><ul><li>niedziela 11.00</li><li>czwartek 19.00</li></ul>"

    def test_may_take_a_place_out_of_a_season(self) -> None:
        denial = "<p>W miesiącach wakacyjnych w kaplicy św. Ducha Mszy świętej nie ma.</p>"

        found = page(f"<h2>Msze święte</h2><p>Niedziele 9.00, 17.00</p>{self.ORDER}{denial}")

        assert "11:00 (Kaplica św. Ducha; poza wakacjami)" in found
        assert "19:00 (Kaplica św. Ducha; poza wakacjami)" in found

    def test_may_be_brackets_of_the_hour_above(self) -> None:
        order = "Niedziele 9.00<br>Dni powszednie 17.30<br>(oprócz stycznia i lutego)<br>Spowiedź przed Mszą"

        assert page(f"<h2>Msze święte</h2><p>{order}</p>") == "niedziela: 9:00\ndni powszednie: 17:30 (III-XII)"


class TestRows:
    """Tables of labels and values, and of hours and what happens then."""

    def test_of_a_directory_entry_say_nothing_about_other_rows(self) -> None:
        rows = (
            ("Proboszcz", "ks. Jan Kowal (od 2015)"),
            ("Odpust", "6 sierpnia, 8 września"),
            ("Msze św. w niedziele", "9.00; 12.00"),
            ("Msze św. w dni powszednie", "17.00 (okres zimowy 16.00)"),
            ("Liczba wiernych", "2145"),
        )

        found = page(f"<table>{''.join(f'<tr><th>{label}</th><td>{value}</td></tr>' for label, value in rows)}</table>")

        assert found == "niedziela: 9:00, 12:00\ndni powszednie: 16:00 (zimą), 17:00 (latem)"

    def test_may_say_behind_the_hour_when_and_in_brackets_when_else(self) -> None:
        days = "poniedziałek, środa (od listopada do lutego o 17:00)"
        rows = f"<tr><td>7:00</td><td>wtorek</td></tr><tr><td>18:00</td><td>{days}</td></tr>"

        assert page(f"<h2>Msze św.</h2><h3>Dni powszednie</h3><table>{rows}</table>") == (
            "poniedziałek, środa: 17:00 (XI-II), 18:00 (III-X)\nwtorek: 7:00"
        )

    def test_may_say_of_an_hour_what_happens_on_some_days_or_in_a_season(self) -> None:
        rows = (("9:00", "w środę z nowenną", ""), ("12:00", "", ""), ("20:00", "akademicka", "oprócz wakacji"))
        body = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in rows)

        assert page(f"<h2>Msze św.</h2><h3>Poniedziałek – piątek</h3><table>{body}</table>") == (
            "poniedziałek-piątek: 9:00, 12:00, 20:00 (poza wakacjami)"
        )

    def test_may_name_days_above_the_hours_in_a_cell(self) -> None:
        head = "<tr><td>Kościół</td><td>Niedziele</td><td>Dni powszednie</td></tr>"
        row = "<tr><td>Brzegi</td><td>8.00<br>11.00</td><td>poniedziałek, środa:<br>17.00<br>18.00</td></tr>"

        assert page(f"<h2>Msze św.</h2><table>{head}{row}</table>") == (
            "niedziela: 8:00 (Brzegi), 11:00 (Brzegi)\nponiedziałek, środa: 17:00 (Brzegi), 18:00 (Brzegi)"
        )

    def test_with_dashes_go_on(self) -> None:
        """A grid's row of dashes is neither a menu nor a gap."""
        head = "".join(f"<td>{day}</td>" for day in ("", "Pn", "Wt", "Śr", "Cz", "Pt", "Nd"))
        rows = (("rano", *["6.45"] * 5, "7.00"), ("południe", *["-"] * 5, "13.00"), ("wieczór", *["18.00"] * 6))
        body = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in rows)

        assert page(f"<h2>Kaplica Sióstr: Msze św.</h2><table><tr>{head}</tr>{body}</table>") == (
            "poniedziałek, wtorek, środa, czwartek, piątek, niedziela: 18:00 (Kaplica Sióstr)\n"
            "niedziela: 7:00 (Kaplica Sióstr), 13:00 (Kaplica Sióstr)\n"
            "poniedziałek-piątek: 6:45 (Kaplica Sióstr)"
        )

    def test_that_begin_with_an_hour_have_their_own_days_and_services(self) -> None:
        rows = (
            ("5:50", "Jutrznia"),
            ("6:30", "Msza św. konwentualna (dni powszednie)"),
            ("9:00", "Msza św. konwentualna (niedziele)"),
            ("12:15", "Seksta"),
            ("17:00", "Nieszpory"),
        )

        found = page(
            f"<h1>Porządek dnia</h1><table>{''.join(f'<tr><td>{hour}</td><td>{what}</td></tr>' for hour, what in rows)}</table>"
        )

        assert found == "niedziela: 9:00\ndni powszednie: 6:30"
