"""Bad input ends in one clear error that names the thing and the remedy; earlier good tables stay as they were."""

from __future__ import annotations

import hashlib
import os
import resource
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import dagster as dg
import pytest

from mass_pipeline.defs.wiring import RetryUntilStopped
from mass_pipeline.demo_web.web import DemoWeb
from mass_pipeline.model.columns import CANDIDATE_HOURS, CRAWLED_PAGES, PARISH_URLS, PARISHES
from mass_pipeline.resources.lake import Lake, table_of
from mass_pipeline.resources.settings import Settings
from mass_pipeline.resources.web import Web
from mass_pipeline_tests.defs.loopback import Answer, web_of
from mass_pipeline_tests.defs.running import FEW_DIOCESES, QUIET, run_assets, tree
from mass_pipeline_tests.defs.tables import page, publish_directory

DIRECTORY = "http://parafie.demo-katalog.example/parafie-koscioly/"
DIRECTORY_HOST = "parafie.demo-katalog.example"
ONE_ATTEMPT = {"DIRECTORY_MAX_ATTEMPTS": "1"}


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with good tables of the directory; tests work on copies."""
    folder = tmp_path_factory.mktemp("good")
    assert run_assets(folder, ["parishes"]).success
    return folder


@pytest.fixture
def folder(good: Path, tmp_path: Path) -> Path:
    target = tmp_path / "data"
    for name, content in tree(good).items():
        path = target / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return target


@contextmanager
def nobody_answers(_: Settings) -> Iterator[Web]:
    """A web in which every connection is refused."""
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        port = int(closed.getsockname()[1])
        yield Web(lambda host, _: ("127.0.0.1", port))


class TestUnreachableDirectory:
    def test_the_error_names_the_page_and_the_table_stays(self, folder: Path) -> None:
        before = tree(folder / "lake")

        ended = run_assets(folder, ["parishes"], environ=ONE_ATTEMPT, web=nobody_answers)

        assert not ended.success
        assert [DIRECTORY in line and "given up after 1 attempt" in line for line in ended.errors] == [True]
        assert tree(folder / "lake") == before


class TestEmptyDirectoryPage:
    def test_the_error_says_that_the_layout_changed_and_the_table_stays(self, folder: Path) -> None:
        before = tree(folder / "lake")
        empty = web_of({(DIRECTORY_HOST, "/parafie-koscioly/"): Answer(b"<html><body><h1>Parafie</h1></body></html>")})

        ended = run_assets(folder, ["parishes"], web=empty)

        assert not ended.success
        assert ["layout has probably changed" in line and "selectors" in line for line in ended.errors] == [True]
        assert tree(folder / "lake") == before


class TestPlacesErrors:
    def test_a_refused_key_is_named_with_the_remedy(self, folder: Path) -> None:
        @contextmanager
        def denying(_: Settings) -> Iterator[Web]:
            with DemoWeb() as demo:
                demo.places.fail_next(100, status="REQUEST_DENIED")
                yield Web(demo.connect_to, demo.places_base_url)

        before = tree(folder / "lake")

        ended = run_assets(folder, ["parish_urls"], web=denying)

        assert not ended.success
        assert ["REQUEST_DENIED" in line and "check the key" in line for line in ended.errors] == [True]
        assert tree(folder / "lake") == before

    def test_places_out_of_order_costs_single_look_ups_not_the_table(self, folder: Path) -> None:
        @contextmanager
        def broken(_: Settings) -> Iterator[Web]:
            with DemoWeb() as demo:
                demo.places.fail_next(6, http_status=500)
                yield Web(demo.connect_to, demo.places_base_url)

        ended = run_assets(folder, ["parish_urls"], web=broken)

        assert ended.success
        statuses = [row["status"] for row in ended.lake.reader(PARISH_URLS).rows(["status"])]
        assert len(statuses) == 51
        assert statuses.count("ok") >= 38

    def test_a_key_that_cannot_be_one_is_named(self, folder: Path) -> None:
        ended = run_assets(folder, ["parish_urls"], environ={"PLACES_API_KEY": "no-key"})

        assert [line for line in ended.errors if "MASS_PIPELINE_PLACES_API_KEY" in line] == list(ended.errors)
        assert not ended.success


class TestMissingKeys:
    def test_confirmed_terms_without_a_key_end_the_look_up_with_the_remedy(self, folder: Path) -> None:
        environ = {"PROFILE": "live", "CONTACT": "info@parish-times.example", "PLACES_TERMS_CONFIRMED": "true"}

        ended = run_assets(folder, ["parish_urls"], environ=environ, web=nobody_answers)

        assert not ended.success
        assert ["set MASS_PIPELINE_PLACES_API_KEY" in line for line in ended.errors] == [True]


class TestUnknownDiocese:
    def test_the_row_to_add_is_named_and_nothing_downstream_runs(self, tmp_path: Path) -> None:
        file = tmp_path / "dioceses.csv"
        file.write_text(FEW_DIOCESES, encoding="utf-8")

        ended = run_assets(tmp_path / "data", ["parishes", "parish_urls"], environ={"DIOCESES_FILE": str(file)})

        assert not ended.success
        (line,) = ended.errors
        assert "parishes was not published, what was published before stays. known_dioceses: " in line
        assert "Append: " in line
        assert "tarnowska,tarnowska,tarnowska" in line
        assert str(file) in line
        assert not ended.lake.has(PARISHES)
        assert not ended.lake.has(PARISH_URLS)


class TestWrongSettings:
    def test_dagster_outside_the_ui_says_one_line(self) -> None:
        """Whatever loads the definitions: no frames of ours, the setting and the remedy."""
        environment = os.environ | {"MASS_PIPELINE_PROFILE": "live", "MASS_PIPELINE_CONTACT": ""}
        loaded = subprocess.run(
            [sys.executable, "-c", "import mass_pipeline.definitions"],
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )

        assert loaded.returncode == 1
        assert len(loaded.stderr.strip().splitlines()) == 1
        assert "The live profile needs MASS_PIPELINE_CONTACT" in loaded.stderr


class TestRetries:
    @pytest.mark.parametrize(("error", "attempts"), [(RuntimeError("away"), 2), (KeyboardInterrupt(), 1)])
    def test_an_error_may_pass_an_interrupt_is_obeyed(self, error: BaseException, attempts: int) -> None:
        tried = []

        def pages() -> None:
            tried.append(1)
            raise error

        asset = dg.asset(retry_policy=RetryUntilStopped(max_retries=1))(pages)
        job = dg.Definitions([asset]).resolve_implicit_global_asset_job_def()
        with dg.DagsterInstance.ephemeral() as instance:
            with suppress(KeyboardInterrupt):
                job.execute_in_process(instance=instance, raise_on_error=False, run_config=QUIET)
            (run,) = instance.get_runs()

        assert len(tried) == attempts
        assert run.status is dg.DagsterRunStatus.FAILURE


class TestCorruptPages:
    HOST = "parafia.example"
    RANGE = ("elblaska", "elblaska")

    def pages(self) -> dict[tuple[str, str], Answer]:
        links = b'<a href="/gzip">a</a> <a href="/bytes">b</a> <a href="/deep">c</a> <a href="/msze">Msze</a>'
        start = b"<html><body><h1>Parafia \xc5\x9bw. Anny</h1>" + links + b"</body></html>"
        return {
            (self.HOST, "/"): Answer(start),
            (self.HOST, "/gzip"): Answer(b"\x1f\x8b\x08broken", headers={"Content-Encoding": "gzip"}),
            (self.HOST, "/bytes"): Answer(bytes(range(256)) * 40),
            (self.HOST, "/deep"): Answer(b"<div>" * 20_000 + b"8.00" + b"</table>" * 500),
            (self.HOST, "/msze"): Answer("<h2>Msze święte</h2><p>Niedziela: 8.00, 10.30</p>".encode()),
        }

    def test_they_cost_themselves_only(self, tmp_path: Path) -> None:
        publish_directory(Lake(tmp_path / "lake"), {"p1": f"http://{self.HOST}/"}, diocese="elblaska")

        ended = run_assets(tmp_path, ["crawled_pages", "candidate_hours"], partitions=self.RANGE, web=web_of(self.pages()))

        outcomes = {str(row["url"]): row["outcome"] for row in ended.lake.reader(CRAWLED_PAGES, ["elblaska"]).rows()}
        times = {row["time"] for row in ended.lake.reader(CANDIDATE_HOURS, ["elblaska"]).rows()}
        assert ended.success, ended.errors
        assert outcomes[f"http://{self.HOST}/gzip"] not in ("ok", "truncated")
        assert outcomes[f"http://{self.HOST}/msze"] == "ok"
        assert {"08:00", "10:30"} <= times


class TestFullOutputFolder:
    def test_the_run_ends_with_the_remedy_and_the_earlier_partition_stays(self, tmp_path: Path) -> None:
        """A tiny file size limit makes the kernel refuse the write as a full disk does."""
        lake, url = Lake(tmp_path / "lake"), "http://parafia.example/"
        publish_directory(lake, {"p1": url}, diocese="elblaska")
        lake.publish(CRAWLED_PAGES, {"elblaska": [table_of(CRAWLED_PAGES, [page("p1", url, many_hours())])]})
        lake.publish(CANDIDATE_HOURS, {"elblaska": []})
        before = tree(tmp_path / "lake")
        most = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, most[1]))
        try:
            ended = run_assets(tmp_path, ["candidate_hours"], partitions=("elblaska", "elblaska"))
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, most)

        assert ["Free space there or point MASS_PIPELINE_DATA_FOLDER elsewhere" in line for line in ended.errors] == [True]
        assert tree(tmp_path / "lake") == before


def many_hours() -> bytes:
    """A page with a thousand hours among words that do not compress."""
    words = (hashlib.sha256(str(n).encode()).hexdigest() for n in range(1000))
    return "".join(f"<p>{word} {8 + n % 12}:{n % 60:02} {word[::-1]}</p>" for n, word in enumerate(words)).encode()
