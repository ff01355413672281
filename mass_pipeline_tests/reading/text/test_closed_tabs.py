"""Tabs of which a page holds one pane: it belongs to the tab that is chosen."""

from __future__ import annotations

import pytest

from mass_pipeline.model.document import LineKind, Region
from mass_pipeline.reading.text.reader import read_document

CHOSEN = "<button role=tab aria-selected=true>Niedziele</button>"
CLOSED = "<button role=tab aria-selected=false>Dni powszednie</button>"


def lines_of(markup: str) -> list[tuple[str, str]]:
    """Region and text of the lines, `heading` where a line heads others."""
    document = read_document(f"<html><body>{markup}</body></html>", content_type="text/html")
    return [("heading" if one.kind is LineKind.HEADING else one.region.value, one.text) for one in document.lines]


class TestTheChosenTab:
    @pytest.mark.parametrize(
        ("tabs", "pane"),
        [
            (f"<div role=tablist>{CHOSEN}{CLOSED}</div>", "<div role=tabpanel><p>8.00</p></div>"),
            (f"<div role=tablist>{CLOSED}{CHOSEN}</div>", "<p>8.00</p>"),
            (
                '<div><button class="tab is-active">Niedziele</button><button class="tab">Dni powszednie</button></div>',
                "<p>8.00</p>",
            ),
            (
                '<ul><li class="Msze_tab__x1 Msze_active__y2">Niedziele</li><li class="Msze_tab__x1">Dni powszednie</li></ul>',
                "<div><p>8.00</p></div>",
            ),
        ],
    )
    def test_heads_the_only_pane(self, tabs: str, pane: str) -> None:
        found = lines_of(f"<h2>Msze</h2>{tabs}{pane}")

        assert found[-2:] == [("heading", "Niedziele"), ("main", "8.00")]
        assert {region for region, text in found[:-2] if text != "Msze"} == {Region.NAV.value}

    def test_panes_without_names_are_those_of_the_tabs_in_turn(self) -> None:
        panes = "<div role=tabpanel>8.00</div><div role=tabpanel>18.00</div>"

        assert lines_of(f"<div role=tablist>{CHOSEN}{CLOSED}</div>{panes}")[2:] == [
            ("heading", "Niedziele"),
            ("main", "8.00"),
            ("heading", "Dni powszednie"),
            ("main", "18.00"),
        ]

    def test_an_empty_pane_heads_nothing_of_what_follows(self) -> None:
        tabs = "".join(
            f"<button role=tab id=t{n} aria-controls=p{n} aria-selected={'true' if n == 1 else 'false'}>{name}</button>"
            for n, name in ((1, "Niedziele"), (2, "Dni powszednie"))
        )
        panes = "<div role=tabpanel id=p1 aria-labelledby=t1>8.00</div><div role=tabpanel id=p2 aria-labelledby=t2></div>"

        assert lines_of(f"{tabs}{panes}<p>18.00</p>")[2:] == [("heading", "Niedziele"), ("main", "8.00"), ("main", "18.00")]

    def test_without_a_chosen_tab_nothing_is_headed(self) -> None:
        assert lines_of(f"<div>{CLOSED}{CLOSED.replace('Dni', 'Te dni')}</div><p>8.00</p>")[-1] == ("main", "8.00")
