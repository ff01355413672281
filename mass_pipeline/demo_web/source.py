"""Sources of the demo web: what an author wrote in data/demo, read and checked. Nothing is composed here.

A site is one TOML file; its keys are the fields of `SiteSource` and `PageSource` (docs/demo-web.md explains them). Its truth is
written by hand in a short notation, one line per group of Masses: days, then optional season, place and ordinals, a colon, the
hours, an optional note.

    Su PH: 8:00 10:00 12:00
    Mo-Sa summer: 18:00
    Fr [1] school: 17:00 (dla dzieci)
    Su @Brzezie: 9:30
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, Final, Literal

from mass_pipeline.demo_web.marks import KINDS, Kind
from mass_pipeline.model.errors import BadInput
from mass_pipeline.model.project_files import project_file
from mass_pipeline.model.records import DAYS, NAMED_SEASONS, WEEKDAYS, Day, Mass

DEMO_FOLDER: Final = project_file("data", "demo")
HOME: Final = "start"

PlacesAnswer = Literal["ok", "two", "wrong_town", "without_street", "no_website", "none"]
Readable = Literal["text", "pdf", "image", "javascript", "robots_503", "nothing_stated", "over", "opted_out"]


@dataclass(frozen=True, slots=True)
class PageSource:
    """One page.

    Attributes:
        slug: names the page in links; the template makes the URL of it. `start` is the home page.
        title: page title and menu text.
        body: HTML with marks (marks module) and `[[slug|words]]` links.
        hours: what unmarked hours of the body are.
        menu: whether the menu of every page links to it; else only bodies do.
        under: slug of the page that ends with a list of links to this one (and no menu entry).
        path: target when it is not the template's own.
        raw: whether `body` is the whole document, without template.
        noindex: whether the page asks robots not to index it.
        failures: how many first requests get a 500.
        slow_seconds: delay of the answer.
        redirect_from: targets that redirect to the page.
        headers: extra response headers.
        charset, declared: as in `SiteSource`, for this page alone.
    """

    slug: str
    title: str
    body: str
    hours: Kind = "n"
    menu: bool = True
    under: str = ""
    path: str = ""
    raw: bool = False
    noindex: bool = False
    failures: int = 0
    slow_seconds: float = 0.0
    redirect_from: tuple[str, ...] = ()
    headers: Mapping[str, str] = field(default_factory=dict)
    charset: str = ""
    declared: str | None = None


@dataclass(frozen=True, slots=True)
class SiteSource:
    """One parish and its site.

    Attributes:
        key: name of the source file, stable.
        name, town, street, postcode, voivodeship, diocese, deanery: as the directory prints them.
        locative: the town as in "w Brzeziu".
        host, prefix: where the site lives; a prefix other than "/" is a part of a shared host.
        template: layout, see data/demo/templates/templates.toml.
        charset: encoding of the bytes. declared: charset in a meta element ("" for none).
        header_charset: charset in the Content-Type header ("" for none).
        phenomena: numbers of the phenomena (docs/demo-web.md) that the site shows.
        shows: what else it shows, in words.
        truth: the standing schedule as a reader may state it; empty where nothing can or may be read.
        readable: in which form the schedule is there; `over`: only one of a time that is past.
        filler: common pages to add, by name (data/demo/common).
        pages: the pages written for this site.
        header, sidebar, footer: HTML repeated on every page, hours marked like those of a page, default Masses.
        places: what Places says about the parish. website_in_directory: whether the directory prints www:.
        website: address in both, when it is not the start page itself.
        robots, robots_status: the site's robots.txt; status 404 when the text is empty.
        calendar: whether an endless calendar hangs on the site.
        www_redirect: whether www.host redirects to host.
        files: target -> file of data/demo/files.
    """

    key: str
    name: str
    town: str
    locative: str
    street: str
    postcode: str
    voivodeship: str
    diocese: str
    deanery: str
    host: str
    template: str
    truth: tuple[Mass, ...]
    pages: tuple[PageSource, ...]
    phenomena: tuple[int, ...] = ()
    shows: tuple[str, ...] = ()
    readable: Readable = "text"
    prefix: str = "/"
    charset: str = "utf-8"
    declared: str = "utf-8"
    header_charset: str = ""
    filler: tuple[str, ...] = ()
    header: str = ""
    sidebar: str = ""
    footer: str = ""
    places: PlacesAnswer = "ok"
    website: str = ""
    website_in_directory: bool = False
    robots: str = ""
    robots_status: int = 200
    calendar: bool = False
    www_redirect: bool = True
    files: Mapping[str, str] = field(default_factory=dict)

    @property
    def start_url(self) -> str:
        """The address people know."""
        return self.website or f"http://{self.host}{self.prefix}"


def load_sites(folder: Path = DEMO_FOLDER) -> tuple[SiteSource, ...]:
    """Every site of a demo folder, sorted by key.

    Raises:
        BadInput: when a file cannot be read, naming it, or the folder has none.
    """
    paths = sorted((folder / "sites").glob("*.toml"))
    if not paths:
        raise BadInput(f"{folder / 'sites'}: no demo sites; the folder data/demo of the project belongs there")
    return tuple(load_site(path) for path in paths)


def load_site(path: Path) -> SiteSource:
    """Read one site.

    Raises:
        BadInput: naming the file and what is wrong with it.
    """
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
        return site_from_dict(path.stem, data)
    except (OSError, tomllib.TOMLDecodeError, UnicodeDecodeError, TypeError, KeyError, BadInput) as error:
        raise BadInput(f"{path}: {error}") from error


def site_from_dict(key: str, data: Mapping[str, Any]) -> SiteSource:
    """Build a site from its TOML table."""
    values: dict[str, Any] = dict(data)
    values["pages"] = tuple(_page(page) for page in data["pages"])
    values["truth"] = parse_truth(data["truth"])
    values["filler"] = tuple(data.get("filler", "").split())
    for name in ("phenomena", "shows"):
        values[name] = tuple(data.get(name, ()))
    _refuse_unknown(values, SiteSource)
    return SiteSource(key=key, **values)


def _page(data: Mapping[str, Any]) -> PageSource:
    values = dict(data)
    values["redirect_from"] = tuple(data.get("redirect_from", ()))
    _refuse_unknown(values, PageSource)
    if values.get("hours", "n") not in KINDS:
        raise BadInput(f"page {data.get('slug')}: hours = {data['hours']!r}, expected one of {', '.join(KINDS)}")
    return PageSource(**values)


def _refuse_unknown(values: Mapping[str, Any], record: type) -> None:
    unknown = set(values) - {f.name for f in fields(record)}
    if unknown:
        raise BadInput(f"unknown keys {', '.join(sorted(unknown))}")


_LINE: Final = re.compile(r"^(?P<head>[^:]*?)\s*(?:@(?P<place>[^:]+?))?\s*:\s+(?P<hours>\d[\d: ]*?)\s*(?:\((?P<note>.*)\))?$")
_MONTHS: Final = re.compile(r"^(0[1-9]|1[0-2])-(0[1-9]|1[0-2])$")


def parse_truth(text: str) -> tuple[Mass, ...]:
    """Masses of a truth text, sorted; empty text gives none.

    Raises:
        BadInput: naming the line that cannot be read.

    >>> [mass.time for mass in parse_truth("Su PH: 8:00 11:30 (suma)")]
    ['08:00', '11:30']
    """
    lines = (line.split("#")[0].strip() for line in text.splitlines())
    masses = [mass for line in lines if line for mass in _parse_line(line)]
    return tuple(sorted(masses, key=Mass.sort_key))


def _parse_line(line: str) -> list[Mass]:
    match = _LINE.match(line)
    if match is None:
        raise BadInput(f"truth line {line!r}: expected 'Su PH: 8:00 10:00 (note)'; see mass_pipeline/demo_web/source.py")
    days: set[str] = set()
    season, nth = "all", None
    for word in match["head"].split():
        if word.startswith("["):
            nth = tuple(int(ordinal) for ordinal in word.strip("[]").split(","))
        elif word in NAMED_SEASONS or _MONTHS.match(word):
            season = word
        else:
            days |= _days(word, line)
    ordered: tuple[Day, ...] = tuple(day for day in DAYS if day in days)
    if not ordered:
        raise BadInput(f"truth line {line!r}: no day named")
    note, place = match["note"] or "", (match["place"] or "").strip()
    return [Mass(ordered, _time(hour), season, nth, place, note) for hour in match["hours"].split()]


def _days(word: str, line: str) -> set[str]:
    first, dash, last = word.partition("-")
    if first not in DAYS or (dash and not {first, last} <= set(WEEKDAYS)):
        raise BadInput(f"truth line {line!r}: {word!r} is neither a day (Mo..Su, PH, AF), a season nor [ordinals]")
    if not dash:
        return {word}
    return set(WEEKDAYS[WEEKDAYS.index(first) : WEEKDAYS.index(last) + 1])


def _time(hour: str) -> str:
    hours, minutes = hour.split(":")
    return f"{int(hours):02}:{int(minutes):02}"
