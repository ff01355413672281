"""Other languages beside Polish: found by their words line by line, conventions of their own, nothing read twice."""

from __future__ import annotations

from pathlib import Path

import pytest

from mass_pipeline.model.errors import ConfigurationError
from mass_pipeline.reading.formats.summary import summarize
from mass_pipeline.reading.regular.reading import read_page, read_text
from mass_pipeline.reading.regular.sites import read_site
from mass_pipeline.reading.text.reader import read_document
from mass_pipeline.reading.words.folding import fold
from mass_pipeline.reading.words.languages import (
    known_languages,
    language_of,
    languages_of_lines,
    languages_of_page,
    load_language,
)
from mass_pipeline.reading.words.lexicon import load_lexicon
from mass_pipeline_tests.evaluation.scoring import compare
from mass_pipeline_tests.reading.formats.table_strings import Row, rows

_MISREAD_CZECH = {
    "Mše sv. každou druhou sobotu v měsíci v 16.00",  # "každou druhou" alone is every other one
    "Mše svatá bývá v neděli od 10 hodin a v úterý od 17 hodin.",  # "od" leads to the hour of an office elsewhere
}


def read(written: str) -> str:
    return summarize((found.mass for found in read_text(written).masses), "en")


class TestRecognition:
    @pytest.mark.parametrize(
        ("line", "expected"),
        [
            ("Niedziele i święta: 8.00", "pl"),
            ("Sundays and Holy Days: 8.00", "en"),
            ("Sonn- und Feiertage: 8.00", "de"),
            ("Неділя: 8.00", "uk"),
            ("Niedziela / Sunday: 8.00", "pl+en"),
            ("Niedziela / Sonntag 8.00", "pl+de"),
            ("8.00, 10.00", ""),
        ],
    )
    def test_of_a_line(self, line: str, expected: str) -> None:
        assert language_of(line, ("pl", "cs", "de", "en", "uk")) == expected

    def test_a_page_without_a_word_of_another_language_is_looked_at_for_none(self) -> None:
        assert languages_of_page("Msze święte: niedziela 8.00. Messenger, masowo, Sun City") == ("pl",)

    def test_lines_that_do_not_tell_go_on_in_the_language_before(self) -> None:
        lines = ["Mass times", "9.00", "Niedziela", "10.00"]

        assert languages_of_lines(lines, ("pl", "en")) == ["en", "en", "pl", "pl"]

    def test_every_language_has_what_the_grammar_asks_for(self) -> None:
        sundays = {"cs": "neděle", "de": "sonntag", "en": "sunday", "pl": "niedziela", "uk": "неділя"}

        assert set(known_languages()) == set(sundays)
        for code, sunday in sundays.items():
            assert {"dedicated", "news", "event", "others", "hints"} <= load_language(code).titles.keys()
            assert load_lexicon(code).starting_with(fold(sunday)) is not None

    @pytest.mark.parametrize("code", ["xx", "../pl", ""])
    def test_an_unknown_one_is_named(self, code: str) -> None:
        with pytest.raises(ConfigurationError, match="language"):
            load_lexicon(code)


class TestEnglish:
    @pytest.mark.parametrize(
        ("written", "expected"),
        [
            ("Sunday Mass: 9 am, 11.30am, 12 noon & 6:30 p.m.", "Sunday: 9:00, 11:30, 12:00, 18:30"),
            ("Sunday: 8:00, 10:00 am, 5:00 & 7:00 pm", "Sunday: 8:00, 10:00, 17:00, 19:00"),
            ("Sunday 10 am. Weekdays 7 pm", "Sunday: 10:00\nMonday-Friday: 19:00"),
            (
                "Sunday 10 am. Daily Mass 7 pm except Monday",
                "Sunday: 10:00\nTuesday, Wednesday, Thursday, Friday, Saturday: 19:00",
            ),
            ("Sundays 9 am. Holy Days: 10 am", "Sunday: 9:00\nholy days: 10:00"),
            ("Saturday: 6 pm (Vigil), Sunday: 9 am", "Sunday: 9:00\nSaturday: 18:00 (niedzielna)"),
            (
                "Sunday 9 am. No Mass on Monday. Tuesday to Friday 7 pm",
                "Sunday: 9:00\nTuesday, Wednesday, Thursday, Friday: 19:00",
            ),
            ("Sunday 10:00 (July and August 9:00)", "Sunday: 9:00 (July and August), 10:00 (except July and August)"),
            ("Sunday 9 am. Confessions Saturday 5 - 5.45 pm", "Sunday: 9:00"),
            ("Mass Times\nSunday 9 am\nAdoration\nThursday after the 7 pm Mass until 8 pm", "Sunday: 9:00"),
            ("Masses: Saturday 18 July 2026 at 6 pm; Sundays 9 am", "Sunday: 9:00"),
        ],
    )
    def test_is_read(self, written: str, expected: str) -> None:
        assert read(written) == expected


class TestGerman:
    @pytest.mark.parametrize(
        ("written", "expected"),
        [
            ("Heilige Messen: Sonntag 9.00, 11 Uhr und 18 Uhr 30", "Sunday: 9:00, 11:00, 18:30"),
            ("Sonn- und Feiertage: 10 Uhr. Werktags 18 Uhr", "Sundays and holy days: 10:00\nweekdays: 18:00"),
            ("Montag bis Freitag 8 Uhr\nSonntag 10 Uhr\nBeichte: Samstag 17 Uhr", "Sunday: 10:00\nMonday-Friday: 8:00"),
            (
                "Gottesdienste\nSamstag Vorabendmesse 18 Uhr\nSonntag 10 Uhr\nJeden ersten Freitag im Monat 19 Uhr",
                "Sunday: 10:00\nFriday: 19:00 (1st of the month)\nSaturday: 18:00 (niedzielna)",
            ),
        ],
    )
    def test_is_read(self, written: str, expected: str) -> None:
        assert read(written) == expected


class TestCzech:
    """A language is a folder of the vocabulary: no line of code knows Czech."""

    @pytest.mark.parametrize(
        ("written", "expected"),
        [
            ("Mše svaté: neděle 8.00, 9.30, 11.00", "Sunday: 8:00, 9:30, 11:00"),
            ("Bohoslužby\nNeděle: 7:30, 9:00 a 18:00\nVšední dny: 18:00", "daily: 18:00\nSunday: 7:30, 9:00"),
            (
                "Pondělí 18.00\nÚterý 7.00\nStředa 18.00\nČtvrtek 7.00\nPátek 18.00\nSobota 7.00\n"
                "Neděle 8.00, 10.00\nMše svaté v kostele",
                "Sunday: 8:00, 10:00\nMonday, Wednesday, Friday: 18:00\nTuesday, Thursday, Saturday: 7:00",
            ),
            (
                "Pořad bohoslužeb: neděle a svátky 8.00 a 10.00 hod., pondělí - pátek 18.00 hod.",
                "Sundays and holy days: 8:00, 10:00\nMonday-Friday: 18:00",
            ),
            ("Mše svatá: sobota 18.00 (s nedělní platností), neděle 9.00", "Sunday: 9:00\nSaturday: 18:00 (niedzielna)"),
            ("Mše sv. denně v 7.00, v neděli 8.30 a 10.30 (pro děti)", "Sunday: 8:30, 10:30 (pro děti)\nweekdays: 7:00"),
            ("Bohoslužby: neděle 9.00, první pátek v měsíci 18.00", "Sunday: 9:00\nFriday: 18:00 (1st of the month)"),
            (
                "Mše sv. ve všední dny v 18.00 kromě pondělí; v neděli v 10.00",
                "Sunday: 10:00\nTuesday, Wednesday, Thursday, Friday, Saturday: 18:00",
            ),
            ("Neděle: mše sv. 10.00 (v létě 9.00)", "Sunday: 9:00 (summer time), 10:00 (winter time)"),
            (
                "Mše svaté: úterý 17.00 (zimní čas 16.00), neděle 11.00",
                "Sunday: 11:00\nTuesday: 16:00 (winter time), 17:00 (summer time)",
            ),
            ("Bohoslužby\nNeděle 8:00, 10:00\nZpověď: pátek 17:00\nÚřední hodiny: středa 9:00-11:00", "Sunday: 8:00, 10:00"),
            ("Mše svatá: neděle 9.30. Adorace: čtvrtek 17.00. Růženec denně 17.30", "Sunday: 9:30"),
            (
                "Mše svaté v neděli: 7.30 hod., 9.00 hod. a 11.00 hod. O prázdninách pouze 9.00 hod.",
                "Sunday: 7:30 (except July and August), 9:00, 11:00 (except July and August)",
            ),
            ("Mše sv.: neděle 8.00, o zasvěcených svátcích 18.00", "Sunday: 8:00\nholy days: 18:00"),
            (
                "Bohoslužby: středa a pátek 18.00, sobota 8.00, neděle 9.30",
                "Sunday: 9:30\nWednesday, Friday: 18:00\nSaturday: 8:00",
            ),
            ("Mše svaté: pondělí až sobota 6.30, neděle 7.00, 9.00", "Sunday: 7:00, 9:00\nweekdays: 6:30"),
            ("Mše svatá v neděli v 10:30, v kapli sv. Anny v 8:00", "Sunday: 8:00 (kapli sv. Anny), 10:30"),
            ("Neděle 9:00 mše svatá, poslední neděle v měsíci 15:00 mše svatá", "Sunday: 9:00, 15:00 (last of the month)"),
            ("Bohoslužby: neděle 10.00; denně mimo neděli 18.00", "Sunday: 10:00\nweekdays: 18:00"),
            (
                "Mše sv. v červenci a srpnu: neděle 9.00; ostatní měsíce: neděle 10.30",
                "Sunday: 9:00 (July and August), 10:30 (except July and August)",
            ),
        ],
    )
    def test_is_read(self, written: str, expected: str) -> None:
        assert read(written) == expected

    @pytest.mark.parametrize("row", rows(Path(__file__).with_name("czech.txt")), ids=lambda row: row.fields[0][:60])
    def test_is_read_as_labelled(self, row: Row) -> None:
        masses = [found.mass.as_dict() for found in read_text(row.fields[0].replace("⏎", "\n")).masses]
        told = compare(row.masses, masses, "full")

        assert bool(told.extras or told.misses) == (row.fields[0] in _MISREAD_CZECH), told


class TestGreekCatholic:
    @pytest.mark.parametrize(
        ("written", "expected"),
        [
            ("Божественна Літургія: неділя 9.00 і 11.00, будні 18.00, крім понеділка", "Sunday: 9:00, 11:00\n"),
            ("Неділя: 8:30 Утреня, 9:30 Літургія\nСубота 17:00 Вечірня", "Sunday: 9:30"),
            ("Boska Liturgia: niedziele i święta 10.00; wieczernia w sobotę 17.00", "Sundays and holy days: 10:00"),
            ("Święta Liturgia: niedziela 9.30, dni powszednie 8.00", "Sunday: 9:30\nweekdays: 8:00"),
        ],
    )
    def test_the_divine_liturgy_is_a_mass_vespers_are_not(self, written: str, expected: str) -> None:
        assert read(written).startswith(expected)


class TestBilingual:
    @pytest.mark.parametrize(
        "written",
        [
            "Niedziela / Sunday: 9.00, 11.00\nDni powszednie / Weekdays: 18.00",
            "Niedziela: 9.00, 11.00\nDni powszednie: 18.00\nSunday: 9 am, 11 am\nWeekdays: 6 pm",
            "Sonntag / Niedziela: 9.00, 11.00 Uhr\nWerktags / Dni powszednie: 18.00 Uhr",
        ],
    )
    def test_lists_are_read_once(self, written: str) -> None:
        assert read(written) == "Sunday: 9:00, 11:00\nweekdays: 18:00"

    def test_a_translation_adds_no_place(self) -> None:
        """The chapel of the Polish half is the one of the English half."""
        page = (
            "<h2>Msze święte</h2><p>Niedziele: 9.00, 11.00</p><p>Kaplica św. Anny: niedziela 13.00</p>"
            "<h2>Mass times</h2><p>Sundays: 9 am, 11 am</p><p>St Anne's Chapel: Sunday 1 pm</p>"
        )

        schedule = read_site([read_page(read_document(f"<html><body>{page}</body></html>", content_type="text/html"))])

        assert [(one.mass.time, one.mass.place) for one in schedule.masses] == [
            ("09:00", ""),
            ("11:00", ""),
            ("13:00", "Kaplica św. Anny"),
        ]
