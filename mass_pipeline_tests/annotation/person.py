"""A scripted person at the pages of the annotation app.

A scripted person in a real browser, who reads all that is shown, each line once, at 250 words a minute, and needs 1.5 s for an
action: a tap, a key, a swipe where something stands out of sight. A thorough one also opens the earlier and the further text of
every question.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from playwright.sync_api import Error

from mass_pipeline.annotation.config import AnnotationConfig
from mass_pipeline.annotation.practice import practice_round
from mass_pipeline.annotation.web.pages import KEYS
from mass_pipeline_tests.annotation.browsing import Live

QUESTIONS: Final = 50
SIZES: Final = ((360, 740), (412, 780))
WORDS_PER_MINUTE: Final = 250.0
SECONDS_PER_ACTION: Final = 1.5
Way = Literal["touch", "keyboard"]


@dataclass(slots=True)
class Person:
    """Somebody at a page: acts as the browser counts it, reads each line once."""

    page: Any
    way: Way
    is_thorough: bool
    seen: set[str] = field(default_factory=set)
    actions: int = 0
    words: int = 0

    def seconds(self) -> float:
        """Time for all so far, the machine's own not counted."""
        return self.words / WORDS_PER_MINUTE * 60 + self.actions * SECONDS_PER_ACTION

    def read(self) -> None:
        """Every line of the page that was not read before; buttons, which stay the same, are read once too."""
        lines = self.page.evaluate("document.querySelector('main').innerText").splitlines()
        new = [line for line in dict.fromkeys(line.strip() for line in lines) if line and line not in self.seen]
        self.seen.update(new)
        self.words += sum(len(line.split()) for line in new)

    def look(self) -> bool:
        """Swipe until hour and answers are in sight; read. Returns whether the hour was in sight at once."""
        at_once = bool(self.page.evaluate(_IN_SIGHT))
        if not at_once:
            self.page.locator("#hour").scroll_into_view_if_needed()
            self.actions += 1
        self.read()
        if self.is_thorough:
            closed = self.page.locator("details:not([open]) summary")
            while closed.count():
                closed.first.click()
                self.actions += 1
        self.actions += self.page.evaluate(_SWIPES)
        self.read()
        return at_once

    def act(self, selector: str, key: str) -> None:
        """One tap or one key, and wait for what comes of it."""
        self.page.evaluate("window.before = document.querySelector('main')")
        if self.way == "touch":
            self.page.tap(selector)
        else:
            self.page.keyboard.press(key)
        self.actions += 1
        while not self._is_next():
            time.sleep(0.01)

    def _is_next(self) -> bool:
        # Asked from here: within the page, the app's own policy forbids the waiting of the browser's driver.
        with suppress(Error):  # a page that is just leaving cannot be asked
            return bool(
                self.page.evaluate("document.readyState === 'complete' && window.before !== document.querySelector('main')")
            )
        return False


# The hour between the upper edge and the answers, which stay at the lower edge.
_IN_SIGHT: Final = """() => {
  const mark = document.querySelector('#hour').getBoundingClientRect();
  const part = document.querySelector('#context').getBoundingClientRect();
  const answers = document.querySelector('.answers').getBoundingClientRect();
  return mark.top >= Math.max(0, part.top) - 1 && mark.bottom <= Math.min(answers.top, part.bottom) + 1
    && answers.bottom <= innerHeight + 1;
}"""
# Swipes until the last line of the excerpt has been in sight: what scrolls in itself, and the card under the answers.
_SWIPES: Final = """() => {
  const boxes = [...document.querySelectorAll('.context, .above')]
    .map(box => box.clientHeight ? (box.scrollHeight - box.clientHeight - 4) / box.clientHeight : 0);
  const answers = document.querySelector('.answers').getBoundingClientRect().top;
  boxes.push((document.querySelector('.card').getBoundingClientRect().bottom - 16 - answers) / answers);
  return boxes.reduce((sum, screens) => sum + Math.max(0, Math.ceil(screens)), 0);
}"""


@contextmanager
def opened(browser: Any, live: Live, size: tuple[int, int], way: Way) -> Iterator[Any]:
    """A phone, or a window of its size with a keyboard."""
    phone = way == "touch"
    viewport = {"width": size[0], "height": size[1]}
    context = browser.new_context(viewport=viewport, has_touch=phone, is_mobile=phone, locale="pl-PL")
    try:
        page = context.new_page()
        page.goto(f"{live.url}/task")
        yield page
    finally:
        context.close()


def train(person: Person) -> tuple[int, float, int]:
    """From the first page to the first question: actions, seconds, and seconds of them that the instructions take."""
    person.read()
    person.page.evaluate(
        "document.querySelector('button.go').focus()"
    )  # the keyboard's way to it is Tab; one action all the same
    person.act("button.go", "Enter")
    instructions = person.seconds()
    for one in practice_round()[: AnnotationConfig().practice_questions]:
        person.look()
        person.act(f"button[value={one.answer}]", KEYS[one.answer])
        person.read()
        person.act("button.go", "1")
    person.read()
    person.act("button.go", "1")
    return person.actions, person.seconds(), round(instructions)
