"""The words by which announcements speak of Masses, of other services, and of what changes. Folded text (`identifiers.fold`).

Patterns, and what one or two of them tell by themselves; what follows is decided in reading, kinds and hours.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from mass_pipeline.reading.changes.change import Part
from mass_pipeline.reading.words.expressions import expression
from mass_pipeline.reading.words.period import Period

MASS: Final = expression(r"<mass>|<high_mass>(?= (?:\w+ )?<at><hour>| przewodnicz)")  # "Sumie o 12.00 przewodniczy"
OTHER: Final = expression(
    r"<other_service>|\b(?:przed|po) (?:\w+ )?<high_mass>|\bprzed (?!nim|niej|nich)(?:\w+ )?(?:<the_mass>|<midnight_mass>)"
    r"|\bpo (?!nim|niej|nich)(?:\w+ )?<at_mass>|<of_intentions>(?! <of_mass>)|zakonczeni\w+ (?=ok\b|okolo|<at>\d)"
)
# "Dzieci zapraszamy na godzinę 18.00." after a sentence about roraty.
INVITES_TO_HOUR: Final = expression(r"<inviting> (?:\w+ ){0,3}na <at>\d")
NO_RORATY: Final = expression(
    r"<advent_mass> (?:<at><hour> )?(?:(?!<the_mass>)[a-z]+ ){0,3}<is_not>(?! <the_mass>)"
    r"|<is_not> (?:(?!<the_mass>)[a-z]+ ){0,3}<advent_mass>|\bbez <advent_mass>"
)
RORATY: Final = expression(r"<advent_mass>")
REFERENCE: Final = expression(
    r"\bna (?!<additional>)(?:\w+ )?<at_mass>|<during> (?:\w+ )?<the_mass>"
    r"|<masses> (?:[^.;:]|\.(?=\d)|(?<=\bsw)\.){0,60}?<says_mass> (?:[a-z]+ ){0,3}?<priest>"  # who says those that are usual
)
# "Posypanie głów popiołem na Mszach św.: 8.00, 10.00 i 18.00": the Masses of Ash Wednesday.
ASHES: Final = expression(r"\bpopiol\w*[^.;\d]{0,60}\b(?:na|podczas|w czasie) (?:<the_mass>)")
# Masses of another parish.
ELSEWHERE: Final = re.compile(r"\bsasiedni\w+ parafi\w+|\bw parafii (?:pw\.|sw\.|(?:w|na) [a-z]+)|\bjasn\w+ gor\w+")
# The Masses that stay are no news: "nie będzie Mszy wieczornej; zapraszamy na poranną o 7.00".
FROM_THEN: Final = expression(r"<from_then>")
# What takes several days: weekdays named after its first day are days of it.
SEVERAL_DAYS: Final = expression(r"<several_days>")
NOT_THAT_PART: Final = expression(r"\b(?:a nie|<instead>) (?:<the_mass> )?(<in_part>|<of_part>)(?! o (?:<clock>|\d))")
# "Pogrzeb o 12.00 w kaplicy (bez Mszy św.)": said of another service.
WITHOUT_MASS: Final = expression(rf"(?:^|(?:{OTHER.pattern})[^.,;:\d]{{0,20}}? )\(?bez (?:\w+ )?<the_mass>\W*$")
CONSEQUENCE: Final = expression(r"^<therefore>")
# "O 9.00 nie ma." after a sentence about the Masses of the day.
HOUR_FALLS_OUT: Final = expression(r"<at><hour>(?: i (?:o )?<hour>)* <is_not>\.?")
PART_FALLS_OUT: Final = expression(r"<of_part> (?:<at><hour> )?(?:<that_day> |we? \w+ |juz |tez )?nie\b")
BECAUSE: Final = expression(r"<because>.*$")
REMARK: Final = re.compile(r"(?<=\d )\((?:[^()\d]|\d(?!\d?[.:]\d\d))*\)")  # "8.00 (za zmarłych w minionym roku)": of one Mass
# "Dni powszednie (pon.-sob.)": a bracket that tells which days these are.
DEFINES_WORKING_DAYS: Final = expression(r"<working_days> \((?:od )?(?:[a-z]+\.? ?[–-] ?|[a-z]+ do )?$")
MIDNIGHT_MASS: Final = expression(r"<midnight_mass>")
# "Nie będzie Mszy o 11.00, zamiast niej o 12.15": the hour after it is that of another Mass.
EXCEPTIONALLY: Final = expression(r"<exceptionally>")
SAID: Final = expression(r"<said>|<will_be>(?: <in_addition>| <only>)? o <at>\d|^<in_exchange> (?:<inviting> )?(?:na|o) <at>\d")
# "Zapraszamy na Pasterkę. Rozpocznie się o 23.00."
ITS_HOUR: Final = expression(
    r"^(?:ona |jej )?(?:<beginning>(?: sie)?|poczatek|odbedzie sie|<will_be>)(?: (?:ona|jak zwykle))? <at>\d"
)
RECURRING: Final = expression(
    r"(?<!\bna )<every>(?! (?:z nich|z tych|<the_mass>|<eucharist>))|<regularly>|(?<!jak )\bzawsze"
    r"|(?<!konca )(?<!koniec )(?<!zakonczenie )(?<!zakonczenia )<holidays>"
)
HOLIDAYS: Final = expression(r"<holidays>")
REPORT: Final = expression(
    r"<said> (?:zostal|byl)\w+|\bzostal\w+ (?:\w+ )?<said>|<past>(?! bed)|(?<!\bza )\bminion\w+"
    r"|\b(?:dawniej|niegdys|kiedys|ongis|przed laty)\b|<announced_before>(?: [a-z]+){0,3},? (?:ze|iz)\b"
)
PAST: Final = re.compile(
    r"\b(?!chwał|cał|ciał|biał|mał|stał|pozostał|sił|udział|dział|oddział|materiał|kapitał|został|zostali|michał|rafał|chwili|sali|czyli)"
    r"\w{2,}(?:[aiyą]ł[aoy]?|[aiy]li|ęli|ęł[aoy]|liśmy|łyśmy)\b",
    re.I,
)
AHEAD: Final = expression(r"<ahead>")
NEGATION: Final = expression(
    r"<falls_out>|(?:<mass_alone>[^,.;:]{0,40}|<hour>[^\d,.;:]{0,25}) wypada(?:ja)?(?=\s*(?:[).,;]|$))"
    r"|\bwypada(?:ja)? <the_mass> <at><hour>"
    r"|<renouncing> ze? (?:\w+ )?<the_mass>|\b(?:bez|brak) (?:\w+ )?<the_mass>|\bbez <of_part>"
    r"|\bbez (?:te[jg]o?|tych) (?:o |z )(?:<clock> ?)?<hour>"
    r"|<of_part> (?:<the_mass> (?:<holy> )?)?brak\b|(?:<the_mass>|<hour>)[^.,;:(]{0,25} brak(?=\s*(?:[).,;]|$))"
    r"|<instead> (?:<of_part> )?<the_mass>(?: <of_part>)?,? (?:<will_be> )?(?=<other_service>)"
)
# "Obowiązku uczestnictwa nie ma": what does not take place is no Mass.
NOT_OF_MASS: Final = expression(r"<no_service> (?:\w+ ){0,3}<is_not>|<is_not> (?:\w+ )?<no_service>")
# "Msza o 18.00 nie jest odwołana", "Nieprawdą jest, że ...": what is denied is that it does not take place.
DENIED_DENIAL: Final = expression(r"\bnie (?:\w+ ){0,2}<called_off>|\bnieprawd|\bnie jest prawda")
# "Nie ma dodatkowej Mszy": those that are usual stay.
NO_MORE: Final = expression(r"^(?: [a-z]+){0,2} <additional> (?:\w+ )?<mass>")
# "Również w czwartek." after what is said of another day.
LIKEWISE: Final = expression(r"(?:rowniez|takze|tak samo|podobnie)(?: bedzie)? we? <weekday>\W*")
MOVED: Final = expression(
    r"<moved>|<instead>|\ba nie <at>\d|\b(?:a )?nie(?:(?:,| [–-])? jak \w+(?:,| [–-])?)? o <at>\d|\ba nie <in_part>"
    r"|<the_mass> (?:\w+ )?<at><hour> (?:<beginning> sie |<will_be> )(?:\w+ )?o <at>\d"
    r"|<the_mass>[^,;]* z <at>\d[\d.:]* [^,;]*(?:, \w+)? o \d|\bz <at><hour> na <at><hour>"
)
ONLY: Final = expression(r"<only>|(?<!jeszcze )\bjedna <the_mass>|\b(?:dwie|trzy|cztery) <the_mass>")
AS_SUNDAY: Final = expression(
    r"(?<!\bo )(?<!\bani )(?<!\bnie )(?:(?:tak )?jak w (?:kazd[ae] )?(?:zwykl[ae] )?<sunday>"
    r"|<order> (?:<the_mass> )?(?:jest )?(?!\w+ych\b)<festive>|(?:rozklad|program|plan)\w* (?:<the_mass> )?<of_sunday>"
    r"|<of_sunday> (?:<order>|(?:rozklad|program|plan)\w*)"
    r"|(?:<the_mass>|<order>)(?: [a-z]+){0,4}? po <festive>(?<=emu))"
)
# After "jak w niedzielę": the hours are named all the same, and count.
NAMED_HOURS: Final = expression(r"^(?: <the_mass>)?[\s,:;(–-]*<that_is>?[\s,:]*<at>\d")
AS_WEEKDAY: Final = expression(r"jak w <working_day>|<order> (?:<the_mass> )?(?:dni[a]? )?<of_working_days>")
NEW_ORDER: Final = expression(
    r"<new> <timetable>|<changing> <timetable>|<seasonal> <timetable>|<timetable> (?:<the_mass> )?<seasonal>|<ceasing>"
)
# "Dotychczasowy porządek (8.00, 10.00) przestaje obowiązywać": the hours are those of the order that ends.
CEASES: Final = expression("<ceasing>")
LASTING: Final = expression(
    r"<from_day>\s+(?:<next> )?(?:<sunday> \()?(?:<first_or_last> \w+ (?:\w+ )?\()?"
    r"(?:(?:<sunday>|<feast_of>) (?:\w+ ){0,2}\w+, |\w+,?\s+)?(?:czyli (?:od )?)?$"
)
ORDER: Final = expression(r"<masses>|<order>|<of_masses> <holy>[^.]*:")
# "Msza o 7.00 pozostaje"; not "zostaje przeniesiona"
UNCHANGED: Final = expression(r"<unchanged>|<the_mass> <at><hour> (?:<of_part> )?<staying>(?=\s*(?:[).,;]|$))")
REST: Final = expression(r"<rest>|\b(?:inn(?:e|ych)|tych) <the_mass>")
# A list of the whole week, where "w niedzielę" means every Sunday.
WHOLE_WEEK: Final = expression(r"<whole_week>")
# "Innych Mszy tego dnia nie będzie": the hours named before are all.
NO_OTHERS: Final = expression(r"<others>(?: <the_mass>[^.;:]{1,60}?| (?:\w+ ){0,2})<falls_out>")
# "Zamiast wszystkich Mszy będzie jedna, o 10.00": what takes the place of all of them is all of the day.
INSTEAD_OF_ALL: Final = expression(r"<instead> (?:wszystkich|<others>|<usual>) (?:<usual> )?(?:<the_mass>|<eucharist>)")
# "To jedyna Msza św. w tym dniu", after the sentence with its hour.
ONLY_MASS: Final = expression(r"<sole> (?:\w+ ){0,3}<mass>")
# "tylko jedna Msza św., Wieczerzy Pańskiej, o 18.00": all that is said that day
ONLY_ONE: Final = expression(r"<only> (?:ta )?jedn[ae](?: <the_mass>|!?\)?$|!?\))")
THOSE_DAYS: Final = r"\bw tych (?:\w+ )?dniach|\bw te (?:\w+ )?dni\b"
THOSE_WEEKS: Final = r"\b(?:w|przez) (?:tych|te|ten) (?:\w+ )?tygod(?:niach|nie)\b"
SAME_DAYS: Final = expression(rf"{THOSE_DAYS}|{THOSE_WEEKS}|\bw (?:dniach|dni|czasie) <of_several_days>")
MEANWHILE: Final = expression(r"\bw (?:tym|owym) (?:czasie|okresie)\b(?: od <weekday> do <weekday>)?")
# "Dodatkowe Msze św. o 9.30 i 11.30": said besides the usual ones, however many they are.
BESIDE_USUAL: Final = expression(
    r"<besides_usual> (?:\w+ ){0,3}<mass>|<the_mass> (?:<additional>|wiecej\b|(?:takze|rowniez|jeszcze) <at>\d)"
    r"|\bdodatkowo,? (?:o |<clock>)"
    r"|(?<!\bi )(?<!oraz )<additional>:? <at>\d"
)
# "Wieczorem o godz. 17.00 i 19.00." after a list of hours.
LIST_GOES_ON: Final = expression(
    r"^(?:<and_also> )*(?:(?:jedna|dwie|trzy) )?<in_list>(?: <and_also>)?(?: jedna| dwie| trzy)?(?: <the_mass>)?"
    r"(?: <will_be>)?(?: <said>)? ?[:,–-]? ?<at>\d"
)
THOSE: Final = expression(r"\bw (?:te|obie)(?: te| dwie| trzy| cztery)? <weekdays>")
# "Sobota, 28 września: ... W tę sobotę nie ma Mszy": the one named before.
THAT_WEEKDAY: Final = expression(r"\b(?:w (?:te|ten|ta)|tej|tego) (<weekday>)")
SAME_DAY: Final = re.compile(
    rf"\bw (?:tym|ten) dni\w+|{THOSE_DAYS}|\btego dnia"
    r"|\bw (?:tym|owym) (?:czasie|okresie)|^wowczas|^wtedy"
)
# "Uroczystość rozpocznie się o 10.00 Mszą św." after a sentence that names its day.
BEGINS_WITH_MASS: Final = expression(r"<beginning> (?!.*\bpo <the_mass>)[^;]{0,60}<with_mass>")
ONE_MORE: Final = expression(r"(?:<additional>|\bjeszcze jedn\w+|\bdruga|\bkolejna) <the_mass>|^<in_exchange>")
OPENS_WITH_MASS: Final = expression(r"^(?:(?:w|na|u) (?!kazd|dni|tygod)\w+ (?:parafialnym )?)?(?:\w+ )?(?:<mass>|<order>)")
NAMES_AN_OCCASION: Final = expression(r"<occasion>")
NAMES_DAYS: Final = expression(r"<weekday>|\d\.? <month>")
# Days of the week within a period: "od 1 lipca do 31 sierpnia w dni powszednie o 19.00, w niedziele o 8.00".
DAYS_OF_WEEK: Final = expression(
    r"<working_days>|<within_week>|<sundays>|<weekdays_but_sunday>|<of_sunday> <mass_alone>|<working_week>"
)
# "codziennie oprócz niedziel": on weekdays.
BUT_SUNDAYS: Final = expression(r"<except> <sunday>(?! *\d)")
BESIDES: Final = expression(
    r"<besides> (?:<usual> )?<the_mass>(?: o)?(?: <clock>)? \d{1,2}(?:[.:]\d\d)?\b(?:(?:,| i| oraz)+ \d{1,2}(?:[.:]\d\d)?\b)*"
    r"|<besides> powyzszych"
    r"|<besides> (?:<usual> )?(?:<the_mass>|<of_part>)(?: <of_part>| <usual>| <of_sunday>)?(?=[^\d;]*<in_addition>)"
)
# Hours within a reason are those of what hinders the Mass: "ponieważ o 18.00 wraca pielgrzymka".
OPENS_WITH_REASON: Final = expression(r"(?:a |i )?(?:to )?(?:<owing_to>|<because>)(?! (?:o|na) <the_mass>)")
EXCEPT: Final = expression(r"<except>")
EXCEPTED: Final = expression("<left_out>")  # days that are left out name none that are meant
# "Wyjątkiem jest środa 2 lutego." after what is said of several days.
NAMES_EXCEPTION: Final = expression(r"^<an_exception>")
PARTS: Final[tuple[tuple[Part, re.Pattern[str]], ...]] = (
    ("morning", expression("<morning>")),
    ("evening", expression("<evening>")),
)
# "przywitać Nowy Rok", "na Mszę, w której powitamy Nowy Rok"
_INFINITIVE: Final = re.compile(r"\b(?:\w+[aeiy]c|ktor\w+ (?:\w+ ){0,2}\w+my) (?:(?:razem|wspolnie|godnie|sie) )*$")
_DAYS_WITH_WORD: Final = expression(rf"(?:\bwe? )?(?:{DAYS_OF_WEEK.pattern})")
# "żeby był czas na ubieranie ołtarzy", "abyśmy zdążyli na procesję": what is aimed at has not been, and is not said to be
PURPOSE: Final = re.compile(r"\b(?:[żz]e|a)?by(?:[śs]my|[śs]cie|m|[śs])?\b(?:[^.;,]|\.(?=\d)|(?<=\b[śs]w)\.)*", re.I)
# "bo tak prosili ludzie": the Mass is ahead all the same
_FOLLOWING_REASON: Final = re.compile(r"\b(?:bo|gdyż|ponieważ)\b[^\d]*$", re.I)
_HELD_WITHOUT: Final = expression(r"\(bez (?:\w+ )?<the_mass>(?: <holy>)?\.?\)")
LONGEST_WEEK: Final = 7  # days
FEAST: Final = expression(r"<feast>")


def days_with_words(folded: str) -> str:
    """The words for days of the week within a period, each with its preposition.

    >>> days_with_words("od 1 lipca w dni powszednie o 19.00, w niedziele o 8.00")
    'w dni powszednie w niedziele'
    """
    return " ".join(match[0] for match in _DAYS_WITH_WORD.finditer(EXCEPTED.sub("", folded)))


def days_spoken_of(own: Sequence[Period], folded: str) -> list[Period]:
    """The days without those that tell what working days are, "w dni powszednie (poniedziałek-sobota)", or are an object.

    "przywitać Nowy Rok Mszą św. o 23.00" tells no day: a feast without a date right after an infinitive; nor does the Advent of
    roraty, whose days are known.
    """
    roraty = RORATY.search(folded) is not None
    befores = ((day, folded[: day.start]) for day in own if not (roraty and "adwen" in folded[day.start : day.end]))
    return [
        day
        for day, before in befores
        if not (DEFINES_WORKING_DAYS.search(before) or (_INFINITIVE.search(before) and not day.is_dated(folded)))
    ]


def is_feast(folded: str) -> bool:
    """Whether a line names a feast, whose Masses are given as the list of a day."""
    return FEAST.search(folded) is not None


def names_season(periods: Sequence[Period]) -> bool:
    """Whether days are those of some weeks, given as dates or months: an order of each week within them."""
    return any((period.last - period.first).days > LONGEST_WEEK for period in periods)


def is_without_mass(folded: str) -> bool:
    """Whether a bracket says of what is held that it is no Mass: "Nauki dla dzieci (bez Mszy): 10.30"."""
    said = _HELD_WITHOUT.search(folded)
    return said is not None and not MASS.search(folded, 0, said.start())


def is_report(sentence: str, folded: str) -> bool:
    """Whether a sentence tells what has been; what a bracket says of one Mass of a list does not count.

    Args:
        sentence: as written.
        folded: the same, folded.
    """
    said, written = (_what_is_said(words) for words in (BECAUSE.sub("", folded), sentence))
    past = PAST.search(written) is not None and not AHEAD.search(folded)
    return past or REPORT.search(said) is not None


def _what_is_said(words: str) -> str:
    for aside in (REMARK, PURPOSE, _FOLLOWING_REASON):
        words = aside.sub("", words)
    return words
