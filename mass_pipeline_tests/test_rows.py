"""Every row of the source documents has a test that each run of the suite runs."""

from __future__ import annotations

from pathlib import Path

import pytest

from mass_pipeline_tests import rows
from mass_pipeline_tests.rows import PAGE, marked_tests, page_of, read_rows
from mass_pipeline_tests.shared import ROOT

COUNTS = {"P": 18, "V": 12, "J": 6, "B": 11, "C": 9}


class TestRows:
    def test_each_has_a_test_in_every_run(self) -> None:
        tests = marked_tests()

        assert [row.id for row in read_rows() if not tests.get(row.id)] == []

    def test_all_of_the_documents_are_there_and_no_test_names_another(self) -> None:
        ids = [row.id for row in read_rows()]

        assert ids == [f"{letter}{number}" for letter, last in COUNTS.items() for number in range(1, last + 1)] + ["card"]
        assert set(marked_tests()) <= set(ids)

    def test_the_page_is_made_of_them(self) -> None:
        """`python -m mass_pipeline_tests.rows` writes it."""
        assert PAGE.read_text("utf-8") == page_of(read_rows(), marked_tests())


class TestMarkedTests:
    def test_those_that_wait_for_the_soak_show_nothing(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        mark, soak = '@pytest.mark.row("{}")\n', "@pytest.mark.soak\n"
        (tmp_path / "test_all_wait.py").write_text(f"pytestmark = [pytest.mark.soak]\n{mark.format('P1')}def test_a(): ...\n")
        (tmp_path / "test_some_wait.py").write_text(
            f"{soak}class TestA:\n    {mark.format('P2')}    def test_b(self): ...\n\n"
            f"class TestC:\n    {soak}    {mark.format('P3')}    def test_d(self): ...\n\n"
            f"    {mark.format('P4')}    def test_e(self): ...\n"
        )
        monkeypatch.setattr(rows, "_TESTS", tmp_path)

        assert marked_tests() == {"P4": ["test_some_wait.py::TestC::test_e"]}


@pytest.mark.row("card")
class TestDagstersOwnCommand:
    def test_what_the_readme_shows_is_executed_in_every_build(self) -> None:
        command = ".venv/bin/dagster job execute -m mass_pipeline.definitions -j mass_schedules_job"

        assert command in (ROOT / "README.md").read_text("utf-8")
        assert command in (ROOT / ".ci" / "run").read_text("utf-8")
