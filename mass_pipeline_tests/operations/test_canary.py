"""The first look at live sources: against the emulated web as it is, and against webs that are damaged."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from click.testing import CliRunner

from mass_pipeline.cli.canary import canary
from mass_pipeline.demo_web.directory import DIRECTORY_HOST, DIRECTORY_PATH
from mass_pipeline.demo_web.http import Resource, Response
from mass_pipeline.demo_web.web import DemoWeb
from mass_pipeline.gathering.hosts import host_of
from mass_pipeline.operations.canary import Finding, look
from mass_pipeline.resources.settings import Settings, load_settings
from mass_pipeline.resources.web import Web

HTML = "text/html; charset=utf-8"
READABLE = ("robots_503", "opted_out")


def extract(folder: Path, web: DemoWeb) -> Path:
    """Churches of the demo web as OpenStreetMap would list them."""
    tags = {"amenity": "place_of_worship", "denomination": "roman_catholic"}
    sites = [parish for parish in web.parishes if parish.site.readable not in READABLE]
    elements = [
        {"type": "node", "id": number, "tags": tags | {"name": parish.site.name, "website": parish.start_url}}
        for number, parish in enumerate(sites)
    ]
    path = folder / "churches.json"
    path.write_text(json.dumps({"elements": elements}))
    return path


def seen(folder: Path, damage: Callable[[DemoWeb], None] = lambda web: None, **settings: str) -> tuple[list[Finding], str, int]:
    """What a look at a demo web finds after something was done to it, what it announced, and the requests it took."""
    counted = 0

    @contextmanager
    def opened(_: Settings) -> Iterator[Web]:
        nonlocal counted
        with DemoWeb() as web:
            damage(web)
            yield Web(web.connect_to, web.places_base_url)
            counted = len(web.requests)

    environ = {"MASS_PIPELINE_DATA_FOLDER": str(folder / "data"), **{f"MASS_PIPELINE_{k}": v for k, v in settings.items()}}
    told: list[str] = []
    found = look(load_settings(environ), opened, told.append, osm_extract=extract(folder, DemoWeb()))
    return found, told[0], counted


class TestLook:
    def test_on_a_web_that_is_well_all_is_as_expected_and_no_more_is_asked_than_announced(self, tmp_path: Path) -> None:
        found, announced, counted = seen(tmp_path)

        assert [one.remedy for one in found] == ["", "", ""], [one.line for one in found]
        assert announced == "Asks at most: 4 requests to the directory, 21 units of Places, 90 requests to 10 parish sites."
        assert "units spent" in found[1].seen
        assert "10 readable" in found[2].seen
        assert counted <= 4 + 3 + 90

    def test_a_directory_of_another_layout_is_told_with_the_selectors(self, tmp_path: Path) -> None:
        def damage(web: DemoWeb) -> None:
            web._hosts[DIRECTORY_HOST].resources[DIRECTORY_PATH] = Resource(Response(200, b"<html>captcha</html>", HTML))

        directory, places, _ = seen(tmp_path, damage)[0]

        assert "gathering/config.py (td.temat)" in directory.remedy
        assert "no parish to ask about" in places.seen

    def test_a_table_of_parishes_takes_the_place_of_a_directory(self, tmp_path: Path) -> None:
        table = tmp_path / "parishes.csv"
        table.write_text("name,town,diocese,website\nŚwiętej Anny,Lipowiec,tarnowska,http://anna-lipowiec.example/\n")

        assert seen(tmp_path, DIRECTORY_TABLE_FILE=str(table))[0][0].seen == "as expected: 1 parishes"

    def test_a_refused_key_is_told(self, tmp_path: Path) -> None:
        found, _, _ = seen(tmp_path, lambda web: web.places.fail_next(9, status="REQUEST_DENIED"))

        assert "refused" in found[1].seen
        assert found[1].remedy

    def test_sites_that_moved_to_a_social_network_are_told(self, tmp_path: Path) -> None:
        def damage(web: DemoWeb) -> None:
            for parish in web.parishes:
                host = web._hosts[host_of(parish.start_url)]
                host.resources.clear()
                host.makers[:] = [
                    lambda one: None if one.path == "/robots.txt" else Response.redirect("https://www.facebook.com/p/")
                ]

        sites = seen(tmp_path, damage)[0][2]

        assert "the list of sites is old" in sites.remedy


def test_the_command_ends_with_1_when_something_is_odd(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MASS_PIPELINE_DATA_FOLDER", str(tmp_path))
    monkeypatch.setenv("MASS_PIPELINE_PLACES_UNITS_PER_DAY", "5")
    ended = CliRunner().invoke(canary, ["--sites", "0"])

    assert ended.exit_code == 1
    assert "Places: " in ended.output
