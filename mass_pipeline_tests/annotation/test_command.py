"""The command `mass-pipeline annotate`."""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from mass_pipeline.annotation.web.secrets_file import read_or_make_secret
from mass_pipeline.cli.annotate import annotate
from mass_pipeline.model.errors import ConfigurationError, UsageError
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
        assert "n_items" in run("stats").output

    def test_votes_come_in_and_labels_go_out(self, run: Any, tmp_path: Path) -> None:
        run("load", "ITEMS")
        votes = tmp_path / "votes.jsonl"
        votes.write_text("\n".join(json.dumps({"candidate_id": "c0001", "voter_id": v, "answer": "yes"}) for v in "abc"))

        assert "3 votes taken" in run("import", str(votes)).output
        assert json.loads(run("export", "-", "--format", "labels").output)["label"] == "mass"
        assert len(run("export", "-").output.splitlines()) == 3
        assert run("export", str(tmp_path / "tasks.json"), "--format", "label-studio").exit_code == 0
        assert len(json.loads((tmp_path / "tasks.json").read_text())) == 3

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

    @pytest.mark.parametrize(
        "words", [["--help"], ["load", "--help"], ["export", "--help"], ["import", "--help"], ["stats", "--help"]]
    )
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
