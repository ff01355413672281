"""Page importance (V10): of a page that was read from itself, of one that was not from its links and the pages that hold them.

Source: J. Cho, H. Garcia-Molina, L. Page, Efficient crawling through URL ordering, Computer Networks and ISDN Systems 30 (1998)
161-172: similarity to a query IS, backlinks IB, PageRank IR, forward links IF, estimated as IS', IB', IR' from the part seen.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from mass_pipeline.crawling.pages.relevance import Words, count_terms, tags_score
from mass_pipeline.crawling.pages.spider import SeenPage
from mass_pipeline.crawling.sites.frontier import Link
from mass_pipeline.laboratory.scorers.page_rank import page_rank
from mass_pipeline.laboratory.scorers.query import Query
from mass_pipeline.model.identifiers import fold

_WORD: Final = re.compile(r"[^\W\d_]{3,}")
_RANKED_AGAIN: Final = 1.5  # PageRank is worked out anew when the known pages have grown by half: in all, linear work


@dataclass(frozen=True, slots=True)
class Weights:
    """What each part counts; every part lies between 0 and 1.

    Attributes:
        keywords: likeness of anchor and address to the topic.
        frequency: how often the topic's words stand on the pages that link here.
        tags: title, headings and meta elements of these pages.
        seed: cosine with the joined seed documents.
        rank: PageRank against the highest known.
        in_links: pages that link here, against the most known.
        out_links: 1 for a referring page with few links, towards 0 for long lists.
    """

    keywords: float = 4.0
    frequency: float = 0.5
    tags: float = 0.5
    seed: float = 0.5
    rank: float = 0.5
    in_links: float = 0.5
    out_links: float = 0.25


class PageImportance:
    """Score: weighted sum of the parts of V10, 0 to the sum of the weights."""

    def __init__(self, weights: Weights | None = None, query: Query | None = None) -> None:
        self._query = query or Query()
        self._weights = weights or Weights()
        self._links: dict[str, list[str]] = {}
        self._in_links: Counter[str] = Counter()
        self._most_in_links = 0
        self._from_pages: dict[str, float] = {}
        self._keywords: dict[str, float] = {}
        self._seed: Counter[str] = Counter()  # words of the joined start pages
        self._read: dict[str, tuple[float, Counter[str]]] = {}
        self._rank: dict[str, float] = {}
        self._highest = 0.0
        self._next_ranking = 1

    def observe(self, page: SeenPage) -> bool:
        """Add the page to the known part of the graph; every score may change."""
        return page.url not in self._links and self.read(page.url, page.depth, page.words, [link.url for link in page.links])

    def read(self, url: str, depth: int, words: Words, urls: Sequence[str]) -> bool:
        """The same of a page whose words and links are known; False when it was known."""
        if url in self._links:
            return False
        counted = Counter(_WORD.findall(fold(words.text)))
        if depth == 0 or not self._links:
            self._seed.update(counted)
        value = self._page_value(words, len(urls))
        self._read[url] = self._weights.keywords * self._query.likeness(words) + value, counted
        self._links[url] = list(urls)
        self._in_links.update(urls)
        self._most_in_links = max((self._most_in_links, *(self._in_links[one] for one in urls)))
        for one in urls:
            self._from_pages[one] = max(value, self._from_pages.get(one, 0.0))
        if len(self._links) >= self._next_ranking:
            self._rank = page_rank(self._links)
            self._highest = max(self._rank.values(), default=0.0)
            self._next_ranking = math.ceil(len(self._links) * _RANKED_AGAIN)
        return True

    def importance(self) -> dict[str, float]:
        """Of every page that was read: the weighted sum of the parts, by its own words, the whole graph and the joined seeds."""
        self._rank = page_rank(self._links)
        self._highest = max(self._rank.values(), default=0.0)
        return {
            url: own + self._weights.seed * self._like_seeds(words) + self._by_graph(url)
            for url, (own, words) in self._read.items()
        }

    def score(self, link: Link) -> float:
        """See the class."""
        return (
            self._weights.keywords * self._keywords_of(link)
            + self._from_pages.get(link.url, 0.0)
            + self._weights.seed * self._like_seeds(Counter(_WORD.findall(fold(link.text))))
            + self._by_graph(link.url)
        )

    def _by_graph(self, url: str) -> float:
        rank = self._rank.get(url, 0.0) / self._highest if self._highest else 0.0
        popular = self._in_links[url] / self._most_in_links if self._most_in_links else 0.0
        return self._weights.rank * rank + self._weights.in_links * popular

    def _keywords_of(self, link: Link) -> float:
        """Likeness of anchor and address, worked out once: waiting links are scored again and again."""
        known = self._keywords.get(link.url)
        if known is None:
            known = self._keywords[link.url] = self._query.likeness_of_phrase(f"{link.text} {_words_of_address(link.url)}")
        return known

    def _page_value(self, words: Words, out_links: int) -> float:
        """What a page hands to its links."""
        topic = self._query.topic
        found, _ = count_terms(words.text, topic)
        frequency = min(1.0, sum(found.values()) * 10 / (1 + len(words.text.split())))
        tags = min(1.0, tags_score(words, topic) / topic.thresholds["tags"])
        weights = self._weights
        return weights.frequency * frequency + weights.tags * tags + weights.out_links / math.sqrt(1 + out_links)

    def _like_seeds(self, words: Counter[str]) -> float:
        common = sum(count * self._seed[word] for word, count in words.items())
        return common / math.sqrt(_square(words) * _square(self._seed)) if common else 0.0


def _square(words: Counter[str]) -> int:
    return sum(count * count for count in words.values())


def _words_of_address(url: str) -> str:
    return " ".join(_WORD.findall(url[url.find("/", 8) :].lower()))
