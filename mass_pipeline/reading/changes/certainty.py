"""How sure a reading is: reasons against a change, judged by its sentence, its neighbours and the other changes of the text.

A reason is one value with its examples, which are its tests. Not here: what a change is (reading), what the standing order
settles and what becomes of a doubtful change (schedules).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from itertools import pairwise
from typing import Final

from mass_pipeline.model.identifiers import fold
from mass_pipeline.reading.changes import phrases
from mass_pipeline.reading.changes.change import Doubt, ScheduleChange
from mass_pipeline.reading.changes.hours import (
    BEGIN_OR_END,
    ENDS,
    LIST,
    clock_hours,
    folded_sentence,
    mass_hours,
    without_asides,
    without_days,
)
from mass_pipeline.reading.changes.phrases import days_spoken_of
from mass_pipeline.reading.words.clock import ClockToken
from mass_pipeline.reading.words.dates import days_left_out, find_periods
from mass_pipeline.reading.words.expressions import expression
from mass_pipeline.reading.words.known_words import begins_with_town, is_filler, names_kind_of_mass
from mass_pipeline.reading.words.lexicon import vocabulary_words
from mass_pipeline.reading.words.parts_of_day import AFTERNOON
from mass_pipeline.reading.words.period import Period
from mass_pipeline.reading.words.periods import PERIOD
from mass_pipeline.reading.words.spoken_hours import in_digits
from mass_pipeline.reading.words.weekday_patterns import IN_THE_MORNING, MORNING

QUOTED: Final = 300  # characters of a sentence by which a change is known
_FEW: Final = 2  # hours
_MOST_CHANGES: Final = 150  # of one text; more are an archive, in which sentences of different weeks stand side by side
_NEAR: Final = 2  # sentences before that may still say of what a sentence speaks
_DAY: Final = timedelta(1)
_WEEK: Final = timedelta(7)
_SUNDAY: Final = 6
_MIDNIGHT: Final = "00:00"
_NEGATED: Final = expression(r"\bnie\b|\bbez\b(?! zmian)|<negated>|\bo?procz\b(?! tego)")
_THIS_SUNDAY: Final = expression(r"\btej <sunday>")
_MOVES: Final = expression(r"<instead>|<shifted>|(?<!\ba )\b(?:wczesniej|pozniej)\b|(?<!bez )\bzmian")
_REFERRED: Final = expression(r"(?:\bna|<during>) (?!<additional>)(?:\w+ )?<at_mass>|\bsa (?:dla|z|w)\b(?! <weekdays>)")
_SAME_HOUR: Final = expression(r"\bo tej (?:samej )?(?:<clock>|porze\b)(?=[^.;]*<the_mass>)")
_GROUP: Final = re.compile(
    r"\bdla (?:szkol|liceum|przedszkol|klas|dzieci|mlodziez|uczni|senior|chorych|pozostal|dorosl)|\bklas[ay] "
)
_OPEN_EXCEPTION: Final = expression(r"\b<leaving_out> [\w\s]{0,60}?(?!<sunday>)<weekday>")
_OF_SOME: Final = expression(r"<masses>(?: <holy>)?[^\d.;:]{0,60}\b<of_some>")  # "Msze św. zbiorowe", "Msze św. szkolne"
_UNSURE: Final = expression(r"<not_sure>|<not_decided>|zalezn|\?\W*$|, czy\b")  # "pytano, czy Msze będą"
_BREAK: Final = expression(
    r";(?! ?<at>\d)|,(?! ?(?:o |<clock>|\d|(?:i|oraz|ani)\b|a takze\b|ktor|sw|<that_is>|$|(?:a wiec |a |oraz |ale |lecz )?"
    r"(?:(?:dodatkowo|wszedzie|i|takze|rowniez|tez|<in_part>) )*(?:o |<clock>|dla |ze? [a-z]|<in_place_of> "
    r"|<weekdays_but_sunday> |(?:<daily> )?od [a-z]+ do [a-z]+\b|<daily>|w kosciele|w kaplicy"
    r"|we? (?!<weekday>)[a-z]+ (?:o |<clock>)"
    r"|(?:a |natomiast )?we? (?:<weekdays_but_sunday>|<weekend>|dni)|na cmentarzu|na $|kosciol|kaplic)))| [–-] (?!<at>(?:\d|$))"
)
_COMMAS: Final = re.compile(r"\s*,[\s,]*")  # what is left of a date between commas
_BOUND: Final = expression(r"[;:.,(]| (?:oraz|i|a|nie|<owing_to>) ")
_ABBREVIATED: Final = expression(r"<abbreviation_at_hour>\.")
_ALONG: Final = re.compile(r"\bze? (?:(?!wyrusz|wychodz|przejd)\w+ )?(?!wyrusz|wychodz|przejd)\w+")  # "z nauką": comes along
_MAYBE_WITHOUT_MASS: Final = re.compile(r"\bslub|\bpogrzeb")
_AS_USUAL: Final = expression(r" <unchanged>")
# "Wieczorem jak zwykle", "poranna bez zmian": of that half nothing falls out
_OF_MORNING: Final = (IN_THE_MORNING, "rann", MORNING, "przed")
_PART: Final = expression(r"\b(?:<in_part>|<of_part>)")
_PART_AS_USUAL: Final = expression(r"\b(?:<in_part>|<of_part>)(?: [^\W\d]+){0,2}? <unchanged>")
# "na odpust do Lipia, gdzie suma o 12.00": of the place named before
_WHERE: Final = expression(
    r" (?<!naszej )(?<!naszego )(?!koscio|swiatyn)[a-z]+,? (?:gdzie|dokad)\b(?:(?!\bu nas\b|\bnasz)[^;])*$"
    r"|\btam\b(?:(?!\bu nas\b|\bnasz)[^;])*$"
)
_EXCEPT_HOUR: Final = expression(r"\b<leaving_out>(?: [a-z]+){0,3}? <at>$")  # "z wyjątkiem tej o 9.00"
# "Msza w kościele, a o 11.00 jarmark": an hour of its own, and the word that says what is then
_HOUR_OF_ITS_OWN: Final = expression(r"(?:,|\ba|\bi|\boraz|<afterwards>) (?:juz )?<at>(?<=\w )$")
_WORD_AT_HOUR: Final = re.compile(r" ([a-z]{4,})(?=[.,;)]|$| [a-z])")
_PIECE_END: Final = re.compile(r"[,;()]")
_HEADS_LIST: Final = expression(r"(?:<order>|<masses>|<of_masses>)(?:[^:;.]|\bsw\.)*:")
_STANDS_FOR_MASS: Final = expression(r"<which_mass>")
_WEEKDAY: Final = expression("<weekday>")
_DATED: Final = re.compile(rf"\d|wigili|{PERIOD.pattern}")
_BESIDE: Final = expression(r"<advent_mass>|\bdodatkow")
_CHRISTMAS_EVE: Final = (12, 24)
_NO_END: Final = expression(
    r"\bod(?: dnia)? (?:<weekday>|<beginning_of_time>)|(?<!konca )(?<!koniec )<holidays>|<lasting>|\bw <in_month>"
    r"|(?<!jak )<daily>|(?<!\bna )<every>(?! (?:z nich|<the_mass>))"
)
_LASTS: Final = expression(
    r"<changing> <timetable>|\bzmian\w* czasu|<new> (?:<timetable>|por)|<renouncing>|\b(?:odtad|na stale)\b|\bod <of_month>"
)
# A place in the locative; feasts and seasons have other endings or are left out.
_TOWN: Final = re.compile(
    r"\b[Ww]e? ((?:[A-ZĆŁŚŹŻ][a-ząćęłńóśźż]+(?:ym|im|ej|ych|ich) )?[A-ZĆŁŚŹŻ][a-ząćęłńóśźż]{2,}"
    r"(?:ie|cu|ku|iu|wie|ach|dzu|rzu|żu|ej|skim|nym|kach|gu|chu|zy|cy|ce))\b"
)
_IN_NAME: Final = re.compile(r"\b[Ww]e? ([A-ZĆŁŚŹŻ]\w{2,})")
_NO_TOWN: Final = expression("<no_town>")
# "w parafii Chrystusa Króla w Łęgach", "w par. Zaborów"
_OF_PARISH: Final = re.compile(r"\b[Ww] (?:parafii|par\.) ([A-ZĆŁŚŹŻ]\w*)")
# "w parafii w Lipiu" may be a filial church's; "odpust parafialny w Lipiu" is that of another parish
_OWN: Final = re.compile(
    r"(?:kaplic|kościele|kościół|fili|cmentarz|szkol|figur|krzyż|remiz|świetlic|parafi(?!aln))\w*(?: \w+){0,3} $", re.I
)
# "w kościele ojców pijarów w Zawiszynie"
_OF_ORDER: Final = re.compile(
    r"(?:kaplic|kości|klaszto)\w* (?:\w+ )?(?:ojców|oo\.|księży|sióstr|ss\.|braci|karmelit|franciszk|dominik|bernardyn|kapucyn"
    r"|jezuit|pijar|paulin|pallotyn|salez|redemptoryst|benedykt|cyster)\w*(?: \w+)? $",
    re.I,
)
_ELSEWHERE: Final = expression(
    r"jasn\w+ gor|\bw (?:dekanacie|okolicy|okolicach)\b"
    r"|sasiedn|\bsasiedzi\b|pielgrzym\w+ (?:\w+ ){0,2}(?:do|na)\b|katedr|sanktuar|bazyli|kolegia[ct]|\bcerk"
    r"|\bu (?:\w+\.? )?(?:franciszk|dominik|jezuit|bernardyn|kapucyn|karmelit|paulin|pijar|salezj|redemptor|benedykt|cysters"
    r"|pallotyn|elzbietan|urszulan|albertyn|klarys|michalit|werbist|filipin|kamedul|misjonarz)"
    r"|\bw parafii (?:w|na|sw|pw|[a-z]+sk\w+)\b"
    r"|\bw (?:swo(?:jej|im)|rodzinn\w+) (?:\w+ )?(?:kaplic|koscie|klaszto|parafi)|transmisj\w* (?:<the_mass> )?z (?!nasz)"
    r"|(?:diecezjaln|dekanaln|ogolnopolsk|krajow)\w+ (?:\w+ )?(?:pielgrzymk|dozynk|spotkani|zjazd|swiet|dzien|kongres|czuwani)"
    r"|\bw domu <house_of>|(?:^|[.,;] )tam (?:tez |rowniez )?(?:we? |o (?:<clock>|\d)|na |bed|odb)"
    r"|telewiz|\btvp?\b|radi[ou]|tamtejsz|\bzaprasza(?:ja)?\b[^.:;]{0,40}\bna <patronal_feast>"
)
# "w naszym Sanktuarium", "u nas", and a bare "w Sanktuarium" without a name after it: the parish's own church.
_OWN_HOURS: Final = re.compile(r"\d[.:]\d\d(?: \([^()]*\))?(?:,|;| i| oraz| a| natomiast|, a| zaś)+ $")
_HOUR_NEXT: Final = expression(r"(?: –| -|:)? <at>(?:g\.? ?)?\d")
_ASIDE: Final = re.compile(r"\([^()\d]*\)")  # "(odpust w Lipiu)": of another church than the Mass beside it
_HERE: Final = expression(
    r"\bnasz\w+ (?:\w+ )?(?:sanktuari|bazyli|katedr|kolegia)\w+"
    r"|\bw (?:sanktuarium|bazylice)(?= (?:tego|w tym|o |<clock>|bed|zosta|odpraw|sprawow|<masses>)|[:,;.(])"
    r"|\bw kolegiacie(?= (?:jak|o |<clock>|bed|zosta|odpraw|sprawow|<masses>))"
    r"|\b(?:przed|przy|obok|za) (?:sanktuarium|bazylik|katedr)\w*(?=[,;.(]|$)"
)
_HERE_TOO: Final = re.compile(
    r"\bu nas\b|\bw nasz\w+|\bw (?:kosciele|swiatyni)(?! (?:filial|sw\b|sw\.|pw|w (?!tym|te|ten|dni|nied|czas)|na ))"
    r"|\bparafialnym\b"
)
_OTHER_PLACE: Final = re.compile(
    r"\b(?:we?|na|u) (?:\w+ )?(?:szpital|kaplic|fili[aiue]|hospicj|klaszto|dps\b|dom\w+ (?:pomocy|opieki|seniora)|zaklad"
    r"|wiezieni|areszt|kosci\w+ (?:filial|sw\b|sw\.|pw|w |na )|sanktuari|bazyli|katedr|siostr|szkol|remiz|swietlic|cmentarz)"
)
_SUBSTITUTE: Final = expression(r"<in_exchange>|<instead>|\bprzyjd|\bprzyjsc")
_PIECE_MARK: Final = re.compile(r"[,;:()–]| - |(?<=[a-z]{5})\. ")
_AT_NAME: Final = re.compile(r"\b(?:we?|na) (\w{3,}(?: \w+)?)")
_REASON_OF: Final = expression(r"(?:<owing_to>|<because>)[^,;.]*?(?= nie\b| <the_mass>|$)")
_OURS: Final = re.compile(r"\bu nas\b|\bnasz\w+ (?:\w+ )?(?:kosc|parafi|kaplic|swiatyn|wspoln)|\bw kosciele parafialn")
_EVENT: Final = expression(r"<event_at_place>")
# "Parafia św. Anny w Lipiu zaprasza w czwartek na Mszę św.", "Ojcowie pijarzy zapraszają ...": another host.
_HOSTS: Final = re.compile(
    r"\bproboszcz (?:\w+ )?parafii (?!nasz)|^\W*parafia (?!nasz)[^:.;\d]{3,60}:"
    r"|(?:^|\. )\W*(?:parafi[ae]|ojcowie|oo\.|siostry|ss\.|bracia|ksieza|klasztor|sanktuari\w+|bazylika|katedra|diecezja|dekanat"
    r"|seminarium|kustosz)\b"
    r"(?! nasz)[^.:;]{0,80}\b(?:zaprasza(?:ja)?|obchodz\w+|swietuj\w+)\b|\bu nich\b"
)
# "Do Kalwarii na odpust można pojechać autokarem: suma o 11.00": the Mass at the end of the way.
_TRAVEL: Final = re.compile(r"\b[Dd]o ([A-ZĆŁŚŹŻ]\w{2,})")
_GOES: Final = re.compile(
    r"\b(?:(?:po|wy)?jech\w+|(?:po|wy)?jedzi\w+|(?:po)?jada\b|wyjezdz\w+|wyjazd\w*|wyrusz\w+|wybier\w+ sie"
    r"|uda(?:je|ja|my)\w* sie|autokar\w*|autobus\w*|wycieczk\w+|pielgrzym\w+)"
)


@dataclass(slots=True)
class Sentence:
    """A sentence as it was read.

    Attributes:
        written: its words.
        since: the day from which its weekdays are counted.
        is_listed: whether it is a line of a list of Masses, or speaks of the days of lines.
        ends_line: whether it is the last of its line.
    """

    written: str
    since: date
    is_listed: bool = False
    ends_line: bool = False


@dataclass(frozen=True, slots=True)
class SentenceContext:
    """A sentence with what stands in and around it.

    Attributes:
        sentence: as it was read.
        folded: its text with dates blanked and hours in digits, of the same length.
        words: its folded text.
        days: periods it names.
        left_out: those it excepts.
        earlier: those of each sentence before it.
        staying: (day, hour) of usual Masses that other sentences say to stay.
        day_of_aside: the day named last in its line, where it goes back behind the one before and does not open its sentence.
        hours: in order.
        changes: all that were read from it.
        every: all of the text.
        written_before: the sentences right before.
        after: the sentence right after it in its line, "" for none.
        issued: day of the announcement.
    """

    sentence: Sentence
    folded: str
    words: str
    days: Sequence[Period]
    left_out: Sequence[Period]
    earlier: Sequence[Sequence[Period]]
    staying: Sequence[tuple[Period, str]]
    day_of_aside: date | None
    hours: Sequence[ClockToken]
    changes: Sequence[ScheduleChange]
    every: Sequence[ScheduleChange]
    written_before: str
    after: str
    issued: date

    @property
    def before(self) -> str:
        """Folded words of the sentences right before."""
        return fold(self.written_before)


@dataclass(frozen=True, slots=True)
class Reason:
    """One reason against publishing a change unseen.

    Attributes:
        doubt: what it is called.
        holds: of a change and its sentence.
        example: an announcement of Sunday 29 November 2026 whose change has this doubt and no other.
        near_miss: one whose changes have none.
    """

    doubt: Doubt
    holds: Callable[[ScheduleChange, SentenceContext], bool]
    example: str
    near_miss: str


def with_doubts(
    changes: Sequence[ScheduleChange], sentences: Sequence[Sentence], judged: Collection[ScheduleChange], issued: date
) -> list[ScheduleChange]:
    """The changes with their doubts; a dated one without any has all evidence that a reader would ask for.

    Lasting changes stay without: they wait for a person anyway.

    Args:
        changes: all changes of one announcement, in order.
        sentences: of it, in order.
        judged: changes that bring their doubts with them.
        issued: its day.
    """
    if len(changes) > _MOST_CHANGES:
        return [change if change.valid_to is None else replace(change, doubts=("words",)) for change in changes]
    found: list[ScheduleChange] = []
    where = {sentence.written[:QUOTED]: at for at, sentence in reversed(list(enumerate(sentences)))}
    days = [_days_of(sentence) for sentence in sentences] if changes else []
    for change in changes:
        at = where.get(change.quote)
        if change.valid_to is None or change in judged:
            found.append(change)
        elif at is None or len(sentences[at].written) > QUOTED:
            found.append(replace(change, doubts=("words",)))
        else:
            scene = _scene(at, change, changes, days, sentences, issued)
            found.append(replace(change, doubts=tuple(dict.fromkeys(one.doubt for one in REASONS if one.holds(change, scene)))))
    return _with_lists_left_open(found)


def _days_of(sentence: Sentence) -> list[Period]:
    """The days of a sentence; "w tym czasie od poniedziałku do piątku" names those of every week meanwhile, none of its own."""
    folded = folded_sentence(sentence.written)
    days = days_spoken_of(find_periods(sentence.written, sentence.since), folded)
    if not phrases.MEANWHILE.match(folded):
        return days
    return [day for day in days if day.is_day or day.is_dated(folded)]


def _scene(
    at: int,
    change: ScheduleChange,
    changes: Sequence[ScheduleChange],
    days: Sequence[Sequence[Period]],
    sentences: Sequence[Sentence],
    issued: date,
) -> SentenceContext:
    words = folded_sentence(sentences[at].written)
    folded = without_days(words, days[at])
    if not phrases.AS_SUNDAY.search(folded):  # "oprócz zwykłych Mszy o 7.00 i 18.00": mentioned only as what there is
        folded = phrases.BESIDES.sub(_blank, folded)
    folded = phrases.BUT_SUNDAYS.sub(_blank, folded)
    folded = phrases.REMARK.sub(_blank, without_asides(in_digits(folded)))  # what a bracket says of one Mass of a list
    return SentenceContext(
        sentence=sentences[at],
        folded=folded,
        words=words,
        days=days[at],
        left_out=days_left_out(sentences[at].written, sentences[at].since),
        earlier=days[:at],
        staying=[
            (day, hour)
            for sentence, named in zip(sentences, days, strict=True)
            if sentence is not sentences[at] and phrases.UNCHANGED.search(said := folded_sentence(sentence.written))
            if not phrases.NEGATION.search(said) and not phrases.MOVED.search(said)
            for hour in mass_hours(in_digits(without_days(said, named)))
            for day in named
        ],
        day_of_aside=_day_of_aside(at, days, sentences),
        hours=clock_hours(folded),
        changes=[one for one in changes if one.quote == change.quote],
        every=changes,
        written_before=" ".join(one.written for one in sentences[max(0, at - _NEAR) : at]),
        after="" if sentences[at].ends_line else " ".join(one.written for one in sentences[at + 1 : at + 2]),
        issued=issued,
    )


def _day_of_aside(at: int, days: Sequence[Sequence[Period]], sentences: Sequence[Sentence]) -> date | None:
    """ "We wtorek witamy pielgrzymów. Nocują u nas w poniedziałek. Msza o 5.30": a day that goes back may be no head."""
    begins = next((k + 1 for k in range(at - 1, -1, -1) if sentences[k].ends_line), 0)
    named = [k for k in range(begins, at) if days[k]][-2:]
    if len(named) < _FEW:
        return None
    before, last = (days[k] for k in named)
    opens = len(sentences[named[-1]].written[: last[0].start].split()) < _FEW
    return None if opens or last[0].first >= min(day.first for day in before) else last[0].first


def _with_lists_left_open(found: Sequence[ScheduleChange]) -> list[ScheduleChange]:
    """The changes, those doubtful beside hours of their days that wait: a list or a day half told is not told.

    Hours that wait may be of a list, and would be lost; and nobody is told that a Mass falls out whose new hour waits.
    """
    waiting = [one for one in found if one.doubts and one.kind in ("added", "order", "moved")]
    waiting = [one for one in waiting if not (one.kind == "added" and one.doubts == ("elsewhere",))]  # of another church's list

    def is_open(one: ScheduleChange) -> bool:
        beside = [other for other in waiting if _meet(one, other)]
        if one.kind in ("cancelled", "moved"):
            instead = _SUBSTITUTE.search(fold(one.quote)) is not None
            return instead and any(other.quote == one.quote and other.times != one.times for other in beside)
        lists = [other for other in beside if other.kind == "order" or (other.kind == "added" and _is_of_day(one))]
        return one.kind == "order" and any(set(other.times) - set(one.times) for other in lists)

    return [replace(one, doubts=("hours_left",)) if not one.doubts and is_open(one) else one for one in found]


def _meet(one: ScheduleChange, other: ScheduleChange) -> bool:
    """Whether two changes have days in common."""
    return one.valid_from <= _last(other) and other.valid_from <= _last(one)


def _is_of_day(change: ScheduleChange) -> bool:
    """Whether it is of one day: within a season the hours are those of other weekdays."""
    return change.valid_from == change.valid_to


def _last(change: ScheduleChange) -> date:
    return change.valid_to or date.max


def _own(change: ScheduleChange, scene: SentenceContext) -> list[Period]:
    """The days of its sentence that a change is about; an hour after midnight is of the day before."""
    after = _DAY if _MIDNIGHT in change.times else timedelta()
    return [day for day in scene.days if day.first <= change.valid_from <= day.last + after]


def _names_other_days(change: ScheduleChange, scene: SentenceContext) -> bool:
    return bool(scene.days) and not _own(change, scene)


def _goes_back(change: ScheduleChange, scene: SentenceContext) -> bool:
    """Days are named in their order: a weekday that goes back after a day named before it may be of another week."""
    own = _own(change, scene)
    by_weekday = [day for day in own if day.is_day and _WEEKDAY.fullmatch(scene.words[day.start : day.end])]
    if not own or by_weekday != own:
        return False
    before = [day for days in scene.earlier for day in days] + [day for day in scene.days if day.start < own[0].start]
    return any(_is_other_week(day, change, scene) for day in before if day.first > change.valid_from)


def _is_other_week(day: Period, change: ScheduleChange, scene: SentenceContext) -> bool:
    """Whether a day named before is far away, a stretch of days, named in the same sentence, or followed by that weekday.

    "Niedziela Zmartwychwstania: ... Poniedziałek: ..." on Palm Sunday means the Monday after.
    """
    followed = day.first - change.valid_from == _WEEK - _DAY
    return followed or day.first - scene.issued > _WEEK or not day.is_day or day in scene.days


def _takes_day_of_aside(change: ScheduleChange, scene: SentenceContext) -> bool:
    return not scene.days and _is_of_day(change) and change.valid_from == scene.day_of_aside


def _leaves_half_as_usual(change: ScheduleChange, scene: SentenceContext) -> bool:
    """ "W środę tylko o 7.30. Wieczorem jak zwykle.": of a half of the day that the list leaves out nothing changes."""
    said = _PART_AS_USUAL.search(f"{scene.words} | {fold(scene.after)}") if change.kind == "order" else None
    evening = said is not None and not said[0].startswith(_OF_MORNING)
    return said is not None and bool(change.times) and all((time >= AFTERNOON) is not evening for time in change.times)


def _leaves_open_days_out(change: ScheduleChange, scene: SentenceContext) -> bool:
    """Whether a sentence about several days excepts some that nobody can tell: "z wyjątkiem pierwszego piątku"."""
    return not _is_of_day(change) and _OPEN_EXCEPTION.search(without_days(scene.words, scene.left_out)) is not None


def _is_kept_elsewhen(change: ScheduleChange, scene: SentenceContext) -> bool:
    """A Sunday with the order of weekdays: its feast is kept on another day."""
    return any(one.kind == "as_weekday" and _is_of_day(one) and one.valid_from.weekday() == _SUNDAY for one in scene.changes)


def _is_bounded(change: ScheduleChange, scene: SentenceContext) -> bool:
    """Whether what is said for several days ends with them: besides the usual, or instead of what falls out on these days."""
    span = (change.valid_from, change.valid_to)
    instead = any(one.kind == "cancelled" and (one.valid_from, one.valid_to) == span for one in scene.changes)
    beside = any(one.search(scene.words) for one in (_BESIDE, phrases.BESIDES))
    return (_last(change) - change.valid_from < _WEEK and (beside or instead)) or (beside and _ends(change, scene))


def _ends(change: ScheduleChange, scene: SentenceContext) -> bool:
    """Whether its last day is given: by the sentence, or by Advent, which ends with Christmas Eve."""
    ends = [scene.words[day.start : day.end] for day in scene.days if day.last == change.valid_to and not day.is_day]
    return any(map(_DATED.search, ends)) or (_last(change).month, _last(change).day) == _CHRISTMAS_EVE


def _has_no_end(change: ScheduleChange, scene: SentenceContext) -> bool:
    if change.kind == "added" and not _is_of_day(change):
        return not _is_bounded(change, scene)
    words = phrases.MEANWHILE.sub("", phrases.AS_SUNDAY.sub("", scene.folded))
    if not _NO_END.search(words):
        return False
    # "W maju ... 10, 17 i 24 maja o 16.00": the dates are given, or those of a period without an exception
    if _is_of_day(change) and all(day.is_day for day in scene.days):
        return not (scene.days and all(_is_date(day, scene.words) for day in scene.days))
    return not (scene.days and (change.kind in ("cancelled", "moved") or _is_weekly(change) or _ends(change, scene)))


def _states_usual(change: ScheduleChange, scene: SentenceContext) -> bool:
    """Whether hours of working days or of every day, in a sentence without a day of its own, are those of every week."""
    details = change.details
    told = details.is_beside or details.is_of_roraty or phrases.AS_WEEKDAY.search(scene.words) is not None
    return change.kind == "added" and not scene.days and details.is_general and not told


def _is_date(day: Period, words: str) -> bool:
    return day.is_day and (day.is_dated(words) or day.end - day.start == 1)  # one of "10, 17 i 24 maja"


def _goes_on_after(change: ScheduleChange, scene: SentenceContext) -> bool:
    """ "Zmiana porządku Mszy św. We wtorki o 18.00": what was said before does not end with a day."""
    dated = change.kind == "moved" and _is_of_day(change) and any(_is_date(day, scene.words) for day in scene.days)
    return _LASTS.search(scene.before) is not None and not dated


def _hours_of(change: ScheduleChange, scene: SentenceContext) -> list[ClockToken]:
    """Where its hours stand, each once."""
    times = (*change.times, *change.new_times)
    found = {hour.time: hour for hour in reversed(scene.hours) if hour.time in times}
    return sorted(found.values(), key=lambda hour: hour.start)


def _leaves_hours(change: ScheduleChange, scene: SentenceContext) -> bool:
    """Whether an hour of the sentence is in no change and not that of another service: "święconka 10.00, 11.00", "15.00 ślub"."""
    read = {time for one in scene.changes for time in (*one.times, *one.new_times)}
    because = phrases.BECAUSE.search(scene.folded)
    reason = because.start() if because and not phrases.MASS.search(because[0]) else len(scene.folded)
    before: ClockToken | None = None
    is_other = False
    for hour in scene.hours:
        follows = before is not None and LIST.fullmatch(scene.folded[before.end : hour.start]) is not None
        alone = _MAYBE_WITHOUT_MASS.search(_words_around(hour, scene.folded)) is not None or hour.start > reason
        is_other = (is_other and follows) or alone or _is_as_usual(hour, scene.folded) or _is_of_other(hour, scene.folded)
        before = hour
        if not is_other and hour.time not in read:
            return True
    return False


def _is_as_usual(hour: ClockToken, folded: str) -> bool:
    """Whether a Mass is mentioned as there anyway: "dodatkowa Msza o 10.00, wieczorna jak zwykle o 17.00"."""
    begins = max(folded.rfind(mark, 0, hour.start) for mark in (",", ";", "(")) + 1
    behind = _PIECE_END.split(folded[hour.end :])[0]
    return phrases.UNCHANGED.search(folded[begins : hour.start]) is not None or _AS_USUAL.match(behind) is not None


def _between(hour: ClockToken, span: tuple[int, int], folded: str) -> str:
    """The words between an hour and something else."""
    between = folded[span[1] : hour.start] if span[0] < hour.start else folded[hour.end : span[0]]
    return _COMMAS.sub(", ", between)


def _words_around(hour: ClockToken, folded: str) -> str:
    """The words around an hour up to the next comma, "i" or hour."""
    folded = _ABBREVIATED.sub(lambda match: match[0][:-1] + " ", folded).replace(", czyli ", "  czyli ")
    before = _BOUND.split(folded[: hour.start])[-1]
    behind = re.split(r"\d", _BOUND.split(folded[hour.end :])[0])[0]
    return _ALONG.sub("", f"{before} {behind}")


def _is_of_other(hour: ClockToken, folded: str) -> bool:
    head = folded[: hour.start]
    return phrases.OTHER.search(_words_around(hour, folded)) is not None or any(one.search(head) for one in (BEGIN_OR_END, ENDS))


def _is_apart_from_mass(change: ScheduleChange, scene: SentenceContext) -> bool:
    mine = _hours_of(change, scene)
    masses = [match.span() for match in phrases.MASS.finditer(phrases.BESIDES.sub(_blank, scene.words))]
    if not (mine and masses) or scene.sentence.is_listed or _is_weekly(change):
        return False
    headed = change.kind == "order" and _HEADS_LIST.search(scene.words[: mine[0].start])
    # no other service is named to which the hour could belong: "Msze 10.00 i 12.00, nie ma o 8.00"
    only_one = len(scene.hours) == 1 and phrases.ONLY_ONE.search(scene.words) is not None
    alone = (change.kind == "cancelled" or only_one) and phrases.OTHER.search(scene.folded) is None
    if headed or alone or phrases.AS_SUNDAY.search(scene.words) or _STANDS_FOR_MASS.search(_words_around(mine[0], scene.folded)):
        return False
    return all(_BREAK.search(_between(mine[0], span, scene.folded)) for span in masses)


def _is_denied_apart(change: ScheduleChange, scene: SentenceContext) -> bool:
    """Whether "nie" stands apart from the hour that falls out, or its hours apart from each other."""
    mine = _hours_of(change, scene) if change.kind == "cancelled" else []
    cues = [match.span() for match in _NEGATED.finditer(scene.folded)]
    apart = bool(mine and cues) and all(_BREAK.search(_between(mine[0], span, scene.folded)) for span in cues)
    return apart or any(_BREAK.search(scene.folded[one.end : other.start]) for one, other in pairwise(mine))


def _is_excepted(change: ScheduleChange, scene: SentenceContext) -> bool:
    """ "Nie będzie Mszy porannych z wyjątkiem tej o 9.00": what is left out of a denial takes place."""
    for hour in _hours_of(change, scene) if change.kind == "cancelled" else ():
        said = _EXCEPT_HOUR.search(scene.folded[: hour.start])
        if said is not None and _NEGATED.search(scene.folded, 0, said.start()) is not None:
            return True
    return False


def _is_of_unknown(change: ScheduleChange, scene: SentenceContext) -> bool:
    """ "Msza św. w kościele, a o 11.00 jarmark": at an hour of its own something takes place that nobody knows for a Mass."""
    for hour in _hours_of(change, scene) if change.kind in ("added", "order") else ():
        named = _WORD_AT_HOUR.match(scene.folded, hour.end)
        if named is None or not _HOUR_OF_ITS_OWN.search(scene.folded[: hour.start]):
            continue
        word, said = named[1], _PIECE_END.split(scene.folded[hour.end :])[0]
        known = any(one.search(said) for one in (phrases.MASS, phrases.OTHER, _STANDS_FOR_MASS))
        if not (known or is_filler(word) or names_kind_of_mass(word) or word in vocabulary_words()):
            return True
    return False


def _is_denied_for_other_half(change: ScheduleChange, scene: SentenceContext) -> bool:
    """ "Rano Mszy nie będzie, wieczorem o 18.00 Msza": the half of the day that falls out is not that of the hour."""
    for cue in _NEGATED.finditer(scene.folded) if change.kind == "cancelled" and change.times else ():
        begins = max(scene.folded.rfind(mark, 0, cue.start()) for mark in (",", ";", "(", "–")) + 1
        behind = _PIECE_END.search(scene.folded, cue.end())
        part = _PART.search(scene.folded, begins, behind.start() if behind else len(scene.folded))
        if part is not None and all((time >= AFTERNOON) is part[0].startswith(_OF_MORNING) for time in change.times):
            return True
    return False


def _is_at_same_hour(change: ScheduleChange, scene: SentenceContext) -> bool:
    """ "Sumy o 12.00 w kościele nie będzie, spotykamy się o tej godzinie na Mszy polowej": only the place is another."""
    return change.kind == "cancelled" and _SAME_HOUR.search(f"{scene.words} {fold(scene.after)}") is not None


def _may_be_today(change: ScheduleChange, scene: SentenceContext) -> bool:
    near = scene.issued.weekday() == _SUNDAY and change.valid_from - scene.issued <= _WEEK
    return near and _THIS_SUNDAY.search(scene.words) is not None


def _shifts(change: ScheduleChange, scene: SentenceContext) -> bool:
    """Whether a "zamiast", "wcześniej" was not used; what is said of another service after a semicolon does not count."""
    if change.kind == "moved" or (change.kind == "order" and (_is_weekly(change) or len(change.times) > _FEW)):
        return False
    first, *others = scene.folded.split(";")
    of_masses = ";".join((first, *(one for one in others if phrases.MASS.search(one) or not phrases.OTHER.search(one))))
    return _MOVES.search(of_masses) is not None


def _is_referred(change: ScheduleChange, scene: SentenceContext) -> bool:
    """Whether Masses are named as if they were there anyway; "na Mszy o 18.00" speaks of no other hour than that."""
    ashes = phrases.ASHES.search(scene.words) is not None
    for said in _REFERRED.finditer(scene.folded) if change.kind == "order" and not ashes else ():
        piece = re.split(r"[;,.] ", scene.folded[said.end() :].replace("sw. ", "sw  "))[0]
        hours = {hour.time for hour in scene.hours if said.end() <= hour.start < said.end() + len(piece)}
        if not hours or hours & set(change.times):
            return True
    return False


def _is_unsure(change: ScheduleChange, scene: SentenceContext) -> bool:
    """Whether it is not said to be so: a condition, a proposal, a question, or what is aimed at, "żeby Msza była o 17.00"."""
    aims = [match.span() for match in phrases.PURPOSE.finditer(scene.sentence.written)]
    mine = _hours_of(change, scene)
    aimed_at = bool(mine) and all(any(start <= hour.start < end for start, end in aims) for hour in mine)
    return aimed_at or _UNSURE.search(scene.folded) is not None


def _may_be_list(change: ScheduleChange, scene: SentenceContext) -> bool:
    """Whether several added hours may be all of the day; "dla szkoły o 8.00, dla liceum o 9.00" are not."""
    each = len(_GROUP.findall(scene.folded)) >= len(change.times)
    several = change.kind == "added" and len(change.times) > 1
    told = each or scene.sentence.is_listed or any(one.search(scene.folded) for one in (phrases.BESIDE_USUAL, _OF_SOME))
    return several and not told


def _is_odd_move(change: ScheduleChange, scene: SentenceContext) -> bool:
    return change.kind == "moved" and (len(change.new_times) != 1 or len(change.times) > 1 or not (change.times or change.part))


def _is_whole_day(change: ScheduleChange, scene: SentenceContext) -> bool:
    return change.kind == "cancelled" and not change.times and not change.part and "zadn" not in scene.words


def _is_weekly(change: ScheduleChange) -> bool:
    return change.kind == "order" and change.details.is_weekly


def _contradicts_other(change: ScheduleChange, scene: SentenceContext) -> bool:
    """Whether another change says something else of an hour of the same days; a Mass of a list may be added once more."""
    for one in scene.every:
        is_apart = (
            change.details.is_weekly and one.details.is_weekly and set(change.details.weekdays).isdisjoint(one.details.weekdays)
        )
        again = one.kind == change.kind or {one.kind, change.kind} == {"added", "order"} or one.valid_to is None
        if _meet(one, change) and not is_apart and not again and set(one.times) & set(change.times):
            return True
    return False


def _is_kept_after_all(change: ScheduleChange, scene: SentenceContext) -> bool:
    """ "Msza o 9.00 zamiast o 18.00 ... W piątek Msza normalnie o 18.00": the same hour of the same day is said to stay."""
    takes = change.times if change.kind in ("cancelled", "moved") else ()
    return any(hour in takes and day.first <= change.valid_from <= day.last for day, hour in scene.staying)


def _blank(match: re.Match[str]) -> str:
    return " " * len(match[0])


def is_elsewhere(change: ScheduleChange, scene: SentenceContext) -> bool:
    """Whether the Mass may be that of another church, parish or of a pilgrimage."""
    if change.kind in ("cancelled", "moved"):
        cue = (_NEGATED if change.kind == "cancelled" else _MOVES).search(scene.words)
        return cue is not None and _names_other_place(change, cue.span(), scene)
    written, is_ours = _ASIDE.sub("", scene.sentence.written), _OURS.search(scene.folded) is not None
    if not is_ours:
        of_parish = not written.isupper() and _names(_OF_PARISH, phrases.MASS, written)
        at_end_of_journey = _GOES.search(scene.folded) and _TRAVEL.search(written)  # not a reason why something is otherwise here
        if of_parish or at_end_of_journey or _speaks_of_others(scene) or _HOSTS.search(scene.folded):
            return True
    hours = _hours_of(change, scene)
    if any(_WHERE.search(scene.folded[: hour.start]) for hour in hours):
        return True
    if change.kind == "order" and hours and _names_other_place(change, (hours[0].start, hours[0].end), scene):
        return True
    of_town = change.kind in ("added", "order") and not scene.sentence.is_listed and _is_of_town(written)
    return of_town or _ELSEWHERE.search(_HERE.sub("", _without_reasons(change, scene))) is not None


def _names_other_place(change: ScheduleChange, cue: tuple[int, int], scene: SentenceContext) -> bool:
    """Whether the words around a cue name a place: "W szpitalu w środę nie będzie Mszy", "W Zalesiu Msze o 9.00 i 11.00".

    Where else somebody is meanwhile is said behind a comma or another mark.
    """
    if change.details.is_here or _HERE_TOO.search(scene.words) or len(scene.words) != len(scene.sentence.written):
        return False
    marks = (mark for mark in _PIECE_MARK.finditer(scene.words, 0, cue[0]) if change.kind != "order" or mark[0] != ":")
    first = max((mark.end() for mark in marks), default=0)  # a list belongs to what heads it: "Odpust w klasztorze: Msze o ..."
    behind = _PIECE_MARK.search(scene.words, cue[1])
    # "9.00, 15.00 (na cmentarzu)", "zamiast o 11.30 będzie o 12.00 w kaplicy": behind them is where some are, or will be
    ends = cue[0] if change.kind != "cancelled" else behind.start() if behind else None
    said = _HERE.sub(_blank, _REASON_OF.sub(_blank, scene.words[first:ends]))
    of_town = any(_names_town(scene.sentence.written[first:][slice(*match.span(1))]) for match in _AT_NAME.finditer(said))
    return of_town or _OTHER_PLACE.search(said) is not None


def _names_town(name: str) -> bool:
    return name[:1].isupper() and begins_with_town(name) and _NO_TOWN.match(fold(name)) is None


def _without_reasons(change: ScheduleChange, scene: SentenceContext) -> str:
    """The words without why something is so: "o 7.00, bo wieczorem jadę do sanktuarium"; hours of a reason keep it."""
    because = phrases.BECAUSE.search(scene.folded)
    hours = [hour for hour in scene.hours if hour.time in (*change.times, *change.new_times)]
    ends = because.start() if because and hours and all(hour.end <= because.start() for hour in hours) else len(scene.folded)
    return scene.folded[:ends]


def _speaks_of_others(scene: SentenceContext) -> bool:
    """Whether the sentences before tell of another parish: "W Borkach odpust. Tamtejszy proboszcz zaprasza o 9.00 i 11.00"."""
    if phrases.MASS.search(scene.before) or _OURS.search(scene.before):
        return not scene.days and _is_of_elsewhere(scene.before)
    event = _EVENT.search(scene.before) is not None
    named = _names(_OF_PARISH, phrases.MASS, scene.written_before) or _is_of_town(scene.written_before)
    return (event and named) or _HOSTS.search(scene.before) is not None or _is_of_elsewhere(scene.before)


def _names(pattern: re.Pattern[str], none: re.Pattern[str], written: str) -> bool:
    """Whether a capitalised word, the first group, is a name and none of these words."""
    return any(not none.match(fold(match[1])) for match in pattern.finditer(written))


def _is_of_elsewhere(words: str) -> bool:
    return _ELSEWHERE.search(_HERE.sub("", words)) is not None


def _is_of_town(written: str) -> bool:
    """Whether a place is named that is none of the usual ones of a parish: "dzień wspólnoty w Krośnie"."""
    if written.isupper():
        return False
    named = (match for pattern in (_TOWN, _IN_NAME) for match in pattern.finditer(written) if not _NO_TOWN.match(fold(match[1])))
    towns = ((written[: match.start()], match) for match in named if match.re is _TOWN or begins_with_town(match[1]))
    return any(_OF_ORDER.search(before) or not (_OWN.search(before) or _is_filial(written, match)) for before, match in towns)


def _is_filial(written: str, town: re.Match[str]) -> bool:
    """Whether a village goes on with the list of one's own church: "o 8.00 i 10.00, a w Lipiu o 9.00"."""
    before = _OWN_HOURS.search(written[: town.start()]) is not None
    return before and _HOUR_NEXT.match(written[town.end() :]) is not None


REASONS: Final[tuple[Reason, ...]] = (
    Reason(
        "day",
        _names_other_days,
        "Od 19 do 31 grudnia Msze św. w poniedziałek i środę tylko o 17.30.",
        "Od poniedziałku 30 listopada roraty o 6.30.",
    ),
    Reason(
        "day",
        _goes_back,
        "W niedzielę 6 grudnia odpust.\nW poniedziałek Msza tylko o 9.00.",
        "W środę odpust.\nW piątek Msza tylko o 9.00.",
    ),
    Reason(
        "day",
        _leaves_open_days_out,
        "Od 1 do 23 grudnia nie ma Mszy o 18.00, z wyjątkiem niektórych piątków.",
        "Od 1 do 23 grudnia nie ma Mszy o 18.00, z wyjątkiem piątku 4 grudnia.",
    ),
    Reason(
        "day",
        _takes_day_of_aside,
        "W środę gościmy chór. Przyjedzie do nas już we wtorek. Msza o 19.00.",
        "W środę gościmy chór. Wyjedzie od nas w czwartek. Msza o 19.00.",
    ),
    Reason(
        "kind",
        _leaves_half_as_usual,
        "W środę Msza tylko o 8.00. Wieczorem po staremu.",
        "W środę Msza tylko o 8.00. Rano po staremu.",
    ),
    Reason("day", _is_kept_elsewhen, "W niedzielę Msze jak w dzień powszedni.", "W środę Msze jak w dzień powszedni."),
    Reason("no_end", _has_no_end, "Od poniedziałku do piątku Msza o 17.00.", "Od 1 do 3 grudnia dodatkowa Msza o 17.00."),
    Reason(
        "no_end",
        _goes_on_after,
        "Zmiana porządku Mszy. W środę Msza tylko o 17.00.",
        "Zmiana dekoracji. W środę Msza tylko o 17.00.",
    ),
    Reason(
        "no_end",
        _states_usual,
        "W środę nasz odpust. Msze w dni powszednie o 18.00.",
        "W środę nasz odpust. Msza o 18.00.",
    ),
    Reason("hours_left", _leaves_hours, "W środę początek o 9.00, Msza o 12.00.", "W środę różaniec o 9.00, Msza o 12.00."),
    Reason(
        "service", _is_apart_from_mass, "W środę Msza z chórem; początek – 17.00", "W środę Msza, którą odprawi biskup, o 17.00."
    ),
    Reason(
        "negation",
        _is_denied_apart,
        "We wtorek nie będzie Mszy o 7.30 – pogrzeb o 11.00.",
        "We wtorek nie będzie Mszy o 7.30 i 11.00.",
    ),
    Reason(
        "negation",
        _is_excepted,
        "W środę nie będzie porannych Mszy, prócz tej o 9.00.",
        "W środę nie będzie Mszy o 9.00, prócz tego rano bez zmian.",
    ),
    Reason(
        "negation",
        _is_denied_for_other_half,
        "W środę rano Mszy nie będzie, wieczorem o 18.00 Msza.",
        "W środę wieczorem Mszy o 18.00 nie będzie.",
    ),
    Reason(
        "service",
        _is_of_unknown,
        "W środę Msza o 17.00, a o 18.30 wernisaż.",
        "W środę Msza o 17.00, a o 18.30 poranna.",
    ),
    Reason(
        "shift",
        _is_at_same_hour,
        "W środę o 18.00 nie ma Mszy w kościele. O tej porze Msza w szkole.",
        "W środę o 18.00 nie ma Mszy w kościele.",
    ),
    Reason("elsewhere", is_elsewhere, "W środę Msza o 9.00 w sąsiedniej wspólnocie.", "W środę Msza o 9.00 w naszej wspólnocie."),
    Reason("day", _may_be_today, "Tej niedzieli nie ma Mszy o 12.00.", "W niedzielę nie ma Mszy o 12.00."),
    Reason("shift", _shifts, "W środę Msza o 9.00, kancelaria później.", "W środę Msza o 9.00, potem kancelaria."),
    Reason("reference", _is_referred, "W środę Msze o 10.00 i 12.00 są dla dzieci.", "W środę Msze o 9.00, 10.00 i 11.00."),
    Reason("words", _is_unsure, "W środę prawdopodobnie nie będzie Mszy o 7.00.", "W środę na pewno nie będzie Mszy o 7.00."),
    Reason("kind", _may_be_list, "W środę Msza o 8.00 oraz 18.00", "W środę Msza o 8.00 dla dzieci i o 9.30 dla młodzieży."),
    Reason("kind", _is_odd_move, "W środę zamiast o 7.00 i 8.00 Msza o 9.00.", "W środę zamiast o 7.00 Msza o 9.00."),
    Reason("whole_day", _is_whole_day, "W środę nie będzie Mszy.", "W środę nie będzie żadnej Mszy."),
    Reason(
        "contradiction",
        _is_kept_after_all,
        "W środę Msza o 9.00 zamiast o 18.00.\nW środę Msza normalnie o 18.00.",
        "W środę Msza o 9.00 zamiast o 18.00.\nW środę Msza normalnie o 7.00.",
    ),
    Reason(
        "contradiction",
        _contradicts_other,
        "W środę Msza o 9.00.\nW środę nie będzie Mszy o 9.00.",
        "W środę Msza o 9.00.\nW środę nie ma Mszy o 7.00.",
    ),
)
