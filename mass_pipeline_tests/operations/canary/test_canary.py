"""The first look at live sources: against the emulated web as it is, and against ten webs that are damaged in ten ways."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from mass_pipeline.demo_web.directory import DIRECTORY_HOST, DIRECTORY_PATH
from mass_pipeline.demo_web.http import Host, Request, Resource, Response
from mass_pipeline.demo_web.web import DemoWeb
from mass_pipeline.gathering.hosts import host_of
from mass_pipeline.operations.canary.looking import Look, look
from mass_pipeline.operations.canary.probes import Finding, Verdict
from mass_pipeline.resources.settings import Settings, load_settings
from mass_pipeline.resources.web import Web

HTML = "text/html; charset=utf-8"
Damage = Callable[[DemoWeb], None]


class Seen:
    """A look at a web, with what the server counted."""

    def __init__(self, done: Look, requests: Mapping[str, int], announced: str) -> None:
        self.by_topic = {one.topic: one for one in done.findings}
        self.page = "\n".join(done.page)
        self.is_trouble = done.is_trouble
        self.requests = requests
        self.announced = announced


def extract(folder: Path, web: DemoWeb) -> Path:
    """Churches of the demo web as OpenStreetMap would list them."""
    elements = [
        {
            "type": "node",
            "id": number,
            "tags": {
                "amenity": "place_of_worship",
                "denomination": "roman_catholic",
                "name": parish.site.name,
                "diocese": parish.site.diocese,
                "website": parish.start_url,
            },
        }
        for number, parish in enumerate(web.parishes)
        if parish.site.readable not in ("robots_503", "opted_out")
    ]
    path = folder / "churches.json"
    path.write_text(json.dumps({"elements": elements}))
    return path


def seen(tmp_path: Path, damage: Damage = lambda web: None, *, everything: bool = False, **settings: str) -> Seen:
    """A look at a demo web after something was done to it.

    Args:
        tmp_path: data folder.
        damage: what was done.
        everything: names of nobody are answered too, as by the resolver of some providers.
        settings: further ones.
    """
    requests = {"directory": 0, "sites": 0, "places": 0}

    @contextmanager
    def opened(_: Settings) -> Iterator[Web]:
        with DemoWeb() as web:
            damage(web)

            def connect_to(host: str, port: int) -> tuple[str, int] | None:
                return web.connect_to(host, port) or (("127.0.0.1", web.port) if everything else None)

            yield Web(connect_to, web.places_base_url)
            directory = sum(one.host == DIRECTORY_HOST for one in web.requests)
            requests["directory"] += directory
            requests["places"] += len(web.places.requests)
            requests["sites"] += len(web.requests) - directory - len(web.places.requests)

    environ = {"MASS_PIPELINE_DATA_FOLDER": str(tmp_path / "data"), **{f"MASS_PIPELINE_{k}": v for k, v in settings.items()}}
    told: list[str] = []
    done = look(load_settings(environ), opened, told.append, osm=extract(tmp_path, DemoWeb()))
    return Seen(done, requests, told[0])


def replaced(path: str, response: Response) -> Damage:
    """The directory answers otherwise at a path."""

    def damage(web: DemoWeb) -> None:
        web._hosts[DIRECTORY_HOST].resources[path] = Resource(response)

    return damage


def with_pages(change: Callable[[bytes], bytes]) -> Damage:
    """Every page of the directory is changed."""

    def damage(web: DemoWeb) -> None:
        resources = web._hosts[DIRECTORY_HOST].resources
        for path, resource in list(resources.items()):
            resources[path] = Resource(replace(resource.response, body=change(resource.response.body)))

    return damage


def says(finding: Finding, verdict: Verdict, *words: str) -> None:
    """The finding has this verdict, and these words in what was seen, what to do and where."""
    text = " ".join((finding.seen, finding.remedy, *finding.where))

    assert (finding.verdict, [word for word in words if word not in text]) == (verdict, []), text


class TestAWebThatIsWell:
    def test_everything_is_as_expected_and_a_run_is_next(self, tmp_path: Path) -> None:
        done = seen(tmp_path)

        assert {one.verdict for one in done.by_topic.values()} == {Verdict.EXPECTED}, done.page
        assert not done.is_trouble
        assert "about 60 in all" in done.by_topic["Directory"].seen
        assert "20 of 20" in done.by_topic["Parish sites"].seen
        assert "one diocese first" in done.page
        assert "First crawl:" in done.page

    def test_the_server_counts_no_more_than_was_announced(self, tmp_path: Path) -> None:
        done = seen(tmp_path)

        assert done.announced == (
            "Asks at most: 4 requests to the directory, 21 units of Places, 183 requests to 20 parish sites."
        )
        assert done.requests["directory"] <= 4
        assert done.requests["places"] <= 3
        assert 20 <= done.requests["sites"] <= 183

    def test_a_second_look_asks_no_page_again(self, tmp_path: Path) -> None:
        seen(tmp_path)
        again = seen(tmp_path)

        assert (again.requests["directory"], again.requests["sites"]) == (0, 0)
        assert "20 of 20" in again.by_topic["Parish sites"].seen

    def test_a_table_of_parishes_takes_the_place_of_a_directory_by_one_setting(self, tmp_path: Path) -> None:
        table = tmp_path / "parishes.csv"
        table.write_text("name,town,diocese,website\nŚwiętej Anny,Lipowiec,tarnowska,http://anna-lipowiec.example/\n")
        done = seen(tmp_path, DIRECTORY_TABLE_FILE=str(table))

        says(done.by_topic["Table of parishes"], Verdict.EXPECTED, "1 parishes of 1 dioceses")
        assert done.requests["directory"] == 0


class TestDamagedDirectory:
    def test_it_has_moved(self, tmp_path: Path) -> None:
        def damage(web: DemoWeb) -> None:
            web._hosts["katalog-nowy.example"] = Host("katalog-nowy.example", web._hosts[DIRECTORY_HOST].resources.copy())
            moved = Resource(Response.redirect(f"http://katalog-nowy.example{DIRECTORY_PATH}"))
            web._hosts[DIRECTORY_HOST].resources[DIRECTORY_PATH] = moved

        done = seen(tmp_path, damage)

        says(done.by_topic["Directory"], Verdict.DIFFERENT, "katalog-nowy.example", "MASS_PIPELINE_DIRECTORY_START_URL=")

    def test_a_captcha_stands_before_it(self, tmp_path: Path) -> None:
        body = '<html><title>Chwileczkę</title><div class="h-captcha" data-sitekey="x"></div><p>Nie jestem robotem</p></html>'
        done = seen(tmp_path, replaced(DIRECTORY_PATH, Response(200, body.encode(), HTML)))

        finding = done.by_topic["Directory"]
        says(finding, Verdict.DIFFERENT, "captcha", "not got around", "MASS_PIPELINE_DIRECTORY_TABLE_FILE")
        kept = Path(finding.where[0].partition("kept in ")[2].rstrip(")"))
        assert kept.read_bytes() == body.encode()

    def test_a_page_for_consent_stands_before_it(self, tmp_path: Path) -> None:
        body = "<html><h1>Szanujemy Twoją prywatność</h1><p>Wyrażam zgodę na pliki cookie</p><button>Przejdź do serwisu</button>"
        done = seen(tmp_path, replaced(DIRECTORY_PATH, Response(200, body.encode(), HTML)))

        says(done.by_topic["Directory"], Verdict.DIFFERENT, "consent")

    def test_its_classes_have_other_names(self, tmp_path: Path) -> None:
        done = seen(tmp_path, with_pages(lambda body: body.replace(b'class="temat"', b'class="topic"')))

        says(done.by_topic["Directory"], Verdict.DIFFERENT, "MASS_PIPELINE_DIRECTORY_ROW_SELECTOR=td.temat", "kept in")
        assert done.by_topic["Places"].verdict is Verdict.SKIPPED
        assert "no source of parishes can be read yet" in done.page

    def test_the_address_of_a_parish_has_another_class(self, tmp_path: Path) -> None:
        done = seen(tmp_path, with_pages(lambda body: body.replace(b"adres2", b"address")))

        says(done.by_topic["Directory"], Verdict.DIFFERENT, "MASS_PIPELINE_DIRECTORY_ADDRESS_SELECTOR=")

    def test_it_is_out_of_order(self, tmp_path: Path) -> None:
        done = seen(tmp_path, replaced(DIRECTORY_PATH, Response.error(503)))

        says(done.by_topic["Directory"], Verdict.SILENT, "503", "Try again in some hours")
        assert done.is_trouble


class TestDamagedPlaces:
    def test_it_knows_nothing(self, tmp_path: Path) -> None:
        def damage(web: DemoWeb) -> None:
            web.places.find = lambda query: ()

        says(seen(tmp_path, damage).by_topic["Places"], Verdict.DIFFERENT, "nothing is known of")

    def test_the_quota_is_spent(self, tmp_path: Path) -> None:
        done = seen(tmp_path, PLACES_UNITS_PER_DAY="5")

        says(done.by_topic["Places"], Verdict.SILENT, "quota", "MASS_PIPELINE_PLACES_UNITS_PER_DAY")
        assert done.requests["places"] == 0

    def test_the_key_is_refused(self, tmp_path: Path) -> None:
        done = seen(tmp_path, lambda web: web.places.fail_next(9, status="REQUEST_DENIED"))

        says(done.by_topic["Places"], Verdict.DIFFERENT, "refused", "restrictions of the key")


class TestDamagedSites:
    def test_half_of_them_have_moved_to_a_social_network(self, tmp_path: Path) -> None:
        def damage(web: DemoWeb) -> None:
            for number, parish in enumerate(web.parishes):
                if number % 4:
                    host = web._hosts[host_of(parish.start_url)]
                    host.resources.clear()
                    host.makers[:] = [
                        lambda request: (
                            None if request.path == "/robots.txt" else Response.redirect("https://www.facebook.com/p/")
                        )
                    ]

        done = seen(tmp_path, damage)

        says(done.by_topic["Parish sites"], Verdict.DIFFERENT, "on a social network", "The list of sites is old")

    def test_the_resolver_of_the_provider_answers_every_name_with_its_own_page(self, tmp_path: Path) -> None:
        def damage(web: DemoWeb) -> None:
            page = Response(200, b"<html><p>Nie ma takiej strony. Szukaj: parafia</p></html>", HTML)
            asked = web._server._respond

            def answer(request: Request) -> Response:
                is_ours = request.host in (DIRECTORY_HOST, "127.0.0.1", "localhost")
                return asked(request) if is_ours else page

            web._server._respond = answer

        done = seen(tmp_path, damage, everything=True)

        says(done.by_topic["Resolver"], Verdict.DIFFERENT, "nobody has registered answers", "another resolver")
        says(done.by_topic["One page for all"], Verdict.DIFFERENT, "20 hosts answer with the same page")

    def test_words_of_the_web_reach_the_terminal_without_control_characters(self, tmp_path: Path) -> None:
        title = b"<html><title>\x1b[31mParafie\x07</title></html>"
        done = seen(tmp_path, replaced(DIRECTORY_PATH, Response(200, title, HTML)))

        assert "[31mParafie" in done.page
        assert not any(char in done.page for char in "\x1b\x07")


def test_the_command_ends_with_1_when_something_is_odd(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from click.testing import CliRunner

    from mass_pipeline.cli.canary import canary

    monkeypatch.setenv("MASS_PIPELINE_DATA_FOLDER", str(tmp_path))
    monkeypatch.setenv("MASS_PIPELINE_PLACES_UNITS_PER_DAY", "5")
    ended = CliRunner().invoke(canary, ["--sites", "0"])

    assert ended.exit_code == 1
    assert "Places:" in ended.output
    assert "the quota is spent" in ended.output
