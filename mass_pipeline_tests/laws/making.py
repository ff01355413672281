"""One maker for each law: from a seed and a phrase to a text with its truth."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator, Mapping
from datetime import date, timedelta
from pathlib import Path
from random import Random
from typing import Final

from mass_pipeline_tests.laws.texts import EVENING, FRESH, MORNING, YEAR, Case, Page, Row, Sheet, place_sentence, place_tail
from mass_pipeline_tests.laws.words import DAYS, PATRONS, TOWNS, WORDS, Clock, capital, date_words, day_forms, drawn_feast

from mass_pipeline_tests.laws.words import drawn_season, easter, fill, mass_forms, sentence  # isort: skip

Phrases = Mapping[str, Mapping[str, list[str]]]
PHRASES: Final = Path(__file__).with_name("phrases.toml")
_CONTROLS: Final = 0.25
_LOOKS_LIKE_A_DATE: Final = ("08:05", "09:10", "10:10", "10:05", "11:10", "12:05", "17:10", "18:10", "09:05")
_OWN_ORDER: Final = ("01-01", "01-06", "02-02", "03-19", "03-25", "05-03", "06-29", "08-15", "11-01", "11-02", "12-08")
_ACTS: Final = {
    "only": ("{M} tylko o {h2}", "{M} będzie odprawiona tylko o {h2}", "jest tylko jedna {M}: o {h2}"),
    "only2": ("{Mp} tylko o {hs}", "{Mp} odprawiamy jedynie o {hs}"),
    "cancel": ("nie będzie {Mg} o {u}", "{Mg} o {u} nie będzie", "nie odprawiamy {Mg} o {u}"),
    "add": ("dodatkowa {M} o {h2}", "o {h2} dodatkowa {M}"),
    "move": ("{M} o {h2} zamiast o {u}", "{M} z {u} przeniesiona na {h2}"),
}


def load_phrases(path: Path = PHRASES) -> Phrases:
    """Wordings: law, then "kind.shape", then templates. Kinds that begin with "control" change nothing."""
    loaded: Phrases = tomllib.loads(path.read_text(encoding="utf-8"))
    return loaded


def cases(law: str, seed: int, count: int, phrases: Phrases) -> Iterator[Case]:
    """So many texts of a law; every phrase comes as often as any other of its sort, in an order of the seed."""
    rng = Random(f"{law} {seed}")
    pairs = [(kind, text) for kind, texts in phrases[law].items() for text in texts]
    sorts = [[pair for pair in pairs if pair[0].startswith("control") is control] for control in (False, True)]
    for sort in sorts:
        rng.shuffle(sort)
    taken = [0, 0]
    for _ in range(count):
        control = rng.random() < _CONTROLS
        kind, text = sorts[control][taken[control] % len(sorts[control])]
        taken[control] += 1
        place, truth = _MAKERS[law](Random(rng.random()), kind.removeprefix("control-"), text)
        yield Case(law, text, place, control, truth.record(rng), truth)


def _denial(rng: Random, kind: str, text: str) -> tuple[str, Page]:
    """L1: a page with an order, and a word that takes an hour, a day, a season, a place or a feast away."""
    what, shape = kind.split(".")
    page = Page.drawn(rng)
    sunday, week = page.rows()[:2]
    feast = rng.choice(("święta świąt świętami", "uroczystości uroczystości uroczystościami")).split()
    row = sunday if what in {"hour", "season"} and rng.random() < 0.3 else week
    if what == "feast":
        row, sunday.label, sunday.days = sunday, f"Niedziele i {feast[0]}", ("Su", "PH")
    elif what == "place":
        row = Row(f"{sunday.label} w kaplicy w {rng.choice(TOWNS)[1]}", ("Su",), [page.fresh(rng)])
        page.items.append(row)
    elif what in {"day", "swap"} and shape == "tail" and rng.random() < 0.7:
        row.hours = [rng.choice(row.hours)]
    page.settle()
    hour = row.hours[-1] if shape == "tail" and what in {"day", "swap", "feast"} else rng.choice(row.hours)
    day = rng.choice(row.days if row is week else DAYS[:5])
    (months, season), other = drawn_season(rng), page.fresh(rng)
    part = ("porannej", "poranna", "poranną") if hour in MORNING else ("wieczornej", "wieczorna", "wieczorną")
    slots = (
        mass_forms(rng) | day_forms(day) | season | dict(zip(("pg", "pn", "pa", "fl", "fg", "fi"), (*part, *feast), strict=True))
    )
    slots |= {"h": page.clock.said(hour), "b": page.clock.bare(hour), "in": row.said(), "h2": page.clock.said(other)}
    rest = [one for one in row.hours if one != hour]
    if what in {"hour", "part", "season"}:  # words about Sundays may or may not mean the holy days of the same list
        span = months if what == "season" else YEAR
        page.take([one for one in row.days if one != "PH"], [hour], span)
        page.take(["PH"], [hour], span, perhaps=True)
        if what == "season" and shape == "tail":  # behind several hours it is open whether all of them or the last one is meant
            page.take(row.days, rest, span, perhaps=True)
    elif what == "day":
        page.take([day], rest, perhaps=shape == "tail")
    elif what == "feast":
        page.take(["PH"], [hour])
        page.take(["PH"], rest if shape == "tail" else [], perhaps=True)
    elif what in {"place", "rest"}:
        page.take(row.days, row.hours if what == "place" else rest)
    elif what == "swap":
        page.take([day], rest if shape == "tail" else [], perhaps=True)
        page.give([day], [other])
    if what in {"day", "dayhour", "swap"}:
        page.take([day], [hour])
    put = place_sentence if shape == "sentence" else place_tail
    return put(rng, page, row, hour, fill(rng, text, slots)), page


def _plain_week(rng: Random) -> date:
    """A Sunday of 2026 with two weeks before it holds a day that has an order of its own."""
    special = {date.fromisoformat(f"2026-{one}") for one in _OWN_ORDER}
    special |= {easter(2026) + timedelta(n) for n in (-46, -3, -2, -1, 0, 1, 50, 60, 68)}
    while True:
        day = date(2026, 1, 11) + timedelta(7 * rng.randrange(47))
        if not special & {day + timedelta(n) for n in range(-1, 15)}:
            return day


def _change(sheet: Sheet, kind: str, days: list[date], new: list[str], usual: str) -> None:
    """What a kind of sentence changes on its days: "add2" adds two hours, "only" leaves one."""
    count = int(kind[-1]) if kind[-1].isdigit() else 1
    if kind == "elsewhere":
        sheet.may = {(day, hour) for day in days for hour in new}
    elif kind != "none":
        added, gone = ("added", days, new[:count]), ("cancelled", days, [usual])
        every = [("cancelled", [day], sheet.usual(day)) for day in days]
        changes = {"add": [added], "cancel": [gone], "move": [gone, added], "only": [("only", days, new[:count])], "all": every}
        sheet.changes = changes[kind.rstrip("23")]


def _slots(rng: Random, sheet: Sheet, new: list[str], usual: str) -> dict[str, str]:
    slots = {f"h{n}": sheet.clock.said(one) for n, one in enumerate(new, 2)}
    slots |= {f"b{n}": sheet.clock.bare(one) for n, one in enumerate(new, 2)}
    town = rng.choice(TOWNS)
    slots |= {"u": sheet.clock.said(usual), "hs": sheet.clock.all_of(new[:2]), "tl": town[1], "tg": town[2]}
    return mass_forms(rng) | slots | {"patron": rng.choice(PATRONS)}


def _removal(rng: Random, kind: str, text: str) -> tuple[str, Sheet]:
    """L2: a sheet whose sentence takes a usual Mass away, or only looks as if."""
    sheet = Sheet.drawn(rng, _plain_week(rng))
    day = sheet.issued + timedelta(rng.randrange(1, 7))
    named = day_forms(DAYS[day.weekday()])["wda"]
    when = rng.choice((named, f"{named}, {date_words(day)},", f"{named} {date_words(day)}"))
    new, usual = sheet.fresh(rng, 3), rng.choice(sheet.usual(day))
    sheet.items = [sentence(fill(rng, text, _slots(rng, sheet, new, usual) | {"when": when}))]
    _change(sheet, kind, [day], new, usual)
    return kind, sheet


def _list(rng: Random, kind: str, text: str) -> tuple[str, Page | Sheet]:
    """L3: a list beside a label or with a word that nobody knows, on a page or a sheet."""
    if kind.startswith("sheet-"):
        place, sheet = _removal(rng, kind.removeprefix("sheet-"), text)
        sheet.whole = True
        return place, sheet
    page = Page.drawn(rng)
    row = rng.choice(page.rows()[:2])
    words = fill(rng, text, mass_forms(rng))
    if kind == "label":  # of something else, or of days that nobody knows
        where = page.items.index(row) + 1 if rng.random() < 0.7 else len(page.items)
        page.items.insert(where, Row(words, (), sorted(rng.sample(FRESH, rng.choice((1, 2, 3))))))
        return "below", page
    if kind == "spelled":  # the label of weekdays, as nobody knows it
        row = page.rows()[1]
        page.items, row.label, row.days = page.items[:2], words, DAYS[:6]
        page.settle()
    else:  # within the list, behind one of its hours
        row.behind[rng.choice(row.hours)] = rng.choice((" ({})", " – {}", " {}")).format(words)
    page.whole = [set(row.hours)]
    return kind, page


def _quote(rng: Random, kind: str, text: str) -> tuple[str, Page]:
    """L4: words between the label of a list and its hours, or between two of its hours."""
    page = Page.drawn(rng)
    row = rng.choice(page.rows()[:2])
    words = fill(rng, text, mass_forms(rng) | {"tl": rng.choice(TOWNS)[1], "patron": rng.choice(PATRONS)})
    below = page.rows()[page.rows().index(row) + 1 :]
    place, late = "hour" if kind == "hour" else rng.choice(("label", "line")), row.hours
    if place == "label":
        row.label = f"{row.label} {rng.choice(('– {}', '({})', '{}')).format(words)}"
    elif place == "line":  # the label heads a line of words, and the hours follow below
        at, page.layout = page.items.index(row), rng.choice(("p", "br", "text", "ul"))
        lines = [row.label + rng.choice(("", ":")), capital(words) + rng.choice(("", ".")), page.clock.listed(row.hours)]
        page.items[at : at + 1] = lines
    else:
        first = rng.randrange(len(row.hours) - 1)
        row.behind[row.hours[first]] = f" ({words})"
        late = row.hours[first + 1 :]
    page.between = [(hour, words) for hour in late]
    if kind == "placed":  # of another church, so it is published with its place or waits
        page.take(row.days, row.hours, perhaps=True)
        page.placed = set(row.hours)
    if kind == "refutes":
        page.take(row.days, row.hours)
        for other in below if place == "line" else ():  # whether the line goes on to head them is open
            page.take(other.days, other.hours, perhaps=True)
    return place, page


def _feast(rng: Random, kind: str, text: str) -> tuple[str, Sheet]:
    """L5: a sheet about a day beside a feast, or some days up to it."""
    shift, _, only = kind.partition("@")
    feast, forms = drawn_feast(rng, only)
    first = feast - timedelta(feast.weekday() + 1 + (7 if rng.random() < 0.3 else 0))
    while not (days := _shifted(feast, shift, first)) or (days[0] <= first and shift != "until"):
        first -= timedelta(7)
    sheet = Sheet.drawn(rng, first)
    new, usual, act = sheet.fresh(rng, 2), sheet.weekday[-1], rng.choice([*_ACTS])
    slots = _slots(rng, sheet, new, usual) | forms
    sheet.items = [sentence(fill(rng, text, slots | {"act": fill(rng, rng.choice(_ACTS[act]), slots)}))]
    free = set()
    if shift in {"until", "octave", "week"}:  # its ends, and Sundays within it, may be meant or not
        free = {feast, first, days[0] - timedelta(1), days[-1] + timedelta(1), *(one for one in days if one.weekday() == 6)}
    _change(sheet, act, [one for one in days if one not in free], new, usual)
    sheet.dates = [one for n in range(-9, 17) if (one := feast + timedelta(n)) >= first and one not in free]
    return f"{act} {shift}", sheet


def _shifted(day: date, shift: str, issued: date) -> list[date]:
    """The days that a shift names: "-1", "Sa-" (the Saturday before), "Su+" (the Sunday after), "until", "octave", "week"."""
    if shift[:2] in DAYS:
        ahead = (DAYS.index(shift[:2]) - day.weekday()) % 7
        return [day + timedelta(ahead or 7) if shift[2] == "+" else day + timedelta(ahead - 7)]
    spans = {"until": (issued, day), "octave": (day, day + timedelta(7)), "week": (day - timedelta(7), day)}
    if shift in spans:
        start, end = spans[shift]
        return [start + timedelta(n) for n in range(1, (end - start).days)]
    return [day + timedelta(int(shift))]


def _contradiction(rng: Random, kind: str, text: str) -> tuple[str, Page]:
    """L6: a second order for the same days; it differs, or (a control) is the same, of a season or of a chapel."""
    page = Page.drawn(rng)
    days, relation = kind.split(".")
    sunday, week = page.items[:2] = page.rows()[:2]
    sunday.label, sunday.days = rng.choice(("Niedziele", "Niedziela", "W niedziele")), ("Su",)
    week.label, week.days, page.items = rng.choice(("Dni powszednie", "W tygodniu")), DAYS[:6], page.items[:2]
    page.settle()
    row, new = (sunday, [*FRESH[:5]]) if days == "sunday" else (week, [*MORNING, *EVENING])
    how = rng.choice(("one", "all", "more", *(("less",) if len(row.hours) > 2 else ()))) if relation != "same" else "same"
    drop = rng.choice(row.hours) if how in {"one", "less"} else ""
    hours = [] if how == "all" else [one for one in row.hours if one != drop]
    hours += rng.sample([one for one in new if one not in row.hours], {"one": 1, "more": 1, "all": len(row.hours)}.get(how, 0))
    hours.sort()
    slots = mass_forms(rng) | {"hs": page.clock.all_of(hours), "ls": page.clock.listed(hours), "in": row.said()}
    slots |= {"tl": rng.choice([one[1] for one in TOWNS if one != page.town]), "label": row.label}
    told = sentence(fill(rng, text, slots))
    listed = Row(capital(fill(rng, text.removesuffix(": {ls}"), slots)), (), hours) if text.endswith(": {ls}") else told
    gone, come = {*row.hours} - {*hours}, {*hours} - {*row.hours}
    if relation == "differs":
        page.take(row.days, {*row.hours} & {*hours}, perhaps=True)
        page.take(row.days, gone)
        page.wait = gone | come
    elif relation == "season":
        page.take(row.days, gone, frozenset({7, 8}))
        page.must |= {(day, one): frozenset({7, 8}) for day in row.days for one in come}
    elif relation == "elsewhere":
        page.give((*row.days, "PH"), come, perhaps=True)
        page.placed = come
    place = rng.choice(("below", "end", "section", "section", "paragraph", "first"))
    if place == "section":
        page.items += [("h2", rng.choice([one for one in WORDS["headings"] if one != page.heading])), listed]
    elif place in {"paragraph", "first"}:
        (page.after if place == "paragraph" else page.before).insert(0, told)
    else:
        page.items.insert(page.items.index(row) + 1 if place == "below" else len(page.items), listed)
    return f"{place} {how}", page


def _whose(rng: Random, kind: str, text: str) -> tuple[str, Page | Sheet]:
    """L7: an order or a Mass below another church's name."""
    if kind.startswith("sheet-"):
        return _removal(rng, kind.removeprefix("sheet-"), text)
    page = Page.drawn(rng)
    town = rng.choice([one for one in TOWNS if one != page.town])
    patron = rng.choice([one for one in PATRONS if one != page.patron])
    own = {"ol": page.town[1], "on": page.town[0], "own": page.patron}
    name = fill(rng, text, own | {"tn": town[0], "tl": town[1], "patron": patron} | mass_forms(rng))
    place = rng.choice(("h2", "h3", "b", "p", "row", "table") if page.layout != "sections" else ("h2", "row", "table"))
    if kind == "own":  # a heading of the own church above the own order
        page.items.insert(0, ("h3" if place in {"h2", "h3"} else "p", name))
        return place, page
    hours = sorted(rng.sample(FRESH, rng.choice((1, 2))))
    label = rng.choice(("niedziele", "niedziela", "w niedziele"))
    if kind == "chapel":
        page.give(["Su"], hours, perhaps=True)
        page.placed = set(hours)
    if place == "table":
        page.layout = "table"
        page.items.append(Row(name, (), [], tail=f"{label} {page.clock.listed(hours)}"))
    elif place == "row":
        page.items.append(f"{name}: {label} {page.clock.listed(hours)}")
    else:
        page.items += [(place, name), Row(capital(label), (), hours)]
    return place, page


def _dropped(rng: Random, kind: str, text: str) -> tuple[str, Page]:
    """L8: an hour that looks like something else, or is told in an unusual way."""
    page = Page.drawn(rng)
    row = rng.choice(page.rows()[:2])
    page.clock = Clock(rng.choice("..:"), "")
    taken = [_minutes(one) for other in page.rows() for one in other.hours]
    drawn = FRESH if kind == "line" else (*_LOOKS_LIKE_A_DATE, *FRESH)
    hour = rng.choice([one for one in drawn if all(abs(_minutes(one) - other) >= 30 for other in taken)])
    words = fill(rng, text, mass_forms(rng) | {"b": page.clock.bare(hour)})
    if kind == "item":
        row.hours = sorted([*row.hours, hour])
        row.behind[hour] = words.removeprefix(page.clock.bare(hour))
        page.settle()
    elif kind == "numbered":
        names = [one.strip() for one in words.split(";")]
        told = (f"{name} {page.clock.bare(one)}" for name, one in zip(names, row.hours, strict=False))
        page.items[page.items.index(row)] = f"{row.label}: {', '.join(told)}"
    else:
        page.told = {hour}
        page.give(row.days if kind == "clause" else (*DAYS, "PH"), [hour], perhaps=True)
        if kind == "clause":
            row.tail = rng.choice((", {}", "; {}")).format(words)
        else:
            page.items.insert(page.items.index(row) + 1, sentence(words))
    return kind, page


def _minutes(hour: str) -> int:
    return int(hour[:2]) * 60 + int(hour[3:])


_MAKERS: Final[Mapping[str, Callable[[Random, str, str], tuple[str, Page | Sheet]]]] = {
    "L1": _denial, "L2": _removal, "L3": _list, "L4": _quote, "L5": _feast, "L6": _contradiction, "L7": _whose, "L8": _dropped,
}  # fmt: skip
LAWS: Final = tuple(_MAKERS)
