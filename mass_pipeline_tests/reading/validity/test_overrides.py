"""Which names are those of one place; what replaces, adds to and removes what: conventions.txt."""

from __future__ import annotations

from mass_pipeline.reading.validity.overrides import is_same_place


class TestPlaces:
    def test_of_one_beginning_are_two_where_their_endings_are_long(self) -> None:
        """Gębice and Gębiczyn are two villages."""
        pairs = [("Brzezina", "Brzezinie"), ("Gębice", "Gębiczyn"), ("Lipa", "Lipy"), ("kaplica", "kaplica Sióstr")]

        assert [is_same_place(*pair) for pair in pairs] == [True, False, False, False]
