"""What a look asks, and how it judges the answers: the directory, Places, parish sites, the resolver of this machine.

Answers of single requests are kept as files: a look that was stopped goes on, and what looked odd can be opened.

Belongs here: few requests, verdicts. Not here: what a full run costs and how it is said (`looking`).
"""

from __future__ import annotations

import hashlib
import random
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

import orjson

from mass_pipeline.crawling.fetching.outcomes import Outcome
from mass_pipeline.gathering import deon, osm, tabular
from mass_pipeline.gathering.asking import FetchResult, error_of
from mass_pipeline.gathering.config import DirectoryConfig
from mass_pipeline.gathering.deon import ListPage, read_detail_page, read_list_page
from mass_pipeline.gathering.dioceses import Dioceses
from mass_pipeline.gathering.homes import parse_home
from mass_pipeline.gathering.hosts import HostKind, host_of, kind_of
from mass_pipeline.gathering.lookups import PlacesLookup
from mass_pipeline.gathering.parish import Parish
from mass_pipeline.gathering.ports import Page, PlacesDenied
from mass_pipeline.model.errors import BadInput, ConfigurationError, FetchError, LayoutChanged, StorageError
from mass_pipeline.model.identifiers import fold
from mass_pipeline.model.whole_files import replacing

SITES: Final = 20
DIOCESES: Final = 5
_MANY: Final = 0.5  # of the sites asked: so many of one kind are not chance
_FEW_TO_JUDGE: Final = 4  # sites
_SIGNS: Final = (
    (
        "a check for robots (captcha)",
        re.compile(rb"captcha|turnstile|cf-chl|challenge-platform|nie jestem robotem", re.IGNORECASE),
    ),
    (
        "a page that asks for consent",
        re.compile(rb"consent|cookiewall|przejd[^<]{0,9} do serwisu|wyra[^<]{0,5}am zgod", re.IGNORECASE),
    ),
)


class Verdict(StrEnum):
    """How a source answered."""

    EXPECTED = "as expected"
    DIFFERENT = "DIFFERENT"
    SILENT = "NO ANSWER"
    SKIPPED = "not asked"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at.

    Attributes:
        topic: what it is.
        verdict: how it answered.
        seen: one sentence.
        remedy: what to do, "" when there is nothing to do.
        where: URLs, with the file that holds the answer where one came.
    """

    topic: str
    verdict: Verdict
    seen: str
    remedy: str = ""
    where: tuple[str, ...] = ()

    @property
    def is_trouble(self) -> bool:
        """Whether a full run should wait until somebody has looked at it."""
        return self.verdict in (Verdict.DIFFERENT, Verdict.SILENT)


@dataclass(frozen=True, slots=True)
class DirectoryLook:
    """The source of parishes.

    Attributes:
        finding: how it answered.
        parish: one of it, None when none could be read.
        parishes: how many it seems to have, 0 when unknown.
        page_bytes: mean size of its pages; 0 for a file.
    """

    finding: Finding
    parish: Parish | None = None
    parishes: int = 0
    page_bytes: int = 0


@dataclass(frozen=True, slots=True)
class SitesLook:
    """Parish sites: how they answered, and the answers."""

    findings: tuple[Finding, ...]
    answers: tuple[FetchResult, ...] = ()


@dataclass(frozen=True, slots=True)
class KnownSite:
    """An address that a list names for a parish, and the part of the country (diocese, or else voivodeship) it is from."""

    url: str
    region: str


def look_at_directory(fetch: Fetch, config: DirectoryConfig, dioceses: Dioceses, kept: KeptAnswers) -> DirectoryLook:
    """One list page and one parish page, read by the reader of the whole walk; two requests and robots.txt.

    Args:
        fetch: kept answers, then the network.
        config: where to begin, and the selectors.
        dioceses: the list of dioceses.
        kept: says where the bytes are.
    """
    asked: dict[str, FetchResult] = {}

    def get(url: str) -> Page:
        answer = asked[url] = fetch(url)
        if answer.outcome != "ok":
            raise error_of(answer)
        return Page(answer.final_url or url, 200, answer.body, answer.content_type, kept.now())

    def finding(verdict: Verdict, seen: str, remedy: str = "") -> DirectoryLook:
        where = tuple(_where(url, answer, kept) for url, answer in asked.items())
        return DirectoryLook(Finding("Directory", verdict, seen, remedy, where))

    other = "or take the parishes from a file of your own: MASS_PIPELINE_DIRECTORY_TABLE_FILE=parishes.csv"
    try:
        parish = next(deon.read_directory(get, config, dioceses=dioceses))
    except ConfigurationError as error:
        return finding(Verdict.SKIPPED, str(error))
    except LayoutChanged as error:
        answer = next(iter(asked.values()))
        moved = _moved(config.start_url, answer)
        kind = next((kind for kind, sign in _SIGNS if sign.search(answer.body)), "")
        looks = f"it leads to {moved}; " if moved else f"it looks like {kind}; " if kind else ""
        remedy = f"Compare the kept page with MASS_PIPELINE_DIRECTORY_ROW_SELECTOR={config.row_selector}, {other}."
        if moved:
            remedy = f"If {moved} is its new home, set MASS_PIPELINE_DIRECTORY_START_URL={answer.final_url}, {other}."
        elif kind:
            remedy = f"Open it in a browser and ask its owner for leave; it is not got around. Until then wait, {other}."
        return finding(Verdict.DIFFERENT, f"{looks}expected {error.expectation}, found {error.found}", remedy)
    except FetchError as error:
        return finding(Verdict.SILENT, f"{error.url}: {error.reason}", f"Try again in some hours, {other}.")
    first, second = asked.values()
    listing = read_list_page(first.body, first.final_url or first.url, config)
    seen, remedy = _oddity(first, listing, second, config, dioceses)
    total = config.rows_per_page * listing.last_page if listing.last_page > 1 else len(listing.rows)
    if seen:
        look = finding(Verdict.DIFFERENT, seen, remedy)
    else:
        of = f"{len(listing.rows)} parishes on the first of {listing.last_page} pages"
        look = finding(Verdict.EXPECTED, f"{of}: about {total:,} in all")
    return replace(look, parish=parish, parishes=total, page_bytes=(len(first.body) + len(second.body)) // 2)


def _oddity(
    first: FetchResult, listing: ListPage, second: FetchResult, config: DirectoryConfig, dioceses: Dioceses
) -> tuple[str, str]:
    """What is odd about pages that could be read, and the remedy; "" when nothing is."""
    moved = _moved(config.start_url, first)
    if moved:
        return f"it leads to {moved}", f"If it is its new home, set MASS_PIPELINE_DIRECTORY_START_URL={first.final_url}."
    if not listing.has_pager and len(listing.rows) >= config.rows_per_page:
        remedy = f"Compare the kept page with page_path={config.page_path} of gathering/config.py."
        return f"{len(listing.rows)} parishes, and no link to a second page", remedy
    if not read_detail_page(second.body, second.final_url or second.url, config).address_parts:
        remedy = f"Compare the kept page with MASS_PIPELINE_DIRECTORY_ADDRESS_SELECTOR={config.address_selector}."
        return "the page of a parish shows no address", remedy
    names = (row.cells.get("diocese", "") for row in listing.rows)
    unknown = sorted({name for name in names if dioceses.find(name) is None})
    if unknown:
        return f"unknown dioceses: {', '.join(map(repr, unknown[:3]))}", "Add their spellings to data/dioceses.csv."
    return "", ""


def look_at_file(config: DirectoryConfig, dioceses: Dioceses) -> DirectoryLook:
    """A table of parishes, or an OSM extract, as the source of parishes; nothing is asked."""
    is_table = tabular.SOURCE in config.used_sources
    path = Path(config.table_file if is_table else config.osm_source)
    topic = "Table of parishes" if is_table else "Parishes of OpenStreetMap"
    try:
        if is_table:
            parishes = list(tabular.read_table(path, dioceses))
        else:
            parishes = list(osm.osm_parishes(osm.read_overpass(path.read_bytes(), str(path)), dioceses))
    except (BadInput, OSError, ConfigurationError) as error:
        return DirectoryLook(Finding(topic, Verdict.DIFFERENT, str(error), "Mend the file; nothing was asked.", (str(path),)))
    if not parishes:
        remedy = "Export churches with addr:city and diocese (docs/discovery.md), or use another source."
        return DirectoryLook(Finding(topic, Verdict.DIFFERENT, "no parish in it", remedy, (str(path),)))
    seen = f"{len(parishes):,} parishes of {len({one.diocese_key for one in parishes})} dioceses"
    return DirectoryLook(Finding(topic, Verdict.EXPECTED, seen, "", (str(path),)), parishes[0], len(parishes))


def look_at_places(lookup: PlacesLookup | None, parish: Parish | None) -> Finding:
    """One parish looked up, paid from the quota's ledger like every other.

    Args:
        lookup: None where Places is not wanted (no key).
        parish: of the directory, None when it gave none.
    """
    if lookup is None:
        remedy = "Sites come from the directory, OpenStreetMap and your own list alone; a key finds more (docs/terms.md)."
        return Finding("Places", Verdict.SKIPPED, "no key is set", remedy)
    if parish is None:
        return Finding("Places", Verdict.SKIPPED, "no parish to ask about", "First mend the source of parishes.")
    try:
        found = lookup.look_up(parish)
    except PlacesDenied as error:
        remedy = "Enable the API in Google's console, check the restrictions of the key, or set MASS_PIPELINE_PLACES_API."
        return Finding("Places", Verdict.DIFFERENT, f"the key is refused: {error}", remedy)
    name = f"{parish.name}, {parish.town}"
    if lookup.stopped:
        remedy = "Wait until units come free, or raise MASS_PIPELINE_PLACES_UNITS_PER_DAY."
        return Finding("Places", Verdict.SILENT, f"the quota is spent: {lookup.stopped}", remedy)
    if found.status == "pending":
        return Finding("Places", Verdict.SKIPPED, f"{name} was looked up some minutes ago")
    if found.status == "error":
        return Finding("Places", Verdict.SILENT, found.reason, "Try again later; failed calls count as spent.")
    if not found.places:
        remedy = "Look the parish up by hand: if Google knows it, compare MASS_PIPELINE_PLACES_API and the key's restrictions."
        return Finding("Places", Verdict.DIFFERENT, f"nothing is known of {name}", remedy)
    site = found.places[0].website
    return Finding("Places", Verdict.EXPECTED, f"{name}: found, {f'with the site {site}' if site else 'without a site'}")


def look_at_resolver(fetch: Fetch, seed: int, kept: KeptAnswers) -> Finding:
    """Whether the resolver of this machine invents answers: a name nobody has registered is asked for.

    Some Internet providers answer every name with a page of their own; dead parish sites would seem alive.
    """
    name = "".join(random.Random(seed).choices("bcdfghjkmnpqrstvwxz", k=24))
    url = f"http://{name}.pl/"
    answer = fetch(url)
    if answer.outcome == "dns_error":
        return Finding("Resolver", Verdict.EXPECTED, "a name that nobody has registered is not found")
    seen = f"a name that nobody has registered answers ({answer.outcome}): dead sites will seem alive"
    return Finding(
        "Resolver",
        Verdict.DIFFERENT,
        seen,
        "Use another resolver on this machine (/etc/resolv.conf).",
        (_where(url, answer, kept),),
    )


def sample(known: Iterable[KnownSite], seed: int, count: int = SITES, regions: int = DIOCESES) -> tuple[KnownSite, ...]:
    """Sites of some regions, as evenly as there are, one for each host; the same seed gives the same ones.

    >>> sites = [KnownSite(f"http://p{n}.pl/", f"d{n % 3}") for n in range(9)]
    >>> sorted(one.region for one in sample(sites, 1, count=4, regions=2))
    ['d0', 'd0', 'd2', 'd2']
    """
    by_region: dict[str, dict[str, KnownSite]] = defaultdict(dict)
    for site in known:
        if kind_of(site.url) is HostKind.OWN:
            by_region[site.region].setdefault(host_of(site.url), site)
    rng = random.Random(seed)
    chosen = sorted(by_region, key=lambda region: (-len(by_region[region]), region))[: regions * 2]
    queues = [
        rng.sample(sorted(by_region[region].values(), key=lambda one: one.url), k=len(by_region[region]))
        for region in sorted(rng.sample(chosen, k=min(regions, len(chosen))))
    ]
    taken: list[KnownSite] = []
    while len(taken) < count and any(queues):
        taken += [queue.pop() for queue in queues if queue]
    return tuple(taken[:count])


def look_at_sites(fetch: Fetch, sites: Sequence[KnownSite], kept: KeptAnswers, told: Callable[[str], None]) -> SitesLook:
    """The home pages of parish sites with their robots.txt: what each is, and what many of them have in common.

    Args:
        fetch: kept answers, then the network.
        sites: see `sample`.
        kept: says where the bytes are.
        told: called with one line before each site.
    """
    if not sites:
        remedy = "Give churches with web sites (--osm churches.json), or run this again when the table parish_urls is there."
        return SitesLook((Finding("Parish sites", Verdict.SKIPPED, "no address of a site is known", remedy),))
    answers: dict[str, FetchResult] = {}
    for number, site in enumerate(sites, start=1):
        told(f"site {number} of {len(sites)}: {host_of(site.url)}")
        answers[site.url] = fetch(site.url)
    kinds = {url: _kind(answer) for url, answer in answers.items()}
    counts = Counter(kinds.values())
    where = tuple(f"{kinds[url]}: {_where(url, answer, kept)}" for url, answer in answers.items() if kinds[url] != _READABLE)
    regions = len({site.region for site in sites})
    seen = f"{counts[_READABLE]} of {len(sites)} in {regions} dioceses can be read" + "".join(
        f", {count} {kind}" for kind, count in counts.most_common() if kind != _READABLE
    )
    most, count = next(iter(Counter({k: n for k, n in counts.items() if k != _READABLE}).most_common(1)), ("", 0))
    is_common = len(sites) >= _FEW_TO_JUDGE and count >= _MANY * len(sites)
    verdict = Verdict.DIFFERENT if is_common else Verdict.EXPECTED
    findings = [Finding("Parish sites", verdict, seen, _REMEDIES.get(most, _LOOK) if is_common else "", where)]
    same = Counter(answer.body for answer in answers.values() if answer.body)
    body, times = next(iter(same.most_common(1)), (b"", 0))
    if len(sites) >= _FEW_TO_JUDGE and times >= _MANY * len(sites):
        urls = tuple(_where(url, answer, kept) for url, answer in answers.items() if answer.body == body)[:2]
        findings.append(
            Finding(
                "One page for all",
                Verdict.DIFFERENT,
                f"{times} hosts answer with the same page: something stands between",
                _BETWEEN,
                urls,
            )
        )
    return SitesLook(tuple(findings), tuple(answers.values()))


_READABLE: Final = "readable"
_NETWORK: Final = "without an answer"
_SOCIAL: Final = "on a social network or portal"
_LOOK: Final = "Open some of them in a browser before a full run."
_BETWEEN: Final = "A provider's or firewall's page, or a log-in of this network: ask from another network or resolver."
_REMEDIES: Final = {
    _NETWORK: "Check this machine's network and resolver first: so many sites are not down at once.",
    _SOCIAL: "The list of sites is old: renew it (parish_urls asks Places and OpenStreetMap); these are not crawled.",
    "closed by robots.txt": "Their owners say no, and are obeyed: if all are of one provider, ask it.",
    "refusing": "Their server refuses robots or this address: ask one of the owners before going on.",
}


def _kind(answer: FetchResult) -> str:
    """What a home page is, in a few words."""
    target = kind_of(answer.final_url or answer.url)
    if answer.outcome == "out_of_scope" or target is HostKind.SOCIAL:
        return _SOCIAL
    if target is HostKind.PARKED:
        return "parked"
    if answer.outcome == "forbidden_by_robots":
        return "closed by robots.txt"
    if answer.status in (401, 403, 429, 451):
        return "refusing"
    if answer.outcome in ("dns_error", "timeout", "refused", "deferred"):
        return _NETWORK
    if answer.outcome not in ("ok", "truncated"):
        return answer.outcome.replace("_", " ")
    home = parse_home(answer.final_url or answer.url, answer.body, answer.content_type)
    return _READABLE if "parafi" in fold(home.text) else "without the word parafia"


def _moved(start: str, answer: FetchResult) -> str:
    """The host that answered, when it is another one than was asked."""
    host = host_of(answer.final_url or start)
    return host if host != host_of(start) else ""


def _where(url: str, answer: FetchResult, kept: KeptAnswers) -> str:
    status = f"HTTP {answer.status}" if answer.status else answer.outcome
    to = f" -> {answer.final_url}" if answer.final_url and urlsplit(answer.final_url).netloc != urlsplit(url).netloc else ""
    body = f", kept in {kept.body_of(url)}" if answer.body else f", {answer.reason}" if answer.reason else ""
    return f"{url}{to} ({status}{body})"


Fetch = Callable[[str], FetchResult]
FRESH: Final = timedelta(days=1)


class KeptAnswers:
    """A folder of answers, one pair of files for each URL: `<digest>.json` (how it answered) and `<digest>.body`.

    Attributes:
        folder: of the files.
        now: the clock.
        reused: answers that came from the folder instead of the network.
    """

    def __init__(self, folder: Path, now: Callable[[], datetime]) -> None:
        """Args:
        folder: made when the first answer comes.
        now: the clock; answers of the last 24 hours are not asked for again.
        """
        self.folder = folder
        self.now = now
        self.reused = 0

    def through(self, fetch: Fetch) -> Fetch:
        """The same fetcher, which asks the folder first and keeps what the network gave, failures too.

        Raises:
            StorageError: the folder cannot be written.
        """

        def keeping(url: str) -> FetchResult:
            known = self._find(url)
            if known is not None:
                self.reused += 1
                return known
            result = fetch(url)
            self._keep(url, result)
            return result

        return keeping

    def body_of(self, url: str) -> Path:
        """Where the body of an answer is."""
        return self.folder / f"{_digest(url)}.body"

    def _find(self, url: str) -> FetchResult | None:
        path = self.folder / f"{_digest(url)}.json"
        try:
            fields = orjson.loads(path.read_bytes())
            body = self.body_of(url).read_bytes()
            asked = datetime.fromisoformat(fields.pop("asked_at"))
            return (
                FetchResult(**{**fields, "outcome": Outcome(fields["outcome"])}, body=body)
                if self.now() - asked < FRESH
                else None
            )
        except (OSError, ValueError, KeyError, TypeError):
            return None  # never asked, or half of it is gone: it is asked

    def _keep(self, url: str, result: FetchResult) -> None:
        fields = {**asdict(replace(result, body=b"")), "asked_at": self.now().isoformat()}
        del fields["body"]
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            for path, content in ((self.body_of(url), result.body), (self.folder / f"{_digest(url)}.json", orjson.dumps(fields))):
                with replacing(path) as aside:
                    aside.write_bytes(content)
        except OSError as error:
            raise StorageError(
                f"{self.folder}: an answer cannot be kept ({error.strerror or error}). Make room there."
            ) from error


def _digest(url: str) -> str:
    return hashlib.sha256(url.encode()).hexdigest()[:16]
