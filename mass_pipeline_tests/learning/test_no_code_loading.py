"""Nothing the package loads can run code (hazards M1): models are arrays, settings and vocabularies are TOML and JSON."""

from __future__ import annotations

import ast

import pytest

from mass_pipeline_tests.shared import ROOT

MODULES = {"pickle", "cPickle", "dill", "joblib", "marshal", "shelve", "torch", "cloudpickle", "yaml"}
CALLS = {"eval", "exec", "read_pickle", "to_pickle", "unsafe_load", "full_load"}


def offences(source: str) -> list[str]:
    """Imports and calls that load code or pickles."""
    found = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names if alias.name.split(".")[0] in MODULES]
        elif isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] in MODULES:
            found.append(str(node.module))
        elif isinstance(node, ast.Call):
            name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
            plain = isinstance(node.func, ast.Name) or name not in ("eval", "exec")
            found += [name] if name in CALLS and plain else []
    return found


# What a process of our own computed comes back to us as multiprocessing sends everything: no pickle is read from a file, a
# table or the network.
KEPT_WITHIN = {"pool.py": ["pickle"]}


class TestPackage:
    def test_no_module_imports_pickles_or_evaluates_text(self) -> None:
        sources = sorted((ROOT / "mass_pipeline").rglob("*.py"))
        found = {path.name: bad for path in sources if (bad := offences(path.read_text(encoding="utf-8")))}

        assert len(sources) > 100
        assert found == KEPT_WITHIN

    def test_no_file_of_the_package_is_a_pickle(self) -> None:
        assert [
            path for path in (ROOT / "mass_pipeline").rglob("*") if path.suffix in (".pkl", ".pickle", ".joblib", ".pt")
        ] == []

    @pytest.mark.parametrize("source", ["import pickle", "from joblib import load", "eval('1')", "pandas.read_pickle(f)"])
    def test_an_offence_would_be_found(self, source: str) -> None:
        assert len(offences(source)) == 1
