"""Four changes that somebody makes who is new to the reader, each in one file of a copy of the package: each is read at once."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

import mass_pipeline

_PACKAGE: Final = Path(mass_pipeline.__file__).parent
_READ: Final = """
import json, sys
from mass_pipeline.reading.formats.summary import summarize
from mass_pipeline.reading.regular.reading import read_text
print(json.dumps([summarize(one.mass for one in read_text(text).masses) for text in sys.argv[1:]]))
"""
_RULE: Final = """
    Rule(
        "is for nobody else",
        lambda said: any(isinstance(node, Word) and node.text.startswith("prywatn") for node in said.nodes),
        lambda said: setattr(said.item, "kind", "event"),
        goes_on=True,
    ),
"""
# (file, what stands in it, what comes after it, a text, how it was read, how it is read then)
_CHANGES: Final = {
    "a season phrase": (
        "reading/words/vocabulary/pl/seasons.toml",
        "[season]\n",
        '"07-08" = ["żniw*"]\n',
        "Dni powszednie: 7.00, 18.00 (w czasie żniw 20.00)",
        "dni powszednie: 7:00, 18:00",
        "dni powszednie: 7:00, 18:00 (poza wakacjami), 20:00 (w wakacje)",
    ),
    "a form of a weekday": (
        "reading/words/vocabulary/pl/days.toml",
        'Th = ["czwartek", ',
        '"cztek.", ',
        "Śr. 7.00\nCztek. 18.00",
        "środa: 7:00, 18:00",
        "środa: 7:00\nczwartek: 18:00",
    ),
    "a word for what is no Mass": (
        "reading/words/vocabulary/pl/kinds.toml",
        'event = ["spotkani*", ',
        '"kiermasz*", ',
        "Niedziele: 8.00, 10.00, kiermasz 12.00",
        "niedziela: 8:00, 10:00, 12:00",
        "niedziela: 8:00, 10:00",
    ),
    "a rule of brackets": (
        "reading/grammar/brackets.py",
        "COMMENTS: Final[tuple[Rule[[Comment]], ...]] = (",
        _RULE,
        "Niedziele: 8.00, 12.00 (prywatna)",
        "niedziela: 8:00, 12:00",
        "niedziela: 8:00",
    ),
}


def _read(root: Path, texts: list[str]) -> list[str]:
    """The summaries of texts as the package below a folder reads them."""
    command = [sys.executable, "-c", _READ, *texts]
    done = subprocess.run(command, env={**os.environ, "PYTHONPATH": str(root)}, cwd=root, capture_output=True, check=True)
    return list(map(str, json.loads(done.stdout)))


class TestNewcomersChanges:
    @pytest.fixture(scope="class")
    def changed(self, tmp_path_factory: pytest.TempPathFactory) -> list[str]:
        """The texts as a copy of the package reads them in which all four are made."""
        root = tmp_path_factory.mktemp("clone")
        shutil.copytree(_PACKAGE, root / _PACKAGE.name, ignore=shutil.ignore_patterns("__pycache__"))
        for file, anchor, added, *_ in _CHANGES.values():
            path = root / _PACKAGE.name / file
            source = path.read_text(encoding="utf-8")
            assert source.count(anchor) == 1, f"{file} has no {anchor!r}, or several"
            path.write_text(source.replace(anchor, anchor + added), encoding="utf-8")
        return _read(root, [change[3] for change in _CHANGES.values()])

    @pytest.mark.parametrize("change", _CHANGES)
    def test_each_is_made_in_one_file_and_read(self, change: str, changed: list[str]) -> None:
        *_, text, before, after = _CHANGES[change]

        assert _read(_PACKAGE.parent, [text]) == [before]
        assert changed[list(_CHANGES).index(change)] == after
