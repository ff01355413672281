"""Announcements and intentions of single weeks, composed from the parish's own hours and the sentences of data/demo/common.

Each announcement is labelled: relevant when it tells something about Masses and services (hours, changes, feasts).
"""

from __future__ import annotations

import random
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path
from string import Template
from typing import Final

from mass_pipeline.demo_web.common import chance, placeholders
from mass_pipeline.demo_web.source import DEMO_FOLDER, PageSource, SiteSource
from mass_pipeline.model.records import WEEKDAYS

FIRST_SUNDAY: Final = date(2026, 11, 8)
_SUNDAYS: Final = ("XXXII Niedziela Zwykła", "XXXIII Niedziela Zwykła", "Uroczystość Chrystusa Króla")
_DAY_NAMES: Final = ("Poniedziałek", "Wtorek", "Środa", "Czwartek", "Piątek", "Sobota", "Niedziela")
_MONTHS: Final = ("stycznia", "lutego", "marca", "kwietnia", "maja", "czerwca")
_LATER_MONTHS: Final = ("lipca", "sierpnia", "września", "października", "listopada", "grudnia")
_ITEMS_PER_WEEK: Final = 8


@dataclass(frozen=True, slots=True)
class Sentence:
    """One announcement as written, with its label."""

    text: str
    relevant: bool


@dataclass(frozen=True, slots=True)
class WeeklyTexts:
    """Sentences and intentions to compose from."""

    announcements: Sequence[Sentence]
    intentions: Sequence[str]


def load_weekly(folder: Path = DEMO_FOLDER) -> WeeklyTexts:
    """Read the sentences."""
    announcements = tomllib.loads((folder / "common" / "announcements.toml").read_text(encoding="utf-8"))
    intentions = tomllib.loads((folder / "common" / "intentions.toml").read_text(encoding="utf-8"))
    sentences = [Sentence(text, relevant=True) for text in announcements["relevant"]]
    sentences += [Sentence(text, relevant=False) for text in announcements["not_relevant"]]
    return WeeklyTexts(tuple(sentences), tuple(intentions["intention"]))


def written_date(day: date) -> str:
    """A date as parishes write it.

    >>> written_date(date(2026, 11, 8))
    '8 listopada 2026'
    """
    return f"{day.day} {(_MONTHS + _LATER_MONTHS)[day.month - 1]} {day.year}"


def announcement_pages(site: SiteSource, texts: WeeklyTexts, weeks: int = 2) -> Iterator[tuple[PageSource, tuple[Sentence, ...]]]:
    """A list page and one page per week, newest first, each with its sentences as printed (still marked)."""
    rng = chance(site, "announcements")
    # Half of what parishes announce is about services; drawing the halves apart keeps both in every week.
    pools = [[s for s in texts.announcements if s.relevant is wanted] for wanted in (True, False)]
    drawn = [rng.sample(pool, min(len(pool), weeks * _ITEMS_PER_WEEK // 2)) for pool in pools]
    yield PageSource("ogloszenia", "Ogłoszenia", "<h2>Ogłoszenia duszpasterskie</h2>"), ()
    for week in reversed(range(weeks)):
        sunday = FIRST_SUNDAY + timedelta(weeks=week)
        part = slice(week * _ITEMS_PER_WEEK // 2, (week + 1) * _ITEMS_PER_WEEK // 2)
        chosen = [sentence for pool in drawn for sentence in pool[part]]
        rng.shuffle(chosen)
        sentences = tuple(Sentence(_filled(site, s.text, sunday), s.relevant) for s in chosen)
        title = f"Ogłoszenia – {_SUNDAYS[week % len(_SUNDAYS)]}"
        items = "\n".join(f"<li>{s.text}</li>" for s in sentences)
        body = f"<h2>{title}</h2>\n<p>{{n {sunday:%d.%m.%Y}}} r.</p>\n<ol>\n{items}\n</ol>"
        yield PageSource(f"ogloszenia-{sunday.isoformat()}", title, body, under="ogloszenia"), sentences


def _filled(site: SiteSource, text: str, sunday: date) -> str:
    words = placeholders(site)
    words |= {f"day{i}": written_date(sunday + timedelta(days=i)) for i in range(8)}
    words["sunday"] = words["sunday"] or "9.00"
    words["weekday"] = words["weekday"] or "18.00"
    return Template(text).safe_substitute(words)


def intention_page(site: SiteSource, texts: WeeklyTexts) -> PageSource:
    """Intentions of one week, as a table, a list or paragraphs; every hour a dated Mass or a devotion."""
    rng = chance(site, "intentions")
    monday = FIRST_SUNDAY + timedelta(days=1)
    days = [(monday + timedelta(days=i), _hours(site, i)) for i in range(7)]
    compose = rng.choice((_as_table, _as_list, _as_paragraphs))
    body = f"<h2>Intencje mszalne {{n {monday:%d.%m} – {monday + timedelta(days=6):%d.%m.%Y}}}</h2>\n"
    return PageSource("intencje", "Intencje mszalne", body + compose(days, texts.intentions, rng))


def _hours(site: SiteSource, weekday: int) -> list[str]:
    day = WEEKDAYS[weekday]
    plain = [m for m in site.truth if day in m.days and not m.place and not m.nth]
    hours = sorted({m.time for m in plain if m.season in ("all", "school", "winter")})
    return hours or (["18:00"] if weekday < 6 else ["10:00"])


Days = Sequence[tuple[date, Sequence[str]]]


def _as_table(days: Days, intentions: Sequence[str], rng: random.Random) -> str:
    rows = []
    for day, hours in days:
        rows.append(f"<tr><th colspan=2>{_DAY_NAMES[day.weekday()]} {{n {day:%d.%m}}}</th></tr>")
        rows += [f"<tr><td>{{d {hour}}}</td><td>{rng.choice(intentions)}</td></tr>" for hour in hours]
    return "<table border=1>\n" + "\n".join(rows) + "\n</table>"


def _as_list(days: Days, intentions: Sequence[str], rng: random.Random) -> str:
    parts = []
    for day, hours in days:
        items = "".join(f"<li>godz. {{d {_dotted(hour)}}} – {rng.choice(intentions)}</li>" for hour in hours)
        parts.append(f"<h3>{_DAY_NAMES[day.weekday()]}, {written_date(day)} r.</h3>\n<ul>{items}</ul>")
    return "\n".join(parts)


def _as_paragraphs(days: Days, intentions: Sequence[str], rng: random.Random) -> str:
    parts = []
    for day, hours in days:
        lines = [f"{{d {_dotted(hour)}}} {rng.choice(intentions)}" for hour in hours]
        if day.weekday() == 2:
            lines.insert(len(lines) - 1, "{n 17.15} Nowenna do Matki Bożej Nieustającej Pomocy")
        parts.append(f"<p><b>{_DAY_NAMES[day.weekday()].upper()} {{n {day:%d.%m}}}</b><br>\n" + "<br>\n".join(lines) + "</p>")
    return "\n".join(parts)


def _dotted(time: str) -> str:
    return time.lstrip("0").replace(":", ".")
