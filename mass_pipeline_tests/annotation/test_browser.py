"""In a real browser: hazards W1 and W3, contrast, labels and focus."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from mass_pipeline.annotation.items import Item
from mass_pipeline.annotation.operators import add_operator
from mass_pipeline.annotation.store import Store
from mass_pipeline_tests.annotation.browsing import NEEDS_BROWSER, PHONE, Live, Watch, begin, fast_store, violations
from mass_pipeline_tests.annotation.support import item
from mass_pipeline_tests.shared import ROOT

pytestmark = NEEDS_BROWSER

PAYLOADS = [
    "<script>window.__pwned=1</script>",
    "<img src=x onerror=window.__pwned=1>",
    "<svg/onload=window.__pwned=1>",
    '"><script>window.__pwned=1</script>',
    "'-window.__pwned=1-'",
    "javascript:window.__pwned=1",
    "{{7*7}}",
    "{% raw %}x{% endraw %}",
    "${7*7}",
    "</mark></p><h1>owned</h1>",
    "<iframe srcdoc='<script>parent.__pwned=1</script>'>",
    '<math><mi//xlink:href="data:x,<script>window.__pwned=1</script>">',
    "<a href=javascript:window.__pwned=1>x</a>",
    "<style>@import'http://evil.example/x.css';</style>",
    "<link rel=stylesheet href=//evil.example/x>",
    "<base href=//evil.example/>",
    "<meta http-equiv=refresh content='0;url=//evil.example/'>",
    "<form action=//evil.example/><button>x",
    "<template><img src=x onerror=window.__pwned=1></template>",
    '<noscript><p title="</noscript><img src=x onerror=window.__pwned=1>">',
    "<svg><style><img src=x onerror=window.__pwned=1></style></svg>",
    "<details open ontoggle=window.__pwned=1>",
    "&lt;script&gt;1&lt;/script&gt;",
    "+ADw-script+AD4-window.__pwned=1+ADw-/script+AD4-",
    "\u00ff\u00fe<\u0000script>",
    "\u202eTSCRIPT\u202c",
    "zero\u200bwidth",
    "<!--<script>",
    "]]>",
    "<x onclick=window.__pwned=1 id=x>click",
    "<input autofocus onfocus=window.__pwned=1>",
    "<video><source onerror=window.__pwned=1>",
]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = fast_store(tmp_path)
    yield opened
    opened.close()


def shared_payloads() -> list[str]:
    """Public payload lists, where they lie beside the checkout; a project without them still tests its own list."""
    folder = ROOT.parent / "shared" / "suites" / "web"
    if not folder.exists():
        return []
    bleach = [path.read_text(encoding="utf-8").split("\n--\n")[0] for path in sorted((folder / "bleach_xss").glob("*.test"))]
    naughty = [text for text in json.loads((folder / "blns" / "blns.json").read_text(encoding="utf-8")) if text.strip()]
    return bleach + naughty


def hostile_items(every: int = 1) -> list[Item]:
    """Each own payload in every field; the public ones packed together as contexts, one pack of so many."""
    made = [
        item(n, candidate_id=f"own{n:03d}", left=text, right=text, raw=text, heading=text, day_scope=text, url=text, block=text)
        for n, text in enumerate(PAYLOADS)
    ]
    public = shared_payloads()
    packs = ["\n".join(public[start : start + 20]) for start in range(0, len(public), 20)]
    return made + [
        item(n, candidate_id=f"pub{n:03d}", left=pack[-1400:], right=pack[:950], heading=pack[:280], block=f"b{n}")
        for n, pack in enumerate(packs[::every])
    ]


class TestHostileTexts:
    """W1: 0 scripts, 0 off-site requests, text shown as text, no javascript: link, rel complete."""

    @pytest.mark.parametrize("every", [8, pytest.param(1, marks=pytest.mark.soak)])
    def test_task_pages_show_them_as_text(self, browser: Any, live: Live, store: Store, every: int) -> None:
        items = {made.candidate_id: made for made in hostile_items(every)}
        store.add_items(items.values(), now=datetime.now(UTC))
        page = browser.new_page(**PHONE)
        watch = Watch(page, live.url)
        begin(page, live)
        seen = set()
        for _ in range(len(items)):
            name = page.input_value("form.main input[name=item]")
            for way in ("put in place by the script", "loaded as a page"):
                if way == "loaded as a page":
                    page.reload()
                shown = page.evaluate("[...document.querySelectorAll('.context')].map(part => part.textContent).join('')")
                watch.check()
                assert shown.startswith(items[name].left.lstrip("\n")[:50])
                assert items[name].raw in shown
            seen.add(name)
            with page.expect_navigation(url="**/task"):
                page.click("button[value=unknown]")

        assert seen == set(items)
        page.context.close()

    def test_list_and_operator_pages_show_them_as_text(self, browser: Any, live: Live, store: Store) -> None:
        store.add_items(hostile_items()[:40], now=datetime.now(UTC))
        add_operator(store, "<b>anna</b>", "correct horse battery", now=datetime.now(UTC))
        page = browser.new_page()
        watch = Watch(page, live.url)
        begin(page, live)
        page.goto(f"{live.url}/list")
        watch.check()
        page.goto(f"{live.url}/operator/login")
        page.fill("#name", "<b>anna</b>")
        page.fill("#password", "correct horse battery")
        with page.expect_navigation():
            page.click("button.go")
        watch.check()
        for n in range(len(PAYLOADS)):
            page.goto(f"{live.url}/operator/item/own{n:03d}")
            watch.check()
        page.context.close()

    def test_hostile_queries_are_never_echoed(self, browser: Any, live: Live) -> None:
        page = browser.new_page()
        watch = Watch(page, live.url)
        for text in PAYLOADS[:12]:
            page.goto(f"{live.url}/instructions?q={text}#{text}")
            watch.check()
        page.context.close()


class TestOwnAssets:
    def test_every_page_loads_only_our_own_files(self, browser: Any, live: Live, store: Store) -> None:
        """W3."""
        store.add_items([item(n) for n in range(8)], now=datetime.now(UTC))
        page = browser.new_page()
        watch = Watch(page, live.url)
        begin(page, live)
        for path in ("/task", "/list", "/privacy", "/instructions"):
            page.goto(live.url + path)
            watch.check()

        assert {urlsplit(url).path for url in watch.requests if "/static/" in url} >= {"/static/app.css", "/static/keys.js"}
        page.context.close()


class TestAccessibility:
    def test_contrast_labels_and_focus(self, browser: Any, live: Live, store: Store) -> None:
        """WCAG 2.2 1.4.3 (4.5:1), 3.1.1, 2.4.7, 4.1.2 in light and dark colours."""
        long = "Rzymskokatolicka Parafia pod wezwaniem świętego Andrzeja Apostoła " * 3
        store.add_items([item(n, heading=long, right=f", {long}\n" * 9) for n in range(5)], now=datetime.now(UTC))
        for scheme in ("light", "dark"):
            page = browser.new_page(color_scheme=scheme, **PHONE)
            begin(page, live)
            for path in ("/task", "/list", "/instructions", "/privacy", "/practice", "/practice?answer=no"):
                page.goto(live.url + path)
                assert violations(page) == [], (scheme, path)
                low = page.evaluate(_LOW_CONTRAST)
                assert low == [], (scheme, path, low)
                assert page.evaluate("document.documentElement.lang") == "pl"
                assert page.evaluate(_UNNAMED) == []
                assert page.evaluate("document.querySelectorAll('h1').length") == 1
            page.goto(f"{live.url}/task")
            reached = []
            for _ in range(12):
                page.keyboard.press("Tab")
                reached.append(page.evaluate("document.activeElement.value || document.activeElement.tagName"))
                assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") != "none"
            assert {"yes", "no", "cancelled", "unknown"} <= set(reached)
            page.context.close()


_LOW_CONTRAST = """() => {
  const light = c => { const [r, g, b] = c.map(v => { v /= 255; return v <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4; });
                       return .2126 * r + .7152 * g + .0722 * b; };
  const parse = t => (t.match(/[\\d.]+/g) || []).map(Number);
  const ground = e => { for (; e; e = e.parentElement) { const c = parse(getComputedStyle(e).backgroundColor);
                        if (c.length === 3 || c[3] > .99) return c.slice(0, 3); } return [255, 255, 255]; };
  return [...document.querySelectorAll('main *, header *, footer *')].filter(e =>
      [...e.childNodes].some(n => n.nodeType === 3 && n.data.trim()) && e.getClientRects().length && !e.closest('.hidden'))
    .map(e => { const a = light(parse(getComputedStyle(e).color).slice(0, 3)), b = light(ground(e));
                return [(Math.max(a, b) + .05) / (Math.min(a, b) + .05), e.outerHTML.slice(0, 80)]; })
    .filter(([ratio]) => ratio < 4.5);
}"""
_UNNAMED = """() => [...document.querySelectorAll('button, a, input:not([type=hidden]), progress, select')]
  .filter(e => !(e.textContent.trim() || e.getAttribute('aria-label') || (e.labels && e.labels.length))).map(e => e.outerHTML)"""
