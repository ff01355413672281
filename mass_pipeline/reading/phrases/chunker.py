"""Turn the tokens of a line into nodes: conditions, times, operators, separators, bracketed groups."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final

from mass_pipeline.reading.phrases.cursor import Cursor, balance
from mass_pipeline.reading.phrases.days_grammar import names_a_feast, parse_days, parse_nth
from mass_pipeline.reading.phrases.nodes import (
    Cond,
    Dated,
    Days,
    Group,
    InList,
    InSeason,
    Node,
    OfKind,
    OnDays,
    Op,
    Remark,
    Season,
    Sep,
    Time,
    When,
    Word,
    excluded,
)
from mass_pipeline.reading.phrases.places_grammar import DEDICATED, parse_place
from mass_pipeline.reading.phrases.seasons_grammar import SPAN_OF_DAYS, parse_open_season, parse_season
from mass_pipeline.reading.words.clock import ClockKind
from mass_pipeline.reading.words.folding import fold
from mass_pipeline.reading.words.lexer import Token, tokenize
from mass_pipeline.reading.words.lexicon import Lexicon
from mass_pipeline.reading.words.prefilter import without_contact
from mass_pipeline.reading.words.weekday_patterns import SUNDAY, SUNDAY_SHORT

VIGIL: Final = f"{SUNDAY}na"
UNREAD: Final = "unread"  # the name of an operator whose words are known and mean what no rule reads
ONE: Final = "one"  # what a negation says of a single Mass: "19.30, w wakacje zawieszona"
_OF_ONE: Final = ("zawieszona", "odwolana")  # folded
_SEPARATORS: Final = frozenset({"comma", "semicolon", "stop", "colon", "dash", "bar", "and", "slash"})
_MARKERS: Final = {
    "hour": "hour",
    "glue": "glue",
    "monthword": "glue",
    "ofmonth": "glue",
    "edge": "glue",
    "ordinal": "number",
    "roman": "number",
}
_SAID: Final = ("odprawian", "sprawowan", "celebrowan", "odbywa")  # folded: "niedzielna Msza święta sprawowana jest o 9.30"
_NEW_YEAR: Final = "1.1"  # the feast: orders begin with it
_LONGEST_NOTE: Final = 12  # tokens
_FARTHEST: Final = 80  # tokens looked back on and ahead of for the list that a word heads
_LEADING: Final = frozenset({"with", "after"})  # prepositions of the vocabulary that lead on to what a remark is about
_OF_A_MASS: Final = re.compile(r"\w+(?:[sc]k|dzk|ow|aln|arn|czn)a")  # folded: adjectives of "msza"
_FARTHEST_VERB: Final = 20  # tokens looked back on for the verb
_GATHER: Final = ("gromadz", "zbiera", "spotyka")  # folded: "w niedzielę gromadzimy się na Mszy świętej o 10.00"
_ENDS_LACK: Final = frozenset({"comma", "semicolon", "stop", "close", "bar", "and", "clock", "hour"})

Parser = Callable[[Cursor, int], tuple[Cond, int] | None]
_CONDITIONS: Final[tuple[Parser, ...]] = (parse_nth, parse_season, parse_days)
_PARSERS: Final[dict[str, tuple[Parser, ...]]] = {  # by the kind of the first token; most words begin no condition
    "ordinal": (parse_nth, parse_season),
    "roman": (parse_nth, parse_season),
    "clock": (parse_nth, parse_season),
    "month": (parse_season,),
    "season": (parse_season,),
    "monthword": (parse_season,),
    "feast": (parse_season,),
    "border": (parse_season,),
    "edge": (parse_season,),
    "complement": (parse_season, parse_days),
    "op": (parse_season, parse_days),
    "day": (parse_days,),
    "daygroup": (parse_days,),
}


_LIST_MARK: Final = re.compile(
    r"(?<=\d[.:]\d\d) ?\+(?= ?\d{1,2}[.:]\d\d)|(?<=\s)//(?=\s)"
)  # "8:00+10:00", "pn. 17.00 // wt. 8.00"


def chunk(text: str, lexicon: Lexicon) -> tuple[Node, ...]:
    """Nodes of one line in order; an address or a telephone number before the order is no part of it."""
    text = without_contact(text)
    if "+" in text or "//" in text:
        text = _LIST_MARK.sub(lambda mark: mark[0].replace("+", ",").replace("//", "; "), text)
    return tuple(_Chunker(balance(tokenize(text, lexicon)), text).nodes())


class _Chunker:
    """One pass over the tokens of a line; every step consumes at least one token."""

    def __init__(self, tokens: Sequence[Token], text: str) -> None:
        self.cursor = Cursor(tokens)
        self.text = text
        self.position = 0

    def nodes(self, *, until: str = "") -> list[Node]:
        """Nodes up to a token of kind `until` (consumed) or the end."""
        found: list[Node] = []
        tokens = self.cursor.tokens
        count = len(tokens)
        while self.position < count:
            token = tokens[self.position]
            kind = token.kind
            if kind == "word" and token.text[0].islower():
                self.position += 1
                found.append(Word(token.text, token.start, token.end))
            elif kind in _SEPARATORS:
                self.position += 1
                found.append(Sep("comma" if kind == "slash" else kind, token.start, token.end))
            elif kind == until:
                self.position += 1
                break
            else:
                found.extend(self._step(token))
                if kind == "op" and token.value == "not" and self._ends_clause():
                    _turn_last(found)
        return found

    def _ends_clause(self) -> bool:
        """Whether nothing but a mark stands at the position."""
        return self.cursor.at(self.position) is None or self.cursor.is_kind(self.position, "comma", "semicolon", "stop", "close")

    def _leads_to_condition(self) -> bool:
        """`nie w środę`, `bez soboty`: whether a negation is one of days or of a part of the year, and not of a Mass then."""
        if self.position and self.cursor.is_kind(self.position - 1, "ordinal"):
            return False  # "ostatnia nie w lipcu"
        position = self.cursor.skip(self.position + 1, "glue")
        parsed = next((p for p in (parse(self.cursor, position) for parse in _CONDITIONS) if p is not None), None)
        return parsed is not None and not self.cursor.is_kind(parsed[1], "kind", "word")

    def _step(self, token: Token) -> list[Node]:
        if token.kind == "open":
            self.position += 1
            inner = self.nodes(until="close")
            last = self.cursor.tokens[self.position - 1]
            return [Group(tuple(inner), token.start, last.end, self.text[token.end : last.start].strip())]
        parsers = _PARSERS.get(token.kind)
        conditions = self._conditions(token, parsers) if parsers is not None else None
        if conditions:
            return conditions
        handler = _SIMPLE.get(token.kind)
        if handler is not None:
            return handler(self, token)
        place = parse_place(self.cursor, self.position)
        if place is not None:
            before = self.cursor.at(self.position - 1) if self.position else None
            self.position = place[1]
            if before is not None and before.text == "o":  # "w soboty o Matce Bożej": what the Mass is about
                return [Remark(f"o {place[0].value}", before.start, place[0].end)]
            return [place[0]]
        self.position += 1
        return [Word(token.text, token.start, token.end, _MARKERS.get(token.kind, ""))]

    def _conditions(self, token: Token, parsers: tuple[Parser, ...]) -> list[Node]:
        """Days, nth weekdays and seasons, also after "poza", "jak w"."""
        if (
            token.clock is not None
            and token.value != "date"
            and not token.text.isdigit()
            and not SPAN_OF_DAYS.fullmatch(token.text)
        ):
            return []  # of numbers only dates, spans of days and ordinals begin a condition
        if token.kind == "op":
            if token.value == "except" or ((token.value == "not" or fold(token.text) == "bez") and self._leads_to_condition()):
                return self._exclusions()
            if token.value == "same":
                return self._same(token)
            season = parse_open_season(self.cursor, self.position)
            if season is not None:
                self.position = season[1]
                return [season[0]]
            since = self._since(token) if token.value == "from" else None
            if since:
                return since
        rorate = _roraty_remark(self.cursor, self.position) if token.value == "advent" else 0
        if rorate:
            before, last = self.cursor.tokens[self.position - 1], self.cursor.tokens[rorate]
            self.position, start = rorate + 1, before.start if before.kind == "glue" else token.start
            return [Remark(self.text[start : last.end], token.start, last.end)]
        for parse in parsers:
            parsed = parse(self.cursor, self.position)
            if parsed is not None:
                self.position = parsed[1]
                return [parsed[0]]
        return []

    def _exclusions(self) -> list[Node]:
        """`poza wakacjami i oprócz Adwentu`: every condition up to the next separator that no condition follows."""
        start = self.position
        token = self.cursor.tokens[start]
        found: list[Node] = []
        position = self.position + 1
        while True:
            position = self.cursor.skip(position, "glue", "colon")
            single = self._end_of_single_days(position)
            parsed = next((p for p in (parse(self.cursor, position) for parse in _CONDITIONS) if p is not None), None)
            if parsed is None and not single:
                break
            if single:  # "oprócz Bożego Narodzenia": the rest of the year has the Mass
                first, last = self.cursor.tokens[position], self.cursor.tokens[single - 1]
                parsed = Remark(f"{token.text} {self.text[first.start : last.end]}", first.start, last.end), single
                found.append(parsed[0])
            elif parsed is not None:
                found.append(excluded(parsed[0]))
            assert parsed is not None
            self.position = parsed[1]
            position = self.cursor.skip(parsed[1], "and")
            if self.cursor.is_kind(position, "comma") and self._goes_on(position + 1):
                position += 1
            if self.cursor.is_op(position, "except"):
                position += 1
            elif position == parsed[1]:
                break
        if found:
            return found
        self.position = start + 1
        if _is_outside_masses(self.cursor, self.position, token):
            mass = self.cursor.tokens[self.position]
            self.position += 1
            return [Remark(self.text[token.start : mass.end], token.start, mass.end)]
        return [Op("except", token.start, token.end)]

    def _end_of_single_days(self, position: int) -> int:
        """The position after a feast or Sundays of the Church year, 0 of anything else: `I dnia Świąt Wielkanocnych`."""
        if self.cursor.is_kind(position, "day") and self.cursor.is_kind(position + 1, "season"):
            return position + 2 if names_a_feast(self.cursor, position) else 0
        feast = self.cursor.skip(position, "ordinal", "roman", "and", "glue", "daygroup")
        if not self.cursor.is_kind(feast, "feast"):
            return 0
        while self.cursor.is_kind(feast + 1, "feast"):  # "świąt Bożego Narodzenia"
            feast += 1
        return feast + 1

    def _goes_on(self, position: int) -> bool:
        """`poza sobotą, wakacjami i styczniem`: after the comma stands a further exception, of which no hour is said."""
        parsed = next((p for p in (parse(self.cursor, position) for parse in _CONDITIONS) if p is not None), None)
        return parsed is not None and self.cursor.is_kind(parsed[1], "and", "comma", "close")

    def _since(self, token: Token) -> list[Node]:
        """`Od niedzieli 3 września`, `od Nowego Roku`: the order holds from that day on; that does not make it dated."""
        position = self.cursor.skip(self.position + 1, "glue", "day")
        date = self.cursor.at(position)
        if date is None or date.value not in ("date", _NEW_YEAR) or date.text.count(".") > 2 or "do" in date.text.split():
            return []
        if self.cursor.is_kind(position + 1, "dash") or self.cursor.is_op(position + 1, "to"):
            return []
        self.position = position + 1
        return [Word(self.text[token.start : date.end], token.start, date.end, "glue")]

    def _same(self, token: Token) -> list[Node]:
        parsed = parse_days(self.cursor, self.cursor.skip(self.position + 1, "glue"))
        if parsed is None:
            self.position += 1
            embedded = frozenset({"Su"}) if SUNDAY_SHORT in fold(token.text) else frozenset()
            return [Op("same", token.start, token.end, Days(embedded, label=True) if embedded else None)]
        self.position = parsed[1]
        days = parsed[0].value
        assert isinstance(days, Days)
        return [Op("same", token.start, token.end, days)]

    def _clock(self, token: Token) -> list[Node]:
        self.position += 1
        assert token.clock is not None
        if token.is_time or token.clock.kind is ClockKind.RANGE:
            return [Time(token.clock, token.start, token.end)]
        if token.clock.kind is ClockKind.DATE:
            return [Dated(token.text, token.start, token.end)]
        return [Word(token.text, token.start, token.end, "number")]

    def _operator(self, token: Token) -> list[Node]:
        self.position += 1
        if token.value in ("from", "to"):
            return [Word(token.text, token.start, token.end, "glue")]
        if token.value == "alternate":
            said = fold(token.text)
            every_second = said.startswith(("co 2", "co dw", "co drug"))
            in_words = said.startswith("co ") or "parzyst" in said
            in_turns = "co drugi tydzień" if every_second else token.text if in_words else "na przemian"
            return [Op(token.value, token.start, token.end, says=in_turns)]
        if token.value == "without" and fold(token.text).endswith(_OF_ONE):
            return [Op(token.value, token.start, token.end, says=ONE)]
        if token.value == "without" and _lacks_something_else(self.cursor, self.position, token):
            last = self.cursor.tokens[self.position]
            self.position += 1
            return [Remark(self.text[token.start : last.end], token.start, last.end)]
        return [Op(token.value, token.start, token.end, says=token.text if token.value == UNREAD else "")]

    def _kind(self, token: Token) -> list[Node]:
        self.position += 1
        if token.value == "mass" and _is_at_known_mass(self.cursor, self.position, token):
            return [OfKind("reference", token.start, token.end)]
        if token.value == "mass" and _is_during_mass(self.cursor, self.position):
            return [Word(token.text, token.start, token.end)]
        if token.value in ("event", "devotion") and _OF_A_MASS.fullmatch(fold(token.text)):
            return [Word(token.text, token.start, token.end)]  # "9.30 ministrancka": a Mass, in a word that no rule reads
        kind = OfKind(token.value, token.start, token.end)
        if token.value == "mass" and fold(token.text).startswith(("sum", "rorat")):
            of_advent = [InSeason(Season(None, "advent"), token.start, token.end)] if fold(token.text).startswith("rorat") else []
            return [kind, Remark(token.text, token.start, token.end), *of_advent]
        return [kind]

    def _anchor(self, token: Token) -> list[Node]:
        self.position += 1
        return [OfKind("anchor", token.start, token.end)]

    def _feast(self, token: Token) -> list[Node]:
        self.position += 1
        before = {fold(t.text) for t in self.cursor.tokens[max(0, self.position - 4) : self.position - 1]}
        if before & DEDICATED:  # "kościół pw. Wniebowzięcia NMP": the name of a church
            return [Word(token.text, token.start, token.end, "glue")]
        return [Dated(token.text, token.start, token.end)]

    def _vigil(self, token: Token) -> list[Node]:
        self.position += 1
        if self._heads_sundays(token):
            label = InList(Days(frozenset({"Su"}), label=True), token.start, token.end)
            return [OfKind("mass", token.start, token.end), label] if "msz" in fold(token.text) else [label]
        note = Remark(VIGIL, token.start, token.end)
        if token.value == "saturday":
            return [OnDays(Days(frozenset({"Sa"})), token.start, token.end), note]
        return [note]

    def _heads_sundays(self, token: Token) -> bool:
        """`Msza św. niedzielna: 7.00, 9.00, 11.00` heads a list; a lone hour may be the vigil of a Saturday named above.

        So does `w Toporowie niedzielna Eucharystia jest o 8.30 oraz o 12.00`, as long as no other day is named before it.
        """
        said = fold(token.text)
        heads = self.position == 1 or self.cursor.is_kind(self.position - 2, "stop")  # ". Niedzielna: 8.00, 10.00"
        heads = heads and self.cursor.is_kind(self.position, "colon")
        of_mass = heads or "msz" in said or self.cursor.is_kind(self.position, "kind")
        if SUNDAY not in said or not of_mass:
            return False
        for earlier in reversed(self.cursor.tokens[max(0, self.position - _FARTHEST) : self.position - 1]):
            if earlier.kind in ("semicolon", "stop"):
                break
            if earlier.kind in ("day", "daygroup", "clock"):
                return False
        if all(following.kind in ("colon", "kind", "dash") for following in self.cursor.tokens[self.position :]):
            return True  # a line of its own over the hours
        hours, is_said = 0, False
        for following in self.cursor.tokens[self.position : self.position + _FARTHEST]:
            if following.kind in ("semicolon", "stop", "day"):
                break
            hours += following.is_time
            is_said = is_said or fold(following.text).startswith(_SAID)
        return hours > 1 or (hours == 1 and is_said)

    def _heads_baptisms(self, token: Token) -> bool:
        """`Chrzty: w drugą niedzielę miesiąca o 13.00` heads hours of its own; `10.00 (chrzty w II niedzielę)` heads none."""
        if not fold(token.text).startswith("chrzt") or not self.cursor.is_kind(self.position + 1, "colon"):
            return False
        return self.position == 0 or self.cursor.is_kind(self.position - 1, "stop", "semicolon", "bar")

    def _note(self, token: Token) -> list[Node]:
        """A remark with the words that belong to it: up to a separator, an hour or a condition."""
        start = self.position
        if self._heads_baptisms(token):
            self.position += 1
            return [OfKind("baptism", token.start, token.end)]
        prepositional = token.value in _LEADING
        eaten = {"word", "note", "place", "placetail", "glue", "intention"} | ({"kind"} if prepositional else set())
        self.position += 1
        while self.position - start < _LONGEST_NOTE and (following := self.cursor.at(self.position)) is not None:
            joins = following.kind == "and" and self.cursor.is_kind(self.position + 1, "note", "word")
            season = (
                prepositional and following.kind == "season" and following.value == "lent" and "gorzk" in fold(following.text)
            )
            leads_on = (
                following.kind == "op"
                and following.value == "to"
                and self.cursor.is_kind(self.position + 1, "word", "kind", "note", "placetail")
            )
            if not (joins or season or leads_on or following.kind in eaten) or self._starts_condition():
                break
            self.position += 1
        last = self.cursor.tokens[self.position - 1]
        found: list[Node] = [Remark(self.text[token.start : last.end], token.start, last.end)]
        eaten_tokens = self.cursor.tokens[start : self.position]
        if any(t.kind == "kind" and t.value == "broadcast" for t in eaten_tokens):
            found.append(OfKind("broadcast", token.start, last.end))
        if self._refers_to_mass(token, eaten_tokens):
            found.append(OfKind("reference", token.start, last.end))
        if any(t.kind == "season" and t.value == "lent" for t in eaten_tokens):
            found.append(InSeason(Season(None, "lent"), token.start, last.end))
        return found

    def _refers_to_mass(self, token: Token, eaten: Sequence[Token]) -> bool:
        """`po Mszy`, `after the 9:15 Mass`: the hour to come is that of another Mass."""
        said = fold(token.text)
        leads = token.value == "after" or said.startswith(("poprzedz", "zakoncz"))  # "poprzedzona nieszporami o 15.30"
        leads = leads or (said.startswith(("po ", "przed ")) and "msz" in said)  # "nowenna po Mszy o 18.00"
        if leads and self.cursor.is_kind(self.cursor.skip(self.position, "glue", "hour"), "clock"):
            return True
        behind = token.value == "after" or said.startswith(("po", "przed"))
        return behind and any(other.kind == "kind" and other.value == "mass" for other in eaten)

    def _starts_condition(self) -> bool:
        """Whether a preposition here leads to a day, season or hour rather than on in the remark."""
        if not self.cursor.is_kind(self.position, "glue", "and"):
            return False
        after = self.cursor.skip(self.position, "glue", "and")
        return self.cursor.is_kind(
            after, "day", "daygroup", "month", "season", "clock", "hour", "ordinal", "roman", "op", "place"
        )


_SIMPLE: Final[dict[str, Callable[[_Chunker, Token], list[Node]]]] = {
    "clock": _Chunker._clock,
    "op": _Chunker._operator,
    "kind": _Chunker._kind,
    "intention": lambda self, token: self._kind(Token("kind", "intention", token.start, token.end, token.text)),
    "anchor": _Chunker._anchor,
    "feast": _Chunker._feast,
    "monthday": _Chunker._feast,
    "vigil": _Chunker._vigil,
    "note": _Chunker._note,
}


# --- around the name of a Mass, a devotion or a negation ---------------------------------------------------------------


def _turn_last(found: list[Node]) -> None:
    """`w środy nie`: the negation behind the days turns them round."""
    cond = found[-2] if len(found) > 1 else None
    if isinstance(cond, When) and not cond.excluded:
        found[-2:] = [excluded(cond)]


def _lacks_something_else(cursor: Cursor, position: int, token: Token) -> bool:
    """`w wakacje bez zespołu`: what is missing is neither the Mass nor its hour."""
    lacked = cursor.at(position)
    if lacked is None or token.text.lower() != "bez" or lacked.kind not in ("word", "kind") or lacked.value == "mass":
        return False
    if fold(lacked.text).split()[0].endswith(("ej", "ch")):  # "bez porannej", "bez dwóch ostatnich"
        return False
    behind = next((other for other in cursor.tokens[position:] if other.kind in _ENDS_LACK), None)
    return behind is None or behind.kind not in ("clock", "hour")


def _roraty_remark(cursor: Cursor, position: int) -> int:
    """Where `roraty` stands that only tells what a Mass of all the year is then: `7.00 (w Adwencie roraty)`; else 0.

    `roraty w Adwencie`, `w Adwencie roraty o 6.30` and `tylko w Adwencie roraty` tell of a Mass of Advent alone.
    """
    rorate, before = cursor.skip(position + 1, "glue", "dash", "colon"), position - 1
    while cursor.is_kind(before, "glue", "open", "dash", "comma", "semicolon"):
        before -= 1
    if not cursor.is_kind(rorate, "kind") or not fold(cursor.tokens[rorate].text).startswith("rorat"):
        return 0
    hour = rorate + 1
    while (behind := cursor.at(hour)) is not None and not behind.is_time and behind.kind not in ("stop", "semicolon", "close"):
        hour += 1
    goes_on = behind is not None and behind.is_time and not cursor.is_kind(hour - 1, "comma")  # "roraty o 6.30"
    return rorate if cursor.is_kind(before, "clock") and not goes_on else 0


def _is_at_known_mass(cursor: Cursor, position: int, token: Token) -> bool:
    """`Na Mszy o 10.00 poświęcenie wieńców`: something else at a Mass that is known."""
    before = cursor.at(position - 2)
    if before is None or before.text.lower() != "na" or not fold(token.text).startswith(("mszy", "mszach")):
        return False
    for earlier in reversed(cursor.tokens[max(0, position - _FARTHEST_VERB) : position - 2]):
        if earlier.kind in ("semicolon", "stop") or fold(earlier.text).startswith(_GATHER):
            return earlier.kind in ("semicolon", "stop")
    return True


def _is_during_mass(cursor: Cursor, position: int) -> bool:
    """`podczas każdej Mszy świętej` speaks of something else that happens then."""
    before = {fold(t.text) for t in cursor.tokens[max(0, position - 4) : position - 1]}
    nearest = cursor.at(position - 2)
    in_its_time = nearest is not None and fold(nearest.text).endswith("czasie")  # but "w czasie wakacji Msza o 8.00"
    in_its_time = in_its_time and not cursor.is_kind(position, "open")  # "w czasie Mszy (7.00, 9.00)"
    return in_its_time or bool(before & {"podczas", "trakcie", "kazdej", "kazda", "wahrend", "jeder"})


def _is_outside_masses(cursor: Cursor, position: int, token: Token) -> bool:
    """`Chrzest: niedziele, godz. 13.15 (poza Mszą św.)`: not at a Mass; in `poza Mszą o 12.30` an hour is left out."""
    mass = cursor.at(position)
    if mass is None or token.text.lower() != "poza" or mass.kind != "kind" or mass.value != "mass":
        return False
    return cursor.at(position + 1) is None or cursor.is_kind(position + 1, "close", "comma", "semicolon", "stop")
