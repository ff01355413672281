"""`mass-pipeline crawl` on loopback: strategy, scorer and early stop."""

from __future__ import annotations

import json
import socket
from datetime import UTC, datetime
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result

from mass_pipeline.cli.crawl import crawl
from mass_pipeline.model.errors import NetworkAway
from mass_pipeline.resources.opt_outs import record_refusal
from mass_pipeline_tests.crawling.loopback import Loopback, Page

MENU = "<a href=/foto>Galeria</a><a href=/historia>Historia</a><a href=/a>Msze św.</a><a href=/b>Porządek nabożeństw</a>"
LIST = "<h1>Msze święte</h1><p>Niedziele i święta: 8.00, 10.30, 12.00</p><p>Dni powszednie: 7.00, 18.00</p>"
TABLE = "<h2>Porządek Mszy św.</h2><p>niedziela - 8:00, 10:30, 12:00<br>w tygodniu - 7:00 i 18:00</p>"
SITE = {"/": Page(MENU), "/foto": Page("zdjęcia"), "/historia": Page("dzieje"), "/a": Page(LIST), "/b": Page(TABLE)}


def run(folder: Path, *options: str, command: click.Command = crawl) -> tuple[Result, list[str], dict[str, str]]:
    """Result, pages asked for in order, and path -> outcome."""
    with Loopback({"127.0.0.1": SITE}) as server:
        start = f"http://127.0.0.1:{server.port}"
        (folder / "seeds.txt").write_text(f"{start}/\n", encoding="utf-8")
        files = ("--seeds", str(folder / "seeds.txt"), "--out", str(folder / "pages.jsonl"))
        ended = CliRunner().invoke(command, [*files, "--allow-private-hosts", "--no-delay", *options])
        asked = [path for path in server.paths() if path in SITE]
    rows = map(json.loads, (folder / "pages.jsonl").read_text(encoding="utf-8").splitlines())
    return ended, asked, {row["url"].removeprefix(start): row["outcome"] for row in rows}


class TestStrategy:
    def test_is_breadth_first_with_likely_words_by_default(self, tmp_path: Path) -> None:
        ended, asked, found = run(tmp_path)

        assert ended.exit_code == 0, ended.output
        assert asked == ["/", "/a", "/b", "/foto", "/historia"]
        assert "stopped" not in ended.output
        assert set(found.values()) == {"ok"}

    @pytest.mark.parametrize("scorer", ["words", "learnt"])
    def test_stops_when_the_schedule_was_found_twice_and_says_so(self, tmp_path: Path, scorer: str) -> None:
        ended, asked, found = run(tmp_path, "--strategy", "best-first", "--scorer", scorer, "--stop-when-found")

        assert sorted(asked) == ["/", "/a", "/b"]
        assert found["/foto"] == found["/historia"] == "not_needed"
        assert "1 sites stopped: schedule found twice" in ended.output


class TestOptOut:
    def test_a_host_that_was_purged_is_never_asked_by_a_crawl_without_dagster_either(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The record was honoured by the assets alone."""
        monkeypatch.setenv("MASS_PIPELINE_DATA_FOLDER", str(tmp_path))
        record_refusal(tmp_path, "127.0.0.1", "", datetime(2026, 11, 22, tzinfo=UTC))
        _, asked, _ = run(tmp_path)

        assert asked == []


class TestNoAnswer:
    def test_a_crawl_in_which_no_site_answered_is_a_failure_that_names_the_network(self, tmp_path: Path) -> None:
        with socket.socket() as closed:
            closed.bind(("127.0.0.1", 0))  # nobody listens
            seeds = tmp_path / "seeds.txt"
            seeds.write_text(f"http://127.0.0.1:{closed.getsockname()[1]}/\n", encoding="utf-8")
            words = ["--seeds", str(seeds), "--out", str(tmp_path / "pages.jsonl"), "--allow-private-hosts", "--no-delay"]
            result = CliRunner().invoke(crawl, words)

        assert isinstance(result.exception, NetworkAway)
        assert str(result.exception).startswith("None of 1 sites answered (refused 1). Check the network")
