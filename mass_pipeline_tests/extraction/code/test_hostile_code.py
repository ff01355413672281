"""Code made to hurt: it is read within the limits, whatever it says."""

from __future__ import annotations

import time

import pytest

from mass_pipeline.extraction.code.aside import told_aside
from mass_pipeline.extraction.reader import read_document
from mass_pipeline.extraction.site_code import pages_of_site
from mass_pipeline.guard import Guard, Limits

_SECONDS = 5.0  # of CPU; each takes well under one
_LENGTH = 8_000


def _filled(piece: str) -> str:
    return piece * (_LENGTH // len(piece))


def _doubled(first: str, step: str, last: str) -> str:
    return first + "".join(step.replace("NEXT", f"a{n + 1}").replace("THIS", f"a{n}") for n in range(60)) + last


CASES = {
    "deep.jsx": f"export default () => ({_filled('<div>')})",
    "brackets.jsx": f"const a = {_filled('[')}",
    "templates.jsx": _filled("`${"),
    "open.jsx": _filled("<a b={[(`${'"),
    "sum.jsx": "const x = " + _filled("'8'+") + "''; export default () => <p>{x}</p>",
    "texts.jsx": _doubled("const a0 = 'Msze 8.00';", "const NEXT = THIS + THIS;", "export default () => <p>{a60}</p>"),
    "lists.jsx": _doubled("const a0 = ['8.00'];", "const NEXT = [THIS, THIS];", "export default () => <p>{a60}</p>"),
    "objects.jsx": _doubled("const a0 = {x: '8.00'};", "const NEXT = {p: THIS, q: THIS};", "export default a60"),
    "self.jsx": "const a = [a, a]; function F(x) { return F([x, x]) } export default () => <p>{F(a)}{a}</p>",
    "loop.vue": '<template><p v-for="' + _filled(" ") + '"></p></template>',
    "open.vue": f"<template>{_filled('{{')}</template>",
    "each.svelte": _filled("{#each a as "),
    "scripts.svelte": _filled("<script>"),
    "fence.astro": f"---\n{_filled('a-')}",
    "deep.json": _filled('{"a":['),
    "long.json": "[" + _filled('{"a":"8.00"},') + "{}]",
    "blocks.jsx": f"export default () => {{ {_filled('if (1) {')}",
    "rounds.jsx": "export default () => { "
    + _filled("for (const a of [1,2,3,4,5,6,7,8,9]) ")
    + "b.push(a); return <p>8.00</p> }",
    "branches.svelte": _filled("{#if a}"),
    "repeated.yml": "a0: &a0 ['8.00']\n" + "".join(f"a{n + 1}: &a{n + 1} [*a{n}, *a{n}]\n" for n in range(60)),
    "deep.yaml": _filled("["),
    "scripts.html": _filled("<script>var msze='8.00 9.00';</script>"),
}


def never_ends(text: str) -> str:
    """Stands for a parser that does not come back."""
    while True:
        pass


class TestCodeThatNeverEnds:
    def test_costs_its_own_text_and_nothing_else(self) -> None:
        guard = Guard(Limits(cpu_seconds=1))
        try:
            assert told_aside(never_ends, "Msze 8.00", size=9, guard=guard) == ""
        finally:
            guard.close()


class TestHostileCode:
    @pytest.mark.parametrize("name", CASES)
    def test_is_read_within_the_limits(self, name: str) -> None:
        started = time.process_time()
        document = read_document(CASES[name], url=name)

        assert time.process_time() - started < _SECONDS
        assert len(document.source) < 2_000_000

    def test_files_that_import_each_other_without_end_are_read_within_the_limits(self) -> None:
        other = "import { a as b, F as G } from './%s'; export const a = [b, b]; export const F = () => <p>8.00<G /><G />{b}</p>;"
        started = time.process_time()
        pages = pages_of_site(
            [("a.jsx", other % "b"), ("b.jsx", other % "a"), ("c.js", "export * from './d'"), ("d.js", "export * from './c'")]
        )

        assert time.process_time() - started < _SECONDS
        assert sum(len(page.content) for page in pages) < 2_000_000
