"""Text in the data of a page, in its hidden parts, or nowhere; files that are no pages."""

from __future__ import annotations

import json

import pytest

from mass_pipeline.reading.regular.reading import read_page
from mass_pipeline.reading.regular.sites import read_site
from mass_pipeline.reading.text.embedded_data import rows_of
from mass_pipeline.reading.text.reader import read_document

STATE = '<script type="application/json">{}</script>'
SHELL = "<html><head><title>Parafia</title><script src=a.js></script></head><body><div id=root></div></body></html>"


def shown(source: str) -> list[str]:
    return [line.text for line in read_document(source, content_type="text/html").lines]


class TestStateOfPages:
    def test_is_read_when_the_page_shows_no_masses(self) -> None:
        state = STATE.format(json.dumps({"msze": {"niedziela": "8.00, 10.00"}}))

        assert "Niedziela: 8.00, 10.00" in shown(f"<html><body><h1>Parafia</h1>{state}</body></html>")

    def test_is_not_looked_at_beside_masses_that_are_shown(self) -> None:
        """It repeats them, and holds versions that nobody sees."""
        state = STATE.format(json.dumps({"msze": {"niedziela": "6.00"}}))

        assert shown(f"<html><body><p>Niedziela: 8.00</p>{state}</body></html>") == ["Niedziela: 8.00"]

    @pytest.mark.parametrize(
        "data",
        [
            '<script>window.__NUXT__ = {"msze": {"niedziela": "8.00, 10.00"}};</script>',
            '<script id="__NEXT_DATA__" type="application/json">{"props": {"msze": {"niedziela": "8.00, 10.00"}}}</script>',
            '<script>var el = {a: 1}; const rows = [{"day": "Niedziela", "hours": ["8.00", "10.00"]}]; show(rows)</script>',
            """<x-msze :rows='[{"day": "Niedziela", "hours": ["8.00", "10.00"]}]'></x-msze>""",
            '<div data-page="{&quot;msze&quot;: {&quot;niedziela&quot;: &quot;8.00, 10.00&quot;}}"></div>',
            '<script type="application/json">{"body": "<p>Niedziela: 8.00, 10.00</p>"}</script>',
        ],
    )
    def test_is_read_in_every_form_that_servers_send(self, data: str) -> None:
        assert shown(f"<html><body><h1>Parafia</h1>{data}</body></html>")[-1] == "Niedziela: 8.00, 10.00"

    @pytest.mark.parametrize(
        "data",
        [
            "<script>box.innerHTML = '<p>Niedziela: 8.00, 10.00</p>'</script>",
            "<script>const rows = [{day: 'Niedziela', hours: '8.00'}]</script>",
            '<script>const history = {"niedziela": "8.00 10.00"}</script>',
            '<script id="__NUXT_DATA__" type="application/json">[{"niedziela": 1, "msze": 2}, "8.00", "Niedziela"]</script>',
            """<!-- <x-msze :rows='[{"day": "Niedziela", "hours": ["8.00"]}]'></x-msze> -->""",
            '<script>const rows = [{"day": "Niedziela: 8.00"</script>',
        ],
    )
    def test_that_would_have_to_be_worked_out_or_is_seen_by_nobody_is_not_read(self, data: str) -> None:
        assert shown(f"<html><body><h1>Parafia</h1>{data}</body></html>") == ["Parafia"]

    def test_served_by_itself_is_read(self) -> None:
        document = read_document('{"msze": {"niedziela": "8.00"}}', content_type="application/json")

        assert [line.text for line in document.lines] == ["Msze święte", "Niedziela: 8.00"]

    @pytest.mark.parametrize("data", ["[" * 100_000, '{"a":' * 100_000, '=["' * 60_000, "=[1, 8.00 msze" * 10_000])
    def test_made_to_hurt_shows_nothing(self, data: str) -> None:
        """A document, the value of a script and that of an attribute alike."""
        page = f"<script type='application/json'>8.00 msze {data}</script><script>x = {data} 8.00 msze</script><i a='{data}'>"

        assert shown(page) == []


class TestSourceCode:
    """Files that a tool makes pages of: what they show is known when they are built."""

    @pytest.mark.parametrize("name", ["src/App.vue", "page.tsx", "Home.jsx", "+page.svelte", "index.astro", "app.js", "msze.yml"])
    def test_is_no_page_and_says_so(self, name: str) -> None:
        schedule = read_site([read_page(read_document("<template><p>Msze: niedziela 8.00</p></template>", url=name))])

        assert (schedule.status, schedule.notes) == ("none", (f"source code: {name}",))

    def test_served_as_a_page_is_one(self) -> None:
        """A server may call its pages as it likes."""
        document = read_document("<p>Msze: niedziela 8.00</p>", url="http://a.example/index.js", content_type="text/html")

        assert [line.text for line in document.lines] == ["Msze: niedziela 8.00"]


class TestRows:
    def test_a_date_stays_with_its_hour(self) -> None:
        """An event of one day must not become a Mass of every week."""
        assert "2027-01-10" in rows_of({"title": "Koncert", "date": "2027-01-10", "hour": "19:15"})

    @pytest.mark.parametrize(
        ("first", "last"), [("from", "to"), ("od", "do"), ("startTime", "endTime"), ("godzinaOd", "godzinaDo")]
    )
    def test_begin_and_end_are_a_span(self, first: str, last: str) -> None:
        """The first hour alone would be taken for a Mass."""
        assert rows_of({"day": "Środa", first: "10:00", last: "12:00"}) == "<p>Środa: 10:00 - 12:00</p>"

    @pytest.mark.parametrize(
        "name", ["draft", "archived", "oldSchedule", "previousVersion", "revisions", "id", "createdAt", "className"]
    )
    def test_what_no_visitor_sees_is_left_out(self, name: str) -> None:
        assert rows_of({name: "Niedziela 6.00"}) == ""

    def test_of_several_languages_polish_is_read(self) -> None:
        assert rows_of({"pl": "Niedziela 8.00", "en": "Sunday 8.00"}) == "<p>Niedziela 8.00</p>"

    def test_texts_are_no_markup_unless_they_are_written_as_such(self) -> None:
        assert rows_of(["a < b", "c"]) == "<p>a &lt; b, c</p>"


class TestEmptyPages:
    def test_a_page_that_only_a_script_fills_is_a_state_with_its_address(self) -> None:
        schedule = read_site([read_page(read_document(SHELL, url="https://parafia.example/"))])

        assert schedule.status == "javascript_only"
        assert "https://parafia.example/" in schedule.notes[0]

    @pytest.mark.parametrize(
        "filled",
        [
            "<p v-for='m in rows'>{{ m.d }}: {{ m.h }}</p><footer>ul. Lipowa 4</footer>"
            "<script>new Vue({data: {rows: [{d: 'Niedziela', h: '8.00, 10.00'}, {d: 'Dni powszednie', h: '18.00'}]}})</script>",
            "<div id=m></div><footer>ul. Lipowa 4</footer><script>m.innerHTML = '<p>Niedziela: 8.00, 10.00, 12.00</p>'</script>",
            """<div x-data="{msze: [{d: 'Niedziela', h: '8.00, 10.00'}]}"><template x-for="m in msze"></template></div>""",
        ],
    )
    def test_a_page_whose_hours_only_a_script_puts_in_is_one_too(self, filled: str) -> None:
        menu = "<nav><a href=/o>Ogłoszenia duszpasterskie</a> <a href=/g>Galeria zdjęć</a></nav>"
        page = f"<html><body>{menu}<h2>Godziny Mszy świętych</h2>{filled}</body></html>"
        schedule = read_site([read_page(read_document(page, url="https://parafia.example/"))])

        assert schedule.status == "javascript_only"

    def test_a_script_with_hours_of_something_else_is_none(self) -> None:
        script = "<script>calendar({days: ['Niedziela'], from: '08:00', to: '20:00', now: '12:00'})</script>"
        page = f"<html><body><h2>Historia parafii</h2><p>Kościół zbudowano w XIX wieku.</p>{script}</body></html>"

        assert read_site([read_page(read_document(page, url="https://parafia.example/"))]).status == "none"

    def test_beside_pages_that_can_be_read_it_says_nothing(self) -> None:
        readings = [
            read_page(read_document(one, url="https://parafia.example/"))
            for one in (SHELL, "<html><p>Historia parafii</p></html>")
        ]

        assert read_site(readings).status == "none"


class TestHiddenParts:
    @pytest.mark.parametrize(
        "markup",
        [
            '<button aria-controls="p1">Msze</button><div id="p1" hidden>Niedziela 8.00</div>',
            '<div x-show="tab == 1" style="display: none">Niedziela 8.00</div>',
            '<a data-bs-target="#m">Msze</a><div id="m" style="display:none">Niedziela 8.00</div>',
            '<div><template shadowrootmode="open"><p>Niedziela 8.00</p></template></div>',
        ],
    )
    def test_what_a_click_shows_is_read(self, markup: str) -> None:
        assert "Niedziela 8.00" in shown(f"<html><body>{markup}</body></html>")

    @pytest.mark.parametrize(
        "markup",
        [
            '<div style="display:none">Niedziela 6.00</div>',
            "<template><p>Niedziela 6.00</p></template>",
            '<div hidden id="x">Niedziela 6.00</div>',
        ],
    )
    def test_what_nobody_is_shown_is_not(self, markup: str) -> None:
        assert shown(f"<html><body>{markup}</body></html>") == []

    def test_pictures_and_frames_loaded_late_are_noted_by_their_address(self) -> None:
        picture = '<img src="data:image/gif;base64,R0" data-src="/plakat-msze.jpg">'
        document = read_document(
            f'<html>{picture}<iframe data-lazy-src="/msze.pdf"></iframe></html>',
            url="https://parafia.example/",
        )

        assert [(one.kind, one.url) for one in document.opaque] == [
            ("image", "https://parafia.example/plakat-msze.jpg"),
            ("pdf", "https://parafia.example/msze.pdf"),
        ]
