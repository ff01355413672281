"""Does a quote prove its row? The hour as written stands in it, and a day of the row is named or follows from a list that is."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from mass_pipeline.model.records import ReadMass
from mass_pipeline.reading.words.clock import find_clock_tokens
from mass_pipeline.reading.words.folding import fold
from mass_pipeline_tests.evaluation.reading import read_record
from mass_pipeline_tests.evaluation.sets import LabelledSet

# What names a day of the week, in the words of the four languages; checked by hand, apart from the grammar's vocabulary.
_ANY = r"codzien|ka[zż]d|daily|tagl|щодн|кожн|pozosta|inne dni|tydzie|tygodn|powsz|d\.? ?p|robocz|werkt|weekday|будн|dni "
_WORDS = {
    "Mo": rf"pon|\bpn|mon|mont|понед|{_ANY}",
    "Tu": rf"wt|tue|dienst|вівт|{_ANY}",
    "We": rf"sr|wed|mittw|серед|{_ANY}",
    "Th": rf"cz|thu|donn|четв|{_ANY}",
    "Fr": rf"pi[ao]t|\bpt|\bptk|\bpi\b|fri|freit|п.?ятн|{_ANY}",
    "Sa": rf"sob|\bsb|\bso\b|sat|samst|sonnab|субот|{_ANY}",
    "Su": r"niedz|\bnd|\bni\b|sun|sonn|неділ|ndz|codzien|daily|dzien panski",
    "PH": r"swiet|swiat|uroczyst|nakaz|holy|feiert|hochfest|свят|\bsw\b|niedz|sun|nd",
    "AF": r"swiet|swiat|uroczyst|znies|feast|\bsw\b|powsz|codzien|nienakaz",
}


@dataclass(frozen=True)
class Proofs:
    """How many rows of a set there are, and how many have a quote with their hour, and with a day of theirs besides."""

    rows: int
    hours: int
    days: int


def proves_hour(read: ReadMass) -> bool:
    """Whether the hour stands in the best quote, in any spelling of clock times; "5:00 & 7:00 pm" says 17:00."""
    quote = read.evidence[0].quote
    hour, minute = map(int, read.mass.time.split(":"))
    found = {token.time for token in find_clock_tokens(quote)}
    bare = minute == 0 and re.search(rf"(?<!\d)0?{hour}(?!\d)", quote) is not None
    compact = f"{hour}{minute:02d}" in re.sub(r"[^0-9]", "", quote)
    afternoon = "pm" in quote and f"{hour - 12:02d}:{minute:02d}" in found
    return read.mass.time in found or bare or compact or afternoon


def proves_day(read: ReadMass) -> bool:
    """Whether any day of the row is named in its best quote."""
    quote = fold(read.evidence[0].quote)
    return any(re.search(_WORDS[day], quote) for day in read.mass.days)


def proofs_of(labelled: LabelledSet, most: int = 10_000) -> Proofs:
    """Judge the rows that are read in a set of labelled pages."""
    rows: list[ReadMass] = []
    for record in labelled.records:
        rows.extend(read_record(record).schedule.masses)
    return judged(rows[:most])


def judged(rows: Sequence[ReadMass]) -> Proofs:
    """Count the proofs of rows."""
    return Proofs(len(rows), sum(map(proves_hour, rows)), sum(proves_hour(row) and proves_day(row) for row in rows))
