"""Helper functions, loops and numbers of components, worked out without running them."""

from __future__ import annotations

import pytest

from mass_pipeline.extraction.reader import read_document

_MASSES = "const masses = [{d: 'Sobota', t: '9.00'}, {d: 'Niedziela', t: '8.00'}, {d: 'Niedziela', t: '11.00'}];\n"


def shown(code: str) -> list[str]:
    return [line.text for line in read_document(code, url="a.jsx").lines]


class TestHoursThatAreNumbers:
    @pytest.mark.parametrize(
        ("helper", "text"),
        [
            ("const f = ({h, m}) => `${h}:${String(m).padStart(2, '0')}`;", "8:05"),
            ("const f = (x) => { if (x.m < 10) return x.h + ':0' + x.m; return x.h + ':' + x.m; };", "8:05"),
            ("function f({h, m}) { const all = h * 60 + m; return Math.floor(all / 60) + '.0' + (all % 60); }", "8.05"),
            ("const f = (x) => [x.h, x.m].map((one) => one.toString().padStart(2, '0')).join(':');", "08:05"),
            ("const f = (x) => { switch (x.m) { case 0: return x.h + ':00'; default: return x.h + ':0' + x.m; } };", "8:05"),
        ],
    )
    def test_are_written_as_the_helper_writes_them(self, helper: str, text: str) -> None:
        assert shown(f"{helper}\nexport default () => <p>{{f({{h: 8, m: 5}})}}</p>") == [text]

    @pytest.mark.parametrize(
        ("written", "text"),
        [
            ("{'08:30:00'.slice(0, 5)}", "08:30"),
            ("{'08:30'.replace(':', '.')}", "08.30"),
            ("{'08:30'.replace(/^0/, '')}", "8:30"),
            ("{'7.00, 9.00'.split(/,\\s*/).join(' i ')}", "7.00 i 9.00"),
            ("{['Nd', 'Pn'][(6 + 1) % 7]}", "Nd"),
            ("{[{n: 10, t: 'b'}, {n: 9, t: 'a'}].sort((x, y) => x.n - y.n).map((x) => x.t).join('')}", "ab"),
            ("{Array.from({length: 2}, (_, i) => i + 1).join(' ')}", "1 2"),
        ],
    )
    def test_and_texts_are_changed_as_a_browser_does(self, written: str, text: str) -> None:
        assert shown(f"export default () => <p>{written}</p>") == [text]


class TestRowsPutTogether:
    @pytest.mark.parametrize(
        "gathered",
        [
            "const by = {}; for (const m of masses) { (by[m.d] ||= []).push(m.t); }",
            "const by = {}; masses.forEach((m) => { if (!by[m.d]) by[m.d] = []; by[m.d].push(m.t); });",
            "const by = masses.reduce((all, m) => ({...all, [m.d]: [...(all[m.d] || []), m.t]}), {});",
            "const by = {}; for (let i = 0; i < 3; i++) { const m = masses[i]; by[m.d] = (by[m.d] ?? []).concat(m.t); }",
        ],
    )
    def test_are_shown_by_day(self, gathered: str) -> None:
        page = "<ul>{Object.entries(by).map(([d, t]) => <li>{d}: {t.join(', ')}</li>)}</ul>"

        assert shown(f"{_MASSES}export default () => {{ {gathered} return {page}; }}") == [
            "Sobota: 9.00",
            "Niedziela: 8.00, 11.00",
        ]


class TestWhatIsNotKnown:
    @pytest.mark.parametrize(
        "written",
        [
            "{masses.filter(isToday).map((m) => m.t)}",
            "{masses.reduce((all, m) => all + fees[m.d], '')}",
            "{'8.00'.replace(/(8)/, '9')}",
        ],
    )
    def test_leaves_the_page_without_it(self, written: str) -> None:
        page = f"const masses = [{{d: 'Sobota', t: '9.00'}}]; export default () => <p>{written} i 7.00</p>"

        assert shown(page) == ["i 7.00"]

    def test_a_text_set_where_the_condition_is_unknown_has_either_value(self) -> None:
        code = "export default () => { let h = '18.00'; if (isWinter()) { h = '17.00'; } return <p>{h}</p>; }"

        assert shown(code) == ["18.00 lub 17.00"]
