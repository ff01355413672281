"""Scorers of the literature, by name, for comparison with those of the crawler (V9, V10).

| name | idea | source |
|---|---|---|
| none | no opinion: the plain orders | the baseline |
| cosine | likeness of the page that holds the link to the topic | naive best-first; Menczer, Pant, Srinivasan 2004 |
| shark | inherited likeness, anchor, words around it | Hersovici et al. 1998 |
| importance | keywords, title and meta, likeness to the seed, PageRank, in-links, out-links | Cho, Garcia-Molina, Page 1998 |
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from mass_pipeline.crawling.sites.frontier import Link, LinkScorer, ScheduleWords
from mass_pipeline.crawling.sites.learnt_scorer import LearntScorer
from mass_pipeline.laboratory.scorers.cosine import CosineOfPage
from mass_pipeline.laboratory.scorers.importance import PageImportance
from mass_pipeline.laboratory.scorers.query import Query
from mass_pipeline.laboratory.scorers.shark import SharkSearch


class NoOpinion:
    """Every link is as good as another: plain breadth-first and depth-first, the baselines of the comparison."""

    def score(self, link: Link) -> float:
        """0."""
        return 0.0


SCORERS: Final[Mapping[str, Callable[[Query], LinkScorer]]] = {
    "words": lambda query: ScheduleWords(),
    "none": lambda query: NoOpinion(),
    "cosine": CosineOfPage,
    "shark": SharkSearch,
    "importance": lambda query: PageImportance(query=query),
    "learnt": lambda query: LearntScorer(),
}
WITH_QUERY: Final = ("cosine", "shark", "importance")  # the others know the regular schedule alone
