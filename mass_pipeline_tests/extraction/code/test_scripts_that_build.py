"""Scripts that build what a page shows, and values that depend on the month of the day on which it is looked at."""

from __future__ import annotations

import pytest

from mass_pipeline.extraction.reader import read_document

ROWS = "const rows = [{ d: 'Niedziela', h: ['7.00', '9.00'] }, { d: 'Sobota', h: ['8.00'] }];\n"
SHOWN = ["Niedziela: 7.00, 9.00", "Sobota: 8.00"]


def shown(source: str) -> list[str]:
    return [line.text for line in read_document(source, url="a.js").lines]


class TestElementsThatAreFilled:
    @pytest.mark.parametrize(
        "script",
        [
            "let out = ''; rows.forEach(r => { out += `<p>${r.d}: ${r.h.join(', ')}</p>`; }); box.innerHTML = out;",
            "var out = ''; for (var i = 0; i < rows.length; i++) {"
            " out += '<p>' + rows[i].d + ': ' + rows[i].h.join(', ') + '</p>' }\n"
            "document.getElementById('a').innerHTML = out;",
            "for (const r of rows) { document.querySelector('#a').innerHTML += '<p>' + r.d + ': ' + r.h.join(', ') + '</p>'; }",
            "function show() { const el = document.getElementById('a'); if (!el) return;\n"
            "rows.map(r => { const p = document.createElement('p');"
            " p.textContent = r.d + ': ' + r.h.join(', '); return p; })"
            ".forEach(p => el.appendChild(p)); }\ndocument.addEventListener('DOMContentLoaded', show);",
            "function add(list, r) { const p = document.createElement('p');"
            " p.append(r.d, ': ', r.h.join(', ')); list.append(p); }\n"
            "function show(list) { rows.forEach(r => add(list, r)); }\nexport { show };",
            "$(document).ready(function () { $.each(rows, function (i, r) {"
            " $('#a').append('<p>' + r.d + ': ' + r.h.join(', ') + '</p>'); }); });",
            "$(function () { rows.forEach(r => {"
            " $('<p>').addClass('x').text(r.d + ': ' + r.h.join(', ')).appendTo('#a'); }); });",
            "document.write(rows.map(r => '<p>' + r.d + ': ' + r.h.join(', ') + '</p>').join(''));",
            "const f = document.createDocumentFragment();\n"
            "rows.forEach(r => { const p = document.createElement('p');"
            " p.innerText = `${r.d}: ${r.h.join(', ')}`;"
            " f.appendChild(p) });\n"
            "document.querySelector('main').replaceChildren(f);",
        ],
    )
    def test_are_shown_with_what_the_script_puts_into_them(self, script: str) -> None:
        box = "const box = document.getElementById('box');\n" if script.startswith("let out") else ""

        assert shown(ROWS + box + script) == SHOWN

    def test_a_row_of_a_table_is_made_of_cells(self) -> None:
        script = "const t = document.createElement('table'); document.body.append(t);\n" + (
            "rows.forEach(r => { const row = t.insertRow(); row.insertCell().textContent = r.d;"
            " row.insertCell().textContent = r.h.join(', '); });"
        )

        assert shown(ROWS + script) == ["Niedziela", "7.00, 9.00", "Sobota", "8.00"]

    def test_a_click_shows_what_its_name_means(self) -> None:
        script = "const tabs = { nd: '<p>8.00</p>', sob: '<p>9.00</p>' };\n" + (
            "function open(name) { document.getElementById('a').innerHTML = tabs[name]; }\nopen('nd');"
        )

        assert shown(script) == ["8.00", "9.00"]

    def test_an_element_that_is_nowhere_put_is_not_shown(self) -> None:
        script = (
            "const p = document.createElement('p'); p.textContent = 'Niedziela 6.00';\ndocument.body.innerHTML = '<p>8.00</p>';"
        )

        assert shown(script) == ["8.00"]

    def test_what_is_fetched_is_not_invented(self) -> None:
        script = (
            "fetch('/x').then(r => r.json()).then(d => { d.forEach(m => { document.body.innerHTML += '<p>' + m.h + '</p>' }) })"
        )

        assert shown(script) == []


class TestTheMonth:
    NOW = "const month = new Date().getMonth() + 1;\nconst box = document.getElementById('a');\n"

    @pytest.mark.parametrize(
        "script",
        [
            "box.innerHTML = '<p>' + (month >= 4 && month <= 9 ? '18.30' : '17.00') + '</p>';",
            "const lato = [4, 5, 6, 7, 8, 9].includes(month); box.textContent = lato ? '18.30' : '17.00';",
            "const zima = month < 4 || month > 9; box.textContent = !zima ? '18.30' : '17.00';",
            "var h = '17.00'; if (month > 3 && month < 10) { h = '18.30'; } box.textContent = h;",
            "let h; if (month > 3 && month < 10) { h = '18.30'; } else { h = '17.00'; } box.textContent = h;",
            "function evening() { const m = new Date().getMonth(); if (m >= 3 && m < 9) { return '18.30'; } return '17.00'; }\n"
            "box.textContent = evening();",
        ],
    )
    def test_both_hours_are_told_with_their_months(self, script: str) -> None:
        found = shown(self.NOW + script)

        assert len(found) == 1
        assert {one.strip() for one in found[0].split(",")} == {
            "18.30 (od kwietnia do września)",
            "17.00 (od października do marca)",
        }

    def test_of_two_lists_what_both_have_is_told_once(self) -> None:
        script = "const g = month >= 5 && month <= 8 ? ['8.00', '19.00'] : ['8.00', '16.00']; box.textContent = g.join(', ');"

        assert shown(self.NOW + script) == ["8.00, 19.00 (od maja do sierpnia), 16.00 (od września do kwietnia)"]

    def test_markup_of_each_half_stands_under_its_months(self) -> None:
        code = "const m = new Date().getMonth(); return <div>{m === 6 || m === 7 ? <p>7.00</p> : <p>8.00</p>}</div>"

        assert shown(f"export default function A() {{ {code} }}") == [
            "w lipcu i sierpniu",
            "7.00",
            "od września do czerwca",
            "8.00",
        ]

    @pytest.mark.parametrize(
        "condition", ["new Date().getDay() === 0", "month > 3 && new Date().getDate() > 10", "isSummer", "month % 2"]
    )
    def test_what_depends_on_more_stays_open(self, condition: str) -> None:
        assert shown(f"{self.NOW}box.textContent = {condition} ? '18.30' : '17.00';") == ["18.30 lub 17.00"]

    def test_orders_that_a_visitor_chooses_by_the_season_are_told_with_it(self) -> None:
        code = (
            "const plan = { lato: ['7.00', '19.00'], zima: ['8.00'] };\n"
            "export default function A() { const [okres, setOkres] = useState('lato');"
            " return <p>Niedziela: {plan[okres].join(', ')}</p> }"
        )

        assert shown(code) == ["Niedziela: latem 7.00, 19.00; zimą 8.00"]
