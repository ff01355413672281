"""Names of days that lost a letter: to another encoding, which leaves a sign, or to a slip, which leaves nothing."""

from __future__ import annotations

import pytest

from mass_pipeline.reading.words.lexer import tokenize
from mass_pipeline.reading.words.lexicon import load_lexicon

_DAYS = {"poniedziałek": "Mo", "wtorek": "Tu", "środa": "We", "czwartek": "Th", "piątek": "Fr", "sobota": "Sa", "niedziela": "Su"}
_WORD_OF_ITS_OWN = "worek"


class TestNameOfADay:
    @pytest.mark.parametrize("sign", ["?", "\ufffd", ""])
    @pytest.mark.parametrize(("name", "day"), _DAYS.items())
    def test_is_known_without_any_one_letter_where_only_a_day_stands(self, name: str, day: str, sign: str) -> None:
        """The last letter apart: "piąte" is an ordinal."""
        short = [name[:at] + sign + name[at + 1 :] for at in range(len(name) - 1)]

        assert {word: day for word in short if word != _WORD_OF_ITS_OWN} == {
            word: tokenize(f"{word} 18.00", load_lexicon("pl"))[0].value for word in short if word != _WORD_OF_ITS_OWN
        }

    @pytest.mark.parametrize("text", ["worek 18.00", "robota 18.00", "zbiórka: roda kościoła", "Kiedy?msza 18.00"])
    def test_is_no_other_word(self, text: str) -> None:
        assert "day" not in {token.kind for token in tokenize(text, load_lexicon("pl"))}
