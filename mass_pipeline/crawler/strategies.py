"""Order of the frontier (V1, V9): breadth-first, depth-first, random, best-first. Pure: a link in, a sort key out."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Protocol

from mass_pipeline.crawler.config import CrawlConfig
from mass_pipeline.crawler.urls import is_dated
from mass_pipeline.model.identifiers import fold

_SCHEDULE_WORDS: Final = re.compile(
    r"msz[eay]?\b|msze|mszy|porzadek|nabozenst|liturgi|godzin|niedziel|swieta|plan|rozklad|kosciol|parafi|kontakt|ogloszen|intencj|"
    r"informacj|aktualn|duszpaster|sakrament|kaplic|mass|schedule"
)
_SURE_WORDS: Final = re.compile(r"msz[eay]|mszal|nabozenst|porzadek|godzin")


@dataclass(frozen=True, slots=True)
class Link:
    """A link that may enter the frontier.

    Attributes:
        url: canonical.
        text: anchor text.
        depth: links from the start page.
        referrer: page it stands on, "" for a start page.
        parish_id: whose site it is.
    """

    url: str
    text: str
    depth: int
    referrer: str
    parish_id: str


class LinkScorer(Protocol):
    """Says how promising a link is: best-first follows the highest score. Plug in for `crawl_sites(scorer=...)`."""

    def score(self, link: Link) -> float:
        """Any finite number; higher is followed earlier."""
        ...


SortKey = tuple[float, float, float]
Strategy = Callable[[Link], SortKey]


class ScheduleLikelihood:
    """Default scorer: links whose words speak of Masses first, calendars last."""

    def score(self, link: Link) -> float:
        """2 for words of Mass times, 1 for words of parish life, 0 otherwise, -1 for a date.

        >>> ScheduleLikelihood().score(Link("http://a.pl/x", "Porządek Mszy św.", 1, "", "p"))
        2.0
        """
        words = f"{fold(link.text)} {link.url[link.url.find('/', 8) :].lower()}"
        if _SURE_WORDS.search(words):
            return 2.0
        if is_dated(link.url):
            return -1.0
        return 1.0 if _SCHEDULE_WORDS.search(words) else 0.0


def strategy_of(config: CrawlConfig, scorer: LinkScorer | None = None) -> Strategy:
    """Sort key of the configured strategy; smaller keys leave the frontier first, ties in order of discovery.

    Args:
        scorer: for best_first; None means `ScheduleLikelihood`.
    """
    scoring = scorer or ScheduleLikelihood()
    chance = random.Random(config.seed)

    def breadth_first(link: Link) -> SortKey:
        return link.depth, -scoring.score(link), 0.0

    def depth_first(link: Link) -> SortKey:
        return -link.depth, -scoring.score(link), 0.0

    def at_random(link: Link) -> SortKey:
        return chance.random(), 0.0, 0.0

    def best_first(link: Link) -> SortKey:
        return -scoring.score(link), link.depth, 0.0

    return {"breadth_first": breadth_first, "depth_first": depth_first, "random": at_random, "best_first": best_first}[
        config.strategy
    ]
