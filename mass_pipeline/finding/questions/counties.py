"""Counties and communes beside the name of a village ("powiat limanowski", "gm. Dobczyce"): they tell which one is meant."""

from __future__ import annotations

import re
from typing import Final

from rapidfuzz.distance import OSA

from mass_pipeline.finding.places import Places, Town
from mass_pipeline.finding.questions.draft import Draft
from mass_pipeline.finding.questions.hits import Hit

_LEAD: Final = re.compile(
    r"(?<![^\W_])(?:w\s+)?(?P<lead>powiat|powiecie|powiatu|pow|gmina|gminie|gminy|gm|county)(?![^\W_])\W{0,2}"
    r"(?P<word>[^\W\d_ʘ]+)?"
)
_ADJECTIVE: Final = re.compile(r"(?P<stem>[^\W\d_]{2,}?)[scz]k(?:i|im|iego|iemu|a|iej|ie)")
_LEAST_ALIKE: Final = 2
_LEAST_LIKE_STEM: Final = 4
_LONG_STEM: Final = 6


def counties(draft: Draft) -> None:
    """The town that a county is named after stands for it; a commune's name is read like any town's."""
    for match in _LEAD.finditer(draft.text.rest):
        if match["word"] is None:
            continue
        is_commune = match["lead"].startswith("gm") and match["word"] in draft.places.forms
        towns = () if is_commune else of_adjective(match["word"], draft.places)
        if towns:
            draft.counties.append(Hit(match.start("word"), match.end("word"), 1, towns, (), True, 0))
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
