"""Which hours are meant: exact ones, limits, parts of the day, "now" and "within two hours". Rules as values.

The rules note every hour that is said; what they mean together, and which of them no answer keeps, is decided once, in `resolve`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, time, timedelta
from functools import cache, partial
from typing import Final

from mass_pipeline.finding.questions.draft import (
    TOLD,
    TOLD_WHOLE,
    Draft,
    Found,
    Hour,
    Match,
    Piece,
    Role,
    Window,
    denial,
    each,
    longest,
    pattern,
    phrases,
)
from mass_pipeline.finding.questions.hits import find_hits
from mass_pipeline.finding.questions.vocabulary import (
    every,
    expression,
    filler,
    is_of_vocabulary,
    joined,
    mapping,
    number_of,
    words_pattern,
)

_NOW_LASTS: Final = 180  # minutes: "now" reaches so far
_NO_MASS_UNTIL: Final = 4
_LATE_MORNING, _AFTERNOON, _EVENING_BEGINS = time(12, 30), time(13), time(17)
_TONIGHT: Final = (time(17), time(22))
_LAST_MASSES: Final = (20, 0)
_ABOUT: Final = timedelta(minutes=30)
_MINUTE: Final = timedelta(minutes=1)
_MORNING: Final = r"rano|z rana|nad ranem|am|a\.m\.?|in the morning"
_EVENING: Final = r"wieczorem|wieczor|pm|p\.m\.?|po poludniu|popoludniu|in the evening|in the afternoon|at night|w nocy"
_COUNTED: Final = r"\d{1,3}\s?(?:min(?:ut\w*|utes?|s)?|h|hrs?|hours?|godz(?:in\w*)?)"
_LAST_ORDINAL: Final = 4  # "druga msza" is no hour, "ósma msza" is


@cache
def _hour(tag: str) -> str:
    """Pattern of an hour, in digits or words, with minutes and half of the day; its groups end in the tag."""
    words = every("hours")
    few = expression("|".join(phrases for hour, phrases in mapping("hours").items() if 1 <= int(hour) <= _LAST_ORDINAL))
    no_ordinal = rf"(?!{few}\W+(?:msz|mass|church|parish|or|and one))"
    no_day = rf"(?!\W+{every('weekdays')}(?![^\W_]))"
    minutes = every("minutes")
    digits = rf"(?P<h{tag}>\d{{1,2}})(?:(?:[:.,]|\s?h\s?|\s(?=[0345][05]\b))(?P<m{tag}>[0-5]\d)|(?P<q{tag}>[0-5]\d)(?=\W|$))?"
    spoken = rf"{no_ordinal}(?P<w{tag}>{words})(?:\W+(?P<n{tag}>{minutes}))?"
    suffix = r"(?:(?:\s?-\s?|\s)?(?:tej|ej|mej|ta|ma|sta|cie)|\s?h(?:rs)?|\s?o[’' ]?clock|\s?godz(?!iny|in\b)\w*)?"
    half = rf"(?:\s?(?P<am{tag}>{_MORNING})|\s?(?P<pm{tag}>{_EVENING}))?"
    return rf"(?:{digits}|{spoken})(?!\d){suffix}{half}(?![^\W_]|[:.]\d)(?(w{tag}){no_day}|)"


def is_part_of_hour(after: str) -> bool:
    """Whether what follows a number makes it an hour: minutes, or a half of the day."""
    return re.match(rf"[:.,]\d|\s?(?:h|{_MORNING}|{_EVENING})(?![^\W_])", after) is not None


def _value(match: Match, tag: str) -> tuple[int, int] | None:
    """Hour and minute of a match, half of the day applied; None when there is no such hour."""
    word = match[f"w{tag}"]
    if word is not None:
        hour, minute = number_of("hours", word), number_of("minutes", match[f"n{tag}"]) if match[f"n{tag}"] else 0
    else:
        hour, minute = int(match[f"h{tag}"]), int(match[f"m{tag}"] or match[f"q{tag}"] or 0)
    morning, evening = match[f"am{tag}"], match[f"pm{tag}"]
    is_of_night = evening in ("w nocy", "at night")
    if 1 <= hour <= _NO_MASS_UNTIL and not (morning or evening or (match[f"h{tag}"] or "").startswith("0")):
        hour += 12  # "o trzeciej" is in the afternoon: nobody says Mass at three at night
    elif hour == 12 and (morning or is_of_night):
        hour = 0
    elif evening and hour < 12 and not (is_of_night and hour <= _NO_MASS_UNTIL):
        hour += 12
    return (hour % 24, minute) if hour < 24 or (hour == 24 and minute == 0) else None


def _words(key: str) -> str:
    return rf"(?<![^\W_]){expression(joined('clock', key))}"


@cache
def _patterns() -> dict[str, re.Pattern[str]]:
    first, second = _hour("1"), _hour("2")
    ands = expression(joined("clock", "and"))
    border = r"(?<![\w.:])(?<!\d[/-])"
    lead = expression("|".join(joined("clock", key) for key in ("exact", "about")))
    minutes = (
        rf"(?:(?P<minutes>[1-5]?[05](?!\d)|\d{{1,2}}(?=\s?min))(?:\s?min\w*)?|(?P<in_words>{every('minutes')})(?:\s?min\w*)?)"
    )
    parts = ("half", "half_past", "quarter_past", "quarter_to")
    return {
        "between": re.compile(rf"{_words('between')}\W+(?:{lead}\W+)?{first}\W+(?:{ands}|-)\W*{second}"),
        "from_to": re.compile(rf"{_words('range_from')}\W+(?:{lead}\W+)?{first}\W*(?:{ands}|-|–|—)\W*(?:{lead}\W+)?{second}"),
        "range": re.compile(rf"{border}(?:{lead}\W+)?{first}\s?[-–—]\s?{second}"),
        **{part: re.compile(rf"{_words(part)}\W+{first}") for part in parts},
        "minutes_past": re.compile(rf"(?<![\w.:/-])(?:{lead}\W+)?{minutes}\W+{expression(joined('clock', 'past'))}\W+{first}"),
        "minutes_to": re.compile(rf"{_words('short_of')}\W+{minutes}\W+{first}"),
        "about": re.compile(rf"{_words('about')}\W+(?:{_words('exact')}\W+)?{first}"),
        "from": re.compile(rf"{_words('from')}\W+(?:{lead}\W+)?{first}"),
        "to": re.compile(rf"{_words('to')}\W+(?:{lead}\W+)?{first}"),
        "exact": re.compile(rf"{_words('exact')}\W*{first}"),
        "bare": re.compile(rf"{border}(?=\d){first}(?!\W+{expression(joined('clock', 'counted'))}(?![^\W_]))"),
    }


def _of(*keys: str) -> Callable[[Draft], Found]:
    return lambda draft: ((key, match) for key in keys for match in _patterns()[key].finditer(draft.text.rest))


@cache
def _duration(key: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![^\W_])(?:{expression(joined('now', key))})\W+(?P<span>{durations()})(?![^\W_])")


def _in_an_hour(draft: Draft, _: str, match: Match) -> Piece | None:
    if any(_patterns()[key].match(draft.text.rest, match.start()) for key in ("quarter_to", "minutes_to")):
        return None  # "za kwadrans ósma" is 7:45
    centre = _later(draft.now, minutes_of(match["span"]))
    return _window(max(draft.now, _later(centre, -30)), _later(centre, 30), centre)


def _now(draft: Draft, _: str, __: Match) -> Piece:
    said_otherwise = draft.weekdays or draft.tonight or any(day != draft.today for day in draft.days)
    return {} if draft.hours or draft.window or said_otherwise else _window(draft.now, _later(draft.now, _NOW_LASTS))


def _window(start: datetime, end: datetime, day: datetime | None = None) -> Piece:
    first, last = (one.time().replace(second=0, microsecond=0) for one in (start, end))
    return {"window": (first, last), "days": ((day or start).date(),)}


@cache
def durations() -> str:
    """Pattern of a length of time: "pół godziny", "20 minut"."""
    return rf"(?:{every('spans')}|{_COUNTED})"


def minutes_of(words: str) -> int:
    """The minutes of a length of time.

    >>> minutes_of("pol godziny"), minutes_of("20 min"), minutes_of("2h")
    (30, 20, 120)
    """
    if re.fullmatch(_COUNTED, words):
        return int(words[: len(words) - len(words.lstrip("0123456789"))]) * (1 if "min" in words else 60)
    return number_of("spans", words)


def _later(moment: datetime, minutes: int) -> datetime:
    """So many minutes later by elapsed time: a change of the clock counts."""
    return (moment.astimezone(UTC) + timedelta(minutes=minutes)).astimezone(moment.tzinfo)


@cache
def _duties() -> tuple[re.Pattern[str], ...]:
    """What the asker has to do, with its hour after it or before it; no word of the Mass and no mark between."""
    does = rf"(?P<does>{expression(joined('duties', 'done'))}|{expression(joined('duties', 'busy'))})(?![^\W_])"
    gap = rf"(?:[^\w,;?!.]+(?!(?:{expression(joined('duties', 'ends'))})(?![^\W_]))[^\W_]+)"
    lead = expression("|".join(joined("clock", key) for key in ("to", "from", "about", "exact")))
    ands = expression(joined("clock", "and"))
    begins = expression("|".join(joined("clock", key) for key in ("range_from", "between")))
    hour = rf"(?:{begins}\W+)?(?:(?P<lead>{lead})\W+)?{_hour('1')}(?:\W*(?:{ands}|-|–)\W*{_hour('2')})?"
    return (
        re.compile(rf"(?<![^\W_]){does}(?P<between>{gap}{{0,6}}?)(?:[^\w,;?!]|\.)+(?={lead}\W|\d){hour}"),
        re.compile(rf"(?<![^\W_])(?=(?:{lead}|{begins})\W|[\d:.]+\s?[-–]\s?\d){hour}(?P<between>{gap}{{0,3}}?)[^\w,;?!.]+{does}"),
    )


@cache
def _own() -> re.Pattern[str]:
    return re.compile(rf"(?:\W*{expression(joined('duties', 'own'))}(?![^\W_]))*\W*")


def duties(draft: Draft) -> Draft:
    """ "Pracuję do 19:30" asks for a Mass after that, "mam pociąg o 9" for one before: the asker's own hours, turned round."""
    words = "|".join(joined("duties", key) for key in ("done", "busy"))
    for one in _duties() if words_pattern(words).search(draft.text.rest) else ():
        for match in one.finditer(draft.text.rest):
            tag = "2" if match["h2"] or match["w2"] else "1"  # of "od 8 do 16" the end is the limit
            first, value = _value(match, "1"), _value(match, tag)
            is_before = match.start("h1" if match["h1"] else "w1") < match.start("does")
            if first is None or value is None or (tag == "2" and is_before and not _own().fullmatch(match["between"])):
                continue  # "między 8 a 10, bo potem pracuję" are hours of the Mass
            if value < first and value[0] < 12:  # "9 to 5"
                value = (value[0] + 12, value[1])
            if tag == "2" and value >= _LAST_MASSES:  # after "od 14 do 22" hardly any Mass is left
                tag, value = "1", first
            ends = tag == "2" or words_pattern(joined("clock", "until")).fullmatch(match["lead"] or "") is not None
            is_done = re.fullmatch(expression(joined("duties", "done")), match["does"]) is not None
            span = match.span(f"h{tag}" if match[f"h{tag}"] else f"w{tag}")
            hour = Hour("from" if ends or is_done else "to", time(*value), *span, is_own=True)
            draft = _without_duty(draft.plus(hours=(hour,)), match)
    return draft


def _without_duty(draft: Draft, match: Match) -> Draft:
    """The words of a duty crossed out; days, places and what no rule knows among them are still to be read."""
    names = (*draft.hits, *(hit for hit in find_hits(draft.text, draft.places) if draft.text.raw[hit.start].isupper()))
    kept = {hit.start for hit in names}
    days = [day.start() for day in words_pattern("|".join(mapping("weekdays").values())).finditer(draft.text.rest)]
    first, last = match.span("between")
    for word in list(draft.text.words()):
        is_own = not first <= word.start < last or is_of_vocabulary(word.plain)
        if match.start() <= word.start < match.end() and word.start not in (*kept, *days) and is_own:
            draft = draft.plus((word.start, word.end))
    return draft.plus(of_duties=tuple(start for start in kept if match.start() <= start < match.end()))


def _two_hours(_: Draft, __: str, match: Match) -> Piece:
    """Between 10 and 12, od 10 do 12, 10-12."""
    first, second = _value(match, "1"), _value(match, "2")
    if first is None or second is None:
        return TOLD
    if match["pm2"] and not match["am1"] and not match["pm1"] and first[0] + 12 <= second[0]:
        first = (first[0] + 12, first[1])
    if second <= first and second[0] < 12:
        second = (second[0] + 12, second[1])
    return {"hours": (Hour("from", time(*first), *match.span()), Hour("to", time(*second), *match.span()))}


_EXACT: Final = ("half", "half_past", "quarter_past", "quarter_to", "minutes_past", "minutes_to", "exact")
_LIMITS: Final[dict[str, Role]] = {"to": "to", "from": "from", "about": "about"}
_SHIFTS: Final = {"half": -30, "half_past": 30, "quarter_past": 15, "quarter_to": -15}


def _one_hour(_: Draft, key: str, match: Match) -> Piece:
    """After 18, before 8, about 17; exact hours with "o", "at", "half past", and numbers that nothing else has taken."""
    value = _value(match, "1")
    if value is None:
        return TOLD
    shift = _SHIFTS.get(key, 0)
    if key.startswith("minutes"):
        minutes = int(match["minutes"]) if match["minutes"] else number_of("minutes", match["in_words"])
        shift = minutes if key == "minutes_past" else -minutes
    is_strict = words_pattern(joined("clock", "strict")).match(match[0]) is not None
    moment = _moved(time(*value), timedelta(minutes=shift))
    return {"hours": (Hour(_LIMITS.get(key, "exact"), moment, *match.span(), is_strict),)}


def _bare(draft: Draft, key: str, match: Match) -> Piece:
    """A whole number is an hour where the word before it is understood: "niedziela 12", but not "Jana Pawła 2"."""
    before = next((word for word in reversed([*draft.text.all_words()]) if word.end <= match.start()), None)
    is_said = before is None or match["m1"] or match["q1"] or match["am1"] or match["pm1"]
    if before is not None and not is_said:
        is_known = draft.text.is_taken(before.start, before.end) or before.plain in filler()
        is_said = before.end != draft.parish_end and (is_known or before.plain in draft.places.forms)
    return _one_hour(draft, key, match) if is_said else TOLD


@cache
def _event() -> re.Pattern[str]:
    lead, limit = expression(joined("clock", "exact")), expression(joined("clock", "strict"))
    return re.compile(rf"(?<![^\W_])(?P<limit>{limit})\W+(?P<event>[^\W\d_ʘ]+)\W+(?P<hour>{lead}\W+{_hour('1')})")


def _of_event(draft: Draft, _: str, match: Match) -> Piece | None:
    """ "Przed rejsem o 10": a limit at the hour of what no rule knows, whose own word is told."""
    value, word = _value(match, "1"), match["event"]
    if value is None or is_of_vocabulary(word) or word in draft.places.forms:
        return None
    is_before = re.fullmatch(expression(joined("clock", "to")), match["limit"]) is not None
    hour = Hour("to" if is_before else "from", time(*value), *match.span("hour"), is_own=True)
    return {"hours": (hour,), "told": ((match.start("event"), draft.text.raw[slice(*match.span("event"))]),)}


def _turn(draft: Draft, key: str, match: Match) -> Piece | None:
    """ "O 14 obiad, msza przed tym": the words say on which side of the hours that are said the Mass is to be."""
    hours, is_open = draft.hours, match[0].endswith(" po") and re.match(r"[^\w,;.!?]*\w", draft.text.rest[match.end() :])
    if not hours or is_open:  # "mszy po drodze"
        return None
    is_of_asker = len({one.start for one in hours}) > 1 or any(one.is_own or one.role == "exact" for one in hours)
    bound = (min if key == "earlier" else max)(hours, key=lambda hour: hour.at)
    return {"bound": replace(bound, role="to" if key == "earlier" else "from")} if is_of_asker else {}


def _moved(moment: time, by: timedelta) -> time:
    return (datetime(2000, 1, 2, moment.hour, moment.minute, tzinfo=UTC) + by).time()


def _part(draft: Draft, value: str, match: Match) -> Piece:
    """Morning, afternoon, evening, or the rest of the day ("nie rano"); a second part of the day is told where they do not meet,
    since a window has one beginning."""
    start, end = (time.fromisoformat(one) if one else None for one in value.split("-"))
    denied = denial(draft, match.start())
    said = (start, end) if denied is None else _rest_of_day(start, end)
    window = _joined(draft.part, said) if draft.part and said is not None else said
    return TOLD_WHOLE if window is None else {"part": window, "span": (match.start() if denied is None else denied, match.end())}


def _rest_of_day(start: time | None, end: time | None) -> Window | None:
    """What a part of the day leaves, where that is one window; None else."""
    if start is None:
        return end, None
    return (None, start) if start != end and (end is None or end >= time(20)) else None


def _joined(one: Window, other: Window) -> Window | None:
    """Two parts of the day as one window; None when they do not meet."""
    (start, end), (later, last) = sorted((one, other), key=lambda window: window[0] or time(0))
    return (start, max(end, last) if end and last else None) if end is None or later is None or later <= end else None


now: Final = (
    each(
        pattern(partial(_duration, "within")),
        lambda draft, _, match: _window(draft.now, _later(draft.now, minutes_of(match["span"]))),
    ),
    each(pattern(partial(_duration, "in")), _in_an_hour),
    each(phrases("now", "now"), _now),
)
ranges = each(_of("between", "from_to", "range"), _two_hours)
events = each(pattern(_event), _of_event)
limits = each(longest(_of(*_EXACT, *_LIMITS)), _one_hour)
parts = each(longest(phrases("parts")), _part)
bare_hours = each(_of("bare"), _bare)
turned = each(phrases("duties", "earlier", "later"), _turn)


def resolve(draft: Draft) -> Draft:
    """With the window that the findings mean together; hours that it does not keep are told as not understood."""
    part = draft.part or (_TONIGHT if draft.tonight else (None, None))
    late = part[0] is not None and part[0] >= time(12)
    said = sorted(draft.hours, key=lambda one: one.start)
    hours = [replace(one, at=one.at.replace(hour=one.at.hour + 12)) if late and 1 <= one.at.hour < 12 else one for one in said]
    kept = _kept([one for one in hours if not _is_beside(one, part)]) if draft.bound is None else {draft.bound.role: draft.bound}
    for one in hours:
        if all(one.at != other.at for other in kept.values()):
            draft = draft.reported(one.start, one.end)
    exact = kept.get("exact") or kept.get("about")
    if exact is not None:
        by = _ABOUT if exact.role == "about" else timedelta()
        window: Window = _moved(exact.at, -by), _moved(exact.at, by)
    else:
        limits = (_limit(draft, kept.get("from"), "first", _MINUTE), _limit(draft, kept.get("to"), "last", -_MINUTE))
        window = _narrowed(draft, part, limits)
    return draft.put(start=window[0], end=window[1])


def _is_beside(hour: Hour, part: Window) -> bool:
    """Whether an hour says nothing of the Mass, since the part of the day says more: "lecę o 13, msza rano"."""
    start, end = part
    if start == end or not (hour.is_own or hour.role == "exact"):
        return False
    if hour.is_own:
        return not ((start is None or start < hour.at) and (end is None or hour.at < end))
    is_of_morning = end is not None and end <= _LATE_MORNING and hour.at >= _AFTERNOON
    return is_of_morning or (start is not None and start >= _EVENING_BEGINS and time(12) <= hour.at < _AFTERNOON)


def _limit(draft: Draft, found: Hour | None, pick: str, by: timedelta) -> time | None:
    """A limit; "przed 8" leaves out the hour itself, "po 18" does where the first Mass after it is asked for."""
    if found is None:
        return None
    is_left_out = found.is_strict and found.at != time() and (pick == "last" or draft.pick == pick)
    return _moved(found.at, by) if is_left_out else found.at


def _kept(hours: list[Hour]) -> dict[Role, Hour]:
    """The hours that hold, by what they are: the narrowest limits; an exact hour beside a limit is one itself.

    Of limits that leave nothing between them the one said first holds.
    """
    kept: dict[Role, Hour] = {}
    for hour in hours:
        held = kept.get(hour.role)
        if held is None or (hour.role == "from" and hour.at > held.at) or (hour.role == "to" and hour.at < held.at):
            kept[hour.role] = hour
    first, last = kept.get("from"), kept.get("to")
    if first and last and first.at >= last.at and first.start != last.start:
        del kept["to" if first.start < last.start else "from"]
    exact = kept.pop("exact", None) or kept.get("about")
    kept.pop("about", None)
    if exact is None or not kept:
        return kept if exact is None else {exact.role: exact}
    if "from" not in kept and exact.at < kept["to"].at:
        kept["from"] = exact
    elif "to" not in kept and exact.at > kept["from"].at:
        kept["to"] = exact
    return kept


def _narrowed(draft: Draft, part: Window, said: Window) -> Window:
    (start, end), (after, before) = part, said
    is_window = draft.window is not None and after is None and before is None
    if draft.window is not None and is_window:
        after, before = draft.window
    if start is not None and start == end and (after or before):  # noon, where the limits leave it
        return (start, end) if (after or start) <= start <= (before or start) else (after, before)
    if after is not None and before is not None and not is_window:
        return after, before  # "między 15 a 19 po południu": hours are surer than a part of the day
    if before == time() and after is None:
        after, before = draft.vigil_from, time(23, 59)
    first = after if start is None or (after is not None and after > start) else start
    last = before if end is None or (before is not None and before < end) else end
    if first is not None and last is not None and first >= last and start != end:
        if is_window:
            return start, end
        if not (after and before):
            return after, before
    if first is None and last is None:
        return draft.vigil_from or (time(16) if draft.is_vigil else None), draft.feast_until
    return first, last
