"""Everybody who asks hosts over the one chain of requests, as a table: what each asks, what it keeps, what it ends with.

Shared by the contract test of all users and by the benchmark `deaths`, which ends their processes.
"""

from __future__ import annotations

import pickle
import random
import sqlite3
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Final

from mass_pipeline.crawl_readers.articles import read_article
from mass_pipeline.crawling import CrawlConfig, Seed, crawl_sites, read_pages
from mass_pipeline.crawling.fetching.addresses import ConnectTo
from mass_pipeline.crawling.fetching.clock import Clock
from mass_pipeline.crawling.fetching.http_client import RateLimitedClient
from mass_pipeline.crawling.pages.relevance import load_topic, topic_path
from mass_pipeline.crawling.state.schema import CRAWL_FILE, LINKS_FILE, WATCH_FILE
from mass_pipeline.crawling.watching.config import PollingConfig, WatchConfig
from mass_pipeline.crawling.watching.engine import watch_sites
from mass_pipeline.crawling.watching.sites import WatchedList, WatchedSite
from mass_pipeline.crawling.watching.store import read_announcements_of
from mass_pipeline.gathering.asking import Directory, fetch, home_reader
from mass_pipeline.gathering.config import DirectoryConfig, PlacesConfig, WebsitesConfig
from mass_pipeline.gathering.gather import Walk, gather_parishes
from mass_pipeline.gathering.lookups import open_ledger
from mass_pipeline.gathering.state import DiscoveryState
from mass_pipeline.gathering.websites import Sources, find_websites
from mass_pipeline.laboratory.bandits.config import LinkBanditConfig
from mass_pipeline.laboratory.link_collection.collector import collect_links
from mass_pipeline.laboratory.link_collection.reading import read_links
from mass_pipeline.laboratory.link_collection.records import CollectionSettings
from mass_pipeline.laboratory.link_collection.store import LinkStore, add_site, target_sites
from mass_pipeline_tests.crawling.loopback import Page, links
from mass_pipeline_tests.crawling.made import fetch_once
from mass_pipeline_tests.crawling.watching.conftest import article, mass, news_list
from mass_pipeline_tests.gathering import support

HOST_NAME: Final = "a.example"
START: Final = f"http://{HOST_NAME}/"
POLICIES: Final = ("quantum", "r2", "r3")
_DISCOVERY: Final = "discovery.sqlite"

Sites = Mapping[str, Mapping[str, Page]]


@dataclass(frozen=True)
class User:
    """One user of the chain.

    Attributes:
        ask: asks for `START` alone; its outcome.
        sites: what a whole run asks for.
        run: a whole run, from wherever its state stands to the end; everything it ends with but moments.
        kept: URLs whose answers the state holds, for which nobody is asked again.
        again: most pages that one death of its process makes it ask for once more.
        remembers_hosts: its own state tells when a host was asked; without, the leases of all runs do.
    """

    ask: Callable[[Path, ConnectTo, CrawlConfig], str]
    sites: Sites
    run: Callable[[Path, ConnectTo, CrawlConfig], object]
    kept: Callable[[Path], set[str]]
    again: int
    remembers_hosts: bool = True


def _pages(number: int, count: int) -> dict[str, Page]:
    """A site whose pages link to one another and to other sites at random; the same for the same number."""
    chance = random.Random(number)
    paths = ["/", *(f"/p{n}" for n in range(1, count))]
    pages = {}
    for place, path in enumerate(paths):
        further = [*paths[place + 1 : place + 3], *chance.sample(paths, 2), "javascript:x()"]
        further += [f"http://e{chance.randrange(40)}.example/" for _ in range(chance.randrange(4))]
        text = f"site {number} page {place} " + "Msza święta 9:00 " * chance.randrange(200)
        pages[path] = Page(links(*further, text=text))
    return pages


PARISHES: Final[Sites] = {f"s{number}.example": _pages(number, 8) for number in range(3)}


# Crawl


def _ask_by_crawl(state: Path, connect_to: ConnectTo, config: CrawlConfig) -> str:
    crawl_sites([Seed("a", START)], state=state, config=config, connect_to=connect_to)
    return next(page.outcome for page in read_pages(state) if page.url == START)


def _crawl(state: Path, connect_to: ConnectTo, config: CrawlConfig) -> object:
    config = replace(config, max_depth=10, commit_seconds=0.1)
    crawl_sites([Seed(host, f"http://{host}/") for host in PARISHES], state=state, config=config, connect_to=connect_to)
    return [(page.url, page.outcome, page.depth, page.body_sha256, page.body) for page in read_pages(state)]


def _kept_by_crawl(state: Path) -> set[str]:
    return _urls(state / CRAWL_FILE, "SELECT url FROM urls JOIN pages USING(url_id) WHERE body IS NOT NULL")


# Link collection


def _ask_by_links(state: Path, connect_to: ConnectTo, config: CrawlConfig) -> str:
    with LinkStore(state, create=True) as store:
        add_site(store, HOST_NAME)
    settings = CollectionSettings(policy="sequential", max_level=0, budget_pages=5)
    collect_links(state, settings, config=config, bandits=LinkBanditConfig(), connect_to=connect_to)
    with LinkStore(state) as store:
        return str(next(row["outcome"] for row in read_links(store, "internal") if row["url"] == START))


def _collect(state: Path, connect_to: ConnectTo, config: CrawlConfig, *, policy: str) -> object:
    """Every table, and the order of pages: the policies choose as if nothing had happened."""
    with LinkStore(state, create=True) as store:
        known = {site.start_url for site in target_sites(store)}
        for url in (f"http://{host}/" for host in PARISHES):
            if url not in known:
                add_site(store, url)
    settings = CollectionSettings(policy=policy, budget_pages=20, max_level=20)
    bandits = LinkBanditConfig(step_pages=3, first_pages=2, quantum_pages=3)
    collect_links(state, settings, config=config, bandits=bandits, connect_to=connect_to)
    with LinkStore(state) as store:
        kinds = ("external", "internal", "bad")
        tables = [[{**row, "found_at": 0} for row in read_links(store, kind)] for kind in kinds]
        return tables, [(turn.number, turn.asked, turn.new_links) for turn in store.log()]


def _kept_by_links(state: Path) -> set[str]:
    return _urls(state / LINKS_FILE, "SELECT url FROM internal_links JOIN turns USING(link_id)")


# Watch


def _ask_by_watch(state: Path, connect_to: ConnectTo, config: CrawlConfig) -> str:
    watch_once([WatchedSite("a", START, lists=(WatchedList(START),))], state, connect_to, config)
    lines = [line.split() for line in (state / "progress.log").read_text().splitlines()]
    return next(outcome for _, outcome, url in lines if url == START)


def watch_once(sites: list[WatchedSite], state: Path, connect_to: ConnectTo, config: CrawlConfig) -> None:
    """One round of a watch over sites."""
    watch_sites(
        sites,
        state=state,
        topic=load_topic(topic_path("services")),
        read_article=read_article,
        crawl=config,
        watch=WatchConfig(),
        polling=PollingConfig(),
        connect_to=connect_to,
        once=True,
    )


def _news(number: int) -> dict[str, Page]:
    """A site with six articles on two pages of a list."""
    entries = [(f"/wpis-{n}/", f"Ogłoszenie {n}", f"{20 - n}.11.2026") for n in range(6)]
    site = {f"/wpis-{n}/": article(mass(10 * number + n), entries[n][2], entries[n][1]) for n in range(6)}
    menu = '<a href="/aktualnosci/">Aktualności</a>'
    site["/"] = Page(f"<html><body><h1>Parafia {number}</h1>{menu}<p>Witamy na stronie parafii.</p></body></html>")
    site["/aktualnosci/"] = news_list(*entries[:4], after='<p><a href="/aktualnosci/page/2/">starsze</a></p>')
    site["/aktualnosci/page/2/"] = news_list(*entries[4:])
    return site


NEWS: Final[Sites] = {f"n{number}.example": _news(number) for number in range(3)}


def _watch(state: Path, connect_to: ConnectTo, config: CrawlConfig) -> object:
    """Two sites with their lists configured, the last one searched for them."""
    sites = [WatchedSite(host, f"http://{host}/", lists=(WatchedList(f"http://{host}/aktualnosci/"),)) for host in NEWS]
    sites[-1] = replace(sites[-1], lists=())
    watch_once(sites, state, connect_to, config)
    return [(row.site_id, row.url, row.text, row.issued, row.article_sha256) for row in read_announcements_of(state)]


def _kept_by_watch(state: Path) -> set[str]:
    read = "SELECT url FROM articles WHERE state=1 AND outcome='ok' UNION SELECT url FROM lists WHERE look>0"
    return _urls(state / WATCH_FILE, read)


# Directory


def _directory(config: CrawlConfig, connect_to: ConnectTo | None) -> RateLimitedClient:
    return RateLimitedClient(config, connect_to, attempts=config.max_attempts, any_type=True)


def _ask_by_directory(state: Path, connect_to: ConnectTo, config: CrawlConfig) -> str:
    with _directory(config, connect_to) as client:
        return fetch(client, START).outcome


def _walk(state: Path, connect_to: ConnectTo, config: CrawlConfig) -> object:
    directory = DirectoryConfig(allow_live=True, start_url=support.START)
    with DiscoveryState(state / _DISCOVERY) as store, _directory(config, connect_to) as client:
        pages = Directory(client, config.max_attempts, _now)
        gathered = gather_parishes(Walk(directory, pages.get, support.DIOCESES, store, _now))
    return [replace(parish, fetched_at=support.NOW) for parish in gathered.parishes]


def _kept_by_walk(state: Path) -> set[str]:
    return _urls(state / _DISCOVERY, "SELECT url FROM raw_pages")


DIRECTORY: Final[Sites] = {
    "katalog.example": {url.removeprefix("http://katalog.example"): Page(text) for url, text in support.directory(14).items()}
}


# Verification of web sites


def _ask_by_verification(state: Path, connect_to: ConnectTo, config: CrawlConfig) -> str:
    return fetch_once(START, config=config, connect_to=connect_to).outcome


def _home(number: int) -> dict[str, Page]:
    """A site whose contact page alone says where the parish is."""
    contact = f"<h1>Kontakt</h1><p>Parafia Świętej Anny, ul. Leśna {number}, 45-010 Opole. Kancelaria parafialna, msze święte."
    head = "<html><head><title>Parafia Świętej Anny</title></head><body>"
    return {
        "/": Page(head + '<p>Parafia Świętej Anny. Msze święte.</p><a href="/kontakt/">Kontakt</a></body></html>'),
        "/kontakt/": Page(f"{head}{contact}</p></body></html>"),
    }


HOMES: Final[Sites] = {f"w{number}.example": _home(number) for number in range(1, 9)}


def _verify(state: Path, connect_to: ConnectTo, config: CrawlConfig) -> object:
    parishes = [
        support.parish(parish_id=host, street=f"ul. Leśna {number}", website_hint=f"http://{host}/")
        for number, host in enumerate(HOMES, 1)
    ]
    places = PlacesConfig(parallel_lookups=2)
    with DiscoveryState(state / _DISCOVERY) as store, RateLimitedClient(config, connect_to) as client:
        ledger, read = open_ledger(store, places), home_reader(client)
        rows = find_websites(parishes, Sources(places_config=places), ledger, WebsitesConfig(), read, _now)
    return [replace(row, checked_at=support.NOW) for row in rows]


def _kept_by_verification(state: Path) -> set[str]:
    return {
        f"http://{host}{path}" for host in _urls(state / _DISCOVERY, "SELECT parish_id FROM decisions") for path in HOMES[host]
    }


def _now() -> datetime:
    return Clock().now()


def _urls(path: Path, query: str) -> set[str]:
    """The first column of what an SQLite file holds, as whoever opens it next sees it; none when its tables were not made."""
    if not path.exists():
        return set()
    with closing(sqlite3.connect(path)) as connection:
        if not connection.execute("SELECT 1 FROM sqlite_master").fetchone():
            return set()
        return {str(row[0]) for row in connection.execute(query)}


def _links_user(policy: str) -> User:
    return User(_ask_by_links, PARISHES, partial(_collect, policy=policy), _kept_by_links, again=1)


USERS: Final[Mapping[str, User]] = {
    "crawl": User(_ask_by_crawl, PARISHES, _crawl, _kept_by_crawl, again=3),  # one in flight of each site
    "directory": User(_ask_by_directory, DIRECTORY, _walk, _kept_by_walk, again=1, remembers_hosts=False),
    "links": _links_user("quantum"),
    # Two parishes at a time, two pages each.
    "verification": User(_ask_by_verification, HOMES, _verify, _kept_by_verification, again=4, remembers_hosts=False),
    "watch": User(_ask_by_watch, NEWS, _watch, _kept_by_watch, again=6),
}
MORE_POLICIES: Final[Mapping[str, User]] = {f"links {policy}": _links_user(policy) for policy in POLICIES if policy != "quantum"}


def user_of(name: str) -> User:
    """A user by its name in the tables."""
    return USERS.get(name) or MORE_POLICIES[name]


def run_to_its_end(name: str, state: Path, port: int, config: CrawlConfig, end: Path) -> None:
    """A whole run in a process of its own, which may be killed; `end` gets what it ends with."""
    end.write_bytes(pickle.dumps(user_of(name).run(state, lambda host, _: ("127.0.0.1", port), config)))
