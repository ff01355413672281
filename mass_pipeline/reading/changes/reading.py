"""Read what an announcement changes in the order of Masses, with the words that say so.

The rule of the house holds: better none than wrong. Recurring days, reports of what happened, and hours of devotions,
meetings or offices are no changes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date, timedelta
from typing import Final

from mass_pipeline.model.identifiers import fold
from mass_pipeline.reading.changes import phrases
from mass_pipeline.reading.changes.certainty import with_doubts
from mass_pipeline.reading.changes.change import (
    ChangeDetails,
    ScheduleChange,
    as_whole_order,
    on_its_day,
    without_days_of,
    without_list_that_hours_replace,
)
from mass_pipeline.reading.changes.clauses import clauses, sentences, with_lists_whole
from mass_pipeline.reading.changes.context import (
    Context,
    are_weekdays_of_season,
    continues_list,
    counted,
    counted_from,
    counted_to_that,
    counted_until,
    days_counted,
    days_spoken_of,
    feasts_named,
    goes_on,
    is_feast_with_hours,
    is_line_of_list,
    is_recurring,
    is_report,
    lasting_from,
    names_season,
    next_context,
    single_days,
    starts_line,
)
from mass_pipeline.reading.changes.details import details_of, shown_in, with_weekdays_apart
from mass_pipeline.reading.changes.hours import (
    Segment,
    clock_hours,
    folded_sentence,
    hour_before_shift,
    mass_hours,
    segments,
    speaks_of_mass,
    split_move,
    without_days,
    written_without_asides,
)
from mass_pipeline.reading.changes.kinds import Flow, kind_of
from mass_pipeline.reading.changes.phrases import Change, Part
from mass_pipeline.reading.changes.programmes import (
    days_without_roraty,
    is_of_season,
    leaves_sundays_out,
    lines_of,
    of_season,
    programmes,
    read_programme,
    rest_of_advent,
    roraty_season,
    weekdays_of_roraty,
)
from mass_pipeline.reading.changes.sentence_context import QUOTED, Read
from mass_pipeline.reading.words.church_calendar import easter
from mass_pipeline.reading.words.dates import cut_out, days_left_out, find_periods
from mass_pipeline.reading.words.expressions import expression
from mass_pipeline.reading.words.masking.lines import masked
from mass_pipeline.reading.words.period import Period, without_periods
from mass_pipeline.reading.words.reference_week import counted_by_line, frame_of
from mass_pipeline.reading.words.spoken_hours import in_digits
from mass_pipeline.reading.words.weekday_patterns import IN_THE_MORNING, MORNING

_LONGEST_SENTENCE: Final = 1_200  # characters; beyond it no parish wrote a sentence, and reading takes the square of its days
_ALONG: Final = re.compile(  # "17.00 z nabożeństwem": what comes along with a Mass
    r"\bze? (?:(?:okazj|mozliwosc)\w+ (?:do )?)?\w+"
)
_LISTS: Final = expression(r"(?:<masses>|<of_masses>)[^\d]*: ")
_HOURS_ALONE: Final = re.compile(r"(?:\d{1,2}[.:]\d\d|i|oraz|[\s.])+")
_WEEK: Final = timedelta(7)
_NONE: Final = ChangeDetails()
_GOOD_FRIDAY: Final = timedelta(-2)  # from Easter


def read_changes(text: str, issued: date) -> list[ScheduleChange]:
    """Changes an announcement makes, in the order of its words, each with what makes it doubtful.

    Their quotes are masked: names and numbers of persons never leave the announcement (`reading.words.masking`).

    Args:
        text: one announcement, plain text.
        issued: the day it was issued (usually a Sunday); relative days count from it.
    """
    read, context, text = Read(issued), Context(), with_lists_whole(text)
    lines = lines_of(text)
    by_line = counted_by_line([(line.start, line.text) for line in lines], issued)
    blocks = {block.lines[0].start: block for block in programmes(lines, by_line)}
    inner = {line.start for block in blocks.values() for line in block.lines}
    for line in lines:
        if line.start in blocks:
            block = blocks[line.start]
            told = list(read_programme(block, text, QUOTED))
            read.changes += told
            read.judged.update(told)
            read.every += [one.text for one in block.lines]
            read.days += block.days
            read.programme += block.days
            context = Context(list(block.days), line.words, block.is_list)
        if line.start in inner:
            continue
        opened = [sentence for sentence in sentences(line.text) if len(sentence) <= _LONGEST_SENTENCE]
        context = _read_line(opened, context, read, by_line[line.start])
    said = [change for change in dict.fromkeys(read.changes) if not _is_of_good_friday(change)]
    said = with_weekdays_apart([_detailed(one, issued) for one in said])
    return [shown_in(one, masked(read.written.get(one.quote, one.quote))) for one in with_doubts(said, read, QUOTED)]


def _detailed(change: ScheduleChange, issued: date) -> ScheduleChange:
    return change if change.details != _NONE else replace(change, details=details_of("", change.quote, issued))


def _read_line(opened: Sequence[str], context: Context, read: Read, of_line: date) -> Context:
    """Read the sentences of a line, its weekdays counted from a day; returns what they leave to the next line."""
    frame: Period | None = None
    for index, written in enumerate(opened):
        sentence = read.meant(written, context, of_line)
        folded = folded_sentence(sentence)
        since = counted(sentence, folded, of_line if index == 0 else counted_from(context, of_line), read.programme, frame)
        since = counted_until(sentence, folded, context, counted_to_that(folded, context.periods, since))
        read.since[sentence] = since
        frame = frame_of(sentence, since, frame)
        own, gone = find_periods(sentence, since), days_left_out(sentence, since)
        folded = without_periods(folded, gone)
        own = [] if (in_season := are_weekdays_of_season(folded, own, context)) else own
        if not own and len(read.days) > 1 and phrases.SAME_DAYS.search(folded):
            context = Context(days_counted(folded, context, read.days), context.previous)
        read.feasts.update(feasts_named(folded, own))
        if is_report(sentence, folded):
            context = Context(previous=folded)
            continue
        told = _told(context, read.changes)
        if told and (excepted := gone or _that_stay(folded, own, read.changes[-1])) and (not gone or not clock_hours(folded)):
            read.changes = without_days_of(read.changes, read.changes[-1].quote, [(day.first, day.last) for day in excepted])
        continues = continues_list(folded, own, context, told)
        listed = context.heads_list and is_line_of_list(folded, own)
        carries = not own and (continues or goes_on(folded, context))
        series = [] if carries else roraty_season(folded, own, read.issued, before=any(map(is_of_season, read.changes[-1:])))
        periods = series or own or (cut_out(context.periods, gone) if carries else [])
        among = weekdays_of_roraty(folded) if series or leaves_sundays_out(folded, own) else "" if own else context.among
        among = f"{among}; roraty" if series else among
        flow = Flow(periods, among=among if series or carries else "", in_season=in_season, left_out=gone, issued=read.issued)
        if periods and (series or not is_recurring(folded, own)):
            bare = is_feast_with_hours(folded, own)
            opens = any(one.match(folded) for one in (phrases.OPENS_WITH_MASS, phrases.SAME_DAYS, phrases.SAME_DAY))
            named = context.periods if opens and not context.since else []
            flow.periods, flow.lasting = named if own else periods, carries and context.lasting
            flow.listing = listed or bare
            flow.of_feast = not continues and any(one.first in read.feasts for one in periods)
            flow.is_order_of_season = names_season(periods) and phrases.ORDER.search(f"{context.previous} {folded}") is not None
            weekly = flow.is_order_of_season and carries and not phrases.OTHER.search(folded)
            flow.of_mass = (
                weekly or flow.listing or continues or bool(series) or in_season or _goes_on_with_masses(folded, context)
            )
            read.listed.update([sentence] if listed or bare or continues or weekly else [])
            _read_of_days(sentence, flow, series, own, context.previous, read)
        context = next_context(context, folded, series or own, carries, listed)
        context.among = flow.among or among
        read.changes += _new_order_of(sentence, folded, own, read.changes)
        keeps = not own or (index == 0 and starts_line(folded, own))
        read.days = [*(read.days if keeps else []), *own]
    read.ends.update(read.every[-1:])
    return context


def _that_stay(folded: str, own: list[Period], told: ScheduleChange) -> list[Period]:
    """Days that a sentence excepts from what was told of several: "Wyjątkiem jest środa", "W środę bez zmian"."""
    several = told.valid_to != told.valid_from and all(day.is_day for day in own)
    excepted = phrases.NAMES_EXCEPTION.match(folded) or (several and phrases.UNCHANGED.search(folded))
    return own if excepted else []


def _read_of_days(sentence: str, flow: Flow, series: Sequence[Period], own: list[Period], before: str, read: Read) -> None:
    """Read a sentence whose days are known: its own, those of roraty, or those named before."""
    folded, periods = folded_sentence(sentence), [*(series or own or flow.periods)]
    told = list(_read_sentence(sentence, flow, read.since[sentence]))
    told = of_season(told, series, named=bool(own)) if series else told
    read.changes += [*told, *rest_of_advent(told, folded, before, read.issued)]
    _by_words_of_all(sentence, folded, own, periods, read)
    off = days_without_roraty(folded, own, periods, sentence[:QUOTED])
    read.changes += off
    read.judged.update(off)


def _new_order_of(sentence: str, folded: str, own: Sequence[Period], found: Sequence[ScheduleChange]) -> list[ScheduleChange]:
    """The beginning of a new order whose hours are given elsewhere: "Nowy porządek Mszy św. obowiązuje od 28 czerwca."."""
    begins = lasting_from(folded, own) if phrases.NEW_ORDER.search(folded) and speaks_of_mass(folded) else []
    quote = sentence[:QUOTED]
    if not begins or any(change.quote == quote for change in found):
        return []
    return [ScheduleChange("new_order", begins[0].first, None, quote=quote)]


def _goes_on_with_masses(folded: str, context: Context) -> bool:
    """Whether a sentence without the word speaks of the Masses of the sentence before: "Wieczornej nie będzie."."""
    part = phrases.PART_FALLS_OUT.search(folded) and not phrases.OTHER.search(folded)
    alone = part or phrases.HOUR_FALLS_OUT.fullmatch(folded)
    return bool(phrases.SAID.search(folded) or alone) and speaks_of_mass(context.previous)


def _by_words_of_all(sentence: str, folded: str, own: list[Period], periods: list[Period], read: Read) -> None:
    """Words that speak of what was read before: the same hour on other days, or no other Masses of these days."""
    only_one = phrases.ONLY_MASS.search(folded) is not None and not clock_hours(folded)
    if only_one or phrases.NO_OTHERS.search(folded):
        read.changes = as_whole_order(read.changes, [(period.first, period.last) for period in periods])


def _is_of_good_friday(change: ScheduleChange) -> bool:
    """Whether a change tells Masses of Good Friday, which has none: its liturgy is no Mass."""
    day = easter(change.valid_from.year) + _GOOD_FRIDAY
    return change.valid_from == change.valid_to == day and change.kind in ("added", "order", "moved")


def _told(context: Context, found: Sequence[ScheduleChange]) -> list[Change]:
    """Kinds of change of the sentence right before, [] when it spoke of another service, too."""
    last = folded_sentence(found[-1].quote) if found else ""
    if not last or context.since or phrases.OTHER.search(_ALONG.sub("", last)) or not context.previous.endswith(last):
        return []
    return [change.kind for change in found if change.quote == found[-1].quote]


def _read_sentence(sentence: str, flow: Flow, issued: date) -> Iterator[ScheduleChange]:
    yield from without_list_that_hours_replace(list(_read_clauses(sentence, flow, issued, sentence[:QUOTED])))


def _read_clauses(sentence: str, flow: Flow, issued: date, quote: str) -> Iterator[ScheduleChange]:
    for clause in clauses(written_without_asides(sentence)):
        folded = folded_sentence(clause)
        own = _without_remarks(cut_out(find_periods(clause, issued), flow.left_out), folded)
        if any(one.last - one.first >= _WEEK for one in own):  # "od jutra do 23 grudnia, od poniedziałku do piątku, roraty ..."
            flow.among = phrases.days_with_words(folded) or flow.among
        begins = lasting_from(folded, own)
        own = [] if flow.in_season else begins or own
        if own:
            flow.periods, flow.lasting = single_days([one for one in own if not one.is_mass] or own), bool(begins)
        flow.lasting = flow.lasting or phrases.FROM_THEN.search(folded) is not None
        speaks_on = not phrases.OTHER.search(_ALONG.sub("", folded)) and not phrases.OPENS_WITH_REASON.match(folded)
        part_alone = (
            phrases.PART_FALLS_OUT.search(folded)
            and not phrases.OTHER.search(folded)
            and speaks_of_mass(folded_sentence(sentence))
        )
        flow.of_mass = speaks_of_mass(folded) or (flow.of_mass and speaks_on) or bool(part_alone)
        lists = flow.of_mass and _LISTS.search(folded) and not phrases.FOR_SOME.search(folded)
        flow.listing = flow.listing or bool(lists)
        blanked = without_days(folded, [*own, *days_left_out(clause, issued)])  # "od 12 do 17 października" holds no hours
        if flow.of_mass or phrases.AS_SUNDAY.search(blanked) or phrases.NEW_ORDER.search(blanked):
            yield from _read_clause(in_digits(blanked), flow, own, quote)


def _without_remarks(own: list[Period], folded: str) -> list[Period]:
    """The periods without a Mass that a bracket names beside its hour: "w Boże Narodzenie: 24.00 (Pasterka), 8.00"."""
    own = days_spoken_of(own, folded)
    beside = [one for one in own if one.is_mass and phrases.REMARK_BEHIND_HOUR.search(folded[: one.start])]
    return [one for one in own if one not in beside] or own


def _read_clause(folded: str, flow: Flow, own: Sequence[Period], quote: str) -> Iterator[ScheduleChange]:
    parts = segments(folded, own) if own else [Segment(folded, tuple(flow.periods))]
    for index, part in enumerate(parts):
        segment = Segment(_without_unchanged(part.text), part.periods)
        times = [] if phrases.CEASES.search(segment.text) else mass_hours(segment.text)
        kind = kind_of(segment.text, times, flow)
        same = index > 0 or (bool(own) and flow.kind == "order")
        if kind == "added" and same and flow.kind and not phrases.MASS.search(segment.text):
            kind = flow.kind if flow.kind != "moved" else None  # "w środę nie będzie Mszy o 7.00, w piątek o 18.00"
        if kind in ("added", "order") and phrases.ELSEWHERE.search(segment.text):
            kind = None
        flow.kind = kind
        if phrases.DAYS_OF_WEEK.search(segment.text):
            flow.among = phrases.days_with_words(segment.text)
        if kind is not None:
            for period in segment.periods:
                if period.is_month and kind == "added":
                    continue
                # the weekdays spoken of: those named, and of roraty, which are not said on Sundays, all others
                among = flow.among or ("w dni powszednie" if phrases.RORATY.search(fold(quote)) else "")
                words = f"{among}; {' '.join(part.text.split())}"
                for change in _changes(kind, segment.text, times, period, flow.lasting, quote):
                    yield replace(change, details=details_of(words, quote, flow.issued))


def _without_unchanged(folded: str) -> str:
    """The text without what it says to stay as it was, and without negations of something else.

    "W sobotę o 8.00, w niedzielę jak zwykle o 10.00"; "obowiązku uczestnictwa nie ma".
    """
    kept: list[str] = []
    unchanged = False
    for piece in re.split(r", | (?=a (?:potem|nastepnie) )| (?=\()", phrases.NOT_OF_MASS.sub("", folded)):
        goes_on = unchanged and _HOURS_ALONE.fullmatch(piece) is not None  # "bez zmian: 8.00, 10.00 i 12.00"
        unchanged = goes_on or (phrases.UNCHANGED.search(piece) is not None and phrases.MOVED.search(piece) is None)
        kept += [] if unchanged else [piece]
    return ", ".join(kept)


def _changes(
    kind: Change, folded: str, times: Sequence[str], period: Period, lasting: bool, quote: str
) -> Iterator[ScheduleChange]:
    not_that = phrases.NOT_THAT_PART.search(folded)
    part: Part = next((name for name, pattern in phrases.PARTS if pattern.search(folded)), "")
    if not_that:
        part = "morning" if not_that[1].startswith((IN_THE_MORNING, MORNING, "przed")) else "evening"
    last = None if lasting and kind in ("new_order", "cancelled", "moved") else period.last
    if kind in ("as_sunday", "as_weekday"):
        yield ScheduleChange(kind, period.first, last, quote=quote)
        if times:  # "jak w niedzielę, z wyjątkiem Mszy o 7.00"
            beside: Change = "cancelled" if phrases.EXCEPT.search(folded) or phrases.NEGATION.search(folded) else "added"
            yield ScheduleChange(beside, period.first, last, tuple(times), quote=quote)
        return
    if kind == "moved" and not lasting and phrases.AS_SUNDAY.search(folded):  # "jak w niedzielę, suma o 12.30 zamiast o 12.00"
        yield ScheduleChange("as_sunday", period.first, last, quote=quote)
    old, new = split_move(folded, times) if kind == "moved" else (times, ())
    if (usual := hour_before_shift(folded, times)) and kind in ("added", "moved"):
        kind, old, new = "moved", [usual], list(times)
    if kind == "moved" and lasting:
        kind, old, new = "new_order", new, ()
    yield from on_its_day(ScheduleChange(kind, period.first, last, tuple(old), tuple(new), "" if old else part, quote))
