"""One maker for each law: from a seed and a phrase to a text with its truth."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator, Mapping
from datetime import date, timedelta
from pathlib import Path
from random import Random
from typing import Final

from mass_pipeline_tests.laws.texts import (
    EVENING,
    FRESH,
    HEADINGS,
    MORNING,
    YEAR,
    Case,
    Page,
    Row,
    Sheet,
    place_sentence,
    place_tail,
)  # fmt: skip
from mass_pipeline_tests.laws.words import (
    DAYS,
    PATRONS,
    SEASONS,
    TOWNS,
    Clock,
    date_words,
    day_forms,
    drawn_feast,
    easter,
    fill,
    mass_forms,
    sentence,
)  # fmt: skip

Phrases = Mapping[str, Mapping[str, list[str]]]
LAWS: Final = ("L1", "L2", "L3", "L4", "L5", "L6", "L7", "L8")
PHRASES: Final = Path(__file__).parent / "phrases.toml"
_CONTROLS: Final = 0.25
_LOOKS_LIKE_A_DATE: Final = ("08:05", "09:10", "10:10", "10:05", "11:10", "12:05", "17:12", "18:10", "09:05")


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
    elif what in {"day", "swap"} and shape == "tail":
        row.hours = row.hours[:1] if rng.random() < 0.5 else row.hours[1:] if rng.random() < 0.4 else row.hours
    page.settle()
    hour = rng.choice(row.hours) if shape == "sentence" or what in {"hour", "season", "no"} else row.hours[-1]
    day = rng.choice([one for one in row.days if one != "PH"]) if "Su" not in row.days else rng.choice(DAYS[:5])
    months, *season = rng.choice(SEASONS)
    other = page.fresh(rng)
    part = ("porannej", "poranna", "poranną") if hour in MORNING else ("wieczornej", "wieczorna", "wieczorną")
    slots = mass_forms(rng) | day_forms(day) | dict(zip(("ws", "sg", "si"), season, strict=True))
    slots |= dict(zip(("pg", "pn", "pa"), part, strict=True)) | dict(zip(("fl", "fg", "fi"), feast, strict=True))
    slots |= {"h": page.clock.said(hour), "b": page.clock.bare(hour), "in": row.said(), "h2": page.clock.said(other)}
    _DENIALS[what](page, row, hour, day, months, other, shape == "tail")
    put = place_sentence if shape == "sentence" else place_tail
    return put(rng, page, row, hour, fill(rng, text, slots)), page


def _without_day(page: Page, row: Row, hour: str, day: str, months: frozenset[int], other: str, tail: bool) -> None:
    """Behind several hours it is open whether all of them or the last one is meant."""
    page.take([day], row.hours if tail else (), perhaps=True)
    page.take([day], [hour] if tail else row.hours)
    page.may.pop((day, hour), None)


def _swapped(page: Page, row: Row, hour: str, day: str, months: frozenset[int], other: str, tail: bool) -> None:
    _without_day(page, row, hour, day, months, other, tail=True)
    if not tail:
        page.must |= {(day, one): YEAR for one in row.hours if one != hour}
    page.give([day], [other])


def _without_hour(page: Page, row: Row, hour: str, day: str, months: frozenset[int], other: str, tail: bool) -> None:
    """Of Sundays and holy days the words may name the Sundays alone."""
    page.take([one for one in row.days if one != "PH"], [hour], months)
    page.take(["PH"], [hour], months, perhaps=True)


# What is taken away of a page: (page, row, hour, day, months, other hour, whether the words are a remark behind the hour).
_DENIALS: Final[Mapping[str, Callable[[Page, Row, str, str, frozenset[int], str, bool], None]]] = {
    "hour": lambda page, row, hour, day, months, other, tail: _without_hour(page, row, hour, day, YEAR, other, tail),
    "part": lambda page, row, hour, day, months, other, tail: page.take(row.days, [hour]),
    "day": _without_day,
    "dayhour": lambda page, row, hour, day, months, other, tail: page.take([day], [hour]),
    "season": _without_hour,
    "feast": lambda page, row, hour, day, months, other, tail: page.take(["PH"], [hour]),
    "place": lambda page, row, hour, day, months, other, tail: page.take(row.days, row.hours),
    "rest": lambda page, row, hour, day, months, other, tail: page.take(row.days, [one for one in row.hours if one != hour]),
    "swap": _swapped,
    "no": lambda page, row, hour, day, months, other, tail: None,
}


_OWN_ORDER: Final = "01-01 01-06 02-02 03-19 03-25 05-03 06-29 08-15 11-01 11-02 12-08".split()  # noqa: SIM905


def _plain_week(rng: Random) -> date:
    """A Sunday of 2026 with two weeks before it holds a day that has an order of its own."""
    e = easter(2026)
    special = {date.fromisoformat(f"2026-{one}") for one in _OWN_ORDER}
    special |= {e + timedelta(n) for n in (-46, -3, -2, -1, 0, 1, 50, 60, 68)}
    while True:
        day = date(2026, 1, 11) + timedelta(7 * rng.randrange(47))
        if not special & {day + timedelta(n) for n in range(-1, 15)}:
            return day


def _dated(rng: Random, sheet: Sheet) -> tuple[date, dict[str, str]]:
    """A day of the sheet's week, and its slots with {when}."""
    day = sheet.issued + timedelta(rng.randrange(1, 7))
    forms = day_forms(DAYS[day.weekday()])
    when = rng.choice((forms["wda"], f"{forms['wda']}, {date_words(day)},", f"{forms['wda']} {date_words(day)}"))
    return day, forms | {"when": when, "Dn": forms["dn"].capitalize(), "date": date_words(day)}


def _sheet_slots(rng: Random, sheet: Sheet, day: date) -> tuple[dict[str, str], list[str], str]:
    new, usual = sheet.fresh(rng, 3), rng.choice(sheet.usual(day))
    town = rng.choice(TOWNS)
    slots = mass_forms(rng) | {f"h{n}": sheet.clock.said(one) for n, one in enumerate(new, 2)}
    slots |= {f"b{n}": sheet.clock.bare(one) for n, one in enumerate(new, 2)}
    slots |= {"u": sheet.clock.said(usual), "hs": sheet.clock.all_of(new[:2]), "hs3": sheet.clock.all_of(new)}
    slots |= {
        "us": sheet.clock.all_of(sheet.usual(day)),
        "tn": town[0],
        "tl": town[1],
        "tg": town[2],
        "patron": rng.choice(PATRONS),
    }
    return slots, new, usual


def _change(sheet: Sheet, kind: str, day: date, new: list[str], usual: str) -> None:
    """What a kind of sentence changes on a day."""
    if kind == "add":
        sheet.changes = [("added", [day], new[:1])]
    elif kind in {"add2", "add3"}:
        sheet.changes = [("added", [day], new[: int(kind[-1])])]
    elif kind == "elsewhere":
        sheet.may = {(day, hour) for hour in new}
    elif kind == "cancel":
        sheet.changes = [("cancelled", [day], [usual])]
    elif kind == "all":
        sheet.changes = [("cancelled", [day], sheet.usual(day))]
    elif kind in {"only", "only2", "only3"}:
        sheet.changes = [("only", [day], new[: int(kind[4:] or 1)])]
    elif kind == "move":
        sheet.changes = [("cancelled", [day], [usual]), ("added", [day], new[:1])]
    elif kind != "none":
        raise ValueError(f"{kind!r} is no kind of change")


def _removal(rng: Random, kind: str, text: str) -> tuple[str, Sheet]:
    """L2: a sheet whose sentence takes a usual Mass away, or only looks as if."""
    sheet = Sheet.drawn(rng, _plain_week(rng))
    day, dated = _dated(rng, sheet)
    slots, new, usual = _sheet_slots(rng, sheet, day)
    sheet.items = [sentence(fill(rng, text, slots | dated))]
    _change(sheet, kind, day, new, usual)
    return kind, sheet


def _list(rng: Random, kind: str, text: str) -> tuple[str, Page | Sheet]:
    """L3: a list beside a label or with a word that nobody knows, on a page or a sheet."""
    if kind.startswith("sheet-"):
        place, sheet = _removal(rng, kind.removeprefix("sheet-"), text)
        sheet.whole = True
        return place, sheet
    page = Page.drawn(rng)
    row = rng.choice(page.rows()[:2])
    slots = mass_forms(rng) | {"tl": page.town[1]}
    if kind in {"word", "plain"}:  # within the list, behind one of its hours
        hour = rng.choice(row.hours)
        row.behind[hour] = rng.choice((" ({})", " – {}", " {}")).format(fill(rng, text, slots))
        page.whole = [set(row.hours)]
        return "within", page
    if kind == "spelled":
        page.rows()[1].label = fill(rng, text, slots)
        page.rows()[1].days = DAYS[:6]
        page.items = page.items[:2]
        page.settle()
        page.whole = [set(page.rows()[1].hours)]
        return "label", page
    hours = sorted(rng.sample(FRESH, rng.choice((1, 2, 3))))
    label = Row(fill(rng, text, slots), ("Mo",), hours)
    at = page.items.index(row) + 1
    page.items.insert(at, label) if rng.random() < 0.7 else page.items.append(label)
    return "below", page


def _quote(rng: Random, kind: str, text: str) -> tuple[str, Page]:
    """L4: words between the label of a list and its hours, or between two of its hours."""
    page = Page.drawn(rng)
    row = rng.choice(page.rows()[:2])
    words = fill(rng, text, mass_forms(rng) | {"tl": rng.choice(TOWNS)[1], "patron": rng.choice(PATRONS)})
    places = ["label", "line"] if kind != "hour" else ["hour"]
    place = rng.choice(places)
    if place == "label":
        row.label = f"{row.label} {rng.choice(('– {}', '({})', '{}')).format(words)}"
        late = row.hours
    elif place == "line":  # the label heads a line of words, and the hours follow below
        at = page.items.index(row)
        page.layout = rng.choice(("p", "br", "text", "ul"))
        page.items[at : at + 1] = [
            row.label + rng.choice(("", ":")),
            sentence(words),
            ", ".join(page.clock.bare(one) for one in row.hours),
        ]
        late = row.hours
    else:
        first = rng.randrange(len(row.hours) - 1)
        row.behind[row.hours[first]] = f" ({words})"
        late = row.hours[first + 1 :]
    page.between = [(hour, words) for hour in late]
    if kind == "refutes":
        page.take(row.days, row.hours)
    return place, page


def _feast(rng: Random, kind: str, text: str) -> tuple[str, Sheet]:
    """L5: a sheet about the day beside a feast."""
    shift, _, only = kind.partition("@")
    feast = drawn_feast(rng, only)
    first = feast.day - timedelta(feast.day.weekday() + 1 + (7 if rng.random() < 0.3 else 0))
    while (days := _shifted(feast.day, shift, first)) and days[0] <= first and shift not in {"until", "week"}:
        first -= timedelta(7)
    if not days:
        first -= timedelta(7)
        days = _shifted(feast.day, shift, first)
    sheet = Sheet.drawn(rng, first)
    hour = sheet.weekday[-1]
    new = sheet.fresh(rng, 2)
    slots = mass_forms(rng) | dict(feast.forms)
    slots |= {"h": sheet.clock.said(hour), "h2": sheet.clock.said(new[0]), "hs": sheet.clock.all_of(new)}
    acts = {
        "only": ("{M} tylko o {h2}", "{M} będzie odprawiona tylko o {h2}", "jest tylko jedna {M}: o {h2}"),
        "only2": ("{Mp} tylko o {hs}", "{Mp} odprawiamy jedynie o {hs}"),
        "cancel": ("nie będzie {Mg} o {h}", "{Mg} o {h} nie będzie", "nie odprawiamy {Mg} o {h}"),
        "add": ("dodatkowa {M} o {h2}", "o {h2} dodatkowa {M}"),
        "move": ("{M} o {h2} zamiast o {h}", "{M} z {h} przeniesiona na {h2}"),
    }
    act = rng.choice([*acts]) if "{act}" in text else "only"
    slots["act"] = fill(rng, rng.choice(acts[act]), slots)
    sheet.items = [sentence(fill(rng, text, slots))]
    _change(sheet, act, days[0], new, hour)
    sheet.changes = [(name, days, hours) for name, _, hours in sheet.changes]
    free = [feast.day] if shift in {"until", "from", "octave"} else []
    free += [first, days[-1] + timedelta(1)] if shift in {"until", "octave", "week"} else []
    free += [one for one in days if len(days) > 1 and one.weekday() == 6]
    sheet.dates = [one for n in range(-9, 17) if (one := feast.day + timedelta(n)) >= first and one not in free]
    sheet.changes = [(name, [one for one in on if one not in free], hours) for name, on, hours in sheet.changes]
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
    """L6: a second order for the same days; it differs, or (a control) is the same, older, of a season or of a chapel."""
    page = Page.drawn(rng)
    days, relation = kind.split(".")
    page.rows()[0].label, page.rows()[0].days = rng.choice(("Niedziele", "Niedziela", "W niedziele")), ("Su",)
    page.settle()
    row = page.rows()[0 if days == "sunday" else 1]
    new = [one for one in (FRESH[:5] if days == "sunday" else (*MORNING, *EVENING)) if one not in row.hours]
    hours = list(row.hours)
    how = rng.choice(("one", "all", "less", "more"))
    if relation != "same":
        if how == "one":
            hours[rng.randrange(len(hours))] = rng.choice(new)
        elif how == "all":
            hours = rng.sample(new, len(hours))
        elif how == "less":
            hours.pop(rng.randrange(len(hours)))
        else:
            hours.append(rng.choice(new))
    hours.sort()
    slots = mass_forms(rng) | {"hs": page.clock.all_of(hours), "ls": ", ".join(map(page.clock.bare, hours)), "in": row.said()}
    slots |= {
        "tl": rng.choice([one[1] for one in TOWNS if one != page.town]),
        "label": row.label,
        "six": "poniedziałku do soboty" if len(row.days) == 6 else "poniedziałku do piątku",
    }
    told = sentence(fill(rng, text, slots))
    changed = {*hours} ^ {*row.hours}
    if relation == "differs":
        page.take(row.days, row.hours, perhaps=True)
        page.may = {cell: span for cell, span in page.may.items() if cell[1] not in changed}
        page.wait = changed
    elif relation == "season":
        page.take(row.days, set(row.hours) - set(hours), frozenset({7, 8}))
        page.must |= {(day, one): frozenset({7, 8}) for day in row.days for one in set(hours) - set(row.hours)}
    elif relation == "elsewhere":
        page.may = {(day, one): YEAR for day in (*row.days, "PH") for one in hours}
    place = rng.choice(("below", "end", "section", "section", "paragraph", "first"))
    if place == "section":
        page.items += [("h2", rng.choice([one for one in HEADINGS if one != page.heading])), told]
    elif place in {"paragraph", "first"}:
        (page.after if place == "paragraph" else page.before).insert(0, told)
    else:
        page.items.insert(page.items.index(row) + 1 if place == "below" else len(page.items), told)
    return f"{place} {how}" if relation == "differs" else place, page


def _whose(rng: Random, kind: str, text: str) -> tuple[str, Page | Sheet]:
    """L7: an order or a Mass below another church's name."""
    if kind.startswith("sheet-"):
        return _removal(rng, kind.removeprefix("sheet-"), text)
    page = Page.drawn(rng)
    town = rng.choice([one for one in TOWNS if one != page.town])
    patron = rng.choice([one for one in PATRONS if one != page.patron])
    own = {"ol": page.town[1], "on": page.town[0], "own": page.patron}
    name = fill(rng, text, own | {"tn": town[0], "tl": town[1], "tg": town[2], "patron": patron} | mass_forms(rng))
    place = rng.choice(("h2", "h3", "bold", "line", "row", "table"))
    if kind == "own":  # a heading of the own church above the own order
        page.items.insert(0, ("h3" if place in {"h2", "h3"} else "p", name))
        return place, page
    hours = sorted(rng.sample(FRESH, rng.choice((1, 2))))
    label = rng.choice(("niedziele", "niedziela", "w niedziele"))
    if kind == "chapel":
        page.may = {("Su", hour): YEAR for hour in hours}
    if place == "table":
        page.layout = "table"
        page.items.append(Row(name, ("Su",), [], tail=f"{label} " + ", ".join(map(page.clock.bare, hours))))
    elif place == "row":
        page.items.append(f"{name}: {label} {', '.join(map(page.clock.bare, hours))}")
    else:
        head = ("p", name) if place == "line" else ("b", name) if place == "bold" else (place, name)
        page.items += [head, Row(label.capitalize(), ("Su",), hours)]
    return place, page


def _dropped(rng: Random, kind: str, text: str) -> tuple[str, Page | Sheet]:
    """L8: an hour that looks like something else, or is told in an unusual way."""
    if kind.startswith("sheet-"):
        return _removal(rng, kind.removeprefix("sheet-"), text)
    page = Page.drawn(rng)
    row = rng.choice(page.rows()[:2])
    page.clock = Clock(rng.choice("..:"), "")
    hour = rng.choice(_LOOKS_LIKE_A_DATE) if kind in {"item", "clause"} and rng.random() < 0.5 else page.fresh(rng)
    words = fill(rng, text, mass_forms(rng) | {"b": page.clock.bare(hour)})
    if kind == "item":
        row.hours = sorted({*row.hours, hour})
        row.behind[hour] = words.removeprefix(page.clock.bare(hour))
        page.settle()
    elif kind == "clause":
        row.tail = rng.choice((", {}", "; {}", " oraz {}")).format(words)
        page.give(row.days, [hour], perhaps=True)
        page.told = {hour}
    elif kind == "numbered":
        names = [one.strip() for one in words.split(";")]
        page.items[page.items.index(row)] = f"{row.label}: " + ", ".join(
            f"{names[n]} {page.clock.bare(one)}" for n, one in enumerate(row.hours)
        )
    else:
        page.items.insert(page.items.index(row) + 1, sentence(words) if kind == "line" else words)
        page.give((*DAYS, "PH"), [hour], perhaps=True)
        page.told = {hour}
    return kind, page


_MAKERS: Final[Mapping[str, Callable[[Random, str, str], tuple[str, Page | Sheet]]]] = {
    "L1": _denial, "L2": _removal, "L3": _list, "L4": _quote, "L5": _feast, "L6": _contradiction, "L7": _whose, "L8": _dropped,
}  # fmt: skip
