"""Tabs: panes that only a value ties to their labels (`@click="tab = 'nd'"`), and pages that hold the chosen pane alone."""

from __future__ import annotations

from itertools import pairwise

import pytest

from mass_pipeline.model.document import LineKind, Region
from mass_pipeline.reading.text.reader import read_document

LABELS = {"nd": "Niedziela", "pw": "Dni powszednie", "sob": "Sobota"}
HOURS = {"nd": "8.00, 10.30", "pw": "18.00", "sob": "17.00"}
EXPECTED = [(LABELS[name], HOURS[name]) for name in LABELS]


def panes_of(source: str, url: str = "") -> list[tuple[str, str]]:
    """The lines with hours, each with the heading that stands right over it."""
    lines = read_document(source, content_type=None if url else "text/html", url=url).lines
    return [(one.text, two.text) for one, two in pairwise(lines) if one.kind is LineKind.HEADING and two.text in HOURS.values()]


def page(label: str, pane: str, begin: str = "<div x-data=\"{tab: 'nd'}\">", end: str = "</div>") -> str:
    labels = "".join(label.format(key=key, text=text) for key, text in LABELS.items())
    panes = "".join(pane.format(key=key, text=text) for key, text in HOURS.items())
    return f"<html><body><h2>Msze święte</h2>{begin}<div>{labels}</div>{panes}{end}</body></html>"


class TestChosenPanes:
    @pytest.mark.parametrize(
        "source",
        [
            page("<button @click=\"tab = '{key}'\">{text}</button>", "<div x-show=\"tab === '{key}'\">{text}</div>"),
            page(
                "<a href='' x-on:click.prevent=\"tab='{key}'\">{text}</a><br>",
                "<section x-show=\"tab == '{key}'\" style='display:none'><p>{text}</p></section>",
            ),
            page("<li ng-click=\"vm.tab = '{key}'\">{text}</li>", "<ul ng-show=\"vm.tab === '{key}'\"><li>{text}</li></ul>"),
            page(
                "<button ng-click=\"wybierz('{key}')\">{text}</button>",
                "<div ng-show=\"czyWybrana('{key}')\"><p>{text}</p></div>",
            ),
        ],
    )
    def test_are_headed_by_the_label_whose_click_shows_them(self, source: str) -> None:
        assert panes_of(source) == EXPECTED

    def test_panes_named_by_a_function_have_the_id_that_it_is_given(self) -> None:
        label = "<button onclick=\"openTab(event, '{key}')\">{text}</button>"

        assert panes_of(page(label, "<div id='{key}' class='tabcontent'>{text}</div>")) == EXPECTED

    def test_labels_stand_in_no_text(self) -> None:
        source = page("<button @click=\"tab = '{key}'\">{text}</button>", "<div x-show=\"tab === '{key}'\">{text}</div>")

        lines = read_document(source, content_type="text/html").lines

        assert [one.text for one in lines if one.region is Region.NAV] == list(LABELS.values())

    @pytest.mark.parametrize(
        ("label", "pane"),
        [
            ("<button @click=\"tab = '{key}'\">{text}</button>", "<div x-show=\"inna === '{key}'\">{text}</div>"),
            ("<button @click=\"tab = '{key}'\">{text}</button>", "<div x-show=\"tab !== '{key}'\">{text}</div>"),
            ("<button @click=\"tab === '{key}'\">{text}</button>", "<div x-show=\"tab === '{key}'\">{text}</div>"),
        ],
    )
    def test_other_conditions_name_none(self, label: str, pane: str) -> None:
        assert panes_of(page(label, pane)) == []


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
