"""Two hundred written pages with an order of Masses and one private fact each, and the strings that must not leave them."""

from __future__ import annotations

import html
import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from mass_pipeline_tests.privacy.names import LANGUAGES, Person, account, e_mail, family, mobile, person, pesel

PAGES: Final = 200
_SEED: Final = 20261122

Fact = tuple[str, list[str]]  # words beside an hour, and what of them is private
Maker = Callable[[random.Random, Person], Fact]


@dataclass(frozen=True)
class PrivatePage:
    """A page and what of it is private.

    Attributes:
        id: name of the page.
        html: the page.
        private: strings that may stand in no output.
        fact: the words that hold them, "" when they are not known apart.
    """

    id: str
    html: str
    private: tuple[str, ...]
    fact: str = ""


def _dead(chance: random.Random, who: Person) -> Fact:
    mark = chance.choice(
        ["+", "++ ", "†", "† ", "śp. ", "Ś.P. ", "za śp. ", "ś. p. ", "zm. ", "za + ", "w 5 r. śm. ", "Ś†P. ", "Ś. † P. "]
    )
    return f"{mark}{who.given_of} {who.family_of}", who.words


def _dead_in_capitals(chance: random.Random, who: Person) -> Fact:
    given, surname = who.given_of.upper(), who.family_of.upper()
    return f"{chance.choice(['ŚP.', '++', 'Ś†P.', 'ZA ŚP.'])} {given} {surname}", [given, surname]


def _dead_in_small_letters(chance: random.Random, who: Person) -> Fact:
    given, surname = who.given_of.lower(), who.family_of.lower()
    return f"{chance.choice(['zm.', 'za śp.', '+', 'za zmarłego'])} {surname} {given}", [given, surname]


def _initials(chance: random.Random, who: Person) -> Fact:
    return f"{chance.choice(['w 3 r. śm.', '+', 'za śp.', '-', 'int.'])} {who.given_of[0]}. {who.family_of}", [who.family_of]


def _double(chance: random.Random, who: Person) -> Fact:
    first = family(chance)[:-2] + "ska"
    words = f"{chance.choice(['za śp.', '+', 'o zdrowie dla', '–'])} {who.given_of} {first}-{who.family_of}"
    return words, [who.given_of, first, who.family_of]


def _families(chance: random.Random, _: Person) -> Fact:
    names = list(dict.fromkeys(family(chance) for _ in range(3)))
    joined = ", ".join(names[:-1]) + f" i {names[-1]}" if len(names) > 1 else names[0]
    return f"{chance.choice(['za zmarłych z rodziny', 'za zm. z rodz.', 'w int. rodzin', '++ z rodzin'])} {joined}", names


def _in_brackets(chance: random.Random, who: Person) -> Fact:
    words = chance.choice(["w intencji Bogu wiadomej od ul. Polnej 14 m. 3", "int. dziękczynna", "za parafian", "wolna intencja"])
    inside = chance.choice([who.family, f"{who.given} {who.family}", f"rodz. {who.family_of}", f"od {who.family_of}"])
    return f"{words} ({inside})", [who.family, who.family_of]


def _ill(chance: random.Random, who: Person) -> Fact:
    words = chance.choice(
        ["chorej na raka", "walczącego z białaczką", "po udarze", "chorującego na stwardnienie rozsiane", "z depresją"]
    )
    illness = words.split()[-1]
    before = chance.choice(["o zdrowie dla", "w intencji", "o łaskę uzdrowienia dla"])
    return f"{before} {words} {who.given_of} {who.family_of[0]}.", [who.given_of, illness]


def _birthday(chance: random.Random, who: Person) -> Fact:
    day = f"{chance.randrange(10, 28)}.0{chance.randrange(1, 9)}.19{chance.randrange(30, 70)}"
    words = [
        f"z okazji {chance.randrange(60, 95)}. urodzin {who.given_of} {who.family_of}",
        f"dziękczynna w dniu imienin {who.given_of} {who.family_of}",
        f"{who.given} {who.family} - {chance.randrange(60, 95)} urodziny",
    ]
    if chance.random() < 0.3:
        return f"z okazji urodzin {who.given_of} {who.family_of} (ur. {day})", [who.given_of, who.family_of, day]
    return chance.choice(words), [who.given_of, who.family_of, who.given, who.family]


def _jubilee(chance: random.Random, who: Person) -> Fact:
    words = f"w {chance.choice([25, 40, 50])}. rocznicę ślubu {who.given_of} i {person(chance, 'pl').given_of} {family(chance)}"
    return words, [who.given_of, words.split()[-1], words.split()[-2]]


def _dedicated(chance: random.Random, who: Person) -> Fact:
    return f"- {chance.choice(['Radiowo dedykowana', 'zamawia', 'ofiaruje', 'od'])} {who.given_of} {who.family_of}", [
        who.given_of,
        who.family_of,
    ]


def _plainly(chance: random.Random, who: Person) -> Fact:
    joined = chance.choice(["- ", "– ", "", "| ", ": "])
    words = chance.choice([f"{who.given} {who.family}", f"{who.family} {who.given}"])
    return f"{joined}{words}", [who.given, who.family]


def _telephone(chance: random.Random, who: Person) -> Fact:
    number = mobile(chance)
    words = chance.choice(["informacje", "tel.", "telefon", "kontakt", "zapisy", "tel. kom.", ""])
    tail = chance.choice([f" ({who.given})", "", f", {who.given} {who.family}"])
    return f"{words} {number}{tail}", [number, *([who.given] if tail else [])]


def _address(chance: random.Random, who: Person) -> Fact:
    written = e_mail(chance, who)
    user = "".join(c for c in who.family.lower() if c.isalpha())
    return f"{chance.choice(['zapisy', 'e-mail', 'kontakt', ''])} {written}", [user]


def _number(chance: random.Random, who: Person) -> Fact:
    number = pesel(chance)
    return f"spowiedź u o. {who.given_of}, PESEL {number}", [who.given_of, number]


def _account(chance: random.Random, who: Person) -> Fact:
    number = account(chance)
    return f"{chance.choice(['nr konta', 'konto', 'wpłaty', 'ofiary na leczenie:'])} {number} ({who.family})", [
        number,
        who.family,
    ]


def _funeral(chance: random.Random, who: Person) -> Fact:
    given, surname = who.given_of, who.family_of
    if chance.random() < 0.5:
        given, surname = given.upper(), surname.upper()
    return f"pogrzeb {chance.choice(['śp.', 'ŚP.', '+', ''])} {given} {surname}", [given, surname]


def _priest(chance: random.Random, who: Person) -> Fact:
    title = chance.choice(["ks.", "ks. wik.", "o.", "ks. kan. dr", "celebruje ks.", "organista", "kościelny"])
    return f"{title} {who.given} {who.family}", [who.given, who.family]


def _sealed(chance: random.Random, who: Person) -> Fact:
    return f"chrzest: {who.given} {who.family}, rodzice {person(chance, 'pl').given} i {who.given}", [who.given, who.family]


_MAKERS: Final[tuple[Maker, ...]] = (
    _dead, _dead, _dead_in_capitals, _dead_in_small_letters, _initials, _double, _families, _in_brackets, _ill, _birthday,
    _jubilee, _dedicated, _plainly, _telephone, _telephone, _address, _number, _account, _funeral, _priest, _sealed,
)  # fmt: skip

# Where the fact stands: %s is the fact, other hours are the parish's own.
_PLACES: Final = (
    "<p>Niedziela: 8.00 %s, 10.00 za parafian, 12.00</p><p>Dni powszednie: 18.00</p>",
    "<p>Niedziela: 8.00, 10.00, 12.00 %s</p><p>Dni powszednie: 18.00</p>",
    "<p>Niedziele i święta: 7.00, 9.00 (%s), 11.00</p><p>Dni powszednie: 7.00, 18.00</p>",
    "<p>Niedziele: 7.00, 9.00, 11.00</p><p>Dni powszednie: 18.00 %s</p>",
    "<ul><li>niedziele: 7.30, 9.00, 11.00</li><li>dni powszednie: 7.00, 18.00</li><li>sobota: 18.00 %s</li></ul>",
    "<table><tr><th>Niedziela</th><td>7.00</td><td>%s</td></tr><tr><th>Niedziela</th><td>9.00</td><td>za parafian</td></tr>"
    "<tr><th>Dni powszednie</th><td>18.00</td><td></td></tr></table>",
    "<h2>Niedziele</h2><p>8.00<br>10.00 %s<br>12.00</p><h2>Dni powszednie</h2><p>7.00, 18.00</p>",
    "<p>Niedziela: 8.00, 10.00. %s</p><p>Dni powszednie: 18.00</p>",
    "<p>%s</p><p>Niedziela: 8.00, 10.00</p><p>Dni powszednie: 18.00</p>",
    "<h2>%s</h2><p>Niedziela: 8.00, 10.00</p><p>Dni powszednie: 18.00</p>",
    "<p>W niedziele Msze św. o 8.00, 10.00 i 12.00, w dni powszednie o 18.00 (%s).</p>",
    "<p>Niedziela: 8.00, 10.00</p><p>Dni powszednie: 18.00 %s; w wakacje tylko 18.30</p>",
)


def private_pages(seed: int = _SEED, number: int = PAGES) -> list[PrivatePage]:
    """The pages: every kind of fact in every language as often as the number allows, the place drawn with the seed."""
    chance = random.Random(seed)
    pages = []
    for index in range(number):
        maker = _MAKERS[index % len(_MAKERS)]
        words, private = maker(chance, person(chance, LANGUAGES[index // len(_MAKERS) % len(LANGUAGES)]))
        body = chance.choice(_PLACES).replace("%s", html.escape(words))
        title = chance.choice(("Porządek Mszy Świętych", "Msze święte", "Msze św. i nabożeństwa"))
        page = f"<!doctype html><html lang=pl><meta charset=utf-8><title>{title}</title><body><h1>{title}</h1>{body}"
        strings = tuple(dict.fromkeys(string for string in private if len(string) > 2))
        pages.append(PrivatePage(f"{maker.__name__[1:]}-{index:03d}", page, strings, words))
    return pages
