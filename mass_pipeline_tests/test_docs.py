"""The pages of the documentation name what exists: modules, files, commands, targets, links.

A page that names a module by its old place sends a newcomer into an empty room; so names are a tested artefact.
"""

from __future__ import annotations

import doctest
import importlib
import importlib.util
import re
import shlex
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path

import click
import pytest

from mass_pipeline.cli import cli
from mass_pipeline.resources.settings import load_settings
from mass_pipeline_tests.shared import ROOT

PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
_DOTTED = re.compile(r"\bmass_pipeline(?:_tests)?(?:\.\w+)+")
_DRAWN = re.compile(r"\b[a-z_]+(?:/\w+)*/\w+\.py\b")
_WITHIN = re.compile(r"`([A-Za-z_]\w*(?:\.\w+)*)(?:\([^`]*\))?`(?: that it needs)? (?:in|of) `([\w/]+\.(?:py|toml))`")
_ROOMS = {path.name for path in (ROOT / "mass_pipeline").iterdir() if path.is_dir()}
_SHORT = re.compile(r"^[a-z_]+(?:\.\w+)+(?:\([^)]*\))?$")
_CODE = re.compile(r"`([^`\n]+)`")
_PATH = re.compile(r"^[\w./-]+(?:\.py|\.toml|\.csv|\.json|\.txt|/)$")
_LINK = re.compile(r"\]\((?!https?:|mailto:|#)([^)#\s]+)")
_COMMAND = re.compile(r"(?:^|[`\s/])mass-pipeline((?: [a-z][a-z-]*)+)")
_TARGET = re.compile(r"(?:^    |`)make ((?!NAME)[a-z-]+)", re.MULTILINE)
_BLOCK = re.compile(r"^ {4}(\S.*)$", re.MULTILINE)
_COMMENT = re.compile(r"\s{2,}\S.*$|\s#.*$")
_OURS = re.compile(r"^(?:\.venv(?:-compiled)?/bin/)?mass-pipeline ")
_FOLDERS = ("", "mass_pipeline", "mass_pipeline_tests", "docs")
_FILES = (".txt", ".db", ".py", ".toml", ".csv", ".json", ".skops", ".sqlite")
_REQUIREMENT = re.compile(r"\b(?!F1\b|L[12]\b|R[123]\b|S3\b)[A-Z]\d{1,2}\b")
_LISTS = {"rows.md", "hazards.md", "promises.md"}
_DERIVED = ("data/", "<")  # what a run makes


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
    for line in _BLOCK.findall(text):
        yield from _DRAWN.findall(line)


def _is_there(path: str) -> bool:
    return any((ROOT / folder / path).exists() for folder in _FOLDERS)


def _unknown_command(words: list[str]) -> str | None:
    """The first word that names no command, None when all do; words after a command without subcommands are its arguments."""
    command: click.Command = cli
    for word in words:
        if not isinstance(command, click.Group):
            return None
        found = command.get_command(click.Context(command), word)
        if found is None:
            return word
        command = found
    return None


def shown(page: Path) -> list[str]:
    """Lines of a page's code blocks, without what explains them beside."""
    return [_COMMENT.sub("", line) for line in _BLOCK.findall(page.read_text(encoding="utf-8"))]


def _unknown_options(line: str) -> list[str]:
    words = shlex.split(line)[1:]
    command: click.Command = cli
    while words and isinstance(command, click.Group) and (below := command.get_command(click.Context(command), words[0])):
        command, words = below, words[1:]
    known = {name for param in command.params for name in (*param.opts, *param.secondary_opts)} | {"--help", "--version"}
    return [word for word in words if word.startswith("--") and word.partition("=")[0].strip("[]") not in known]


def _absent_names(page: Path) -> list[str]:
    text = page.read_text(encoding="utf-8")
    short = {code.partition("(")[0] for code in _CODE.findall(text) if _SHORT.match(code)}
    inside = {f"mass_pipeline.{name}" for name in short if name.partition(".")[0] in _ROOMS}
    return [name for name in sorted({*_DOTTED.findall(text), *inside}) if not name.endswith(_FILES) and not _exists(name)]


def _absent_paths(page: Path) -> list[str]:
    return sorted({path for path in _paths(page.read_text(encoding="utf-8")) if not _is_there(path)})


def _absent_within(page: Path) -> list[str]:
    """Names that a page says to be in a file which does not hold them: "`COMMANDS` of `cli/__init__.py`"."""
    named = _WITHIN.findall(page.read_text(encoding="utf-8"))
    files = {file: next(ROOT / folder / file for folder in _FOLDERS if (ROOT / folder / file).is_file()) for _, file in named}
    return [f"{name} of {file}" for name, file in named if name.rpartition(".")[2] not in files[file].read_text(encoding="utf-8")]


def _dead_links(page: Path) -> list[str]:
    return [link for link in _LINK.findall(page.read_text(encoding="utf-8")) if not (page.parent / link).exists()]


def _unknown_commands(page: Path) -> list[str]:
    said = {tuple(words.split()) for words in _COMMAND.findall(page.read_text(encoding="utf-8"))}
    return [" ".join(words) for words in sorted(said) if _unknown_command(list(words)) is not None]


def _lines_with_unknown_options(page: Path) -> list[str]:
    return [line for line in shown(page) if _OURS.match(line) and _unknown_options(line)]


def _unknown_targets(page: Path) -> list[str]:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    return sorted(set(_TARGET.findall(page.read_text(encoding="utf-8"))) - targets)


def _unknown_settings(page: Path) -> list[str]:
    """Variables that no setting has; a name that ends with an underline stands for several."""
    known = [row.variable for row in load_settings({}).rows] + ["MASS_PIPELINE_COMPILE"]
    named = set(re.findall(r"\bMASS_PIPELINE_\w+", page.read_text(encoding="utf-8")))
    return sorted(one for one in named if one not in known and not (one.endswith("_") and any(k.startswith(one) for k in known)))


def _private_codes(page: Path) -> list[str]:
    """Numbers of requirements, outside the pages that list them."""
    return [] if page.name in _LISTS else _REQUIREMENT.findall(page.read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    "wrong",
    [
        _absent_names, _absent_paths, _absent_within, _dead_links, _unknown_commands, _lines_with_unknown_options,
        _unknown_targets, _unknown_settings, _private_codes,
    ],
)  # fmt: skip
def test_what_the_docs_name_is_there(wrong: Callable[[Path], list[str]]) -> None:
    assert {page.name: found for page in PAGES if (found := wrong(page))} == {}


def test_the_life_of_a_line_has_the_objects_of_today() -> None:
    ran = doctest.testfile(str(ROOT / "docs" / "reading.md"), module_relative=False, encoding="utf-8")

    assert (ran.failed, ran.attempted > 10) == (0, True)


def test_each_dependency_has_its_reason() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = [*project["dependencies"], *(one for extra in project["optional-dependencies"].values() for one in extra)]
    rows = re.findall(r"^\| ([^|]+) \|", (ROOT / "docs" / "dependencies.md").read_text(encoding="utf-8"), re.MULTILINE)
    debian = {"chromium-headless-shell", "util-linux", "tesseract-ocr", "tesseract-ocr-pol"}
    named = {name.strip() for row in rows for name in re.split("[,;]", re.sub(r"\([^)]*\)", "", row))}

    assert {re.split(r"[^\w.-]", one)[0].lower() for one in wanted} | debian == named - {"package", "---"}
