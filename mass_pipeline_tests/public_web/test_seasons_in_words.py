"""Seasons as the site says them."""

from __future__ import annotations

import pytest

from mass_pipeline.public_web.texts import words


@pytest.mark.parametrize(
    ("when", "polish", "english"),
    [
        ("vacation", "w wakacje", "in the summer holidays"),
        ("04-09", "od kwietnia do września", "April to September"),
        ("03-03", "od 1 marca do 31 marca", "1 March to 31 March"),
        ("05-12/09-20", "od 12 maja do 20 września", "12 May to 20 September"),
    ],
)
def test_months_and_days_are_named(when: str, polish: str, english: str) -> None:
    assert (words("pl").season(when), words("en").season(when)) == (polish, english)
