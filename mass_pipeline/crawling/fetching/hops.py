"""Where an answer redirects: the one rule for pages, robots.txt, sitemaps and the crawl of a site. No network, no limits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from mass_pipeline.crawling.fetching.outcomes import Outcome
from mass_pipeline.crawling.fetching.transport import Answer
from mass_pipeline.crawling.fetching.urls import BadUrl, canonicalize, from_header

_REDIRECTS: Final = frozenset({301, 302, 303, 307, 308})  # RFC 9110 15.4: what a robot may follow by itself


@dataclass(frozen=True, slots=True)
class Stop:
    """Why a hop is not taken."""

    outcome: Outcome
    reason: str


def next_hop(answer: Answer, url: str) -> str | Stop | None:
    """The canonical URL that an answer of a URL leads to; None when it leads nowhere, a `Stop` when that is no address."""
    location = answer.headers.get("Location")
    if answer.status not in _REDIRECTS or not location:
        return None
    try:
        return canonicalize(from_header(location), url)
    except BadUrl as error:
        return Stop(Outcome.BAD_URL, f"redirects to a bad address ({error})")
