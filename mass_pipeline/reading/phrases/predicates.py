"""Small observations about the nodes of a line that the reader decides by."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise, takewhile
from typing import Final

from mass_pipeline.model.dates_of_year import YEAR
from mass_pipeline.reading.phrases.nodes import (
    DAYS_OF_LIST,
    AtPlace,
    Cond,
    Dated,
    Group,
    InList,
    InSeason,
    Node,
    NodeLine,
    OfKind,
    OnDays,
    OnNth,
    Op,
    Remark,
    Season,
    Sep,
    Time,
    When,
    Word,
    ends_clause,
    first_of,
    has,
    is_mark,
    is_op,
    operators_in,
    select,
)
from mass_pipeline.reading.words.expressions import expression
from mass_pipeline.reading.words.folding import fold
from mass_pipeline.reading.words.languages import title_pattern
from mass_pipeline.reading.words.parts_of_day import may_be_seasonal_pair
from mass_pipeline.reading.words.weekday_patterns import EVENING

_BUILDING: Final = re.compile(
    r"kosci|kapli|fili|cerk|bazyl|katedr|sanktu|klaszt|st\.|szpital|hospic|dps|dom |kirche|basilika|kapelle"
)
_SEVERAL_BUILDINGS: Final = re.compile(r"(?:koscio[l]?(?:y|ach)|kaplic(?:e|ach)|fili(?:e|ach)|cerkwi(?:e|ach))\b")  # folded
_MOVES: Final = re.compile(
    r"odprawian|sprawowan|celebrowan|jest\b|sa\b|bedzie|przesuni|przesuwa|przenies|przenos|rozpoczyna|zaczyna"
)  # folded
_TAKES_PLACE: Final = re.compile(r"(?:jest|sa|bedzie|beda)\b")  # folded
_COUNTED: Final = re.compile(r"(?:pierwsz|(?:przed)?ostatni|drug|trzeci|czwart)(?:a|i?ej?|i?ch|ych)$")  # folded
_NEAR: Final = 8  # nodes on either side of an hour
_FARTHEST: Final = 80  # nodes looked ahead
_SINCE: Final = frozenset({"od", "ab", "from", "від", "з", "do", "until", "till", "bis", "до"})
_BESIDE_PLACES: Final = (InList, OnDays, InSeason, AtPlace)
_WHICH_DAYS: Final = (InList, OnDays, OnNth)
_LABEL_WORDS: Final = 3  # "Msze święte w naszej parafii"


def is_only_place(line: NodeLine) -> bool:
    """A village or a church on a line of its own heads what follows; an address does not."""
    for node in line.nodes:
        if isinstance(node, Word):
            if node.marker != "glue":
                return False
        elif isinstance(node, Cond) and not isinstance(node, _BESIDE_PLACES) and node.value != "mass":
            return False
    return True


def names_building(cond: Cond) -> bool:
    """`Kaplica św. Anny`, as against a village or a street."""
    return isinstance(cond, AtPlace) and _is_building(str(cond.value))


def names_several_buildings(cond: Cond) -> bool:
    """`w kościołach filialnych`, `filie`: a heading of the places to come."""
    return isinstance(cond, AtPlace) and _SEVERAL_BUILDINGS.match(fold(str(cond.value))) is not None


@lru_cache(maxsize=4096)
def _is_building(name: str) -> bool:
    return _BUILDING.match(fold(name)) is not None


_FEASTS_OF_A_KIND: Final = expression(r"\W*<feasts_of_a_kind>")


def names_event(headings: str) -> bool:
    """Whether folded headings, joined by slashes, name an event; `Cerkiew w Pielgrzymce` and `Kościół w Misjach` are places.

    `Święta zniesione (26 XII, Poniedziałek Wielkanocny)` heads a list, whichever feasts it names.
    """
    event = title_pattern("event")
    named = (heading for heading in headings.split(" / ") if event.search(heading) is not None)
    return any(not (_BUILDING.match(heading) or _FEASTS_OF_A_KIND.match(heading)) for heading in named)


def begins_with_building(cond: Cond, line: NodeLine) -> bool:
    """`Kaplica św. Anny, ul. Długa 5`: a church at the beginning of a line heads what follows, its address beside it."""
    return line.nodes[0] is cond and names_building(cond)


def is_label(line: NodeLine) -> bool:
    """A line that heads others: a heading, or few words and no numbers."""
    if line.heading or line.text.rstrip().endswith(":"):
        return True
    numbers = any(node.marker == "number" for node in select(line.nodes, Word))
    return not numbers and plain_words(line.nodes) <= _LABEL_WORDS


def closes_season_pair(restrictions: Sequence[Cond], hour: str, nodes: Sequence[Node], index: int) -> bool:
    """`w czwartek 19.00 lato; 18.00 zima`: the second half belongs under the same conditions.

    Not so in `18.00 - latem w sobotę; 13.00 - zimą`, whose hours are too far apart to be those of one Mass.
    """
    if not any(isinstance(cond.value, Season) and not cond.excluded for cond in restrictions):
        return False
    following = first_of(nodes[index : index + _FARTHEST], Time)
    on_days = has(restrictions, DAYS_OF_LIST)
    if on_days and following is not None and not may_be_seasonal_pair(hour, following.clock.time):
        return False
    times = 0
    for node in nodes[index : index + _FARTHEST]:
        if isinstance(node, Sep) and node.name != "dash":
            return False
        times += isinstance(node, Time)
        said = node.nodes[0] if isinstance(node, Group) and node.nodes else node
        if isinstance(said, Cond):
            return isinstance(said, InSeason) and times == 1
    return False


def denies_time(nodes: Sequence[Node], index: int) -> bool:
    """`nie ma Mszy o 8.30` denies an hour; in `w poniedziałek nie ma Mszy, w sobotę 8.00` the hour begins something new."""
    comma = named = False
    for node in nodes[index + 1 : index + _FARTHEST]:
        if isinstance(node, Time):
            return True
        if isinstance(node, Sep):
            if node.strong or (named and node.name == "comma"):
                return False  # "7.00, 8.30 - nie ma w wakacje, 10.00": the list goes on
            comma = comma or node.name == "comma"
        elif isinstance(node, When) and not comma:
            named = True
        elif comma and (isinstance(node, When) or (isinstance(node, Word) and _TAKES_PLACE.match(fold(node.text)))):
            return False  # "nie ma Mszy, w sobotę 8.00", "nie ma Mszy wieczornej, jest rano o 8.00"
        elif comma and is_op(node, "evening"):
            return False  # "o 12.30 nie ma Mszy, wieczorna o 20.00"
    return False


def leads_to_time(nodes: Sequence[Node], index: int) -> bool:
    """`9.00, co drugą niedzielę 11.00`: what stands between two hours, after a comma, is of the one to come."""
    since = takewhile(lambda node: not isinstance(node, Time), reversed(nodes[:index]))
    return any(node.name != "dash" for node in select(since, Sep)) and goes_on_to_time(nodes, index)


def goes_on_to_time(nodes: Sequence[Node], index: int) -> bool:
    """Whether an hour follows in the clause, before the next comma."""
    clause = takewhile(lambda node: not (isinstance(node, Sep) and (node.strong or node.name == "comma")), nodes[index + 1 :])
    return has_time(tuple(clause))


def is_moved_ahead(nodes: Sequence[Node], index: int) -> bool:
    """`Msze o 17.00 odprawiane są o 18.00`: the hour at `index` is that of a Mass, a verb leads on from it to the next one."""
    if not any(node.value == "mass" for node in select(nodes[max(0, index - _NEAR) : index], Cond)):
        return False
    verb = False
    for node in nodes[index + 1 : index + _NEAR]:
        if isinstance(node, Time):
            return verb
        if isinstance(node, Word) and _MOVES.match(fold(node.text)):
            verb = True
        elif verb and not (isinstance(node, Word) and node.marker):
            return False  # "Msza o 9.00 jest w kaplicy, o 11.00 w kościele"
        elif isinstance(node, Group) or (isinstance(node, Sep) and node.name != "comma"):
            return False
    return False


def is_denied(nodes: Sequence[Node], index: int) -> bool:
    """`wt. 15.15, w soboty bez Mszy`, `sob. 8.00, pn. - bez Mszy`: the condition goes with the denial, not the hour before."""
    before = next((node for node in reversed(nodes[:index]) if not isinstance(node, Word)), None)
    listed = is_mark(before, "comma")
    for node in nodes[index + 1 : index + _FARTHEST]:
        if isinstance(node, Op):
            return node.name == "without"
        if not (isinstance(node, (Word, AtPlace, OfKind)) or (listed and is_mark(node, "dash"))):
            return False
    return False


def only_adds_overlay(cond: Cond, others: Sequence[Cond]) -> bool:
    """`w wakacje i w ferie`: the months count, the winter holidays have none."""
    return cond.has_no_dates and not cond.is_rest and any(other.dates and other.dates != YEAR for other in others)


def is_remark(nodes: Sequence[Node], index: int) -> bool:
    """`18.00 - ostatnia niedziela miesiąca z udziałem młodzieży` restricts the remark, not the Mass."""
    for node in nodes[index + 1 : index + _FARTHEST]:
        if isinstance(node, Sep):
            return False
        if isinstance(node, Cond) and (isinstance(node, Remark) or node.value in ("baptism", "mass")):
            return True
    return False


def starts_with_time(nodes: Sequence[Node], index: int) -> bool:
    """Whether the first thing that counts in a clause is an hour."""
    for at, node in enumerate(nodes[index : index + _FARTHEST], index):
        if isinstance(node, Time):
            return True
        if at == 0 and is_mark(node, "dash"):
            continue  # "– o godz. 8.00 – w soboty": the mark of an item
        if not (isinstance(node, Word) or (isinstance(node, Cond) and node.value in ("mass", "anchor"))):
            return False
    return False


def times_before_bracket(nodes: Sequence[Node], index: int) -> int:
    """How many hours stand between a position and the next bracket."""
    count = 0
    for node in nodes[index : index + _FARTHEST]:
        if isinstance(node, Group):
            break
        count += isinstance(node, Time)
    return count


def plain_words(nodes: Sequence[Node]) -> int:
    """Words without meaning to the grammar."""
    return sum([plain_words_of(node) for node in nodes if type(node) is Word])


def plain_words_of(node: Word) -> int:
    """How many words without meaning to the grammar stand in one node."""
    return node.text.count(" ") + 1 if node.marker == "" and node.text[0].isalpha() else 0


def has_time(nodes: Sequence[Node]) -> bool:
    """Whether an hour stands among them, outside brackets."""
    return Time in map(type, nodes)


def names_days(nodes: Sequence[Node]) -> bool:
    """Whether days are named, or a Mass."""
    dims = set(map(type, nodes))
    return not dims.isdisjoint(_WHICH_DAYS) or (OfKind in dims and "mass" in [n.value for n in nodes if isinstance(n, OfKind)])


def names_only_lists(nodes: Sequence[Node]) -> bool:
    """Whether days are named and no season or place."""
    dims = {type(node) for node in select(nodes, Cond)}
    return bool(dims & {InList, OnDays}) and not dims & {InSeason, AtPlace, Dated}


def said_from(nodes: Sequence[Node], index: int) -> bool:
    """`od godz. 6.15`, `do godz. 20`: something goes on from or to an hour; a Mass begins at one."""
    before = [node.text.lower() for node in nodes[max(0, index - 2) : index] if isinstance(node, Word)]
    return bool(before) and not _SINCE.isdisjoint(before)


def half_named(nodes: Sequence[Node]) -> str:
    """Which half of the day is named, `morning`, `evening` or neither: `wieczornej`, `poranna`."""
    words = " ".join(fold(node.text) for node in nodes if isinstance(node, Word))
    evening = "evening" in operators_in(nodes)
    return "evening" if evening or f"{EVENING}n" in words else "morning" if "rann" in words or "rano" in words else ""


def hour_counted(nodes: Sequence[Node]) -> str:
    """Which hour of a list words count: `first`, `last`, `unread` for any other or several of them; "" where they count none.

    `w lipcu bez ostatniej`, `bez dwóch ostatnich`, `bez drugiej i trzeciej`; in `w ostatnią niedzielę` a day is counted.
    """
    words = [word for node in nodes if isinstance(node, Word) for word in fold(node.text).split()]
    counted = [word for word in words if _COUNTED.match(word)]
    with_others = any(word.endswith("ej") and word not in (*counted, "tej") for word in words)  # "bez pierwszej i popołudniowej"
    of_days = any(
        isinstance(one, Word) and _COUNTED.match(fold(one.text)) and isinstance(then, When) for one, then in pairwise(nodes)
    )
    if len(counted) != 1 or of_days or with_others or not counted[0].endswith(("a", "ej")):
        return "unread" if counted else ""
    return "first" if counted[0].startswith("pierw") else "last" if counted[0].startswith("ost") else "unread"


def rest_of_clause(nodes: Sequence[Node], at: int) -> Sequence[Node]:
    """The nodes after a position up to the end of its clause."""
    return list(takewhile(lambda node: not ends_clause(node), nodes[at + 1 : at + _FARTHEST]))
