"""The learnt scorer: how likely a link leads to the page that states the Masses, by a logistic regression over its features.

Anchor, address, words around, place on the page, words of the page, as hashed n-grams: the same link gives the same numbers on
every machine and in every release of the libraries (CRC-32, no random hash). Source: J. Rennie, A. McCallum, Using
reinforcement learning to spider the Web efficiently, ICML 1999: links are valued by the discounted reward after them. Training is
in `laboratory.link_scorer`; the weights are data (link_model.json), numbers alone.
"""

from __future__ import annotations

import math
import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Final
from urllib.parse import unquote

import orjson

from mass_pipeline.crawling.fetching.urls import is_dated
from mass_pipeline.crawling.pages.links import words_around
from mass_pipeline.crawling.pages.relevance import Topic, Words, load_topic, topic_path, vector_score
from mass_pipeline.crawling.pages.spider import SeenPage
from mass_pipeline.crawling.sites.frontier import Link
from mass_pipeline.model.errors import BadInput
from mass_pipeline.model.identifiers import fold

BITS: Final = 14
_SLOTS: Final = 1 << BITS
_WORD: Final = re.compile(r"[^\W\d_]+")
_CAMEL: Final = re.compile(r"(?<=[a-z])(?=[A-Z])")
_GRAM: Final = 4
_MOST_WORDS: Final = 12
_ENDINGS: Final = frozenset({"html", "htm", "php", "asp", "aspx", "jsp", "index", "www", "pl"})
_FIRST_PLACES: Final = (3, 8, 20)  # classes of the link's number on its page


@dataclass(frozen=True, slots=True)
class LinkSight:
    """A link as it stands on a page.

    Attributes:
        anchor: anchor text.
        url: canonical address.
        context: words around the link.
        title: title of the page that holds it.
        position: number of the link on the page, from 0.
        depth: of the page that holds it.
        likeness: of that page to the topic, 0 to 1.
    """

    anchor: str
    url: str
    context: str = ""
    title: str = ""
    position: int = 0
    depth: int = 0
    likeness: float = 0.0


def features(sight: LinkSight) -> list[int]:
    """Slots that are on, sorted, each once; numbers below `2 ** BITS`.

    >>> features(LinkSight("Msze", "http://a.pl/m")) == features(LinkSight("MSZE", "http://b.pl/m"))
    True
    """
    return sorted({zlib.crc32(name.encode("utf-8", "surrogatepass")) % _SLOTS for name in _names(sight)})


def _names(sight: LinkSight) -> Iterator[str]:
    yield from _ngrams("a", _words(sight.anchor))
    yield from _ngrams("u", _words_of_address(sight.url))
    yield from (f"c:{word}" for word in _words(sight.context))
    yield from (f"t:{word}" for word in _words(sight.title))
    yield f"place:{sum(sight.position >= first for first in _FIRST_PLACES)}"
    yield f"depth:{min(sight.depth, 3)}"
    yield f"like:{min(int(sight.likeness * 5), 4)}"
    if is_dated(sight.url):
        yield "dated"
    if not sight.anchor.strip():
        yield "silent"


def _ngrams(kind: str, words: list[str]) -> Iterator[str]:
    for word in words:
        yield f"{kind}:{word}"
        padded = f"^{word}$"
        yield from (f"{kind}{_GRAM}:{padded[i : i + _GRAM]}" for i in range(len(padded) - _GRAM + 1))
    yield from (f"{kind}2:{one} {two}" for one, two in pairwise(words))
    yield f"{kind}#:{min(len(words), 5)}"


def _words(text: str) -> list[str]:
    return _WORD.findall(fold(text))[:_MOST_WORDS]


def _words_of_address(url: str) -> list[str]:
    """Words of path and query; the host says nothing about a page."""
    path = _CAMEL.sub(" ", unquote(url[url.find("/", 8) :])) if url.count("/") > 2 else ""
    return [word for word in _words(path) if word not in _ENDINGS]


MODEL_FILE: Final = Path(__file__).with_name("link_model.json")
FORMAT: Final = 1
_NOTICED: Final = 0.05  # a waiting link is sorted anew when its probability rises by this


@dataclass(frozen=True, slots=True)
class LinkModel:
    """Weights of the regression.

    Attributes:
        intercept: log odds of a link without features.
        weights: slot -> weight; slots that are not there weigh nothing.
    """

    intercept: float
    weights: dict[int, float]

    def probability(self, sight: LinkSight) -> float:
        """That the link leads to the schedule, 0 to 1."""
        value = self.intercept + sum(self.weights.get(slot, 0.0) for slot in features(sight))
        return 1 / (1 + math.exp(-max(-60.0, min(60.0, value))))

    def to_json(self) -> bytes:
        """The file's content; the same weights give the same bytes."""
        weights = {str(slot): weight for slot, weight in sorted(self.weights.items())}
        return orjson.dumps({"format": FORMAT, "bits": BITS, "intercept": self.intercept, "weights": weights}) + b"\n"


@lru_cache(maxsize=1)
def _standing_order() -> Topic:
    return load_topic(topic_path("standing_order"))


def likeness(words: Words | str) -> float:
    """Likeness to the page that states the Masses, 0 to 1.

    >>> likeness("Galeria zdjęć"), likeness("Msze św. w niedziele") > 0.4
    (0.0, True)
    """
    return vector_score(Words(words) if isinstance(words, str) else words, _standing_order())


@lru_cache(maxsize=4)
def load_model(path: Path = MODEL_FILE) -> LinkModel:
    """Read weights.

    Raises:
        BadInput: not a file of this format, naming the command that makes one.
    """
    try:
        data = orjson.loads(path.read_bytes())
        if (data["format"], data["bits"]) != (FORMAT, BITS):
            raise ValueError(f"format {data['format']} with {data['bits']} bits")
        return LinkModel(float(data["intercept"]), {int(slot): float(weight) for slot, weight in data["weights"].items()})
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise BadInput(
            f"{path}: no weights of the learnt scorer ({error}). `mass-pipeline lab train-link-scorer` makes them."
        ) from error


class LearntScorer:
    """Score: highest probability over the pages known to hold the link, 0 to 1."""

    def __init__(self, model: LinkModel | None = None) -> None:
        self._model = model or load_model()
        self._best: dict[str, float] = {}
        self._judged: set[tuple[str, str]] = set()

    def observe(self, page: SeenPage) -> bool:
        """Judge the links of the page; a link with an anchor judged before (menus repeat) is passed over."""
        rises = False
        value: float | None = None
        for link in page.links:
            anchor = link.raw.text()
            if (link.url, anchor) in self._judged:
                continue
            self._judged.add((link.url, anchor))
            value = likeness(page.words) if value is None else value
            context = words_around(link.raw.node) if link.raw.node is not None else ""
            sight = LinkSight(anchor, link.url, context, page.words.title, link.position, page.depth, value)
            probability = self._model.probability(sight)
            known = self._best.get(link.url)
            if known is None or probability > known:
                self._best[link.url] = probability
                rises |= known is not None and probability > known + _NOTICED
        return rises

    def score(self, link: Link) -> float:
        """See the class; a link no page is known for is judged by anchor and address."""
        known = self._best.get(link.url)
        if known is None:
            known = self._best[link.url] = self._model.probability(LinkSight(link.text, link.url, depth=max(link.depth - 1, 0)))
        return known
