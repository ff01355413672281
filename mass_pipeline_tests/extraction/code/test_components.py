"""What components of six frameworks show to a visitor, worked out without running them."""

from __future__ import annotations

import pytest

from mass_pipeline.extraction.reader import read_document
from mass_pipeline.extraction.sniffing import code_kind
from mass_pipeline_tests.evaluation.component_sites import PARTS, STRANGERS, component_sites, read_component_site
from mass_pipeline_tests.evaluation.scoring import VIEWS, Score, compare

SITES = [site for part in PARTS for site in component_sites(part)]


def shown(source: str, name: str = "a.jsx") -> list[str]:
    return [line.text for line in read_document(source, url=name).lines]


class TestWrittenSites:
    @pytest.mark.parametrize("site", SITES, ids=[name for name, _, _ in SITES])
    def test_is_read_as_labelled(self, site: tuple[str, list[tuple[str, str]], list[dict[str, object]]]) -> None:
        _, pages, masses = site
        read = [one.mass.as_dict() for one in read_component_site(pages).masses]

        for view in VIEWS:
            difference = compare(masses, read, view)
            assert (difference.extras, difference.misses) == (frozenset(), frozenset())


class TestSitesOfStrangers:
    def test_are_read_as_well_as_at_first_sight(self) -> None:
        score = Score()
        for _, pages, masses in component_sites(STRANGERS):
            score.add(compare(masses, [one.mass.as_dict() for one in read_component_site(pages).masses], "week"))

        assert (score.records, score.precision >= 0.99, score.recall >= 0.95) == (12, True, True)


class TestExpressions:
    @pytest.mark.parametrize(
        ("written", "text"),
        [
            ("{['7.00', '9.00'].join(' i ')}", "7.00 i 9.00"),
            ("{`o ${'8'}.00`}", "o 8.00"),
            ("{'a' + 'b' + 'c'}", "abc"),
            ("{Object.entries({sobota: '8.00'}).map(([d, g]) => <p>{d}: {g}</p>)}", "sobota: 8.00"),
            ("{[{k: 'n', t: '9.00'}, {k: 'x', t: '5.00'}].filter(m => m.k === 'n').map(m => m.t)}", "9.00"),
            ("{['1', '2', '3'].slice(1).reverse().concat(['0'])}", "320"),
            ("{[{t: 'b'}].find(x => x.t === 'b').t}", "b"),
            ("{React.createElement('p', null, 'Środa ', '8.00')}", "Środa 8.00"),
            ("{false && <p>5.00</p>}{null}{undefined}x", "x"),
            ("{true ? 'tak' : 'nie'}", "tak"),
            ('<span dangerouslySetInnerHTML={{__html: "<b>8.00</b>"}} />', "8.00"),
        ],
    )
    def test_is_shown_as_a_browser_would(self, written: str, text: str) -> None:
        assert shown(f"export default () => <div>{written}</div>") == [text]

    @pytest.mark.parametrize(
        "written",
        [
            "{hours}",
            "{fetchHours().map(h => <p>{h}</p>)}",
            "{[{t: '8.00'}].filter(m => m.t > now).map(m => m.t)}",
            "{`${now} 8.00`}",
            "{eval(\"'8.00'\")}",
            "{new Function('return 8.00')()}",
        ],
    )
    def test_what_the_code_does_not_tell_is_not_shown(self, written: str) -> None:
        """Better nothing than a wrong hour."""
        assert shown(f"export default () => <div>{written}</div>") == []

    def test_a_component_is_given_the_properties_of_a_row(self) -> None:
        """`{...row}` of React gives each property of the row; one written after it wins."""
        written = (
            "const Row = ({ time, note, place }) => <li>{time} {note} {place}</li>;\n"
            "const rows = [{ time: '9:00', note: 'suma', place: 'kaplica' }, { time: '11:00', note: '' }];\n"
            "export default () => <ul>{rows.map((one) => <Row key={one.time} {...one} place='fara' />)}</ul>"
        )

        assert shown(written) == ["9:00 suma fara", "11:00 fara"]

    def test_a_component_of_another_file_shows_a_row_it_is_given(self) -> None:
        written = "const row = { day: 'Niedziela', time: '9:00' };\nexport default () => <div><Row {...row} /></div>"

        assert "9:00" in " ".join(shown(written))

    def test_of_two_texts_that_depend_on_more_it_is_told_that_they_are_alternatives(self) -> None:
        assert shown("export default () => <p>{isSummer ? '18.00' : '17.00'}</p>") == ["18.00 lub 17.00"]

    def test_every_tab_is_shown_as_a_click_opens_it(self) -> None:
        code = "const [tab] = useState('a'); return <div>{tab === 'a' && <p>8.00</p>}{tab === 'b' && <p>9.00</p>}</div>"

        assert shown(f"export default function A() {{ {code} }}") == ["8.00", "9.00"]

    @pytest.mark.parametrize(
        ("condition", "texts"),
        [
            ("rows.length", ["Niedziela: 8.00"]),
            ("!rows.length", ["Niedziela: 9.00"]),
            ("tab === 'a'", ["Niedziela: 8.00", "Niedziela: 9.00"]),
            ("tab === 'b'", ["Niedziela: 8.00", "Niedziela: 9.00"]),
        ],
    )
    def test_of_two_branches_in_a_template_of_vue_the_one_that_holds_is_shown(self, condition: str, texts: list[str]) -> None:
        """Both where a visitor chooses."""
        page = (
            f'<template><div><template v-if="{condition}"><p>Niedziela: 8.00</p></template>'
            "<p v-else>Niedziela: 9.00</p></div></template>"
            "<script>export default { data() { return { tab: 'a', rows: ['x'] } } }</script>"
        )

        assert shown(page, "a.vue") == texts

    def test_keys_of_an_object_are_named_in_a_loop_of_vue(self) -> None:
        page = (
            '<template><ul><li v-for="(hours, day) in order" :key="day">{{ day }}: {{ hours }}</li></ul></template>'
            "<script>export default { data() { return { order: { Niedziela: '8.00, 10.00', Sobota: '18.00' } } } }</script>"
        )

        assert shown(page, "a.vue") == ["Niedziela: 8.00, 10.00", "Sobota: 18.00"]

    def test_comments_are_not_shown(self) -> None:
        assert shown("// Niedziela 6.00\nexport default () => <p>8.00{/* 9.00 */}</p>") == ["8.00"]

    def test_a_constant_that_nothing_shows_is_not_read_beside_hours_that_are(self) -> None:
        assert shown("const old = ['Niedziela 6.00']; export default () => <p>Niedziela 8.00</p>") == ["Niedziela 8.00"]


class TestKinds:
    @pytest.mark.parametrize(
        ("text", "kind"),
        [
            ("// x\nimport a from 'b'\n", "js"),
            ('"use client"\n', "js"),
            ("export default function A() {}", "js"),
            ("<script setup>\n</script><template><p>8.00</p></template>", "vue"),
            ("<script>\n  export let x;\n</script>\n{#each a as b}{/each}", "svelte"),
            ("---\nimport L from './L.astro';\n---\n<p>8.00</p>", "astro"),
            ('[{"label": "Niedziela"}]', "json"),
            ("Import towarów od poniedziałku", None),
            ("<script>alert(1)</script><p>8.00</p>", None),
            ("---\ntitle: Msze\n---\n# Msze", None),
        ],
    )
    def test_code_is_known_by_how_it_begins(self, text: str, kind: str | None) -> None:
        assert code_kind(text) == kind

    def test_a_page_of_markup_is_never_code(self) -> None:
        assert shown("<!doctype html><html><p>8.00</p></html>", "a.json") == ["8.00"]
