"""Compose pages from the phrase book, with the kind of every hour on them.

The n-th page depends on the seed and n alone. Belongs: choosing, filling in, marking up. Not here: reading the pages back
(hours of `corpus`).
"""

from __future__ import annotations

import html
import random
import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Final, Literal

Kind = Literal["m", "d", "x", "n"]
_TOKEN: Final = re.compile(r"\{([mdxn])([*-]?)\}")
_SLOT: Final = re.compile(r"<(\w+)>")
_CHOICE: Final = re.compile(r"\[([^\[\]]*\|[^\[\]]*)\]")
_SECTIONS: Final = ("standing", "other", "dated", "cancelled", "filler")
# How pages differ: sections drawn and how many groups of each (least, most).
_MIXES: Final[tuple[Mapping[str, tuple[int, int]], ...]] = (
    {"standing": (1, 2), "other": (1, 3), "filler": (1, 2)},
    {"standing": (1, 3), "other": (0, 2), "filler": (0, 2)},
    {"standing": (1, 1), "dated": (1, 2), "other": (1, 2), "cancelled": (0, 1), "filler": (0, 1)},
    {"dated": (1, 3), "other": (1, 2), "cancelled": (0, 1), "filler": (0, 1)},
    {"other": (2, 5), "filler": (0, 2), "dated": (0, 1)},
)
_JOINS: Final = (", ", ", ", ", ", "; ", " ", " i ", " / ", ", godz. ", " · ", " | ")
_RISING_SHARE: Final = 0.85  # of the lines
_STYLES: Final = (":", ":", ":", ".", ".", ".")


@dataclass(frozen=True, slots=True)
class Page:
    """A composed page.

    Attributes:
        markup: HTML.
        hours: (HH:MM, kind) in reading order.
    """

    markup: str
    hours: tuple[tuple[str, Kind], ...]


@dataclass(frozen=True, slots=True)
class _Group:
    heading: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Book:
    hours: Mapping[str, Sequence[str]]
    slots: Mapping[str, Sequence[str]]
    groups: Mapping[str, Sequence[_Group]]


@cache
def _book() -> _Book:
    data = tomllib.loads(resources.files(__package__).joinpath("phrases.toml").read_text(encoding="utf-8"))
    groups = {name: [_Group(g["heading"], tuple(g["lines"])) for g in data[name]] for name in _SECTIONS}
    hours = {kind: text.split() for kind, text in data["hours"].items()}
    return _Book(hours, data["slots"], groups)


def compose_page(number: int, seed: int) -> Page:
    """The page of that number: two to eight groups in one of several layouts, hours written in one style.

    >>> compose_page(3, 1) == compose_page(3, 1)
    True
    """
    chance = random.Random(f"{seed}/{number}")  # a text seeds the same everywhere
    writer = _Writer(chance)
    groups = []
    for section, (least, most) in chance.choice(_MIXES).items():
        known = _book().groups[section]
        groups += chance.sample(known, min(len(known), chance.randint(least, most)))
    chance.shuffle(groups)
    return Page(_page(groups, chance, writer), tuple(writer.hours))


class _Writer:
    """Fills in one page and remembers its hours in order."""

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance
        self._style = chance.choice(_STYLES)
        self._join = chance.choice(_JOINS)
        self._padded = chance.random() < 0.15
        self._plain = chance.random() < 0.08  # a page without Polish letters
        self._drawn: dict[str, list[str]] = {}
        self.hours: list[tuple[str, Kind]] = []

    def fill(self, template: str) -> str:
        """The line in words; hours are noted as they are written."""
        text = template
        while _CHOICE.search(text):
            text = _CHOICE.sub(lambda m: self._chance.choice(m[1].split("|")), text)
        while _SLOT.search(text):
            text = _SLOT.sub(lambda m: self._chance.choice(_book().slots[m[1]]), text)
        self._drawn = {kind: self._draw(kind, len(re.findall(rf"\{{{kind}\}}", text))) for kind in _book().hours}
        text = _TOKEN.sub(self._token, text)
        return text.translate(_WITHOUT_ACCENTS) if self._plain else text

    def _token(self, match: re.Match[str]) -> str:
        kind: Kind = match[1]  # type: ignore[assignment]
        if match[2] == "*":
            hours = sorted(self._chance.sample(_book().hours[kind], self._chance.randint(1, 6)), key=_minutes)
            return self._join.join(self._written(hour, kind) for hour in dict.fromkeys(hours))
        if match[2] == "-":
            first, last = sorted(self._chance.sample(sorted(set(_book().hours[kind]), key=_minutes), 2), key=_minutes)
            return self._written(first, kind) + self._chance.choice(("-", "–", " - ", " – ", " do ")) + self._written(last, kind)
        return self._written(self._drawn[kind].pop(0), kind)

    def _draw(self, kind: str, count: int) -> list[str]:
        """Hours of one line: they rise, as people write them, unless seasons or places stand side by side."""
        hours = [self._chance.choice(_book().hours[kind]) for _ in range(count)]
        return sorted(hours, key=_minutes) if self._chance.random() < _RISING_SHARE else hours

    def _written(self, hour: str, kind: Kind) -> str:
        hours, minutes = hour.split(":")
        self.hours.append((f"{int(hours):02}:{minutes}", kind))
        return f"{int(hours):02}{self._style}{minutes}" if self._padded else f"{hours}{self._style}{minutes}"


_WITHOUT_ACCENTS: Final = str.maketrans("ąćęłńóśźżĄĆĘŁŃÓŚŹŻ", "acelnoszzACELNOSZZ")


def _minutes(hour: str) -> int:
    hours, minutes = hour.split(":")
    return 60 * int(hours) + int(minutes)


def _page(groups: Sequence[_Group], chance: random.Random, writer: _Writer) -> str:
    level = chance.choice(("h2", "h3", "h4", "b", "p"))
    layout = chance.choice((_paragraphs, _breaks, _bullets, _one_paragraph, _rows))
    parts = ["<html><body>"]
    wrap = chance.choice(("div", "section", "aside", "footer", "div", "div"))
    for group in groups:
        heading = html.escape(writer.fill(group.heading))
        if heading:
            parts.append(f"<p><b>{heading}</b></p>" if level == "b" else f"<{level}>{heading}</{level}>")
        parts.append(f"<{wrap}>{layout([html.escape(writer.fill(line)) for line in group.lines])}</{wrap}>")
    return "\n".join([*parts, "</body></html>"])


Layout = Callable[[Sequence[str]], str]


def _paragraphs(lines: Sequence[str]) -> str:
    return "".join(f"<p>{line}</p>" for line in lines)


def _breaks(lines: Sequence[str]) -> str:
    return f"<p>{'<br>'.join(lines)}</p>"


def _bullets(lines: Sequence[str]) -> str:
    return f"<ul>{''.join(f'<li>{line}</li>' for line in lines)}</ul>"


def _one_paragraph(lines: Sequence[str]) -> str:
    return f"<p>{' '.join(lines)}</p>"


def _rows(lines: Sequence[str]) -> str:
    cells = ("".join(f"<td>{cell}</td>" for cell in re.split(r": | \| ", line, maxsplit=1)) for line in lines)
    return f"<table>{''.join(f'<tr>{row}</tr>' for row in cells)}</table>"
