"""The map that moves, where Leaflet was fetched: points with their next Masses, on the operator's tiles; else a picture."""

from __future__ import annotations

from pathlib import Path
from typing import Any, ClassVar

import pytest

from mass_pipeline.finding.config import PublicConfig
from mass_pipeline.model.errors import ConfigurationError
from mass_pipeline.public_web.moving import ASSETS, moving_map
from mass_pipeline.public_web.site import STATIC
from mass_pipeline.web_common.guard import CONTENT_SECURITY_POLICY
from mass_pipeline_tests.annotation.browsing import NEEDS_BROWSER, PHONE, screenshots, violations
from mass_pipeline_tests.finding.made import WEEK, parish, row
from mass_pipeline_tests.public_web.support import PARISHES, Visitor, links, published, served, site_over
from mass_pipeline_tests.shared import ROOT

TILES = {"map_tiles": "https://tiles.example/{z}/{x}/{y}.png", "map_attribution": "© <Somebody>"}
CARD_IS_WHOLE = """() => {
    const box = document.querySelector("#moving").getBoundingClientRect();
    const card = document.querySelector("#moving .leaflet-popup").getBoundingClientRect();
    return card.left >= box.left && card.right <= box.right && card.top >= box.top && card.bottom <= box.bottom;
}"""
NAMES = ("leaflet.css", "MarkerCluster.css", "leaflet.js", "leaflet.markercluster.js")


@pytest.fixture
def assets(tmp_path: Path) -> Path:
    """A folder with files of the names that the page asks for."""
    folder = tmp_path / "assets"
    folder.mkdir()
    for name in NAMES:
        folder.joinpath(name).write_text(f"/* {name} */", encoding="utf-8")
    return folder


def visitor_of(folder: Path, map_assets: Path, **config: Any) -> Visitor:
    published(folder)
    return Visitor(site_over(folder, map_assets=map_assets, **config))


class TestPage:
    def test_the_page_of_the_map_alone_loads_what_was_fetched(self, tmp_path: Path, assets: Path) -> None:
        visitor = visitor_of(tmp_path, assets)
        page = visitor.page("/mapa")
        loaded = [one for one in links(page) if one.startswith("/static/map/")]

        assert [visitor.page(one) for one in loaded] == [f"/* {name} */" for name in NAMES]
        assert "/static/map.js?" in page
        assert "<svg" in page
        assert all("/static/map" not in visitor.page(path) for path in ("/", "/msze?q=Lipa", "/diecezja/tarnowska"))

    @pytest.mark.parametrize("missing", [None, "leaflet.markercluster.js"], ids=["nothing fetched", "a file is lost"])
    def test_without_all_files_the_page_is_a_picture_without_scripts_of_its_own(
        self, tmp_path: Path, assets: Path, missing: str | None
    ) -> None:
        if missing:
            assets.joinpath(missing).unlink()
        page = visitor_of(tmp_path, assets if missing else tmp_path / "nothing").page("/mapa")

        assert "/static/map" not in page
        assert 'id="moving"' not in page
        assert "<svg" in page

    def test_nothing_but_scripts_and_styles_is_served_of_the_folder(self, tmp_path: Path, assets: Path) -> None:
        assets.joinpath("notes.txt").write_text("x", encoding="utf-8")
        tmp_path.joinpath("secret.js").write_text("x", encoding="utf-8")
        visitor = visitor_of(tmp_path, assets)

        assert [visitor.get(f"/static/map/{name}").status_code for name in ("notes.txt", "..%2Fsecret.js", "absent.js")] == [
            404
        ] * 3


class TestPicture:
    """Without scripts: voivodeships, their towns, and from there the pages of towns."""

    def test_it_leads_by_the_voivodeship_to_the_town(self, visitor: Visitor) -> None:
        lands = [one for one in links(visitor.page("/mapa")) if "woj=" in one]
        page = visitor.page("/mapa?woj=pomorskie")

        assert len(set(lands)) == 16
        assert {visitor.get(one).status_code for one in lands} == {200}
        assert page.count("/miejscowosc/pomorskie/mlyny") == 2  # a point, and a line of the list
        assert visitor.get("/mapa?woj=bavaria").status_code == 404

    def test_the_ground_is_small_and_names_its_source(self, visitor: Visitor) -> None:
        answer = visitor.get("/static/ground.json")

        assert len(answer.content) <= 150_000
        assert "public domain" in answer.json()["source"]
        assert set(answer.json()) == {"source", "lands", "rivers", "lakes", "towns"}


class TestFetching:
    def test_the_table_of_hashes_names_every_file_that_the_page_asks_for(self) -> None:
        table = ROOT.joinpath("data/map-assets.sha256").read_text(encoding="utf-8")
        hashes = dict(reversed(line.split("  ")) for line in table.splitlines())

        assert {Path(name).name for name in hashes} >= set(NAMES)
        assert {len(one) for one in hashes.values()} == {64}


class TestTiles:
    def test_without_tiles_no_other_host_may_be_asked(self, tmp_path: Path, assets: Path) -> None:
        visitor = visitor_of(tmp_path, assets)
        answer = visitor.get("/mapa")

        assert answer.headers["content-security-policy"] == CONTENT_SECURITY_POLICY
        assert 'data-tiles=""' in answer.text

    def test_with_tiles_pictures_of_their_host_alone_are_let_in_and_on_the_map_alone(self, tmp_path: Path, assets: Path) -> None:
        visitor = visitor_of(tmp_path, assets, **TILES)
        answer = visitor.get("/en/mapa")
        kept = visitor.get("/en/mapa", headers={"If-None-Match": answer.headers["etag"]})
        policy = CONTENT_SECURITY_POLICY.replace("img-src 'self';", "img-src 'self' https://tiles.example;")

        assert [one.headers["content-security-policy"] for one in (answer, kept)] == [policy] * 2
        assert kept.status_code == 304
        assert 'data-attribution="© &lt;Somebody&gt;"' in answer.text
        assert visitor.get("/").headers["content-security-policy"] == CONTENT_SECURITY_POLICY

    @pytest.mark.parametrize(
        "config", [TILES, {"map_tiles": "/t/{z}/{x}/{y}.png", "map_attribution": "x"}], ids=["picture", "own"]
    )
    def test_the_policy_stays_where_no_other_host_is_needed(self, tmp_path: Path, assets: Path, config: dict[str, str]) -> None:
        visitor = visitor_of(tmp_path, tmp_path / "nothing" if config is TILES else assets, **config)

        assert visitor.get("/mapa").headers["content-security-policy"] == CONTENT_SECURITY_POLICY

    @pytest.mark.parametrize(
        "tiles",
        [
            "http://tiles.example/{z}/{x}/{y}.png",
            "https://{s}.tiles.example/{z}/{x}/{y}.png",
            "https://tiles.example;script-src */{z}/{x}/{y}.png",
            "https://*/{z}/{x}/{y}.png",
            "//tiles.example/{z}/{x}/{y}.png",
            "https://tiles.example/{z}/{x}.png",
        ],
    )
    def test_an_address_that_names_no_single_host_or_no_tile_is_refused(self, tiles: str) -> None:
        with pytest.raises(ConfigurationError, match="no address of tiles"):
            moving_map(ASSETS, PublicConfig(map_tiles=tiles, map_attribution="x"))

    def test_tiles_without_the_words_of_their_source_are_refused(self) -> None:
        with pytest.raises(ConfigurationError, match="map_attribution"):
            moving_map(ASSETS, PublicConfig(map_tiles=TILES["map_tiles"]))


class TestPoints:
    @pytest.mark.parametrize(("path", "days"), [("/mapa", ["Dziś", "Jutro"]), ("/en/mapa", ["Today", "Tomorrow"])])
    def test_every_church_with_an_exact_position_has_its_next_masses(self, visitor: Visitor, path: str, days: list[str]) -> None:
        """It is Sunday, nine o'clock."""
        said = visitor.get(f"{path}/punkty.json").json()
        found = {one[4].rpartition("-")[2]: one for one in said["churches"]}
        exact = {one.parish_id for one in PARISHES if one.precision_m is not None and one.precision_m < 2_000 and one.latitude}

        assert set(found) == exact
        assert said["days"][:2] == days
        assert found["p000002"][:4] == [50.02, 20.0, "Świętego Jana 2", "Młyny"]
        assert [minute for minute, _ in found["p000002"][5]] == [11 * 60, 24 * 60 + 18 * 60, 48 * 60 + 18 * 60, 72 * 60 + 18 * 60]
        assert visitor.get(f"/parafia/{found['p000002'][4]}").status_code == 200

    def test_a_day_gives_its_masses_alone(self, visitor: Visitor) -> None:
        found = {
            one[4].rpartition("-")[2]: one[5] for one in visitor.get("/mapa/punkty.json?dzien=2026-11-23").json()["churches"]
        }

        assert found["p000002"] == [[24 * 60 + 18 * 60, 0]]
        assert visitor.get("/mapa/punkty.json?dzien=2027-11-23").status_code == 400

    def test_parts_of_a_town_bear_its_name(self, tmp_path: Path) -> None:
        """So that a cluster is named by the town that most of its churches lie in."""
        own = [parish(number, town="Kraków") for number in range(5)]
        published(tmp_path, [*own, parish(8, town="Kraków-Bieńczyce"), parish(9, town="Kraków Azory")])
        found = Visitor(site_over(tmp_path)).get("/mapa/punkty.json").json()["churches"]

        assert {one[3] for one in found} == {"Kraków"}

    def test_an_order_not_checked_for_long_and_a_cancelled_mass_are_no_next_masses(self, visitor: Visitor) -> None:
        found = {one[4].rpartition("-")[2]: one[5] for one in visitor.get("/mapa/punkty.json").json()["churches"]}
        wednesday = 3 * 24 * 60 + 17 * 60

        assert found["p000003"] == []
        assert found["p000007"][:3] == [[540, 0], [24 * 60 + 17 * 60, 0], [48 * 60 + 17 * 60, 0]]
        assert wednesday not in [minute for minute, _ in found["p000007"]]

    def test_an_hour_that_is_only_assumed_says_so(self, tmp_path: Path) -> None:
        published(tmp_path, [parish(1, [row(["Su"], "10:00"), row(WEEK, "18:00", season="summer")], state="fresh")])
        from_map = Visitor(site_over(tmp_path)).get("/mapa/punkty.json").json()["churches"][0][5]
        asked = Visitor(site_over(tmp_path)).get("/api/v1/masses?parish=p000001&from=2026-11-22T09:00&to=2026-11-29T23:59").json()

        assert [bool(assumed) for _, assumed in from_map] == [one["status"] == "tentative" for one in asked["masses"]][:4]


NEEDS_LEAFLET = pytest.mark.skipif(not ASSETS.is_dir(), reason="needs Leaflet: make map-assets")


class TestInABrowser:
    pytestmark: ClassVar = [*NEEDS_BROWSER, NEEDS_LEAFLET]

    @pytest.fixture(scope="class")
    def address(self, tmp_path_factory: pytest.TempPathFactory) -> Any:
        folder = tmp_path_factory.mktemp("map")
        spread = [
            parish(number, latitude=50.0 + number % 25 / 7, longitude=19.0 + number // 25 * 1.3, town=f"Łąka {number}")
            for number in range(1, 100)
        ]
        published(folder, [*spread, parish(100, latitude=53.9, longitude=15.2, town="Mielno", name="Świętej Anny")])
        with served(site_over(folder, public_hosts=("127.0.0.1",), map_assets=ASSETS)) as found:
            yield found

    @pytest.mark.parametrize(("root", "size", "scheme"), [("", (360, 740), "light"), ("/en", (1280, 800), "dark")])
    def test_a_tap_on_a_church_shows_its_next_masses(
        self, open_page: Any, address: str, tmp_path: Path, root: str, size: tuple[int, int], scheme: str
    ) -> None:
        viewport = {"width": size[0], "height": size[1]}
        page = open_page(**{**PHONE, "viewport": viewport}, color_scheme=scheme, reduced_motion="reduce")
        asked, wrong = [], []
        page.on("request", lambda request: asked.append(request.url))
        page.on("console", lambda message: wrong.append(message.text) if message.type == "error" else None)
        page.goto(address + root + "/mapa")
        page.wait_for_selector("#moving .churches")
        page.screenshot(path=screenshots(tmp_path) / f"map-{size[0]}-{scheme}.png")
        page.locator("#moving .church[title='Mielno, Świętej Anny']").tap()
        card = page.locator("#moving .leaflet-popup-content")
        card.wait_for()
        page.wait_for_function(CARD_IS_WHOLE)
        page.screenshot(path=screenshots(tmp_path) / f"map-{size[0]}-{scheme}-card.png")
        words = card.inner_text()

        assert "Świętej Anny" in words
        assert ("Today: 18:00" if root else "Dziś: 18:00") in words
        assert card.locator("a").get_attribute("href").endswith("-p000100")
        assert "Mielno" in page.locator("#moving .town").all_inner_texts()
        assert page.locator("#moving .outline").count() == 16
        assert page.locator("svg.map").count() == 0
        assert page.evaluate("scrollY") == 0
        assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
        assert all(one.startswith(address) for one in asked)
        assert wrong == []
        assert page.context.cookies() == []

    def test_a_town_a_day_and_a_place_are_found_and_stand_in_the_address(self, browser: Any, address: str) -> None:
        context = browser.new_context(
            viewport={"width": 1280, "height": 800}, reduced_motion="reduce", permissions=["geolocation"],
            geolocation={"latitude": 53.9, "longitude": 15.2},
        )  # fmt: skip
        page = context.new_page()
        page.goto(address + "/mapa")
        page.locator("#map-town").fill("mielno")
        page.locator("#map-town").press("Enter")
        page.wait_for_url("**/mapa#15/53.9000/15.2000")
        hour = page.locator("#moving .church b").inner_text()
        beside = page.locator("#map-list").inner_text()
        page.locator("#map-day").select_option("2026-11-23")
        page.wait_for_url("**/mapa#15/53.9000/15.2000/2026-11-23")
        page.wait_for_function("document.querySelector('#map-list b')?.textContent.startsWith('Jutro')")
        page.reload()
        page.wait_for_function("document.querySelector('#map-list b')?.textContent.startsWith('Jutro')")
        chosen = page.locator("#map-day").input_value()
        page.locator("#map-me").click()
        page.locator("#moving .me").wait_for()
        context.close()

        assert hour == "18:00"
        assert "Dziś 18:00" in beside
        assert "Mielno, Świętej Anny" in beside
        assert chosen == "2026-11-23"

    def test_a_card_is_opened_and_left_by_keyboard_alone(self, open_page: Any, address: str) -> None:
        page = open_page(address + "/mapa", viewport={"width": 1280, "height": 800}, reduced_motion="reduce")
        page.locator("#moving .church[title='Mielno, Świętej Anny']").focus()
        page.keyboard.press("Enter")
        page.wait_for_selector("#moving .leaflet-popup a:focus")
        page.keyboard.press("Escape")
        page.wait_for_selector("#moving .leaflet-popup", state="detached")

        assert page.evaluate("document.activeElement.title") == "Mielno, Świętej Anny"

    @pytest.mark.parametrize("lost", ["**/punkty.json", "**/leaflet.js*", "**/leaflet.markercluster.js*"])
    def test_the_picture_stays_where_something_does_not_come(self, open_page: Any, address: str, lost: str) -> None:
        page = open_page(**PHONE)
        page.route(lost, lambda route: route.abort())
        page.goto(address + "/mapa", wait_until="networkidle")

        assert page.locator("svg.map").is_visible()
        assert page.locator("#moving").is_hidden()

    def test_tiles_of_the_named_host_are_shown_with_the_words_of_their_source(self, browser: Any, tmp_path: Path) -> None:
        published(tmp_path)
        icon = STATIC.joinpath("icon.svg").read_bytes()
        context, shown, wrong = browser.new_context(**PHONE, reduced_motion="reduce"), [], []
        page = context.new_page()
        page.route("https://tiles.example/**", lambda route: route.fulfill(body=icon, content_type="image/svg+xml"))
        page.on("requestfinished", lambda request: shown.append(request.url))
        page.on("console", lambda message: wrong.append(message.text) if message.type == "error" else None)
        with served(site_over(tmp_path, public_hosts=("127.0.0.1",), map_assets=ASSETS, **TILES)) as address:
            page.goto(address + "/mapa")
            page.wait_for_selector("#moving .leaflet-tile-loaded")
            words = page.locator("#moving .leaflet-control-attribution").inner_text()
            foreign = {one for one in shown if not one.startswith(address)}
            context.close()

        assert words == TILES["map_attribution"]
        assert foreign
        assert all(one.startswith("https://tiles.example/") for one in foreign)
        assert wrong == []

    def test_axe_finds_nothing(self, open_page: Any, address: str) -> None:
        page = open_page(address + "/mapa", **PHONE, bypass_csp=True, reduced_motion="reduce")
        page.wait_for_selector("#moving .churches")
        at_first = violations(page)
        page.locator("#moving .church[title='Mielno, Świętej Anny']").tap()
        page.locator("#moving .leaflet-popup-content").wait_for()

        assert (at_first, violations(page)) == ([], [])
