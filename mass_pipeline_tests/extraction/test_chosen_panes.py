"""Tabs that only a value ties to their panes: `@click="tab = 'nd'"` and `x-show="tab === 'nd'"`."""

from __future__ import annotations

from itertools import pairwise

import pytest

from mass_pipeline.extraction.reader import read_document
from mass_pipeline.model.document import LineKind, Region

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


VUE = ("<div id=a>", "</div><script>new Vue({el: '#a', data: {tab: 'nd', a: {nd: '', pw: '', sob: ''}}})</script>")


def _all(form: str, texts: dict[str, str]) -> str:
    return "".join(form.replace("KEY", key).replace("TEXT", text) for key, text in texts.items())


COMPONENTS = {
    "state.jsx": "export default function M() { const [dzien, setDzien] = useState('nd'); return <section>"
    + _all("<button onClick={() => setDzien('KEY')}>TEXT</button>", LABELS)
    + _all("{dzien === 'KEY' && <p>TEXT</p>}", HOURS)
    + "</section> }",
    "lists.jsx": "const D = ["
    + _all("{id: 'KEY', n: 'TEXT', g: 'KEY'},", LABELS)
    + "]; const G = {"
    + _all("KEY: 'TEXT',", HOURS)
    + "}; export default function M() { const [d, setD] = useState('nd'); return <section>"
    "{D.map((x) => <button key={x.id} onClick={() => { setD(x.id); }}>{x.n}</button>)}"
    "{D.map((x) => d === x.id && <div key={x.id}><p>{G[x.id]}</p></div>)}</section> }",
    "order.vue": "<script setup>import {ref} from 'vue'; const tab = ref('nd')</script><template><div>"
    + _all("<button @click=\"tab = 'KEY'\">TEXT</button>", LABELS)
    + _all("<div v-if=\"tab === 'KEY'\"><p>TEXT</p></div>", HOURS)
    + "</div></template>",
    "else.vue": "<script setup>import {ref} from 'vue'; const tab = ref('nd')</script><template><div>"
    + _all("<button @click=\"tab = 'KEY'\">TEXT</button>", LABELS)
    + "<div v-if=\"tab === 'nd'\">8.00, 10.30</div><div v-else-if=\"tab === 'pw'\">18.00</div><div v-else>17.00</div>"
    + "</div></template>",
    "branches.jsx": "export default function M() { const [t, setT] = useState('nd'); return <section>"
    + _all("<button onClick={() => setT('KEY')}>TEXT</button>", LABELS)
    + "{t === 'nd' ? <p>8.00, 10.30</p> : t === 'pw' ? <p>18.00</p> : (<p>17.00</p>)}</section> }",
    "order.svelte": "<script>let tab = 'nd'</script><div>"
    + _all("<button on:click={() => tab = 'KEY'}>TEXT</button>", LABELS)
    + _all("{#if tab === 'KEY'}<p>TEXT</p>{/if}", HOURS)
    + "</div>",
}


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
            page(
                "<button @click=\"tab = '{key}'\">{text}</button>",
                "<template x-if=\"tab === '{key}'\"><p>{text}</p></template>",
            ),
            page(
                "<button @click=\"tab = '{key}'\">{text}</button>", "<div v-if=\"tab === '{key}'\">{{{{ '{text}' }}}}</div>", *VUE
            ),
        ],
    )
    def test_are_headed_by_the_label_whose_click_shows_them(self, source: str) -> None:
        assert panes_of(source) == EXPECTED

    def test_of_lists_are_headed_too(self) -> None:
        rows = "[" + ",".join(f"{{id: '{key}', n: '{LABELS[key]}', g: '{HOURS[key]}'}}" for key in LABELS) + "]"
        body = (
            "<button v-for='d in dni' @click='tab = d.id'>{{ d.n }}</button>"
            "<div v-for='d in dni' v-show='tab === d.id'><p>{{ d.g }}</p></div>"
        )

        script = f"new Vue({{el: '#a', data: {{tab: 'nd', dni: {rows}}}}})"

        assert panes_of(f"<html><body><div id=a>{body}</div><script>{script}</script></body></html>") == EXPECTED

    @pytest.mark.parametrize("name", COMPONENTS)
    def test_of_components_are_headed_too(self, name: str) -> None:
        assert panes_of(COMPONENTS[name], name) == EXPECTED

    @pytest.mark.parametrize(
        "last",
        [
            "<div x-show=\"tab !== 'nd' && tab !== 'pw'\">17.00</div>",
            "<div x-show=\"tab != 'pw' && tab != 'nd'\"><p>17.00</p></div>",
        ],
    )
    def test_the_rest_is_headed_by_the_label_that_is_left(self, last: str) -> None:
        pane = "<div x-show=\"tab === '{key}'\">{text}</div>"
        source = page("<button @click=\"tab = '{key}'\">{text}</button>", pane)

        assert panes_of(source.replace(pane.format(key="sob", text="17.00"), last)) == EXPECTED

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
