"""What an answer costs a volunteer: actions and seconds of fifty real hours or rows and of the practice, by touch and keyboard.

    python -m mass_pipeline_tests.benchmarks.annotation_actions [--rows] [--screenshots FOLDER]

A scripted person in a real browser, who reads all that is shown, each line once, at 250 words a minute, and needs 1.5 s for an
action: a tap, a key, a swipe where something stands out of sight. A thorough one also opens the earlier and the further text of
every question. Needs ../shared/gold and chromium.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, Literal

from playwright.sync_api import Error

from mass_pipeline.annotation.config import AnnotationConfig
from mass_pipeline.annotation.items import Item, item_from_row, item_of_row
from mass_pipeline.annotation.practice import practice_round
from mass_pipeline.annotation.web.pages import KEYS
from mass_pipeline_tests.annotation.browsing import Live, chromium, fast_store, violations
from mass_pipeline_tests.annotation.real_rows import gold_sites, questions_of
from mass_pipeline_tests.benchmarks.active_learning import labelled_hours
from mass_pipeline_tests.evaluation.sets import GOLD

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


def train(person: Person, shots: Path | None) -> tuple[int, float, int]:
    """From the first page to the first question: actions, seconds, and seconds of them that the instructions take."""
    person.read()
    _picture(person.page, shots, "instructions")
    person.page.evaluate(
        "document.querySelector('button.go').focus()"
    )  # the keyboard's way to it is Tab; one action all the same
    person.act("button.go", "Enter")
    instructions = person.seconds()
    for number, one in enumerate(practice_round()[: AnnotationConfig().practice_questions]):
        person.look()
        _picture(person.page, shots, f"practice-{number + 1}")
        person.act(f"button[value={one.answer}]", KEYS[one.answer])
        person.read()
        _picture(person.page, shots, f"practice-{number + 1}-told")
        person.act("button.go", "1")
    person.read()
    _picture(person.page, shots, "practice-end")
    person.act("button.go", "1")
    return person.actions, person.seconds(), round(instructions)


def answer(person: Person, labels: dict[str, str], shots: Path | None) -> dict[str, list[float]]:
    """Per question: whether the hour was in sight, actions, seconds, and what axe finds."""
    found: dict[str, list[float]] = {"in_sight": [], "actions": [], "seconds": [], "axe": []}
    for number in range(QUESTIONS):
        actions, seconds = person.actions, person.seconds()
        found["in_sight"].append(person.look())
        found["axe"].append(len(violations(person.page)))
        _picture(person.page, shots, f"question-{number + 1:02}")
        word = labels[person.page.input_value("form.main input[name=item]")]
        person.act(f"button[value={word}]", KEYS[word])
        found["actions"].append(person.actions - actions)
        found["seconds"].append(person.seconds() - seconds)
    return found


def _picture(page: Any, folder: Path | None, name: str) -> None:
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
        page.screenshot(path=folder / f"{name}.png")


def hours_of(rows: Any) -> tuple[list[Item], dict[str, str]]:
    """Fifty labelled hours, the first of every site, then the second; and the answer to each."""
    turn = rows.groupby("parish_id").cumcount().sort_values(kind="stable")
    chosen = rows.loc[turn.index].head(QUESTIONS).to_dict("records")
    return [item_from_row(row) for row in chosen], {
        str(row["candidate_id"]): "yes" if row["label"] == "mass" else "no" for row in chosen
    }


def rows_of_sites() -> tuple[list[Item], dict[str, str]]:
    """Fifty rows of real sites, and an answer to each: which one costs the same."""
    with tempfile.TemporaryDirectory() as folder:
        chosen = list(questions_of(gold_sites(40), Path(folder)))[:QUESTIONS]
    return [item_of_row(one) for one in chosen], {one.row_id: "yes" for one in chosen}


def measure(
    browser: Any,
    asked: tuple[list[Item], dict[str, str]],
    size: tuple[int, int],
    way: Way,
    is_thorough: bool,
    shots: Path | None,
) -> None:
    """Print the two lines of one way."""
    with tempfile.TemporaryDirectory() as folder:
        store = fast_store(Path(folder))
        store.add_items(asked[0], now=datetime.now(UTC))
        live = Live(store)
        try:
            with opened(browser, live, size, way) as page:
                person = Person(page, way, is_thorough)
                trained = train(person, shots)
                found = answer(person, asked[1], shots)
        finally:
            live.stop()
            store.close()
    who = f"{size[0]}x{size[1]} {way:8} {'thorough' if is_thorough else 'plain':8}"
    print(f"{who} training: {trained[0]} actions, {trained[1]:.0f} s, of these instructions {trained[2]} s")
    print(
        f"{who} {QUESTIONS} questions: {sum(found['in_sight']):.0f} in sight at once; actions an answer: median "
        f"{statistics.median(found['actions']):g}, most {max(found['actions']):g}; seconds: median "
        f"{statistics.median(found['seconds']):.1f}, most {max(found['seconds']):.0f}; axe: {sum(found['axe']):.0f}",
        flush=True,
    )


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--screenshots", type=Path, help="keep a picture of every page here, a folder for each way")
    parser.add_argument("--rows", action="store_true", help="ask about rows of schedules instead of hours")
    parser.add_argument("--quick", action="store_true", help="the smaller phone, plain, by touch alone")
    arguments = parser.parse_args()
    if not GOLD.is_dir():
        print(f"needs {GOLD}; nothing measured")
        return
    asked = rows_of_sites() if arguments.rows else hours_of(labelled_hours())
    ways: tuple[Way, ...] = ("touch", "keyboard")
    with chromium() as browser:
        for size in SIZES[:1] if arguments.quick else SIZES:
            for way in ways[:1] if arguments.quick else ways:
                for is_thorough in (False,) if arguments.quick else (False, True):
                    name = f"{size[0]}-{way}-{'thorough' if is_thorough else 'plain'}"
                    shots = arguments.screenshots / name if arguments.screenshots else None
                    measure(browser, asked, size, way, is_thorough, shots)


if __name__ == "__main__":
    main()
