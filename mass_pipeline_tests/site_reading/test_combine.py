"""The final schedule: rules and classifier together."""

from __future__ import annotations

import pytest

from mass_pipeline.model.records import Evidence, Mass, ReadMass, SiteSchedule
from mass_pipeline.reading.text.candidates import CandidateHour
from mass_pipeline.site_reading.combine import final_schedule
from mass_pipeline.site_reading.hours import JudgedHour

SUNDAY = Mass(("Su",), "08:00")
WEEKDAY = Mass(("Mo", "Tu"), "18:00")


def site(*masses: Mass, status: str = "read", confidence: float = 0.9) -> SiteSchedule:
    """What the rules read, each from one page."""
    rows = tuple(ReadMass(mass, confidence, (Evidence("http://p.example/", "quote"),)) for mass in masses)
    return SiteSchedule(rows, status)  # type: ignore[arg-type]


def hours(*cells: tuple[str, Mass | None, float]) -> list[JudgedHour]:
    """Hours (time, reading of the rules, probability of standing); those without a reading are open."""
    return [judged(time, standing, reading=reading) for time, reading, standing in cells]


def judged(
    time: str,
    standing: float,
    *,
    reading: Mass | None = None,
    said: Mass | None = None,
    scope: str = "",
    url: str = "http://p.example/",
    score: float = 0.8,
) -> JudgedHour:
    """An hour of a page, as the rules and the classifier judge it."""
    left = f"Msze św.\nProboszcz: ks. Jan\n{scope}: "
    right = " (Msza św.)\nKancelaria"
    hour = CandidateHour("c", "p", url, time, time, left, right, None, scope or None, "text/main", 0, score, reading, 2, 0, 5)
    return JudgedHour(hour, reading is not None, 0.9, reading is None, reading, said, standing, standing)


@pytest.mark.row("P18")
class TestWhatTheRulesRead:
    def test_an_agreeing_classifier_makes_it_both(self) -> None:
        final = final_schedule(site(SUNDAY), hours(("08:00", SUNDAY, 0.99)))

        assert [row.method for row in final.masses] == ["both"]
        assert final.masses[0].standing == 0.99

    def test_a_doubting_classifier_takes_nothing_back_and_its_word_goes_with_the_row(self) -> None:
        doubted = final_schedule(site(SUNDAY), hours(("08:00", SUNDAY, 0.2))).masses[0]

        assert (doubted.method, doubted.standing) == ("rules", 0.2)

    def test_of_several_hours_the_surest_speaks(self) -> None:
        final = final_schedule(site(SUNDAY), hours(("08:00", SUNDAY, 0.2), ("08:00", SUNDAY, 0.9)))

        assert final.masses[0].standing == 0.9

    def test_a_strong_rejection_of_every_hour_takes_back_what_the_rules_doubt(self) -> None:
        final = final_schedule(site(SUNDAY, WEEKDAY, confidence=0.5), hours(("08:00", SUNDAY, 0.001), ("18:00", WEEKDAY, 0.9)))

        assert [row.mass for row in final.masses] == [WEEKDAY]

    def test_what_the_rules_are_sure_of_is_not_taken_back(self) -> None:
        """Measured on real pages: of such vetoes more were wrong than right."""
        final = final_schedule(site(SUNDAY), hours(("08:00", SUNDAY, 0.001)))

        assert [row.mass for row in final.masses] == [SUNDAY]

    def test_one_page_that_agrees_outweighs_one_that_does_not(self) -> None:
        final = final_schedule(site(SUNDAY, confidence=0.5), hours(("08:00", SUNDAY, 0.001), ("08:00", SUNDAY, 0.9)))

        assert [row.mass for row in final.masses] == [SUNDAY]

    def test_without_candidates_the_rules_stand_as_they_are(self) -> None:
        final = final_schedule(site(SUNDAY, WEEKDAY), hours())

        assert sorted((row.mass for row in final.masses), key=lambda mass: mass.time) == [SUNDAY, WEEKDAY]
        assert {(row.method, row.standing) for row in final.masses} == {("rules", None)}


WORKING_WEEK = Mass(("Mo", "Tu", "We", "Th", "Fr", "Sa"), "18:00")


@pytest.mark.row("P18")
class TestWhatTheRulesLeftOpen:
    def test_an_accepted_hour_is_added_as_its_own_words_say_with_them_as_evidence(self) -> None:
        final = final_schedule(site(SUNDAY), [judged("18:00", 0.995, said=WORKING_WEEK, scope="dni powszednie")])

        added = final.masses[0]
        assert added.mass == WORKING_WEEK
        assert (added.method, added.standing) == ("classifier", 0.995)
        assert added.evidence == (Evidence("http://p.example/", "dni powszednie: 18:00 (Msza św.)"),)

    @pytest.mark.parametrize(("said", "chance"), [(None, 0.999), (WORKING_WEEK, 0.9)], ids=["no days", "not sure enough"])
    def test_an_hour_of_which_no_days_are_said_or_below_the_threshold_is_not(self, said: Mass | None, chance: float) -> None:
        final = final_schedule(site(SUNDAY), [judged("18:00", chance, said=said)])

        assert [row.mass for row in final.masses] == [SUNDAY]

    @pytest.mark.parametrize("time", ["08:00", "09:30"])
    def test_a_day_that_has_a_list_is_not_added_to(self, time: str) -> None:
        """On real sites such hours came from the list of a neighbouring parish."""
        final = final_schedule(site(SUNDAY), [judged(time, 0.999, said=Mass(("Su",), time))])

        assert [row.method for row in final.masses] == ["rules"]

    def test_a_single_day_is_not_added_beside_a_schedule(self) -> None:
        """Measured on real sites: a missing list is worth adding, a lone hour was wrong."""
        final = final_schedule(site(SUNDAY), [judged("17:00", 0.999, said=Mass(("Sa",), "17:00"))])

        assert [row.mass for row in final.masses] == [SUNDAY]

    def test_a_site_on_which_the_rules_found_no_order_is_not_opened(self) -> None:
        """What the classifier alone took on such sites were pilgrimages, programmes, neighbours and history."""
        final = final_schedule(site(status="none"), [judged("08:00", 0.999, said=SUNDAY)])

        assert (final.status, final.masses) == ("none", ())

    def test_pages_that_state_no_schedule_add_nothing(self) -> None:
        final = final_schedule(site(SUNDAY), [judged("18:00", 0.999, said=WORKING_WEEK, score=0.1)])

        assert [row.mass for row in final.masses] == [SUNDAY]

    def test_the_same_hour_on_two_pages_is_one_row_with_two_sources(self) -> None:
        first = judged("18:00", 0.99, said=WORKING_WEEK)
        second = judged("18:00", 0.995, said=WORKING_WEEK, url="http://p.example/msze")

        final = final_schedule(site(SUNDAY), [first, second])

        added = [row for row in final.masses if row.method == "classifier"]
        assert len(added) == 1
        assert [e.source_url for e in added[0].evidence] == ["http://p.example/msze", "http://p.example/"]
