"""Addresses: streets with the parishes that lie in them, counties and communes that tell which of several villages is meant.

"ul. 11 Listopada 5" is neither a day nor an hour; "powiat limanowski" stands beside the name of a village.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Final

from rapidfuzz.distance import OSA

from mass_pipeline.finding.places import Places, Town, Words, name_words
from mass_pipeline.finding.questions.draft import Draft
from mass_pipeline.finding.questions.hits import NamedPlace
from mass_pipeline.finding.questions.text import Word
from mass_pipeline.finding.questions.vocabulary import mapping, words_pattern
from mass_pipeline.finding.town_names import ParishRow
from mass_pipeline.model.identifiers import fold

_COUNTY: Final = re.compile(
    r"(?<![^\W_])(?:w\s+)?(?P<lead>powiat|powiecie|powiatu|pow|gmina|gminie|gminy|gm|county)(?![^\W_])\W{0,2}"
    r"(?P<word>[^\W\d_ʘ]+)?"
)
_ADJECTIVE: Final = re.compile(r"(?P<stem>[^\W\d_]{2,}?)[scz]k(?:i|im|iego|iemu|a|iej|ie)")
_LEAST_ALIKE: Final = 2
_LEAST_LIKE_STEM: Final = 4
_LONG_STEM: Final = 6


def counties(draft: Draft) -> None:
    """The town that a county is named after stands for it; a commune's name is read like any town's."""
    for match in _COUNTY.finditer(draft.text.rest):
        if match["word"] is None:
            continue
        is_commune = match["lead"].startswith("gm") and match["word"] in draft.places.forms
        towns = () if is_commune else of_adjective(match["word"], draft.places)
        if towns:
            draft.counties.append(NamedPlace(match.start("word"), match.end("word"), 1, towns, (), True, 0))
            draft.text.take(*match.span())
        elif match["word"] in draft.places.forms:
            draft.text.take(match.start(), match.end("lead"))


def of_adjective(word: str, places: Places) -> tuple[Town, ...]:
    """The towns of the name that an adjective is made of, the best fitting and largest name; () when none is.

    "Limanowski" is of Limanowa, "ełcki" of Ełk: all but the last letters of both are alike.
    """
    match = _ADJECTIVE.fullmatch(word)
    if match is None:
        return ()
    stem = match["stem"]
    fitting = [(_alike(name[0], stem), name) for name in places.single.get(stem[:2], ())]
    found = [(alike, max(town.size for town in places.towns[name]), name) for alike, name in fitting if alike]
    return tuple(places.towns[max(found)[2]]) if found else ()


def _alike(name: str, stem: str) -> int:
    """How many letters name and stem begin alike with; 0 when too few for the one to be made of the other."""
    alike = next((n for n, (one, two) in enumerate(zip(name, stem, strict=False)) if one != two), min(len(name), len(stem)))
    if alike >= _LEAST_LIKE_STEM and len(stem) >= _LONG_STEM and OSA.distance(stem, name[: len(stem)]) == 1:
        return len(stem) - 1  # białostocki, of Białystok
    return alike if alike >= max(_LEAST_ALIKE, len(name) - 3, len(stem) - 2) else 0


_LEAD: Final = re.compile(
    r"(?<![^\W_])(?:przy\W+)?(?:(?P<street>ul|ulica|ulicy)|al|aleja|alei|aleje|pl|plac|placu|os|osiedle|osiedlu)(?![^\W_])"
)
_WRITTEN: Final = re.compile(r"(?<![^\W_])(?:ul|al|pl|os)\b\.?\s*(?P<name>[^|]+)")
_HOUSE: Final = re.compile(r"\d+[a-z]?")
_GAP: Final = re.compile(r"[\s.\-]+")


def streets(draft: Draft) -> None:
    """The name of a street after "ul.", with the number of a house: the longest that the table has, else a date or one word."""
    known = _streets_of(draft.places)
    for match in _LEAD.finditer(draft.text.rest):
        run = list(_following(draft, match.end()))
        plain = tuple(word.plain for word in run)
        named = next((n for n in range(len(run), 0, -1) if plain[:n] in known), 0)
        length = named or _date(plain) or (1 if match["street"] and run else 0)
        if not length:
            continue
        house = run[length : length + 1]
        last = house[0] if house and _HOUSE.fullmatch(house[0].plain) else run[length - 1]
        draft.street = draft.text.raw[run[0].start : run[length - 1].end]
        draft.street_rows = tuple(known.get(plain[:length], ()))
        if named:
            draft.text.take(match.start(), last.end)
        else:
            draft.report(match.start(), last.end, whole=True)


def _following(draft: Draft, start: int) -> Iterator[Word]:
    """Words from a place on that nothing but gaps parts."""
    after = start
    for word in draft.text.words():
        if word.start < start:
            continue
        if not _GAP.fullmatch(draft.text.rest[after : word.start]):
            return
        yield word
        after = word.end


def _date(plain: Sequence[str]) -> int:
    """How many words of a name are a date: 11 Listopada, 3 Maja."""
    is_date = len(plain) > 1 and plain[0].isdigit() and words_pattern("|".join(mapping("months").values())).fullmatch(plain[1])
    return 2 if is_date else 0


@lru_cache(maxsize=4)
def _streets_of(places: Places) -> Mapping[Words, list[ParishRow]]:
    """Parishes by the words of their street, and by its last word: "ul. Popiełuszki" is ks. J. Popiełuszki."""
    found: dict[Words, list[ParishRow]] = defaultdict(list)
    for row in places.rows:
        for match in _WRITTEN.finditer(fold(row.address)):
            words = list(name_words(match["name"]))
            while len(words) > 1 and (_HOUSE.fullmatch(words[-1]) or words[-1] == "nr"):
                words.pop()
            for key in dict.fromkeys((tuple(words), tuple(words[-1:]))):
                if len(key) > 1 or (key and not key[0].isdigit()):
                    found[key].append(row)
    return found
