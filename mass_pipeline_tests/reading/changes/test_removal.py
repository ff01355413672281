"""A Mass is taken away only by words that take it away: a list of some Masses adds, a Mass of another place is another's."""

from __future__ import annotations

from datetime import date
from typing import Final

import pytest

from mass_pipeline.reading.changes import ScheduleChange, read_changes

_ISSUED: Final = date(2026, 7, 19)
_DAY: Final = date(2026, 7, 24)
_SOME: Final = (
    "zbiorowe za zmarłych", "gregoriańskie", "w intencji parafian", "dla chorych", "dla szkół", "o uzdrowienie", "u sióstr",
    "na zakończenie roku", "z okazji jubileuszu", "za górników", "w szpitalu", "w kaplicy cmentarnej",
)  # fmt: skip
_ALL: Final = ("", "będą odprawiane", "w naszym kościele", "odprawimy tylko", "w tym dniu będą", "z kazaniem")
_DENIED: Final = (
    "na Mszę o 18.00 nie ma intencji",
    "Msza o 18.00 nie jest odwołana",
    "Msza o 18.00 nie zostanie odwołana",
    "wypada uroczystość św. Józefa, Msza jak zwykle o 18.00",
    "wypada wspomnienie patrona; modlimy się po Mszy o 18.00",
    "nieprawdą jest, że nie będzie Mszy o 18.00",
)


def published(text: str) -> list[ScheduleChange]:
    """Changes that need no person."""
    return [change for change in read_changes(text, _ISSUED) if not change.doubts]


class TestAListOfMasses:
    @pytest.mark.parametrize("words", _SOME)
    def test_of_an_intention_kind_group_or_place_takes_none_away(self, words: str) -> None:
        for text in (f"W piątek 24 lipca Msze św. {words} o 9.00 i 16.15.", f"W piątek 24 lipca Msze {words}: 9.00, 16.15."):
            assert not [change for change in published(text) if change.kind != "added"], text

    @pytest.mark.parametrize("words", _ALL)
    def test_of_all_masses_of_a_day_is_its_order(self, words: str) -> None:
        [order] = published(f"W piątek 24 lipca Msze św. {words} o 9.00 i 16.15.")

        assert (order.kind, order.times, order.valid_from) == ("order", ("09:00", "16:15"), _DAY)


class TestADenial:
    @pytest.mark.parametrize("words", _DENIED)
    def test_of_something_else_takes_no_mass_away(self, words: str) -> None:
        assert not [change for change in published(f"W piątek 24 lipca {words}.") if change.kind != "added"]

    @pytest.mark.parametrize("place", ["w szpitalu", "w kaplicy w Borkach", "w Borkach", "u sióstr", "na cmentarzu"])
    def test_of_a_mass_of_another_place_waits(self, place: str) -> None:
        for text in (f"{place.capitalize()} w piątek nie będzie Mszy o 18.00.", f"W piątek nie będzie Mszy o 18.00 {place}."):
            text = text.replace(place.capitalize(), place[:1].upper() + place[1:])
            [change] = read_changes(text, _ISSUED)
            assert "elsewhere" in change.doubts, text

    @pytest.mark.parametrize("words", ["w zamian zapraszamy o 16.00", "kto chce, niech przyjdzie na 16.00"])
    def test_waits_as_long_as_the_hour_that_replaces_it_waits(self, words: str) -> None:
        found = read_changes(f"W piątek 24 lipca Mszy św. o 18.00 nie będzie, {words}.", _ISSUED)

        assert all(change.doubts for change in found) or {"16:00"} <= {hour for one in found for hour in one.times}
