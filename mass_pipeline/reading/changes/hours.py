"""Hours of a clause: which belong to a Mass, which are old and new in a move, which belong to which of several days."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, Literal

from mass_pipeline.model.identifiers import fold
from mass_pipeline.reading.changes.phrases import AS_SUNDAY, ASHES, BESIDES, MASS, NEGATION, OTHER, REFERENCE
from mass_pipeline.reading.words.clock import ClockKind, ClockToken, find_clock_tokens
from mass_pipeline.reading.words.expressions import expression
from mass_pipeline.reading.words.meridiem import with_hours_against
from mass_pipeline.reading.words.period import Period, without_periods
from mass_pipeline.reading.words.spoken_hours import in_digits

_RAISED: Final = re.compile("[⁰¹²³⁴⁵⁶⁷⁸⁹º°]")
_TYPED_LETTERS: Final = re.compile(r"(?<=\d)(?<![\d.,:]\d\d\d)[oO]{2}\b")  # "8oo, 10oo"
_MONTH_NEXT: Final = r"(?! ?(?:<month>|i[ivx]+\b|[vx]+i*\b|\d))"
_STRAY_STOPS: Final = expression(rf"(\bo |<clock> |: )(\d{{1,2}}\.(?:(?:,| i| oraz)+ (?:o )?\d{{1,2}}\.(?!\d))+){_MONTH_NEXT}")
# "11.15 – po której wyruszy procesja": what follows a Mass, or goes before it, without an hour of its own.
_FOLLOWED: Final = expression(
    r"(?<=\d)(?:,| [–-]) (?:a )?(?:po|przed) (?:(?:kto\w+|niej|nich|czym|nim) |<the_mass>)(?:(?!<mass>)[^\d;,.()])*(?=[;,.]|$)"
)
LIST: Final = expression(r"(?:,| i| oraz| albo)+ ?<at>")
_ENDS_LIST: Final = re.compile(r" *(?:$|[.,;:)(/–-]|i\b|oraz\b)")
_BRACKET: Final = re.compile(r"\([^()\d]*\)")
_ASIDE: Final = re.compile(r"\(([^()]*)\)")
BEGIN_OR_END: Final = expression(r"\b(?:od|do)(?: <clock>)? ?$")
ENDS: Final = expression(r"<ends> (?:sie )?(?:(?:okolo|kolo|ok\.?|o|przed) )?(?:<clock> ?)?$")  # "kończymy koło 2.00"
_MOVED_FROM: Final = expression(r"<moved> z <at>$")
_BOTH: Final = expression(r"(?: <holy>)?,? (?:i|oraz|wraz z|polaczona z) (?:\w+ )?$")
_WITH: Final = re.compile(r"\bze? (?:(?:okazj|mozliwosc)\w+ (?:do )?)?$")  # "z nauką", "z okazją do spowiedzi": comes along
_LEADS: Final = expression(r"(?:^|[,;(–-]| i)\s*<at>$")
_FOLLOWS: Final = re.compile(rf" (?:\w+ )?(?:{MASS.pattern}|{OTHER.pattern})")
# Between two days of one list: commas and prepositions, or anything without an hour that ends in "i w".
_JOINS_DAYS: Final = expression(
    r"^[\s,()–-]*(?:(?:i|oraz|a takze|jak i|we?|dnia|do|od|<weekday>[,)]{0,2}) ?)*$|^[^\d]* (?:i|oraz) we? $"
)
_AND: Final = re.compile(r"(?: (?:na |w |do )?[a-z]+){0,3}(?:, [a-z]+(?: [a-z]+)?)? (?:i|oraz) (?:uroczyst\w+ )?")
_BEGINS: Final = expression(r"<beginning> (?:sie )?(?:\w+ )?<at>$")
_MASS_NEXT: Final = expression(r" (?:uroczyst\w+ )?<mass>")
# "O 17.30 różaniec i Msza św. o 18.00", "o 17.00 Msza i różaniec o 18.00": each has its own hour.
_OWN_HOUR: Final = expression(r"(?: <holy>)?(?: \w+)? <at>\d")
_HOUR_BEFORE: Final = re.compile(r"\d[.:]\d\d (?:\w+ )?$")
_NEXT_HOUR: Final = re.compile(r", (?:o )?\d{1,2}[.:]\d\d [a-z]")
_BEHIND: Final = 30  # characters between an hour and the service it belongs to
_REASON: Final = expression(r"<owing_to>|<because>|\bdlatego\b|, | [–-] ")
_NEARBY: Final = 120  # characters; more than the few words that are looked for before a service
_NEAR_WORDS: Final = 3  # between "nie będzie" and what does not take place
_DISTANCES: Final = (
    (30, "pol godzin"),
    (30, "30 min"),
    (15, "15 min"),
    (15, "kwadrans"),
    (120, "dwie godzin"),
    (120, "2 godzin"),
    (60, "godzin"),
)
_SHIFTED: Final = expression(
    r"\b(?:o )?<distance> (?P<way>wczesniej|pozniej)"
    r"(?: niz (?:zwykle|zawsze|dotychczas|dotad|normalnie|w inne dni|w kazda \w+)"
    r"|(?=,? (?:[–-] )?(?:<that_is> |a wiec )?o <at>\d))"
)
_INSTEAD: Final = expression(r"<instead>|\ba nie(?= <at>\d)|\b(?:a )?nie(?:(?:,| [–-])? jak \w+(?:,| [–-])?)? o\b")


Service = Literal["mass", "reference", "other"]


@dataclass(frozen=True, slots=True)
class Segment:
    """A stretch of a clause with the days it speaks of."""

    text: str
    periods: tuple[Period, ...]


def folded_sentence(text: str) -> str:
    """The folded text, of the same length, in which "Mszę" (one) is not taken for "Msze" (several)."""
    text = _TYPED_LETTERS.sub("⁰⁰", text)
    folded = fold(text.replace("szę", "szą"))
    # "o 9., 11. i 17."
    folded = _STRAY_STOPS.sub(lambda match: match[1] + match[2].replace(".", "").ljust(len(match[2])), folded)
    if not _RAISED.search(text) or len(folded) != len(text):
        return folded
    return "".join(letter if _RAISED.match(letter) else folded[at] for at, letter in enumerate(text))  # 7⁰⁰, not 700


def without_days(folded: str, days: Iterable[Period]) -> str:
    """The text with blanks in the place of the days, but for one shown by a Mass: "Wigilia Paschalna o 21.00"."""
    return without_periods(folded, (day for day in days if not (day.is_mass or MASS.search(folded[day.start : day.end]))))


def clock_hours(folded: str) -> list[ClockToken]:
    """Tokens that are hours: written as such, or bare numbers in a list of hours ("o 7.30, 9 i 11")."""
    found: list[ClockToken] = []
    for token in with_hours_against(find_clock_tokens(folded), folded):
        if token.kind is ClockKind.TIME:
            found.append(token)
        elif token.kind is ClockKind.BARE and _ENDS_LIST.match(folded[token.end :]):
            before = folded[found[-1].end : token.start] if found else folded[: token.start]
            if found and LIST.fullmatch(before) is not None:
                found.append(token)
    return found


def without_asides(folded: str) -> str:
    """The text, of the same length, without what is said of something else: "8.00 (o 7.30 różaniec)", "9.00, po niej kawa"."""
    return _FOLLOWED.sub(_blank, _ASIDE.sub(lambda match: _blank(match) if _is_aside(match[1]) else match[0], folded))


def written_without_asides(sentence: str) -> str:
    """The same of a sentence as written."""
    folded = in_digits(folded_sentence(sentence))
    if len(folded) != len(sentence):
        return sentence
    pairs = zip(sentence, folded, without_asides(folded), strict=True)
    return "".join(written if before == after else after for written, before, after in pairs)


def _is_aside(words: str) -> bool:
    if not clock_hours(words) or MASS.search(words) or NEGATION.search(words):
        return False
    return OTHER.search(words) is not None


def mass_hours(folded: str) -> list[str]:
    """Hours of a clause that belong to a Mass: the nearest service named before the hour, or after it, is one."""
    # "Msza z nowenną o 18.00" stays a Mass: what comes along with it is no service of its own.
    folded = folded if AS_SUNDAY.search(folded) else BESIDES.sub(_blank, folded)
    times = []
    marks = _marks(folded)
    for token in clock_hours(folded):
        if _is_mass_hour(token, folded, marks) and token.time not in times:
            times.append(token.time)
    return times


def _is_mass_hour(token: ClockToken, folded: str, marks: Sequence[tuple[int, Service]]) -> bool:
    head = folded[: token.start]
    if BEGIN_OR_END.search(head):  # "odwiedziny chorych od 9.00", "adoracja do 20.00"
        return False
    if ENDS.search(head) and not _MASS_NEXT.match(folded[token.end :]):
        return False
    before = [service for start, service in marks if start < token.start]
    next_hour = _NEXT_HOUR.search(folded, token.end)
    reach = min(token.end + _BEHIND, next_hour.start() if next_hour else len(folded))
    behind = [service for start, service in marks if token.end <= start < reach]
    if _LEADS.search(head) and _FOLLOWS.match(folded[token.end :]):
        before = []  # "o 17.00 Msza święta, o 17.30 różaniec"
    if _BEGINS.search(head) and _MASS_NEXT.match(folded[token.end :]):  # "orszak rozpocznie się o 11.30 Mszą św."
        return True
    if before:
        return before[-1] == "mass"
    return not behind or behind[0] != "other"


def speaks_of_mass(folded: str) -> bool:
    """Whether a Mass is named other than as "po Mszy", "przed Mszą"."""
    return any(service != "other" for _, service in _marks(folded))


def _marks(folded: str) -> list[tuple[int, Service]]:
    """(offset, what it is) of each service that may have hours of its own; what a bracket says of one hour counts for none."""
    folded = _BRACKET.sub(_blank, folded)
    references = [match.span() for match in REFERENCE.finditer(folded)] if not ASHES.search(folded) else []
    others = [match.span() for match in OTHER.finditer(folded) if not _WITH.search(_before(folded, match.start()))]
    named = [*references, *others]
    masses = [m.span() for m in MASS.finditer(folded) if not any(start <= m.start() < end for start, end in named)]
    # "Msza i nabożeństwo o 17.00": one hour for both.
    led = [end for start, end in masses if not _HOUR_BEFORE.search(_before(folded, start))]
    along = {start for start, _ in others if any(end < start and _BOTH.fullmatch(folded[end:start]) for end in led)}
    bare = [start for start, end in masses if not _OWN_HOUR.match(folded, end)]
    along |= {start for start, end in others if any(_AND.fullmatch(folded[end:mass]) for mass in bare if mass > end)}
    found: list[tuple[int, Service]] = [(start, "mass") for start, _ in masses]
    found += [(start, "reference") for start, _ in references]
    return sorted([*found, *((start, "other") for start, _ in others if start not in along)])


def _before(folded: str, at: int) -> str:
    return folded[max(0, at - _NEARBY) : at]


def _blank(match: re.Match[str]) -> str:
    return " " * len(match[0])


def negates_mass(folded: str, negation: re.Match[str]) -> bool:
    """Whether what does not take place is a Mass: the nearest service after the negation, else the last one before it."""
    if MASS.search(negation[0]):
        return True
    marks = [(start, service == "mass") for start, service in _marks(folded)]
    ends = _REASON.search(folded, negation.end())
    end = ends.start() if ends else len(folded)
    behind = [(start, is_mass) for start, is_mass in marks if negation.end() <= start < end]
    if behind and len(folded[negation.end() : behind[0][0]].split()) <= _NEAR_WORDS:
        return behind[0][1]
    before = [is_mass for start, is_mass in marks if start < negation.start()]
    return before[-1] if before else True


def split_move(folded: str, times: Sequence[str]) -> tuple[list[str], list[str]]:
    """Old and new hours: "z 7.00 na 18.00", "zamiast o 7.00 i 18.00 o 9.00 i 16.00", "o 17.00 zamiast o 18.00"."""
    if len(times) < 2:
        return [], list(times)
    instead = _INSTEAD.search(folded)
    behind = [token.time for token in clock_hours(folded) if _MOVED_FROM.search(folded[: token.start])]
    if instead is None and len(behind) == 1 and behind[0] == times[-1]:  # "Msza o 12.00, przesunięta z 10.00"
        return behind, list(times[:-1])
    if instead is None:
        return list(times[:1]), list(times[1:])
    tokens = [token for token in clock_hours(folded) if token.time in times]
    old = [token for token in tokens if token.start > instead.start()]
    run = [old[0].time] if old else []
    for one, other in pairwise(old):
        if not _is_list(folded, one, other):
            break
        run.append(other.time)
    return run, [time for time in times if time not in run]


def hour_before_shift(folded: str, times: Sequence[str]) -> str:
    """The usual hour of a Mass whose new one is given with the distance: "o 9.00, pół godziny wcześniej niż zwykle"; "" for none.

    >>> hour_before_shift("msza sw. o 9.00, pol godziny wczesniej niz zwykle", ["09:00"])
    '09:30'
    """
    said = _SHIFTED.search(folded)
    if said is None or len(times) != 1:
        return ""
    distance = next(minutes for minutes, words in _DISTANCES if words in said[0])
    hour, minute = (int(part) for part in times[0].split(":"))
    usual = hour * 60 + minute + (distance if said["way"] == "wczesniej" else -distance)
    return f"{usual // 60:02}:{usual % 60:02}" if 0 <= usual < 24 * 60 else ""


def _is_list(folded: str, one: ClockToken, other: ClockToken) -> bool:
    return LIST.fullmatch(folded[one.end : other.start]) is not None


def segments(folded: str, periods: Sequence[Period]) -> list[Segment]:
    """The clause by its days: "w środę o 7.00, w piątek o 18.00" are two segments; one when all hours are for all days.

    Args:
        folded: the clause, its periods blanked.
        periods: those of the clause, in order.
    """
    whole = [Segment(folded, tuple(periods))]
    hours = [token.start for token in clock_hours(folded)]
    groups: list[list[Period]] = []
    for period in periods:
        is_joined = groups and not period.is_mass and not groups[-1][-1].is_mass
        if is_joined and _JOINS_DAYS.search(folded[groups[-1][-1].end : period.start]):
            groups[-1].append(period)
        else:
            groups.append([period])
    if len(groups) < 2 or not hours:
        return whole
    starts = [group[0].start for group in groups]
    ends = [*starts[1:], len(folded)]
    if all(any(start <= hour < end for hour in hours) for start, end in zip(starts, ends, strict=True)):
        head = folded[: starts[0]] if not any(hour < starts[0] for hour in hours) else ""
        parts = [folded[start:end] for start, end in zip(starts, ends, strict=True)]
        first = [head + parts[0], *parts[1:]]
        return [Segment(text, tuple(group)) for text, group in zip(first, groups, strict=True)]
    return _by_nearness(folded, groups, hours) or whole


def _by_nearness(folded: str, groups: Sequence[list[Period]], hours: Sequence[int]) -> list[Segment]:
    """Each hour with the day before it; [] when one has none."""
    owners: dict[int, list[int]] = {}
    for hour in hours:
        owner = next((i for i, group in reversed(list(enumerate(groups))) if group[0].start <= hour), None)
        if owner is None:
            return []
        owners.setdefault(owner, []).append(hour)
    edges = [0, *hours[1:], len(folded)]
    parts = []
    for owner, own in sorted(owners.items()):
        kept = [(edges[i], edges[i + 1]) for i, hour in enumerate(hours) if hour in own]
        text = "".join(letter if any(start <= at < end for start, end in kept) else " " for at, letter in enumerate(folded))
        parts.append(Segment(text, tuple(groups[owner])))
    return parts
