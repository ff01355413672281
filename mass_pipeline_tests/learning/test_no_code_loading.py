"""Nothing the package loads can run code (hazards M1): models are arrays, settings and vocabularies are TOML and JSON."""

from __future__ import annotations

import re

import pytest

from mass_pipeline_tests.shared import ROOT

OFFENCE = re.compile(
    r"^ *(?:import|from) (?:c?[pP]ickle|dill|joblib|marshal|shelve|torch|cloudpickle|yaml)\b"
    r"|(?<![\w.])(?:eval|exec)\(|\b(?:read_pickle|to_pickle|unsafe_load|full_load)\(",
    re.MULTILINE,
)
# What a process of our own computed comes back to us as multiprocessing sends everything: no pickle is read from a file, a
# table or the network.
KEPT_WITHIN = {"pool.py": ["import pickle"]}


class TestPackage:
    def test_no_module_imports_pickles_or_evaluates_text(self) -> None:
        sources = sorted((ROOT / "mass_pipeline").rglob("*.py"))
        found = {path.name: bad for path in sources if (bad := OFFENCE.findall(path.read_text(encoding="utf-8")))}

        assert len(sources) > 100
        assert found == KEPT_WITHIN

    def test_no_file_of_the_package_is_a_pickle(self) -> None:
        kept = (ROOT / "mass_pipeline").rglob("*")

        assert [path for path in kept if path.suffix in (".pkl", ".pickle", ".joblib", ".pt")] == []

    @pytest.mark.parametrize("source", ["import pickle", "from joblib import load", "eval('1')", "pandas.read_pickle(f)"])
    def test_an_offence_would_be_found(self, source: str) -> None:
        assert len(OFFENCE.findall(source)) == 1
