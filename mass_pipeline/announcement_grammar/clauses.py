"""Sentences and clauses of an announcement, without breaking at abbreviations or between hours."""

from __future__ import annotations

import re
from typing import Final

from mass_pipeline.language.day_words import (
    AUGUST,
    EVERY_DAY_BUT_SUNDAY_WRITTEN,
    EVERY_OF_ONE,
    IN_THE_EVENING,
    IN_THE_MORNING,
    JULY,
    MONTH_TYPED,
    OF_MONTH_TYPED,
    OF_PART_TYPED,
    SATURDAY,
    SHORT_WEEKDAY,
    SUNDAY,
    WEEKDAY_TYPED,
    WEEKDAY_WRITTEN,
)

_ABBREVIATIONS: Final = re.compile(
    r"\b(?:ok|kl|nr|al|pl|par|tyg|sw|śp|sp|godz|ks|r|np|tj|ul|bp|abp|o|g|pw|nmp|tel|kan|prob|im|os|m-ca|m|św"
    rf"|śr|{SHORT_WEEKDAY})\.$",
    re.I,
)
_SENTENCE_END: Final = re.compile(r"(?:[.!?]|[:;]-?[()])\s+(?=[A-ZĄĆĘŁŃÓŚŹŻ0-9„])|\n+")
_MASS_ABBREVIATED: Final = re.compile(r"\bmsz\w+ św\.$", re.I)
# Words that hardly follow "Msza św." within a sentence.
_OPENER: Final = re.compile(
    r"(?:Nie|We?|O|Na|Po|Od|Do|Za|Dziś|Dzisiaj|Jutro|Zapraszamy|Prosimy|Zachęcamy|Dziękujemy|Przypominamy|Msz[aeyę]|Spowiedź|Okazja"
    r"|Różaniec|Przed|Dzieci|Kancelaria|Intencje|Inn[ey]\w*|Pozostał\w+|Wieczor\w+|Rano|Porann\w+|Serdecznie|Pasterk\w+|Roraty|Sum[aęy]"
    r"|Taca|Składka|Ofiary|Kazani\w+|Procesja|Adoracja|Nabożeństw\w+|Błogosław\w+|Święceni\w+|Poświęceni\w+|Kolęda|Spotkani\w+|Zbiórka"
    r"|Droga|Gorzkie|Porządek|Rozpocz\w+|Tego|Ponadto|Również|Także|"
    rf"Z powodu|Ze względu|W związku|(?:{WEEKDAY_WRITTEN}|Wielk)\w+)\b"
)
_SEASON: Final = re.compile(
    rf"\bod \w+.*(?:porząd|rozkład|msz)|\bw(?:e)? .*(?:{JULY}|{AUGUST}|wakac).*msz|msz.*(?:{JULY}|{AUGUST}|wakac)", re.I
)
_ENDS_WITH_HOUR: Final = re.compile(r"godz\. ?\d{1,2}[.:]\d\d$", re.I)
_MASS_ALONE: Final = re.compile(r"(?:msza|na msz[eę])\b[^\d]*$", re.I)
# "8. 00, 10. 30": a space that does not belong there.
_HOUR_CUT: Final = re.compile(r"(?:\bo|\bgodz\w*\.?|[,;:–-]|\bi|\boraz) ?(?:1?\d|2[0-3])\.$", re.I)
_MINUTES: Final = re.compile(
    rf"(?:00|15|30|45)\b(?![.:]\d| ?(?:{MONTH_TYPED}|i[ivx]+\b|[vx]+i*\b))",
    re.I,
)
_BROKEN_LIST: Final = re.compile(
    r"(?<=\d[.:]\d\d)\n(?=(?:i|oraz) (?:o )?(?:godz\w*\.? ?)?\d)|(?<=\d[.:]\d\d,)\n(?=\d{1,2}[.:]\d\d)"
)
_SPACED: Final = re.compile(r"(?<![\d.:])(\d{1,2})(?: :|: | : )([0-5]\d)\b(?![.:]\d)")
_DAY_OF_DATE: Final = re.compile(r"(?<![\d.:,])(?:[12]?\d|3[01])\.$")
_MONTH: Final = re.compile(rf"(?:{OF_MONTH_TYPED})\b", re.I)
_TO_HOUR: Final = rf"(?:{IN_THE_MORNING} |{IN_THE_EVENING} |wyjątkowo |dopiero |już )?o (?:godz\. ?)?(?:\d|[a-ząęóś]+ej\b)"
_CLAUSE_END: Final = re.compile(
    r"[,;]?\s+(?=[a-h][/)] )|;(?!\s*(?:o |godz\w*\.? ?)*(?:1?\d|2[0-4])[.:][0-5]\d\s*(?:[;,.(]|i |oraz |$))\s*|"
    rf",\s+(?=(?:ponieważ|gdyż|bo|bowiem|dlatego|"
    rf"a(?! więc o\b)(?! nie(?:,| [–-])? (?:o|jak|{IN_THE_MORNING}|{IN_THE_EVENING})\b)|ale(?! {_TO_HOUR})|"
    rf"natomiast|zaś|zas|lecz(?! {_TO_HOUR})|"
    rf"z tego (?:względu|wzgledu|powodu)|(?:stam|s)tąd|skąd|w związku z (?:tym|czym)|wobec czego|"
    rf"(?:{IN_THE_EVENING}|{IN_THE_MORNING})(?=(?: o (?:godz\. ?)?\d{{1,2}}[.:]\d\d)?[^,;\d]* nie\b)|"
    r"po niej|po nim|potem|następnie|nie (?!o \d|o [a-ząęóś]+ej\b)|bez |zaprasza(?:my|m)\b|intencja|intencje|przed|tylko|roraty|"
    r"pasterka|nauka|spotkanie|próba|"
    r"rorat(?= o [\d.:]+ (?:\w+ ){0,3}nie)|zbiórka|spowiedź|różaniec|adoracja|nabożeństwo|katecheza|wyjazd|koncert|procesja|"
    r"(?:(?!zamiast|oprócz|oprocz|prócz|poza|następne|pozostałe|kolejne|kolejna)\w+ )?msz[aeyę]\w*"
    r"|sum[aęy] (?:o [\d.:]+ )?nie|za to|w zamian|zamiast (?:niej|nich)|w (?:jej|ich) miejsce"
    r"|(?:tego dnia|w tym dniu|wtedy|wówczas)(?: też| już)? nie)\b)"
    r"|,\s+(?=o (?:godz\w*\.? ?)?\d{1,2}(?:[.:]\d\d)? (?:\w+ )?"
    r"(?:msz|pasterk|sum|nabo|roza|nieszp|adorac|spowied|rozpocz|zaczn|będzie|nie ))"
    rf"|,\s+(?=(?:a |ani )?{OF_PART_TYPED}\w+ (?:o (?:godz\w*\.? ?)?\d{{1,2}}[.:]\d\d )?(?:tego dnia |w tym dniu |już )?"
    r"(?:nie|brak|msz|o\b)\w*)"
    r"|\s[–-]\s+(?=msz\w+ [^,;–-]*\bnie (?:ma|będzie|będą)\b)"
    rf"|\s[–-]\s+(?=(?:{IN_THE_MORNING}|{IN_THE_EVENING}|{OF_PART_TYPED}ej)\b[^,;–-]*\bnie (?:ma|będzie|będą)\b)"
    rf"|\s[–-]\s+(?=(?:{IN_THE_MORNING}|{IN_THE_EVENING}) (?:jak|bez zmian)\b)"
    rf"|\.\s+(?=(?:natomiast )?(?:w )?(?:dni powszednie|{SUNDAY}e|{SATURDAY}y|tygodniu|święta)\b)"
    rf"|,\s+(?=(?:a |zaś |natomiast )?(?:w |we )(?:dni powszednie|dni robocze|tygodniu|{SUNDAY}e"
    rf"|{EVERY_DAY_BUT_SUNDAY_WRITTEN}|święta)\b)"
    r"|,\s+(?=(?:a |natomiast )?u nas\b)"
    rf"|(?:(?<=ych)|(?<=ej)),\s+(?=będ(?:ą|zie) (?:{IN_THE_MORNING}|{IN_THE_EVENING}) o )"
    r"|,\s+(?=w (?:czasie|dniach|dni) \w+ (?:\w+ )?nie (?:ma|będzie|będą)\b)"
    rf"|,\s+(?=(?:a |i )?(?:{WEEKDAY_TYPED})\w* bez msz)"
    r"|,\s+(?=(?:a )?(?:w|we|na) \w+ (?:(?:msz\w+ (?:św\. )?)?nie (?:ma|będzie|będą|odprawia\w*)|bez msz))"
    r"|\s+(?=(?:natomiast|a (?:msz\w+|po |o |w ))\b)"
    r"|(?<=\d)\s+(?=(?:bo|gdyż|gdyz|ponieważ|poniewaz) (?!msz))"
    r"|\s+(?=(?:i|oraz|a także|a takze) (?:dodatkow\w+|(?:wtedy |wówczas |tego dnia |w tym dniu )?nie (?:ma|będzie|będą)\b))"
    r"|\s*\((?=msza (?:św\. |święta )?(?:z |o )?(?:godz\w*\.? )?\d{1,2}[.:]\d\d (?:\w+ )?(?:przen|przesu|przełoż|przeloz))"
    r"|\s*\((?!nie (?:ma|będzie) (?:kazania|homilii|nauki|procesji|spowiedzi|różańca))"
    r"(?=(?:czyli )?(?:nie(?! o \d)|bez|oprócz)\b|[^()]*\bnie (?:ma|będzie|będą|jest|są|odprawia\w*)\b"
    r"|[^()]*\b(?:wypada|odpada)\w*)",
    re.I,
)


_ONE_WEEKDAY: Final = "|".join(EVERY_OF_ONE)
_WEEKDAY_ALONE: Final = re.compile(
    rf"(?:(?<=\bw )|(?<=\bwe )|(?<=, )|(?<=\bi )|(?<=\boraz ))(?:{_ONE_WEEKDAY})\b(?!,? \(?\d{{1,2}}[. ])"
)
_LEAST_WEEKDAYS: Final = 2
_REMARK: Final = re.compile(
    r"(?<=\d )\((?!\s*(?:nie|bez|opr[oó]cz)\b)(?:[^()\d]|\d(?!\d?[.:]\d\d))*\)"
)  # said of one Mass of a list
_NEGATED: Final = re.compile(r"\bnie (?:ma|będzie|będą|odprawi\w*)\b", re.I)
_MOVES: Final = re.compile(r"zamiast(?! (?:niej|nich)\b)|przen[io]|przesu|\bnie o\b", re.I)
_WHAT_STAYS: Final = re.compile(
    r"(?:,|\s[–-])\s+(?=(?:(?:(?:jest|są|będzie|będą) (?:tylko |za to )?(?:(?:jedna|wspólna) )*)?"
    r"msz[ae] (?:św\. |święta |\w+owa )?o"
    rf"|(?:jest|są|będzie|będą) (?:tylko |za to )?(?:{OF_PART_TYPED}\w+ )?o"
    r"|(?:po)?zostaj(?:e|ą)(?: tylko| jedynie)?(?: msz[ae](?: św\.| święt[ae])?)?"
    rf"(?: {OF_PART_TYPED}\w+)?(?: o)?)"
    r" (?:godz\w*\.? ?)?\d"
    r"|(?:o )?(?:godz\w*\.? ?)?\d{1,2}[.:][\do]{2} (?:jest|będzie|zostaje|pozostaje)\b)",
    re.I,
)


def with_weekdays_of_season(sentence: str) -> str:
    """The sentence, of the same length, with "w poniedziałek, środę i piątek" as "w poniedziałki, środy i piątki".

    A weekday with its date, and one alone in a sentence that speaks of no order, stay as they are.
    """
    if len(_WEEKDAY_ALONE.findall(sentence)) < _LEAST_WEEKDAYS and not _SEASON.search(sentence):
        return sentence
    return _WEEKDAY_ALONE.sub(lambda match: EVERY_OF_ONE[match[0]], sentence)


def with_lists_whole(text: str) -> str:
    """The text without line breaks within lists of hours and blanks within hours: "8 : 00, 10.00 / i o 11.30"."""
    return _SPACED.sub(r"\1:\2", _BROKEN_LIST.sub(" ", text))


def sentences(text: str) -> list[str]:
    """Sentences in order, white space folded, none empty.

    >>> sentences("Msza św. o godz. 8.00. W środę Mszy nie będzie.")
    ['Msza św. o godz. 8.00.', 'W środę Mszy nie będzie.']
    """
    parts: list[str] = []
    start = 0
    for match in _SENTENCE_END.finditer(text):
        head = text[start : match.start() + 1].rstrip("\n")
        if "\n" not in match[0] and (_goes_on(head, text[match.end() :]) or _is_cut(head, text[match.end() :])):
            continue
        parts.append(head)
        start = match.end()
    parts.append(text[start:])
    return [" ".join(part.split()) for part in parts if part.strip()]


def _goes_on(head: str, rest: str) -> bool:
    """Whether a full stop belongs to an abbreviation within a sentence."""
    if re.search(r"\d\.$", head) or not _ABBREVIATIONS.search(head):
        return False
    if head.isupper() and rest.startswith("O "):  # in capitals nobody can tell a beginning: "NIE MA MSZY ŚW. O 8.00"
        return True
    return not (_MASS_ABBREVIATED.search(head) and _OPENER.match(rest))


def _is_cut(head: str, rest: str) -> bool:
    """Whether a full stop stands within an hour, or after the day of a date: "o godz. 8. 30", "3. Maja"."""
    in_hour = _HOUR_CUT.search(head) is not None and _MINUTES.match(rest) is not None
    return in_hour or (_DAY_OF_DATE.search(head) is not None and _MONTH.match(rest) is not None)


def clauses(sentence: str) -> list[str]:
    """Clauses of a sentence in order; lists of hours stay whole."""
    whole = _REMARK.sub(lambda match: match[0].replace(",", " ").replace(";", " "), sentence)
    parts = [part for clause in _CLAUSE_END.split(whole) if clause for part in _by_what_stays(clause)]
    for at in range(len(parts) - 1, 0, -1):  # "Pogrzeb: wtorek, godz. 13.00, Msza św. w naszym kościele"
        if _ENDS_WITH_HOUR.search(parts[at - 1]) and _MASS_ALONE.match(parts[at]):
            parts[at - 1 : at + 1] = [f"{parts[at - 1]} {parts[at]}"]
    return [part.strip(" ,") for part in parts if part.strip(" ,")]


def _by_what_stays(clause: str) -> list[str]:
    """A negation apart from what is said after it: "nie ma Mszy o 7.00, jest o 18.00"; hours of a move stay together."""
    if not _NEGATED.search(clause) or _MOVES.search(clause):
        return [clause]
    return _WHAT_STAYS.split(clause, maxsplit=1)
