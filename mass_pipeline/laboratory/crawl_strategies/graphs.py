"""Generated webs with the properties focused crawlers live by: topical locality, hubs, regions off the topic. Seeded, in memory.

Model: B. Davison, Topical locality in the Web, SIGIR 2000 (pages link to pages of their topic; anchors describe their targets);
A.-L. Barabási, R. Albert, Emergence of scaling in random networks, Science 286 (1999) 509-512 (popular pages attract links).
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import Final

from mass_pipeline.crawling.pages.links import read_links
from mass_pipeline.crawling.pages.spider import SeenPage
from mass_pipeline.crawling.sites.learnt_scorer import likeness
from mass_pipeline.laboratory.crawl_strategies.metrics import Visit

ON_TOPIC: Final = 0
_VOCABULARIES: Final = (
    (
        "msze święte",
        "porządek nabożeństw",
        "niedziela 8.00 10.30",
        "dni powszednie 18.00",
        "eucharystia",
        "liturgia",
        "w tygodniu 7.00",
    ),
    ("historia kościoła", "budowa świątyni", "wieża", "fundator", "konsekracja", "wojna", "remont dachu"),
    ("galeria zdjęć", "fotografie", "album", "film", "pielgrzymka", "festyn", "wycieczka"),
    ("chrzest", "bierzmowanie", "małżeństwo", "nauki", "dokumenty", "zaświadczenie", "kancelaria"),
    ("piłka nożna", "liga", "turniej", "bramka", "mecz", "trener", "kibice"),
    ("przepis", "ciasto", "mąka", "piekarnik", "łyżka cukru", "obiad", "zupa"),
)
_SILENT: Final = ("więcej", "czytaj dalej", "tutaj", "zobacz", "dalej")


@dataclass(frozen=True, slots=True)
class GraphShape:
    """How a graph is made.

    Attributes:
        pages: number of pages.
        on_topic: share of pages about the topic looked for.
        links: mean number of links of a page; hubs have ten times as many.
        locality: share of links that stay in the topic of their page.
        hubs: share of pages that are hubs.
        telling: share of anchors that describe their target.
        remote: share of pages in regions that no page of the topic links to directly.
    """

    pages: int = 4000
    on_topic: float = 0.04
    links: int = 7
    locality: float = 0.55
    hubs: float = 0.02
    telling: float = 0.6
    remote: float = 0.3


@dataclass(frozen=True)
class Graph:
    """A generated web.

    Attributes:
        topics: URL -> topic; `ON_TOPIC` is the one looked for.
        links: URL -> (URL, anchor) in document order.
        texts: URL -> visible text.
    """

    topics: dict[str, int]
    links: dict[str, list[tuple[str, str]]]
    texts: dict[str, str] = field(repr=False)

    @property
    def relevant(self) -> list[str]:
        """Pages of the topic, in order of their making."""
        return [url for url, topic in self.topics.items() if topic == ON_TOPIC]

    def page(self, url: str, depth: int, link_text: str) -> SeenPage:
        """The page as markup, read as the crawler reads pages."""
        anchors = "".join(f'<li><a href="{to}">{anchor}</a></li>' for to, anchor in self.links[url])
        text = self.texts[url]
        markup = f"<html><head><title>{text[:30]}</title></head><body><p>{text}</p><ul>{anchors}</ul></body></html>"
        return SeenPage("graph", url, depth, link_text, markup.encode(), "text/html", "utf-8", read_links(markup))

    def visit(self, url: str) -> Visit:
        """The request as the measures see it."""
        return Visit(url, likeness(self.texts[url]), self.topics[url] == ON_TOPIC)


def make_graph(shape: GraphShape, seed: int) -> Graph:
    """A graph; the same shape and seed give the same one."""
    chance = random.Random(seed)
    urls = [f"http://graf.example/{number}" for number in range(shape.pages)]
    others = len(_VOCABULARIES) - 1
    topics = {url: ON_TOPIC if chance.random() < shape.on_topic else 1 + chance.randrange(others) for url in urls}
    remote = {url for url in urls if topics[url] != ON_TOPIC and chance.random() < shape.remote}
    by_topic: dict[int, list[str]] = {}
    for url, topic in topics.items():
        by_topic.setdefault(topic, []).append(url)
    hubs = [url for url in urls if chance.random() < shape.hubs] or urls[:1]
    hub_set = set(hubs)
    links = {}
    popular = list(hubs)  # a page stands here once more for every link to it
    for url in urls:
        count = max(1, round(chance.gauss(shape.links, shape.links / 3))) * (10 if url in hub_set else 1)
        found: dict[str, str] = {}
        for _ in range(count):
            to = _goal(url, topics, by_topic, popular, urls, shape, chance)
            if to != url and to not in found and not (to in remote and topics[url] == ON_TOPIC):
                found[to] = _anchor(topics[to], shape, chance)
                popular.append(to)
        links[url] = list(found.items())
    texts = {url: _text(topics[url], chance) for url in urls}
    return Graph(topics, links, texts)


def _goal(
    url: str, topics: dict[str, int], by_topic: dict[int, list[str]], popular: list[str], urls: list[str], shape: GraphShape,
    chance: random.Random,
) -> str:  # fmt: skip
    draw = chance.random()
    if draw < shape.locality:
        return chance.choice(by_topic[topics[url]])
    return chance.choice(popular) if draw < (1 + shape.locality) / 2 else chance.choice(urls)


def _anchor(topic: int, shape: GraphShape, chance: random.Random) -> str:
    return chance.choice(_VOCABULARIES[topic] if chance.random() < shape.telling else _SILENT)


def _text(topic: int, chance: random.Random) -> str:
    """Two thirds of the phrases are the topic's own."""
    own, noise = _VOCABULARIES[topic], _VOCABULARIES[chance.randrange(1, len(_VOCABULARIES))]
    return ". ".join(chance.choice(own if chance.random() < 2 / 3 else noise) for _ in range(chance.randint(15, 60)))
