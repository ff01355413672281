"""What a list of Masses shows of each church: where it stands, the way there, its hours, and what must be said of some of them.

Values for the macros of `cards.html`; no markup here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from functools import lru_cache
from typing import Final
from urllib.parse import quote

from mass_pipeline.finding.expansion import Flag
from mass_pipeline.finding.index.queries import DayOfParish, Town
from mass_pipeline.finding.index.records import Found, MassRecord, ParishRecord
from mass_pipeline.model.identifiers import fold
from mass_pipeline.public_web.texts import ZONE, Words
from mass_pipeline.schedules.checked import Checked

_UNTIL: Final = re.compile(r"said to hold until (\d{4}-\d\d-\d\d)\.$")
_MANY: Final = re.compile(r"states (\d+) Masses for one day")
_WORDS: Final = re.compile(r"^Its page says: (.+)\.$|\(([^()]+)\)\.$")
_STEM: Final = 5  # letters of a word that its forms share
_SILENT: Final = Flag.OTHER_PLACE | Flag.CANCELLED
_MARKS: Final = ("*", "†", "‡", "§", "‖", "¶")
_SOON: Final = 180  # minutes ahead in which the next Mass of a church is marked
_TOLD: Final = 60  # and in which its hour says how soon it begins
_PART: Final = re.compile(r"^[\s\-–(,]+|[\s)]+$")


def why_doubted(say: Words, reason: str) -> str:
    """The reason as a sentence; "" for one that has no sentence in this language."""
    if found := _UNTIL.search(reason):
        return say("doubt_until", day=say.day(date.fromisoformat(found[1])))
    if found := _MANY.search(reason):
        return say("doubt_many", n=found[1])
    if found := _WORDS.search(reason):
        return say("doubt_words", words=found[1] or found[2])
    return ""


@lru_cache(maxsize=512)
def flag_names(flags: Flag) -> tuple[str, ...]:
    """Names of what must be said beside an hour, in their order."""
    return tuple(one.name for one in Flag if one in flags and one not in _SILENT and one.name)


def remarks(t: Words, flags: Flag) -> tuple[str, ...]:
    """What must be said beside an hour, in sentences."""
    return tuple(t.named("flags", name) for name in flag_names(flags))


def short_day(day: date) -> str:
    """Day and month in figures.

    >>> short_day(date(2026, 12, 6))
    '6.12'
    """
    return f"{day.day}.{day.month:02d}"


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


def announced(day: DayOfParish) -> list[MassRecord]:
    """Rows of announcements that a day holds."""
    return [one.mass for one in (*day.masses, *day.cancelled) if one.mass.row.exception]


def directions(address: str, parish: ParishRecord) -> str:
    """An https address that leads to the church from wherever one is; "" where neither point nor street is known.

    Args:
        address: template with {to}, the setting `directions`.

    >>> one = ParishRecord("p1", "św. Jana", "Zamość", "lubelskie", "", street="ul. Staszica 1")
    >>> directions("https://maps.example/to?{to}", one)
    'https://maps.example/to?ul.%20Staszica%201%2C%20Zamo%C5%9B%C4%87'
    """
    if parish.is_exact and parish.point:
        to = f"{parish.latitude},{parish.longitude}"
    else:
        to = f"{parish.street}, {parish.town}" if parish.street and parish.town else ""
    return address.replace("{to}", quote(to, safe="")) if to else ""


def geo_address(parish: ParishRecord) -> str:
    """The point with a pin and its name for an app of maps (RFC 5870, Android's `q`); "" where it is not that of the church."""
    if not (parish.is_exact and parish.point):
        return ""
    at = f"{parish.latitude},{parish.longitude}"
    return f"geo:{at}?q={at}({quote(parish.name, safe='')})"


def part_of_town(parish: ParishRecord, town: str) -> str:
    """The part of a town that the directory writes behind its name; "" for none.

    >>> part_of_town(ParishRecord("p1", "", "Kraków- Dębniki", "", ""), "Kraków")
    'Dębniki'
    """
    return _PART.sub("", parish.town[len(town) :]) if town and parish.town.startswith(town) else ""


def where(t: Words, parish: ParishRecord, within: Town | None = None) -> str:
    """Street and part of the town; the town itself unless the page is that of the town."""
    if within is not None and within.key == parish.town_key:
        return ", ".join(filter(None, (parish.street, part_of_town(parish, within.name))))
    is_in_street = bool(parish.town) and parish.town in parish.street  # villages have their name with a number there
    return ", ".join(filter(None, (parish.street, "" if is_in_street else parish.town or t("no_town"))))


@dataclass(slots=True)
class Legend:
    """What must be said of hours, once for a page: each sentence has its mark.

    Attributes:
        marks: sentence -> mark.
    """

    t: Words
    marks: dict[str, str] = field(default_factory=dict)

    def mark(self, flags: Flag) -> str:
        """Marks of an hour."""
        for sentence in remarks(self.t, flags) if flags else ():
            number = len(self.marks)
            self.marks.setdefault(sentence, _MARKS[number] if number < len(_MARKS) else f"*{number}")
        return "".join(self.marks[sentence] for sentence in remarks(self.t, flags)) if flags else ""


@dataclass(frozen=True, slots=True)
class Tile:
    """An hour as a link to its church, where it is marked.

    Attributes:
        moment: local start. kind: class of its look, with a space before it. soon: how soon it begins, of the next one.
    """

    moment: str
    hour: str
    link: str
    kind: str = ""
    mark: str = ""
    soon: str = ""


@dataclass(frozen=True, slots=True)
class Hours:
    """The hours of a day, or of days that have the same.

    Attributes:
        label: the days, "" where the page says them. notes: hour, the parish's words beside it, and what they state besides.
    """

    label: str
    tiles: tuple[Tile, ...]
    notes: tuple[tuple[str, str, str], ...]


@dataclass(frozen=True, slots=True)
class Card:
    """A church in a list.

    Attributes:
        page: its address. where: street, part, town, distance. access: for wheelchairs. way: address of directions.
        lines: its hours by days.
    """

    parish: ParishRecord
    page: str
    where: str
    access: str
    way: str
    lines: tuple[Hours, ...]


@dataclass(frozen=True, slots=True)
class Cards:
    """How the Masses of a page are shown.

    Attributes:
        t: words of the page's language. now: local wall clock. way: template of directions.
        legend: what the marks of all lists of the page mean, as far as these were made.
    """

    t: Words
    now: datetime
    way: str
    legend: Legend

    def of(self, found: Iterable[Found], with_day: bool = False, within: Town | None = None) -> list[Card]:
        """Masses by church: a card for each, in the order in which the list comes to it.

        Args:
            with_day: whether the list holds several days. within: the town that the page is of.
        """
        churches: dict[int, list[Found]] = {}
        for one in found:
            churches.setdefault(one.parish.pk, []).append(one)
        return [self._card(masses, with_day, within) for masses in churches.values()]

    def _card(self, masses: list[Found], with_day: bool, within: Town | None) -> Card:
        masses.sort(key=lambda one: one.minute)
        parish, distance = masses[0].parish, masses[0].distance_m
        page = f"{self.t.root}{parish.path}"
        parts = [self.t.distance(distance, parish.precision_m) if distance is not None else "", where(self.t, parish, within)]
        access = (
            f"{self.t('wheelchair_only')}: {self.t.named('wheelchair', parish.wheelchair or '')}" if parish.is_accessible else ""
        )
        if parish.state == "aging" and parish.checked_at:
            parts.append(self.t("read_on", day=short_day(parish.checked_at.astimezone(ZONE).date())))
        return Card(
            parish,
            page,
            " · ".join(filter(None, parts)),
            access,
            directions(self.way, parish),
            self._lines(page, masses, with_day),
        )

    def _lines(self, page: str, masses: Sequence[Found], with_day: bool) -> tuple[Hours, ...]:
        """Hours by day; days with the same hours once."""
        days: dict[date, list[Found]] = {}
        for one in masses:
            days.setdefault(one.start.date(), []).append(one)
        if not with_day:
            return tuple(self.hours(page, of_day) for of_day in days.values())
        alike: dict[tuple[object, ...], list[date]] = {}
        for day, of_day in days.items():
            alike.setdefault(tuple((one.start.time(), one.flags, one.mass.row.mass.note) for one in of_day), []).append(day)
        return tuple(self.hours(page, days[same[0]], self.t.short_days(same, self.now.date())) for same in alike.values())

    def hours(self, page: str, masses: Sequence[Found], label: str = "") -> Hours:
        """The hours of a day as tiles: the next one filled, when it is near."""
        coming = next((one for one in masses if one.start >= self.now), None)
        tiles = tuple(self._tile(page, one, one is coming) for one in masses)
        return Hours(label, tiles, tuple(note for one in masses if (note := self._note(one))))

    def _tile(self, page: str, one: Found, is_next: bool) -> Tile:
        moment, wait = one.start.isoformat(timespec="minutes"), minutes_until(one.start, self.now)
        day, _, hour = moment.partition("T")
        kind = " assumed" if one.is_assumed else " past" if one.start < self.now else " next" if is_next and wait <= _SOON else ""
        soon = self.t.begins_in(wait) if kind == " next" and wait < _TOLD else ""
        return Tile(moment, hour, f"{page}/{day}?o={hour}", kind, self.legend.mark(one.flags), soon)

    def _note(self, one: Found) -> tuple[str, str, str] | None:
        """What the page says beside the hour, and what its words state unless it says it already."""
        mass = one.mass.row.mass
        said = [self.t.named("languages", one.mass.language)] if one.mass.language else []
        said += [self.t.named("kinds", kind) for kind in one.mass.kinds]
        parts = [text for text in said if not _is_in(text, mass.note)]
        parts += [self.t("at_place", place=mass.place)] if mass.place else []
        return (f"{one.start:%H:%M}", mass.note, ", ".join(parts)) if mass.note or parts else None


@dataclass(frozen=True, slots=True)
class Evidence:
    """Words that Masses were read from, of one page on one day.

    Attributes:
        mass: one of them. quotes: words -> hours that have them, () where all have the same words.
        day: when they were checked, in words. checked: who said that they are right.
    """

    mass: MassRecord
    quotes: Mapping[str, Sequence[str]]
    day: str
    checked: str


def evidence_of(t: Words, masses: Iterable[MassRecord]) -> Iterator[Evidence]:
    """The words that some Masses were read from, each once; page, day and confidence once for all that share them."""
    found: dict[tuple[object, ...], dict[str, list[MassRecord]]] = {}
    for one in masses:
        row = one.row
        at = row.checked_at or row.fetched_at
        shared: tuple[object, ...] = (
            row.method == "person",
            one.link,
            at and at.astimezone(ZONE).date(),
            row.checked,
            round(row.confidence, 2),
        )
        found.setdefault(shared, {}).setdefault(row.quote, []).append(one)
    is_one = sum(map(len, found.values())) == 1
    for shared, quotes in found.items():
        first, day = next(iter(quotes.values()))[0], shared[2]
        hours = {quote: () if is_one else tuple(dict.fromkeys(one.row.mass.time for one in of)) for quote, of in quotes.items()}
        yield Evidence(first, hours, t.day(day) if isinstance(day, date) else "", _checked(t, first.row.checked))


def _checked(t: Words, checked: Checked | None) -> str:
    if checked is None:
        return ""
    if checked.by != "people":
        return t("checked_by_operator", day=t.day(checked.on))
    n = checked.people
    few = n % 10 in (2, 3, 4) and n % 100 not in (12, 13, 14)
    return t(f"checked_by_{'one' if n == 1 else 'few' if few else 'many'}", n=n, day=t.day(checked.on))


@lru_cache(maxsize=1024)
def _is_in(text: str, note: str) -> bool:
    """Whether the parish's own words beside the hour say it already: "dla dzieci" and "z udziałem dzieci".

    >>> _is_in("dla młodzieży", "młodzieżowa"), _is_in("angielski", "po angielsku"), _is_in("English", "po angielsku")
    (True, True, False)
    """
    words = [word for word in fold(text).split() if len(word) >= _STEM]
    return any(word[:_STEM] in fold(note) for word in words[-1:])
