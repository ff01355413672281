"""What people said of rows of schedules: what a row question is, what an answer to it is, and which rows it keeps or removes.

An answer is about one Mass and the lines of a page that state it. It holds until these lines change: not when the page around
them does, not when they move to another place or page of the site. Not here: votes and their weights (annotation), the words
of a question (annotation), where the answers come from (resources).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any, Final, Literal

import orjson

from mass_pipeline.model.identifiers import content_id, fold
from mass_pipeline.model.records import Mass

By = Literal["people", "operator"]
Verdict = Literal["yes", "other", "not_this_parish", "no_mass"]
Reason = Literal["reported", "contradicted", "waits", "parish"]  # parish: nothing speaks against it, its parish is asked
REASONS: Final[tuple[Reason, ...]] = ("reported", "contradicted", "waits", "parish")  # in the order in which they are asked
_BETWEEN: Final = (" / ", " … ")  # parts of a quote (model.records, reading.validity.quotes)


@dataclass(frozen=True, slots=True)
class Checked:
    """That people checked a row, as it is published with it.

    Attributes:
        people: how many who are certainly distinct; 1 for an operator.
        on: the day on which it was settled, in Poland.
        by: `people` who voted, or the `operator`, whose word counts at once.
    """

    people: int
    on: date
    by: By

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Checked:
        """Back from the table, or from a log, where days are ISO texts."""
        day = data["on"]
        return cls(int(data["people"]), day if isinstance(day, date) else date.fromisoformat(day), data["by"])


@dataclass(frozen=True, slots=True)
class RowAnswer:
    """What people settled about one row.

    Attributes:
        row_id: of the row question (`row_id`).
        mass, quote, source_url: the row as it was asked: its Mass, the words that state it, and their page.
        verdict: `yes`: the page says so of the parish's own Masses; else what is wrong with it.
        probability: that the verdict decides rightly, 0 to 1.
        checked: by whom and when.
        context: of the hour as it was asked (`context_of`), "" when unknown.
        wording: of the words it rests on (`wording_of`), "" when unknown.
    """

    row_id: str
    parish_id: str
    mass: Mass
    quote: str
    source_url: str
    verdict: Verdict
    probability: float
    checked: Checked
    context: str = ""
    wording: str = ""


@dataclass(frozen=True, slots=True)
class RowQuestion:
    """One row that people are asked about, in the words of its page; all texts are masked.

    Attributes:
        row_id: of the parish, the Mass and the lines (`row_id`).
        diocese: key of its diocese.
        parish: town and name of the parish, for the question.
        quote: the words that state the row.
        left, raw, right: the hour as written, and the text around it, lines parted by newlines.
        heading, day_scope: what stands over the hour, "" for nothing.
        reason: why it is asked.
        probability: that the row is right, 0 to 1, as far as the reader and the classifier know.
        wording: equal for rows that rest on the same kind of words (`wording_of`).
        context: of the hour with what stands over it (`context_of`), "" when nothing but the quote is known.
    """

    row_id: str
    parish_id: str
    diocese: str
    parish: str
    url: str
    mass: Mass
    quote: str
    left: str
    raw: str
    right: str
    heading: str
    day_scope: str
    reason: Reason
    probability: float
    wording: str
    context: str

    def as_dict(self) -> dict[str, Any]:
        """As files hold it."""
        return {name: getattr(self, name) for name in self.__slots__} | {"mass": self.mass.as_dict()}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> RowQuestion:
        """Back from a file."""
        return cls(**{name: data[name] for name in cls.__slots__ if name != "mass"}, mass=Mass.from_dict(data["mass"]))


def row_key(mass: Mass) -> str:
    """What a row says to a churchgoer: remarks left out.

    >>> row_key(Mass(("Su",), "10:45", place="Lipowiec", note="suma"))
    '[["Su"],"10:45","all",null,"Lipowiec"]'
    """
    return orjson.dumps([list(mass.days), mass.time, mass.when, mass.nth, mass.place]).decode()


def lines_digest(quote: str) -> str:
    """Digest of the words of the quoted lines, whatever their order, marks and letters' size.

    >>> lines_digest("Niedziela … 8.00, 10.00") == lines_digest("8:00,  10:00 / NIEDZIELA")
    True
    >>> lines_digest("Niedziela … 8.00, 10.00") == lines_digest("Niedziela … 8.00, 11.00")
    False
    """
    return content_id("lines", *sorted(quoted_lines(quote)))


def quoted_lines(quote: str) -> set[str]:
    """The lines of a quote as their words."""
    for mark in _BETWEEN:
        quote = quote.replace(mark, "\n")
    return {words for part in quote.splitlines() if (words := words_of(part))}


def words_of(text: str) -> str:
    """Words alone, folded, one space between them.

    >>> words_of("Msze  Święte: 8.00,")
    'msze swiete 8 00'
    """
    return " ".join("".join(c if c.isalnum() else " " for c in fold(text)).split())


def row_id(parish_id: str, mass: Mass, quote: str) -> str:
    """Identity of the question about a row: the same as long as the Mass and the lines that state it are."""
    return content_id("row", parish_id, row_key(mass), lines_digest(quote))


def context_of(time: str, heading: str | None, day_scope: str | None, left: str, right: str) -> str:
    """Digest of an hour with its own line, its heading and the day words over it: the same as long as all of these are."""
    line = f"{left.rpartition(chr(10))[2]} {right.partition(chr(10))[0]}"
    return content_id("context", time, words_of(heading or ""), words_of(day_scope or ""), words_of(line))


def wording_of(heading: str, left: str, right: str) -> str:
    """Key of the kind of words a row rests on: its heading and its line, hours left out.

    >>> wording_of("Joga", "poniedziałek ", "") == wording_of("JOGA", "Poniedziałek: 18.30, ", " 20.00")
    True
    """
    line = f"{left.rpartition(chr(10))[2]} {right.partition(chr(10))[0]}"
    return content_id("wording", words_of(heading), " ".join(word for word in words_of(line).split() if not word.isdecimal()))
