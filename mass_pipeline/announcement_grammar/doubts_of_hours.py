"""What speaks against the hours of a change: whether they are those of another service, and whether some are left.

Belongs here: doubts `hours_left` and `service`, and which words stand with an hour. Not here: doubts of days and places.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from mass_pipeline.announcement_grammar import phrases
from mass_pipeline.announcement_grammar.change import Doubt, ScheduleChange
from mass_pipeline.announcement_grammar.hours import BEGIN_OR_END, LIST
from mass_pipeline.announcement_grammar.scene import Scene
from mass_pipeline.language.clock import ClockToken
from mass_pipeline.language.expressions import expression

_STANDS_FOR_MASS: Final = expression(r"<which_mass>")
BREAK: Final = expression(
    r";(?! ?<at>\d)|,(?! ?(?:o |<clock>|\d|(?:i|oraz|ani)\b|a takze\b|sw|<that_is>|$|(?:a wiec |a |oraz |ale |lecz )?"
    r"(?:(?:dodatkowo|wszedzie|i|takze|rowniez|tez|<in_part>) )*(?:o |<clock>|dla |ze? [a-z]|<in_place_of> "
    r"|<weekdays_but_sunday> "
    r"|(?:<daily> )?od [a-z]+ do [a-z]+\b|<daily>|w kosciele|w kaplicy|we? (?!<weekday>)[a-z]+ (?:o |<clock>)"
    r"|(?:a |natomiast )?we? (?:<weekdays_but_sunday>|<weekend>|dni)|na cmentarzu|na $|kosciol|kaplic)))| [–-] (?!<at>(?:\d|$))"
)
_MAYBE_WITHOUT_MASS: Final = re.compile(r"\bslub|\bpogrzeb")
_PIECE_END: Final = re.compile(r"[,;()]")
_AS_USUAL: Final = expression(r" <unchanged>")
_COMMAS: Final = re.compile(r"\s*,[\s,]*")  # what is left of a date between commas
_HEADS_LIST: Final = expression(r"(?:<order>|<masses>|<of_masses>)(?:[^:;.]|\bsw\.)*:")
_BOUND: Final = expression(r"[;:.,(]| (?:oraz|i|a|nie|<owing_to>) ")
_ABBREVIATED: Final = expression(r"<abbreviation_at_hour>\.")
_ALONG: Final = re.compile(
    r"\bze? (?:(?!wyrusz|wychodz|przejd)\w+ )?(?!wyrusz|wychodz|przejd)\w+"
)  # "z nauką": comes along with the Mass


def of_hours(change: ScheduleChange, scene: Scene) -> Iterator[Doubt]:
    """Doubts about which hours are meant.

    Args:
        change: whose.
        scene: its sentence.
    """
    read = {time for one in scene.changes for time in (*one.times, *one.new_times)}
    if any(hour.time not in read for hour in _unaccounted(scene)):
        yield "hours_left"
    mine = hours_of(change, scene)
    if not mine:
        return
    heads = mine[:1] + [other for one, other in pairwise(mine) if BREAK.search(scene.folded[one.end : other.start])]
    if any(_is_of_other_alone(hour, scene.folded) for hour in heads):
        yield "service"
    beside = [match.span() for match in phrases.BESIDES.finditer(scene.words)]  # "oprócz zwykłych Mszy jeszcze jedna o 9.00"
    named = (match.span() for match in phrases.MASS.finditer(scene.words))
    masses = [span for span in named if not any(start <= span[0] < end for start, end in beside)]
    listed = (
        scene.is_listed
        or (change.kind == "order" and phrases.DAYS_OF_WEEK.search(change.words))
        or phrases.AS_SUNDAY.search(scene.words)
        or (change.kind == "order" and _HEADS_LIST.search(scene.words[: mine[0].start]))
    )
    of_part = _STANDS_FOR_MASS.search(words_around(mine[0], scene.folded)) is not None  # "natomiast wieczornej o 18.00 nie ma"
    if (
        masses
        and not (listed or of_part or _is_alone(change, scene))
        and all(BREAK.search(between(mine[0], span, scene.folded)) for span in masses)
    ):
        yield "service"


def _is_alone(change: ScheduleChange, scene: Scene) -> bool:
    """Whether no other service is named to which the hour could belong: "Msze 10.00 i 12.00, nie ma o 8.00"."""
    only_one = len(scene.hours) == 1 and phrases.ONLY_ONE.search(scene.words) is not None
    return (change.kind == "cancelled" or only_one) and phrases.OTHER.search(scene.folded) is None


def _unaccounted(scene: Scene) -> Iterator[ClockToken]:
    """Hours that are not those of another service: "święconka 10.00, 11.00 i 12.00", "15.00 ślub"."""
    reasons = []
    because = phrases.BECAUSE.search(scene.folded)
    if because and not phrases.MASS.search(because[0]):  # "o 10.00, bo o 12.00 kończą się lekcje"
        reasons.append(because.span())
    before: ClockToken | None = None
    is_other = False
    for hour in scene.hours:
        follows = before is not None and LIST.fullmatch(scene.folded[before.end : hour.start]) is not None
        alone = _MAYBE_WITHOUT_MASS.search(words_around(hour, scene.folded)) is not None
        away = _is_as_usual(hour, scene.folded) or any(start <= hour.start < end for start, end in reasons)
        is_other = (is_other and follows) or alone or away or _is_of_other(hour, scene.folded)
        before = hour
        if not is_other:
            yield hour


def _is_as_usual(hour: ClockToken, folded: str) -> bool:
    """Whether a Mass is mentioned as there anyway: "dodatkowa Msza o 10.00, wieczorna jak zwykle o 17.00"."""
    begins = max(folded.rfind(mark, 0, hour.start) for mark in (",", ";", "(")) + 1
    behind = _PIECE_END.split(folded[hour.end :])[0]
    return phrases.UNCHANGED.search(folded[begins : hour.start]) is not None or _AS_USUAL.match(behind) is not None


def hours_of(change: ScheduleChange, scene: Scene) -> list[ClockToken]:
    """Where its hours stand, each once: an hour that is that of another service, too, where it is that of the Mass."""
    found: dict[str, ClockToken] = {}
    for hour in scene.hours:
        if hour.time in (*change.times, *change.new_times):
            known = found.get(hour.time)
            if known is None or (_is_of_other(known, scene.folded) and not _is_of_other(hour, scene.folded)):
                found[hour.time] = hour
    return sorted(found.values(), key=lambda hour: hour.start)


def between(hour: ClockToken, span: tuple[int, int], folded: str) -> str:
    """The words between an hour and something else."""
    between = folded[span[1] : hour.start] if span[0] < hour.start else folded[hour.end : span[0]]
    return _COMMAS.sub(", ", between)


def words_around(hour: ClockToken, folded: str) -> str:
    """The words around an hour up to the next comma, "i" or hour."""
    folded = _ABBREVIATED.sub(lambda match: match[0][:-1] + " ", folded).replace(", czyli ", "  czyli ")
    before = _BOUND.split(folded[: hour.start])[-1]
    behind = re.split(r"\d", _BOUND.split(folded[hour.end :])[0])[0]
    return _ALONG.sub("", f"{before} {behind}")


def _is_of_other(hour: ClockToken, folded: str) -> bool:
    return phrases.OTHER.search(words_around(hour, folded)) is not None or BEGIN_OR_END.search(folded[: hour.start]) is not None


def _is_of_other_alone(hour: ClockToken, folded: str) -> bool:
    """Whether an hour is that of another service and of no Mass."""
    return _is_of_other(hour, folded) and not phrases.MASS.search(words_around(hour, folded))
