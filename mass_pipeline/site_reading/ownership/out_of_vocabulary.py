"""How strange the words are that govern hours: an order of Masses is stated everywhere in the same few words.

Whatever else a page tells (memories, tips, reports, jokes) is told in words that no order needs, in any language and any
wording. Belongs: counting them. Not here: what follows (`confidence`).
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from functools import cache, lru_cache
from importlib import resources
from typing import Final

from mass_pipeline.reading.words.folding import fold
from mass_pipeline.reading.words.known_words import FILLER_LETTERS, fillers
from mass_pipeline.reading.words.languages import title_pattern
from mass_pipeline.reading.words.lexicon import known_languages, load_lexicon
from mass_pipeline.site_reading.ownership.context import Context, shortened, turns_to_today
from mass_pipeline.site_reading.ownership.own_names import OwnNames, capitals

_OF_PARISHES: Final = "parish_words.toml"
_HARDLY: Final = 0.5  # so strange a title may be that names the parish
_COMMON: Final = 0.25  # how strange a word is that sites of parishes use, one that they do not being 1; swept 0.1 to 0.5
_WORD: Final = re.compile(r"[^\W\d_]{3,}")
# Words of the grammar that tell when something is, in any language; what they stand beside is named elsewhere.
_OF_THE_CALENDAR: Final = frozenset(
    {"day", "daygroup", "season", "feast", "month", "ordinal", "ofmonth", "monthword", "monthday"}
)
_ADDRESS: Final = re.compile(
    r"@|www\.|https?:|\d\d-\d{3}|(?<!\w)(?:ul|os|al|pl|tel|kom|fax)\.|(?<!\w)(?:e-?mail|telefon)\b", re.I
)
_DAY: Final = re.compile(r"\d{1,2}[./ ]+(?:\d{1,2}|[a-z]{3,})[./ ]+20\d\d")
_PARTS: Final = re.compile(r"\s+[-–—:/]\s+|\s*[|»«·•]\s*")  # of a title: the page, then the site
# A church or chapel with its name: the capitals are a place or a patron.
_CHURCH: Final = re.compile(
    r"(?<!\w)(?:(?:archi)?diecezj|dekanat|kosci[oe]l|kaplic|kapl\.|fili|oratori|rektorat|sanktuari|ba[zs][yi]li[ck]|katedr|kolegiat|klasztor|parafi[aie]\b|"
    r"dom (?:pomocy|opieki|seniora|dziecka)|hospicj|"
    r"dps\b|szpital|cerkiew|cerkwi|st\. (?=[a-z])|church|chapel|kirche|kapelle|kostel|kaple|pw\b|p\.w\.|swietlic|szkol)"
)
# A capital that only opens a sentence: "Parking przy kościele", but not "Johannes-Basilika", "Nowa Wola".
_OPENING: Final = re.compile(r"^\W*[A-ZĄĆĘŁŃÓŚŹŻ][a-ząćęłńóśźż]+(?= (?!nad |pod )[a-ząćęłńóśźż])")
_MOST_NAME_WORDS: Final = 3
_MOST_LABEL_WORDS: Final = 4
# Words of a sentence: in lower case, or a capital before one in lower case ("Pamiętam je", but not "Borki:", "Borki godz.").
_SAID: Final = re.compile(
    r"(?<![\w'-])(?:[^\W\d_A-ZĄĆĘŁŃÓŚŹŻ][^\W\d_]{2,}|[A-ZĄĆĘŁŃÓŚŹŻ][^\W\d_]{2,}(?= (?!godz)[a-ząćęłńóśźż]))"
)
_CAPITAL: Final = re.compile(r"[A-ZĄĆĘŁŃÓŚŹŻ][\w'-]*")
# Pages on which much is said that is not of the parish, whatever their title.
_NEWS: Final = re.compile(
    r"(?<!\w)(?:aktualn|wiadom|wydarz|oglosz|galer|zdjec|foto|archiw|blog|news|wpis|dekanat|do pobrania|intenc|histori)"
)
_SITE: Final = re.compile(
    r"parafi|parish|farnost|pfarr|kosci|sanktuari|bazylik|katedr|kolegiat|diecez|misj|strona|home|start|wita[mj]"
)


def strange_words(texts: Iterable[str], own: OwnNames) -> set[str]:
    """Words of some texts that are neither those of orders nor the parish's own names, folded and shortened.

    >>> sorted(strange_words(["Msze święte w niedziele", "Jak podaje tygodnik"], OwnNames()))
    ['podaje']
    """
    known = fillers()
    found = {word for text in texts for word in _WORD.findall(fold(shortened(text)))}
    strange = {
        word for word in found if word[:FILLER_LETTERS] not in known and not (own and own.has(word)) and not _tells_when(word)
    }
    return {word[:FILLER_LETTERS] for word in strange}


def _strangeness(words: Iterable[str], common: float) -> float:
    """Of strange words in a heading: words that sites of parishes use anyhow count `common` each, the others 1."""
    of_parishes = _words_of_parishes()
    return sum(common if word in of_parishes else 1.0 for word in words)


def strange_in_heading(context: Context, own: OwnNames) -> int:
    """Strange words in the two headings above and in the lines that lead to the hours; contact lines head nothing."""
    headings = [heading for heading in context.headings if not _ADDRESS.search(heading)]
    lead = "" if _ADDRESS.search(context.lead) else context.lead
    return len(strange_words((*headings[-2:], lead), own))


def strange_in_line(context: Context, own: OwnNames) -> int:
    """Strange words in the line itself and at the beginning of its row."""
    return len(strange_words((context.own, context.cell), own))


def is_home(title: str, own: OwnNames) -> bool:
    """Whether the title of a page says nothing but whose site it is: then what stands on it is the parish's own, mostly.

    >>> titles = "Parafia św. Anny", "Galeria - Parafia św. Anny", "Msze święte", "Gazeta parafialna", ""
    >>> [is_home(title, OwnNames()) for title in titles]
    [True, False, False, False, False]
    """
    parts = [part for part in _PARTS.split(title) if part.strip()]
    return bool(parts) and all(_is_of_the_site(part, own) for part in parts)


def _is_of_the_site(part: str, own: OwnNames) -> bool:
    folded = fold(part)
    names = capitals(part)
    named = _SITE.search(folded) is not None or (bool(names) and bool(own) and own.has_all(names))
    return named and _NEWS.search(folded) is None and _strange_in_one(part, own) < _HARDLY


def strange_in_title(context: Context, own: OwnNames) -> float:
    """Strange words in what says whose hours these are: the nearest heading that says more than days and seasons.

    Args:
        context: of a line with hours; the title of the page counts where no heading says anything.
        own: names of the parish; they are never strange.

    Returns:
        0 under a heading of Masses or a church with its name, and where nothing but days, seasons, an address or the parish's
        own name heads the hours. Names of villages below a heading of Masses are not strange.
    """
    strange = 0.0
    for heading in (_label(context), *reversed(context.headings)):
        said = _strange_in_one(heading, own, _COMMON if heading in context.headings else 1.0)
        if _is_of_masses(heading):
            return said
        if strange == 0.0 and said == 0.0 and _CHURCH.search(fold(heading)):
            return 0.0
        if said and not _is_name(heading):
            return said
        strange = strange or said
    return strange if strange or context.headings else _strange_in_page(context.title, own)


def _label(context: Context) -> str:
    """A short line that ends in a colon heads what stands below it: `SPOTKANIA:`; "" where there is none."""
    label = context.lead.rstrip()
    return label if label.endswith(":") and len(label.split()) <= _MOST_LABEL_WORDS else ""


def _strange_in_page(title: str, own: OwnNames) -> float:
    """Of the part of a title that tells of the page, not of the site."""
    parts = [part for part in _PARTS.split(title) if not _SITE.search(fold(part))]
    named = len(parts) < len(_PARTS.split(title))
    if _is_of_masses(title) or not parts or (named and len(parts[0].split()) > 1 and _is_name(parts[0])):
        return 0.0
    return _strange_in_one(parts[0], own)


def _is_of_masses(heading: str) -> bool:
    return title_pattern("dedicated").search(fold(heading)) is not None


def _is_name(heading: str) -> bool:
    words = heading.split()
    return len(words) <= _MOST_NAME_WORDS and all(word[:1].isupper() for word in words)


def _strange_in_one(heading: str, own: OwnNames, common: float = _COMMON) -> float:
    folded = fold(heading)
    if _ADDRESS.search(heading) or _DAY.search(folded):
        return 0.0
    names = _CAPITAL.findall(_OPENING.sub("", heading)) if _CHURCH.search(folded) else []
    ignored = {fold(part)[:FILLER_LETTERS] for word in names for part in (word, *word.split("-"))}
    return _strangeness(strange_words([heading], own) - ignored, common)


@lru_cache(maxsize=50_000)
def _tells_when(word: str) -> bool:
    phrases = load_lexicon("+".join(known_languages())).starting_with(word)
    return phrases is not None and any(phrase.kind in _OF_THE_CALENDAR for phrase in phrases.before("."))


def strange_before_hours(context: Context, own: OwnNames) -> int:
    """Strange words of a sentence that leads to the hours of its line, below a heading; names and labels are none."""
    if not context.headings:
        return 0
    before = context.before.rpartition(". ")[2] if turns_to_today(context.before) else context.before
    words = [match.group() for match in _SAID.finditer(shortened(before))]
    return len(strange_words(words, own))


@cache
def _words_of_parishes() -> frozenset[str]:
    return _listed(_OF_PARISHES)


def _listed(file: str) -> frozenset[str]:
    text = resources.files(__package__).joinpath(file).read_text(encoding="utf-8")
    return frozenset(tomllib.loads(text)["words"].split())
