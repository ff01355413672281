"""What tells how probably a row is right: typed, named values of one Mass, drawn from the pages that state it.

Not here: their weights (`confidence`), what is done with the result (`publishing`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from mass_pipeline.model.document import Document, Region
from mass_pipeline.model.records import ReadMass
from mass_pipeline.reading.regular.new_orders import named_by_former_hours
from mass_pipeline.reading.regular.schedule_blocks import ScheduleBlock
from mass_pipeline.reading.validity.redactor import is_titled
from mass_pipeline.reading.words.expressions import expression
from mass_pipeline.reading.words.folding import fold
from mass_pipeline.reading.words.known_words import is_filler
from mass_pipeline.reading.words.masking.lines import masked_line
from mass_pipeline.reading.words.masking.words import is_holy, names_person
from mass_pipeline.site_reading.ownership import out_of_vocabulary
from mass_pipeline.site_reading.ownership.context import Context, Outline, contexts, shortened, turns_to_today
from mass_pipeline.site_reading.ownership.counter_evidence import STATED, names_own
from mass_pipeline.site_reading.ownership.judging import JudgedPage, lines_with_masses
from mass_pipeline.site_reading.ownership.own_names import OwnNames

_OF_OBLIGATION: Final = expression(r"^\W*<feasts_of_a_kind>")
_PLAIN: Final = 0.5  # below it hardly a word is strange
_LEAST_NAME: Final = 3  # letters; shorter words join names
_PARTICIPLE: Final = re.compile(r"\bnie|(?:[aoe]n[aey]|[aeo]no)\b")  # "Anulowana", "Nieaktualne": no name
_LEAST_PLAIN: Final = 1 / 3  # of the rows of an order, so that the others are taken for its chapels and seasons


_UNSAID: Final = Context(-1, (), "", "", "", "", "", Region.MAIN)


@dataclass(frozen=True, slots=True)
class RowEvidence:
    """What is known of one row.

    Attributes:
        words: 0..1, how surely its words were read, the doubts of the text included.
        score: of the notice it stands in, as the rules judge it; about 0.5 to 1.3.
        strange_line: how strange the words are in the plainest line of that notice.
        strange_heading: the same in its headings and the lines that lead to it.
        strange_before: the same in the plainest of the sentences that lead to its hours below a heading.
        strange_title: the same in what says whose hours they are: the nearest heading that tells, or the title of the page.
        home: the title of its page says nothing but whose site it is.
        beside_plain: a third or more of the rows of the order it belongs to stand in plain words.
        own_named: the words that govern it name the parish itself.
        stated: they say in the present that Masses are celebrated.
        objections: kinds of evidence against it.
        unexplained: words of the lines it rests on that neither a rule nor the parish's own names account for, masked.
        by_places: these words are names alone, which places have: the row may be told without the name.
        contradicted: 0..1, weight of other orders of the site, as likely the present one, that lack it.
        said: the words of the page that it rests on.
    """

    words: float
    score: float = 1.0
    strange_line: float = 0.0
    strange_heading: float = 0.0
    strange_before: float = 0.0
    strange_title: float = 0.0
    home: bool = False
    beside_plain: bool = False
    own_named: bool = False
    stated: bool = False
    objections: int = 0
    unexplained: tuple[str, ...] = ()
    by_places: bool = False
    contradicted: float = 0.0
    said: Context = _UNSAID


@dataclass(frozen=True, slots=True)
class _LineEvidence:
    line: int
    row: RowEvidence


def strangest(row: RowEvidence) -> float:
    """The one measure of strange words that counts.

    Orders are stated in sentences, or stand below words that lead to something else; both together is strange. So is a list,
    however plain, that is headed by something else than an order: whose it is nothing says; and so is a sentence that leads
    to hours in words of its own, though the page be named after Masses.
    """
    return max(min(row.strange_line, row.strange_heading), row.strange_before, row.strange_title)


def evidence_of(
    masses: Sequence[ReadMass], pages: Sequence[JudgedPage], own: OwnNames, *, set_aside: bool = False
) -> list[RowEvidence]:
    """The evidence of every row, in order.

    Args:
        masses: published rows, or those that were set aside.
        pages: of the site, judged.
        own: how the parish names itself.
        set_aside: the rows stand in notices that were set aside.
    """
    wanted = {evidence.source_url for read in masses for evidence in read.evidence}
    lines: dict[str, list[_LineEvidence]] = {}
    news = named_by_former_hours([page.reading.notices for page in pages])
    for at, page in enumerate(pages):
        if page.reading.document.url in wanted:
            succeeding = frozenset(first for number, first in news if number == at)
            found = _lines(page, own, set_aside=set_aside, succeeding=succeeding)
            lines.setdefault(page.reading.document.url, []).extend(found)
    return beside_plain([_row(read, lines, own) for read in masses])


def beside_plain(rows: Sequence[RowEvidence]) -> list[RowEvidence]:
    """The rows of one order, with whether enough of them stand in plain words."""
    plain = [row for row in rows if strangest(row) < _PLAIN and not row.objections]
    return [replace(row, beside_plain=_LEAST_PLAIN * len(rows) <= len(plain)) for row in rows]


def _lines(page: JudgedPage, own: OwnNames, *, set_aside: bool, succeeding: frozenset[int]) -> Iterator[_LineEvidence]:
    """Of every line with hours; `succeeding` are the first lines of news that name the hours of the parish's order before."""
    document = page.reading.document
    found = [(one.notice, len(one.objections)) for one in page.set_aside] if set_aside else []
    found = found or [(notice, 0) for notice in page.reading.notices]
    outline = Outline(document)
    home = out_of_vocabulary.is_home(document.title, own)
    for notice, objections in found:
        base = RowEvidence(0.0, score=notice.strength, objections=objections, home=home)
        for line in _lines_of_notice(document, notice, base, own, outline):
            own_too = notice.first in succeeding
            yield replace(line, row=replace(line.row, own_named=True, stated=True)) if own_too else line


def _lines_of_notice(
    document: Document, notice: ScheduleBlock, base: RowEvidence, own: OwnNames, outline: Outline
) -> Iterator[_LineEvidence]:
    governed = list(contexts(document, lines_with_masses(notice), outline))
    plainest = min((out_of_vocabulary.strange_in_line(context, own) for context in governed), default=0)
    before = min((out_of_vocabulary.strange_before_hours(context, own) for context in governed), default=0)
    surely_order = not plainest and not before and _names_days_of_obligation(document, notice)
    for context in governed:
        today = turns_to_today(context.before)  # whatever history is told above
        heading = 0.0 if today else out_of_vocabulary.strange_in_heading(context, own)
        row = replace(
            base,
            strange_line=plainest,
            strange_before=before,
            strange_heading=heading,
            strange_title=0.0 if surely_order or today else out_of_vocabulary.strange_in_title(context, own),
            own_named=names_own(context, own),
            stated=STATED.search(fold(shortened(f"{context.lead} {context.own}"))) is not None,
            said=context,
        )
        yield _LineEvidence(context.line, row)


def _names_days_of_obligation(document: Document, notice: ScheduleBlock) -> bool:
    """Whether a list of `święta nakazane` stands beside one of Sundays: then it is an order, whatever motto heads the page."""
    days = {day for read in notice.masses for day in read.mass.days}
    if "Su" not in days or days.isdisjoint(("PH", "AF")):
        return False
    return any(_OF_OBLIGATION.search(fold(line.text)) for line in document.lines[notice.first : notice.last + 1])


def _row(read: ReadMass, lines: Mapping[str, Sequence[_LineEvidence]], own: OwnNames) -> RowEvidence:
    """The evidence of the plainest of the lines that state a row; of the plainest line of its page where they are not known."""
    stating = [
        line.row for evidence in read.evidence for line in lines.get(evidence.source_url, ()) if line.line == evidence.line
    ]
    stating = stating or [line.row for line in lines.get(read.evidence[0].source_url, ())]
    row = min(stating, key=lambda row: (strangest(row), row.strange_line), default=RowEvidence(0.0))
    unexplained = unexplained_of(read, own)
    return replace(
        row,
        words=read.confidence,
        unexplained=unexplained,
        by_places=names_place(read)
        and (not row.strange_heading or all(any(_names(line.said, one) for line in stating) for one in read.unexplained))
        and not any(is_titled(one, row.said.row) for one in read.unexplained),
        contradicted=read.contradicted,
    )


def _names(said: Context, name: str) -> bool:
    """Whether the line or its row says a name; a strange heading may be that of anything."""
    return name in said.before or name in said.row


def unexplained_of(read: ReadMass, own: OwnNames) -> tuple[str, ...]:
    """What nothing accounts for in the lines of a row, masked; the parish's own names explain themselves."""
    return tuple(dict.fromkeys(masked_line(one) for one in read.unexplained if not is_own(one, own)))


def is_own(words: str, own: OwnNames) -> bool:
    """Whether words are the parish's own names; "w" and "Świętego" among them are words of any dedication."""
    names = [word for word in words.split() if not is_filler(fold(word.strip(".,")))]
    return bool(own and names) and own.has_all(names)  # "nie" is no name


def names_place(read: ReadMass) -> bool:
    """Whether all that is unexplained of a row is names, of a place and of no person: the row can be told without them.

    A word that opens a sentence is written like a name ("Znosimy w niedziele Mszę o 6.15"), so the row must have a place.
    """
    return bool(read.mass.place and read.unexplained) and all(map(_is_name, read.unexplained))


def _is_name(words: str) -> bool:
    """Whether words are a name, and no person's.

    >>> [_is_name(words) for words in ("Kalinki", "w Rudzie Małej", "Kowalski Jan", "Anulowana", "winobranie")]
    [True, True, False, False, False]
    """
    names = [word for word in words.split() if len(word) >= _LEAST_NAME]
    capitals_alone = bool(names) and all(word[0].isupper() for word in names)
    holy = all(is_filler(fold(word)) or is_holy(fold(word)) for word in names)  # "Bożego Miłosierdzia" is a Sunday
    return capitals_alone and not (holy or names_person(words) or _PARTICIPLE.search(fold(words)))
