"""What makes a link promising: one small module per scorer, made by name (V9, V10). Pages and links in, a number out.

| name | idea | source |
|---|---|---|
| words | words of the link from a list | ours |
| none | no opinion: the plain orders | the baseline |
| cosine | likeness of the page that holds the link to the topic | naive best-first; Menczer, Pant, Srinivasan 2004 |
| shark | inherited likeness, anchor, words around it | Hersovici et al. 1998 |
| importance | keywords, title and meta, likeness to the seed, PageRank, in-links, out-links | Cho, Garcia-Molina, Page 1998 |
| learnt | logistic regression over anchor, address, place and page | Rennie, McCallum 1999 |
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Final

from mass_pipeline.crawler.fetching.config import CrawlConfig

if TYPE_CHECKING:
    from mass_pipeline.crawler.sites.scorers.ports import LinkScorer

_HOMES: Final = {
    "words": "words:ScheduleWords",
    "none": "words:NoOpinion",
    "cosine": "cosine:CosineOfPage",
    "shark": "shark:SharkSearch",
    "importance": "importance:PageImportance",
    "learnt": "learnt:LearntScorer",
}
WITH_QUERY: Final = ("cosine", "shark", "importance")  # the others know the standing order alone


def make_scorer(config: CrawlConfig) -> LinkScorer:
    """A fresh scorer for one site, by `config.scorer` and, where it has one, `config.query`.

    Raises:
        BadInput: the query is no topic, file or words.
    """
    module, _, name = _HOMES[config.scorer].partition(":")
    make = getattr(importlib.import_module(f"{__name__}.{module}"), name)
    if config.scorer not in WITH_QUERY:
        plain: LinkScorer = make()
        return plain
    from mass_pipeline.crawler.sites.scorers.topic import Query, query_topic  # the words of topics cost memory and a start

    scorer: LinkScorer = make(query=Query(query_topic(config.query)))
    return scorer
