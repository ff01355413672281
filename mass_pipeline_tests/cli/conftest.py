"""The real command, in this process."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from mass_pipeline.cli import main

Command = Callable[..., tuple[int, str, list[str]]]


@pytest.fixture
def command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    """`command(words, **settings)`: code, standard output and the lines of standard error; settings without their prefix."""
    monkeypatch.setenv("PYTHONWARNINGS", "ignore")
    monkeypatch.delenv("DAGSTER_HOME", raising=False)

    def run(words: str, **settings: str) -> tuple[int, str, list[str]]:
        for name, value in ({"DATA_FOLDER": str(tmp_path / "data")} | settings).items():
            monkeypatch.setenv(f"MASS_PIPELINE_{name}", value)
        monkeypatch.setattr(sys, "argv", ["mass-pipeline", *shlex.split(words)])
        with pytest.raises(SystemExit) as ended:
            main()
        printed = capsys.readouterr()
        return int(str(ended.value.code)), printed.out, printed.err.splitlines()

    return run
