"""`mass-pipeline ui` in a real browser: the asset graph, its metadata and plots, no red definitions, and a clean stop."""

from __future__ import annotations

import fcntl
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import urllib.parse
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from mass_pipeline_tests.annotation.browsing import NEEDS_BROWSER, chromium
from mass_pipeline_tests.defs.conftest import DemoRun

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = [*NEEDS_BROWSER, pytest.mark.soak]

SIZE = {"width": 1280, "height": 1600}
SIZE_OF_THE_GRAPH = {"width": 7000, "height": 5000}  # what is out of sight is not drawn; drawing costs by the size
GROUPS = ("directory", "crawl", "learning", "web_graph", "schedules", "public")
ASSETS = (
    "parishes",
    "parish_urls",
    "crawled_pages",
    "candidate_hours",
    "annotated_set",
    "hours_classifier",
    "mass_schedules",
    "parish_states",
    "announcements",
    "external_links",
    "companion_sites",
)


@contextmanager
def _held(path: Path, how: int) -> Iterator[None]:
    with path.open("a") as lock:
        fcntl.flock(lock, how)
        yield


@pytest.fixture(scope="module")
def ui_url(demo_run: DemoRun) -> Iterator[str]:
    """One UI for all processes of the tests: the first starts it, and stops it when the last is done with it."""
    shared = demo_run.folder.parent
    address, deciding, using = shared / "ui.address", shared / "ui.lock", shared / "ui.used"
    with ExitStack() as stack:
        with _held(deciding, fcntl.LOCK_EX):
            is_first = not address.exists()
            url = stack.enter_context(_started(demo_run)) if is_first else address.read_text()
            address.write_text(url)
            user = stack.enter_context(ExitStack())
            user.enter_context(_held(using, fcntl.LOCK_SH))
        yield url
        user.close()
        if is_first:
            with _held(deciding, fcntl.LOCK_EX):
                address.unlink()  # who comes now starts another one
            with _held(using, fcntl.LOCK_EX):
                pass


@contextmanager
def _started(demo_run: DemoRun) -> Iterator[str]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-u", "-c", "from mass_pipeline.cli import main; main()", "ui", "--port", str(port)]
    environ = {name: value for name, value in os.environ.items() if not name.startswith(("MASS_PIPELINE_", "DAGSTER_HOME"))}
    environ |= {"MASS_PIPELINE_DATA_FOLDER": str(demo_run.folder)}
    with subprocess.Popen(command, env=environ, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        assert f"http://127.0.0.1:{port}" in child.stdout.readline()
        try:
            yield f"http://127.0.0.1:{port}"
        finally:
            child.send_signal(signal.SIGTERM)
            code = child.wait(60)
    assert code == 0, "ending it is no failure"
    with socket.socket() as probe:
        assert probe.connect_ex(("127.0.0.1", port)) != 0, "the UI still listens after its stop"


@pytest.fixture(scope="module")
def page(ui_url: str) -> Iterator[Page]:
    with chromium() as launched:
        opened = launched.new_page(viewport=SIZE)
        opened.set_default_timeout(60_000)
        yield opened


def ask(ui_url: str, query: str) -> dict[str, object]:
    """One GraphQL question to the UI's server."""
    request = urllib.request.Request(
        f"{ui_url}/graphql", json.dumps({"query": query}).encode(), {"Content-Type": "application/json"}
    )
    with urllib.request.urlopen(request, timeout=60) as answer:
        found: dict[str, object] = json.load(answer)["data"]
    return found


class TestDefinitions:
    def test_the_code_location_loads_without_errors(self, ui_url: str) -> None:
        found = ask(
            ui_url,
            "{workspaceOrError{... on Workspace{locationEntries{name loadStatus locationOrLoadError{__typename}}}}}",
        )

        (entry,) = found["workspaceOrError"]["locationEntries"]  # type: ignore[index]
        assert entry["name"] == "mass_pipeline", "the name that `dagster schedule start -w workspace.yaml` uses too"
        assert entry["loadStatus"] == "LOADED"
        assert entry["locationOrLoadError"]["__typename"] == "RepositoryLocation"

    def test_pool_limits_are_set(self, ui_url: str) -> None:
        found = ask(ui_url, "{instance{concurrencyLimits{concurrencyKey slotCount}}}")

        limits = {row["concurrencyKey"]: row["slotCount"] for row in found["instance"]["concurrencyLimits"]}  # type: ignore[index]
        assert limits["crawler"] == 2
        assert limits["places_api"] == 1


class TestAutomation:
    def test_what_the_command_switches_on_the_ui_shows_as_running(self, ui_url: str, demo_run: DemoRun) -> None:
        """Under another name of the code location the command said "Started", and nothing ever ran."""
        command = [sys.executable, "-c", "from mass_pipeline.cli import main; main()", "automation"]
        environ = {name: value for name, value in os.environ.items() if not name.startswith(("MASS_PIPELINE_", "DAGSTER_HOME"))}
        environ |= {"MASS_PIPELINE_DATA_FOLDER": str(demo_run.folder)}

        def running(*words: str) -> set[str]:
            subprocess.run([*command, *words], env=environ, check=True, capture_output=True, timeout=120)
            found = ask(
                ui_url,
                '{schedulesOrError(repositorySelector:{repositoryLocationName:"mass_pipeline",repositoryName:"__repository__"})'
                "{... on Schedules{results{name scheduleState{status}}}}}",
            )
            rows = found["schedulesOrError"]["results"]  # type: ignore[index]
            return {row["name"] for row in rows if row["scheduleState"]["status"] == "RUNNING"}

        assert running("on", "weekly_directory") == {"weekly_directory"}
        assert running("off") == set()


class TestAssetGraph:
    def test_it_shows_every_asset_with_passed_checks(self, page: Page, ui_url: str, tmp_path: Path) -> None:
        expanded = urllib.parse.quote(",".join(f"global@global:{group}" for group in GROUPS))
        page.set_viewport_size(SIZE_OF_THE_GRAPH)
        page.goto(f"{ui_url}/asset-groups?expanded={expanded}")

        for asset in ASSETS:
            page.get_by_text(asset, exact=True).first.wait_for()
        page.get_by_text("Passed").first.wait_for()
        page.screenshot(path=str(tmp_path / "asset-graph.png"))
        assert page.get_by_text("Failed").count() == 0
        page.goto("about:blank")
        page.set_viewport_size(SIZE)


class TestAssetPages:
    def test_the_classifier_shows_its_plots(self, page: Page, ui_url: str) -> None:
        page.goto(f"{ui_url}/assets/hours_classifier?view=overview")

        buttons = page.get_by_text("[Show Markdown]")
        buttons.first.wait_for()
        shown = set()
        for number in range(buttons.count()):
            buttons.nth(number).click()
            close = page.get_by_role("button", name="Close", exact=True).last
            close.wait_for()
            for picture in page.locator("img[src^='data:image/png']").all():
                shown.add(picture.get_attribute("alt"))
                assert picture.evaluate("picture => picture.decode().then(() => picture.naturalWidth)") > 200
            close.click()
            close.wait_for(state="detached")

        assert {"confusion_matrix", "precision_recall"} <= shown

    def test_schedules_show_columns_row_counts_and_a_preview(self, page: Page, ui_url: str) -> None:
        page.goto(f"{ui_url}/assets/mass_schedules?view=overview")

        page.get_by_text("The parish's standing order in OSM opening_hours syntax").wait_for()
        page.get_by_text("Row count").first.wait_for()
        page.get_by_text("preview", exact=True).first.wait_for()


@contextmanager
def _foreign_site(body: str) -> Iterator[str]:
    """A page of another site than 127.0.0.1; browsers keep pages from the internet away from loopback by themselves."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(body.encode())

        def log_message(self, *_: object) -> None: ...

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://localhost:{server.server_port}/"
        server.shutdown()


class TestHostilePages:
    def test_a_page_that_the_operator_opens_starts_nothing(self, page: Page, ui_url: str) -> None:
        """F2: runs were started and assets wiped by any page, through an image, a form or a script."""
        count = "{pipelineRunsOrError{... on Runs{count}}}"
        before = ask(ui_url, count)
        mutation = urllib.parse.quote(
            'mutation{launchRun(executionParams:{mode:"default",selector:{repositoryLocationName:"mass_pipeline",'
            'repositoryName:"__repository__",pipelineName:"directory_job"}}){__typename}}'
        )
        hostile = f"""<!doctype html><img src="{ui_url}/graphql?query={mutation}">
            <form method=post action="{ui_url}/graphql?query={mutation}" target=f><iframe name=f></iframe></form>
            <script>document.forms[0].submit(); fetch("{ui_url}/graphql?query={mutation}", {{method: "POST", mode: "no-cors"}});
            </script>"""
        answers: list[int] = []
        page.goto("about:blank")  # what the UI's own pages still ask for is answered with 200
        page.on("response", lambda answer: answers.append(answer.status) if "/graphql" in answer.url else None)
        with _foreign_site(hostile) as address:
            page.goto(address)
            page.wait_for_timeout(2_000)

        assert set(answers) <= {403, 405}
        assert answers, "the form at least reached the server"
        assert ask(ui_url, count) == before
