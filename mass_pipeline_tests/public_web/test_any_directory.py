"""Whatever a row of the directory holds: the index is built, the gate judges it, and site and API answer."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from mass_pipeline.finding.index.facts import ParishFacts, town_key
from mass_pipeline.finding.index.generations import Generations
from mass_pipeline.finding.places import Places
from mass_pipeline.finding.town_names import ParishRow
from mass_pipeline.model.columns import MASS_SCHEDULES, PARISH_POSITIONS, PARISH_STATES, PARISH_URLS, PARISHES
from mass_pipeline.public_web import pages
from mass_pipeline.public_web.trial import trial
from mass_pipeline.publishing.index import PublishedTables, publish_index
from mass_pipeline.resources.lake import open_lake, table_of
from mass_pipeline.resources.settings import Settings, load_settings
from mass_pipeline_tests.finding.made import NOW, index_of, parish
from mass_pipeline_tests.public_web.support import Visitor, links, published, site_over

ODD = {
    "blank": "",
    "white space": " \t\u3000 ",
    "signs": "--- (*) ???",
    "one letter": "X",
    "very long": "Wola " * 3_000,
    "one very long word": "a" * 20_000,
    "another script": "Київ",
    "right to left": "ירושלים",
    "ideographs": "東京都",
    "fractions": "Kraków ½ ﷺ",
    "combining marks": "x\u0301y\u0301 z\u0301",
    "turned writing": "\u202eabc\u202c",
    "null and escapes": "a\x00b\x1b[31m",
    "markup": "<script>alert(1)</script>",
    "address": "http://[::1",
    "abbreviation alone": "Wlkp.",
    "a bracket first": "(k. Ełku)",
}
COLUMNS = ("name", "town", "voivodeship", "diocese", "deanery", "street", "postcode", "directory_url", "site")


def odd_parishes(text: str) -> Sequence[ParishFacts]:
    """Parishes with the text in one column each, and one with it in all."""
    alone = [parish(number, **{column: text}) for number, column in enumerate(COLUMNS, 1)]
    return [parish(0), *alone, parish(99, **dict.fromkeys(COLUMNS, text))]


@pytest.fixture(scope="module", params=ODD)
def odd(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Sequence[ParishFacts], Visitor]:
    """An index of them in force, and a visitor of the site over it."""
    folder, facts = tmp_path_factory.mktemp("odd"), odd_parishes(ODD[request.param])
    index = published(folder, facts).index
    return index, facts, Visitor(site_over(folder))


class TestOddRows:
    def test_the_gate_finds_every_question_answered(self, odd: tuple[Path, Sequence[ParishFacts], Visitor]) -> None:
        assert trial(odd[0], NOW) == []

    def test_every_page_they_lead_to_is_there_and_no_link_is_without_words(
        self, odd: tuple[Path, Sequence[ParishFacts], Visitor]
    ) -> None:
        _, facts, visitor = odd
        starts = ["/", "/en", "/mapa", *(f"/parafia/{one.slug}-{one.parish_id}" for one in facts)]
        seen = {path: visitor.page(path) for path in starts}
        for page in list(seen.values()):
            for path in links(page):
                if path.startswith(("/miejscowosc", "/diecezja", "/en/", "/msze")) and path not in seen:
                    seen[path] = visitor.page(path.replace("&amp;", "&"))

        assert [path for path, page in seen.items() if re.search(r"<(a|h1)\b[^>]*></\1>", page)] == []
        assert len(seen) > len(starts)

    def test_the_api_answers(self, odd: tuple[Path, Sequence[ParishFacts], Visitor]) -> None:
        _, facts, visitor = odd
        keys = [one["parish_id"] for one in visitor.get("/api/v1/parishes").json()["parishes"]]
        both = ("p000000", "p000099")  # the odd text in one column each is on the pages of the test above
        paths = [f"/api/v1/parishes/{key}{rest}" for key in both for rest in ("", "/rules", "/calendar.ics", "/days/2026-11-29")]
        statuses = {path: visitor.get(path).status_code for path in (*paths, "/api/v1/parishes.geojson", "/sitemap.xml")}

        assert sorted(keys) == sorted(one.parish_id for one in facts)
        assert set(statuses.values()) == {200}, statuses

    @pytest.mark.parametrize(("latitude", "longitude"), [(float("nan"), 20.0), (1e9, 20.0), (52.0, float("inf"))])
    def test_a_point_that_is_not_on_earth_is_none(self, tmp_path: Path, latitude: float, longitude: float) -> None:
        facts = [parish(1), parish(2, latitude=latitude, longitude=longitude)]

        assert trial(index_of(tmp_path / "index.sqlite", facts), NOW) == []
        assert facts[1].latitude is None


class TestOddTowns:
    def test_towns_in_another_script_stay_apart(self) -> None:
        keys = {town_key("", town) for town in ("Київ", "Львів", "---", "東京都")}

        assert len(keys) == 4

    @given(st.lists(st.tuples(st.text(), st.text()), max_size=8))
    @example([("", ""), ("Kraków ½", "małopolskie"), ("Kraków", "małopolskie")])
    @settings(max_examples=200, deadline=None)
    def test_any_names_make_a_table_of_places(self, rows: list[tuple[str, str]]) -> None:
        cities = [ParishRow("Kraków", "małopolskie", f"Parafia {number}") for number in range(6)]

        assert Places.of([*cities, *(ParishRow(town, land) for town, land in rows)]).towns


class TestTrial:
    def test_a_page_that_fails_is_an_objection_that_names_it(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        index = index_of(tmp_path / "index.sqlite", [parish(1)])
        monkeypatch.setattr(pages, "order_lists", lambda rules: [][1])

        assert any(one.startswith("/parafia/") and one.endswith("answers 500") for one in trial(index, NOW))

    def test_hours_that_are_not_shown_are_an_objection(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        index = index_of(tmp_path / "index.sqlite", [parish(1)])
        found = pages.search
        monkeypatch.setattr(pages, "search", lambda *given: replace(found(*given), exact=()))

        assert any(one.startswith("/msze?") and "lacks" in one for one in trial(index, NOW))

    def test_it_asks_at_least_twenty_questions(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        asked = []
        monkeypatch.setattr("mass_pipeline.public_web.trial.create_app", lambda site: app)

        async def app(scope: Scope, receive: Receive, send: Send) -> None:
            asked.append(scope["path"])
            await Response(status_code=404)(scope, receive, send)

        assert len(trial(index_of(tmp_path / "index.sqlite", [parish(number) for number in range(9)]), NOW)) == len(asked) >= 20


DAY = datetime(2026, 11, 22, 8, tzinfo=UTC)


def lake_of(folder: Path, facts: Sequence[ParishFacts]) -> Settings:
    """Published tables of these parishes, and the settings that find them."""
    settings_of = load_settings({"MASS_PIPELINE_DATA_FOLDER": str(folder)})
    lake = open_lake(settings_of)
    directory = [
        {**{name: getattr(one, name, None) for name in PARISHES.names}, "address": "", "fetched_at": DAY, "source": "table"}
        for one in facts
    ]
    states = [
        {"parish_id": one.parish_id, "state": "fresh", "reason": "", "masses": len(one.rows), "checked_at": DAY, "differs": False,
         "proposals": 0}
        for one in facts
    ]  # fmt: skip
    rows = [row.as_dict(one.parish_id, "Su 08:00+") for one in facts for row in one.rows]
    points = [{"parish_id": one.parish_id, "checked_at": DAY} for one in facts]
    for table, kept in ((PARISHES, directory), (PARISH_URLS, []), (PARISH_POSITIONS, points)):
        lake.publish(table, {None: [table_of(table, kept)]})
    for table, kept in ((PARISH_STATES, states), (MASS_SCHEDULES, rows)):
        lake.publish(table, {"tarnowska": [table_of(table, kept)]})
    return settings_of


class TestPublishing:
    def test_a_parish_without_a_town_is_published_and_served(self, tmp_path: Path) -> None:
        settings_of = lake_of(tmp_path, [parish(1), parish(2)])
        lake = open_lake(settings_of)
        rows = [{**row, "town": "" if row["parish_id"] == "p000002" else row["town"]} for row in lake.reader(PARISHES).rows()]
        lake.publish(PARISHES, {None: [table_of(PARISHES, rows)]})
        made = publish_index(PublishedTables.of(lake, settings_of), settings_of)
        visitor = Visitor(site_over(tmp_path))

        assert made.manifest()["objections"] == []
        assert made.manifest()["is_tried"]
        assert "miejscowość nieznana" in visitor.page(f"/parafia/{parish(2, town='').slug}-p000002")
        assert visitor.hours("/msze?q=Łąka 1 w niedzielę")

    def test_a_generation_that_the_site_fails_on_is_not_put_in_force(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        settings_of = lake_of(tmp_path, [parish(1), parish(2)])
        good = publish_index(PublishedTables.of(open_lake(settings_of), settings_of), settings_of)
        monkeypatch.setattr(pages, "order_lists", lambda rules: [][1])
        more = lake_of(tmp_path, [parish(1), parish(2), parish(3)])
        refused = publish_index(PublishedTables.of(open_lake(more), more), more)

        assert any("answers 500" in one for one in refused.manifest()["objections"])
        assert Generations(tmp_path / "public").current() == good
