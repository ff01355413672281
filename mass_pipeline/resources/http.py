"""The HTTP client of an installation: whatever it asks of others passes one gate. The crawl keeps its own loop behind that gate.

Belongs here: which manners a purpose has. Not here: the manners (`crawling.fetching`). Source: design section 6.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, Literal

from mass_pipeline.gathering.config import DirectoryConfig, PlacesConfig
from mass_pipeline.resources.crawling import crawl_config, directory_config
from mass_pipeline.resources.settings import Settings
from mass_pipeline.resources.web import Web

if TYPE_CHECKING:
    from mass_pipeline.crawling.fetching.http_client import RateLimitedClient

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
