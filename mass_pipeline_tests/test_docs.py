"""The pages of the documentation name what exists: modules, files, commands, targets, links.

A page that names a module by its old place sends a newcomer into an empty room; so names are a tested artefact.
"""

from __future__ import annotations

import importlib
import importlib.util
import re
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from mass_pipeline.cli import main
from mass_pipeline_tests.shared import ROOT

PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
_DOTTED = re.compile(r"\bmass_pipeline(?:_tests)?(?:\.\w+)+")
_ROOMS = {path.name for path in (ROOT / "mass_pipeline").iterdir() if path.is_dir()}
_SHORT = re.compile(r"^[a-z_]+(?:\.\w+)+(?:\([^)]*\))?$")
_CODE = re.compile(r"`([^`\n]+)`")
_PATH = re.compile(r"^[\w./-]+(?:\.py|\.toml|\.csv|\.json|\.txt|/)$")
_LINK = re.compile(r"\]\((?!https?:|mailto:|#)([^)#\s]+)")
_COMMAND = re.compile(r"(?:^|[`\s/])mass-pipeline((?: [a-z][a-z-]*)+)")
_TARGET = re.compile(r"(?:^    |`)make ((?!NAME)[a-z-]+)", re.MULTILINE)
_FOLDERS = ("", "mass_pipeline", "mass_pipeline_tests", "docs")
_FILES = (".txt", ".db", ".py", ".toml", ".csv", ".json", ".skops", ".sqlite")
_DERIVED = ("data/", "<")  # what a run makes

page_of = pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)


def _exists(name: str) -> bool:
    """Whether a dotted name is a module, or a name in one."""
    module = name
    while "." in module:
        try:
            found = importlib.util.find_spec(module) is not None
        except ModuleNotFoundError:
            found = False
        if found:
            break
        module = module.rpartition(".")[0]
    rest = name[len(module) :].strip(".")
    return not rest or hasattr(importlib.import_module(module), rest.split(".")[0])


def _paths(text: str) -> Iterator[str]:
    for code in _CODE.findall(text):
        if "/" in code.rstrip("/") and _PATH.match(code) and not code.startswith(_DERIVED) and not code.startswith(("/", ".")):
            yield code


def _is_there(path: str) -> bool:
    return any((ROOT / folder / path).exists() for folder in _FOLDERS)


def _unknown_command(words: list[str]) -> str | None:
    """The first word that names no command, None when all do; words after a command without subcommands are its arguments."""
    command: click.Command = main
    for word in words:
        if not isinstance(command, click.Group):
            return None
        found = command.get_command(click.Context(command), word)
        if found is None:
            return word
        command = found
    return None


class TestNamesInTheDocs:
    @page_of
    def test_modules_and_functions_exist(self, page: Path) -> None:
        text = page.read_text(encoding="utf-8")
        short = {code.partition("(")[0] for code in _CODE.findall(text) if _SHORT.match(code)}
        inside = {f"mass_pipeline.{name}" for name in short if name.partition(".")[0] in _ROOMS}
        named = sorted({*_DOTTED.findall(text), *inside})
        absent = [name for name in named if not name.endswith(_FILES) and not _exists(name)]

        assert absent == []

    @page_of
    def test_files_and_folders_exist(self, page: Path) -> None:
        absent = sorted({path for path in _paths(page.read_text(encoding="utf-8")) if not _is_there(path)})

        assert absent == []

    @page_of
    def test_links_lead_somewhere(self, page: Path) -> None:
        absent = [link for link in _LINK.findall(page.read_text(encoding="utf-8")) if not (page.parent / link).exists()]

        assert absent == []

    @page_of
    def test_commands_exist(self, page: Path) -> None:
        said = {tuple(words.split()) for words in _COMMAND.findall(page.read_text(encoding="utf-8"))}
        unknown = {" ".join(words): word for words in sorted(said) if (word := _unknown_command(list(words))) is not None}

        assert unknown == {}

    @page_of
    def test_make_targets_exist(self, page: Path) -> None:
        targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
        said = set(_TARGET.findall(page.read_text(encoding="utf-8")))

        assert said - targets == set()
