"""Sentences that take something out of an order, by wording and place: what they name is gone, what they do not name stays."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import pytest

from mass_pipeline.model.records import DAYS
from mass_pipeline.reading.regular.reading import read_page
from mass_pipeline.reading.text.reader import read_document
from mass_pipeline.site_reading.ownership.publishing import weighed
from mass_pipeline.site_reading.ownership.sites import judge_site
from mass_pipeline_tests.evaluation.reading import EVALUATION_DAY

Slots = frozenset[tuple[str, str]]

SUNDAY, WEEKDAYS = "Niedziele: 8.30, 10.15, 12.45", "Dni powszednie: 6.45, 17.30"
ORDER: Slots = frozenset(
    [*product(["Su"], ["08:30", "10:15", "12:45"]), *product(["Mo", "Tu", "We", "Th", "Fr", "Sa"], ["06:45", "17:30"])]
)
PLACES = {
    "in the line of a list": f"<p>{SUNDAY}</p><p>{WEEKDAYS}. {{}}</p>",
    "on a line below": f"<p>{SUNDAY}</p><p>{WEEKDAYS}</p><p>{{}}</p>",
    "on a line above": f"<p>{{}}</p><p>{SUNDAY}</p><p>{WEEKDAYS}</p>",
    "in a list": f"<ul><li>{SUNDAY}</li><li>{WEEKDAYS}</li><li>{{}}</li></ul>",
}
HOUR = [
    "Msza święta o 12.45 została zniesiona.",
    "O 12.45 Mszy nie ma.",
    "Mszy o godz. 12.45 już nie odprawiamy.",
    "Msza o 12.45 – odwołana.",
    "Msza św. o 12.45 nie jest już sprawowana.",
    "Przestaliśmy odprawiać Mszę o 12.45.",
    "Zrezygnowaliśmy z Mszy św. o 12.45.",
]
DAY = [
    "W czwartki Mszy nie ma.",
    "Nie odprawiamy Mszy św. w czwartki.",
    "W czwartek Eucharystii nie sprawujemy.",
    "Oprócz czwartków.",
    "Czwartki wyłączone.",
]
ELSE = [
    "Nie spóźniajmy się na Mszę o 12.45 w niedziele.",
    "Na Mszy o 12.45 nie ma składki.",
    "Po Mszy o 17.30 nie ma spowiedzi.",
    "W czwartki kancelaria nieczynna.",
    "W czwartki nie ma katechezy.",
    "Schola nie śpiewa na Mszy o 10.15.",
    "Kaplica szpitalna: brak.",
    "W kościele filialnym Mszy nie ma.",
    "Msza o 12.45 nie została odwołana.",
    "Msza o 10.15 nigdy nie jest odwoływana.",
    "W czwartki nie ma katechezy dla narzeczonych.",
]
SAME_CLAUSE = [
    "ale nie w czwartek",
    "z wyłączeniem czwartku",
    "tylko nie w czwartki",
    "nie dotyczy czwartku",
    "bez czwartku",
    "w czwartki nie",
]
UNREAD = ["Msza o 12.45 na razie nie wraca.", "Od września Msza o 12.45 nie jest już sprawowana."]
BEHIND = {  # a bracket behind the hour 17.30 of weekdays, and what it takes away
    "obecnie nie ma": {("17:30", day) for day in DAYS[:6]},
    "nie ma składki": set(),
    "z wyjątkiem okresu wakacji": set(),
    "nie tylko dla młodzieży": set(),
}


def _read(body: str) -> tuple[Slots, Slots]:
    """What is published and what waits, by day and hour."""
    page = f"<html><head><title>Msze święte</title></head><body><h1>Porządek Mszy świętych</h1>{body}</body></html>"
    document = read_document(page.encode(), content_type="text/html; charset=utf-8", url="https://parafia.example/msze")
    site = judge_site([read_page(document)], EVALUATION_DAY)
    schedule = weighed(site.schedule, site.pages, site.own)
    waiting = (one.read for one in schedule.withheld)
    published, proposed = (
        frozenset((day, read.mass.time) for read in reads for day in read.mass.days if day in DAYS[:7])
        for reads in (schedule.masses, waiting)
    )
    return published, proposed


def _texts(sentences: list[str]) -> Iterator[tuple[str, str]]:
    return product(PLACES, sentences)


class TestSentencesThatDeny:
    @pytest.mark.parametrize(("place", "sentence"), _texts(HOUR))
    def test_take_the_hour_that_they_name(self, place: str, sentence: str) -> None:
        published, _ = _read(PLACES[place].format(sentence))
        assert published == ORDER - {("Su", "12:45")}

    @pytest.mark.parametrize(("place", "sentence"), _texts(DAY))
    def test_take_the_day_that_they_name(self, place: str, sentence: str) -> None:
        published, _ = _read(PLACES[place].format(sentence))
        assert published == ORDER - {("Th", "06:45"), ("Th", "17:30")}

    @pytest.mark.parametrize(("place", "sentence"), _texts(ELSE))
    def test_of_something_else_than_a_mass_change_nothing(self, place: str, sentence: str) -> None:
        published, _ = _read(PLACES[place].format(sentence))
        assert published == ORDER

    @pytest.mark.parametrize(("place", "sentence"), _texts(UNREAD))
    def test_that_no_rule_reads_make_the_rows_wait_that_they_may_reach(self, place: str, sentence: str) -> None:
        published, proposed = _read(PLACES[place].format(sentence))
        assert (published, proposed) == (ORDER - {("Su", "12:45")}, {("Su", "12:45")})

    @pytest.mark.parametrize("words", BEHIND)
    def test_in_a_bracket_take_away_its_hour_or_nothing(self, words: str) -> None:
        published, _ = _read(f"<p>{SUNDAY}</p><p>{WEEKDAYS} ({words})</p>")
        assert published == ORDER - {(day, time) for time, day in BEHIND[words]}

    @pytest.mark.parametrize(
        ("sentence", "gone"),
        [
            ("Z Mszy porannej w dni powszednie zrezygnowaliśmy.", {("06:45", day) for day in DAYS[:6]}),
            ("W dni powszednie jest teraz tylko Msza o 6.45, pozostałe są odwołane.", {("17:30", day) for day in DAYS[:6]}),
        ],
    )
    @pytest.mark.parametrize("place", PLACES)
    def test_bind_to_the_half_of_the_day_and_to_the_rest(self, place: str, sentence: str, gone: set[tuple[str, str]]) -> None:
        published, _ = _read(PLACES[place].format(sentence))
        assert published == ORDER - {(day, time) for time, day in gone}

    @pytest.mark.parametrize(
        "words", ["Godziny dzwonienia", "Msze odwołane", "Otwarcie kościoła", "Nie ma już Mszy o godzinach", "Biuro parafialne"]
    )
    def test_between_days_and_hours_below_make_these_wait(self, words: str) -> None:
        published, _ = _read(f"<p>{SUNDAY}</p><p>Dni powszednie</p><p>{words}</p><p>6.45, 17.30</p>")
        assert published == ORDER - {*product(DAYS[:6], ["06:45", "17:30"])}

    def test_in_a_row_below_the_table_explain_its_marks(self) -> None:
        rows = "<tr><td>Niedziele</td><td>8.30, 10.15, 12.45</td></tr><tr><td>Dni powszednie</td><td>6.45, 17.30*</td></tr>"
        published, _ = _read(f"<table>{rows}<tr><td colspan='2'>* obecnie nie ma</td></tr></table>")
        assert published == ORDER - {(day, "17:30") for day in DAYS[:6]}

    @pytest.mark.parametrize("words", SAME_CLAUSE)
    def test_leave_out_days_behind_the_hours_too(self, words: str) -> None:
        published, _ = _read(f"<p>{SUNDAY}</p><p>{WEEKDAYS}, {words}</p>")
        assert published == ORDER - {("Th", "06:45"), ("Th", "17:30")}
