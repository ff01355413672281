"""The description of the API: every answer is as it says, a client can be made of it, and the page for people shows what runs."""

from __future__ import annotations

import html
import json
import re
import shutil
import subprocess
import sys
from typing import Any

import jsonschema
import openapi_spec_validator
import pytest
from fastapi.routing import APIRoute

from mass_pipeline.public_web.api import router
from mass_pipeline_tests.annotation.browsing import NEEDS_BROWSER
from mass_pipeline_tests.public_web.support import Visitor
from mass_pipeline_tests.public_web.test_browser import address, browser  # noqa: F401 - fixtures of the same site

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
}
STREAMS = {"getCalendar", "listChanges", "getDescription"}  # of other media, or of any shape
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

        assert set(named) == {*ANSWERS, *STREAMS, "sendReport"}
        assert all(one["tags"][0] in {tag["name"] for tag in document["tags"]} for one in named.values())
        assert all("example" in part for one in named.values() for part in one.get("parameters", ()) if part["in"] == "path")

    @pytest.mark.parametrize("operation", ANSWERS)
    def test_answers_are_as_it_says(self, visitor: Visitor, document: Json, operation: str) -> None:
        answer = visitor.get(f"/api/v1{ANSWERS[operation]}")

        jsonschema.validate(answer.json(), schema_of(document, operation, "200"))

    def test_every_route_of_the_api_is_described(self, document: Json) -> None:
        """A client is generated from the description alone."""
        routes = {route.path for route in router.routes if isinstance(route, APIRoute)}

        assert {re.sub(r"\{\w+\}", "{}", path) for path in routes} <= {
            re.sub(r"\{\w+\}", "{}", path) for path in document["paths"]
        }

    def test_refusals_are_as_it_says(self, visitor: Visitor, document: Json) -> None:
        for path in ("/masses", "/masses?lat=100&lon=0", "/parishes/nobody", "/masses?place=nowhere"):
            answer = visitor.get(f"/api/v1{path}")
            jsonschema.validate(answer.json(), schema_of(document, "listMasses", str(answer.status_code)))

            assert answer.headers["content-type"] == "application/problem+json"

    def test_a_report_is_taken_as_it_says(self, visitor: Visitor, document: Json) -> None:
        operation = document["paths"]["/api/v1/reports"]["post"]
        example = operation["requestBody"]["content"]["application/json"]["example"] | {"parish_id": "p000001"}
        answer = visitor.client.post("/api/v1/reports", json=example)

        assert answer.status_code == 202
        jsonschema.validate(answer.json(), schema_of(document, "sendReport", "202"))


class Client:
    """A client generated from the description: a method for every operation, its parameters by name."""

    def __init__(self, document: Json, visitor: Visitor) -> None:
        for path, methods in document["paths"].items():
            for method, operation in methods.items():
                setattr(self, operation["operationId"], self._method(visitor, path, method, operation))

    @staticmethod
    def _method(visitor: Visitor, path: str, method: str, operation: Json) -> Any:
        known = {part["name"]: part["in"] for part in operation.get("parameters", ())}

        def call(**values: Any) -> Json:
            assert set(values) <= set(known)
            query = {name: value for name, value in values.items() if known[name] == "query"}
            found: Json = visitor.client.request(method, path.format(**values), params=query).json()
            return found

        return call


JAVASCRIPT_CLIENT = """
const address = process.argv[1];
const answer = async (url) => (await fetch(url)).json();
(async () => {
  const document = await answer(`${address}/api/v1/openapi.json`);
  const client = {};
  for (const [path, methods] of Object.entries(document.paths))
    for (const { operationId, parameters = [] } of Object.values(methods))
      client[operationId] = (values = {}) => {
        const query = new URLSearchParams();
        let filled = path;
        for (const { name, in: where, required } of parameters) {
          if (required && !(name in values)) throw new Error(`${operationId} needs ${name}`);
          if (where === "path") filled = filled.replace(`{${name}}`, encodeURIComponent(values[name]));
          else if (name in values) query.set(name, values[name]);
        }
        return answer(`${address}${filled}?${query}`);
      };
  const [{ place }] = (await client.findPlaces({ q: "zdroj" })).places;
  const [{ parish_id }] = (await client.listParishes({ town: place })).parishes;
  const { masses } = await client.getDay({ parish_id, day: "2026-11-29" });
  console.log(masses.map((mass) => mass.start_local.slice(11, 16)).join());
})();
"""


class TestClients:
    def test_a_python_client_made_of_it_walks_from_a_name_to_an_hour(self, visitor: Visitor, document: Json) -> None:
        client: Any = Client(document, visitor)
        [place, *_] = client.findPlaces(q="zdroj")["places"]
        [parish] = client.listParishes(town=place["place"])["parishes"]
        day = client.getDay(parish_id=parish["parish_id"], day="2026-11-29")

        assert [mass["start_local"][11:16] for mass in day["masses"]] == ["09:00"]

    def test_so_does_one_in_javascript(self, address: str) -> None:  # noqa: F811
        node = shutil.which("node")
        if node is None:
            pytest.skip("needs node")
        ended = subprocess.run([node, "-e", JAVASCRIPT_CLIENT, address], capture_output=True, check=True, timeout=60, text=True)

        assert ended.stdout.strip() == "09:00"

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
    def examples(self, request: pytest.FixtureRequest, browser: Any, address: str) -> dict[str, str]:  # noqa: F811
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

    def test_javascript(self, examples: dict[str, str], browser: Any, address: str) -> None:  # noqa: F811
        page = browser.new_page(bypass_csp=True)
        page.goto(address)
        said: list[str] = []
        page.on("console", lambda message: said.append(message.text))
        page.evaluate(f"(async () => {{ {examples['javascript']} }})()")
        page.close()

        assert re.match(r"2026-11-29T08:00:00 Świętego Jana 1: ", html.unescape(said[0]))
