"""`mass-pipeline watch`: another topic without code, exit codes, resumption, hooks."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from mass_pipeline.cli.watch import watch
from mass_pipeline.crawling.watching.store import read_announcements_of
from mass_pipeline.demo_web.portals import SITES_FILE, load_articles
from mass_pipeline.model.errors import StorageError
from mass_pipeline_tests.shared import comes_true

COMMAND = [sys.executable, "-c", "from mass_pipeline.cli import main; main()", "watch"]
_TWO_SITES = "http://parafiawilczeta.example/\nhttp://parafia-dolina.example/\n"


@pytest.fixture(autouse=True)
def data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("MASS_PIPELINE_DATA_FOLDER", str(tmp_path / "data"))
    return tmp_path / "data"


def _run(*arguments: object) -> Result:
    return CliRunner().invoke(watch, [str(argument) for argument in arguments])


def _rows(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


class TestAnotherTopic:
    @pytest.mark.row("C9")
    def test_education_news_of_three_portals_need_two_files_and_no_code(self, tmp_path: Path) -> None:
        """C9: feed and pager found by themselves, XPath and template of an old site, search pages and sitemap of a third."""
        out = tmp_path / "news.jsonl"
        result = _run("--sites", SITES_FILE, "--topic", "education", "--once", "--out", out)
        truth = {article.url: article for article in load_articles()}
        rows = _rows(out)

        assert result.exit_code == 0, result.output
        assert {row["site_id"] for row in rows} == {"wiesci", "kurier", "glos"}
        assert [row["url"] for row in rows if not truth[str(row["url"])].relevant] == []
        assert len(rows) >= 0.9 * sum(article.relevant for article in truth.values())
        for row in rows:
            article = truth[str(row["url"])]
            assert (row["title"], row["issued"]) == (article.title, article.day.isoformat())
            assert str(row["text"]).split() == article.text.split()

    def test_a_topic_of_ones_own_is_a_file(self, tmp_path: Path) -> None:
        topic = tmp_path / "weather.toml"
        topic.write_text(
            "name = 'weather'\nchosen = 'boolean'\n[terms]\nwiatr = 1\n\"strażac\" = 1\n[thresholds]\nboolean = 2\n"
            "[tag_weights]\n[list_words]\naktualn = 3\n",
            "utf-8",
        )
        out = tmp_path / "news.jsonl"
        _run("--sites", SITES_FILE, "--topic", topic, "--once", "--out", out)

        assert [row["title"] for row in _rows(out)] == ["Halny zerwał dach z hali targowej"]


class TestCommand:
    def test_a_second_run_asks_nobody_and_keeps_what_was_found(self, tmp_path: Path) -> None:
        (tmp_path / "sites.txt").write_text(_TWO_SITES, "utf-8")
        first = _run("--sites", tmp_path / "sites.txt", "--once", "--out", tmp_path / "1.jsonl")
        second = _run("--sites", tmp_path / "sites.txt", "--once", "--out", tmp_path / "2.jsonl")

        assert (first.exit_code, second.exit_code) == (0, 0)
        assert "0 requests" in second.output
        assert _rows(tmp_path / "1.jsonl") == _rows(tmp_path / "2.jsonl") != []

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            (["--for", "soon"], "expected a time over 0"),
            (["--no-delay"], "--allow-private-hosts"),
        ],
    )
    def test_wrong_usage_ends_with_two(self, arguments: list[str], message: str) -> None:
        result = _run(*arguments)

        assert result.exit_code == 2
        assert message in result.output

    def test_an_unknown_topic_names_the_known_ones(self) -> None:
        said = str(_run("--topic", "weather", "--once").exception)

        assert all(name in said for name in ("education", "mass_times_vi", "services", "standing_order"))

    def test_without_sites_the_table_of_parishes_is_asked_for(self) -> None:
        assert "Materialize parish_urls first" in str(_run("--once").exception)

    def test_when_every_site_fails_the_command_fails(self, tmp_path: Path) -> None:
        (tmp_path / "sites.txt").write_text("http://hubert-zamczysko.example/\n", "utf-8")
        result = _run("--sites", tmp_path / "sites.txt", "--once")

        assert "every site failed" in str(result.exception)
        assert "robots.txt answered 503" in result.output

    def test_it_ends_after_its_time_and_by_an_interrupt_with_its_state_kept(self, tmp_path: Path, data_folder: Path) -> None:
        """Runs for ever otherwise; Ctrl-C gives 130 and writes what was kept."""
        (tmp_path / "sites.txt").write_text(_TWO_SITES, "utf-8")
        environ = {**os.environ, "MASS_PIPELINE_DATA_FOLDER": str(data_folder)}
        arguments = [*COMMAND, "--sites", str(tmp_path / "sites.txt"), "--out", str(tmp_path / "out.jsonl")]
        state = data_folder / "state" / "watch" / "by-hand-services"

        def has_read_all() -> bool:
            try:
                return len(list(read_announcements_of(state))) >= 16
            except StorageError:  # not made yet
                return False

        process = subprocess.Popen(arguments, env=environ, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        assert comes_true(has_read_all)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=300)
        timed = subprocess.run([*arguments, "--for", "1s"], env=environ, capture_output=True, text=True, timeout=600, check=False)

        assert timed.returncode == 0, timed.stderr
        assert process.returncode == 130, errors
        assert "Interrupted." in errors
        assert "Traceback" not in errors
        assert len(_rows(tmp_path / "out.jsonl")) == 16
