"""Which candidate hours of a site are Masses of its standing order: the rules' verdicts, and corroboration across pages.

A page about baptism that says "na Mszy św. o 11:00" is no schedule, yet the hour is a standing Mass when the site's
schedule has it and the words beside it say so (field guide F8). Dated, cancelled and other hours are never accepted.
"""

from __future__ import annotations

import re
from collections.abc import Sequence, Set
from dataclasses import dataclass
from typing import Final

from mass_pipeline.extraction.candidates import CandidateHour, find_candidates
from mass_pipeline.extraction.config import DEFAULT, ExtractionConfig
from mass_pipeline.language.day_words import MONTH_TYPED, SUNDAY_SHORT
from mass_pipeline.model.records import SiteSchedule
from mass_pipeline.schedule_grammar import PageReading
from mass_pipeline.schedule_grammar.judging.notices import Notice
from mass_pipeline.schedule_grammar.resolving.assembly import HourVerdict

_MASS_BEFORE: Final = re.compile(r"\bmsz[aeąęy]\b|\bmszach\b|\bmszą\b|\beucharysti\w+", re.I)
_MASS_BEHIND: Final = re.compile(r"\s*(?:[-–:]\s*)?msza\b", re.I)
# "po Mszy św. o 7.00, 9.00 i 12.00": whatever the sentence is about, these are hours of Masses.
_MASS_DIRECTLY_BEFORE: Final = re.compile(
    r"\bmsz[ąyię]\w*\s+(?:[sś]w\.?\s*|[sś]wi[eę]t\w+\s*)?(?:o\s+)?(?:godz\w*\.?\s*)?"
    r"(?:\d{1,2}[:.]\d\d[\s,;.]*(?:i|oraz)?\s*){0,12}\Z",
    re.I,
)
# What held until now, or long ago; a new order in the same sentence ends it.
_FORMER: Final = re.compile(
    r"(?:dotychczas|do tej pory|dawniej|poprzedni porz|obowi[aą]zuj[aą]cy do \d|msze [sś]w\.? by[lł]y|transmisj\w* msz)"
    r"(?:(?!\bnow\w+ porz|\bod \d|\bodt[aą]d|\bteraz|\bobecnie)[^\n])*\Z",
    re.I,
)
_OPEN_RANGE: Final = re.compile(r"\bod\s+(?:godz\w*\.?\s*)?\Z", re.I)
_END_OF_RANGE: Final = re.compile(r"\d\s*[-–—]\s*\Z")
_OTHER_BEFORE: Final = re.compile(
    r"[sś]wi[eę]to|wigili|rekolekcj|odpust|pogrzeb|[sś]lub|procesj|r[oó][zż]a[nń]|nowenn|koronk|adoracj|nabo[zż]e[nń]stw|spotkani|"
    r"pr[oó]b[ay]|zbi[oó]rk|transmisj|radi[ou]|telewizj|youtube|kaplic|szpital|klasztor|nieszpor|apel|pasterk|bierzmowani",
    re.I,
)
_DATED: Final = re.compile(
    rf"\b\d{{1,2}}[.\s]+(?:{MONTH_TYPED})\w*|"
    r"\b\d{1,2}\.\d{2}\.\d{2,4}\b|"
    r"\b(?:dzi[sś]|dzisiaj|jutro|najbli[zż]sz\w+|w przysz[lł]\w+)\b|"
    r"\b(?:odby[lł]|przewodniczy[lł]|odprawi[lł]|odprawion|by[lł]a)\w*",
    re.I,
)
_ELSEWHERE: Final = re.compile(r"cmentarz|kaplic|szpital|transmisj|radi[ou]|telewizj|odpust|pogrzeb|pasterk|procesj", re.I)
_FINAL_KINDS: Final = frozenset({"dated", "cancelled", "range"})
_NEGATION: Final = re.compile(r"nie (?:ma|b[eę]dzie|odprawia)|odwo[lł]an|bez mszy|z wyj[aą]tkiem|opr[oó]cz|poza", re.I)
_CLAUSE: Final = re.compile(r"[\n!?]|;(?!\s*(?:\d|\Z))|(?<!godz)(?<!św)(?<!ok)\.\s+(?=[A-ZĄĆĘŁŃÓŚŹŻ])")
_DAYS_OF_WORDS: Final = tuple(
    (re.compile(words, re.I), days)
    for words, days in (
        (rf"{SUNDAY_SHORT}|\bnd", ("Su",)),
        (r"[sś]wi[eęą]t|uroczyst", ("PH", "AF")),
        (r"powszedn|codzien|tygodni", ("Mo", "Tu", "We", "Th", "Fr", "Sa")),
        (r"pon|\bpn", ("Mo",)),
        (r"\bwt", ("Tu",)),
        (r"\b[sś]r", ("We",)),
        (r"\bcz", ("Th",)),
        (r"\bpi[aą]t|\bpt", ("Fr",)),
        (r"\bso", ("Sa",)),
    )
)
_LINES_ABOVE: Final = 4
_REPEATED_SHARE: Final = 0.8
_NEVER: Final = 0.01
_DOUBTFUL: Final = 0.2
_CORROBORATED: Final = 0.9
_READ: Final = 0.97


@dataclass(frozen=True, slots=True)
class HourDecision:
    """A candidate hour and whether it is a Mass of the standing order.

    Attributes:
        hour: the candidate.
        is_mass: accepted as a standing Mass.
        score: 0..1, how surely it is one.
        is_open: the rules do not know what the hour is; who knows better may decide.
    """

    hour: CandidateHour
    is_mass: bool
    score: float
    is_open: bool = False


def decide_hours(
    readings: Sequence[PageReading], schedule: SiteSchedule, *, parish_id: str, config: ExtractionConfig = DEFAULT
) -> list[list[HourDecision]]:
    """Decide every candidate hour of a site.

    Args:
        readings: one per page.
        schedule: what they add up to.
        parish_id: parish of the site.
        config: sizes of the contexts.

    Returns:
        For each page, in the order given, its hours in reading order.
    """
    standing = {(day, read.mass.time) for read in schedule.masses for day in read.mass.days}
    times = {time for _, time in standing}
    return [_decide_page(reading, standing, times, parish_id, config) for reading in readings]


def _decide_page(
    reading: PageReading, standing: Set[tuple[str, str]], times: Set[str], parish_id: str, config: ExtractionConfig
) -> list[HourDecision]:
    verdicts = dict(reading.verdicts)
    for notice in reading.notices:
        if _repeats(notice, standing):
            verdicts.update((place, verdict) for place, verdict in notice.verdicts.items() if verdict.kind == "mass")
    masses = {place: verdict.mass for place, verdict in verdicts.items() if verdict.mass is not None}
    hours = find_candidates(reading.document, parish_id=parish_id, page_score=reading.score, readings=masses, config=config)
    return [_decide(hour, verdicts.get((hour.line, hour.start)), standing, times) for hour in hours]


def _repeats(notice: Notice, standing: Set[tuple[str, str]]) -> bool:
    """Whether a part of a page says the same as the schedule of the site, though it does not look like one by itself."""
    said = {(day, read.mass.time) for read in notice.masses for day in read.mass.days}
    return bool(said) and len(said & standing) >= _REPEATED_SHARE * len(said)


def _decide(hour: CandidateHour, verdict: HourVerdict | None, standing: Set[tuple[str, str]], times: Set[str]) -> HourDecision:
    if _OPEN_RANGE.search(hour.left):
        return HourDecision(hour, False, _NEVER)
    if verdict is not None and verdict.kind == "mass":
        is_former = hour.time not in times or _FORMER.search(hour.left.rsplit("\n", 1)[-1]) is not None
        return HourDecision(hour, False, _DOUBTFUL) if is_former else HourDecision(hour, True, _READ)
    is_open = verdict.kind == "unclear" if verdict is not None else not _END_OF_RANGE.search(hour.left)
    if hour.time not in times or (verdict is not None and verdict.kind in _FINAL_KINDS):
        return HourDecision(hour, False, _NEVER, is_open)
    accepted = is_named_a_mass(hour.left, hour.right) or (
        is_open and (is_said_to_be_standing(hour.left, hour.right) or _is_listed(hour, standing))
    )
    if accepted:
        return HourDecision(hour, True, _CORROBORATED)
    return HourDecision(hour, False, _DOUBTFUL if is_open else _NEVER, is_open)


def _is_listed(hour: CandidateHour, standing: Set[tuple[str, str]]) -> bool:
    """Whether the hour opens its line under words for Masses and for a day on which the site has a Mass then."""
    above = hour.left.split("\n")
    if above[-1].strip(" •*-–·") or hour.day_scope is None:
        return False
    words = " ".join((hour.heading or "", *above[-_LINES_ABOVE:]))
    days = {day for pattern, days in _DAYS_OF_WORDS for day in days if pattern.search(hour.day_scope)}
    clause = f"{words} # {hour.right.split(chr(10))[0]}"
    return (
        _MASS_BEFORE.search(words) is not None
        and any((day, hour.time) in standing for day in days)
        and not any(pattern.search(clause) for pattern in (_OTHER_BEFORE, _DATED, _NEGATION))
    )


def is_named_a_mass(left: str, right: str) -> bool:
    """Whether the hour directly follows the word Mass, undated and not cancelled: "przed Mszą św. o 7.00, 9.00".

    >>> is_named_a_mass("W niedzielę 15 minut przed Mszą św. o 7.00. 9.00. 10.30, ", " oraz od 17.00")
    True
    """
    clause = _CLAUSE.split(left)[-1]
    if not _MASS_DIRECTLY_BEFORE.search(clause):
        return False
    return not any(pattern.search(f"{clause} # {_CLAUSE.split(right)[0]}") for pattern in (_DATED, _NEGATION, _ELSEWHERE))


def is_said_to_be_standing(left: str, right: str) -> bool:
    """Whether the clause itself calls the hour a Mass and nothing in it dates, cancels or removes it elsewhere.

    >>> is_said_to_be_standing("Chrzty w II niedzielę miesiąca na Mszy św. o godz. ", ". Rodzice")
    True
    >>> is_said_to_be_standing("W piątek 2 listopada Msza św. o ", " na cmentarzu")
    False
    """
    before = _CLAUSE.split(left)[-1]
    after = _CLAUSE.split(right)[0]
    if not _MASS_BEFORE.search(before) and not _MASS_BEHIND.match(right):
        return False
    return not any(pattern.search(f"{before} # {after}") for pattern in (_OTHER_BEFORE, _DATED, _NEGATION))
