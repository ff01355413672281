"""Addresses: streets with the parishes that lie in them, counties and communes that tell which of several villages is meant.

"ul. 11 Listopada 5" is neither a day nor an hour; "powiat limanowski" stands beside the name of a village.
"""

from __future__ import annotations

import itertools
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Final

from rapidfuzz.distance import OSA

from mass_pipeline.finding.places import Places, Town, Words, name_words
from mass_pipeline.finding.questions import calendar_dates, clocks
from mass_pipeline.finding.questions.draft import Draft, Match, Piece, Street, each, pattern, phrases
from mass_pipeline.finding.questions.hits import NamedPlace, find_hits, is_led
from mass_pipeline.finding.questions.text import Word
from mass_pipeline.finding.questions.vocabulary import is_of_vocabulary, mapping, words_pattern
from mass_pipeline.finding.town_names import ParishRow
from mass_pipeline.model.identifiers import fold

_COUNTY: Final = re.compile(
    r"(?<![^\W_])(?:w\s+)?(?P<lead>powiat|powiecie|powiatu|pow|gmina|gminie|gminy|gm|county)(?![^\W_])\W{0,2}"
    r"(?P<word>[^\W\d_ʘ]+)"
)
_ADJECTIVE: Final = re.compile(r"(?P<stem>[^\W\d_]{2,}?)[scz]k(?:i|im|iego|iemu|a|iej|ie)")
_LEAST_ALIKE: Final = 2
_LEAST_LIKE_STEM: Final = 4
_LONG_STEM: Final = 6


def _county(draft: Draft, _: str, match: Match) -> Piece | None:
    """The town that a county is named after stands for it; a commune's name is read like any town's."""
    is_town = match["word"] in draft.places.forms
    towns = () if match["lead"].startswith("gm") and is_town else of_adjective(match["word"], draft.places)
    if towns:
        return {"counties": (NamedPlace(*match.span("word"), 1, towns, (), True, 0),)}
    return {"span": (match.start(), match.end("lead"))} if is_town else None


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


_WRITTEN: Final = re.compile(r"(?<![^\W_])(?:ul|al|pl|os)\b\.?\s*(?P<name>[^|]+)")
_HOUSE: Final = re.compile(r"\d{1,3}[a-z]?")
_GAP: Final = re.compile(r"[\s.\-]+")
_MOST_WORDS: Final = 5  # of a street: "al. gen. Józefa Hallera 12"


def streets(draft: Draft) -> Draft:
    """The name of a street with the number of a house: the longest that the table has, after "ul." any other name too.

    The number of a house is no hour: "Długa 7", "os. gen. Sikorskiego 7".
    """
    known = _streets_of(draft.places)
    for _, match in phrases("address", "lead")(draft):
        run = list(itertools.islice(_following(draft, match.end()), _MOST_WORDS))
        named = next((n for n in range(len(run), 0, -1) if _plain(run[:n]) in known), 0)
        draft = _with_street(draft, match.start(), run, max(named, _length(draft, match[0], run, named)), known)
    words = list(draft.text.words())
    for at, word in enumerate(words):
        house = next((n for n in range(_MOST_WORDS, 0, -1) if _is_house(draft, words[at : at + n + 1], n, known)), 0)
        draft = _with_street(draft, word.start, words[at : at + house + 1], house, known)
    return draft


def _with_street(draft: Draft, start: int, run: Sequence[Word], length: int, known: Mapping[Words, list[ParishRow]]) -> Draft:
    """With a street of so many words of the run, and the house after it."""
    if not length or draft.street is not None:
        return draft
    behind = run[length : length + 1]
    house = behind[0] if behind and _is_number(draft, behind[0]) else None
    end = (house or run[length - 1]).end
    rows = tuple(known.get(_plain(run[:length]), ()))
    return draft.plus((start, end), street=Street(start, end, (house.start, house.end) if house else None, rows))


def _plain(run: Sequence[Word]) -> Words:
    return tuple(word.plain for word in run)


def _length(draft: Draft, lead: str, run: Sequence[Word], named: int) -> int:
    """How many words a street has that no parish of the table lies in: a date, those before the house, or one."""
    months = words_pattern("|".join(mapping("months").values()))
    if len(run) > 1 and run[0].plain.isdigit() and months.fullmatch(run[1].plain):
        return 2
    before_house = next((n for n, word in enumerate(run) if n and _HOUSE.fullmatch(word.plain)), 0)
    others = [word.plain for word in run[max(named, 1) : before_house]]
    if before_house and not any(is_of_vocabulary(word) or word in draft.places.forms for word in others):
        return before_house
    is_town = bool(run) and run[0].plain in draft.places.forms
    has_other_town = is_town and any(hit.start > run[0].start for hit in find_hits(draft.text, draft.places))
    return 1 if run and ("ul" in lead or has_other_town) else 0  # "os. Piastów Kraków" is not in the town of Piastów


def _is_house(draft: Draft, run: Sequence[Word], length: int, known: Mapping[Words, list[ParishRow]]) -> bool:
    """Whether words are a street of the table without "ul.", with the number of a house: no word of days, no name that is led to.

    A town's name is a street's where another town is named: "Lipowa 7 Opole".
    """
    names, plain = run[:length], _plain(run[:length])
    if len(run) <= length or plain not in known or not _is_number(draft, run[length]) or plain[0].isdigit():
        return False
    if any(is_of_vocabulary(word) for word in plain) or is_led(draft.text, names[0].start):
        return False
    if not all(_GAP.fullmatch(draft.text.rest[one.end : two.start]) for one, two in itertools.pairwise(run[: length + 1])):
        return False
    if not any(word in draft.places.forms for word in plain):
        return True
    start, end = names[0].start, run[length].end
    return any(hit.end <= start or hit.start >= end for hit in find_hits(draft.text, draft.places))


def _is_number(draft: Draft, word: Word) -> bool:
    """Whether it is the number of a house: neither minutes nor a half of the day nor a month stand beside it."""
    after = draft.text.plain[word.end :]
    is_other = clocks.is_part_of_hour(after) or calendar_dates.is_part_of_date(after)
    return _HOUSE.fullmatch(word.plain) is not None and not is_other


def _following(draft: Draft, start: int) -> Iterator[Word]:
    """Words from a place on that nothing but gaps parts."""
    after = start
    for word in (one for one in draft.text.words() if one.start >= start):
        if not _GAP.fullmatch(draft.text.rest[after : word.start]):
            return
        yield word
        after = word.end


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


counties = each(pattern(_COUNTY), _county)
