"""Names, illnesses and numbers of private persons (hazards, section 5)."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mass_pipeline.reading.words.masking.lines import BLANK, MASK, blanked, masked
from mass_pipeline.reading.words.masking.places import public_place
from mass_pipeline_tests.shared import shared_folder


class TestMaskedNames:
    @pytest.mark.parametrize(
        ("text", "hidden"),
        [
            ("8.00 + Jan Kowalski", ["Jan", "Kowalski"]),
            ("7:00 † śp. Anna i Józef Nowakowie z rodziny Kowalskich", ["Anna", "Józef", "Nowakowie", "Kowalskich"]),
            ("18.00 za ++ Krystynę Małecką i Jerzego", ["Krystynę", "Małecką", "Jerzego"]),
            ("7:00 O zdrowie i błogosławieństwo Boże dla Zofii", ["Zofii"]),
            ("Msza św. w int. Haliny i Zbigniewa Nowak w 50. rocznicę ślubu", ["Haliny", "Zbigniewa", "Nowak"]),
            ("18.00 ++ STANISŁAW I MARIA WIŚNIEWSCY", ["STANISŁAW", "WIŚNIEWSCY"]),
            ("Proboszcz: ks. kan. Tomasz Wiśniewski", ["Tomasz", "Wiśniewski"]),
            ("organista Piotr Zieliński, p.zielinski@poczta.example, 601 234 567", ["Zieliński", "poczta", "601 234"]),
            ("Zapowiedzi: Kowal Adam i Anna Lis", ["Kowal", "Adam", "Anna", "Lis"]),
            ("17:00 – chrzest: Maja Lisowska", ["Maja", "Lisowska"]),
            ("18.00 + Maja", ["Maja"]),
            ("w intencji chorej na raka Hermenegildy P.", ["raka", "Hermenegildy"]),
            ("w 3 r. śm. J. Kowalewskiego", ["Kowalewskiego"]),
            ("Ś†P. Waclaw NOWOTKO", ["Waclaw", "NOWOTKO"]),
            ("za śp. Annę Pindor-Ćwiertnię", ["Annę", "Pindor", "Ćwiertnię"]),
            ("int. dziękczynna (Grzędzińscy)", ["Grzędzińscy"]),
            ("zm. kowalska anna", ["kowalska", "anna"]),
            ("за упокій Оксани Шевчук", ["Оксани", "Шевчук"]),
            ("7.00 Zbigniew Kwiat", ["Zbigniew", "Kwiat"]),
            ("Msza św. Jana Pindora", ["Jana", "Pindora"]),
            ("Niedzielskiego, Sobotki", ["Niedzielskiego", "Sobotki"]),
            ("Zapowiedzi: Maja Kret i Jan Lis", ["Maja", "Kret", "Jan", "Lis"]),
            ("prosi Barbara Nowak-Kowalska", ["Barbara", "Nowak", "Kowalska"]),
        ],
    )
    def test_are_hidden(self, text: str, hidden: list[str]) -> None:
        shown = masked(text)

        assert MASK in shown
        assert not [name for name in hidden if name in shown]

    @pytest.mark.parametrize(
        "text",
        [
            "Parafia św. Jana Chrzciciela", "Kościół pw. św. Marii Magdaleny", "parafia św. Jana Pawła II",
            "Niedziela: 8.00 Msza Święta", "Matki Boskiej Częstochowskiej", "Parafia św. Maksymiliana Marii Kolbego",
            "SPRAWY POGRZEBU W KANCELARII", "Święto 3 Maja", "+ Msza Święta", "18.00 w Zalesiu i w Nowej Wsi",
            "Najświętszego Serca Pana Jezusa", "ks. Msza św. o 18.00", "Dni powszednie: 7.00, 18.00 (Maj, Październik)",
        ],
    )  # fmt: skip
    def test_saints_places_and_ordinary_words_stay(self, text: str) -> None:
        assert masked(text) == text

    def test_of_invented_intentions_the_hour_stays_and_no_name(self) -> None:
        """Hazards section 5, Q3: every capitalised word after the hour is a name there, but for God and a street."""
        file = shared_folder("suites", "own", "intentions_synthetic.json")
        for case in json.loads(file.read_text(encoding="utf-8"))["cases"]:
            shown = masked(case["line"])
            left = re.findall(r"(?<!ul\. )\b[A-ZŁŚŻ][a-ząćęłńóśźż]{2,}", shown)

            assert case["keep"] in shown
            assert set(left) <= {"Boże", "Bogu"}, shown

    def test_hours_and_line_breaks_stay(self) -> None:
        assert masked("7.00 + Jan Nowak\n8.00 + Ewa Lis\n9.30") == f"7.00 + {MASK}\n8.00 + {MASK}\n9.30"


class TestNumbersOfPersons:
    @pytest.mark.parametrize(
        "number",
        [
            "605111222", "605 111 222", "605-111-222", "605.111.222", "+48605111222", "0048 605 111 222", "(12) 345 67 89",
            "012/3456789", "(0-12) 3456789", "605 111222", "345-67-89", "81010112345", "810101 12345", "12.03.1948", "12-03-1948",
            "12 1020 0000 0000 0000 0000 1234", "PL12102000000000000000001234", "jan@poczta.example", "jan @ poczta . example",
            "jan (malpa) poczta.example", "jan[at]poczta[kropka]pl", "parafia(małpa)poczta.example",
        ],
    )  # fmt: skip
    def test_are_hidden_in_every_spelling(self, number: str) -> None:
        hidden = masked(f"Niedziela 8.00, 10.00; zapisy: {number} w kancelarii")

        assert hidden == f"Niedziela 8.00, 10.00; zapisy: {MASK} w kancelarii"

    @pytest.mark.parametrize(
        "text",
        [
            "7.00, 8.30, 10.00, 11.30, 13.00", "8.00 10.00 12.00", "7:00-8:00, 16.00-17.30", "900 1130 1800", "7 30, 9 00, 11 00",
            "od 1.09.2026 do 31.08.2027", "30-001", "w 2026 roku", "7.00 i 18.00 (X-III)", "1 i 3 niedziela miesiąca",
        ],
    )  # fmt: skip
    def test_hours_dates_and_years_stay(self, text: str) -> None:
        assert masked(text) == text


class TestBlankedLine:
    @given(st.text(alphabet="aA ąŻ+†.,:-0123456789@()łjn\u2212Ж", max_size=80))
    def test_keeps_every_offset_and_every_space(self, text: str) -> None:
        line = text.replace("\n", " ")
        blank = blanked(line)

        assert len(blank) == len(line)
        assert all(new in (old, BLANK) and (not old.isspace() or new == old) for old, new in zip(line, blank, strict=True))

    def test_tells_nothing_of_the_length_once_it_is_masked(self) -> None:
        assert masked("śp. Jan Ćwik") == masked("śp. Hermenegilda Brzęczyszczykiewicz") == f"śp. {MASK}"


class TestPlace:
    @pytest.mark.parametrize(
        "name",
        [
            "",
            "kaplica",
            "kaplica w Zalesiu",
            "Kościół św. Anny",
            "kaplica Sióstr Elżbietanek",
            "Dolny Kościół",
            "Sanatorium „Irena”",
            "Dom Seniora „Pod Różą”",
        ],
    )
    def test_of_a_building_stays(self, name: str) -> None:
        assert public_place(name, is_known=False) == name

    def test_that_the_page_uses_as_a_place_stays(self) -> None:
        assert public_place("Zawadka", is_known=True) == "Zawadka"
        assert public_place("Zawadka", is_known=False) == MASK

    def test_that_is_a_person_is_none(self) -> None:
        assert public_place("Genowefa Przybylak", is_known=True) == ""
        assert public_place("Pawła", is_known=False) == ""
        assert "Pindor" not in public_place("kaplica Jana Pindorskiego", is_known=True)

    @pytest.mark.parametrize(
        ("name", "told"),
        [
            ("kaplica polowa przy kempingu Jana Wydry", "kaplica polowa przy kempingu"),
            ("Kaplica Jana Pindorskiego", "Kaplica"),
            ("kościół pw. św. brajana", "kościół"),
            ("kaplica w Zalesiu, ul. Jana Pindora 3", "kaplica w Zalesiu"),
        ],
    )
    def test_ends_before_the_first_word_that_may_be_a_person_s(self, name: str, told: str) -> None:
        assert public_place(name, is_known=False) == told
