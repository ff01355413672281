"""The query of the scorers: the topic of standing orders, and likeness to it. Words in, a number from 0 to 1 out."""

from __future__ import annotations

from functools import lru_cache

from mass_pipeline.crawler.pages.relevance import TOPICS_FOLDER, Topic, Words, load_topic, vector_score


@lru_cache(maxsize=1)
def schedule_topic() -> Topic:
    """Topic of the page that states the Masses."""
    return load_topic(TOPICS_FOLDER / "standing_order.toml")


def likeness(words: Words | str) -> float:
    """Cosine of a text and the topic, 0 (no word in common) to 1.

    >>> likeness("Galeria zdjęć"), likeness("Msze św. w niedziele") > 0.4
    (0.0, True)
    """
    return vector_score(Words(words) if isinstance(words, str) else words, schedule_topic())


@lru_cache(maxsize=4096)
def likeness_of_phrase(phrase: str) -> float:
    """The same for short texts that repeat: anchors of menus."""
    return likeness(phrase)
