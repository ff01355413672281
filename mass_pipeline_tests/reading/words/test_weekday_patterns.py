"""Words are read once: weekdays, months and parts of the day are spelled in `reading.words`, and elsewhere hardly at all."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from functools import cache

import pytest

from mass_pipeline_tests.shared import ROOT

_PACKAGE = ROOT / "mass_pipeline"
_ELSEWHERE = ("reading/words/", "demo_web/", "laboratory/")  # the place of words, and texts written as parishes write
_SPELLED = {
    "weekday": r"niedziel|poniedzia|wtor(?:e?k|\b)|\b[sś]r[oó]d(?!m|k|o|n)|czwart(?:e?k|\b)|pi[aą]t(?:e?k|\b)|sob[oó]t|niedz\b",
    "month": r"stycz|\blut(?:\b|y|eg)|\bmar(?:zec|ca|cu)|kwie|\bmaj(?:a|u|em)?\b|czerw(?:iec|ca|cu|\b)"
    r"|\blip(?:iec|ca|cu)|sierp|wrze[sś]|pa[źz]dz|listop|grud",
    "part of the day": r"\brano\b|porann|wiecz[oó]r|popo[łl]udni|po po[łl]udniu|przed po[łl]udniem",
}
# What is left: words as they are shown to people (commands, remarks), damaged bytes, questions in two languages, link words.
# Names of fields in data that servers put into pages, and a sentence of the public site, came in November 2026.
_LIMITS = {"weekday": 9, "month": 7, "part of the day": 2}  # they may only fall


@cache
def _strings() -> tuple[tuple[str, str], ...]:
    """(module, string) of all constants but docstrings and the examples of rules."""
    found: list[tuple[str, str]] = []
    any_kind = re.compile("|".join(_SPELLED.values()), re.I)
    for file in sorted(_PACKAGE.rglob("*.py")):
        source = file.read_text(encoding="utf-8")
        if not file.relative_to(_PACKAGE).as_posix().startswith(_ELSEWHERE) and any_kind.search(source.replace("\\b", " ")):
            found += [(str(file.relative_to(_PACKAGE)), text) for text in _constants(ast.parse(source))]
    return tuple(found)


def _constants(tree: ast.Module) -> Iterator[str]:
    described = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    docstrings = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, described) and node.body and isinstance(node.body[0], ast.Expr)
    }
    examples = {id(inner) for node in ast.walk(tree) for group in _examples(node) for inner in ast.walk(group)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings | examples:
            yield node.value


def _examples(node: ast.AST) -> Sequence[ast.AST]:
    """The examples of a rule, which are lists, and those of a reason against a change, which holds no other words."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name) or node.func.id not in ("Rule", "Reason"):
        return ()
    given = [*node.args, *(keyword.value for keyword in node.keywords)]
    return given if node.func.id == "Reason" else [one for one in given if isinstance(one, ast.List)]


class TestDayWords:
    @pytest.mark.parametrize("kind", _SPELLED)
    def test_are_spelled_in_few_modules_outside_language(self, kind: str) -> None:
        """A name is taken from `reading.words.weekday_patterns`: who spells it anew reads it anew. The limit may only fall."""
        spelled = re.compile(_SPELLED[kind], re.I)
        modules = {module: text for module, text in _strings() if spelled.search(text.replace("\\b", " "))}

        assert len(modules) <= _LIMITS[kind], modules
