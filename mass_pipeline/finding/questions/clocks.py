"""Which hours are meant: exact ones, limits, parts of the day, "now" and "within two hours". Rules over a draft.

The rules note every hour that is said; what they mean together, and which of them no answer keeps, is decided once, in `resolve`.
"""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, datetime, time, timedelta
from functools import cache
from typing import Final

from mass_pipeline.finding.questions.draft import Draft, Hour, Role
from mass_pipeline.finding.questions.hits import find_hits
from mass_pipeline.finding.questions.vocabulary import (
    every,
    expression,
    is_of_vocabulary,
    joined,
    mapping,
    number_of,
    words_pattern,
)

NOW_LASTS: Final = timedelta(hours=3)  # "now" reaches so far
_NO_MASS_UNTIL: Final = 4
_LATE_MORNING, _AFTERNOON, _EVENING_BEGINS = time(12, 30), time(13), time(17)
_LAST_MASSES: Final = (20, 0)
_ABOUT: Final = timedelta(minutes=30)
_MORNING: Final = r"rano|z rana|nad ranem|am|a\.m\.?|in the morning"
_EVENING: Final = r"wieczorem|wieczor|pm|p\.m\.?|po poludniu|popoludniu|in the evening|in the afternoon|at night|w nocy"
_COUNTED: Final = r"\d{1,3}\s?(?:min(?:ut\w*|utes?|s)?|h|hrs?|hours?|godz(?:in\w*)?)"
Window = tuple[time | None, time | None]
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
    suffix = r"(?:(?:\s?-\s?|\s)?(?:tej|ej|mej|ta|ma|sta|cie)|\s?h(?:rs)?|\s?o[’' ]?clock|\s?godz\w*)?"
    half = rf"(?:\s?(?P<am{tag}>{_MORNING})|\s?(?P<pm{tag}>{_EVENING}))?"
    return rf"(?:{digits}|{spoken})(?!\d){suffix}{half}(?![^\W_]|[:.]\d)(?(w{tag}){no_day}|)"


def is_part_of_hour(after: str) -> bool:
    """Whether what follows a number makes it an hour: minutes, or a half of the day."""
    return re.match(rf"[:.,]\d|\s?(?:h|{_MORNING}|{_EVENING})(?![^\W_])", after) is not None


def _value(match: re.Match[str], tag: str) -> tuple[int, int] | None:
    """Hour and minute of a match, half of the day applied; None when there is no such hour."""
    word = match[f"w{tag}"]
    if word is not None:
        hour = number_of("hours", word)
        minute = number_of("minutes", match[f"n{tag}"]) if match[f"n{tag}"] else 0
    else:
        hour, minute = int(match[f"h{tag}"]), int(match[f"m{tag}"] or match[f"q{tag}"] or 0)
    morning, evening = match[f"am{tag}"], match[f"pm{tag}"]
    if 1 <= hour <= _NO_MASS_UNTIL and not (morning or evening or (match[f"h{tag}"] or "").startswith("0")):
        hour += 12  # "o trzeciej" is in the afternoon: nobody says Mass at three at night
    return _in_half(hour, minute, morning, evening)


def _in_half(hour: int, minute: int, morning: str | None, evening: str | None) -> tuple[int, int] | None:
    if morning and hour == 12:
        hour = 0
    elif evening and hour == 12:
        hour = 0 if evening in ("w nocy", "at night") else 12
    elif evening and hour < 12 and not (evening == "w nocy" and hour < 5):
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
    spoken = every("minutes")
    minutes = rf"(?:(?P<minutes>[1-5]?[05](?!\d)|\d{{1,2}}(?=\s?min))(?:\s?min\w*)?|(?P<in_words>{spoken})(?:\s?min\w*)?)"
    return {
        "between": re.compile(rf"{_words('between')}\W+(?:{lead}\W+)?{first}\W+(?:{ands}|-)\W*{second}"),
        "from_to": re.compile(rf"{_words('range_from')}\W+(?:{lead}\W+)?{first}\W*(?:{ands}|-|–|—)\W*(?:{lead}\W+)?{second}"),
        "range": re.compile(rf"{border}(?:{lead}\W+)?{first}\s?[-–—]\s?{second}"),
        "half_to": re.compile(rf"{_words('half')}\W+{first}"),
        "half_past": re.compile(rf"{_words('half_past')}\W+{first}"),
        "quarter_past": re.compile(rf"{_words('quarter_past')}\W+{first}"),
        "quarter_to": re.compile(rf"{_words('quarter_to')}\W+{first}"),
        "minutes_past": re.compile(rf"(?<![\w.:/-])(?:{lead}\W+)?{minutes}\W+{expression(joined('clock', 'past'))}\W+{first}"),
        "minutes_to": re.compile(rf"{_words('short_of')}\W+{minutes}\W+{first}"),
        "about": re.compile(rf"{_words('about')}\W+(?:{_words('exact')}\W+)?{first}"),
        "from": re.compile(rf"{_words('from')}\W+(?:{lead}\W+)?{first}"),
        "to": re.compile(rf"{_words('to')}\W+(?:{lead}\W+)?{first}"),
        "exact": re.compile(rf"{_words('exact')}\W*{first}"),
        "spoken": re.compile(rf"(?<![^\W_])(?=[^\W\d_]){first}"),
        "bare": re.compile(rf"{border}(?=\d){first}(?!\W+{expression(joined('clock', 'counted'))}(?![^\W_]))"),
    }


def now(draft: Draft) -> None:
    """Now, within two hours, in an hour."""
    within = re.compile(rf"(?<![^\W_])(?:{expression(joined('now', 'within'))})\W+(?P<span>{durations()})(?![^\W_])")
    later = re.compile(rf"(?<![^\W_])(?:{expression(joined('now', 'in'))})\W+(?P<span>{durations()})(?![^\W_])")
    for match in draft.taken(within):
        _window(draft, draft.now, _later(draft.now, minutes_of(match["span"])))
    for match in later.finditer(draft.text.rest):
        if any(_patterns()[key].match(draft.text.rest, match.start()) for key in ("quarter_to", "minutes_to")):
            continue  # "za kwadrans ósma" is 7:45
        centre = _later(draft.now, minutes_of(match["span"]))
        _window(draft, max(draft.now, _later(centre, -30)), _later(centre, 30), centre)
        draft.text.take(*match.span())
    for _ in draft.said("now", "now"):
        said_otherwise = draft.weekdays or draft.tonight or any(day != draft.today for day in draft.days)
        if not draft.hours and draft.window is None and not said_otherwise:
            _window(draft, draft.now, _later(draft.now, int(NOW_LASTS.total_seconds() // 60)))


@cache
def durations() -> str:
    """Pattern of a length of time: "pół godziny", "20 minut"."""
    return rf"(?:{every('spans')}|{_COUNTED})"


def minutes_of(words: str) -> int:
    """The minutes of a length of time.

    >>> minutes_of("pol godziny"), minutes_of("20 min"), minutes_of("2h")
    (30, 20, 120)
    """
    counted = re.fullmatch(_COUNTED, words)
    if counted is not None:
        return int(words[: len(words) - len(words.lstrip("0123456789"))]) * (1 if "min" in words else 60)
    return number_of("spans", words)


def _later(moment: datetime, minutes: int) -> datetime:
    """So many minutes later by elapsed time: a change of the clock counts."""
    return (moment.astimezone(UTC) + timedelta(minutes=minutes)).astimezone(moment.tzinfo)


def _window(draft: Draft, start: datetime, end: datetime, day: datetime | None = None) -> None:
    draft.window = start.time().replace(second=0, microsecond=0), end.time().replace(second=0, microsecond=0)
    draft.days.append((day or start).date())


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


def duties(draft: Draft) -> None:
    """ "Pracuję do 19:30" asks for a Mass after that, "mam pociąg o 9" for one before: the asker's own hours, turned round."""
    words = "|".join(joined("duties", key) for key in ("done", "busy"))
    for pattern in _duties() if words_pattern(words).search(draft.text.rest) else ():
        for match in pattern.finditer(draft.text.rest):
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
            draft.hours.append(Hour("from" if ends or is_done else "to", time(*value), *span, is_own=True))
            _take_duty(draft, match)


def _take_duty(draft: Draft, match: re.Match[str]) -> None:
    """Cross out the words of a duty; days, places and what no rule knows among them are still to be read."""
    names = (*draft.hits, *(hit for hit in find_hits(draft.text, draft.places) if draft.text.raw[hit.start].isupper()))
    kept = {hit.start for hit in names}
    draft.of_duties |= {start for start in kept if match.start() <= start < match.end()}
    days = [day.start() for day in words_pattern("|".join(mapping("weekdays").values())).finditer(draft.text.rest)]
    first, last = match.span("between")
    for word in list(draft.text.words()):
        is_own = not first <= word.start < last or is_of_vocabulary(word.plain)
        if match.start() <= word.start < match.end() and word.start not in (*kept, *days) and is_own:
            draft.text.take(word.start, word.end)


def turned(draft: Draft) -> None:
    """ "O 14 obiad, msza przed tym": the words say on which side of the hour the Mass is to be."""
    for side, key in (("earlier", "earlier"), ("later", "later"), ("later", "later_at_end")):
        for match in words_pattern(joined("duties", key)).finditer(draft.text.rest):
            if key == "later_at_end" and re.match(r"[^\w,;.!?]*\w", draft.text.rest[match.end() :]):
                continue
            if draft.hours:
                draft.turned = side
                draft.text.take(*match.span())


def ranges(draft: Draft) -> None:
    """Between 10 and 12, od 10 do 12, 10-12."""
    for key in ("between", "from_to", "range"):
        for match in _patterns()[key].finditer(draft.text.rest):
            first, second = _value(match, "1"), _value(match, "2")
            if first is None or second is None:
                draft.report(*match.span())
                continue
            if match["pm2"] and not match["am1"] and not match["pm1"] and first[0] + 12 < second[0] + 1 and first[0] < 12:
                first = (first[0] + 12, first[1])
            if second <= first and second[0] < 12:
                second = (second[0] + 12, second[1])
            _note(draft, "from", first, match)
            _note(draft, "to", second, match)


def limits(draft: Draft) -> None:
    """After 18, before 8, about 17; and exact hours with "o", "at", "half past". The longest words are taken first."""
    found = [(key, match) for key in _LIMITS for match in _patterns()[key].finditer(draft.text.rest)]
    for key, match in sorted(found, key=lambda one: one[1].start() - one[1].end()):
        if draft.text.is_taken(match):
            continue
        value = _value(match, "1")
        if value is None:
            draft.report(*match.span())
            continue
        shift = _SHIFTS.get(key, 0) if not key.startswith("minutes") else _minutes(match) * (1 if key == "minutes_past" else -1)
        _note(draft, _LIMITS[key], value, match, shift)


def _minutes(match: re.Match[str]) -> int:
    return int(match["minutes"]) if match["minutes"] else number_of("minutes", match["in_words"])


def events(draft: Draft) -> None:
    """ "Przed rejsem o 10": a limit at the hour of what no rule knows; its own word is told as not understood."""
    for match in _event().finditer(draft.text.rest):
        value, word = _value(match, "1"), match["event"]
        if value is None or is_of_vocabulary(word) or word in draft.places.forms:
            continue
        role: Role = "to" if re.fullmatch(expression(joined("clock", "to")), match["limit"]) else "from"
        draft.hours.append(Hour(role, time(*value), *match.span("hour"), is_own=True))
        for group in ("limit", "hour"):
            draft.text.take(*match.span(group))


@cache
def _event() -> re.Pattern[str]:
    lead, limit = expression(joined("clock", "exact")), expression(joined("clock", "strict"))
    return re.compile(rf"(?<![^\W_])(?P<limit>{limit})\W+(?P<event>[^\W\d_ʘ]+)\W+(?P<hour>{lead}\W+{_hour('1')})")


def hours_of_a_half(draft: Draft) -> None:
    """ "Ósma rano", "12 w nocy", "six thirty": hours that no word leads to, with a half of the day; in words with minutes too."""
    for key in ("spoken", "bare"):
        for match in _patterns()[key].finditer(draft.text.rest):
            value = _value(match, "1")
            if value is not None and (match["n1"] or match["am1"] or match["pm1"]):
                _note(draft, "exact", value, match)


def bare_hours(draft: Draft) -> None:
    """18:00, 7pm, "niedziela 12": a number that nothing else has taken is an hour, if there is such an hour."""
    for match in _patterns()["bare"].finditer(draft.text.rest):
        value = _value(match, "1")
        if value is None:
            draft.report(*match.span())
        else:
            _note(draft, "exact", value, match)


def _note(draft: Draft, role: Role, value: tuple[int, int], match: re.Match[str], shift: int = 0) -> None:
    """Note an hour, moved by minutes, and cross out its words."""
    is_strict = words_pattern(joined("clock", "strict")).match(match[0]) is not None
    moment = (datetime(2000, 1, 2, *value, tzinfo=UTC) + timedelta(minutes=shift)).time()
    draft.hours.append(Hour(role, moment, *match.span(), is_strict))
    draft.text.take(*match.span())


_EXACT: Final = ("half_to", "half_past", "quarter_past", "quarter_to", "minutes_past", "minutes_to", "exact")
_LIMITS: Final[dict[str, Role]] = {**dict.fromkeys(_EXACT, "exact"), "to": "to", "from": "from", "about": "about"}
_SHIFTS: Final = {"half_to": -30, "half_past": 30, "quarter_past": 15, "quarter_to": -15}


def _moved(moment: time, by: timedelta) -> time:
    return (datetime(2000, 1, 2, moment.hour, moment.minute, tzinfo=UTC) + by).time()


def parts(draft: Draft) -> None:
    """Morning, afternoon, evening, or the rest of the day ("nie rano"); a second part of the day is reported where they do not
    meet, since a window has one beginning."""
    found = sorted(
        (m.start(), -m.end(), m.end(), value)
        for value, phrases in mapping("parts").items()
        for m in words_pattern(phrases).finditer(draft.text.rest)
    )
    end = -1
    for start, _, stop, value in found:
        if start < end:
            continue
        end = stop
        denied = _not_wanted().search(draft.text.rest[:start])
        said = _part(value) if denied is None else _rest_of_day(_part(value))
        start = start if denied is None else denied.start()
        window = _joined(draft.parts[0], said) if draft.parts and said is not None else said
        if window is None:
            draft.report(start, stop, whole=True)
        else:
            draft.parts = [window]
            draft.text.take(start, stop)


@cache
def _not_wanted() -> re.Pattern[str]:
    return re.compile(rf"(?<![^\W_]){expression(joined('negated', 'words'))}\W+$")


def _rest_of_day(part: Window) -> Window | None:
    """What a part of the day leaves, where that is one window; None else."""
    start, end = part
    if start is None:
        return end, None
    return (None, start) if start != end and (end is None or end >= time(20)) else None


def _joined(one: Window, other: Window) -> Window | None:
    """Two parts of the day as one window; None when they do not meet."""
    (start, end), (later, last) = sorted((one, other), key=lambda window: window[0] or time(0))
    return (start, max(end, last) if end and last else None) if end is None or later is None or later <= end else None


def _part(value: str) -> Window:
    start, end = value.split("-")
    return (time.fromisoformat(start) if start else None, time.fromisoformat(end) if end else None)


def resolve(draft: Draft) -> Window:
    """The window that the findings mean together; hours that it does not keep are told as not understood."""
    part = draft.parts[0] if draft.parts else (time(17), time(22)) if draft.tonight else (None, None)
    late = part[0] is not None and part[0] >= time(12)
    said = sorted(draft.hours, key=lambda one: one.start)
    hours = [replace(one, at=_second_half(one.at)) for one in said] if late else said
    kept = _kept(draft, _turned([one for one in hours if not _is_beside(one, part)], draft.turned))
    for one in hours:
        if all(one.at != other.at for other in kept.values()):
            draft.report(one.start, one.end)
    if "exact" in kept:
        return kept["exact"].at, kept["exact"].at
    if "about" in kept:
        return _moved(kept["about"].at, -_ABOUT), _moved(kept["about"].at, _ABOUT)
    return _narrowed(draft, part, (_limit(draft, kept, "from", "first", 1), _limit(draft, kept, "to", "last", -1)))


def _is_beside(hour: Hour, part: Window) -> bool:
    """Whether an hour says nothing of the Mass, since the part of the day says more: "lecę o 13, msza rano"."""
    start, end = part
    if start == end or not (hour.is_own or hour.role == "exact"):
        return False
    if hour.is_own:
        return not ((start is None or start < hour.at) and (end is None or hour.at < end))
    is_of_morning = end is not None and end <= _LATE_MORNING and hour.at >= _AFTERNOON
    return is_of_morning or (start is not None and start >= _EVENING_BEGINS and time(12) <= hour.at < _AFTERNOON)


def _limit(draft: Draft, kept: dict[Role, Hour], role: Role, pick: str, minutes: int) -> time | None:
    """A limit; the hour itself is left out where the first Mass after it or the last before it is asked for."""
    found = kept.get(role)
    if found is not None and found.is_strict and draft.pick == pick:
        return _moved(found.at, timedelta(minutes=minutes))
    return found.at if found else None


def _turned(hours: list[Hour], side: str | None) -> list[Hour]:
    """The asker's hours as the limit that words like "przedtem" make of them."""
    is_of_asker = len({one.start for one in hours}) > 1 or any(one.is_own or one.role == "exact" for one in hours)
    if side is None or not is_of_asker:
        return hours
    bound = min(hours, key=_at) if side == "earlier" else max(hours, key=_at)
    return [replace(bound, role="to" if side == "earlier" else "from")]


def _kept(draft: Draft, hours: list[Hour]) -> dict[Role, Hour]:
    """The hours that hold, by what they are: the narrowest limits; an exact hour beside a limit is one itself.

    Of limits that leave nothing between them the one said first holds.
    """
    kept: dict[Role, Hour] = {}
    for role, choose in (("from", max), ("to", min)):
        found = [one for one in hours if one.role == role]
        if found:
            kept[role] = choose(found, key=_at)  # type: ignore[index]  # a role
    first, last = kept.get("from"), kept.get("to")
    if first and last and first.at >= last.at and first.start != last.start:
        del kept["to" if first.start < last.start else "from"]
    exact = next((one for role in ("exact", "about") for one in hours if one.role == role), None)
    if exact is None:
        return kept
    if not kept:
        return {exact.role: exact}
    if "from" not in kept and exact.at < kept["to"].at:
        kept["from"] = exact
    elif "to" not in kept and exact.at > kept["from"].at:
        kept["to"] = exact
    return kept


def _at(hour: Hour) -> time:
    return hour.at


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


def _second_half(moment: time) -> time:
    return moment.replace(hour=moment.hour + 12) if 1 <= moment.hour < 12 else moment
