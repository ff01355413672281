"""Questions made of parts whose meaning is known, and the two laws of the box.

A question is drawn from a seed over the towns, their parts and streets of a table. Each of its parts says what it puts into the
reading: hours, days, names, a town. By the first law nothing typed is consumed silently: each is in the reading or among the
words told as not understood. By the second no town is left for another: the one typed is read, asked about, or told.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta
from typing import Final

from mass_pipeline.finding.feasts import next_day
from mass_pipeline.finding.gazetteer import Gazetteer
from mass_pipeline.finding.names import Case, forms
from mass_pipeline.finding.places import Places, Town, name_words
from mass_pipeline.finding.questions import Interpretation
from mass_pipeline.finding.questions.text import in_latin_letters
from mass_pipeline.finding.questions.vocabulary import is_of_vocabulary
from mass_pipeline.finding.town_names import ParishRow
from mass_pipeline.model.identifiers import fold

_MOMENT: Final = datetime(2026, 11, 18, 8)  # noqa: DTZ001 - Polish wall clock, as questions are asked
_NEAR_HOUR: Final = 60  # minutes round an hour that a window of it may have
_WEEKDAYS: Final = ("poniedziałek", "wtorek", "środę", "czwartek", "piątek", "sobotę", "niedzielę")
_OF_MONTH: Final = (
    *("stycznia", "lutego", "marca", "kwietnia", "maja", "czerwca"),
    *("lipca", "sierpnia", "września", "października", "listopada", "grudnia"),
)
_ENGLISH_MONTHS: Final = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
_GERMAN_MONTHS: Final = (
    *("Januar", "Februar", "März", "April", "Mai", "Juni"),
    *("Juli", "August", "September", "Oktober", "November", "Dezember"),
)
_UKRAINIAN_MONTHS: Final = (
    *("січня", "лютого", "березня", "квітня", "травня", "червня"),
    *("липня", "серпня", "вересня", "жовтня", "листопада", "грудня"),
)
_ROMAN: Final = ("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII")
_LANDMARKS: Final = (
    *("dworca", "rynku", "szpitala", "galerii", "stadionu", "lotniska", "uniwersytetu", "ratusza", "zamku", "mostu", "fontanny"),
    *("sądu", "biblioteki", "teatru", "muzeum", "apteki", "przystanku", "targowiska", "elektrowni", "fabryki", "basenu"),
)
_STREETS: Final = (
    *("Długa", "Lipowa", "Polna", "Leśna", "Słoneczna", "Krótka", "Szkolna", "Ogrodowa", "Mickiewicza", "Piłsudskiego"),
    *("gen. Sikorskiego", "kard. Wyszyńskiego", "1 Maja", "11 Listopada", "3 Maja", "Tysiąclecia", "al. Niepodległości"),
)
_EVENTS: Final = (
    *("mam pociąg", "wyjeżdżam", "odlot", "mam wizytę u lekarza", "zaczynam pracę", "mecz", "wylot", "zbiórka", "egzamin"),
)
_ENDS: Final = ("kończę pracę", "przyjeżdżam", "ląduję", "wracam", "będę na miejscu", "dojadę")
_SPOKEN: Final = ("szóstej", "siódmej", "ósmej", "dziewiątej", "dziesiątej", "jedenastej")
_UKRAINIAN_TOWNS: Final = {
    "Kraków": "Кракові",
    "Warszawa": "Варшаві",
    "Lublin": "Любліні",
    "Wrocław": "Вроцлаві",
    "Gdańsk": "Гданську",
    "Poznań": "Познані",
    "Szczecin": "Щецині",
    "Rzeszów": "Жешуві",
}
_GERMAN_TOWNS: Final = {"Kraków": "Krakau", "Warszawa": "Warschau", "Wrocław": "Breslau", "Gdańsk": "Danzig", "Poznań": "Posen"}
_FEASTS: Final = {  # in the genitive, ablative and locative of Polish, with their rules
    ("Bożego Narodzenia", "Bożym Narodzeniu", "Christmas"): "12-25",
    ("Bożego Ciała", "Bożym Ciele", "Corpus Christi"): "e60",
    ("Wszystkich Świętych", "Wszystkich Świętych", "All Saints"): "11-01",
    ("Trzech Króli", "Trzech Królach", "Epiphany"): "01-06",
    ("Wielkanocy", "Wielkanocy", "Easter"): "e0",
}


@dataclass(frozen=True, slots=True)
class Part:
    """Words of a question with what they put into its reading.

    Attributes:
        hours: told each by itself. days: dates of which one is meant, or all of them. names: words of which nothing is known.
        town: that is named; None where the question names none. is_timeless: whether no hour may be made of its words.
    """

    words: str
    hours: tuple[time, ...] = ()
    days: tuple[date, ...] = ()
    names: tuple[str, ...] = ()
    town: Town | None = None
    is_timeless: bool = False


@dataclass(frozen=True, slots=True)
class Question:
    """A question of parts, asked at a moment."""

    words: str
    at: datetime
    parts: tuple[Part, ...]


def violations(question: Question, reading: Interpretation) -> list[str]:
    """What of the question is neither in its reading nor told as not understood; [] when both laws hold."""
    told = {word for one in reading.unread for word in _words(one)}
    found = []
    for part in question.parts:
        found += [
            f"{hour:%H:%M} is lost" for hour in part.hours if not (_has_hour(reading, hour) or _is_told(f"{hour.hour}", told))
        ]
        found += [f"{day} is lost" for day in part.days if not (day in reading.dates or _is_told(part.words, told, least=1))]
        found += [f"{word!r} is lost" for name in part.names for word in _words(name) if word not in told | _names_read(reading)]
        if part.is_timeless and (reading.start, reading.end) != (None, None) and not any(one.hours for one in question.parts):
            found.append(f"{part.words!r} is an hour")
        is_told = _is_told(part.words, told, least=1) or bool(set(_words(part.words)[-1:]) & _names_read(reading))
        if part.town is not None and not (_has_town(reading, part.town) or is_told):
            found.append(f"{part.town.name} is left for {[town.name for town in reading.towns] or reading.place}")
    return found


def numbers_lost(words: str, reading: Interpretation) -> list[str]:
    """Numbers of a question that are neither in its reading nor told: a law that needs no known meaning."""
    told = {word for one in reading.unread for word in _words(one)}
    record = str(reading.to_record())
    known = {str(int(number)) for number in re.findall(r"\d+", record)} | {number[2:] for number in re.findall(r"20\d\d", record)}
    known |= {f"{(reading.radius_m or 0) / 1000:g}"}
    known |= {str(int(number) % 12 or 12) for number in known if int(number) <= 24} | {str(len(reading.dates))}  # 3 pm, 3 days
    known |= {number for row in reading.parishes for number in re.findall(r"\d+", row.address + row.name)}
    return [number for number in re.findall(r"\d+", words) if str(int(number)) not in known and number not in told]


def _words(text: str) -> list[str]:
    return re.findall(r"[^\W_]+", fold(in_latin_letters(text)))


def _is_told(text: str, told: set[str], least: int = 0) -> bool:
    """Whether all words of a text are told, or at least so many of them."""
    words = _words(text)
    return bool(words) and sum(word in told for word in words) >= (least or len(words))


def _has_hour(reading: Interpretation, hour: time) -> bool:
    minutes = [one.hour * 60 + one.minute for one in (reading.start, reading.end) if one]
    meant = hour.hour * 60 + hour.minute
    return any(
        abs(minute - other) in (*range(_NEAR_HOUR + 1), 12 * 60) for minute in minutes for other in (meant, meant - 24 * 60)
    )


def _names_read(reading: Interpretation) -> set[str]:
    """Words of the place and of the parishes that are read, which the page shows; those without a meaning of their own too.

    Of a town that is told besides they are every form.
    """
    place = reading.place
    known = " ".join(filter(None, (place.name, place.district, place.parish) if place else ()))
    words = _words(known + " ".join(f" {row.address} {row.name}" for row in reading.parishes))
    besides = [form for one in reading.also for word in re.findall(r"[^\W_]+", one.name) for form in forms(word)]
    return {*words, *besides, "sw", "ul"}


def _has_town(reading: Interpretation, town: Town) -> bool:
    """Whether the town is read, one of several that are asked about, or named as what may be meant."""
    names = {(one.words, one.voivodeship) for one in reading.towns}
    others = {(name_words(one.name), one.voivodeship) for one in (*reading.did_you_mean, *reading.also)}
    return (town.words, town.voivodeship) in names | others


def table_of(gazetteer: Gazetteer) -> Places:
    """A table of made-up parishes in the real towns of the gazetteer, with streets; as many as their people need."""
    rows = []
    for one in gazetteer:
        for number in range(max(1, one.population // 15_000)):
            street = _STREETS[number % len(_STREETS)]
            address = f"św. Anny|ul. {street} {number + 1}|00-000 {one.name}" if one.population > 5_000 else ""
            rows.append(ParishRow(one.name, one.voivodeship, "św. Anny" if number % 2 else "św. Jana", address))
    return Places.of(rows, gazetteer)


class Maker:
    """Draws questions over the places of a table."""

    def __init__(self, places: Places, seed: int) -> None:
        self.rng = random.Random(seed)
        self.places = places
        self._towns = [town for town in places.largest if not any(map(is_of_vocabulary, town.words))]  # no Piątek, Winda, Środa
        self._weights = [1 + len(town.rows) / 3 for town in self._towns]
        parts = [part for found in places.districts.values() for part in found if part.town.rows]
        self._parts = [part for part in parts if not any(map(is_of_vocabulary, part.words))]  # no "Radom Południe"
        self._kinds: tuple[Callable[[], list[Part]], ...] = (
            *(self._landmark, self._address, self._part_of_town, self._two_hours, self._date, self._date, self._hour),
            *(self._feast, self._english, self._german, self._ukrainian, self._several_days, self._range, self._spoken_hour),
            *(self._weekday, self._ordinal, self._distance, self._limit, self._feast, self._village_word, self._hour_and_part),
            *(self._stray_name, self._number),
        )

    def questions(self, count: int) -> Iterator[Question]:
        """So many questions, of each kind in turn."""
        for number in range(count):
            parts = self._kinds[number % len(self._kinds)]()
            if self.rng.random() < 0.3:
                parts.insert(self.rng.randrange(len(parts) + 1), self._nobody())
            words = " ".join(part.words for part in parts if part.words)
            if self.rng.random() < 0.25:
                words = "".join(fold(letter) if letter.isalpha() and fold(letter) else letter for letter in words)
            elif self.rng.random() < 0.2:
                words = words.lower()
            yield Question(words[:200], _MOMENT, tuple(parts))

    def _pick(self, *choices: str) -> str:
        return self.rng.choice(choices)

    def _town(self, *ways: str) -> Part:
        """A town in the nominative, or after a word that asks for another case; of forms that several towns share none."""
        town = self.rng.choices(self._towns, self._weights)[0]
        way = self.rng.choice(ways or ("{nom}", "{nom}", "w {loc}", "koło {gen}", "do {gen}"))
        cases: dict[str, Case] = {"{loc}": "loc", "{gen}": "gen"}
        case = next((case for mark, case in cases.items() if mark in way), None)
        name = town.name if case is None else self._declined(town, case)
        way = way if name else "{nom}"
        return Part(re.sub(r"\{\w+\}", name or town.name, way), town=town)

    def _declined(self, town: Town, case: Case) -> str:
        words = [self._form(word, case) for word in re.findall(r"[^\W_]+", town.name)]
        return " ".join(word.capitalize() for word in words) if all(words) else ""

    def _form(self, word: str, case: Case) -> str:
        found = [form for form, cases in forms(word).items() if case in cases and len(self.places.forms.get(form, ())) == 1]
        return min(found, default="")

    def _number_of_hour(self) -> time:
        return time(self.rng.choice((7, 8, 9, 10, 11, 12, 15, 16, 17, 18, 19, 20)), self.rng.choice((0, 0, 0, 15, 30, 45)))

    def _hour_words(self, hour: time) -> str:
        whole = (f"o {hour.hour}", f"godz. {hour.hour}", f"o godzinie {hour.hour}", f"na {hour.hour}")
        ways = (f"o {hour:%H:%M}", f"o {hour.hour}.{hour:%M}", f"godz. {hour:%H:%M}", f"{hour:%H:%M}")
        return self.rng.choice(ways if hour.minute else (*whole, *ways))

    def _hour(self) -> list[Part]:
        hour = self._number_of_hour()
        return [Part("msza"), self._town(), Part(self._hour_words(hour), hours=(hour,))]

    def _landmark(self) -> list[Part]:
        lead, name = self._pick("koło", "obok", "przy", "niedaleko", "blisko", "naprzeciwko", "za"), self._pick(*_LANDMARKS)
        return [Part("msza"), Part(f"{lead} {name}", names=(name,)), self._town("{nom}", "w {loc}"), *self._maybe_hour()]

    def _hour_and_part(self) -> list[Part]:
        """The asker's own hour, and a part of the day for the Mass."""
        hour, part = self.rng.choice(((13, "rano"), (15, "rano"), (12, "wieczorem"), (14, "rano"), (16, "przed południem")))
        told = Part(f"{self._pick('lecę', 'obiad', 'zebranie', 'mam spotkanie')} o {hour}, msza {part}", hours=(time(hour),))
        return [self._town("w {loc}", "{nom}"), told]

    def _village_word(self) -> list[Part]:
        """Common words that are villages too, in small letters beside a town."""
        word = self._pick("przystań", "targowiska", "rynek", "port", "zamek", "kolonia", "most", "las", "góra", "nowy", "stary")
        return [Part("msza"), Part(word, names=(word,)), self._town("w {loc}"), *self._maybe_hour()]

    def _stray_name(self) -> list[Part]:
        """A name in another case that nothing leads to, as surnames and cries are, beside a town: it is no village."""
        villages = [town for town in self._towns if len(town.words) == town.size == 1]
        name = next((form for _ in range(20) if (form := self._declined(self.rng.choice(villages), "gen"))), "Xqzwvka")
        return [Part(f"msza rodzinie {name},", names=(name,)), self._town("{nom}"), *self._maybe_hour()]

    def _number(self) -> list[Part]:
        """The number of a pope, of a house or of a church is no hour."""
        number = self.rng.randrange(2, 24)
        name = self._pick("Jana Pawła", "św. Jana", "Piusa", "św. Anny", "Kwiatowa")
        return [Part("msza"), Part(f"{name} {number}", names=(str(number),), is_timeless=True), self._town("{nom}")]

    def _maybe_hour(self) -> list[Part]:
        hour = self._number_of_hour()
        return [Part(self._hour_words(hour), hours=(hour,))] if self.rng.random() < 0.5 else []

    def _address(self) -> list[Part]:
        street, house = self._pick(*_STREETS), self.rng.randrange(1, 120)
        lead = "" if street.startswith("al.") else self._pick("ul. ", "ulica ", "", "przy ul. ", "os. ", "pl. ")
        if street[0].isdigit() and not lead:
            lead = "ul. "  # a date without "ul." is one
        parts = [Part(f"{lead}{street} {house}", names=(street.split(". ")[-1], str(house))), self._town("{nom}", "w {loc}")]
        self.rng.shuffle(parts)
        return [Part("msza"), *parts, *self._maybe_hour()]

    def _part_of_town(self) -> list[Part]:
        if not self._parts:
            return self._hour()
        part = self.rng.choice(self._parts)
        return [Part(f"{part.town.name} {part.name}", names=(part.name,), town=part.town), *self._date_alone()]

    def _two_hours(self) -> list[Part]:
        first, last = sorted({self._number_of_hour(), self._number_of_hour()} | {time(13)})[:2]
        if self.rng.random() < 0.5:
            told = Part(f"{self._pick(*_ENDS)} o {first:%H:%M}, msza przed {last.hour}:{last:%M}", hours=(first, last))
        else:
            told = Part(f"{self._pick(*_EVENTS)} o {last:%H:%M}, msza po {first.hour}:{first:%M}", hours=(first, last))
        return [self._town("w {loc}", "{nom}"), told]

    def _spellings(self, day: date) -> tuple[str, ...]:
        month, roman = _OF_MONTH[day.month - 1], _ROMAN[day.month - 1]
        return (
            *(f"{day.day} {month}", f"{day.day}. {month}", f"{day.day} {month} {day.year}", f"dnia {day.day} {month}"),
            *(f"{day.day}.{day:%m}", f"{day:%d.%m}.{day.year}", f"{day:%d-%m}-{day.year}", f"{day}", f"{day:%d/%m/}{day.year}"),
            *(
                f"{day.day}-go {month}",
                f"{day.day}tego {month}",
                f"{day.day} {roman} {day.year}",
                f"{day.day}.{roman}.{day.year}",
            ),
            *(f"{day.year}-{day.month}-{day.day}", f"{day.day} {month} br.", f"{day.day} {month[:4].rstrip('a')}."),
            *(f"w {_WEEKDAYS[day.weekday()]} {day.day} {month}", f"{day.day} {month} ({_WEEKDAYS[day.weekday()]})"),
        )

    def _day(self) -> date:
        return _MOMENT.date() + timedelta(self.rng.randrange(1, 43))

    def _date_alone(self) -> list[Part]:
        day = self._day()
        return [Part(self.rng.choice(self._spellings(day)), days=(day,))]

    def _date(self) -> list[Part]:
        parts = [self._town(), *self._date_alone()]
        self.rng.shuffle(parts)
        return [Part("msza"), *parts, *(replace(one, words=f", {one.words}") for one in self._maybe_hour())]

    def _range(self) -> list[Part]:
        first = self._day()
        last = first + timedelta(self.rng.randrange(1, 5))
        one, two = (f"{day.day} {_OF_MONTH[day.month - 1]}" for day in (first, last))
        words = self._pick(
            f"{one} - {two}", f"od {one} do {two}", f"{first:%d.%m} - {last:%d.%m}", f"od {first:%d.%m} do {last:%d.%m}"
        )
        return [self._town(), Part(words, days=tuple(first + timedelta(n) for n in range((last - first).days + 1)))]

    def _several_days(self) -> list[Part]:
        count, today = self.rng.randrange(2, 8), _MOMENT.date()
        days = tuple(today + timedelta(n) for n in range(count))
        lead = "najbliższe" if count < 5 else "najbliższych"
        return [self._town(), Part(f"{lead} {count} dni", days=days)]

    def _feast(self) -> list[Part]:
        """A feast with what leads away from its day: the eve and the days after are other days."""
        (genitive, locative, english), rule = self.rng.choice(list(_FEASTS.items()))
        words, away = self.rng.choice(
            (
                (f"w przeddzień {genitive}", -1),
                (f"w wigilię {genitive}", -1),
                (f"dzień przed {locative.replace('Ciele', 'Ciałem').replace('Królach', 'Królami')}", -1),
                (f"dzień po {locative}", 1),
                (f"dwa dni po {locative}", 2),
                (f"the day after {english}", 1),
                (f"w święto {genitive}", 0),
            )
        )
        day = next_day(rule, _MOMENT.date()) + timedelta(away)
        return [self._town("{nom}", "w {loc}"), Part(words, days=(day,)), *self._maybe_hour()]

    def _nobody(self) -> Part:
        """A word that nothing knows, with marks that keep it from being read with its neighbours."""
        name = self._pick("Xqzwvk", "Kwobzyk", "Zdrzblin", "Wqzowo", "Fzkjłąd")
        return Part(f"({name})", names=(name,))

    def _spoken_hour(self) -> list[Part]:
        """Hours in words, and by minutes before and after a whole one."""
        hour, minutes = self.rng.randrange(6, 12), self.rng.choice((5, 10, 20, 25))
        word = _SPOKEN[hour - 6]
        words, meant = self.rng.choice(
            (
                (f"o {word}", time(hour)),
                (f"{minutes} po {word}", time(hour, minutes)),
                (f"{minutes} po {hour}", time(hour, minutes)),
                (f"za {minutes} {hour}", time(hour - 1, 60 - minutes)),
                (f"kwadrans po {word}", time(hour, 15)),
                (f"wpół do {word}", time(hour - 1, 30)),
                (f"{hour} rano", time(hour)),
                (f"o {hour} wieczorem", time(hour + 12)),
            )
        )
        return [Part("msza"), self._town(), Part(words, hours=(meant,))]

    def _weekday(self) -> list[Part]:
        number = self.rng.choice((0, 1, 3, 4, 5, 6))  # the moment of asking is a Wednesday
        ahead = (number - _MOMENT.weekday()) % 7
        lead = self._pick("w", "w najbliższy", "") if number != 1 else "we"
        days = (_MOMENT.date() + timedelta(ahead),)
        return [Part("msza"), Part(f"{lead} {_WEEKDAYS[number]}".strip(), days=days), self._town(), *self._maybe_hour()]

    def _ordinal(self) -> list[Part]:
        """The first and third Sunday: both are days, and no number of them is an hour."""
        first, second = self.rng.sample((1, 2, 3, 4), 2)
        words = self._pick(f"{first} i {second} niedziela", f"{first}. i {second}. niedziela miesiąca")
        days = tuple(_nth_sunday(number) for number in (first, second))
        return [Part("msza"), self._town(), Part(words, days=days)]

    def _distance(self) -> list[Part]:
        way = self._pick("w promieniu {0} km od", "do {0} km od", "{0} km od", "within {0} km of")
        return [Part("msza"), Part(way.format(self.rng.randrange(2, 40))), self._town("{gen}"), *self._maybe_hour()]

    def _limit(self) -> list[Part]:
        first, last = sorted({self._number_of_hour(), self._number_of_hour(), time(13, 30)})[:2]
        one, two = (f"{hour.hour}:{hour:%M}" for hour in (first, last))
        words = self._pick(f"między {one} a {two}", f"od {one} do {two}", f"po {one} ale przed {two}", f"{one}-{two}")
        return [Part("msza"), self._town(), Part(words, hours=(first, last)), *self._date_alone()]

    def _english(self) -> list[Part]:
        day, hour = self._day(), self._number_of_hour()
        month = _ENGLISH_MONTHS[day.month - 1]
        suffix = {1: "st", 2: "nd", 3: "rd", 21: "st", 22: "nd", 23: "rd", 31: "st"}.get(day.day, "th")
        when = self._pick(
            f"{day.day} {month}", f"{month} {day.day}{suffix}", f"{day.day}{suffix} of {month}", f"{month[:3]}. {day.day}"
        )
        clock = self._pick(f"at {hour:%H:%M}", f"at {hour:%I:%M}".replace(" 0", " ") + (" am" if hour.hour < 12 else " pm"))
        limit = self._pick("", "", "before ", "after ")
        clock = clock.replace("at ", limit) if limit else clock
        return [Part("Mass in"), self._town("{nom}"), Part(f"on {when}", days=(day,)), Part(clock, hours=(hour,))]

    def _foreign(self, names: dict[str, str]) -> tuple[str, Town]:
        known = [(name, found[0]) for name in names if (found := self.places.towns.get(name_words(name)))]
        return self.rng.choice(known)

    def _german(self) -> list[Part]:
        name, town = self._foreign(_GERMAN_TOWNS)
        day, hour = self._day(), self._number_of_hour()
        when = self._pick(
            f"am {day.day}. {_GERMAN_MONTHS[day.month - 1]}", f"am {day:%d.%m.}{day.year}", f"am {day.day}.{day.month}.{day.year}"
        )
        clock = self._pick(
            f"um {hour.hour}:{hour:%M} Uhr", f"um {hour.hour} Uhr {hour:%M}" if hour.minute else f"um {hour.hour} Uhr"
        )
        said = Part(self._pick(name, _GERMAN_TOWNS[name]), town=town)
        return [
            Part(self._pick("Heilige Messe in", "Messe", "Gottesdienst in")),
            said,
            Part(when, days=(day,)),
            Part(clock, hours=(hour,)),
        ]

    def _ukrainian(self) -> list[Part]:
        name, town = self._foreign(_UKRAINIAN_TOWNS)
        day, hour = self._day(), self._number_of_hour()
        when = self._pick(f"{day.day} {_UKRAINIAN_MONTHS[day.month - 1]}", f"{day:%d.%m}")
        clock = f"о {hour:%H:%M}" if hour.minute else self._pick(f"о {hour.hour} годині", f"о {hour:%H:%M}")
        return [Part("меса в"), Part(_UKRAINIAN_TOWNS[name], town=town), Part(when, days=(day,)), Part(clock, hours=(hour,))]


def _nth_sunday(number: int) -> date:
    """The next one from the moment of asking."""
    days = (_MOMENT.date() + timedelta(n) for n in range(62))
    return next(day for day in days if day.weekday() == 6 and (day.day - 1) // 7 + 1 == number)


def check(places: Places, count: int, seed: int, interpret: Callable[[str, datetime, Places], Interpretation]) -> list[str]:
    """A line for each of so many made questions that breaks a law: its words, what is lost, the reading."""
    found = []
    for question in Maker(places, seed).questions(count):
        reading = interpret(question.words, question.at, places)
        others = " ".join(part.words for part in question.parts if not (part.hours or part.days))
        wrong = [*violations(question, reading), *(f"number {one} is lost" for one in numbers_lost(others, reading))]
        if wrong:
            said = {key: value for key, value in reading.to_record().items() if value}
            found.append(f"{question.words}: {'; '.join(wrong)}; {said}")
    return found
