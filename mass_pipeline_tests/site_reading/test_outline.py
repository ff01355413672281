"""The outline of a page is worked out once and says what a walk down to each line would have found."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from mass_pipeline.model.document import Document, Line, LineKind, Region
from mass_pipeline.reading.text.reader import read_document
from mass_pipeline.site_reading.ownership.context import Outline, contexts

ROWS = (("Brzezina", "8.00"), ("Lipa", "9.30"))
_LINES = st.builds(
    Line,
    text=st.just("Msze"),
    kind=st.sampled_from([LineKind.HEADING, LineKind.TEXT]),
    level=st.integers(1, 3),
    region=st.sampled_from([Region.MAIN, Region.ASIDE, Region.HEADER]),
)


def _walked(document: Document, line: int) -> tuple[list[tuple[int, int]], Region]:
    above: list[tuple[int, int]] = []
    region = Region.MAIN
    for index, one in enumerate(document.lines[:line]):
        if one.region is not region and Region.HEADER not in (one.region, region):
            above = []
        region = one.region
        if one.kind is LineKind.HEADING:
            above = [*(earlier for earlier in above if earlier[1] < one.level), (index, one.level)]
    return above, region


class TestRows:
    def test_of_any_table_tell_what_stands_before_the_hour(self) -> None:
        table = "<table>{}</table>".format("".join(f"<tr><td>{name}</td><td>{hour}</td></tr>" for name, hour in ROWS))
        document = read_document(table * 2, content_type="text/html")
        hours = {at: 0 for at, line in enumerate(document.lines) if line.text[0].isdigit()}

        assert [context.cell for context in contexts(document, hours)] == [name for name, _ in ROWS] * 2


class TestOutline:
    @settings(max_examples=60, deadline=None)
    @given(st.lists(_LINES, max_size=12))
    def test_knows_which_headings_are_open_before_each_line(self, lines: list[Line]) -> None:
        document = Document(tuple(lines))
        outline = Outline(document)

        assert [outline.before(line) for line in range(len(lines) + 1)] == [
            _walked(document, line) for line in range(len(lines) + 1)
        ]
