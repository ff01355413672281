"""`mass-pipeline lab links`: the target set, starting and stopping from different terminals, and what was found (B5)."""

from __future__ import annotations

import csv
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner, Result

from mass_pipeline.laboratory.cli.links import links as command
from mass_pipeline.laboratory.link_collection.reading import read_links
from mass_pipeline.laboratory.link_collection.store import LinkStore, add_site, collecting_process
from mass_pipeline.model.errors import BadInput, MassPipelineError, StorageError, UsageError
from mass_pipeline_tests.crawling.loopback import Loopback, Page, links
from mass_pipeline_tests.shared import PATIENCE_SECONDS, comes_true

MAIN = [sys.executable, "-c", "from mass_pipeline.cli import main; main()", "lab", "links"]
HOST = "127.0.0.1"
SLOW = {"MASS_PIPELINE_CRAWL_HOST_GAP_SECONDS": "1.0"}


@pytest.fixture
def server() -> Iterator[Loopback]:
    """One site of 30 pages; each names the next one and one other site."""
    pages = {f"/{n}": Page(links(f"/{(n + 1) % 30}", f"http://e{n % 7}.example/{n}", "javascript:x()")) for n in range(30)}
    with Loopback({HOST: {"/": Page(links("/0")), **pages}}) as running:
        yield running


@pytest.fixture
def state(tmp_path: Path, server: Loopback) -> Path:
    folder = tmp_path / "state"
    run(folder, "sites", "add", f"http://{HOST}:{server.port}/", "--short", "anna", "--level", "40")
    return folder


def run(state: Path, *arguments: str) -> Result:
    environ = {"MASS_PIPELINE_DATA_FOLDER": str(state.parent)}
    return CliRunner().invoke(command, [*arguments, "--state", str(state)], env=environ)


def process(state: Path, *arguments: str, **environ: str) -> subprocess.Popen[str]:
    """A command in a process of its own, as people type it."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("MASS_PIPELINE_")}
    return subprocess.Popen(
        [*MAIN, *arguments, "--state", str(state)], env=inherited | {"MASS_PIPELINE_DATA_FOLDER": str(state.parent), **environ},
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip


def wait_for_pages(state: Path, pages: int) -> None:
    def asked() -> int:
        with LinkStore(state) as store:
            return sum(turn.asked for turn in store.log())

    assert comes_true(lambda: asked() >= pages)


class TestSites:
    def test_are_added_listed_and_removed(self, state: Path, server: Loopback) -> None:
        run(state, "sites", "add", "b.example", "--name", "Świętej Barbary")

        assert [line.split("\t")[:2] for line in run(state, "sites", "list").stdout.splitlines()] == [
            ["1", "anna"],
            ["2", "b.example"],
        ]
        assert "Świętej Barbary" in run(state, "sites", "list").stdout
        assert run(state, "sites", "remove", "anna").exit_code == 0
        assert [json.loads(line)["number"] for line in run(state, "sites", "list", "--json").stdout.splitlines()] == [2]

    def test_a_file_of_sites_is_added_once(self, state: Path, tmp_path: Path) -> None:
        file = tmp_path / "sites.tsv"
        file.write_text("# institutes\nx.example\tx\tInstitute X\t3\n\ny.example\n", encoding="utf-8")

        assert "2 sites added, 0 stood" in run(state, "sites", "add", "--from", str(file)).stdout
        assert "0 sites added, 2 stood" in run(state, "sites", "add", "--from", str(file)).stdout

    @pytest.mark.parametrize("line", ["a.example\tb\tc\tvery deep", "a.example\tb\tc\t1\tmore", "ftp://a.example"])
    def test_a_wrong_line_is_named(self, state: Path, tmp_path: Path, line: str) -> None:
        file = tmp_path / "sites.tsv"
        file.write_text(line)

        assert isinstance(run(state, "sites", "add", "--from", str(file)).exception, BadInput)

    @pytest.mark.parametrize("arguments", [(), ("a.example", "--diocese", "lodzka")])
    def test_exactly_one_source_of_sites_is_wanted(self, state: Path, arguments: tuple[str, ...]) -> None:
        assert run(state, "sites", "add", *arguments).exit_code == 2

    def test_a_diocese_that_was_not_looked_up_yet_is_told(self, state: Path) -> None:
        assert isinstance(run(state, "sites", "add", "--diocese", "lodzka").exception, StorageError)


class TestStart:
    def test_collects_until_the_budget_and_goes_on_with_a_greater_one(self, state: Path, server: Loopback) -> None:
        first = run(state, "start", "--budget", "5", "--policy", "r2")
        second = run(state, "start", "--budget", "100")

        assert "5 pages, 4 new external links" in first.stdout
        assert "the budget of pages is spent" in first.stdout
        assert "26 pages, 26 new external links" in second.stdout
        assert "policy r2" in second.stdout
        assert len(server.paths()) - len(set(server.paths())) <= 1  # robots.txt

    def test_a_theme_replaces_a_policy_chosen_before(self, state: Path) -> None:
        run(state, "start", "--budget", "1", "--policy", "r1")

        assert "policy r3" in run(state, "start", "--budget", "2", "--theme", "universities").stdout

    def test_an_empty_target_set_is_a_wrong_usage_that_names_the_remedy(self, state: Path) -> None:
        run(state, "sites", "remove", "anna")

        assert isinstance(run(state, "start").exception, UsageError)

    def test_the_demo_profile_asks_no_real_host(self, tmp_path: Path) -> None:
        """It leaves no pauses, so it must not leave loopback; a set that cannot be loaded at all is a failure."""
        state = tmp_path / "state"
        with LinkStore(state, create=True) as store:
            add_site(store, "http://www.example.com/")
        environ = {"MASS_PIPELINE_DATA_FOLDER": str(tmp_path), "MASS_PIPELINE_CRAWL_MAX_ATTEMPTS": "1"}
        result = CliRunner().invoke(command, ["start", "--state", str(state)], env=environ)

        assert isinstance(result.exception, MassPipelineError)
        assert "MASS_PIPELINE_PROFILE=live" in result.stderr


@pytest.mark.row("B5")
class TestOtherTerminals:
    def test_stop_ends_a_running_process_behind_its_page_and_start_goes_on(self, state: Path, server: Loopback) -> None:
        running = process(state, "start", **SLOW)
        wait_for_pages(state, 2)
        again = process(state, "start")
        refused = again.communicate(timeout=PATIENCE_SECONDS)[1]
        told = run(state, "stop")
        out, errors = running.communicate(timeout=PATIENCE_SECONDS)

        assert (again.returncode, running.returncode, told.exit_code) == (1, 0, 0)
        assert f"process {running.pid} collects here already" in refused
        assert "it was asked to stop" in out, errors
        assert f"Process {running.pid} has ended" in told.stdout
        assert "finished" not in run(state, "sites", "list").stdout
        assert "every page within the maximal level was read" in run(state, "start").stdout
        with LinkStore(state) as store:
            assert len(read_links(store, "external")) == 30
        assert len(server.paths()) == len({*server.paths()}) + server.paths().count("/robots.txt") - 1

    @pytest.mark.parametrize(
        ("number", "code"),
        [
            (signal.SIGKILL, -signal.SIGKILL),
            pytest.param(signal.SIGINT, 130, marks=pytest.mark.soak),
            pytest.param(signal.SIGTERM, 130, marks=pytest.mark.soak),
        ],
    )
    def test_a_signal_harms_nothing(self, state: Path, number: int, code: int) -> None:
        running = process(state, "start", **SLOW)
        wait_for_pages(state, 2)
        running.send_signal(number)
        errors = running.communicate(timeout=PATIENCE_SECONDS)[1]

        assert running.returncode == code
        assert "Traceback" not in errors
        assert collecting_process(state) is None
        assert run(state, "start").exit_code == 0
        with LinkStore(state) as store:
            assert len(read_links(store, "external")) == 30

    def test_links_are_shown_deleted_and_watched_while_it_runs(self, state: Path) -> None:
        running = process(state, "start", **SLOW)
        wait_for_pages(state, 2)
        watching = process(state, "status", "--watch", "--every", "0.2")
        assert watching.stdout is not None
        first = watching.stdout.readline()
        shown = run(state, "show", "--json")
        deleted = run(state, "delete", "1", "--yes")
        run(state, "stop")
        running.communicate(timeout=PATIENCE_SECONDS)
        watched = watching.communicate(timeout=PATIENCE_SECONDS)[0].splitlines()

        assert json.loads(shown.stdout.splitlines()[0])["url"] == "http://e0.example/0"
        assert deleted.stdout == "1 links deleted.\n"
        assert f"process {running.pid} collects" in first
        assert "nobody collects" in watched[-1]
        assert watching.returncode == 0
        assert "e0.example/0" not in run(state, "show").stdout.split()


class TestStatus:
    def test_tells_pages_links_and_each_site(self, state: Path) -> None:
        run(state, "start", "--budget", "5")
        lines = run(state, "status").stdout.splitlines()
        figures = json.loads(run(state, "status", "--json").stdout)

        assert "5 of 5 pages, 4 external links (0.80 per page), 1 bad links" in lines[0]
        assert lines[1].split("\t")[1:5] == ["anna", "waiting", "5 pages", "4 links"]
        assert (figures["pages"], figures["sites"][0]["external"]) == (5, 4)

    def test_of_nothing_names_the_first_step(self, tmp_path: Path) -> None:
        assert "links sites add" in str(run(tmp_path / "none", "status").exception)


@pytest.mark.row("B5")
class TestCollected:
    @pytest.fixture
    def full(self, state: Path) -> Path:
        run(state, "start")
        return state

    def test_is_shown_filtered(self, full: Path) -> None:
        assert len(run(full, "show", "--host", "e3.example").stdout.splitlines()) == 4
        assert len(run(full, "show", "--kind", "internal", "--limit", "9").stdout.splitlines()) == 9
        assert run(full, "show", "--kind", "bad").stdout == f"anna\tscheme\tjavascript:x()\thttp://{HOST}:{_port(full)}/0\n"
        assert isinstance(run(full, "show", "--site", "ann").exception, UsageError)

    def test_is_exported_as_table_lines_graph_and_picture(self, full: Path, tmp_path: Path) -> None:
        for suffix in ("csv", "jsonl", "graphml", "png"):
            assert run(full, "export", str(tmp_path / f"out.{suffix}")).exit_code == 0
        with (tmp_path / "out.csv").open(encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        objects = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text("utf-8").splitlines()]
        nodes = [node for node in ElementTree.parse(tmp_path / "out.graphml").getroot().iter() if node.tag.endswith("}node")]

        assert len(rows) == len(objects) == 30
        assert rows[0]["url"] == objects[0]["url"] == "http://e0.example/0"
        assert len(nodes) == 8  # one target, seven companions
        assert (tmp_path / "out.png").read_bytes().startswith(b"\x89PNG")
        assert sorted(path.name for path in tmp_path.iterdir() if path.name.startswith(".")) == []

    def test_words_of_the_web_never_become_formulas_or_control_a_terminal(self, tmp_path: Path) -> None:
        with Loopback({HOST: {"/": Page('<a href="http://b.example/">=cmd()\x1b[2J\u202e</a>')}}) as server:
            state = tmp_path / "state"
            run(state, "sites", "add", f"http://{HOST}:{server.port}/")
            run(state, "start")
        run(state, "export", str(tmp_path / "out.csv"))

        assert ",'=cmd()" in (tmp_path / "out.csv").read_text("utf-8")
        assert not {"\x1b", "\u202e"} & set(run(state, "show").stdout)

    def test_is_deleted_by_filter_only_with_consent(self, full: Path) -> None:
        assert run(full, "delete", "--host", "e3.example").exit_code == 2
        assert run(full, "delete", "--yes").exit_code == 2
        assert run(full, "delete", "--host", "e3.example", "--yes").stdout == "4 links deleted.\n"
        assert run(full, "delete", "--all", "--yes").stdout == "26 links deleted.\n"

    @pytest.mark.parametrize("name", ["out.txt", "none/out.csv"])
    def test_a_file_that_cannot_be_written_is_refused_before_any_work(self, full: Path, tmp_path: Path, name: str) -> None:
        result = run(full, "export", str(tmp_path / name))

        assert result.exit_code == 2 or isinstance(result.exception, BadInput)


def _port(state: Path) -> str:
    return json.loads(run(state, "sites", "list", "--json").stdout)["start_url"].rpartition(":")[2].strip("/")  # type: ignore[no-any-return]


class TestHelp:
    @pytest.mark.parametrize(
        "arguments",
        [
            ("sites",),
            ("sites", "add"),
            ("sites", "list"),
            ("sites", "remove"),
            ("start",),
            ("stop",),
            ("status",),
            ("show",),
            ("export",),
            ("delete",),
        ],
    )
    def test_every_command_has_examples(self, arguments: tuple[str, ...]) -> None:
        assert "mass-pipeline lab links" in CliRunner().invoke(command, [*arguments, "--help"]).stdout
