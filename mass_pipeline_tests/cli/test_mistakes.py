"""Mistakes of a newcomer, on the real command: each ends in one or two lines with the remedy, and nothing is begun."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from mass_pipeline_tests.cli.conftest import Command

LIVE = {"PROFILE": "live", "CONTACT": "info@parish-times.example"}

# what was typed; settings, without their prefix; what the last or the only line says
MISTAKES: list[tuple[str, dict[str, str], str]] = [
    # commands and options
    ("crwal --help", {}, "Did you mean crawl?"),
    ("public srve", {}, "Did you mean serve?"),
    ("crawl --dept 2", {}, "Did you mean one of: '--depth'"),
    ("crawl https://parafia.example/", {}, "crawl --help"),
    ("ui --port 99999", {}, "not in the range 1<=x<=65535"),
    # jobs and partitions
    ("run crawl_jub", {}, "Did you mean crawl_job?"),
    ("run crawl_job", {}, "say which with --partition"),
    ("run crawl_job --partition warszawa", {}, "Did you mean warszawska?"),
    ("run directory_job --partition lodzka", {}, "takes no --partition"),
    ("run crawl_job --partition lodzka", {}, "Materialize parish_urls first"),
    # settings
    ("settings", {"PROFILE": "prod"}, "expected one of demo, staging, live"),
    ("settings", {"CRAWL_DEPTH": "3"}, "Did you mean MASS_PIPELINE_CRAWL_MAX_DEPTH?"),
    ("settings", {"CRAWL_MAX_DEPTH": "three"}, "expected a value of type int"),
    ("settings", {"CRAWL_MAX_DEPTH": "99"}, "expected a number between 0 and 20"),
    ("run directory_job", {"PROFILE": "live"}, "needs MASS_PIPELINE_CONTACT"),
    ("run directory_job", LIVE | {"CONTACT": "foo"}, "must be an e-mail address"),
    ("demo", LIVE, "unset MASS_PIPELINE_PROFILE"),
    ("run directory_job", LIVE, "MASS_PIPELINE_DIRECTORY_ALLOW_LIVE=true"),
    # files and folders
    ("settings", {"DATA_FOLDER": "{file}"}, "{file} is no folder: set MASS_PIPELINE_DATA_FOLDER"),
    ("run directory_job", {"DATA_FOLDER": "/proc/data"}, "Point DAGSTER_HOME or MASS_PIPELINE_DATA_FOLDER elsewhere"),
    ("run crawl_job --partition lodzka", {"DIOCESES_FILE": "/nowhere.csv"}, "unset MASS_PIPELINE_DIOCESES_FILE"),
    ("run crawl_job --partition lodzka", {"DIOCESES_FILE": "{file}"}, "columns key, name, spellings"),
    ("extract /nowhere.html", {}, "'/nowhere.html' does not exist"),
    ("backup /nowhere/copy.tar.zst", {}, "Choose another file"),
    ("backup {file}", {}, "is there already: choose another file"),
    ("backup {file}.zst", {"DATA_FOLDER": "{file}-not"}, "there is nothing to keep"),
    ("restore /nowhere.tar.zst", {}, "'/nowhere.tar.zst' does not exist"),
    ("restore {file}", {"DATA_FOLDER": "{file}-not"}, "Take another copy of it"),
    ("restore {file}", {}, "restore into a new folder"),
    # ports
    ("ui --port {port}", {}, "choose another with --port"),
    ("public serve --port {port}", {}, "choose another with --port"),
    # what is not there yet
    ("public find msza", {}, "mass-pipeline public build"),
    ("public check", {}, "mass-pipeline public build"),
    ("schedules show Nowhere", {}, "Materialize parishes first"),
    ("schedules approve 0123 --by Jan", {}, "`mass-pipeline schedules proposals` lists them"),
    ("model promote 9", {}, "kept are: none"),
    ("purge 'no host'", {}, "is neither a host like parafia.example nor an address"),
    ("annotate stats --database mysql://x/y", {}, "use sqlite or postgresql"),
]


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    """One that is taken."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        yield taken.getsockname()[1]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("typed", "environ", "remedy"), MISTAKES, ids=[" ".join([typed, *map("=".join, set_.items())]) for typed, set_, _ in MISTAKES]
)
def test_a_mistake_is_told_in_two_lines_with_the_remedy(
    typed: str, environ: dict[str, str], remedy: str, port: int, tmp_path: Path, command: Command
) -> None:
    file, data = tmp_path / "words.csv", tmp_path / "data"
    file.write_text("name;spelling\nłódzka;lodzka\n")
    (data / "state").mkdir(parents=True)

    def filled(text: str) -> str:
        return text.replace("{file}", str(file)).replace("{port}", str(port))

    code, _, lines = command(filled(typed), **{name: filled(value) for name, value in environ.items()})
    told = [line for line in lines if not line.startswith("Starting the Dagster UI")]

    assert code in (1, 2)
    assert told[0].startswith("Error: ")
    assert len(told) <= 2
    assert filled(remedy) in "\n".join(told)
