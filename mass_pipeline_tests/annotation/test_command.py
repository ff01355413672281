"""The command `mass-pipeline annotate`."""

from __future__ import annotations

import json
import os
import stat
from collections import Counter
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from click.testing import CliRunner

from mass_pipeline.annotation.schema import items
from mass_pipeline.annotation.store import open_store
from mass_pipeline.annotation.web.tokens import read_or_make_secret
from mass_pipeline.cli.annotate import annotate
from mass_pipeline.model.columns import CANDIDATE_HOURS
from mass_pipeline.model.errors import ConfigurationError, UsageError
from mass_pipeline.reading.text.candidates import find_candidates
from mass_pipeline.reading.text.reader import read_document
from mass_pipeline.resources.lake import Lake, table_of
from mass_pipeline_tests.annotation.test_exchange import candidate


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    for name in [name for name in os.environ if name.startswith("MASS_PIPELINE_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("MASS_PIPELINE_DATA_FOLDER", str(tmp_path / "data"))
    items = tmp_path / "items.jsonl"
    items.write_text("\n".join(json.dumps(candidate(n)) for n in range(3)))

    def call(*words: str) -> Any:
        return CliRunner().invoke(annotate, [word.replace("ITEMS", str(items)) for word in words])

    return call


class TestAnnotate:
    def test_items_are_loaded_into_the_data_folder_and_counted(self, run: Any) -> None:
        assert "3 new items" in run("load", "ITEMS").output
        assert "0 new items" in run("load", "ITEMS").output
        figures = json.loads(run("stats", "--json").output)

        assert (figures["progress"]["n_items"], figures["alpha"]) == (3, None)
        assert run("stats").output.startswith("n_items ")
        assert "there are in default (3): choose with --campaign" in run("stats", "--campaign", "other").output

    def test_what_is_asked_next_comes_from_pages_that_are_asked_at_all(self, run: Any, tmp_path: Path) -> None:
        """The most uncertain hours stand on pages without any order: on the demo 16 of the first 20 came from pages left out."""
        rows = []
        for score, what in ((0.1, "Różaniec i spotkanie"), (0.9, "Próba chóru, potem nauki")):
            lines = "".join(f"<li>{what} {n}: {n % 12 + 7}.15, sala {n}</li>" for n in range(40))
            page = read_document(f"<h1>Plan</h1><ul>{lines}</ul>".encode(), url="https://p.example/")
            rows += [asdict(one) for one in find_candidates(page, parish_id=f"p{score}", page_score=score, readings={})]
        hours = [table_of(CANDIDATE_HOURS, rows)]
        Lake(tmp_path / "data" / "lake").publish(CANDIDATE_HOURS, {"lodzka": hours})
        said = run("load", "--uncertain", "80").output
        store = open_store(f"sqlite:///{tmp_path / 'data' / 'annotation' / 'annotation.db'}")
        with store.engine.connect() as connection:
            asked = dict(Counter(connection.execute(sa.select(items.c.parish_id)).scalars()))
        store.close()

        assert asked["p0.9"] == 5, "of one parish"
        assert asked.get("p0.1", 0) < 5, "the sample alone"
        assert said.startswith(f"{sum(asked.values())} hours are asked first, {sum(asked.values())} of them new")

    def test_votes_come_in_and_labels_go_out(self, run: Any, tmp_path: Path) -> None:
        run("load", "ITEMS")
        votes = tmp_path / "votes.jsonl"
        votes.write_text("\n".join(json.dumps({"candidate_id": "c0001", "voter_id": v, "answer": "yes"}) for v in "abc"))

        assert "3 votes taken" in run("load", str(votes), "--as", "votes").output
        assert json.loads(run("export", "-", "--format", "labels").output)["label"] == "mass"
        assert len(run("export", "-").output.splitlines()) == 3

    def test_an_operator_needs_a_long_password(self, run: Any) -> None:
        assert run("operator", "anna", "--password", "long enough it is").exit_code == 0
        assert isinstance(run("operator", "anna", "--password", "short").exception, UsageError)

    def test_it_refuses_to_be_reached_without_a_proxy(self, run: Any) -> None:
        """Hazard O1."""
        result = run("--host", "0.0.0.0")

        assert isinstance(result.exception, UsageError)
        assert "TRUSTED_PROXIES" in str(result.exception)

    def test_a_campaign_without_labels_exports_nothing(self, run: Any) -> None:
        run("load", "ITEMS")

        assert run("export", "-", "--format", "labels").output == ""

    @pytest.mark.parametrize("words", [["--help"], ["load", "--help"], ["export", "--help"], ["stats", "--help"]])
    def test_help_has_examples(self, run: Any, words: list[str]) -> None:
        assert "Example" in run(*words).output


class TestSecret:
    def test_is_made_once_and_readable_by_its_owner_only(self, tmp_path: Path) -> None:
        path = tmp_path / "folder" / "secret"
        first = read_or_make_secret("", path)

        assert first == read_or_make_secret("", path)
        assert len(first) >= 64
        assert stat.S_IMODE(path.stat().st_mode) == 0o600

    def test_a_given_one_wins_and_must_be_long(self, tmp_path: Path) -> None:
        assert read_or_make_secret("x" * 32, tmp_path / "s") == "x" * 32
        with pytest.raises(ConfigurationError, match="32"):
            read_or_make_secret("short", tmp_path / "s")
