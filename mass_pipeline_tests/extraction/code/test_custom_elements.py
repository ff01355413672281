# ruff: noqa: E501 - pages are written as they are served
"""Elements that a page defines itself, with the attributes that they have in its HTML."""

from __future__ import annotations

import pytest

from mass_pipeline.extraction.reader import read_document
from mass_pipeline.extraction.site_code import pages_of_site

CARDS = (
    "<msze-karta dzien='Niedziela' godziny='8:00, 10:00'></msze-karta>"
    "<msze-karta dzien='Dni powszednie' godziny='18:00'></msze-karta>"
)
EXPECTED = ["Msze święte", "Niedziela: 8:00, 10:00", "Dni powszednie: 18:00", "Kancelaria"]
BODY = f"<h2>Msze święte</h2>{CARDS}<h2>Kancelaria</h2>"
DEFINE = "customElements.define('msze-karta', Karta)"

CLASSES = {
    "Lit, static properties": "class Karta extends LitElement { static properties = {dzien: {type: String}, godziny: {type: String}};"
    f" constructor() {{ super(); this.dzien = ''; }} render() {{ return html`<p>${{this.dzien}}: ${{this.godziny}}</p>` }} }} {DEFINE}",
    "Lit, decorators": "@customElement('msze-karta') export class Karta extends LitElement { @property() dzien = '';"
    " @property({attribute: 'godziny'}) kiedy = 'brak'; render() { return html`<p>${this.dzien}: ${this.kiedy}</p>`; } }",
    "Lit, a getter of properties": "class Karta extends LitElement { static get properties() { return {dzien: {type: String},"
    " lista: {type: String, attribute: 'godziny'}} } render() { return html`<p>${this.dzien}: ${this.lista.split(', ').join(', ')}</p>` } }"
    f" {DEFINE}",
    "attributes": "class Karta extends HTMLElement { connectedCallback() { const d = this.getAttribute('dzien');"
    f" this.innerHTML = `<p>${{d}}: ${{this.getAttribute('godziny')}}</p>`; }} }} {DEFINE}",
    "a shadow": "customElements.define('msze-karta', class extends HTMLElement { constructor() { super(); this.attachShadow({mode: 'open'}) }"
    " connectedCallback() { this.shadowRoot.innerHTML = '<p>' + this.dzien + ': ' + this.getAttribute('godziny') + '</p>' }"
    " get dzien() { return this.getAttribute('dzien') } })",
    "elements": "class Karta extends HTMLElement { connectedCallback() { this.render() } render() {"
    " const p = document.createElement('p'); p.textContent = `${this.getAttribute('dzien')}: ${this.getAttribute('godziny')}`;"
    f" this.appendChild(p) }} }} {DEFINE}",
}


def page(body: str, script: str, address: str = "") -> str:
    return f"<!doctype html><html><body>{body}<script type=module{address}>{script}</script></body></html>"


def shown(source: str) -> list[str]:
    return [line.text for line in read_document(source, content_type="text/html").lines]


class TestCustomElements:
    @pytest.mark.parametrize("name", CLASSES)
    def test_show_their_attributes_where_they_stand(self, name: str) -> None:
        assert shown(page(BODY, CLASSES[name])) == EXPECTED

    @pytest.mark.parametrize("name", CLASSES)
    def test_of_files_of_the_site_too(self, name: str) -> None:
        files = [
            ("index.html", page(BODY, "", " src=js/main.js")),
            ("js/main.js", "import './karta.js'"),
            ("js/karta.js", CLASSES[name]),
        ]

        assert [shown(str(one.content)) for one in pages_of_site(files)] == [EXPECTED, [], []]

    def test_data_attributes_are_read(self) -> None:
        body = "<h2>Msze</h2><x-dzien data-nazwa-dnia='Sobota' data-godz='17:00'></x-dzien>"
        script = "customElements.define('x-dzien', class extends HTMLElement { connectedCallback() {"
        script += " const {nazwaDnia, godz} = this.dataset; this.textContent = `${nazwaDnia} ${godz}` } })"

        assert shown(page(body, script)) == ["Msze", "Sobota 17:00"]

    def test_what_stands_inside_is_shown_in_its_slot(self) -> None:
        body = "<x-dzien nazwa='Sobota'><b>17:00</b></x-dzien><x-dzien nazwa='Niedziela'><b>9:00</b></x-dzien>"
        script = "class D extends LitElement { render() { return html`<p>${this.nazwa} <slot></slot></p>` } } customElements.define('x-dzien', D)"

        assert shown(page(body, script)) == ["Sobota 17:00", "Niedziela 9:00"]

    def test_rows_in_an_attribute_are_a_list(self) -> None:
        body = """<x-lista rows='[{"d": "Niedziela", "g": "9:00"}]'></x-lista>"""
        script = "class L extends LitElement { render() { return html`<ul>${this.rows.map((r) => html`<li>${r.d} ${r.g}</li>`)}</ul>` } }"

        assert shown(page(body, f"{script} customElements.define('x-lista', L)"))[:1] == ["Niedziela 9:00"]

    @pytest.mark.parametrize(
        ("body", "script"),
        [
            (f"<div hidden>{CARDS}</div>", CLASSES["attributes"]),
            (f"<!-- {CARDS} -->", CLASSES["attributes"]),
            (CARDS, CLASSES["attributes"].replace("msze-karta", "inna-karta")),
            (
                CARDS,
                "class Karta extends HTMLElement { connectedCallback() { this.ile = this.getAttribute('godziny') } }" + DEFINE,
            ),
        ],
    )
    def test_what_nobody_sees_is_not_read(self, body: str, script: str) -> None:
        assert shown(page(body, script)) == []
