"""Train the learnt scorer from earlier crawls and written menus. Pages and links in, weights out; nothing is fetched here.

A link's value is the discounted reward of Rennie and McCallum 1999: 1 when it leads to a page that states the standing order, the
discount when that page is one link further, nothing beyond.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np

from mass_pipeline.crawling.pages.links import read_links, words_around
from mass_pipeline.crawling.pages.spider import SeenPage
from mass_pipeline.crawling.sites.learnt_scorer import BITS, LinkModel, LinkSight, features, likeness
from mass_pipeline.crawling.sites.records import CrawledPage
from mass_pipeline.model.errors import BadInput
from mass_pipeline.reading.text.charset import decode

DISCOUNT: Final = 0.3
REGULARISATION: Final = 1.0  # C of the regression, the library's default
_LEAST_WEIGHT: Final = 0.01


@dataclass(frozen=True, slots=True)
class Example:
    """A link and what it is worth, 0 to 1."""

    sight: LinkSight
    value: float


def examples_of_site(pages: Iterable[CrawledPage], states_schedule: Callable[[SeenPage], bool]) -> Iterator[Example]:
    """Links of one crawled site, each (address, anchor) once; none when no page, or almost every page, states the schedule.

    Args:
        pages: every URL of the site; those without body count for nothing.
        states_schedule: whether a page holds the standing order (the reader's judgement).
    """
    seen = [_seen(page) for page in pages if page.body]
    goals = {page.url for page in seen if states_schedule(page)}
    if not goals or len(goals) > len(seen) / 2:
        return  # nothing to be found, or it stands in the margin of every page
    near = {page.url for page in seen if any(link.url in goals for link in page.links) and page.depth > 0}
    known = {page.url for page in seen}
    met: set[tuple[str, str]] = set()
    for page in sorted(seen, key=lambda one: (one.depth, one.url)):
        value = likeness(page.words)
        for link in page.links:
            anchor = link.raw.text()
            if link.url not in known or (link.url, anchor) in met:
                continue
            met.add((link.url, anchor))
            context = words_around(link.raw.node) if link.raw.node is not None else ""
            sight = LinkSight(anchor, link.url, context, page.words.title, link.position, page.depth, value)
            menu = len(near) > len(seen) / 2  # a menu on every page: that the schedule is one link further says nothing
            yield Example(sight, 1.0 if link.url in goals else DISCOUNT if link.url in near and not menu else 0.0)


def train(examples: Iterable[Example], *, seed: int) -> LinkModel:
    """Fit the regression; the same examples in the same order give the same weights.

    Raises:
        BadInput: there are not both links that lead to a schedule and links that do not.
    """
    from scipy.sparse import csr_matrix
    from sklearn.linear_model import LogisticRegression

    rows: list[list[int]] = []
    labels: list[int] = []
    weights: list[float] = []
    for example in examples:
        slots = features(example.sight)
        for label, weight in ((1, example.value), (0, 1 - example.value)):
            if weight > 0:
                rows.append(slots)
                labels.append(label)
                weights.append(weight)
    if len(set(labels)) < 2:
        raise BadInput("the examples hold only one kind of link: crawl sites whose schedule the reader can find")
    starts = np.cumsum([0, *map(len, rows)])
    columns = np.fromiter((slot for slots in rows for slot in slots), dtype=np.int32, count=int(starts[-1]))
    matrix = csr_matrix((np.ones(len(columns)), columns, starts), shape=(len(rows), 1 << BITS))
    fitted = LogisticRegression(C=REGULARISATION, solver="liblinear", random_state=seed, max_iter=300)
    fitted.fit(matrix, labels, sample_weight=weights)
    found = {slot: round(float(weight), 3) for slot, weight in enumerate(fitted.coef_[0]) if abs(weight) >= _LEAST_WEIGHT}
    return LinkModel(round(float(fitted.intercept_[0]), 3), found)


def _seen(page: CrawledPage) -> SeenPage:
    assert page.body is not None
    text = decode(page.body, page.content_type)
    url = page.final_url or page.url
    links = read_links(text.text)
    return SeenPage(page.parish_id, url, page.depth, page.link_text or "", page.body, page.content_type, text.encoding, links)
