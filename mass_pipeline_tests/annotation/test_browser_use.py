"""In a real browser: answering 50 items by keyboard and by touch at 360 px, and how one question follows another."""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterator
from dataclasses import asdict, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from mass_pipeline.annotation.config import AnnotationConfig
from mass_pipeline.annotation.items import item_from_row, item_of_row
from mass_pipeline.annotation.practice import practice_round
from mass_pipeline.annotation.store import Store
from mass_pipeline.annotation.web.tokens import VOTER_COOKIE, Signing
from mass_pipeline.reading.text.candidates import find_candidates
from mass_pipeline.reading.text.reader import read_document
from mass_pipeline_tests.annotation.browsing import NEEDS_BROWSER, PHONE, Live, Watch, begin, fast_store, screenshots, violations
from mass_pipeline_tests.annotation.person import Person, opened, train
from mass_pipeline_tests.annotation.real_rows import questions_of
from mass_pipeline_tests.annotation.support import SECRET, item
from mass_pipeline_tests.evaluation.written import SITES_FOLDER

GROSS_MS = 600.0  # the aim depends on the machine and its moment: a test tells a gross slowness only
ASKED = AnnotationConfig().practice_questions
pytestmark = NEEDS_BROWSER


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = fast_store(tmp_path)
    yield opened
    opened.close()


class TestUsability:
    """Issue 6: 50 items by keyboard and by touch at 360 px; prints the median time from press to next item (aim: 100 ms)."""

    def _answer_fifty(self, page: Any, act: Any) -> list[float]:
        """Milliseconds from each press, as the browser dates it, until the next question is painted."""
        times = []
        for number in range(50):
            before = page.input_value("form.main input[name=item]")
            page.evaluate(_NOTE_PRESS)
            act(number)
            times.append(page.evaluate("shown"))
            assert page.input_value("form.main input[name=item]") != before
        return times

    def test_by_keyboard_with_undo(self, browser: Any, live: Live, store: Store, tmp_path: Path) -> None:
        store.add_items([item(n) for n in range(60)], now=datetime.now(UTC))
        page = browser.new_page(viewport={"width": 1024, "height": 700}, locale="en-GB")
        watch = Watch(page, live.url)
        begin(page, live)
        times = self._answer_fifty(page, lambda number: page.keyboard.press("1230"[number % 4]))
        for _ in range(3):
            with page.expect_navigation(url="**/task"):
                page.keyboard.press("Backspace")
        page.screenshot(path=screenshots(tmp_path) / "annotation-keyboard.png")
        watch.check()
        print(f"keyboard: median {statistics.median(times):.0f} ms, maximum {max(times):.0f} ms")

        assert store.votes()["answer"].value_counts().to_dict() == {"yes": 12, "no": 12, "cancelled": 12, "unknown": 11}
        assert statistics.median(times) <= GROSS_MS
        page.context.close()

    def test_by_touch_on_a_phone(self, browser: Any, live: Live, store: Store, tmp_path: Path) -> None:
        store.add_items([item(n) for n in range(60)], now=datetime.now(UTC))
        page = browser.new_page(**PHONE)
        watch = Watch(page, live.url)
        page.goto(f"{live.url}/task")
        page.screenshot(path=screenshots(tmp_path) / "annotation-phone-instructions.png", full_page=True)
        page.tap("button.go")
        page.wait_for_url("**/practice")
        page.tap("footer a[href='/task']")
        page.wait_for_url("**/task")
        words = ["yes", "no", "cancelled", "unknown"]
        times = self._answer_fifty(page, lambda number: page.tap(f"button[value={words[number % 4]}]"))
        page.screenshot(path=screenshots(tmp_path) / "annotation-phone-task.png")
        watch.check()
        print(f"touch: median {statistics.median(times):.0f} ms, maximum {max(times):.0f} ms")

        assert len(store.votes()) == 50
        assert statistics.median(times) <= GROSS_MS
        page.context.close()

    def test_the_phone_page_fits_and_its_buttons_are_large_enough(self, browser: Any, live: Live, store: Store) -> None:
        """WCAG 2.2 2.5.8 asks for 24 px; ours are 44 px and more, and nothing scrolls sideways."""
        store.add_items([item(n, left="Niedziela\n" * 30 + "x" * 200) for n in range(5)], now=datetime.now(UTC))
        page = browser.new_page(**PHONE)
        begin(page, live)
        for path in ("/task", "/list", "/privacy", "/instructions"):
            page.goto(live.url + path)
            assert page.evaluate("document.documentElement.scrollWidth") <= 360, path
        page.goto(f"{live.url}/task")
        boxes = page.evaluate("() => [...document.querySelectorAll('main button')].map(b => b.getBoundingClientRect().toJSON())")

        assert len(boxes) == 5
        assert min(box["height"] for box in boxes) >= 44
        assert max(box["bottom"] for box in boxes) <= 740
        page.context.close()

    @pytest.mark.parametrize(
        ("width", "height", "with_script", "questions"),
        [
            (360, 740, True, 30),
            pytest.param(412, 780, False, 12, marks=pytest.mark.soak),
            *(
                pytest.param(width, height, script, 50, marks=pytest.mark.soak)
                for width, height in ((360, 740), (412, 780))
                for script in (True, False)
            ),
        ],
    )
    def test_the_marked_hour_stands_in_sight_in_every_question(
        self, browser: Any, live: Live, store: Store, width: int, height: int, with_script: bool, questions: int
    ) -> None:
        """It did in 0 of 25: lines of menus came first. Fifty hours of pages, with their headings and day words."""
        pages = [read_document(path.read_bytes(), url=path.name) for path in sorted(SITES_FOLDER.rglob("*.html"))]
        hours = [hour for page in pages for hour in find_candidates(page, parish_id="p", page_score=1.0, readings={})]
        chosen = list({hour.candidate_id: hour for hour in hours}.values())[:: len(hours) // 60]
        store.add_items([item_from_row(asdict(hour)) for hour in chosen], now=datetime.now(UTC))
        size = {"width": width, "height": height}
        context = browser.new_context(**{**PHONE, "viewport": size, "java_script_enabled": with_script})
        page = context.new_page()
        begin(page, live)
        unseen = []
        for _ in range(questions):
            mark = page.locator("#hour").bounding_box()
            answers = page.locator(".answers").bounding_box()
            if not 0 <= mark["y"] <= mark["y"] + mark["height"] <= answers["y"]:
                unseen.append((mark, answers["y"], page.locator("#context").inner_text()))
            question = page.input_value("form.main input[name=item]")
            page.tap("button[value=yes]")
            page.wait_for_selector(f"form.main input[name=item]:not([value='{question}'])", state="attached")

        assert unseen == []
        context.close()

    def test_a_row_is_answered_with_one_tap_and_the_hour_stands_in_sight(
        self, browser: Any, live: Live, store: Store, tmp_path: Path
    ) -> None:
        """Rows that the reader finds on written sites, whose quotes are long; axe finds nothing in any of them."""
        pages = [(f"https://site.example/{path.name}", path.read_bytes()) for path in sorted(SITES_FOLDER.rglob("*.html"))]
        sites = {f"p{number}": [page] for number, page in enumerate(pages[:20])}
        asked = list(questions_of(sites, tmp_path))[:12]
        long = "Zapraszamy wszystkich parafian i gości na wspólną modlitwę w naszym kościele " * 4 + "w niedzielę"
        asked = [replace(one, quote=f"{long} / {one.quote}", heading=long) for one in asked]
        store.add_items([item_of_row(one) for one in asked], now=datetime.now(UTC))
        page = browser.new_page(**PHONE)
        begin(page, live)
        unseen, faults = 0, 0
        for number in range(len(asked)):
            mark, answers = page.locator("#hour").bounding_box(), page.locator(".answers").bounding_box()
            unseen += not 0 <= mark["y"] <= mark["y"] + mark["height"] <= answers["y"]
            faults += len(violations(page))
            assert page.evaluate("document.documentElement.scrollWidth") <= 360
            page.tap(f"button[value={('yes', 'other', 'not_this_parish', 'no_mass', 'cannot_tell')[number % 5]}]")
            wait_for_votes(store, number + 1)
            page.goto(f"{live.url}/task")

        assert len(asked) >= 10
        assert (unseen, faults) == (0, 0)
        page.context.close()

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


def wait_for_votes(store: Store, wanted: int) -> None:
    """Until so many answers are stored."""
    while len(store.votes()) < wanted:
        time.sleep(0.01)


class TestPractice:
    """Issue 18: the practice is done in two minutes, answered in one action a question, and readable for all."""

    def test_from_the_first_page_to_the_first_question_it_takes_two_minutes(self, browser: Any, live: Live, store: Store) -> None:
        """Of a person who reads each line once, at 250 words a minute, and needs 1.5 s for a tap (instructions included)."""
        store.add_items([item(n) for n in range(5)], now=datetime.now(UTC))
        with opened(browser, live, (360, 740), "touch") as page:
            person = Person(page, "touch", is_thorough=False)
            actions, seconds, _ = train(person)

            assert page.url.rstrip("?").endswith("/task")
        assert actions == 2 + 2 * ASKED
        assert 60 < seconds <= 120

    @pytest.mark.parametrize(
        ("width", "height", "language"), [(360, 740, "pl-PL"), pytest.param(412, 780, "en-GB", marks=pytest.mark.soak)]
    )
    def test_the_round_and_a_report_by_touch(
        self, browser: Any, live: Live, store: Store, tmp_path: Path, width: int, height: int, language: str
    ) -> None:
        store.add_items([item(n) for n in range(5)], now=datetime.now(UTC))
        page = browser.new_page(**{**PHONE, "viewport": {"width": width, "height": height}, "locale": language})
        watch, taps = Watch(page, live.url), 0
        begin(page, live)
        page.goto(f"{live.url}/practice")
        for number, one in enumerate(practice_round()[:ASKED]):
            mark, answers = page.locator("#hour").bounding_box(), page.locator(".answers").bounding_box()
            assert 0 <= mark["y"] <= mark["y"] + mark["height"] <= answers["y"]
            with page.expect_navigation():
                page.tap(f"button[value={one.answer if number else 'unknown'}]")
            assert page.is_visible(".note.good" if number else ".note.bad")
            if number < 2:
                page.screenshot(path=screenshots(tmp_path) / f"annotation-practice-{width}-{number}.png")
                assert violations(page) == []
            with page.expect_navigation():
                page.tap("button.go")
            taps += 2
        assert page.locator("main [role=status]").inner_text().count("6") == 1
        assert taps / ASKED <= 2
        page.tap("button.go")
        page.wait_for_url("**/task?")
        page.tap(".answers a[href^='/report']")
        page.wait_for_url("**/report?**")
        assert violations(page) == []
        page.tap("input[value=unreadable]")
        page.fill("#comment", "pusta strona")
        page.screenshot(path=screenshots(tmp_path) / f"annotation-report-{width}.png", full_page=True)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        page.tap("button.go")
        page.wait_for_url("**/reported")
        watch.check()
        page.context.close()


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


# Element timing dates the paint of the new question as the browser dates the press: neither waits for this test.
_NOTE_PRESS = """() => {
  let pressed;
  for (const kind of ['keydown', 'pointerdown'])
    addEventListener(kind, event => { pressed ??= event.timeStamp; }, { capture: true, once: true });
  new MutationObserver((_, observer) => { observer.disconnect(); document.getElementById('context').elementTiming = 'next'; })
    .observe(document.body, { childList: true });
  window.shown = new Promise(resolve => new PerformanceObserver((list, observer) => {
    observer.disconnect(); resolve(list.getEntries()[0].renderTime - pressed);
  }).observe({ type: 'element' }));
}"""
