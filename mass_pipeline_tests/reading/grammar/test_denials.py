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
]
DAY = [
    "W czwartki Mszy nie ma.",
    "Nie odprawiamy Mszy św. w czwartki.",
    "W czwartek Eucharystii nie sprawujemy.",
    "Oprócz czwartków.",
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
]
SAME_CLAUSE = [
    "ale nie w czwartek",
    "z wyłączeniem czwartku",
    "tylko nie w czwartki",
    "nie dotyczy czwartku",
    "bez czwartku",
    "w czwartki nie",
]
UNREAD = ["Msza o 12.45 nie została odwołana.", "Msza o 12.45 na razie nie wraca."]


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

    @pytest.mark.parametrize("words", SAME_CLAUSE)
    def test_leave_out_days_behind_the_hours_too(self, words: str) -> None:
        published, _ = _read(f"<p>{SUNDAY}</p><p>{WEEKDAYS}, {words}</p>")
        assert published == ORDER - {("Th", "06:45"), ("Th", "17:30")}
