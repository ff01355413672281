"""Forms of Polish place names: how a word of a name is written, folded, and in which case; and words written as they sound.

Rules by ending, generous on purpose: a form that nobody uses finds nobody, a missing one loses a town. Source of the patterns:
the noun and adjective declensions of any Polish grammar; measured on a table of 10,130 parishes (docs/questions.md).
"""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from typing import Final, Literal

from mass_pipeline.model.identifiers import fold

_LEAST_LETTERS: Final = 4
_MOST_PLACES: Final = 6  # of a word where it may be spelt otherwise
_MOST_WRONG: Final = 2  # of these at once
# Written: meant, folded. Nasal vowels and ó by ear; letters of English keyboards and habits.
_ALIKE: Final = (
    ("on", "a"),
    ("om", "a"),
    ("en", "e"),
    ("em", "e"),
    ("u", "o"),
    ("rz", "z"),
    ("z", "rz"),
    ("sz", "rz"),
    ("ch", "h"),
    ("h", "ch"),
    ("v", "w"),
    ("f", "w"),
    ("sh", "sz"),
    ("tch", "cz"),
    ("ch", "cz"),
    ("x", "ks"),
    ("ks", "x"),
    ("ts", "c"),
)


def sounding_alike(word: str) -> Iterator[str]:
    """Other spellings of a folded word, those with one change first.

    >>> "sacz" in sounding_alike("soncz"), "wroclaw" in sounding_alike("vroclav"), "kolobrzeg" in sounding_alike("kolobzeg")
    (True, True, True)
    """
    if len(word) < _LEAST_LETTERS:
        return
    places = [
        (at, written, meant)
        for at in range(len(word))
        for written, meant in _ALIKE
        if word.startswith(written, at) and not (written in ("h", "z") and word[at - 1 : at] in ("c", "s", "r", "d"))
    ][:_MOST_PLACES]
    for count in range(1, _MOST_WRONG + 1):
        for chosen in itertools.combinations(places, count):
            if all(one[0] + len(one[1]) <= two[0] for one, two in itertools.pairwise(chosen)):
                yield _changed(word, chosen)


def _changed(word: str, chosen: tuple[tuple[int, str, str], ...]) -> str:
    for at, written, meant in reversed(chosen):
        word = word[:at] + meant + word[at + len(written) :]
    return word


Case = Literal["nom", "gen", "dat", "acc", "ins", "loc"]

_SOFT: Final = {"ń": "n", "ć": "c", "ś": "s", "ź": "z"}  # softness is written as i before a vowel
_HARDENED: Final = ("cz", "sz", "rz", "dz", "dż", "c", "ż", "j", "l")
_LABIALS: Final = ("b", "p", "w", "m", "f")  # may be soft at the end: Wrocław-Wrocławiu, Oświęcim-Oświęcimiu
_SOFTENED: Final = {"k": "ce", "g": "dze", "ch": "sze", "h": "ze", "r": "rze", "ł": "le", "t": "cie", "d": "dzie"}
_NOUNS_IN_OWA: Final = frozenset({"częstochowa", "włoszczowa"})  # all others are adjectives: w Limanowej
# Words whose stem changes in a way of their own: case -> forms.
_IRREGULAR: Final[dict[str, str]] = {
    "wieś": "wsi:gen,dat,loc wies:acc wsia:ins",
    "białystok": "bialegostoku:gen bialemustokowi:dat bialymstokiem:ins bialymstoku:loc",
    "krasnystaw": "krasnegostawu:gen krasnemustawowi:dat krasnymstawem:ins krasnymstawie:loc",
    "ostrów": "ostrowi:gen,dat,loc",  # the feminine one: w Ostrowi Mazowieckiej
    "las": "lasu:gen lasem:ins lesie:loc",
    "gniazdo": "gniezdzie:loc",
    "miasto": "miescie:loc",
    "świat": "swiecie:loc",
    "siodło": "siodle:loc",
    "września": "wrzesni:gen,dat,loc wrzesnie:acc wrzesnia:ins",
    "szczecinek": "szczecinka:gen szczecinku:loc szczecinkiem:ins",
}
_ENDINGS: Final = ("wieś", "miasto")


@cache
def forms(word: str) -> dict[str, frozenset[Case]]:
    """Folded forms of one word of a name, each with the cases it may stand in; the nominative is always among them.

    >>> sorted(form for form, cases in forms("Gniezno").items() if "loc" in cases)
    ['gnieznie', 'gnieznu', 'gnieznym']
    >>> "loc" in forms("Kraków")["krakowie"], "gen" in forms("Mielec")["mielca"], "loc" in forms("Zakopane")["zakopanem"]
    (True, True, True)
    """
    lower = word.casefold()
    found: dict[str, set[Case]] = defaultdict(set)
    for form, case in _all_forms(lower):
        found[form].add(case)
    return {form: frozenset(cases) for form, cases in found.items()}


def _all_forms(word: str) -> Iterator[tuple[str, Case]]:
    folded = fold(word)
    yield folded, "nom"
    if len(word) < 3 or word.isdigit():
        return
    yield from _irregular(word)
    last = word[-1]
    if last == "a":
        yield from _feminine(word)
    elif last == "o":
        yield from _neuter(word)
    elif last == "e":
        yield from _ending_in_e(word)
    elif last in "yi":
        yield from _ending_in_y(word)
    else:
        yield from _consonant(word)


def _irregular(word: str) -> Iterator[tuple[str, Case]]:
    """Forms of the table; a name written in one word ends as its last part does: w Wielowsi."""
    ending = next((one for one in _ENDINGS if word.endswith(one)), word)
    beginning = fold(word.removesuffix(ending))
    for item in _IRREGULAR.get(ending, "").split():
        form, cases = item.split(":")
        for case in cases.split(","):
            yield beginning + form, case  # type: ignore[misc]  # the cases of the table above


def _softened(stem: str) -> str:
    """The stem with the softening of the locative and its -e; folded."""
    for ending, soft in (("ch", "sze"), *_SOFTENED.items()):
        if stem.endswith(ending):
            return fold(stem[: -len(ending)]) + soft
    return fold(stem) + ("e" if stem.endswith("i") else "ie")


def _feminine(word: str) -> Iterator[tuple[str, Case]]:
    stem, plain = word[:-1], fold(word[:-1])
    if stem.endswith("i"):
        genitives, locatives = [plain, plain[:-1] + "ii"], [plain, plain[:-1] + "ii"]
    elif stem.endswith(("l", "j", "k", "g")):
        genitives = [plain + "i", plain[:-1] + "i"] if stem.endswith("j") else [plain + "i"]
        locatives = genitives if stem.endswith(("l", "j")) else [_softened(stem)]
    elif stem.endswith(_HARDENED):
        genitives = locatives = [plain + "y"]
    else:
        genitives, locatives = [plain + "y"], [_softened(stem)]
    if word.endswith("owa") and word not in _NOUNS_IN_OWA:
        yield from _cases(("gen", locatives))  # found, but ranked after the villages in -ów and -owo, whose locative it is
        locatives = [plain + "ej"]
    adjective = plain + ("iej" if stem.endswith(("k", "g")) else "ej")
    yield from _cases(("gen", [*genitives, adjective]), ("dat", [*locatives, adjective]), ("loc", [*locatives, adjective]))
    yield from _cases(("acc", [plain + "e", plain + "a"]), ("ins", [plain + "a"]))
    yield from _cases(("loc", [plain + "ach"]), ("ins", [plain + "ami"]), ("dat", [plain + "om"]), ("gen", [plain]))  # Łaziska


def _neuter(word: str) -> Iterator[tuple[str, Case]]:
    stem, plain = word[:-1], fold(word[:-1])
    locatives = [plain + "u", plain + "ym"]
    if not stem.endswith(("k", "g", "ch", *_HARDENED)):
        locatives.append(_softened(stem))
    yield from _cases(("gen", [plain + "a"]), ("dat", [plain + "u"]), ("acc", [plain + "o"]))
    joint = "i" if stem.endswith(("k", "g")) else ""
    yield from _cases(("ins", [plain + joint + "em"]), ("loc", locatives))


def _ending_in_e(word: str) -> Iterator[tuple[str, Case]]:
    """Opole, Zakopane, Końskie and plurals: Katowice, Kielce, Tarnowskie."""
    plain = fold(word[:-1])
    yield from _cases(("gen", [plain + "a"]), ("dat", [plain + "u"]), ("loc", [plain + "u"]), ("ins", [plain + "em"]))
    if plain.endswith("i"):
        endings = ("ego", "ch", "mu", "m", "em", "mi")
    else:
        endings = ("ego", "ych", "emu", "ym", "em", "ymi")
    genitive, genitive_plural, dative, locative, old_locative, instrumental = (plain + ending for ending in endings)
    yield from _cases(("gen", [genitive, genitive_plural]), ("dat", [dative]), ("acc", [fold(word)]))
    yield from _cases(("loc", [locative, old_locative, genitive_plural]), ("ins", [locative, instrumental]))
    yield from _plural(plain)


def _ending_in_y(word: str) -> Iterator[tuple[str, Case]]:
    """Adjectives (Nowy, Wielki) and plurals (Tychy, Suwałki)."""
    plain = fold(word[:-1])
    joint = "i" if word.endswith("i") else ""
    vowel = "i" if joint else "y"
    yield from _cases(("gen", [plain + joint + "ego"]), ("dat", [plain + joint + "emu"]), ("acc", [fold(word)]))
    yield from _cases(("loc", [plain + vowel + "m"]), ("ins", [plain + vowel + "m"]))
    yield from _plural(plain)


def _plural(plain: str) -> Iterator[tuple[str, Case]]:
    genitives = [plain, plain + "ow", plain + "i"]
    if len(plain) > 2 and plain[-1] not in "aeiouy" and plain[-2] not in "aeiouy":
        genitives += [plain[:-1] + "e" + plain[-1], plain[:-1] + "ie" + plain[-1]]
    yield from _cases(("gen", genitives), ("dat", [plain + "om"]), ("ins", [plain + "ami"]), ("loc", [plain + "ach"]))
    if plain.endswith("i"):
        yield "".join((plain[:-1], "ach")), "loc"


def _consonant(word: str) -> Iterator[tuple[str, Case]]:
    """Masculine, hard and soft, with a fleeting e (Mielec, Mielca), and feminine (Łódź, Bydgoszcz)."""
    for stem in _stems(word):
        last = stem[-1]
        plain = fold(stem)
        soft = last in _SOFT
        if soft or stem.endswith(_LABIALS):
            yield from _cases(("gen", [plain + "ia", plain + "iu"]), ("dat", [plain + "iowi"]), ("ins", [plain + "iem"]))
            yield from _cases(("loc", [plain + "iu"]))
        if soft or stem.endswith(_HARDENED):
            vowel = "y" if stem.endswith(("cz", "sz", "rz", "ż", "c")) else "i"
            yield from _cases(("gen", [plain + vowel]), ("dat", [plain + vowel]), ("loc", [plain + vowel]))
            yield from _cases(("ins", [plain + ("ia" if soft else "a")]))
        if soft:
            continue
        yield from _cases(("gen", [plain + "a", plain + "u"]), ("dat", [plain + "owi"]))
        joint = "i" if last in "kg" else ""
        yield from _cases(("ins", [plain + joint + "em"]))
        if stem.endswith(("k", "g", "ch", "h", *_HARDENED)):
            yield plain + "u", "loc"
        else:
            yield _softened(stem), "loc"


def _stems(word: str) -> Iterator[str]:
    """Stems of the other cases: ó becomes o, ą may become ę, an e before the last consonant may fall."""
    base = word[:-2] + "o" + word[-1] if len(word) > 2 and word[-2] == "ó" else word
    if word.endswith("ódź"):
        base = word[:-3] + "odź"
    yield base
    if base != word:
        yield word
    if len(word) > 3 and word[-2] == "ą":
        yield word[:-2] + "ę" + word[-1]
    if len(word) > 3 and word[-2] == "e" and word[-1] in "ckłlńnrw":
        short = word[:-3] if word[-3] == "i" else word[:-2]
        yield short + word[-1]


def _cases(*pairs: tuple[Case, list[str]]) -> Iterator[tuple[str, Case]]:
    for case, written in pairs:
        for form in written:
            yield form, case
