"""Read what an announcement changes in the order of Masses, with the words that say so.

The rule of the house holds: better none than wrong. Recurring days, reports of what happened, and hours of devotions,
meetings or offices are no changes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final, Literal

from mass_pipeline.extraction.changes.clauses import clauses, sentences
from mass_pipeline.extraction.changes.dates import Period, find_periods
from mass_pipeline.model.identifiers import fold
from mass_pipeline.schedule_grammar.clock import ClockKind, find_clock_tokens

Change = Literal["cancelled", "moved", "added", "order", "as_sunday", "as_weekday", "new_order"]
Part = Literal["", "morning", "evening"]

_MASS: Final = re.compile(
    r"\bmsz(?!aln)\w+|\bms\. sw|eucharysti\w*|pasterk\w*|\brorat\w*|\bsum[aeyi]\b|liturgi\w+ (?:wieczerzy|wigilii)|rezurekc\w*"
)
_OTHER: Final = re.compile(
    r"nieszpor\w*|roza\w+|nowenn\w*|koronk\w*|adoracj\w*|wystawieni\w*|spowied\w*|spowiad\w*|godzinki?\b|majow\w+|czerwcow\w+"
    r"|gorzki\w*|drog\w+ krzyzow\w+|spotkani\w*|zebrani\w*|zbiork\w*|prob\w+ |katechez\w*|nauk\w+|kancelari\w*|biuro|procesj\w*"
    r"|koncert\w*|festyn\w*|wypominki?|wypominkow|apel\w*|nabozenstw\w*|swiecon\w*|poswieceni\w*|blogoslawie\w*|konferencj\w*"
    r"|wyjazd\w*|wyrusz\w*|wyjezdz\w*|zapis\w*|sklepik\w*|autokar\w*|wizyt\w*|koled\w*|uwielbieni\w*|modlitw\w*|spiew\w*|film\w*"
    r"|transmisj\w*|\b(?:przed|po) (?:\w+ )?msz\w+|czuwani\w*|litani\w*"
)
_RECURRING: Final = re.compile(
    r"\bkazd\w+|codzienn\w+|\bzawsze|co tydzien|wakacj\w+|\blatem|\bzima\b|zimow\w+ porzad"
    r"|ostatni\w+ (?:niedziel|sobot)\w+ miesiac"
)
_REPORT: Final = re.compile(
    r"odbyl\w+|odprawion\w+ (?:zostal\w+|byl\w+)|przewodniczyl|dziekuj\w+|uczestniczyl|zgromadzil|miala miejsce"
    r"|\bbyl[ao]?\b|\bbyly\b"
)
_PAST: Final = re.compile(
    r"\b(?!chwał|cał|ciał|biał|mał|stał|sił|udział|dział|oddział|materiał|kapitał|został|zostali|michał|rafał|chwili|sali|czyli)"
    r"\w{2,}(?:[aiyą]ł[aoy]?|[aiy]li|ęli)\b",
    re.I,
)
_AHEAD: Final = re.compile(r"\bnie (?:bedzie|ma\b|odpraw)|\bbed\w+|zostan\w+|zostaj\w+|zaprasz\w+|odbedzie")
_NEGATION: Final = re.compile(
    r"\bnie (?:bedzie|ma\b|zostan\w+|odprawi\w*|odbedzie|sprawuj\w*|celebruj\w*)|odwolan\w+|zawieszon\w+|\bbez (?:\w+ )?msz\w+"
)
_MOVED: Final = re.compile(r"przenies\w+|przesun\w+|przelozon\w+|zamiast|zmian\w+ godzin\w+")
_RESUMED: Final = re.compile(r"\bwraca\w*|\bpowraca\w*|przywraca\w*|przywroc\w*|wznawia\w*|wznowi\w*")
_ONLY: Final = re.compile(r"\btylko\b|jedynie|wylacznie")
_AS_SUNDAY: Final = re.compile(
    r"(?:tak )?jak w (?:kazda )?(?:zwykla )?niedziele"
    r"|porzad\w+ (?:mszy )?(?:swietych |sw\. )?(?:jest )?(?:niedzieln\w+|swiateczn\w+)|niedzieln\w+ porzad\w+"
)
_AS_WEEKDAY: Final = re.compile(
    r"jak w (?:dni|dzien) (?:powszedni\w*|zwykl\w*)|porzad\w+ (?:mszy )?(?:swietych |sw\. )?(?:dni[a]? )?powszedn\w+"
)
_NEW_ORDER: Final = re.compile(
    r"nowy porzad\w+|zmienia\w* sie (?:godzin\w+|porzad\w+)|(?:letni|zimowy|nowy|zmieniony) (?:porzadek|rozklad)"
)
_LASTING: Final = re.compile(r"\b(?:od|od dnia|poczawszy od|poczynajac od)\s+(?:\w+\s+)?$")
_ORDER: Final = re.compile(r"\bmsze\b|porzad\w+")
_SAME_DAY: Final = re.compile(r"\bw (?:tym|ten) dni\w+|\bw tych dniach|\bw te dni\b|\btego dnia|^wowczas|^wtedy")
_OPENS_WITH_MASS: Final = re.compile(r"^(?:\w+ )?(?:msz(?!aln)\w+|porzad\w+|sum[aeyi]\b|eucharysti\w+)")
_NAMES_A_FEAST: Final = re.compile(r"swiet[oa]|uroczyst|odpust|rekolekc|wspomnieni|\bdzien\b|popielc|niedziela|jubileusz")
_BESIDES: Final = re.compile(r"\b(?:oprocz|poza|obok) (?:zwykl\w+ )?msz\w+(?: sw\.| swiet\w+)?(?: o| godz\.|[\d\s.,:]| i )+")
_PARTS: Final[tuple[tuple[Part, re.Pattern[str]], ...]] = (
    ("morning", re.compile(r"porann\w+|\brano\b")),
    ("evening", re.compile(r"wieczorn\w+|\bwieczorem\b")),
)


@dataclass(frozen=True, slots=True)
class ScheduleChange:
    """One change.

    Attributes:
        kind: `cancelled`; `moved` (times -> new_times); `added`; `order` (times are all Masses of the day, or the part that
            remains); `as_sunday`, `as_weekday`; `new_order` (a lasting change that a person should confirm).
        valid_from, valid_to: days, inclusive; `valid_to` is None for a lasting change.
        times: hours concerned, `HH:MM`; () when none are named.
        new_times: hours after a move.
        part: part of the day where no hour is named.
        quote: the words.
    """

    kind: Change
    valid_from: date
    valid_to: date | None
    times: tuple[str, ...] = ()
    new_times: tuple[str, ...] = ()
    part: Part = ""
    quote: str = ""


def read_changes(text: str, issued: date) -> list[ScheduleChange]:
    """Changes an announcement makes, in the order of its words.

    Args:
        text: one announcement, plain text.
        issued: the day it was issued (usually a Sunday); relative days are told from it.
    """
    found: list[ScheduleChange] = []
    carried: list[Period] = []
    previous = ""
    for sentence in sentences(text):
        folded = fold(sentence)
        own = find_periods(sentence, issued)
        periods = own or (carried if _goes_on(folded, previous) else [])
        carried, previous = own or carried, folded
        if _REPORT.search(folded) or (_PAST.search(sentence) and not _AHEAD.search(folded)):
            carried = []
        elif periods and not _is_recurring(folded, own):
            found += _read_sentence(sentence, [] if own else periods, issued)
    return found


def _goes_on(folded: str, previous: str) -> bool:
    """Whether a sentence without a day of its own speaks of the day named before."""
    if _SAME_DAY.search(folded) or _NEGATION.search(folded):
        return True
    return _OPENS_WITH_MASS.search(folded) is not None and _NAMES_A_FEAST.search(previous) is not None


def _is_recurring(folded: str, own: Sequence[Period]) -> bool:
    """Whether a sentence speaks of every such day; an explicit date in it outweighs the word."""
    dated = any(re.search(r"\d", folded[period.start : period.end]) for period in own)
    return not dated and _RECURRING.search(_AS_SUNDAY.sub("", folded)) is not None


def _read_sentence(sentence: str, carried: Sequence[Period], issued: date) -> Iterator[ScheduleChange]:
    speaks_of_mass = False
    current = list(carried)
    for clause in clauses(sentence):
        folded = fold(clause)
        current = find_periods(clause, issued) or current
        speaks_of_mass = bool(_MASS.search(folded)) or (speaks_of_mass and not _OTHER.search(folded))
        for period in find_periods(clause, issued):  # "od 12 do 17 października" holds no hours
            folded = folded[: period.start] + " " * (period.end - period.start) + folded[period.end :]
        if speaks_of_mass or _AS_SUNDAY.search(folded) or _NEW_ORDER.search(folded):
            yield from _read_clause(clause, folded, current, sentence)


def _read_clause(clause: str, folded: str, periods: Sequence[Period], sentence: str) -> Iterator[ScheduleChange]:
    times = _mass_times(folded)
    part: Part = next((name for name, pattern in _PARTS if pattern.search(folded)), "")
    lasting = _is_lasting(fold(sentence), periods)
    kind = _kind(folded, times, part, lasting)
    if kind is None:
        return
    old, new = _split_move(folded, times) if kind == "moved" else (times, ())
    part_named: Part = part if not times else ""
    for period in periods:
        last = None if kind == "new_order" or (lasting and kind == "cancelled") else period.last
        yield ScheduleChange(kind, period.first, last, tuple(old), tuple(new), part_named, sentence[:300])


def _kind(folded: str, times: Sequence[str], part: str, lasting: bool) -> Change | None:
    if _RESUMED.search(folded) and times:
        return "new_order" if lasting else "added"
    if _NEGATION.search(folded):
        return "cancelled"
    if _MOVED.search(folded) and times:
        return "moved"
    if _AS_SUNDAY.search(folded):
        return "as_sunday"
    if _AS_WEEKDAY.search(folded):
        return "as_weekday"
    if lasting:
        return "new_order" if times else None
    if _ONLY.search(folded) and (times or part):
        return "order"
    if len(times) > 1 and _ORDER.search(folded):
        return "order"
    return "added" if times else None


def _is_lasting(folded: str, periods: Sequence[Period]) -> bool:
    """Whether the change begins on a day and does not end: "od niedzieli ... o 17.00"."""
    return len(periods) == 1 and periods[0].first == periods[0].last and _LASTING.search(folded[: periods[0].start]) is not None


def _mass_times(folded: str) -> list[str]:
    """Hours of a clause that belong to a Mass: the nearest service named before the hour, or behind it, is one."""
    # "Msza z nowenną o 18.00" stays a Mass: what comes along with it is no service of its own.
    folded = _BESIDES.sub(lambda match: " " * len(match[0]), folded)
    others = [match.span() for match in _OTHER.finditer(folded) if not re.search(r"\bze? $", folded[: match.start()])]
    masses = [m.start() for m in _MASS.finditer(folded) if not any(start <= m.start() < end for start, end in others)]
    marks = sorted([(start, True) for start in masses] + [(start, False) for start, _ in others])
    times = []
    for token in find_clock_tokens(folded):
        if token.kind is not ClockKind.TIME:
            continue
        before = [is_mass for start, is_mass in marks if start < token.start]
        behind = [is_mass for start, is_mass in marks if token.end <= start < token.end + 30]
        if (before[-1] if before else behind[0] if behind else True) and token.time not in times:
            times.append(token.time)
    return times


def _split_move(folded: str, times: Sequence[str]) -> tuple[list[str], list[str]]:
    """Old and new hours: "z 7.00 na 18.00", "zamiast o 18.00 o 17.00", "o 17.00 zamiast o 18.00"."""
    if len(times) < 2:
        return [], list(times)
    instead = re.search(r"zamiast", folded)
    tokens = [token for token in find_clock_tokens(folded) if token.time in times]
    if instead and tokens[0].start < instead.start():
        return [times[-1]], list(times[:-1])
    return [times[0]], list(times[1:])
