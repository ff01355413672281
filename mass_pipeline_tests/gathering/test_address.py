"""Addresses of 2 to 4 parts, glued streets, lost digits."""

from __future__ import annotations

import pytest

from mass_pipeline.gathering.address import Address, parse_address
from mass_pipeline.gathering.tables import voivodeship_of


class TestParseAddress:
    @pytest.mark.parametrize(
        ("parts", "town", "street", "postcode", "post_town", "voivodeship"),
        [
            (["św. Anny", "ul. Leśna 3", "48-217 Biała", "woj. opolskie"], "Biała", "ul. Leśna 3", "48-217", "Biała", "opolskie"),
            (["św. Anny", "ul. Leśna 3", "48-217 Biała"], "Biała", "ul. Leśna 3", "48-217", "Biała", None),
            (["św. Anny", "48-217 Biała", "woj. opolskie"], "Biała", None, "48-217", "Biała", "opolskie"),
            (["św. Anny", "48-217 Biała"], "Biała", None, "48-217", "Biała", None),
            (["św. Anny", "Biała"], "Biała", None, None, "Biała", None),
            (["św. Anny", "Biała 12", "48-217 Biała"], "Biała", "Biała 12", "48-217", "Biała", None),
            (["św. Anny", "BIAŁA", "48-217 Biała"], "Biała", None, "48-217", "Biała", None),
            (["św. Anny", "Łążekul. Kościelna 5", "86-150 Łążek"], "Łążek", "Łążek, ul. Kościelna 5", "86-150", "Łążek", None),
            (["św. Anny", "ul. Warpińska", "22-24 Poznań"], "Poznań", "ul. Warpińska", None, "Poznań", None),
            (
                ["św. Anny", "ul.\xa0Topolowa 20", "78- 420 Biały\xa0Bór"],
                "Biały Bór",
                "ul. Topolowa 20",
                "78-420",
                "Biały Bór",
                None,
            ),
            (["św. Anny", "ul.3 Maja 33", "Olszewo"], "Olszewo", "ul.3 Maja 33", None, "Olszewo", None),
            (["św. Anny"], "Biała", None, None, None, None),
            ([], "Biała", None, None, None, None),
        ],
    )
    def test_reads_the_parts(
        self,
        parts: list[str],
        town: str,
        street: str | None,
        postcode: str | None,
        post_town: str | None,
        voivodeship: str | None,
    ) -> None:
        address = parse_address(parts, town)

        assert address == Address("|".join(" ".join(p.split()) for p in parts), street, postcode, post_town, voivodeship)


class TestVoivodeshipOf:
    @pytest.mark.parametrize(
        ("postcode", "voivodeship"),
        [("48-217", "opolskie"), ("38-300", "małopolskie"), ("38-200", "podkarpackie"), ("00-001", "mazowieckie"), (None, None)],
    )
    def test_three_digits_before_two(self, postcode: str | None, voivodeship: str | None) -> None:
        assert voivodeship == voivodeship_of(postcode)
