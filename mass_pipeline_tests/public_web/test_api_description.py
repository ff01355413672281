"""The description of the API: every answer is as it says, a client can be made of it, and the page for people shows what runs."""

from __future__ import annotations

import html
import importlib
import json
import re
import shutil
import subprocess
import sys
from datetime import datetime
from pathlib import Path
from typing import Any

import jsonschema
import openapi_spec_validator
import pytest
from fastapi.routing import APIRoute

from mass_pipeline.public_web.api import router
from mass_pipeline_tests.annotation.browsing import NEEDS_BROWSER
from mass_pipeline_tests.finding.made import parish, row
from mass_pipeline_tests.public_web.support import Visitor, published, site_over

ANSWERS = {
    "listMasses": "/masses?place=pomorskie/mlyny&from=2026-11-22T00:00&to=2026-12-26T00:00",
    "listParishes": "/parishes",
    "listParishPoints": "/parishes.geojson",
    "getParish": "/parishes/p000001",
    "getRules": "/parishes/p000007/rules",
    "getDay": "/parishes/p000007/days/2026-11-25",
    "findPlaces": "/places?q=mlyny",
    "interpretQuestion": "/interpretation?q=msza%20po%20angielsku%20jutro%20w%20Młynach",
    "getMeta": "/meta",
    "listChanges": "/changes?since=2020-01-01",
    "getCalendar": "/parishes/p000001/calendar.ics?days=180",
    "getDescription": "/openapi.json",
}


def report_of(parish_id: str) -> Any:
    """A report as the generated client sends it."""
    models = importlib.import_module("mass_times_client.models")
    return models.Report(parish_id=parish_id, kind=models.ReportKind.WRONG_HOUR)


STREAMS = {"getCalendar", "getDescription"}  # of other media, or of any shape
Json = dict[str, Any]


@pytest.fixture(scope="module")
def document(visitor: Visitor) -> Json:
    found: Json = visitor.get("/api/v1/openapi.json").json()
    return found


def operations(document: Json) -> dict[str, Json]:
    return {one["operationId"]: one for path in document["paths"].values() for one in path.values()}


def schema_of(document: Json, operation: str, status: str) -> Json:
    [content] = operations(document)[operation]["responses"][status]["content"].values()
    return {**content["schema"], "components": document["components"]}


class TestDescription:
    def test_it_is_valid_and_every_operation_has_a_name_a_tag_and_a_schema(self, document: Json) -> None:
        openapi_spec_validator.validate(document)
        assert document["openapi"].startswith("3.1")
        named = operations(document)

        assert set(named) == {*ANSWERS, "sendReport"}
        assert all(one["tags"][0] in {tag["name"] for tag in document["tags"]} for one in named.values())
        paths = [part for one in named.values() for part in one.get("parameters", ()) if part["in"] == "path"]
        assert all(part["schema"].get("examples") for part in paths)

    @pytest.mark.parametrize("operation", ANSWERS)
    def test_answers_are_as_it_says_with_validators_and_licence_and_for_all_origins(
        self, visitor: Visitor, document: Json, operation: str
    ) -> None:
        answer = visitor.get(f"/api/v1{ANSWERS[operation]}")

        if operation not in STREAMS:
            jsonschema.validate(answer.json(), schema_of(document, operation, "200"))
        assert all(answer.headers[name] for name in ("etag", "cache-control", "x-data-attribution"))
        assert 'rel="license"' in answer.headers["link"]
        assert answer.headers["access-control-allow-origin"] == "*"
        again = visitor.get(f"/api/v1{ANSWERS[operation]}", headers={"If-None-Match": answer.headers["etag"]})
        assert again.status_code == 304

    def test_every_route_of_the_api_is_described(self, document: Json) -> None:
        """A client is generated from the description alone."""
        routes = {route.path for route in router.routes if isinstance(route, APIRoute) and route.include_in_schema}

        assert {re.sub(r"\{\w+\}", "{}", path) for path in routes} <= {
            re.sub(r"\{\w+\}", "{}", path) for path in document["paths"]
        }

    @pytest.mark.parametrize(
        ("path", "status", "parameter"),
        [
            ("/masses", 400, None), ("/masses?lat=100&lon=0", 400, "lat"), ("/masses?lat=1", 400, "lon"),
            ("/masses?lat=x&lon=0", 400, "lat"), ("/masses?place=Lipa", 400, "place"), ("/masses?place=nowhere", 404, "place"),
            ("/masses?parish=x", 404, "parish"), ("/masses?place=mlyny&limit=101", 400, "limit"),
            ("/masses?place=mlyny&radius=3", 400, "radius"), ("/masses?place=mlyny&kind=zzz", 400, "kind"),
            ("/masses?lat=50&lon=20&from=x", 400, "from"), ("/masses?lat=50&lon=20&to=2030-01-01T00:00", 400, "to"),
            ("/parishes/nobody", 404, None), ("/parishes?bbox=1,2", 400, "bbox"), ("/parishes/p000001/days/x", 400, "day"),
            ("/changes?since=foo", 400, "since"), ("/nothing", 404, None),
        ],
    )  # fmt: skip
    def test_refusals_are_as_it_says_and_name_the_parameter(
        self, visitor: Visitor, document: Json, path: str, status: int, parameter: str | None
    ) -> None:
        answer = visitor.get(f"/api/v1{path}")

        assert (answer.status_code, answer.headers["content-type"]) == (status, "application/problem+json")
        assert answer.json().get("parameter") == parameter
        assert answer.json().get("detail") or status == 404
        jsonschema.validate(answer.json(), schema_of(document, "listMasses", str(status)))

    def test_refusals_before_any_route_are_problems_too(self, visitor: Visitor) -> None:
        def problem(**values: Any) -> tuple[int, str]:
            answer = visitor.client.request(**values)
            return answer.json()["status"], answer.headers["content-type"]

        kind, reports = "application/problem+json", "/api/v1/reports"
        json_type = {"content-type": "application/json"}
        assert problem(method="GET", url="/api/v1/meta", headers={"host": "elsewhere.example"}) == (421, kind)
        assert problem(method="POST", url=reports, content="x" * 20_000, headers=json_type) == (413, kind)
        assert problem(method="POST", url=reports, content="x", headers={"content-type": "text/plain"}) == (415, kind)
        assert problem(method="POST", url=reports, content="x", headers=json_type) == (400, kind)
        assert problem(method="DELETE", url="/api/v1/meta") == (403, kind)

    def test_the_horizon_and_the_next_page_are_told(self, visitor: Visitor) -> None:
        answer = visitor.get("/api/v1/masses?place=pomorskie/mlyny&from=2026-11-22T00:00&to=2026-12-06T00:00&limit=3")
        beyond = visitor.get("/api/v1/masses?place=pomorskie/mlyny&from=2028-01-01T00:00").json()
        following = re.search(r'<https://localhost([^>]*)>; rel="next"', answer.headers["link"])
        assert following
        page = visitor.get(following[1])

        assert (answer.json()["is_beyond"], beyond["is_beyond"], beyond["masses"]) == (False, True, [])
        assert beyond["horizon"]["last_day"] == visitor.get("/api/v1/meta").json()["last_day"]
        assert answer.json()["total"] == page.json()["total"] > 6
        assert page.json()["masses"][0]["start"] >= answer.json()["masses"][-1]["start"]
        assert visitor.get("/api/v1/parishes").json()["total"] == 7

    def test_an_end_is_assumed_and_the_street_told(self, tmp_path: Path) -> None:
        published(tmp_path, [parish(1, [row(["Su"], "08:00")], street="ul. Polna 3")])
        (mass,) = Visitor(site_over(tmp_path)).get("/api/v1/masses?parish=p000001&from=2026-11-29T00:00").json()["masses"]

        assert (mass["start"], mass["end"]) == ("2026-11-29T08:00:00+01:00", "2026-11-29T08:45:00+01:00")
        assert mass["parish"]["street"] == "ul. Polna 3"

    def test_a_report_is_taken_as_it_says(self, visitor: Visitor, document: Json) -> None:
        example = document["components"]["schemas"]["Report"]["example"] | {"parish_id": "p000001"}
        answer = visitor.client.post("/api/v1/reports", json=example)

        assert answer.status_code == 202
        jsonschema.validate(answer.json(), schema_of(document, "sendReport", "202"))


CALLS: dict[str, dict[str, Any]] = {  # operation -> what it is asked with, as the generated clients name it
    "list_masses": {"place": "pomorskie/mlyny", "from_": datetime(2026, 11, 22), "to": datetime(2026, 12, 26), "limit": 3},  # noqa: DTZ001
    "list_parishes": {"town": "opolskie/lipa"},
    "list_parish_points": {},
    "get_parish": {"parish_id": "p000001"},
    "get_rules": {"parish_id": "p000007"},
    "get_day": {"parish_id": "p000007", "day": "2026-11-29"},
    "get_calendar": {"parish_id": "p000007", "days": 3},
    "find_places": {"q": "mlyny"},
    "interpret_question": {"q": "msza po angielsku jutro w Młynach"},
    "list_changes": {},
    "get_meta": {},
    "get_description": {},
}
UNTYPED = {"get_calendar", "get_description"}  # of other media

TYPESCRIPT = """
import createClient from "openapi-fetch";
import type { paths } from "./api";
const client = createClient<paths>({ baseUrl: process.argv[2] });
const one = { params: { path: { parish_id: "p000007" } } };
const { data: found } = await client.GET("/api/v1/places", { params: { query: { q: "zdroj" } } });
const place: string = found!.places[0].place;
const { data: listed } = await client.GET("/api/v1/parishes", { params: { query: { town: place } } });
const parish_id: string = listed!.parishes[0].parish_id;
const of_day = { params: { path: { parish_id, day: "2026-11-29" } } };
const { data: day } = await client.GET("/api/v1/parishes/{parish_id}/days/{day}", of_day);
const { data: masses } = await client.GET("/api/v1/masses", { params: { query: { place, from: "2026-11-22T00:00" } } });
const total: number | null = masses!.total;
const answers = [
  await client.GET("/api/v1/parishes.geojson"),
  await client.GET("/api/v1/parishes/{parish_id}", one),
  await client.GET("/api/v1/parishes/{parish_id}/rules", one),
  await client.GET("/api/v1/parishes/{parish_id}/calendar.ics", { ...one, parseAs: "text" }),
  await client.GET("/api/v1/interpretation", { params: { query: { q: "msza jutro" } } }),
  await client.GET("/api/v1/changes"),
  await client.GET("/api/v1/meta"),
  await client.GET("/api/v1/openapi.json"),
  await client.POST("/api/v1/reports", { body: { parish_id, kind: "wrong_hour", time: "09:30" } as any }),
];
const hours = day!.masses.map((mass) => mass.start_local.slice(11, 16)).join();
console.log(hours, total !== null, answers.map(({ response }) => response.status).join());
"""


class TestClients:
    """What generators make of the description calls every operation over HTTP."""

    @pytest.fixture(scope="class")
    def made(self, document: Json, tmp_path_factory: pytest.TempPathFactory) -> Path:
        """The package that openapi-python-client makes."""
        folder = tmp_path_factory.mktemp("client")
        folder.joinpath("openapi.json").write_text(json.dumps(document), encoding="utf-8")
        folder.joinpath("config.yaml").write_text("post_hooks: []\n", encoding="utf-8")
        ended = subprocess.run(
            [sys.executable, "-m", "openapi_python_client", "generate", "--path", "openapi.json", "--meta", "none",
             "--output-path", "mass_times_client", "--config", "config.yaml", "--fail-on-warning"],
            cwd=folder, capture_output=True, text=True, timeout=120,
        )  # fmt: skip
        assert ended.returncode == 0, ended.stdout + ended.stderr
        return folder

    def test_one_in_python_calls_every_operation_and_its_answers_have_types(
        self,
        made: Path,
        address: str,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        monkeypatch.syspath_prepend(str(made))
        answers = {}
        with importlib.import_module("mass_times_client").Client(base_url=address) as client:
            for path in made.glob("mass_times_client/api/*/[a-z]*.py"):
                operation = importlib.import_module(".".join(path.relative_to(made).with_suffix("").parts))
                asked = CALLS[path.stem] if path.stem in CALLS else {"body": report_of("p000001")}
                answers[path.stem] = operation.sync_detailed(client=client, **asked)

        assert set(answers) == {*CALLS, "send_report"}
        assert {name: one.status_code for name, one in answers.items() if one.status_code not in (200, 202)} == {}
        assert {name for name, one in answers.items() if one.parsed is None} <= UNTYPED
        assert type(answers["list_masses"].parsed).__name__ == "Masses"
        assert answers["list_masses"].parsed.masses[0].evidence.quote
        assert type(answers["get_day"].parsed.masses[0]).__name__ == "Mass"

    @pytest.mark.soak  # its packages come from npm
    def test_so_does_one_in_typescript_and_the_compiler_agrees(self, document: Json, address: str, tmp_path: Path) -> None:
        npm, node = shutil.which("npm"), shutil.which("node")
        if npm is None or node is None:
            pytest.skip("needs npm")
        options = {"strict": True, "module": "nodenext", "target": "es2022", "types": ["node"], "skipLibCheck": True}
        tmp_path.joinpath("openapi.json").write_text(json.dumps(document), encoding="utf-8")
        tmp_path.joinpath("package.json").write_text('{"type": "module"}', encoding="utf-8")
        tmp_path.joinpath("tsconfig.json").write_text(json.dumps({"compilerOptions": options, "files": ["walk.ts"]}))
        tmp_path.joinpath("walk.ts").write_text(TYPESCRIPT.replace('"./api"', '"./api.js"'), encoding="utf-8")
        packages = ("openapi-typescript@7", "openapi-fetch@0", "typescript@5", "@types/node@22")

        def run(*command: str) -> str:
            ended = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=300)
            assert ended.returncode == 0, ended.stdout + ended.stderr
            return ended.stdout

        run(npm, "install", "--silent", "--no-audit", "--no-fund", *packages)
        run(node, "node_modules/openapi-typescript/bin/cli.js", "openapi.json", "--output", "api.d.ts")
        run(node, "node_modules/typescript/bin/tsc")

        assert run(node, "walk.js", address).split() == ["09:00", "true", "200,200,200,200,200,200,200,200,202"]

    def test_parishes_are_found_by_their_names(self, visitor: Visitor) -> None:
        def names(query: str) -> list[str]:
            return [one["parish_id"] for one in visitor.get(f"/api/v1/parishes?{query}").json()["parishes"]]

        assert names("q=wszystkich zdroj") == ["p000007"]
        assert names("q=jana&town=opolskie/lipa") == ["p000006"]
        assert names("q=nobody") == []


class TestPageForPeople:
    """Its three examples are copied from the page and run as they stand."""

    pytestmark = NEEDS_BROWSER

    @pytest.fixture(params=["", "/en"], ids=["pl", "en"])
    def examples(self, request: pytest.FixtureRequest, browser: Any, address: str) -> dict[str, str]:
        page = browser.new_page()
        page.goto(f"{address}{request.param}/api")
        found = {kind: page.locator(f"code.{kind}").inner_text() for kind in ("shell", "python", "javascript")}
        page.close()
        return found

    def test_curl(self, examples: dict[str, str]) -> None:
        if shutil.which("curl") is None:
            pytest.skip("needs curl")
        ended = subprocess.run(["sh", "-c", examples["shell"]], capture_output=True, check=True, timeout=60)

        assert json.loads(ended.stdout)["masses"][0]["evidence"]["quote"]

    def test_python(self, examples: dict[str, str]) -> None:
        ended = subprocess.run([sys.executable, "-c", examples["python"]], capture_output=True, check=True, timeout=60, text=True)

        assert "Świętego Jana 1 ['08:00', '18:00']" in ended.stdout

    def test_javascript(self, examples: dict[str, str], browser: Any, address: str) -> None:
        page = browser.new_page(bypass_csp=True)
        page.goto(address)
        said: list[str] = []
        page.on("console", lambda message: said.append(message.text))
        page.evaluate(f"(async () => {{ {examples['javascript']} }})()")
        page.close()

        assert re.match(r"2026-11-29T08:00:00 Świętego Jana 1: ", html.unescape(said[0]))
