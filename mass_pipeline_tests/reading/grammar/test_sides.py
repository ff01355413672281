"""Which side of an hour a condition between two hours belongs to."""

from __future__ import annotations

import pytest

from mass_pipeline.reading.doubts import Doubts, Question
from mass_pipeline.reading.grammar import sides
from mass_pipeline.reading.phrases.lines import nodes_of


def _before(text: str, doubts: Doubts | None = None) -> list[str]:
    nodes = nodes_of(text)
    return [text[nodes[at].start : nodes[at].end] for at in sides.before(nodes, 0, len(nodes), doubts or Doubts())]


class TestSides:
    @pytest.mark.parametrize(
        ("text", "before"),
        [
            ("18.00 - latem, 17.00 - zimą", ["latem", "zimą"]),
            ("latem 18.00, zimą 17.00", []),
            ("17.00 zimą 18.00 latem", ["zimą", "latem"]),
            ("18.00 - w wakacje 20.00", []),
            ("7.00 dla dzieci, 9.00", ["dla dzieci"]),
            ("7.00, dla dzieci 9.00", []),
            ("8.00, w środy 9.00, w piątki 10.00", []),
            ("8.00 w środy, 9.00 w piątki", ["w środy", "w piątki"]),
            ("o 7.00 i 18.00 w dni powszednie, a o 8.00 w niedziele", ["dni powszednie", "niedziele"]),
            ("8.00, 18.00 oprócz soboty, 20.00", ["soboty"]),
            ("8.00 w środy; 9.00 w piątki: 10.00", ["w środy"]),
            ("18.30, 20.00 Msza św. w rycie trydenckim w niedziele o 14.00", []),
            ("18.30, 20.00 Msza św. z homilią, 21.00", ["Msza św.", "z homilią"]),
        ],
    )
    def test_are_told_by_marks_and_by_the_shape_of_the_clause(self, text: str, before: list[str]) -> None:
        said = _before(text.partition(";")[0])

        assert [words.removeprefix("w ") for words in said] == [words.removeprefix("w ") for words in before]

    def test_where_nothing_tells_it_is_asked(self) -> None:
        doubts = Doubts()

        assert _before("8.00 wtorek 18.00", doubts) == []
        assert list(doubts.asked) == [Question("nearest", "08:00 18:00")]

    def test_the_weights_are_those_of_features_that_exist(self) -> None:
        """A feature without a weight would fail where it is met, a weight without a feature says nothing."""
        lines = ["8.00 - Msza - 9.00 z procesją", "8.00 w inne dni, także w środy 9.00 tylko latem 10.00 niedziele, 11.00"]

        assert all(isinstance(weight, float) for weight in sides.WEIGHTS.values())
        assert all(_before(line) is not None for line in lines)
