"""Collect external links from a target set of sites: page after page, each on the site that the policy chooses (B1-B9).

One page at a time: what it brought is stored before the next site is chosen. Ended at any moment, the next run goes on.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from mass_pipeline.crawling.fetching.addresses import ConnectTo
from mass_pipeline.crawling.fetching.clock import Clock
from mass_pipeline.crawling.fetching.config import CrawlConfig
from mass_pipeline.crawling.fetching.outcomes import Outcome
from mass_pipeline.crawling.fetching.urls import split
from mass_pipeline.crawling.state.session import CrawlSession, Engine, Spider, run
from mass_pipeline.laboratory.bandits.config import LinkBanditConfig
from mass_pipeline.laboratory.bandits.policies import make_policy, policy_for_theme
from mass_pipeline.laboratory.bandits.statistics import Policy, SiteStatistics
from mass_pipeline.laboratory.link_collection.loading import OpenSite, PageLoader
from mass_pipeline.laboratory.link_collection.records import (
    CollectionSettings,
    CollectReport,
    InternalLink,
    PageFound,
    SiteStatus,
    TargetSite,
    TurnLogged,
)
from mass_pipeline.laboratory.link_collection.store import LinkStore, collecting_lock, target_sites
from mass_pipeline.model.errors import DiskFull

OnPage = Callable[[TargetSite, InternalLink, PageFound, int], None]
_CLOSED: Final = frozenset({SiteStatus.FINISHED, SiteStatus.NOT_AVAILABLE, SiteStatus.DEFERRED})


def collect_links(
    state: Path,
    settings: CollectionSettings,
    *,
    config: CrawlConfig,
    bandits: LinkBanditConfig,
    connect_to: ConnectTo | None = None,
    on_page: OnPage | None = None,
    clock: Clock | None = None,
) -> CollectReport:
    """Collect until the budget is spent, every site is read, or another process asks to stop.

    Args:
        state: folder with the target set (see `store.add_site`).
        settings: of the collection; kept for later runs.
        config: politeness and limits of the requests; its depth and page limits do not count here.
        bandits: parameters of the policies.
        connect_to: where to connect instead; only honoured with `config.allow_private_hosts`.
        on_page: told after every page: site, link, what was found, new external links.
        clock: time; the machine's by default.

    Returns:
        Figures of this run.

    Raises:
        StorageError: the state cannot be used, or another process collects there.
    """
    # The collector counts its own levels and pages; what looks like a trap is judged by the same rules.
    config = replace(config, max_depth=settings.max_level, max_pages_per_site=max(settings.budget_pages, 1))
    with collecting_lock(state), LinkStore(state) as store:
        store.put_settings(settings)
        store.begin_run()
        session = CrawlSession(store, config, connect_to, clock)
        return run(_LinkSpider(store, session, settings, bandits, on_page).collect())


def policy_name(settings: CollectionSettings, bandits: LinkBanditConfig) -> str:
    """The policy that a collection uses: the one it names, else the one for its theme (B10)."""
    return settings.policy or policy_for_theme(settings.theme, bandits)


class _LinkSpider(Spider[int]):
    """One run of the collector: a turn reads a page of the site that the policy chooses."""

    def __init__(
        self, store: LinkStore, session: CrawlSession, settings: CollectionSettings, bandits: LinkBanditConfig,
        on_page: OnPage | None,
    ) -> None:  # fmt: skip
        self._store, self._session, self._settings = store, session, settings
        self._bandits = replace(bandits, budget_pages=settings.budget_pages)
        self._on_page = on_page
        self._loader = PageLoader(session.downloader, session.config, store, merge=settings.merge_case_and_slash)
        self._opened: dict[int, OpenSite] = {}
        self._sites: list[TargetSite] = []
        self._policy: Policy | None = None
        self._statistics: list[SiteStatistics] = []
        self._spent = self._pages = self._new_links = 0
        self._ended = ""

    async def collect(self) -> CollectReport:
        """Page after page."""
        session = self._session
        self._spent = sum(turn.asked for turn in self._store.log())
        async with session.downloader:
            try:
                await Engine[int](session, self, at_once=1).run()
            finally:
                session.logs.flush()
        self._store.end_run()
        policy = policy_name(self._settings, self._bandits)
        requests = session.downloader.counters["requests"]
        return CollectReport(policy, self._pages, self._new_links, requests, session.seconds, self._ended)

    # See `Spider`; a site is its place in the target set

    def due(self, running: Collection[int]) -> Iterator[tuple[str, int]]:
        """The site that the policy chooses, when the page before it was read."""
        if running:
            return
        if self._store.stop_requested:
            self._ended = "stopped"
        elif self._spent >= self._settings.budget_pages:
            self._ended = "budget"
        else:
            known = target_sites(self._store)
            if self._policy is None or [site.number for site in known] != [site.number for site in self._sites]:
                self._policy, self._statistics = self._begin(known)  # sites were added or removed meanwhile (B5)
            self._sites = known
            if any(site.is_open for site in self._statistics):
                place = self._policy.choose(self._statistics)
                yield known[place].start_url, place
            else:
                self._ended = "finished"

    def start_of(self, site: int) -> str:
        """See `Spider`."""
        return self._sites[site].start_url

    async def turn(self, host: str, site: int) -> bool:
        """Read the next page of a site; links that may not be asked (robots.txt) cost no turn."""
        statistics, target = self._statistics[site], self._sites[site]
        merge = self._settings.merge_case_and_slash
        while statistics.is_open and (link := self._store.next_link(target, merge)) is not None:
            await self._session.room.wait_here()
            found = await self._load(target, link)
            self._session.downloader.leave(split(found.final_url or link.url))
            new_links, statistics.is_open = await self._save(target, link, found)
            self._session.finished(link.url, found.outcome)
            self._session.logs.flush()
            if self._on_page is not None:
                self._on_page(target, link, found, new_links)
            if found.asked:
                self._pages += 1
                self._new_links += new_links
                statistics.record(new_links, found.elapsed_ms / 1000)
                self._spent += 1
                return True
        statistics.is_open = False
        return True

    def _begin(self, sites: Sequence[TargetSite]) -> tuple[Policy, list[SiteStatistics]]:
        policy = make_policy(policy_name(self._settings, self._bandits), self._bandits, seed=self._settings.seed)
        closed = {site.number for site in sites if site.status in _CLOSED}
        return policy, replay(policy, [site.number for site in sites], self._store.log(), closed)

    async def _save(self, site: TargetSite, link: InternalLink, found: PageFound) -> tuple[int, bool]:
        """See `LinkStore.save_turn`; written when there is room for it, so that nobody is asked twice."""
        merge = self._settings.merge_case_and_slash
        while True:
            try:
                saved = self._store.save_turn(site, link, found, at=self._session.wall, merge=merge)
            except DiskFull as error:
                await self._session.room.wait_here(str(error))
                continue
            self._session.room.has_written()
            return saved

    async def _load(self, site: TargetSite, link: InternalLink) -> PageFound:
        found = await self._session.survive(link.url, self._loader.load(self._open(site), link))
        if isinstance(found, PageFound):
            return found
        status = SiteStatus.NOT_AVAILABLE if link.level == 0 else None
        return PageFound(Outcome.ERROR, type(found).__name__, asked=True, site_status=status)

    def _open(self, site: TargetSite) -> OpenSite:
        opened = self._opened.get(site.number)
        if opened is None:
            opened = self._opened[site.number] = OpenSite.of(site, self._session.config, self._settings.max_level)
            for row in self._store.links_of(site.number):
                opened.known.add(row["url_key"])
                opened.guard.refuses(row["url"], split(row["url"]))  # counts it
                if row["outcome"] in (Outcome.OK, Outcome.TRUNCATED, Outcome.DUPLICATE, Outcome.NOINDEX):
                    opened.guard.count_page(row["url"])
        return opened


def replay(policy: Policy, numbers: Sequence[int], log: Sequence[TurnLogged], closed: Collection[int]) -> list[SiteStatistics]:
    """Statistics of every site after the log.

    Args:
        policy: fresh; it stands after the last turn afterwards.
        numbers: sites of the target set in order.
        log: turns in order; those of sites that are no longer in the set are passed over.
        closed: sites that have no page left.

    Returns:
        One per site, in the order of `numbers`.
    """
    place = {number: index for index, number in enumerate(numbers)}
    left = [0] * len(numbers)
    turns = [turn for turn in log if turn.number in place]
    for turn in turns:
        left[place[turn.number]] += 1
    sites = [SiteStatistics(i, is_open=left[i] > 0 or number not in closed) for i, number in enumerate(numbers)]
    for turn in turns:
        policy.choose(sites)
        index = place[turn.number]
        if turn.asked:
            sites[index].record(turn.new_links, turn.seconds)
        left[index] -= 1
        sites[index].is_open = left[index] > 0 or turn.number not in closed
    return sites
