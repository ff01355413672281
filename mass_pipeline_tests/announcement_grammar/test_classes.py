"""Written announcements by class of error (`classes*.txt`): read, divided, chosen and published as the asset does it."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from mass_pipeline_tests.announcement_grammar.classes import Compared, compare, written

_FILES = (
    "classes.txt",
    "classes_second.txt",
    "classes_third.txt",
    "classes_fourth.txt",
    "classes_fifth.txt",
    "classes_sixth.txt",
    "classes_seventh.txt",
    "classes_eighth.txt",
    "classes_ninth.txt",
    "classes_sheets.txt",
)
_KNOWN_MISREADINGS = (
    "W poniedziałek św. Andrzeja. Msza św. od",
    "Msze św. z I Komunią klas trzecich o god",
    "W Niedzielę Palmową 21 marca i w Wielkan",
    "Dziś taca na ogrzewanie, za tydzień w ni",
    "OGŁOSZENIA DUSZPASTERSKIE",
    "Ogłoszenia parafialne na niedzielę Święt",
    "XII Niedziela w ciągu roku",
    "23 Niedziela Zwykła",
    "XIV Niedziela Zwykła",
    "I Niedziela Adwentu, 29 XI 2026",
    "XXV Niedziela Zwykła, rok A",
    "XXIX NIEDZIELA ZWYKŁA – 18.10.2026",
    "III Niedziela Wielkiego Postu",
    "IV Niedziela Zwykła",
    "XXVII niedziela zwykła",
    "W czasie rekolekcji, od poniedziałku do środy",
    "W kolejną niedzielę, pierwszą Adwentu, z powodu",
    "Niedziela dzisiejsza to Święto Miłosierdzia",
    "Roraty: pon.–sob. godz. 6.30",
    "INTENCJE MSZALNE",
    "W niedziele odpust: Msze sw. 8.00",
    "17 maja Msze św. o 7.00, 9.00, 11.00 (rocznica",
    "Pogrzeb śp. Marii",
    "Dziś, w uroczystość Chrystusa Króla",
    "Tej niedzieli nie ma Mszy o 18.00",
    "W Boze Cialo Msze swiete tylko",
    "Intencje na tydzień 16–22 listopada",
    "15 sierpnia Msze: 8.00, 11.00",
    "Środa Popielcowa: 8.00 (Msza św.)",
    "I Komunia Święta, Msze o godz. 12.00",
    "W sobotę 21 listopada Msze św. o 9.00 (wyjątkowo)",
    "Poniedziałek 14 i wtorek 15 grudnia",
    "W lipcu i sierpniu zmiana porządku Mszy",
    "W środę Mszy św. nie będzie wieczorem, lecz",
    "Od 1 lipca do 31 sierpnia wakacyjny porządek",
    "W środę Msza św. z godz. 18.00 zostanie",
    "Czcigodni i drodzy Parafianie z Borowej",
    "Parafia Wniebowzięcia NMP, Stary Bród",
    "NIEDZIELA DOBREGO PASTERZA, 26 kwietnia",
    "Kochani, garść informacji na nowy tydzień",
    "OGŁOSZENIA NA DZIEŃ ZADUSZNY",
    "12. Niedziela Zwykła | 21 czerwca 2026",
    "🕯 RORATY 2025 🕯",
    "🌿 WIELKI TYDZIEŃ W BRZEZINCE 🌿",
)
_GOLDEN = sorted(Path(__file__).with_name("golden").glob("*.txt"))
_WRITTEN = [one for file in (*(Path(__file__).with_name(name) for name in _FILES), *_GOLDEN) for one in written(file)]


@cache
def _compared(at: int) -> Compared:
    return compare(_WRITTEN[at])


class TestClasses:
    @pytest.mark.parametrize("at", range(len(_WRITTEN)), ids=lambda at: f"{_WRITTEN[at].name}: {_WRITTEN[at].text[:40]}")
    def test_nothing_wrong_is_published(self, at: int) -> None:
        assert not _compared(at).wrong

    def test_misreadings_are_those_known(self) -> None:
        """One that is mended leaves the list, a new one is seen."""
        wrong = [one.text for at, one in enumerate(_WRITTEN) if not _compared(at).is_right]

        assert len(_KNOWN_MISREADINGS) == len(wrong)
        for begins, text in zip(_KNOWN_MISREADINGS, wrong, strict=True):
            assert text.startswith(begins)
