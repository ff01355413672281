"""Which hours are meant: exact ones, limits, parts of the day, "now" and "within two hours". Rules over a draft."""

from __future__ import annotations

import re
from datetime import UTC, datetime, time, timedelta
from functools import cache
from typing import Final

from mass_pipeline.finding.questions.draft import Draft
from mass_pipeline.finding.questions.hits import find_hits
from mass_pipeline.finding.questions.vocabulary import expression, joined, mapping, number_of, words_pattern
from mass_pipeline.reading.words.weekday_patterns import FRIDAY, SATURDAY, SUNDAY

NOW_LASTS: Final = timedelta(hours=3)  # "now" reaches so far
_NO_MASS_UNTIL: Final = 4
_ABOUT: Final = timedelta(minutes=30)
_MORNING: Final = r"rano|z rana|nad ranem|am|a\.m\.?|in the morning"
_EVENING: Final = r"wieczorem|wieczor|pm|p\.m\.?|po poludniu|popoludniu|in the evening|in the afternoon|at night|w nocy"
_COUNTED: Final = r"\d{1,3}\s?(?:min(?:ut\w*|utes?|s)?|h|hrs?|hours?|godz(?:in\w*)?)"
Window = tuple[time | None, time | None]
_NOT_HOUR: Final = rf"(?!\W+(?:msz|mass|{SUNDAY}|{SATURDAY}|{FRIDAY}|sunday|friday|saturday|church|parish|or|and one))"


@cache
def _hour(tag: str) -> str:
    """Pattern of an hour, in digits or words, with minutes and half of the day; its groups end in the tag."""
    words = expression("|".join(mapping("hours").values()))
    minutes = expression("|".join(mapping("minutes").values()))
    digits = rf"(?P<h{tag}>\d{{1,2}})(?:(?:[:.,]|\s?h\s?|\s(?=[0345][05]\b))(?P<m{tag}>[0-5]\d)|(?P<q{tag}>[0-5]\d)(?=\W|$))?"
    spoken = rf"(?P<w{tag}>{words})(?:\W+(?P<n{tag}>{minutes}))?"
    suffix = r"(?:(?:\s?-\s?|\s)?(?:tej|ej|mej|ta|ma|sta|cie)|\s?h(?:rs)?|\s?o[’' ]?clock|\s?godz\w*)?"
    half = rf"(?:\s?(?P<am{tag}>{_MORNING})|\s?(?P<pm{tag}>{_EVENING}))?"
    return rf"(?:{digits}|{spoken})(?!\d){suffix}{half}(?![^\W_]|[:.]\d)(?(w{tag}){_NOT_HOUR}|)"


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
    return {
        "between": re.compile(rf"{_words('between')}\W+(?:{lead}\W+)?{first}\W+(?:{ands}|-)\W*{second}"),
        "from_to": re.compile(rf"{_words('range_from')}\W+(?:{lead}\W+)?{first}\W*(?:{ands}|-|–|—)\W*(?:{lead}\W+)?{second}"),
        "range": re.compile(rf"{border}(?:{lead}\W+)?{first}\s?[-–—]\s?{second}"),
        "half_to": re.compile(rf"{_words('half')}\W+{first}"),
        "half_past": re.compile(rf"{_words('half_past')}\W+{first}"),
        "quarter_past": re.compile(rf"{_words('quarter_past')}\W+{first}"),
        "quarter_to": re.compile(rf"{_words('quarter_to')}\W+{first}"),
        "about": re.compile(rf"{_words('about')}\W+(?:{_words('exact')}\W+)?{first}"),
        "from": re.compile(rf"{_words('from')}\W+(?:{lead}\W+)?{first}"),
        "to": re.compile(rf"{_words('to')}\W+(?:{lead}\W+)?{first}"),
        "exact": re.compile(rf"{_words('exact')}\W*{first}"),
        "spoken": re.compile(rf"(?<![^\W_])(?=[^\W\d_]){first}"),
        "bare": re.compile(rf"{border}(?=\d){first}"),
    }


def now(draft: Draft) -> None:
    """Now, within two hours, in an hour."""
    within = re.compile(rf"(?<![^\W_])(?:{expression(joined('now', 'within'))})\W+(?P<span>{durations()})(?![^\W_])")
    later = re.compile(rf"(?<![^\W_])(?:{expression(joined('now', 'in'))})\W+(?P<span>{durations()})(?![^\W_])")
    for match in draft.taken(within):
        _window(draft, draft.now, _later(draft.now, minutes_of(match["span"])))
    for match in later.finditer(draft.text.rest):
        if _patterns()["quarter_to"].match(draft.text.rest, match.start()):
            continue  # "za kwadrans ósma" is 7:45
        centre = _later(draft.now, minutes_of(match["span"]))
        _window(draft, max(draft.now, _later(centre, -30)), _later(centre, 30), centre)
        draft.text.take(*match.span())
    for _ in draft.said("now", "now"):
        said_otherwise = draft.weekdays or draft.tonight or any(day != draft.today for day in draft.days)
        if draft.after is None and draft.before is None and not said_otherwise:
            _window(draft, draft.now, _later(draft.now, int(NOW_LASTS.total_seconds() // 60)))


@cache
def durations() -> str:
    """Pattern of a length of time: "pół godziny", "20 minut"."""
    return rf"(?:{expression('|'.join(mapping('spans').values()))}|{_COUNTED})"


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
    draft.after, draft.before = start.time().replace(second=0, microsecond=0), end.time().replace(second=0, microsecond=0)
    draft.days.append((day or start).date())
    draft.is_window = True


@cache
def _duties() -> tuple[re.Pattern[str], ...]:
    """What the asker has to do, with its hour after it or before it; no word of the Mass and no mark between."""
    does = rf"(?P<does>{expression(joined('duties', 'done'))}|{expression(joined('duties', 'busy'))})(?![^\W_])"
    gap = rf"(?:[^\w,;?!.]+(?!(?:{expression(joined('duties', 'ends'))})(?![^\W_]))[^\W_]+)"
    lead = expression("|".join(joined("clock", key) for key in ("to", "from", "about", "exact")))
    ands, begins = expression(joined("clock", "and")), expression(joined("clock", "range_from"))
    hour = rf"(?:{begins}\W+)?(?:(?P<lead>{lead})\W+)?{_hour('1')}(?:\W*(?:{ands}|-|–)\W*{_hour('2')})?"
    return (
        re.compile(rf"(?<![^\W_]){does}(?P<between>{gap}{{0,6}}?)(?:[^\w,;?!]|\.)+(?={lead}\W|\d){hour}"),
        re.compile(rf"(?<![^\W_])(?={lead}\W){hour}(?P<between>{gap}{{0,3}}?)[^\w,;?!.]+{does}"),
    )


def duties(draft: Draft) -> None:
    """ "Pracuję do 19:30" asks for a Mass after that, "mam pociąg o 9" for one before: the asker's own hours, turned round."""
    words = "|".join(joined("duties", key) for key in ("done", "busy"))
    for pattern in _duties() if words_pattern(words).search(draft.text.rest) else ():
        for match in pattern.finditer(draft.text.rest):
            value = _value(match, "2") if match["h2"] or match["w2"] else _value(match, "1")
            if value is None:
                continue
            ends = words_pattern(joined("clock", "until")).fullmatch(match["lead"] or "") or match["h2"] or match["w2"]
            if ends or re.fullmatch(expression(joined("duties", "done")), match["does"]):
                draft.after = time(*value)
            else:
                draft.before = time(*value)
            draft.has_duty = True
            _take_duty(draft, match)


def _take_duty(draft: Draft, match: re.Match[str]) -> None:
    """Cross out the words of a duty; days and places among them are still to be read."""
    names = (*draft.hits, *(hit for hit in find_hits(draft.text, draft.places) if draft.text.raw[hit.start].isupper()))
    kept = {hit.start for hit in names}
    draft.of_duties |= {start for start in kept if match.start() <= start < match.end()}
    days = [day.start() for day in words_pattern("|".join(mapping("weekdays").values())).finditer(draft.text.rest)]
    for word in list(draft.text.words()):
        if match.start() <= word.start < match.end() and word.start not in (*kept, *days):
            draft.text.take(word.start, word.end)


def turned(draft: Draft) -> None:
    """ "O 14 obiad, msza przed tym": the words say on which side of the hour the Mass is to be."""
    for side, key in (("earlier", "earlier"), ("later", "later"), ("later", "later_at_end")):
        for match in words_pattern(joined("duties", key)).finditer(draft.text.rest):
            if key == "later_at_end" and re.match(r"[^\w,;.!?]*\w", draft.text.rest[match.end() :]):
                continue
            if draft.exact is not None or draft.after is not None or draft.before is not None:
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
            draft.after, draft.before = time(*first), time(*second)
            draft.text.take(*match.span())


def limits(draft: Draft) -> None:
    """After 18, before 8, about 17; and exact hours with "o", "at", "half past". The longest words are taken first."""
    keys = ("half_to", "half_past", "quarter_past", "quarter_to", "to", "from", "about", "exact")
    found = [(key, match) for key in keys for match in _patterns()[key].finditer(draft.text.rest)]
    for key, match in sorted(found, key=lambda one: one[1].start() - one[1].end()):
        if draft.text.is_taken(match):
            continue
        value = _value(match, "1")
        if value is None or (key in _EXACT and draft.exact is not None):
            draft.report(*match.span())
        else:
            _apply(draft, key, value)
            draft.is_strict |= words_pattern(joined("clock", "strict")).match(match[0]) is not None
            draft.text.take(*match.span())


def spoken_hours(draft: Draft) -> None:
    """ "Ósma rano", "six thirty": hours in words that no other word leads to, with minutes or a half of the day."""
    for match in _patterns()["spoken"].finditer(draft.text.rest):
        if match["n1"] or match["am1"] or match["pm1"]:
            _exact(draft, match)


def bare_hours(draft: Draft) -> None:
    """18:00, 7pm, "niedziela 12": a number that nothing else has taken is an hour, if there is such an hour."""
    for match in _patterns()["bare"].finditer(draft.text.rest):
        if _value(match, "1") is None:
            draft.report(*match.span())
        _exact(draft, match)


def _exact(draft: Draft, match: re.Match[str]) -> None:
    """Take an hour, where none was said before it."""
    value = _value(match, "1")
    if value is not None and draft.exact is None:
        draft.exact = time(*value)
        draft.text.take(*match.span())


_EXACT: Final = frozenset({"exact", "half_to", "half_past", "quarter_past", "quarter_to"})
_SHIFTS: Final = {"half_to": -30, "half_past": 30, "quarter_past": 15, "quarter_to": -15}


def _apply(draft: Draft, key: str, value: tuple[int, int]) -> None:
    moment = time(*value)
    if key == "to":
        draft.before = moment
    elif key == "from":
        draft.after = moment
    elif key == "about":
        draft.about = moment
    else:
        draft.exact = _moved(moment, timedelta(minutes=_SHIFTS.get(key, 0)))


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
    """The window that the findings mean together: an exact hour wins, limits narrow a part of the day."""
    if draft.turned is not None and (draft.exact is not None or draft.has_duty or (draft.after and draft.before)):
        first, last = draft.exact or draft.after or draft.before, draft.exact or draft.before or draft.after
        draft.before, draft.after = (first, None) if draft.turned == "earlier" else (None, last)
        draft.exact = None
    start, end = draft.parts[0] if draft.parts else (None, None)
    if draft.tonight and not draft.parts:
        start, end = time(17), time(22)
    late = start is not None and start >= time(12)
    if draft.exact is not None:
        exact = _second_half(draft.exact) if late else draft.exact
        return exact, exact
    if draft.about is not None:
        about = _second_half(draft.about) if late else draft.about
        return _moved(about, -_ABOUT), _moved(about, _ABOUT)
    after = _second_half(draft.after) if late and draft.after and not draft.is_window else draft.after
    before = _second_half(draft.before) if late and draft.before and not draft.is_window else draft.before
    if draft.is_strict and draft.pick == "first" and after is not None:
        after = _moved(after, timedelta(minutes=1))
    if draft.is_strict and draft.pick == "last" and before is not None:
        before = _moved(before, -timedelta(minutes=1))
    return _narrowed(draft, (start, end), (after, before))


def _narrowed(draft: Draft, part: Window, said: Window) -> Window:
    (start, end), (after, before) = part, said
    if start is not None and start == end and (after or before):  # noon, where the limits leave it
        return (start, end) if (after or start) <= start <= (before or start) else (after, before)
    if after is not None and before is not None and not draft.is_window:
        return after, before  # "między 15 a 19 po południu": hours are surer than a part of the day
    if before == time() and after is None:
        after, before = draft.vigil_from, time(23, 59)
    first = after if start is None or (after is not None and after > start) else start
    last = before if end is None or (before is not None and before < end) else end
    if first is not None and last is not None and first >= last and start != end:
        if draft.is_window:
            return start, end
        if not (after and before):
            return after, before
    if first is None and last is None:
        return draft.vigil_from or (time(16) if draft.is_vigil else None), draft.feast_until
    return first, last


def _second_half(moment: time) -> time:
    return moment.replace(hour=moment.hour + 12) if 1 <= moment.hour < 12 else moment
