# ruff: noqa: E501 - pages are written as they are served
"""Pages whose templates stand in their own HTML and whose hours stand in their scripts."""

from __future__ import annotations

import time

import pytest

from mass_pipeline.extraction.reader import read_document
from mass_pipeline.extraction.site_code import pages_of_site

ROWS = "[{dzien: 'Niedziela', godziny: ['8.00', '10.30']}, {dzien: 'Dni powszednie', godziny: ['18.00']}]"
VUE_ROWS = "<p v-for='m in msze' :key='m.dzien'>{{ m.dzien }}: {{ m.godziny.join(', ') }}</p>"
EXPECTED = ["Niedziela: 8.00, 10.30", "Dni powszednie: 18.00"]


def page(body: str, script: str = "") -> str:
    return f"<!doctype html><html><body>{body}<script>{script}</script></body></html>"


def shown(source: str) -> list[str]:
    return [line.text for line in read_document(source, content_type="text/html").lines]


PAGES = {
    "vue 3": page(
        f"<div id='app'>{VUE_ROWS}</div>", f"const {{ createApp }} = Vue; createApp({{data() {{ return {{msze: {ROWS}}} }}}}).mount('#app')"
    ),
    "vue 3, setup": page(
        f"<main class='strona'>{VUE_ROWS}</main>",
        f"Vue.createApp({{setup() {{ const msze = Vue.ref({ROWS}); return {{ msze }} }}}}).mount('.strona')",
    ),
    "vue 3, a variable": page(
        f"<div id='a'>{VUE_ROWS}</div>", f"const opcje = {{data: () => ({{msze: {ROWS}}})}}; const app = Vue.createApp(opcje); app.mount('#a')"
    ),
    "vue 2": page(
        f"<div id='a'>{VUE_ROWS}</div>",
        f"(function () {{ var lista = {ROWS}; new Vue({{el: '#a', data: {{lista: lista}}, computed: {{msze() {{ return this.lista }}}}}}) }})()",
    ),
    "vue 2, a component": page(
        "<div id='a'><wiersz-mszy v-for='m in msze' :dzien='m.dzien' :kiedy='m.godziny'></wiersz-mszy></div>",
        "Vue.component('wiersz-mszy', {props: ['dzien', 'kiedy'], template: '<p>{{ dzien }}: {{ kiedy.join(\", \") }}</p>'});"
        f"new Vue({{el: '#a', data: {{msze: {ROWS}}}}})",
    ),
    "petite-vue": page(
        f"<div v-scope='{{msze: lista()}}'>{VUE_ROWS}</div>", f"PetiteVue.createApp({{lista() {{ return {ROWS} }}}}).mount()"
    ),
    "alpine, inline": page(
        f'<div x-data="{{ msze: {ROWS} }}"><template x-for="m in msze" :key="m.dzien">'
        "<p x-text=\"m.dzien + ': ' + m.godziny.join(', ')\"></p></template></div>"
    ),
    "alpine, a function": page(
        '<section x-data="msze()"><template x-for="(m, i) in wiersze"><p><b x-text="m.dzien"></b>: <span x-text="godziny(m)"></span></p>'
        "</template></section>",
        f"function msze() {{ return {{wiersze: {ROWS}, godziny(m) {{ return m.godziny.join(', ') }}}} }}",
    ),
    "alpine, a name": page(
        '<div x-data="msze"><template x-if="jest"><div><template x-for="m in wiersze"><p x-text="`${m.dzien}: ${m.godziny.join(\', \')}`">'
        "</p></template></div></template></div>",
        "document.addEventListener('alpine:init', () => { Alpine.data('msze', () => "
        f"({{get jest() {{ return this.wiersze.length > 0 }}, wiersze: {ROWS}}})) }})",
    ),
    "angularjs": page(
        '<div ng-app="p" ng-controller="Msze"><p ng-repeat="m in msze track by $index">{{ m.dzien }}: '
        "<span ng-bind=\"m.godziny.join(', ')\"></span></p></div>",
        f"angular.module('p', []).controller('Msze', ['$scope', function ($scope) {{ $scope.msze = {ROWS}; }}])",
    ),
    "angularjs, an alias": page(
        '<div ng-app="p"><div data-ng-controller="Msze as vm"><p data-ng-repeat="m in vm.lista | orderBy:\'nr\'">{{ m.dzien }}: '
        "{{ m.godziny.join(', ') }}</p></div></div>",
        f"angular.module('p', []).controller('Msze', function () {{ var vm = this; vm.lista = {ROWS}; }})",
    ),
}  # fmt: skip


class TestTemplatesOfPages:
    @pytest.mark.parametrize("name", PAGES)
    def test_show_what_the_scripts_of_the_page_hold(self, name: str) -> None:
        assert [line for line in shown(PAGES[name]) if line in EXPECTED] == EXPECTED

    def test_fill_their_place_among_the_texts_of_the_page(self) -> None:
        body = f"<h1>Kaplica</h1><h2>Msze święte</h2><div id=a>{VUE_ROWS}</div><h2>Kancelaria</h2><p>poniedziałek</p>"

        lines = shown(page(body, f"Vue.createApp({{data: () => ({{msze: {ROWS}}})}}).mount('#a')"))

        assert lines == ["Kaplica", "Msze święte", *EXPECTED, "Kancelaria", "poniedziałek"]

    @pytest.mark.parametrize(
        "block",
        [
            "<div hidden>{}</div>",
            "<div style='display:none'>{}</div>",
            "<!-- {} -->",
            "<template>{}</template>",
            "<div v-if='archiwum'>{}</div>",
            "<div v-if='false'>{}</div>",
            "<div v-pre>{}</div>",
        ],
    )
    def test_that_nobody_sees_are_not_read(self, block: str) -> None:
        body = f"<div id=a><p v-for='m in nowe'>Niedziela {{{{ m }}}}</p>{block.format('<p>Sobota {{ stare }}</p>')}</div>"
        script = "Vue.createApp({data: () => ({archiwum: false, nowe: ['8.00'], stare: '6.00'})}).mount('#a')"

        lines = shown(page(body, script))

        assert "Niedziela 8.00" in lines
        assert not any("6.00" in line for line in lines)

    def test_a_block_that_a_visitor_opens_is_read(self) -> None:
        body = (
            '<div x-data="{otwarte: false, wieczorna: \'18.00\'}"><button @click="otwarte = !otwarte">Msze</button>'
            '<p x-show="otwarte" style="display: none">Sobota <b x-text="wieczorna"></b></p></div>'
        )

        assert "Sobota 18.00" in shown(page(body))

    def test_of_a_page_that_shows_masses_without_them_are_left(self) -> None:
        """Such templates repeat what is shown, or show something else."""
        body = f"<p>Niedziela 7.00</p><div id=a>{VUE_ROWS}</div>"

        lines = shown(page(body, f"Vue.createApp({{data: () => ({{msze: {ROWS}}})}}).mount('#a')"))

        assert "Niedziela 7.00" in lines
        assert not any("10.30" in line for line in lines)

    def test_of_another_element_are_not_filled(self) -> None:
        body = f"<div id=a></div><div id=b>{VUE_ROWS}</div>"

        lines = shown(page(body, f"Vue.createApp({{data: () => ({{msze: {ROWS}}})}}).mount('#a')"))

        assert not any(line in EXPECTED for line in lines)

    def test_a_list_filtered_by_something_unknown_shows_nothing(self) -> None:
        body = '<div ng-app ng-controller="C"><p ng-repeat="m in msze | filter:wazna(dzisiaj)">Niedziela {{ m }}</p><p>{{ inne }}</p></div>'

        lines = shown(page(body, "function C($scope) { $scope.msze = ['6.00']; $scope.inne = 'Sobota 18.00' }"))

        assert lines == ["Sobota 18.00"]


class TestScriptsBeside:
    def test_files_of_the_site_that_the_page_names_fill_it(self) -> None:
        html = page('<h2>Msze</h2><div x-data="msze()"><template x-for="m in w"><p x-text="m"></p></template></div>')
        html = html.replace("<script>", '<script src="js/msze.js"></script><script>')
        code = "function msze() { return {w: ['Niedziela: 8.00, 10.30']} }"

        site = pages_of_site([("index.html", html), ("js/msze.js", code)])

        assert [shown(str(one.content)) for one in site] == [["Msze", "Niedziela: 8.00, 10.30"], []]


HOSTILE = {
    "deep": "<div id=a>" + "<div v-if='a'>" * 5_000 + "{{ a }}",
    "loops": "<div id=a>" + "<p v-for='x in 2000'>" * 6 + "8.00 {{ x }}",
    "braces": "<div id=a>" + "{{" * 8_000,
    "loop": "<div id=a><p v-for='" + " " * 8_000 + "in " * 3_000 + "'>",
    "attributes": "<div id=a " + "x-data=' = = =' @a='b =' " * 3_000 + ">",
    "components": "<div id=a><k-a></k-a><k-b></k-b></div>",
    "elements": "<x-a a='8.00'>"
    * 3_000
    + "<script>customElements.define('x-a', class extends HTMLElement { connectedCallback() {"
    " this.innerHTML = '<x-a a=1>' + this.innerHTML + '<slot></slot><x-a></x-a>' } })</script>",
    "definitions": "<script>" + "customElements.define('x-a', class { }); @customElement('x') class A {}" * 1_000 + "</script>",
    "roots": '<div x-data="{a: [1,2,3]}">' * 2_000,
}


class TestHostileTemplates:
    @pytest.mark.parametrize("name", HOSTILE)
    def test_are_read_within_the_limits(self, name: str) -> None:
        script = (
            "Vue.component('k-a', {template: '<k-b></k-b><k-b></k-b>'}); Vue.component('k-b', {template: '<k-a></k-a><k-a></k-a>'});"
            "new Vue({el: '#a', data: {a: 'Niedziela 8.00'}})"
        )
        started = time.process_time()
        document = read_document(page(HOSTILE[name], script), content_type="text/html")

        assert time.process_time() - started < 5
        assert len(document.source) < 2_000_000
