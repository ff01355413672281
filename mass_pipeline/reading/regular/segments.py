"""Cut a page into segments: stretches of lines that belong to one notice (a sidebar box, a section under its heading)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final

from mass_pipeline.model.document import Document, Region
from mass_pipeline.reading.phrases.lines import LineFeatures, PageLine, page_line
from mass_pipeline.reading.phrases.nodes import AtPlace, Cond, Dated, Days, InList, InSeason, OfKind, OnDays, OnNth, Word
from mass_pipeline.reading.phrases.predicates import names_building, names_event
from mass_pipeline.reading.regular.boxes import governs
from mass_pipeline.reading.words.folding import fold
from mass_pipeline.reading.words.known_words import without_towns
from mass_pipeline.reading.words.languages import languages_of_lines, title_pattern
from mass_pipeline.reading.words.marks import explains_marks
from mass_pipeline.reading.words.prefilter import DENIES_MASSES
from mass_pipeline.reading.words.weekday_patterns import SUNDAY

MOST_HOURS: Final = 3000  # of one page, and lines with hours, that are read; archives of a year's intentions have 1,100
_GAP_LINES: Final = 3  # lines without any schedule word that end a segment
_GAP_WORDS: Final = 25  # or this many words
_MOST_CELLS: Final = 12  # after an hour in its row
_DAY_ABOVE: Final = 20  # lines above an hour of which one must name days, else nothing can be read
_LONGEST_DENIAL: Final = 200  # characters
_FARTHEST_FOOTNOTE: Final = 8  # lines below the last hour
_MASS: Final = frozenset({"anchor", "mass"})  # kinds
_INTENTIONS: Final = "intencj"  # folded
_PLURAL_SUNDAYS: Final = f"{SUNDAY}e"  # folded: of every week
_NOTA_BENE: Final = re.compile(r"\W*(?:uwag[ai]|wazne|prosimy pamietac)\W*")  # folded headings of what is added to a list
_ABOVE: Final = 10  # lines above an hour that may govern it


@dataclass(slots=True, unsafe_hash=True)
class Segment:
    """Lines of one notice.

    Attributes:
        lines: in reading order, those that matter and short ones between them.
        title: the headings above, outermost first, joined by slashes; "" when there are none.
    """

    lines: tuple[PageLine, ...]
    title: str

    @property
    def language(self) -> str:
        """Of its lines, several joined by `+`."""
        languages = dict.fromkeys([line.language for line in self.lines])
        return "+".join(dict.fromkeys([code for language in languages for code in language.split("+")]))


def segments_of(document: Document) -> Iterator[Segment]:
    """Segments that hold at least one hour, in reading order. Linear in the length of the page."""
    current: list[PageLine] = []
    title = ""
    headings: dict[int, str] = {}
    places: dict[int, int] = {}  # level -> line of the heading
    gap_lines = gap_words = 0
    region = Region.MAIN
    for line in _relevant_lines(document):
        region, before = document.lines[line.index].region, region
        if region is not before and Region.HEADER not in (region, before):
            headings = {}  # the heading of a side bar is none of the main column, nor the other way round
        borders = bool(current) and (_is_border(document, current[-1], line) or _turns_to_something_else(current, line))
        if (
            _leaves_event(document, current, line, headings, places)
            if line.heading
            else bool(line.kinds) and _states_order_behind_dates(document, current, line)
        ):
            borders, headings = True, {}  # the heading above was that of the dates
        filler = not line.matters and not line.heading
        if filler:
            same_table = document.lines[line.index].table == document.lines[line.index - 1].table >= 0
            gap_lines, gap_words = gap_lines + (not same_table), gap_words + line.plain_words
            borders = borders or gap_lines > _GAP_LINES or gap_words > _GAP_WORDS
        if borders:
            yield from _finished(current, title)
            current, title = [], " / ".join(headings.values())
            gap_lines = gap_words = 0
        if line.heading and not line.has_hour:
            beneath = headings.get(line.heading, "") if current and current[-1].heading == line.heading else ""
            headings = {level: text for level, text in headings.items() if level < line.heading}
            headings[line.heading] = f"{beneath} / {line.text}" if beneath and line.matters else line.text
            places[line.heading] = line.index
            if not any(earlier.has_hour for earlier in current):
                title = " / ".join(headings.values())
        elif line.has_hour and not any(earlier.has_hour for earlier in current):
            headings, title = _without_ended(document, headings, places, line.index, title)
        if not filler:
            gap_lines = gap_words = 0
        current.append(line)
    yield from _finished(current, title)


def _without_ended(
    document: Document, headings: dict[int, str], places: Mapping[int, int], line: int, title: str
) -> tuple[dict[int, str], str]:
    """The headings and their title without those of an event, news or intentions whose box ended before the first hour."""
    kept = {at: text for at, text in headings.items() if not _is_of_others(text) or governs(document, places[at], line)}
    return (headings, title) if len(kept) == len(headings) else (kept, " / ".join(kept.values()))


def _finished(lines: Sequence[PageLine], title: str) -> list[Segment]:
    return [Segment(tuple(lines), title)] if any(line.has_hour for line in lines) else []


def _relevant_lines(document: Document) -> Iterator[PageLine]:
    """Lines with hours and the lines above and below them that may govern them."""
    found = LineFeatures(document)
    wanted = [False] * len(document.lines)
    last = -1
    for index in islice(found.hours_under_days(_DAY_ABOVE), MOST_HOURS):
        for near in range(max(last + 1, index - _ABOVE), _behind_row(document, index)):
            wanted[near] = True
            last = near
    _want_footnotes(document, wanted)
    indices = [index for index, want in enumerate(wanted) if want]
    if not indices:
        return
    languages = languages_of_lines([document.lines[index].text for index in indices], found.languages)
    for index, language in zip(indices, languages, strict=True):
        yield page_line(document, index, found, language)


def _denies(text: str) -> bool:
    """Whether a line takes a Mass away: it does so below the order, whatever stands between."""
    return len(text) <= _LONGEST_DENIAL and DENIES_MASSES.search(text) is not None


def _want_footnotes(document: Document, wanted: list[bool]) -> None:
    """Footnotes and denials stand below the last row, with other words between."""
    marked = [index for index, line in enumerate(document.lines) if explains_marks(line.text) or _denies(line.text)]
    for index in marked:
        if not wanted[index]:
            above = next((at for at in range(index - 1, max(-1, index - _FARTHEST_FOOTNOTE), -1) if wanted[at]), index)
            wanted[above : index + 1] = [True] * (index + 1 - above)


def _behind_row(document: Document, index: int) -> int:
    """The line after the one below an hour, or after the row of the table it stands in."""
    lines, cell = document.lines, document.lines[index]
    end = min(len(lines), index + 2)
    if cell.table >= 0:
        while end < min(len(lines), index + _MOST_CELLS) and (lines[end].table, lines[end].row) == (cell.table, cell.row):
            end += 1
    return end


def _turns_to_something_else(lines: Sequence[PageLine], line: PageLine) -> bool:
    """Whether a heading in another language, or one of announcements or of an event, follows upon hours."""
    if not line.heading:
        return False
    translation = not set(line.language.split("+")) & set(lines[-1].language.split("+"))
    if not translation:
        folded = fold(without_towns(line.text))
        other = title_pattern("news").search(folded) is not None or names_event(folded)
        if not other or line.kinds & {"anchor", "mass"}:
            return False
    return any(earlier.has_hour for earlier in lines)


def _leaves_event(
    document: Document, lines: Sequence[PageLine], line: PageLine, headings: Mapping[int, str], places: Mapping[int, int]
) -> bool:
    """Whether a heading stands after the box of an event, of news or of intentions, in which hours were named.

    One of Masses or of Sundays leaves any of them; intentions end with any that ranks with theirs and names no single days.
    """
    if Dated in line.conditions or not any(earlier.has_hour for earlier in lines):
        return False
    of_order = "mass" in line.kinds or _PLURAL_SUNDAYS in fold(line.text) or _names_sundays_and_holy_days(line)
    for level, text in headings.items():
        ends = _INTENTIONS in fold(text) and level >= line.heading and not line.conditions & {OnDays, OnNth}
        may_end = ends or (of_order and level < line.heading)
        if may_end and _is_of_others(text) and not governs(document, places[level], line.index):
            return True
    return False


def _is_of_others(heading: str) -> bool:
    """Whether a heading is of an event, of news or of intentions."""
    folded = fold(without_towns(heading))
    return _INTENTIONS in folded or names_event(folded) or title_pattern("news").search(folded) is not None


def _states_order_behind_dates(document: Document, lines: Sequence[PageLine], line: PageLine) -> bool:
    """`Msze św. w niedziele i święta: 8.00, 10.00` below hours of single dates: the page goes on with its standing order.

    So it does where another table begins with `Msze św.`
    """
    if line.kinds.isdisjoint(_MASS) or Dated in line.conditions or not lines:
        return False
    first = next((node for node in line.nodes if not isinstance(node, Word)), None)
    if not isinstance(first, Cond) or first.value not in ("anchor", "mass"):
        return False
    before, now = document.lines[lines[-1].index], document.lines[line.index]
    begins_table = now.table >= 0 and now.table != before.table and line.conditions == {OfKind} and not line.plain_words
    if not (begins_table or (line.has_hour and _names_sundays_and_holy_days(line))):
        return False
    earlier = [other for other in lines if other.has_hour]
    of_dates = any(Dated in other.conditions for other in earlier)
    return of_dates and not any(InList in other.conditions and Dated not in other.conditions for other in earlier)


def _names_sundays_and_holy_days(line: PageLine) -> bool:
    named = (node.value.days for node in line.nodes if isinstance(node, Cond) and isinstance(node.value, Days))
    return any({"Su", "PH"} <= days for days in named)


def _is_border(document: Document, before: PageLine, line: PageLine) -> bool:
    """Whether a new notice begins with the line."""
    if line.index != before.index + 1 or document.lines[line.index].region is not document.lines[before.index].region:
        return True
    if line.heading and not line.matters:
        if _NOTA_BENE.fullmatch(fold(line.text)) is not None:
            return False
        first = line.nodes[0] if line.nodes else None
        names_church = isinstance(first, Cond) and names_building(first)
        names_place = line.conditions == {AtPlace} and (line.plain_words == 0 or names_church)
        return not names_place and (before.has_hour or not before.heading)
    if line.heading and ("anchor" in line.kinds or "mass" in line.kinds) and (before.has_hour or not before.heading):
        return not (line.has_hour or line.conditions & {InList, OnDays, InSeason} or _denies(line.text))
    return False
