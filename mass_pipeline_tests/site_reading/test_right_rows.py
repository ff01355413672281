"""What stands on nearly every page of a parish keeps no right row back: contacts, names of towns, intentions, dioceses."""

from __future__ import annotations

import pytest

from mass_pipeline.reading.regular.reading import read_strings
from mass_pipeline_tests.site_reading.made import published

ORDER = "<p>Niedziele: 8.15, 11.45</p><p>Dni powszednie: 17.15</p>"
TIMES = {"08:15", "11:45", "17:15"}


def places(page: str) -> dict[str, str]:
    """Time -> place of what is published of a page."""
    return {read.mass.time: read.mass.place for read in published(page).masses}


class TestWhatHeadsAnOrder:
    @pytest.mark.parametrize(
        "heading",
        [
            "<b>e-mail: kontakt@zalesie.pl</b>",
            "<h3>33-100 Zalesie, ul. Polna 4</h3>",
            "<h1>Archidiecezja Miodowska</h1>",
            "<h1>Msze święte oraz intencje</h1>",
            "<h1>Intencje, Msze święte</h1>",
            "<h1>Parafia św. Anny w Pielgrzymowicach</h1>",
            "<h1>Parafia św. Anny</h1><h2>Złotoryja</h2>",
            "<h2>Pogrzebień</h2><h3>Msze święte</h3>",
        ],
    )
    def test_may_be_contacts_a_diocese_intentions_or_a_town(self, heading: str) -> None:
        assert places(heading + ORDER).keys() == TIMES

    def test_is_no_order_when_it_tells_for_whom_alone(self) -> None:
        assert places(f"<h1>Intencje mszalne</h1>{ORDER}") == {}


class TestContactsInTheLineOfTheOrder:
    def test_give_it_neither_place_nor_season(self) -> None:
        line = "33-100 Zalesie, ul. 3 Maja 9, tel. 14 000 00 00 MSZE ŚWIĘTE: niedziele 8.15, 11.45 dni powszednie 17.15"

        assert places(f"<p>{line}</p>") == dict.fromkeys(TIMES, "")


class TestTownsThatBeginLikeAWord:
    def test_are_places_in_strings(self) -> None:
        masses = read_strings("Słubice: 8.30, 10.30; Lipno: 9.15", "Słubice: 18.00").masses

        assert {read.mass.place for read in masses} == {"Słubice", "Lipno"}
