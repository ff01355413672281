"""Rows that people settled are published or left out until the lines they rest on change: real pages, read again."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from mass_pipeline.annotation.store import open_store
from mass_pipeline.annotation.web.tokens import Signing
from mass_pipeline.cli.annotate import annotate
from mass_pipeline.model.records import Mass
from mass_pipeline.publishing.row_questions import MOST_OF_A_WORDING
from mass_pipeline.resources.annotations import AppAnnotations
from mass_pipeline.resources.settings import load_settings
from mass_pipeline.schedules.checked import Checked
from mass_pipeline.schedules.reviews import Decision, Proposal
from mass_pipeline.schedules.rows import ScheduleRow
from mass_pipeline.schedules.standing_order import confirmed_wrong
from mass_pipeline_tests.annotation.real_rows import MOMENT
from mass_pipeline_tests.annotation.support import answer, ask
from mass_pipeline_tests.publishing.made import CHECKED, ORDER, Diocese


def told(rows: Iterable[ScheduleRow]) -> set[tuple[str, str]]:
    return {(" ".join(row.mass.days), row.mass.time) for row in rows}


@pytest.fixture
def diocese(tmp_path: Path) -> Diocese:
    made = Diocese(tmp_path)
    made.crawl(ORDER)
    made.build()
    return made


SUNDAY = ("Su", "10:45")


class TestYes:
    def test_a_row_that_people_settled_says_who_and_when(self, diocese: Diocese) -> None:
        diocese.settle(diocese.ask_all()[SUNDAY], "yes")
        (row,) = [row for row in diocese.build() if row.mass.time == "10:45"]

        assert (row.method, row.checked) == ("people", CHECKED)
        assert row.confidence >= 0.99

    @pytest.mark.parametrize(
        "pages",
        [
            (f"<p>Nowa galeria zdjęć z pielgrzymki.</p>{ORDER}<p>Zapraszamy na odpust.</p>",),  # left alone
            ("<p>Historia parafii</p>", f"<h3>Kontakt</h3><p>ul. Leśna 3</p>{ORDER}"),  # moved to another page
            (ORDER.replace("<p>", "<div><span>").replace("</p>", "</span></div>"),),  # other markup
            (ORDER.replace("10.45", "10:45").replace("8.00", "8:00"),),  # the same words
        ],
    )
    def test_it_is_kept_where_the_page_changes_and_its_lines_do_not(self, diocese: Diocese, pages: tuple[str, ...]) -> None:
        diocese.settle(diocese.ask_all()[SUNDAY], "yes")
        diocese.crawl(*pages)
        (row,) = [row for row in diocese.build() if row.mass.time == "10:45"]

        assert row.checked == CHECKED
        assert SUNDAY not in diocese.ask_all()

    @pytest.mark.parametrize(
        ("before", "after", "now"),
        [
            ("10.45", "11.15", ("Su", "11:15")),
            ("8.00, 10.45", "8.00, 10.45 (kaplica w Dąbrowie)", ("Su", "10:45")),
            ("Niedziela: 8.00, 10.45", "Niedziela: 7.30, 10.45", ("Su", "10:45")),
        ],
    )
    def test_it_is_asked_again_where_its_lines_changed(
        self, diocese: Diocese, before: str, after: str, now: tuple[str, str]
    ) -> None:
        diocese.settle(diocese.ask_all()[SUNDAY], "yes")
        diocese.crawl(ORDER.replace(before, after))
        rows = diocese.build()

        assert all(row.checked is None for row in rows)
        assert now in diocese.ask_all()

    def test_a_later_reading_of_the_same_lines_that_differs_waits_and_is_one_question(self, diocese: Diocese) -> None:
        """What the reader of another version makes of an unchanged page does not overrule people, nor vanish."""
        question = diocese.ask_all()[SUNDAY]
        said = Mass(("Su",), "10:45", season="summer")
        diocese.settle(replace(question, row_id="of-another-reading", mass=said), "yes")
        rows = diocese.build()

        assert [row.mass.season for row in rows if row.mass.time == "10:45"] == ["summer"]
        asked = [one for one in diocese.questions() if one.mass.time == "10:45"]
        assert [(one.mass.season, one.reason) for one in asked] == [("all", "contradicted")]

    def test_two_orders_of_one_church_that_say_otherwise_are_asked_about_as_contradicted(self, tmp_path: Path) -> None:
        diocese = Diocese(tmp_path)
        diocese.crawl(ORDER, ORDER.replace("8.00, 10.45", "8.30, 11.15"))
        diocese.build()

        asked = diocese.questions()
        assert SUNDAY in {(" ".join(one.mass.days), one.mass.time) for one in asked}
        assert {one.reason for one in asked} == {"contradicted"}

    def test_a_row_that_waits_is_published_when_people_say_yes(self, tmp_path: Path) -> None:
        diocese = Diocese(tmp_path)
        diocese.crawl(ORDER + "<h3>Joga</h3><p>Wtorek: 19.20</p>")
        before = diocese.build()
        waits = [one for one in diocese.questions() if one.reason == "waits"]
        assert waits
        for one in waits:
            diocese.settle(one, "yes")
        after = diocese.build()

        assert told(after) - told(before) == {(" ".join(one.mass.days), one.mass.time) for one in waits}
        assert not [one for one in diocese.questions() if one.reason == "waits"]


class TestNo:
    @pytest.mark.parametrize("verdict", ["other", "not_this_parish", "no_mass"])
    def test_a_row_that_people_found_wrong_is_left_out(self, diocese: Diocese, verdict: str) -> None:
        diocese.settle(diocese.ask_all()[SUNDAY], verdict)

        assert SUNDAY not in told(diocese.build())
        assert ("Su", "08:00") in told(diocese.rows("p1"))

    def test_it_is_left_out_though_another_page_says_the_same(self, diocese: Diocese) -> None:
        diocese.settle(diocese.ask_all()[SUNDAY], "no_mass")
        diocese.crawl(ORDER, "<h2>Porządek nabożeństw</h2><p>Niedziela: 10.45</p>")

        assert SUNDAY not in told(diocese.build())

    def test_it_is_asked_again_when_its_lines_changed(self, diocese: Diocese) -> None:
        diocese.settle(diocese.ask_all()[SUNDAY], "other")
        diocese.crawl(ORDER.replace("8.00, 10.45", "8.00, 9.30, 10.45"))

        assert SUNDAY in told(diocese.build())
        assert SUNDAY in diocese.ask_all()


class TestReports:
    def test_a_row_that_an_approved_report_took_out_is_out_with_the_next_build_and_asks_about_its_kind(
        self, tmp_path: Path
    ) -> None:
        order = "<h2>Msze święte</h2><p>Niedziela: 8.00</p><p>Sobota: 18.30</p>"
        diocese = Diocese(tmp_path)
        diocese.crawl(**{f"p{n}": order.replace("8.00", f"{7 + n % 4}.30") for n in range(1, 20)})
        rows = diocese.build()
        assert ("Sa", "18:30") in told(rows)
        report = Proposal("p1", "report", "report 7: wrong_hour", None, (), rows[0].source_url, "8.00", "")
        kept = tuple(row for row in rows if row.mass.time != "18:30")
        diocese.log.decide(Decision(report, "approved", "anna", "2026-11-26T10:00:00+01:00", kept, tuple(rows)))

        assert "18:30" not in {row.mass.time for row in diocese.build()}
        asked = [one for one in diocese.questions() if one.reason == "reported"]
        assert {(one.mass.time, one.parish_id == "p1") for one in asked} == {("18:30", False)}
        assert len(asked) == MOST_OF_A_WORDING < 18

    def test_without_an_approved_order_the_word_of_the_report_holds_too(self, diocese: Diocese) -> None:
        """An order approved later, for another reason, brings no row back that was confirmed to be wrong."""
        rows = diocese.rows("p1")
        report = Proposal("p1", "report", "report 7: wrong_hour", None, (), rows[0].source_url, "10.45", "")
        kept = tuple(row for row in rows if row.mass.time != "10:45")
        found = confirmed_wrong([Decision(report, "approved", "anna", "2026-11-26T23:30:00+00:00", kept, tuple(rows))])
        diocese.answers += found

        assert [(one.mass.time, one.checked) for one in found] == [("10:45", Checked(1, date(2026, 11, 27), "operator"))]
        assert SUNDAY not in told(diocese.build())

    def test_a_row_that_got_another_hour_says_nothing_about_its_kind(self, diocese: Diocese) -> None:
        rows = diocese.rows("p1")
        report = Proposal("p1", "report", "report 7: other_hour", None, (), rows[0].source_url, "10.45", "")
        moved = tuple(replace(row, mass=replace(row.mass, time="11:15")) if row.mass.time == "10:45" else row for row in rows)

        assert confirmed_wrong([Decision(report, "approved", "anna", "2026-11-26T10:00:00+01:00", moved, tuple(rows))]) == []


class TestLoop:
    def test_an_office_of_two_gets_its_waiting_rows_published(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """The command asks, two people whom the operator invited answer, the next build publishes, and nothing is asked twice."""
        monkeypatch.setenv("MASS_PIPELINE_DATA_FOLDER", str(tmp_path))
        diocese = Diocese(tmp_path)
        diocese.crawl(ORDER + "<h3>Joga</h3><p>Wtorek: 19.20</p><h3>Bractwo</h3><p>Czwartek: 16.40</p>")
        before = {row.mass.time for row in diocese.build()}
        told_by_command = CliRunner().invoke(annotate, ["load", "--rows"]).output
        source = AppAnnotations.of(load_settings({"MASS_PIPELINE_DATA_FOLDER": str(tmp_path)}, with_removals=False))
        store = open_store(source.url)
        right = {}
        for number, voter in enumerate(("anna", "jan")):
            assert store.accept_invitation(voter, f"invitation {number}", now=MOMENT)
            while (asked := ask(store, voter, MOMENT)) is not None:
                is_yoga = asked.question.raw == "19.20"
                right[asked.candidate_id] = not is_yoga
                answer(store, voter, asked.candidate_id, "no_mass" if is_yoga else "yes", now=MOMENT, origin="period.office")
        store.close()
        diocese.answers = source.rows()
        after = diocese.build()

        assert f"{len(right)} rows are asked about" in told_by_command
        assert len(diocese.answers) == len(right)
        assert not {"16:40", "19:20"} & before
        assert {(row.mass.time, row.checked.people) for row in after if row.checked} == {("16:40", 2)}
        assert "19:20" not in {row.mass.time for row in after}
        assert CliRunner().invoke(annotate, ["load", "--rows"]).output.startswith("0 rows are asked about")

    def test_a_parish_that_is_asked_whole_looks_through_its_published_rows_after_each_build(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("MASS_PIPELINE_DATA_FOLDER", str(tmp_path))
        diocese = Diocese(tmp_path)
        diocese.crawl(p1=ORDER, p2=ORDER)
        rows = len(diocese.build())

        def command(*more: str) -> Any:
            return CliRunner().invoke(annotate, ["load", *more])

        assert command("--rows").output.startswith("0 rows are asked about")
        said = command("--parish", "p1").output
        assert said.startswith(f"{rows} rows of the parish are asked about, {rows} of them new.")
        links = re.findall(r"/invite/(\S+)", said)
        signing = Signing((tmp_path / "annotation" / "secret").read_text())
        invited = [signing.read_invite(link, now=datetime.now(UTC)) for link in links]
        assert len({one.name for one in invited if one}) == 2
        assert {one.parish for one in invited if one} == {"p1"}
        diocese.crawl(p1=ORDER.replace("18.00", "18.30"), p2=ORDER)
        diocese.build()
        assert command("--rows").output == f"{rows} rows are asked about, 2 of them new; 2 open ones are asked no more.\n"
        assert "nothing is published of it or waits" in str(command("--parish", "p9").exception)
