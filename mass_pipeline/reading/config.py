"""Settings of the grammar: the weights by which a notice is judged."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class GrammarConfig:
    """How pages are read and judged."""

    # Hours of one page, and lines with hours, that are read; archives of a year's intentions have 1,100
    most_hours: int = 3000
    accept_score: float = 0.5  # Least score of a notice that is taken for the standing order (docs/reading.md)
    # Least score of a notice that goes on with an accepted one beside it (docs/reading.md)
    neighbour_score: float = 0.3
    anchor_weight: float = 0.3  # Weight of words like Msze Święte or Porządek Mszy
    day_weight: float = 0.25  # Weight of a Sunday list, and of a weekday list
    every_weight: float = 0.2  # Weight of a sentence that tells a Mass of every week
    hours_weight: float = 0.1  # Weight of more than two hours
    title_weight: float = 0.15  # Weight of a heading, title, address or link text about Masses
    news_weight: float = 0.3  # Weight against pages of news, intentions and announcements
    dated_weight: float = 0.8  # Weight against dated hours, times their share
    event_weight: float = 0.6  # Weight against programmes of feasts and lists of other parishes
    lone_weight: float = 0.2  # Weight against one or two hours in a sentence
    prose_weight: float = 0.5  # Weight against prose around the hours
    prose_words: float = 4.0  # Plain words per hour from which lines count as prose


DEFAULT: Final = GrammarConfig()
