"""How a parish calls itself: the names that its pages carry in title, head, foot and address, and whether others are its own.

Inflected forms are compared by their beginnings ("Olszanka", "w Olszance"). Nothing is known of a page without such words,
and then nothing is held against another name.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from mass_pipeline.model.document import Document, Line, LineKind, Region
from mass_pipeline.reading.words.folding import fold
from mass_pipeline.reading.words.masking.lines import masked_line
from mass_pipeline.reading.words.weekday_patterns import SUNDAY_SHORT
from mass_pipeline.site_reading.ownership.evidence import pattern_of

_FRAME: Final = frozenset({Region.HEADER, Region.FOOTER})
_EDGE: Final = 8  # lines at the top and the bottom of a page that may name it
_LONGEST: Final = 160  # characters of a line that names
_PARTS: Final = re.compile(r"\s+[-–—:/]\s+|\s*[|»«·•]\s*")  # of a title: the page, then the site
_PARISH: Final = re.compile(
    r"parafi(?:a|i|ii)\b(?! diecez)|kosciol|sanktuari|bazylik|katedr|kolegiat|\bpw\b|wezwani|parish|church|"
    r"misj\w+ katolic|catholic mission|duszpasterstw|klasztor|opactw|cerkiew|cerkwi|ordynariat|rektorat"
)
_NAMING: Final = re.compile(rf"parafi|\d\d-\d{{3}}|\bul\.|{_PARISH.pattern}")
_CONTACT: Final = re.compile(r"\S+@\S+|(?:www\.|https?:)\S+|\b(?i:ul|pl|al|os)\. ?\S+")
_HOUR: Final = re.compile(r"\b\d{1,2}[.:]\d\d\b")
_CAPITAL: Final = re.compile(r"[A-ZĄĆĘŁŃÓŚŹŻ][\w'-]*")
_GENERIC: Final = re.compile(
    r"parafi|rzym|kato|pw$|sw$|swie|kosci|sanktua|bazyl|mniejsz|kated|kolegi|stron|start|witam|witaj|msz|aktual|kontak|diecez|archid|dekan|ul$|"
    r"tel|wszel|prawa|copy|www|oglosz|inten|histor|duszp|power|jooml|wordp|desig|wykon|proje|odwied|pobier|wespr|zapras|polit|cook|"
    rf"rss|wpis|komen|faceb|youtu|licz|druku|mapa|menu|porz|nabo|{SUNDAY_SHORT}|dni|galer|kancel|zdj|od$|do$|na$|oraz$|adres|pocz|e-mail|nip|"
    r"regon|konto|bank|nr$|proboszcz|ksi|ks$|parish|church|welcome|home|catholic"
)
_SHARE: Final = 0.3  # of the pages of a larger site on which a name must stand
_SMALL: Final = 2  # pages up to which any counts
_PREFIX: Final = 3
_ABBREVIATED: Final = {
    "mb": ("matki", "bozej"),
    "nmp": ("najswietszej", "maryi", "panny"),
    "nsj": ("najswietszego", "serca"),
    "nspj": ("najswietszego", "serca"),
}


@dataclass(frozen=True, slots=True)
class OwnNames:
    """Folded words by which a parish names itself and its place; empty when nothing is known.

    Attributes:
        naming: folded lines they stand in.
        another: the line in which the site names a parish, where no page says any name that a directory gives the parish.
    """

    words: frozenset[str] = frozenset()
    naming: str = ""
    another: str = ""

    def __bool__(self) -> bool:
        return bool(self.words)

    def has(self, word: str) -> bool:
        """Whether a word is one of the parish's own names, in any case."""
        plain = fold(word)
        return any(is_same_name(plain, own) for own in self.words)

    def all_in(self, text: str) -> bool:
        """Whether a text says every one of the parish's own names."""
        said = [fold(word) for word in capitals(text)]
        return all(any(is_same_name(one, own) for one in said) for own in self.words)

    def has_all(self, words: Iterable[str]) -> bool:
        """Whether all of several words are."""
        return all(self.has(word) for word in words)


def is_same_name(one: str, other: str) -> bool:
    """Whether two folded words are forms of one name.

    >>> [is_same_name(*pair) for pair in (("olszance", "olszanka"), ("nowej", "nowa"), ("wielkich", "malych"))]
    [True, True, False]
    """
    if abs(len(one) - len(other)) > 3:
        return False
    shorter = min(len(one), len(other))
    wanted = max(min(_PREFIX, shorter), shorter - 2)
    return one[:wanted] == other[:wanted]


def own_names(documents: Sequence[Document], *names: str) -> OwnNames:
    """The names of a parish out of the pages of its site.

    Args:
        documents: its pages.
        names: what a directory calls it: name, town; "" is left out.
    """
    counted: Counter[str] = Counter()
    naming: list[str] = []
    given = [word for name in names for word in capitals(name)]
    for document in documents:
        lines = _of_one_parish(list(_naming_lines(document)), given)
        naming += lines[1:] if len(lines) > 1 and lines[0] in document.title else lines  # a title is also that of its page
        counted.update({word for line in lines for word in capitals(line)})
    least = 1 if len(documents) <= _SMALL else _SHARE * len(documents)
    words = {fold(word) for word, count in counted.items() if count >= least}
    words |= set(map(fold, given))
    for short, long in _ABBREVIATED.items():
        words |= set(long) if short in words else set()
    another = next((line for line in naming if _names_parish(line) and capitals(line)), "") if given else ""
    another = "" if another and _say_any(documents, given) else masked_line(another)
    naming += [name for name in names if name]
    return OwnNames(frozenset(words), fold(" | ".join(dict.fromkeys(naming)))[:4000], another)


def _say_any(documents: Iterable[Document], names: Iterable[str]) -> bool:
    """Whether any line of some pages says any of some names, abbreviated ones too."""
    own = OwnNames(frozenset(map(fold, names)))
    texts = (text for document in documents for text in (document.title, *(line.text for line in document.lines)))
    return any(own.has(word) for text in texts for said in capitals(text) for word in (said, *_ABBREVIATED.get(fold(said), ())))


def _of_one_parish(lines: Sequence[str], given: Sequence[str]) -> list[str]:
    """The lines of a page that name one parish, that of its title or its first line: `Zbór baptystów` below it is another's.

    Args:
        lines: that name parishes and places, the title first.
        given: what a directory calls the parish.
    """
    first = next((line for line in lines if _names_parish(line) and capitals(line)), "")
    own = OwnNames(frozenset(map(fold, (*given, *capitals(first)))))
    return [line for line in lines if not (own and _names_parish(line) and capitals(line)) or any(map(own.has, capitals(line)))]


def capitals(text: str) -> list[str]:
    """Words with a capital letter that may be names, in order."""
    return [word for word in _CAPITAL.findall(text) if len(word) > 1 and not _GENERIC.match(fold(word))]


def _naming_lines(document: Document) -> Iterator[str]:
    """Lines that name the parish: title, head, foot, and what stands at the edges; headings of the text when nothing else."""
    lines = document.lines
    edges = [*range(min(_EDGE, len(lines))), *range(max(_EDGE, len(lines) - _EDGE), len(lines))]
    found = [part for part in _PARTS.split(document.title) if _NAMING.search(fold(part))]
    frame = {at for at, line in enumerate(lines) if line.region in _FRAME and len(line.text) <= _LONGEST}
    candidates = sorted({*edges, *frame})
    named = [at for at in candidates if _names(lines[at]) and not _is_of_the_text(lines[at])]
    near = {beside for at in named for beside in (at - 1, at + 1, at + 2) if 0 <= beside < len(lines)}
    beside = [at for at in sorted(near - set(named)) if _may_go_on(lines[at])]
    found += [lines[at].text for at in (*named, *beside)]
    found += _said_in_full(document, found)
    if not any(
        _names_parish(text) and capitals(text) for text in found
    ):  # nor does that of a curia, a publisher, "the cathedral"
        headings = [lines[at].text for at in edges if lines[at].kind is LineKind.HEADING and _names(lines[at])][:1]
        found = headings or [text for text in found if _names_parish(text)]
    yield from found


def _said_in_full(document: Document, found: Sequence[str]) -> list[str]:
    """`Lipiny – parafia pw. św. Anny Samotrzeciej` over a page whose title says `parafia pw. św. Anny`; at most one."""
    first = next((line.text for line in document.lines if line.kind is LineKind.HEADING), "")
    says_more = any(_names_parish(part) and part in document.title and part in first and part != first for part in found)
    return [first] if says_more and len(first) <= _LONGEST else []


def _names(line: Line) -> bool:
    return len(line.text) <= _LONGEST and _NAMING.search(fold(line.text)) is not None and not _HOUR.search(line.text)


def _names_parish(text: str) -> bool:
    return _PARISH.search(fold(without_contacts(text))) is not None


def without_contacts(text: str) -> str:
    """A text without addresses: `ul. Klasztorna`, `bazylika@...` name no church."""
    return _CONTACT.sub(" ", text)


def _is_of_the_text(line: Line) -> bool:
    if line.region in _FRAME:
        return False
    return (line.kind is LineKind.HEADING and line.level < 7) or line.table >= 0 or len(line.text.split()) > 14


def _may_go_on(line: Line) -> bool:
    """`Olszanka` in a line of its own beside the line that names the parish."""
    words = line.text.split()
    plain = fold(line.text)
    return (
        0 < len(words) <= 4
        and not _HOUR.search(line.text)
        and line.kind is not LineKind.HEADING
        and line.kind is not LineKind.LIST_ITEM
        and line.region is not Region.NAV
        and pattern_of("names", "no_places").search(plain) is None
    )
