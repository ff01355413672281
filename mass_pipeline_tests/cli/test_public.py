"""`mass-pipeline public`: build, check, rollback, and what is said when there is nothing."""

from __future__ import annotations

import gzip
import json
import re
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pyarrow.parquet as pq
import pytest
import zstandard
from click.testing import CliRunner
from dagster import AssetKey

from mass_pipeline.cli.public import public
from mass_pipeline.cli.run import open_instance
from mass_pipeline.finding.index.generations import Generation, Generations
from mass_pipeline.model.columns import CRAWLED_PAGES, MASS_SCHEDULES, PARISH_POSITIONS, PARISH_URLS, PARISHES
from mass_pipeline.model.errors import UsageError
from mass_pipeline.publishing.index import PublishedTables, publish_index
from mass_pipeline.publishing.positions import MapFiles, positions_of
from mass_pipeline.resources.lake import Lake, open_lake, table_of
from mass_pipeline.resources.settings import load_settings
from mass_pipeline_tests.finding.made import NOW, WEEK, row


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("MASS_PIPELINE_DATA_FOLDER", str(tmp_path))
    monkeypatch.delenv("DAGSTER_HOME", raising=False)
    return tmp_path


def published_tables(folder: Path, parishes: int) -> None:
    lake = Lake(folder / "lake")
    listed = [
        {
            "parish_id": f"p{number}", "name": f"Św. Jana {number}", "town": f"Łąka {number}", "voivodeship": "małopolskie",
            "address": f"Św. Jana|33-100 Łąka {number}", "street": None, "postcode": "33-100", "deanery": None,
            "diocese": "tarnowska", "diocese_key": "tarnowska",
            "directory_url": None, "website_hint": None, "source": "table", "fetched_at": NOW,
        }
        for number in range(parishes)
    ]  # fmt: skip
    sites = [
        {
            "parish_id": one["parish_id"], "diocese_key": "tarnowska", "status": "ok", "url": "https://parafia.example/",
            "scope_prefix": "/", "shared_host": False, "place_id": None, "source": "table", "query": None, "candidates": [],
            "verified": True, "checked_at": NOW,
        }
        for one in listed
    ]  # fmt: skip
    rows = [row(["Su"], "08:00").as_dict(str(one["parish_id"]), "Su 08:00+") for one in listed]
    rows += [row(WEEK, "18:00").as_dict(str(one["parish_id"]), "Su 08:00+") for one in listed]
    lake.publish(PARISHES, {None: [table_of(PARISHES, listed)]})
    lake.publish(PARISH_URLS, {None: [table_of(PARISH_URLS, sites)]})
    lake.publish(MASS_SCHEDULES, {"tarnowska": [table_of(MASS_SCHEDULES, rows)]})


def words_of(path: Path) -> str:
    """Everything a file holds, unpacked."""
    content = path.read_bytes()
    if path.suffix == ".gz":
        content = gzip.decompress(content)
    elif path.suffix == ".zst":
        content = zstandard.ZstdDecompressor().decompress(content)
    elif path.suffix == ".parquet":
        content = str(pq.read_table(path).to_pylist()).encode()
    if content.startswith(b"SQLite format 3"):  # its values, not its bytes: numbers look like words
        with closing(sqlite3.connect(":memory:")) as database:
            database.deserialize(content)
            content = "\n".join(database.iterdump()).encode()
    return content.decode("utf-8", "replace")


def run(*words: str) -> str:
    result = CliRunner().invoke(public, list(words), catch_exceptions=True)
    if result.exception is not None:
        raise result.exception
    return result.output


def built(folder: Path, **environ: str) -> Generation:
    """The published tables as a generation, without the command."""
    settings = load_settings(
        {"MASS_PIPELINE_DATA_FOLDER": str(folder), **{f"MASS_PIPELINE_{name}": value for name, value in environ.items()}}
    )
    lake = open_lake(settings)
    lake.publish(
        PARISH_POSITIONS,
        {None: [positions_of(lake.reader(PARISHES), lake.published(CRAWLED_PAGES), MapFiles.of(settings), settings)]},
    )
    return publish_index(PublishedTables.of(lake, settings), settings)


class TestBuild:
    @pytest.mark.soak
    def test_a_generation_is_put_in_force_by_a_run_that_dagster_shows(self, folder: Path) -> None:
        published_tables(folder, 20)

        assert "20 of 20 parishes with an order" in run("build")
        assert "is in force" in run("check")
        with open_instance(folder / "dagster_home") as instance:
            for asset in ("parish_positions", "public_index"):
                assert instance.get_latest_materialization_event(AssetKey(asset)) is not None, asset

    def test_an_index_that_lost_its_parishes_is_refused_and_the_last_one_stays(self, folder: Path) -> None:
        published_tables(folder, 20)
        present = built(folder)
        published_tables(folder, 10)

        assert "10 parishes have an order, 20 had one" in str(built(folder).manifest()["objections"])
        assert Generations(folder / "public").current() == present


class TestGenerations:
    def test_the_same_tables_make_the_same_generation(self, folder: Path) -> None:
        published_tables(folder, 5)
        first = built(folder)

        assert built(folder).manifest()["files"] == first.manifest()["files"]

    def test_a_parish_that_wants_no_part_is_in_no_page_and_no_file(self, folder: Path) -> None:
        published_tables(folder, 30)
        present = built(folder, PUBLIC_OPT_OUT="p7")

        for path in [present.index, *(present.folder / "dumps").iterdir()]:
            content = words_of(path)
            assert not re.search(r"\bp7\b", content), path
        assert present.manifest()["parishes"] == 29

    def test_what_is_built_after_a_rollback_waits_until_it_is_lifted(self, folder: Path) -> None:
        """Nobody at the desk at night: the follow-up would put back what an operator took away."""
        published_tables(folder, 5)
        first = built(folder)
        published_tables(folder, 6)
        built(folder)
        assert "holds" in run("rollback")

        waiting = built(folder)
        assert Generations(folder / "public").current() == first
        assert "rollback --lift" in str(waiting.manifest()["objections"])

        run("rollback", "--lift")
        published_tables(folder, 7)
        assert built(folder) == Generations(folder / "public").current() != first

    def test_there_is_nothing_to_go_back_to_at_first(self, folder: Path) -> None:
        published_tables(folder, 5)
        built(folder)

        with pytest.raises(UsageError, match="no generation before the present one"):
            run("rollback")


class TestWithoutDagster:
    """Whoever goes back to the last generation at night, or asks what is published, does not wait for the orchestrator."""

    def test_a_command_that_builds_nothing_imports_no_dagster(self, folder: Path) -> None:
        published_tables(folder, 3)
        built(folder)
        commands = ["public check", "public find msza", "schedules show x", "purge a.example", "public rollback"]
        told = [
            "import sys",
            "from mass_pipeline.cli import main",
            f"for command in {commands!r}:",
            "    sys.argv = ['mass-pipeline', *command.split()]",
            "    try: main()",
            "    except SystemExit: pass",
            "    print('\\n', command, 'dagster' in sys.modules, sep=':')",
        ]
        ended = subprocess.run([sys.executable, "-c", "\n".join(told)], capture_output=True, text=True, check=False)

        assert [line for line in ended.stdout.splitlines() if line.startswith(":")] == [f":{one}:False" for one in commands], (
            ended.stderr
        )


class TestReportsAndLinks:
    def test_a_parish_that_confirms_its_order_has_it_approved(self, folder: Path) -> None:
        from mass_pipeline.finding.parish_links import answer
        from mass_pipeline.publishing.reviews import ReviewLog

        published_tables(folder, 3)
        token = run("parish-link", "p1").strip().rsplit("/", 1)[-1]
        assert answer(folder / "public-inbox", token, "in_force", "", NOW)

        assert "p1: confirmed by the parish" in run("import-reports")
        (decision,) = ReviewLog(folder).read().decisions
        assert (decision.verdict, decision.by, len(decision.rows)) == ("approved", "parish link", 2)
        assert "confirmed" not in run("import-reports")

    def test_an_order_that_changed_since_the_link_waits_for_a_person(self, folder: Path) -> None:
        from mass_pipeline.finding.parish_links import answer
        from mass_pipeline.publishing.reviews import ReviewLog

        published_tables(folder, 3)
        token = run("parish-link", "p1").strip().rsplit("/", 1)[-1]
        answer(folder / "public-inbox", token, "in_force", "", NOW)
        rows = [row(["Su"], "11:00").as_dict("p1", "Su 11:00+")]
        Lake(folder / "lake").publish(MASS_SCHEDULES, {"tarnowska": [table_of(MASS_SCHEDULES, rows)]})
        run("import-reports")

        assert [one.origin for one in ReviewLog(folder).read().proposals] == ["report"]
        assert not ReviewLog(folder).read().decisions


class TestFind:
    def test_a_question_is_answered_with_the_parishs_words(self, folder: Path) -> None:
        published_tables(folder, 2)
        built(folder)
        found = CliRunner().invoke(public, ["find", "msza w niedzielę rano Łąka 1"], catch_exceptions=False).output

        assert "08:00  Św. Jana 1, Łąka 1: “" in found
        assert "parafia.example, checked on" in found
        assert "Łąka 0" not in found

    def test_nothing_found_and_no_index_say_so(self, folder: Path) -> None:
        without = CliRunner().invoke(public, ["find", "msza"])
        published_tables(folder, 1)
        built(folder)
        nothing = CliRunner().invoke(public, ["find", "msza w Gnieźnie"], catch_exceptions=False).output

        assert isinstance(without.exception, UsageError)
        assert "mass-pipeline public build" in str(without.exception)
        assert nothing == "We found no Mass for this question.\n"

    def test_records_are_answered_with_what_each_page_shows(self, folder: Path) -> None:
        published_tables(folder, 3)
        built(folder)
        (folder / "questions.jsonl").write_text(
            '{"id": "a", "q": "msza w Łące 1 w niedzielę", "at": "2026-11-25T10:00"}\n'
            '{"id": "b", "q": "msza jutro", "at": "2026-11-25T10:00"}\n'
            '{"id": "c", "q": "xqzwvk", "at": "2026-11-25T10:00"}\n',
            "utf-8",
        )
        run("find", "--records", str(folder / "questions.jsonl"), "--out", str(folder / "answers.jsonl"))
        answers = [json.loads(line) for line in (folder / "answers.jsonl").read_text("utf-8").splitlines()]

        assert [(one["id"], one["kind"]) for one in answers] == [("a", "masses"), ("b", "ask_place"), ("c", "not_understood")]
        assert (answers[0]["dates"], answers[0]["hours"]) == (["2026-11-29"], ["08:00"])
        assert [one["town"] for one in answers[0]["parishes"]] == ["Łąka 1"]

    def test_a_question_or_records_but_not_both(self, folder: Path) -> None:
        assert CliRunner().invoke(public, ["find"]).exit_code == 2
