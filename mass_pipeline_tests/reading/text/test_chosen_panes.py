"""Tabs that only a value ties to their panes: `@click="tab = 'nd'"` and `x-show="tab === 'nd'"`."""

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
