"""What the UI tells about tables beside their rows: where columns come from, and by which code they were made."""

from __future__ import annotations

import ast
import importlib
import itertools
import re
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

import mass_pipeline
from mass_pipeline.definitions import build_defs
from mass_pipeline.defs.code_version import code_version
from mass_pipeline.defs.wiring import image
from mass_pipeline.model.columns import TABLES, column_lineage
from mass_pipeline.resources.settings import load_settings
from mass_pipeline_tests.shared import ROOT

PACKAGE = Path(mass_pipeline.__file__).parent
MODULES = {path.stem: f"mass_pipeline.defs.{path.parent.name}.{path.stem}" for path in PACKAGE.glob("defs/*/*.py")}
DECIDED_BY = {
    name: decided_by
    for name, module in MODULES.items()
    if (decided_by := getattr(importlib.import_module(module), "DECIDED_BY", None)) is not None
}


def _version(table: str, root: Path = PACKAGE) -> str:
    return code_version(MODULES[table], DECIDED_BY[table], root)


def test_the_picture_in_the_readme_is_the_lineage_without_its_shortcuts() -> None:
    graph = build_defs(load_settings({})).get_repository_def().asset_graph
    above = {
        key.path[-1]: {one.path[-1] for one in graph.get(key).parent_keys & graph.materializable_asset_keys}
        for key in graph.materializable_asset_keys
    }

    def before(name: str) -> set[str]:
        return above[name].union(*map(before, above[name]))

    wanted = {(one, name) for name, direct in above.items() for one in direct - set().union(*map(before, direct))}
    (picture,) = re.findall(r"```mermaid\n(.*?)```", (ROOT / "README.md").read_text("utf-8"), re.DOTALL)
    chains = [line.strip().split(" --> ") for line in picture.splitlines() if "-->" in line]
    (thick,) = re.findall(r"class (\S+) diocese", picture)

    assert {pair for chain in chains for pair in itertools.pairwise(chain)} == wanted, (
        "an asset's arrows are drawn in README.md, Lineage"
    )
    assert set(thick.split(",")) == {key.path[-1] for key in graph.materializable_asset_keys if graph.get(key).is_partitioned}


class TestColumnLineage:
    @pytest.mark.parametrize("table", sorted(TABLES))
    def test_every_column_named_exists(self, table: str) -> None:
        for column, sources in column_lineage(table).items():
            assert column in TABLES[table].names
            for source in sources:
                above, _, name = source.partition(".")
                assert name in TABLES[above].names, source

    def test_every_table_but_the_first_tells_where_it_comes_from(self) -> None:
        assert {table for table in TABLES if not column_lineage(table)} == {"parishes"}


class TestCodeVersion:
    def test_every_asset_has_one_of_its_own(self) -> None:
        graph = build_defs(load_settings({})).resolve_asset_graph()
        versions = {key.to_user_string(): graph.get(key).code_version for key in graph.materializable_asset_keys}

        assert versions == {table: _version(table) for table in DECIDED_BY}
        assert len(set(versions.values())) == len(versions)
        assert all(len(version) == 12 for version in versions.values() if version)

    @pytest.mark.parametrize("table", sorted(DECIDED_BY))
    def test_whatever_an_asset_calls_decides_its_rows_or_is_known_not_to(self, table: str) -> None:
        publishing = [f"{name.replace('.', '/')}.py" for name in DECIDED_BY[table] if _within(name, ["publishing"])]
        sources = (*PACKAGE.glob(f"defs/*/{table}.py"), *(PACKAGE / name for name in publishing))
        called = {name for source in sources for name in _imported(source) if not _within(name, _DELIVERING)}
        declared = (*DECIDED_BY[table], *_WITHOUT_EFFECT.get(table, ()))

        assert {name for name in called if not _within(name, declared)} == set()

    def test_a_rule_of_the_grammar_changes_those_of_reading_alone(self, changed: Changed) -> None:
        reading = {"candidate_hours", "hours_classifier", "mass_schedules", "announcements", "parish_states", "confession_hours"}

        assert changed("reading/phrases/lines.py", "LEAST = 3", "LEAST = 4") == reading

    def test_a_word_of_a_vocabulary_changes_those_of_reading_alone(self, changed: Changed) -> None:
        reading = {"candidate_hours", "hours_classifier", "mass_schedules", "announcements", "parish_states", "confession_hours"}

        assert changed("reading/words/vocabulary/pl/days.toml", "days = []", "days = ['wto']") == reading

    def test_a_header_of_the_crawler_changes_what_is_fetched_alone(self, changed: Changed) -> None:
        """What is made of pages is overdue by its inputs, not by its code."""
        before, after = 'HEADERS = {"Accept": "text/html"}', 'HEADERS = {"Accept": "*/*"}'

        assert changed("crawling/fetching/transport.py", before, after) == {"crawled_pages", "announcements"}


class TestPlots:
    def test_without_the_extra_the_ui_says_that_they_are_left_out(self, monkeypatch: pytest.MonkeyPatch) -> None:
        drawn = image(lambda: b"png", "outcomes")
        monkeypatch.setitem(sys.modules, "matplotlib", None)
        left_out = image(lambda: b"png", "outcomes")

        assert str(drawn.value).startswith("![outcomes](data:image/png;base64,")
        assert "pip install 'mass_pipeline[plots]'" in str(left_out.value)


Changed = Callable[[str, str, str], set[str]]
_STORED = ("publishing.counts", "publishing.generations", "publishing.reviews")
_DELIVERING = (
    "defs.code_version",
    "defs.conditions",
    "defs.partitions",
    "defs.sources",
    "defs.wiring",
    "model",
    "resources",
    *_STORED,
)
_WITHOUT_EFFECT = {
    "crawled_pages": ("gathering.decisions", "finding.inbox", "publishing.recrawl"),  # which page is due sooner
    "external_links": ("crawling",),  # settings
    "hours_classifier": ("publishing.promises.tables",),  # which model is used
    "parish_states": ("crawling",),  # settings
    "public_index": ("public_web.trial", "crawling.fetching.config"),  # looks at what was made; settings
}


@pytest.fixture
def changed(tmp_path: Path) -> Changed:
    """Tables whose version differs when a file says something else."""

    def compare(file: str, before: str, after: str) -> set[str]:
        roots = [_package(tmp_path / name) for name in ("before", "after")]
        for root, text in zip(roots, (before, after), strict=True):
            (root / file).parent.mkdir(parents=True, exist_ok=True)
            (root / file).write_text(text, "utf-8")
        return {table for table in DECIDED_BY if len({_version(table, root) for root in roots}) == 2}

    return compare


def _package(root: Path) -> Path:
    """Every module that decides something, empty."""
    assets = [path for path in PACKAGE.glob("defs/*/*.py") if path.stem in DECIDED_BY]
    deciding = {name for names in DECIDED_BY.values() for name in names}
    for name in deciding | {".".join(path.relative_to(PACKAGE).with_suffix("").parts) for path in assets}:
        path = PACKAGE.joinpath(*name.split("."))
        file = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
        copy = root / file.relative_to(PACKAGE)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_text(f"name = {name!r}\n", "utf-8")
    return root


def _imported(path: Path) -> set[str]:
    """Modules of the package that a source imports, without its name."""
    found = [node for node in ast.walk(ast.parse(path.read_bytes())) if isinstance(node, ast.ImportFrom) and node.module]
    names = {
        f"{node.module}.{one.name}"
        if PACKAGE.parent.joinpath(*str(node.module).split("."), f"{one.name}.py").is_file()
        else str(node.module)
        for node in found
        for one in node.names
    }
    return {name.removeprefix("mass_pipeline.") for name in names if name.startswith("mass_pipeline.")}


def _within(name: str, packages: Iterable[str]) -> bool:
    return any(name == package or name.startswith(f"{package}.") for package in packages)
