"""`mass-pipeline lab crawl` on loopback: strategies and scorers of the laboratory, and leaving the sites."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from mass_pipeline.laboratory.cli.crawl import crawl
from mass_pipeline_tests.cli.test_crawl import SITE, run


def test_no_opinion_follows_the_menu(tmp_path: Path) -> None:
    assert run(tmp_path, "--scorer", "none", command=crawl)[1] == list(SITE)


@pytest.mark.row("V9", "V11")
def test_one_command_crawls_the_demo_web(tmp_path: Path) -> None:
    """In the order of a scorer, two pages a site, with the importance of each."""
    out = tmp_path / "pages.jsonl"
    told = ["--demo", "--out", str(out), "--max-pages", "2", "--strategy", "best-first", "--scorer", "importance"]
    ended = CliRunner().invoke(crawl, told)
    rows = list(map(json.loads, out.read_text(encoding="utf-8").splitlines()))
    kept = [row for row in rows if row["outcome"] == "ok"]

    assert ended.exit_code == 0, ended.output
    assert len({row["parish_id"] for row in kept}) >= 40
    assert all(row["importance"] > 0 for row in kept)


def test_whose_sites_must_be_said_once(tmp_path: Path) -> None:
    ended = CliRunner().invoke(crawl, ["--out", str(tmp_path / "pages.jsonl")])

    assert ended.exit_code == 2
    assert "either --seeds or --demo" in ended.output


class TestLeavingSites:
    @pytest.mark.row("V10", "V11")
    def test_pages_are_told_with_their_likeness_to_the_query(self, tmp_path: Path) -> None:
        """V10, V11; on loopback there is no other site to go to."""
        ended, asked, _ = run(tmp_path, "--scorer", "shark", "--query", "galeria zdjęcia", "--leave-sites", "3", command=crawl)
        rows = list(map(json.loads, (tmp_path / "pages.jsonl").read_text(encoding="utf-8").splitlines()))
        likeness = {row["url"].rpartition("/")[2]: row["likeness"] for row in rows}

        assert ended.exit_code == 0, ended.output
        assert "0 other sites" in ended.output
        assert "2 of 5 pages are like the query (10% by page 1" in ended.output
        assert all(row["importance"] > 0 for row in rows if row["outcome"] == "ok")
        assert likeness["foto"] > likeness["historia"] == 0
        assert asked[1] == "/foto"

    def test_a_query_that_the_scorer_would_not_use_is_refused(self, tmp_path: Path) -> None:
        (tmp_path / "seeds.txt").write_text("http://127.0.0.1:9/\n", encoding="utf-8")
        files = ("--seeds", str(tmp_path / "seeds.txt"), "--out", str(tmp_path / "pages.jsonl"))
        ended = CliRunner().invoke(crawl, [*files, "--allow-private-hosts", "--query", "galeria"])

        assert ended.exit_code == 2
        assert "the scorer 'words' has none" in ended.output
