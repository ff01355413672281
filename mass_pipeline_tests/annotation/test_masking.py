"""Names of private persons (hazards, section 5)."""

from __future__ import annotations

import json
import re

import pytest

from mass_pipeline.annotation.masking import MASK, mask_names
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
            ("Zapowiedzi: Maja Kret i Jan Lis", ["Maja", "Kret", "Jan", "Lis"]),
            ("prosi Barbara Nowak-Kowalska", ["Barbara", "Nowak", "Kowalska"]),
        ],
    )
    def test_are_hidden(self, text: str, hidden: list[str]) -> None:
        masked = mask_names(text)

        assert MASK in masked
        assert not [name for name in hidden if name in masked]

    @pytest.mark.parametrize(
        "text",
        [
            "Parafia św. Jana Chrzciciela", "ul. Jana Kowalskiego 5", "Kościół pw. św. Marii Magdaleny", "Jan Paweł II",
            "Niedziela: 8.00 Msza Święta", "Szkoła im. Adama Mickiewicza", "Matki Boskiej Częstochowskiej",
            "Parafia św. Maksymiliana Marii Kolbego", "ul. Ks. Franciszka Bojdoła 3",
            "DO SPRAW POGRZEBU UDAJEMY SIĘ DO KANCELARII",
            "ul. 3 Maja Lipowa Góra", "Święto 3 Maja", "1 Maja Święto Józefa Robotnika", "+ Msza Święta",
            "Najświętszego Serca Pana Jezusa", "ks. Msza św. o 18.00", "Dni powszednie: 7.00, 18.00 (Maj, Październik)",
        ],
    )  # fmt: skip
    def test_saints_streets_and_ordinary_words_stay(self, text: str) -> None:
        assert mask_names(text) == text

    def test_of_invented_intentions_the_hour_stays_and_no_name(self) -> None:
        """Hazards section 5, Q3: every capitalised word behind the hour is a name there, but for God and a street."""
        file = shared_folder("suites", "own", "intentions_synthetic.json")
        for case in json.loads(file.read_text(encoding="utf-8"))["cases"]:
            masked = mask_names(case["line"])
            left = re.findall(r"(?<!ul\. )\b[A-ZŁŚŻ][a-ząćęłńóśźż]{2,}", masked)

            assert case["keep"] in masked
            assert set(left) <= {"Boże", "Bogu"}, masked

    def test_hours_and_line_breaks_stay(self) -> None:
        assert mask_names("7.00 + Jan Nowak\n8.00 + Ewa Lis\n9.30") == f"7.00 + {MASK}\n8.00 + {MASK}\n9.30"

    def test_a_long_hostile_line_takes_no_quadratic_time(self) -> None:
        import time

        begun = time.perf_counter()
        mask_names("Anna " * 3000 + "+" * 3000 + "o zdrowie i " * 500)

        assert time.perf_counter() - begun < 5.0
