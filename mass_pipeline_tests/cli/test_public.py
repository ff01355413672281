"""`mass-pipeline public`: build, check, rollback, and what is said when there is nothing."""

from __future__ import annotations

import gzip
import json
import re
from pathlib import Path

import pyarrow.parquet as pq
import pytest
import zstandard
from click.testing import CliRunner

from mass_pipeline.cli.public import public
from mass_pipeline.finding.index.generations import Generations
from mass_pipeline.model.columns import MASS_SCHEDULES, PARISH_URLS, PARISHES
from mass_pipeline.model.errors import MassPipelineError, StorageError, UsageError
from mass_pipeline.resources.lake import Lake, table_of
from mass_pipeline_tests.finding.made import NOW, WEEK, row


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("MASS_PIPELINE_DATA_FOLDER", str(tmp_path))
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
    return content.decode("utf-8", "replace")


def run(*words: str) -> str:
    result = CliRunner().invoke(public, list(words), catch_exceptions=True)
    if result.exception is not None:
        raise result.exception
    return result.output


class TestBuild:
    def test_the_first_generation_is_in_force_and_whole(self, folder: Path) -> None:
        published_tables(folder, 20)

        assert "20 of 20 parishes with an order" in run("build")
        assert "is in force" in run("check")

    def test_the_same_tables_make_the_same_generation(self, folder: Path) -> None:
        published_tables(folder, 5)
        run("build")
        first = Generations(folder / "public").current()
        run("build")
        again = [one.name for one in Generations(folder / "public").all()]

        assert first is not None
        assert first.name in again

    def test_an_index_that_lost_its_parishes_is_refused_and_the_last_one_stays(self, folder: Path) -> None:
        published_tables(folder, 20)
        run("build")
        present = Generations(folder / "public").current()
        published_tables(folder, 10)

        with pytest.raises(MassPipelineError, match="10 parishes have an order, 20 had one"):
            run("build")
        assert Generations(folder / "public").current() == present

    def test_a_parish_that_wants_no_part_is_in_no_page_and_no_file(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        published_tables(folder, 30)
        monkeypatch.setenv("MASS_PIPELINE_PUBLIC_OPT_OUT", "p7")
        run("build")
        present = Generations(folder / "public").current()
        assert present is not None

        for path in [present.index, *(present.folder / "dumps").iterdir()]:
            content = words_of(path)
            assert not re.search(r"\bp7\b", content), path
        assert "29 of 29" in run("build")

    def test_without_tables_it_says_what_to_run(self, folder: Path) -> None:
        with pytest.raises(StorageError, match="Materialize parishes first"):
            run("build")

    def test_there_is_nothing_to_go_back_to_at_first(self, folder: Path) -> None:
        published_tables(folder, 5)
        run("build")

        with pytest.raises(UsageError, match="no generation before the present one"):
            run("rollback")


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

    def test_tasks_for_mappers_need_an_extract(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        published_tables(folder, 3)

        assert "tasks" in run("conflicts")


class TestFind:
    def test_a_question_is_answered_with_the_parishs_words(self, folder: Path) -> None:
        published_tables(folder, 2)
        assert CliRunner().invoke(public, ["build"]).exit_code == 0
        found = CliRunner().invoke(public, ["find", "msza w niedzielę rano Łąka 1"], catch_exceptions=False).output

        assert "08:00  Św. Jana 1, Łąka 1: “" in found
        assert "parafia.example, checked on" in found
        assert "Łąka 0" not in found

    def test_nothing_found_and_no_index_say_so(self, folder: Path) -> None:
        without = CliRunner().invoke(public, ["find", "msza"])
        published_tables(folder, 1)
        CliRunner().invoke(public, ["build"])
        nothing = CliRunner().invoke(public, ["find", "msza w Gnieźnie"], catch_exceptions=False).output

        assert isinstance(without.exception, UsageError)
        assert "mass-pipeline public build" in str(without.exception)
        assert nothing == "We found no Mass for this question.\n"

    def test_records_are_answered_with_what_each_page_shows(self, folder: Path) -> None:
        published_tables(folder, 3)
        run("build")
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
