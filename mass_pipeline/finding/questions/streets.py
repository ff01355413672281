"""Streets: "ul. 11 Listopada 5" is an address, neither a day nor an hour; a parish of the table that lies in it is meant."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Final

from mass_pipeline.finding.places import Places, Words, name_words
from mass_pipeline.finding.questions.draft import Draft
from mass_pipeline.finding.questions.text import Word
from mass_pipeline.finding.questions.vocabulary import mapping, words_pattern
from mass_pipeline.finding.town_names import ParishRow
from mass_pipeline.model.identifiers import fold

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
