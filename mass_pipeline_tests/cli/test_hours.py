"""`mass-pipeline hours`: one line per hour, in order; errors are one clear line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from mass_pipeline.cli.hours import hours
from mass_pipeline.model.errors import BadInput, UsageError


def _run(tmp_path: Path, records: str, *options: str) -> tuple[list[dict[str, object]], BaseException | None]:
    (tmp_path / "records.jsonl").write_text(records, "utf-8")
    result = CliRunner().invoke(hours, ["--records", str(tmp_path / "records.jsonl"), *options])
    return [json.loads(line) for line in result.stdout.splitlines()], result.exception


class TestHours:
    @pytest.mark.row("P13")
    def test_every_hour_is_listed_with_its_verdict_and_context(self, tmp_path: Path) -> None:
        (tmp_path / "a.html").write_text(
            "<h2>Msze święte</h2><p>Niedziele: 8.00, 10.00</p><p>Kancelaria: 16.00–17.30</p>", "utf-8"
        )

        rows, error = _run(tmp_path, '{"id": "p", "pages": [{"file": "a.html"}]}\n\n')

        assert error is None
        assert [(r["time"], r["is_mass"]) for r in rows] == [("08:00", True), ("10:00", True), ("16:00", False), ("17:30", False)]
        assert set(rows[0]) == {"id", "file", "time", "raw", "left", "right", "is_mass", "score"}
        assert rows[1]["left"] == "Msze święte\nNiedziele: 8.00, "

    def test_a_passing_mention_counts_when_the_site_confirms_it(self, tmp_path: Path) -> None:
        (tmp_path / "a.html").write_text("<h2>Msze święte</h2><p>Niedziele: 8.00, 11.00</p>", "utf-8")
        (tmp_path / "b.html").write_text("<p>Chrzty udzielane są na Mszy św. o godz. 11.00, spotkanie o 12.00.</p>", "utf-8")

        rows, _ = _run(tmp_path, '{"id": "p", "pages": [{"file": "a.html"}, {"file": "b.html"}]}')

        assert [(r["time"], r["is_mass"]) for r in rows if r["file"] == "b.html"] == [("11:00", True), ("12:00", False)]

    def test_the_output_file_appears_only_when_complete(self, tmp_path: Path) -> None:
        out = tmp_path / "out.jsonl"

        _, error = _run(tmp_path, '{"id": "p", "text": "Niedziele: 8.00"}\n{"id": "q", "file": "none.html"}', "--out", str(out))

        assert isinstance(error, BadInput)
        assert "none.html" in str(error)
        assert not list(tmp_path.glob("out*"))

    def test_a_file_that_is_no_text_is_named(self, tmp_path: Path) -> None:
        (tmp_path / "records.jsonl").write_bytes(b"\xff\xfe\x00")

        error = CliRunner().invoke(hours, ["--records", str(tmp_path / "records.jsonl")]).exception

        assert isinstance(error, UsageError)

    def test_hours_of_a_former_order_and_of_broadcasts_are_rejected(self, tmp_path: Path) -> None:
        (tmp_path / "a.html").write_text(
            "<h2>Msze</h2><p>Niedziele: 8.00 (transmisja), 11.00</p><p>W tygodniu: 18.00</p>", "utf-8"
        )
        (tmp_path / "b.html").write_text("<p>Transmisja Mszy św. w radiu w niedziele o 11.00</p>", "utf-8")

        rows, _ = _run(tmp_path, '{"id": "p", "pages": [{"file": "a.html"}, {"file": "b.html"}]}', "--rules-only")

        assert [(r["time"], r["is_mass"]) for r in rows] == [("08:00", True), ("11:00", True), ("18:00", True), ("11:00", False)]
