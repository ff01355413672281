"""Turn a line into tokens: clock tokens, phrases of the vocabulary, Roman numerals, marks and plain words, with their spans."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, combinations
from typing import Final

from mass_pipeline.reading.words.clock import TIME_LIKE, ClockKind, ClockToken, find_clock_tokens
from mass_pipeline.reading.words.folding import fold
from mass_pipeline.reading.words.known_words import names_town_alone
from mass_pipeline.reading.words.lexicon import WORDS_TOO, Lexicon, Phrase, PhrasesByFollower
from mass_pipeline.reading.words.meridiem import in_the_evening, share_halves
from mass_pipeline.reading.words.weekday_patterns import EVENING

_MAY_BE_ORDINAL: Final = frozenset({ClockKind.NUMBER, ClockKind.BARE})  # "1-wsze", "2-gi"
_KIND_NAMES: Final = {kind: kind.value for kind in ClockKind}  # a look-up takes a fifth of asking an enumeration
_LONG_DAY: Final = 8  # letters: czwartek
_LONGEST_DAY: Final = 13  # letters: poniedziałkami
_GLUED_NUMERAL: Final = re.compile(r"(i{1,3}|iv)(pt|piatek|ptek|sob|sobota|niedz|niedziela|czw|czwartek)")  # "Ipiątek"
_GLUED_DAY: Final = re.compile(r"([a-z]{3,}?)(niedziel[aei]|poniedzialek|wtorek|sroda|czwartek|piatek|sobota|soboty|codziennie)")
_QUOTED: Final = re.compile(r"[\"„”“«»]([a-ząćęłńóśźż][a-ząćęłńóśźż ]{2,42})[\"”“«»]")  # `święta "zniesione"`: no name
_PIECE: Final = re.compile(r"[^\W\d_]+|\d+|[^\w\s]|_")
_LOST: Final = re.compile(r"[^\W\d_]*(?:[?\ufffd][^\W\d_]+){1,2}")  # "?roda": another encoding had a letter there
_MAY_BE_LOST: Final = frozenset(fold("ąśćęłńóż"))
_WITH_LOST_LETTERS: Final = frozenset({"day", "daygroup", "month"})
_SHORTEST_STEM: Final = 3  # letters of a stem with letters lost
_JOINT: Final = re.compile(r"[a-ząćęłńóśźż]{3}(?=[A-ZĄĆĘŁŃÓŚŹŻ][a-ząćęłńóśźż]{2})")  # "PostDroga": a tag was lost
_ROMAN: Final = {"I": 1, "II": 2, "III": 3, "IV": 4, "V": 5, "VI": 6, "VII": 7, "VIII": 8, "IX": 9, "X": 10, "XI": 11, "XII": 12}
_MARKS: Final = {
    ",": "comma", ";": "semicolon", ".": "stop", ":": "colon", "(": "open", "[": "open", ")": "close", "]": "close",
    "-": "dash", "–": "dash", "—": "dash", "−": "dash", "‒": "dash", "/": "slash", "|": "bar", "•": "bar", "·": "comma",
    "!": "stop", "?": "stop", "…": "stop", "*": "bar", "&": "and", "→": "dash", "►": "bar", "●": "bar",
}  # fmt: skip


@dataclass(slots=True, unsafe_hash=True)
class Token:
    """A piece of a line.

    Attributes:
        kind: a vocabulary kind (`day`, `season`, `op`, ...), `clock`, `roman`, `word`, or a mark (`comma`, `open`, ...).
        value: the vocabulary value, the Roman number, the folded word or the kind of the clock token.
        start, end: offsets in the line.
        text: as written.
        clock: the clock token when `kind` is `clock`.
    """

    kind: str
    value: str
    start: int
    end: int
    text: str
    clock: ClockToken | None = None

    @property
    def is_time(self) -> bool:
        """Whether it can be the hour of something."""
        return self.clock is not None and self.clock.kind in TIME_LIKE


_Piece = tuple[int, int, str, ClockToken | None]  # start, end, folded, clock: a plain tuple, a page has thousands


def tokenize(text: str, lexicon: Lexicon) -> list[Token]:
    """Tokens of one line in order; nothing but white space lies between them.

    Consecutive small words without meaning are one token of kind `word`.

    >>> from mass_pipeline.reading.words.lexicon import load_lexicon
    >>> [(t.kind, t.value) for t in tokenize("pn.–pt. 7.00", load_lexicon("pl"))]
    [('day', 'Mo'), ('dash', '–'), ('day', 'Fr'), ('clock', 'time')]
    """
    pieces = _pieces(text, lexicon)
    tokens: list[Token] = []
    position, count = 0, len(pieces)
    while position < count:
        start, end, folded, clock = pieces[position]
        if clock is not None and clock.kind not in _MAY_BE_ORDINAL:
            tokens.append(Token("clock", _KIND_NAMES[clock.kind], start, end, clock.raw, clock))
            position += 1
            continue
        phrases = lexicon.starting_with(folded)
        phrase, used = _longest_phrase(phrases, pieces, position, text) if phrases is not None else (None, 0)
        if phrase is not None:
            end = pieces[position + used - 1][1]
            tokens.append(Token(phrase.kind, phrase.value, start, end, text[start:end]))
            position += used
        elif clock is None and text[start].islower():
            position = _add_small_words(tokens, pieces, position, text, lexicon)
        else:
            tokens.append(_plain_token(pieces, position, text))
            position += 1
    return tokens


def _add_small_words(tokens: list[Token], pieces: list[_Piece], position: int, text: str, lexicon: Lexicon) -> int:
    """Append a word and those after it that begin no phrase, joined to the small words before; returns the next position."""
    first, end, folded, _ = pieces[position]
    count = len(pieces)
    position += 1
    while position < count:
        start, further, word, clock = pieces[position]
        if start != end + 1 or clock is not None or not text[start].islower() or lexicon.starting_with(word) is not None:
            break
        end, folded = further, word
        position += 1
    if tokens and tokens[-1].kind == "word" and first == tokens[-1].end + 1 and tokens[-1].text[0].islower():
        first = tokens.pop().start
    tokens.append(Token("word", folded, first, end, text[first:end]))
    return position


def _pieces(text: str, lexicon: Lexicon) -> list[_Piece]:
    """Words and marks, with clock tokens as single pieces."""
    folded = fold(_QUOTED.sub(r" \1 ", text) if _may_quote(text) else text)
    if "?" in folded or "\ufffd" in folded:
        folded = _LOST.sub(lambda match: _with_letters(match[0], lexicon), folded)
    pieces: list[_Piece] = []
    position = 0
    clocks = find_clock_tokens(text)
    if clocks and any(clock.raw[-1] in "mM." for clock in clocks):
        clocks = share_halves(clocks, text)
    if clocks and (EVENING in folded or " po pol" in folded):
        clocks = in_the_evening(clocks, folded)
    for clock in clocks:
        _add_words(pieces, text, folded, position, clock.start, lexicon)
        pieces.append((clock.start, clock.end, clock.raw, clock))
        position = clock.end
    _add_words(pieces, text, folded, position, len(text), lexicon)
    return pieces


@lru_cache(maxsize=1024)
def _with_letters(word: str, lexicon: Lexicon) -> str:
    """A folded word with its lost letters where it is a name of days or months with letters in their places; else as it is.

    >>> from mass_pipeline.reading.words.lexicon import load_lexicon
    >>> _with_letters("pi?tek", load_lexicon("pl")), _with_letters("kiedy?msza", load_lexicon("pl"))
    ('piatek', 'kiedy?msza')
    """
    masked = word.replace("\ufffd", "?")
    whole, stems = _names_with_lost_letters(lexicon)
    if masked in whole:
        return whole[masked]
    for end in range(min(len(masked), _LONGEST_DAY), _SHORTEST_STEM, -1):
        if masked[:end] in stems and "?" not in masked[end:]:
            return stems[masked[:end]] + masked[end:]
    return word


@lru_cache(maxsize=8)
def _names_with_lost_letters(lexicon: Lexicon) -> tuple[dict[str, str], dict[str, str]]:
    """Names of days and months by what is left of them without one letter, or two Polish ones: whole ones, and open stems."""
    whole: dict[str, str] = {}
    stems: dict[str, str] = {}
    for element in lexicon.first_words(_WITH_LOST_LETTERS):
        stem = element.stem
        polish = [at for at, letter in enumerate(stem) if letter in _MAY_BE_LOST]
        one = range(len(stem)) if len(stem) > _SHORTEST_STEM else polish
        for lost in chain(combinations(one, 1), combinations(polish, 2)):
            masked = "".join("?" if at in lost else letter for at, letter in enumerate(stem))
            (stems if element.open_ended else whole)[masked] = stem
    return whole, stems


def _may_quote(text: str) -> bool:
    """Whether a mark that ends a quotation stands in the text; a substitution that finds nothing takes ten times as long."""
    return '"' in text or "”" in text or "“" in text or "«" in text or "»" in text


def _slips(names: Sequence[str]) -> dict[str, str]:
    """Slips of the pen in names of days, folded -> the name: two letters exchanged ("wrotek" too), a letter too many or missing.

    Another letter makes other words of most of them ("robota"), one missing of the short ones ("worek"), and one too many in
    names on -a their adjectives ("niedzielna").
    """
    found: dict[str, str] = {}
    for name in names:
        missing = range(3, len(name) - 1) if len(name) >= _LONG_DAY else ()  # no "czartek", "czwarte"
        found |= {name[:at] + name[at + 1 :]: name for at in missing}
        for at in range(1, len(name)):
            found[name[:at] + name[at + 1 : at + 2] + name[at] + name[at + 2 :]] = name
            if not name.endswith("ki"):  # "wrotek"; but "wrotki" are roller skates
                found[name[:at] + name[at + 2 : at + 3] + name[at + 1 : at + 2] + name[at] + name[at + 3 :]] = name
            for letter in "abcdefghijklmnoprstuwyz" if not name.endswith(("a", "le", "y")) else "":
                found[name[:at] + letter + name[at:]] = name
    return {slip: name for slip, name in found.items() if slip not in names}


_DAYS_SLIPPED: Final = _slips(
    (
        *("poniedzialek", "wtorek", "czwartek", "piatek", "wtorki", "czwartki", "piatki", "niedziela", "niedziele", "sobota"),
        *("soboty", "poniedzialku", "czwartku", "piatku", "powszednie", "powszednich"),
        *("styczen", "kwiecien", "czerwiec", "sierpien", "wrzesien", "pazdziernik", "listopad", "grudzien"),
        *("stycznia", "kwietnia", "sierpnia", "wrzesnia", "pazdziernika", "listopada", "grudnia"),
    )
)


# A letter missing, or a letter missing and two exchanged: a slip where only a day stands, before an hour ("ptaek 18.00") or at
# the head of a line; elsewhere it may be any word.
_DAYS_SHORT: Final = {
    slip: name
    for name in ("poniedzialek", "wtorek", "sroda", "czwartek", "piatek", "sobota", "soboty", "niedziela", "niedziele")
    for cut in range(len(name) - 1)
    for short in (name[:cut] + name[cut + 1 :],)
    for at in range(1, len(short) - 1)
    for slip in (short, short[:at] + short[at + 1] + short[at] + short[at + 2 :] if cut else short)
    if not name.startswith(slip) and slip not in ("worek", "robota", "wroek")
}
_BEHIND_LABELS: Final = frozenset(".:-–—")
_AND: Final = frozenset(("i", "oraz"))
# Another letter is a slip after a word that only a day follows; elsewhere it may be a name ("ks. Piętek").
_BEFORE_A_DAY: Final = frozenset(
    ("i", "ii", "iii", "iv", "pierwszy", "pierwsze", "pierwszego", "drugi", "trzeci", "ostatni", "kazdy")
)
_DAYS_MISTYPED: Final = {
    name[:at] + letter + name[at + 1 :]: name
    for name in ("poniedzialek", "wtorek", "czwartek", "piatek", "piatki", "niedziela", "niedziele")
    for at in range(1, len(name) - 2)
    for letter in "abcdefghijklmnoprstuwyz"
    if letter != name[at]
} | {"piontek": "piatek", "piontki": "piatki", "ptek": "piatek", "ptki": "piatki"}  # the last two where letters were lost


_FEASTS_SLIPPED: Final = frozenset(("sieta", "sweta", "swita", "siweta", "sweita"))  # behind "niedziele i"


def _add_words(pieces: list[_Piece], text: str, folded: str, start: int, end: int, lexicon: Lexicon) -> None:
    last, word = start, ""
    for piece in _PIECE.findall(folded, start, end):  # nothing but white space lies between pieces
        first = folded.find(piece, last)
        last = first + len(piece)
        before, word = word, piece
        if last - first == 1:  # marks, and words like "w"
            pieces.append((first, last, word, None))
            continue
        meant = _meant(word, before, text, folded, first, last, end, lexicon)
        parts = _cut(text, folded, first, last, meant)
        if parts:
            pieces.extend(parts)
        else:
            pieces.append((first, last, meant, None))


def _meant(word: str, before: str, text: str, folded: str, first: int, last: int, end: int, lexicon: Lexicon) -> str:
    """A word without the slip of the pen in it; `end` is that of what stands before the next number."""
    if last - first > 3 and word in _DAYS_SLIPPED:
        return _DAYS_SLIPPED[word]
    if word in _DAYS_SHORT and _is_for_days(folded, first, last, end) and lexicon.starting_with(word) is None:
        return _DAYS_SHORT[word]
    if before in _AND and word in _FEASTS_SLIPPED:
        return "swieta"
    if before in _BEFORE_A_DAY and text[first].islower() and word in _DAYS_MISTYPED:
        return _DAYS_MISTYPED[word]
    return word


def _cut(text: str, folded: str, first: int, last: int, word: str) -> list[_Piece]:
    """The words that stand in one without a blank between them, or what is left of one with a letter too many; [] of others."""
    if text[first] == "I" and (glued := _GLUED_NUMERAL.fullmatch(word)) and text[first + glued.end(1)].islower():
        cut = first + glued.end(1)
        return [(first, cut, glued[1], None), (cut, last, _DAYS_MISTYPED.get(glued[2], glued[2]), None)]
    if first == 0 and text[0].islower() and text[1].isupper() and text[1:last].istitle():  # "xNiedziela"
        return [(1, last, word[1:], None)]
    joint = _JOINT.search(text, first, last + 2) if last - first > _LONG_DAY else None
    if joint is not None and joint.end() < last:
        cut = joint.end()
        return [(first, cut, folded[first:cut], None), (cut, last, folded[cut:last], None)]
    glued = _GLUED_DAY.fullmatch(word) if last - first > _LONGEST_DAY else None
    if glued is None:
        return []
    cut = first + glued.end(1)  # "powszednieponiedziałek": markup that stood between two words was lost
    return [(first, cut, glued[1], None), (cut, last, glued[2], None)]


def _is_for_days(folded: str, first: int, last: int, end: int) -> bool:
    """Whether a word stands where only a day does: before an hour, or at the head of a line before the mark of a label."""
    behind = folded[last:end].strip()
    hour_follows = end < len(folded) and not behind.strip(" -–:.,")
    return hour_follows or (first == 0 and behind[:1] in _BEHIND_LABELS)


_OPEN_KINDS: Final = frozenset({"kind", "note", "placetail", "noplace"})  # whose phrases may begin the name of a town
_BEFORE_VILLAGES: Final = frozenset(
    ("nowa", "nowej", "stara", "starej", "mala", "malej", "wielka", "wielkiej", "duza", "dolna", "gorna")
)
_BEHIND_SAINTS: Final = frozenset(("lipka", "katarzyna", "anna", "gora", "woda", "studzienka"))  # folded


def _longest_phrase(phrases: PhrasesByFollower, pieces: list[_Piece], position: int, text: str) -> tuple[Phrase | None, int]:
    """The best phrase that starts here and the number of pieces it takes."""
    following = pieces[position + 1][2] if position + 1 < len(pieces) else ""
    for phrase in phrases.before(following):
        if phrase.second and following != "." and not following.startswith(phrase.second):
            continue
        if phrase.kind == "and" and _is_roman_capital(pieces[position], text):
            continue
        if phrase.value == "same" and position == 0 and _refers_to_list(phrase):
            continue
        used = _match(phrase, pieces, position, text)
        if used and phrase.kind in _OPEN_KINDS and used == 1 and _is_town(phrase, pieces[position], text):
            continue
        if used and not (phrase.kind == "feast" and _is_village(phrase, pieces[position : position + used], text)):
            if phrase.value == "feasts" and used == 1 and _is_in_name(pieces, position, text):
                continue
            return phrase, used
    return None, 0


def _is_town(phrase: Phrase, piece: _Piece, text: str) -> bool:
    """`Słubice` is a town, though the phrase for weddings (`ślub*`) goes on with any ending."""
    return phrase.elements[0].open_ended and text[piece[0]].isupper() and names_town_alone(text[piece[0] : piece[1]])


def _is_roman_capital(piece: _Piece, text: str) -> bool:
    """`I` is a numeral, `i` is "and"."""
    return text[piece[0] : piece[1]] == "I"


def _refers_to_list(phrase: Phrase) -> bool:
    """`święta: porządek niedzielny` refers to the list of Sunday, which `Porządek niedzielny` at the head of a line names."""
    return phrase.elements[0].stem.startswith("porzad")


def _is_village(phrase: Phrase, pieces: list[_Piece], text: str) -> bool:
    """`Łęka Wielka sobota 18.00` names a village and a day; the feast is written `Wielka Sobota` or `wielka sobota`."""
    if len(pieces) < 2:
        return False
    return text[pieces[0][0]].isupper() and text[pieces[1][0]].islower() and phrase.elements[0].stem.startswith("wielk")


def _is_in_name(pieces: list[_Piece], position: int, text: str) -> bool:
    """`Nowa Święta`, `Święta Lipka`: a village, no feasts."""
    start, end = pieces[position][:2]
    if not text[start].isupper() or text[start:end].isupper():
        return False
    before = pieces[position - 1] if position else None
    after = pieces[position + 1] if position + 1 < len(pieces) else None
    if after is not None and after[2] in _BEHIND_SAINTS and text[after[0]].isupper():
        return True
    return before is not None and before[2] in _BEFORE_VILLAGES and text[before[0]].isupper()


def _match(phrase: Phrase, pieces: list[_Piece], position: int, text: str) -> int:
    """How many pieces the phrase takes from here, 0 when it does not match."""
    index = position
    count = len(pieces)
    for element in phrase.elements:
        if index >= count:
            return 0
        word, stem = pieces[index][2], element.stem
        if word != stem and not (element.open_ended and word.startswith(stem)):
            return 0
        index += 1
        if element.dot:
            dotted = index < count and pieces[index][2] == "." and pieces[index][0] == pieces[index - 1][1]
            if phrase.kind == "day" and stem in WORDS_TOO:
                index += dotted
                if not _is_label(pieces, position, index, text):
                    return 0
            elif dotted:
                index += 1
            elif element.dot == 2 and not (
                _glued_to_digit(pieces, index) or (phrase.kind == "day" and _heads_hours(pieces, index, text))
            ):
                return 0
    return index - position


def _is_label(pieces: list[_Piece], position: int, index: int, text: str) -> bool:
    """Whether the abbreviation of a day, which is a word as well, heads hours or stands alone: `Nie. 8.00`, `Sob, Nie: 9.00`."""
    if index >= len(pieces):
        return position == 0 and text[pieces[0][0]].isupper()
    behind = pieces[index]
    if behind[3] is not None:
        return text[pieces[position][0]].isupper() or text[pieces[index - 1][0]] == "."
    return text[pieces[position][0]].isupper() and behind[2] in (":", "|")


def _glued_to_digit(pieces: list[_Piece], index: int) -> bool:
    """`g9` stands for `g. 9`."""
    return index < len(pieces) and pieces[index][3] is not None and pieces[index][0] == pieces[index - 1][1]


def _heads_hours(pieces: list[_Piece], index: int, text: str) -> bool:
    """`Po 18:00`, `po–pá`: the short name of a day without its dot, of which the words "po" and "ne" are none."""
    if index >= len(pieces):
        return False
    return text[pieces[index][0]] in "-–—" or (pieces[index][3] is not None and text[pieces[index - 1][0]].isupper())


def _plain_token(pieces: list[_Piece], position: int, text: str) -> Token:
    start, end, folded, clock = pieces[position]
    written = text[start:end]
    if clock is not None:
        return Token("clock", _KIND_NAMES[clock.kind], start, end, written, clock)
    mark = _MARKS.get(written)
    if mark is not None:
        return Token(mark, written, start, end, written)
    if written == "I" and position and _joins(pieces, position, text):
        return Token("and", "and", start, end, written)
    if written in _ROMAN:
        return Token("roman", str(_ROMAN[written]), start, end, written)
    return Token("word", folded, start, end, written)


def _joins(pieces: list[_Piece], position: int, text: str) -> bool:
    """`NIEDZIELE I ŚWIĘTA`, `8.00 I 18.00`, `7.00 I PIĄTKU 8.00`: in capitals "and" looks like a numeral."""
    before, after = pieces[position - 1], pieces[position + 1] if position + 1 < len(pieces) else None
    if _is_capitals(before, text):
        return True
    if after is not None and text[after[0] : after[1]] in _ROMAN and before[2] == ".":
        return True  # "I pt. I I sob."
    if after is None or (before[3] is None and before[2] != ")"):
        return False
    if after[3] is not None:
        return True
    of_month = any(piece[2] in ("miesiaca", "m", "mies", "mca") for piece in pieces[position + 2 : position + 4])
    return text[after[0] : after[1]].isupper() and not of_month


def _is_capitals(piece: _Piece, text: str) -> bool:
    written = text[piece[0] : piece[1]]
    return len(written) > 1 and written.isalpha() and written.isupper()
