"""Exports: JSON Lines of P7, batches for Parquet; and the command that writes them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from mass_pipeline.cli.crawl import crawl as command
from mass_pipeline.crawling import read_pages
from mass_pipeline.crawling.sites.reading import write_jsonl
from mass_pipeline.model.errors import BadInput, StorageError
from mass_pipeline_tests.crawling.loopback import Loopback, Page, links
from mass_pipeline_tests.crawling.made import Crawl, Crawled

SITE = {
    "/": Page(links("/msze", "/brak")),
    "/msze": Page("Msze święte: 9:00".encode("iso8859-2"), content_type="text/html"),
}


@pytest.fixture
def crawled(crawl: Crawl) -> Crawled:
    return crawl({"a.example": SITE})


@pytest.mark.row("P7")
class TestJsonLines:
    def test_a_line_per_url_with_the_fields_of_p7(self, crawled: Crawled, tmp_path: Path) -> None:
        write_jsonl(read_pages(crawled.state), tmp_path / "out.jsonl")
        rows = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text("utf-8").splitlines()]

        assert [(row["url"], row["outcome"], row["status"]) for row in rows] == [
            ("http://a.example/", "ok", 200),
            ("http://a.example/brak", "http_4xx", 404),
            ("http://a.example/msze", "ok", 200),
        ]
        assert rows[2]["content"] == "Msze święte: 9:00"
        assert {"depth", "button_text", "previous_url", "start_url", "domain", "fetched_at"} <= rows[2].keys()

    def test_a_file_that_cannot_be_written_is_one_clear_error(self, crawled: Crawled, tmp_path: Path) -> None:
        with pytest.raises(StorageError, match="cannot be written"):
            write_jsonl(read_pages(crawled.state), tmp_path / "missing" / "out.jsonl")

    def test_a_failed_export_leaves_the_earlier_file(self, crawled: Crawled, tmp_path: Path) -> None:
        out = tmp_path / "out.jsonl"
        out.write_text("earlier")

        def broken() -> Iterator[object]:
            yield from read_pages(crawled.state)
            raise OSError(28, "No space left on device")

        with pytest.raises(StorageError, match="No space left"):
            write_jsonl(broken(), out)  # type: ignore[arg-type]
        assert out.read_text() == "earlier"
        assert list(tmp_path.glob(".out*")) == []


class TestCommand:
    def run(self, *arguments: str) -> tuple[int, str, BaseException | None]:
        result = CliRunner().invoke(command, arguments)
        return result.exit_code, result.output, result.exception

    def test_it_crawls_resumes_and_writes(self, tmp_path: Path) -> None:
        # Names cannot be mapped from the command line: the start URL is the loopback address itself.
        with Loopback({"127.0.0.1": SITE}) as server:
            seeds = tmp_path / "seeds.tsv"
            seeds.write_text(f"# parish, URL\nanna\thttp://127.0.0.1:{server.port}/\n")
            arguments = ["--seeds", str(seeds), "--out", str(tmp_path / "out.jsonl"), "--state", str(tmp_path / "state")]
            first = self.run(*arguments, "--allow-private-hosts", "--no-delay")
            asked = len(server.requests)
            second = self.run(*arguments, "--allow-private-hosts", "--no-delay")

        assert (first[0], second[0]) == (0, 0), first[1]
        assert "2 pages of 1 sites" in second[1]
        assert len(server.requests) == asked
        assert len((tmp_path / "out.jsonl").read_text().splitlines()) == 3

    def test_without_allow_private_hosts_loopback_is_refused(self, tmp_path: Path) -> None:
        with Loopback({"127.0.0.1": SITE}) as server:
            (tmp_path / "seeds").write_text(f"http://127.0.0.1:{server.port}/")
            code, output, _ = self.run("--seeds", str(tmp_path / "seeds"), "--out", str(tmp_path / "out"))

        assert (code, server.connections) == (1, 0)  # no site answered
        assert "blocked_address 1" in output

    def test_no_delay_is_for_private_hosts_only(self, tmp_path: Path) -> None:
        (tmp_path / "seeds").write_text("http://a.example/")
        code, output, _ = self.run("--seeds", str(tmp_path / "seeds"), "--out", str(tmp_path / "out"), "--no-delay")

        assert code == 2
        assert "--allow-private-hosts" in output

    @pytest.mark.parametrize("text", ["", "a\tb\tc\td", "\thttp://a.example/", "p\thttp://a.pl/\np\thttp://b.pl/"])
    def test_a_bad_seed_file_is_one_clear_error(self, tmp_path: Path, text: str) -> None:
        (tmp_path / "seeds").write_text(text)
        _, _, error = self.run("--seeds", str(tmp_path / "seeds"), "--out", str(tmp_path / "out"))

        assert isinstance(error, BadInput)
        assert str(tmp_path / "seeds") in str(error)

    def test_a_missing_seed_file_is_named(self, tmp_path: Path) -> None:
        error = self.run("--seeds", str(tmp_path / "none"), "--out", str(tmp_path / "out"))[2]

        assert isinstance(error, BadInput)

    def test_real_hosts_are_asked_politely_whatever_the_profile(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """The demo profile waits for nobody, but it is the default, and seeds of this command are anybody's sites."""
        from mass_pipeline.cli.crawl import config_of, crawl

        options = dict.fromkeys(str(option.name) for option in crawl.params)
        monkeypatch.setenv("MASS_PIPELINE_CRAWL_MAX_DEPTH", "2")
        config = config_of(options)

        assert (config.start_delay_seconds, config.host_gap_seconds, config.max_depth) == (5.0, 1.0, 2)
