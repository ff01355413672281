"""Candidate hours: every hour once, with context, a stable identifier, and in time however long the page."""

from __future__ import annotations

import pytest

from mass_pipeline.model.columns import CANDIDATE_HOURS
from mass_pipeline.model.records import Mass
from mass_pipeline.reading.text.candidates import MOST_CANDIDATES, find_candidates
from mass_pipeline.reading.text.reader import read_document
from mass_pipeline.site_reading.hour_words import is_named_a_mass, is_said_to_be_standing
from mass_pipeline_tests.reading.text.lines import page


class TestCandidates:
    @pytest.mark.row("P13")
    def test_every_hour_has_its_context_heading_and_days(self) -> None:
        document = page(
            "<h2>Msze święte</h2><aside><ul><li>Niedziele: 8.00, 10.00 (suma)</li></ul></aside><p>tel. 61 000 18 30</p>"
        )
        first, second = find_candidates(document, parish_id="p", page_score=0.5)

        assert (first.time, first.raw, first.left, first.right) == (
            "08:00",
            "8.00",
            "Msze święte\nNiedziele: ",
            ", 10.00 (suma)\ntel. ▒▒▒",
        )
        assert (first.heading, first.day_scope, first.block, first.page_score) == (
            "Msze święte",
            "Niedziele",
            "list_item/aside",
            0.5,
        )
        assert (first.list_index, second.list_index) == (0, 1)
        assert document.lines[first.line].text[first.start : first.end] == "8.00"

    def test_both_ends_of_a_range_are_candidates(self) -> None:
        hours = find_candidates(page("<p>Kancelaria: 16.00 – 17.30</p>"), parish_id="p")

        assert [(hour.time, hour.raw) for hour in hours] == [("16:00", "16.00"), ("17:30", "17.30")]

    def test_dates_phones_and_references_are_none(self) -> None:
        markup = "<p>12.05.2025, tel. 61 000 18 30, Mt 18,15-20, 62-080 Zawadka, konto 12 3456 0730 1100</p>"

        assert find_candidates(page(markup), parish_id="p") == []

    def test_identifiers_are_distinct_and_do_not_change(self) -> None:
        document = page("<p>8.00</p>" * 3 + "<p>Msza 9.00</p>")
        once, again = (find_candidates(document, parish_id="p") for _ in range(2))

        assert once == again
        assert len({hour.candidate_id for hour in once}) == 4
        assert {hour.candidate_id for hour in once}.isdisjoint(h.candidate_id for h in find_candidates(document, parish_id="q"))

    def test_the_reading_of_the_rules_is_a_mass_and_words_in_the_table(self) -> None:
        document = page("<p>Niedziele: 8</p>")
        (hour,) = find_candidates(document, parish_id="p", readings={(0, 11): Mass(("Su",), "08:00")})

        assert hour.reading == Mass(("Su",), "08:00")
        assert (
            hour.as_row()["rule_reading"]
            == '{"days": ["Su"], "note": "", "nth": null, "place": "", "season": "all", "season_days": "", "time": "08:00"}'
        )

    @pytest.mark.parametrize("written", ["śr", "Pt", "sob", "czw.", "wt:", "pon", "Ndz"])
    def test_a_short_name_of_a_day_that_ends_its_line_governs_the_hour_below(self, written: str) -> None:
        """Otherwise the Sunday above it is shown to people over a weekday's hour."""
        (hour,) = find_candidates(page(f"<p>Niedziela</p><p>{written}</p><p>17.00</p>"), parish_id="p")

        assert hour.day_scope == written.rstrip(".:")

    def test_fill_the_published_columns(self) -> None:
        (hour,) = find_candidates(page("<p>Msza 8.00</p>"), parish_id="p")

        assert tuple(hour.as_row()) == tuple(CANDIDATE_HOURS.names)

    def test_a_text_without_line_ends_tells_no_more_hours_than_a_page_may(self) -> None:
        document = read_document("Msza o 8.00 " * 10_000, content_type="text/plain", url="x.txt")

        assert len(find_candidates(document, parish_id="p")) == MOST_CANDIDATES


class TestCorroboration:
    def test_words_for_a_mass_right_before_the_hour_count(self) -> None:
        assert is_named_a_mass("Spowiedź 15 minut przed Mszą św. o 7.00, 9.00 i ", "")
        assert not is_named_a_mass("W sobotę 3 maja Msza św. o ", " na cmentarzu")
        assert not is_named_a_mass("Próba chóru po Mszy, o ", "")

    def test_dates_denials_and_other_things_in_the_clause_speak_against(self) -> None:
        assert is_said_to_be_standing("Chrzest jest udzielany w niedziele na Mszy św. o godz. ", ".")
        assert not is_said_to_be_standing("W najbliższą niedzielę Msza św. o ", "")
        assert not is_said_to_be_standing("Nie będzie Mszy św. o ", "")
        assert not is_said_to_be_standing("Po Mszy nowenna o ", "")
