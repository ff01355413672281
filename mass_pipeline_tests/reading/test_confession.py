"""Standing hours of confession: what statements say, and that of a statement with any word unknown nothing is read."""

from __future__ import annotations

import re

import pytest

from mass_pipeline.model.document import Document, Line, LineKind, Region
from mass_pipeline.reading.confession import Confession, confessions_of
from mass_pipeline.reading.phrases.text_lines import lines_of_text

EVERY = "Mo Tu We Th Fr Sa Su"
WEEK = "Mo Tu We Th Fr Sa"


def told(text: str) -> list[str]:
    """Rows in short: days, weeks of the month, time or relation."""
    return [short(one) for one in confessions_of(Document(tuple(lines_of_text(text))))]


def short(one: Confession) -> str:
    week = f"#{one.nth[0]}" if one.nth else ""
    time = f"{one.start}-{one.until}" if one.tied == "hours" else one.tied.removesuffix("_mass")
    more = " ".join(str(part) for part in (one.minutes, one.masses, one.until if one.tied == "after_mass" else "") if part)
    return f"{' '.join(one.days)}{week} {time} {more}".strip()


STATED = [
    ("Spowiedź: w dni powszednie pół godziny przed Mszą", [f"{WEEK} before 30"]),
    ("Sakrament pokuty: I piątek 16.00-17.30", ["Fr#1 16:00-17:30"]),
    ("Spowiedź św. podczas każdej Mszy św.", [f"{EVERY} PH during"]),
    ("Okazja do spowiedzi: codziennie 7.00-7.30 i 17.30-18.00", [f"{EVERY} 07:00-07:30", f"{EVERY} 17:30-18:00"]),
    ("Spowiedź w niedziele w trakcie Mszy św., w tygodniu 15 min. przed Mszą św.", ["Su during", f"{WEEK} before 15"]),
    ("Spowiedź pół godziny przed każdą Mszą oraz w piątek 17:00–18:00", [f"{EVERY} PH before 30", "Fr 17:00-18:00"]),
    ("W każdy czwartek i I piątek miesiąca spowiedź od godz. 16.00", ["Th 16:00-", "Fr#1 16:00-"]),
    ("Okazja do spowiedzi świętej przed/po Mszach Świętych w dni powszednie.", [f"{WEEK} before", f"{WEEK} after"]),
    ("Spowiedź codziennie przed wieczorną Mszą św., w niedziele przed Mszą św.", [f"{WEEK} before evening", "Su before"]),
    ("Spowiedź w niedziele przed Mszami św. o 7:30, 9:15 i 11:00", ["Su before 07:30, 09:15, 11:00"]),
    ("Adoracja z okazją do spowiedzi św. – 17:00 (w każdą sobotę)", ["Sa 17:00-"]),
    ("I piątek: spowiedź od 16.30, Msza św. 17.00", ["Fr#1 16:30-"]),
    ("Pierwsze piątki miesiąca:\nOdwiedziny chorych od 8.30\nSpowiedź: od 17.00 do 20.00", ["Fr#1 17:00-20:00"]),
    ("Spowiedź święta:\n30 min przed każdą Mszą Św.\nPiątek: 17:00–18:00", [f"{EVERY} PH before 30", "Fr 17:00-18:00"]),
    ("Wtorek-czwartek spowiedź: po Mszy św. 18.40-19.10", ["Tu We Th 18:40-19:10"]),
    (
        "Sakrament spowiedzi\nCodziennie:\n20 minut przed każdą Mszą św.\nWtorek\n10:00 - 12:00 i 15:00 - 18:00",
        [f"{EVERY} before 20", "Tu 10:00-12:00", "Tu 15:00-18:00"],
    ),
    ("Spowiedź w środy przed Mszą św. od 17.00", ["We 17:00-"]),
    ("Spowiadamy od poniedziałku do piątku od zakończenia Mszy św. do godz. 19.15.", ["Mo Tu We Th Fr after 19:15"]),
]


class TestStated:
    @pytest.mark.parametrize(("text", "rows"), STATED)
    def test_days_hours_and_what_they_are_tied_to(self, text: str, rows: list[str]) -> None:
        assert told(text) == rows

    @pytest.mark.parametrize("text", [text for text, _ in STATED if "\n" not in text])
    @pytest.mark.parametrize("word", ["nie", "młodzieży", "Adwencie", "Kowalskiego", "wakacje"])
    def test_one_word_that_nobody_knows_and_nothing_is_read_of_the_sentence(self, text: str, word: str) -> None:
        """But a word after the comma before another kind of service, which is no part of the statement."""
        borders = [match.end() for match in re.finditer(r"(?<=\w) (?=\w)", text) if ", Msza" not in text[: match.end()]]
        all_rows = told(text)

        for border in borders:
            found = told(f"{text[:border]}{word} {text[border:]}")
            assert set(found) < set(all_rows) or found == [], text[:border]

    def test_the_quote_is_the_sentence(self) -> None:
        (one,) = confessions_of(Document(tuple(lines_of_text("Msze św.: 8.00. Spowiedź w piątki od 17.00. Jan Nowak"))))

        assert one.quote == "Spowiedź w piątki od 17.00"


class TestNotStated:
    @pytest.mark.parametrize(
        "text",
        [
            "Nie ma spowiedzi podczas Mszy św.",
            "Spowiedź dla dzieci: I czwartek 16.00",
            "Spowiedź przedślubna w piątki o 17.00",
            "Spowiedź w wakacje od 17.00 w piątki",
            "Spowiedź w środę i czwartek przed I piątkiem od 17:45",
            "Spowiedź: 17.00",
            "Spowiedź 24 grudnia od 8.00 do 12.00",
            "W tym tygodniu I piątek miesiąca. Spowiedź w piątek od 17.00.",
            "Msze św. w niedziele: 8.00, 10.00. Spowiedź\nNiedziele: 8.00, 10.00",
            "5. Spowiedź w I piątek od godz. 17.00",
            "Spowiedź codziennie poza niedzielą 17.00-17.30",
        ],
    )
    def test_of_a_week_a_group_a_season_or_denied(self, text: str) -> None:
        assert told(text) == []

    @pytest.mark.parametrize(
        "title", ["Ogłoszenia duszpasterskie", "III Niedziela Adwentu", "Archiwum 2019", "Intencje 20.11.2026"]
    )
    def test_by_news_archives_and_sheets(self, title: str) -> None:
        lines = lines_of_text("Spowiedź: codziennie przed Mszą św.")
        heading = Line(title, LineKind.HEADING, level=2)

        assert confessions_of(Document(tuple(lines), title=title)) == ()
        assert confessions_of(Document((heading, *lines))) == ()

    def test_by_a_menu(self) -> None:
        assert confessions_of(Document((Line("Spowiedź przed Mszą", region=Region.NAV),))) == ()
