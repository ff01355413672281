"""When schools are closed within the school year: what "w roku szkolnym" may or may not mean on those days.

Christmas and Easter breaks are the same everywhere; winter holidays are those of a voivodeship and year, as data
(school_breaks.toml). Source of the rules: regulation of the minister of education on the organisation of the school year
(Dz.U. 2017 poz. 1603), par. 3: 23 to 31 December, from the 22nd when that is a Monday; Thursday before Easter to Tuesday after
it; two weeks from the middle of January to the end of February.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache
from importlib.resources import files
from typing import Final, Literal

from mass_pipeline.model.errors import BadInput
from mass_pipeline.model.identifiers import fold
from mass_pipeline.reading.words.church_calendar import easter

Break = Literal["no", "yes", "unknown"]
_TERM: Final = timedelta(13)  # two weeks, first and last day counted
_EASTER_BREAK: Final = range(-3, 3)  # days from Easter Sunday


@dataclass(frozen=True, slots=True)
class Term:
    """Winter holidays of some voivodeships.

    Attributes:
        first, last: days, inclusive. voivodeships: in lower case. source: who says so.
    """

    first: date
    last: date
    voivodeships: frozenset[str]
    source: str


def school_break(day: date, voivodeship: str) -> Break:
    """Whether schools of a voivodeship are closed on a day of the school year.

    Args:
        voivodeship: its name; "" when it is not known, which no winter holidays are known of.

    Returns:
        `unknown`: the day may lie in winter holidays whose dates nobody has given.

    >>> school_break(date(2027, 1, 20), "śląskie"), school_break(date(2027, 1, 20), "mazowieckie")
    ('yes', 'no')
    >>> school_break(date(2027, 1, 20), ""), school_break(date(2026, 12, 28), "")
    ('unknown', 'yes')
    """
    if _is_christmas_break(day) or (day - easter(day.year)).days in _EASTER_BREAK:
        return "yes"
    own = [term for term in _terms() if term.first.year == day.year and voivodeship.lower() in term.voivodeships]
    if own:
        return "yes" if any(term.first <= day <= term.last for term in own) else "no"
    return "unknown" if (1, 15) <= (day.month, day.day) < (3, 1) else "no"


def _is_christmas_break(day: date) -> bool:
    first = 22 if date(day.year, 12, 22).weekday() == 0 else 23
    return day.month == 12 and day.day >= first


@cache
def _terms() -> tuple[Term, ...]:
    return read_terms(files(__package__).joinpath("school_breaks.toml").read_text(encoding="utf-8"))


def read_terms(text: str) -> tuple[Term, ...]:
    """Winter holidays of a TOML text: tables `term` with source, first, last and voivodeships.

    Raises:
        BadInput: malformed, without a source, not two weeks of one winter, or a voivodeship twice in a year.
    """
    try:
        terms = tuple(_term(row) for row in tomllib.loads(text).get("term", ()))
    except (tomllib.TOMLDecodeError, KeyError, TypeError) as error:
        raise BadInput(f"Winter holidays: malformed ({error!r}); a term has source, first, last and voivodeships.") from error
    _require_once(terms)
    return terms


def _term(row: Mapping[str, object]) -> Term:
    first, last, source, named = row["first"], row["last"], row["source"], row["voivodeships"]
    if not (isinstance(first, date) and isinstance(last, date) and isinstance(named, list) and isinstance(source, str)):
        raise BadInput(f"Winter holidays: {dict(row)} has a value of another kind; dates are written 2027-01-18.")
    if last - first != _TERM or not source.strip():
        raise BadInput(f"Winter holidays from {first}: they last two weeks, to {first + _TERM}, and name their source.")
    return Term(first, last, frozenset(map(str, named)), source)


def _require_once(terms: Iterable[Term]) -> None:
    named = [(term.first.year, one) for term in terms for one in term.voivodeships]
    for year, one in named:
        if one != one.lower() or not fold(one):
            raise BadInput(f"Winter holidays of {year}: {one!r} is written in capitals; the directory has lower case.")
        if named.count((year, one)) > 1:
            raise BadInput(f"Winter holidays of {year}: {one} stands in two terms.")
