"""The learnt scorer: how likely a link leads to the page that states the Masses, by a logistic regression over its features.

Source: J. Rennie, A. McCallum, Using reinforcement learning to spider the Web efficiently, ICML 1999: links are valued by the
discounted reward after them. Training is in `laboratory.link_scorer`; the weights are data (link_model.json), numbers alone.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Final

import orjson

from mass_pipeline.crawling.pages.anchor_context import words_around
from mass_pipeline.crawling.pages.relevance import Topic, Words, load_topic, topic_path, vector_score
from mass_pipeline.crawling.pages.seen_page import SeenPage
from mass_pipeline.crawling.sites.scorers.link_features import BITS, LinkSight, features
from mass_pipeline.crawling.sites.scorers.ports import Link
from mass_pipeline.model.errors import BadInput

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

    def saw(self, page: SeenPage) -> bool:
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
