"""Sentences and clauses of an announcement, without breaking at abbreviations or between hours."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import islice, pairwise
from typing import Final

from mass_pipeline.reading.words.expressions import expression, word_class
from mass_pipeline.reading.words.folding import fold

_ABBREVIATIONS: Final = expression(r"<abbreviation>\.$")
_SENTENCE_END: Final = re.compile(r"(?:[.!?]|[:;]-?[()])\s+(?=[A-ZĄĆĘŁŃÓŚŹŻ0-9„])|\n+")
_MASS_ABBREVIATED: Final = expression(r"<mass_alone> sw\.$")
# Words that hardly follow "Msza św." within a sentence.
_OPENER: Final = expression(r"<sentence_opener>")
_ENDS_WITH_HOUR: Final = expression(r"<clock> ?<hour>$")
# "Odwołujemy w sobotę, 6 grudnia, Mszę św. o 7.00."
_OBJECT: Final = re.compile(r"\s*" + word_class("mass_as_object"), re.I)
_DENIES: Final = expression(r"<falls_out>")
_MASS_NAMED: Final = expression(r"<the_mass>|<eucharist>")
_MASS_ALONE: Final = expression(r"(?:<a_mass>|na <mass_alone>)[^\d]*$")
# "8. 00, 10. 30": a space that does not belong there.
_HOUR_CUT: Final = expression(r"(?:\bo|<clock>|[,;:–-]|\bi|\boraz) ?(?:1?\d|2[0-3])\.$")
_MINUTES: Final = expression(r"(?:00|15|30|45)\b(?![.:]\d| ?(?:<month>|i[ivx]+\b|[vx]+i*\b))")
_BROKEN_LIST: Final = expression(r"(?<=\d[.:]\d\d)\n(?=(?:i|oraz) <at>\d)|(?<=\d[.:]\d\d,)\n(?=<hour>)")
_SPACED: Final = re.compile(r"(?<![\d.:])(\d{1,2})(?: :|: | : )([0-5]\d)\b(?![.:]\d)")
# "Wielka Sobota 27.03. 21:00 Wigilia Paschalna": a line opens with its day
_LABEL_OF_DATE: Final = expression(r"\W*(?:[^\W\d]+[ ,]+){0,4}\(?\d{1,2}\.(?:(?:0?[1-9]|1[0-2])|x?i{1,3}|i?[vx]|vi{1,3})\.$")
_DAY_OF_DATE: Final = re.compile(r"(?<![\d.:,])(?:[12]?\d|3[01])\.$")
_MONTH: Final = expression(r"<of_month>")
_TO_HOUR: Final = r"(?:<in_part> |<at_other_hour> )?o (?:<clock> ?)?(?:\d|[a-z]+ej\b)"
_CLAUSE_END: Final = expression(
    r"[,;]?\s+(?=[a-h][/)] )|;(?!\s*<at>(?:1?\d|2[0-4])[.:][0-5]\d\s*(?:[;,.(]|i |oraz |$))\s*"
    r"|,\s+(?=<clause_opener>|a\b(?! wiec o\b)(?! nie(?:,| [–-])? (?:o|jak|<in_part>)\b)"
    rf"|(?:ale|lecz)\b(?! {_TO_HOUR})|nie\b(?! o \d| o [a-z]+ej\b)|<in_part>(?=(?: o <clock>? ?<hour>)?[^,;\d]* nie\b)"
    r"|<advent_mass>(?= o [\d.:]+ (?:\w+ ){0,3}nie)|(?:(?!<not_before_mass>)\w+ )?<the_mass>"
    r"|<high_masses> (?:o [\d.:]+ )?nie\b|(?:<that_day>|wtedy|wowczas)(?: tez| juz)? nie\b"
    r"|o <at>\d{1,2}(?:[.:]\d\d)? (?:\w+ )?(?:<mass>|nieszp|<service_of_its_own>|<beginning>|bedzie |nie )"
    r"|(?:a |ani )?<of_part> (?:<at><hour> )?(?:<that_day> |juz )?(?:nie|brak|o\b|<the_mass>)"
    r"|(?:a |zas |natomiast )?we? <days_of_clause>|(?:a |natomiast )?u nas\b|w (?:czasie|dniach|dni) \w+ (?:\w+ )?<is_not>"
    r"|(?:a |i )?<weekday> bez <the_mass>|(?:a )?(?:we?|na) \w+ (?:(?:<the_mass> )?<is_not>|bez <the_mass>))"
    r"|\s[–-]\s+(?=(?:<the_mass>|<in_part>|<of_part>)[^,;–-]*<is_not>|<in_part> (?:jak|bez zmian)\b)"
    r"|(?<!\bsw)\.\s+(?=(?:natomiast )?(?:w )?<day_label>)"
    r"|(?:(?<=ych)|(?<=ej)),\s+(?=<will_be> <in_part> o )"
    r"|(?<!bedzie)(?<!beda)(?<! ma)\s+(?=natomiast\b|a (?:<the_mass>|(?:po|o|w) \b))|(?<=\d)\s+(?=<because> (?!<the_mass>))"
    r"|\s+(?=(?:i|oraz|a takze) (?:<additional>|(?:wtedy |wowczas |tym samym |dlatego |<that_day> )?<is_not>))"
    r"|\s*\((?=<the_mass> (?:z )?<at><hour> (?:\w+ )?<moved>)"
    r"|\s*\((?=[^()\d]*(?:<inviting>|<will_be>|<staying>) [^()\d]*\d)"
    r"|\s*\((?!<is_not> <no_service>)(?=(?:czyli )?(?:nie\b(?! o \d)|<without>)|[^()]*(?:<falls_out>|\bwypada(?:ja)?\b *\)))"
)


_WIDTHS: Final = range(50, 131)  # characters of the longest line of a text that a machine broke
_LEAST_SHARE: Final = 4  # one of so many such lines goes on in small letters
_GOES_ON: Final = re.compile(r"\s*[a-ząćęłńóśźż]")
_ENDS_LINE: Final = re.compile(r"[.!?:;]\W*$")
_BEGINS_ITEM: Final = re.compile(r"\s*(?:[-–—*•·>→+|#]|\(?\d{1,2}[.)]\s|[a-zA-Z][.)]\s|[^\W\d]\w*(?: \w+){0,2}:)")
_BEGINS_WITH_HOUR: Final = expression(r"\s*<at>\d{1,2}[.:]\d\d")
_AWAITS_HOUR: Final = expression(r"(?:\b(?:o|od|do|na|z|i|oraz|a)|<clock>|<only>|<instead>|<abbreviation>\.|[,–-])$")
_AWAITS_MORE: Final = expression(r"(?:\b(?:we?|na|ze?|po|przed|od|do|o|i|oraz|a|przy|dla)|,|(?<!\d )<mass_alone>)$")
# An entry of a list, in small letters.
_BEGINS_ENTRY: Final = expression(r"\s*(?:<weekday>|<weekday_abbreviated>|(?:(?:okolo|ok\.|od|do) )?<at>\d)")
_ENDS_ENTRY: Final = re.compile(r"[;)\d]\W*$")
_LEAST_LINE: Final = 30  # characters of a line that a hand breaks within a sentence
_EMPHASIS: Final = re.compile(  # of Markdown and of markup: "**8.00**", "<b>Pasterka</b>", "## Wigilia"
    r"\*\*|__|</?(?:b|strong|i|em|u|span|font)\b[^<>]{0,80}>|(?m:^#{1,6} +)|(?<![\w*])\*(?=[^\s*][^*\n]{0,200}[^\s*]\*(?![\w*]))"
    r"|(?<=[^\s*\d])\*(?![\w*])(?=[^\w*]|$)"
)
_LOOKED_AT: Final = 40  # characters before and after what may end a sentence
_REMARK: Final = expression(r"(?<=\d )\((?!\s*<denying>)(?:[^()\d]|\d(?!\d?[.:]\d\d))*\)")
# "nie o 18.00, tylko o 16.30", "nie o 18, a o 16.30": one move
_NOT_BUT: Final = expression(r"\bnie o <at>\d{1,2}(?:[.:]\d\d)?(,? (?:a|ale|tylko|za to))(?: juz| dopiero)? o <at>\d")
_NEGATED: Final = expression(r"<is_not>|<without> (?:\w+ )?<the_mass>")
_AFFIRMED: Final = expression(r"(?:<will_be>|<masses>)[^,]*\d")
_PIECE_MARK: Final = re.compile(r",|\s[–-]\s")
_NAMES_HOUR: Final = re.compile(r"\d|\b\w+[dmnst]ej\b")  # "o 18.00", "ósmej"
_WHAT_STAYS: Final = expression(
    r"(?:,|\s[–-])\s+(?=(?:(?:<will_be> (?:tylko |za to )?(?:(?:jedna|wspolna) )*)?<the_mass> (?:\w+owa )?o"
    r"|<will_be> (?:tylko |za to )?(?:<of_part> )?o|<staying>(?: tylko| jedynie)?(?: <the_mass>)?(?: <of_part>)?(?: o)?) <at>\d"
    r"|<at>\d{1,2}[.:][\do]{2} (?:<will_be>|<staying>))"
    r"|,?\s+(?=(?:czyli|a wiec|to znaczy|tzn\.?|tj\.?) (?:<will_be> )?(?:<the_mass> )?o <at>\d)"
)


def with_lines_whole(text: str) -> str:
    """The text without marks of emphasis, line breaks within sentences and lists of hours, and blanks within hours: "8 : 00".

    Lines were broken by a machine where the first word of the next one would not have fitted into the longest; a text in which
    no such line goes on in small letters was broken by hand, where a long line goes on in small letters or behind a comma.

    >>> with_lines_whole("W sobotę, w przeddzień uroczystości, Msza święta z godz. 18.00\\nprzeniesiona na 16.00.")
    'W sobotę, w przeddzień uroczystości, Msza święta z godz. 18.00 przeniesiona na 16.00.'
    """
    lines = _SPACED.sub(r"\1:\2", _BROKEN_LIST.sub(" ", _EMPHASIS.sub("", text))).split("\n")
    width = max(len(line.rstrip()) for line in lines)
    broken = [at for at, pair in enumerate(pairwise(lines)) if width in _WIDTHS and _is_broken(*pair, width)]
    if sum(_GOES_ON.match(lines[at + 1]) is not None for at in broken) * _LEAST_SHARE < max(1, len(broken)):
        broken = [at for at, pair in enumerate(pairwise(lines)) if _is_cut_by_hand(*pair)]
    for at in reversed(broken):
        lines[at : at + 2] = [f"{lines[at].rstrip()} {lines[at + 1].lstrip()}"]
    return "\n".join(lines)


def _is_broken(line: str, following: str, width: int) -> bool:
    """Whether a line ends within a sentence because the next word did not fit."""
    word, ends = following.split(maxsplit=1)[:1], fold(line[-_LOOKED_AT:].rstrip())
    if not word or not ends or len(line.rstrip()) + 1 + len(word[0]) <= width:
        return False
    if _ENDS_LINE.search(ends) and not _ABBREVIATIONS.search(ends):
        return False
    begins_with_hour = _BEGINS_WITH_HOUR.match(fold(following)) and not _AWAITS_HOUR.search(ends)
    is_item = _BEGINS_ITEM.match(following) is not None or begins_with_hour
    return not is_item


def _is_cut_by_hand(line: str, following: str) -> bool:
    """Whether a long line without an end of its own goes on in the next one."""
    words, ends = fold(following), fold(line[-_LOOKED_AT:].rstrip())
    in_small_letters = _GOES_ON.match(following) is not None and _ENDS_ENTRY.search(line) is None
    if len(line) < _LEAST_LINE or _BEGINS_ENTRY.match(words) or not _is_broken(line, following, len(line)):
        return False
    return in_small_letters or _AWAITS_MORE.search(ends) is not None


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
    ends = fold(head[-_LOOKED_AT:])
    if re.search(r"\d\.$", head) or not _ABBREVIATIONS.search(ends):
        return False
    if head.isupper() and rest.startswith("O "):  # in capitals nobody can tell a beginning: "NIE MA MSZY ŚW. O 8.00"
        return True
    begins = rest[:1].isupper() and not rest[1:2].isupper() and _OPENER.match(fold(rest[:_LOOKED_AT])) is not None
    return not (begins and _MASS_ABBREVIATED.search(ends))


def _is_cut(head: str, rest: str) -> bool:
    """Whether a full stop stands within an hour, or after the day of a date: "o godz. 8. 30", "3. Maja"."""
    ends, begins = fold(head[-_LOOKED_AT:]), fold(rest[:_LOOKED_AT])
    if _LABEL_OF_DATE.fullmatch(fold(head)) and _BEGINS_WITH_HOUR.match(begins):
        return True
    in_hour = _HOUR_CUT.search(ends) is not None and _MINUTES.match(begins) is not None
    return in_hour or (_DAY_OF_DATE.search(head) is not None and _MONTH.match(begins) is not None)


def clauses(sentence: str) -> list[str]:
    """Clauses of a sentence in order; lists of hours stay whole."""
    for remark in _REMARK.finditer(_folded(sentence)):
        within = sentence[remark.start() : remark.end()].replace(",", " ").replace(";", " ")
        sentence = sentence[: remark.start()] + within + sentence[remark.end() :]
    for but in reversed(list(_NOT_BUT.finditer(_folded(sentence)))):
        sentence = f"{sentence[: but.start(1)]}, lecz{sentence[but.end(1) :]}"
    borders = _CLAUSE_END.finditer(_folded(sentence))
    parts = [part for clause in _split(sentence, borders) if clause for part in _by_what_stays(clause)]
    for at in range(len(parts) - 1, 0, -1):  # "Pogrzeb: wtorek, godz. 13.00, Msza św. w naszym kościele"
        before = fold(parts[at - 1])
        denied = _OBJECT.match(parts[at]) and _DENIES.search(before) and not _MASS_NAMED.search(before)
        if denied or (_ENDS_WITH_HOUR.search(before) and _MASS_ALONE.match(fold(parts[at]))):
            parts[at - 1 : at + 1] = [f"{parts[at - 1]} {parts[at]}"]
    return [part.strip(" ,") for part in parts if part.strip(" ,")]


def _by_what_stays(clause: str) -> list[str]:
    """A negation apart from what is said after it: "nie ma Mszy o 7.00, jest o 18.00"; hours of a move stay together."""
    folded = fold(clause)
    negation = _NEGATED.search(folded)
    if negation is None:
        return [clause]
    marks = [mark.span() for mark in _PIECE_MARK.finditer(folded, 0, negation.start())]
    ends, begins = marks[-1] if marks else (0, 0)
    head, denied = folded[:ends], folded[begins : negation.start()]
    if _AFFIRMED.search(head) and _NAMES_HOUR.search(denied) and not _NEGATED.search(head):
        return [clause[:ends], clause[begins:]]  # "będzie o 19.30 w kaplicy, w kościele o 18.00 jej nie ma"
    return _split(clause, islice(_WHAT_STAYS.finditer(folded), 1))


def _folded(sentence: str) -> str:
    """The folded sentence, of the same length, in which one Mass or Sunday ("Mszę") is not taken for several ("Msze")."""
    return fold(sentence.replace("szę", "szą").replace("dzielę", "dzielą"))


def _split(text: str, borders: Iterable[re.Match[str]]) -> list[str]:
    """The text without the borders between its parts."""
    found, start = [], 0
    for border in borders:
        found.append(text[start : border.start()])
        start = border.end()
    return [*found, text[start:]]
