"""Feasts as dates: those with a name of their own, and those whose name is also a dedication. Folded text."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import date, timedelta
from typing import Final

from mass_pipeline.reading.words.church_calendar import easter, kept_on
from mass_pipeline.reading.words.period import Period, gap

_FEASTS: Final[tuple[tuple[re.Pattern[str], Callable[[int], date]], ...]] = (
    (
        re.compile(
            r"\bnow(?:y rok|ego roku|ym rok(?:iem|u))\b(?! (?:szkoln|akadem|katech|liturg|koscieln|duszpast|formac|\w+ szkoln))"
        ),
        lambda year: date(year, 1, 1),
    ),
    (re.compile(r"objawieni\w+ panski\w+|trzech kroli"), lambda year: date(year, 1, 6)),
    (re.compile(r"wszystkich swietych"), lambda year: date(year, 11, 1)),
    (re.compile(r"zaduszk\w+|dzien zaduszny"), lambda year: date(year, 11, 2)),
    (
        re.compile(
            r"\bwigili[aie]\b(?! (?:paschal|sw\.|swieteg|swietej|uroczyst|zeslan|wszystkich|objawien|wniebowz|piecdziesiatn))"
            r"(?: bozego narodzenia)?"
        ),
        lambda year: date(year, 12, 24),
    ),
    (re.compile(r"\bboze narodzenie|bozego narodzenia|narodzenia panskiego"), lambda year: date(year, 12, 25)),
    (re.compile(r"sylwest\w+"), lambda year: date(year, 12, 31)),
    (re.compile(r"niedziel\w+ palmow\w+"), lambda year: easter(year) - timedelta(7)),
    (re.compile(r"(?:^|\bw )(?:sw\.|swietego) szczepana"), lambda year: date(year, 12, 26)),
    (re.compile(r"sroda popielcowa|srode popielcowa|popielec|popielcu"), lambda year: easter(year) - timedelta(46)),
    (re.compile(r"wielki\w* czwart\w+"), lambda year: easter(year) - timedelta(3)),
    (re.compile(r"wielki\w* piat\w+"), lambda year: easter(year) - timedelta(2)),
    (re.compile(r"wielk\w+ sobot\w+|wigili\w+ paschaln\w+"), lambda year: easter(year) - timedelta(1)),
    (
        re.compile(r"poniedzial\w+ wielkanocn\w+|(?:wielkanocn\w+|\blan\w+) poniedzial\w+"),
        lambda year: easter(year) + timedelta(1),
    ),
    (
        re.compile(r"zmartwychwstani\w+|niedziel\w+ wielkanocn\w+|\bwielkanoc\b|(?<=\bdo )wielkanocy\b"),
        lambda year: easter(year),
    ),
    (re.compile(r"boz\w+ cial\w+"), lambda year: easter(year) + timedelta(60)),
)
_MIDNIGHT_MASS: Final[tuple[tuple[re.Pattern[str], Callable[[int], date]], ...]] = (
    (re.compile(r"\bpasterk\w+"), lambda year: date(year, 12, 24)),
)
# A procession of the Resurrection may also end the Paschal Vigil: the day beside it counts.
_EASTER_MORNING: Final[tuple[tuple[re.Pattern[str], Callable[[int], date]], ...]] = ((re.compile(r"\brezurekc\w+"), easter),)
# Feasts whose name is also a dedication: after the word that says a feast is meant, or in the nominative, in which no church is
# named ("Zwiastowanie Pańskie"; "parafia Zwiastowania Pańskiego").
_CALLED: Final = (
    r"(?:uroczystosc\w*|swiet[oau]\w*|dzien|dniu) "
    r"(?:(?:najswietszej|maryi|panny|nmp|matki|bozej|boskiej|swietych|swietego|sw\.|apostolow|naszego) )*"
)
_NAMED_FEASTS: Final[tuple[tuple[re.Pattern[str], Callable[[int], date]], ...]] = tuple(
    (re.compile(rf"{_CALLED}(?:{name})" + (rf"|\b{nominative}" if nominative else "")), day_of)
    for name, nominative, day_of in (
        (r"ofiarowani\w+ panski\w+|gromniczn\w+", "ofiarowanie panskie", lambda year: date(year, 2, 2)),
        (r"jozefa(?! rzemies)", "", lambda year: kept_on(date(year, 3, 19))),
        (r"zwiastowani\w+", "zwiastowanie (?:panskie|nmp|najswietszej)", lambda year: kept_on(date(year, 3, 25))),
        (r"krolowej polski", "", lambda year: kept_on(date(year, 5, 3))),
        (r"piotra i pawla", "", lambda year: date(year, 6, 29)),
        (r"wniebowzieci\w+|zieln\w+", "wniebowziecie (?:nmp|najswietszej|matki)", lambda year: date(year, 8, 15)),
        (r"niepodleglosci", "", lambda year: date(year, 11, 11)),
        (r"niepokalan\w+ poczeci\w+", "niepokalane poczecie (?:nmp|najswietszej)", lambda year: kept_on(date(year, 12, 8))),
        (r"szczepana", "", lambda year: date(year, 12, 26)),
        (r"wniebowstapieni\w+", "wniebowstapienie panskie", lambda year: easter(year) + timedelta(42)),
        (r"zeslani\w+ ducha", "zeslanie ducha", lambda year: easter(year) + timedelta(49)),
        (r"najswietszego serca", "", lambda year: easter(year) + timedelta(68)),
    )
)
_NEXT_BUT_ONE: Final = timedelta(14)
_NAMED_TOGETHER: Final = 20  # characters between a feast and its weekday
_KEPT_ON_ANOTHER_DAY: Final = timedelta(10)  # a feast named beside a day this near is kept on that day
_AROUND: Final = re.compile(r"\b(?:oktaw\w+|przed|po|okres\w*|czas\w*) (?:uroczystosci\w* )?[a-z]+ [a-z]+")  # days near a feast
# "Ze względu na późny wieczór sylwestrowy pierwsza Msza o 10.00": the night before the day that is spoken of.
_NIGHT_BEFORE: Final = re.compile(
    r"\b(?:po|(?:ze wzgledu|z uwagi) na|z powodu|z racji|w zwiazku ze?) (?:[a-z]+ ){0,3}sylwestrow\w+(?! msz)"
)
_UNTIL: Final = re.compile(r"\bdo $")
AFTER_HOLIDAYS: Final = re.compile(r" po (?:swietach|wielkanocy|bozym narodzeniu)\b")
_SOON: Final = timedelta(21)
_BESIDE: Final = 30  # characters between a feast and its date
_LENT: Final = timedelta(46)
_STILL_SPOKEN_OF: Final = timedelta(7)
_DAY_OF_FEAST: Final = re.compile(
    r"\b(pierwsz\w+|drugi\w*|i|ii) (?:(?:dzien|dniu|dnia) (?:swiat|bozego narodzenia|wielkanocy)|swieto(?=:))\b"
)


def end_of_holidays(issued: date) -> date | None:
    """The last day of Easter or Christmas that is meant by "po świętach" on a day, None where neither is near.

    >>> end_of_holidays(date(2026, 3, 29)), end_of_holidays(date(2026, 6, 7))
    (datetime.date(2026, 4, 6), None)
    """
    ends = easter(issued.year) + timedelta(1), date(issued.year, 12, 26)
    return next((day for day in ends if timedelta(0) <= day - issued <= _SOON), None)


def feasts(text: str, issued: date, dates: Sequence[Period]) -> Iterator[Period]:
    """Feasts with a name of their own; one beside a date ("26 grudnia, drugi dzień świąt") only explains it."""
    masses = (replace(one, is_mass=True) for one in _found(_MIDNIGHT_MASS, text, issued))
    for beside in (_AROUND, _NIGHT_BEFORE):
        text = beside.sub(lambda match: " " * len(match[0]), text)
    found = [*masses, *_days_of_feasts(text, issued), *_found(_FEASTS, text, issued)] or list(
        _found(_EASTER_MORNING, text, issued)
    )
    ends = {feast.start for feast in found if _UNTIL.search(text[: feast.start])}
    yield from (feast for feast in found if feast.start in ends or not any(gap(feast, other) <= _BESIDE for other in dates))


def called_feasts(text: str, issued: date, days: Sequence[Period]) -> Iterator[Period]:
    """Feasts after "uroczystość", "święto"; one named beside another day near it is kept on that day."""
    for feast in _found(_NAMED_FEASTS, text, issued):
        if not any(_is_kept_on(day, feast, text) for day in days):
            yield feast


def _is_kept_on(day: Period, feast: Period, text: str) -> bool:
    """Whether a day named with a feast is the one meant: near it in the year, or a date right before its name."""
    if day.first == feast.first:
        return False
    has_date = re.search(r"\d", text[day.start : day.end]) is not None
    if not has_date and _is_weekday_of(day, feast, text):
        return False
    explained = has_date and day.end <= feast.start and re.fullmatch(r"[\s,(–-]*(?:w )?", text[day.end : feast.start]) is not None
    return explained or abs(day.first - feast.first) <= _KEPT_ON_ANOTHER_DAY


def _is_weekday_of(day: Period, feast: Period, text: str) -> bool:
    """Whether a weekday beside a feast that comes a week or two later is that of the feast: "Święto Niepodległości w środę"."""
    later = timedelta(0) < feast.first - day.first <= _NEXT_BUT_ONE and day.first.weekday() == feast.first.weekday()
    between = text[min(day.end, feast.end) : max(day.start, feast.start)]
    return later and day.first == day.last and len(between.strip(" ,(-–")) <= _NAMED_TOGETHER


def _found(known: Sequence[tuple[re.Pattern[str], Callable[[int], date]]], text: str, issued: date) -> Iterator[Period]:
    for pattern, day_of in known:  # day_of: year -> day
        for match in pattern.finditer(text):
            days = (day_of(year) for year in (issued.year, issued.year + 1))
            day = next(day for day in days if day >= issued - _STILL_SPOKEN_OF or day.year > issued.year)
            if (
                match[0].startswith("wigili")
                and "narodzenia" not in match[0]
                and timedelta(0) < easter(issued.year) - issued <= _LENT
            ):
                day = easter(issued.year) - timedelta(1)  # "Wieczorem Wigilia" in the Holy Week is not that of Christmas
            yield Period(match.start(), match.end(), day, day)


def _days_of_feasts(text: str, issued: date) -> Iterator[Period]:
    """First and second day of Christmas or Easter, whichever comes next."""
    for match in _DAY_OF_FEAST.finditer(text):
        later = timedelta(0 if match[1] == "i" or match[1].startswith("pierwsz") else 1)
        coming = (day for year in (issued.year, issued.year + 1) for day in (easter(year), date(year, 12, 25)))
        day = next(day for day in coming if day >= issued - timedelta(1)) + later
        yield Period(match.start(), match.end(), day, day)
