"""Read what an announcement changes in the order of Masses, with the words that say so.

The rule of the house holds: better none than wrong. Recurring days, reports of what happened, and hours of devotions,
meetings or offices are no changes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from typing import Final

from mass_pipeline.model.identifiers import fold
from mass_pipeline.reading.changes import phrases
from mass_pipeline.reading.changes.certainty import QUOTED, Sentence, with_doubts
from mass_pipeline.reading.changes.change import (
    Change,
    ChangeDetails,
    Part,
    ScheduleChange,
    as_whole_order,
    on_its_day,
    without_days_of,
)
from mass_pipeline.reading.changes.clauses import clauses, sentences, with_lines_whole
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
from mass_pipeline.reading.changes.phrases import days_spoken_of, is_report, is_without_mass, names_season
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
    within_advent,
)
from mass_pipeline.reading.words.church_calendar import advent, easter
from mass_pipeline.reading.words.clock import ClockToken
from mass_pipeline.reading.words.dates import cut_out, days_left_out, find_periods
from mass_pipeline.reading.words.expressions import expression
from mass_pipeline.reading.words.masking.lines import masked
from mass_pipeline.reading.words.period import Period, without_periods
from mass_pipeline.reading.words.reference_week import counted_by_line, counted_in, frame_of
from mass_pipeline.reading.words.spoken_hours import in_digits
from mass_pipeline.reading.words.weekday_patterns import IN_THE_MORNING, MORNING, OF_WEEKDAY, WEEKDAY_STEMS

_LONGEST_SENTENCE: Final = 1_200  # characters; beyond it no parish wrote a sentence, and reading takes the square of its days
_ALONG: Final = re.compile(  # "17.00 z nabożeństwem": what comes along with a Mass
    r"\bze? (?:(?:okazj|mozliwosc)\w+ (?:do )?)?\w+"
)
_LISTS: Final = expression(r"(?:<masses>|<of_masses>)[^\d]*: ")
_HOURS_ALONE: Final = re.compile(r"(?:\d{1,2}[.:]\d\d|i|oraz|[\s.])+")
_WEEK: Final = timedelta(7)
_NONE: Final = ChangeDetails()
_MIDNIGHT: Final = "00:00"
_LONGEST_LEAD: Final = 8  # blanks and a bracket between an hour in words and the name behind it
_GOOD_FRIDAY: Final = timedelta(-2)  # from Easter
_ONE_FEAST: Final = timedelta(2)  # between a Mass that is named like a day and the days whose Mass it is
_LONGEST_HEADING: Final = 6  # words
_LONGEST_TITLE: Final = 10  # words, without a full stop
_REMEMBERED: Final = 600  # characters of what was said of days: some sentences
_FORGOTTEN_AFTER: Final = 1  # sentences that speak of something else
_SUNDAY: Final = 6
_OTHER_LABEL: Final = expression(
    r"(?!<the_mass>|<order>|<remaining>|<clock>|<in_list>|(?:w )?(?:<sunday>|dni |<weekdays_but_sunday>))(?:\w+\.? ){0,2}\w+: "
)
_MOST_WORDS: Final = 6  # before the day of a line: a feast
_LEADS_HOUR: Final = expression(r"[:–-] ?<at>$")
_LEADS_FURTHER: Final = expression(r"^(?:a )?(?:we? |na )?\s*[,:–-]? ?(?:tylko )?<at>$")
_PAIR: Final = 2  # hours
_AT_PLACE: Final = expression(
    r"[\s,;.()–-]*(?:(?:i|oraz|a|o|<clock>|(?:w|na) (?:nasz\w+ )?(?:kosciele|kaplicy|cmentarzu|filii)(?: \w+)?(?: w \w+)?"
    r"|(?:w|na) nasz\w+ \w+|<main_mass>|<in_part>)[\s,;.()–-]*)*"
)
_OPENS_WITH_HOUR: Final = expression(r"(?:(?:<in_part>|<and_also>|ponadto|dodatkowo) )*(?:o |<clock> ?)+\d")
_LEADS_LINE: Final = expression(r"[\s*•·–-]*(?:<label_of_days>\s*[–:-]\s*(?:od )?)?(?:w |we |<weekday_short>,? )?$")
_BEGINS: Final = re.compile(r"\b(?:roz)?pocz(?:yna|nie)|\bza(?:czyna|czni)|\brusza|\bstartuj")
_DENIES_LIST: Final = expression(r"<is_not> [^\d:]*<the_mass>[^\d:]*: ")
_DAY_OF_EVENT: Final = expression(r"<on_the_day> (?!<weekday>|tym\b|<working_day>)([a-z]{5,})")
_STEM: Final = 5  # letters of an event, whatever its case
_FROM_THAT_DAY: Final = expression(r"<from_that_day> do\b")
_END_ALONE: Final = re.compile(rf"\bdo(?: dnia)?(?: (?:{OF_WEEKDAY}),?)? $")


@dataclass(slots=True)
class Context:
    """What earlier sentences leave to the next.

    Attributes:
        periods: the days they named.
        previous: the sentence that named them, with what was said of these days since.
        heads_list: whether it heads a list of Masses.
        since: sentences without a day of their own after it.
        lasting: whether something begins on these days that does not end.
        among: words of the weekdays among them that were spoken of ("w dni powszednie").
        several_days: whether they begin what lasts several days, such as a retreat.
    """

    periods: list[Period] = field(default_factory=list)
    previous: str = ""
    heads_list: bool = False
    since: int = 0
    lasting: bool = False
    among: str = ""
    several_days: bool = False


@dataclass(slots=True)
class Read:
    """What was read of a text so far.

    Attributes:
        issued: its day.
        changes: in order.
        days: of the lines before that begin with a day.
        programme: of the programmes before.
        judged: changes that bring their doubts with them.
        sentences: in order, as they are read.
    """

    issued: date
    changes: list[ScheduleChange] = field(default_factory=list)
    days: list[Period] = field(default_factory=list)
    programme: list[Period] = field(default_factory=list)
    judged: set[ScheduleChange] = field(default_factory=set)
    sentences: list[Sentence] = field(default_factory=list)


def read_changes(text: str, issued: date) -> list[ScheduleChange]:
    """Changes an announcement makes, in the order of its words, each with what makes it doubtful.

    Their quotes are masked: names and numbers of persons never leave the announcement (`reading.words.masking`).

    Args:
        text: one announcement, plain text.
        issued: the day it was issued (usually a Sunday); relative days count from it.
    """
    read, context, text = Read(issued), Context(), with_lines_whole(text)
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
            read.sentences += [Sentence(one.text, issued) for one in block.lines]
            read.days += block.days
            read.programme += block.days
            context = Context(list(block.days), line.words, block.is_list)
        if line.start in inner:
            continue
        opened = [sentence for sentence in sentences(line.text) if len(sentence) <= _LONGEST_SENTENCE]
        context = _read_line(opened, context, read, by_line[line.start])
    said = [change for change in dict.fromkeys(read.changes) if not _is_of_good_friday(change)]
    said = [one if one.details != _NONE else replace(one, details=details_of("", one.quote, issued)) for one in said]
    said = with_weekdays_apart(list(map(within_advent, said)))
    return [shown_in(one, masked(one.quote)) for one in with_doubts(said, read.sentences, read.judged, issued)]


def _read_line(opened: Sequence[str], context: Context, read: Read, of_line: date) -> Context:
    """Read the sentences of a line, its weekdays counted from a day; returns what they leave to the next line."""
    frame: Period | None = None
    for index, sentence in enumerate(opened):
        folded = folded_sentence(sentence)
        since = counted(sentence, folded, of_line if index == 0 else counted_from(context, of_line), read.programme, frame)
        since = counted_until(sentence, folded, context, counted_to_that(folded, context.periods, since))
        read.sentences.append(Sentence(sentence, since, ends_line=index == len(opened) - 1))
        frame = frame_of(sentence, since, frame)
        own, gone = (
            days_spoken_of(_as_stretch(find_periods(sentence, since), folded, since), folded),
            days_left_out(sentence, since),
        )
        own = without_midnight_mass(own, folded, context.periods)
        folded = without_periods(folded, gone)
        own = [] if (in_season := are_weekdays_of_season(folded, own, context)) else own
        if not own and (event := _DAY_OF_EVENT.match(folded)):
            context = Context(_days_of_event(event[1], read), context.previous)
        if not own and len(read.days) > 1 and phrases.SAME_DAYS.search(folded):
            context = Context(days_counted(folded, context, read.days), context.previous)
        if is_report(sentence, folded) or is_without_mass(folded):
            context = Context(previous=folded)
            continue
        told = _told(context, read.changes)
        of_before = gone if not clock_hours(in_digits(folded)) else []  # else excepted from what this sentence says
        if told and (excepted := of_before or _that_stay(folded, own, read.changes[-1])):
            read.changes = without_days_of(read.changes, read.changes[-1].quote, [(day.first, day.last) for day in excepted])
        if told and phrases.LIKEWISE.fullmatch(folded):
            read.changes += _likewise(read.changes, own, sentence)
        continues = continues_list(folded, own, context, told)
        listed = context.heads_list and is_line_of_list(folded, own)
        carries = not own and (continues or goes_on(folded, context))
        series = [] if carries else roraty_season(folded, own, read.issued, before=any(map(is_of_season, read.changes[-1:])))
        periods = series or own or (cut_out(context.periods, gone) if carries else [])
        among = "" if own else context.among
        if series or leaves_sundays_out(folded, own):  # without other words all days but Sundays, on which no roraty are said
            among = (phrases.days_with_words(folded) or "w dni powszednie") + ("; roraty" if series else "")
        flow = Flow(periods, among=among if series or carries else "", in_season=in_season, left_out=gone, issued=read.issued)
        if periods and (series or not is_recurring(folded, own)):
            opens = any(one.match(folded) for one in (phrases.OPENS_WITH_MASS, phrases.SAME_DAYS, phrases.SAME_DAY))
            named = context.periods if opens and not context.since else []
            flow.periods, flow.lasting = named if own else periods, carries and context.lasting
            flow.listing = listed or is_feast_with_hours(folded, own, goes_on=bool(told) and set(told) <= {"order", "added"})
            flow.is_order_of_season = names_season(periods) and phrases.ORDER.search(f"{context.previous} {folded}") is not None
            weekly = flow.is_order_of_season and carries and not phrases.OTHER.search(folded)
            flow.of_mass = (
                weekly or flow.listing or continues or bool(series) or in_season or _goes_on_with_masses(folded, context)
            )
            read.sentences[-1].is_listed = bool(flow.listing or continues or weekly)
            _read_of_days(sentence, flow, series, own, context.previous, read)
        context = next_context(context, folded, series or own, carries, listed)
        context.among = flow.among or among
        read.changes += _new_order_of(sentence, folded, own, read.changes)
        keeps = not own or (index == 0 and starts_line(folded, own))
        read.days = [*(read.days if keeps else []), *own]
    return context


def _as_stretch(own: Sequence[Period], folded: str, since: date) -> list[Period]:
    """The days, a beginning and an end said apart made one: "Rozpoczynamy w środę 7 stycznia i potrwa do soboty 17 stycznia"."""
    found: list[Period] = []
    for day in own:
        first = found[-1] if found else day
        ends = day.first == since < first.first < day.last and _END_ALONE.search(folded[: day.start])
        if ends and first.is_day and _BEGINS.search(folded[: first.start]):
            found[-1] = replace(day, start=first.start, first=first.first)
        else:
            found.append(day)
    return found


def _days_of_event(event: str, read: Read) -> list[Period]:
    """The day that a sentence before gave to an event: "W sobotę nasz odpust. ... W dniu odpustu Msze o 7.30"; [] for none."""
    for sentence in reversed(read.sentences[:-1]):
        folded = folded_sentence(sentence.written)
        days = days_spoken_of(find_periods(sentence.written, sentence.since), folded)
        if re.search(rf"(?<!wigilie )\b{event[:_STEM]}", folded) and days:
            return days if len(days) == 1 and days[0].is_day else []
    return []


def without_midnight_mass(own: Sequence[Period], folded: str, others: Sequence[Period] = ()) -> list[Period]:
    """The days without that of a midnight Mass at midnight, which is in the list of the next day: "25 XII: 0.00 Pasterka, 8.00".

    Args:
        own: days that a text names.
        folded: the text.
        others: days named before it.
    """
    days = {one.first for one in (*own, *others) if one.is_day and not one.is_mass}
    hours = clock_hours(in_digits(folded))
    gone = [one for one in own if one.is_mass and one.first + timedelta(1) in days and _hour_at(one, hours) == _MIDNIGHT]
    return [one for one in own if one not in gone]


def _hour_at(mass: Period, hours: Sequence[ClockToken]) -> str:
    """The hour right before the name of a Mass, else the nearest one; "" where it is the only one of all."""
    near = sorted(hours, key=lambda hour: max(hour.start - mass.end, mass.start - hour.end - _LONGEST_LEAD))
    return near[0].time if len(hours) > 1 else ""


def _likewise(told: Sequence[ScheduleChange], own: Sequence[Period], quote: str) -> list[ScheduleChange]:
    """What the sentence before says of a day, of other days: "W środę nie ma Mszy o 7.00. Również w czwartek."."""
    same = [one for one in told if one.quote == told[-1].quote and one.valid_from == one.valid_to]
    return [replace(one, valid_from=day.first, valid_to=day.last, quote=quote) for day in own for one in same if day.is_day]


def _that_stay(folded: str, own: list[Period], told: ScheduleChange) -> list[Period]:
    """Days that a sentence excepts from what was told of several: "Wyjątkiem jest środa", "W środę bez zmian"."""
    several = told.valid_to != told.valid_from and all(day.is_day for day in own)
    excepted = phrases.NAMES_EXCEPTION.match(folded) or (several and phrases.UNCHANGED.search(folded))
    return own if excepted else []


def _read_of_days(sentence: str, flow: Flow, series: Sequence[Period], own: list[Period], before: str, read: Read) -> None:
    """Read a sentence whose days are known: its own, those of roraty, or those named before."""
    folded, periods = folded_sentence(sentence), [*(series or own or flow.periods)]
    told = list(_read_clauses(sentence, flow, read.sentences[-1].since, sentence[:QUOTED]))
    told = of_season(told, series, named=bool(own)) if series else told
    read.changes += [*told, *rest_of_advent(told, folded, before, read.issued)]
    only_one = phrases.ONLY_MASS.search(folded) is not None and len(mass_hours(in_digits(folded))) <= 1
    if only_one or phrases.NO_OTHERS.search(folded):  # of what was read before: the same hour, or no other Masses of these days
        read.changes = as_whole_order(read.changes, [(period.first, period.last) for period in periods])
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
    if phrases.ITS_HOUR.match(folded) and _names_mass_without_hour(context):
        return True
    part = phrases.PART_FALLS_OUT.search(folded) and not phrases.OTHER.search(folded)
    alone = part or phrases.HOUR_FALLS_OUT.fullmatch(folded)
    return bool(phrases.SAID.search(folded) or alone) and speaks_of_mass(context.previous)


def _names_mass_without_hour(context: Context) -> bool:
    """Whether the sentence before names a Mass and nothing else, without its hour."""
    before = context.previous
    return (
        not context.since
        and phrases.MASS.search(before) is not None
        and not (phrases.OTHER.search(before) or clock_hours(before))
    )


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


def _read_clauses(sentence: str, flow: Flow, issued: date, quote: str) -> Iterator[ScheduleChange]:
    flow.denies_list = _DENIES_LIST.search(folded_sentence(sentence)) is not None
    for clause in clauses(written_without_asides(sentence)):
        folded = folded_sentence(clause)
        own = days_spoken_of(cut_out(find_periods(clause, issued), flow.left_out), folded)
        own = without_midnight_mass(own, folded, flow.periods)
        if any(one.last - one.first >= _WEEK for one in own):  # "od jutra do 23 grudnia, od poniedziałku do piątku, roraty ..."
            flow.among = phrases.days_with_words(folded) or flow.among
        if flow.is_of_weeks and own and not any(one.is_day or one.is_dated(folded) for one in own):
            flow.among, own = folded[own[0].start : own[-1].end], []  # "..., Msze św. od poniedziałku do soboty" of these weeks
        flow.is_of_weeks = flow.is_of_weeks or any(one.last - one.first >= _WEEK for one in own)
        begins = lasting_from(folded, own)
        of_advent = flow.among.endswith("roraty") and all("adwen" in folded[one.start : one.end] for one in own)
        own = [] if flow.in_season or of_advent else begins or own
        if own:
            flow.periods, flow.lasting = single_days([one for one in own if not one.is_mass] or own), bool(begins)
        from_then = phrases.FROM_THEN.search(folded) is not None and not _FROM_THAT_DAY.search(folded)
        flow.lasting = flow.lasting or from_then
        speaks_on = not phrases.OTHER.search(_ALONG.sub("", folded)) and not phrases.OPENS_WITH_REASON.match(folded)
        part_alone = (
            phrases.PART_FALLS_OUT.search(folded)
            and not phrases.OTHER.search(folded)
            and speaks_of_mass(folded_sentence(sentence))
        )
        flow.of_mass = speaks_of_mass(folded) or (flow.of_mass and speaks_on) or bool(part_alone)
        lists = flow.of_mass and _LISTS.search(folded)
        flow.listing = flow.listing or bool(lists)
        blanked = without_days(folded, [*own, *days_left_out(clause, issued)])  # "od 12 do 17 października" holds no hours
        if flow.of_mass or phrases.AS_SUNDAY.search(blanked) or phrases.NEW_ORDER.search(blanked):
            yield from _read_clause(in_digits(blanked), flow, own, quote)


def _read_clause(folded: str, flow: Flow, own: Sequence[Period], quote: str) -> Iterator[ScheduleChange]:
    parts = segments(folded, own) if own else [Segment(folded, tuple(flow.periods))]
    for index, part in enumerate(parts):
        segment = Segment(_without_unchanged(part.text), part.periods)
        times = [] if phrases.CEASES.search(segment.text) else mass_hours(segment.text)
        kind = kind_of(segment.text, times, flow)
        if flow.denies_list and kind in ("added", "order"):
            kind = "cancelled"
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
    of_mass = folded[: clock_hours(folded)[0].start] if kind == "moved" and times else folded  # "przeniesiona na 6.30 rano"
    part: Part = next((name for name, pattern in phrases.PARTS if pattern.search(of_mass)), "")
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


def single_days(days: Sequence[Period]) -> list[Period]:
    """Days without the week or period whose days they are."""
    return [
        day for day in days if not any(other.is_day and not day.is_day and day.first <= other.first <= day.last for other in days)
    ] or list(days)


def days_counted(folded: str, context: Context, days: Sequence[Period]) -> list[Period]:
    """Days that "w tych dniach" points back to: of the sentence before, if it named several, else those named so far."""
    # "Dziś nauka. W poniedziałek i wtorek Msze o 9.00. W tych dniach ...": today is none of them
    return single_days(context.periods if len(context.periods) > 1 and not context.since else days)


def _heads_list(folded: str) -> bool:
    """Whether lines of days with their Masses follow: "Porządek Mszy świętych w święta:"."""
    words = len(folded.split())
    heading = folded.endswith(":") or words <= _LONGEST_HEADING or (words <= _LONGEST_TITLE and not folded.endswith("."))
    return heading and phrases.ORDER.search(folded + ":") is not None and not clock_hours(folded)


def starts_line(folded: str, own: Sequence[Period]) -> bool:
    """Whether a line begins with a day."""
    head = folded[: own[0].start] if own else ""
    feast = len(head.split()) <= _MOST_WORDS and phrases.FEAST.search(head) is not None and not re.search(r"\d", head)
    return bool(own) and (feast or _LEADS_LINE.fullmatch(head) is not None)  # "Nowy Rok, 1 stycznia: 9.00"


def is_line_of_list(folded: str, own: Sequence[Period]) -> bool:
    """Whether a line is a day and what is said of its Masses; "16.00 z nabożeństwem" is one of them."""
    return starts_line(folded, own) and not phrases.OTHER.search(folded)


def continues_list(folded: str, own: Sequence[Period], context: Context, told: Sequence[Change]) -> bool:
    """Whether a sentence without a day goes on with the list of the one before: "... 8.00, 10.00. Wieczorem o 17.00 i 19.00."."""
    if own or not told or context.since or any(kind not in ("order", "added") for kind in told):
        return False
    return phrases.LIST_GOES_ON.match(folded) is not None and phrases.NEGATION.search(folded) is None


def is_feast_with_hours(folded: str, own: Sequence[Period], *, goes_on: bool = False) -> bool:
    """Whether a sentence is a feast and the hours of its Masses at their places, without the word: "Nowy Rok: 9.00 i 11.00".

    Args:
        folded: the sentence.
        own: days it names.
        goes_on: whether the sentence before lists Masses: "W drugim dniu Świąt o godz. 8.00 i 10.00".
    """
    if not own or phrases.OTHER.search(folded) or not (goes_on or phrases.FEAST.search(folded)):
        return False
    folded = without_periods(folded, own)
    hours = clock_hours(folded)
    leads = _LEADS_FURTHER if goes_on else _LEADS_HOUR
    least = 1 if goes_on and phrases.ONLY.search(folded) else _PAIR
    if len(hours) < least or not leads.search(folded[: hours[0].start]):
        return False
    ends = [*(hour.start for hour in hours[1:]), len(folded)]
    return all(_AT_PLACE.fullmatch(folded[one.end : end]) for one, end in zip(hours, ends, strict=True))


def goes_on(folded: str, context: Context) -> bool:
    """Whether a sentence without a day of its own speaks of the day named before."""
    if phrases.SAME_DAYS.search(folded):
        return len(context.periods) > 1 or any(not period.is_day for period in context.periods)
    if phrases.SAME_DAY.search(folded) or (phrases.ITS_HOUR.match(folded) and _names_mass_without_hour(context)):
        return True
    if _OTHER_LABEL.match(folded):
        return False
    if _speaks_of_those(folded, context):
        return True
    folded = phrases.AS_WEEKDAY.sub("", phrases.AS_SUNDAY.sub(lambda match: "porzadek" if "porzad" in match[0] else "", folded))
    if _is_within_season(folded, context):
        return True
    if phrases.NAMES_DAYS.search(folded):  # days that cannot be determined are no other days
        return False
    if context.lasting and phrases.NEW_ORDER.search(folded):
        return True
    one_more = phrases.ONE_MORE.search(folded) or (phrases.CONSEQUENCE.search(folded) and clock_hours(folded))
    if phrases.NEGATION.search(folded) or (one_more and not context.since):
        return True
    return bool(context.periods) and speaks_of_mass(folded) and _tells_its_masses(folded, context)


def _tells_its_masses(folded: str, context: Context) -> bool:
    """Whether a sentence about Masses tells those of the day named before."""
    if _OPENS_WITH_HOUR.match(folded):  # "Pierwszy piątek. Spowiedź od 16.00. O 16.30 Msza dla dzieci."
        return context.since <= _FORGOTTEN_AFTER
    is_open = not clock_hours(context.previous)  # a day of which no hour was given yet
    occasion = phrases.NAMES_AN_OCCASION.search(context.previous) is not None
    if phrases.OPENS_WITH_MASS.search(folded) or phrases.BEGINS_WITH_MASS.search(folded):
        return is_open or occasion
    stays = any(words.search(folded) for words in (phrases.REST, phrases.UNCHANGED))
    is_next = not context.since and bool(clock_hours(folded)) and not stays
    return (is_open or is_next) and occasion


def _is_within_season(folded: str, context: Context) -> bool:
    """Whether weekdays are those of the season named right before: "W lipcu i sierpniu ... W niedziele odpada Msza o 12.00."."""
    before = speaks_of_mass(context.previous) or phrases.ORDER.search(context.previous) is not None
    of_mass = before or phrases.MEANWHILE.search(folded) is not None
    weekly = phrases.DAYS_OF_WEEK.search(folded) is not None and bool(clock_hours(folded))
    return names_season(context.periods) and of_mass and weekly


def are_weekdays_of_season(folded: str, own: Sequence[Period], context: Context) -> bool:
    """Whether days are weekdays of the season named right before: "Od 1 lipca ... . Od poniedziałku do piątku ..."."""
    weeks = all(not one.is_day and not (one.is_month or one.is_dated(folded)) for one in own)
    return bool(own) and weeks and not context.since and _is_within_season(folded, context)


def _speaks_of_those(folded: str, context: Context) -> bool:
    """Whether the words point back: "w te niedziele nie ma Mszy", "W naszym kościele będą o 7.00 i 9.00" after Masses."""
    if phrases.THOSE.search(folded):
        return speaks_of_mass(folded)
    said = phrases.SAID.search(folded) is not None and not context.since
    return said and speaks_of_mass(context.previous) and bool(clock_hours(folded))


def is_recurring(folded: str, own: Sequence[Period]) -> bool:
    """Whether a sentence speaks of every such day; an explicit date in it outweighs the word."""
    if any(period.is_dated(folded) for period in own):
        return False
    sundays = all(period.is_day and period.first.weekday() == _SUNDAY for period in own)
    if own and sundays and phrases.WHOLE_WEEK.search(folded) and not phrases.LASTING.search(folded[: own[0].start]):
        return True
    months = [period for period in own if period.is_month]
    if months and phrases.MOVED.search(folded):
        return False
    if any((period.last - period.first).days > phrases.LONGEST_WEEK for period in own) and not months:
        return False
    words = phrases.AS_SUNDAY.sub("", folded)
    return phrases.RECURRING.search(phrases.HOLIDAYS.sub("", words) if months else words) is not None


def lasting_from(folded: str, periods: Sequence[Period]) -> list[Period]:
    """The first day of a change that does not end ("od niedzieli ... o 17.00"); [] when there is an end.

    Days of the week beside it ("od 1 października Msza od poniedziałku do piątku o 17.00") are those of every week.
    """
    if not periods or phrases.LASTING.search(folded[: periods[0].start]) is None:
        return []
    first, *others = periods
    is_day = first.is_day
    weekly = all(not one.is_dated(folded) and phrases.NAMES_DAYS.search(folded, one.start) for one in others)
    return [first] if is_day and (not others or (weekly and first.is_dated(folded))) else []


def next_context(context: Context, folded: str, own: list[Period], goes_on: bool, listed: bool) -> Context:
    """What a sentence leaves for the next one."""
    heads = listed or (context.heads_list and goes_on) or _heads_list(folded)
    near = own and any(abs(one.first - own[0].first) <= _ONE_FEAST for one in context.periods)
    if near and all(period.is_mass for period in own):  # "Pasterka o 24.00." in a day's list
        own, goes_on = [], True
    own = [period for period in own if not period.is_mass] or own
    begins = bool(lasting_from(folded, own))
    # "Od wtorku peregrynacja. O 15.00 Msza św.": of which day?
    if begins and not (speaks_of_mass(folded) or phrases.ORDER.search(folded)):
        return Context([], folded, heads)
    lasts = phrases.SEVERAL_DAYS.search(folded) is not None
    if own or not (goes_on or context.since < _FORGOTTEN_AFTER):
        return Context(own or context.periods, folded, heads, lasting=begins, several_days=lasts and bool(own))
    if not (own or goes_on) and phrases.NAMES_DAYS.search(phrases.AS_SUNDAY.sub("", folded)):
        # "Niedziela 27 września" of another year: what follows speaks of no day named before
        return Context([], folded, heads)
    since = context.since + (not goes_on)
    previous = f"{context.previous} {folded}"[-_REMEMBERED:]
    # A retreat that another sentence speaks of need not begin on these days.
    lasts = context.several_days or (lasts and goes_on)
    return Context(context.periods, previous, heads, since, lasting=context.lasting, several_days=lasts)


def counted_from(context: Context, issued: date) -> date:
    """The day from which weekdays are counted: that of issue, or the first day of what lasts several days and begins later."""
    begins = [period.first for period in context.periods if period.is_day]
    if len(begins) == 1 and begins[0] - issued >= _WEEK and context.several_days:
        return begins[0]
    return issued


def counted_to_that(folded: str, periods: Sequence[Period], since: date) -> date:
    """The same before "w tę sobotę", of which the sentences before gave the date; `since` where they gave none."""
    that = phrases.THAT_WEEKDAY.search(folded)
    if that is None:
        return since
    weekday = next(at for at, stem in enumerate(WEEKDAY_STEMS) if that[1].startswith(stem))
    meant = {one.first for one in periods if one.is_day and one.first.weekday() == weekday}
    return min(meant) - timedelta(1) if len(meant) == 1 else since


def counted_until(sentence: str, folded: str, context: Context, since: date) -> date:
    """The same before an end alone: "Zaczynamy 2 stycznia. Do piątku 16 stycznia nie ma Mszy o 18.00" begins with that day."""
    begins = [period.first for period in context.periods if period.is_day]
    is_begun = _FROM_THAT_DAY.search(folded) or _BEGINS.search(context.previous)
    if len(begins) != 1 or len(context.periods) > 1 or begins[0] <= since or not is_begun:
        return since
    own = find_periods(sentence, since)
    ends = [day for day in own if day.first == since < begins[0] < day.last and _END_ALONE.search(folded[: day.start])]
    return begins[0] if len(ends) == len(own) == 1 else since


def counted(sentence: str, folded: str, since: date, programme: Sequence[Period], frame: Period | None) -> date:
    """The same by what the sentence and the programme above it say of days.

    Args:
        sentence: as written.
        folded: its text.
        since: the day from which its weekdays are counted by what stands before it.
        programme: days of the programmes before.
        frame: days of the retreat or mission it is in.
    """
    since = _since_programme(sentence, since, programme)
    since = counted_in(sentence, since, frame)
    begins = advent(since.year)  # roraty announced the Sunday before Advent: "od poniedziałku" is the Monday of its first week
    return begins if phrases.RORATY.search(folded) and timedelta(0) < begins - since <= _WEEK else since


def _since_programme(sentence: str, since: date, programme: Sequence[Period]) -> date:
    """The day from which weekdays are counted after a programme that has them: "Sobota, 13 marca: ... W sobotę nie ma Mszy"."""
    own = find_periods(sentence, since) if programme else []
    weekdays = {day.first.weekday() for day in programme}
    if not own or any(day.is_dated(sentence) or day.first.weekday() not in weekdays for day in own):
        return since
    return max(since, min(day.first for day in programme) - timedelta(1))
