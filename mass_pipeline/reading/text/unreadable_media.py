"""Find what may hold the schedule but is no text: posters, PDF and office links, frames, scripts.

Also collects JSON-LD blocks for `structured`. Nothing is fetched here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Final

import ada_url

from mass_pipeline.model.document import OpaqueSource
from mass_pipeline.reading.words.weekday_patterns import SUNDAY

_PICTURES: Final = ("data-src", "data-lazy-src", "data-original", "src")  # of a picture loaded late `src` is a blank one
_MAX_SOURCES: Final = 60  # per page; galleries hold thousands of images
_MAX_NEAR: Final = 200  # characters
_FILE_END: Final = re.compile(r"\.(?:pdf|docx?|odt|rtf|xlsx?|ods)(?=$|[?#&])", re.I)
_FRAMED: Final = ("src", "data-src", "data-lazy-src", "data")
_SCHEDULE_WORDS: Final = (
    "msza", "msze", "mszą", "mszę", "mszy", "porzad", "porząd", "nabozen", "nabozeń", "nabożen", "nabożeń", "eucharyst", "plakat",
    "oglosze", "ogłosze", "intencj", "liturgi", "grafik", "rozklad", "rozkład", "godziny", "gazetk",
)  # fmt: skip
_NEVER_SCHEDULE: Final = re.compile(
    r"google\.[a-z.]+/maps|maps\.google|youtube|youtu\.be|vimeo|googletagmanager|recaptcha|doubleclick|soundcloud|spotify|about:",
    re.I,
)
_CLOCK: Final = re.compile(  # begins with the mark, so that the search can skip; the hour is looked at afterwards
    r"[:.][0-5][05](?![\d.])(?:(?<=(?<![\d.])[5-9]...)|(?<=(?<![\d.])(?:0[5-9]|1\d|2[01])...))"
)
_FILLERS: Final = ("fetch(", "XMLHttpRequest", "innerHTML", "insertAdjacentHTML", "document.write", "import(")
_OF_DATA: Final = (SUNDAY, "mass")  # its names may be English, its texts are days
_SCRIPT_CLOCKS: Final = 3  # times in one script that make it a likely schedule
_SHORTEST_SCRIPT: Final = 20  # characters
_SCRIPT_LOOKED_AT: Final = 200_000  # characters


class OpaqueFinder:
    """Collects opaque sources while a page is read.

    Args:
        url: address of the page, "" when unknown; relative links are resolved against it.
    """

    def __init__(self, url: str = "") -> None:
        self._base = url
        self._found: dict[tuple[str, str], OpaqueSource] = {}
        self._link: str | None = None
        self.json_ld: list[str] = []
        self.scripts: list[tuple[str, str]] = []
        self.loads_scripts = False

    @property
    def sources(self) -> tuple[OpaqueSource, ...]:
        """In order of appearance, each address once."""
        return tuple(self._found.values())

    @property
    def in_link(self) -> bool:
        """Whether a link to a document is open."""
        return self._link is not None

    def add(self, kind: str, address: str, near: str) -> None:
        """Note a source; beyond the limit it is dropped."""
        address = address.strip()
        if (kind, address) not in self._found and len(self._found) < _MAX_SOURCES:
            self._found[kind, address] = OpaqueSource(kind, self._absolute(address), near[-_MAX_NEAR:])

    def link(self, address: str) -> None:
        """A link starts; one that leads to a document is remembered until its text is known."""
        self._link = address if _FILE_END.search(address) else None

    def end_link(self, text: str) -> None:
        """The link's text is complete."""
        if self._link is not None:
            address, self._link = self._link, None
            self.add(_file_kind(address), address, " ".join(text.split()))

    def frame(self, values: Mapping[str, str], near: str) -> None:
        """A frame, or an embedded document."""
        address = next((values[name] for name in _FRAMED if values.get(name)), "")
        if address and not _NEVER_SCHEDULE.search(address):
            self.add(_file_kind(address) or "frame", address, values.get("title") or near)

    def image(self, values: Mapping[str, str], alt: str, before: Callable[[], str]) -> None:
        """An image that may be a poster of the schedule, by its name, its text or the words before it."""
        address = next((values[name] for name in _PICTURES if values.get(name, "").partition(":")[0] not in ("", "data")), "")
        if not address or _is_icon(values):
            return
        near = alt or before()
        if _speaks_of_schedules(f"{address} {values.get('title', '')} {near}"):
            self.add("image", address, near)

    def script(self, values: Mapping[str, str], text: str, near: Callable[[], str]) -> None:
        """A script: JSON-LD is kept to be read; one with clock times too, and noted when it has several."""
        kind = values.get("type", "").lower()
        if "ld+json" in kind:
            self.json_ld.append(text)
            return
        body = text[:_SCRIPT_LOOKED_AT]
        self.loads_scripts = self.loads_scripts or "src" in values or any(word in body for word in _FILLERS)
        if len(body) < _SHORTEST_SCRIPT or not _speaks_of_schedules(body, _OF_DATA):
            return
        clocks = len(_CLOCK.findall(body))
        if clocks:
            self.scripts.append((f"{kind} {values.get('id', '')}", text))
        if clocks >= _SCRIPT_CLOCKS:
            self.add("script", values.get("src", ""), near())

    def _absolute(self, address: str) -> str:
        if not self._base:
            return address
        try:
            return str(ada_url.join_url(self._base, address))
        except ValueError:
            return address


def _file_kind(address: str) -> str:
    """`pdf` or `office` for the address of a document, "" for others."""
    match = _FILE_END.search(address)
    return "" if match is None else "pdf" if match[0].lower() == ".pdf" else "office"


def holds_hours_of_schedules(text: str) -> bool:
    """Whether hours and a word of schedules or a day of them stand in a text of data."""
    return _CLOCK.search(text) is not None and _speaks_of_schedules(text, (SUNDAY,))


def _speaks_of_schedules(text: str, also: tuple[str, ...] = ()) -> bool:
    """Whether a word of schedules, or another one, stands in a text; one search for any of them would take much longer."""
    lowered = text.lower()
    return any(word in lowered for word in (*_SCHEDULE_WORDS, *also))


def _is_icon(values: Mapping[str, str]) -> bool:
    """Whether the markup itself says that the picture is too small to hold a schedule."""
    sizes = [values.get(name, "").rstrip("px") for name in ("width", "height")]
    return any(size.isdecimal() and int(size) < 100 for size in sizes)
