"""Towns that a name typed by itself may mean: exact before declined before mistyped, larger towns first."""

from __future__ import annotations

import pytest

from mass_pipeline.finding.place_candidates import candidates
from mass_pipeline.finding.places import Places
from mass_pipeline.finding.town_names import ParishRow

PLACES = Places.of(
    [
        ParishRow("Rogowo", "kujawsko-pomorskie"),
        ParishRow("Rogów", "łódzkie"),
        ParishRow("Rogów", "opolskie"),
        ParishRow("Łubno", "podkarpackie"),
        ParishRow("Lubno", "zachodniopomorskie"),
        ParishRow("Wielowieś", "śląskie"),
        ParishRow("Sucha Beskidzka", "małopolskie"),
        *(ParishRow("Mordy Małe", "mazowieckie", f"św. Patrona {number}") for number in range(3)),
        ParishRow("Mordy", "mazowieckie"),
    ]
)


def found(words: str) -> list[str]:
    return [one.town.name for one in candidates(words, PLACES)]


class TestCandidates:
    @pytest.mark.parametrize(
        ("words", "names"),
        [
            ("rogów", ["Rogów", "Rogów", "Rogowo"]),
            ("Rogowie", ["Rogowo", "Rogów", "Rogów"]),  # a form of both
            ("Łubno", ["Łubno", "Lubno"]),
            ("lubno", ["Lubno", "Łubno"]),
            ("mmrdy", ["Mordy"]),
            ("Mordy", ["Mordy", "Mordy Małe"]),
            ("suchaxbeskidzka", ["Sucha Beskidzka"]),
            ("Suchej Beskidzkiej", ["Sucha Beskidzka"]),
            ("such abeskidzka", ["Sucha Beskidzka"]),
            ("sucha", ["Sucha Beskidzka"]),
            ("Wielowsi", ["Wielowieś"]),
            ("Warszawa", []),
            ("", []),
            ("!?", []),
        ],
    )
    def test_the_likeliest_stands_first(self, words: str, names: list[str]) -> None:
        assert found(words) == names

    def test_the_score_tells_how(self) -> None:
        told = [(one.why, one.score) for word in ("Mordy", "Mordach", "mmrdy") for one in candidates(word, PLACES)[:1]]

        assert told == [("exact name", 1.0), ("form of the name", 0.9), ("nearly so", 0.7)]

    def test_there_are_at_most_as_many_as_asked_for(self) -> None:
        assert len(candidates("Rogowie", PLACES, most=2)) == 2
