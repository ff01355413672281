"""Days: names, ranges, enumerations, groups, nth weekdays, complements."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from mass_pipeline.reading.phrases.cursor import Cursor
from mass_pipeline.reading.phrases.nodes import NTH, WEEK, WORKDAYS, WORKING_WEEK, Cond, Dated, Days, InList, Nth, OnDays, OnNth
from mass_pipeline.reading.words.folding import fold

_OF_OBLIGATION: Final = re.compile(r"nakaz|obowi")  # folded
_PLURAL: Final = re.compile(r"(?:ki|oty|ody|ele)$")  # folded names of days
_FEASTS: Final = frozenset({"PH", "AF"})
_LONGEST_BRACKET: Final = 8  # tokens about where feasts fall
_CONJUNCTION: Final = 4  # tokens of "o ile", "w dni, które", an opening bracket among them
_IS_KEPT: Final = re.compile(r"(?:obchodz|przypada|swietuj)\w*$")  # folded
_ONE_FEAST: Final = re.compile(r"(?:^| )(?:uroczystosc|swieto|wspomnienie)$")  # folded
_QUOTES: Final = frozenset({'"', "„", "”", "“", "''", "«", "»", "'"})
_GROUPS = {
    "weekdays": WORKING_WEEK,
    "week": WORKING_WEEK,
    "workdays": WORKDAYS,
    "PH": frozenset({"PH"}),
    "sundays and holy days": frozenset({"Su", "PH"}),
    "AF": frozenset({"AF"}),
}


def parse_days(cursor: Cursor, position: int) -> tuple[Cond, int] | None:
    """Days at a position: `(condition, next position)` or None.

    "pn.-pt.", "od wtorku do soboty", "pon., śr. i pt.", "niedziele i święta", "dni powszednie", "pozostałe dni".
    """
    apart = _parse_rest(cursor, position) or _feast_of_that_day(cursor, position)
    if apart is not None:
        return apart
    items: list[Days] = []
    index = end = position
    while True:
        item = _parse_item(cursor, index)
        if item is None:
            break
        days, after = item
        joined = any(token.kind != "glue" for token in cursor.tokens[end:index])
        if items and not joined and items[-1].days == {"PH"} and days.days == WORKING_WEEK and not days.daily:
            if not _OF_OBLIGATION.search(fold(cursor.tokens[end - 1].text)):
                items = [_group("AF")]  # "święta kościelne w dni robocze"
            end = after  # "święta nakazane w tygodniu" are holy days all the same
            break
        again = joined and items[-1:] == [days] and not days.label  # "oprócz wtorków, we wtorki o 16.15"
        if again or (items and not joined and _are_within(days, items)) or _has_next_hour(cursor, position, (end, index, after)):
            break
        end = after
        items.append(days)
        index = _skip_joiner(cursor, end)
        if index > end + 1 and cursor.is_kind(end, "comma") and cursor.tokens[end + 1].text in ("a", "a w"):
            break  # "w środy i piątki, a w niedziele o 8.30": two lists
    if not items:
        return None
    if all(item.days <= _FEASTS for item in items):
        items, end = _with_where_they_fall(cursor, items, end)
    days, end = _with_numbers(cursor, _combine(items), end)
    first, last = cursor.tokens[position], cursor.tokens[end - 1]
    made: type[InList | OnDays] = InList if days.label else OnDays
    return made(days, first.start, last.end), end


def _has_next_hour(cursor: Cursor, position: int, mark: tuple[int, int, int]) -> bool:
    """`18.00 od wtorku do soboty, w poniedziałek zaś o 7.30`: days right behind an hour, then others with an hour of their own.

    Args:
        cursor: tokens.
        position: of the first days.
        mark: positions of the mark before the last of them, of these days and after them.
    """
    end, index, after = mark
    if end == index or index == end + 1 or not cursor.is_kind(end, "comma"):
        return False
    before = position - 1
    while cursor.is_kind(before, "glue", "dash"):
        before -= 1
    while cursor.is_kind(after, "and") and (further := _parse_item(cursor, _skip_joiner(cursor, after))) is not None:
        after = further[1]  # "w niedziele i święta 8.30"
    hour = cursor.at(cursor.skip(after, "glue", "hour"))
    return cursor.is_kind(before, "clock") and hour is not None and hour.is_time


def _with_numbers(cursor: Cursor, days: Days, end: int) -> tuple[Days, int]:
    """`dni tygodnia I–V`, `pn-pt (I-V)`: the days by their numbers, where no other numeral or month makes months of these."""
    at = cursor.skip(end, "open")
    first, mark, last = (cursor.at(at + ahead) for ahead in range(3))
    if first is None or mark is None or last is None or (first.kind, mark.kind, last.kind) != ("roman", "dash", "roman"):
        return days, end
    named = frozenset(WEEK[: int(last.value)])
    alone = sum(token.kind in ("roman", "month") for token in cursor.tokens) == 2
    if not alone or int(first.value) != 1 or named not in (WORKDAYS, WORKING_WEEK) or not named <= days.days <= WORKING_WEEK:
        return days, end
    return replace(days, days=named), at + 4 if at > end and cursor.is_kind(at + 3, "close") else at + 3


def _feast_of_that_day(cursor: Cursor, position: int) -> tuple[Cond, int] | None:
    """`W piątek uroczystość Najświętszego Serca`, `we wtorek przypada wspomnienie św. Huberta`: one day, not every week."""
    day, verb = cursor.at(position), cursor.at(position + 1)
    at = position + (2 if verb is not None and _IS_KEPT.match(fold(verb.text)) else 1)
    feast, name = cursor.at(at), cursor.at(at + 1)
    if day is None or feast is None or name is None or day.kind != "day" or not _ONE_FEAST.search(fold(feast.text)):
        return None
    before = cursor.at(position - 1)
    said = fold(before.text) if before is not None else ""
    weekly = said.startswith("kazd") or (_PLURAL.search(fold(day.text)) and not day.text.endswith("ę"))  # "w niedzielę"
    named = name.text[0].isupper() or name.kind in ("feast", "placetail")
    if weekly or not named or name.is_time or (feast.text[0].isupper() and said not in ("w", "we")):
        return None
    return Dated(f"{day.text} {feast.text}", day.start, feast.end), at + 1


def _with_where_they_fall(cursor: Cursor, items: list[Days], end: int) -> tuple[list[Days], int]:
    """`uroczystości przypadające w tygodniu`, `święta nakazane (o ile nie wypadają w niedzielę)`: feasts, next position."""
    behind = _skip_quote(cursor, cursor.skip(end, "comma", "glue"))
    closing = _end_of_bracket(cursor, behind)  # "święta (będące dniami pracy)"
    said_at = behind + 1 if closing else behind
    if cursor.is_kind(said_at, "onworkdays") and all(item.days == {"PH"} for item in items):
        said = fold(cursor.tokens[said_at].text)
        obliged = "pada" in said and _OF_OBLIGATION.search(fold(cursor.tokens[end - 1].text))  # they are days off
        return items if obliged else [_group("AF")], closing or _skip_quote(cursor, said_at + 1)
    opened = cursor.is_kind(behind, "open")
    if opened and cursor.is_kind(behind + 1, "daysoff") and cursor.is_kind(behind + 2, "close"):
        return [_group("PH")], behind + 3  # "uroczystości w ciągu tygodnia (wolne od pracy)"
    fall = behind + 1 if opened else behind
    while fall < behind + _CONJUNCTION and cursor.is_kind(fall, "word", "glue", "op", "hour"):
        fall += 1
    if not cursor.is_kind(fall, "offsundays"):
        return items, end
    return items, cursor.skip(fall + 1, "close") if opened else fall + 1


def _end_of_bracket(cursor: Cursor, position: int) -> int:
    """The position after a short bracket without hours that opens here, 0 of anything else."""
    if not cursor.is_kind(position, "open"):
        return 0
    for at in range(position + 1, position + _LONGEST_BRACKET):
        if cursor.is_kind(at, "close"):
            return at + 1
        if cursor.is_kind(at, "clock", "open"):
            return 0
    return 0


def _are_within(days: Days, items: Sequence[Days]) -> bool:
    """`w tygodniu (we) wtorek i czwartek`, and `niedziela i święta w sobotę: 15.00`, the evening before: not beside the list."""
    if days.days == {"Sa"} and any("Su" in item.days for item in items):
        return True
    return items[-1].label and not days.label and days.days < items[-1].days


def _skip_quote(cursor: Cursor, position: int) -> int:
    """After a quotation mark: `święta "zniesione"`."""
    token = cursor.at(position)
    return position + 1 if token is not None and token.text in _QUOTES else position


def _parse_rest(cursor: Cursor, position: int) -> tuple[Cond, int] | None:
    """`pozostałe dni`, `w pozostałe czwartki`."""
    token = cursor.at(position)
    if token is None or token.kind != "complement" or token.value == "months":
        return None
    index = cursor.skip(position + 1, "glue")
    item = _parse_item(cursor, index)
    besides = token.text.lower() == "poza tym" and _further_days(cursor, item[1] if item is not None else index)
    if item is not None and not besides and len(item[0].days) == 1 and (not item[0].label or "Su" in item[0].days):
        nth = Nth((), item[0].days, rest=True)
        return OnNth(nth, token.start, cursor.tokens[item[1] - 1].end), item[1]
    alone = cursor.is_kind(position - 1, "open") and cursor.is_kind(index, "close")  # "9.00 (lipiec), 18.00 (pozostałe)"
    if token.value == "other":
        return None  # "Inne" gathers what is no Mass
    if token.value == "any" and not alone and not cursor.is_kind(index, "colon", "dash", "hour", "clock"):
        return None
    return OnDays(Days(rest=True), token.start, token.end), position + 1


def _further_days(cursor: Cursor, position: int) -> bool:
    """`poza tym we wtorki, czwartki i soboty o 7.00`: what there is besides, on all of them."""
    return cursor.is_kind(position, "comma", "and") and cursor.is_kind(_skip_joiner(cursor, position), "day")


def _skip_joiner(cursor: Cursor, position: int) -> int:
    """After what may stand between two days of an enumeration."""
    if cursor.is_kind(position, "stop") and cursor.is_kind(position + 1, "comma"):
        position += 1
    if cursor.is_kind(position, "bar") and cursor.is_kind(position - 1, "day") and cursor.is_kind(position + 1, "day"):
        return position + 1  # "Poniedziałek | Środa | Piątek"
    return cursor.skip(cursor.skip(position, "comma", "and", "slash"), "glue", "and")


def _parse_item(cursor: Cursor, position: int) -> tuple[Days, int] | None:
    """One day, a range of days or a group."""
    opened = cursor.is_op(position, "from")
    index = cursor.skip(position + 1, "glue") if opened else position
    token = cursor.at(index)
    if token is None or (token.kind != "day" and (opened or token.kind != "daygroup")):
        return None
    if token.kind == "daygroup" and token.value == "week" and not _heads_a_list(cursor, index):
        return None
    if token.kind == "daygroup":
        sundays = _sundays_too(cursor, index + 1) if token.value == "daily" else None
        return sundays or (_group(token.value), _after_obligation(cursor, index))
    end = _range_end(cursor, index + 1)
    if end is not None:
        return Days(_span(token.value, cursor.tokens[end].value)), end + 1
    if opened:
        return Days(_span(token.value, "Sa")), index + 1
    if names_a_feast(cursor, index):
        return None
    return Days(frozenset({token.value}), label=token.value == "Su"), index + 1


def _after_obligation(cursor: Cursor, position: int) -> int:
    """After the name of a group: `uroczystości i święta nakazane` are holy days of obligation, both of them."""
    said = cursor.at(position + 1)
    is_word = said is not None and said.kind == "word" and cursor.tokens[position].value == "PH"
    return position + 2 if is_word and said and _OF_OBLIGATION.match(fold(said.text)) else position + 1


def _heads_a_list(cursor: Cursor, position: int) -> bool:
    """`Tydzień: 7.00, 18.00` names the weekdays, `tydzień modlitw` and `przez tydzień` a stretch of time."""
    opens = position == 0 or cursor.is_kind(position - 1, "semicolon", "stop", "bar", "clock", "comma", "close", "dash")
    following = cursor.at(position + 1)
    return opens and (following is None or cursor.is_kind(position + 1, "colon", "dash", "clock", "hour"))


def _sundays_too(cursor: Cursor, position: int) -> tuple[Days, int] | None:
    """`codziennie, także w niedziele (i święta)`: all days, and the list is nobody else's."""
    opened = cursor.is_kind(position, "open")
    index = cursor.skip(position, "comma", "open")
    if not cursor.is_op(index, "also"):
        return None
    days = {*WORKING_WEEK, "Su"}
    index = end = cursor.skip(index + 1, "glue")
    while cursor.is_kind(index, "day", "daygroup"):
        token = cursor.tokens[index]
        days |= {token.value} if token.kind == "day" else _group(token.value).days
        end = index + 1
        index = cursor.skip(end, "and", "glue")
    if "Su" not in {token.value for token in cursor.tokens[position:end]}:
        return None
    return Days(frozenset(days), label=True), end + 1 if opened and cursor.is_kind(end, "close") else end


def names_a_feast(cursor: Cursor, position: int) -> bool:
    """`niedziela Adwentu`, `II niedziela Wielkiego Postu`: a day of the Church year, not every Sunday as `Niedziele Adwentu`."""
    token, following = cursor.tokens[position], cursor.at(position + 1)
    return (
        token.value == "Su"
        and _PLURAL.search(fold(token.text)) is None
        and following is not None
        and following.kind in ("season", "feast")
        and following.value in ("advent", "lent")
    )


def _range_end(cursor: Cursor, position: int) -> int | None:
    """Position of the second day of a range, None when there is no range, as in `oprócz piątków - w piątki o 15.15`."""
    if not (cursor.is_kind(position, "dash") or cursor.is_op(position, "to")):
        return None
    index = cursor.skip(position + 1, "glue")
    return index if cursor.is_kind(index, "day") and cursor.tokens[index].value != cursor.tokens[position - 1].value else None


def _span(first: str, last: str) -> frozenset[str]:
    start, end = WEEK.index(first), WEEK.index(last)
    if start <= end:
        return frozenset(WEEK[start : end + 1])
    return frozenset(WEEK[start:] + WEEK[: end + 1])


def _group(value: str) -> Days:
    if value == "daily":
        return Days(WORKING_WEEK, label=True, daily=True)
    if value == "feasts":
        return Days(frozenset({"PH"}), label=True, feasts=True)
    return Days(_GROUPS[value], label=True)


def _combine(items: list[Days]) -> Days:
    """The days of an enumeration; "na co dzień, od poniedziałku do soboty" says twice which."""
    narrower = [item for item in items if not item.daily]
    items = narrower if narrower and all(item.days <= WORKING_WEEK for item in narrower) else items
    days = frozenset[str]().union(*(item.days for item in items))
    label = any(item.label for item in items)
    only_feasts = all(item.feasts for item in items)
    if label and len(days) == 1 and "Su" not in days and not (days & {"PH", "AF"}):
        label = False
    return Days(days, label=label, daily=any(i.daily for i in items), feasts=only_feasts)


def parse_nth(cursor: Cursor, position: int) -> tuple[Cond, int] | None:
    """`I piątek miesiąca`, `II i IV niedziela`, `1-wsze soboty`, `I piątek i pierwsza sobota`: a condition or None."""
    parsed = _parse_nth(cursor, position)
    if parsed is None:
        return None
    nth, end = parsed
    while (further := _further_nth(cursor, position, end)) is not None:
        same = further[0].ordinals == nth.ordinals and not nth.more
        nth = replace(nth, days=nth.days | further[0].days) if same else replace(nth, more=(*nth.more, further[0]))
        end = further[1]
    return OnNth(nth, cursor.tokens[position].start, cursor.tokens[end - 1].end), end


def _further_nth(cursor: Cursor, position: int, end: int) -> tuple[Nth, int] | None:
    """What `i`, or a comma in a clause that names days before hours, joins to weekdays of a month."""
    if cursor.is_kind(end, "comma") and any(token.is_time for token in cursor.tokens[:position]):
        return None
    if not cursor.is_kind(end, "and", "comma"):
        return None
    return _parse_nth(cursor, cursor.skip(cursor.skip(end, "comma"), "and", "glue"))


def _parse_nth(cursor: Cursor, position: int) -> tuple[Nth, int] | None:
    """Weekdays that share their ordinals."""
    ordinals, index = _ordinals(cursor, position)
    if not ordinals:
        return None
    days, end = _weekdays(cursor, index)
    if not days:
        return None
    school = cursor.is_kind(end, "season") and cursor.tokens[end].value == "school"
    if school and _PLURAL.search(fold(cursor.tokens[end - 1].text)):
        return Nth(tuple(ordinals), frozenset(days)), end  # "w pierwsze piątki roku szkolnego"
    if cursor.is_kind(end, "month", "season", "feast") or (cursor.is_kind(end, "glue") and cursor.is_kind(end + 1, "month")):
        return None  # "1 niedzieli października", "II niedziela Adwentu": one day of the year
    return Nth(tuple(ordinals), frozenset(days)), _skip_month(cursor, end)


def _skip_month(cursor: Cursor, position: int) -> int:
    while cursor.is_kind(position, "ofmonth", "monthday") or (
        cursor.is_kind(position, "glue") and cursor.is_kind(position + 1, "ofmonth", "monthday")
    ):
        position += 1
    return position


def _ordinals(cursor: Cursor, position: int) -> tuple[list[int], int]:
    found: list[int] = []
    index = end = position
    while True:
        ordinal, after = _ordinal(cursor, index)
        if ordinal is None:
            return found, end
        found.append(ordinal)
        end = after
        index = cursor.skip(after, "comma", "and", "slash", "glue")


def _ordinal(cursor: Cursor, position: int) -> tuple[int | None, int]:
    token = cursor.at(position)
    if token is None:
        return None, position
    if token.kind == "ordinal":
        return int(token.value), position + 1
    if token.kind == "roman" and int(token.value) in NTH:
        return int(token.value), _skip_ending(cursor, position + 1)
    if token.kind == "clock" and token.value in ("number", "bare") and token.text.isdigit() and int(token.text) in NTH:
        return int(token.text), _skip_ending(cursor, cursor.skip(position + 1, "stop"))
    return None, position


def _skip_ending(cursor: Cursor, position: int) -> int:
    """After the `-szy`, `-wsza`, `-sze` of a numeral."""
    token = cursor.at(position + 1)
    if cursor.is_kind(position, "dash") and token is not None and token.kind == "word" and len(token.value) <= 4:
        return position + 2
    return position


def _weekdays(cursor: Cursor, position: int) -> tuple[set[str], int]:
    days: set[str] = set()
    index = end = cursor.skip(position, "glue")
    while cursor.is_kind(index, "day"):
        days.add(cursor.tokens[index].value)
        end = index + 1
        index = cursor.skip(end, "comma", "and", "slash")
        if cursor.is_kind(index, "day") and _starts_own_clause(cursor, index):
            break
    return days, end


def _starts_own_clause(cursor: Cursor, position: int) -> bool:
    """`I piątek, sobota: 8.00`: whether the day belongs to the hour that follows rather than to the ordinal."""
    return cursor.is_kind(position - 1, "comma") and cursor.is_kind(position + 1, "colon", "clock", "hour")
