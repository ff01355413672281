"""Lines of Masses on a page, and why an order is doubted. Put together here, not in a template: they are most of a page, and
templates took half its time.

Every text goes through `escape`; nothing but markup written here is left as it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from functools import lru_cache
from html import escape as _quoted
from typing import Final

from markupsafe import Markup

from mass_pipeline.finding.expansion import Flag
from mass_pipeline.finding.index.queries import DayOfParish
from mass_pipeline.finding.index.records import Found, MassRecord
from mass_pipeline.model.identifiers import fold
from mass_pipeline.public_web.texts import ZONE, Words
from mass_pipeline.schedules.checked import Checked

_UNTIL: Final = re.compile(r"said to hold until (\d{4}-\d\d-\d\d)\.$")
_MANY: Final = re.compile(r"states (\d+) Masses for one day")
_WORDS: Final = re.compile(r"^Its page says: (.+)\.$|\(([^()]+)\)\.$")


def why_doubted(say: Words, reason: str) -> str:
    """The reason as a sentence; "" for one that has no sentence in this language."""
    if found := _UNTIL.search(reason):
        return say("doubt_until", day=say.day(date.fromisoformat(found[1])))
    if found := _MANY.search(reason):
        return say("doubt_many", n=found[1])
    if found := _WORDS.search(reason):
        return say("doubt_words", words=found[1] or found[2])
    return ""


_SURELY_SAME_DAY: Final = 21  # hours UTC before which the day in Poland is the same
_STEM: Final = 5  # letters of a word that its forms share
_SILENT: Final = Flag.OTHER_PLACE | Flag.CANCELLED


@lru_cache(maxsize=8_192)
def escape(text: str) -> str:
    """Text as it may stand in markup and in attributes.

    >>> escape('<q a="b">')
    '&lt;q a=&quot;b&quot;&gt;'
    """
    return _quoted(text)


@lru_cache(maxsize=512)
def flag_names(flags: Flag) -> tuple[str, ...]:
    """Names of what must be said beside an hour, in their order."""
    return tuple(one.name for one in Flag if one in flags and one not in _SILENT and one.name)


def remarks(t: Words, flags: Flag) -> tuple[str, ...]:
    """What must be said beside an hour, in sentences."""
    return tuple(t.named("flags", name) for name in flag_names(flags))


def legend(t: Words, days: Iterable[DayOfParish]) -> list[tuple[str, str]]:
    """What the asterisk in a table of days means: sentences, each with its days."""
    found: dict[str, dict[str, None]] = {}
    for day in days:
        for one in day.masses:
            for sentence in remarks(t, one.flags):
                found.setdefault(sentence, {})[short_day(one.start.date())] = None
    return [(sentence, ", ".join(named)) for sentence, named in found.items()]


def short_day(day: date) -> str:
    """Day and month in figures.

    >>> short_day(date(2026, 12, 6))
    '6.12'
    """
    return f"{day.day}.{day.month:02d}"


def announced(day: DayOfParish) -> list[MassRecord]:
    """Rows of announcements that a day holds."""
    return [one.mass for one in (*day.masses, *day.cancelled) if one.mass.row.exception]


def day_choices(today: date) -> tuple[tuple[str, date], ...]:
    """Days that visitors choose most: today, tomorrow, and the next Sunday after them; keys of their words.

    >>> [key for key, _ in day_choices(date(2026, 11, 21))], [key for key, _ in day_choices(date(2026, 11, 23))]
    (['today', 'tomorrow', 'sunday'], ['today', 'tomorrow', 'sunday'])
    """
    after = today + timedelta(2)
    return ("today", today), ("tomorrow", today + timedelta(1)), ("sunday", after + timedelta((6 - after.weekday()) % 7))


def minutes_until(start: datetime, now: datetime) -> int:
    """Whole minutes from now to a start, both local wall clock."""
    return int((start - now).total_seconds() // 60)


@dataclass(frozen=True, slots=True)
class Cards:
    """How the Masses of a list are shown.

    Attributes:
        t: words of the page's language. root: "/en" or "". now: local wall clock.
        with_day: whether the list holds several days. level: of the headings.
        within: key of the town that the page is of, which its cards need not name.
        is_alone: whether the page is that of the church: no heading, and the evidence lies open.
    """

    t: Words
    root: str
    now: datetime
    with_day: bool = False
    level: int = 3
    within: str = ""
    is_alone: bool = False

    def of(self, masses: list[Found]) -> str:
        """The card of a church with these Masses."""
        masses.sort(key=lambda one: one.minute)
        page = self.root + _quoted(masses[0].parish.path)
        days: dict[date, list[Found]] = {}
        for one in masses:
            days.setdefault(one.start.date(), []).append(one)
        hours = "".join(self.hours(f"{page}/{day}", day, of_day) for day, of_day in days.items())
        opened = " open" if self.is_alone else ""
        read = [(f"{one.start:%H:%M}", one.mass) for one in masses]
        label = escape(self.t("evidence"))
        why = f'<details class="why"{opened}><summary>{label}</summary>\n{_evidence(self.t, read)}</details>'
        head = "" if self.is_alone else self._head(page, masses[0])
        return f'<li class="mass">\n{head}{hours}{self._remarks(masses)}{why}</li>\n'

    def _head(self, page: str, one: Found) -> str:
        where = _where(self.t, one, one.parish.town_key == self.within)
        title = f'<h{self.level} class="title"><a href="{page}">{escape(one.parish.name)}</a></h{self.level}>\n'
        return title + (f'<p class="where">{where}</p>\n' if where else "")

    def hours(self, link: str, day: date, masses: Sequence[Found]) -> str:
        """The hours of a day as links to it; after them what is said of some, and how soon the next begins."""
        named = f"<b>{escape(self.t.weekday(day))} {short_day(day)}</b> " if self.with_day else ""
        pills = " ".join(_pill(link, one, self.now) for one in masses)
        coming = next((one for one in masses if one.start >= self.now), None)
        soon = self.t.begins_in(minutes_until(coming.start, self.now)) if coming else ""
        said = [f"{one.start:%H:%M} {words}" for one in masses if (words := _stated(self.t, one))]
        if coming and soon:
            said.insert(0, f"{coming.start:%H:%M} {escape(soon)}")
        return f'<p class="hours">{named}{pills}</p>\n' + (f'<p class="soft">{" · ".join(said)}</p>\n' if said else "")

    def _remarks(self, masses: Iterable[Found]) -> str:
        """What the asterisks mean: sentences, each after its hours."""
        found: dict[str, list[str]] = {}
        for one in masses:
            hour = f"{short_day(one.start.date())} {one.start:%H:%M}" if self.with_day else f"{one.start:%H:%M}"
            for sentence in remarks(self.t, one.flags) if one.flags else ():
                found.setdefault(sentence, []).append(hour)
        return "".join(f'<p class="flag">* {", ".join(hours)}: {escape(said)}</p>\n' for said, hours in found.items())


def hits(
    t: Words,
    root: str,
    found: Iterable[Found],
    now: datetime,
    with_day: bool,
    level: int = 3,
    within: str = "",
    is_alone: bool = False,
) -> Markup:
    """Masses of a list by church: a card for each, with all its hours, in the order in which the list comes to it.

    Args:
        found: the Masses. The others: see `Cards`.
    """
    cards, shown = dict[int, list[Found]](), Cards(t, root, now, with_day, level, within, is_alone)
    for one in found:
        cards.setdefault(one.parish.pk, []).append(one)
    return Markup("".join(map(shown.of, cards.values())))  # noqa: S704 - every text is escaped


def hours(t: Words, root: str, masses: Sequence[Found], now: datetime) -> Markup:
    """The hours of one day of a church as links to it, with what is said of some; masses: at least one."""
    day = masses[0].start.date()
    line = Cards(t, root, now).hours(f"{root}{_quoted(masses[0].parish.path)}/{day}", day, masses)
    return Markup(line)  # noqa: S704 - every text is escaped


def _pill(link: str, one: Found, now: datetime) -> str:
    written = one.start.isoformat()
    star = "*" if one.flags and flag_names(one.flags) else ""
    kind = " assumed" if one.is_assumed else " past" if one.start < now else ""
    return f'<a class="at{kind}" href="{link}"><time datetime="{written}">{written[11:16]}</time>{star}</a>'


def _stated(t: Words, one: Found) -> str:
    """What the page says beside the hour, and what its words state unless it says it already."""
    mass = one.mass.row.mass
    parts = [f'<span lang="pl">{escape(mass.note)}</span>'] if mass.note else []
    said = [t.named("languages", one.mass.language)] if one.mass.language else []
    said += [t.named("kinds", kind) for kind in one.mass.kinds]
    parts += [escape(text) for text in said if not _is_in(text, mass.note)]
    parts += [escape(t("at_place", place=mass.place))] if mass.place else []
    return ", ".join(parts)


def evidence(t: Words, masses: Iterable[MassRecord]) -> Markup:
    """The words that some Masses were read from, each once."""
    return Markup(_evidence(t, [("", one) for one in masses]))  # noqa: S704 - every text is escaped


def _evidence(t: Words, read: Sequence[tuple[str, MassRecord]]) -> str:
    """Words with their hours ("" for none), each once; page, day and confidence once for all that share them."""
    found: dict[tuple[str, str], dict[str, dict[str, None]]] = {}
    for hour, one in read:
        said = _says(t, "source" if one.row.method == "person" else "says"), _source(t, one)
        found.setdefault(said, {}).setdefault(one.row.quote, {})[hour] = None
    is_one = sum(len(quotes) for quotes in found.values()) == 1
    return "".join(f"{lead}{_quotes(quotes, is_one)}{source}" for (lead, source), quotes in found.items())


def _quotes(quotes: Mapping[str, Iterable[str]], is_one: bool) -> str:
    named = [("" if is_one else ", ".join(filter(None, hours)), quote) for quote, hours in quotes.items()]
    return "; ".join(f'{f"<b>{hours}</b> " if hours else ""}<q lang="pl">{_quoted(quote)}</q>' for hours, quote in named)


def _source(t: Words, mass: MassRecord) -> str:
    row = mass.row
    if row.method == "person":
        return "</p>\n"  # the day is in the words; nothing was read, and no page says it
    link, checked = mass.link, row.checked_at or row.fetched_at
    source = f' – <a href="{_quoted(link)}" rel="noopener nofollow noreferrer">{_quoted(mass.host)}</a>' if link else ""
    day = _read_on(t, checked.date() if checked.hour < _SURELY_SAME_DAY else checked.astimezone(ZONE).date()) if checked else ""
    day += _checked(t, row.checked) if row.checked else ""
    return f"{source}{day}{_sure(t, mass.confidence_word)} ({t.decimal(row.confidence, 2)})</p>\n"


@lru_cache(maxsize=8)
def _says(t: Words, key: str) -> str:
    return f'<p class="said">{escape(t(key))}: '


@lru_cache(maxsize=512)
def _read_on(t: Words, day: date) -> str:
    return f", {escape(t('read_on', day=t.day(day)))}"


@lru_cache(maxsize=512)
def _checked(t: Words, checked: Checked) -> str:
    said = t("checked_by_operator", day=t.day(checked.on))
    if checked.by == "people":
        n = checked.people
        few = n % 10 in (2, 3, 4) and n % 100 not in (12, 13, 14)
        said = t(f"checked_by_{'one' if n == 1 else 'few' if few else 'many'}", n=n, day=t.day(checked.on))
    return f"; {escape(said)}"


@lru_cache(maxsize=32)
def _sure(t: Words, word: str) -> str:
    return f'; {escape(t("confidence"))}: <span class="sure {word}">{escape(t.named("confidence_words", word))}</span>'


def _where(t: Words, one: Found, is_within: bool) -> str:
    """Town, distance with a way to go, and what is known of the church; "" when there is nothing to add to the page."""
    parish = one.parish
    parts = [] if is_within else [escape(parish.town or t("no_town"))]
    if one.distance_m is not None:
        parts.append(escape(t.distance(one.distance_m, parish.precision_m)))
        if parish.is_exact:
            parts.append(f'<a href="geo:{parish.latitude},{parish.longitude}">{escape(t("way"))}</a>')
    if parish.wheelchair in ("yes", "limited"):
        parts.append(f"{escape(t('wheelchair_only'))}: {escape(t.named('wheelchair', parish.wheelchair))}")
    if parish.state == "aging":
        parts.append(f'<span class="flag">{escape(t.named("states", "aging"))}</span>')
    return " · ".join(parts)


@lru_cache(maxsize=1024)
def _is_in(text: str, note: str) -> bool:
    """Whether the parish's own words beside the hour say it already: "dla dzieci" and "z udziałem dzieci".

    >>> _is_in("dla młodzieży", "młodzieżowa"), _is_in("angielski", "po angielsku"), _is_in("English", "po angielsku")
    (True, True, False)
    """
    words = [word for word in fold(text).split() if len(word) >= _STEM]
    return any(word[:_STEM] in fold(note) for word in words[-1:])
