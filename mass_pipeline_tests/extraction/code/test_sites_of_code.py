"""Components, constants and contents of one site taken together: what is shown somewhere is shown there and nowhere else."""

from __future__ import annotations

import pytest

from mass_pipeline.extraction.reader import read_document
from mass_pipeline.extraction.site_code import pages_of_site

_ROWS = "export const rows = [{ d: 'Niedziela', t: '8.00' }, { d: 'Sobota', t: '9.00' }];"
_PAGE = "import { rows } from '%s'; export default () => <ul>{rows.map((r) => <li>{r.d}: {r.t}</li>)}</ul>"


def shown(files: dict[str, str]) -> dict[str, list[str]]:
    """Lines of every page that has some."""
    documents = [
        read_document(one.content, content_type=one.content_type, url=one.name) for one in pages_of_site([*files.items()])
    ]
    return {one.url: [line.text for line in one.lines] for one in documents if one.lines}


class TestImports:
    @pytest.mark.parametrize(
        ("specifier", "file"),
        [
            ("./rows", "src/rows.ts"),
            ("../src/rows.js", "src/rows.ts"),
            ("@/rows", "src/rows.ts"),
            ("$lib/rows", "src/lib/rows.js"),
            ("~/data", "src/data/index.ts"),
        ],
    )
    def test_are_followed_to_the_file(self, specifier: str, file: str) -> None:
        assert shown({"src/App.jsx": _PAGE % specifier, file: _ROWS}) == {"src/App.jsx": ["Niedziela: 8.00", "Sobota: 9.00"]}

    def test_of_packages_and_of_two_files_alike_show_nothing(self) -> None:
        """Better nothing than the hours of another parish."""
        files = {
            "App.jsx": _PAGE % "@/data/rows",
            "st-anna/data/rows.js": "export const rows = [];",
            "st-jan/data/rows.js": "export const rows = 1;",
        }

        assert shown(files) == {}

    @pytest.mark.parametrize(
        "module",
        [
            "const rows = [{ d: 'Niedziela', t: '8.00' }]; export { rows };",
            "const all = [{ d: 'Niedziela', t: '8.00' }]; export { all as rows };",
            "module.exports = { rows: [{ d: 'Niedziela', t: '8.00' }] };",
        ],
    )
    def test_take_what_a_module_gives_in_any_form(self, module: str) -> None:
        assert shown({"App.jsx": _PAGE % "./rows", "rows.js": module}) == {"App.jsx": ["Niedziela: 8.00"]}


class TestWhatIsShownSomewhere:
    def test_is_not_shown_again_with_what_nobody_sees(self) -> None:
        """The page leaves out the row that the data keep for another time."""
        data = "export const rows = [{ d: 'Niedziela', t: '8.00' }, { d: 'Niedziela', t: '6.00', off: true }];"
        page = "import { rows } from './rows'; export default () => <p>Niedziela {rows.filter((r) => !r.off).map((r) => r.t)}</p>"

        assert shown({"App.jsx": page, "rows.js": data}) == {"App.jsx": ["Niedziela 8.00"]}

    def test_stays_on_its_own_when_the_page_cannot_be_worked_out(self) -> None:
        files = {"App.jsx": "import { rows } from './rows'; export default () => <List rows={sorted(rows)} />", "rows.js": _ROWS}

        assert shown(files) == {"rows.js": ["Niedziela, 8.00", "Sobota, 9.00"]}

    def test_of_several_languages_is_polish(self) -> None:
        files = {
            "App.vue": "<template><p>{{ $t('masses.sunday') }}</p></template><script>export default {}</script>",
            "locales/en.json": '{"masses": {"sunday": "Sunday 8.00"}}',
            "locales/pl.json": '{"masses": {"sunday": "Niedziela 8.00"}}',
        }

        assert shown(files) == {"App.vue": ["Niedziela 8.00"]}

    def test_prose_that_no_component_shows_stays_a_page(self) -> None:
        files = {"App.jsx": "export default () => <p>Parafia</p>", "content/msze.md": "# Msze\nNiedziela 8.00"}

        assert shown(files) == {"App.jsx": ["Parafia"], "content/msze.md": ["Msze", "Niedziela 8.00"]}


class TestPagesWithoutCode:
    def test_are_as_given(self) -> None:
        files = [("index.html", b"<p>8.00</p>"), ("o.md", b"# A")]

        assert [(one.name, one.content, one.content_type) for one in pages_of_site(files)] == [
            ("index.html", b"<p>8.00</p>", None),
            ("o.md", b"# A", None),
        ]
