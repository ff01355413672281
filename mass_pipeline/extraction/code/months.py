"""What depends on the month of the day on which a page is looked at: both branches come with their months.

Belongs: the month of today, comparisons of it, values of the two branches. Other questions about today stay unknown.
"""

from __future__ import annotations

from typing import Final

from mass_pipeline.extraction.code.arithmetic import of_two
from mass_pipeline.extraction.code.values import (
    NOTHING,
    UNKNOWN,
    Many,
    Markup,
    Month,
    Months,
    Today,
    Value,
    as_number,
    is_false,
    is_true,
    number,
)
from mass_pipeline.extraction.wording import has_hour
from mass_pipeline.language.day_words import MONTH_NAMES_IN, MONTH_NAMES_OF

_ALL: Final = frozenset(range(1, 13))


def of_today(value: Value, method: str) -> Value:
    """`getMonth()` of the present day; its other parts are unknown.

    >>> of_today(Today(), "getMonth"), of_today(Today(), "getDay")
    (Month(shift=-1), <Absent.UNKNOWN: 0>)
    """
    return Month(-1) if isinstance(value, Today) and method in ("getMonth", "getUTCMonth", "month") else UNKNOWN


def compared(sign: str, left: Value, right: Value) -> Value:
    """An operator of which one side is the present month; unknown where neither is.

    >>> sorted(compared(">=", Month(0), number(10)).when), compared("+", Month(-1), number(1))
    ([10, 11, 12], Month(shift=0))
    """
    shifted = as_number(right)
    if isinstance(left, Month) and sign in ("+", "-") and shifted is not None:
        return Month(left.shift + int(shifted) * (1 if sign == "+" else -1))
    if not isinstance(left, Month) and not isinstance(right, Month):
        return UNKNOWN
    verdicts = {month: of_two(sign, _as_of(left, month), _as_of(right, month)) for month in _ALL}
    if any(not is_true(one) and not is_false(one) for one in verdicts.values()):
        return UNKNOWN
    return _months(frozenset(month for month, one in verdicts.items() if is_true(one)))


def included(items: list[Value], month: Month) -> Value:
    """`[4, 5, 6].includes(month)`."""
    numbers = [as_number(one) for one in items]
    if any(one is None for one in numbers):
        return UNKNOWN
    return _months(frozenset(one for one in _ALL if float(one + month.shift) in numbers))


def _as_of(value: Value, month: int) -> Value:
    return number(month + value.shift) if isinstance(value, Month) else value


def _months(when: frozenset[int]) -> Value:
    return Months(when) if when and when != _ALL else True if when else NOTHING


def opposite(months: Months) -> Months:
    """The other months of the year."""
    return Months(_ALL - months.when)


def negated(condition: Value) -> Value:
    """The months in which a condition does not hold; unknown for one that is not about months."""
    return opposite(condition) if isinstance(condition, Months) else UNKNOWN


def within(outer: Months | None, condition: Value) -> Months | None:
    """The months of a branch that stands in another."""
    if not isinstance(condition, Months):
        return outer
    return condition if outer is None else Months(outer.when & condition.when)


def replaced(months: Months, before: Value, after: Value) -> Value:
    """What a name holds that is set in these months only.

    >>> summer = replaced(Months(frozenset({4, 5, 6, 7, 8, 9})), UNKNOWN, "18.30")
    >>> replaced(Months(frozenset({10, 11, 12, 1, 2, 3})), summer, "17.00")
    '18.30 (od kwietnia do września), 17.00 (od października do marca)'
    """
    others = opposite(months)
    if isinstance(before, Many) and before.labels == (spoken(others),):
        return chosen(others, before.values[0], after)
    if before is UNKNOWN or is_false(before):
        return Many((after,), (spoken(months),)) if spoken(months) else UNKNOWN
    return chosen(months, after, before)


def combined(sign: str, left: Value, right: Value) -> Value:
    """`&&` and `||` of two conditions, the first of which is about months.

    >>> sorted(combined("&&", Months(frozenset({4, 5})), Months(frozenset({5, 6}))).when)
    [5]
    """
    if not isinstance(left, Months):
        return UNKNOWN
    if isinstance(right, Months):
        return _months(left.when & right.when if sign == "&&" else left.when | right.when)
    return chosen(left, right, NOTHING) if sign == "&&" and right is not UNKNOWN and right is not True else UNKNOWN


def spoken(months: Months) -> str:
    """Months in words; "" where they are more than one stretch.

    >>> spoken(Months(frozenset({10, 11, 12, 1, 2, 3}))), spoken(Months(frozenset({7, 8}))), spoken(Months(frozenset({1, 5})))
    ('od października do marca', 'w lipcu i sierpniu', '')
    """
    first = [month for month in months.when if (month - 2) % 12 + 1 not in months.when]
    last = [month for month in months.when if month % 12 + 1 not in months.when]
    if len(first) != 1 or len(last) != 1:
        return ""
    if len(months.when) < 3:
        return "w " + " i ".join(MONTH_NAMES_IN[one - 1] for one in dict.fromkeys((first[0], last[0])))
    return f"od {MONTH_NAMES_OF[first[0] - 1]} do {MONTH_NAMES_OF[last[0] - 1]}"


def chosen(months: Months, first: Value, second: Value) -> Value:
    """Both values, the first of these months and the second of the others; unknown where words for the months are wanting.

    >>> chosen(Months(frozenset({4, 5, 6, 7, 8, 9})), "18.30", "17.00")
    '18.30 (od kwietnia do września), 17.00 (od października do marca)'
    """
    if first == second:
        return first
    labels = (spoken(months), spoken(opposite(months)))
    if not all(labels):
        return UNKNOWN
    values = [(value, label) for value, label in ((first, labels[0]), (second, labels[1])) if not is_false(value)]
    if isinstance(first, list) and isinstance(second, list) and all(isinstance(one, str) for one in (*first, *second)):
        return _of_lists(first, second, labels)
    if all(isinstance(value, str) for value, _ in values):
        return _of_texts([(value, label) for value, label in values if isinstance(value, str)])
    return Many(tuple(value for value, _ in values), tuple(label for _, label in values))


def _of_lists(first: list[Value], second: list[Value], labels: tuple[str, str]) -> Value:
    found: list[Value] = [one for one in first if one in second]
    for items, others, label in ((first, second, labels[0]), (second, first, labels[1])):
        found += [f"{one} ({label})" for one in items if one not in others]
    return found


def _of_texts(texts: list[tuple[str, str]]) -> Value:
    """Names of seasons say nothing beside the months; one hour has its months after it, several have them before."""
    told = [(text.strip(), label) for text, label in texts if has_hour(text)]
    if not told:
        return Markup("")
    if any("<" in text for text, _ in told):
        return Many(tuple(Markup(text) for text, _ in told), tuple(label for _, label in told))
    if all(" " not in text for text, _ in told):
        return ", ".join(f"{text} ({label})" for text, label in told)
    return "; ".join(f"{label} {text}" for text, label in told)
