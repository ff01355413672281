"""The web that a run may reach, real or the bundled demo web on loopback, and with which manners it is asked.

Whatever an installation asks of others passes one gate (`crawling.fetching`); here are the manners of each purpose. The crawl
keeps its own loop behind that gate.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, Literal

from mass_pipeline.crawling import CrawlConfig
from mass_pipeline.crawling.fetching.addresses import ConnectTo
from mass_pipeline.gathering.config import DirectoryConfig, PlacesConfig
from mass_pipeline.resources.settings import Settings

if TYPE_CHECKING:
    from mass_pipeline.crawling.fetching.http_client import RateLimitedClient


@dataclass(frozen=True, slots=True)
class Web:
    """Where connections go.

    Attributes:
        connect_to: (host, port) -> loopback address to connect to instead, or None for what DNS says; None in the live profile.
        places_base_url: base URL of the Places API, "" for Google's own.
    """

    connect_to: ConnectTo | None = None
    places_base_url: str = ""

    @property
    def is_local(self) -> bool:
        """Whether everything lies on loopback: only then may private addresses be asked."""
        return self.connect_to is not None


OpenWeb = Callable[[Settings], AbstractContextManager[Web]]


@contextmanager
def open_web(settings: Settings) -> Iterator[Web]:
    """The web of the profile: the real one, or a demo web that is served until the context ends."""
    if settings.is_live:
        yield Web()
        return
    from mass_pipeline.demo_web.web import DemoWeb

    with DemoWeb() as demo:
        yield Web(demo.connect_to, demo.places_base_url)


_DIRECTORY_BYTES: Final = 10 * 1024 * 1024  # lists of a whole country in one answer
_LONGEST_WAIT_SECONDS: Final = 3600.0


def crawl_config(settings: Settings, *, is_local: bool) -> CrawlConfig:
    """Settings of every request to a parish site.

    Args:
        is_local: the demo web is asked, on loopback.
    """
    config = settings.section(CrawlConfig)
    return replace(config, contact=settings.general.contact, allow_private_hosts=is_local, leases=settings.leases)


def directory_config(settings: Settings, *, is_local: bool) -> CrawlConfig:
    """Settings of every request to a directory: one host that is asked for hours, so more patience and no hurry.

    A directory says which parish is which, so its certificate must be good; it may lie where no parish site would be looked for.
    """
    directory = settings.section(DirectoryConfig)
    return replace(
        crawl_config(settings, is_local=is_local),
        start_delay_seconds=directory.request_gap_seconds,
        host_gap_seconds=directory.request_gap_seconds,
        connect_seconds=directory.timeout_seconds,
        idle_seconds=directory.timeout_seconds,
        max_attempts=directory.max_attempts,
        host_failure_limit=directory.max_attempts,
        max_wait_seconds=_LONGEST_WAIT_SECONDS,
        max_body_bytes=_DIRECTORY_BYTES,
        allow_unverified_tls=False,
        never_crawl=(),
    )


Purpose = Literal["pages", "directory", "places"]
_PLACES_FAILURES: Final = 20  # in a row: then Places is out of order, and what is left stays pending


@dataclass(frozen=True, slots=True)
class RateLimitedHttp:
    """Opens httpx clients whose every request passes the gate: addresses, robots.txt, pace, limits, decompression."""

    settings: Settings
    web: Web

    def client(self, purpose: Purpose = "pages") -> RateLimitedClient:
        """A client; to be closed, or used as a context manager.

        Args:
            purpose: `pages` of parish sites; a `directory`, which is one host asked for hours; `places`, a service.
        """
        from mass_pipeline.crawling.fetching.http_client import RateLimitedClient  # most runs ask nobody

        settings, is_local, connect_to = self.settings, self.web.is_local, self.web.connect_to
        if purpose == "pages":
            return RateLimitedClient(crawl_config(settings, is_local=is_local), connect_to)
        if purpose == "directory":
            config = directory_config(settings, is_local=is_local)
            return RateLimitedClient(config, connect_to, attempts=settings.section(DirectoryConfig).max_attempts, any_type=True)
        places = settings.section(PlacesConfig)
        config = replace(
            directory_config(settings, is_local=is_local),
            leases="",  # Google's host is no parish's, and its quota is kept by the ledger
            start_delay_seconds=1 / places.queries_per_second,
            host_gap_seconds=1 / places.queries_per_second,
            connect_seconds=places.timeout_seconds,
            idle_seconds=places.timeout_seconds,
            total_seconds=places.timeout_seconds,
            host_failure_limit=_PLACES_FAILURES,
        )
        return RateLimitedClient(config, connect_to, service=True)
