"""Dated changes in announcements: the parts by hand, and laws."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mass_pipeline.reading.changes import ScheduleChange, read_changes
from mass_pipeline.reading.changes.certainty import REASONS, Reason
from mass_pipeline.reading.changes.clauses import clauses, sentences
from mass_pipeline.reading.words.church_calendar import easter
from mass_pipeline.reading.words.dates import find_periods
from mass_pipeline.reading.words.masking.lines import MASK
from mass_pipeline_tests.reading.changes.compared import Written
from mass_pipeline_tests.reading.changes.compared import written as written_announcements
from mass_pipeline_tests.reading.changes.notation import atoms, written

_SUNDAY = date(2026, 11, 15)
_GOLDEN = [one for file in sorted(Path(__file__).with_name("golden").glob("*.txt")) for one in written_announcements(file)]
_NO_CHANGE = [one for one in _GOLDEN if not one.labels and "\n" not in one.text]
_DATED = [one for one in _GOLDEN if one.labels and "\n" not in one.text]


def _without_blanks(text: str) -> str:
    return "".join(text.split())


class TestExceptions:
    """What is said of some days is not said of the day that is excepted, wherever in the sentence the exception stands."""

    @pytest.mark.parametrize(
        "sentence",
        [
            "Msza św. o 8.00 zamiast o 17.00, poza uroczystością Trzech Króli.",
            "W tych dniach, z wyjątkiem 6 stycznia, Msza św. o 8.00 zamiast o 17.00.",
            "Wtedy Msza św. o 8.00 zamiast o 17.00 (oprócz środy 6 stycznia).",
        ],
    )
    def test_the_excepted_day_keeps_its_order(self, sentence: str) -> None:
        changes = read_changes(f"Kolęda od 4 do 8 stycznia. {sentence}", date(2026, 12, 27))

        assert all(not change.valid_from <= date(2027, 1, 6) <= (change.valid_to or date.max) for change in changes), changes


class TestRoraty:
    @pytest.mark.parametrize(
        "text",
        [
            "Roraty w poniedziałki, środy i piątki o 17.00 zamiast Mszy o 18.00.",
            "Od jutra w poniedziałki, środy i piątki roraty o 17.00. W te dni nie ma Mszy św. o 18.00.",
        ],
    )
    def test_what_they_take_the_place_of_falls_out_as_long_as_they_last(self, text: str) -> None:
        changes = read_changes(text, date(2026, 11, 29))

        assert {(one.valid_from, one.valid_to) for one in changes} == {(date(2026, 11, 30), date(2026, 12, 24))}
        assert {hour for one in changes for hour in (*one.times, *one.new_times)} == {"17:00", "18:00"}


class TestQuotes:
    def test_every_change_carries_its_words(self) -> None:
        for row in _GOLDEN:
            for change in read_changes(row.text, row.issued):
                assert all(_without_blanks(words) in _without_blanks(row.text) for words in change.quote.split(MASK))


class TestPeriods:
    @pytest.mark.parametrize(
        ("text", "days"),
        [
            ("w czwartek, 19 listopada", ["2026-11-19"]),
            ("19.11.2026", ["2026-11-19"]),
            ("24 XII", ["2026-12-24"]),
            ("od 28 grudnia do 5 stycznia", ["2026-12-28/2027-01-05"]),
            ("w dniach 16–18 listopada", ["2026-11-16/2026-11-18"]),
            ("od poniedziałku, 14 grudnia, do piątku, 18 grudnia", ["2026-12-14/2026-12-18"]),
            ("do końca miesiąca", ["2026-11-15/2026-11-30"]),
            ("(18, 19 listopada)", ["2026-11-18", "2026-11-19"]),
            ("w środę i czwartek (18, 19 listopada)", ["2026-11-18", "2026-11-19"]),
            ("1 maja uroczystość św. Józefa", ["2027-05-01"]),
            ("18, 19 i 20 listopada", ["2026-11-18", "2026-11-19", "2026-11-20"]),
            ("17, 19 i 20 listopada", ["2026-11-17", "2026-11-19", "2026-11-20"]),
            ("od 14-16.12", ["2026-12-14/2026-12-16"]),
            ("od 12.12.2026r do 15.12.2026r", ["2026-12-12/2026-12-15"]),
            ("od poniedziałku do piątku z wyjątkiem środy", ["2026-11-16/2026-11-17", "2026-11-19/2026-11-20"]),
            ("od 4 do 8 stycznia poza 6 stycznia", ["2027-01-04/2027-01-05", "2027-01-07/2027-01-08"]),
            ("od 4 do 8 stycznia, za wyjątkiem Objawienia Pańskiego", ["2027-01-04/2027-01-05", "2027-01-07/2027-01-08"]),
            (
                "od 4 do 15 stycznia, od poniedziałku do piątku oprócz wtorków",
                ["2027-01-04", "2027-01-06/2027-01-11", "2027-01-13/2027-01-15"],
            ),
            ("od 23 do 27 listopada oprócz wtorku i czwartku", ["2026-11-23", "2026-11-25", "2026-11-27"]),
            ("w środę 20 listopada", []),
            ("24-26 listopada, tj. wtorek, środa, czwartek", ["2026-11-24/2026-11-26"]),
            ("w lipcu i sierpniu", []),
            ("w grudniu", ["2026-12-01/2026-12-31"]),
            ("w uroczystość Niepokalanego Poczęcia", ["2026-12-08"]),
            ("w niedzielę 13 grudnia uroczystość Niepokalanego Poczęcia", ["2026-12-13"]),
            ("w drugi dzień świąt", ["2026-12-26"]),
            ("w czwartek kończy się oktawa Bożego Ciała", ["2026-11-19"]),
            ("dziś niedziela", ["2026-11-15"]),
            ("w pierwszy poniedziałek Adwentu", ["2026-11-30"]),
            ("w pierwszy piątek Wielkiego Postu", []),
            ("proboszcz wraca w czwartek", []),
            ("od jutra do 18 listopada", ["2026-11-16/2026-11-18"]),
            ("jutro", ["2026-11-16"]),
            ("w niedzielę", ["2026-11-22"]),
            ("we wtorek i środę", ["2026-11-17", "2026-11-18"]),
            ("w pierwszy piątek", ["2026-12-04"]),
            ("w drugi dzień Świąt Bożego Narodzenia, 26 grudnia", ["2026-12-26"]),
            ("w Wigilię Bożego Narodzenia", ["2026-12-24"]),
            ("w niedziele", []),
            ("w środy i soboty", []),
            ("w drugą niedzielę miesiąca", []),
            ("jak w niedzielę", []),
            ("6 I", ["2027-01-06"]),
            ("o godz. 7 i 18", []),
            ("w niedzielę za 2 tygodnie (29 listopada)", ["2026-11-29"]),
            ("31 listopada", []),
            ("o godz. 18.30", []),
        ],
    )
    def test_days_are_told_from_the_day_of_issue(self, text: str, days: list[str]) -> None:
        found = find_periods(text, _SUNDAY)

        assert [f"{p.first}/{p.last}" if p.last != p.first else str(p.first) for p in found] == days

    @pytest.mark.parametrize(
        ("year", "day"), [(2024, "03-31"), (2025, "04-20"), (2026, "04-05"), (2027, "03-28"), (2038, "04-25")]
    )
    def test_easter(self, year: int, day: str) -> None:
        assert easter(year).isoformat() == f"{year}-{day}"


class TestFeasts:
    """Days by the calendar of Poland, which schedules and questions use, too."""

    @pytest.mark.parametrize(
        ("text", "issued", "day"),
        [
            ("Uroczystość Niepokalanego Poczęcia NMP: Msze św. o 7.15", "2024-12-01", "2024-12-09"),
            ("Uroczystość świętego Józefa", "2028-03-12", "2028-03-20"),
            ("Zwiastowanie Pańskie", "2027-03-14", "2027-04-05"),
            ("w uroczystość NMP Królowej Polski", "2026-04-26", "2026-05-02"),
            ("3 maja uroczystość NMP Królowej Polski", "2026-04-26", "2026-05-03"),
            ("święto Matki Bożej Gromnicznej", "2026-01-25", "2026-02-02"),
        ],
    )
    def test_a_displaced_solemnity_is_kept_on_its_day_of_the_year(self, text: str, issued: str, day: str) -> None:
        assert [str(one.first) for one in find_periods(text, date.fromisoformat(issued))] == [day]

    def test_a_dedication_names_no_day(self) -> None:
        assert find_periods("w parafii Zwiastowania Pańskiego", _SUNDAY) == []


class TestClauses:
    def test_abbreviations_end_no_sentence(self) -> None:
        assert sentences("Msza św. o godz. 8.00 za śp. Jana. W środę 2.12 Mszy nie będzie.") == [
            "Msza św. o godz. 8.00 za śp. Jana.",
            "W środę 2.12 Mszy nie będzie.",
        ]

    def test_lists_of_hours_stay_whole(self) -> None:
        assert clauses("Msze o 8.00, 10.00 i 12.00, po niej procesja; Mszy o 18.00 nie będzie") == [
            "Msze o 8.00, 10.00 i 12.00",
            "po niej procesja",
            "Mszy o 18.00 nie będzie",
        ]


class TestDoubts:
    @pytest.mark.parametrize("reason", REASONS, ids=lambda one: one.holds.__name__)
    def test_each_reason_holds_of_its_example_and_not_of_its_near_miss(self, reason: Reason) -> None:
        found, other = (read_changes(text, date(2026, 11, 29)) for text in (reason.example, reason.near_miss))

        assert {reason.doubt} == {doubt for change in found for doubt in change.doubts}
        assert other
        assert not any(change.doubts for change in other)


class TestReading:
    def test_a_change_without_end_is_lasting(self) -> None:
        (change,) = read_changes("Od niedzieli 22 listopada Msza św. o 17.00.", _SUNDAY)

        assert change == ScheduleChange(
            "new_order", date(2026, 11, 22), None, ("17:00",), quote="Od niedzieli 22 listopada Msza św. o 17.00."
        )

    @pytest.mark.parametrize(
        ("text", "changes"),
        [
            ("W środę Msza św. o 9.00. Innych Mszy tego dnia nie będzie.", ["order 2026-11-18 09:00"]),
            ("W środę Msza o 9.00. W czwartek jak zwykle o 18.00.", ["added 2026-11-18 09:00"]),
            (
                "Od 17 do 19 listopada nie ma Mszy o 7.00. Nie dotyczy to środy.",
                ["cancelled 2026-11-17 07:00", "cancelled 2026-11-19 07:00"],
            ),
            (
                "W dniach 17-19 listopada Msza tylko o 7.00. W środę bez zmian.",
                ["order 2026-11-17 07:00", "order 2026-11-19 07:00"],
            ),
            ("Od 1 grudnia godzina wieczornej Mszy zmieniona z 18.15 na 17.15.", ["new_order 2026-12-01.. 17:15"]),
            ("Dotychczasowy porządek (Msze 8.00, 10.00) przestaje obowiązywać od 1 grudnia.", ["new_order 2026-12-01.."]),
            ("Od 1 grudnia traci moc rozkład Mszy św.: 9.00, 11.30.", ["new_order 2026-12-01.."]),
            ("W środę Msza św. o 9.00. Pozostałe Msze bez zmian.", ["added 2026-11-18 09:00"]),
            ("W środę dodatkowa Msza o 9.00. Innych zmian w Mszach nie będzie.", ["added 2026-11-18 09:00"]),
            ("We wtorek nie ma obowiązku uczestnictwa we Mszy św.", []),
            ("W piątek Mszy wieczornej nie będzie, ponieważ o 18.00 wracamy do domu.", ["cancelled 2026-11-20 evening"]),
            ("W piątek Msze dla trzech grup o 9.00 i 11.00.", ["added 2026-11-20 09:00 11:00"]),
            ("W piątek 20 listopada zapraszamy przywitać Nowy Rok Mszą św. o 23.00.", ["added 2026-11-20 23:00"]),
            ("W środę o 17.30 różaniec i Msza św. o 18.00.", ["added 2026-11-18 18:00"]),
            ("W środę o 17.00 Msza św. i różaniec o 18.00.", ["added 2026-11-18 17:00"]),
            ("W środę o 14.00 procesja na cmentarzu i Msza św.", ["added 2026-11-18 14:00"]),
            (
                "W środę nie ma Mszy o 7.00 ani o 8.00, jest o 18.00.",
                ["cancelled 2026-11-18 07:00 08:00", "added 2026-11-18 18:00"],
            ),
            ("W środę nie będzie Mszy o 9.00. W czwartek o 8.00, 10.00 i 12.00.", ["cancelled 2026-11-18 09:00"]),
            ("W środę Msza o 9.00, po niej koncert. W czwartek o 8.00, 10.00 i 12.00.", ["added 2026-11-18 09:00"]),
        ],
    )
    def test_what_is_said_besides_the_hours_decides(self, text: str, changes: list[str]) -> None:
        """Words of the last set whose first reading took hours of something else, or a list for additions."""
        assert [written(change) for change in read_changes(text, _SUNDAY)] == changes

    def test_a_list_waits_as_long_as_hours_of_its_days_wait(self) -> None:
        """Nobody is told a part of the Masses of a day as all of them, nor those of chapels as those of the church."""
        found = read_changes(
            "W wakacyjne niedziele Msze św. o 8.15, 10.45, a Msza wieczorna o 18.15. "
            "Msze święte w kaplicach: w Olszynie o 8.00, a w Rudzie o 10.00.",
            date(2026, 6, 14),
        )

        assert all(change.doubts for change in found if change.kind == "order")

    def test_of_an_archive_nothing_is_published_unseen(self) -> None:
        """Announcements of many weeks on one page: which week a weekday belongs to is not told."""
        found = read_changes("\n".join(f"W środę o {n % 24}.00 Msza św. za rodzinę {n}" for n in range(200)), _SUNDAY)

        assert len(found) > 150
        assert {("words",)} == {change.doubts for change in found}

    @settings(deadline=None)
    @given(st.text(max_size=200), st.dates(date(1990, 1, 1), date(2090, 1, 1)))
    def test_no_text_breaks_it(self, text: str, issued: date) -> None:
        for change in read_changes(text, issued):
            assert change.valid_to is None or change.valid_from <= change.valid_to

    @given(st.sampled_from(_NO_CHANGE), st.sampled_from(_DATED))
    def test_what_changes_nothing_takes_nothing_from_the_next_line(self, one: Written, other: Written) -> None:
        """Carrying a day over to the next sentence must not swallow a day of its own."""
        alone = atoms(written(change) for change in read_changes(other.text, _SUNDAY))
        together = atoms(written(change) for change in read_changes(f"{one.text}\n{other.text}", _SUNDAY))

        assert alone <= together
