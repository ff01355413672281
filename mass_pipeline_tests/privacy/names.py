"""Names of six languages and numbers of persons, drawn with a seed: all of them invented for the tests.

The lists were written before the masking they judge; none of them is a word list of the product.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Final

# (nominative, genitive) of given names and surnames; languages without cases repeat the form.
_GIVEN: Final = {
    "pl": ["Dobromiła Dobromiły", "Gniewomir Gniewomira", "Kunegunda Kunegundy", "Świętosława Świętosławy", "Telesfor Telesfora",
           "Żaneta Żanety", "Hermenegilda Hermenegildy", "Anna Anny", "Jan Jana", "Pelagia Pelagii", "Zbysława Zbysławy"],
    "uk": ["Оксана Оксани", "Тарас Тараса", "Зіновій Зіновія", "Мирослава Мирослави", "Остап Остапа"],
    "de": ["Gerlinde Gerlinde", "Jürgen Jürgen", "Waltraud Waltraud", "Heinz Heinz"],
    "en": ["Siobhan Siobhan", "Terence Terence", "Maureen Maureen", "Eamon Eamon"],
    "lt": ["Algirdas Algirdo", "Rasa Rasos", "Vytenis Vytenio", "Daiva Daivos"],
    "vi": ["Nguyen Nguyen", "Phuong Phuong", "Trang Trang", "Minh Minh"],
}  # fmt: skip
_FAMILY: Final = {
    "pl": ["Brzęczyszczykiewicz Brzęczyszczykiewicza", "Pępkowa Pępkowej", "Grzędziński Grzędzińskiego", "Ćwikła Ćwikły",
           "Żyłka Żyłki", "Pindor Pindora", "Wąchała Wąchały", "Kukułowicz Kukułowicza", "Szczygłowska Szczygłowskiej",
           "Gołąbek Gołąbka", "Niedzielski Niedzielskiego", "Sobotka Sobotki", "Mrozik Mrozika", "Kapłonek Kapłonka"],
    "uk": ["Шевчук Шевчука", "Гнатишин Гнатишина", "Кравець Кравця", "Бандурка Бандурки"],
    "de": ["Zimmerhackl Zimmerhackl", "Oberhuber Oberhuber", "Kwiatkowsky Kwiatkowsky"],
    "en": ["O'Donoghue O'Donoghue", "McGillicuddy McGillicuddy", "Featherstone Featherstone"],
    "lt": ["Bieliauskas Bieliausko", "Jankauskienė Jankauskienės", "Paplauskaitė Paplauskaitės"],
    "vi": ["Thanh Thanh", "Huynh Huynh", "Dang Dang"],
}  # fmt: skip
LANGUAGES: Final = tuple(_GIVEN)
_PLURALS: Final = [
    "Pindorów", "Kiełbasów", "Ćwiertniów", "Brzęków", "Wąchałów", "Grzędzińskich", "Szczygłowskich", "Kukułowiczów", "Gołąbków",
    "Żyłków", "Oberhuberów", "Szewczuków", "Jankauskasów",
]  # fmt: skip


@dataclass(frozen=True)
class Person:
    """A person in the forms that templates need."""

    given: str
    given_of: str
    family: str
    family_of: str

    @property
    def words(self) -> list[str]:
        """Every form, as strings that must not leave."""
        return list(dict.fromkeys((self.given, self.given_of, self.family, self.family_of)))


def person(chance: random.Random, language: str) -> Person:
    """A person with a name of a language."""
    given = chance.choice(_GIVEN[language]).split()
    family = chance.choice(_FAMILY[language]).split()
    return Person(given[0], given[1], family[0], family[1])


def family(chance: random.Random) -> str:
    """A family in the genitive plural."""
    return chance.choice(_PLURALS)


def mobile(chance: random.Random) -> str:
    """A telephone number in one of the spellings of real pages."""
    first = chance.choice(("5", "6", "7")) + _digits(chance, 8)
    area = chance.choice(("12", "32", "61", "81"))
    local = _digits(chance, 7)
    a, b, c = first[:3], first[3:6], first[6:]
    return chance.choice(
        [
            first, f"{a} {b} {c}", f"{a}-{b}-{c}", f"{a}.{b}.{c}", f"+48{first}", f"+48 {a} {b} {c}", f"0048 {a}-{b}-{c}",
            f"{a}/{b}/{c}", f"{a} {b}{c}", f"({area}) {local[:3]} {local[3:5]} {local[5:]}",
            f"{area} {local[:3]}-{local[3:5]}-{local[5:]}", f"0{area}/{local}",
            f"(0-{area}) {local}", f"{area}-{local}", f"{a} {first[3:5]} {first[5:7]} {first[7:]}", f"48-{a}-{b}-{c}",
        ]
    )  # fmt: skip


def pesel(chance: random.Random) -> str:
    """Eleven digits with the look of a personal number."""
    return f"{chance.randrange(30, 99)}{chance.randrange(1, 13):02d}{chance.randrange(1, 29):02d}{_digits(chance, 5)}"


def account(chance: random.Random) -> str:
    """An account number in one of its spellings."""
    number = _digits(chance, 26)
    groups = " ".join([number[:2], *(number[i : i + 4] for i in range(2, 26, 4))])
    return chance.choice([number, groups, f"PL{number}", f"PL {groups}", groups.replace(" ", "-")])


def e_mail(chance: random.Random, who: Person) -> str:
    """An address in one of the spellings that hide it from machines."""
    user, host = "".join(c for c in who.family.lower() if c.isalpha()), chance.choice(("poczta", "skrzynka", "mejl"))
    return chance.choice(
        [
            f"{user}@{host}.example", f"{user} (malpa) {host}.example", f"{user}[at]{host}[kropka]example",
            f"{user} (at) {host}.example", f"{user}(małpa){host}.example",
            f"{user} @ {host} . example", f"{user} AT {host} DOT example",
        ]
    )  # fmt: skip


def _digits(chance: random.Random, number: int) -> str:
    return "".join(chance.choice("0123456789") for _ in range(number))
