"""In a real browser: a walk on a phone, the marked hour in sight, hostile texts (W1), how one question follows another."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from mass_pipeline.annotation.config import AnnotationConfig
from mass_pipeline.annotation.items import Item, item_from_row, item_of_row
from mass_pipeline.annotation.operators import add_operator
from mass_pipeline.annotation.store import Store
from mass_pipeline.annotation.web.practice import practice_round
from mass_pipeline.annotation.web.tokens import VOTER_COOKIE, Signing
from mass_pipeline.reading.text.candidates import find_candidates
from mass_pipeline.reading.text.reader import read_document
from mass_pipeline_tests.annotation.browsing import NEEDS_BROWSER, PHONE, Live, Watch, begin, fast_store, screenshots, violations
from mass_pipeline_tests.annotation.real_rows import questions_of
from mass_pipeline_tests.annotation.support import SECRET, item
from mass_pipeline_tests.evaluation.written import SITES_FOLDER
from mass_pipeline_tests.shared import ROOT

ASKED = AnnotationConfig().practice_questions
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

    def test_list_and_operator_pages_and_queries_show_them_as_text(self, browser: Any, live: Live, store: Store) -> None:
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
        for text in PAYLOADS[:12]:
            page.goto(f"{live.url}/instructions?q={text}#{text}")
            watch.check()
        page.context.close()


class Walk:
    """Somebody on a phone who taps and reads each line once; on every page the same is asked for."""

    def __init__(self, page: Any, live: Live) -> None:
        self.page, self.watch, self.taps = page, Watch(page, live.url), 0
        self.lines: set[str] = set()

    def look(self) -> None:
        """Read. WCAG 2.2 AA by axe (contrast, names), one heading, nothing scrolls sideways."""
        self.lines.update(line.strip() for line in self.page.inner_text("main").splitlines())
        found = self.page.evaluate("[document.documentElement.scrollWidth, document.querySelectorAll('h1').length]")
        assert (found[0] <= self.page.viewport_size["width"], found[1]) == (True, 1), (self.page.url, found)
        assert violations(self.page) == [], self.page.url

    def tap(self, selector: str) -> None:
        with self.page.expect_navigation():
            self.page.tap(selector)
        self.taps += 1

    def seconds(self) -> float:
        """At 250 words a minute and 1.5 s for a tap."""
        return sum(len(line.split()) for line in self.lines) / 250 * 60 + 1.5 * self.taps


def is_in_sight(page: Any) -> bool:
    """Whether the marked hour stands between the upper edge and the answers."""
    mark, answers = page.locator("#hour").bounding_box(), page.locator(".answers").bounding_box()
    return bool(0 <= mark["y"] <= mark["y"] + mark["height"] <= answers["y"])


class TestPhone:
    @pytest.mark.parametrize(
        ("scheme", "width", "height", "language"),
        [
            ("light", 360, 740, "pl-PL"),
            ("dark", 360, 740, "pl-PL"),
            pytest.param("light", 412, 780, "en-GB", marks=pytest.mark.soak),
        ],
    )
    def test_a_walk_from_the_instructions_over_practice_answers_undo_and_a_report_to_the_privacy_page(
        self, browser: Any, live: Live, store: Store, tmp_path: Path, scheme: str, width: int, height: int, language: str
    ) -> None:
        """Two minutes to the first question, one tap an answer, buttons of 44 px, focus to be seen (W3: our own files alone)."""
        long = "Rzymskokatolicka Parafia pod wezwaniem świętego Andrzeja Apostoła " * 3
        new = [item(n, heading=long, left="Niedziela\n" * 30 + "x" * 200, right=f", {long}\n" * 9) for n in range(12)]
        store.add_items(new, now=datetime.now(UTC))
        size = {"width": width, "height": height}
        page = browser.new_page(**{**PHONE, "viewport": size, "locale": language}, color_scheme=scheme)
        walk, pictures = Walk(page, live), screenshots(tmp_path)
        page.goto(f"{live.url}/task")
        walk.look()
        page.screenshot(path=pictures / f"annotation-instructions-{scheme}-{width}.png", full_page=True)
        walk.tap("button.go")
        for number, one in enumerate(practice_round()[:ASKED]):
            assert is_in_sight(page)
            walk.look()
            walk.tap(f"button[value={one.answer if number else 'unknown'}]")
            assert page.is_visible(".note.good" if number else ".note.bad")
            walk.look()
            walk.tap("button.go")
        assert page.locator("main [role=status]").inner_text().count(str(ASKED - 1)) == 1
        walk.look()
        walk.tap("button.go")
        most = 120 if language == "pl-PL" else 150
        assert (walk.taps, 60 < walk.seconds() <= most) == (2 + 2 * ASKED, True), walk.seconds()
        boxes = page.evaluate("() => [...document.querySelectorAll('main button')].map(b => b.getBoundingClientRect().toJSON())")
        assert (len(boxes), min(box["height"] for box in boxes) >= 44, max(box["bottom"] for box in boxes) <= height) == (
            5,
            True,
            True,
        )
        reached = set()
        for _ in range(12):
            page.keyboard.press("Tab")
            reached.add(page.evaluate("document.activeElement.value || document.activeElement.tagName"))
            assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") != "none"
        assert {"yes", "no", "cancelled", "unknown"} <= reached
        for word in ("yes", "no", "cancelled", "unknown"):
            walk.look()
            walk.tap(f"button[value={word}]")
        walk.tap("form[action='/undo'] button")
        page.screenshot(path=pictures / f"annotation-task-{scheme}-{width}.png")
        walk.tap(".answers a[href^='/report']")
        walk.look()
        page.tap("input[value=unreadable]")
        page.fill("#comment", "pusta strona")
        walk.tap("button.go")
        assert page.url.endswith("/reported")
        for path in ("/reported", "/list", "/privacy", "/instructions"):
            page.goto(live.url + path)
            walk.look()
        walk.watch.check()

        assert page.evaluate("document.documentElement.lang") == language[:2]
        assert sorted(store.votes()["answer"]) == ["cancelled", "no", "unknown", "yes"]
        assert {urlsplit(url).path for url in walk.watch.requests if "/static/" in url} >= {"/static/app.css", "/static/keys.js"}
        page.context.close()

    @pytest.mark.parametrize(
        ("width", "height", "with_script", "questions"),
        [
            (360, 740, True, 30),
            *(
                pytest.param(width, height, script, 60, marks=pytest.mark.soak)
                for width, height in ((360, 740), (412, 780))
                for script in (True, False)
            ),
        ],
    )
    def test_the_marked_hour_stands_in_sight_in_every_question(
        self, browser: Any, live: Live, store: Store, tmp_path: Path, width: int, height: int, with_script: bool, questions: int
    ) -> None:
        """It did in 0 of 25. Rows that the reader finds on written sites, of long quotes; then hours of pages with headings."""
        files = sorted(SITES_FOLDER.rglob("*.html"))
        sites = {f"p{n}": [(f"https://site.example/{path.name}", path.read_bytes())] for n, path in enumerate(files[:20])}
        long = "Zapraszamy wszystkich parafian i gości na wspólną modlitwę w naszym kościele " * 4 + "w niedzielę"
        rows = [replace(one, quote=f"{long} / {one.quote}", heading=long) for one in questions_of(sites, tmp_path)][:12]
        pages = [read_document(path.read_bytes(), url=path.name) for path in files]
        hours = [hour for page in pages for hour in find_candidates(page, parish_id="p", page_score=1.0, readings={})]
        chosen = list({hour.candidate_id: hour for hour in hours}.values())[:: len(hours) // 60]
        store.add_items([*map(item_of_row, rows), *(item_from_row(asdict(hour)) for hour in chosen)], now=datetime.now(UTC))
        size = {"width": width, "height": height}
        context = browser.new_context(**{**PHONE, "viewport": size, "java_script_enabled": with_script})
        page = context.new_page()
        begin(page, live)
        unseen = []
        for number in range(questions):
            if not is_in_sight(page):
                unseen.append(page.inner_text("#context"))
            if with_script and number < len(rows):
                assert page.evaluate("document.documentElement.scrollWidth") <= width
                assert violations(page) == []
            question = page.input_value("form.main input[name=item]")
            page.tap("button[value=yes]")
            page.wait_for_selector(f"form.main input[name=item]:not([value='{question}'])", state="attached")

        assert (unseen, len(rows)) == ([], 12)
        context.close()

    def test_everything_works_without_javascript(self, browser: Any, live: Live, store: Store) -> None:
        store.add_items([item(n) for n in range(5)], now=datetime.now(UTC))
        context = browser.new_context(java_script_enabled=False, **PHONE)
        page = context.new_page()
        begin(page, live)
        for button in ("button[value=yes]", "text=Cofnij", "text=Przywróć odpowiedź", "button[value=no]"):
            with page.expect_navigation(url="**/task"):
                page.click(button)

        assert sorted(store.votes()["answer"]) == ["no", "yes"]
        context.close()


class TestNextQuestion:
    """The script puts the next question in place of the last; where that fails, the browser goes on as without a script."""

    def _begin(self, browser: Any, live: Live, store: Store, items: int = 5, on_vote: Any = None) -> Any:
        store.add_items([item(n, left=f"Porządek {n}: ") for n in range(items)], now=datetime.now(UTC))
        page = browser.new_page(viewport={"width": 1024, "height": 700}, locale="en-GB")
        if on_vote:  # before the first page: a request that follows at once may slip past it
            page.route("**/vote", on_vote)
        begin(page, live)
        page.evaluate("window.loadedOnce = true")
        return page

    def _question(self, page: Any) -> str:
        found: str = page.input_value("form.main input[name=item]")
        return found

    def test_by_keyboard_with_undo(self, browser: Any, live: Live, store: Store, tmp_path: Path) -> None:
        page = self._begin(browser, live, store, items=30)
        watch = Watch(page, live.url)
        for number in range(8):
            with page.expect_navigation(url="**/task"):
                page.keyboard.press("1230"[number % 4])
        for _ in range(3):
            with page.expect_navigation(url="**/task"):
                page.keyboard.press("Backspace")
        page.screenshot(path=screenshots(tmp_path) / "annotation-keyboard.png")
        watch.check()

        assert store.votes()["answer"].value_counts().to_dict() == {"yes": 2, "no": 1, "cancelled": 1, "unknown": 1}
        page.context.close()

    def test_it_comes_without_a_new_page_and_is_announced(self, browser: Any, live: Live, store: Store) -> None:
        """Focus is where reading begins, and what a screen reader is told is the new text."""
        page = self._begin(browser, live, store)
        first, steps = self._question(page), page.evaluate("history.length")
        token = page.input_value("form.main input[name=token]")
        page.keyboard.press("1")
        page.wait_for_function("first => document.querySelector('form.main input[name=item]').value !== first", arg=first)

        assert page.evaluate("window.loadedOnce") is True
        assert page.evaluate("document.activeElement.tagName") == "H1"
        assert page.text_content("#said").strip() == page.text_content("#context").strip()
        assert page.input_value("form.main input[name=token]") != token
        assert page.evaluate("[document.querySelectorAll('h1').length, document.querySelectorAll('main').length]") == [1, 1]
        assert page.evaluate("history.length") == steps + 1
        page.context.close()

    def test_undo_shows_and_tells_the_earlier_answer(self, browser: Any, live: Live, store: Store) -> None:
        page = self._begin(browser, live, store)
        first = self._question(page)
        for key in ("2", "Backspace"):
            with page.expect_navigation(url="**/task"):
                page.keyboard.press(key)

        assert self._question(page) == first
        assert page.text_content("#said").startswith(page.text_content("main .note"))
        assert page.evaluate("window.loadedOnce") is True
        page.context.close()

    def test_a_second_press_meanwhile_answers_nothing(self, browser: Any, live: Live, store: Store) -> None:
        page = self._begin(browser, live, store)
        waiting: list[Any] = []
        page.route("**/vote", lambda route: waiting.append(route))
        with page.expect_request("**/vote"):
            page.keyboard.press("1")
        for key in "22":
            page.keyboard.press(key)
        with page.expect_navigation(url="**/task"):
            waiting[0].continue_()

        assert len(waiting) == 1
        assert store.votes()["answer"].tolist() == ["yes"]
        page.context.close()

    def test_after_the_last_one_the_end_is_shown_and_can_be_undone(self, browser: Any, live: Live, store: Store) -> None:
        page = self._begin(browser, live, store, items=1)
        for key, heading in (("1", "That is all for now"), ("Backspace", "Is the marked hour the start of a Mass?")):
            with page.expect_navigation(url="**/task"):
                page.keyboard.press(key)
            assert page.text_content("h1") == heading
        assert page.evaluate("window.loadedOnce") is True
        page.keyboard.press("1")
        page.wait_for_selector("text=That is all for now")
        page.goto(f"{live.url}/list")
        page.keyboard.press("Backspace")
        page.wait_for_url("**/task")
        assert page.text_content("h1") == "Is the marked hour the start of a Mass?"
        page.context.close()

    def test_going_back_shows_the_question_that_is_open(self, browser: Any, live: Live, store: Store) -> None:
        """As many steps as answers, each of them the present question; then what was before."""
        page = self._begin(browser, live, store)
        for key in "12":
            with page.expect_navigation(url="**/task"):
                page.keyboard.press(key)
        open_one = self._question(page)
        for _ in range(2):
            page.go_back()
            assert (page.url, self._question(page)) == (f"{live.url}/task", open_one)
        page.go_back()
        page.wait_for_url("**/practice")
        page.context.close()

    def test_a_session_that_ended_is_told_by_the_page_of_the_server(self, browser: Any, live: Live, store: Store) -> None:
        page = self._begin(browser, live, store)
        page.context.clear_cookies()
        with page.expect_navigation(url="**/vote") as answer:
            page.keyboard.press("1")

        assert answer.value.status == 403
        assert page.is_visible("text=out of date or not yours")
        assert page.evaluate("window.loadedOnce") is None
        assert store.votes().empty
        page.context.close()

    @pytest.mark.parametrize("trouble", ["no network", "broken gateway", "not our page"])
    def test_what_went_wrong_on_the_way_ends_in_a_full_page(self, browser: Any, live: Live, store: Store, trouble: str) -> None:
        ways = {
            "no network": lambda route: route.abort(),
            "broken gateway": lambda route: route.fulfill(status=502, body="<h1>Bad gateway</h1>", content_type="text/html"),
            "not our page": lambda route: route.fulfill(body="<h1>Log in to this network</h1>", content_type="text/html"),
        }
        page = self._begin(browser, live, store, on_vote=ways[trouble])
        first = self._question(page)
        with page.expect_event("load"):  # the address alone changes before
            page.keyboard.press("1")

        assert page.evaluate("window.loadedOnce") is None
        assert page.url.endswith("/task")
        assert self._question(page) == first
        page.unroute("**/vote")
        with page.expect_navigation(url="**/task"):
            page.keyboard.press("1")
        assert store.votes()["answer"].tolist() == ["yes"]
        page.context.close()

    def test_instructions_that_are_due_come_as_their_own_page(self, browser: Any, live: Live, store: Store) -> None:
        page = self._begin(browser, live, store)
        (cookie,) = [c for c in page.context.cookies() if c["name"] == VOTER_COOKIE]
        voter = Signing(SECRET).read_voter(cookie["value"], now=datetime.now(UTC), life=timedelta(days=1))
        assert voter is not None
        earlier = Signing(SECRET).voter_cookie(replace(voter, instructed_at=datetime.now(UTC) - timedelta(days=3)))
        page.context.add_cookies([cookie | {"value": earlier}])
        page.keyboard.press("1")
        page.wait_for_url("**/instructions")

        assert store.votes()["answer"].tolist() == ["yes"]
        page.context.close()
