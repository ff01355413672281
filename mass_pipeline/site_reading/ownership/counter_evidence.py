"""What speaks against the hours of one line: words that govern them, dates, names of other places.

Not here: which words govern (`context`), what follows from it for the order (`judging`).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from itertools import islice
from typing import Final

from mass_pipeline.model.document import Document, Region
from mass_pipeline.reading.words.effective_date import over_or_to_come
from mass_pipeline.reading.words.expressions import expression
from mass_pipeline.reading.words.folding import fold
from mass_pipeline.reading.words.languages import title_pattern
from mass_pipeline.reading.words.masking.words import is_holy, is_saint
from mass_pipeline.site_reading.ownership.context import Context, folded, names_church, shortened, turns_to_today
from mass_pipeline.site_reading.ownership.evidence import Against, CounterEvidence, Words, pattern_of, words_against
from mass_pipeline.site_reading.ownership.own_names import OwnNames, capitals, without_contacts

_PLACE_WORD: Final = r"[A-ZĄĆĘŁŃÓŚŹŻ][a-ząćęłńóśźż'-]+"
_NAME: Final = rf"{_PLACE_WORD}(?:[ -](?:nad |pod )?{_PLACE_WORD}){{0,3}}"
_AT: Final = re.compile(rf"(?<!\w)(?i:w|we|na|do|z|ze|nad|pod|koło|k\.|in|at|à|from|to jest|to)\s+({_NAME})")
_LABEL: Final = re.compile(rf"^[\s•*–-]*({_NAME})\s*[:(–-]")
_ADJECTIVE: Final = re.compile(r"now|wielk|gorn|doln|swiet")  # "Nowa Wola", but also "Nowy Rok"
_CELL: Final = re.compile(rf"^\s*({_NAME})\s*(?:[:(,–-]|$)")
_SAINT: Final = r"(?:(?i:św\.|świętego|świętej|świętych|bł\.)\s*)?"
_DEDICATED: Final = re.compile(
    r"(?i:parafi\w*|parish)\s+(?:(?i:pw\.|pod wezwaniem|rzymskokatolick\w+)\s+)*"
    rf"({_SAINT}{_PLACE_WORD}(?:\s+(?:i |św\. )?{_PLACE_WORD}){{0,4}})"
)
_OF_OTHERS: Final = re.compile(
    rf"(?<!\w)(?:(?i:parafi[aięą]|zb[oó]r(?:u|ze)?|wsp[oó]lnot[ay])\b(?P<parish>(?:[^|.;:(]|(?<=w)\.)*)"
    rf"|(?i:ko[sś]ci(?:[oó][lł]|ele|o[lł]a)) (?P<church>{_PLACE_WORD}))"
)
_OF_MASS: Final = expression(r"<mass_or_eucharist>|<of_mass>|(?<!\w)mass")
_MAY_BE_OWN: Final = frozenset({Against.NEIGHBOURS, Against.ELSEWHERE, Against.OTHER_CHURCH})  # "Sanktuarium pielgrzymkowe"
_WHOSE: Final = frozenset({Against.NEIGHBOURS, Against.OTHER_CHURCH})  # what a line above says, that is no heading
_NOT_OF_A_STATEMENT: Final = frozenset({Against.NEIGHBOURS, Against.ELSEWHERE})
# An order in prose: "odprawiane są", "sprawujemy", "are celebrated", "werden gefeiert", "jsou slouženy".
STATED: Final = re.compile(
    r"(?<!\w)(?:(?:odpraw|spraw|celebr)(?:ian|owan)\w+ (?:sa|jest)|(?:sa|jest) (?:odpraw|spraw|celebr)(?:ian|owan)\w+|"
    r"odprawiamy|sprawujemy|celebrujemy|(?:odprawia|sprawuje|odbywaja|odbywa|przedstawia) sie|"
    r"(?:are|is) (?:celebrated|said|offered)|werden|wird|finden|jsou|je slouz|aukojam)(?!\w)"
)
_CHAPEL: Final = ("kaplica ", "kaplicy ", "w kaplicy ", "kaplice ")
_SHORT: Final = 300  # characters of a line that tells what the whole page is
_MOST_NAME_WORDS: Final = 3
_MOST_PLACES: Final = 12
_ODD: Final = 5  # Masses begin at multiples of so many minutes
_TIME: Final = re.compile(r"(?<!\d)(\d{1,2})[:.](\d\d)(?!\d)")


@dataclass(frozen=True, slots=True)
class Page:
    """What all lines of a page share.

    Attributes:
        title: folded, with the words of the link that led to it, without names of towns.
        whole_title: folded.
        says: what short lines anywhere on the page say against all of its hours.
        villages: headings that are names alone, where several of them head hours; empty when the parish's own is among them.
    """

    title: str
    whole_title: str
    says: Mapping[Against, re.Match[str]]
    villages: frozenset[str] = frozenset()


def page_of(document: Document, found: Collection[Context], own: OwnNames) -> Page:
    """What a page says of all its hours.

    Args:
        document: the page.
        found: the contexts of its hours.
        own: names of the parish.
    """
    title = folded(document.title, document.link_text)
    short = "\n".join(line.text for line in document.lines if line.region is not Region.NAV and len(line.text) <= _SHORT)
    text = fold(short)
    said = {kind: match for kind, words in words_against().items() if words.page and (match := words.page.search(text))}
    names = {context.headings[-1] for context in found if context.headings and _is_name(context.headings[-1])}
    several = bool(own) and len(names) > 1 and not any(own.has(word) for name in names for word in capitals(name))
    return Page(title, fold(document.title), said, frozenset(names) if several else frozenset())


def _is_name(heading: str) -> bool:
    words = heading.split()
    return len(words) <= _MOST_NAME_WORDS and all(word[:1].isupper() and not _is_no_place(word) for word in words)


def objections_to(context: Context, page: Page, own: OwnNames, today: date) -> list[CounterEvidence]:
    """Everything that speaks against the hours of a line, strongest kinds first; empty for an order like any other."""
    found = list(_worded(context, page, own))
    if _states_own(context):
        found = [one for one in found if one.kind not in _NOT_OF_A_STATEMENT]
    found += _dated(context, page, today)
    found += _of_another(context, own)
    found += _placed(context, page, own)
    found += [CounterEvidence(Against.ANOTHER_PARISH, own.another)] if own.another else []
    if _has_odd_minutes(context.own):
        found.append(CounterEvidence(Against.ODD_MINUTES, ""))
    return found


def _states_own(context: Context) -> bool:
    """`W naszym kościele Msze odprawiane są ...`: whatever stands above, this is the parish's own order."""
    line = fold(shortened(context.own))
    return pattern_of("own", "words").search(line) is not None and STATED.search(line) is not None


def _worded(context: Context, page: Page, own: OwnNames) -> Iterator[CounterEvidence]:
    dedicated = _heads_filial_churches(context) or any(
        title_pattern("dedicated").search(fold(heading)) for heading in context.headings
    )
    lead = context.lead if _lead_governs(context) else ""
    before = folded(*context.headings, lead, context.before)
    stated = folded(*context.headings, context.lead, context.own)
    everything = folded(stated, context.trail)
    for kind, words in words_against().items():
        whose = fold(" | ".join((*context.headings[1:], context.church, _label(context)))) if kind in _WHOSE else ""
        titles = context.headings if dedicated and kind is not Against.EXAMPLE else (page.title, *context.headings)
        match = _search(words, f"{folded(*titles)} | {whose}", f"{whose} | {before}", everything) or page.says.get(kind)
        if match is None and kind is Against.OTHER_CHURCH and words.before is not None:
            match = words.before.search(page.whole_title)
        if match is None or (words.unless is not None and words.unless.search(stated if kind is Against.FORMER else everything)):
            continue  # what is said below of today takes back nothing that is told of the past
        if kind is Against.FORMER and turns_to_today(context.before):
            continue
        if kind in _MAY_BE_OWN and _is_own(kind, words, match, own):
            continue
        of_a_chapel = kind is Against.ELSEWHERE and _heads_a_chapel(context, match.group())
        yield CounterEvidence(Against.OTHER_PLACE if of_a_chapel else kind, match.group().strip())


def _heads_a_chapel(context: Context, words: str) -> bool:
    """`Kaplica na campingu`: a chapel at such a place, which may be one of the parish, as any other place."""
    heading = fold(context.headings[-1]) if context.headings else ""
    return heading.startswith(_CHAPEL) and words in heading


def _is_own(kind: Against, words: Words, match: re.Match[str], own: OwnNames) -> bool:
    """Whether the parish names itself so: a sanctuary of pilgrims, a parish of another rite."""
    if match.group().strip() in own.naming:  # another confession it stays, unless churches of this one are called so too
        return kind is not Against.OTHER_CHURCH or (match.group().startswith("cerk") and "prawoslaw" not in own.naming)
    if kind is Against.ELSEWHERE and match.group().startswith("pielgrzym") and "sanktuari" in own.naming:
        return True  # pilgrims come to a sanctuary
    return kind is Against.OTHER_CHURCH and words.unless is not None and words.unless.search(own.naming) is not None


def _lead_governs(context: Context) -> bool:
    """Whether the lines above say what hours these are: a sentence about Masses says it itself."""
    return context.lead.rstrip().endswith(":") or _OF_MASS.search(fold(context.before)) is None


def _search(words: Words, headings: str, before: str, everything: str) -> re.Match[str] | None:
    for pattern, text in ((words.heading, headings), (words.before, before), (words.anywhere, everything)):
        if pattern is not None and (match := pattern.search(text)) is not None:
            return match
    return None


def _dated(context: Context, page: Page, today: date) -> Iterator[CounterEvidence]:
    title = page.title if not context.headings or "archiw" in page.title else ""
    texts = (
        (folded(*context.headings[-2:]), True),
        (title, True),
        (folded(context.lead if _lead_governs(context) else "", context.before), False),
        (_said_below(context), False),
    )
    for text, is_heading in texts:
        said = over_or_to_come(text, today, is_heading=is_heading)
        if said is not None:
            yield CounterEvidence(Against.OVER if said[0] == "over" else Against.NOT_YET, said[1])
            return


def _said_below(context: Context) -> str:
    """`Powyższy porządek obowiązuje do 30 czerwca 2019`: what closes a list and speaks of all of it; "" for anything else."""
    found = pattern_of("below", "of_all_above").search(folded(context.trail))
    return found.group() if found is not None else ""


def _label(context: Context) -> str:
    """What stands before the hours of a line up to its colon, or in the first cell of its row."""
    return context.cell or context.before.partition(":")[0]


def _of_another(context: Context, own: OwnNames) -> Iterator[CounterEvidence]:
    """The nearest words that name a parish or a church, where it is none of the own: another parish, or a confession of its own.

    `Parafia św. Jana w Lipnikach`, `Kościół Wolnych Chrześcijan`; the church of a village or a saint may be a filial one.
    """
    for part in (context.before, context.church, *filter(names_church, context.headings[:0:-1])) if own else ():
        found = list(_OF_OTHERS.finditer(shortened(part)))
        names = [word for match in found for word in capitals(match["parish"] or match["church"] or "")]
        if pattern_of("own", "words").search(fold(part)) or any(map(own.has, names)):
            return
        if any(match["parish"] for match in found) or not all(map(_is_of_saints, names)):
            yield from [CounterEvidence(Against.NEIGHBOURS, " ".join(names))] if names else []
            return


def _is_of_saints(word: str) -> bool:
    return is_holy(fold(word)) or is_saint(fold(word)) or _is_no_place(word)


def _placed(context: Context, page: Page, own: OwnNames) -> Iterator[CounterEvidence]:
    """Places that are not the parish's own; nothing without own names, and nothing beside one of them."""
    if not own or _heads_filial_churches(context):
        return
    if context.headings and context.headings[-1] in page.villages:
        yield CounterEvidence(Against.OTHER_PLACE, context.headings[-1])
        return
    governing = [shortened(part) for part in (*context.headings[-2:], context.lead, context.before)]
    said = " | ".join(part for part in governing if part)
    if pattern_of("own", "words").search(fold(said)):
        return
    places = [place for part in governing for place in places_in(part)]
    places += label_in(context.cell, _CELL) if context.cell else label_in(context.before)
    foreign = [place for place in places if not own.has_all(place)]
    if any(_names_itself(part, own) for part in governing):
        return
    if foreign and len(foreign) == len(places):
        yield CounterEvidence(_kind_of_place(context, own), " ".join(foreign[0]))
        return
    if not places:
        match = pattern_of("names", "institutions").search(fold(without_contacts(said)))
        if match is not None and not (pattern_of("names", "institutions").search(own.naming) or _heads_own_page(context, own)):
            yield CounterEvidence(Against.OTHER_BUILDING, match.group())


def _kind_of_place(context: Context, own: OwnNames) -> Against:
    """`Katedra w Opolu` over hours on the page of a village: no church of its own, whatever order stands beside it."""
    mother = pattern_of("names", "mother_churches")
    is_elsewhere = mother.search(folded(*context.headings[-1:])) is not None and mother.search(own.naming) is None
    return Against.ELSEWHERE if is_elsewhere else Against.OTHER_PLACE


def _heads_filial_churches(context: Context) -> bool:
    """`Nasze filie`, `Kościoły filialne`: the villages below are those of the parish."""
    return bool(context.headings) and pattern_of("own", "filial").search(folded(*context.headings)) is not None


def _names_itself(text: str, own: OwnNames) -> bool:
    """`Parafia św. Łukasza – Dolna Polana` on the site of Dolna Polana: the dedication is its own, too.

    Whatever says all that the parish is known by, and its place besides, says no other one.
    """
    match = _DEDICATED.search(text)
    if match is None:
        return False
    place = capitals(text[match.end() :])
    return own.all_in(text) or (bool(place) and own.has_all(place))


def _heads_own_page(context: Context, own: OwnNames) -> bool:
    """`Bazylika Serca Pana Jezusa` over the page of a site that carries this name: most words are its own."""
    names = capitals(context.headings[0]) if context.headings else []
    return sum(map(own.has, names)) * 2 >= max(2, len(names))


def places_in(text: str) -> list[tuple[str, ...]]:
    """Names of places and dedications in words that govern hours, as written; words of the calendar are none.

    >>> places_in("Msze Święte w Starej Wsi, w Adwencie")
    [('Starej', 'Wsi')]
    """
    found: list[tuple[str, ...]] = []
    for pattern in (_AT, _DEDICATED):
        for match in islice(pattern.finditer(text), _MOST_PLACES):
            words = tuple(capitals(match[1]))
            kept = tuple(word for word in words if not _is_no_place(word))
            if kept and pattern is _DEDICATED:
                found.append(kept)
            elif kept and (len(kept) == len(words) or (kept == words[1:] and _ADJECTIVE.match(fold(words[0])))):
                found.append(words)
    return found


def label_in(text: str, pattern: re.Pattern[str] = _LABEL) -> list[tuple[str, ...]]:
    """The place at the beginning of a line or a row, at most one.

    >>> label_in("Brzesko Górne: niedziela 8.00"), label_in("Niedziele: 8.00")
    ([('Brzesko', 'Górne')], [])
    """
    match = pattern.match(text)
    words = tuple(capitals(match[1])) if match else ()
    return [words] if words and not any(map(_is_no_place, words)) else []


def _is_no_place(word: str) -> bool:
    return pattern_of("names", "no_places").match(fold(word)) is not None


def names_own(context: Context, own: OwnNames) -> bool:
    """Whether the words that govern the hours name the parish itself."""
    governing = [shortened(part) for part in (*context.headings[-2:], context.lead, context.before)]
    if pattern_of("own", "words").search(folded(*governing)):
        return True
    return bool(own) and any(own.has_all(place) for part in governing for place in places_in(part))


def _has_odd_minutes(text: str) -> bool:
    """Whether most of at least two hours of a line are at minutes no Mass begins at."""
    minutes = [int(minute) for _, minute in _TIME.findall(text)]
    odd = sum(minute % _ODD != 0 for minute in minutes)
    return len(minutes) > 0 and odd * 2 >= len(minutes) + (len(minutes) == 1)
