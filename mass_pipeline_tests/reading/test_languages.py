"""Other languages beside Polish: found by their words line by line; what is read of them: other_languages.txt and czech.txt."""

from __future__ import annotations

from pathlib import Path

import pytest

from mass_pipeline.model.errors import ConfigurationError
from mass_pipeline.reading.regular.reading import read_page, read_text
from mass_pipeline.reading.regular.sites import read_site
from mass_pipeline.reading.text.reader import read_document
from mass_pipeline.reading.words.folding import fold
from mass_pipeline.reading.words.languages import (
    language_of,
    languages_of_lines,
    languages_of_page,
    load_language,
)
from mass_pipeline.reading.words.lexicon import known_languages, load_lexicon
from mass_pipeline_tests.evaluation.scoring import compare
from mass_pipeline_tests.reading.formats.table_strings import Row, rows

_MISREAD_CZECH = {
    "Mše sv. každou druhou sobotu v měsíci v 16.00",  # "každou druhou" alone is every other one
    "Mše svatá bývá v neděli od 10 hodin a v úterý od 17 hodin.",  # "od" leads to the hour of an office elsewhere
}


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


class TestCzech:
    """A language is a folder of the vocabulary: no line of code knows Czech."""

    @pytest.mark.parametrize("row", rows(Path(__file__).with_name("czech.txt")), ids=lambda row: row.fields[0][:60])
    def test_is_read_as_labelled(self, row: Row) -> None:
        masses = [found.mass.as_dict() for found in read_text(row.fields[0].replace("⏎", "\n")).masses]
        told = compare(row.masses, masses, "full")

        assert bool(told.extras or told.misses) == (row.fields[0] in _MISREAD_CZECH), told


class TestBilingual:
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
