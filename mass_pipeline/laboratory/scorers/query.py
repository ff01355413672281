"""The query of the scorers: a topic, or words of one's own, and likeness to it (V9). Words in, a number from 0 to 1 out."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from mass_pipeline.crawling.pages.relevance import Topic, Words, load_topic, topic_path, vector_score
from mass_pipeline.model.errors import BadInput
from mass_pipeline.model.identifiers import fold

STANDING_ORDER: Final = "standing_order"
_PHRASES_KEPT: Final = 4096
_ENDING: Final = 2  # letters that a longer word of a query may end in otherwise
_STEM: Final = 4
_TAGS_FOUND: Final = 3.0  # a title with one word of the query


class Query:
    """What a crawl looks for.

    Args:
        topic: its terms are the query; the topic of the page that states the Masses when None.

    >>> Query().likeness("Galeria zdjęć"), Query().likeness("Msze św. w niedziele") > 0.4
    (0.0, True)
    """

    __slots__ = ("_phrases", "topic")

    def __init__(self, topic: Topic | None = None) -> None:
        self.topic = topic or query_topic(STANDING_ORDER)
        self._phrases: dict[str, float] = {}

    def likeness(self, words: Words | str) -> float:
        """Cosine of a text and the query, 0 (no word in common) to 1."""
        return vector_score(Words(words) if isinstance(words, str) else words, self.topic)

    def likeness_of_phrase(self, phrase: str) -> float:
        """The same for short texts that repeat: anchors of menus."""
        known = self._phrases.get(phrase)
        if known is None:
            known = self.likeness(phrase)
            if len(self._phrases) < _PHRASES_KEPT:
                self._phrases[phrase] = known
        return known


@lru_cache(maxsize=64)
def query_topic(query: str) -> Topic:
    """The topic of a query: a topic of the project by its name, a topic file by its path (`.toml`), or any words.

    Raises:
        BadInput: the file cannot be read, or there is no word.

    >>> sorted(query_topic("wizyta duszpasterska").terms)
    ['duszpasters', 'wizy']
    """
    words = re.findall(r"\w{3,}", fold(query))
    if query.endswith(".toml"):
        return load_topic(topic_path(query))
    try:
        return load_topic(topic_path(query))
    except BadInput:
        if not words or re.fullmatch(r"[a-z]+(?:_[a-z]+)+", query):  # an unknown name of a topic is no query
            raise
    stems = {word[: max(_STEM, len(word) - _ENDING)]: 1.0 for word in words}
    weights = {"title": 3.0, "headings": 2.0, "meta": 1.0}
    return Topic(query, stems, (), weights, {"boolean": 1.0, "tags": _TAGS_FOUND, "vector": 0.5}, "vector")
