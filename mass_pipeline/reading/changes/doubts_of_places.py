"""What speaks against the place of a change: whether the Mass may be that of another parish or of a pilgrimage.

Belongs here: doubt `elsewhere`. Not here: doubts about days, hours and kinds (certainty).
"""

from __future__ import annotations

import re
from typing import Final

from mass_pipeline.model.identifiers import fold
from mass_pipeline.reading.changes import phrases
from mass_pipeline.reading.changes.change import ScheduleChange
from mass_pipeline.reading.changes.sentence_context import SentenceContext
from mass_pipeline.reading.words.expressions import expression

# A place in the locative; feasts and seasons have other endings or are left out.
_TOWN: Final = re.compile(
    r"\bwe? ((?:[A-ZĆŁŚŹŻ][a-ząćęłńóśźż]+(?:ym|im|ej|ych|ich) )?[A-ZĆŁŚŹŻ][a-ząćęłńóśźż]{2,}"
    r"(?:ie|cu|ku|iu|wie|ach|dzu|rzu|żu|nej|wej|skim|nym|kach|gu|chu|zy|cy|ce))\b"
)
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
    r"jasn\w+ gor|sasiedn|\bsasiedzi\b|pielgrzym\w+ (?:\w+ ){0,2}(?:do|na)\b|katedr|sanktuar|bazyli"
    r"|\bw parafii (?:w|na|sw|pw|[a-z]+sk\w+)\b"
    r"|\bw swo(?:jej|im) (?:kaplic|koscie|klaszto|parafi)|transmisj\w* (?:<the_mass> )?z (?!nasz)"
    r"|(?:diecezjaln|dekanaln|ogolnopolsk|krajow)\w+ (?:\w+ )?(?:pielgrzymk|dozynk|spotkani|zjazd|swiet|dzien|kongres|czuwani)"
    r"|\bw domu <house_of>|(?:^|[.,;] )tam (?:tez |rowniez )?(?:we? |o (?:<clock>|\d)|na |bed|odb)"
    r"|telewiz|radi[ou]|tamtejsz|\bzaprasza(?:ja)?\b[^.:;]{0,40}\bna <patronal_feast>"
)
# "w naszym Sanktuarium", "u nas", and a bare "w Sanktuarium" without a name after it: the parish's own church.
_OWN_HOURS: Final = re.compile(r"\d[.:]\d\d(?: \([^()]*\))?(?:,|;| i| oraz| a| natomiast|, a| zaś)+ $")
_HOUR_NEXT: Final = expression(r"(?: –| -|:)? <at>(?:g\.? ?)?\d")
_ASIDE: Final = re.compile(r"\([^()\d]*\)")  # "(odpust w Lipiu)": of another church than the Mass beside it
_HERE: Final = expression(
    r"\bnasz\w+ (?:\w+ )?(?:sanktuari|bazyli|katedr)\w+"
    r"|\bw (?:sanktuarium|bazylice)(?= (?:tego|w tym|o |<clock>|bed|zosta|odpraw|sprawow|<masses>)|[:,;.(])"
    r"|\b(?:przed|przy|obok|za) (?:sanktuarium|bazylik|katedr)\w*(?=[,;.(]|$)"
)
_OURS: Final = re.compile(r"\bu nas\b|\bnasz\w+ (?:\w+ )?(?:kosc|parafi|kaplic|swiatyn|wspoln)|\bw kosciele parafialn")
_EVENT: Final = expression(r"<event_at_place>")
# "Parafia św. Anny w Lipiu zaprasza w czwartek na Mszę św.", "Ojcowie pijarzy zapraszają ...": another host.
_HOSTS: Final = re.compile(
    r"(?:^|\. )\W*(?:parafi[ae]|ojcowie|oo\.|siostry|ss\.|bracia|ksieza|klasztor|sanktuari\w+|bazylika|katedra|diecezja|dekanat"
    r"|seminarium|kustosz)\b"
    r"(?! nasz)[^.:;]{0,80}\bzaprasza(?:ja)?\b"
)
# "Do Kalwarii na odpust można pojechać autokarem: suma o 11.00": the Mass at the end of the way.
_TRAVEL: Final = re.compile(r"\b[Dd]o ([A-ZĆŁŚŹŻ]\w{2,})")
_GOES: Final = re.compile(
    r"\b(?:(?:po|wy)?jech\w+|(?:po|wy)?jedzi\w+|(?:po)?jada\b|wyjezdz\w+|wyjazd\w*|wyrusz\w+|wybier\w+ sie"
    r"|uda(?:je|ja|my)\w* sie|autokar\w*|autobus\w*|wycieczk\w+|pielgrzym\w+)"
)


def is_elsewhere(change: ScheduleChange, scene: SentenceContext) -> bool:
    """Whether the Mass may be that of another parish or of a pilgrimage."""
    if change.kind in ("cancelled", "moved"):
        return False
    if not _OURS.search(scene.folded) and (_speaks_of_others(scene) or _HOSTS.search(scene.folded)):
        return True
    if _names(_OF_PARISH, phrases.MASS, _ASIDE.sub("", scene.written)) and not (
        scene.written.isupper() or _OURS.search(scene.folded)
    ):
        return True
    if _is_at_end_of_journey(scene):
        return True
    town = change.kind in ("added", "order") and not scene.is_listed and _is_of_town(_ASIDE.sub("", scene.written))
    return town or _ELSEWHERE.search(_HERE.sub("", _without_reasons(change, scene))) is not None


def _is_at_end_of_journey(scene: SentenceContext) -> bool:
    """Whether the sentence tells where one goes, and not why something is otherwise here."""
    return _GOES.search(scene.folded) is not None and _TRAVEL.search(scene.written) is not None and not _OURS.search(scene.folded)


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
    towns = ((written[: match.start()], match) for match in _TOWN.finditer(written) if not _NO_TOWN.match(fold(match[1])))
    return any(_OF_ORDER.search(before) or not (_OWN.search(before) or _is_filial(written, match)) for before, match in towns)


def _is_filial(written: str, town: re.Match[str]) -> bool:
    """Whether a village goes on with the list of one's own church: "o 8.00 i 10.00, a w Lipiu o 9.00"."""
    before = _OWN_HOURS.search(written[: town.start()]) is not None
    return before and _HOUR_NEXT.match(written[town.end() :]) is not None
