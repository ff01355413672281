"""Pages and sheets put together from parts whose truth is known, and what an answer makes of that truth."""

from __future__ import annotations

import html
import re
import textwrap
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from random import Random
from typing import Any, Final, Literal

from mass_pipeline_tests.evaluation.scoring import season_months
from mass_pipeline_tests.laws.words import DAYS, PATRONS, TOWNS, WORDS, Clock, date_words, sentence, without_marks

Outcome = Literal["right", "waits", "wrong", "lost"]
Cells = dict[tuple[str, str], frozenset[int]]  # months of a day and hour
YEAR: Final = frozenset(range(1, 13))
MORNING: Final = ("06:30", "06:45", "07:15", "07:45")
EVENING: Final = ("17:00", "17:15", "17:30", "18:15", "18:30")
SUNDAY: Final = ("08:00", "09:30", "11:00", "12:30", "16:00", "19:00")
FRESH: Final = ("08:45", "09:15", "10:15", "14:30", "15:45", "16:15", "16:45", "19:30", "20:00")


@dataclass(slots=True)
class Row:
    """A list of hours of a page: what governs it, its hours and what is written behind one of them, behind all, or in a cell."""

    label: str
    days: tuple[str, ...]
    hours: list[str]
    behind: dict[str, str] = field(default_factory=dict)
    tail: str = ""
    cell: str = ""

    def said(self) -> str:
        """ "w niedziele", within a sentence."""
        if "Su" in self.days:
            return "w niedziele"
        return "w dni powszednie" if len(self.days) == 6 else "od poniedziałku do piątku" if len(self.days) == 5 else "w soboty"


Item = Row | str | tuple[str, str]  # a list, a line, or a tag and its text


@dataclass(slots=True)
class Page:
    """A page in the making, and its truth.

    Attributes:
        items: rows, lines and headings below the heading of the order, in their order.
        must: cells that may be published, and should be.
        may: cells that may be published or not.
        wait: hours that must be proposed and not published.
        placed: hours that may be published only with a place.
        told: hours that may wait or be published, but are somewhere.
        whole: hours of which all or none are published.
        between: words that the quote of a row of these hours has to hold.
    """

    clock: Clock
    town: Sequence[str]
    patron: str
    layout: str
    heading: str
    items: list[Item] = field(default_factory=list)
    must: Cells = field(default_factory=dict)
    may: Cells = field(default_factory=dict)
    wait: set[str] = field(default_factory=set)
    placed: set[str] = field(default_factory=set)
    told: set[str] = field(default_factory=set)
    whole: list[set[str]] = field(default_factory=list)
    between: list[tuple[str, str]] = field(default_factory=list)
    before: list[str] = field(default_factory=list)
    after: list[str] = field(default_factory=list)

    @classmethod
    def drawn(cls, rng: Random) -> Page:
        """With an order: Sundays (with holy days in a third), weekdays or five of them, perhaps Saturday."""
        layout, labels = rng.choice(("p", "ul", "br", "table", "sections", "text")), WORDS["labels"]
        page = cls(Clock.drawn(rng), rng.choice(TOWNS), rng.choice(PATRONS), layout, rng.choice(WORDS["headings"]))
        feasts, five = rng.random() < 0.35, rng.random() < 0.35
        hours = sorted(rng.sample(SUNDAY, rng.choice((2, 3, 3, 4))))
        sunday = Row(rng.choice(labels["feasts" if feasts else "sunday"]), ("Su", "PH") if feasts else ("Su",), hours)
        week = [rng.choice(MORNING), rng.choice(EVENING)]
        page.items = [sunday, Row(rng.choice(labels["five" if five else "six"]), DAYS[: 5 if five else 6], week)]
        if five:
            page.items.append(Row(rng.choice(labels["saturday"]), ("Sa",), [rng.choice(("07:00", "08:15"))]))
        page.before = [] if rng.random() < 0.7 else [rng.choice(WORDS["around"])]
        page.after = [] if rng.random() < 0.6 else [rng.choice(WORDS["around"])]
        page.settle()
        return page

    def rows(self) -> list[Row]:
        return [one for one in self.items if isinstance(one, Row)]

    def settle(self) -> None:
        """What the rows say is what must be read."""
        self.must = {(day, hour): YEAR for row in self.rows() for day in row.days for hour in row.hours}

    def take(self, days: Iterable[str], hours: Iterable[str], months: frozenset[int] = YEAR, *, perhaps: bool = False) -> None:
        """Cells that are denied; `perhaps`: that may be published or not."""
        for cell in [(day, hour) for day in days for hour in hours]:
            before = self.must.pop(cell, frozenset())
            if perhaps and before:
                self.may[cell] = before & months
            if before - months:
                self.must[cell] = before - months

    def give(self, days: Iterable[str], hours: Iterable[str], *, perhaps: bool = False) -> None:
        """Cells that are added; `perhaps`: that may be published or not."""
        (self.may if perhaps else self.must).update({(day, hour): YEAR for day in days for hour in hours})

    def fresh(self, rng: Random) -> str:
        """An hour that the page does not have."""
        return rng.choice([one for one in FRESH if all(one not in row.hours for row in self.rows())])

    def record(self, rng: Random) -> dict[str, Any]:
        """As `extract --records` takes it."""
        title = f"Parafia pw. {self.patron} w {self.town[1]}"
        plain = without_marks if rng.random() < 0.1 else str
        about = {"name": title, "town": self.town[0]}
        if self.layout == "text":
            lines = [title, *self.before, self.heading, *(self._line(one) for one in self.items), *self.after]
            return {"text": plain("\n".join(lines)), **about}
        before, after = ("".join(f"<p>{html.escape(one)}</p>" for one in lines) for lines in (self.before, self.after))
        page = f"<h1>{title}</h1>{before}<h2>{self.heading}</h2>{self._body()}{after}"
        return {"html": plain(f"<html><head><title>{title}</title></head><body>{page}</body></html>"), **about}

    def _hours(self, row: Row) -> str:
        return ", ".join(self.clock.bare(one) + row.behind.get(one, "") for one in row.hours) + row.tail

    def _line(self, one: Item) -> str:
        if isinstance(one, Row):
            return f"{one.label}: {self._hours(one)}" + (f" – {one.cell}" if one.cell else "")
        return one if isinstance(one, str) else one[1]

    def _body(self) -> str:
        made, width = [], 3 if any(row.cell for row in self.rows()) else 2
        for one in self.items:
            text = html.escape(self._line(one))
            if isinstance(one, tuple):
                made.append(("head", f"<{one[0]}>{text}</{one[0]}>"))
            elif self.layout == "table" and isinstance(one, Row):
                cells = [one.label, self._hours(one), one.cell][:width]
                made.append(("in", "<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in cells) + "</tr>"))
            elif self.layout == "table":
                made.append(("in", f'<tr><td colspan="{width}">{text}</td></tr>'))
            elif self.layout == "sections" and isinstance(one, Row):
                cell = f"<p>{html.escape(one.cell)}</p>" if one.cell else ""
                made.append(("out", f"<h3>{html.escape(one.label)}</h3><p>{html.escape(self._hours(one))}</p>{cell}"))
            else:
                made.append(("in", {"ul": f"<li>{text}</li>", "br": f"{text}<br>"}.get(self.layout, f"<p>{text}</p>")))
        start, end = {"ul": ("<ul>", "</ul>"), "br": ("<p>", "</p>"), "table": ("<table>", "</table>")}.get(self.layout, ("", ""))
        text, inside = "", False
        for kind, piece in [*made, ("end", "")]:
            if inside != (kind == "in"):
                text, inside = text + (end if inside else start), not inside
            text += piece
        return text

    def outcome(self, answer: Mapping[str, Any]) -> tuple[Outcome, str]:
        """What became of the truth, and why."""
        masses = answer.get("masses", ())
        if cut := {word for one in masses for word in self._cut(one)}:
            return "wrong", f"the quote leaves out {sorted(cut)}"
        if bare := {one["time"] for one in masses if one["time"] in self.placed and not one["place"]}:
            return "wrong", f"as of this church: {sorted(bare)}"
        published = _cells(masses)
        for cell, months in published.items():
            allowed = self.must.get(cell, frozenset()) | self.may.get(cell, frozenset())
            if not allowed or months - allowed:
                return "wrong", f"{cell[0]} {cell[1]} in months {sorted(months - allowed)}"
        proposed = {one["time"] for one in answer.get("proposed", ())}
        open_cells = {cell for cell, months in self.must.items() if months - published.get(cell, frozenset())}
        missing = {hour for _, hour in open_cells}
        for group in self.whole:
            if group & missing and any(hour in group for _, hour in published):
                return "wrong", f"half of the list: without {sorted(group & missing)}"
        missing |= self.told - {hour for _, hour in published}
        if (missing | self.wait) - proposed:
            return "lost", f"nowhere: {sorted((missing | self.wait) - proposed)}"
        return ("waits", f"waits: {sorted(missing)}") if missing else ("right", "")

    def _cut(self, one: Mapping[str, Any]) -> set[str]:
        quote = without_marks(str(one.get("quote", ""))).lower()
        told = " ".join(text for hour, text in self.between if hour == one["time"])
        words = re.findall(r"[a-z]{3,}", without_marks(told).lower())
        return {word for word in words if word not in quote and "▒" not in quote}


def _cells(masses: Iterable[Mapping[str, Any]]) -> Cells:
    found: dict[tuple[str, str], set[int]] = defaultdict(set)
    for one in masses:
        season = one.get("season") or "all"
        plain = not one.get("nth") and season not in {"advent", "lent", "christmasvisits", "custom"}
        for day in one["days"]:
            found[day, one["time"]] |= season_months(season) if plain else set()
    return {cell: frozenset(months) for cell, months in found.items()}


@dataclass(slots=True)
class Sheet:
    """Announcements in the making, and what they change.

    Attributes:
        changes: kind (only, added, cancelled), days, hours; in the order in which they hold.
        may: days with an hour that may come, go or stay.
        whole: whether the changes of a day are published all or none.
        dates: of which the answer is asked.
    """

    clock: Clock
    issued: date
    sunday: list[str]
    weekday: list[str]
    items: list[str] = field(default_factory=list)
    changes: list[tuple[str, list[date], list[str]]] = field(default_factory=list)
    may: set[tuple[date, str]] = field(default_factory=set)
    whole: bool = False
    dates: list[date] = field(default_factory=list)

    @classmethod
    def drawn(cls, rng: Random, issued: date) -> Sheet:
        """Issued on a Sunday; the evening Mass has the same hour on all days."""
        evening = rng.choice(("18:00", "18:30", "17:30", "17:00"))
        sunday = [*sorted(rng.sample(("07:30", "09:00", "10:30", "12:00"), rng.choice((2, 3)))), evening]
        return cls(Clock.drawn(rng), issued, sunday, [rng.choice(("07:00", "06:30")), evening][rng.random() < 0.3 :])

    def usual(self, day: date) -> list[str]:
        return self.sunday if day.weekday() == 6 else self.weekday

    def fresh(self, rng: Random, count: int) -> list[str]:
        """Hours that the usual order does not have, in their order."""
        return sorted(rng.sample(FRESH, count))

    def record(self, rng: Random) -> dict[str, Any]:
        """As `announcements --records` takes it."""
        items = rng.sample(WORDS["fillers"][2:], 3)
        for one in self.items:  # alone, behind or before another sentence
            carrier = rng.choice(("{}", "{}", "{}", "Uwaga! {}", f"{WORDS['fillers'][0]} {{}}", f"{{}} {WORDS['fillers'][1]}"))
            items.insert(rng.randrange(len(items) + 1), carrier.format(one))
        title = rng.choice(("Ogłoszenia duszpasterskie", "Ogłoszenia parafialne"))
        head = f"{title}\n{date_words(self.issued)} {self.issued.year} r."
        style = rng.choice(("1", "1", "-", ""))
        lines = [f"{n}. {one}" if style == "1" else f"- {one}" if style else one for n, one in enumerate(items, 1)]
        text = "\n".join([head, *(["\n" + one for one in lines] if not style else lines)])
        if rng.random() < 0.12:
            text = "\n".join(textwrap.fill(line, 72) for line in text.split("\n"))
        text = without_marks(text) if rng.random() < 0.1 else text
        days = self.dates or [self.issued + timedelta(n) for n in range(-1, 15)]
        told = sorted({*days, *(day for _, changed, _ in self.changes for day in changed)})
        standing = f"Su {','.join(self.sunday)}; Mo-Sa {','.join(self.weekday)}"
        return {"issued": str(self.issued), "standing": standing, "text": text, "dates": [str(day) for day in told]}

    def outcome(self, answer: Mapping[str, Any]) -> tuple[Outcome, str]:
        """What became of the truth, and why."""
        wrong, missing, silent, half = [], [], [], []
        for name, hours in answer["days"].items():
            day = date.fromisoformat(name)
            usual, published, read = (set(hours[key]) for key in ("usual", "published", "read"))
            free = {hour for one, hour in self.may if one == day}
            wanted = self._wanted(day, usual)
            late = (wanted ^ published) & (wanted ^ usual) - free  # changes that are not published
            false = (published ^ usual) - (wanted ^ usual) - free
            wrong += [f"{day} {'+' if hour in published else '-'}{hour}" for hour in sorted(false)]
            missing += [f"{day} {hour}" for hour in sorted(late)]
            if late and read == published:
                silent.append(f"{day} {sorted(late)}")
            if self.whole and late and published != usual:
                half.append(f"{day} half told: without {sorted(late)}")
        if wrong or half:
            return "wrong", "; ".join((wrong or half)[:4])
        if silent:
            return "lost", f"nowhere: {'; '.join(silent[:4])}"
        return ("waits", f"waits: {'; '.join(missing[:4])}") if missing else ("right", "")

    def _wanted(self, day: date, usual: set[str]) -> set[str]:
        hours = set(usual)
        for kind, days, times in self.changes:
            if day in days:
                hours = set(times) if kind == "only" else hours | set(times) if kind == "added" else hours - set(times)
        return hours


@dataclass(frozen=True, slots=True)
class Case:
    """A generated text.

    Attributes:
        law: L1 to L8.
        phrase: the template whose wording it has.
        place: where that stands.
        control: whether it only looks like a case of the law.
        record: as the product takes it.
        truth: what it has to make of it.
    """

    law: str
    phrase: str
    place: str
    control: bool
    record: Mapping[str, Any]
    truth: Page | Sheet


def place_sentence(rng: Random, page: Page, row: Row, hour: str, text: str) -> str:
    """Put a sentence about an hour of a row somewhere on the page; the name of the place."""
    places = ["same", "above", "below", "below", "end", "end", "footnote", "bracket", "note", "mark"]
    place = rng.choice([*places, "cell", "cell"] if page.layout == "table" else [*places, "paragraph"])
    at = page.items.index(row)
    whole = sentence(text)
    if place == "same":
        row.tail = f". {whole}"
    elif place == "bracket":
        row.tail = f" ({text})"
    elif place == "footnote":
        row.behind[hour] = row.behind.get(hour, "") + "*"
        page.items.append(f"* {whole}")
    elif place == "cell":
        row.cell = whole
    elif place == "paragraph":
        page.after.insert(0, whole)
    else:
        lead = {"note": rng.choice(("Uwaga: ", "UWAGA! ")), "mark": rng.choice(("– ", "• "))}.get(place, "")
        where = at if place == "above" else len(page.items) if place == "end" else at + 1
        page.items.insert(where, lead + (text + "." if lead == "Uwaga: " else whole))
    return place


def place_tail(rng: Random, page: Page, row: Row, hour: str, text: str) -> str:
    """Put a remark behind an hour, in a bracket, a clause, a footnote or a cell; the name of the place."""
    places = ["bracket", "bracket", "footnote"]
    if hour == row.hours[-1]:
        places += ["clause", "clause", "dash"]
    if len(row.hours) == 1 and page.layout == "table":
        places += ["cell", "cell"]
    place = rng.choice(places)
    if place == "footnote":
        row.behind[hour] = "*"
        page.items.append(f"* {text}")
    elif place == "cell":
        row.cell = text
    else:
        row.behind[hour] = {"bracket": f" ({text})", "clause": f", {text}", "dash": f" – {text}"}[place]
    return place
