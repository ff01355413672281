"""Changes of a page that leave its schedule as it is: other hour notations, marks, tags, neighbours, order of pages.

A mutation is a function from the pages of a site and a source of chance to pages that say the same. It changes the text
between tags or the tags, never both the schedule and its meaning; where a notation is ambiguous the text is left alone.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from functools import cache, lru_cache, partial
from pathlib import Path
from random import Random
from typing import Final, NamedTuple

from mass_pipeline.reading.regular.reading import read_page
from mass_pipeline.reading.regular.sites import read_site
from mass_pipeline.reading.text.charset import decode
from mass_pipeline.reading.text.reader import read_document
from mass_pipeline.reading.words.clock import ClockKind, ClockToken, find_clock_tokens
from mass_pipeline_tests.evaluation.written import SITES, SITES_FOLDER, written_records

Pages = tuple[tuple[str, str], ...]  # (name, markup) in order
Mutation = Callable[[Pages, Random], Pages]

_TAG: Final = re.compile(r"(<script\b.*?</script>|<style\b.*?</style>|<title\b.*?</title>|<!--.*?-->|<[^<>]*>)", re.I | re.S)
_BODY_END: Final = re.compile(r"</body\s*>", re.I)
_BODY_START: Final = re.compile(r"<body\b[^<>]*>", re.I)


def _of_texts(change: Callable[[str, Random], str]) -> Mutation:
    """A mutation that changes every text between tags."""

    def mutate(pages: Pages, chance: Random) -> Pages:
        return tuple((name, _map_texts(markup, lambda text: change(text, chance))) for name, markup in pages)

    return mutate


def _map_texts(markup: str, change: Callable[[str], str]) -> str:
    pieces = _TAG.split(markup)
    return "".join(piece if index % 2 or not piece.strip() else change(piece) for index, piece in enumerate(pieces))


def _of_markup(change: Callable[[str, Random], str]) -> Mutation:
    """A mutation that changes the markup of every page."""

    def mutate(pages: Pages, chance: Random) -> Pages:
        return tuple((name, change(markup, chance)) for name, markup in pages)

    return mutate


# --- hours -----------------------------------------------------------------------------------------------------------


def _clocks(write: Callable[[ClockToken, str], str]) -> Mutation:
    """Every hour that is one by its shape, written otherwise."""

    def change(text: str, chance: Random) -> str:
        parts, position = [], 0
        for clock in find_clock_tokens(text):
            if clock.kind is ClockKind.TIME and re.fullmatch(r"\d{1,2}[.:]\d\d", clock.raw):
                parts += [text[position : clock.start], write(clock, text[: clock.start])]
                position = clock.end
        return "".join(parts) + text[position:]

    return _of_texts(change)


def _hour(clock: ClockToken) -> str:
    return str(int(clock.time[:2]))


def _ends_with_hour_word(text: str) -> bool:
    return text.rstrip().lower().endswith((" o", "godz.", "godz", "godzinie"))


_SUPERSCRIPT: Final = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
HOURS: Final[Mapping[str, Mutation]] = {
    "colons": _clocks(lambda c, _: f"{_hour(c)}:{c.time[3:]}"),
    "padded colons": _clocks(lambda c, _: c.time),
    "dots": _clocks(lambda c, _: f"{_hour(c)}.{c.time[3:]}"),
    "raised minutes": _clocks(lambda c, _: f"{_hour(c)}<sup>{c.time[3:]}</sup>"),
    "raised underlined minutes": _clocks(lambda c, _: f"{_hour(c)}<sup><u>{c.time[3:]}</u></sup>"),
    "superscript digits": _clocks(lambda c, _: f"{_hour(c)}{c.time[3:].translate(_SUPERSCRIPT)}"),
    "letter o": _clocks(lambda c, _: f"{_hour(c)}.{c.time[3:].replace('0', 'o')}"),
    "hour word": _clocks(lambda c, before: c.raw if _ends_with_hour_word(before) else f"godz. {c.raw}"),
    "bold hours": _clocks(lambda c, _: f"<b>{c.raw}</b>"),
    "span hours": _clocks(lambda c, _: f'<span style="color:red">{c.raw}</span>'),
    "torn hours": _clocks(lambda c, _: f"<span>{c.raw[0]}</span><span>{c.raw[1:]}</span>"),
}

# --- words -----------------------------------------------------------------------------------------------------------


def _without_accents(text: str) -> str:
    text = text.replace("ł", "l").replace("Ł", "L")
    return "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c)) if "&" not in text else text


def _cased(word: str, match: re.Match[str]) -> str:
    return word.capitalize() if match[0][0].isupper() else word


def _swap(*pairs: tuple[str, str]) -> Mutation:
    """Words replaced by words of the same meaning, with a capital where one was."""

    def change(text: str, _: Random) -> str:
        for pattern, other in pairs:
            text = re.sub(pattern, partial(_cased, other), text, flags=re.I)
        return text

    return _of_texts(change)


WORDS: Final[Mapping[str, Mutation]] = {
    "capitals": _of_texts(lambda text, _: text if "&" in text else text.upper()),
    "no accents": _of_texts(lambda text, _: _without_accents(text)),
    "decomposed accents": _of_texts(lambda text, _: unicodedata.normalize("NFD", text)),
    "no-break spaces": _of_texts(lambda text, _: text.replace(" ", "&nbsp;")),
    "thin spaces and zero widths": _of_texts(lambda text, _: text.replace(" ", "\u2009\u200b")),
    "lines wrapped": _of_texts(lambda text, _: text.replace(" ", "\r\n\t")),
    "weekdays: w tygodniu": _swap((r"\b(w )?dni(ach)? powszedni\w+", "w tygodniu")),
    "weekdays: dni robocze": _swap((r"\bdni powszednie\b", "dni robocze")),
    "weekdays: w ciągu tygodnia": _swap((r"\b(w )?dni(ach)? powszedni\w+", "w ciągu tygodnia")),
    "holy days: uroczystości": _swap(
        (r"\bniedziele i święta\b", "niedziele i uroczystości"), (r"\bniedziela i święta\b", "niedziele i uroczystości")
    ),
    "holy days: dni świąteczne": _swap((r"\bniedziele i święta\b", "niedziele i dni świąteczne")),
    "holy days: święta nakazane": _swap((r"\bniedziele i święta\b(?! nak)", "niedziele oraz święta nakazane")),
    "Masses: Eucharystia": _swap((r"\bmsze święte\b", "Eucharystie"), (r"\bmsza święta\b", "Eucharystia")),
    "Masses shortened": _swap((r"\bmsze święte\b", "msze św."), (r"\bmszy świętych\b", "mszy św.")),
    "Masses in full": _swap((r"\bmsze św\.", "msze święte"), (r"\bmsza św\.", "msza święta"), (r"\bmszy św\.", "mszy świętych")),
    "days shortened": _swap(
        (r"\bponiedziałek\b", "pon."),
        (r"\bwtorek\b", "wt."),
        (r"\bśroda\b", "śr."),
        (r"\bczwartek\b", "czw."),
        (r"\bpiątek\b(?! mies)", "pt."),
        (r"\bsobota\b(?! mies)", "sob."),
    ),
    "days in full": _swap(
        (r"\bpon\.", "poniedziałek"),
        (r"\bwt\.", "wtorek"),
        (r"\bśr\.", "środa"),
        (r"\bczw\.", "czwartek"),
        (r"\bpt\.", "piątek"),
        (r"\bsob\.", "sobota"),
    ),
    "vacation: lipiec, sierpień": _swap(
        (r"\bw wakacje\b", "w lipcu i sierpniu"), (r"\bw okresie wakacyjnym\b", "w lipcu i sierpniu")
    ),
    "vacation: w okresie wakacji": _swap(
        (r"\bw wakacje\b", "w okresie wakacji"), (r"\bw lipcu i sierpniu\b", "w okresie wakacji")
    ),
    "dashes": _swap((r" [-–—] ", " — ")),
    "hyphens": _swap((r" [-–—] ", " - ")),
    "dashes behind labels": _swap((r"(?<=[a-zęąół]): (?=\d)", " – ")),
    "no colon behind labels": _swap((r"(?<=[a-zęąół]): (?=\d)", " ")),
    "semicolons between hours": _swap((r"(?<=\d\d)(?<!\d\d\d), (?=\d\d?[.:]\d\d)", "; ")),
    "and between hours": _swap((r"(?<=\d\d)(?<!\d\d\d), (?=\d\d?[.:]\d\d)", " i ")),
    "spaces between hours": _swap((r"(?<=\d\d)(?<!\d\d\d), (?=\d\d?[.:]\d\d)", "  ")),
    "bars between hours": _swap((r"(?<=\d\d)(?<!\d\d\d), (?=\d\d?[.:]\d\d)", " | ")),
    "bullets between hours": _swap((r"(?<=\d\d)(?<!\d\d\d), (?=\d\d?[.:]\d\d)", " • ")),
    "breaks between hours": _swap((r"(?<=\d\d)(?<!\d\d\d), (?=\d\d?[.:]\d\d)", "<br>")),
    "no space between hours": _swap((r"(?<=\d\d)(?<!\d\d\d), (?=\d\d?[.:]\d\d)", ",")),
}

# --- tags ------------------------------------------------------------------------------------------------------------


def _retag(*pairs: tuple[str, str]) -> Mutation:
    """Tags replaced: ("h[1-6]", "h3") makes every heading one of the third level."""

    def change(markup: str, _: Random) -> str:
        for old, new in pairs:
            markup = re.sub(rf"<(?:{old})\b[^<>]*>", f"<{new}>" if new else "", markup, flags=re.I)
            markup = re.sub(rf"</(?:{old})\s*>", f"</{new}>" if new else "", markup, flags=re.I)
        return markup

    return _of_markup(change)


def _bold_headings(markup: str, _: Random) -> str:
    markup = re.sub(r"<h[2-6]\b[^<>]*>", "<p><strong>", markup, flags=re.I)
    return re.sub(r"</h[2-6]\s*>", "</strong></p>", markup, flags=re.I)


def _breaks_to_paragraphs(markup: str, _: Random) -> str:
    return re.sub(r"(<br\s*/?>\s*)+", "</p><p>", markup, flags=re.I)


def _paragraphs_to_breaks(markup: str, _: Random) -> str:
    return re.sub(r"</p\s*>\s*<p\b[^<>]*>", "<br><br>", markup, flags=re.I)


def _lists_to_breaks(markup: str, _: Random) -> str:
    markup = re.sub(r"</?(?:ul|ol|li)\b[^<>/]*>", lambda tag: "<br>" if tag[0].startswith("</l") else "", markup, flags=re.I)
    return re.sub(r"</(?:ul|ol)\s*>", "", markup, flags=re.I)


def _items_marked_by_hand(markup: str, _: Random) -> str:
    return re.sub(r"<li\b[^<>]*>", "<div>- ", re.sub(r"</li\s*>", "</div>", markup, flags=re.I), flags=re.I)


def _in_layout_table(markup: str, _: Random) -> str:
    opened = _BODY_START.sub(lambda body: f"{body[0]}<table><tr><td>Start<br>Historia<br>Galeria</td><td>", markup, count=1)
    return _BODY_END.sub("</td></tr></table></body>", opened)


def _one_line(markup: str, _: Random) -> str:
    return re.sub(r">\s+<", "><", markup)


def _indented(markup: str, _: Random) -> str:
    return re.sub(r"(</(?:p|div|li|td|tr|h[1-6]|ul|ol|table)>)", r"\1\n      ", markup, flags=re.I)


TAGS: Final[Mapping[str, Mutation]] = {
    "headings in bold": _of_markup(_bold_headings),
    "headings of the third level": _retag(("h[2-6]", "h3")),
    "headings of the second level": _retag(("h[1-6]", "h2")),
    "lists as breaks": _of_markup(_lists_to_breaks),
    "lists as divs": _retag(("ul|ol", "div"), ("li", "div")),
    "list items marked by hand": _of_markup(_items_marked_by_hand),
    "paragraphs as divs": _retag(("p", "div")),
    "divs as paragraphs": _retag(("div", "p")),
    "breaks as paragraphs": _of_markup(_breaks_to_paragraphs),
    "paragraphs as breaks": _of_markup(_paragraphs_to_breaks),
    "sections unnamed": _retag(("main|section|article|header|footer|aside|nav", "div")),
    "bold dropped": _retag(("b|strong", "span")),
    "italics and fonts": _retag(("strong|b", "font"), ("em|i", "font")),
    "no classes": _of_markup(lambda m, _: re.sub(r"\s(?:class|id|style)\s*=\s*(\"[^\"]*\"|'[^']*')", "", m)),
    "one line of source": _of_markup(_one_line),
    "indented source": _of_markup(_indented),
    "in a layout table": _of_markup(_in_layout_table),
    "capital tags": _of_markup(lambda m, _: re.sub(r"<(/?)([a-z]+)", lambda t: f"<{t[1]}{t[2].upper()}", m)),
}

# --- neighbours ------------------------------------------------------------------------------------------------------


def _boxes() -> dict[str, str]:
    """Markup of the boxes and pages by name."""
    _, *chunks = Path(__file__).with_name("mutation_boxes.txt").read_text(encoding="utf-8").split("\n== ")
    return {name: markup.strip() for name, _, markup in (chunk.partition("\n") for chunk in chunks)}


BOXES: Final[Mapping[str, str]] = _boxes()


def _beside(box: str, *, above: bool = False) -> Mutation:
    """A box at the beginning or the end of every page."""

    def change(markup: str, _: Random) -> str:
        if above:
            return _BODY_START.sub(lambda m: m[0] + box, markup, count=1) if _BODY_START.search(markup) else box + markup
        return _BODY_END.sub(lambda m: box + m[0], markup, count=1) if _BODY_END.search(markup) else markup + box

    return _of_markup(change)


def _with_page(name: str, markup: str) -> Mutation:
    return lambda pages, chance: _inserted(pages, (name, markup), chance)


def _inserted(pages: Pages, page: tuple[str, str], chance: Random) -> Pages:
    position = chance.randrange(len(pages) + 1)
    return (*pages[:position], page, *pages[position:])


def _shuffled(pages: Pages, chance: Random) -> Pages:
    return tuple(chance.sample(pages, len(pages)))


def _repeated(pages: Pages, _: Random) -> Pages:
    return tuple(page for name, markup in pages for page in ((name, markup), (f"print-{name}", markup)))


def _merged(pages: Pages, _: Random) -> Pages:
    """All pages on one, each in a section of its own."""
    inside = []
    for _name, markup in pages:
        body = _BODY_START.split(markup, maxsplit=1)[-1]
        inside.append(f"<section>{_BODY_END.split(body, maxsplit=1)[0]}</section>")
    return ((pages[0][0], f"<html><head><title>Parafia</title></head><body>{''.join(inside)}</body></html>"),)


NEIGHBOURS: Final[Mapping[str, Mutation]] = {
    "news above": _beside(BOXES["news"], above=True),
    "news below": _beside(BOXES["news"]),
    "office above": _beside(BOXES["office"], above=True),
    "office below": _beside(BOXES["office"]),
    "confession above": _beside(BOXES["confession"], above=True),
    "confession below": _beside(BOXES["confession"]),
    "page of intentions": _with_page("intencje.html", BOXES["intentions"]),
    "page of announcements": _with_page("ogloszenia.html", BOXES["announcements"]),
    "page of Christmas": _with_page("swieta.html", BOXES["feasts"]),
    "page of a retreat": _with_page("rekolekcje.html", BOXES["retreat"]),
    "page of baptism": _with_page("chrzest.html", BOXES["baptism"]),
    "page of history": _with_page("historia.html", BOXES["history"]),
    "intentions as home page": _with_page("index.html", BOXES["intentions"]),
    "pages shuffled": _shuffled,
    "pages repeated": _repeated,
    "pages merged": _merged,
}

MUTATIONS: Final[Mapping[str, Mutation]] = {**HOURS, **WORDS, **TAGS, **NEIGHBOURS}


def mutated(pages: Sequence[tuple[str, str]], names: Sequence[str], seed: int) -> Pages:
    """The pages after some mutations in turn."""
    chance = Random(seed)
    changed = tuple(pages)
    for name in names:
        changed = MUTATIONS[name](changed, chance)
    return changed


class Site(NamedTuple):
    """A written site: pages in order, decoded."""

    id: str
    pages: Pages


@cache
def sites() -> tuple[Site, ...]:
    """The sites written for this project."""
    return tuple(Site(record["id"], tuple(map(_page, record["text"].splitlines()))) for record in written_records(SITES))


def _page(name: str) -> tuple[str, str]:
    return name, decode((SITES_FOLDER / name).read_bytes(), "text/html").text


def changes(site: Site, mutation: str, seed: int = 1) -> frozenset[tuple[object, ...]]:
    """Masses that the reading of a site has only before or only after a mutation, as (day, time, season, nth)."""
    return read(site.pages) ^ read(mutated(site.pages, (mutation,), seed))


@lru_cache(maxsize=256)
def read(pages: Pages) -> frozenset[tuple[object, ...]]:
    """The schedule of a site as (day, time, season, nth)."""
    documents = [read_document(markup, content_type="text/html", url=name) for name, markup in pages]
    found = [each.mass for each in read_site([read_page(document) for document in documents]).masses]
    return frozenset((day, mass.time, mass.season, mass.nth) for mass in found for day in mass.days)
